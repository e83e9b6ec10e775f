/** Every difference between a document and the schemas that an import writes is named in its report. */
import { importContract, type ImportReport, writeContract } from "@scope/api/import";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { routesOf } from "../../src/contract/node.ts";
import { createChoices } from "../../src/tools/json_schema/choices.ts";
import type { Json, JsonSchema } from "../../src/tools/json_schema/json.ts";
import { type LocatedSchema, locateSchema } from "../../src/tools/json_schema/locate.ts";
import { findSample } from "../../src/tools/json_schema/sample.ts";
import { sampleBoundaries } from "../../src/tools/json_schema/sample_boundaries.ts";
import { subset } from "../../src/tools/json_schema/subset.ts";
import { isValid } from "../../src/tools/json_schema/validate.ts";
import { convertSchema } from "../../src/tools/openapi/slot_schemas.ts";
import type { Schema } from "../../src/schema.ts";
import { inTemporaryFolder } from "../support/temporary_folder.ts";
import { tries } from "../support/tries.ts";
import { components, documentOf, parameters, schemas } from "./random_schemas.ts";
import { createLoader, type Writer, writers } from "./writers.ts";

const at = new URL(".", import.meta.url).pathname; // the libraries are found from here

// proves import | What a library cannot check is named with its place, on random schemas
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

// proves import | What a library cannot check in parameters, which are text, is named with its place
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

Deno.test("each writer names what its library does not check, at the place in the document", () => {
  const losses: readonly (readonly [schema: object, message: string, ...writers: Writer[]])[] = [
    [{ type: "number", multipleOf: 0.5 }, "multipleOf 0.5", "arktype"],
    [
      { type: "object", required: ["a"], properties: { a: {} }, additionalProperties: { type: "string" } },
      "additionalProperties of another type than properties",
      ...["zod", "valibot", "arktype"] as const,
    ],
    [{ type: "object", properties: { a: {} } }, "that an object is not an array", "valibot", "arktype"],
    [
      { type: "array", prefixItems: [{ type: "string" }], minItems: 2 },
      "that the last items of a list are present",
      ...["zod", "valibot"] as const,
    ],
    [
      { anyOf: [{ $ref: "#/components/schemas/Open" }, { $ref: "#/components/schemas/Node" }] },
      "which of several objects a value is: the first that matches removes the properties of others",
      ...["zod", "valibot"] as const,
    ],
    [
      { oneOf: [{ $ref: "#/components/schemas/Open" }, { $ref: "#/components/schemas/Node" }] },
      "that a value matches only one of oneOf",
      ...writers,
    ],
    [{ type: "object", required: ["a"], properties: { a: {} }, maxProperties: 0 }, "maxProperties", ...writers],
  ];
  const document = documentOf(losses.map(([schema]) => ({
    responses: { 200: { description: "", content: { "application/json": { schema } } } },
  })));
  for (const writer of writers) {
    const { report } = writer === "importContract()"
      ? importContract(document)
      : writeContract(document, { schemas: writer });
    for (const [index, [schema, message, ...expected]] of losses.entries()) {
      const place = `#/paths/~1s${index}/get/responses/200/content/application~1json/schema`;
      const named = report.unchecked.filter((each) => each.place === place).map((each) => each.message);
      const isNamed = named.includes(message);
      assertEquals(isNamed, expected.includes(writer), `${writer}: ${JSON.stringify(schema)} ${named}`);
    }
  }
});

Deno.test("a property that objects inherit is not checked if it is optional, which the report says", async () => {
  const schema = { type: "object", required: ["a"], properties: { a: {}, constructor: { type: "string" } } };
  const place = "#/paths/~1s0/get/responses/200/content/application~1json/schema/properties/constructor";
  await inTemporaryFolder(async (folder) => {
    const load = createLoader(folder);
    const content = { "application/json": { schema } };
    for (const writer of ["zod", "valibot", "arktype"] as const) {
      const { contract, report } = await load(
        documentOf([{ responses: { 200: { description: "", content } } }]),
        writer,
      );
      assertEquals(report.unchecked, [{ place, message: 'the optional property "constructor"' }]);
      const { schema: written } = routesOf(contract.routes)[0]!.responses[200] as unknown as {
        readonly schema: Schema;
      };
      const { issues } = await written["~standard"].validate({ a: 1 });
      assertEquals(issues, undefined, writer);
    }
  }, at);
});

