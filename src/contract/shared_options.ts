/** The options that contracts, routers and routes share. */
import { isMarked } from "../mark.ts";
import { describeValue } from "../messages.ts";
import { copySecurity } from "./security.ts";
import { cannotDeclare, checkObject, checkOptions } from "./declared.ts";
import { type Refusals, type RefusalsOption, refusalStatuses } from "./refusals.ts";
import { isSchema } from "../schema.ts";
import { copyResponses, type Responses } from "./response.ts";
import type { Security } from "./security_scheme.ts";

/** The names of these options. */
export const sharedNames: readonly string[] = ["responses", "refusals", "security", "deprecated", "docs"];

/** What routes below inherit, from one declaration or from all above. */
export interface Inherited {
  readonly responses: Responses;
  readonly refusals: Refusals | undefined;
  readonly security: Security | undefined;
  readonly deprecated: Deprecated | undefined;
  readonly docs: Docs;
}

/** These options, not checked yet. */
interface SharedOptions {
  readonly responses?: unknown;
  readonly refusals?: RefusalsOption | undefined;
  readonly security?: unknown;
  readonly deprecated?: Deprecated | undefined;
  readonly docs?: Docs | undefined;
}

/** Returns frozen copies of the shared options. Throws a `TypeError` if one is invalid. */
export function copyShared(options: SharedOptions, where: string): Inherited {
  const { responses = {}, refusals, security, deprecated, docs } = options;
  return {
    responses: copyResponses(responses, where),
    refusals: refusals === undefined ? undefined : copyRefusals(refusals, where),
    security: copySecurity(security, where),
    deprecated: copyDeprecated(deprecated, where),
    docs: copyDocs(docs, where),
  };
}

/** Returns a frozen copy of the option `refusals`, by status. */
function copyRefusals(refusals: RefusalsOption, where: string): Refusals {
  if (isSchema(refusals)) {
    cannotDeclare(where, '"refusals" must be a response or an object, got a schema; write response.json(schema)');
  }
  return Object.freeze(
    isMarked(refusals, "response")
      ? Object.fromEntries(refusalStatuses.map((status) => [status, refusals]))
      : { ...checkObject(refusals, where, '"refusals"') as Refusals },
  );
}

/** Prose for the OpenAPI document. The server and the client ignore it. */
export interface Docs {
  /** A short summary, one line. */
  readonly summary?: string;
  /** A description, in CommonMark. */
  readonly description?: string;
  /** The tags of the operation. Every route below inherits them, unless it has tags of its own. */
  readonly tags?: readonly string[];
  /** A unique name of the operation. Default: the route's dotted key. */
  readonly operationId?: string;
}

const noDocs: Docs = /* @__PURE__ */ Object.freeze({});

/** Returns a frozen copy of `docs`. Throws a `TypeError` for an unknown option. */
function copyDocs(docs: Docs | undefined, where: string): Docs {
  if (docs === undefined) return noDocs;
  checkOptions(docs, ["summary", "description", "tags", "operationId"], where, '"docs"');
  // documents are written as JSON, so a JSON round trip is a deep copy
  return JSON.parse(JSON.stringify(docs), (_key, value) => Object.freeze(value));
}

/** Returns the docs of a route, with the tags that it inherits. */
export function inheritDocs({ tags }: Docs, own: Docs): Docs {
  return tags === undefined ? own : Object.freeze({ tags, ...own });
}

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
function copyDeprecated(deprecated: Deprecated | undefined, where: string): Deprecated | undefined {
  if (deprecated === undefined || typeof deprecated === "boolean") return deprecated;
  checkOptions(deprecated, ["since", "sunset", "link"], where, '"deprecated"');
  const { since, sunset, link } = deprecated;
  const start = checkTime(since, "since", where);
  if (sunset !== undefined && checkTime(sunset, "sunset", where) < start) {
    cannotDeclare(where, `"deprecated.sunset" must not be before "deprecated.since" (${since}), got ${sunset}`);
  }
  const isLink = typeof link === "string" && /^(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[\dA-Fa-f]{2})+$/.test(link) &&
    URL.canParse(link, "https://localhost"); // a URI reference (RFC 3986)
  if (link !== undefined && !isLink) {
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
 * Returns the milliseconds since 1970. `undefined` if the text is not a date or a UTC time, or does not exist, such as
 * February 30.
 */
function parseTime(text: unknown): number | undefined {
  if (typeof text !== "string" || !/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,3})?Z)?$/.test(text)) return undefined;
  const time = Date.parse(text);
  const exists = Number.isFinite(time) && new Date(time).toISOString().startsWith(text.slice(0, 19));
  return exists ? time : undefined;
}
