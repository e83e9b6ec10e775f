/**
 * Imports OpenAPI documents and follows each through the toolkit: the contract, its document compared with the original
 * in both directions, a mock of it, a call of every operation to the mock, and contract tests of the mock.
 *
 * ```sh
 * deno task import:chain openapi.json folder/with/documents
 * deno task import:chain --write folder/with/documents # the table of docs/conformance.md
 * ```
 *
 * With `DATES=1` the contract is that of the modules that Zod's schemas with dates are written to.
 *
 * `RUNS` is the number of random requests for each phase of the contract tests, by default 2. With 0 they do not run.
 *
 * @module
 */
import type { Contract } from "@scope/api";
import { createClient } from "@scope/api/client";
import { type AnyOpenApiDocument, type Change, diffContracts } from "@scope/api/diff";
import { importContract, type ImportedContract, type ImportReport, writeContract } from "@scope/api/import";
import { mockContract } from "@scope/api/mock";
import { openApiDocument } from "@scope/api/openapi";
import { verify } from "@scope/api/server";
import { contractTests, sample } from "@scope/api/testing";
import { routesOf } from "../src/contract/node.ts";
import { requirementsOf } from "../src/contract/security_scheme.ts";
import { parseDocument } from "../src/tools/commands.ts";

/** What became of a document on its way. */
export interface Chain {
  readonly report: ImportReport;
  /** Breaking changes between the original and the document of the contract that the report does not name. */
  readonly unnamed: readonly Change[];
  /** The operations whose call to the mock failed, with the error. */
  readonly failedCalls: readonly string[];
  /** The findings of contract tests of the mock. */
  readonly findings: readonly string[];
}

/** How much of the way is gone. */
export interface ChainOptions {
  /** The number of random requests for each phase of the contract tests of a route; 0 runs none. */
  readonly runs: number;
  /** Whether the contract is written as modules with dates. Default: `false`. */
  readonly dates?: boolean;
}

/** Follows a document through the toolkit. */
export async function followDocument(document: object, { runs, dates = false }: ChainOptions): Promise<Chain> {
  const { contract, report } = dates ? await importWithDates(document) : importContract(document);
  return {
    report,
    unnamed: "swagger" in document ? [] : compare(document as AnyOpenApiDocument, contract, report),
    failedCalls: await callAll(contract).catch(toMessage),
    findings: runs === 0 ? [] : await testMock(contract, runs).catch(toMessage),
  };
}

