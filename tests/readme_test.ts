import { assert, assertEquals, assertLessOrEqual, assertStringIncludes } from "@std/assert";
import { bundle } from "./support/bundle.ts";
import { runDeno } from "./support/run_module.ts";
import { inTemporaryFolder } from "./support/temporary_folder.ts";
import { checkProgram } from "./types/program.ts";

const root = new URL("../", import.meta.url);
const [readme, results, runtimes] = await Promise.all(["README.md", "bench/RESULTS.md", "bench/RUNTIMES.md"].map(read));
const files = [...readme!.matchAll(/^```ts[^\n]*\n(\/\/ (?:contract|app|client)\.ts\n.*?)^```$/gms)].map((
  [, code = ""],
) => code);
const importOfContract = 'import { contract } from "./contract.ts";\n';

/** Contract, server and client as one program, whose client calls the server in the same process. */
const program = files.join("\n").replaceAll(importOfContract, "").replace(/(baseUrl: "[^"]*")/, "$1, fetch: handler");

function read(path: string): Promise<string> {
  return Deno.readTextFile(new URL(path, root));
}

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

/** The cells of a row of the results, or of another page, below a text. */
function cellsOf(below: string, title: string, page = results!): string[] {
  const table = page.slice(page.indexOf(below));
  const [, row = ""] = table.match(new RegExp(`^\\| ${title} +\\|(.*)\\|$`, "m")) ?? [];
  return row.split("|").map((cell) => cell.trim());
}

function toPercents(title: string): string {
  const ratios = cellsOf("| requests per second, ratio to direct", title).map((cell) => Number(cell.split(" ")[0]));
  const percent = (ratio: number): number => Math.round(100 * ratio);
  return `${percent(Math.min(...ratios))} to ${percent(Math.max(...ratios))}%`;
}

Deno.test("README has the figures of the last benchmark", () => {
  const text = readme!.replaceAll(/\s+/g, " ");
  const startUp = (title: string): string => `${cellsOf("## Start-up", title).at(-1)} ms`;
  const gzip = (title: string): string => `${Math.round(Number(cellsOf("## Bundles", title).at(-1)) * 10) / 10} KiB`;
  const worker = (title: string): string => `${Math.round(parseFloat(cellsOf("## Start-up", title, runtimes)[2]!))} ms`;
  const tsc = (title: string): string => `${cellsOf("| 200 routes", title, runtimes)[0]} s`;
  const sentences = [
    `A server handles ${toPercents("@scope/api")} of the requests per second`,
    `Hono handles ${toPercents("Hono")}.`,
    `Start-up takes ${startUp("@scope/api")}, and ${startUp("Hono")} with Hono`,
    `of a [Worker](bench/RUNTIMES.md#start-up) ${worker("@scope/api")}, and ${worker("Hono")} with Hono`,
    `\`tsc\` takes ${tsc("@scope/api")} for 200 routes, and ${tsc("Hono, hc")} with Hono's \`hc\``,
    `A client is ${gzip("client")} in gzip.`,
    `${gzip("client")} client (gzip)`,
    `ArkType, ${cellsOf("# Results", "date").at(-1)})`,
  ];

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
  const { gzipBytes } = await bundle(`${contract}\n${client.replaceAll(importOfContract, "")}`);
  const size = `${Math.round(gzipBytes / 1024)} KiB`;

  assertStringIncludes(readme!.replaceAll(/\s+/g, " "), `The client above is ${size} with its contract and Zod.`);
  const comparison = (await read("docs/comparison.md")).replaceAll(/\s+/g, " ");
  assertStringIncludes(comparison, `The client of the README, with its contract and Zod, is ${size},`);
});

Deno.test("README's sizes of pages are above their budgets", async () => {
  const budgets = (await read("tests/bundle_test.ts")).replaceAll(/(?<=\d)_(?=\d)/g, "");
  const budgetOf = (pattern: RegExp): number => Number(budgets.match(pattern)?.[1]);
  const [, ...sizes] = readme!.match(/below (\d+)\s+KiB\s+together, and below (\d+)\s+KiB with/) ?? [];

  const [page = 0, slim = 0] = sizes.map((size) => Number(size) * 1024);
  assertLessOrEqual(budgetOf(/"of JSON routes": \{[^}]*maxGzipBytes: (\d+)/s), page);
  assertLessOrEqual(budgetOf(/maxSlimPage = (\d+)/), slim);
});
