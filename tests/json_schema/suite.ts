/** The official test suite of JSON Schema (https://github.com/json-schema-org/JSON-Schema-Test-Suite), as Debian packages it. */
import type { Json, JsonSchema } from "../../src/tools/json_schema/json.ts";

/** A schema of the suite, with values that are valid and values that are not. */
export interface SuiteGroup {
  /** The file that it is from, such as `allOf.json`. */
  readonly file: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly tests: readonly { readonly description: string; readonly data: Json; readonly valid: boolean }[];
}

const packageName = "libtest-json-schema-acceptance-perl";
const place = "usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance/tests/draft2020-12";
const cache = new URL("../../.cache/json_schema_suite/", import.meta.url).pathname;

/** The files that the engine rejects as a whole. */
const left = ["dynamicRef.json", "refRemote.json", "vocabulary.json"];

/** The required files of the suite, or the reason why they are not available. */
export async function readSuite(): Promise<readonly SuiteGroup[] | string> {
  const installed = [`/${place}`, `${cache}${place}`];
  const found = await findFolder(installed) ?? await download();
  if (!found.startsWith("/")) return found;
  const groups: SuiteGroup[] = [];
  for await (const { name, isFile } of Deno.readDir(found)) {
    if (!isFile || !name.endsWith(".json") || left.includes(name)) continue;
    const read = JSON.parse(await Deno.readTextFile(`${found}/${name}`)) as Omit<SuiteGroup, "file">[];
    groups.push(...read.map((group) => ({ ...group, file: name })));
  }
  return groups;
}

async function findFolder(folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    if (await Deno.stat(folder).then(({ isDirectory }) => isDirectory, () => false)) return folder;
  }
}

/**
 * Fetches the package with Debian's own client and unpacks it, which does not need root; returns the folder or a
 * reason.
 */
async function download(): Promise<string> {
  try {
    await Deno.mkdir(cache, { recursive: true });
    const fetched = await run("apt-get", ["download", "-qq", packageName]);
    if (fetched !== undefined) return `apt-get download ${packageName}: ${fetched}`;
    const [archive] = await Array.fromAsync(Deno.readDir(cache));
    const unpacked = await run("dpkg-deb", ["-x", archive!.name, "."]);
    return unpacked === undefined ? `${cache}${place}` : `dpkg-deb -x ${archive!.name}: ${unpacked}`;
  } catch (error) {
    return String(error);
  }
}

/** Runs a command in the cache; returns its error output if it failed. */
async function run(command: string, args: readonly string[]): Promise<string | undefined> {
  const { success, stderr } = await new Deno.Command(command, { args: [...args], cwd: cache, stdin: "null" }).output();
  return success ? undefined : new TextDecoder().decode(stderr).trim() || "it failed";
}
