/** The fields of a form as `application/x-www-form-urlencoded` (URL Standard, section 5). */
import type { RequestRepresentation } from "./representation.ts";
import { formatQuery, parseQuery, type TextFields, toTextPairs } from "../wire/text_fields.ts";

/** The fields of a form, by name. */
export const form: RequestRepresentation<"form"> = /* @__PURE__ */ Object.freeze({
  kind: "form",
  contentType: "application/x-www-form-urlencoded",
  describes: "fields",
  needsSchema: "a schema is required; pass one for the fields of the form",
  encode: encodeForm,
});

/** Encodes the fields of a form. {@linkcode decodeForm} undoes it. Throws a `TypeError` if a value is not text. */
export function encodeForm(fields: unknown): string {
  return formatQuery(toTextPairs(fields, "the body"));
}

/** Decodes the fields of a form. Any bytes are valid. */
export function decodeForm(bytes: Uint8Array): TextFields {
  return parseQuery(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
}
