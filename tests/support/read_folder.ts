/** The files of a folder and those below it, with their text. */
export async function readFolder(folder: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (!isDirectory) {
      files[name] = await Deno.readTextFile(`${folder}/${name}`);
      continue;
    }
    const inner = Object.entries(await readFolder(`${folder}/${name}`));
    for (const [path, text] of inner) files[`${name}/${path}`] = text;
  }
  return files;
}
