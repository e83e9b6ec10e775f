/** Texts that a header field can carry and that resemble credentials. */
import fc from "fast-check";

const byte = fc.integer({ min: 0x20, max: 0xff }).filter((code) => code !== 0x7f).map((code) =>
  String.fromCharCode(code)
);
const part = fc.constantFrom("Bearer", "bearer", "Basic", "basic", "session", "good", "Z29vZDph", ...' \t,;="é');

export const fieldTexts: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: byte }),
  fc.array(part, { maxLength: 8 }).map((parts) => parts.join("")),
);
