import { assertEquals } from "@std/assert";
import config from "../../../deno.json" with { type: "json" };
import { genericProgram, misfitLines, misfitProgram } from "../../types/generic.ts";
import { likeliest, markOf, messageParts, mistakeProgram, sortUnions } from "../../types/mistakes.ts";
import { run } from "../command.ts";
import { compilers, compilersFolder, currentCompilers, everyVersion, packageName, tsc } from "../kit.ts";
import { advance } from "../once.ts";
import { readmeFile, readPage } from "./pages.ts";

/** The input of a compiler. */
interface Project {
  readonly options: object;
  readonly files: readonly string[];
}

/**
 * ArkType's declarations name Node's, so programs that import it are checked with them. With `declaration`, the
 * compiler also checks that it can write the declarations of all exports.
 */
const projects: Readonly<Record<string, Project>> = {
  "nodenext, Node's types alone": {
    options: { module: "nodenext", moduleResolution: "nodenext", lib: ["ES2023"], types: ["node"], declaration: true },
    files: ["app.ts", "client.ts", "guide/app.ts", "secured.ts", "doors.ts"],
  },
  "bundler, the browser's types alone": {
    options: { module: "esnext", moduleResolution: "bundler", lib: ["ES2023", "DOM", "DOM.Iterable"], types: [] },
    files: ["anywhere.ts"],
  },
};

/** The entry point that names types of `node:http`: programs that import it have Node's types. */
const onlyOnNode = "./node";

const guide = readPage("docs/deploying.md");

/** A contract with security, its server and its client: their types follow the whole tree of routes. */
const secured = `
import { defineContract, response, route, router, security } from "@scope/api";
import { createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";

export const token = security.bearer("token", { scopes: ["read"] });
export const contract = defineContract({
  security: [token.scoped("read")],
  routes: {
    open: route.get("/open", { security: [], responses: { 200: response.text() } }),
    below: router("/below", { routes: { it: route.get("/", { responses: { 200: response.text() } }) } }),
  },
});
const server = defineServer(contract, { security: [verify(token, () => ({ name: "Ada", scopes: ["read"] }))] });
export const handler = createFetchHandler(server.implement({
  open: ({ response }) => response(200, "ok"),
  below: { it: ({ caller, response }) => response(200, caller.name) },
}));
export const client = createClient(contract, { baseUrl: "http://localhost", fetch: handler, credentials: { token: "a" } });
// @ts-expect-error the credential of a bearer scheme is text
createClient(contract, { baseUrl: "http://localhost", credentials: { token: 1 } });
// @ts-expect-error a verifier is missing
defineServer(contract);
`;

/** Checks programs of a consumer, and the declarations that they reach: `skipLibCheck` is off. */
export function testTypes(): void {
  for (const version of currentCompilers) {
    const outputs = advance(async () => {
      const folder = await compilersFolder(`typescript-${version}`);
      await Deno.mkdir(`${folder}/guide`);
      for (const name of ["contract.ts", "app.ts"]) {
        await Deno.writeTextFile(`${folder}/guide/${name}`, readmeFile(name, guide));
        await Deno.writeTextFile(`${folder}/${name}`, readmeFile(name));
      }
      await Deno.writeTextFile(`${folder}/client.ts`, readmeFile("client.ts"));
      await Deno.writeTextFile(`${folder}/secured.ts`, secured);
      const all = Object.keys(config.exports);
      await Deno.writeTextFile(`${folder}/doors.ts`, importAll(all));
      await Deno.writeTextFile(`${folder}/anywhere.ts`, importAll(all.filter((door) => door !== onlyOnNode)));
      return await Promise.all(
        Object.entries(projects).map(async ([name, project]): Promise<[string, string]> => [
          name,
          await checkDeclarations(version, folder, name, project).catch(String),
        ]),
      );
    });
    Deno.test(`TypeScript ${version} checks a consumer and the declarations of every door`, async (test) => {
      for (const [name, output] of await outputs()) await test.step(name, () => assertEquals(output, ""));
    });
  }
}

/** The parts of messages that quote a declaration of the package, where the other tests quote its source. */
const declared: Readonly<Record<string, readonly string[]>> = {
  "retry() that is not called": [
    "Type '<const Key extends string = never>(options?: RetryOptions<Key> | undefined) => Around<Key>' is not assignable to type 'Around<",
  ],
};

