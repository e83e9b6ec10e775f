/** The forms of a report: a table of text, JSON, Markdown, and annotations of GitHub Actions. */
import { toLines, toOneLine } from "../../messages.ts";
import type { Json } from "../json_schema/json.ts";
import type { Change } from "./change.ts";
import type { JudgedChange } from "./policy.ts";

export interface Findings {
  readonly changes: readonly JudgedChange[];
  fails(change: JudgedChange): boolean;
  /** What is to say besides: expired and unused rules, and a version that is too low. */
  readonly remarks: readonly { readonly message: string; readonly isFailure: boolean }[];
  /** The last line: which part of a version goes up. */
  readonly suggestion: string;
}

type Judged = Change & Pick<JudgedChange, "decision">;

/** Tests whether a rule accepted a change. It is listed and never fails. */
export function isAccepted({ verdict, decision }: Judged): boolean {
  return decision !== undefined && verdict === "compatible";
}

function nameVerdict(change: Judged): string {
  return isAccepted(change) ? "accepted" : change.verdict;
}

/** Returns the reason of the rule that decided, if it changed the verdict. */
function reasonOf(change: Judged): string | undefined {
  const { verdict, decision } = change;
  if (decision === undefined || (decision.was === verdict && !isAccepted(change))) return undefined;
  return isAccepted(change) ? decision.why : `was ${decision.was}: ${decision.why}`;
}

export function formatTable(changes: readonly Judged[]): string {
  const rows = changes.map((change) => {
    const { rule, route, where, message, witness } = change;
    const reason = reasonOf(change);
    const shown = witness === undefined || isAccepted(change) ? [] : [showWitness(witness)];
    const cells = [nameVerdict(change), rule, route || "-", where || "-", message, ...shown];
    return [...cells, ...(reason === undefined ? [] : [`(${reason})`])].map(toOneLine); // documents may contain anything
  });
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => `${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd()}\n`)
    .join("");
}

export function renderJson({ changes }: Findings): string {
  const listed = changes.map(({ tags: _, decision, ...change }) =>
    decision === undefined ? change : { ...change, policy: decision }
  );
  return `${toLines(JSON.stringify(listed, null, 2))}\n`;
}

/** Renders a changelog in Markdown, by the first tag of each route. Changes without one come last. */
export function renderMarkdown({ changes, remarks, suggestion }: Findings): string {
  const named = [...new Set(changes.flatMap(({ tags: [tag] }) => tag ?? []))].toSorted();
  const sections = [...named, undefined].flatMap((tag) => {
    const lines = changes.filter(({ tags: [own] }) => own === tag).map((change) => `- ${renderChange(change)}\n`);
    return lines.length === 0 ? [] : [`### ${escapeText(tag ?? "Other")}\n\n${lines.join("")}\n`];
  });
  return [
    ...(sections.length > 0 ? sections : ["No changes.\n\n"]),
    ...remarks.map(({ message }) => `> ${escapeText(message)}\n\n`),
    `${suggestion}\n`,
  ].join("");
}

function renderChange(change: JudgedChange): string {
  const { rule, route, where, message, witness } = change;
  const place = [route, where].filter((each) => each !== "").map(toCode).join(" ");
  const reason = reasonOf(change);
  return [
    `**${nameVerdict(change)}**`,
    place,
    `${escapeText(message)}${witness === undefined ? "" : `, for example ${toCode(showWitness(witness))}`}`,
    `(${rule}${reason === undefined ? "" : `; ${escapeText(reason)}`})`,
  ].filter((part) => part !== "").join(" ");
}

/** Returns the beginning of a value, for people. The format `json` has the whole. */
function showWitness(witness: Json): string {
  const text = JSON.stringify(witness);
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}

function toCode(text: string): string {
  const line = toOneLine(text);
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  const space = longest > 0 || line.trim() !== line ? " " : "";
  return `${fence}${space}${line}${space}${fence}`;
}

export function escapeText(text: string): string {
  return toOneLine(text).replaceAll(
    /[\\`*_{}[\]<>()#|~!&$]/g,
    (character) => character === "<" ? "&lt;" : character === "&" ? "&amp;" : `\\${character}`,
  );
}

/** Renders annotations of GitHub Actions at a file of the repository, for what fails or is not compatible. */
export function renderGithub({ changes, fails, remarks, suggestion }: Findings, file: string | undefined): string {
  const listed = changes.filter((change) => fails(change) || (change.verdict !== "compatible" && !isAccepted(change)));
  const lines = [
    ...listed.map((change) => {
      const { verdict, rule, route, where, message, witness } = change;
      const level = fails(change) ? "error" : verdict === "source" ? "notice" : "warning";
      const reason = reasonOf(change);
      const shown = [
        ...[route, where, message].filter((part) => part !== ""),
        ...(witness === undefined ? [] : [showWitness(witness)]),
        ...(reason === undefined ? [] : [`(${reason})`]),
      ];
      const place = file === undefined ? "" : `file=${escapeProperty(file)},`;
      return `::${level} ${place}title=${escapeProperty(`${verdict} ${rule}`)}::${escapeData(shown.join("  "))}`;
    }),
    ...remarks.map(({ message, isFailure }) => formatRemark(isFailure ? "error" : "warning", message)),
    suggestion,
  ];
  return lines.map((line) => `${line}\n`).join("");
}

export function formatRemark(level: "error" | "warning" | "notice", message: string): string {
  return `::${level} title=Breaking changes::${escapeData(message)}`;
}

function escapeData(text: string): string {
  return toOneLine(text).replaceAll("%", "%25");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
