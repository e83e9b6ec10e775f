import { assert, assertEquals, assertLessOrEqual, assertStringIncludes } from "@std/assert";
import config from "../deno.json" with { type: "json" };
import { bundle } from "./support/bundle.ts";
import { runDeno } from "./support/run_module.ts";
import { inTemporaryFolder } from "./support/temporary_folder.ts";
import { checkProgram } from "./types/program.ts";

const root = new URL("../", import.meta.url);
const [readme, results, runtimes] = await Promise.all(["README.md", "bench/RESULTS.md", "bench/RUNTIMES.md"].map(read));
const files = [...readme!.matchAll(/^```ts[^\n]*\n(\/\/ (?:contract|app|client)\.ts\n.*?)^```$/gms)].map((
  [, code = ""],
) => code);
const importOfContract = /^import \{ contract.* \} from "\.\/contract\.ts";\n/gm;

/** Contract, server and client as one program, whose client calls the server in the same process. */
const program = files.join("\n").replaceAll(importOfContract, "").replace(/(baseUrl: "[^"]*")/, "$1, fetch: handler");

function read(path: string): Promise<string> {
  return Deno.readTextFile(new URL(path, root));
}

Deno.test("README's table of entry points has each, with exports that it has", async () => {
  const [, table = ""] = readme!.split("\n## Entry points\n");
  const rows = new Map(
    [...table.matchAll(/^\| (`@scope\/api.*?`) +\| (.*?) +\|$/gm)].map(([, names = "", cell = ""]) => {
      return [names.replaceAll("`@scope/api", "`."), cell];
    }),
  );
  const doors = Object.keys(config.exports);
  const commands = doors.filter((door) => door.endsWith("/cli")).map((door) => `\`${door.split("/")[1]}\``);
  const named = [...rows.keys()].join();

  assertEquals(doors.filter((door) => !door.endsWith("/cli") && !named.includes(`\`${door}\``)), []);
  assertEquals(commands.filter((command) => !rows.get("`./create`, `./*/cli`")?.includes(command)), []);
  const missing = await Promise.all([...rows].map(async ([names, cell]) => {
    const path = (config.exports as Readonly<Record<string, string>>)[names.slice(1, -1)];
    if (path === undefined) return []; // several doors
    const exported = Object.keys(await import(new URL(path, root).href));
    return [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name).filter((name) => !exported.includes(name));
  }));
  assertEquals(missing.flat(), []);
});

Deno.test("README leads to the guides within two screens", () => {
  const [start = ""] = readme!.split("\n## Guides\n");

  assertLessOrEqual(start.split("\n").length, 110);
});

Deno.test("README's contract, server and client compile and print the output in the comment", async () => {
  assertEquals(files.length, 3);
  assertEquals(checkProgram(program).errors, []);
  await inTemporaryFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/program.ts`, program);
    const { code, stdout } = await runDeno(["run", "--quiet", "--config=deno.json", `${folder}/program.ts`]);
    assertEquals([code, stdout], [0, "Ada\n"]);
  });
});

Deno.test("README's client without the line for 404 has the compile-time error that README shows", () => {
  const mistaken = program.replace(/^if \(result\.status === 404\).*\n/m, "");
  const [, shown = ""] = readme!.match(/TypeScript reports:\n\/\/ (.*)\n/) ?? [];
  const { errors } = checkProgram(mistaken);

  assert(mistaken !== program);
  assertEquals(errors.map(({ line }) => line), ["console.log(result.body.name); // Ada"]);
  assertStringIncludes(errors[0]!.message, shown);
});

Deno.test("README's component for React compiles, with the caller of getMe as its data", () => {
  const [, component = ""] = readme!.match(/^```tsx ignore\n\/\/ me\.tsx\n(.*?)^```$/ms) ?? [];
  const withCore = component
    .replace('import { client } from "./client.ts";\n', "")
    .replace('{ useQuery } from "@tanstack/react-query"', '{ QueryClient, QueryObserver } from "@tanstack/query-core"')
    .replace("useQuery(", "new QueryObserver(new QueryClient(), ")
    .replace("(client.getMe))", "(client.getMe)).getCurrentResult()");
  const inTypeScript = withCore.replace(/<p>\{(.*)\}<\/p>/, "($1) satisfies string | undefined");

  assertEquals(checkProgram(program + inTypeScript).errors, []);
  const wrong = checkProgram(program + inTypeScript.replace("data?.name", "data?.password")).errors;
  assertEquals(wrong.length, 1);
});

Deno.test("README's audit of the service of Express is a part of the report in docs/audit.md", async () => {
  const [, shown = ""] = readme!.match(/^```text\n\$ (npx [^]*?)^```$/m) ?? [];
  const report = (await read("docs/audit.md")).split("\n");
  const lines = shown.split("\n").filter((line) => line !== "" && line !== "…");

  assertEquals(lines.length, 7);
  assertEquals(lines.filter((line) => !report.includes(line)), []);
});

/** The cells of a row of the results, or of another page, below a text. */
function cellsOf(below: string, title: string, page = results!): string[] {
  const table = page.slice(page.indexOf(below));
  const [, row = ""] = table.match(new RegExp(`^\\| ${title} +\\|(.*)\\|$`, "m")) ?? [];
  return row.split("|").map((cell) => cell.trim());
}

/** The range of a server on Node, of all requests that the benchmark measures. */
function toPercents(title: string): string {
  const ratios = cellsOf("## Requests per second", title, runtimes).map((cell) => Number(cell.split(" ")[0]));
  const percent = (ratio: number): number => Math.round(100 * ratio);
  return `${percent(Math.min(...ratios))} to ${percent(Math.max(...ratios))}%`;
}

Deno.test("README has the figures of the last benchmark", () => {
  const text = readme!.replaceAll(/\s+/g, " ");
  const startUp = (title: string, column: number): number =>
    Math.round(parseFloat(cellsOf("## Start-up", title, runtimes)[column]!));
  const gzip = (title: string): string => `${Math.round(Number(cellsOf("## Bundles", title).at(-1)) * 10) / 10} KiB`;
  const compiled = (title: string): readonly string[] => cellsOf("| 200 routes", title, runtimes);
  const tsc = (title: string): string => `${compiled(title)[0]} s`;
  const sentences = [
    `\`createNodeHandler()\` handles ${toPercents("@scope/api, createNodeHandler\\(\\)")} of the requests per second`,
    `Fastify ${toPercents("Fastify with Zod")}, and Hono ${toPercents("Hono with Zod, @hono/node-server")}.`,
    `It starts in ${startUp("@scope/api", 0)} ms, and Hono in ${startUp("Hono", 0)} ms;`,
    `as one bundle in ${startUp("@scope/api", 1)} and ${startUp("Hono", 1)} ms.`,
    `\`tsc\` takes ${tsc("@scope/api")} for 200 routes, and ${tsc("Hono, hc")} with Hono's \`hc\``,
    `A client is ${gzip("client")} in gzip.`,
    `${gzip("client")} client (gzip)`,
  ];

  assertEquals(sentences.filter((sentence) => !text.includes(sentence)), []);
});

