import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { createChoices } from "../../src/tools/json_schema/choices.ts";
import type { Json, JsonSchema } from "../../src/tools/json_schema/json.ts";
import type { LocatedSchema } from "../../src/tools/json_schema/locate.ts";
import { canBeSent, toReader, toSender } from "../../src/tools/json_schema/reading_rules.ts";
import { findSample } from "../../src/tools/json_schema/sample.ts";
import { sampleBoundaries } from "../../src/tools/json_schema/sample_boundaries.ts";
import { subset } from "../../src/tools/json_schema/subset.ts";
import { isValid } from "../../src/tools/json_schema/validate.ts";
import { tries } from "../support/tries.ts";
import { recursivePairs, schemaPairs } from "../support/json_schemas.ts";

/** The differences of two schemas, each as one line. */
function compare(sender: JsonSchema, reader: JsonSchema, isOpen = false): string[] {
  return subset(toSender(sender), toReader(reader, isOpen)).map(({ path, verdict, keyword, sender, reader }) => {
    const operands = [sender, reader].map((operand) => operand === undefined ? "–" : JSON.stringify(operand));
    return `${verdict} ${path.map((name) => `/${name}`).join("")} ${keyword} ${operands.join(" ")}`;
  });
}

const string = { type: "string" };
const number = { type: "number" };

/** An object that has a required member `a` and perhaps an optional one `b`. */
function object(a: JsonSchema, b?: JsonSchema): JsonSchema {
  return { type: "object", properties: { a, ...(b !== undefined && { b }) }, required: ["a"] };
}

Deno.test("subset() proves that a schema is a subset of itself, inline or by reference, in any order and with any annotations", () => {
  const tree = (words: object) => ({
    $ref: "#/$defs/tree",
    $defs: { tree: { ...words, properties: { name: string, children: { items: { $ref: "#/$defs/tree" } } } } },
  });
  const named = { ...object({ $ref: "#/$defs/name" }) as object, $defs: { name: { ...string, title: "Name" } } };

  assertEquals(compare(tree({}), tree({ title: "Tree" })), []);
  assertEquals(compare(object(string), named), []);
  assertEquals(compare({ anyOf: [string, number] }, { oneOf: [number, string] }), []);
  const overlapping = [{ ...number, minimum: 0 }, { ...number, maximum: 9 }];
  assertEquals(compare({ anyOf: overlapping }, { oneOf: overlapping }), []);
  assertEquals(compare({ enum: ["a", "b"] }, { enum: ["b", "a"], examples: ["a"] }), []);
  assertEquals(compare({ allOf: [object(string), { properties: { b: number } }] }, object(string, number)), []);
});

Deno.test("subset() proves that narrower schemas are subsets, and reports where wider ones are not", () => {
  const cases: readonly (readonly [JsonSchema, JsonSchema, string])[] = [
    [string, { type: ["string", "null"] }, 'refuted  type ["null"] ["string"]'],
    [{ type: "integer" }, number, 'refuted  type ["number"] ["integer"]'],
    [{ minimum: 2, ...number }, { minimum: 1, ...number }, "refuted  minimum 1 2"],
    [{ exclusiveMinimum: 1, ...number }, { minimum: 1, ...number }, "refuted  exclusiveMinimum 1 1"],
    [{ maximum: 1, ...number }, number, "refuted  maximum – 1"],
    [{ multipleOf: 4, ...number }, { multipleOf: 2, ...number }, "refuted  multipleOf 2 4"],
    [{ minLength: 2, ...string }, string, "refuted  minLength – 2"],
    [{ maxLength: 2, ...string }, { maxLength: 3, ...string }, "refuted  maxLength 3 2"],
    [{ pattern: "^a", ...string }, string, 'refuted  pattern – "^a"'],
    [{ format: "email", ...string }, string, 'refuted  format – "email"'],
    [{ enum: ["a"] }, { enum: ["a", "b"] }, 'refuted  enum ["b"] ["a"]'],
    [{ enum: ["a"] }, string, 'refuted  enum – ["a"]'],
    [{ type: "array", minItems: 1 }, { type: "array" }, "refuted  minItems – 1"],
    [{ type: "array", maxItems: 1 }, { type: "array" }, "refuted  maxItems – 1"],
    [{ type: "array", uniqueItems: true }, { type: "array" }, "refuted  uniqueItems false true"],
    [{ type: "array", items: string }, { type: "array", items: number }, 'refuted /* type ["number"] ["string"]'],
    [object({ minimum: 1, ...number }), object(number), "refuted /a minimum – 1"],
    [object(string), { ...object(string) as object, required: [] }, 'refuted /a required "optional" "required"'],
    [object(string), { type: "object", properties: {} }, 'refuted /a required "absent" "required"'],
    [
      { type: "object", additionalProperties: number },
      { type: "object", additionalProperties: string },
      'refuted /* type ["string"] ["number"]',
    ],
  ];

  for (const [reader, sender, difference] of cases) {
    assertEquals(compare(sender, reader), [difference]);
    assertEquals(compare(reader, reader), []);
  }
});

