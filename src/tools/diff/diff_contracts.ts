import { type Contract, describeNonContract } from "../../contract/contract.ts";
import { checkOptions } from "../../options.ts";
import { type RouteNode, routesOf } from "../../contract/node.ts";
import { webhooksOf } from "../../contract/router.ts";
import { describeValue, messageOf } from "../../messages.ts";
import { isMarked } from "../../mark.ts";
import { type Source, toSource } from "../import/source.ts";
import { versionOf } from "../import/swagger.ts";
import { openApiDocument } from "../openapi/document.ts";
import { createConversions } from "../openapi/conversions.ts";
import { hasSameText } from "../openapi/excess.ts";
import { formatTemplate } from "../openapi/parameters.ts";
import { listSlots, type SchemaProvider, toSlotSchema } from "../openapi/slot_schemas.ts";
import type { OpenApiDocument } from "../openapi/types.ts";
import type { Api, ApiRoute } from "./api.ts";
import { type Change, type ChangeRule, type ChangeVerdict, toChanges, verdicts } from "./change.ts";
import { readContract } from "./read_contract.ts";
import { unknownKeyword } from "./definitions.ts";
import { readDocument, tooDeepPart } from "./read_document.ts";
import { compareRoute, compareWebhook, listRenamed, renameParams } from "./route_changes.ts";
import { describeRoute, pairBy, pairRoutes } from "./route_pairs.ts";
import { findShadowed, indexPaths } from "./shadows.ts";
import type { Effort } from "./slot_changes.ts";

/** A contract, or a document of OpenAPI 3.0, 3.1 or 3.2 or of Swagger 2.0 from any source. */
export type ContractOrDocument = Contract | OpenApiDocument | AnyOpenApiDocument | AnySwaggerDocument | DocumentOfFiles;

/** An OpenAPI document, as `JSON.parse` returns it. */
export interface AnyOpenApiDocument {
  /** The version of the OpenAPI Specification: 3.0, 3.1 or 3.2. */
  readonly openapi: string;
  /** The operations, by path and method. */
  readonly paths?: object;
}

/** A document of Swagger 2.0, as `JSON.parse` returns it. */
export interface AnySwaggerDocument {
  /** The version of Swagger: 2.0. */
  readonly swagger: string;
  /** The operations, by path and method. */
  readonly paths?: object;
}

/** A document with the files that it refers to, as `readOpenApi()` of `@scope/api/import` returns it. */
export interface DocumentOfFiles {
  /** The document. Its references to other files are absolute URLs. */
  readonly document: object;
  /** The other files by URL. */
  readonly files: ReadonlyMap<string, unknown>;
}

/** The options of {@linkcode diffContracts}. */
export interface DiffOptions {
  /**
   * The number of values that are tried for each slot to find one that breaks. If more than 100 routes are compared,
   * slots with equal JSON Schemas share 100 times this number. Default: 2,000.
   */
  readonly samples?: number;
  /**
   * Returns the JSON Schema of a slot whose schema does not convert. Without one, changes of the slot are `unproven`.
   * Default: none.
   */
  readonly schema?: SchemaProvider;
}

/**
 * Compares two contracts, and lists what an old client of the new server encounters. Each side is a contract or an
 * OpenAPI document.
 *
 * A call breaks if an old client sends what the new server refuses, or if the new server sends what the old client
 * refuses. Senders send only declared members, and readers ignore unknown ones, unless the schema of a request has
 * `additionalProperties: false`.
 *
 * A change is `compatible` if that is proven. It is `breaking` if the schemas show it, or if a value was found that
 * breaks; `witness` is that value. If both sides are contracts, their own schemas are run too. All other changes are
 * `unproven`. Breaking changes come first.
 *
 * @example What an old client of a new server meets
 * ```ts
 * import { defineContract, request, response, route } from "@scope/api";
 * import { diffContracts } from "@scope/api/diff";
 * import { assertEquals } from "@std/assert";
 * import { type } from "arktype";
 *
 * const contractWith = (name: string) =>
 *   defineContract({
 *     routes: {
 *       rename: route.patch("/users/:id", {
 *         body: request.json(type({ name: name as "string" })),
 *         responses: { 204: response.empty() },
 *       }),
 *     },
 *   });
 *
 * const [change] = diffContracts(contractWith("string >= 1"), contractWith("string >= 2"));
 *
 * assertEquals(change?.verdict, "breaking");
 * assertEquals(change?.where, "body /name");
 * assertEquals(change?.message, "must have a length of 2 or more now, not 1");
 * assertEquals(change?.witness, { name: "a" });
 * ```
 *
 * @throws {TypeError} If a side is neither a contract nor a document of OpenAPI 3.0, 3.1 or 3.2 or of Swagger 2.0, or if
 * an option is invalid.
 */
