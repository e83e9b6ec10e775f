/**
 * Conditional requests: 304 for GET and HEAD if the client's copy is current (RFC 9110, section 13). The validators are
 * entity tags (section 8.8.3), `"1"` or `W/"1"` for a weak one, and dates (section 5.6.7) in the format
 * `Sun, 06 Nov 1994 08:49:37 GMT` or in two obsolete ones.
 */
import type { RequestHeaders } from "../define/call.ts";
import { type Answer, type EditableFields, planHead } from "../http/answer.ts";

/**
 * Returns the 304, if the client already has what an answer with these fields would send. It reads the request's headers
 * only if they have an `etag` or `last-modified`.
 */
export function revalidate(
  fields: Pick<EditableFields, "get" | "has" | "forEach">,
  request: RequestHeaders,
): Answer | undefined {
  if (!fields.has("etag") && !fields.has("last-modified")) return undefined;
  if (!isUnchanged(fields, request)) return undefined;
  const kept: string[] = [];
  fields.forEach((value, name) => contentFields.includes(name) || kept.push(name, value));
  return { head: notModified, body: null, fields: kept };
}

/**
 * Returns whether the client's copy is current. `If-Modified-Since` is ignored if there is an `If-None-Match` (13.2.2).
 */
function isUnchanged(fields: Pick<Headers, "get">, request: RequestHeaders): boolean {
  const noneMatch = request.get("if-none-match");
  if (noneMatch === null) {
    const since = parseHttpDate(request.get("if-modified-since") ?? "");
    const modified = since === undefined ? undefined : parseHttpDate(fields.get("last-modified") ?? "");
    return since !== undefined && modified !== undefined && modified <= since;
  }
  const tag = opaqueTag(fields.get("etag") ?? "");
  if (noneMatch !== "*") return tag !== undefined && parseTagList(noneMatch).includes(tag);
  return tag !== undefined || parseHttpDate(fields.get("last-modified") ?? "") !== undefined;
}

/** The headers that describe content, which a 304 does not have. */
const contentFields = ["content-type", "content-length", "content-encoding", "content-language", "content-range"];

const notModified = /* @__PURE__ */ planHead(304, {});

/** The opaque tag with its quotation marks, after an optional `W/`. */
const entityTag = /^(?:W\/)?("[!#-~\u0080-\u00ff]*")$/;

/**
 * A member of a list, with the empty members before it, up to a comma or the end. After a mismatch it starts again from
 * the beginning.
 */
const listMember = /[\t ,]*(?:W\/)?("[!#-~\u0080-\u00ff]*")[\t ]*(?=,|$)/y;

/** Returns the opaque tag of an entity tag, which is all that weak comparison uses. `undefined` for any other text. */
export function opaqueTag(text: string): string | undefined {
  return entityTag.exec(text)?.[1];
}

/** Returns the opaque tags of a list, in time linear to its length. Empty for a malformed list. */
export function parseTagList(text: string): readonly string[] {
  const tags: string[] = [];
  let end = 0;
  for (let member = listMember.exec(text); member; member = listMember.exec(text)) {
    tags.push(member[1]!);
    end = listMember.lastIndex;
  }
  return /^[\t ,]*$/.test(text.slice(end)) ? tags : [];
}

/** `Sunday, 06-Nov-94 08:49:37 GMT` */
const rfc850Date = /^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\d\d)-([A-Z][a-z]{2})-(\d\d) ([\d:]{8}) GMT$/;

/** `Sun Nov  6 08:49:37 1994` */
const asctimeDate = /^([A-Z][a-z]{2}) ([A-Z][a-z]{2}) ([ 1-3]\d) ([\d:]{8}) (\d{4})$/;

/**
 * Returns the milliseconds since 1970. `undefined` unless the text is a date in one of the three formats with the right
 * weekday.
 */
export function parseHttpDate(text: string, now = new Date()): number | undefined {
  if (text === "") return undefined;
  const fixed = toFixedFormat(text, now);
  const time = Date.parse(fixed);
  const isExact = fixed.length === 29 && new Date(time).toUTCString() === fixed; // "Invalid Date" is shorter
  return isExact ? time : undefined;
}

/**
 * Converts a date in an obsolete format to the current one, and returns any other text unchanged. A year of two digits
 * is at most 50 years ahead.
 */
function toFixedFormat(text: string, now: Date): string {
  const obsolete = rfc850Date.exec(text);
  if (obsolete) {
    const [, weekday, day, month, year, time] = obsolete;
    const inYear = (full: number): string => `${weekday!.slice(0, 3)}, ${day} ${month} ${full} ${time} GMT`;
    const thisYear = now.getUTCFullYear();
    const full = thisYear - thisYear % 100 + Number(year);
    const isAhead = Date.parse(inYear(full)) > new Date(now).setUTCFullYear(thisYear + 50);
    return inYear(isAhead ? full - 100 : full);
  }
  const [, weekday, month, day, time, year] = asctimeDate.exec(text) ?? [];
  return day === undefined ? text : `${weekday}, ${day.replace(" ", "0")} ${month} ${year} ${time} GMT`;
}
