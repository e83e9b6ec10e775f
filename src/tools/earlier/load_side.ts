/** The sides of a comparison: the contract of a module, a document with the files that it refers to, or an earlier version. */
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { readOpenApi } from "../import/import_contract.ts";
import { checkBelow, importExport, isUrl, parseDocument, readText } from "../commands.ts";
import { toOneLine } from "../../messages.ts";
import type { ReportedSide } from "../diff/report.ts";

export interface EarlierVersion {
  readonly name: string;
  readonly version: string | undefined;
  readonly document: string;
  readonly remedy: string;
  read(path: string): Promise<string | undefined>;
  /** Whether there is a module that could be imported. */
  readonly hasModule: boolean;
  checkOut<Result>(use: (module: string) => Promise<Result>): Promise<Result>;
}

export const failure = "Cannot compare contracts";

export function failEarlier(state: string): never {
  throw new TypeError(toOneLine(`${failure}: ${state}`));
}

export interface LoadOptions {
  readonly export?: string | undefined;
  readonly root?: string | undefined;
}

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

export async function loadModule(path: string, { export: name = "contract" }: LoadOptions): Promise<ReportedSide> {
  const { [name]: contract, openApiOptions } = await importExport(path, name, failure);
  return { contract, supply: openApiOptions?.schema };
}

/** Loads a document of files that are not on the disk. */
export async function loadTree({ name, document: path, read }: EarlierVersion): Promise<ReportedSide> {
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

export async function parse(text: string, path: string): Promise<unknown> {
  return await parseDocument(text, path, failure, "a module, JSON or YAML");
}

/** Returns what all packages of registries have in common. */
export function packageFacts(name: string, version: string): Omit<EarlierVersion, "read" | "checkOut"> {
  const remedy = "publish it with the package";
  return { name: `${name} ${version}`, version, document: "openapi.json", remedy, hasModule: true };
}
