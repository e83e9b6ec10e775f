/** Lists the files below a folder, in order, with paths relative to it. */
export async function listFiles(folder: URL | string): Promise<string[]> {
  const base = String(folder).replace(/^file:\/\/|\/$/g, "");
  const found: string[] = [];
  const waiting = [""];
  for (const below of waiting) { // which grows
    for await (const { name, isDirectory } of Deno.readDir(`${base}/${below}`)) {
      (isDirectory ? waiting : found).push(isDirectory ? `${below}${name}/` : below + name);
    }
  }
  return found.toSorted();
}
