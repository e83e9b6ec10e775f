import { listFiles } from "../../scripts/list_files.ts";

/** The files of a folder and those below it, with their text. */
export async function readFolder(folder: string): Promise<Record<string, string>> {
  const files = await listFiles(folder);
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file, await Deno.readTextFile(`${folder}/${file}`)] as const)),
  );
}
