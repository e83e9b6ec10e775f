/** Prints code: groups stand on one line where they fit, and on several where they do not, as formatters do it. */
import { spend } from "../json_schema/steps.ts";
import { escapeUnits } from "../../messages.ts";

/** A piece of code. */
export type Code = string | Group | readonly Code[];

/** Items between brackets, on one line or on one each. */
export interface Group {
  readonly open: string;
  readonly items: readonly Item[];
  readonly close: string;
  /** What stands between items. Default: `,`, also behind the last one where each has a line of its own. */
  readonly separator?: ";" | " |" | undefined;
  /** Whether there are spaces inside the brackets on one line. */
  readonly isSpaced?: boolean | undefined;
  /** Whether each item has a line of its own, even if all fit on one. */
  readonly isTall?: boolean | undefined;
}

/** An item of a group. */
export interface Item {
  /** The lines of a doc comment before it. */
  readonly comment?: readonly string[] | undefined;
  readonly code: Code;
}

/** The longest line that is not broken, unless a caller says otherwise. */
const usualWidth = 100;

/** Returns the code `{ name: value }`. */
export function objectCode(items: readonly Item[]): Group {
  spend(1 + items.length);
  return { open: "{", items, close: "}", isSpaced: true };
}

/** Returns the members of an object that have code, as its items. */
export function membersOf(members: Readonly<Record<string, Code | undefined>>): Item[] {
  return Object.entries(members).flatMap(([name, code]) =>
    code === undefined ? [] : [{ code: [`${propertyName(name)}: `, code] }]
  );
}

/** Returns the code `[one, other]`. */
export function listCode(items: readonly Code[]): Group {
  return { open: "[", items: items.map((code) => ({ code })), close: "]" };
}

/** Returns the code `name(one, other)`. A single object or call as its argument stays beside the brackets. */
export function callCode(name: string, ...args: readonly Code[]): Code {
  const last = args.at(-1);
  const isHugged = last !== undefined && isGroup(last) && args.slice(0, -1).every((arg) => typeof arg === "string");
  if (isHugged) {
    const before = args.slice(0, -1).map((arg) => `${arg as string}, `).join("");
    return [`${name}(${before}`, last, ")"];
  }
  return { open: `${name}(`, items: args.map((code) => ({ code })), close: ")" };
}

function isGroup(code: Code): code is Group {
  return typeof code === "object" && "open" in code;
}

/** Returns a property name as it is written: quoted unless it is an identifier. */
export function propertyName(name: string): string {
  if (name === "__proto__") return '["__proto__"]'; // a quoted one would set the prototype
  return isIdentifier(name) ? name : quote(name);
}

/** Tests whether a name is an identifier, of ASCII characters. */
export function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}

/** Returns a text as a literal. Nothing in it can end the literal, or the line. */
export function quote(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff\ud800-\udfff]/gu,
    escapeUnits,
  );
}

/** Returns a JSON value as a literal. */
export function literalCode(value: unknown): Code {
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return listCode(value.map(literalCode));
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : String(value);
  return objectCode(
    Object.entries(value).map(([name, member]) => ({
      code: [`${propertyName(name)}: `, literalCode(member)],
    })),
  );
}

/** Returns a text of the document in which no word is a tag of a doc comment: `@deprecated` at the start of a line. */
export function escapeTags(text: string): string {
  return text.replaceAll(/(^|[\s*])@(?=\S)/g, "$1\\@");
}

/** Returns the lines of a doc comment with paragraphs of the document. None if there is nothing to say. */
export function proseLines(...paragraphs: readonly (string | undefined)[]): string[] {
  const text = paragraphs.filter((each) => each !== undefined).map(escapeTags).join("\n\n");
  return text === "" ? [] : commentLines(text);
}

/** Returns the lines of a doc comment with a text of the document, which cannot end it. */
export function commentLines(text: string, indent = ""): string[] {
  const safe = text.replaceAll("*/", "*\\/").replaceAll("@ts-", "@ts\\-").replaceAll(
    /(?![\t\n])[\p{Cc}\u2028\u2029]/gu,
    " ",
  );
  const lines = safe.split("\n").map((line) => line.trimEnd());
  while (lines.at(-1) === "") lines.pop();
  while (lines[0] === "") lines.shift();
  const [only = ""] = lines;
  if (lines.length === 1 && indent.length + only.length + 7 <= usualWidth) return [`${indent}/** ${only.trim()} */`];
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`];
}

/** Prints code that begins at a column of a line with an indentation. */
export function print(code: Code, indent = "", column = indent.length, behind = 0, width = usualWidth): string {
  spend();
  const flat = printFlat(code);
  spend((flat?.length ?? 0) / 500); // each level prints those below it again
  if (flat !== undefined && column + flat.length + behind <= width) return flat;
  if (typeof code === "string") return code;
  if (!isGroup(code)) return printSequence(code, indent, column, behind, width);
  if (code.items.length === 0) return code.open + code.close;
  const inner = `${indent}  `;
  const { separator = "," } = code;
  const lines = code.items.map(({ comment, code: item }, index) => {
    const comments = comment ? comment.flatMap((text) => commentLines(text, inner)) : [];
    if (separator === " |") {
      return [...comments, `${inner}| ${print(item, `${inner}  `, inner.length + 2, 0, width)}`].join("\n");
    }
    const end =
      index === code.items.length - 1 && typeof item === "string" && item.startsWith("...") && code.open === "("
        ? ""
        : separator;
    return [...comments, `${inner}${print(item, inner, inner.length, end.length, width)}${end}`].join("\n");
  });
  return separator === " |"
    ? `${code.open}\n${lines.join("\n")}${code.close === "" ? "" : `\n${indent}${code.close}`}`
    : `${code.open}\n${lines.join("\n")}\n${indent}${code.close}`;
}

/** Prints code on one line; `undefined` if it has comments, which need lines of their own. */
function printFlat(code: Code): string | undefined {
  if (typeof code === "string") return code.includes("\n") ? undefined : code;
  if (!isGroup(code)) {
    const parts = code.map(printFlat);
    return parts.includes(undefined) ? undefined : parts.join("");
  }
  const { length } = code.items;
  if ((code.isTall && length > 0) || code.items.some(({ comment }) => comment && comment.length > 0)) return undefined;
  const items = code.items.map((item) => printFlat(item.code));
  if (items.includes(undefined)) return undefined;
  const { separator = "," } = code;
  const space = code.isSpaced && length > 0 ? " " : "";
  return `${code.open}${space}${items.join(separator === " |" ? " | " : `${separator} `)}${space}${code.close}`;
}

/** Prints pieces one behind the other. The last group that does not fit is broken. */
function printSequence(
  codes: readonly Code[],
  indent: string,
  column: number,
  behind: number,
  width: number,
): string {
  let text = "";
  for (const [index, code] of codes.entries()) {
    const last = text.slice(text.lastIndexOf("\n") + 1);
    const start = text.includes("\n") ? last.length : column + last.length;
    const rest = codes.slice(index + 1).map((each) => printFlat(each) ?? "").join("");
    text += print(code, indent, start, Math.min(rest.length, 30) + behind, width);
  }
  return text;
}
