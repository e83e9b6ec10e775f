/** The report of an audit as Markdown, for pull requests and summaries of CI. */
import { type AuditedOperation, type AuditReport, meanings, summarize, verdicts } from "./report.ts";

/** Formats a report as GitHub Flavored Markdown. What comes from elsewhere is code, in which nothing is markup. */
export function formatMarkdown(report: AuditReport): string {
  const { title, version, target, date, requests, seed, totals, operations } = report;
  const differing = operations.filter(({ findings }) => findings.length > 0);
  const rows = operations.map((each) =>
    `| ${each.verdicts.join(", ")} | ${toCode(each.operation, true)} | ${each.requests} |`
  );
  const reasons = operations.filter(({ reason }) => reason !== null);
  const hints = operations.flatMap((each) => each.hints.map(({ message }) => `- ${toCode(message)}`));
  return [
    `# Audit of ${toCode(`${title} ${version}`.trim())}`,
    "",
    `${toCode(target)} on ${date}. ${requests} requests, seed ${seed}.`,
    "",
    report.reason === null
      ? `**${summarize(report)}**`
      : `**${summarize({ ...report, reason: null })}** ${toCode(report.reason)}`,
    "",
    ...report.notes.flatMap((note) => [toCode(note), ""]),
    "| verdict | operations | meaning |",
    "| --- | --- | --- |",
    ...verdicts.map((verdict) => `| ${verdict} | ${totals[verdict]} | ${meanings[verdict]} |`),
    "",
    "## Operations",
    "",
    "| verdict | operation | requests |",
    "| --- | --- | --- |",
    ...rows,
    "",
    ...(differing.length > 0 ? ["## What differs", "", ...differing.flatMap(formatOperation)] : []),
    ...section(
      "Never reached, or checked in part",
      reasons.map((each) => `- ${toCode(each.operation)}: ${toCode(each.reason!)}`),
    ),
    ...section("Hints, which are no drift", [...new Set(hints)]),
  ].join("\n");
}

function formatOperation({ operation, summary, findings }: AuditedOperation): string[] {
  return [
    `### ${toCode(operation)}`,
    "",
    ...(summary === null ? [] : [toCode(summary), ""]),
    ...findings.flatMap(({ verdict, message, curl }) => [
      `- **${verdict}**: ${toCode(message)}`,
      "",
      ...(curl === null ? [] : [...curl.split("\n").map((line) => `      ${line}`), ""]), // code of the item
    ]),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, "", ...lines, ""];
}

function toCode(text: string, isCell = false): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  const content = isCell ? text.replaceAll("|", "\\|") : text;
  return content === ""
    ? "—"
    : longest > 0 || /^ | $/.test(content)
    ? `${fence} ${content} ${fence}`
    : `${fence}${content}${fence}`;
}
