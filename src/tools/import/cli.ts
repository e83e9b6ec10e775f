#!/usr/bin/env node
/**
 * Writes the contract of an OpenAPI document into a folder of modules.
 *
 * ```sh
 * deno run -A jsr:@scope/api/import/cli openapi.yaml --out src/github
 * npx -y -p @scope/api scope-api-import openapi.yaml --out src/github # with Node
 * ```
 *
 * Run again, it prints what changed since the last import, and replaces only its own files. Errors go to the standard
 * error, with exit code 1.
 *
 * @module
 */
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { checkBelow, fetchText, flag, isUrl, parseDocument, readText, runCommand, text } from "../commands.ts";
import { failAt } from "../../options.ts";
import { diffContracts } from "../diff/diff_contracts.ts";
import { formatTable } from "../diff/render.ts";
import { type FolderPlan, planFolder } from "./folder.ts";
import { count, formatReport } from "./format_report.ts";
import { toOneLine } from "../../messages.ts";
import type { ImportReport } from "./report.ts";
import {
  importContract,
  type OpenApiSource,
  readOpenApi,
  writeContract,
  type WriteContractOptions,
} from "./import_contract.ts";

const usage = `Usage: deno run -A jsr:@scope/api/import/cli [options] --out <folder> <document>
       npx -y -p @scope/api scope-api-import [options] --out <folder> <document>

Writes the contract of an OpenAPI document (3.0, 3.1, 3.2 or Swagger 2.0; JSON or YAML) as modules.

  <document>           a path, or a URL with --allow-net
  --out <folder>       the folder to write; mod.ts in it is yours, imports replace the other files
  --schemas <library>  zod, valibot, arktype, or none for types without validation (default: zod)
  --dates              convert the dates of JSON bodies to Date objects (only with zod)
  --no-document        do not write document.ts, which servers need to publish the document again
  --only <name>        an operation id, a tag or a path to import, without the others (repeatable)
  --prefer <type>      a media type that is chosen where there are several (repeatable)
  --allow-net          fetch URLs: that of the document, and those that it refers to
  --root <folder>      the folder whose files the document may refer to (default: that of the document)
  --report <file>      write the report as JSON
  --force              replace files that were edited, or are not from an import
  --library <module>   what the modules import the toolkit from (default: @scope/api)
  --extension <.js>    the extension of imported modules (default: .ts)
  --help               show this help
`;

type SchemasOption = NonNullable<WriteContractOptions["schemas"]>;

const schemaNames: readonly SchemasOption[] = ["zod", "valibot", "arktype", "none"];

/** The file of the folder that has the document, with which the next import is compared. */
const sourceFile = "openapi.json";

/** The most URLs that a document may refer to, directly or not. */
const mostUrls = 4_000;

/** The most bytes that are read from all URLs. */
const mostBytesOfAll = 100_000_000;

const failure = "Cannot import";

await runCommand({
  failure,
  usage,
  operands: ["<document>"],
  options: {
    out: text,
    schemas: text,
    dates: flag,
    "no-document": flag,
    only: { ...text, multiple: true },
    prefer: { ...text, multiple: true },
    "allow-net": flag,
    root: text,
    report: text,
    force: flag,
    library: text,
    extension: text,
  },
  run: async (
    {
      out,
      report,
      schemas,
      "allow-net": isNetAllowed = false,
      root,
      force: isForced = false,
      "no-document": isBare = false,
      ...others
    },
    [path],
  ) => {
    if (out === undefined) failAt(failure, `--out is required\n\n${usage}`);
    if (!isSchemas(schemas)) {
      failAt(failure, `--schemas must be one of ${schemaNames.join(", ")}, got ${JSON.stringify(schemas)}`);
    }
    const options = { ...others, ...(isBare && { document: false }), ...(schemas !== undefined && { schemas }) };
    return await importDocument(path!, { out, report, isNetAllowed, root, isForced, options }).catch(explain);
  },
});

