/** The functions of an import: a contract at run time, and one as modules. */
import type { Contract } from "../../contract/contract.ts";
import { describeConfidential, describeValue, toOneLine } from "../../messages.ts";
import { withDates } from "./dates.ts";
import { declareContract } from "./declare.ts";
import { limitImport, modelsOf, planImport, toImportError } from "./import_document.ts";
import { innerModels, keysIn, type Model, placeKey, type UnionModel } from "./model.ts";
import type { DocumentPlace } from "../openapi/operations.ts";
import { isPart } from "../openapi/part.ts";
import type {
  DocumentOptions,
  ImportedDocument,
  ImportOptions,
  ImportPlan,
  NotesRules,
  PlannedSchema,
} from "./plan.ts";
import { type ImportReport, Reporter } from "./report.ts";
import { readFiles, type Source, toSource, withAbsoluteReferences } from "./source.ts";
import { arktype } from "./write_arktype.ts";
import { planDocument } from "./plan_document.ts";
import { type FileOptions, type ImportedFile, nameFiles } from "./module.ts";
import { writeFiles } from "./write_contract.ts";
import { listAliases, writeDocument } from "./write_document.ts";
import { writeDeclarations } from "./write_declarations.ts";
import { valibot } from "./write_valibot.ts";
import { writeSlimFiles } from "./write_slim.ts";
import { zod } from "./write_zod.ts";
import type { SchemaLibrary, SchemaWriter } from "./writer.ts";
import { zodDates } from "./zod_dates.ts";
import { aBoolean, checkNames, checkRule, checkRules, someTexts, type ValueRule } from "../../options.ts";

/** An OpenAPI document with the files that it refers to. {@linkcode readOpenApi} returns it. */
export interface OpenApiSource {
  /** The document. Its references to other files are absolute URLs. */
  readonly document: object;
  /** The other files by URL. */
  readonly files: ReadonlyMap<string, unknown>;
}

/** The contract of a document, and what became of each operation. */
export interface ImportedContract {
  /** The contract. The types of its routes are not known. */
  readonly contract: Contract;
  /** What became of each operation. */
  readonly report: ImportReport;
  /**
   * The options of `openApiDocument()` that say what the contract does not: prose, examples, servers and extensions.
   * With them, the document of the contract says what the imported one does.
   */
  readonly document: ImportedDocument;
}

/** The modules of a contract, and what became of each operation. */
export interface WrittenContract {
  /** The modules, in a stable order. */
  readonly files: readonly ImportedFile[];
  /** What became of each operation. */
  readonly report: ImportReport;
}

/** The options of {@linkcode writeContract}. */
export interface WriteContractOptions extends ImportOptions {
  /**
   * The library of the written schemas, or `none`: the types and a slim contract for clients, without validation.
   * Default: `zod`.
   */
  readonly schemas?: SchemaLibrary | "none";
  /**
   * Whether the dates of JSON bodies are `Date` objects in the program, with `zod`. Those of parameters, headers and
   * forms stay strings. Default: `false`.
   */
  readonly dates?: boolean;
  /**
   * Whether to write `document.ts`, the options of `openApiDocument()` that say what the contract does not. Clients do
   * not need it, and it is not written with `none`. Default: `true`.
   */
  readonly document?: boolean;
  /** The file extension of imported modules. Default: `.ts`. */
  readonly extension?: string;
  /** What the modules import the toolkit from. Default: `@scope/api`. */
  readonly library?: string;
}

/**
 * Reads an OpenAPI document and the files that it refers to.
 *
 * @param url The URL of the document.
 * @param read Returns the parsed content of a URL: JSON or YAML as plain values. It rejects with an error whose `code`
 * is `ENOENT` if a file does not exist, as Node and Deno do. A file that only an extension (`x-…`) or a discriminator
 * refers to may be missing; any other error is thrown.
 *
 * @example A document of two files
 * ```ts
 * import { importContract, readOpenApi } from "@scope/api/import";
 * import { assertEquals } from "@std/assert";
 *
 * const content = { "application/json": { schema: { $ref: "user.json" } } };
 * const files: Record<string, object> = {
 *   "file:///openapi.json": {
 *     openapi: "3.1.0",
 *     info: { title: "Users", version: "1.0.0" },
 *     paths: { "/me": { get: { operationId: "me", tags: ["users"], responses: { 200: { description: "", content } } } } },
 *   },
 *   "file:///user.json": { type: "object", properties: { name: { type: "string" } } },
 * };
 *
 * const source = await readOpenApi("file:///openapi.json", (url) => Promise.resolve(files[url]!));
 * assertEquals(importContract(source).report.operations.map(({ key }) => key), ["users.me"]);
 * ```
 *
 * @throws {TypeError} If the document is not an object.
 */
export async function readOpenApi(url: string, read: (url: string) => Promise<unknown>): Promise<OpenApiSource> {
  const document = await read(url);
  checkDocument(document);
  try {
    const files = await readFiles(document, url, read);
    return { document: withAbsoluteReferences(document, url), files };
  } catch (cause) {
    throw toImportError(cause);
  }
}

