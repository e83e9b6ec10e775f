/** Every difference between a document and the schemas that an import writes is named in its report. */
import { type Contract } from "@scope/api";
import { importContract, type ImportReport, writeContract } from "@scope/api/import";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { routesOf } from "../../src/contract/node.ts";
import { type Json, type JsonSchema } from "../../src/json_schema/json.ts";
import { type LocatedSchema, locateSchema } from "../../src/json_schema/locate.ts";
import { createChoices } from "../../src/json_schema/choices.ts";
import { findSample } from "../../src/json_schema/sample.ts";
import { sampleBoundaries } from "../../src/json_schema/sample_boundaries.ts";
import { subset } from "../../src/json_schema/subset.ts";
import { isValid } from "../../src/json_schema/validate.ts";
import { convertSchema } from "../../src/openapi/slot_schemas.ts";
import { type Schema } from "../../src/schema.ts";
import { inTemporaryFolder } from "../support/temporary_folder.ts";
import { tries } from "../support/tries.ts";

/** A part of a schema that may be left out. */
function maybe<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.option(arbitrary, { nil: undefined, freq: 2 });
}

/** A schema object without the keywords that are `undefined`. */
function keywords(model: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<JsonSchema> {
  return fc.record(model).map((all) =>
    Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  );
}

const bound = fc.constantFrom(-2, -1, 0, 1, 2, 3, 10, 0.5, 1e21, -1e-7);
const size = fc.integer({ min: 0, max: 3 });
const name = fc.constantFrom("a", "b", "c", "kind");
const oddName = fc.constantFrom("constructor", "toString", "__proto__", "a?", "...", "+", "[a]", "\\", "\\+", "", "?");
const anyName = fc.oneof({ weight: 6, arbitrary: name }, { weight: 1, arbitrary: oddName });
const scalar = fc.constantFrom(null, true, false, 0, 1, 1.5, -1, 1e21, "a", "b", "", "it's", "\\", "1", "true");
const patterns = ["^[a-c]*$", "b", "^\\w+$", "a/b", "^(?!a)", "^.$", "\\d{2}"];

const numbers = keywords({
  type: fc.constantFrom("integer", "number"),
  minimum: maybe(bound),
  maximum: maybe(bound),
  exclusiveMinimum: maybe(bound),
  exclusiveMaximum: maybe(bound),
  multipleOf: maybe(fc.constantFrom(1, 2, 3, 0.5, 0.1, 1.5)),
});

const texts = keywords({
  type: fc.constant("string"),
  minLength: maybe(size),
  maxLength: maybe(size),
  pattern: maybe(fc.constantFrom(...patterns)),
});

const enums = keywords({
  type: maybe(fc.constantFrom("string", "number", "integer", "boolean", ["string", "null"], ["string", "integer"])),
  enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 4 }),
  minLength: maybe(size),
  minimum: maybe(fc.constant(0)),
});

const constants = keywords({ const: fc.oneof(scalar, fc.constantFrom<Json>([], {}, [1], { a: 1 })) });

const references = fc.constantFrom("Node", "Tree", "Json", "List", "Alias", "Text", "Closed", "Open", "Told").map((
  name,
) => ({
  $ref: `#/components/schemas/${name}`,
}));

/** The schemas that others refer to. */
const components: Readonly<Record<string, JsonSchema>> = {
  Node: {
    type: "object",
    properties: { value: { type: "number" }, next: { $ref: "#/components/schemas/Node" } },
    required: ["value"],
  },
  Tree: { type: "object", additionalProperties: { $ref: "#/components/schemas/Tree" } },
  Json: {
    anyOf: [
      { type: ["string", "boolean", "null"] },
      { type: "array", items: { $ref: "#/components/schemas/Json" } },
      { type: "object", additionalProperties: { $ref: "#/components/schemas/Json" } },
    ],
  },
  List: { type: "array", items: { $ref: "#/components/schemas/List" }, maxItems: 2 },
  Alias: { $ref: "#/components/schemas/Node" },
  Text: { type: "string", minLength: 1 },
  Closed: { type: "object", properties: { a: { type: "string" } }, additionalProperties: false },
  Open: { type: "object", properties: { b: { type: "string" } }, required: ["b"] },
  Told: {
    oneOf: [
      { type: "object", properties: { kind: { const: "a" }, a: { type: "number" } }, required: ["kind"] },
      { type: "object", properties: { kind: { const: "b" } }, required: ["kind", "a"] },
    ],
    discriminator: { propertyName: "kind" },
  },
};

