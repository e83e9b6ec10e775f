/** JSON text for servers, faster than for clients. */
import { encodeStrictJson, kindOf } from "./strict_json.ts";

/** The JSON text of a value, the same as from {@linkcode encodeStrictJson}. */
export function encodeJson(value: unknown): string {
  return encodeStrictJson(value, isPlainData);
}

/**
 * Whether JSON can represent every part of a value. It takes a seventh of the time of `JSON.stringify`. Like that it is
 * not recursive, so no depth is too much.
 */
function isPlainData(root: unknown): boolean {
  const left: unknown[] = [];
  if (!takePart(root, left)) return false;
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (!takeParts(value as object, left)) return false;
  }
  return true;
}

/**
 * Adds the parts of an object to the list. `false` if JSON cannot represent one, or the object may be written
 * differently.
 */
function takeParts(value: object, left: unknown[]): boolean {
  if (typeof (value as { readonly toJSON?: unknown }).toJSON === "function") return false;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) if (!takePart(value[index], left)) return false; // a hole is `undefined`
    return true;
  }
  let isEmpty = true;
  // deno-lint-ignore guard-for-in -- `Object.keys` takes twice as long; inherited fields only lead to the strict check
  for (const key in value) {
    isEmpty = false;
    const field = (value as Record<string, unknown>)[key];
    if (field !== undefined && !takePart(field, left)) return false;
  }
  return !isEmpty || kindOf(value) === "Object";
}

/** Checks a part, or adds it to the list if it is an object. */
function takePart(value: unknown, left: unknown[]): boolean {
  if (typeof value === "object") {
    if (value !== null) left.push(value);
    return true;
  }
  return typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}