Deno.test("subset() compares bounds and steps, however they are written", () => {
  const integer = { type: "integer" };

  for (const other of [{ ...integer, minimum: 1 }, { ...integer, minimum: 0.5 }]) {
    assertEquals(compare({ ...integer, exclusiveMinimum: 0 }, other), []);
    assertEquals(compare(other, { ...integer, exclusiveMinimum: 0 }), []);
  }
  assertEquals(compare({ ...integer, multipleOf: 6 }, { ...integer, multipleOf: 3 }), []);
  assertEquals(compare({ ...number, multipleOf: 0.3 }, { ...number, multipleOf: 0.1 }), []);
  assertEquals(compare({ ...number, multipleOf: 2 }, integer), []);
  for (const none of [{ minimum: 0.2, maximum: 0.8 }, { exclusiveMinimum: 1e21, maximum: 1e21 }]) {
    assertEquals(compare({ ...integer, ...none }, string), []);
  }
});

Deno.test("subset() applies every set of merged rules to members that match a pattern", () => {
  const patterned = { type: "object", patternProperties: { "^a": string } };

  assertEquals(compare(patterned, { allOf: [patterned], additionalProperties: number }), [
    'refuted /* type ["string"] []',
  ]);
  assertEquals(compare(patterned, { ...patterned, additionalProperties: number }), []);
});

Deno.test("subset() reports unknown if it cannot decide", () => {
  assertEquals(compare({ pattern: "^[a-z]+$", ...string }, { pattern: "^[a-z]+(?<!-)$", ...string }), [
    'unknown  pattern "^[a-z]+$" "^[a-z]+(?<!-)$"',
  ]);
  assertEquals(compare(string, { ...string, not: { pattern: "^a" } }), ["unknown  not – –"]);
  assertEquals(compare(string, { ...string, not: number }), []);
});

Deno.test("senders send only declared members", () => {
  const closed = { ...object(string) as object, additionalProperties: false };

  assertEquals(compare(object(string), closed), []);
  assertEquals(compare(object(string, number), closed), ['refuted /b additionalProperties "optional" false']);
  assertEquals(compare({ ...object(string) as object, additionalProperties: true }, closed), [
    'refuted /* additionalProperties "optional" false',
  ]);
  assertEquals(compare({ type: "object" }, closed), [
    'refuted /a required "optional" "required"',
    'refuted /a type ["null","boolean","number","array","object"] ["string"]',
    'refuted /* additionalProperties "optional" false',
  ]);
});

Deno.test("isSendable() accepts the values that a sender may send", () => {
  const sender = toSender({ anyOf: [object(string), { enum: [{ b: 1 }, [2]] }] });

  for (const value of [{ a: "x" }, { b: 1 }, [2]]) assert(canBeSent([sender], value), JSON.stringify(value));
  for (const value of [{ a: "x", b: 1 }, { b: 2 }, { c: 3 }, [3], "x"]) {
    assert(!canBeSent([sender], value), JSON.stringify(value));
  }
  const conditional = toSender({ type: "object", if: { properties: {} } }); // every object meets the condition
  assertEquals([canBeSent([conditional], {}), canBeSent([conditional], { other: 1 })], [true, false]);
});

Deno.test("open readers ignore unknown members", () => {
  const closed = { ...object({ ...object(string) as object, additionalProperties: false }) as object };
  const wider = object(object(string, number), number);

  assertEquals(compare(wider, closed), ['refuted /a/b additionalProperties "optional" false']);
  assertEquals(compare(wider, { ...closed, unevaluatedProperties: false }, true), []);
});

Deno.test("subset() distinguishes the alternatives of a union by their tags", () => {
  const circle = object({ const: "circle" }, number);
  const square = object({ const: "square" }, string);
  const either = object({ enum: ["circle", "square"] });

  assertEquals(compare({ anyOf: [square, circle] }, { oneOf: [circle, square] }), []);
  assertEquals(compare({ anyOf: [square, circle] }, circle), ['refuted  anyOf {"a":"square"} –']);
  assertEquals(compare({ anyOf: [square, object({ const: "circle" }, string)] }, { anyOf: [circle, square] }), [
    'refuted /b type ["string"] ["number"]',
  ]);
  assertEquals(compare(either, { anyOf: [circle, square] }), []);
});