/**
 * Creates the contract of an OpenAPI document of version 3.0, 3.1 or 3.2, or of Swagger 2.0. Its schemas validate by
 * JSON Schema, without a schema library. It serves mocks, contract tests and comparisons; for a typed client, write it
 * as modules with {@linkcode writeContract}.
 *
 * @example A mock of an API
 * ```ts
 * import { importContract } from "@scope/api/import";
 * import { mockContract } from "@scope/api/mock";
 * import { assertEquals } from "@std/assert";
 *
 * const { contract } = importContract({
 *   openapi: "3.1.0",
 *   info: { title: "Users", version: "1.0.0" },
 *   paths: {
 *     "/users/{id}": {
 *       get: {
 *         operationId: "getUser",
 *         parameters: [{ in: "path", name: "id", required: true, schema: { type: "integer" } }],
 *         responses: {
 *           200: { description: "A user", content: { "application/json": { schema: { const: "Ada" } } } },
 *         },
 *       },
 *     },
 *   },
 * });
 * const mock = mockContract(contract);
 * assertEquals(await (await mock(new Request("http://localhost/users/1"))).json(), "Ada");
 * assertEquals((await mock(new Request("http://localhost/users/x"))).status, 400);
 * ```
 *
 * @throws {TypeError} If it is not such a document, or none of its operations can be declared.
 */
export function importContract(document: object, options: ImportOptions = {}): ImportedContract {
  const plan = checkedPlan(document, options, "importContract()", {});
  return {
    contract: limitImport(() => declareContract(plan)),
    report: plan.report,
    document: limitImport(() => planDocument(plan, { rules: ofImport, lose: () => {} })),
  };
}

/**
 * Writes the contract of an OpenAPI document as modules: one for each tag, one for the schemas of each tag, `contract.ts`,
 * which puts them together, and `document.ts`, which has the prose, the examples and the servers of the document for
 * `openApiDocument()`. Beside the modules are their types as interfaces. The order is that of the document.
 *
 * @example
 * ```ts
 * import { writeContract } from "@scope/api/import";
 * import { assertEquals } from "@std/assert";
 *
 * const { files, report } = writeContract({
 *   openapi: "3.1.0",
 *   info: { title: "Users", version: "1.0.0" },
 *   paths: { "/users": { delete: { tags: ["Users"], operationId: "clear", responses: { 204: { description: "" } } } } },
 * });
 * assertEquals(files.map(({ path }) => path), [
 *   "contract.ts",
 *   "users.ts",
 *   "contract.types.ts",
 *   "users.types.ts",
 *   "document.ts",
 * ]);
 * assertEquals(report.operations.map(({ key }) => key), ["users.clear"]);
 * ```
 *
 * @throws {TypeError} If it is not such a document, none of its operations can be declared, or an option is invalid.
 */
export function writeContract(document: object, options: WriteContractOptions = {}): WrittenContract {
  const { schemas = "zod", extension = ".ts", library = "@scope/api", dates = false, document: isServed = true } =
    Object(options) as WriteContractOptions; // checked with the rest
  const flags = { dates, document: isServed };
  const plan = checkedPlan(document, options, "writeContract()", { schemas, extension, library }, flags);
  const writer = writerOf(schemas, dates, library);
  if (writer === undefined) {
    return { files: limitImport(() => writeSlimFiles(plan, { extension, library })), report: plan.report };
  }
  const declared = dates ? limitImport(() => withDates(plan)) : plan;
  const { files, unchecked } = limitImport(() => writeFiles(declared, writer, { extension, library }));
  const declarations = limitImport(() => writeDeclarations(declared, writer, { extension, library }));
  const reporter = new Reporter();
  const write = () => writeServed(plan, writer, { extension, library }, reporter);
  const served = isServed ? [limitImport(write, Number.MAX_SAFE_INTEGER)] : []; // its prose is as long as that of the document
  const unpublished = [...plan.report.unpublished, ...reporter.found.unpublished];
  return { files: [...files, ...declarations, ...served], report: { ...plan.report, unchecked, unpublished } };
}

/** Returns the writer of a library; `undefined` for types without schemas. */
function writerOf(schemas: string, dates: boolean, library: string): SchemaWriter | undefined {
  if (dates && schemas !== "zod") {
    const given = describeValue(schemas);
    throw new TypeError(
      `writeContract(): "dates" requires "schemas" to be zod, because only Zod's schemas convert in both directions; got ${given}`,
    );
  }
  if (dates) return { ...zod, dates: zodDates(library) };
  if (schemas === "none") return undefined;
  if (Object.hasOwn(writers, schemas)) return writers[schemas as SchemaLibrary];
  const known = [...Object.keys(writers), "none"].join(", ");
  throw new TypeError(`writeContract(): "schemas" must be one of ${known}, got ${describeValue(schemas)}`);
}

const writers: Readonly<Record<SchemaLibrary, SchemaWriter>> = { zod, valibot, arktype };

