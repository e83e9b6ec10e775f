/** The tutorial, step by step as a reader takes it: its files, its commands, and what they print. */
import { assertEquals } from "@std/assert";
import config from "../../../deno.json" with { type: "json" };
import { type Call, freePort, run, type Server, startAt } from "../command.ts";
import { chromiumPath, emptyFolder, folderWith, jsrCopy, nodePath, npmFolder } from "../kit.ts";
import { advance } from "../once.ts";
import { readPage } from "./pages.ts";
import { startPostgres } from "./postgres.ts";

/** A runtime as the page names it in the comments behind its commands. */
interface Place {
  readonly name: "Node" | "Deno";
  /** Creates a folder, in place of the commands that install from a registry. */
  readonly prepare: (name: string) => Promise<string>;
  readonly env: () => Promise<Record<string, string>>;
  /** Checks the types of all modules of a folder. */
  readonly check: Omit<Call, "cwd" | "env">;
}

/** A block of code of the page. */
interface Block {
  readonly language: string;
  readonly code: string;
}

/** The commands that install, which tests replace, and those that nothing here can run. */
const skipped = /^(?:mkdir|npm |deno add|docker) ?/;
/** Packages that readers install in later steps. */
const laterPackages = [
  "postgres",
  "swagger-ui-dist@^5.32.15",
  "esbuild@^0.28.0",
];
const compilers = ["typescript@7", "@types/node@24"];

const places: readonly Place[] = [
  {
    name: "Node",
    prepare: installPackages,
    env: nodeEnv,
    check: { command: "node_modules/.bin/tsc", args: ["-p", "."] },
  },
  {
    name: "Deno",
    prepare: linkPackages,
    env: denoEnv,
    check: { command: Deno.execPath(), args: ["check"] },
  },
];

/** Takes the steps of the tutorial on each runtime. */
export function testTutorial(): void {
  for (const place of places) {
    const taken = advance(async () => {
      const cwd = await place.prepare(`tutorial ${place.name}`);
      const taken: [heading: string, failure: unknown][] = [];
      let serve = "";
      for (const [heading, blocks] of steps()) {
        serve = serveCommand(blocks, place) ?? serve;
        const database = `${cwd}/${heading.replaceAll(/\W+/g, "")}.db`;
        const failure = await takeStep({ cwd, place, serve, blocks, database }).catch((error) => error);
        taken.push([heading, failure]);
      }
      return taken;
    });
    Deno.test(
      `docs/tutorial.md: the modules of every step compile on ${place.name}`,
      advance(() => checkSteps(place)),
    );

    Deno.test(`docs/tutorial.md: every step on ${place.name}`, async (test) => {
      for (const [heading, failure] of await taken()) {
        await test.step(heading, () => {
          if (failure) throw failure;
        });
      }
    });
  }

  Deno.test("docs/tutorial.md: the same steps with PostgreSQL", async (test) => {
    await using postgres = await startPostgres();
    if (!postgres) {
      return console.error(
        "NOT TESTED: the tutorial with PostgreSQL. There is no postgres on this machine.",
      );
    }
    for (const place of places) {
      await test.step(place.name, async () => {
        const cwd = await place.prepare(`tutorial ${place.name} PostgreSQL`);
        const [[, first], [, second], [, third]] = steps() as [
          Step,
          Step,
          Step,
        ];
        const blocks = [
          ...[...first, ...second].filter(isFile),
          ...third,
          ...subsection("With PostgreSQL"),
        ];
        const database = await postgres.create(place.name.toLowerCase());
        await takeStep({
          cwd,
          place,
          serve: serveCommand(first, place)!,
          blocks,
          database,
        });
      });
    }
  });
}

type Step = [heading: string, blocks: readonly Block[]];

