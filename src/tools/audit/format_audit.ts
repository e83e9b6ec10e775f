import { describeValue } from "../../messages.ts";
import { formatHtml } from "./format_html.ts";
import { type AuditedOperation, type AuditReport, auditVerdicts, meanings, summarize } from "./report.ts";

/** A form of a report. */
export type AuditFormat = "text" | "markdown" | "html" | "json";

const formats: Readonly<Record<AuditFormat, (report: AuditReport) => string>> = {
  text: formatText,
  markdown: formatMarkdown,
  html: formatHtml,
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
};

/**
 * Formats the report of an audit: as text for a terminal, as Markdown, as one HTML file without scripts, or as JSON. What
 * comes from the server and its document is escaped in each of them.
 *
 * @example
 * ```ts
 * import { auditServer, formatAudit } from "@scope/api/audit";
 * import { assert } from "@std/assert";
 *
 * const document = {
 *   openapi: "3.1.0",
 *   info: { title: "<Health>", version: "1.0.0" },
 *   paths: { "/health": { get: { responses: { 204: { description: "It works." } } } } },
 * };
 * const report = await auditServer(document, () => new Response(null, { status: 204 }));
 * assert(formatAudit(report, "html").includes("<title>&lt;Health&gt;"));
 * ```
 *
 * @throws {TypeError} If the format is unknown.
 */
export function formatAudit(report: AuditReport, format: AuditFormat): string {
  if (Object.hasOwn(formats, format)) return formats[format](report);
  const known = Object.keys(formats).join(", ");
  throw new TypeError(`formatAudit(): the format must be one of ${known}, got ${describeValue(format)}`);
}

function formatText(report: AuditReport): string {
  const { title, version, target, requests, seed, operations } = report;
  const width = Math.max(0, ...auditVerdicts.map(({ length }) => length)) + 2;
  const differing = operations.filter(({ findings }) => findings.length > 0);
  const lines = operations.map((each) => `  ${each.verdict.padEnd(width)}${each.operation}`);
  const unreached = operations.filter(({ reason }) => reason !== null);
  const hints = operations.flatMap((each) => each.hints.map((hint) => `  ${hint.message}`));
  return [
    `${title}${version === "" ? "" : ` ${version}`} at ${target}`,
    ...report.notes.map((note) => `  ${note}`),
    "",
    ...lines,
    "",
    ...differing.flatMap(describeOperation),
    ...section("Never reached, or checked in part:", groupReasons(unreached)),
    ...section("Hints, which are no drift:", shorten([...new Set(hints)])),
    summarize(report),
    `${requests} requests, seed ${seed}`,
    "",
  ].join("\n");
}

function describeOperation({ operation, findings }: AuditedOperation): string[] {
  return [
    operation,
    ...findings.flatMap(({ verdict, message, curl }) => [
      `  ${verdict}: ${message}`,
      ...(curl === null ? [] : curl.split("\n").map((line) => `    ${line}`)),
    ]),
    "",
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines, ""];
}

function groupReasons(operations: readonly AuditedOperation[]): string[] {
  const groups = new Map<string, string[]>();
  for (const { operation, reason } of operations) {
    groups.set(reason!, [...groups.get(reason!) ?? [], operation]); // only those with a reason are passed
  }
  return [...groups].flatMap(([reason, named]) => {
    const more = named.length > mostNamed ? ` and ${named.length - mostNamed} more` : "";
    return [`  ${named.slice(0, mostNamed).join(", ")}${more}:`, `    ${reason}`];
  });
}

const [mostNamed, mostHints] = [6, 12];

function shorten(lines: readonly string[]): string[] {
  const more = lines.length - mostHints;
  return [
    ...lines.slice(0, mostHints),
    ...(more > 0 ? [`  and ${more} more; the other formats list all of them`] : []),
  ];
}

/** Formats a report as GitHub Flavored Markdown. What comes from elsewhere is code, in which nothing is markup. */
function formatMarkdown(report: AuditReport): string {
  const { title, version, target, date, requests, seed, totals, operations } = report;
  const differing = operations.filter(({ findings }) => findings.length > 0);
  const rows = operations.map((each) =>
    `| ${each.verdicts.join(", ")} | ${toCode(each.operation, true)} | ${each.requests} |`
  );
  const reasons = operations.flatMap((each) =>
    each.reason === null ? [] : [`- ${toCode(each.operation)}: ${toCode(each.reason)}`]
  );
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
    ...auditVerdicts.map((verdict) => `| ${verdict} | ${totals[verdict]} | ${meanings[verdict]} |`),
    "",
    "## Operations",
    "",
    "| verdict | operation | requests |",
    "| --- | --- | --- |",
    ...rows,
    "",
    ...(differing.length > 0 ? ["## What differs", "", ...differing.flatMap(formatOperation)] : []),
    ...section("## Never reached, or checked in part\n", reasons),
    ...section("## Hints, which are no drift\n", [...new Set(hints)]),
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
