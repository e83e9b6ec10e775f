#!/usr/bin/env node
/**
 * Writes the types of a contract as an interface, which compilers and editors read at once.
 *
 * ```sh
 * npx -y -p @scope/api scope-api-types contract.ts # with Node
 * deno run -A jsr:@scope/api/types/cli contract.ts # with Deno
 * ```
 *
 * It writes `contract.types.ts` beside `contract.ts`, which then says
 * `export const contract: Api = defineContract(…)`. With `--check` it writes nothing and exits with code 1 if the file
 * is out of date, for tests and CI. The compiler is the `typescript` of the project. Errors go to the standard error,
 * with exit code 1.
 *
 * @module
 */
import { dirname, relative, resolve } from "node:path";
import { flag, isUrl, readText, runCommand, text, toImportPath, writeOrCheck } from "../commands.ts";
import { failAt } from "../../options.ts";
import { writeTypes } from "./write_types.ts";

const usage = `Usage: npx -y -p @scope/api scope-api-types [options] <module>
       deno run -A jsr:@scope/api/types/cli [options] <module>

Writes the types of the contract that a module exports, as the interface Api.

  <module>             the path of a module of TypeScript
  --out <file>         the file to write, in the folder of the module (default: <module>.types.ts)
  --check              write nothing; exit with code 1 if the file is out of date
  --export <name>      the export that is the contract (default: contract, or the only one)
  --library <module>   what the file imports the toolkit from (default: @scope/api)
  --extension <.js>    the extension of the modules that the file imports (default: as the project has it)
  --help               show this help
`;

const failure = "Cannot write the types";

await runCommand({
  failure,
  usage,
  operands: ["<module>"],
  options: { out: text, check: flag, export: text, library: text, extension: text },
  run: async ({ out, check, extension, export: name, library = "@scope/api" }, [path]) => {
    if (isUrl(path!)) failAt(failure, `${path} is a URL; pass a path`);
    if (!/\.[cm]?tsx?$/.test(path!) || /\.d\.[cm]?ts$/.test(path!)) {
      failAt(failure, `${path} is not a module of TypeScript`);
    }
    await readText(path!, failure);
    const file = out ?? path!.replace(/(\.[cm]?tsx?)$/, ".types$1");
    checkPlace(file, path!);
    const written = await writeTypes(path!, {
      name,
      out: file,
      library,
      extension,
      fail: (state) => failAt(failure, state),
    });
    await writeOrCheck(file, written.text, check);
    return check || written.isAnnotated ? "" : describeNext(file, path!, written.name);
  },
});

/** Says how the module uses what was written for the first time. */
function describeNext(file: string, path: string, name: string): string {
  const from = toImportPath(dirname(path), file);
  return `Wrote ${file}. Declare the contract with its interface:

  import type { Api } from ${JSON.stringify(from)};
  export const ${name}: Api = defineContract(…);
`;
}

/** Refuses a file elsewhere, where the modules that it imports would have other paths. */
function checkPlace(file: string, path: string): void {
  if (resolve(file) === resolve(path)) failAt(failure, "--out must not be the module itself");
  const from = relative(dirname(resolve(path)), resolve(file));
  if (/^\.\.(?:[/\\]|$)/.test(from) || resolve(file) === from) {
    failAt(failure, `--out must name a file in the folder of ${path}, got ${file}`);
  }
  if (!/\.[cm]?tsx?$/.test(file)) failAt(failure, `--out must name a file of TypeScript, got ${file}`);
}
