/** The report of an import as text. */
import { toOneLine } from "../messages.ts";
import type { ImportReport } from "./report.ts";

/** Formats a report: what was declared, what differs from the document and why, and the faults of the document. */
export function formatReport({ title, files, operations, omitted, faults, unchecked }: ImportReport): string {
  const declared = operations.filter(({ key }) => key !== undefined);
  const left = operations.filter(({ key }) => key === undefined);
  const changed = declared.filter(({ changes }) => changes.length > 0);
  const exact = declared.length - changed.length;
  const summary = [
    `${toOneLine(title)}: ${declared.length} of ${count(operations.length, "operation")} declared`,
    ...(changed.length > 0 ? [`${exact} exactly, ${changed.length} with changes`] : []),
  ].join(", ");
  const byChange = groupBy(
    changed.flatMap(({ operation, changes }) => changes.map((change) => [change, operation] as const)),
  );
  const byReason = groupBy(left.map(({ operation, reason }) => [reason!, operation] as const));
  return [
    summary,
    ...(files.length > 0 ? ["", "Further files:", ...files.map((url) => toOneLine(`  ${url}`))] : []),
    ...section("Changed", byChange),
    ...section("Left out", byReason),
    ...section("Not declared", groupBy(omitted.map(({ message, place }) => [message, place] as const))),
    ...section("Faults of the document", groupBy(faults.map(({ message, place }) => [message, place] as const))),
    ...section("Not checked", groupBy(unchecked.map(({ message, place }) => [message, place] as const))),
    "",
  ].join("\n");
}

/** How many places are named for each message. */
const mostPlaces = 3;

function section(title: string, groups: ReadonlyMap<string, readonly string[]>): string[] {
  if (groups.size === 0) return [];
  const lines = [...groups].map(([message, places]) => {
    const named = places.slice(0, mostPlaces).join(", ");
    const more = places.length > mostPlaces ? ` and ${places.length - mostPlaces} more` : "";
    return toOneLine(`  ${message}: ${named}${more}`);
  });
  return ["", `${title}:`, ...lines];
}

function groupBy(entries: readonly (readonly [string, string])[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [name, value] of entries) {
    const group = groups.get(name);
    if (group) group.push(value);
    else groups.set(name, [value]);
  }
  return groups;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
