/** Modules that load many test files, or many code blocks of the docs, into one realm. */
const root = new URL("../", import.meta.url);

/** Tests that measure the memory of their realm, which they have for themselves. */
const alone = ["tests/client/memory_test.ts", "tests/client/timeout_test.ts", "tests/hostile/memory_test.ts"];

/**
 * How many test files share a realm. Deno gives each file that it is told of a realm of its own, in which the library
 * and the schema libraries are loaded and compiled again: that takes longer than most tests.
 */
const shared = 12;

/** How many code blocks share one. */
const sharedBlocks = 60;

/** Lists the files below a folder, in order, except hidden ones and those that the configuration excludes. */
export async function listFiles(folder: string, excluded: readonly string[] = []): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(new URL(`./${folder}`, root)));
  entries.sort((one, other) => one.name < other.name ? -1 : 1);
  const files = entries.filter(({ isFile }) => isFile).map(({ name }) => folder + name);
  const folders = entries
    .filter(({ isDirectory, name }) => isDirectory && !/^\.|^node_modules$/.test(name))
    .map(({ name }) => `${folder}${name}/`)
    .filter((path) => !excluded.includes(path));
  const below = await Promise.all(folders.map((path) => listFiles(path, excluded)));
  return [...files, ...below.flat()];
}

/** Tests whether a file is one of tests, which no other file imports. */
export function isTest(file: string): boolean {
  return file.endsWith("_test.ts");
}

/** Writes modules that import test files, one for each realm, into a folder. Returns their paths. */
export function writeRealms(folder: string, tests: readonly string[]): Promise<string[]> {
  return Promise.all(
    divide(tests).map(async (files, index) => {
      const path = `${folder}/${index}.ts`;
      const imports = files.map((file) => `import ${JSON.stringify(new URL(file, root))};\n`);
      await Deno.writeTextFile(path, imports.join(""));
      return path;
    }),
  );
}

/**
 * Writes the code blocks of pages and of doc comments into a folder: a module for each, and one for each realm that
 * imports them in tests. Returns the paths of the latter. Deno's own `--doc`, by which `deno task types` checks the
 * blocks, gives each a realm of its own.
 */
export async function writeBlocks(folder: string, files: readonly string[]): Promise<string[]> {
  const blocks = (await Promise.all(files.filter(isProse).map(readBlocks))).flat();
  const tests = await Promise.all(blocks.map(async ({ name, code }, index) => {
    const path = `${folder}/block_${index}${name.slice(name.lastIndexOf("."))}`;
    await Deno.writeTextFile(path, code);
    const url = JSON.stringify(new URL(path, root));
    const isOfTests = /\bDeno\.test\(/.test(code.replaceAll(/\/\/.*/g, ""));
    return isOfTests
      ? `import ${url};\n`
      : `Deno.test(${JSON.stringify(name)}, async () => void await import(${url}));\n`;
  }));
  return await Promise.all(Array.from({ length: Math.ceil(tests.length / sharedBlocks) }, async (_, index) => {
    const path = `${folder}/blocks_${index}.ts`;
    await Deno.writeTextFile(path, tests.slice(index * sharedBlocks, (index + 1) * sharedBlocks).join(""));
    return path;
  }));
}

function isProse(file: string): boolean {
  return /\.(?:md|[jt]sx?)$/.test(file) && !isTest(file);
}

/** A code block, with the name that Deno gives it. */
interface Block {
  readonly name: string;
  readonly code: string;
}

/** Reads the code blocks of a page, or of the doc comments of a module, except those that are marked `ignore`. */
async function readBlocks(file: string): Promise<Block[]> {
  const url = new URL(file, root);
  const text = await Deno.readTextFile(url);
  const prose = file.endsWith(".md") ? text : keepComments(text);
  return [...prose.replaceAll("\r\n", "\n").matchAll(fencedBlock)]
    .filter(([, , , marks = ""]) => !/\bignore\b/.test(marks))
    .map(({ index, 0: block, 2: language = "", 4: code = "" }) => {
      const first = prose.slice(0, index).split("\n").length;
      const absolute = code.replaceAll(/(\bfrom |\bimport\(?)"(\.\.?\/[^"]*)"/g, (_, before, path) => {
        return before + JSON.stringify(new URL(path, url));
      });
      const extension = { typescript: "ts", javascript: "js" }[language] ?? language;
      return { name: `${file}$${first}-${first + block.split("\n").length}.${extension}`, code: absolute };
    });
}

/** A code block in one of the languages that Deno runs: its fence, its language, its marks and its code. */
const fencedBlock = /^[ \t]*(`{3,})([cm]?[jt]s|[jt]sx|typescript|javascript)\b(.*)\n([^]*?)^[ \t]*\1[ \t]*$/gm;

/** Empties all lines of a module but those of doc comments, which lose their stars. */
function keepComments(text: string): string {
  return text.replaceAll(
    /[ \t]*\/\*\*[^]*?\*\/|.+/g,
    (part) => part.trimStart().startsWith("/**") ? part.replaceAll(/^[ \t]*\* ?/gm, "") : "",
  );
}

/** Divides files into those that share a realm. */
function divide(tests: readonly string[]): string[][] {
  const folders = Object.groupBy(tests, (file) => alone.includes(file) ? file : file.replace(/[^/]*$/, ""));
  return Object.values(folders).flatMap((files = []) => {
    const parts = Math.ceil(files.length / shared);
    return Array.from({ length: parts }, (_, part) => files.filter((_, index) => index % parts === part));
  });
}
