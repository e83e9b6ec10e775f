/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  /** Any JSON value, by the name of the member. */
  readonly [name: string]: Json;
}

/** The six types of JSON values. */
export type JsonType = "null" | "boolean" | "number" | "string" | "array" | "object";

/** All types of JSON values. */
export const jsonTypes: readonly JsonType[] = ["null", "boolean", "number", "string", "array", "object"];

/** Returns the type of a value. */
export function typeOf(value: Json): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as JsonType;
}

/** Whether a value is an object and not a list. */
export function isJsonObject(value: Json): value is JsonObject {
  return typeOf(value) === "object";
}

/**
 * Whether two values are equal as JSON Schema defines it (draft 2020-12 core, section 4.2.2): the order of members is
 * irrelevant.
 */
export function isEqual(left: Json, right: Json): boolean {
  if (left === right) return true; // includes 0 and -0, which are the same number
  if (Array.isArray(left) || Array.isArray(right)) {
    return Array.isArray(left) && Array.isArray(right) && left.length === right.length &&
      left.every((item, index) => isEqual(item, right[index]));
  }
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  const names = Object.keys(left);
  return names.length === Object.keys(right).length &&
    names.every((name) =>
      Object.hasOwn(right, name) && isEqual((left as JsonObject)[name]!, (right as JsonObject)[name]!)
    );
}
