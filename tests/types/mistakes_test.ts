import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { likeliest, markOf, messageParts, mistakeProgram, mistakes, sortUnions } from "./mistakes.ts";
import { checkProgram, type ProgramError } from "./program.ts";

const names = Object.keys(mistakes);
const { errors } = checkProgram(mistakeProgram);

function errorsOf(name: string): ProgramError[] {
  return errors.filter(({ line }) => line.endsWith(markOf(name)));
}

Deno.test("checkProgram() reports only lines with a mistake", () => {
  assertEquals(errors.filter(({ line }) => !names.some((name) => line.endsWith(markOf(name)))), []);
  assertEquals(Object.keys(messageParts), names);
});

for (const name of names) {
  Deno.test(`${name} is reported at its line, with an actionable message`, () => {
    const [error, ...further] = errorsOf(name);

    assert(error, "The compiler accepts it");
    assertEquals(further, []);
    const message = sortUnions(error.message);
    for (const part of messageParts[name] ?? []) assertStringIncludes(message, sortUnions(part));
  });
}

Deno.test("the likeliest mistakes are reported in at most three lines", () => {
  const long = likeliest.filter((name) => (errorsOf(name)[0]?.message ?? "\n\n\n").split("\n").length > 3);
  assertEquals(long, []);
});

Deno.test("docs/types.md quotes messages of the compiler", async () => {
  const page = await Deno.readTextFile(new URL("../../docs/types.md", import.meta.url));
  const [table = ""] = page.split("\n## ", 1);
  const phrases = [...table.matchAll(/\| `([^`]+?)(?: …)?`[^`|]*\|$/gm)].map(([, phrase = ""]) =>
    phrase.replaceAll("\\|", "|")
  );
  const messages = errors.map(({ message }) => message.replaceAll('\\"', '"'));

  assert(phrases.length >= 10);
  assertEquals(phrases.filter((phrase) => !messages.some((message) => message.includes(phrase))), []);
});
