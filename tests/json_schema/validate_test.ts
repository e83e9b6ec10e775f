import { assert, assertEquals, assertFalse, assertThrows } from "@std/assert";
import type { Json, JsonSchema } from "../../src/tools/json_schema/json.ts";
import { locateSchema } from "../../src/tools/json_schema/locate.ts";
import { canBeSent } from "../../src/tools/json_schema/reading_rules.ts";
import { isValid, listFailures } from "../../src/tools/json_schema/validate.ts";
import { processorTime } from "../support/processor_time.ts";

/** The failures of a value, each as its place and message. */
function explain(schema: JsonSchema, value: Json): string[] {
  return listFailures(locateSchema(schema), value).map(({ path, message }) => `/${path.join("/")} ${message}`);
}

Deno.test("validate() explains each keyword in plain English", () => {
  const cases: readonly (readonly [JsonSchema, Json, string])[] = [
    [{ type: "string" }, 1, "must be a string"],
    [{ type: ["integer", "null"] }, "1", "must be an integer or null"],
    [{ enum: ["a", "b"] }, "c", 'must be one of "a", "b"'],
    [{ const: 1 }, 2, "must be 1"],
    [{ minimum: 1 }, 0, "must be 1 or more"],
    [{ exclusiveMinimum: 1 }, 1, "must be more than 1"],
    [{ maximum: 1 }, 2, "must be 1 or less"],
    [{ exclusiveMaximum: 1 }, 1, "must be less than 1"],
    [{ multipleOf: 0.1 }, 0.35, "must be a multiple of 0.1"],
    [{ minLength: 3 }, "ab", "must be at least 3 characters long"],
    [{ maxLength: 1 }, "ab", "must be at most 1 character long"],
    [{ pattern: "^a" }, "b", "must match the pattern ^a"],
    [{ minItems: 1 }, [], "must have at least 1 item"],
    [{ maxItems: 1 }, [1, 2], "must have at most 1 item"],
    [{ uniqueItems: true }, [1, 1], "must have unique items"],
    [{ minProperties: 2 }, { a: 1 }, "must have at least 2 members"],
    [{ maxProperties: 0 }, { a: 1 }, "must have at most 0 members"],
    [{ required: ["a"] }, {}, 'must have the member "a"'],
    [{ dependentRequired: { a: ["b"] } }, { a: 1 }, 'must have the member "b", since it has "a"'],
    [{ contains: { type: "null" } }, [1], "must not have fewer than 1 item that match the schema of contains"],
    [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, 'must not have a member named "ab"'],
    [{ not: { type: "null" } }, null, "must not match the schema of not"],
    [{ oneOf: [true, true] }, 1, "must match exactly one of 2 schemas, and matches 2"],
    [false, 1, "is not allowed"],
  ];

  for (const [schema, value, message] of cases) assertEquals(explain(schema, value), [`/ ${message}`]);
});

Deno.test("validate() finds every failure and its place, and isValid() agrees", () => {
  const schema = {
    type: "object",
    properties: { name: { type: "string", minLength: 1 }, tags: { items: { type: "string" } } },
    required: ["name", "id"],
    additionalProperties: false,
  };
  const value = { name: "", tags: ["a", 1, 2], extra: true };

  assertEquals(explain(schema, value), [
    '/ must have the member "id"',
    "/name must be at least 1 character long",
    "/tags/1 must be a string",
    "/tags/2 must be a string",
    "/extra is not allowed",
  ]);
  assert(!isValid(locateSchema(schema), value));
});

Deno.test("validate() explains a union by the intended alternative, if it is clear", () => {
  const circle = { properties: { kind: { const: "circle" }, radius: { minimum: 0 } }, required: ["kind", "radius"] };
  const square = { properties: { kind: { const: "square" }, side: { minimum: 0 } }, required: ["kind", "side"] };
  const shape = { anyOf: [circle, square, { type: "null" }].map((each) => ({ type: "object", ...each })) };

  assertEquals(explain(shape, { kind: "square", side: -1 }), ["/side must be 0 or more"]);
  assertEquals(explain(shape, { kind: "oval" }), ["/ must match one of 3 schemas"]);
  assertEquals(explain({ oneOf: [{ type: "string", minLength: 2 }, { type: "null" }] }, "a"), [
    "/ must be at least 2 characters long",
  ]);
});

