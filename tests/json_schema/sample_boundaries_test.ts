import { assert, assertEquals } from "@std/assert";
import { Validator } from "@cfworker/json-schema";
import fc from "fast-check";
import type { Json, JsonSchema } from "../../src/tools/json_schema/json.ts";
import { locateSchema } from "../../src/tools/json_schema/locate.ts";
import { findSample } from "../../src/tools/json_schema/sample.ts";
import { sampleBoundaries } from "../../src/tools/json_schema/sample_boundaries.ts";
import { isValid } from "../../src/tools/json_schema/validate.ts";
import { tries } from "../support/tries.ts";
import { schemas } from "./random_schema.ts";

function list(schema: JsonSchema): Json[] {
  return [...sampleBoundaries(locateSchema(schema))];
}

/** Asserts that values are among the boundaries of a schema. */
function assertIncludes(schema: JsonSchema, values: readonly Json[]): void {
  const texts = list(schema).map((value) => JSON.stringify(value));
  const missing = values.map((value) => JSON.stringify(value)).filter((text) => !texts.includes(text));
  assertEquals(missing, [], `of ${texts.join(" ")}`);
}

Deno.test("sampleBoundaries() lists values of random schemas that two validators accept", () => {
  fc.assert(
    fc.property(schemas, (schema) => {
      const located = locateSchema(schema);
      const second = new Validator(schema as object, "2020-12");
      let count = 0;
      const seen = new Set<string>();
      for (const value of sampleBoundaries(located)) {
        const text = `${JSON.stringify(value)} of ${JSON.stringify(schema)}`;
        assert(isValid(located, value), text);
        assert(!seen.has(JSON.stringify(value)), `twice: ${text}`);
        seen.add(JSON.stringify(value));
        assert(second.validate(value).valid, text);
        if (++count > 200) break;
      }
      if (count === 0) assertEquals(findSample(located, new Uint8Array()), undefined, JSON.stringify(schema));
    }),
    tries(300),
  );
});

Deno.test("sampleBoundaries() lists bounds and their neighbors", () => {
  assertIncludes({ type: "integer", minimum: 3, maximum: 10 }, [3, 4, 9, 10]);
  assertIncludes({ type: "integer", exclusiveMinimum: 3, exclusiveMaximum: 10 }, [4, 5, 8, 9]);
  assertIncludes({ type: "integer", minimum: 1, maximum: 20, multipleOf: 5 }, [5, 10, 15, 20]);
  assertIncludes({ type: "integer" }, [0, 1, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]);
  assertIncludes({ type: "number", minimum: 0.5, exclusiveMaximum: 1 }, [0.5, 0.75]);
});

Deno.test("sampleBoundaries() lists every branch, value, example and default", () => {
  const schema = { anyOf: [{ enum: ["a", "b"] }, { const: 1 }, { type: "null" }, { type: "boolean" }] };
  assertIncludes(schema, ["a", "b", 1, null, true, false]);
  assertIncludes({ type: "string", examples: ["Ada", "Grace"], default: "Alan" }, ["Ada", "Grace", "Alan"]);
});

Deno.test("sampleBoundaries() lists the shortest and the longest texts, and unusual characters", () => {
  assertIncludes({ type: "string", minLength: 2, maxLength: 4 }, ["aa", "aaa", "aaaa"]);
  assertIncludes({ type: "string" }, ["", "\0", "😀", "e\u0301", "__proto__"]);
  assertIncludes({ type: "string", pattern: "^[a-c]{2,5}$", maxLength: 5 }, ["aa", "aaaaa"]);
});

Deno.test("sampleBoundaries() lists empty lists, lists of one item and the longest lists", () => {
  const items = { type: "integer", minimum: 0, maximum: 1 };
  assertIncludes({ type: "array", items, maxItems: 3 }, [[], [0], [1], [0, 0, 0]]);
  assertIncludes({ type: "array", items, maxItems: 9 }, [Array(8).fill(0), Array(9).fill(0)]);
  assertIncludes({ type: "array", prefixItems: [items], items: false }, [[], [0], [1]]);
});

Deno.test("sampleBoundaries() lists objects without each optional member, and with only that member", () => {
  const properties = { a: { const: 1 }, b: { const: 2 }, c: { enum: [3, 4] } };
  assertIncludes(
    { type: "object", properties, required: ["a"], additionalProperties: false },
    [
      { a: 1 },
      { a: 1, b: 2 },
      { a: 1, c: 3 },
      { a: 1, c: 4 },
      { a: 1, b: 2, c: 3 },
    ],
  );
  const optional = { type: "object", properties: { ...properties, d: { const: 5 } }, additionalProperties: false };
  assertIncludes(optional, [{ b: 2, c: 3, d: 5 }, { a: 1, c: 3, d: 5 }, { a: 1, b: 2, d: 5 }, { a: 1, b: 2, c: 3 }]);
});

Deno.test("sampleBoundaries() lists unusual names if additional members are allowed", () => {
  const open = { type: "object", properties: { a: { const: 1 } }, additionalProperties: { type: "boolean" } };
  const texts = list(open).map((value) => JSON.stringify(value));
  for (const name of ["__proto__", "constructor", ""]) {
    assert(texts.includes(`{"a":1,"${name}":false}`), texts.join(" "));
  }
  assertEquals(list({ type: "object", additionalProperties: false }), [{}]);
});

Deno.test("sampleBoundaries() ends for recursive schemas", () => {
  const tree = {
    type: "object",
    properties: { all: { type: "array", items: { $ref: "#" } } },
    additionalProperties: false,
  };
  assert(list(tree).length < 200);
});

Deno.test("sampleBoundaries() ends at lists and objects of anything", () => {
  assertIncludes({ type: "array" }, [[]]);
  assertIncludes({ type: "object", properties: { list: { type: "array", maxItems: 2 } } }, [{ list: [] }, {
    list: ["aaaa", "aaaa"],
  }]);
  assertIncludes({ type: "array", items: { type: "object", properties: { any: {} } } }, [[]]);
});