/**
 * The parts of messages that TypeScript 7 words differently from the compiler of the other tests. It reports only the
 * last overload of a function. That is the one with a schema, so that the sentences of this package are complete.
 */
const wording: Readonly<Record<string, readonly string[]>> = {
  "content type of form data": ["'contentType' does not exist in type 'Schema<unknown, unknown>'"],
  "schema in place of a representation": [
    "is missing the following properties from type 'CustomRepresentation<unknown>'",
  ],
  "content type of a representation": ["'contentType' does not exist in type 'Schema<unknown, unknown>'"],
  "optional that is not a boolean": ["'optional' does not exist in type 'Schema<unknown, unknown>'"],
  "text as the origins of cors": [
    `is not assignable to type '"*" | readonly string[] | ((origin: string) => boolean)'.`,
  ],
  "slim contract in place of the whole one": [
    "is missing the following properties from type 'Contract<RouterMark<Responses>, Responses, Refusals | undefined, Webhooks | undefined>'",
  ],
  "sample of a call": ["is missing the following properties from type 'RouteNode<NodeShape>': key, method, path"],
};

/**
 * The programs with errors, and one without, which each compiler checks in one run. The other tests check them with
 * TypeScript 5.9.
 */
const programs: Readonly<Record<string, string>> = {
  "mistakes.ts": mistakeProgram,
  "generic.ts": genericProgram,
  "misfits.ts": misfitProgram,
};

/** What a compiler reports about {@linkcode programs}. Each error has the name of a file, a line and a message. */
interface Reported {
  readonly compiler: string;
  readonly errors: () => Promise<readonly (readonly [file: string, line: number, message: string])[]>;
  /** The parts of messages that this compiler words differently. */
  readonly wording?: Readonly<Record<string, readonly string[]>>;
}

/**
 * TypeScript 7. What is between it and the compiler of the other tests, and the oldest one, report them if the environment
 * asks for every version.
 */
const reported: readonly Reported[] = [
  ...(everyVersion ? [compilers[0], "7"] as const : ["7"] as const).map((version): Reported => ({
    compiler: `TypeScript ${version}`,
    errors: advance(() => readErrors(version)),
    ...(version === "7" && { wording }),
  })),
  ...everyVersion ? [{ compiler: "Deno", errors: advance(readDenoErrors) }] : [],
];

async function readErrors(version: typeof compilers[number]): ReturnType<Reported["errors"]> {
  const folder = await compilersFolder(`mistakes-${version}`);
  await writePrograms(folder);
  const lib = ["ESNext", "DOM", "DOM.Iterable"];
  const options = { module: "esnext", moduleResolution: "bundler", lib, types: [], skipLibCheck: true };
  const output = await check(version, folder, "mistakes", { options, files: Object.keys(programs) })
    .catch((error: Error) => error.message);
  const errors = output.matchAll(/^(\w+\.ts)\((\d+),\d+\): error TS\d+: (.*(?:\n .*)*)/gm);
  return Array.from(errors, ([, file = "", line, message = ""]) => [file, Number(line), message] as const);
}

async function readDenoErrors(): ReturnType<Reported["errors"]> {
  const folder = await compilersFolder("mistakes-deno");
  const compilerOptions = { ...config.compilerOptions, lib: ["esnext", "dom", "dom.iterable"] };
  await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify({ nodeModulesDir: "manual", compilerOptions }));
  await writePrograms(folder);
  const call = { command: Deno.execPath(), args: ["check", "--quiet", ...Object.keys(programs)], cwd: folder };
  const output = await run(call).catch((error: Error) => error.message);
  // after each message are its line of the program with marks below, unless it is long, and the place
  const pattern = /TS\d+ \[ERROR\]: (?! )([^]*?)(?:\n.*\n[ ~^]+)?\n {4}at .*\/(\w+\.ts):(\d+):\d+$/;
  return output.split("\n\n").flatMap((text) => {
    const [, message, file, line] = text.match(pattern) ?? [];
    return message === undefined || file === undefined ? [] : [[file, Number(line), message] as const];
  });
}

async function writePrograms(folder: string): Promise<void> {
  for (const [name, text] of Object.entries(programs)) await Deno.writeTextFile(`${folder}/${name}`, text);
}

