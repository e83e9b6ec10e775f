/**
 * Styles of text fields: how a list, an object or JSON is written in the fields of a query, a path, headers or a form.
 * They are those of OpenAPI's parameters (OpenAPI 3.1.1, "Style Values").
 */
import type { Checked, Issue } from "../schema.ts";
import { isPlainObject } from "../options.ts";
import { encodeStrictJson, isDeeperThan } from "./json.ts";
import { isTextValue, setOwn } from "./text_fields.ts";

/**
 * How a value is written in text fields:
 *
 * - `"comma"`, `"pipe"`, `"space"`: a list in one field, `ids=1,2`. Items are not empty, and have neither the separator
 *   nor outer spaces, which the other side would not read. A field without text is an empty list.
 * - `"deepObject"`: an object in a field for each of its properties, `filter[name]=a`. Objects in it are written
 *   likewise, and lists as `filter[tags][]=b`, up to 10 levels deep. An object without text in it has no field.
 * - `"json"`: any value as JSON, `filter={"name":"a"}`.
 * - a text with `*`, only in paths: the segment has text around the value, as `42:cancel` in the style `"*:cancel"`.
 *   With more than one `*`, the value is the whole segment, of this form. Routes with other texts are other routes.
 */
export type FieldStyle = "comma" | "pipe" | "space" | "deepObject" | "json" | TextPattern;

/**
 * The text around the value of a path parameter: `"*:cancel"`.
 *
 * @internal
 */
export type TextPattern = `${string}*${string}`;

/**
 * Tests whether a style is the text around a value.
 *
 * @internal
 */
export function isPattern(style: unknown): style is TextPattern {
  return typeof style === "string" && style.includes("*");
}

/**
 * The styles of fields, by name.
 *
 * @internal
 */
export type FieldStyles = Readonly<Record<string, FieldStyle | undefined>>;

/** Tests whether a list has spaces between its items, which are `%20` in a URL (RFC 6570, section 1.5). */
export function hasSpaces(styles: FieldStyles): boolean {
  return Object.values(styles).includes("space");
}

const separators: Readonly<Record<string, string>> = { comma: ",", pipe: "|", space: " " };

/** The most levels of a `deepObject` below its field. Fields of more levels are not read. */
const maxSteps = 10;

/** The most levels of JSON, unless a server has another limit. */
const maxJsonDepth = 100;

/** Reads styled fields: replaces their texts by lists, objects and JSON of at most `maxDepth` levels. */
export function readStyled(fields: unknown, styles: FieldStyles, maxDepth = maxJsonDepth): Checked {
  if (!isPlainObject(fields)) return { value: fields };
  const read: Record<string, unknown> = { ...fields };
  const issues = Object.entries(styles).flatMap(([name, style]) => {
    if (style === "deepObject") return readDeepObject(read, name);
    const value = Object.hasOwn(read, name) ? read[name] : undefined;
    const texts = [value].flat();
    if (value === undefined || !texts.every((text) => typeof text === "string")) return [];
    if (style === "json") return readJsonField(read, name, texts, maxDepth);
    if (isPattern(style)) return readAround(read, name, style);
    setOwn(read, name, texts.flatMap((text) => splitList(text, separators[style!]!)));
    return [];
  });
  return issues.length > 0 ? { issues } : { value: read };
}

function refuse(path: readonly string[], message: string): Issue[] {
  return [{ path, message }];
}

function splitList(text: string, separator: string): string[] {
  return text.split(separator).map((item) => item.trim()).filter((item) => item !== "");
}

function readAround(read: Record<string, unknown>, name: string, pattern: TextPattern): Issue[] {
  const text = String(read[name]);
  if (!fitsPattern(text, pattern)) return refuse([name], `must be like ${pattern}`);
  const [before = "", after = "", ...others] = pattern.split("*");
  if (others.length === 0) setOwn(read, name, text.slice(before.length, text.length - after.length));
  return [];
}

/**
 * Tests whether a text has the form of a pattern, with at least one character for each `*`. Each of them ends where the
 * next text first occurs.
 */
export function fitsPattern(text: string, pattern: TextPattern): boolean {
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop()!; // a pattern has a *
  let end = first.length;
  for (const other of others) {
    const found = text.indexOf(other, end + 1);
    if (found === -1) return false;
    end = found + other.length;
  }
  return text.startsWith(first) && text.endsWith(last) && text.length - last.length > end;
}

function readJsonField(
  read: Record<string, unknown>,
  name: string,
  [text, ...others]: readonly string[],
  maxDepth: number,
): Issue[] {
  if (others.length > 0) return refuse([name], "must occur once");
  let value: unknown;
  try {
    value = JSON.parse(text!); // a field has one text at least
  } catch {
    return refuse([name], "must be JSON");
  }
  if (isDeeperThan(maxDepth, value)) return refuse([name], `must have at most ${maxDepth} levels of nesting`);
  setOwn(read, name, value);
  return [];
}