Deno.test("the comparison has the figures of the last benchmark", async () => {
  const comparison = await read("docs/comparison.md");
  const calls = (title: string): string => cellsOf("## Client round trip", title)[0]!;
  const called = ["Hono, `hc`", "@scope/api", "oRPC, `OpenAPILink`", "ts-rest"];
  assertEquals(
    called.map((title) => cellsOf("## What a client costs", title, comparison).at(-1)),
    ["Hono", "@scope/api", "oRPC", "ts-rest"].map(calls),
  );

  const memory = (title: string): number[] => cellsOf("## In memory", title).map(Number.parseFloat);
  const own = memory("@scope/api");
  const largest = (title: string): number => Number(cellsOf("## Route tables", title)[3]);
  const startUp = (title: string): number => Math.round(Number(cellsOf("## Start-up", title).at(-1)));
  const percent = (share: number): number => Math.round(100 * share);
  const less = (theirs: number, ours: number): string => `${percent(1 - theirs / ours)}%`;
  const shares = own.slice(0, 5).map((ours, index) => percent(ours / memory("Effect HttpApi")[index]!));
  const elysia = memory("Elysia");
  const sentences = [
    `a response with a parameter takes ${less(elysia[1]!, own[1]!)} less [time](../bench/RESULTS.md), a 404 ` +
    `${less(elysia[5]!, own[5]!)}, and a response among 2,048 routes ${
      less(largest("Elysia"), largest("@scope/api"))
    }.`,
    `start-up takes ${startUp("@scope/api")} ms instead of ${startUp("Effect HttpApi")}, and successful requests in ` +
    `memory take ${Math.min(...shares)} to ${Math.max(...shares)}% of the [time]`,
  ];
  const text = comparison.replaceAll(/\s+/g, " ");
  assertEquals(sentences.filter((sentence) => !text.includes(sentence)), []);
});

Deno.test("README has the figures of the imported documents", async () => {
  const [all = "", imported = "", changed = ""] = (await read("docs/conformance.md")).match(/^\| all +\|(.*)\|$/m)?.[1]
    ?.split("|").map((cell) => cell.trim()) ?? [];
  const percent = (part: number, digits: number): string => `${(100 * part / Number(all)).toFixed(digits)}%`;
  const exactly = percent(Number(imported) - Number(changed), 0);

  const sentence = `Of ${Number(all).toLocaleString("en")} operations in 44 [public documents]` +
    `(docs/conformance.md#openapi-documents), ${percent(Number(imported), 1)} are imported, and ${exactly} exactly.`;
  assertStringIncludes(readme!.replaceAll(/\s+/g, " "), sentence);
});

Deno.test("README's client has the size that README and the comparison name, with its contract and Zod", async () => {
  const [contract = "", , client = ""] = files;
  const sizeOf = async (library: string): Promise<string> => {
    const program = `${contract.replace('"zod"', `"${library}"`)}\n${client.replaceAll(importOfContract, "")}`;
    return `${Math.round((await bundle(program)).gzipBytes / 1024)} KiB`;
  };
  const size = await sizeOf("zod");

  const text = readme!.replaceAll(/\s+/g, " ");
  assertStringIncludes(text, `The client above is ${size} with its contract and Zod.`);
  assertStringIncludes(text, `client (gzip), or ${size} with its contract and Zod`);
  const comparison = (await read("docs/comparison.md")).replaceAll(/\s+/g, " ");
  const sentence = `The client of the README, with its contract and Zod, is ${size}, and ${await sizeOf(
    "zod/mini",
  )} with`;
  assertStringIncludes(comparison, `${sentence} \`zod/mini\`.`);
});

Deno.test("README's sizes of pages are above their budgets", async () => {
  const budgets = (await read("tests/bundle_test.ts")).replaceAll(/(?<=\d)_(?=\d)/g, "");
  const budgetOf = (pattern: RegExp): number => Number(budgets.match(pattern)?.[1]);
  const [, ...sizes] = readme!.match(/below (\d+)\s+KiB\s+together, and below (\d+)\s+KiB with/) ?? [];

  const [page = 0, slim = 0] = sizes.map((size) => Number(size) * 1024);
  assertLessOrEqual(budgetOf(/"of JSON routes": \{[^}]*maxGzipBytes: (\d+)/s), page);
  assertLessOrEqual(budgetOf(/maxSlimPage = (\d+)/), slim);
});
