/** A request as wire values by slot: what stands between the choices that it is drawn from and its bytes. */
import { type Json, type JsonObject } from "../json_schema/json.ts";

/** The wire values of a request. */
export interface WireSlots {
  /** The parameters of the path, by name. */
  readonly params: JsonObject;
  /** The query: a list where a name occurs several times. */
  readonly query: JsonObject;
  /** The header fields, by name. */
  readonly headers: JsonObject;
  /** The body as its representation encodes it: mostly JSON. `undefined` for none. */
  readonly body: unknown;
  /** The content type that is stated, for a body that may have one of several. */
  readonly contentType: string | undefined;
}

/** The texts that a wire value becomes in a path, a query, a header field or a form; `undefined` for what has none. */
export function toTexts(value: Json): readonly string[] | undefined {
  if (typeof value === "string") return value.isWellFormed() ? [value] : undefined;
  if (typeof value === "number" || typeof value === "boolean") return [String(value)];
  if (!Array.isArray(value)) return undefined;
  const texts = value.map((item) => Array.isArray(item) ? undefined : toTexts(item)?.[0]);
  return texts.every((text) => text !== undefined) ? texts : undefined;
}
