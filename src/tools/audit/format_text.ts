/** The report of an audit for a terminal. */
import { type AuditedOperation, type AuditReport, summarize, verdicts } from "./report.ts";

export function formatText(report: AuditReport): string {
  const { title, version, target, requests, seed, operations } = report;
  const width = Math.max(0, ...verdicts.map(({ length }) => length)) + 2;
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
    ...differing.flatMap(formatOperation),
    ...section("Never reached, or checked in part:", groupReasons(unreached)),
    ...section("Hints, which are no drift:", shorten([...new Set(hints)])),
    summarize(report),
    `${requests} requests, seed ${seed}`,
    "",
  ].join("\n");
}

function formatOperation({ operation, findings }: AuditedOperation): string[] {
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

/** Returns each reason once, with the operations that it is about. */
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

/** How many operations are named for one reason, and how many hints a terminal shows. */
const [mostNamed, mostHints] = [6, 12];

function shorten(lines: readonly string[]): string[] {
  const more = lines.length - mostHints;
  return [
    ...lines.slice(0, mostHints),
    ...(more > 0 ? [`  and ${more} more; the other formats list all of them`] : []),
  ];
}
