import { setOwn } from "./text_fields.ts";

/** A field value as RFC 9110, section 5.5, allows it: no CR, LF, NUL or other control character, nothing past one byte. */
const fieldValue = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

/** Whether a header can carry `value`. */
export function isFieldValue(value: unknown): value is string {
  return typeof value === "string" && fieldValue.test(value);
}

/** Whether a header carries `value` as it is: white space at either end is no part of a field's value and would be lost. */
export function isExactFieldValue(value: string): boolean {
  return isFieldValue(value) && !/^[\t ]|[\t ]$/.test(value);
}

/** Whether `text` is a token (RFC 9110, section 5.6.2), as the names of fields, cookies and authentication schemes are. */
export function isToken(text: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(text);
}

/** Reads header fields into plain data by lower-case name: all of them, or those that are named. Repeated fields are joined by `, `. */
export function readHeaders(headers: Headers, names: readonly string[] | undefined): Record<string, string> {
  const record: Record<string, string> = {};
  if (names === undefined) {
    headers.forEach((value, name) =>
      setOwn(record, name, Object.hasOwn(record, name) ? `${record[name]}, ${value}` : value)
    );
    return record;
  }
  for (const name of names) {
    const value = headers.get(name);
    if (value !== null) setOwn(record, name, value);
  }
  return record;
}

/** What `Content-Length` says, or 0 where it says nothing: the bytes are counted all the same. */
export function statedLength(headers: Headers): number {
  const stated = headers.get("content-length");
  return stated !== null && /^\d+$/.test(stated) ? Number(stated) : 0;
}
