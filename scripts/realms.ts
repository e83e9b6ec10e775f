/** Modules that load many test files into one realm. */
const root = new URL("../", import.meta.url);

/** Tests that measure the memory of their realm, which they have for themselves. */
const alone = ["tests/client/memory_test.ts", "tests/client/timeout_test.ts", "tests/hostile/memory_test.ts"];

/**
 * How many test files share a realm. Deno gives each file that it is told of a realm of its own, in which the library
 * and the schema libraries are loaded and compiled again: that takes longer than most tests.
 */
const shared = 12;

/** Lists the test files below a folder, in order. */
export async function listTests(folder: string, excluded: readonly string[] = []): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(new URL(`./${folder}`, root)));
  entries.sort((one, other) => one.name < other.name ? -1 : 1);
  const files = entries.filter(({ isFile, name }) => isFile && name.endsWith("_test.ts"));
  const folders = entries
    .filter(({ isDirectory, name }) => isDirectory && !/^\.|^node_modules$/.test(name))
    .map(({ name }) => `${folder}${name}/`)
    .filter((path) => !excluded.includes(path));
  const below = await Promise.all(folders.map((path) => listTests(path, excluded)));
  return [...files.map(({ name }) => folder + name), ...below.flat()];
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

/** Divides files into those that share a realm. */
function divide(tests: readonly string[]): string[][] {
  const folders = Object.groupBy(tests, (file) => alone.includes(file) ? file : file.replace(/[^/]*$/, ""));
  return Object.values(folders).flatMap((files = []) => {
    const parts = Math.ceil(files.length / shared);
    return Array.from({ length: parts }, (_, part) => files.filter((_, index) => index % parts === part));
  });
}
