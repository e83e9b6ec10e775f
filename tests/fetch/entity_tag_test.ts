import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { opaqueTag, parseTagList } from "../../src/server/answer/conditional.ts";
import { asserting } from "../support/tries.ts";

const always = asserting(300);

/**
 * The characters of an opaque tag (RFC 9110, section 8.8.3): only quotation marks distinguish them from the commas and
 * spaces of a list.
 */
const opaque = fc.array(fc.oneof(fc.constantFrom(",", "W", "/", "*", "!", "~"), fc.integer({ min: 0x80, max: 0xff })))
  .map((parts) => `"${parts.map((part) => typeof part === "number" ? String.fromCharCode(part) : part).join("")}"`);
const tag = fc.tuple(fc.boolean(), opaque).map(([isWeak, opaque]) => ({
  text: isWeak ? `W/${opaque}` : opaque,
  opaque,
}));
const space = fc.stringMatching(/^[\t ]*$/);

Deno.test("opaqueTag() returns the opaque tag of strong and weak entity tags, for weak comparison", () => {
  assertEquals([opaqueTag('"1"'), opaqueTag('W/"1"'), opaqueTag('""')], ['"1"', '"1"', '""']);
  always(fc.property(tag, ({ text, opaque }) => assertEquals(opaqueTag(text), opaque)));
});

Deno.test("opaqueTag() returns undefined for text that is not a single entity tag", () => {
  const texts = [
    "",
    "1",
    "*",
    '"1',
    '1"',
    'w/"1"',
    'W/ "1"',
    "W/1",
    '"1" ',
    ' "1"',
    '"1","2"',
    '"1"2"',
    '"a b"',
    '"\x7f"',
  ];
  for (const text of [...texts, '"\t"', "'1'", '"\u0100"', 'W/W/"1"']) assertEquals(opaqueTag(text), undefined, text);
});

Deno.test("parseTagList() returns the opaque tag of each member, whatever is between them", () => {
  const members = fc.array(fc.tuple(tag, space, space, fc.nat(2)));
  always(fc.property(members, space, (members, start) => {
    const text = members.map(([{ text }, before, after, empty]) => `${before}${text}${after}${", ".repeat(empty)}`);
    assertEquals(parseTagList(start + text.join(",")), members.map(([{ opaque }]) => opaque));
  }));
});

Deno.test("parseTagList() returns no tag for a malformed list", () => {
  const texts = ["*", '"1" "2"', '"1", 2', '2, "1"', '"1", *', '"1", "2', 'w/"1"', '"1",W/', '"1";"2"', '"1"x', "1"];
  for (const text of ["", " ", ",", ...texts]) assertEquals(parseTagList(text), [], text);
});

Deno.test("parseTagList() reads lists independently of earlier ones", () => {
  for (const text of ['"1", "2"', '"1', '"1", "2"']) parseTagList(text);
  assertEquals(parseTagList('"1", "2"'), ['"1"', '"2"']);
});
