/** The report of an import as text. */
import { toOneLine } from "../../messages.ts";
import type { ImportReport, ReportedOperation } from "./report.ts";

/**
 * Formats a report: what was declared, then what differs from the document, the worst first: operations that were left
 * out, faults, operations that are declared otherwise, and what is not checked. Messages that differ only in names are
 * one line with their number.
 */
export function formatReport(
  { title, files, operations, webhooks, omitted, faults, unchecked, unpublished }: ImportReport,
): string {
  const all = [...operations, ...webhooks];
  const declared = all.filter(({ key }) => key !== undefined);
  const left = all.filter(({ key }) => key === undefined);
  const changed = declared.filter(({ changes }) => changes.length > 0);
  const exact = declared.length - changed.length;
  const summary = [
    `${toOneLine(title)}: ${countDeclared(operations, "operation")} declared`,
    ...(webhooks.length > 0 ? [`${countDeclared(webhooks, "webhook")} declared`] : []),
    ...(changed.length > 0 ? [`${exact} exactly, ${changed.length} with changes`] : []),
  ].join(", ");
  const ofOperations = changed.flatMap(({ operation, changes }) =>
    changes.map((message) => ({ message, place: operation }))
  );
  return [
    summary,
    ...(files.length > 0 ? ["", "Further files:", ...listFiles(files)] : []),
    ...section("Left out", left.map(({ operation, reason }) => ({ message: reason!, place: operation }))),
    ...section("Not declared", omitted),
    ...section("Faults of the document", faults),
    ...section("Changed", ofOperations),
    ...section("Not checked", unchecked),
    ...section("Not in the published document", unpublished),
    "",
  ].join("\n");
}

interface ReportEntry {
  readonly message: string;
  readonly place: string;
}

/** How many places are named for each message. */
const mostPlaces = 3;

/** How many characters of a message tell its kind. */
const mostCharacters = 300;

/** How many lines a section has. */
const mostLines = 20;

function section(title: string, entries: readonly ReportEntry[]): string[] {
  if (entries.length === 0) return [];
  const kinds = [...groupByKind(entries)]
    .toSorted(([one, { length }], [other, { length: otherLength }]) =>
      rankOf(one) - rankOf(other) || otherLength - length
    );
  const lines = kinds.slice(0, mostLines).map(([kind, group]) => toOneLine(`  ${formatGroup(kind, group)}`));
  const more = kinds.length - lines.length;
  const rest = more > 0 ? [`  and ${count(more, "other kind")}; --report writes all of them`] : [];
  return ["", `${title}:`, ...lines, ...rest];
}

function groupByKind(entries: readonly ReportEntry[]): Map<string, ReportEntry[]> {
  const groups = new Map<string, ReportEntry[]>();
  for (const entry of entries) {
    const kind = toKind(entry.message);
    const group = groups.get(kind);
    if (group) group.push(entry);
    else groups.set(kind, [entry]);
  }
  return groups;
}

/** Formats the messages of a kind: a single one with its places, several with their number and the first of them. */
function formatGroup(kind: string, group: readonly ReportEntry[]): string {
  const [first] = group;
  const isOne = group.every(({ message }) => message === first!.message); // a group has an entry
  if (!isOne) return `${kind}: ${group.length} times, first ${first!.message}: ${first!.place}`;
  const places = group.map(({ place }) => place);
  const more = places.length > mostPlaces ? ` and ${places.length - mostPlaces} more` : "";
  return `${first!.message}: ${places.slice(0, mostPlaces).join(", ")}${more}`;
}

/** Returns what messages have in common that differ only in names, values and numbers. */
function toKind(message: string): string {
  return message.slice(0, mostCharacters)
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, "…")
    .replaceAll(
      /\b(parameter|header|field|response|cookie|default of|segment|body is|one of|response \S+ is) [^\s,;:]+/g,
      "$1 …",
    )
    .replaceAll(/(?<![\w.*+-])[\w.*+-]+\/[\w.*+-]+(?:, [\w.*+-]+\/[\w.*+-]+)*/g, "…")
    .replaceAll(/\d+(?:\.\d+)?/g, "…")
    .replaceAll(/^\S+ (?=is not declared: )/g, "… ");
}

/** The changes on which a call fails or loses something. They come before those of types. */
const worst = /server|credential|security|not declared|left out|one text|one segment|segments|operationId/;

function rankOf(kind: string): number {
  return worst.test(kind) ? 0 : 1;
}

/** Lists the files; of many, the first few and their number. */
function listFiles(files: readonly string[]): string[] {
  const named = files.slice(0, files.length > mostLines ? mostPlaces : mostLines);
  const more = files.length - named.length;
  return [...named.map((url) => toOneLine(`  ${url}`)), ...(more > 0 ? [`  and ${more} more`] : [])];
}

function countDeclared(list: readonly ReportedOperation[], noun: string): string {
  return `${list.filter(({ key }) => key !== undefined).length} of ${count(list.length, noun)}`;
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
