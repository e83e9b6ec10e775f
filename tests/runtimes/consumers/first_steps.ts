import { assertEquals } from "@std/assert";
import config from "../../../deno.json" with { type: "json" };
import { type Call, freePort, run, startAt } from "../command.ts";
import { bunFolder, currentBun, emptyFolder, jsrCopy, nodePath, packageName, tarball } from "../kit.ts";
import { commandsFor, commandsUnder, importMap, readmeFile, readPage } from "./pages.ts";

/** A page that shows a first server. */
interface Page {
  readonly name: string;
  readonly text: string;
  /** The path that the page requests from its server, and the expected response. */
  readonly path: string;
  readonly answer: string;
}

const guide: Page = {
  name: "docs/deploying.md",
  text: readPage("docs/deploying.md"),
  path: "/hello/Ada",
  answer: '{"greeting":"Hello Ada"}',
};

const readme: Page = {
  name: "README.md",
  text: readPage("README.md"),
  path: "/users/1",
  answer: '{"id":"1","name":"Ada"}',
};

/** A runtime on which the steps of a page are taken. */
interface Place {
  readonly page: Page;
  /** The last one serves. */
  readonly commands: readonly string[];
  /** The files of the page that are saved first. */
  readonly files: readonly string[];
  /** Folders of programs that take precedence over the machine's own. */
  readonly path?: () => Promise<string>;
  /** Preparations before the first command. */
  readonly prepare?: (folder: string) => Promise<void>;
  /** The program that calls the server, if the page has one, and its output. */
  readonly client?: readonly [command: string, prints: string];
  /** Whether the server shows its docs. */
  readonly hasDocs?: boolean;
}

const guided = (heading: string): string[] => commandsUnder(heading, guide.text);
const files = ["contract.ts", "app.ts"];
const callingFiles = [...files, "client.ts"];
const servingFiles = [...files, "serve.ts"];
/** `deno add` asks JSR: the folder is linked to the package instead. */
const linked = (commands: readonly string[]): string[] =>
  commands.filter((command) => !command.startsWith("deno add")).map(addPort);

const places: Readonly<Record<string, Place>> = {
  "Deno, by links": { page: guide, commands: linked(guided("Deno")), files, prepare: linkPackage },
  "Node 24": { page: guide, commands: guided("Node"), files: servingFiles, path: () => nodeFolder("24") },
  "Node 20": {
    page: guide,
    commands: guided("Node").map((command) => command === "node serve.ts" ? "npx tsx serve.ts" : command),
    files: servingFiles,
    path: () => nodeFolder("20"),
  },
  Bun: { page: guide, commands: guided("Bun"), files, path: () => bunFolder(currentBun) },
  Workers: { page: guide, commands: guided("Cloudflare Workers"), files },
  "Deno, by one line": {
    page: readme,
    commands: linked(commandsFor("Deno")),
    files,
    prepare: linkPackage,
    hasDocs: true,
  },
  "Node, by one line": {
    page: readme,
    commands: commandsFor("Node"),
    files: [...callingFiles, "serve.ts"],
    path: () => nodeFolder("24"),
    client: ["node client.ts", "Ada\n"],
    hasDocs: true,
  },
  "Bun, by one line": {
    page: readme,
    commands: commandsFor("Bun"),
    files: callingFiles,
    path: () => bunFolder(currentBun),
    client: ["bun client.ts", "Ada\n"],
    hasDocs: true,
  },
  "Workers, by one line": { page: readme, commands: commandsFor("Cloudflare Workers"), files },
};

/** Takes the steps of README and of docs/deploying.md in an empty folder each. */
export function testFirstSteps(): void {
  for (const [name, place] of Object.entries(places)) {
    Deno.test(`${place.page.name}: the first server on ${name}`, async () =>
      assertEquals(await takeSteps(name, place), place.page.answer));
  }
}

/** Takes the steps, and returns the response of the server that the last one starts. */
async function takeSteps(
  name: string,
  { page, commands, files, path, prepare, client, hasDocs }: Place,
): Promise<string> {
  const folder = await emptyFolder(`first steps ${name}`);
  const port = String(freePort());
  const atPort = (text: string): string => text.replaceAll("8000", port);
  for (const file of files) await Deno.writeTextFile(`${folder}/${file}`, atPort(readmeFile(file, page.text)));
  await prepare?.(folder);
  const copy = await tarball();
  const env = {
    PATH: [await path?.(), denoFolder(), Deno.env.get("PATH")].filter(Boolean).join(":"),
    npm_config_yes: "true",
  };
  const toCall = (command: string): Call => ({ command: "sh", args: ["-c", command], cwd: folder, env });
  const calls = commands.map((command) => toCall(atPort(command).replace(`${packageName} `, `${copy} `)));
  for (const call of calls.slice(0, -1)) await run(call);
  const url = `http://127.0.0.1:${port}${page.path}`;
  const { stop } = await startAt(url, calls.at(-1)!);
  try {
    for (
      const path of hasDocs ? ["/docs", "/docs/swagger-ui.css", "/docs/swagger-ui-bundle.js", "/openapi.json"] : []
    ) {
      const shown = await fetch(new URL(path, url));
      await shown.body?.cancel();
      assertEquals([path, shown.status], [path, 200]);
    }
    if (client) assertEquals(await run(toCall(client[0])), client[1]);
    return await (await fetch(url)).text();
  } finally {
    await stop();
  }
}

/** The port of the pages, if a command leaves it to the runtime. */
function addPort(command: string): string {
  return command.includes("8000") ? command : command.replace("app.ts", "--port 8000 app.ts");
}

/**
 * In place of `deno add`: the import map of the guide with README's packages, and a link to the copy that JSR would
 * receive.
 */
async function linkPackage(folder: string): Promise<void> {
  const imports = { ...importMap().imports, zod: config.imports.zod };
  await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify({ imports, links: [await jsrCopy()] }));
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
