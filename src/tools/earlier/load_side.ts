/** Loads a side of a comparison: the contract of a module, or a document with the files that it refers to. */
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { readOpenApi } from "../import/import_contract.ts";
import { checkBelow, importExport, isUrl, parseDocument, readText } from "../commands.ts";
import { failEarlier, failure } from "./version.ts";
import type { ReportedSide } from "../diff/report.ts";

/** What is loaded of a module, and what a document may refer to. */
export interface LoadOptions {
  readonly export?: string | undefined;
  readonly root?: string | undefined;
}

/** Tests whether a path is that of a module. */
export function isModule(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path);
}

/**
 * Loads the contract of a module, or the document of a file. A path without the extension of a module, such as a pipe,
 * is a document. A URL is that of a module.
 */
export async function loadSide(path: string, options: LoadOptions): Promise<ReportedSide> {
  if (isUrl(path) || isModule(path)) return await loadModule(path, options);
  const url = pathToFileURL(resolve(path)).href;
  const { root = dirname(resolve(path)) } = options;
  return await loadDocument(url, async (each) => {
    const file = each === url ? path : fileURLToPath(each);
    if (each !== url) await checkBelow(file, root, failure);
    return await parse(await readText(file, failure), file);
  });
}

/** Loads the contract of a module. */
export async function loadModule(path: string, { export: name = "contract" }: LoadOptions): Promise<ReportedSide> {
  const { [name]: contract, openApiOptions } = await importExport(path, name, failure);
  return { contract, supply: openApiOptions?.schema };
}

/** Loads a document of files that are not on the disk. */
export async function loadTree(
  { name, document: path, read }: {
    readonly name: string;
    readonly document: string;
    read(path: string): Promise<string | undefined>;
  },
): Promise<ReportedSide> {
  const url = new URL(path.split("/").map(encodeURIComponent).join("/"), "file:///").href;
  return await loadDocument(url, async (each) => {
    const file = decodeURIComponent(new URL(each).pathname.slice(1));
    return await parse(await read(file) ?? failEarlier(`${name} has no ${file}`), file);
  });
}

/**
 * Loads a document and the files that it refers to. URLs are not fetched, so what is behind them is unknown.
 *
 * @param parse Returns the parsed content of a URL: of the document, or of a file.
 */
export async function loadDocument(url: string, parse: (url: string) => Promise<unknown>): Promise<ReportedSide> {
  const document = await parse(url) as ReportedSide["contract"]; // which is checked when it is compared
  if (typeof document !== "object" || document === null || Array.isArray(document)) return { contract: document };
  const source = await readOpenApi(url, async (each) => {
    if (each === url) return document;
    return each.startsWith("file:") ? await parse(each) : undefined;
  });
  return { contract: source.files.size === 0 ? document : source };
}

/** Parses JSON or YAML. */
export async function parse(text: string, path: string): Promise<unknown> {
  return await parseDocument(text, path, failure, "a module, JSON or YAML");
}
