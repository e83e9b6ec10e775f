/** Keywords without a type only restrict values of their own type, wherever they stand. */
import { assertEquals } from "@std/assert";
import type { Json } from "../../src/tools/json_schema/json.ts";
import { assertDecisions, documentOfValue } from "./writers.ts";

const text = { type: "string" };
const integer = { type: "integer" };

function ref(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

const schemas = {
  Text: { type: ["string", "null"] },
  Item: { type: "object", properties: { a: integer, b: text }, required: ["a"] },
  Maybe: { type: ["object", "null"], properties: { a: integer, b: text } },
  Any: { oneOf: [text, integer, { type: "array", items: text }, ref("Item")] },
};

type Case = readonly [schema: object, kept: readonly Json[], refused: readonly Json[]];

async function assertCases(cases: readonly Case[]): Promise<void> {
  const place = "#/paths/~1values/post/requestBody/content/application~1json/schema";
  for (const [schema, kept, refused] of cases) {
    const { faults } = await assertDecisions(documentOfValue(schema, schemas), { kept, refused });
    assertEquals(faults.filter((fault) => fault.place.startsWith(place)), [], JSON.stringify(schema));
  }
}

Deno.test("keywords beside anyOf and oneOf restrict the members of their type, and no others", () =>
  assertCases([
    [{ anyOf: [text, { type: "null" }], maxLength: 3 }, ["abc", null], ["abcd", 1]],
    [{ anyOf: [integer, { type: "null" }], minimum: 1 }, [1, null], [0]],
    [{ anyOf: [{ type: "number" }, text], multipleOf: 2 }, [4, "1.25"], [3]],
    [{ anyOf: [{ type: "number" }, text], exclusiveMinimum: 1 }, ["a", 2], [1]],
    [{ oneOf: [text, { type: "array", items: text }], minItems: 1 }, ["a", ["a"]], [[]]],
    [{ anyOf: [{ type: "array" }, text], items: integer }, ["a", [1]], [["a"]]],
    [{ anyOf: [ref("Item"), text], properties: { c: integer } }, ["a", { a: 1, c: 2 }], [{ a: 1, c: "2" }]],
  ]));

Deno.test("keywords beside a reference restrict the values of their type, and no others", () =>
  assertCases([
    [{ ...ref("Item"), minLength: 1 }, [{ a: 1, b: "b" }], ["b", {}]],
    [{ ...ref("Text"), pattern: "^a" }, ["ab", null], ["b"]],
    [{ ...ref("Maybe"), required: ["b"] }, [null, { a: 1, b: "b" }], [{ a: 1 }]],
    [
      { ...ref("Any"), minItems: 1, minLength: 2, minimum: 3, required: ["b"] },
      ["ab", 3, ["x"], { a: 1, b: "b" }],
      ["a", 2, [], { a: 1 }, null],
    ],
  ]));

Deno.test("keywords in allOf restrict the values of their type, and no others", () =>
  assertCases([
    [{ allOf: [ref("Item"), { minLength: 1 }] }, [{ a: 1, b: "b" }], ["b"]],
    [{ allOf: [ref("Text"), { maxLength: 3 }] }, ["abc", null], ["abcd"]],
    [
      { allOf: [ref("Maybe"), { properties: { c: { type: "boolean" } }, required: ["a"] }] },
      [null, { a: 1, b: "b", c: true }],
      [{ b: "b" }, { a: 1, c: 2 }],
    ],
  ]));

Deno.test("keywords in a choice are about the values of the schema that has the choice", () =>
  assertCases([
    [{ type: ["string", "null"], anyOf: [{ minLength: 3 }, { pattern: "^x" }] }, ["abc", "x", null], ["ab"]],
    [{ type: "number", anyOf: [{ minLength: 1 }, { minimum: 1 }] }, [0, 1], ["a"]],
    [{ type: "object", oneOf: [{ properties: { a: integer } }, { minLength: 1 }] }, [{ a: 1 }], [1]],
  ]));

Deno.test("keywords of another type than that of the schema say nothing", () =>
  assertCases([
    [{ type: "boolean", minLength: 3 }, [true], ["abc"]],
    [{ enum: ["a", 1, null, "bcd"], minLength: 2 }, [1, null, "bcd"], ["a"]],
    [{ type: "array", items: { ...ref("Item"), pattern: "^a" } }, [[{ a: 1 }]], [["a"]]],
  ]));

Deno.test("additionalProperties beside other schemas keeps other properties", () =>
  assertCases([
    [{ ...ref("Item"), additionalProperties: true }, [{ a: 1, z: 1 }], [{ z: 1 }]],
    [{ allOf: [ref("Item"), { type: "object", properties: { c: text } }], additionalProperties: true }, [
      { a: 1, c: "c", z: 1 },
    ], []],
  ]));

Deno.test("where nothing says which types a value has, it is of those that keywords are about", async () => {
  const { faults } = await assertDecisions(documentOfValue({ minLength: 1, minItems: 1 }), {
    kept: ["a", ["a"]],
    refused: ["", []],
  });
  assertEquals(faults[0]?.message, "the schema has no type; it is read as one of type array or string");
});

Deno.test("keywords beside a choice that allows any value are assumed to be about it, which is a fault", async () => {
  const place = "#/paths/~1values/post/requestBody/content/application~1json/schema";
  const message = "the schema has no type; it is read as one of type object";
  const choices: readonly (readonly object[])[] = [
    [{ if: { type: "integer" } }, { type: "array", items: text }],
    [{ const: { a: 1 } }, { not: { type: "null" } }],
  ];
  for (const anyOf of choices) {
    const { faults } = await assertDecisions(documentOfValue({ properties: { a: integer }, anyOf }), {
      kept: [{ a: 1 }],
      refused: ["a", { a: "a" }],
    });
    assertEquals(faults.filter((fault) => fault.place === place), [{ place, message }], JSON.stringify(anyOf));
  }
});

Deno.test("x-nullable allows null, as generators of Swagger 2.0 write it", async () => {
  const schema = {
    type: "object",
    properties: {
      note: { type: "string", "x-nullable": true },
      tags: { type: "array", items: { type: "string", "x-nullable": true } },
      item: { $ref: "#/definitions/Item", "x-nullable": true },
      kind: { type: "string", enum: ["a"], "x-nullable": true },
      plain: { type: "string", "x-nullable": false },
    },
  };
  const post = {
    operationId: "send",
    tags: ["All"],
    parameters: [{ in: "body", name: "value", required: true, schema }],
    responses: { 200: { description: "", schema } },
  };
  const definitions = { Item: { type: "object", properties: { a: integer } } };
  await assertDecisions({
    swagger: "2.0",
    info: { title: "", version: "" },
    paths: { "/values": { post } },
    definitions,
  }, {
    kept: [{ note: null, tags: ["a", null], item: null, kind: null }, {
      note: "a",
      item: { a: 1 },
      kind: "a",
      plain: "b",
    }],
    refused: [{ plain: null }, { tags: [1] }],
  });
});
