/** Text fields: values by name, as queries and forms have them, and their URL-encoded form. */
import { isPlainObject } from "../options.ts";

/** Fields before validation: a value, or a list if a name occurs several times. */
export type Fields<Value> = Record<string, Value | Value[]>;

export type TextFields = Fields<string>;

/** Sets an own property. `__proto__` is a key like any other. */
export function setOwn(record: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(record, key, { value, writable: true, enumerable: true, configurable: true });
  } else record[key] = value;
}

/** Adds a field: a single value, or a list with others of the same name. */
export function addField<Value>(fields: Fields<Value>, name: string, value: Value): void {
  if (!Object.hasOwn(fields, name)) return setOwn(fields, name, value);
  const present = fields[name]!;
  if (Array.isArray(present)) present.push(value);
  else setOwn(fields, name, [present, value]);
}

/**
 * Returns the fields that a caller passed, by name. Throws a `TypeError` unless they are a plain object, because a
 * `Map` would be sent as nothing.
 */
export function toFields(fields: unknown, slot: string): Readonly<Record<string, unknown>> {
  if (isPlainObject(fields)) return fields;
  throw new TypeError(`${slot} must be a plain object`);
}

/**
 * Returns the texts of a caller's value: several for a list, none for `undefined`. `undefined` if the value is not
 * text.
 */
export function toTexts(value: unknown): string[] | undefined {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return isTextValue(value) ? [String(value)] : undefined;
  return value.every(isTextValue) ? value.map(String) : undefined;
}

/** Returns whether a value has one obvious text. */
export function isTextValue(value: unknown): value is string | number | boolean | bigint {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ||
    typeof value === "bigint";
}

/**
 * Parses a query string without its `?`, by the rules of `URLSearchParams` (URL Standard, section 5.1). Reading
 * `URLSearchParams` entry by entry would take four times as long.
 */
export function parseQuery(query: string): TextFields {
  try {
    return parseWellFormed(query);
  } catch { // malformed escapes remain as they are, and bytes that are not UTF-8 become U+FFFD
    const fields: TextFields = {};
    for (const [name, value] of new URLSearchParams(`?${query}`)) addField(fields, name, value);
    return fields;
  }
}

/** Parses the fields. Throws a `URIError` at the first malformed escape. */
function parseWellFormed(query: string): TextFields {
  const fields: TextFields = {};
  let start = 0;
  while (start < query.length) {
    const ampersand = query.indexOf("&", start);
    const end = ampersand === -1 ? query.length : ampersand;
    if (end > start) {
      const field = query.slice(start, end); // sliced first, because searching the query would run past the field's end
      const equals = field.indexOf("=");
      const nameEnd = equals === -1 ? field.length : equals;
      addField(fields, decodeField(field.slice(0, nameEnd)), decodeField(field.slice(nameEnd + 1)));
    }
    start = end + 1;
  }
  return fields;
}

/** Formats the fields that a caller passed as a query string. Throws a `TypeError` if a value is not text. */
export function formatFields(fields: unknown, slot: string): string {
  const pairs = Object.entries(toFields(fields, slot)).flatMap(([name, value]) => {
    const texts = toTexts(value);
    if (texts === undefined) {
      throw new TypeError(`${JSON.stringify(name)} of ${slot} must be a string or an array of strings`);
    }
    return texts.map((text) => [name, text] as const);
  });
  if (pairs.every(([name, text]) => name.isWellFormed() && text.isWellFormed())) return formatQuery(pairs);
  throw new TypeError(`${slot} must not have lone surrogates`);
}

/**
 * Formats fields as a query string, in order. {@linkcode parseQuery} undoes it. Throws for half of a surrogate pair.
 */
export function formatQuery(fields: readonly (readonly [name: string, value: string])[]): string {
  return fields.map(([name, value]) => `${encodeField(name)}=${encodeField(value)}`).join("&");
}

function encodeField(text: string): string {
  return encodeURIComponent(text).replaceAll("%20", "+");
}

function decodeField(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  return spaced.includes("%") ? decodeURIComponent(spaced) : spaced;
}
