/**
 * Measures what needs other runtimes or compilers: `deno task bench:runtimes [--short] [--only=requests,types200]`.
 * Installs packages from npm. Prints its results, and writes each measured section of RUNTIMES.md.
 */
import { removeFolders } from "../../tests/runtimes/kit.ts";
import { formatSection } from "../report/markdown.ts";
import type { Section } from "../report/section.ts";
import { describeMachine, packages } from "../report/versions.ts";
import { measureImported } from "./imported.ts";
import { measureProcessor } from "./processor.ts";
import { measureRequests } from "./requests.ts";
import { measureStarts } from "./starts.ts";
import { measureStreams } from "./streams.ts";
import { measureTypes } from "./types.ts";

/** How a section of the report is measured, and the packages that it compares. */
interface Suite {
  readonly measure: (short: boolean) => Promise<Section>;
  readonly compares: readonly string[];
}

const onNode = ["fastify", "fastify-type-provider-zod", "hono", "@hono/node-server", "@hono/zod-validator"];
const typed = ["hono", "@hono/zod-validator", "@orpc/contract", "zod"];

/** In the order of the report. */
const suites: Readonly<Record<string, Suite>> = {
  requests: { measure: measureRequests, compares: [...onNode, "elysia", "zod"] },
  starts: { measure: measureStarts, compares: ["hono", "@hono/zod-validator", "zod"] },
  processor: { measure: measureProcessor, compares: [...onNode, "elysia", "srvx", "zod"] },
  streams: { measure: measureStreams, compares: ["@hono/node-server", "srvx", "zod"] },
  types50: { measure: (short) => measureTypes(50, short), compares: typed },
  types200: { measure: (short) => measureTypes(200, short), compares: typed },
  types500: { measure: (short) => measureTypes(500, short), compares: typed },
  imported: { measure: measureImported, compares: ["zod"] },
};

const head = `# On other runtimes, and in editors

Written by \`deno task bench:runtimes\`; [README.md](README.md) explains it. Each section says when and where it was measured.`;

const path = new URL("../RUNTIMES.md", import.meta.url).pathname;
const isShort = Deno.args.includes("--short");
const only = Deno.args.find((argument) => argument.startsWith("--only="))?.slice("--only=".length).split(",");
const unknown = only?.filter((name) => !Object.hasOwn(suites, name)) ?? [];
if (unknown.length > 0) throw new Error(`--only: ${unknown} is not one of ${Object.keys(suites).join()}`);

try {
  for (const [name, { measure, compares }] of Object.entries(suites)) {
    if (only && !only.includes(name)) continue;
    const start = performance.now();
    const measured = await measure(isShort);
    const section = formatSection({ ...measured, text: `${measured.text}\n\n${describeRun(name, compares)}` });
    console.log(`${section}\n\n${name} took ${((performance.now() - start) / 1_000).toFixed(0)} s\n`);
    if (!isShort) await writeSection(name, section);
  }
} finally {
  await removeFolders();
}

function describeRun(name: string, compared: readonly string[]): string {
  const [[, date] = [], [, machine] = []] = describeMachine();
  const versions = packages(compared).map((each) => each.join(" ")).join(", ");
  return `Measured by ${commandOf(name)} on ${date}: ${machine}; ${versions}.`;
}

function commandOf(name: string): string {
  return `\`deno task bench:runtimes --only=${name}\``;
}

/** Writes one section of the report, and keeps the others. */
async function writeSection(name: string, section: string): Promise<void> {
  const [, ...earlier] = (await Deno.readTextFile(path)).split(/^(?=## )/m);
  const textOf = (each: string): string | undefined =>
    each === name ? section : earlier.find((text) => text.replaceAll(/\s+/g, " ").includes(commandOf(each)));
  const sections = Object.keys(suites).flatMap((each) => textOf(each)?.trim() ?? []);
  await Deno.writeTextFile(path, [head, ...sections].join("\n\n") + "\n");
  await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", path] }).output();
}
