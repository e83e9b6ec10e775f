#!/usr/bin/env node
/**
 * Lists the changes of an API that break old clients:
 *
 * ```sh
 * deno run -A jsr:@scope/api/diff/cli <(git show main:openapi.json) ./contract.ts
 * npx -y -p @scope/api scope-api-diff openapi.json ./contract.ts # with Node
 * ```
 *
 * Each side is a module that exports a contract, or an OpenAPI document in JSON or YAML. To read YAML on Node, install
 * the package [yaml](https://www.npmjs.com/package/yaml). The changes are written to the
 * standard output, the most severe first. The exit code is 1 after an error, or if a breaking change is not accepted.
 * `--fail-on` sets a stricter verdict.
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { checkBelow, flag, importExport, isUrl, parseDocument, readText, runCommand, text } from "../commands.ts";
import { reportDiff, type ReportedSide } from "./report.ts";
import { readOpenApi } from "../import/import_contract.ts";

const usage = `Usage: deno run -A jsr:@scope/api/diff/cli [options] <before> <after>
       npx -y -p @scope/api scope-api-diff [options] <before> <after>

Lists the changes that break an old client of the new server. Exits with code 1 if a change is breaking and not accepted.

  <before>, <after>    a module that exports a contract, or a document in JSON or YAML (OpenAPI 3.0 to 3.2, or Swagger 2.0);
                       a path, or a URL of a module
  --fail-on <verdict>  the mildest verdict that fails: breaking (default), unproven, source, compatible, or none
  --accept <file>      the file of accepted changes, one on each line: rule, route, place (- for none) and reason
  --json               print the changes as JSON
  --root <folder>      the folder whose files a document may refer to (default: that of the document)
  --samples <number>   how many values are tried for each slot (default: 2000)
  --export <name>      the export that is the contract (default: contract)
  --help               show this help

A module may also export openApiOptions: its schema(route, slot) returns the JSON Schema of schemas that do not convert.
`;

const failure = "Cannot compare contracts";

await runCommand({
  failure,
  usage,
  operands: ["<before>", "<after>"],
  options: { "fail-on": text, accept: text, json: flag, samples: text, export: text, root: text },
  run: async (options, [before, after]) => {
    const [left, right] = [await load(before!, options), await load(after!, options)];
    const { output, warnings, isFailed } = reportDiff(left, right, {
      failOn: options["fail-on"] ?? "breaking",
      accepted: options.accept === undefined ? "" : await readFile(options.accept, "utf8"),
      isJson: options.json ?? false,
      samples: options.samples ?? "2000",
    });
    for (const warning of warnings) console.error(warning);
    return { output, code: isFailed ? 1 : 0 };
  },
});

/**
 * Loads the contract of a module, or the document of a file. A path without the extension of a module, such as a pipe,
 * is a document.
 */
async function load(path: string, { export: name = "contract", root }: LoadOptions): Promise<ReportedSide> {
  if (!isUrl(path) && !/\.[cm]?[jt]sx?$/.test(path)) return { contract: await readDocument(path, root) };
  const { [name]: contract, openApiOptions } = await importExport(path, name, failure);
  return { contract, supply: openApiOptions?.schema };
}

/** What is loaded of a module, and what a document may refer to. */
interface LoadOptions {
  readonly export?: string | undefined;
  readonly root?: string | undefined;
}

/** Reads a document and the files that it refers to. URLs are not fetched, so what is behind them is unknown. */
async function readDocument(path: string, root: string | undefined): Promise<ReportedSide["contract"]> {
  const parse = async (file: string) =>
    await parseDocument(await readText(file, failure), file, failure, "a module, JSON or YAML");
  const document = await parse(path) as ReportedSide["contract"]; // which is checked when it is compared
  if (typeof document !== "object" || document === null || Array.isArray(document)) return document;
  const url = pathToFileURL(resolve(path)).href;
  const source = await readOpenApi(url, async (each) => {
    if (each === url) return document;
    if (!each.startsWith("file:")) return undefined;
    await checkBelow(fileURLToPath(each), root ?? dirname(resolve(path)), failure);
    return await parse(fileURLToPath(each));
  });
  return source.files.size === 0 ? document : source;
}
