import { type Awaitable, whenReady } from "../awaitable.ts";
import { type Check, type Checked, firstIssues, stepKey } from "../schema.ts";
import { setOwn } from "./text_fields.ts";

/** A field value as RFC 9110, section 5.5, allows it: Latin-1 without CR, LF, NUL and other control characters. */
const fieldValue = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

/** Returns whether a header can carry `value`. */
export function isFieldValue(value: unknown): value is string {
  return typeof value === "string" && fieldValue.test(value);
}

/**
 * Returns whether a header carries `value` unchanged. White space at either end is not part of a field's value and
 * would be lost.
 */
export function isExactFieldValue(value: unknown): value is string {
  return isFieldValue(value) && !/^[\t ]|[\t ]$/.test(value);
}

/** Creates a regular expression that contains tokens (RFC 9110, section 5.6.2). `write` receives the pattern of one. */
export function tokenPattern(write: (token: string) => string, flags?: string): RegExp {
  return new RegExp(write("[\\w!#$%&'*+.^`|~-]+"), flags);
}

const wholeToken = /* @__PURE__ */ tokenPattern((token) => `^${token}$`);

/**
 * Returns whether `text` is a token, as the names of headers, cookies and authentication schemes and the parts of media
 * types are.
 */
export function isToken(text: string): boolean {
  return wholeToken.test(text);
}

/**
 * Reads headers into plain data by lowercase name: all of them, or the listed ones. Repeated fields are joined by `, `.
 */
export function readHeaders(
  headers: Pick<Headers, "get"> & { readonly forEach: (callback: (value: string, name: string) => void) => void },
  names: readonly string[] | undefined,
): Record<string, string> {
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

/** Header fields of a response by name: `set-cookie` as a list, any other field as one text. */
export type ReceivedFields = Readonly<Record<string, string | readonly string[]>>;

/**
 * Checks header fields of a response. A server accepts a text and a list of texts for a field, and a schema may declare
 * either, so fields that the schema refuses are offered a second time in their other form.
 */
export function checkReceivedFields(check: Check, fields: ReceivedFields): Awaitable<Checked> {
  return whenReady(check(fields), (checked): Awaitable<Checked> => {
    if (!checked.issues) return checked;
    const others = firstIssues(checked.issues).map(({ path: [step = ""] = [] }) => {
      const name = String(stepKey(step));
      const value = fields[name];
      return [name, typeof value === "string" ? value.split(", ") : value?.length === 1 ? value[0] : value];
    });
    return whenReady(check({ ...fields, ...Object.fromEntries(others) }), (again) => again.issues ? checked : again);
  });
}

/** Returns the value of `Content-Length`, or 0 if it is missing. The bytes are counted in any case. */
export function contentLengthOf(headers: Pick<Headers, "get">): number {
  const stated = headers.get("content-length");
  return stated !== null && /^\d+$/.test(stated) ? Number(stated) : 0;
}

/** Returns the items of a field that is a list, in lowercase. One that is absent or empty has an empty item. */
export function listItems(headers: Pick<Headers, "get">, name: string): string[] {
  return (headers.get(name) ?? "").toLowerCase().split(",").map((item) => item.trim());
}

/** Adds names to the header `vary` (RFC 9110, section 12.5.5), each once. A `*` already covers all names. */
export function addVary(headers: Pick<Headers, "get" | "append">, names: readonly string[]): void {
  const present = listItems(headers, "vary");
  if (present.includes("*")) return;
  const missing = names.filter((name) => !present.includes(name));
  if (missing.length > 0) headers.append("vary", missing.join(", "));
}

type JoinedHeaders = Iterable<readonly [name: string, value: unknown]> | Readonly<Record<string, unknown>>;

/** Headers of several sources. Later ones win. */
export type HeaderSources = readonly (JoinedHeaders | undefined)[];

/** Returns the headers of a source, with their values. */
export function fieldsOf(source: JoinedHeaders): Iterable<readonly [name: string, value: unknown]> {
  return Symbol.iterator in source ? source as Iterable<readonly [string, unknown]> : Object.entries(source);
}

/** Returns whether one of the sources contains a header, even to remove it. */
export function namesHeader(sources: HeaderSources, field: string): boolean {
  return sources.some((source) => source && [...fieldsOf(source)].some(([name]) => name.toLowerCase() === field));
}
