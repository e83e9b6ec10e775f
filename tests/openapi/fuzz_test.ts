/** Contracts of any shape become documents in which two independent validators find no problems. */
import { request, response, route, router } from "@scope/api";
import type { JsonSchemaObject, OpenApiDocument } from "@scope/api/openapi";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { describeRoutes } from "./describe_routes.ts";
import { findProblems } from "../support/validate_document.ts";

/** Words that are syntax elsewhere. `$ref` and `__proto__` are left out, because a validator would interpret them. */
const oddWord = fc.constantFrom("constructor", "a/b", "~", "%", "{id}", "é", "a b", "</script>", "");
const word = fc.oneof(fc.stringMatching(/^[a-zA-Z]{1,6}$/), oddWord);

/** A schema as a library converts it: definitions, references to them and to itself, any names and words. */
const jsonSchema: fc.Arbitrary<JsonSchemaObject> = fc.record({
  root: schemaBelow(3),
  definitions: fc.dictionary(word, schemaBelow(1).map(wrapReference), { maxKeys: 3, noNullPrototype: true }),
}).map(({ root, definitions }) => {
  const names = Object.keys(definitions);
  const whole = names.length === 0 ? root : { ...root, $defs: definitions };
  const mended = mapReferences(whole, (reference) => names.includes(nameOf(reference)) ? reference : "#");
  return mended.$ref === "#" ? { ...mended, $ref: undefined, not: { $ref: "#" } } : mended;
});

/** A schema that is not only a reference: two of those may refer to each other. */
function wrapReference(schema: JsonSchemaObject): JsonSchemaObject {
  return "$ref" in schema ? { type: "array", items: schema } : schema;
}

function mapReferences(schema: JsonSchemaObject, map: (reference: string) => string | undefined): JsonSchemaObject {
  return JSON.parse(
    JSON.stringify(schema),
    (key, value) => key === "$ref" && typeof value === "string" ? map(value) : value,
  );
}

function schemaBelow(depth: number): fc.Arbitrary<JsonSchemaObject> {
  const words = { title: word, description: word, examples: fc.array(fc.jsonValue(), { maxLength: 2 }) };
  const leaf = fc.oneof(
    fc.constantFrom("string", "integer", "boolean", "null").map((type) => ({ type })),
    fc.jsonValue().map((value): JsonSchemaObject => ({ const: JSON.parse(JSON.stringify(value)) })),
    fc.oneof(fc.constant("#"), word.map((name) => `#/$defs/${escapePointer(name)}`)).map(($ref) => ({ $ref })),
    fc.constant({}),
  );
  if (depth === 0) return leaf;
  const below = schemaBelow(depth - 1);
  const node = fc.oneof(
    fc.dictionary(word, below, { maxKeys: 3, noNullPrototype: true })
      .map((properties) => ({ type: "object", properties, required: Object.keys(properties).slice(1) })),
    below.map((items) => ({ type: "array", items })),
    fc.tuple(fc.constantFrom("anyOf", "allOf"), fc.array(below, { minLength: 1, maxLength: 2 }))
      .map(([keyword, parts]) => ({ [keyword]: parts })),
  );
  return fc.tuple(fc.oneof(leaf, node), fc.record(words, { requiredKeys: [] })).map(([schema, said]) => ({
    ...said,
    ...schema,
  }));
}

function escapePointer(name: string): string {
  return encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
}

function nameOf(reference: string): string {
  return decodeURIComponent(reference.slice("#/$defs/".length)).replaceAll("~1", "/").replaceAll("~0", "~");
}

/** A schema of a library that converts its two sides to these. */
function toSchema([input, output]: readonly [JsonSchemaObject, JsonSchemaObject]): never {
  const jsonSchema = { input: () => input, output: () => output };
  return {
    "~standard": { version: 1, vendor: "fuzz", validate: (value: unknown) => ({ value }), jsonSchema },
  } as never;
}

const anySchema = fc.tuple(jsonSchema, jsonSchema).map(toSchema);

/** A few schemas, so that some are used more than once. */
const schemas = fc.array(anySchema, { minLength: 1, maxLength: 3 });

const fields = fc.dictionary(fc.stringMatching(/^[a-z-]{1,6}$/), schemaBelow(1), { maxKeys: 3, noNullPrototype: true })
  .map((properties) => mapReferences({ type: "object", properties }, () => undefined))
  .map((schema) => toSchema([schema, schema]));

const path = fc.array(fc.oneof(fc.stringMatching(/^[a-z{} é]{1,3}$/), fc.stringMatching(/^:[a-z_]{1,2}$/)), {
  maxLength: 3,
})
  .filter((segments) =>
    new Set(segments).size === segments.length && segments.every((segment) => segment.trim() !== "")
  )
  .map((segments) => `/${segments.join("/")}`);

interface Choices {
  readonly path: string;
  readonly method: "get" | "put" | "delete" | "query";
  readonly schema: never;
  readonly fields: never;
  readonly slots: readonly string[];
  readonly said: string;
  readonly status: number;
}

const choices = schemas.chain((few) =>
  fc.uniqueArray(
    fc.record<Choices>({
      path,
      method: fc.constantFrom("get", "put", "delete", "query"),
      schema: fc.constantFrom(...few),
      fields,
      slots: fc.subarray(["params", "query", "headers", "body", "responseHeaders"]),
      said: word,
      status: fc.constantFrom(200, 400, 404, 415, 500),
    }),
    { minLength: 1, maxLength: 5, selector: ({ path, method }) => `${method} ${path.replaceAll(/:[^/]+/g, ":")}` },
  )
);

/** Routes by key, under a router or none. */
function toRoutes(chosen: readonly Choices[]): object {
  return Object.fromEntries(chosen.map((each, index) => {
    const { path, method, schema, fields, slots, said, status } = each;
    const has = (slot: string) => slots.includes(slot);
    const headers = has("responseHeaders") ? { headers: fields } : {};
    const declare = route[method] as (path: string, options: object) => unknown;
    const declared = declare(path, {
      ...(has("params") && { params: schema }),
      ...(has("query") && { query: fields }),
      ...(has("headers") && { headers: fields }),
      ...(has("body") && method !== "get" && { body: request.json(schema, { description: said }) }),
      docs: { summary: said, description: said, tags: [said] },
      responses: { [status]: response.json(schema, headers), 201: response.text(schema, { description: said }) },
    });
    return [`r${index}`, index % 2 === 0 ? declared : router("/", { routes: { [said]: declared as never } })];
  }));
}

function describe(chosen: readonly Choices[]): OpenApiDocument {
  return describeRoutes(toRoutes(chosen), { version: "3.2" });
}

Deno.test("openApiDocument() returns valid documents for contracts of any shape", async () => {
  await fc.assert(
    fc.asyncProperty(choices, async (chosen) => assertEquals(await findProblems(describe(chosen)), [])),
    // failures are not shrunk: each step takes 50 ms
    { numRuns: Number(Deno.env.get("FUZZ_RUNS") ?? 15), endOnFailure: true },
  );
});