export function diffContracts(
  before: ContractOrDocument,
  after: ContractOrDocument,
  options: DiffOptions = {},
): Change[] {
  return listChanges(before, after, options).map(({ change }) => change);
}

export interface FoundChange {
  readonly change: Change;
  /** The route on the old side, or an added one; `undefined` if the change is not one of a route. */
  readonly route: ApiRoute | undefined;
}

export function listChanges(
  before: ContractOrDocument,
  after: ContractOrDocument,
  options: DiffOptions,
): FoundChange[] {
  const { samples, schema } = checkDiffOptions(options);
  checkSide(before);
  checkSide(after);
  if (isIdentical(before, after)) return [];
  const apis = readBoth(before, after, schema);
  const { kept, removed, added } = pairRoutes(apis.before.routes, apis.after.routes);
  const hooks = pairBy(describeRoute, apis.before.webhooks, apis.after.webhooks);
  const compared = kept.length + apis.before.webhooks.length;
  const liveSamples = Math.ceil(samples * Math.min(1, 100 / compared));
  const effort: Effort = {
    samples,
    liveSamples,
    isMixed: isContract(before) !== isContract(after),
    renamed: listRenamed(apis.before.routes, apis.after.routes),
    values: new Map(),
    known: { request: new Map(), response: new Map() },
  };
  const paths = { before: indexPaths(apis.before.routes), after: indexPaths(apis.after.routes) };
  const describe = (verdict: ChangeVerdict, rule: ChangeRule, route: ApiRoute, state: string): Change[] =>
    toChanges(route.key, [[verdict, rule, "", `${describeRoute(route)} ${state}`]]);
  const ofRoutes = [
    ...removed.map((route) => ({ route, changes: describe("breaking", "route-removed", route, "was removed") })),
    ...added.map((route) => {
      const change = describe("compatible", "route-added", route, "was added");
      return { route, changes: [...findShadowed(route, paths), ...change] };
    }),
    ...kept.map((pair) => ({ route: pair.before, changes: compareRoute(pair, effort) })),
  ];
  const { callbacks } = apis.before;
  const areCallbacksSame = callbacks === apis.after.callbacks && !callbacks?.includes(unknownKeyword);
  const others = [
    ...hooks.removed.flatMap((hook) => describe("breaking", "webhook-removed", hook, "is no longer sent")),
    ...hooks.added.flatMap((hook) => describe("compatible", "webhook-added", hook, "may be sent now")),
    ...hooks.kept.flatMap((pair) => compareWebhook(pair, effort)),
    ...toChanges(
      "",
      areCallbacksSame ? [] : [["unproven", "part-changed", "callbacks", "changed, and is not compared"]],
    ),
  ];
  const found: readonly FoundChange[] = [
    ...ofRoutes.flatMap(({ route, changes }) => changes.map((change) => ({ change, route }))),
    ...others.map((change) => ({ change, route: undefined })),
  ];
  return found.toSorted((one, other) => verdicts.indexOf(one.change.verdict) - verdicts.indexOf(other.change.verdict));
}

function checkDiffOptions(options: DiffOptions): DiffOptions & { readonly samples: number } {
  checkOptions(options, ["samples", "schema"], "diffContracts()");
  const { samples = 2_000, schema } = options;
  if (!Number.isSafeInteger(samples) || samples < 0) {
    throw new TypeError(`diffContracts(): "samples" must be a non-negative integer, got ${describeValue(samples)}`);
  }
  if (schema !== undefined && typeof schema !== "function") {
    throw new TypeError(`diffContracts(): "schema" must be a function, got ${describeValue(schema)}`);
  }
  return { ...options, samples };
}