Deno.test("subset() compares recursive schemas", () => {
  const list = (item: JsonSchema) => ({
    $ref: "#/$defs/list",
    $defs: { list: { anyOf: [{ type: "null" }, { ...object(item, { $ref: "#/$defs/list" }) as object }] } },
  });

  assertEquals(compare(list({ minLength: 1, ...string }), list(string)), []);
  assertEquals(compare(list(string), list({ minLength: 1, ...string })), ["refuted /a minLength – 1"]);
});

Deno.test("subset() drops its assumption about a recursive schema if it proves wrong", () => {
  const ref = (name: string) => ({ $ref: `#/$defs/${name}` });
  const part = (properties: Readonly<Record<string, JsonSchema>>) => ({ type: "object", properties });
  const pair = (own: JsonSchema, x: JsonSchema) => ({
    ...part({ x, y: ref("b") }),
    $defs: { a: part({ own, b: ref("b") }), b: part({ a: ref("a") }) },
  });
  const [sender, reader] = [
    pair(string, part({ m: ref("a") })),
    pair({ minLength: 1, ...string }, { anyOf: [part({ m: ref("a") }), part({ m: { type: "object" } })] }),
  ];

  assertEquals(compare(sender, reader), ["refuted /y/a/own minLength – 1"]);
});

Deno.test("subset() reports a schema that many places refer to in the three nearest ones", () => {
  const item = { $ref: "#/$defs/item" };
  const of = (minimum: number) => ({
    type: "object",
    properties: {
      far: { type: "object", properties: { a: { type: "object", properties: { b: item } } } },
      ...Object.fromEntries(["a", "b", "c", "d"].map((name) => [name, item])),
      own: { ...number, minimum },
    },
    $defs: { item: { ...number, minimum } },
  });

  assertEquals(compare(of(1), of(2)), [
    "refuted /a minimum 1 2",
    "refuted /b minimum 1 2",
    "refuted /c minimum 1 2",
    "refuted /own minimum 1 2",
  ]);
});

/** Values that a sender may send: those at its bounds, and some of others. */
function* sendableValues(sender: LocatedSchema, count: number): Iterable<Json> {
  let listed = 0;
  for (const value of sampleBoundaries(sender)) {
    if (++listed > count) break;
    if (canBeSent([sender], value)) yield value;
  }
  for (let seed = 0; seed < count; seed++) {
    const value = findSample(sender, createChoices(seed), { isRealistic: seed % 2 === 0 });
    if (value !== undefined && canBeSent([sender], value)) yield value;
  }
}

/** A value that a sender may send and a reader rejects. */
function findRefused(sender: LocatedSchema, reader: LocatedSchema): Json | undefined {
  for (const value of sendableValues(sender, 200)) if (!isValid(reader, value)) return value;
}

Deno.test("no value refutes what subset() proves, and values usually show what it refutes", () => {
  const refuted = { withWitness: 0, without: 0 };
  fc.assert(
    fc.property(schemaPairs, fc.boolean(), ([left, right], isOpen) => {
      const [sender, reader] = [toSender(left), toReader(right, isOpen)];
      const differences = subset(sender, reader);
      const found = findRefused(sender, reader);
      if (differences.length === 0) assertEquals(found, undefined, JSON.stringify([left, right, found]));
      if (differences.some(({ verdict }) => verdict === "refuted")) {
        refuted[found === undefined ? "without" : "withWitness"]++;
      }
    }),
    tries(250),
  );

  assert(refuted.withWitness > 10 * refuted.without, JSON.stringify(refuted));
});

Deno.test("no value refutes what subset() proves for recursive schemas", () => {
  let proven = 0;
  fc.assert(
    fc.property(recursivePairs, ([left, right]) => {
      const [sender, reader] = [toSender(left), toReader(right, true)];
      if (subset(sender, reader).length > 0) return;
      proven++;
      const found = findRefused(sender, reader);
      assertEquals(found, undefined, JSON.stringify([left, right, found]));
    }),
    tries(120),
  );

  assert(proven > 8, String(proven));
});

Deno.test("subset() proves that a choice of many constants is a list of them", () => {
  const values = Array.from({ length: 2_000 }, (_, index) => index);
  const numbers = values.map((value) => ({ type: "integer", const: value, title: `Number ${value}` }));
  const texts = values.map((value) => ({ const: `v${value}`, description: "A text." }));

  assertEquals(compare({ oneOf: numbers }, { type: "integer", enum: values }), []);
  assertEquals(compare({ enum: values }, { oneOf: numbers }), []);
  assertEquals(compare({ anyOf: texts }, { enum: values.map((value) => `v${value}`) }), []);
  const optional = { anyOf: [...texts, { type: "null" }] };
  assertEquals(compare(optional, { enum: [null, ...values.map((value) => `v${value}`)] }), []);
  assertEquals(compare({ oneOf: [{ const: 1 }, { const: 2 }] }, { enum: [1] }), [
    "refuted  enum [2] [1]",
  ]);
});
