/** Schemas of others that are small, and would take for ever. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { type } from "arktype";
import { createChoices } from "../../src/tools/json_schema/choices.ts";
import type { Json, JsonSchema, JsonSchemaObject } from "../../src/tools/json_schema/json.ts";
import { locateSchema } from "../../src/tools/json_schema/locate.ts";
import { normalize } from "../../src/tools/json_schema/normalize.ts";
import { degreeOf, matchesPattern } from "../../src/tools/json_schema/pattern.ts";
import { toReader, toSender } from "../../src/tools/json_schema/reading_rules.ts";
import { findSample } from "../../src/tools/json_schema/sample.ts";
import { sampleBoundaries } from "../../src/tools/json_schema/sample_boundaries.ts";
import { limitSteps, spend, StepLimitError } from "../../src/tools/json_schema/steps.ts";
import { subset } from "../../src/tools/json_schema/subset.ts";
import { isValid, listFailures } from "../../src/tools/json_schema/validate.ts";
import { processorTime } from "../support/processor_time.ts";

const levels = 40;

/** A schema whose every level refers to the next one more than once, so that 2^40 paths lead to the last one. */
function diamond(level: (next: JsonSchema) => object, last: JsonSchema): JsonSchema {
  const $defs = Object.fromEntries(
    Array.from({ length: levels }, (_, index) => [`s${index}`, level({ $ref: `#/$defs/s${index + 1}` })]),
  );
  return { $ref: "#/$defs/s0", $defs: { ...$defs, [`s${levels}`]: last } };
}

const shapes: Readonly<Record<string, (next: JsonSchema) => object>> = {
  allOf: (next) => ({ allOf: [next, next] }),
  anyOf: (next) => ({ anyOf: [next, next] }),
  oneOf: (next) => ({ oneOf: [next, { allOf: [next, { minLength: 1 }] }] }),
  not: (next) => ({ not: { not: next }, allOf: [next] }),
  if: (next) => ({ if: next, then: next, else: next }),
  properties: (next) => ({ type: "object", properties: { a: next, b: next } }),
  required: (next) => ({ type: "object", properties: { a: next, b: next }, required: ["a", "b"] }),
  items: (next) => ({ type: "array", prefixItems: [next, next], contains: next }),
  dependentSchemas: (next) => ({ properties: { a: next }, dependentSchemas: { a: next, b: next } }),
  patternProperties: (next) => ({ type: "object", patternProperties: { "^a": next, "b$": next } }),
  unevaluatedProperties: (next) => ({ allOf: [next, next], unevaluatedProperties: next }),
  "allOf in anyOf": (next) => ({ anyOf: [{ allOf: [next], title: "A" }, { allOf: [next], minLength: 1 }] }),
};

/** Processes a schema in every way. An end by the step limit is fine, an end by the stack is not. */
function processAll(before: JsonSchema, after: JsonSchema, value: Json = "text"): void {
  const operations: readonly (() => unknown)[] = [
    () => normalize([locateSchema(before)]),
    () => isValid(locateSchema(before), value),
    () => listFailures(locateSchema(before), value),
    () => isValid(locateSchema(before), { a: { a: {} }, b: { b: [] } }),
    () => listFailures(locateSchema(before), { a: { a: {} }, b: { b: [] } }),
    () => subset(toSender(before), toReader(after, false)),
    () => findSample(locateSchema(before), createChoices(1)),
    () => findSample(locateSchema(before), createChoices(1), { isRealistic: true }),
    () => [...sampleBoundaries(locateSchema(before))],
  ];
  for (const operation of operations) {
    const begun = processorTime();
    try {
      operation();
    } catch (error) {
      assert(error instanceof StepLimitError || error instanceof TypeError, String(error));
    }
    const time = processorTime() - begun;
    if (Deno.env.has("SHOW")) console.log(String(operation).slice(6, 60), time.toFixed());
    assert(time < 30_000, `${operation} took ${time} ms`);
  }
}

for (const [name, level] of Object.entries(shapes)) {
  Deno.test(`a diamond of ${name} ends soon in every operation`, () => {
    const schema = (maxLength: number) => diamond(level, { type: "string", maxLength });

    processAll(schema(9), schema(8));
  });
}

Deno.test("1,000 properties end soon in every operation", () => {
  const schema = (maxLength: number) => ({
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [`m${index}`, { type: "string", maxLength }]),
    ),
  });

  processAll(
    schema(9),
    schema(8),
    Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`m${index}`, "text"])),
  );
});

