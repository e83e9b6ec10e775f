import { assertEquals } from "@std/assert";
import type { Json, JsonSchema } from "../../src/tools/json_schema/json.ts";
import { locateSchema } from "../../src/tools/json_schema/locate.ts";
import { normalize } from "../../src/tools/json_schema/normalize.ts";
import { matchesShape } from "./matches_shape.ts";

/** Whether some shape of a schema has a value. */
function matches(schema: JsonSchema, value: Json): boolean {
  return normalize([locateSchema(schema)]).some((shape) => matchesShape(shape, value));
}

Deno.test("normalize() leaves members open that any branch evaluates, and closes others", () => {
  const [a, b] = [{ properties: { a: true } }, { properties: { b: true } }];

  for (
    const schema of [
      { anyOf: [a, b], unevaluatedProperties: false },
      { ...a, dependentSchemas: { a: b }, unevaluatedProperties: false },
      { if: a, then: b, unevaluatedProperties: false },
      { ...a, $ref: "#/$defs/b", $defs: { b }, unevaluatedProperties: false },
    ]
  ) {
    assertEquals(matches(schema, { a: 1, b: 2 }), true, JSON.stringify(schema));
    assertEquals(matches(schema, { a: 1, c: 2 }), false, JSON.stringify(schema));
  }
});

Deno.test("normalize() limits the number of combined shapes, and keeps the remaining constraints", () => {
  const either = (index: number) => ({
    anyOf: ["x", "y", "z"].map((value) => ({
      properties: { [`m${index}`]: { const: value } },
      required: [`m${index}`],
    })),
  });
  const schema = { type: "object", allOf: Array.from({ length: 12 }, (_, index) => either(index)) };
  const whole = (value: string) => Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`m${index}`, value]));

  assertEquals(normalize([locateSchema(schema)]).length <= 128, true); // of 531,441
  assertEquals([matches(schema, whole("y")), matches(schema, whole("w"))], [true, false]);
});

Deno.test("normalize() needs no further check of oneOf if bounds, lengths or required members tell its branches apart", () => {
  const isPlain = (...oneOf: JsonSchema[]): boolean =>
    normalize([locateSchema({ oneOf })]).every(({ also }) => also.length === 0);
  const closed = (name: string) => ({
    type: "object",
    properties: { [name]: true },
    required: [name],
    additionalProperties: false,
  });

  assertEquals(isPlain({ type: "number", maximum: 1 }, { type: "number", exclusiveMinimum: 1 }), true);
  assertEquals(isPlain({ type: "number", maximum: 1 }, { type: "number", minimum: 1 }), false);
  assertEquals(isPlain({ enum: ["a", "b"] }, { type: "string", minLength: 2 }), true);
  assertEquals(isPlain({ type: "array", maxItems: 1 }, { type: "array", minItems: 2 }), true);
  assertEquals(isPlain(closed("a"), closed("b")), true);
  assertEquals(isPlain(closed("a"), { type: "object", required: ["a"] }), false);
});
