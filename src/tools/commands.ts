/** What all commands do: they read arguments, modules and documents, and end with output and an exit code. */
import { readFile, realpath, writeFile } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { parseArgs, type ParseArgsConfig } from "node:util";
import { toLines } from "../messages.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** A command: what it is called with, and what it does. */
export interface Command<Taken extends Options> {
  /** What its refusals begin with, such as "Cannot import". */
  readonly failure: string;
  /** The exit code of an error. Default: 1. */
  readonly failureCode?: number;
  /** Its help, which also follows a refusal of its arguments. */
  readonly usage: string;
  /** The arguments beside the options, all required, such as `<document>`; a function if they depend on the options. */
  readonly operands: readonly string[] | ((options: Values<Taken>) => readonly string[]);
  readonly options: Taken;
  /** Returns what goes to the standard output, with the exit code if that is not 0. */
  run(
    options: Values<Taken>,
    operands: readonly string[],
  ): Promise<string | { readonly output: string; readonly code: number }>;
}

export type Values<Taken extends Options> = ReturnType<typeof parseArgs<{ options: Taken }>>["values"];

export const text = { type: "string" } as const;

export const flag = { type: "boolean" } as const;

/**
 * Runs a command with the arguments of the process, and sets its exit code. The message of an error goes to the standard
 * error. Its control characters are escaped, since files may contain anything.
 */
export async function runCommand<const Taken extends Options>(command: Command<Taken>): Promise<void> {
  try {
    const result = await runWith(command, process.argv.slice(2));
    const { output, code } = typeof result === "string" ? { output: result, code: 0 } : result;
    process.stdout.write(output);
    process.exitCode = code;
  } catch (error) {
    console.error(toLines(error instanceof Error ? error.message : String(error)));
    process.exitCode = command.failureCode ?? 1;
  }
}

async function runWith<Taken extends Options>(
  { failure, usage, operands, options, run }: Command<Taken>,
  args: string[],
): ReturnType<Command<Taken>["run"]> {
  const { values, positionals } = parse(args, { ...options, help: flag }, failure);
  if ("help" in values) return usage;
  const expected = typeof operands === "function" ? operands(values as Values<Taken>) : operands;
  if (positionals.length !== expected.length) {
    const wanted = expected.length === 1 ? `one ${expected[0]}` : expected.join(" and ");
    throw new TypeError(`${failure}: pass ${wanted}\n\n${usage}`);
  }
  return await run(values as Values<Taken>, positionals);
}

function parse(args: string[], options: Options, failure: string): { values: object; positionals: string[] } {
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (cause) {
    throw new TypeError(`${failure}: ${(cause as Error).message}`, { cause });
  }
}

/** Whether a text is a URL and not a path. A drive letter is not a scheme. */
export function isUrl(path: string): boolean {
  return /^[a-z][a-z\d+.-]+:/i.test(path);
}

/**
 * Imports a module by its URL, or by its path relative to the working directory.
 *
 * @throws {TypeError} If it is TypeScript, and the runtime is a version of Node that only runs JavaScript.
 */
// deno-lint-ignore no-explicit-any -- the exports of an unknown module, which each command checks
export async function importModule(path: string): Promise<any> {
  try {
    return await import(isUrl(path) ? path : pathToFileURL(resolve(path)).href);
  } catch (cause) {
    if ((cause as { readonly code?: unknown } | undefined)?.code !== "ERR_UNKNOWN_FILE_EXTENSION") throw cause;
    const command = relative(process.cwd(), process.argv[1] ?? "");
    throw new TypeError(
      `Cannot import ${path}: Node ${process.versions.node} does not run TypeScript; use Node 22.18 or later, ` +
        `or run the command with tsx: npx tsx ${command} ${process.argv.slice(2).join(" ")}`,
      { cause },
    );
  }
}

/**
 * Imports a module that must have an export.
 *
 * @param failure What the message of an error begins with.
 * @throws {TypeError} If it does not have it, and as {@linkcode importModule}.
 */
// deno-lint-ignore no-explicit-any -- the exports of an unknown module, which each command checks
export async function importExport(path: string, name: string, failure: string): Promise<any> {
  const module = await importModule(path);
  if (name in module) return module;
  throw new TypeError(`${failure}: ${path} must export ${name}; name another export by --export`);
}

/**
 * Parses a document of JSON or YAML.
 *
 * @param failure What the message of an error begins with.
 * @param expected What the file must be, for that message.
 * @throws {TypeError} If it is neither, or is YAML and the package that reads it is not installed.
 */
export async function parseDocument(
  text: string,
  path: string,
  failure: string,
  expected = "JSON or YAML",
): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return await parseYaml(text, path, failure, expected);
  }
}

/**
 * Reads a file as text.
 *
 * @param failure What the message of an error begins with.
 * @throws {TypeError} If it is a folder, or does not exist.
 */