/** Schemas that documents contain. */
const schemas: fc.Arbitrary<JsonSchema> = fc.letrec<{ schema: JsonSchema }>((tie) => {
  const schema = tie("schema");
  const branches = fc.array(schema, { minLength: 1, maxLength: 3 });
  const arrays = keywords({
    type: fc.constant("array"),
    items: maybe(schema),
    minItems: maybe(size),
    maxItems: maybe(size),
  });
  const tuples = keywords({
    type: fc.constant("array"),
    prefixItems: branches,
    items: maybe(fc.oneof(fc.constant(false), schema)),
    minItems: maybe(size),
    maxItems: maybe(size),
  });
  const objects = keywords({
    type: fc.constant("object"),
    properties: maybe(
      fc.uniqueArray(fc.tuple(anyName, schema), { maxLength: 3, selector: ([key]) => key }).map((entries) =>
        Object.fromEntries(entries)
      ),
    ),
    required: maybe(fc.uniqueArray(anyName, { maxLength: 2 })),
    additionalProperties: maybe(fc.oneof(fc.boolean(), schema)),
  });
  const types = keywords({
    type: fc.uniqueArray(fc.constantFrom("string", "integer", "number", "boolean", "null", "array", "object"), {
      minLength: 1,
      maxLength: 3,
    }),
    minLength: maybe(size),
    minimum: maybe(bound),
    minItems: maybe(size),
    required: maybe(fc.constant(["a"])),
  });
  const joined = keywords({
    type: maybe(fc.constantFrom("object", "string")),
    properties: maybe(fc.tuple(name, schema).map((entry) => Object.fromEntries([entry]))),
    anyOf: maybe(branches),
    oneOf: maybe(branches),
    allOf: maybe(branches),
  });
  const dropped = keywords({
    type: maybe(fc.constantFrom("string", "array", "object")),
    not: maybe(fc.constantFrom({ type: "null" }, { const: "a" }, { required: ["a"] })),
    uniqueItems: maybe(fc.boolean()),
    minProperties: maybe(fc.integer({ min: 0, max: 2 })),
    contains: maybe(schema),
    minContains: maybe(size),
    if: maybe(schema),
    then: maybe(schema),
    dependentRequired: maybe(fc.constant({ a: ["b"] })),
    patternProperties: maybe(schema.map((part) => ({ "^a": part }))),
    propertyNames: maybe(fc.constant({ pattern: "^[a-z]" })),
    unevaluatedProperties: maybe(fc.boolean()),
    unevaluatedItems: maybe(fc.boolean()),
  });
  const plain = fc.oneof(fc.boolean(), keywords({ type: fc.constantFrom("null", "boolean") }), references);
  return {
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      plain,
      numbers,
      texts,
      enums,
      constants,
      references,
      arrays,
      tuples,
      objects,
      objects,
      types,
      joined,
      joined,
      { weight: 1, arbitrary: dropped },
    ),
  };
}).schema;

const libraries = ["direct", "zod", "valibot", "arktype"] as const;

type Library = (typeof libraries)[number];

/** A document whose operations return a value of each schema. */
function toDocument(bodies: readonly JsonSchema[]): object {
  return {
    openapi: "3.1.0",
    info: { title: "Shapes", version: "1.0.0" },
    paths: Object.fromEntries(bodies.map((schema, index) => [`/s${index}`, {
      get: {
        operationId: `s${index}`,
        tags: ["All"],
        responses: { 200: { description: "", content: { "application/json": { schema } } } },
      },
    }])),
    components: { schemas: components },
  };
}