Deno.test("unevaluatedProperties ignores members that any branch evaluated", () => {
  const branches = [{ properties: { a: true } }, { properties: { b: true } }];
  const schema = locateSchema({ anyOf: branches, unevaluatedProperties: false });

  assert(isValid(schema, { a: 1, b: 2 }));
  assertEquals(listFailures(schema, { a: 1, b: 2 }), []);
  assertEquals(explain({ anyOf: branches, unevaluatedProperties: false }, { a: 1, c: 2 }), ["/c is not allowed"]);
});

Deno.test("a member matches its own schema and those of patterns, and others the additional one", () => {
  const schema = {
    properties: { ab: { type: "string" } },
    patternProperties: { "^a": { minLength: 2 } },
    additionalProperties: { type: "null" },
  };

  assertEquals(explain(schema, { ab: "x", ac: "x", b: 1 }), [
    "/ab must be at least 2 characters long",
    "/ac must be at least 2 characters long",
    "/b must be null",
  ]);
});

Deno.test("a failure has the keyword, and the schema that it is in", () => {
  const name = { type: "string", maxLength: 2 };
  const [failure] = listFailures(locateSchema({ properties: { name } }), { name: "abc" });

  assertEquals([failure?.keyword, failure?.path], ["maxLength", ["name"]]);
  assert(failure?.schema === name);
});

Deno.test("lengths count code points", () => {
  const schema = locateSchema({ minLength: 2, maxLength: 2 });

  assertEquals(["🙂", "🙂🙂", "🙂🙂🙂", "ab"].map((text) => isValid(schema, text)), [false, true, false, true]);
});

Deno.test("a format is an annotation", () => {
  assertEquals(explain({ type: "string", format: "email" }, "nobody"), []);
});

Deno.test("a recursive schema follows a value, and a value that is nested more than 512 levels deep fails", () => {
  const list = {
    $ref: "#/$defs/list",
    $defs: { list: { anyOf: [{ type: "null" }, { items: { $ref: "#/$defs/list" } }] } },
  };
  const nest = (levels: number): Json => {
    let value: Json = null;
    for (let level = 0; level < levels; level++) value = [value];
    return value;
  };

  assertEquals(explain(list, nest(512)), []);
  for (const levels of [513, 100_000]) {
    assertEquals(explain(list, nest(levels)), ["/ must not be nested more than 512 levels deep"]);
    assert(!isValid(locateSchema(list), nest(levels)));
  }
  assertEquals(explain({ not: { $ref: "#/$defs/list" }, $defs: list.$defs }, nest(100_000)), [
    "/ must not be nested more than 512 levels deep",
  ]);
  assertEquals(explain({ uniqueItems: true }, [nest(100_000), 1]), ["/ must not be nested more than 512 levels deep"]);
  assert(!isValid(locateSchema({ enum: [[1], { a: 1 }] }), nest(100_000)));
  assert(isValid(locateSchema({ enum: [nest(512), { a: 1 }] }), nest(512)));
});

Deno.test("a reference that leads to itself for the same value throws, each time", () => {
  const loops: readonly JsonSchema[] = [
    { $ref: "#" },
    { $ref: "#/$defs/a", $defs: { a: { allOf: [{ $ref: "#/$defs/b" }] }, b: { not: { $ref: "#/$defs/a" } } } },
  ];
  for (const loop of loops) {
    const schema = locateSchema(loop);
    for (const _ of [1, 2]) {
      assertThrows(() => listFailures(schema, 1), TypeError, "Cannot read a JSON Schema: a $ref leads to itself");
      assertThrows(() => isValid(schema, 1), TypeError, "Cannot read a JSON Schema: a $ref leads to itself");
    }
  }
});

Deno.test("a reference names the definition whose name contains #, and not the one before it", () => {
  const schema = { $ref: "#/$defs/a#b", $defs: { a: { type: "number" }, "a#b": { type: "string" } } };

  assertEquals([1, "text"].map((value) => isValid(locateSchema(schema), value)), [false, true]);
});

Deno.test("a reference outside of the schema and $dynamicRef throw", () => {
  const schema = locateSchema({ $ref: "https://example.com/user" });
  for (const _ of [1, 2]) {
    assertThrows(
      () => listFailures(schema, 1),
      TypeError,
      'Cannot follow $ref "https://example.com/user": the schema does not define it',
    );
  }
  assertThrows(() => locateSchema({ $dynamicRef: "#node" }), TypeError, "$dynamicRef is not supported; write $ref");
});

