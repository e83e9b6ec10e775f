import { addField, type TextFields } from "./text_fields.ts";

/**
 * The fields of a query string without its `?`, by the rules of `URLSearchParams` (URL Standard, section 5.1). Own code, because
 * reading `URLSearchParams` entry by entry takes four times as long.
 */
export function parseQuery(query: string): TextFields {
  const fields: TextFields = {};
  let start = 0;
  while (start < query.length) {
    const ampersand = query.indexOf("&", start);
    const end = ampersand === -1 ? query.length : ampersand;
    if (end > start) {
      const field = query.slice(start, end); // looked through by itself: a search of the query would pass its end
      const equals = field.indexOf("=");
      const nameEnd = equals === -1 ? field.length : equals;
      addField(fields, decodeField(field.slice(0, nameEnd)), decodeField(field.slice(nameEnd + 1)));
    }
    start = end + 1;
  }
  return fields;
}

/** The query string of fields in their order, such that {@linkcode parseQuery} undoes it. Throws for half of a surrogate pair. */
export function formatQuery(fields: readonly (readonly [name: string, value: string])[]): string {
  return fields.map(([name, value]) => `${encodeField(name)}=${encodeField(value)}`).join("&");
}

function encodeField(text: string): string {
  return encodeURIComponent(text).replaceAll("%20", "+");
}

function decodeField(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return decodeLeniently(text);
  }
}

/** What `URLSearchParams` makes of malformed escapes: they stay as they are, bytes that are no UTF-8 become U+FFFD. */
function decodeLeniently(text: string): string {
  return new URLSearchParams(`=${text}`).get("") ?? "";
}
