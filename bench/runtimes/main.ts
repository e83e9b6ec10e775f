/**
 * Measures what needs other runtimes or compilers: `deno task bench:runtimes [--short] [--only=servers,processor,streams,editors]`.
 * Installs packages from npm. Prints its results; a complete run also writes RUNTIMES.md.
 */
import { removeFolders } from "../../tests/runtimes/kit.ts";
import { formatSection, formatTable } from "../report/markdown.ts";
import type { Section } from "../report/section.ts";
import { describeMachine, packages } from "../report/versions.ts";
import { measureEditors } from "./editors.ts";
import { measureProcessor } from "./processor.ts";
import { measureServers } from "./servers.ts";
import { measureStreams } from "./streams.ts";

const isShort = Deno.args.includes("--short");
const only = Deno.args.find((argument) => argument.startsWith("--only="))?.slice("--only=".length).split(",");
const suites = {
  servers: measureServers,
  processor: measureProcessor,
  streams: measureStreams,
  editors: measureEditors,
};
const compared = [
  "elysia",
  "fastify",
  "fastify-type-provider-zod",
  "hono",
  "@hono/node-server",
  "@hono/zod-validator",
  "@orpc/contract",
  "@ts-rest/core",
  "srvx",
  "zod",
];

try {
  const sections: Section[] = [];
  for (const [name, measure] of Object.entries(suites)) {
    if (only && !only.includes(name)) continue;
    const measured = await measure(isShort);
    for (const section of measured) console.log(formatSection(section) + "\n");
    sections.push(...measured);
  }
  const head = [
    "# On other runtimes, and in editors",
    "Written by `deno task bench:runtimes`; [README.md](README.md) explains it.",
    formatTable({ head: ["", "version"], rows: [...describeMachine(), ...packages(compared)] }),
  ];
  const report = [...head, ...sections.map(formatSection)].join("\n\n") + "\n";
  if (Deno.args.length === 0) await write(report);
} finally {
  await removeFolders();
}

/** Writes the report, formatted like all files of the project. */
async function write(report: string): Promise<void> {
  const path = new URL("../RUNTIMES.md", import.meta.url).pathname;
  await Deno.writeTextFile(path, report);
  await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", path] }).output();
}
