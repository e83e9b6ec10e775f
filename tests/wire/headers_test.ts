import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { isExactFieldValue, isFieldValue, isToken, readHeaders } from "../../src/wire/headers.ts";
import { asserting } from "../support/tries.ts";

const always = asserting(100);

// proves http-differences | Obsolete text in headers is opaque | 5.5 | Bytes from 0x80 are decoded as Latin-1 |
//   `Headers` decodes them so
Deno.test("isFieldValue() refuses every control character except tab, and characters above one byte", () => {
  for (let code = 0; code <= 0x200; code++) {
    const allowed = code === 0x09 || (code >= 0x20 && code !== 0x7f && code <= 0xff);
    assertEquals(isFieldValue(`a${String.fromCharCode(code)}b`), allowed, code.toString(16));
  }
  for (const value of [undefined, null, 1, ["a"], "a\r\nset-cookie: b", "a\n", "é€"]) {
    assertEquals(isFieldValue(value), false);
  }
});

// proves http | Whitespace at either end is not part of a header value | 5.5
Deno.test("isExactFieldValue() accepts exactly the values that Headers returns unchanged", () => {
  const character = fc.constantFrom(" ", "\t", "a", "é", "\u0080", "\u00a0", "\u00ff");
  always(fc.property(fc.string({ unit: character }), (value) => {
    assertEquals(isExactFieldValue(value), new Headers([["x-a", value]]).get("x-a") === value);
  }));
});

Deno.test("isToken() accepts exactly the names that Headers accepts", () => {
  for (let code = 0; code <= 0xff; code++) {
    const name = `a${String.fromCharCode(code)}`;
    assertEquals(isToken(name), isName(name), name);
  }
  assertEquals(isToken(""), false);
});

Deno.test("readHeaders() returns lowercase names, and joins repeated fields", () => {
  const headers = new Headers([["X-A", "1"], ["x-a", "2"], ["Accept", "text/html, */*"], ["X-Empty", ""]]);
  assertEquals(readHeaders(headers, undefined), { "x-a": "1, 2", accept: "text/html, */*", "x-empty": "" });
  assertEquals(readHeaders(headers, ["x-a", "x-empty", "x-none"]), { "x-a": "1, 2", "x-empty": "" });
});

// proves http | Headers with one name are joined by a comma and a space | 5.2, 5.3
Deno.test("readHeaders() joins fields that Headers itself keeps separate", () => {
  const headers = new Headers([["set-cookie", "a=1"], ["set-cookie", "b=2"]]);
  assertEquals(readHeaders(headers, undefined), { "set-cookie": "a=1, b=2" });
});

Deno.test("readHeaders() keeps hostile names as own properties", () => {
  const headers = new Headers([["__proto__", "1"], ["constructor", "2"]]);
  for (const names of [undefined, ["__proto__", "constructor", "valueOf"]]) {
    const record = readHeaders(headers, names);
    assertEquals(Object.entries(record).sort(), [["__proto__", "1"], ["constructor", "2"]]);
    assertEquals(Object.getPrototypeOf(record), Object.prototype);
  }
});

function isName(text: string): boolean {
  try {
    return new Headers([[text, ""]]).has(text);
  } catch {
    return false;
  }
}