/** The steps of the page, each without its subsections. */
function steps(): Step[] {
  return page().split(/^## (?=\d)/m).slice(1).map((text) => {
    const [heading = ""] = text.split("\n", 1);
    return [heading, blocksOf(text.split(/^### /m, 1)[0]!)];
  });
}

function subsection(heading: string): readonly Block[] {
  return blocksOf(page().split(`### ${heading}\n`)[1]!.split(/^## /m, 1)[0]!);
}

function page(): string {
  return readPage("docs/tutorial.md");
}

function blocksOf(text: string): Block[] {
  return [...text.matchAll(/^```(\w+)[^\n]*\n([^]*?)^```$/gm)]
    .map(([, language = "", code = ""]) => ({ language, code }));
}

function isFile({ language }: Block): boolean {
  return language !== "sh";
}

/** Checks the types of the modules that each step leaves, all in one program. */
async function checkSteps(place: Place): Promise<void> {
  const cwd = await place.prepare(`tutorial ${place.name} modules`);
  const written: Block[] = [];
  for (const [index, [, blocks]] of steps().entries()) {
    written.push(...blocks.filter(isFile));
    for (const block of written) await writeBlock(`${cwd}/step_${index + 1}`, block);
    if (index !== 2) continue;
    for (const block of [...written, ...subsection("With PostgreSQL")].filter(isFile)) {
      await writeBlock(`${cwd}/postgres`, block);
    }
  }
  await run({ ...place.check, cwd });
}

/** What a step is taken with. */
interface Taking {
  readonly cwd: string;
  readonly place: Place;
  /** The command that serves. */
  readonly serve: string;
  readonly blocks: readonly Block[];
  /** The value of `DATABASE`. */
  readonly database: string;
}

/** Writes the files of a step, runs its commands, and compares what they print. */
async function takeStep(
  { cwd, place, serve, blocks, database }: Taking,
): Promise<void> {
  for (const block of blocks.filter(isFile)) await writeBlock(cwd, block);
  const port = String(freePort());
  const env = { ...await place.env(), DATABASE: database, PORT: port };
  const atPort = (text: string): string => text.replaceAll("8000", port);
  const shell = (command: string): Call => ({
    command: "sh",
    args: ["-c", atPort(command)],
    cwd,
    env,
  });
  for (const command of commandsOf(blocks, place)) await run(shell(command));
  const server = await startAt(`http://127.0.0.1:${port}/`, shell(serve));
  try {
    for (const [command, output] of requestsOf(blocks)) {
      assertEquals([command, (await run(shell(command))).trim()], [
        command,
        output,
      ]);
    }
    for (const [path, status] of pathsOf(cwd)) {
      assertEquals([path, await statusOf(server, path)], [path, status]);
    }
    if (hasFile(cwd, "public/page.js")) await useThePage(server);
  } finally {
    await server.stop();
  }
}

/** The first line of a file says where it belongs. */
async function writeBlock(cwd: string, { code }: Block): Promise<void> {
  const [, path = ""] = code.match(/^(?:\/\/|#|<!--) (\S+)/) ?? [];
  await Deno.mkdir(`${cwd}/public`, { recursive: true });
  await Deno.writeTextFile(`${cwd}/${path}`, code);
}

/** The lines of commands, with those of this runtime alone. */
function linesOf(blocks: readonly Block[], { name }: Place): string[] {
  return blocks.filter((block) => !isFile(block)).flatMap(({ code }) => code.trim().split("\n"))
    .filter((line) => !line.startsWith("#") && !skipped.test(line))
    .flatMap((line) => {
      const [command = "", runtime = name] = line.split(" # ");
      return runtime === name ? [command] : [];
    });
}

/** The command that serves from a step on: the one of this runtime, or that of a container of Node. */
function serveCommand(
  blocks: readonly Block[],
  place: Place,
): string | undefined {
  const container = blocks.find(({ language }) => language === "dockerfile");
  if (container && place.name === "Node") {
    return JSON.parse(container.code.match(/^CMD (.*)$/m)![1]!).join(" ");
  }
  return linesOf(blocks, place).find((line) => serving.test(line));
}

/** Matches a command that serves. */
const serving = / serve(?: |\.ts)/;

/**
 * The commands that end by themselves and whose output the page does not show. {@linkcode checkSteps} checks the types of
 * what `deno test` runs.
 */
function commandsOf(blocks: readonly Block[], place: Place): string[] {
  return linesOf(blocks, place).filter((line) => !serving.test(line) && !line.startsWith("curl"))
    .map((line) => line.replace(/^deno test/, "$& --no-check"));
}

/** The requests of the page, each with the line that is shown below it. */
function requestsOf(
  blocks: readonly Block[],
): [command: string, output: string][] {
  return blocks.flatMap(({ code }) =>
    [...code.matchAll(/^(curl .*)\n# (.*)$/gm)].map((
      [, command = "", output = ""],
    ): [string, string] => [command, output])
  );
}

/** The paths that the last step's server must answer, beside those that the page requests. */
function pathsOf(cwd: string): [path: string, status: number][] {
  const shows = hasFile(cwd, "main.ts") &&
    Deno.readTextFileSync(`${cwd}/main.ts`).includes("serveDocs");
  return shows ? [["/docs", 200], ["/docs/swagger-ui.css", 200], ["/openapi.json", 200]] : [];
}

function hasFile(cwd: string, path: string): boolean {
  try {
    return Deno.statSync(`${cwd}/${path}`).isFile;
  } catch {
    return false;
  }
}

async function statusOf({ baseUrl }: Server, path: string): Promise<number> {
  const response = await fetch(new URL(path, baseUrl));
  await response.body?.cancel();
  return response.status;
}

/** Adds a task in Chromium, and sees it in the list. */
async function useThePage({ baseUrl }: Server): Promise<void> {
  const cwd = await npmFolder();
  const printed = await run({
    command: "node",
    args: ["entries/add_task.js", await chromiumPath(), baseUrl],
    cwd,
  });
  assertEquals(JSON.parse(printed), ["Written in a page"]);
}

/** Every package of the tutorial, which all steps of Node share. */
async function installPackages(name: string): Promise<string> {
  const cwd = await folderWith(name, [config.imports.zod.slice("npm:".length), ...laterPackages, ...compilers]);
  await Deno.writeTextFile(`${cwd}/tsconfig.json`, JSON.stringify({ compilerOptions }));
  return cwd;
}

const compilerOptions = {
  strict: true,
  noEmit: true,
  module: "nodenext",
  target: "es2023",
  lib: ["es2023"],
  types: ["node"],
  allowImportingTsExtensions: true,
  erasableSyntaxOnly: true,
  skipLibCheck: true,
};

/** In place of `deno add`, a link to the files that JSR would receive. */
async function linkPackages(name: string): Promise<string> {
  const cwd = await emptyFolder(name);
  const imports = {
    [config.name]: `jsr:${config.name}@^0.1.0`,
    zod: config.imports.zod,
    postgres: "npm:postgres@^3.4.7",
  };
  await Deno.writeTextFile(
    `${cwd}/deno.json`,
    JSON.stringify({ imports, links: [await jsrCopy()] }),
  );
  return cwd;
}

function denoEnv(): Promise<Record<string, string>> {
  return Promise.resolve(pathWith(Deno.execPath()));
}

async function nodeEnv(): Promise<Record<string, string>> {
  return { ...pathWith(await nodePath("24")), npm_config_yes: "true" };
}

/** The environment in which a program takes precedence over the machine's own. */
function pathWith(program: string): Record<string, string> {
  return { PATH: `${program.replace(/\/[^/]*$/, "")}:${Deno.env.get("PATH")}` };
}
