/** Documents of others that are small, and would take for ever to compare. */
import { assert, assertEquals } from "@std/assert";
import { defineContract, response, route } from "@scope/api";
import { type AnyOpenApiDocument, type Change, diffContracts } from "@scope/api/diff";
import type { JsonSchemaObject } from "../../src/tools/json_schema/json.ts";
import { fromJsonSchema } from "./from_json_schema.ts";
import { processorTime } from "../support/processor_time.ts";

/** A document with one body. */
function documentWith(schemas: Readonly<Record<string, object>>): AnyOpenApiDocument {
  const content = { "application/json": { schema: { $ref: "#/components/schemas/S0" } } };
  const operation = { requestBody: { required: true, content }, responses: { 200: { description: "", content } } };
  return { openapi: "3.1.1", paths: { "/it": { put: operation } }, components: { schemas } } as AnyOpenApiDocument;
}

function reference(level: number): object {
  return { $ref: `#/components/schemas/S${level}` };
}

/** A document whose every schema refers to the next one more than once. */
function diamond(level: (next: object) => object, maxLength: number): AnyOpenApiDocument {
  const entries = Array.from({ length: 30 }, (_, index) => [`S${index}`, level(reference(index + 1))] as const);
  return documentWith({ ...Object.fromEntries(entries), S30: { type: "string", maxLength } });
}

/** Compares two documents, which must end soon. A time that doubles at each level shows in a few samples. */
function compareSoon(before: AnyOpenApiDocument, after: AnyOpenApiDocument): readonly Change[] {
  const begun = processorTime();
  const changes = diffContracts(before, after, { samples: 50 });
  const time = processorTime() - begun;
  if (Deno.env.has("SHOW")) {
    console.log(
      time.toFixed(),
      changes.map(({ verdict, message }) => `${verdict} ${message}`.slice(0, 150)),
    );
  }
  assert(time < 20_000, `${time} ms`); // a tenth of it on a machine without other load
  return changes;
}

const diamonds: Readonly<Record<string, (next: object) => object>> = {
  allOf: (next) => ({ allOf: [next, next] }),
  anyOf: (next) => ({ anyOf: [next, next] }),
  oneOf: (next) => ({ oneOf: [next, next] }),
  not: (next) => ({ not: { not: next }, allOf: [next, next] }),
  if: (next) => ({ if: next, then: next, else: next }),
  properties: (next) => ({ type: "object", properties: { a: next, b: next } }),
  "required properties": (next) => ({ type: "object", properties: { a: next, b: next }, required: ["a", "b"] }),
};

for (const [name, level] of Object.entries(diamonds)) {
  Deno.test(`diffContracts() ends soon for a diamond of ${name}, and is not silent`, () => {
    const changes = compareSoon(diamond(level, 9), diamond(level, 8));

    assert(changes.some(({ verdict }) => verdict === "breaking" || verdict === "unproven"));
    assertEquals(compareSoon(diamond(level, 9), diamond(level, 9)), []);
  });
}

Deno.test("diffContracts() takes time in proportion to the number of members, and finds what changed in each", () => {
  const members = (number: number) => [
    { type: "string", maxLength: number },
    { type: "integer", minimum: 9 - number },
    { type: "string", pattern: number === 9 ? "^[ab]*$" : "^a*$" },
    { enum: ["a", "b"].slice(0, number - 7) },
  ];
  const wide = (count: number, number: number) => {
    const properties = Array.from({ length: count }, (_, index) => [`m${index}`, members(number)[index % 4]]);
    const required = number === 9 ? [] : properties.map(([name]) => name);
    return documentWith({ S0: { type: "object", properties: Object.fromEntries(properties), required } });
  };
  const timeOf = (count: number): number => {
    const begun = processorTime();
    const changes = diffContracts(wide(count, 9), wide(count, 8));
    const witnessed = changes.filter(({ verdict, witness }) => verdict === "breaking" && witness !== undefined);
    assertEquals(witnessed.length, 2 * count); // another bound, and required
    return processorTime() - begun;
  };
  timeOf(30);
  const [few, many] = [timeOf(120), timeOf(480)];

  assert(many < 10 * few, `${few} ms and ${many} ms`); // 4 times the members; 16 if the time were quadratic
});

const numbered = (count: number, part: (index: number) => object) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, part(index)]));
const members = (count: number, leaf: object) => ({ type: "object", properties: numbered(count, () => leaf) });
const listed = (count: number, leaf: object) =>
  Object.entries(numbered(count, () => leaf)).map(([name, part]) => ({ type: "object", properties: { [name]: part } }));

/** Schemas with a number of parts that differ, and how many of these have a witness. */
const large: Readonly<
  Record<string, readonly [count: number, (count: number, leaf: object) => object, shown: number]>
> = {
  "members that are lists": [400, (count, leaf) => members(count, { type: "array", items: leaf }), 400],
  "objects in allOf": [300, (count, leaf) => ({ allOf: listed(count, leaf) }), 300],
  "a closed allOf": [120, (count, leaf) => ({ allOf: listed(count, leaf), unevaluatedProperties: false }), 120],
  "patternProperties": [200, (count, leaf) => ({ type: "object", patternProperties: numbered(count, () => leaf) }), 1],
};