/** Checks that compilers report each mistake at its line, with the same parts of messages as in the other tests. */
export function testMistakes(): void {
  for (const { compiler, errors, wording } of reported) {
    Deno.test(`${compiler} reports each mistake at its line, with an actionable message`, async () => {
      const found = (await errors()).filter(([file]) => file === "mistakes.ts");
      assertEquals(findUnreported(found, { ...messageParts, ...declared, ...wording }), []);
    });
  }
}

/** Checks helpers that are generic over a schema, which depend on how a compiler treats undecided conditional types. */
export function testGeneric(): void {
  const misfits = Object.values(misfitLines).map((line) => misfitProgram.split("\n").indexOf(line) + 1);

  for (const { compiler, errors } of reported) {
    Deno.test(`${compiler} accepts generic helpers, and refuses misfits in them`, async () => {
      const found = await errors();
      assertEquals(found.filter(([file]) => file === "generic.ts"), []);
      assertEquals(found.flatMap(([file, line]) => file === "misfits.ts" ? [line] : []), misfits);
    });
  }
}

/**
 * Lists the mistakes that a compiler does not report once, with all parts, or in more lines than it should, and all other
 * errors.
 */
function findUnreported(
  found: readonly (readonly [file: string, line: number, message: string])[],
  parts: Readonly<Record<string, readonly string[]>>,
): string[] {
  const lines = mistakeProgram.split("\n");
  const errors = found.map(([, line, message]) => ({
    line: lines[line - 1] ?? "",
    message: sortUnions(message),
  }));
  const others = errors.filter(({ line }) => !Object.keys(parts).some((name) => line.endsWith(markOf(name))));
  const unreported = Object.entries(parts).flatMap(([name, wanted]) => {
    const [error, ...further] = errors.filter(({ line }) => line.endsWith(markOf(name)));
    const isReported = error && further.length === 0 &&
      wanted.every((part) => error.message.includes(sortUnions(part))) &&
      (error.message.split("\n").length <= 3 || !likeliest.includes(name));
    return isReported ? [] : [`${name}: ${error?.message}`];
  });
  return [...unreported, ...others.map(({ line, message }) => `${line}: ${message}`)];
}

/** The ECMAScript features of the oldest Node that is tested. */
const oldest = ["ES2023", "ES2024.String"];

/** Checks the sources of the npm copy, as far as no program of Node's, against what the oldest runtime has. */
export function testSources(): void {
  Deno.test(
    "the sources use only features of Node 20",
    advance(async () => {
      const folder = await compilersFolder("sources");
      const options = {
        module: "esnext",
        moduleResolution: "bundler",
        lib: [...oldest, "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
        types: [],
      };
      const files = Object.entries(config.exports).filter(([door, file]) =>
        !file.endsWith("/cli.ts") && door !== onlyOnNode
      ).map(([, file]) => `node_modules/${packageName}/${file.replace("./", "src/")}`);
      assertEquals(await check("7", folder, "sources", { options, files }), "");
    }),
  );
}

/** Checks a project, and the declarations that it reaches: of the package, or of all packages if the compiler is quick. */
async function checkDeclarations(
  version: typeof compilers[number],
  folder: string,
  name: string,
  project: Project,
): Promise<string> {
  if (version === "7") return await check(version, folder, name, project);
  const path = await writeProject(folder, name, project);
  const program = new URL("../entries/check_own.js", import.meta.url).pathname;
  const args = [program, `${folder}/node_modules/typescript-${version}`, path, packageName];
  return await run({ command: "node", args, cwd: folder });
}

async function check(
  version: typeof compilers[number],
  folder: string,
  name: string,
  project: Project,
): Promise<string> {
  return await run(tsc(version, folder, ["-p", await writeProject(folder, name, project)]));
}

/** Writes the configuration of a compiler; returns its path. */
async function writeProject(folder: string, name: string, { options, files }: Project): Promise<string> {
  const compilerOptions = {
    ...config.compilerOptions,
    target: "es2022",
    noEmit: true,
    skipLibCheck: false,
    allowImportingTsExtensions: true,
    ...options,
  };
  const path = `${folder}/${name.replaceAll(/\W+/g, "-")}.json`;
  await Deno.writeTextFile(path, JSON.stringify({ compilerOptions, files }));
  return path;
}

/** A module that imports entry points, so that the declarations of each are checked. */
function importAll(doors: readonly string[]): string {
  const names = doors.map((door) => packageName + door.slice(1));
  return names.map((name, index) => `export * as door${index} from ${JSON.stringify(name)};\n`).join("");
}
