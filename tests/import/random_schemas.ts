/** Random schemas like those of documents. */
import fc from "fast-check";
import type { Json, JsonSchema } from "../../src/tools/json_schema/json.ts";

/** The schemas that others refer to. */
export const components: Readonly<Record<string, JsonSchema>> = {
  Node: {
    type: "object",
    properties: { value: { type: "number" }, next: { $ref: "#/components/schemas/Node" } },
    required: ["value"],
  },
  Tree: { type: "object", additionalProperties: { $ref: "#/components/schemas/Tree" } },
  Json: {
    anyOf: [
      { type: ["string", "boolean", "null"] },
      { type: "object", additionalProperties: { $ref: "#/components/schemas/Json" } },
      { type: "array", items: { $ref: "#/components/schemas/Json" } },
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

function types(...names: readonly string[]): fc.Arbitrary<unknown> {
  return fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 3 });
}

/** A member of several schemas, by name. */
function properties(value: fc.Arbitrary<JsonSchema>): fc.Arbitrary<unknown> {
  return fc.uniqueArray(fc.tuple(anyName, value), { maxLength: 3, selector: ([name]) => name }).map(Object.fromEntries);
}

const bound = fc.constantFrom(-2, -1, 0, 1, 2, 3, 10, 0.5, 1e21, -1e-7);
const size = fc.integer({ min: 0, max: 3 });
const name = fc.constantFrom("a", "b", "c", "kind");
const oddName = fc.constantFrom("constructor", "toString", "a?", "...", "+", "[a]", "\\", "\\+", "", "?");
const anyName = fc.oneof({ weight: 6, arbitrary: name }, { weight: 1, arbitrary: oddName });
const scalar = fc.constantFrom(null, true, false, 0, 1, 1.5, -1, 1e21, "a", "b", "", "it's", "\\", "1", "true");

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
  pattern: maybe(fc.constantFrom("^[a-c]*$", "b", "^\\w+$", "a/b", "^(?!a)", "^.$", "\\d{2}")),
});

const enums = keywords({
  type: maybe(fc.constantFrom("string", "number", "integer", "boolean", ["string", "null"], ["string", "integer"])),
  enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 4 }),
  minLength: maybe(size),
  minimum: maybe(fc.constant(0)),
});

const constants = keywords({ const: fc.oneof(scalar, fc.constantFrom<Json>([], {}, [1], { a: 1 })) });

const references = fc.constantFrom(...Object.keys(components)).map((key) => ({ $ref: `#/components/schemas/${key}` }));

/** Schemas of all kinds; some of them match no value. */
export const schemas: fc.Arbitrary<JsonSchema> = fc.letrec<{ schema: JsonSchema }>((tie) => {
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
    properties: maybe(properties(schema)),
    required: maybe(fc.uniqueArray(anyName, { maxLength: 2 })),
    additionalProperties: maybe(fc.oneof(fc.boolean(), schema)),
  });
  const several = keywords({
    type: types("string", "integer", "number", "boolean", "null", "array", "object"),
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
    minProperties: maybe(size),
    maxProperties: maybe(size),
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
  const scalars = [numbers, texts, enums, constants] as const;
  const structures = [arrays, tuples, objects, objects, several, joined, joined, dropped] as const;
  return { schema: fc.oneof({ maxDepth: 3, withCrossShrink: true }, plain, references, ...scalars, ...structures) };
}).schema;

/** Schemas of one text of a parameter. */
const single: fc.Arbitrary<JsonSchema> = fc.letrec<{ schema: JsonSchema }>((tie) => {
  const branches = fc.array(tie("schema"), { minLength: 1, maxLength: 3 });
  return {
    schema: fc.oneof(
      { maxDepth: 2 },
      numbers,
      texts,
      enums,
      constants,
      keywords({ type: fc.constantFrom("null", "boolean") }),
      keywords({
        type: types("string", "integer", "number", "boolean", "null"),
        minLength: maybe(size),
        minimum: maybe(bound),
      }),
      keywords({ anyOf: branches }),
      keywords({ oneOf: branches }),
      keywords({ allOf: branches }),
      fc.constant({ $ref: "#/components/schemas/Text" }),
    ),
  };
}).schema;

const lists = fc.oneof(
  keywords({ type: fc.constant("array"), items: maybe(single), minItems: maybe(size), maxItems: maybe(size) }),
  keywords({
    type: fc.constant("array"),
    prefixItems: fc.array(single, { minLength: 1, maxLength: 2 }),
    items: maybe(fc.oneof(fc.constant(false), single)),
    minItems: maybe(size),
  }),
);

/** Schemas of parameters, without null: it has no text. */
export const parameters: fc.Arbitrary<JsonSchema> = fc.oneof(
  single,
  single,
  lists,
  keywords({
    type: fc.constant("object"),
    properties: properties(fc.oneof(single, lists)),
    required: maybe(fc.uniqueArray(name, { maxLength: 2 })),
    additionalProperties: maybe(fc.oneof(fc.boolean(), single)),
  }),
  keywords({ anyOf: fc.array(fc.oneof(single, lists), { minLength: 1, maxLength: 3 }) }),
).filter((schema) => !JSON.stringify(schema).includes("null"));

/** A document of operations that have no more than a path. */
export function documentOf(operations: readonly object[]): object {
  return {
    openapi: "3.1.0",
    info: { title: "Shapes", version: "1.0.0" },
    paths: Object.fromEntries(operations.map((operation, index) => [`/s${index}`, {
      get: { operationId: `s${index}`, tags: ["All"], ...operation },
    }])),
    components: { schemas: components },
  };
}
