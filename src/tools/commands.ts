/** Reads the modules and documents that users name to commands. */
import { readFile, realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

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
