/** What messages contain: descriptions of values, text on one line, and names of routes. */
import { isInstance } from "./mark.ts";

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
    return escaped === character ? escapeUnits(character) : escaped;
  });
}

/**
 * Escapes the control characters and invisible format characters of a text, except line breaks. In JSON, where strings
 * have no line breaks, the escaped characters are the same values.
 */
export function toLines(text: string): string {
  return text.split("\n").map(toOneLine).join("\n");
}

/** Escapes a character as in JSON. One beyond the basic plane has two code units. */
export function escapeUnits(character: string): string {
  return character.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Returns the message of a thrown value. */
export function messageOf(thrown: unknown): string {
  return isInstance(thrown, Error) ? thrown.message : "the thrown value is not an Error";
}

/** Returns the name of a route in messages: `PATCH /users/:id (users.rename)`. */
export function routeLabel(
  { method, path, key }: { readonly method: string; readonly path: string; readonly key: string },
): string {
  return `${method} ${path} (${key})`;
}
