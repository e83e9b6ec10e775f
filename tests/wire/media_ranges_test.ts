import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { isResponseWithin, isWithin, mediaTypeEssence } from "../../src/wire/media_type.ts";
import { tries } from "../support/tries.ts";

/** RFC 9110, section 12.5.1, written down plainly: each part of a range is `*` or equals that of the media type. */
function isWithinPlainly([type, subtype]: Parts, ranges: readonly Parts[]): boolean {
  return ranges.some(([typeRange, subtypeRange]) =>
    [[typeRange, type], [subtypeRange, subtype]].every(([range, part]) =>
      range === "*" || range!.toLowerCase() === part!.toLowerCase()
    )
  );
}

type Parts = readonly [type: string, subtype: string];

/** Few letters, so that parts are often equal, or one the beginning of the other. */
const token = fc.oneof(
  fc.constantFrom("a", "A", "aa", "ab", "a+b", "a.b", "image", "Image"),
  fc.string({ minLength: 1, unit: fc.constantFrom(..."aB1!#$%&'+-.^_`|~") }),
);
const mediaType: fc.Arbitrary<Parts> = fc.tuple(token, token);
const range: fc.Arbitrary<Parts> = fc.oneof(
  mediaType,
  fc.tuple(token, fc.constant("*")),
  fc.constant(["*", "*"] as const),
);
const parameters = fc.constantFrom("", ";q=0", " ; charset=utf-8", ';a="b, c"', ";*=*");

Deno.test("isWithin() matches as in RFC 9110: in any case, without parameters", () => {
  const property = fc.property(
    mediaType,
    parameters,
    fc.array(range, { maxLength: 3 }),
    (type, parameters, ranges) => {
      const texts = ranges.map((parts) => parts.join("/").toLowerCase());
      const isInside = isWithin(mediaTypeEssence(type.join("/") + parameters), texts);
      assertEquals(isInside, isWithinPlainly(type, ranges));
    },
  );
  fc.assert(property, tries(2_000));
});

Deno.test("isWithin() finds only media types within any range", () => {
  const texts = ["", "*", "*/*", "image/*", "*/png", "image", "image/", "/png", "/", "image/png/x", "image/p ng"];
  for (const text of [...texts, "image/png, image/png", "image/é", "image/(png)", "image/png\u00a0", "im*ge/png"]) {
    assertEquals(isWithin(mediaTypeEssence(text), ["*/*", "image/*"]), false, text);
  }
});

Deno.test("isResponseWithin() matches a problem document only by its own name", () => {
  const problem = "application/problem+json";
  for (const ranges of [["*/*"], ["application/*"], ["application/*", "*/*"], ["application/json"]]) {
    assertEquals(isResponseWithin(problem, ranges), false);
    assertEquals(isResponseWithin(problem, [...ranges, problem]), true);
    assertEquals(isResponseWithin("application/json", ranges), true);
  }
});
