import { describeValue } from "../describe_value.ts";
import { cannotDeclare, checkOptions } from "./declared.ts";

/** When a route is deprecated, when it stops working, and where callers can read more. */
export interface Deprecation {
  /**
   * The date from which the route is deprecated, which may be in the future: `YYYY-MM-DD` or a UTC time, such as
   * `2026-06-01T12:00:00Z`. Sent as the `deprecation` header (RFC 9745).
   */
  readonly since: string;
  /**
   * The date on which the route is expected to stop working, not before `since`, in the same format. Sent as the
   * `sunset` header (RFC 8594). Default: none.
   */
  readonly sunset?: string;
  /**
   * The URL of a page with more information, such as the replacement. It may be relative to the URL of the request.
   * Sent as a `link` header with `rel="deprecation"`. Default: none.
   */
  readonly link?: string;
}

/**
 * A deprecation. `true` marks the operation as deprecated in the OpenAPI document. A {@linkcode Deprecation} also adds
 * headers to responses. `false` ends an inherited deprecation.
 */
export type Deprecated = boolean | Deprecation;

/** Returns a frozen copy of the option `deprecated`. Throws a `TypeError` if it is invalid. */
export function copyDeprecated(deprecated: Deprecated | undefined, where: string): Deprecated | undefined {
  if (deprecated === undefined || typeof deprecated === "boolean") return deprecated;
  checkOptions(deprecated, ["since", "sunset", "link"], where, '"deprecated"');
  const { since, sunset, link } = deprecated;
  const start = checkTime(since, "since", where);
  if (sunset !== undefined && checkTime(sunset, "sunset", where) < start) {
    cannotDeclare(where, `"deprecated.sunset" must not be before "deprecated.since" (${since}), got ${sunset}`);
  }
  if (link !== undefined && !isLink(link)) {
    cannotDeclare(where, `"deprecated.link" must be a percent-encoded URL, got ${describeValue(link)}`);
  }
  return Object.freeze({ ...deprecated });
}

function checkTime(text: unknown, name: string, where: string): number {
  return parseTime(text) ??
    cannotDeclare(
      where,
      `"deprecated.${name}" must be a date like "2026-06-01" or a UTC time, got ${describeValue(text)}`,
    );
}

/**
 * Milliseconds since 1970. `undefined` if the text is not a date or a UTC time, or does not exist, such as February 30.
 */
function parseTime(text: unknown): number | undefined {
  if (typeof text !== "string" || !/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,3})?Z)?$/.test(text)) return undefined;
  const time = Date.parse(text);
  const exists = Number.isFinite(time) && new Date(time).toISOString().startsWith(text.slice(0, 19));
  return exists ? time : undefined;
}

/** Whether text is a well-formed URI reference (RFC 3986). */
function isLink(text: unknown): boolean {
  return typeof text === "string" && /^(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[\dA-Fa-f]{2})+$/.test(text) &&
    URL.canParse(text, "https://localhost");
}
