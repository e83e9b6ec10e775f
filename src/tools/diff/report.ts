/** The output of the command `diff/cli`. */
import { toOneLine } from "../../messages.ts";
import type { SchemaProvider } from "../openapi/slot_schemas.ts";
import { verdicts } from "./change.ts";
import { type ContractOrDocument, listChanges } from "./diff_contracts.ts";
import { formatBumps, suggestBumps, versionProblem } from "./package_version.ts";
import { type FailOn, judgeChanges, type PolicyRule } from "./policy.ts";
import {
  escapeText,
  type Findings,
  formatRemark,
  formatTable,
  isAccepted,
  renderGithub,
  renderJson,
  renderMarkdown,
} from "./render.ts";

export interface ReportedSide {
  readonly contract: ContractOrDocument;
  /** Returns replacements for its schemas that do not convert. */
  readonly supply?: SchemaProvider | undefined;
  readonly version?: unknown;
}

export const reportFormats = ["text", "json", "markdown", "github"] as const;

export interface ReportOptions {
  readonly failOn: FailOn;
  readonly rules: readonly PolicyRule[];
  readonly isStrict: boolean;
  readonly format: typeof reportFormats[number];
  readonly samples: number;
  readonly version?: string | undefined;
  /** The file of the new side, at which annotations point. */
  readonly file?: string | undefined;
  /** The time at which rules expire and sunsets are reached. */
  readonly now: Date;
}

export interface DiffReport {
  readonly output: string;
  readonly summary: string;
  readonly warnings: readonly string[];
  readonly isFailed: boolean;
}

export function reportDiff(before: ReportedSide, after: ReportedSide, options: ReportOptions): DiffReport {
  const { failOn, rules, samples, now, format } = options;
  const schema: SchemaProvider = (...place) => before.supply?.(...place) ?? after.supply?.(...place);
  const found = listChanges(before.contract, after.contract, { samples, schema });
  const { changes, expired, unused } = judgeChanges(found, rules, now);
  const bumps = suggestBumps(changes.map(({ verdict }) => verdict));
  const { version: wanted, isStrict } = options;
  const problem = wanted === undefined
    ? undefined
    : versionProblem({ before: versionOf(before), after: wanted, bump: bumps.package });
  const findings: Findings = {
    changes,
    fails: (change) =>
      failOn !== "none" && verdicts.indexOf(change.verdict) <= verdicts.indexOf(failOn) && !isAccepted(change),
    remarks: [
      ...expired.map((rule) => ({
        message: `Expired rule, since ${rule.until}: ${nameRule(rule)}`,
        isFailure: isStrict,
      })),
      ...unused.map((rule) => ({ message: `Unused rule: ${nameRule(rule)}`, isFailure: isStrict })),
      ...(problem === undefined
        ? []
        : [{ message: problem.slice(0, 1).toUpperCase() + problem.slice(1), isFailure: true }]),
    ],
    suggestion: formatBumps(bumps),
  };
  const isIncluded = format === "markdown" || format === "github"; // the remarks are in the output
  const lines = findings.remarks.map(({ message }) => toOneLine(message));
  return {
    output: render[format](findings, options),
    summary: renderMarkdown(findings),
    warnings: isIncluded ? [] : format === "json" ? [...lines, findings.suggestion] : lines,
    isFailed: changes.some(findings.fails) || findings.remarks.some(({ isFailure }) => isFailure),
  };
}

export function reportNothing(reference: string, { format }: ReportOptions): DiffReport {
  const message = toOneLine(`No earlier version: ${reference}`);
  return {
    output: format === "json" ? "[]\n" : `${format === "github" ? formatRemark("notice", message) : message}\n`,
    summary: `${escapeText(message)}\n`,
    warnings: format === "json" ? [message] : [],
    isFailed: false,
  };
}

const render: Readonly<
  Record<ReportOptions["format"], (findings: Findings, options: ReportOptions) => string>
> = {
  text: ({ changes, suggestion }) => `${formatTable(changes)}${suggestion}\n`,
  json: renderJson,
  markdown: renderMarkdown,
  github: (findings, { file }) => renderGithub(findings, file),
};

/** Returns the version of a side: that of its package, or else that of its document. */
function versionOf({ version, contract }: ReportedSide): unknown {
  const { document = contract } = Object(contract);
  return version ?? Object(Object(document).info).version;
}

function nameRule({ rule, route = "*", where = "*" }: PolicyRule): string {
  return `${rule}  ${route}  ${where}`;
}
