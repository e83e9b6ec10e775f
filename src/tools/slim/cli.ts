#!/usr/bin/env node
/**
 * Writes the slim contract of a contract to a file: everything that a client needs, without the schemas.
 *
 * ```sh
 * deno run -A jsr:@scope/api/slim/cli ./contract.ts --codecs ./codecs.ts --out ./contract.slim.ts
 * npx -y -p @scope/api scope-api-slim ./contract.ts --codecs ./codecs.ts --out ./contract.slim.ts # with Node
 * ```
 *
 * The command imports the module and reads its export `contract`. With `--check` it writes nothing and exits with code
 * 1 if the file is out of date, for tests and CI. Errors go to the standard error, with exit code 1.
 *
 * @module
 */
import { dirname } from "node:path";
import { flag, importExport, importModule, isUrl, runCommand, text, toImportPath, writeOrCheck } from "../commands.ts";
import { failAt } from "../../options.ts";
import { isIdentifier } from "../code/print.ts";
import { writeSlimContract } from "./write_slim_contract.ts";

const usage = `Usage: deno run -A jsr:@scope/api/slim/cli [options] --out <file> <module>
       npx -y -p @scope/api scope-api-slim [options] --out <file> <module>

Writes the slim contract of the contract that a module exports: all that a client needs, without schemas.

  <module>             a path, or a URL
  --out <file>         the file to write
  --codecs <module>    the module that exports the contract's codecs and custom formats
  --check              write nothing; exit with code 1 if the file is out of date
  --export <name>      the export that is the contract (default: contract)
  --library <module>   what the file imports slimContract from (default: @scope/api/slim)
  --extension <.js>    the extension of the modules that the file imports (default: unchanged)
  --help               show this help
`;

const failure = "Cannot write the slim contract";

await runCommand({
  failure,
  usage,
  operands: ["<module>"],
  options: { out: text, codecs: text, check: flag, export: text, library: text, extension: text },
  run: async ({ out, codecs, check, extension, export: name = "contract", library = "@scope/api/slim" }, [path]) => {
    if (out === undefined) failAt(failure, `--out is required\n\n${usage}`);
    if (!isIdentifier(name) || name === "default") {
      failAt(failure, `--export must be the name of a named export, got ${name}`);
    }
    const { [name]: contract } = await importExport(path!, name, failure);
    const toSpecifier = (module: string): string => {
      if (isUrl(module)) return module;
      return toImportPath(
        dirname(out),
        extension === undefined ? module : module.replace(/\.[cm]?[jt]sx?$/, extension),
      );
    };
    const written = writeSlimContract(contract, {
      name,
      contract: toSpecifier(path!),
      codecs: codecs === undefined
        ? undefined
        : { path: codecs, specifier: toSpecifier(codecs), exports: await importModule(codecs) },
      library,
    });
    await writeOrCheck(out, written, check);
    return "";
  },
});
