/** What README tells a first-time consumer, taken from its text, so that the two cannot drift apart. */

const text = await Deno.readTextFile(new URL("../../../README.md", import.meta.url));

/** The code that README shows as the file `name`. */
export function readmeFile(name: string): string {
  const code = blocks(text, "ts").find((block) => new RegExp(`^// ${name}(?:\n|: )`).test(block));
  if (code === undefined) throw new Error(`README has no file ${name}`);
  return code;
}

/** The commands that README shows under a heading. */
export function readmeCommands(heading: string): string[] {
  const commands = blocks(section(heading), "sh").join("").trim().split("\n");
  if (commands[0] === "") throw new Error(`README has no commands under ${heading}`);
  return commands;
}

/** The import map that README has for `deno.json`. */
export function readmeImports(): { readonly imports: Readonly<Record<string, string>> } {
  return JSON.parse(blocks(section("On Deno"), "json").join(""));
}

function section(heading: string): string {
  const [, found = ""] = text.split(`### ${heading}\n`);
  return found.split(/^##/m, 1)[0] ?? "";
}

function blocks(markdown: string, language: string): string[] {
  return [...markdown.matchAll(/^```(\w+)[^\n]*\n([^]*?)^```$/gm)]
    .filter(([, of]) => of === language).map(([, , code = ""]) => code);
}