Deno.test("5,000 levels end with an error in every operation, not at the end of the stack", () => {
  for (const keyword of ["allOf", "items", "not", "properties", "$ref"]) {
    const schema = (last: JsonSchema) => {
      if (keyword === "$ref") {
        const $defs: Record<string, JsonSchema> = { s5000: last };
        for (let index = 0; index < 5_000; index++) $defs[`s${index}`] = { allOf: [{ $ref: `#/$defs/s${index + 1}` }] };
        return { $ref: "#/$defs/s0", $defs };
      }
      let nested = last;
      for (let level = 0; level < 5_000; level++) {
        nested = { [keyword]: keyword === "allOf" ? [nested] : keyword === "properties" ? { a: nested } : nested };
      }
      return nested;
    };

    processAll(schema({ type: "string" }), schema({ type: "number" }));
    assertThrows(() => listFailures(locateSchema(schema(true)), "text"), TypeError, "nested more than 500 levels deep");
  }
});

/** Returns the steps that a computation takes. */
function countSteps(run: () => unknown): number {
  const allowance = { left: 1_000_000_000 };
  limitSteps(allowance, run);
  return 1_000_000_000 - allowance.left;
}

Deno.test("1,000 schemas of not are compared in linear time, wherever the same ones stand", () => {
  const values = Array.from({ length: 1_000 }, (_, index) => `v${index}`);
  const without = (excluded: readonly string[]) =>
    locateSchema({ type: ["object", "string"], allOf: excluded.map((value) => ({ not: { const: value } })) });
  const compare = (excluded: readonly string[]) =>
    subset(without(values), without(excluded)).map(({ keyword }) => keyword);

  assertEquals(compare(values.toReversed()), []);
  assertEquals(compare([...values, "other"]), ["not"]);
  const steps = countSteps(() => compare(values.toReversed()));
  assert(steps < 200_000, `${steps} steps`); // 610,000, when all pairs were compared
});

Deno.test("a value of 120 nested objects with any members takes few choices", () => {
  let schema: JsonSchemaObject = { type: "string" };
  for (let level = 0; level < 120; level++) schema = { type: "object", additionalProperties: schema };
  let count = 0;
  const { next } = createChoices(1);
  const counted = () => {
    count++;
    return next();
  };

  findSample(locateSchema(schema), { next: counted }, { isRealistic: true });
  assert(count < 1_000, `${count} choices`); // 2,400, when objects were drawn that must not have members
});

Deno.test("a computation without a limit leaves those of later ones as they are", () => {
  limitSteps(Infinity, () => spend());

  assertThrows(() => limitSteps(1, () => spend(2)), StepLimitError);
});

const hostile = [
  "^(a+)+$",
  "^(a|a)*$",
  "^(a*)*$",
  "^(\\w+\\s?)*$",
  "(x+x+)+y",
  "^(a?){30}a{30}$",
  "(?=(a+)+$)b",
  "^(a+)\\1*$",
];

Deno.test("a pattern that can take exponential time is tested with short texts only", () => {
  for (const pattern of [...hostile, "a?".repeat(30) + "a".repeat(30)]) {
    assertEquals(degreeOf(pattern), undefined, pattern);
    assertEquals(matchesPattern(pattern, "aaaaaaa!"), new RegExp(pattern).test("aaaaaaa!"));
    assertThrows(() => matchesPattern(pattern, `${"a".repeat(40)}!`), StepLimitError, "it could take too long");
    processAll(
      { type: "string", pattern, minLength: 40 },
      { type: "string", pattern: `${pattern}|b` },
      `${"a".repeat(40)}!`,
    );
  }
});

Deno.test("a pattern that takes polynomial time is tested with texts up to a length", () => {
  const pattern = "a*a*a*a*b";

  assertEquals(degreeOf(pattern), 5);
  assertEquals(matchesPattern(pattern, "aab"), true);
  assertThrows(() => matchesPattern(pattern, "a".repeat(1_000)), StepLimitError);
});

Deno.test("patterns of usual formats are tested with texts of every usual length", () => {
  const usual = [
    "^(?:[A-Za-z0-9_'+\\-]+\\.)*[A-Za-z0-9_'+\\-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
    "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12})$",
    "^(?:(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])$",
    "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
    "^[a-z0-9]+(?:-[a-z0-9]+)*$",
    "^\\d{4}-[01]\\d-[0-3]\\dT[0-2]\\d:[0-5]\\d(:[0-5]\\d(\\.\\d+)?)?(Z|[+-]\\d\\d:\\d\\d)$",
    (type("string.date.iso").toJsonSchema() as { readonly pattern: string }).pattern, // refers to its groups
  ];

  for (const pattern of usual) assert((degreeOf(pattern) ?? Infinity) <= 2, pattern);
});

Deno.test("a reference to a group counts as the group, unless the group can match long texts", () => {
  assertEquals(degreeOf("^(-?)a\\1$"), 1);
  assertEquals(degreeOf("^(a?)(b)\\2(?:\\1c)*$"), 1);
  assertEquals(degreeOf("^(a?)(?:\\1a?)*$"), undefined);
  assertEquals(degreeOf("^(a*)\\1$"), undefined);
  assertEquals(degreeOf("^(a\\1)$"), undefined);
  assertEquals(degreeOf("^\\1(a)$"), undefined);
  assertEquals(degreeOf("^(?<x>a)\\k<x>$"), undefined);
});
