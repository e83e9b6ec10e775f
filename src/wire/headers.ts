import { setOwn } from "./text_fields.ts";

/** A field value as RFC 9110, section 5.5, allows it: Latin-1 without CR, LF, NUL and other control characters. */
const fieldValue = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

/** Whether a header can carry `value`. */
export function isFieldValue(value: unknown): value is string {
  return typeof value === "string" && fieldValue.test(value);
}

/**
 * Whether a header carries `value` unchanged. White space at either end is not part of a field's value and would be
 * lost.
 */
export function isExactFieldValue(value: string): boolean {
  return isFieldValue(value) && !/^[\t ]|[\t ]$/.test(value);
}

/**
 * Whether `text` is a token (RFC 9110, section 5.6.2), as the names of headers, cookies and authentication schemes are.
 */
export function isToken(text: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(text);
}

/**
 * Reads headers into plain data by lowercase name: all of them, or the listed ones. Repeated fields are joined by `, `.
 */
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

/** The value of `Content-Length`, or 0 if it is missing. The bytes are counted in any case. */
export function contentLengthOf(headers: Headers): number {
  const stated = headers.get("content-length");
  return stated !== null && /^\d+$/.test(stated) ? Number(stated) : 0;
}
