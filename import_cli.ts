#!/usr/bin/env node
/**
 * Writes the contract of an OpenAPI document into a folder of modules.
 *
 * ```sh
 * deno run -A jsr:@scope/api/import/cli openapi.yaml --out src/github
 * npx scope-api-import openapi.yaml --out src/github # where the npm package is installed
 * ```
 *
 * Run again, it prints what changed since the last import, and replaces only its own files. Errors go to the standard
 * error, with exit code 1.
 *
 * @module
 */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { isUrl, parseDocument } from "./import_module.ts";
import { reportDiff } from "./src/diff/report.ts";
import { type FolderPlan, planFolder } from "./src/import/folder.ts";
import { formatReport } from "./src/import/format_report.ts";
import {
  importContract,
  type OpenApiSource,
  readOpenApi,
  writeContract,
  type WriteContractOptions,
} from "./src/import/import_contract.ts";

const usage = `Usage: deno run -A jsr:@scope/api/import/cli [options] --out <folder> <document>
       npx scope-api-import [options] --out <folder> <document>

Writes the contract of an OpenAPI document (3.0, 3.1, 3.2 or Swagger 2.0; JSON or YAML) as modules.

  <document>           a path, or a URL with --allow-net
  --out <folder>       the folder to write; mod.ts in it is yours, imports replace the other files
  --schemas <library>  zod, valibot, arktype, or none for types without validation (default: zod)
  --dates              convert the dates of JSON bodies to Date objects (only with zod)
  --only <name>        an operation id, a tag or a path to import, without the others (repeatable)
  --prefer <type>      a media type that is chosen where there are several (repeatable)
  --allow-net          fetch URLs: that of the document, and those that it refers to
  --report <file>      write the report as JSON
  --force              replace files that were edited, or are not from an import
  --library <module>   what the modules import the toolkit from (default: @scope/api)
  --extension <.js>    the extension of imported modules (default: .ts)
  --help               show this help
`;

/** The file of the folder that has the document, with which the next import is compared. */
const sourceFile = "openapi.json";

process.exitCode = await run(process.argv.slice(2));

/** Runs the command and returns its exit code. */
async function run(args: string[]): Promise<number> {
  try {
    process.stdout.write(await importDocument(args));
    return 0;
  } catch (error) {
    console.error(error instanceof RangeError ? "Cannot import: the document is nested too deeply" : messageOf(error));
    return 1;
  }
}

function messageOf(error: unknown): unknown {
  return error instanceof Error ? error.message : error;
}

/** Imports the document. Returns the output of the command. */
async function importDocument(args: string[]): Promise<string> {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  const list = { type: "string", multiple: true } as const;
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      out: text,
      schemas: text,
      dates: flag,
      only: list,
      prefer: list,
      "allow-net": flag,
      report: text,
      force: flag,
      library: text,
      extension: text,
      help: flag,
    },
  });
  if (values.help) return usage;
  const [path, ...rest] = positionals;
  if (path === undefined || rest.length > 0) refuse(`pass one <document>\n\n${usage}`);
  if (values.out === undefined) refuse(`--out is required\n\n${usage}`);
  const { only, prefer, schemas, library, extension } = values;
  const options = {
    ...(only && { only }),
    ...(prefer && { prefer }),
    ...(schemas !== undefined && { schemas: schemas as NonNullable<WriteContractOptions["schemas"]> }),
    ...(values.dates && { dates: true }),
    ...(library !== undefined && { library }),
    ...(extension !== undefined && { extension }),
  };
  const source = await readSource(path, values["allow-net"] === true);
  const { files, report } = writeContract(source, options);
  const plan = planFolder(files, await readModules(values.out));
  if (values.force !== true) await checkFolder(values.out, plan);
  const changes = plan.isOwn ? await compare(values.out, source, options) : "";
  await writeFolder(values.out, plan, extension ?? ".ts");
  await writeFile(join(values.out, sourceFile), formatSource(source));
  if (values.report !== undefined) await writeFile(values.report, `${JSON.stringify(report, null, 2)}\n`);
  return changes + formatReport(report);
}

