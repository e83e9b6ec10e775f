/** Random trees of routes, with schemas as libraries convert them: definitions, references, any names and words. */
import { request, response, route, router, type Schema } from "@scope/api";
import type { JsonSchemaObject } from "@scope/api/openapi";
import fc from "fast-check";

/** Words that are syntax elsewhere. `$ref` and `__proto__` are left out, because a validator would interpret them. */
export const oddWords = ["constructor", "a/b", "~", "%", "{id}", "é", "a b", "</script>", ""];
const word = fc.oneof(fc.stringMatching(/^[a-zA-Z]{1,6}$/), fc.constantFrom(...oddWords));

/** Objects with any words as keys. */
function membersOf<Value>(value: fc.Arbitrary<Value>, key = word): fc.Arbitrary<Record<string, Value>> {
  return fc.dictionary(key, value, { maxKeys: 3, noNullPrototype: true });
}

const leaf: fc.Arbitrary<JsonSchemaObject> = fc.oneof(
  fc.constantFrom("string", "integer", "boolean", "null").map((type) => ({ type })),
  fc.jsonValue().map((value) => ({ const: JSON.parse(JSON.stringify(value)) })),
  fc.constant({}),
);
const words = fc.record({ title: word, description: word, examples: fc.array(fc.jsonValue(), { maxLength: 2 }) }, {
  requiredKeys: [],
});

/** Schemas that refer to definitions of these names and to the whole. */
function schemasWith(
  names: readonly string[],
): { schema: fc.Arbitrary<JsonSchemaObject>; node: fc.Arbitrary<JsonSchemaObject> } {
  const pointers = names.map((name) => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1")));
  const reference = fc.constantFrom("#", ...pointers.map((pointer) => `#/$defs/${pointer}`)).map(($ref) => ({ $ref }));
  return fc.letrec<{ schema: JsonSchemaObject; node: JsonSchemaObject }>((tie) => ({
    schema: fc.oneof({ maxDepth: 3 }, leaf, reference, tie("node")),
    // not only a reference: two of those may refer to each other
    node: fc.tuple(
      words,
      fc.oneof(
        { maxDepth: 3 },
        leaf,
        membersOf(tie("schema")).map((properties) => ({
          type: "object",
          properties,
          required: Object.keys(properties).slice(1),
        })),
        tie("schema").map((items) => ({ type: "array", items })),
        fc.tuple(fc.constantFrom("anyOf", "allOf"), fc.array(tie("node"), { minLength: 1, maxLength: 2 }))
          .map(([keyword, parts]) => ({ [keyword]: parts })),
      ),
    ).map(([words, node]) => ({ ...words, ...node })),
  }));
}

/** A schema as a library converts it. */
const jsonSchema = fc.uniqueArray(word, { maxLength: 3 }).chain((names) => {
  const { node } = schemasWith(names);
  return fc.tuple(node, ...names.map(() => node)).map(([root, ...definitions]) => ({
    ...root,
    ...(names.length > 0 && { $defs: Object.fromEntries(names.map((name, index) => [name, definitions[index]!])) }),
  }));
});

/** A schema of a library that converts its two sides to these. */
export function convertedFrom(input: JsonSchemaObject, output: JsonSchemaObject = input): Schema<never, never> {
  const jsonSchema = { input: () => input, output: () => output };
  const validate = (value: unknown): never => ({ value }) as never;
  return { "~standard": { version: 1, vendor: "fuzz", validate, jsonSchema } } as never;
}

const schemas = fc.array(fc.tuple(jsonSchema, jsonSchema).map((sides) => convertedFrom(...sides)), {
  minLength: 1,
  maxLength: 3,
});

const fields = membersOf(schemasWith([]).node, fc.stringMatching(/^[a-z-]{1,6}$/))
  .map((properties) => convertedFrom({ type: "object", properties }));

const path = fc.uniqueArray(fc.oneof(fc.stringMatching(/^[a-z{} é]{1,3}$/), fc.stringMatching(/^:[a-z_]{1,2}$/)), {
  maxLength: 3,
})
  .filter((segments) => segments.every((segment) => segment.trim() !== "" && !/\{.*\}/.test(segment)))
  .map((segments) => `/${segments.join("/")}`);

/** Some routes, under routers or none. A few schemas are used more than once. */
export const routeTrees: fc.Arbitrary<object> = schemas.chain((few) => {
  const schema = fc.constantFrom(...few);
  const slots = fc.record({ params: schema, query: fields, headers: fields }, { requiredKeys: [] });
  const choice = fc.record({
    path,
    method: fc.constantFrom("get", "put", "delete", "query"),
    schema,
    slots,
    hasBody: fc.boolean(),
    answer: fc.record({ headers: fields }, { requiredKeys: [] }),
    said: word,
    status: fc.constantFrom(200, 400, 404, 415, 500),
  });
  const selector = ({ path, method }: { readonly path: string; readonly method: string }) =>
    `${method} ${path.replaceAll(/:[^/]+/g, ":")}`;
  return fc.uniqueArray(choice, { minLength: 1, maxLength: 5, selector });
}).map((choices) =>
  Object.fromEntries(choices.map(({ path, method, schema, slots, hasBody, answer, said, status }, index) => {
    const declared = route[method as "put"](path, {
      ...slots,
      ...(hasBody && method !== "get" && { body: request.json(schema, { description: said }) }),
      docs: { summary: said, description: said, tags: [said] },
      responses: {
        [status]: response.json(schema, answer as never),
        201: response.text(schema, { description: said }),
      },
    } as never);
    return [`r${index}`, index % 2 === 0 ? declared : router("/", { routes: { [said]: declared as never } })];
  }))
);
