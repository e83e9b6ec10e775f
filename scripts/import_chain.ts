/**
 * Imports OpenAPI documents and follows each through the toolkit: the contract, compared with the document, a mock of
 * it, a call of every operation to the mock, and contract tests of the mock.
 *
 * ```sh
 * deno task import:chain openapi.json folder/with/documents
 * deno task import:chain --write folder/with/documents # the table of docs/conformance.md
 * ```
 *
 * With `--loss` it prints instead what each document loses when its import is published again: with `importContract()`
 * and with the modules of each library, all differences, in parentheses those that the report does not name, and the
 * kept names of components. `--loss --write` replaces the second table of docs/conformance.md.
 *
 * With `SCHEMAS=zod`, `valibot` or `arktype`, the contract is that of modules with schemas of this library, and with
 * `DATES=1` that of modules with dates.
 *
 * `RUNS` is the number of random requests for each phase of the contract tests, by default 2. With 0 they do not run.
 *
 * @module
 */
import type { Contract } from "@scope/api";
import { createClient } from "@scope/api/client";
import { type AnyOpenApiDocument, type Change, diffContracts } from "@scope/api/diff";
import {
  importContract,
  type ImportedContract,
  type ImportReport,
  type SchemaLibrary,
  writeContract,
} from "@scope/api/import";
import { mockContract } from "@scope/api/mock";
import { openApiDocument } from "@scope/api/openapi";
import { verify } from "@scope/api/server";
import { contractTests, sample } from "@scope/api/testing";
import { routesOf } from "../src/contract/node.ts";
import { requirementsOf } from "../src/contract/security_scheme.ts";
import { countKinds, listLosses, type Losses } from "./losses.ts";
import { listUnnamed } from "./unnamed_changes.ts";
import { parseDocument } from "../src/tools/commands.ts";

/** What became of a document on its way. */
export interface Chain {
  readonly report: ImportReport;
  /** The differences between the document and an equal one with an extension more. */
  readonly itself: readonly Change[];
  /** The differences between the document and the contract, of all verdicts, that the report does not name. */
  readonly unnamed: readonly Change[];
  /** Lists those between the document and the one that is published again, without the ids of operations that had none. */
  readonly republish: () => readonly Change[];
  /** The operations whose call to the mock failed, with the error. */
  readonly failedCalls: readonly string[];
  /** The findings of contract tests of the mock. */
  readonly findings: readonly string[];
}

/** How much of the way is gone. */
export interface ChainOptions {
  /** The number of random requests for each phase of the contract tests of a route; 0 runs none. */
  readonly runs: number;
  /** The library of the modules that the contract is written as. Default: none is written, unless with dates. */
  readonly schemas?: SchemaLibrary | undefined;
  /** Whether the contract is written as modules with dates. Default: `false`. */
  readonly dates?: boolean;
}