/** Throws an error whose message is one line of the command: also for errors of the system, such as of a missing file. */
function explain(error: unknown): never {
  if (error instanceof RangeError) failAt(failure, "the document is nested too deeply");
  const message = toOneLine(messageOf(error));
  throw new TypeError(message.startsWith(failure) ? message : `${failure}: ${message}`, { cause: error });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What is imported, and where to. */
interface Import extends Allowed {
  readonly out: string;
  /** The file of the report. */
  readonly report: string | undefined;
  readonly isForced: boolean;
  readonly options: WriteContractOptions;
}

/** Imports the document. Returns the output of the command. */
async function importDocument(
  path: string,
  { out, report: reportFile, isForced, options, ...allowed }: Import,
): Promise<string> {
  await checkPlaces(out, reportFile);
  const source = await readSource(path, allowed);
  const { files, report } = writeContract(source, options);
  const exports = files.some(({ text }) => text.includes("\nexport const baseUrl = "))
    ? "baseUrl, contract"
    : "contract";
  const plan = planFolder(files, await readModules(out));
  if (!isForced) await checkFolder(out, plan);
  const copy = formatSource(source, isUrl(path) ? undefined : allowed.root ?? dirname(path));
  const changes = plan.isOwn ? await compare(out, { source, copy }, options) : "";
  await writeFolder(out, plan, ownModule(exports, options.extension ?? ".ts"));
  await writeFile(join(out, sourceFile), copy);
  if (reportFile !== undefined) await writeFile(reportFile, `${JSON.stringify(report, null, 2)}\n`);
  return `${changes}${formatReport(report)}\n${formatWritten(report, out)}\n`;
}

function formatWritten({ operations, webhooks }: ImportReport, out: string): string {
  const written = (list: ImportReport["operations"]) => list.filter(({ key }) => key !== undefined).length;
  const hooks = webhooks.length > 0 ? ` and ${count(written(webhooks), "webhook")}` : "";
  return `Wrote ${count(written(operations), "operation")}${hooks} to ${out}; import the contract from ${
    join(out, "mod.ts")
  }`;
}

function isSchemas(name: string | undefined): name is SchemasOption | undefined {
  return name === undefined || (schemaNames as readonly string[]).includes(name);
}

/** What a document may refer to. */
interface Allowed {
  /** Whether URLs are fetched. */
  readonly isNetAllowed: boolean;
  /** The folder whose files it may refer to. Default: that of the document. */
  readonly root: string | undefined;
}

/**
 * Reads a document and the files that it refers to. It is copied into the folder of the import, so a document may not
 * refer to any file of the machine or to any host that the machine reaches.
 */
async function readSource(path: string, { isNetAllowed, root }: Allowed): Promise<OpenApiSource> {
  const url = isUrl(path) ? path : pathToFileURL(resolve(path)).href;
  const fetched = { urls: 0, bytes: 0 };
  return await readOpenApi(url, async (each) => {
    if (each.startsWith("file:")) {
      if (!url.startsWith("file:")) {
        failAt(failure, `${url} refers to ${each}, and a document from a URL cannot read files`);
      }
      const file = fileURLToPath(each);
      if (each !== url) await checkBelow(file, root ?? dirname(fileURLToPath(url)), failure);
      return checkPart(await parseDocument(await readText(file, failure), file, failure), each, url);
    }
    if (!isNetAllowed) failAt(failure, `${each} is a URL; pass --allow-net to fetch it`);
    if (!url.startsWith("file:") && new URL(each).origin !== new URL(url).origin) {
      failAt(
        failure,
        `${url} refers to ${each}, and a document from a URL cannot read from another origin; download both`,
      );
    }
    if (++fetched.urls > mostUrls) {
      failAt(failure, `${url} refers to more than ${mostUrls} URLs; download them, and import the files`);
    }
    const text = await fetchText(each, failure, each === url ? "follow" : "error") ??
      failAt(failure, `${each} answered 404`);
    fetched.bytes += text.length;
    if (fetched.bytes > mostBytesOfAll) {
      failAt(failure, `${url} refers to more than ${mostBytesOfAll / 1_000_000} MB; download it, and import the files`);
    }
    return checkPart(await parseDocument(text, each, failure), each, url);
  });
}

/** Refuses a file that the document refers to, and that has nothing a document could use, such as a text file. */
function checkPart(parsed: unknown, each: string, url: string): unknown {
  const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
  const isPart = isObject(parsed) || (Array.isArray(parsed) && parsed.length > 0 && parsed.every(isObject)); // or a list of parameters
  if (each !== url && !isPart) {
    failAt(failure, `the document refers to ${each}, which is not an object of JSON or YAML`);
  }
  return parsed;
}

/** Formats the copy of a document. The URLs of files begin at a folder, so that it is the same on every machine. */
function formatSource({ document, files }: OpenApiSource, folder: string | undefined): string {
  if (files.size === 0) return `${JSON.stringify(document)}\n`;
  const text = `${JSON.stringify({ ...document, "x-files": Object.fromEntries(files) })}\n`;
  return folder === undefined ? text : text.replaceAll(`${pathToFileURL(resolve(folder)).href}/`, "file:///");
}

function parseSource(text: string): OpenApiSource {
  const { "x-files": files = {}, ...document } = JSON.parse(text);
  return { document, files: new Map(Object.entries(files)) };
}

/** The changes since the last import into a folder, as the command `diff/cli` prints them. */
async function compare(
  out: string,
  { source, copy }: { readonly source: OpenApiSource; readonly copy: string },
  options: WriteContractOptions,
): Promise<string> {
  const before = await readFile(join(out, sourceFile), "utf8").catch(() => undefined);
  if (before === undefined || before === copy) return "";
  const { only, prefer } = options;
  const chosen = { ...(only && { only }), ...(prefer && { prefer }) };
  try {
    const [was, is] = [parseSource(before), source].map((each) => importContract(each, chosen).contract);
    const output = formatTable(diffContracts(was!, is!, { samples: 200 }));
    return output === "" ? "" : `${output}\n`;
  } catch (error) {
    return `Not compared with the last import: ${toOneLine(messageOf(error))}\n\n`;
  }
}

/** Refuses places that cannot be written, before anything is. */
async function checkPlaces(out: string, report: string | undefined): Promise<void> {
  const isFolder = (path: string): Promise<boolean | undefined> =>
    stat(path).then((found) => found.isDirectory(), () => undefined);
  if (out.trim() === "") failAt(failure, "--out must name a folder");
  for (let path = resolve(out); path !== dirname(path); path = dirname(path)) {
    if (await isFolder(path) === false) failAt(failure, `${path} is a file; choose another folder for --out`);
  }
  if (report === undefined) return;
  if (report.trim() === "" || await isFolder(report)) failAt(failure, "--report must name a file");
  const folder = dirname(resolve(report));
  if (await isFolder(folder) !== true) failAt(failure, `the folder of --report does not exist: ${folder}`);
}

/** Refuses a folder in which an import would replace what is not its own. */
async function checkFolder(out: string, { edited, isOwn }: FolderPlan): Promise<void> {
  const [first] = edited;
  if (first !== undefined) {
    failAt(failure, `${join(out, first)} was edited; move the edits to mod.ts, or pass --force to replace them`);
  }
  const source = join(out, sourceFile);
  if (!isOwn && await readFile(source).then(() => true, () => false)) {
    failAt(failure, `${source} is not from an import; choose another folder, or pass --force to replace it`);
  }
}

/** Replaces the files of the last import. `mod.ts` is written once. */
async function writeFolder(out: string, { written, removed }: FolderPlan, own: string): Promise<void> {
  for (const { path, text } of written) {
    await mkdir(dirname(join(out, path)), { recursive: true });
    await writeFile(join(out, path), text);
  }
  for (const path of removed) await rm(join(out, path));
  await writeFile(join(out, "mod.ts"), own, { flag: "wx" }).catch((error) => {
    if (error.code !== "EEXIST") throw error;
  });
}

function ownModule(exports: string, extension: string): string {
  return `/** The contract. Imports never change this file: write here what differs from the document. */
export { ${exports} } from "./contract${extension}";
`;
}

/** The text of the modules where an import writes them, by path. Other folders may be those of other imports. */
async function readModules(out: string): Promise<Map<string, string>> {
  const present = new Map<string, string>();
  for (const folder of ["", "schemas/"]) {
    const names = await readdir(join(out, folder)).catch((): string[] => []);
    if (folder !== "" && names.includes("contract.ts")) continue; // another import
    for (const name of names.filter((each) => each.endsWith(".ts"))) {
      present.set(folder + name, await readFile(join(out, folder, name), "utf8"));
    }
  }
  return present;
}
