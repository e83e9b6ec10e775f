import { cannotDeclare, checkOptions } from "./declared.ts";

/** Since when callers should stop using a route, when it stops working and where more is said about it. */
export interface Deprecation {
  /** Since when it is deprecated, or will be: `YYYY-MM-DD` or a UTC time, such as `2026-06-01T12:00:00Z`. */
  readonly since: string;
  /** When it is expected to stop working, not before `since`. Default: this is not known. */
  readonly sunset?: string;
  /** The URL of a page that says more, such as what to call instead. It may be relative to the URL of the request. */
  readonly link?: string;
}

/**
 * What is declared of a deprecation: `true` is only for documents, and the fields of answers follow from a {@linkcode Deprecation}.
 * `false` ends an inherited one.
 */
export type Deprecated = boolean | Deprecation;

/** A frozen copy of what is declared of a deprecation, or a `TypeError` that says why it is invalid. */
export function copyDeprecated(deprecated: Deprecated | undefined, where: string): Deprecated | undefined {
  if (deprecated === undefined || typeof deprecated === "boolean") return deprecated;
  const what = `deprecated of ${where}`;
  checkOptions(deprecated, ["since", "sunset", "link"], what);
  const { since, sunset, link } = deprecated;
  const start = checkTime(since, "since", what);
  if (sunset !== undefined && checkTime(sunset, "sunset", what) < start) {
    cannotDeclare(what, `its sunset ${sunset} is before its since ${since}; a route is deprecated first`);
  }
  if (link !== undefined && !isLink(link)) {
    cannotDeclare(what, `its link ${JSON.stringify(link)} is not a URL that a header can carry; percent-encode it`);
  }
  return Object.freeze({ ...deprecated });
}

function checkTime(text: unknown, name: string, what: string): number {
  return parseTime(text) ??
    cannotDeclare(what, `its ${name} is ${JSON.stringify(text)}; write a date like "2026-06-01", or a UTC time`);
}

/** Milliseconds since 1970; `undefined` for what is not a date or a UTC time, or none that there is, such as February 30. */
function parseTime(text: unknown): number | undefined {
  if (typeof text !== "string" || !/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,3})?Z)?$/.test(text)) return undefined;
  const time = Date.parse(text);
  const exists = Number.isFinite(time) && new Date(time).toISOString().startsWith(text.slice(0, 19));
  return exists ? time : undefined;
}

/** Whether text is a URI reference (RFC 3986): of its characters alone, and well-formed. */
function isLink(text: unknown): boolean {
  return typeof text === "string" && /^(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[\dA-Fa-f]{2})+$/.test(text) &&
    URL.canParse(text, "https://localhost");
}
