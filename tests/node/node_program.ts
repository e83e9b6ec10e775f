/** Bundles and starts a program of these tests on Node. */
import { start, type Started } from "../support/processes.ts";

const root = new URL("../../", import.meta.url);

/**
 * Bundles a module of the tests, in this folder unless its path says otherwise, which imports the package by name. Returns
 * the path of the bundle, which Node and Bun run, or Workers if `platform` is `browser`.
 */
export async function bundleForNode(module: string, folder: string, platform = "deno"): Promise<string> {
  const output = `${folder}/${module.replace(/^.*\//, "").replace(".ts", ".mjs")}`;
  const args = [
    "bundle",
    "--config=deno.json",
    "--quiet",
    `--platform=${platform}`,
    `--output=${output}`,
    `tests/node/${module}`,
  ];
  const { success } = await new Deno.Command(Deno.execPath(), { args, cwd: root, stderr: "inherit" }).output();
  if (!success) throw new Error(`Cannot bundle ${module}`);
  return output;
}

const names = ["plain", "asked", "mounted", "pages", "chained"] as const;

/** The base URL of each server of `program.ts`. */
export type Servers = Readonly<Record<typeof names[number], string>> & AsyncDisposable;

/** Starts the servers on a version of Node. */
export async function startServers(node: string, bundle: string): Promise<Servers> {
  const started: Started = await start(node, ["--expose-gc", bundle], /^\{.*\}$/m);
  const ports = JSON.parse(started.found[0]) as Readonly<Record<string, number>>;
  const urls = Object.fromEntries(names.map((name) => [name, `http://127.0.0.1:${ports[name]}`]));
  return Object.assign(urls as Record<typeof names[number], string>, { // of all names
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  });
}

/** Returns what the API has reported since the last call. It waits for reports of a connection that has just closed. */
export async function takeReports({ plain }: Servers): Promise<string[]> {
  await new Promise((resolve) => setTimeout(resolve, 50));
  return await (await fetch(`${plain}/reports`)).json();
}