export async function readText(file: string, failure: string): Promise<string> {
  return await readFile(file, "utf8").catch((cause) => {
    if (cause.code === "EISDIR") throw new TypeError(`${failure}: ${file} is a folder`);
    if (cause.code !== "ENOENT") throw cause;
    throw new TypeError(`${failure}: ${file} does not exist`, { cause });
  });
}

/** Writes a generated file, or only checks it: then throws an `Error` if it differs from what would be written. */
export async function writeOrCheck(file: string, written: string, isCheck = false): Promise<void> {
  if (!isCheck) return await writeFile(file, written);
  const present = await readFile(file, "utf8").catch(() => undefined);
  if (present?.replaceAll("\r\n", "\n") === written) return;
  throw new Error(
    `${file} ${present === undefined ? "does not exist" : "is out of date"}; run the same command without --check`,
  );
}

/** Returns how a module in a folder imports a file: `./contract.ts`. */
export function toImportPath(folder: string, file: string): string {
  const path = relative(resolve(folder), resolve(file)).replaceAll("\\", "/");
  return path.startsWith(".") ? path : `./${path}`;
}

/** The longest time in which a URL must answer, in milliseconds. */
const patience = 30_000;

/** The most bytes that are read from a URL. */
const mostBytes = 50_000_000;

/**
 * Fetches text from a URL; `undefined` if the server has none there (404).
 *
 * @param failure What the message of an error begins with.
 * @throws {TypeError} If it cannot be fetched, is too large, takes too long, or has another status that is not 2xx.
 */
export async function fetchText(
  url: string,
  failure: string,
  redirect: "follow" | "error" = "follow",
): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(patience), redirect });
    if (response.ok) return await readLimited(response, `${failure}: ${url}`);
    await response.body?.cancel();
    if (response.status === 404) return undefined;
    throw new TypeError(`${failure}: ${url} answered ${response.status}`);
  } catch (cause) {
    if (!(cause instanceof Error) || cause.message.startsWith(failure)) throw cause;
    const reason = cause.name === "TimeoutError" ? `it took more than ${patience / 1_000} seconds` : cause.message;
    throw new TypeError(`${failure}: ${url} could not be fetched: ${reason}`, { cause });
  }
}

async function readLimited({ body }: Response, place: string): Promise<string> {
  const decoder = new TextDecoder();
  let [text, size] = ["", 0];
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > mostBytes) {
      throw new TypeError(`${place} is larger than ${mostBytes / 1_000_000} MB; download it, and pass the file`);
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/**
 * Checks that a file that a document refers to is in a folder, and that no link below the folder leads out of it: a
 * document of others must not read any file of the machine.
 *
 * @param failure What the message of an error begins with.
 * @throws {TypeError} If it is not.
 */
export async function checkBelow(file: string, folder: string, failure: string): Promise<void> {
  const [real, root] = await Promise.all([file, folder].map((each) => realpath(each).catch(() => resolve(each))));
  const path = relative(root!, real!);
  if (!/^\.\.(?:[/\\]|$)/.test(path) && !isAbsolute(path)) return;
  throw new TypeError(
    `${failure}: the document refers to ${file}, which is not below ${folder}; pass --root with a folder that contains both`,
  );
}

async function parseYaml(text: string, path: string, failure: string, expected: string): Promise<unknown> {
  const name: string = "Deno" in globalThis ? "npm:yaml@2" : "yaml"; // a literal would make it a dependency
  const { parse } = await import(name).catch((cause) => {
    throw new TypeError(
      `${failure}: ${path} is not JSON; if it is YAML, install the package that reads it: npm install yaml`,
      { cause },
    );
  });
  try {
    const parsed: unknown = parse(text, { merge: true, maxAliasCount: -1 }); // its limit is one of uses, not of size
    checkSize(parsed, Math.min(mostCharacters, 1_000_000 + 100 * text.length));
    return JSON.parse(JSON.stringify(parsed));
  } catch (cause) {
    const reason = cause instanceof Error ? `; ${cause.message.split("\n", 1)[0]}` : "";
    throw new TypeError(`${failure}: ${path} must be ${expected}${reason}`, { cause });
  }
}

/** The most characters of a document with its anchors. A short one has at most a million, and 100 for each of its own. */
const mostCharacters = 50_000_000;

/** Checks how large a value is as JSON, in which a part that an anchor repeats stands again for each use. */
function checkSize(value: unknown, most: number): void {
  const sizes = new Map<object, number>();
  sizeOf(value);

  function sizeOf(part: unknown): number {
    if (typeof part !== "object" || part === null) return String(part).length + 2;
    const known = sizes.get(part);
    if (known === Infinity) throw new TypeError("an anchor contains itself");
    if (known !== undefined) return known;
    sizes.set(part, Infinity); // until all of it is known
    const size = Object.entries(part).reduce((sum, [name, member]) => sum + name.length + 4 + sizeOf(member), 2);
    if (size > most) throw new TypeError(`its anchors expand to more than ${Math.floor(most / 1_000_000)} MB`);
    sizes.set(part, size);
    return size;
  }
}
