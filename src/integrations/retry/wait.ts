/** Whether another attempt or connection may succeed, and how long to wait before it. */
import { ClientError } from "../../client/error.ts";
import { isInstance } from "../../mark.ts";
import type { AnyOutcome } from "../../client/settings.ts";

/**
 * Returns the milliseconds that a response asks to wait, in seconds or until a date (RFC 9110, section 10.2.3);
 * `undefined` if it does not ask.
 */
export function readRetryAfter(response: Response | undefined): number | undefined {
  const text = response?.headers.get("retry-after") ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const until = parseDate(text);
  if (until === undefined) return undefined;
  return Math.max(0, until - (parseDate(response?.headers.get("date")) ?? Date.now()));
}

/**
 * Returns the milliseconds since 1970, or `undefined` for text unlike the three formats of RFC 9110, section 5.6.7. One
 * of the formats lacks a time zone. All platforms parse them; the server's exact parser would take four times the
 * bytes.
 */
function parseDate(text: string | null | undefined): number | undefined {
  if (!text || !/^[A-Z][a-z]+,? [\w -]+ \d\d:\d\d:\d\d( \d{4}| GMT)$/.test(text)) return undefined;
  const leap = /:60 /.test(text) ? 1000 : 0; // no platform parses a leap second
  const time = Date.parse(text.replace(/:60 /, ":59 ").replace(/( GMT)?$/, " GMT"));
  return Number.isNaN(time) ? undefined : time + leap;
}

/**
 * Returns a random time, so that clients that failed together do not all return at once. Its maximum doubles with each
 * failure, up to 30 seconds.
 */
export function backOff(failures: number): number {
  return Math.random() * Math.min(30_000, 300 * 2 ** failures);
}

/**
 * Returns the status of an outcome, declared or not. Returns `network` for a missing response or a broken connection,
 * and `undefined` for all other errors, because the same request would fail again.
 */
export function statusOfFailure(outcome: AnyOutcome | ClientError): number | "network" | undefined {
  if (!isInstance(outcome, ClientError)) return outcome.status;
  if (outcome.code === "network") return "network";
  return outcome.code === "unexpected-status" ? outcome.status : undefined;
}

/** Failures that are usually temporary: statuses, and a broken network. */
export const passing: readonly unknown[] = ["network", 429, 502, 503, 504];

/** Returns whether the next connection may succeed after a call that failed. */
export function isPassing(error: ClientError): boolean {
  return error.code === "timeout" || passing.includes(statusOfFailure(error));
}

/** What is known about the connections so far. */
export interface Reconnection {
  /** The wait before the next connection, in milliseconds, unless the server asks for another one. */
  reconnectionTime: number;
  /** How many connections in a row have failed, or have ended within 30 seconds without a message. */
  failures: number;
}

/** The wait before the next connection, in milliseconds, unless the server asks for another one. */
export const usualWait = 3000;

/** A connection that was open for longer than this, in milliseconds, has not failed, even without a message. */
export const quietTime = 30_000;

/** The least milliseconds between two connections. */
const leastWait = 500;

/**
 * Returns the milliseconds until the next connection, at least 500. After a failure it respects `Retry-After`, and
 * backs off further each time.
 */
export function nextWait({ failures, reconnectionTime }: Reconnection, response: Response | undefined): number {
  const asked = failures === 0 ? reconnectionTime : readRetryAfter(response) ?? reconnectionTime;
  return Math.max(asked, failures === 0 ? 0 : backOff(failures), leastWait);
}
