/** A request as wire values by slot, the form between random choices and bytes. */
import { type Json, type JsonObject } from "../json_schema/json.ts";

/** The wire values of a request. */
export interface WireSlots {
  /** The path parameters, by name. */
  readonly params: JsonObject;
  /** The query. A name that occurs several times has a list. */
  readonly query: JsonObject;
  /** The header fields, by name. */
  readonly headers: JsonObject;
  /** The body as its representation encodes it, mostly JSON; `undefined` if there is none. */
  readonly body: unknown;
  /** The stated content type, for a body that may have one of several. */
  readonly contentType: string | undefined;
}

/** Returns the texts of a wire value in a path, a query, a header field or a form; `undefined` if it has none. */
export function toWireTexts(value: Json): readonly string[] | undefined {
  if (typeof value === "string") return value.isWellFormed() ? [value] : undefined;
  if (typeof value === "number" || typeof value === "boolean") return [String(value)];
  if (!Array.isArray(value)) return undefined;
  const texts = value.map((item) => Array.isArray(item) ? undefined : toWireTexts(item)?.[0]);
  return texts.every((text) => text !== undefined) ? texts : undefined;
}
