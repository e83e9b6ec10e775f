/**
 * The project's benchmark: `deno task bench [--short] [--only=memory,sockets] [--systems=ours,hono]`. Prints its
 * results; a complete run also writes RESULTS.md and its charts.
 */
import { parseArguments, usage } from "./arguments.ts";
import { drawCharts } from "./report/chart.ts";
import { formatReport, formatSection, formatTargets } from "./report/markdown.ts";
import type { Section } from "./report/section.ts";
import { describeRun, describeVersions } from "./report/versions.ts";
import { suites } from "./suites/all.ts";

const parsed = parseArguments(Deno.args);
if (parsed === undefined) {
  console.error(usage);
  Deno.exit(2);
}

const versions = describeVersions();
const sections: Section[] = [];
for (const name of parsed.suites) {
  console.error(name);
  const section = await suites[name](parsed.options);
  sections.push(section);
  console.log(formatSection(section) + "\n");
}
console.log(formatTargets(sections));
if (parsed.isWhole) {
  await write("RESULTS.md", formatReport(sections, versions));
  for (const [theme, chart] of Object.entries(drawCharts(sections, describeRun()))) {
    await write(`chart-${theme}.svg`, chart);
  }
}

/** Writes a file, formatted like all files of the project, for `deno fmt --check`. */
async function write(name: string, text: string): Promise<void> {
  const path = `${import.meta.dirname}/${name}`;
  await Deno.writeTextFile(path, text);
  await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", path] }).output();
}
