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
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { checkBelow, importModule, isUrl, parseDocument, readText } from "../commands.ts";
import { reportDiff, type ReportedSide, toLines } from "./report.ts";
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

process.exitCode = await run(process.argv.slice(2));

/** Runs the command and returns its exit code. */
async function run(args: string[]): Promise<number> {
  try {
    return await compare(args);
  } catch (error) {
    console.error(toLines(error instanceof Error ? error.message : String(error))); // files may contain anything
    return 1;
  }
}

/** Compares the two sides, writes the changes, and returns the exit code. */
async function compare(args: string[]): Promise<number> {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { "fail-on": text, accept: text, json: flag, samples: text, export: text, root: text, help: flag },
  });
  if (values.help) return write(usage, 0);
  const [before, after, ...rest] = positionals;
  if (before === undefined || after === undefined || rest.length > 0) {
    refuse(`pass <before> and <after>\n\n${usage}`);
  }
  const [left, right] = [await load(before, values), await load(after, values)];
  const report = reportDiff(left, right, {
    failOn: values["fail-on"] ?? "breaking",
    accepted: values.accept === undefined ? "" : await readFile(values.accept, "utf8"),
    isJson: values.json ?? false,
    samples: values.samples ?? "2000",
  });
  for (const warning of report.warnings) console.error(warning);
  return write(report.output, report.isFailed ? 1 : 0);
}

function write(text: string, code: number): number {
  process.stdout.write(text);
  return code;
}

/**
 * Loads the contract of a module, or the document of a file. A path without the extension of a module, such as a pipe,
 * is a document.
 */
async function load(path: string, { export: name = "contract", root }: LoadOptions): Promise<ReportedSide> {
  if (!isUrl(path) && !/\.[cm]?[jt]sx?$/.test(path)) return { contract: await readDocument(path, root) };
  const module = await importModule(path);
  if (!(name in module)) refuse(`${path} must export ${name}; name another export by --export`);
  return { contract: module[name], supply: module.openApiOptions?.schema };
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

function refuse(state: string): never {
  throw new TypeError(`${failure}: ${state}`);
}