async function readSource(path: string, isNetAllowed: boolean): Promise<OpenApiSource> {
  const url = isUrl(path) ? path : pathToFileURL(resolve(path)).href;
  return await readOpenApi(url, async (each) => {
    if (each.startsWith("file:")) {
      if (!url.startsWith("file:")) {
        refuse(`${url} refers to ${each}, and a document from a URL cannot read files`);
      }
      const file = fileURLToPath(each);
      return await parseDocument(await readFile(file, "utf8"), file, "Cannot import");
    }
    if (!isNetAllowed) refuse(`${each} is a URL; pass --allow-net to fetch it`);
    const response = await fetch(each);
    if (!response.ok) refuse(`${each} answered ${response.status}`);
    return await parseDocument(await response.text(), each, "Cannot import");
  });
}

function formatSource({ document, files }: OpenApiSource): string {
  return `${JSON.stringify(files.size === 0 ? document : { ...document, "x-files": Object.fromEntries(files) })}\n`;
}

function parseSource(text: string): OpenApiSource {
  const { "x-files": files = {}, ...document } = JSON.parse(text);
  return { document, files: new Map(Object.entries(files)) };
}

/** The changes since the last import into a folder, as the command `diff/cli` prints them. */
async function compare(out: string, source: OpenApiSource, options: WriteContractOptions): Promise<string> {
  const before = await readFile(join(out, sourceFile), "utf8").catch(() => undefined);
  if (before === undefined || before === formatSource(source)) return "";
  const { only, prefer } = options;
  const chosen = { ...(only && { only }), ...(prefer && { prefer }) };
  try {
    const sides = [parseSource(before), source].map((each) => ({ contract: importContract(each, chosen).contract }));
    const { output } = reportDiff(sides[0]!, sides[1]!, {
      failOn: "none",
      accepted: "",
      isJson: false,
      samples: "200",
    });
    return output === "" ? "" : `${output}\n`;
  } catch (error) {
    return `Not compared with the last import: ${messageOf(error)}\n\n`;
  }
}

/** Refuses a folder in which an import would replace what is not its own. */
async function checkFolder(out: string, { edited, isOwn }: FolderPlan): Promise<void> {
  const [first] = edited;
  if (first !== undefined) {
    refuse(`${join(out, first)} was edited; move the edits to mod.ts, or pass --force to replace them`);
  }
  const source = join(out, sourceFile);
  if (!isOwn && await readFile(source).then(() => true, () => false)) {
    refuse(`${source} is not from an import; choose another folder, or pass --force to replace it`);
  }
}

/** Replaces the files of the last import. `mod.ts` is written once. */
async function writeFolder(out: string, { written, removed }: FolderPlan, extension: string): Promise<void> {
  for (const { path, text } of written) {
    await mkdir(dirname(join(out, path)), { recursive: true });
    await writeFile(join(out, path), text);
  }
  for (const path of removed) await rm(join(out, path));
  await writeFile(join(out, "mod.ts"), ownModule(extension), { flag: "wx" }).catch((error) => {
    if (error.code !== "EEXIST") throw error;
  });
}

function ownModule(extension: string): string {
  return `/** The contract. Imports never change this file: write here what differs from the document. */
export { contract } from "./contract${extension}";
`;
}

/** The text of the modules where an import writes them, by path. Other folders may be those of other imports. */
async function readModules(out: string): Promise<Map<string, string>> {
  const present = new Map<string, string>();
  for (const folder of ["", "schemas/"]) {
    const names = await readdir(join(out, folder)).catch(() => []);
    for (const name of names.filter((each) => each.endsWith(".ts"))) {
      present.set(folder + name, await readFile(join(out, folder, name), "utf8"));
    }
  }
  return present;
}

function refuse(state: string): never {
  throw new TypeError(`Cannot import: ${state}`);
}
