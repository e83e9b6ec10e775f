/** The test files of a folder that have properties, sorted. */
export async function listPropertyTests(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) found.push(...await listPropertyTests(path));
    else if (name.endsWith("_test.ts") && (await Deno.readTextFile(path)).includes("fc.assert(")) found.push(path);
  }
  return found.toSorted();
}
