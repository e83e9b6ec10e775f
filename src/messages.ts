/** What messages contain: descriptions of values, text on one line, and names of routes. */

/** Descriptions of what was passed or returned, for the messages of errors. */

/** Describes a value: a short one itself, any other by its type. */
export function describeValue(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : describeConfidential(value);
}

/** Describes a value that may be confidential: {@linkcode describeValue} without text. */
export function describeConfidential(value: unknown): string {
  if (typeof value === "string") return "a string";
  if (typeof value === "function") return "a function";
  if (Object(value) !== value) return String(value);
  return Array.isArray(value) ? "an array" : "an object";
}

/**
 * Formats text in one line. Line breaks, control characters and invisible format characters are escaped as in JSON, so
 * that text from elsewhere can neither forge lines of a log, nor control a terminal, nor reorder what it shows.
 */
export function toOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    const escaped = JSON.stringify(character).slice(1, -1);
    return escaped === character ? character.replaceAll(/[^]/g, toEscape) : escaped;
  });
}

/** Escapes a code unit: a character beyond the basic plane has two. */
function toEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** The name of a route in messages: `PATCH /users/:id (users.rename)`. */
export function routeLabel(
  { method, path, key }: { readonly method: string; readonly path: string; readonly key: string },
): string {
  return `${method} ${path} (${key})`;
}