Deno.test("members with names from Object.prototype are ordinary members", () => {
  const schema = locateSchema(JSON.parse('{"properties":{"__proto__":{"type":"number"}},"required":["constructor"]}'));

  assert(!isValid(schema, {}));
  assert(isValid(schema, JSON.parse('{"__proto__":1,"constructor":2}')));
  assert(!isValid(schema, JSON.parse('{"__proto__":"1","constructor":2}')));
});

Deno.test("uniqueItems takes linear time in the number of items", () => {
  const schema = locateSchema({ uniqueItems: true });
  const items = Array.from({ length: 200_000 }, (_, index) => index);
  const objects = items.map((id) => ({ id, name: "a" }));

  let time = Infinity; // a busy machine may slow down some rounds
  for (let round = 0; round < 3 && time >= 5_000; round++) {
    const begun = processorTime();
    assert(isValid(schema, items) && isValid(schema, objects));
    assert(!isValid(schema, [...objects, { name: "a", id: 7 }]));
    time = processorTime() - begun;
  }
  assert(time < 5_000); // pair by pair, it would take minutes
});

Deno.test("numbers are multiples as decimals", () => {
  const cases: readonly (readonly [number, number, boolean])[] = [
    [0.3, 0.1, true],
    [1e308, 0.123456789, false],
    [4.35, 0.01, true],
    [9007199254740993, 2, true],
    [1e-7, 1e-8, true],
    [-0.5, 0.25, true],
    [0, 0.7, true],
    [JSON.parse("1e400"), 2, false], // which is Infinity
  ];
  for (const [value, multipleOf, expected] of cases) {
    assertEquals(isValid(locateSchema({ multipleOf }), value), expected, `${value} ${multipleOf}`);
  }
  assertThrows(() => isValid(locateSchema(JSON.parse('{ "multipleOf": 1e400 }')), 1), TypeError, "must be finite");
});

Deno.test("validate() lists at most 100 failures, which the branches of allOf would double at each level", () => {
  const node = { properties: { next: { $ref: "#/$defs/node" } } };
  const schema = locateSchema({
    $ref: "#/$defs/node",
    $defs: { node: { allOf: [node, node], properties: { end: { const: 1 } } } },
  });
  let value: Json = { end: 2 };
  for (let level = 0; level < 16; level++) value = { next: value };

  assertEquals(listFailures(schema, value).length, 100);
  assertEquals(
    listFailures(locateSchema({ items: { type: "string" } }), Array.from({ length: 1000 }, () => 1)).length,
    100,
  );
});

Deno.test("validate() lists no more failures than it is asked for where one of several schemas is meant", () => {
  const meant = { type: "object", required: ["a", "b", "c", "d"] };
  const anyOf = [meant, { type: "string" }];
  const schema = locateSchema({ allOf: [{ anyOf }, { oneOf: anyOf }] });

  assertEquals(listFailures(schema, {}).length, 8);
  assertEquals(listFailures(schema, {}, 6).length, 6);
});

Deno.test("recursive unions are validated in a time that does not double with each level", () => {
  const of = (kind: string) => ({
    type: "object",
    properties: { next: { $ref: "#/$defs/node" }, kind: { const: kind } },
    required: ["kind"],
  });
  const schema = locateSchema({
    $ref: "#/$defs/node",
    $defs: { node: { anyOf: [{ type: "null" }, of("a"), of("b"), { allOf: [of("c")] }] } },
  });
  const nest = (leaf: Json): Json => {
    let value = leaf;
    for (let level = 0; level < 200; level++) value = { next: value, kind: "c" };
    return value;
  };
  const begun = processorTime();

  assert(isValid(schema, nest(null)));
  assert(canBeSent([schema], nest(null)));
  assertEquals(listFailures(schema, nest(null)), []);
  assertFalse(isValid(schema, nest(5)));
  assertEquals(listFailures(schema, nest(5)).map(({ path }) => path.length), [200]);
  assert(processorTime() - begun < 10_000);
});

Deno.test("a failure of a value that is in two places is reported in both", () => {
  const shared = { b: 1 };
  const schema = locateSchema({
    properties: { x: { $ref: "#/$defs/part" }, y: { items: { $ref: "#/$defs/part" } } },
    $defs: { part: { properties: { b: { type: "string" } } } },
  });

  assertEquals(listFailures(schema, { x: shared, y: [shared, shared] }).map(({ path }) => path.join("/")), [
    "x/b",
    "y/0/b",
    "y/1/b",
  ]);
});