/** Follows a document through the toolkit. */
export async function followDocument(document: object, { runs, schemas, dates = false }: ChainOptions): Promise<Chain> {
  const { contract, report, document: options } = schemas === undefined && !dates
    ? importContract(document)
    : await importModules(document, { schemas, dates });
  const original = document as AnyOpenApiDocument;
  const published = openApiDocument(contract, { ...options, refusals: false }); // which throws if a schema does not convert
  return {
    report,
    itself: diffContracts(original, { ...original, "x-copy": true } as AnyOpenApiDocument, { samples: 20 }),
    unnamed: listUnnamed(original, contract, report),
    republish: () =>
      listUnnamed(original, contract, report, published)
        .filter(({ rule, route }) => rule !== "key-renamed" || !/^[A-Z]+ \//.test(route)),
    failedCalls: await callAll(contract).catch(toMessage),
    findings: runs === 0 ? [] : await testMock(contract, runs).catch(toMessage),
  };
}

/** Writes a contract as modules, and imports them. */
async function importModules(
  document: object,
  { schemas = "zod", dates = false }: Omit<ChainOptions, "runs">,
): Promise<ImportedContract> {
  const { files, report } = writeContract(document, { schemas, dates });
  const folder = new URL(`../.reports/import_chain/${crypto.randomUUID()}/`, import.meta.url);
  try {
    await Deno.mkdir(new URL("schemas", folder), { recursive: true });
    for (const { path, text } of files) await Deno.writeTextFile(new URL(path, folder), text);
    const { contract } = await import(new URL("contract.ts", folder).href);
    const { document: options } = await import(new URL("document.ts", folder).href);
    return { contract, report, document: options };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A mock refuses a contract with a schema that no value matches. */
function toMessage(error: unknown): string[] {
  return [String(error)];
}

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

/** Lists the documents of paths: files, and the files of folders. */
async function listFiles(paths: readonly string[]): Promise<readonly string[]> {
  return (await Promise.all(paths.map(async (path) => {
    if (!(await Deno.stat(path)).isDirectory) return [path];
    const entries = await Array.fromAsync(Deno.readDir(path));
    return entries.map(({ name }) => `${path}/${name}`).filter((name) => /\.(json|ya?ml)$/.test(name)).toSorted();
  }))).flat();
}

/** Reads the documents of paths. */
export async function readDocuments(paths: readonly string[]): Promise<readonly (readonly [string, object])[]> {
  return await Promise.all(
    (await listFiles(paths)).map(async (file) =>
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
  const head = "| document | operations | declared | with a change | not named | published again | failures |";
  return [head, "| --- | ---: | ---: | ---: | ---: | ---: | ---: |", ...lines].join("\n");
}

/** Replaces a table of the documentation. */
async function writeTable(name: "chain" | "loss", table: string): Promise<void> {
  const page = new URL("../docs/conformance.md", import.meta.url);
  const text = await Deno.readTextFile(page);
  const [begin, end] = [`<!-- begin import:${name} -->`, `<!-- end import:${name} -->`];
  const [before] = text.split(begin);
  const after = text.slice(text.indexOf(end));
  await Deno.writeTextFile(page, `${before}${begin}\n\n${table}\n\n${after}`);
}

function toLine({ rule, route, where, message }: Change): string {
  return `${rule} ${route} ${where}: ${message}`;
}

/** The libraries whose modules are compared, and the run-time import. */
const ways = [undefined, "zod", "valibot", "arktype"] as const;

/** Lists what a document loses if it is imported and published again. */
export async function measureLoss(document: object, schemas: SchemaLibrary | undefined): Promise<Losses> {
  const imported = schemas === undefined ? importContract(document) : await importModules(document, { schemas });
  const published = openApiDocument(imported.contract, { ...imported.document, refusals: false });
  return listLosses(document, published, imported.report);
}

/** What a document loses in one way, as counts. */
interface LossCounts {
  readonly all: number;
  readonly unnamed: number;
  readonly kept: number;
  readonly used: number;
}

/** The most milliseconds that a document takes in one way, in a process of its own. */
const mostTime = 60_000;

/** Counts losses in a process of its own, because modules stay in memory. `undefined` if it takes too long. */
async function countApart(path: string, schemas: SchemaLibrary | undefined): Promise<LossCounts | undefined> {
  const args = ["run", "--allow-all", "--no-check", import.meta.filename!, "--count", path, schemas ?? ""];
  const signal = AbortSignal.timeout(mostTime);
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args, signal }).output();
  const [line] = new TextDecoder().decode(stdout).split("\n");
  if (success && line) return JSON.parse(line);
  if (!signal.aborted) throw new Error(`${path}: ${new TextDecoder().decode(stderr)}`);
}

async function printCount(path: string, schemas: string): Promise<void> {
  const [[name, document]] = await readDocuments([path]) as [readonly [string, object]];
  const { all, unnamed, names } = await measureLoss(document, schemas === "" ? undefined : schemas as SchemaLibrary);
  const kinds = Object.entries(countKinds(unnamed)).map(([kind, count]) => `${count} ${kind}`).join(", ");
  if (kinds !== "") console.error(`${name}, ${schemas || "importContract()"}: ${kinds}`);
  console.log(JSON.stringify({ all: all.length, unnamed: unnamed.length, ...names } satisfies LossCounts));
}

/** Returns the table of what documents lose: for each way all differences, those without a line, and names. */
async function toLossTable(paths: readonly string[]): Promise<string> {
  const rows: string[] = [];
  const sums = ways.map(() => ({ all: 0, unnamed: 0, kept: 0, used: 0 }));
  const format = ({ all, unnamed, kept, used }: LossCounts) => `${all} (${unnamed}), ${kept} of ${used}`;
  for (const path of await listFiles(paths)) {
    const [[name, document]] = await readDocuments([path]) as [readonly [string, object]];
    if (!isImportable(document)) continue;
    const cells: string[] = [];
    for (const [index, schemas] of ways.entries()) {
      const counts = await countApart(path, schemas);
      for (const each of counts ? ["all", "unnamed", "kept", "used"] as const : []) sums[index]![each] += counts![each];
      cells.push(counts ? format(counts) : "");
    }
    rows.push(`| ${name} | ${cells.join(" | ")} |`);
    console.error(rows.at(-1));
  }
  const heads = ways.map((each) => each ?? "importContract()");
  return [
    `| document | ${heads.join(" | ")} |`,
    `| --- |${heads.map(() => " --- |").join("")}`,
    ...rows,
    `| all | ${sums.map(format).join(" | ")} |`,
  ].join("\n");
}

if (import.meta.main && Deno.args[0] === "--count") {
  await printCount(Deno.args[1]!, Deno.args[2]!);
} else if (import.meta.main && Deno.args.includes("--loss")) {
  const table = await toLossTable(Deno.args.filter((arg) => !arg.startsWith("--")));
  if (Deno.args.includes("--write")) await writeTable("loss", table);
  else console.log(table);
} else if (import.meta.main) {
  const runs = Number(Deno.env.get("RUNS") ?? 2);
  const dates = Deno.env.get("DATES") === "1";
  const schemas = Deno.env.get("SCHEMAS") as SchemaLibrary | undefined; // writeContract() refuses others
  const paths = Deno.args.filter((arg) => arg !== "--write");
  const rows: Row[] = [];
  let failures = 0;
  for (const [name, document] of await readDocuments(paths)) {
    if (!isImportable(document)) continue;
    const start = performance.now();
    const { report, itself, unnamed, republish, failedCalls, findings } = await followDocument(document, {
      runs,
      schemas,
      dates,
    });
    const republished = republish();
    const seconds = ((performance.now() - start) / 1_000).toFixed(1);
    const declared = report.operations.filter(({ key }) => key !== undefined);
    const changed = declared.filter(({ changes }) => changes.length > 0);
    const failed = failedCalls.length + findings.length;
    const differences = [...itself, ...unnamed];
    const counts = [declared.length, changed.length, differences.length, republished.length, failed];
    rows.push([name, report.operations.length, ...counts]);
    console.error(`${name}: ${seconds} s`);
    for (const line of [...differences.map(toLine), ...failedCalls, ...findings]) {
      failures++;
      console.error(`  ${line.slice(0, 300)}`);
    }
    for (const each of republished) console.error(`  published again: ${toLine(each).slice(0, 300)}`);
  }
  const table = toTable(rows);
  if (Deno.args.includes("--write")) await writeTable("chain", table);
  else console.log(table);
  if (failures > 0) Deno.exitCode = 1;
}