/** The schemas of `importContract()`, which are those of the plan. */
const ofImport: NotesRules = { hasIntersections: true, listMembers: (members) => members };

/** Writes the module with the options of the document, and reports what has no place in it. */
function writeServed(plan: ImportPlan, writer: SchemaWriter, options: FileOptions, reporter: Reporter): ImportedFile {
  const models = new Map(plan.schemas.map(({ key, model }) => [key, model]));
  const rules = writer.notes((key) => models.get(key)!); // each reference has a schema
  const lose: DocumentOptions["lose"] = (place, what) => reporter.add("unpublished", place, what);
  const written = reportComponents(plan, rules, lose);
  const document = limitImport(() => planDocument(plan, { rules, written, lose }));
  return writeDocument(plan, document, nameFiles(plan), options);
}

/**
 * Reports each reference to a schema that is another one in the written code, or is written out there. Returns the
 * schemas that may be written out wherever they are used.
 */
function reportComponents(
  plan: ImportPlan,
  { reduces }: NotesRules,
  lose: DocumentOptions["lose"],
): ReadonlySet<PlannedSchema> {
  const written = new Set<PlannedSchema>();
  const schemas = new Map(plan.schemas.map((schema) => [schema.key, schema]));
  const aliases = new Map(listAliases(plan).map(([{ key }, target]) => [key, target]));
  const report = (model: Model): void => {
    const { [placeKey]: place } = model;
    const alias = model.kind === "reference" ? aliases.get(model.key) : undefined;
    if (alias && place) lose(place, `its component is ${alias.component}`);
    if (reduces && place && model.kind === "union") reportReduced(model, place);
    if (reduces && model.kind === "intersection") note(model);
    innerModels(model).forEach(report);
  };
  const note = (model: Model): void => {
    for (const key of keysIn(model)) written.add(schemas.get(key)!); // each reference has a schema
  };
  const reportReduced = (union: UnionModel, place: DocumentPlace): void => {
    const isReduced = reduces!(union);
    if (isReduced) note(union);
    for (const member of union.members) {
      const { file, pointer } = member[placeKey] ?? place;
      const own = { file, pointer: pointer.replace(/\/(?:anyOf|oneOf)\/\d+$/, "") }; // if a reference to it is written out
      if (isReduced) lose(own, "which members the union has");
      const target = member.kind === "reference" ? aliases.get(member.key) ?? schemas.get(member.key) : undefined;
      const { model } = target ?? {};
      if (model?.kind !== "union" && !(model?.kind === "literal" && model.values.length > 1)) continue;
      for (const each of [own, place]) lose(each, `${target!.component} is written out in the union`);
      lose(target!.place, "it is written out in other unions");
      written.add(target!);
    }
  };
  const routes = plan.groups.flatMap((group) => group.routes);
  for (const model of routes.flatMap((route) => modelsOf(route, plan))) report(model);
  for (const { model, place } of plan.schemas) report({ ...model, [placeKey]: place });
  return written;
}

/**
 * Plans an import, and checks its options.
 *
 * @param texts The further options, which are texts.
 * @param flags Those that are booleans.
 */
function checkedPlan(
  document: object,
  options: ImportOptions,
  where: string,
  texts: Readonly<Record<string, unknown>>,
  flags: Readonly<Record<string, unknown>> = {},
): ImportPlan {
  checkNames(options, ["only", "prefer", ...Object.keys(texts), ...Object.keys(flags)], where);
  for (const [name, value] of Object.entries(texts)) checkRule(value, `"${name}"`, aText, where);
  for (const [name, value] of Object.entries(flags)) checkRule(value, `"${name}"`, aBoolean, where);
  checkRules(options, { only: someTexts, prefer: someTexts }, where);
  const plan = planImport(limitImport(() => sourceOf(document)), options, texts["schemas"] !== "none");
  if (plan.groups.length > 0) return plan;
  const [first] = plan.report.operations;
  const reason = first?.reason === undefined ? describeMissing(plan, options) : `${first.operation}: ${first.reason}`;
  throw new TypeError(toOneLine(`${where}: no operation can be declared; ${reason}`));
}

const aText: ValueRule = ["a text", (value) => typeof value === "string"];

function describeMissing({ report: { faults, webhooks } }: ImportPlan, { only }: ImportOptions): string {
  const [fault] = faults;
  if (only) return "the document has none that are asked for";
  if (fault) return `${fault.place}: ${fault.message}`;
  return `the document has no paths with operations${webhooks.length > 0 ? ", only webhooks" : ""}`;
}

function sourceOf(document: object): Source {
  checkDocument(document);
  const { document: own, files } = document as Partial<OpenApiSource>;
  return isPart(own) && files instanceof Map ? toSource(own, files) : toSource(document);
}

function checkDocument(document: unknown): asserts document is object {
  if (!isPart(document)) {
    throw new TypeError(`Cannot import: the document must be an object, got ${describeConfidential(document)}`);
  }
}