for (const [name, [count, around, shown]] of Object.entries(large)) {
  Deno.test(`diffContracts() compares ${name} about as fast as members, and shows what changed in each`, () => {
    const timeOf = (make: (count: number, leaf: object) => object, witnesses: number): number => {
      const [before, after] = [9, 8].map((maxLength) =>
        documentWith({ S0: make(count, { type: "string", maxLength }) })
      );
      const begun = processorTime();
      const changes = diffContracts(before!, after!);
      assertEquals(changes.filter(({ verdict, witness }) => verdict === "breaking" && witness).length, witnesses);
      return processorTime() - begun;
    };
    timeOf(members, count);
    const [usual, time] = [Math.max(50, timeOf(members, count)), timeOf(around, shown)];

    assert(time < 10 * usual, `${time} ms, and ${usual} ms for members`);
  });
}

Deno.test("diffContracts() shows many differences beyond the bounds of the reader", () => {
  const bounds = (index: number) =>
    [
      { type: "string", maxLength: 1_000 + index },
      { type: "string", minLength: 9 },
      { type: "number", multipleOf: index + 1.5 },
      { type: "integer", exclusiveMaximum: 5_000 + index },
    ][index % 4]!;
  const document = (part: (index: number) => object) =>
    documentWith({ S0: { type: "object", properties: numbered(160, part) } });
  const before = document((index) => index % 4 < 2 ? { type: "string" } : { type: "number", minimum: 1, maximum: 1e9 });
  const changes = diffContracts(before, document(bounds)).filter(({ rule }) => rule === "request-narrowed");

  assertEquals(changes.filter(({ witness }) => witness === undefined).map(({ message }) => message), []);
  assertEquals(changes.length >= 160, true);
});

Deno.test("diffContracts() says that a schema of 5,000 levels is too deep", () => {
  const deep = (last: object) => {
    let nested = last;
    for (let level = 0; level < 5_000; level++) nested = { items: nested };
    return documentWith({ S0: nested });
  };
  const changes = compareSoon(deep({ type: "string" }), deep({ type: "number" }));

  assertEquals(changes.map(({ verdict, rule }) => `${verdict} ${rule}`), [
    "unproven schema-unknown",
    "unproven schema-unknown",
  ]);
});

Deno.test("diffContracts() does not run a pattern that may take exponential time", () => {
  const text = (pattern: string) => documentWith({ S0: { type: "string", minLength: 40, pattern } });
  const changes = compareSoon(text("^(a+)+(?<!b)!$"), text("^(a|a)+(?<!b)!$"));

  assertEquals(changes.map(({ verdict, where }) => `${verdict} ${where}`), ["unproven body", "unproven 200"]);
});

const names = Array.from({ length: 2_000 }, (_, index) => `m${index}`);
const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));

/** Equal schemas, and the most values that the schemas of both contracts may have to check. */
const wide: Readonly<Record<string, readonly [schema: JsonSchemaObject, mostChecks: number]>> = {
  "2,000 properties": [{ type: "object", properties }, 1_000], // it was 2,008
  "2,000 required names": [{ required: names }, 1_000], // 8,000
  "a text of a million characters": [{ type: "string", pattern: "^(a{1000}){1000}$" }, 0],
};

for (const [name, [schema, mostChecks]] of Object.entries(wide)) {
  Deno.test(`diffContracts() ends soon for equal schemas with ${name}, whose checks it also compares`, () => {
    let checks = 0;
    const count = () => {
      checks++;
      return false;
    };
    const contract = () =>
      defineContract({
        routes: {
          it: route.put("/it", {
            body: fromJsonSchema(schema, count),
            responses: { 200: response.json(fromJsonSchema(schema, count)) },
          }),
        },
      });
    const begun = processorTime();

    assertEquals(diffContracts(contract(), contract()), []);
    const time = processorTime() - begun;
    assert(checks <= mostChecks, `${checks} checks`);
    assert(mostChecks > 0 || time < 7_000, `${time} ms`); // no value was found in 15 seconds
  });
}

const answers = { get: { responses: { 200: { description: "" } } } };

/** Documents with one long path or server. Each took seconds to minutes when the time was quadratic. */
const long: Readonly<Record<string, object>> = {
  "60,000 opening braces": { paths: { [`/${"{".repeat(60_000)}`]: answers } },
  "5,000 equal parameters": { paths: { [`/${"{a}".repeat(5_000)}`]: answers } },
  "4,000 parameters": { paths: { [names.map((name) => `/{${name}}{also_${name}}`).join("")]: answers } },
  "a server of 60,000 slashes": { servers: [{ url: `http://h${"/".repeat(60_000)}x` }], paths: { "/a": answers } },
};

for (const [name, parts] of Object.entries(long)) {
  Deno.test(`diffContracts() takes linear time for ${name}`, () => {
    const document = { openapi: "3.1.0", info: { title: "T", version: "1" }, ...parts };
    const other = { ...document, "x-note": "so that the documents are not equal" };

    const begun = processorTime();
    assertEquals(diffContracts(document, other), []);
    assert(processorTime() - begun < 5_000, `${processorTime() - begun} ms`);
  });
}
