import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { decodeSegment, encodeSegment, normalizePathname } from "../src/path.ts";
import { asserting } from "./support/tries.ts";

const always = asserting(100);

const text = fc.string({ unit: "binary", minLength: 1 }).filter((text) => text !== "." && text !== "..");

Deno.test("decodeSegment() reverses encodeSegment(), through a URL", () => {
  always(fc.property(fc.oneof(text, fc.constantFrom("%", "%2F", "/", "...", "%2e", "\\", "?#", "é")), (text) => {
    const { pathname } = new URL(`http://localhost/a/${encodeSegment(text)}`);
    assertEquals(pathname.slice(0, 3), "/a/");
    assertEquals(decodeSegment(pathname.slice(3)), text);
  }));
});

// proves paths | A client sends no dot segments | URL Standard, 4.4
Deno.test("encodeSegment() returns undefined if a URL cannot carry the text", () => {
  for (const text of ["", ".", "..", "\ud800", "a\udfffb"]) assertEquals(encodeSegment(text), undefined);
});

Deno.test("decodeSegment() throws only for a malformed escape", () => {
  for (const segment of ["%", "%2", "%GG", "%C3", "%C0%AF", "%ED%A0%80", "a%"]) {
    assertThrows(() => decodeSegment(segment), URIError);
  }
  always(fc.property(text, (text) => assertEquals(decodeSegment(text.replaceAll("%", "%25")), text)));
});

Deno.test("normalizePathname() keeps every segment's text, in a spelling that all equal paths share", () => {
  const segments = fc.array(fc.oneof(text, fc.constantFrom("", "%", "/", "%2F", "%25", "é")), {
    minLength: 1,
    maxLength: 4,
  });
  const escapeAll = (text: string): string => {
    return [...new TextEncoder().encode(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
  };
  always(fc.property(segments, (texts) => {
    const spellings = [encodeURIComponent, escapeAll].map((spell) => `/${texts.map(spell).join("/")}`);
    const [normal, ...others] = new Set(spellings.map(normalizePathname));
    assertEquals(others, []);
    assertEquals(normal?.slice(1).split("/").map(decodeSegment), texts);
    assertEquals(normalizePathname(normal!), normal);
  }));
  for (const pathname of ["/%", "/a/%GG", "/%C3/%A9", "/%/41"]) assertEquals(normalizePathname(pathname), undefined);
});
