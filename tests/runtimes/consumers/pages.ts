/**
 * The instructions of the pages for a first-time consumer, read from their text, so that the two cannot drift apart.
 */

const root = new URL("../../../", import.meta.url);
const readme = readPage("README.md");

/** A page of the project. */
export function readPage(path: string): string {
  return Deno.readTextFileSync(new URL(path, root));
}

/** The code that README, or another page, shows as the file `name`. */
export function readmeFile(name: string, page = readme): string {
  const language = name.split(".").at(-1)!;
  const code = blocks(page, language).find((block) => block.startsWith(`// ${name}\n`));
  if (code === undefined) throw new Error(`The page has no file ${name}`);
  return code;
}

/** The first block of a page in a language. */
export function firstBlock(page: string, language: string): string {
  return blocks(page, language)[0] ?? "";
}

/** The commands that a page shows under a heading. */
export function commandsUnder(heading: string, page = readme): string[] {
  const commands = blocks(section(heading, page), "sh").join("").trim().split("\n");
  if (commands[0] === "") throw new Error(`There are no commands under ${heading}`);
  return commands;
}

/** The commands that README shows below a comment with the name of a runtime: one installs, one serves. */
export function commandsFor(runtime: string): string[] {
  const [, line] = readme.match(new RegExp(`^# ${runtime}.*\n(.* && .*)$`, "m")) ?? [];
  if (line === undefined) throw new Error(`README has no commands for ${runtime}`);
  return line.split(" && ");
}

/** The import map that the guide on deploying has for `deno.json`. */
export function importMap(): { readonly imports: Readonly<Record<string, string>> } {
  return JSON.parse(blocks(section("Deno", readPage("docs/deploying.md")), "json").join(""));
}

function section(heading: string, page: string): string {
  const [, found = ""] = page.split(new RegExp(`^##+ ${heading}\n`, "m"));
  return found.split(/^##/m, 1)[0] ?? "";
}

/** The code of a page that runs as it is: the TypeScript that `deno test --doc` is not told to ignore. */
export function runnableBlocks(page: string): string[] {
  return blocks(page, "ts", "");
}

/** The blocks of a language, of all attributes or of those that are asked for. */
function blocks(markdown: string, language: string, attributes?: string): string[] {
  return [...markdown.matchAll(/^```(\w+)([^\n]*)\n([^]*?)^```$/gm)]
    .filter(([, of, further]) => of === language && (attributes ?? further) === further)
    .map(([, , , code = ""]) => code);
}