/** Writes a contract with dates as modules, and imports them. */
async function importWithDates(document: object): Promise<ImportedContract> {
  const { files, report } = writeContract(document, { dates: true });
  const folder = new URL(`../.reports/import_chain/${crypto.randomUUID()}/`, import.meta.url);
  try {
    await Deno.mkdir(new URL("schemas", folder), { recursive: true });
    for (const { path, text } of files) await Deno.writeTextFile(new URL(path, folder), text);
    const { contract } = await import(new URL("contract.ts", folder).href);
    return { contract, report };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A mock refuses a contract with a schema that no value matches. */
function toMessage(error: unknown): string[] {
  return [String(error)];
}

/** The breaking changes in both directions that neither an operation's changes nor a kind of fault explain. */
function compare(original: AnyOpenApiDocument, contract: Contract, report: ImportReport): Change[] {
  const written = openApiDocument(contract, { info: { title: "Imported", version: "1.0.0" }, refusals: false });
  const read = toRead(original, report);
  const both = [diffContracts(read, written, { samples: 20 }), diffContracts(written, read, { samples: 20 })];
  const ruledOut = new Set(
    report.faults.flatMap(({ message }) => /^additionalProperties .* "(.*)" /.exec(message)?.[1] ?? []),
  );
  const left = report.operations.filter(({ key }) => key === undefined).map(({ operation }) => `${operation} `);
  const changed = new Set(report.operations.filter(isChanged).flatMap(({ operation, key }) => [operation, key ?? ""]));
  const ids = new Map(routesOf(contract.routes).map(({ key, docs }) => [docs.operationId ?? key, key]));
  return both.flat().filter(({ verdict, route }) => verdict === "breaking" && route !== "")
    .filter(({ route }) => !changed.has(ids.get(route) ?? route) && !changed.has(withoutBase(route, original)))
    .filter(({ message }) => !left.some((operation) => withoutBase(message, original).startsWith(operation)))
    .filter(({ where }) => !ruledOut.has(where.split("/").at(-1)!))
    .filter(({ message }) => !explanations.some((pattern) => pattern.test(message)));
}

/** The document as the import has read it, with its faults corrected as the report says. */
function toRead(original: AnyOpenApiDocument, { faults }: ImportReport): AnyOpenApiDocument {
  const read = structuredClone(original);
  for (const { place, message } of faults) {
    const type = /; it is read as (null)$/.exec(message)?.[1] ??
      /; it is read as one of type (\w+)$/.exec(message)?.[1];
    const schema = memberAt(read, place);
    if (schema && type) schema.type ??= type;
  }
  return read;
}

/** The schema of a JSON Pointer that is a fragment. */
function memberAt(document: unknown, place: string): Record<string, unknown> | undefined {
  const steps = place.slice(1).split("/").slice(1).map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const found = steps.reduce<unknown>((part, step) => (part as Record<string, unknown> | undefined)?.[step], document);
  return found as Record<string, unknown> | undefined;
}

function isChanged({ key, changes }: ImportReport["operations"][number]): boolean {
  return key === undefined || changes.length > 0;
}

/** A route of an operation without an id is named by its method and path, below the path of the server. */
function withoutBase(route: string, { servers }: AnyOpenApiDocument & { readonly servers?: unknown }): string {
  const [first] = Array.isArray(servers) ? servers as readonly { readonly url?: unknown }[] : [];
  const url = String(first?.url ?? "");
  const base = URL.canParse(url, "http://localhost")
    ? new URL(url, "http://localhost").pathname.replace(/\/+$/, "")
    : "";
  return base === "" ? route : route.replace(` ${base}/`, " /");
}

/** What the faults and the unchecked keywords of a document explain, and values that no text can be. */
const explanations: readonly RegExp[] = [
  /unique items|members|propertyNames|differ in|contains/, // keywords that are not checked
  /null, true or false|an? (?:number|string|array|object)(?: or [a-z]+)?$/, // schemas without a type, and null in text
  /may be null|can no longer be null|possibly empty/,
  /required now|may be missing/, // choices of required properties
  /another place|goes to/, // paths that the original has too
];

/** Calls every operation of a mock. Returns those that failed. */
async function callAll(contract: Contract): Promise<string[]> {
  const mock = mockContract(contract, { caller: {} });
  const client = createClient(contract, { baseUrl: "http://localhost", fetch: mock });
  const failed: string[] = [];
  for (const node of routesOf(contract.routes)) {
    const call = node.key.split(".").reduce<unknown>((tree, key) => (tree as Record<string, unknown>)[key], client);
    try {
      const result = await (call as (input: object) => Promise<{ body?: unknown }>)(sample(node));
      if (result.body instanceof ReadableStream) await result.body.cancel();
    } catch (error) {
      failed.push(`${node.method} ${node.path}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return failed;
}

/** Tests a mock that accepts one credential of each scheme. A custom scheme has none that a client sends. */
async function testMock(contract: Contract, runs: number): Promise<string[]> {
  const entries = routesOf(contract.routes).flatMap(({ security = [] }) => requirementsOf(security));
  const schemes = [...new Set(entries.map(({ scheme }) => scheme))];
  const verifiers = schemes.map((scheme) =>
    verify(scheme, (input) => {
      const isGood = scheme.kind === "custom" || Object.values(input).includes(good);
      return isGood ? { scopes: scheme.scopes } : undefined;
    })
  );
  const target = mockContract(contract, { security: verifiers } as object);
  const credentials = Object.fromEntries(
    schemes.filter(({ kind }) => kind !== "custom").map(({ name, kind }) =>
      [name, kind === "basic" ? { username: good, password: good } : good] as const
    ),
  );
  const hasCustom = schemes.some(({ kind }) => kind === "custom");
  const ignore = { "deleted-is-gone": true, ...(hasCustom && { "needs-credentials": true }) };
  const findings: string[] = [];
  for (const { name, run } of contractTests(contract, { target, runs, credentials, ignore, warn: () => {} } as never)) {
    await run().catch((error) => findings.push(`${name}: ${String(error.message).split("\n")[0]}`));
  }
  return findings;
}

/** The value of each credential that a mock accepts. */
const good = "good";

/** Reads the documents of paths: files, and the files of folders. */
export async function readDocuments(paths: readonly string[]): Promise<readonly (readonly [string, object])[]> {
  const files = (await Promise.all(paths.map(async (path) => {
    if (!(await Deno.stat(path)).isDirectory) return [path];
    const entries = await Array.fromAsync(Deno.readDir(path));
    return entries.map(({ name }) => `${path}/${name}`).filter((name) => /\.(json|ya?ml)$/.test(name)).toSorted();
  }))).flat();
  return await Promise.all(
    files.map(async (file) =>
      [
        file.split("/").at(-1)!,
        await parseDocument(await Deno.readTextFile(file), file, "Cannot import") as object,
      ] as const
    ),
  );
}

/** Whether a document has an operation. */
function isImportable(document: object): boolean {
  const { paths } = document as { readonly paths?: Readonly<Record<string, object>> };
  const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];
  return Object.values(paths ?? {}).some((item) => methods.some((method) => method in item));
}

/** A row of the table: a document, and what became of it. */
type Row = readonly [name: string, ...counts: number[]];

/** The table of all documents, with the sums of its columns. */
function toTable(rows: readonly Row[]): string {
  const [, ...first] = rows[0] ?? [""];
  const sums = first.map((_, index) => rows.reduce((sum, row) => sum + (row[index + 1] as number), 0));
  const lines = [...rows, ["all", ...sums] as const].map((row) => `| ${row.join(" | ")} |`);
  const head = "| document | operations | declared | with a change | not named | failures |";
  return [head, "| --- | ---: | ---: | ---: | ---: | ---: |", ...lines].join("\n");
}

/** Replaces the table of the documentation. */
async function writeTable(table: string): Promise<void> {
  const page = new URL("../docs/conformance.md", import.meta.url);
  const text = await Deno.readTextFile(page);
  const [begin, end] = ["<!-- begin import:chain -->", "<!-- end import:chain -->"];
  const [before] = text.split(begin);
  const after = text.slice(text.indexOf(end));
  await Deno.writeTextFile(page, `${before}${begin}\n\n${table}\n\n${after}`);
}

if (import.meta.main) {
  const runs = Number(Deno.env.get("RUNS") ?? 2);
  const dates = Deno.env.get("DATES") === "1";
  const paths = Deno.args.filter((arg) => arg !== "--write");
  const rows: Row[] = [];
  let failures = 0;
  for (const [name, document] of await readDocuments(paths)) {
    if (!isImportable(document)) continue;
    const start = performance.now();
    const { report, unnamed, failedCalls, findings } = await followDocument(document, { runs, dates });
    const seconds = ((performance.now() - start) / 1_000).toFixed(1);
    const declared = report.operations.filter(({ key }) => key !== undefined);
    const changed = declared.filter(({ changes }) => changes.length > 0);
    const failed = failedCalls.length + findings.length;
    rows.push([name, report.operations.length, declared.length, changed.length, unnamed.length, failed]);
    console.error(`${name}: ${seconds} s`);
    const differences = unnamed.map((each) => `${each.rule} ${each.route} ${each.where}: ${each.message}`);
    for (const line of [...differences, ...failedCalls, ...findings]) {
      failures++;
      console.error(`  ${line.slice(0, 300)}`);
    }
  }
  const table = toTable(rows);
  if (Deno.args.includes("--write")) await writeTable(table);
  else console.log(table);
  if (failures > 0) Deno.exitCode = 1;
}
