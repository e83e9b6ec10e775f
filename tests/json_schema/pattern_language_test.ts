import { assert, assertEquals } from "@std/assert";
import { languageOf } from "../../src/tools/json_schema/format_language.ts";
import { comparePatternTexts } from "../../src/tools/json_schema/pattern_language.ts";
import * as z from "zod";
import { processorTime } from "../support/processor_time.ts";

/** What is found: `within`, `undecided`, or a text that only the narrow pattern matches, as JSON. */
function compare(narrow: string | readonly string[], wide: string): string {
  const result = comparePatternTexts([narrow].flat(), wide);
  if (result === undefined) return "undecided";
  return result.beyond === undefined ? "within" : JSON.stringify(result.beyond);
}

Deno.test("comparePatternTexts() proves that a pattern accepts all texts of others, or finds one that it refuses", () => {
  const cases: readonly (readonly [narrow: string | readonly string[], wide: string, result: string])[] = [
    ["^[a-z]+$", "^[a-z0-9]*$", "within"],
    ["^[a-z0-9]*$", "^[a-z]+$", '""'],
    ["^[a-z0-9]+$", "^[a-z]+$", '"0"'],
    ["a", "a|b", "within"],
    ["a|b", "a", '"b"'],
    ["^ab$", "b$", "within"],
    ["b$", "^ab$", '"b"'],
    ["^(?:a|b)*a(?:a|b){3}$", "^[ab]{4,}$", "within"],
    ["^a{2,3}$", "^aa?a$", "within"],
    ["^a{2,4}$", "^aa?a$", '"aaaa"'],
    ["^a$|^b$", "^(?<letter>[^c-z])$", "within"],
    ["^\\d{3}$", "^\\w+$", "within"],
    ["^\\w+$", "^\\d+$", '"a"'],
    ["^[\\w-]$", "^[-\\u005Fa-zA-Z\\x30-\\x39]$", "within"],
    ["^.$", "^[^\\n]$", "within"],
    ["^[^]$", "^.$", '"\\n"'],
    ["^\\u{1F600}$", "^.$", "within"],
    ["^\\S$", "^[^ ]$", "within"],
    ["^\\/\\-$", "^/-$", "within"], // not a pattern of Unicode mode
    ["^(?=.{1,3}$)[a-z]*$", "^[a-z]{1,3}$", "within"],
    ["^[a-z]{1,3}$", "^(?=.{1,3}$)[a-z]*$", "within"],
    ["^[a-z]{1,4}$", "^(?=.{1,3}$)[a-z]*$", '"aaaa"'],
    ["^(?!b)[a-c]$", "^[ac]$", "within"],
    ["^[a-c]$", "^(?!b)[a-c]$", '"b"'],
    [["^a", "b$", "^[^]{2}$"], "^ab$", "within"],
    [[], "^a", '""'],
    [[], "", "within"],
    ["$^", "^$", "within"],
    ["^$", "$^", "within"],
    ["b*$^", "^$", "within"],
  ];
  for (const [narrow, wide, result] of cases) assertEquals(compare(narrow, wide), result, `${narrow} and ${wide}`);
});

Deno.test("comparePatternTexts() does not decide what an automaton does not express, and ends soon", () => {
  for (
    const pattern of [
      "^(a)\\1$",
      "^a(?=b)",
      "(?<!a)b",
      "\\bword",
      "^\\p{L}$",
      "^[\\p{L}]$",
      "\\-.",
      "^(?:a{500}){500}$",
    ]
  ) {
    assertEquals(compare("^x$", pattern), "undecided", pattern);
  }
  const begun = processorTime();
  assertEquals(compare("^(?:a|b)*a(?:a|b){20}$", "^(?:a|b)*b(?:a|b){20}$|^a{30}"), "undecided");
  assert(processorTime() - begun < 5_000);
});

Deno.test("comparePatternTexts() agrees with the regular expressions themselves", () => {
  const patterns = [
    "^[ab]*$",
    "^a*b*$",
    "^(?:ab)*$",
    "a+",
    "^a|b$",
    "^(?:a|b)?$",
    "b{2}",
    "^[^a]",
    "^(?!aa)",
    "^(?=a).b",
    "^$",
    "ab|ba$",
  ];
  const texts = [""];
  for (const text of texts) if (text.length < 5) texts.push(`${text}a`, `${text}b`, `${text}0`);
  for (const narrow of patterns) {
    for (const wide of patterns) {
      const result = comparePatternTexts([narrow], wide);
      const [sent, read] = [new RegExp(narrow), new RegExp(wide)];
      const beyond = texts.find((text) => sent.test(text) && !read.test(text));
      assertEquals(result?.beyond === undefined, beyond === undefined, `${narrow} ${wide} ${beyond}`);
      if (result?.beyond !== undefined) assert(sent.test(result.beyond) && !read.test(result.beyond), result.beyond);
    }
  }
});

Deno.test("the texts of formats are those that the schemas of Zod accept", () => {
  const schemas = {
    date: z.iso.date(),
    "date-time": z.iso.datetime({ offset: true }),
    duration: z.iso.duration(),
    email: z.email(),
    hostname: z.hostname(),
    ipv4: z.ipv4(),
    ipv6: z.ipv6(),
    uuid: z.uuid(),
  };
  for (const [format, schema] of Object.entries(schemas)) {
    const { sent, accepting = [] } = languageOf(format)!;
    const pattern = z.toJSONSchema(schema).pattern!;
    assert(accepting.includes(pattern) || compare(sent, pattern) === "within", format);
  }
  assertEquals(
    compare(languageOf("date-time")!.sent, z.toJSONSchema(z.iso.datetime()).pattern!),
    '"0000-01-01T00:00:00+00:00"',
  );
  assertEquals(languageOf("toString"), undefined);
});
