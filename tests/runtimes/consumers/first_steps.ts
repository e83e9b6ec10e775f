import { assertEquals } from "@std/assert";
import { freePort, run, startAt } from "../command.ts";
import { bunFolder, currentBun, emptyFolder, jsrCopy, nodePath, packageName, tarball } from "../kit.ts";
import { commandsUnder, importMap, readmeFile, readPage } from "./pages.ts";

const page = readPage("docs/deploying.md");

/** A place where the steps of docs/deploying.md are taken. */
interface Place {
  /** The page's heading of it. */
  readonly heading: string;
  readonly files: readonly string[];
  /** Folders of programs that come before the machine's own. */
  readonly path?: () => Promise<string>;
  /** What else must be so before the first command. */
  readonly prepare?: (folder: string) => Promise<void>;
  /** Puts something else in a command's place, or nothing. */
  readonly change?: (command: string) => string | undefined;
}

const places: Readonly<Record<string, Place>> = {
  "Deno, by links": {
    heading: "Deno",
    files: ["contract.ts", "app.ts"],
    prepare: linkPackage,
    change: (command) => command.startsWith("deno add") ? undefined : command,
  },
  "Node 24": { heading: "Node", files: ["contract.ts", "app.ts", "serve.ts"], path: () => nodeFolder("24") },
  "Node 20": {
    heading: "Node",
    files: ["contract.ts", "app.ts", "serve.ts"],
    path: () => nodeFolder("20"),
    change: (command) => command === "node serve.ts" ? "npx tsx serve.ts" : command,
  },
  Bun: { heading: "Bun", files: ["contract.ts", "app.ts"], path: () => bunFolder(currentBun) },
  Workers: { heading: "Cloudflare Workers", files: ["contract.ts", "app.ts"] },
};

/** Takes the steps of docs/deploying.md in an empty folder each. */
export function testFirstSteps(): void {
  for (const [name, place] of Object.entries(places)) {
    Deno.test(`docs/deploying.md: the first server on ${name}`, async () =>
      assertEquals(await takeSteps(name, place), '{"greeting":"Hello Ada"}'));
  }
}

/** Takes the steps, and gives what the server that the last one starts says to Ada. */
async function takeSteps(name: string, { heading, files, path, prepare, change }: Place): Promise<string> {
  const folder = await emptyFolder(`first steps ${name}`);
  const port = String(freePort());
  const atPort = (text: string): string => text.replaceAll("8000", port);
  for (const file of files) await Deno.writeTextFile(`${folder}/${file}`, atPort(readmeFile(file, page)));
  await prepare?.(folder);
  const copy = await tarball();
  const commands = commandsUnder(heading, page).map((command) => change ? change(command) : command)
    .filter((command) => command !== undefined)
    .map((command) => atPort(command).replace(`${packageName} `, `${copy} `));
  const env = {
    PATH: [await path?.(), denoFolder(), Deno.env.get("PATH")].filter(Boolean).join(":"),
    npm_config_yes: "true",
  };
  const calls = commands.map((command) => ({ command: "sh", args: ["-c", command], cwd: folder, env }));
  for (const call of calls.slice(0, -1)) await run(call);
  const { stop } = await startAt(`http://127.0.0.1:${port}/hello/Ada`, calls.at(-1)!);
  try {
    return await (await fetch(`http://127.0.0.1:${port}/hello/Ada`)).text();
  } finally {
    await stop();
  }
}

/** In the place of `deno add`, which asks JSR: the import map of the page, and a link to what JSR would be given. */
async function linkPackage(folder: string): Promise<void> {
  await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify({ ...importMap(), links: [await jsrCopy()] }));
}

async function nodeFolder(version: string): Promise<string> {
  return folderOf(await nodePath(version));
}

function denoFolder(): string {
  return folderOf(Deno.execPath());
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}