/** Moves the fields `name[…]` into an object. Returns issues for those that contradict each other. */
function readDeepObject(read: Record<string, unknown>, name: string): Issue[] {
  const root: Record<string, unknown> = {};
  const contradiction = "must be either text or an object";
  const issues: Issue[] = [];
  for (const [field, value] of Object.entries(read)) {
    const path = readPathBelow(field, name);
    if (!path) continue;
    delete read[field];
    const isFree = place(root, path, field.endsWith("[]") ? [value].flat() : value);
    if (!isFree) issues.push(...refuse([name, ...path], contradiction));
  }
  if (Object.keys(root).length === 0) return issues;
  if (Object.hasOwn(read, name)) return refuse([name], contradiction);
  setOwn(read, name, root);
  return issues;
}

/**
 * Returns the path of a field below its name: `[a][b]`, or `[a][b][]` of a list. `undefined` if the field has another
 * form, or too many levels.
 */
function readPathBelow(field: string, name: string): string[] | undefined {
  if (!field.startsWith(`${name}[`)) return undefined;
  const [, steps] = /^\[((?:[^[\]]+\]\[)*[^[\]]+)\](?:\[\])?$/.exec(field.slice(name.length)) ?? [];
  const path = steps?.split("][");
  return path && path.length <= maxSteps ? path : undefined;
}

/** Sets a value at a path. Returns whether its place was free. */
function place(root: Record<string, unknown>, path: readonly string[], value: unknown): boolean {
  let target = root;
  for (const step of path.slice(0, -1)) {
    if (!Object.hasOwn(target, step)) setOwn(target, step, {});
    const next = target[step];
    if (typeof next !== "object" || Array.isArray(next)) return false;
    target = next as Record<string, unknown>;
  }
  const last = path.at(-1)!;
  if (Object.hasOwn(target, last)) return false;
  setOwn(target, last, value);
  return true;
}

/** Writes styled fields as texts. {@linkcode readStyled} undoes it. Throws a `TypeError` for values without a text. */
export function writeStyled(value: unknown, styles: FieldStyles, slot: string): unknown {
  if (!isPlainObject(value)) return value;
  const written: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(value)) {
    if (part === undefined) continue;
    const where = `${JSON.stringify(name)} of ${slot}`;
    const owner = ownerOf(name, styles);
    if (owner !== undefined) {
      throw new TypeError(`${where} would be read as a part of ${JSON.stringify(owner)}; pass it there`);
    }
    const style = Object.hasOwn(styles, name) ? styles[name] : undefined;
    if (style !== "deepObject") setOwn(written, name, writeField(part, style, where));
    else if (isPlainObject(part)) writeDeepObject(written, name, part, 0);
    else throw new TypeError(`${where} must be a plain object`);
  }
  return written;
}

function writeField(value: unknown, style: FieldStyle | undefined, where: string): unknown {
  if (style === undefined) return value;
  if (style === "json") return encodeStrictJson(value);
  return isPattern(style) ? writeAround(value, style, where) : joinList(value, style, where);
}

function writeAround(value: unknown, pattern: TextPattern, where: string): string {
  const text = isTextValue(value) ? String(value) : "";
  const written = pattern.split("*").length > 2 ? text : pattern.replace("*", () => text);
  if (text !== "" && fitsPattern(written, pattern)) return written;
  const form = written === text ? `a string like ${pattern}` : "a string that is not empty";
  throw new TypeError(`${where} must be ${form}`);
}

/** Returns the `deepObject` that a field would be read as a part of: `filter` for `filter[name]`. */
export function ownerOf(field: string, styles: FieldStyles): string | undefined {
  const brackets = [...field.matchAll(/\[/g)].slice(-maxSteps - 1); // a longer path is not read
  const names = brackets.map(({ index }) => field.slice(0, index));
  return names.find((name) =>
    Object.hasOwn(styles, name) && styles[name] === "deepObject" && readPathBelow(field, name)
  );
}

function joinList(value: unknown, style: FieldStyle, where: string): string {
  const separator = separators[style]!;
  const items = [value].flat();
  if (!items.every(isTextValue)) throw new TypeError(`${where} must be an array of strings`);
  const texts = items.map(String);
  const wrong = texts.find((text) => text === "" || text !== text.trim() || text.includes(separator));
  if (wrong === undefined) return texts.join(separator);
  throw new TypeError(
    `${where} must not have an item that is empty, or has outer spaces or ${JSON.stringify(separator)}`,
  );
}

function writeDeepObject(written: Record<string, unknown>, prefix: string, value: object, depth: number): void {
  for (const [key, part] of Object.entries(value)) {
    if (part === undefined) continue;
    const name = `${prefix}[${key}]`;
    const fail = (state: string): never => {
      throw new TypeError(`the field ${JSON.stringify(name)} ${state}`);
    };
    if (key === "" || /[[\]]/.test(key)) fail("cannot be read; its names must not be empty or have brackets");
    if (depth === maxSteps) fail(`cannot be read; an object has at most ${maxSteps} levels`);
    if (isTextValue(part)) setOwn(written, name, String(part));
    else if (Array.isArray(part) && part.every(isTextValue)) setOwn(written, `${name}[]`, part.map(String));
    else if (isPlainObject(part)) writeDeepObject(written, name, part, depth + 1);
    else fail("must be a string, an array of strings or a plain object");
  }
}
