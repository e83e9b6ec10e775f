/** The fields of a form as `application/x-www-form-urlencoded` (URL Standard, section 5), and with files (RFC 7578). */
import { parseMultipart } from "../wire/multipart.ts";
import { decodeText } from "../wire/read_bytes.ts";
import { addField, type Fields, isTextValue, parseQuery, type TextFields, toFields } from "../wire/text_fields.ts";
import type { RequestRepresentation } from "./representation.ts";

/** The fields of a form, by name. */
export const form: RequestRepresentation<"form"> = /* @__PURE__ */ Object.freeze<RequestRepresentation<"form">>({
  kind: "form",
  contentType: "application/x-www-form-urlencoded",
  describes: "fields",
  needsSchema: "a schema is required; pass one for the fields of the form",
  encode: (fields, _encodeItem, formatFields) => formatFields(fields, "the body"),
});

/** Decodes the fields of a form, which `formatFields()` encodes. Any bytes are valid. */
export function decodeForm(bytes: Uint8Array): TextFields {
  return parseQuery(decodeText(bytes));
}

/** The fields and files of a form, by name. The platform generates the boundary, and with it the content type. */
export const formData: RequestRepresentation<"formData"> = /* @__PURE__ */ Object.freeze({
  kind: "formData",
  contentType: "multipart/form-data",
  describes: "fields",
  isTypeFixed: true,
  encode: encodeFormData,
});

/**
 * Creates form data from fields by name, which the platform encodes. Throws a `TypeError` if a value or a name cannot
 * be sent. {@linkcode decodeFormData} undoes it, except that all newlines in a text are sent as CR LF.
 */
export function encodeFormData(fields: unknown): FormData {
  const data = fields instanceof FormData ? fields : toFormData(fields);
  for (const [name, value] of data) {
    checkName(name);
    if (typeof value !== "string") checkName(value.name);
  }
  return data;
}

function toFormData(fields: unknown): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(toFields(fields, "the body"))) {
    checkText(name);
    for (const each of value === undefined ? [] : Array.isArray(value) ? value : [value]) append(data, name, each);
  }
  return data;
}

/** Decodes the fields of form data by name. Throws if it is malformed. */
export function decodeFormData(bytes: Uint8Array<ArrayBuffer>, contentType: string): Fields<string | File> {
  const fields: Fields<string | File> = {};
  for (const [name, value] of parseMultipart(bytes, contentType)) addField(fields, name, value);
  return fields;
}

/** Decodes form data without a schema. Throws if it is malformed. */
export function readFormData(bytes: Uint8Array<ArrayBuffer>, contentType: string): FormData {
  const data = new FormData();
  for (const [name, value] of parseMultipart(bytes, contentType)) data.append(name, value);
  return data;
}

/** Throws for a name that the platform would escape. A server would read it as another name, or not at all. */
function checkName(name: string): void {
  if (!/["\r\n\0]/.test(name)) return;
  throw new TypeError(`the name ${JSON.stringify(name)} in the body must not have quotation marks, newlines or NUL`);
}

function append(data: FormData, name: string, value: unknown): void {
  if (value instanceof Blob) return data.append(name, value);
  if (!isTextValue(value)) {
    throw new TypeError(`${JSON.stringify(name)} of the body must be a string, a file or an array of them`);
  }
  const text = String(value);
  checkText(text);
  data.append(name, text);
}

function checkText(text: string): void {
  if (!text.isWellFormed()) throw new TypeError("the body must not have lone surrogates");
}
