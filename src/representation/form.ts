/** A form's fields as `application/x-www-form-urlencoded` (URL Standard, section 5). */
import { type RequestRepresentation } from "./representation.ts";
import { formatQuery, parseQuery } from "../wire/query.ts";
import { type TextFields, toTextPairs } from "../wire/text_fields.ts";

/** The fields of a form, by name. */
export const form: RequestRepresentation<"form"> = /* @__PURE__ */ Object.freeze({
  kind: "form",
  contentType: "application/x-www-form-urlencoded",
  describes: "fields",
  needsSchema: "it has no schema; declare the fields of the form",
  encode: encodeForm,
});

/** The content of a form, such that {@linkcode decodeForm} undoes it; throws a `TypeError` where a value is no text. */
export function encodeForm(fields: unknown): string {
  return formatQuery(toTextPairs(fields, "the body"));
}

/** The fields of a form. There is no malformed one: whatever bytes come are some fields. */
export function decodeForm(bytes: Uint8Array): TextFields {
  return parseQuery(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
}