let count = 0;

/** Imports a document with a library. */
async function load(
  document: object,
  library: Library,
  folder: string,
): Promise<{ contract: Contract; report: ImportReport }> {
  if (library === "direct") return importContract(document);
  const { files, report } = writeContract(document, { schemas: library });
  const own = `${folder}/${count++}`;
  for (const { path, text } of files) {
    const file = `${own}/${path}`;
    await Deno.mkdir(file.slice(0, file.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(file, text);
  }
  try {
    const { contract } = await import(`file://${own}/contract.ts`);
    return { contract, report };
  } catch (error) {
    throw new Error(files.map(({ text }) => text).join("\n"), { cause: error });
  }
}

/** The values that two schemas are compared with. */
function valuesOf(...schemas: readonly LocatedSchema[]): Json[] {
  const values = schemas.flatMap((schema) => {
    try {
      const drawn = Array.from({ length: 5 }, (_, index) => findSample(schema, createChoices(index)));
      return [...firstOf(sampleBoundaries(schema), 60), ...drawn.filter((value) => value !== undefined)];
    } catch {
      return [];
    }
  });
  const all = [...values, ...others];
  return [...new Map(all.map((value) => [JSON.stringify(value), value])).values()].filter(isComparable);
}

const others: readonly Json[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  1.5,
  2,
  3,
  0.3,
  1e21,
  "",
  "a",
  "b",
  "ab",
  "abcd",
  "1",
  [],
  [null],
  [1, 2],
  ["a"],
  {},
  { a: null },
  { a: "a" },
  { a: 1, b: "b" },
  { kind: "a" },
];

/** Lengths count UTF-16 units in libraries, and integers are safe. */
function isComparable(value: Json): boolean {
  const text = JSON.stringify(value);
  return !/[\ud800-\udfff]|\\ud[89a-f]/.test(text) && !text.includes("__proto__") && !/\d{16}|e\+/.test(text);
}

function* firstOf<Item>(items: Iterable<Item>, count: number): Iterable<Item> {
  let left = count;
  for (const item of items) {
    if (left-- <= 0) return;
    yield item;
  }
}

async function differences(
  original: LocatedSchema,
  schema: Schema,
  isNamed: boolean,
  isFaulty: boolean,
): Promise<string[]> {
  const found: string[] = [];
  let written: LocatedSchema | undefined;
  try {
    written = locateSchema(convertSchema(schema, "input") as JsonSchema);
  } catch (error) {
    found.push(`convert: ${error}`);
  }
  if (written && !isFaulty && !/"enum":.*"min/.test(JSON.stringify(original.schema))) {
    for (const [direction, one, other] of [["narrower", original, written], ["wider", written, original]] as const) {
      if (direction === "wider" && isNamed) continue;
      try {
        const refuted = subset(one, other).filter(({ verdict, reader }) =>
          verdict === "refuted" && Math.abs(Number(reader)) !== Number.MAX_SAFE_INTEGER
        );
        for (const each of refuted) found.push(`${direction}: ${each.path.join(".")} ${each.keyword}`);
      } catch (error) {
        found.push(`subset: ${error}`);
      }
    }
  }
  if (!isFaulty) {
    for (const value of valuesOf(original, ...(written ? [written] : []))) {
      const expected = isValid(original, value);
      if (!expected && isNamed) continue;
      let actual: unknown;
      try {
        const result = await schema["~standard"].validate(value);
        actual = result.issues === undefined;
      } catch (error) {
        actual = String(error);
      }
      if (actual !== expected) found.push(`${expected ? "refuses" : "accepts"} ${JSON.stringify(value)} ${actual}`);
    }
  }
  return found;
}

if (Deno.env.get("EXPLORE") === "1") {
  Deno.test("explore", () =>
    inTemporaryFolder(async (folder) => {
      const seed = Number(Deno.env.get("SEED") ?? Date.now());
      const runs = Number(Deno.env.get("RUNS") ?? 5);
      const only = Deno.env.get("LIB");
      for (let run = 0; run < runs; run++) {
        const bodies = fc.sample(schemas, { numRuns: 40, seed: seed + run });
        const document = toDocument(bodies);
        for (const library of libraries) {
          if (only && only !== library) continue;
          let loaded;
          try {
            loaded = await load(document, library, folder);
          } catch (error) {
            console.log(library, "LOAD", String((error as Error).cause ?? error).slice(0, 400));
            {
              for (const [index, body] of bodies.entries()) {
                try {
                  await load(toDocument([body]), library, folder);
                } catch (e) {
                  console.log(
                    "   by",
                    JSON.stringify(body).slice(0, 600),
                    String(((e as Error).cause as Error)?.message ?? e).split("\n")[0],
                  );
                }
              }
            }
            continue;
          }
          const { contract, report } = loaded;
          for (const node of routesOf(contract.routes)) {
            const index = Number(node.path.slice(2));
            const body = bodies[index]!;
            const at = `#/paths/~1s${index}/`;
            const isUnder = ({ place }: { place: string }) =>
              place.startsWith(at) || (place.startsWith("#/components") && JSON.stringify(body).includes("$ref"));
            const unchecked = report.unchecked.filter(isUnder);
            const faults = report.faults.filter(isUnder).filter(({ message }) =>
              !/has no type; it is read/.test(message) || true
            );
            const original = locateSchema(
              typeof body === "boolean"
                ? { allOf: [body] }
                : { ...body as object, components: { schemas: components } } as never,
            );
            const declared = node.responses[200] as { body?: Schema; schema?: Schema };
            const schema = declared.body ?? declared.schema;
            if (!schema) {
              console.log(Object.keys(declared));
              continue;
            }
            const found = await differences(original, schema as Schema, unchecked.length > 0, faults.length > 0);
            if (found.length > 0) {
              console.log(
                library,
                JSON.stringify(body).slice(0, 500),
                "\n     ",
                found.slice(0, 3).join(" | ").slice(0, 300),
                unchecked.map(({ message }) => message).join(),
              );
            }
          }
        }
      }
    }));
}

const simple = fc.letrec<{ scalar: JsonSchema }>((tie) => ({
  scalar: fc.oneof(
    { maxDepth: 2 },
    numbers,
    texts,
    enums,
    constants,
    keywords({ type: fc.constantFrom("null", "boolean") }),
    keywords({ type: fc.uniqueArray(fc.constantFrom("string", "integer", "number", "boolean", "null"), { minLength: 1, maxLength: 3 }), minLength: maybe(size), minimum: maybe(bound) }),
    keywords({ anyOf: fc.array(tie("scalar"), { minLength: 1, maxLength: 3 }) }),
    keywords({ oneOf: fc.array(tie("scalar"), { minLength: 1, maxLength: 3 }) }),
    keywords({ allOf: fc.array(tie("scalar"), { minLength: 1, maxLength: 2 }) }),
    fc.constant({ $ref: "#/components/schemas/Text" }),
  ),
})).scalar;
const lists = fc.oneof(
  keywords({ type: fc.constant("array"), items: maybe(simple), minItems: maybe(size), maxItems: maybe(size) }),
  keywords({ type: fc.constant("array"), prefixItems: fc.array(simple, { minLength: 1, maxLength: 2 }), minItems: maybe(size), items: maybe(fc.oneof(fc.constant(false), simple)) }),
);
const flat = keywords({
    type: fc.constant("object"),
    properties: fc.uniqueArray(fc.tuple(anyName, fc.oneof(simple, lists)), { maxLength: 3, selector: ([key]) => key }).map((entries) => Object.fromEntries(entries)),
    required: maybe(fc.uniqueArray(name, { maxLength: 2 })),
    additionalProperties: maybe(fc.oneof(fc.boolean(), simple)),
});
const parameters = fc.oneof(simple, simple, lists, flat, keywords({ anyOf: fc.array(fc.oneof(simple, lists), { minLength: 1, maxLength: 3 }) }));

function interpretations(value: Json): Json[] {
  if (Array.isArray(value)) {
    return value.reduce<Json[][]>((all, item) => all.flatMap((list) => interpretations(item).map((each) => [...list, each])), [[]]);
  }
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).reduce<Record<string, Json>[]>((all, [key, item]) => all.flatMap((list) => interpretations(item as Json).map((each) => ({ ...list, [key]: each }))), [{}]);
  }
  const text = String(value);
  return [text, ...(text.trim() !== "" && Number.isFinite(Number(text)) ? [Number(text)] : []), ...(text === "true" || text === "false" ? [text === "true"] : [])];
}
function toText(value: Json): Json {
  if (Array.isArray(value)) return value.map(toText);
  if (typeof value === "object" && value !== null) return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, toText(v as Json)]));
  return value === null ? "" : String(value);
}

