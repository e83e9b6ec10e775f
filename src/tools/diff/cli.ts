#!/usr/bin/env node
/**
 * Lists the changes of an API that break old clients:
 *
 * ```sh
 * deno run -A jsr:@scope/api/diff/cli ./contract.ts --against git:origin/main
 * npx -y -p @scope/api scope-api-diff openapi.json ./contract.ts # with Node
 * ```
 *
 * Each side is a module that exports a contract, or an OpenAPI document in JSON or YAML. To read YAML on Node, install
 * the package [yaml](https://www.npmjs.com/package/yaml). With `--against`, the earlier side is a version of a package,
 * a commit of git, a URL or a file.
 *
 * The changes are written to the standard output, the most severe first, and then which part of a version goes up. The
 * exit code is 1 after an error, or if a breaking change is not accepted. `--fail-on` sets a stricter verdict, and
 * `--policy` the rules of a team.
 *
 * @module
 */
import { appendFile } from "node:fs/promises";
import { relative, resolve } from "node:path";
import process from "node:process";
import { flag, isUrl, readText, runCommand, text, type Values } from "../commands.ts";
import { failAt } from "../../options.ts";
import { withEarlier } from "../earlier/with_earlier.ts";
import { failure, loadSide } from "../earlier/load_side.ts";
import { failures, parseAccepted, parsePolicy, type Policy } from "./policy.ts";
import { reportDiff, reportFormats, reportNothing, type ReportOptions } from "./report.ts";

const usage = `Usage: deno run -A jsr:@scope/api/diff/cli [options] <before> <after>
       deno run -A jsr:@scope/api/diff/cli [options] --against <version> <after>
       npx -y -p @scope/api scope-api-diff [options] <before> <after>

Lists the changes that break an old client of the new server. Exits with code 1 if a change is breaking and not accepted.

  <before>, <after>    a module that exports a contract, or a document in JSON or YAML (OpenAPI 3.0 to 3.2, or Swagger 2.0);
                       a path, or a URL of a module
  --against <version>  the earlier side: npm:@acme/contract@latest, jsr:@acme/contract@1, git:origin/main,
                       git:v1.2.0:openapi.json, a URL of a document, or a path
  --run                import the contract of --against, which runs its code, instead of reading its openapi.json
  --fail-on <verdict>  the mildest verdict that fails: breaking (default), unproven, source, compatible, or none
  --policy <file>      the rules of your team, as JSON
  --accept <file>      the file of accepted changes, one on each line: rule, route, place (- for none) and reason
  --strict             fail if a rule is expired, or matches no change
  --version <1.5.0>    the version of <after>; fail if it is too low for the changes
  --format <format>    text (default), json, markdown, or github for annotations and a summary of the job
  --json               the same as --format json
  --root <folder>      the folder whose files a document may refer to (default: that of the document)
  --samples <number>   how many values are tried for each slot (default: 2000)
  --export <name>      the export that is the contract (default: contract)
  --help               show this help

A module may also export openApiOptions: its schema(route, slot) returns the JSON Schema of schemas that do not convert.
`;

/** The most bytes of a summary, of which GitHub takes a mebibyte. */
const mostSummaryBytes = 1_000_000;

const taken = {
  against: text,
  run: flag,
  "fail-on": text,
  policy: text,
  accept: text,
  strict: flag,
  version: text,
  format: text,
  json: flag,
  samples: text,
  export: text,
  root: text,
};

await runCommand({
  failure,
  usage,
  operands: ({ against }) => against === undefined ? ["<before>", "<after>"] : ["<after>"],
  options: taken,
  run: async (options, operands) => {
    const { against, run: isRun = false, root, export: name } = options;
    const path = operands.at(-1)!; // there are as many as were asked for
    const [loading, chosen] = [{ root, export: name }, await readOptions(options, path)];
    const load = (side: string) => loadSide(side, loading);
    const report = against === undefined
      ? reportDiff(await load(operands[0]!), await load(path), chosen)
      : await load(path).then((after) =>
        withEarlier(
          against,
          { ...loading, after: path, isRun },
          (before) => before === undefined ? reportNothing(against, chosen) : reportDiff(before, after, chosen),
        )
      );
    for (const warning of report.warnings) console.error(warning);
    if (chosen.format === "github") await writeSummary(report.summary);
    return { output: report.output, code: report.isFailed ? 1 : 0 };
  },
});

async function readOptions(options: Values<typeof taken>, path: string): Promise<ReportOptions> {
  const { json: isJson = false, samples = "2000", version, strict: isStrict = false } = options;
  if (isJson && options.format !== undefined && options.format !== "json") {
    failAt(failure, "--json excludes another --format");
  }
  const format = choose("--format", options.format ?? (isJson ? "json" : "text"), reportFormats);
  const policy: Policy = options.policy === undefined
    ? { rules: [] }
    : parsePolicy(await readText(options.policy, failure), options.policy);
  const accepted = options.accept === undefined ? [] : parseAccepted(await readText(options.accept, failure));
  const failOn = choose("--fail-on", options["fail-on"] ?? policy.failOn ?? "breaking", failures);
  if (!/^\d+$/.test(samples)) failAt(failure, `--samples must be a non-negative integer, got ${samples}`);
  return {
    failOn,
    rules: [...policy.rules, ...accepted],
    isStrict,
    format,
    samples: Number(samples),
    version,
    file: isUrl(path) ? undefined : relative(process.env.GITHUB_WORKSPACE ?? process.cwd(), resolve(path)),
    now: new Date(),
  };
}

function choose<const Choice extends string>(option: string, text: string, choices: readonly Choice[]): Choice {
  const [last, ...others] = choices.toReversed();
  return choices.find((each) => each === text) ??
    failAt(failure, `${option} must be one of ${others.toReversed().join(", ")} and ${last}, got ${text}`);
}

async function writeSummary(summary: string): Promise<void> {
  const { GITHUB_STEP_SUMMARY: file } = process.env;
  if (!file) return;
  const isTooLong = new TextEncoder().encode(summary).length > mostSummaryBytes;
  const text = isTooLong ? "There are too many changes for a summary; `--format markdown` lists them.\n" : summary;
  await appendFile(file, text).catch((cause) => {
    throw new TypeError(`${failure}: the summary of the job could not be written: ${cause.message}`, { cause });
  });
}
