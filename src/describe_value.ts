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
