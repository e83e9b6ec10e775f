/** Every difference between a document and the schemas that an import writes is named in its report. */
import { type Contract } from "@scope/api";
import { importContract, type ImportReport, writeContract } from "@scope/api/import";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { routesOf } from "../../src/contract/node.ts";
import { createChoices } from "../../src/json_schema/choices.ts";
import { type Json, type JsonSchema } from "../../src/json_schema/json.ts";
import { type LocatedSchema, locateSchema } from "../../src/json_schema/locate.ts";
import { findSample } from "../../src/json_schema/sample.ts";
import { sampleBoundaries } from "../../src/json_schema/sample_boundaries.ts";
import { subset } from "../../src/json_schema/subset.ts";
import { isValid } from "../../src/json_schema/validate.ts";
import { convertSchema, copyJson } from "../../src/openapi/slot_schemas.ts";
import { type Schema } from "../../src/schema.ts";
import { inTemporaryFolder } from "../support/temporary_folder.ts";
import { tries } from "../support/tries.ts";
import { components, parameters, schemas } from "./random_schemas.ts";

/** The libraries, and the schemas of `importContract()`. */
const writers = ["importContract()", "zod", "valibot", "arktype"] as const;

type Writer = (typeof writers)[number];

const at = new URL(".", import.meta.url).pathname; // the libraries are found from here

Deno.test("written schemas accept what the document does, or the report names the place", () =>
  inTemporaryFolder(async (folder) => {
    const load = createLoader(folder);
    await fc.assert(
      fc.asyncProperty(fc.array(schemas, { minLength: 1, maxLength: 12 }), async (bodies) => {
        const document = documentOf(bodies.map((schema) => ({
          responses: { 200: { description: "", content: { "application/json": { schema } } } },
        })));
        for (const writer of writers) {
          const { contract, report } = await load(document, writer);
          for (const node of routesOf(contract.routes)) {
            const index = Number(node.path.slice(2));
            const { schema } = node.responses[200] as unknown as { readonly schema: Schema };
            const named = namedAt(report, index, JSON.stringify(bodies[index]).includes("$ref"));
            const found = named.isReadOtherwise ? [] : await compare(locate(bodies[index]!), schema, named.isUnchecked);
            assertEquals(found, [], `${writer}: ${JSON.stringify(bodies[index])}`);
          }
        }
      }),
      { ...tries(20), endOnFailure: true }, // the message has the schema
    );
  }, at));

Deno.test("written parameters accept the texts that the document does, or the report names the place", () =>
  inTemporaryFolder(async (folder) => {
    const load = createLoader(folder);
    await fc.assert(
      fc.asyncProperty(fc.array(parameters, { minLength: 1, maxLength: 12 }), async (bodies) => {
        const document = documentOf(bodies.map((schema) => ({
          parameters: [{
            in: "query",
            name: "q",
            required: true,
            schema,
            ...((schema as { readonly type?: string }).type === "object" && { style: "deepObject" }),
          }],
          responses: { 204: { description: "" } },
        })));
        for (const writer of writers) {
          const { contract, report } = await load(document, writer);
          for (const node of routesOf(contract.routes)) {
            const index = Number(node.path.slice(2));
            const { isReadOtherwise, isUnchecked } = namedAt(report, index, false);
            const { query } = node as unknown as { readonly query: Schema | undefined };
            if (query === undefined || isReadOtherwise || report.operations[index]!.changes.length > 0) continue;
            const found = await compareTexts(locate(bodies[index]!), query, isUnchecked);
            assertEquals(found, [], `${writer}: ${JSON.stringify(bodies[index])}`);
          }
        }
      }),
      { ...tries(15), endOnFailure: true },
    );
  }, at));

/** A document of operations that have no more than a path. */
function documentOf(operations: readonly object[]): object {
  return {
    openapi: "3.1.0",
    info: { title: "Shapes", version: "1.0.0" },
    paths: Object.fromEntries(operations.map((operation, index) => [`/s${index}`, {
      get: { operationId: `s${index}`, tags: ["All"], ...operation },
    }])),
    components: { schemas: components },
  };
}

interface Loaded {
  readonly contract: Contract;
  readonly report: ImportReport;
}

/** Returns a function that imports a document: directly, or by writing modules and loading them. */
function createLoader(folder: string): (document: object, writer: Writer) => Promise<Loaded> {
  let count = 0;
  return async (document, writer) => {
    if (writer === "importContract()") return importContract(document);
    const { files, report } = writeContract(document, { schemas: writer });
    const own = `${folder}/${count++}`;
    for (const { path, text } of files) {
      const file = `${own}/${path}`;
      await Deno.mkdir(file.slice(0, file.lastIndexOf("/")), { recursive: true });
      await Deno.writeTextFile(file, text);
    }
    const { contract } = await import(`file://${own}/contract.ts`);
    return { contract, report };
  };
}

/** The schema of an operation, with the schemas that it refers to. */
function locate(schema: JsonSchema): LocatedSchema {
  const own = typeof schema === "boolean" ? { allOf: [schema] } : schema;
  return locateSchema({ ...own, components: { schemas: components } } as JsonSchema);
}

