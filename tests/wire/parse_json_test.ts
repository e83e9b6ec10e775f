import { assertEquals, assertLess, assertStringIncludes, assertThrows } from "@std/assert";
import fc from "fast-check";
import { parseJson } from "../../src/wire/json.ts";
import { tries } from "../support/tries.ts";

fc.configureGlobal(tries(100));

/** JSON of this many levels, alternating arrays and objects. */
function nest(levels: number, inner = ""): string {
  const open = Array.from({ length: levels }, (_, level) => level % 2 === 0 ? "[" : '{"a":').join("");
  const close = Array.from({ length: levels }, (_, level) => level % 2 === 0 ? "]" : "}").reverse().join("");
  return `${open}${inner || (levels % 2 === 0 ? "0" : "")}${close}`;
}

Deno.test("parseJson() accepts 1,000 levels of nesting, and not one more", () => {
  for (const deep of [nest(1000), "[".repeat(1000) + "]".repeat(1000)]) assertEquals(parseJson(deep), JSON.parse(deep));
  for (const levels of [1001, 1002, 100_000]) {
    const { message } = assertThrows(() => parseJson(nest(levels)), SyntaxError);
    assertStringIncludes(message, "more than 1000 levels");
  }
});

Deno.test("parseJson() counts levels that are open at once, wherever they are", () => {
  const wide = `[${Array.from({ length: 2000 }, () => "[[{}]]").join(",")}]`;
  assertEquals(parseJson(wide), JSON.parse(wide));
  for (const deep of [`[${wide},${nest(1000)}]`, `{"a":1,"b":${nest(1000)},"c":[]}`, "[".repeat(3000)]) {
    assertStringIncludes(assertThrows(() => parseJson(deep), SyntaxError).message, "more than 1000 levels");
  }
});

Deno.test("parseJson() does not count brackets in strings, whatever is escaped in the strings", async () => {
  const piece = fc.constantFrom("[", "{", "]", "}", '"', "\\", "\n", "é", "\u{1f600}", '\\"', "[[[[", "\\\\");
  const strings = fc.array(piece, { minLength: 500, maxLength: 3000 }).map((pieces) => pieces.join(""));
  await fc.assert(fc.property(strings, strings, fc.constantFrom(998, 999, 1000), (key, text, levels) => {
    const json = nest(levels, JSON.stringify({ [key]: text, "[": [text] })); // two levels more
    if (levels === 998) assertEquals(parseJson(json), JSON.parse(json));
    else assertThrows(() => parseJson(json), SyntaxError, "more than 1000 levels");
  }));
});

Deno.test("parseJson() refuses text that JSON.parse() refuses", () => {
  const filler = "x".repeat(3000);
  for (
    const malformed of [`"${filler}`, `"${filler}\\"`, `"${filler}\\`, `]]]]${filler}`, `["${filler}"`, `${filler}"`]
  ) {
    assertThrows(() => parseJson(malformed), SyntaxError);
  }
});

Deno.test("parseJson() takes linear time", () => {
  const length = 4_000_000;
  for (const text of ["\\".repeat(length), '\\"'.repeat(length / 2), '"'.repeat(length), `"${"\\".repeat(length)}`]) {
    const start = performance.now();
    parseJson(JSON.stringify(text));
    assertLess(performance.now() - start, 5000);
  }
});
