import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { isDeeperThan, readJson } from "../../src/wire/json.ts";
import { asserting } from "../support/tries.ts";

const always = asserting(100);

/** JSON of this many levels, alternating arrays and objects. */
function nest(levels: number, inner = "0"): string {
  const open = Array.from({ length: levels }, (_, level) => level % 2 === 0 ? "[" : '{"a":').join("");
  const close = Array.from({ length: levels }, (_, level) => level % 2 === 0 ? "]" : "}").reverse().join("");
  return `${open}${inner}${close}`;
}

/** The number of levels, as it is defined. */
function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Object.values(value).reduce((most: number, each) => Math.max(most, depthOf(each)), 0);
}

Deno.test("isDeeperThan() compares the number of levels of any JSON value with the maximum", async () => {
  await always(fc.property(fc.jsonValue({ depthSize: "medium" }), fc.nat({ max: 8 }), (value, maxDepth) => {
    assertEquals(isDeeperThan(maxDepth, value), depthOf(value) > maxDepth);
  }));
});

Deno.test("isDeeperThan() finds the deep part wherever it is, and does not count brackets in strings", () => {
  const wide = Array.from({ length: 2000 }, () => [[{}]]);
  const text = "[{".repeat(500);
  const deep: unknown = JSON.parse(nest(100));
  for (const value of [wide, deep, [text, { [text]: 1 }], [], {}, null, "["]) {
    assertEquals(isDeeperThan(100, value), false);
  }
  for (const value of [[wide, deep], { a: 1, b: deep, c: [] }, [[], deep], JSON.parse(nest(101))]) {
    assertEquals(isDeeperThan(100, value), true);
  }
});

Deno.test("isDeeperThan() does not overflow the stack, however deep the value is", () => {
  const value: unknown = JSON.parse(nest(100_000));
  assertEquals(isDeeperThan(100, value), true);
});

Deno.test("readJson() accepts 1,000 levels, and not one more", () => {
  for (const text of [nest(1000), "[".repeat(1000) + "]".repeat(1000)]) assertEquals(readJson(text), JSON.parse(text));
  for (const levels of [1001, 1002, 100_000]) {
    assertThrows(() => readJson(nest(levels)), SyntaxError, "more than 1000 levels");
  }
});
