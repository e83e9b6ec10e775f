import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { formatQuery, parseQuery } from "../../src/wire/text_fields.ts";
import { tries } from "../support/tries.ts";

/** The entries that `URLSearchParams` reads, in the form of {@linkcode parseQuery}. */
function readFields(query: string): [name: string, value: string | string[]][] {
  const { searchParams } = new URL(`http://localhost/?${query}`);
  return [...new Set(searchParams.keys())].map((name) => {
    const values = searchParams.getAll(name);
    return [name, values.length === 1 ? values[0]! : values];
  });
}

/** A query as a request's URL spells it. */
function searchOf(text: string): string {
  return new URL(`http://localhost/?${text}`).search.slice(1);
}

const piece = fc.oneof(
  fc.constantFrom("a", "b", "&", "=", "+", "%", "%2", "%GG", "%41", "%C3%A9", "%C3", "%FF", "%EF%BB%BF", "%ED%A0%80"),
  fc.constantFrom("?", ";", "[]", "%26", "%3D", "%2B", "%00", "__proto__", "constructor", "é", " ", "'"),
  fc.string({ unit: "binary" }),
);
const query = fc.array(piece, { maxLength: 12 }).map((pieces) => searchOf(pieces.join("")));

// proves queries | Queries are parsed as by `URLSearchParams` | URL Standard, 5.1
Deno.test("parseQuery() reads the same fields as URLSearchParams", () => {
  fc.assert(
    fc.property(
      query,
      (text) => assertEquals(Object.entries(parseQuery(text)).sort(byName), readFields(text).sort(byName)),
    ),
    tries(2_000),
  );
});

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

// proves queries-differences | Values keep their order across different keys | URL Standard, 5.1 | A key that occurs
//   several times becomes a list at its first position | Schemas validate objects
Deno.test("parseQuery() returns one value as a string, several as an ordered list, and nothing for an absent key", () => {
  assertEquals(parseQuery("a=1&b=2&a=3&a="), { a: ["1", "3", ""], b: "2" });
  assertEquals(parseQuery("a&b=&=c&&"), { a: "", b: "", "": "c" });
  assertEquals(parseQuery("a=b=c&x%3Dy=z"), { a: "b=c", "x=y": "z" });
  assertEquals(parseQuery("?a=1"), { "?a": "1" });
  assertEquals(parseQuery(""), {});
});

// proves queries | Any name is a key, even `__proto__` | URL Standard, 5
Deno.test("parseQuery() keeps hostile keys as own properties and does not change prototypes", () => {
  const fields = parseQuery("__proto__=1&__proto__=2&constructor=3&__proto__[polluted]=4&toString=5");
  assertEquals(Object.keys(fields).sort(), ["__proto__", "__proto__[polluted]", "constructor", "toString"]);
  assertEquals(Object.getOwnPropertyDescriptor(fields, "__proto__")?.value, ["1", "2"]);
  assertEquals(Object.getPrototypeOf(fields), Object.prototype);
  assert(!("polluted" in {}));
});

const text = fc.string({ unit: "binary" }); // any code point but halves of surrogate pairs
const hostile = fc.constantFrom("__proto__", "constructor", "hasOwnProperty", "", "a", "1");
const special = fc.array(fc.constantFrom("&", "=", "+", " ", "%", "%26", "#", "a"), { maxLength: 6 }).map((all) =>
  all.join("")
);
const fields = fc.array(fc.tuple(fc.oneof(text, hostile, special), fc.oneof(text, special)), { maxLength: 6 });

// proves queries | A formatted query is parsed to the same values | URL Standard, 5
Deno.test("parseQuery() reverses formatQuery()", () => {
  fc.assert(
    fc.property(fields, (pairs) => {
      const parsed = parseQuery(formatQuery(pairs));
      const read = Object.entries(parsed).map(([name, value]) => [name, [value].flat()]);
      const given = Map.groupBy(pairs, ([name]) => name);
      assertEquals(
        new Map(read as [string, string[]][]),
        new Map([...given].map(([name, all]) => [name, all.map(([, value]) => value)])),
      );
    }),
  );
});

// proves queries-differences | `!`, `'`, `(`, `)` and `~` are escaped | URL Standard, 5.2 | They are not escaped |
//   Both forms are parsed alike
Deno.test("formatQuery() writes text that URL does not change", () => {
  fc.assert(fc.property(fields, (pairs) => {
    const formatted = formatQuery(pairs);
    assertEquals(parseQuery(searchOf(formatted)), parseQuery(formatted));
  }));
});

// proves queries | A space is written as a plus; delimiters are escaped | URL Standard, 5.2
Deno.test("formatQuery() encodes spaces and delimiters like a form", () => {
  assertEquals(formatQuery([["a b", "c&d=e+f"], ["g", ""]]), "a+b=c%26d%3De%2Bf&g=");
});

// proves queries-differences | A lone surrogate is replaced by U+FFFD | URL Standard, 5.2 | It is rejected | Any text
//   arrives unchanged
Deno.test("formatQuery() refuses a lone surrogate", () => {
  for (const pair of [["a", "\ud800"], ["\udfff", "a"]] as const) assertThrows(() => formatQuery([pair]), URIError);
});

Deno.test("parseQuery() takes linear time, whatever its fields lack", () => {
  const shapes = [() => "k", (index: number) => `k${index}`, () => "="];
  for (const shape of shapes) {
    const fields = (count: number): string => Array.from({ length: count }, (_, index) => shape(index)).join("&");
    const [some, more] = [fields(50_000), fields(200_000)];
    // four times as much takes four times as long in proportion, sixteen times where each field looks through all that follow;
    // a machine that is busy may spoil a few attempts, but lends a slow reader no quick one
    assert(Array.from({ length: 10 }).some(() => timeOf(more) < 10 * timeOf(some)));
  }
});

/** How long the reading takes, in milliseconds. */
function timeOf(query: string, read: (query: string) => unknown = parseQuery): number {
  const started = performance.now();
  read(query);
  return performance.now() - started;
}

Deno.test("parseQuery() takes about as long as URLSearchParams if escapes are malformed", () => {
  for (const field of ["a=%&", "%&", "a=%FF&", "a=%C3%&", "%GG=1&"]) {
    const query = field.repeat(200_000 / field.length);
    // the first attempts warm up; a reader that asks the platform for each field takes nine times as long and more
    assert(Array.from({ length: 10 }).some(() => timeOf(query) < 5 * timeOf(query, readEntries)), field);
  }
});

/** The same list by the platform's own reader. */
function readEntries(query: string): unknown {
  const fields: Record<string, string[]> = {};
  for (const [name, value] of new URLSearchParams(query)) (fields[name] ??= []).push(value);
  return fields;
}