/** Reads both sides. If the other side is a document, a contract is read as the document that describes it. */
function readBoth(
  before: ContractOrDocument,
  after: ContractOrDocument,
  supply: SchemaProvider | undefined,
): Readonly<Record<"before" | "after", Api>> {
  if (isContract(before) && isContract(after)) {
    const first = readContract(before, supply);
    return { before: first, after: after === before ? first : readContract(after, supply) };
  }
  const readOf = (contract: Contract, document: ContractOrDocument, other: Api): Api =>
    restoreNames(readDocument(toSource(toDocument(contract, document, supply))), contract, other);
  if (isContract(before)) {
    const other = readDocument(sourceOf(after));
    return { before: readOf(before, after, other), after: other };
  }
  const first = readDocument(sourceOf(before));
  return { before: first, after: isContract(after) ? readOf(after, before, first) : readDocument(sourceOf(after)) };
}

/**
 * Returns an API with what the document of its contract does not say: the parameter names of each route. Routes of one
 * document share a path item with the names of the first, so a route keeps these if the other side has them, too.
 */
function restoreNames(api: Api, contract: Contract, other: Api): Api {
  const nodes = new Map(routesOf(contract.routes).map((node) => [node.docs.operationId ?? node.key, node]));
  const shared = new Set(other.routes.map(({ method, path }) => `${method} ${path}`));
  const routes = api.routes.map((route) => {
    const node = nodes.get(route.key)!; // the document has the routes of the contract
    const isShared = shared.has(`${route.method} ${route.path}`);
    return isShared ? route : renameParams(route, formatTemplate(node.path, node.params));
  });
  return { ...api, routes };
}

function isContract(value: unknown): value is Contract {
  return isMarked(value, "contract");
}

function isIdentical(before: ContractOrDocument, after: ContractOrDocument): boolean {
  if (isContract(before) || isContract(after)) return before === after;
  const [one, other] = [before, after].map(filesOf);
  return hasSameText([one!.document, ...one!.files], [other!.document, ...other!.files]);
}

function filesOf(value: ContractOrDocument): DocumentOfFiles {
  const { document, files } = Object(value);
  const isOfFiles = typeof document === "object" && document !== null && files instanceof Map;
  return isOfFiles ? { document, files } : { document: value, files: new Map() };
}

function sourceOf(value: ContractOrDocument): Source {
  const { document, files } = filesOf(value);
  return toSource(document, files, { action: "diffContracts():", standIn: tooDeepPart });
}

function checkSide(value: ContractOrDocument): void {
  if (isContract(value)) return;
  const { openapi, swagger } = Object(filesOf(value).document);
  const [version, known] = [versionOf(openapi), versionOf(swagger)];
  if (version === undefined ? known === "2.0" : /^3\.[012](?:\.|$)/.test(version)) return;
  const found = version ?? known;
  if (found !== undefined) {
    throw new TypeError(
      `diffContracts(): the document must be of OpenAPI 3.0, 3.1 or 3.2, or Swagger 2.0, got ${describeValue(found)}`,
    );
  }
  throw new TypeError(`diffContracts(): ${describeNonContract(value, "an OpenAPI document")}`);
}

/** Returns the document of a contract. It lists the server's own responses if the other document does. */
function toDocument(
  contract: Contract,
  other: ContractOrDocument,
  supply: SchemaProvider | undefined,
): OpenApiDocument {
  const hooks = new Set<RouteNode>(webhooksOf(contract));
  const conversions = createConversions();
  const schema: SchemaProvider = (route: RouteNode, slot) => {
    const listed = listSlots(route, hooks.has(route) ? "output" : undefined);
    const declared = listed.find((each) => each.slot === slot);
    if (!declared) return undefined;
    try {
      return toSlotSchema(route, declared, { supply, action: "compare", conversions })?.converted;
    } catch (error) {
      return { [unknownKeyword]: messageOf(error) };
    }
  };
  const info = { title: "", version: "" };
  return openApiDocument(contract, { info, version: "3.2", schema, refusals: hasOwnAnswers(other) });
}

/** Tests whether a document lists the responses that the toolkit's server sends without a handler. */
function hasOwnAnswers(document: ContractOrDocument): boolean {
  const { paths = {}, components } = Object(filesOf(document).document);
  const shared: unknown = Object(Object(components).responses).InternalError;
  const items = Object.values<unknown>(Object(paths));
  return items.flatMap((item) => Object.values<unknown>(Object(item))).some((operation) => {
    const responses: Readonly<Record<string, unknown>> = Object(Object(operation).responses);
    const isShared = Object(responses["500"]).$ref === "#/components/responses/InternalError";
    return JSON.stringify((isShared ? shared : responses["500"]) ?? "").includes('"application/problem+json"');
  });
}