Deno.test("schemas that are a part of themselves with nothing between are read as unknown, which is a fault", () => {
  const { report } = importContract({
    ...documentOf([{
      responses: {
        200: { description: "", content: { "application/json": { schema: { $ref: "#/components/schemas/Loop" } } } },
      },
    }]),
    components: {
      schemas: {
        Loop: { anyOf: [{ type: "string" }, { $ref: "#/components/schemas/Back" }] },
        Back: { oneOf: [{ $ref: "#/components/schemas/Loop" }, { $ref: "#/components/schemas/Node" }] },
        Node: { type: "object", properties: { next: { $ref: "#/components/schemas/Node" } } },
      },
    },
  });
  const message = "the schema is a part of itself with no object or list between; it is not checked";
  assertEquals(report.faults, [
    { place: "#/components/schemas/Loop", message },
    { place: "#/components/schemas/Back", message },
  ]);
});

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
    const { issues, value: output } = await validate(schema, value);
    if (output === faulty) continue;
    if ((issues === undefined) !== isExpected) {
      found.push(`${isExpected ? "refuses" : "accepts"} ${JSON.stringify(value)}`);
    } else if (!isUnchecked && isExpected && !isValid(original, JSON.parse(JSON.stringify(output)))) {
      found.push(`makes ${JSON.stringify(output)} of ${JSON.stringify(value)}`);
    }
  }
  return found;
}

/** The output for a value of which ArkType does not decide. */
const faulty = Symbol("faulty");

/** Validates a value. ArkType 2 reads the properties of null where unions of schemas that refer to themselves are. */
async function validate(schema: Schema, value: Json): Promise<{ readonly issues?: unknown; readonly value?: unknown }> {
  try {
    return await schema["~standard"].validate(value);
  } catch (error) {
    const { vendor } = schema["~standard"];
    if (vendor === "arktype" && String(error).includes("Cannot convert undefined or null to object")) {
      return { value: faulty };
    }
    throw error;
  }
}

/** What subset() refutes in both directions. */
function compareSchemas(original: LocatedSchema, written: LocatedSchema, isUnchecked: boolean): string[] {
  const isBeyond = /"enum":.*"min|"(?:m|exclusiveM)inimum":[^{}]*"multipleOf"/.test(JSON.stringify(original.schema));
  if (isBeyond) return []; // subset() does not see that no value is left
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

Deno.test("what a contract declares otherwise than a document has a line: names, empty values and formats", () => {
  const { report } = importContract({
    openapi: "3.1.0",
    info: { title: "Files", version: "1.0.0" },
    paths: {
      "/files/{file-id}.json/{part}": {
        get: {
          operationId: "get",
          tags: ["files"],
          parameters: [
            ...["file-id", "part"].map((name) => ({ in: "path", name, required: true, schema: { type: "string" } })),
            { in: "query", name: "pretty", allowEmptyValue: true, schema: { type: "boolean" } },
            { in: "query", name: "q", allowEmptyValue: true, schema: { type: "string" } },
          ],
          responses: {
            200: {
              description: "A file",
              content: {
                "application/json": {
                  schema: {
                    type: "object",
                    properties: {
                      version: { anyOf: [{ type: "integer" }, { type: "string" }], format: "int64" },
                      id: { allOf: [{ type: "string" }], format: "uuid" },
                      name: { type: "string", format: "uuid" },
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
  });
  const place = "#/paths/~1files~1{file-id}.json~1{part}/get/responses/200/content/application~1json/schema/properties";

  assertEquals(report.operations.map(({ changes }) => changes), [[
    "the parameter file-id is called fileId",
    "the query parameter pretty is never empty, which allowEmptyValue allows",
  ]]);
  assertEquals(report.unchecked, [
    { place: `${place}/version`, message: "the format int64 of a schema without a type" },
    { place: `${place}/id`, message: "the format uuid of a schema without a type" },
  ]);
});
