import fc from "fast-check";
import type { JsonSchema } from "../../src/tools/json_schema/json.ts";

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

const bound = fc.integer({ min: -20, max: 20 });
const size = fc.integer({ min: 0, max: 4 });
const name = fc.constantFrom("a", "b", "c", "id");
const scalar = fc.constantFrom(null, true, 0, 1, 1.5, "a", "b", "");

const numbers = keywords({
  type: fc.constantFrom("integer", "number"),
  minimum: maybe(bound),
  exclusiveMaximum: maybe(bound.map((value) => value + 15)),
  multipleOf: maybe(fc.constantFrom(2, 3, 0.5, 0.1)),
});

const texts = keywords({
  type: fc.constant("string"),
  minLength: maybe(size),
  maxLength: maybe(size.map((value) => value + 3)),
  pattern: maybe(fc.constantFrom("^[a-c]*$", "b", "^\\w+$")),
});

/** Schemas of all kinds; some of them match no value. */
export const schemas: fc.Arbitrary<JsonSchema> = fc.letrec<{ schema: JsonSchema }>((tie) => {
  const schema = tie("schema");
  const branches = fc.array(schema, { minLength: 1, maxLength: 3 });
  const named = fc.dictionary(name, schema, { maxKeys: 3 });
  const arrays = keywords({
    type: fc.constant("array"),
    prefixItems: maybe(branches),
    items: maybe(schema),
    contains: maybe(schema),
    minItems: maybe(size),
    maxItems: maybe(size.map((value) => value + 2)),
    uniqueItems: maybe(fc.boolean()),
  });
  const objects = keywords({
    type: fc.constant("object"),
    properties: maybe(named),
    required: maybe(fc.uniqueArray(name, { maxLength: 2 })),
    additionalProperties: maybe(schema),
    patternProperties: maybe(schema.map((part) => ({ "^[ab]": part }))),
    propertyNames: maybe(fc.constant({ pattern: "^[a-z]" })),
    minProperties: maybe(fc.integer({ min: 0, max: 2 })),
    maxProperties: maybe(fc.integer({ min: 1, max: 4 })),
    dependentRequired: maybe(fc.constant({ a: ["b"] })),
    dependentSchemas: maybe(schema.map((part) => ({ b: part }))),
    unevaluatedProperties: maybe(fc.boolean()),
  });
  const joined = keywords({
    anyOf: maybe(branches),
    oneOf: maybe(branches),
    allOf: maybe(branches),
    not: maybe(fc.constantFrom({ type: "null" }, { const: "a" }, { required: ["a"] })),
    if: maybe(schema),
    then: maybe(schema),
    else: maybe(schema),
  });
  const values = fc.oneof(
    keywords({ const: scalar }),
    keywords({ enum: fc.array(scalar, { minLength: 1, maxLength: 4 }) }),
  );
  const plain = fc.oneof(fc.boolean(), keywords({ type: fc.constantFrom("null", "boolean") }), numbers, texts, values);
  return { schema: fc.oneof({ maxDepth: 3, withCrossShrink: true }, plain, numbers, texts, arrays, objects, joined) };
}).schema;