/** What a report says about an operation: whether values are not checked, and whether they are read otherwise. */
function namedAt({ faults, unchecked }: ImportReport, index: number, hasReferences: boolean): {
  readonly isUnchecked: boolean;
  readonly isReadOtherwise: boolean;
} {
  const isAt = ({ place }: { readonly place: string }) =>
    place.startsWith(`#/paths/~1s${index}/`) || (hasReferences && place.startsWith("#/components/"));
  return { isUnchecked: unchecked.some(isAt), isReadOtherwise: faults.some(isAt) };
}

/** The differences between a schema of the document and a written one, which may accept more if that is named. */
async function compare(original: LocatedSchema, schema: Schema, isUnchecked: boolean): Promise<string[]> {
  const written = locateSchema(convertSchema(schema, "input"));
  const found = compareSchemas(original, written, isUnchecked);
  for (const value of valuesOf(original, written)) {
    const isExpected = isValid(original, value);
    if (!isExpected && isUnchecked) continue;
    const { issues, value: output } = await schema["~standard"].validate(value) as { issues?: unknown; value: Json };
    if ((issues === undefined) !== isExpected) {
      found.push(`${isExpected ? "refuses" : "accepts"} ${JSON.stringify(value)}`);
    } else if (isExpected && !isValid(original, copyJson(output) as Json)) {
      found.push(`makes ${JSON.stringify(output)} of ${JSON.stringify(value)}`);
    }
  }
  return found;
}

/** What subset() refutes in both directions. */
function compareSchemas(original: LocatedSchema, written: LocatedSchema, isUnchecked: boolean): string[] {
  const hasBoundedEnum = /"enum":.*"min/.test(JSON.stringify(original.schema)); // subset() ignores such bounds
  if (hasBoundedEnum) return [];
  const isSafe = (bound: unknown) => Math.abs(Number(bound)) === Number.MAX_SAFE_INTEGER; // Zod's integers are
  const refuted = (one: LocatedSchema, other: LocatedSchema, direction: string) =>
    subset(one, other).filter(({ verdict, reader }) => verdict === "refuted" && !isSafe(reader))
      .map(({ path, keyword }) => `${direction}: ${path.join("/")} ${keyword}`);
  return [...refuted(original, written, "narrower"), ...isUnchecked ? [] : refuted(written, original, "wider")];
}

/** Samples and boundary values of schemas, and values of all types. */
function valuesOf(...schemas: readonly LocatedSchema[]): Json[] {
  const values = schemas.flatMap((schema) => [
    ...firstOf(sampleBoundaries(schema), 60),
    ...Array.from({ length: 5 }, (_, index) => findSample(schema, createChoices(index))),
  ]).filter((value) => value !== undefined);
  return [...new Map([...values, ...usual].map((value) => [JSON.stringify(value), value])).values()].filter(isAlike);
}

const usual: readonly Json[] = [
  ...[null, true, false, 0, 1, -1, 1.5, 2, 3, 0.3, "", "a", "b", "ab", "abcd", "1", "true"],
  ...[[], [null], [1, 2], ["a"], {}, { a: null }, { a: "a" }, { a: 1, b: "b" }, { kind: "a" }],
];

function firstOf<Item>(items: Iterable<Item>, count: number): Item[] {
  const first: Item[] = [];
  for (const item of items) {
    if (first.push(item) === count) break;
  }
  return first;
}

/** Libraries count UTF-16 units, have safe integers, and read what objects inherit. */
function isAlike(value: Json): boolean {
  return !/[\ud800-\udfff]|\\ud[89a-f]|\d{16}|e\+|"(?:__proto__|constructor|toString)"/.test(JSON.stringify(value));
}

/** The texts for which a written schema decides otherwise than the document. */
async function compareTexts(original: LocatedSchema, schema: Schema, isUnchecked: boolean): Promise<string[]> {
  const found: string[] = [];
  const texts = new Map(valuesOf(original).filter(hasText).map(toText).map((text) => [JSON.stringify(text), text]));
  for (const text of texts.values()) {
    const isExpected = readText(text).some((value) => isValid(original, value));
    if (!isExpected && isUnchecked) continue;
    const { issues } = await schema["~standard"].validate({ q: text });
    if ((issues === undefined) !== isExpected) {
      found.push(`${isExpected ? "refuses" : "accepts"} ${JSON.stringify(text)}`);
    }
  }
  return found;
}

/** Null has no text, and a long list has many meanings. */
function hasText(value: Json): boolean {
  const text = JSON.stringify(value);
  return text.length < 60 && !text.includes("null");
}

function toText(value: Json): Json {
  if (Array.isArray(value)) return value.map(toText);
  if (typeof value !== "object" || value === null) return String(value);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toText(each)]));
}

/** The values that a text may mean: itself, and a number or a boolean. */
function readText(text: Json): Json[] {
  if (Array.isArray(text)) {
    return text.reduce<Json[][]>(
      (lists, item) => lists.flatMap((list) => readText(item).map((each) => [...list, each])),
      [[]],
    );
  }
  if (typeof text === "object" && text !== null) {
    return Object.entries(text).reduce<Record<string, Json>[]>(
      (all, [name, item]) => all.flatMap((object) => readText(item).map((each) => ({ ...object, [name]: each }))),
      [{}],
    );
  }
  const plain = String(text);
  const isNumber = plain.trim() !== "" && Number.isFinite(Number(plain));
  return [
    plain,
    ...isNumber ? [Number(plain)] : [],
    ...plain === "true" || plain === "false" ? [plain === "true"] : [],
  ];
}
