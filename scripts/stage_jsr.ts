import config from "../deno.json" with { type: "json" };
import { shippedPages, toShippedPage } from "./shipped_page.ts";

const root = new URL("../", import.meta.url);

/**
 * Writes the files for JSR to a folder: the published files, and a `deno.json` without the links and tasks of this
 * clone.
 */
export async function stageJsr(folder: string): Promise<void> {
  const { links: _links, tasks: _tasks, ...published } = config;
  for (const path of config.publish.include) await copy(path.replace(/\/$/, ""), folder);
  for (const path of shippedPages) {
    await Deno.writeTextFile(`${folder}/${path}`, toShippedPage(await Deno.readTextFile(new URL(path, root))));
  }
  await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify(published, null, 2) + "\n");
}

async function copy(path: string, folder: string): Promise<void> {
  const from = new URL(path, root);
  if (!(await Deno.stat(from)).isDirectory) return await Deno.copyFile(from, `${folder}/${path}`);
  await Deno.mkdir(`${folder}/${path}`);
  for await (const { name } of Deno.readDir(from)) await copy(`${path}/${name}`, folder);
}