if (Deno.env.get("EXPLORE_TEXT")) Deno.test("explore text", () => inTemporaryFolder(async (folder) => {
  const seed = Number(Deno.env.get("SEED") ?? Date.now());
  const runs = Number(Deno.env.get("RUNS") ?? 5);
  const only = Deno.env.get("LIB");
  for (let run = 0; run < runs; run++) {
    const bodies = fc.sample(parameters, { numRuns: 40, seed: seed + run });
    const document = { openapi: "3.1.0", info: { title: "x", version: "1" }, components: { schemas: components },
      paths: Object.fromEntries(bodies.map((schema, index) => [`/s${index}`, { get: { tags: ["All"], operationId: `s${index}`, responses: { 204: { description: "" } },
        parameters: [{ in: "query", name: "q", required: true, schema, ...((schema as { type?: string }).type === "object" && { style: "deepObject" }) }] } }])) };
    for (const library of libraries) {
      if (only && only !== library) continue;
      let loaded;
      try { loaded = await load(document, library, folder); } catch (error) { console.log(library, "LOAD", String((error as Error).cause ?? error).slice(0, 400), (error as Error).message); continue; }
      const { contract, report } = loaded;
      for (const { operation, changes, reason } of report.operations) if (reason) console.log("LEFT", operation, reason);
      for (const node of routesOf(contract.routes)) {
        const index = Number(node.path.slice(2));
        const body = bodies[index]!;
        const at = `#/paths/~1s${index}/`;
        const named = [...report.unchecked, ...report.faults].filter(({ place }) => place.startsWith(at));
        const changes = report.operations.find(({ operation }) => operation === `GET /s${index}`)!.changes;
        if (JSON.stringify(body).includes("null") || changes.length > 0 || named.some((each) => report.faults.includes(each))) continue;
        const original = locateSchema({ ...body as object, components: { schemas: components } } as never);
        const schema = node.query as unknown as Schema;
        const values = valuesOf(original).filter((value) => !JSON.stringify(value).includes("null")).map(toText).filter((value) => JSON.stringify(value).length < 60);
        const found: string[] = [];
        for (const value of new Map(values.map((v) => [JSON.stringify(v), v])).values()) {
          const isList = Array.isArray(value);
          const expected = interpretations(value).some((each) => isValid(original, each));
          if (!expected && named.length > 0) continue;
          let actual: unknown;
          try { actual = (await schema["~standard"].validate({ q: value })).issues === undefined; } catch (error) { actual = String(error); }
          if (actual !== expected) found.push(`${expected ? "refuses" : "accepts"} ${JSON.stringify(value)} ${actual}`);
        }
        if (found.length > 0) console.log(library, JSON.stringify(body).slice(0, 500), "\n     ", found.slice(0, 4).join(" | ").slice(0, 300), named.map(({message}) => message).join());
      }
    }
  }
}));
