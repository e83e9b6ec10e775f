/** Random schemas, and random values that may match them. */
import fc from "fast-check";
import type { Json, JsonSchema } from "../../src/tools/json_schema/json.ts";

const names = ["a", "b", "ab", "__proto__"];
const numbers = [-2, -1, 0, 0.5, 1, 1.5, 2, 3, 0.3];
const texts = ["", "a", "ab", "ba", "abc", "🙂", "🙂🙂"];
const patterns = ["^a", "b$", "^[a-b]*$", "^.$"];
const types = ["null", "boolean", "number", "integer", "string", "array", "object"];

/** Creates an object with own members, even `__proto__`. */
function toObject<Value>(entries: readonly (readonly [string, Value])[]): Readonly<Record<string, Value>> {
  return Object.fromEntries(entries);
}

function membersOf<Value>(value: fc.Arbitrary<Value>, maxLength = 3): fc.Arbitrary<Readonly<Record<string, Value>>> {
  return fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength }).map(toObject);
}

/** Small JSON values. */
export const { value: values } = fc.letrec<{ value: Json; flat: Json }>((tie) => ({
  flat: fc.oneof(
    fc.constantFrom<Json>(null, true, false),
    fc.constantFrom(...numbers),
    fc.constantFrom(...texts),
  ),
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    tie("flat"),
    fc.array(tie("value"), { maxLength: 3 }),
    membersOf(tie("value")),
  ),
}));

const small = fc.nat(3);
const anyType = fc.oneof(fc.constantFrom(...types), fc.uniqueArray(fc.constantFrom(...types), { minLength: 1 }));
const anyNames = fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 });

/** Keywords that constrain a value itself, without its items and members. */
const flatKeywords = {
  type: anyType,
  const: values,
  enum: fc.array(values, { minLength: 1, maxLength: 4 }),
  minimum: fc.constantFrom(...numbers),
  exclusiveMinimum: fc.constantFrom(...numbers),
  maximum: fc.constantFrom(...numbers),
  exclusiveMaximum: fc.constantFrom(...numbers),
  multipleOf: fc.constantFrom(0.1, 0.5, 1, 2, 3),
  minLength: small,
  maxLength: small,
  pattern: fc.constantFrom(...patterns),
  format: fc.constantFrom("unknown"),
  minItems: small,
  maxItems: small,
  uniqueItems: fc.boolean(),
  minProperties: small,
  maxProperties: small,
  required: anyNames,
  dependentRequired: membersOf(anyNames, 1),
};

/** Keywords that depend on what other keywords evaluated. */
const unevaluatedKeywords = ["unevaluatedItems", "unevaluatedProperties"];

/** Random schemas without the excluded keywords. */
function schemasWith(isExcluded: (keyword: string) => boolean): fc.Arbitrary<JsonSchema> {
  const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => {
    const below = tie("schema");
    const list = fc.array(below, { minLength: 1, maxLength: 3 });
    const keywords = {
      ...flatKeywords,
      prefixItems: list,
      items: below,
      contains: below,
      minContains: small,
      maxContains: small,
      unevaluatedItems: below,
      properties: membersOf(below),
      patternProperties: fc.dictionary(fc.constantFrom(...patterns), below, { maxKeys: 2 }),
      additionalProperties: below,
      propertyNames: below,
      unevaluatedProperties: below,
      dependentSchemas: membersOf(below, 1),
      allOf: list,
      anyOf: list,
      oneOf: list,
      not: below,
      if: below,
      then: below,
      else: below,
      $ref: fc.constantFrom("#/$defs/one", "#/$defs/two"),
    };
    const entries = Object.entries(keywords).filter(([keyword]) => !isExcluded(keyword))
      .map(([keyword, operand]) => (operand as fc.Arbitrary<unknown>).map((each) => [keyword, each] as const));
    return {
      schema: fc.oneof(
        { maxDepth: 3, depthSize: "max" },
        {
          arbitrary: fc.oneof({ arbitrary: fc.boolean(), weight: 1 }, {
            arbitrary: fc.record({ type: anyType }),
            weight: 3,
          }),
          weight: 1,
        },
        { arbitrary: fc.array(fc.oneof(...entries), { minLength: 1, maxLength: 4 }).map(toObject), weight: 3 },
      ),
    };
  });
  return schema;
}

/** Random schemas with all keywords, and two definitions that they may refer to. */
export const schemas: fc.Arbitrary<JsonSchema> = withDefinitions(schemasWith(() => false));

/** Random schemas with `unevaluatedItems` and `unevaluatedProperties` only at the root. */
export const schemasClosedAtRoot: fc.Arbitrary<JsonSchema> = fc.tuple(
  withDefinitions(schemasWith((keyword) => unevaluatedKeywords.includes(keyword))),
  fc.record(
    { unevaluatedItems: fc.constant(false), unevaluatedProperties: fc.constant(false) },
    { requiredKeys: [] },
  ),
).map(([schema, closing]) => typeof schema === "boolean" ? schema : { ...schema, ...closing });

function withDefinitions(root: fc.Arbitrary<JsonSchema>): fc.Arbitrary<JsonSchema> {
  const definition = schemasWith((keyword) => keyword === "$ref" || unevaluatedKeywords.includes(keyword));
  return fc.tuple(root, definition, definition).map(([schema, one, two]) =>
    typeof schema === "boolean" ? schema : { ...schema, $defs: { one, two } }
  );
}

/** Pairs of schemas: independent ones, and ones that differ in one keyword. */
export const schemaPairs: fc.Arbitrary<readonly [JsonSchema, JsonSchema]> = fc.oneof(
  fc.tuple(schemas, schemas),
  fc.tuple(schemas, schemas, fc.nat()).map(([schema, other, index]) =>
    [schema, withKeyword(schema, other, index)] as const
  ),
  fc.tuple(schemas, schemas, fc.nat()).map(([schema, other, index]) =>
    [withKeyword(schema, other, index), schema] as const
  ),
);

/** Returns a schema with one keyword of another schema. */
function withKeyword(schema: JsonSchema, other: JsonSchema, index: number): JsonSchema {
  const entries = Object.entries(other).filter(([keyword]) => keyword !== "$defs");
  const [keyword, operand] = entries[index % entries.length] ?? ["title", "empty"];
  return typeof schema === "boolean" ? schema : { ...schema, [keyword]: operand };
}

/** Pairs of schemas whose definitions lead to themselves and to each other. */
export const recursivePairs: fc.Arbitrary<readonly [JsonSchema, JsonSchema]> = fc.tuple(recursive(), recursive());

function recursive(): fc.Arbitrary<JsonSchema> {
  const { part, object } = fc.letrec<{ part: JsonSchema; object: JsonSchema }>((tie) => ({
    part: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      fc.constantFrom<JsonSchema>({ $ref: "#/$defs/one" }, { $ref: "#/$defs/two" }),
      fc.constantFrom<JsonSchema>({ type: "string" }, { type: "string", minLength: 1 }, { type: "object" }, {
        type: "null",
      }),
      tie("object"),
      fc.array(tie("part"), { minLength: 2, maxLength: 2 }).map((anyOf) => ({ anyOf })),
    ),
    object: fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), tie("part")), { minLength: 1, maxLength: 3 })
      .map((members) => ({ type: "object", properties: toObject(members) })),
  }));
  return fc.record({ root: part, one: object, two: object })
    .map(({ root, one, two }) => ({ allOf: [root], $defs: { one, two } }));
}
