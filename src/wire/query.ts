import { addField, type TextFields } from "./text_fields.ts";

/**
 * Parses a query string without its `?`, by the rules of `URLSearchParams` (URL Standard, section 5.1). Reading
 * `URLSearchParams` entry by entry would take four times as long.
 */
export function parseQuery(query: string): TextFields {
  try {
    return parseWellFormed(query);
  } catch {
    return parseLeniently(query);
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

/** Parses like `URLSearchParams`: malformed escapes remain as they are, and bytes that are not UTF-8 become U+FFFD. */
function parseLeniently(query: string): TextFields {
  const fields: TextFields = {};
  for (const [name, value] of new URLSearchParams(`?${query}`)) addField(fields, name, value);
  return fields;
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
