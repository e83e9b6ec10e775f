/** A form's fields and files as `multipart/form-data` (RFC 7578). */
import { parseMultipart } from "./multipart.ts";
import { addField, type Fields, isTextValue, toFields } from "./text_fields.ts";

/**
 * The form data of fields by name, which the platform gives a boundary and encodes; throws a `TypeError` where a value can't be
 * sent. What {@linkcode decodeFormData} makes of it is the same, but for newlines in a text, which are all sent as CR LF.
 */
export function encodeFormData(fields: unknown): FormData {
  if (fields instanceof FormData) return fields;
  const data = new FormData();
  for (const [name, value] of Object.entries(toFields(fields, "the body"))) {
    checkName(name);
    for (const each of value === undefined ? [] : Array.isArray(value) ? value : [value]) append(data, name, each);
  }
  return data;
}

/** The fields of form data by name; throws where it is malformed. */
export function decodeFormData(bytes: Uint8Array<ArrayBuffer>, contentType: string): Fields<string | File> {
  const fields: Fields<string | File> = {};
  for (const [name, value] of parseMultipart(bytes, contentType)) addField(fields, name, value);
  return fields;
}

/** Form data as it came; throws where it is malformed. */
export function readFormData(bytes: Uint8Array<ArrayBuffer>, contentType: string): FormData {
  const data = new FormData();
  for (const [name, value] of parseMultipart(bytes, contentType)) data.append(name, value);
  return data;
}

/** Refuses a name that would arrive as another: what stands for a quotation mark or a newline there, and a lone CR or LF. */
function checkName(name: string): void {
  if (name.isWellFormed() && !/%22|%0D|%0A|\r(?!\n)|(?<!\r)\n/.test(name)) return;
  throw new TypeError(`the body's ${JSON.stringify(name)} is no name that form data can carry`);
}

function append(data: FormData, name: string, value: unknown): void {
  if (value instanceof Blob) return data.append(name, value);
  if (!isTextValue(value)) {
    throw new TypeError(`the body's ${JSON.stringify(name)} is no text, no file and no list of them`);
  }
  const text = String(value);
  if (!text.isWellFormed()) throw new TypeError("the body has half of a surrogate pair, which UTF-8 cannot carry");
  data.append(name, text);
}
