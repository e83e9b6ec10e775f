/** A report as a changelog in Markdown. */
import { toOneLine } from "../../messages.ts";
import { type Findings, nameVerdict, reasonOf } from "./findings.ts";
import type { JudgedChange } from "./policy.ts";

/** Renders the changes by the first tag of their routes. */
export function renderMarkdown({ changes, remarks, suggestion }: Findings): string {
  const tags = [...new Set(changes.map(tagOf))].toSorted((one, other) => compareTags(one, other));
  const sections = tags.map((tag) => {
    const lines = changes.filter((change) => tagOf(change) === tag).map((change) => `- ${renderChange(change)}\n`);
    return `### ${escapeText(tag ?? "Other")}\n\n${lines.join("")}\n`;
  });
  return [
    ...(sections.length > 0 ? sections : ["No changes.\n\n"]),
    ...remarks.map(({ message }) => `> ${escapeText(message)}\n\n`),
    `${suggestion}\n`,
  ].join("");
}

function tagOf({ tags }: JudgedChange): string | undefined {
  return tags[0];
}

/** Sorts tags by name, and changes without one to the end. */
function compareTags(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) return one === undefined ? 1 : -1;
  return one < other ? -1 : 1;
}

function renderChange(change: JudgedChange): string {
  const { rule, route, where, message, witness } = change;
  const place = [route, where].filter((each) => each !== "").map(toCode).join(" ");
  const reason = reasonOf(change);
  return [
    `**${nameVerdict(change)}**`,
    place,
    `${escapeText(message)}${witness === undefined ? "" : `, for example ${toCode(shorten(JSON.stringify(witness)))}`}`,
    `(${rule}${reason === undefined ? "" : `; ${escapeText(reason)}`})`,
  ].filter((part) => part !== "").join(" ");
}

function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}

/** Returns text as code, between more backticks than it has in a row. */
function toCode(text: string): string {
  const line = toOneLine(text);
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  const space = longest > 0 || line.trim() !== line ? " " : "";
  return `${fence}${space}${line}${space}${fence}`;
}

/** Returns text on one line that Markdown shows as it is. */
export function escapeText(text: string): string {
  return toOneLine(text).replaceAll(
    /[\\`*_{}[\]<>()#|~!&$]/g,
    (character) => character === "<" ? "&lt;" : character === "&" ? "&amp;" : `\\${character}`,
  );
}
