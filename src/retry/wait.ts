/** How long to wait before another attempt, and the waiting. */
import { longestTimeout } from "../signals.ts";

/** Milliseconds that a response asks to wait, by seconds or by a date (RFC 9110, section 10.2.3); `undefined` where it does not. */
export function readRetryAfter(response: Response | undefined): number | undefined {
  const text = response?.headers.get("retry-after") ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const until = parseDate(text);
  if (until === undefined) return undefined;
  return Math.max(0, until - (parseDate(response?.headers.get("date")) ?? Date.now()));
}

/**
 * Milliseconds since 1970; `undefined` for what is not like one of the three formats of RFC 9110, section 5.6.7. Of these, one has no zone.
 * Platforms parse all of them; the exact reading of servers takes four times the bytes.
 */
function parseDate(text: string | null | undefined): number | undefined {
  const isLikeDate = text && /^[A-Z][a-z]+,? [\w -]+ \d\d:\d\d:\d\d( \d{4}| GMT)$/.test(text);
  return isLikeDate ? Date.parse(text.replace(/( GMT)?$/, " GMT")) || undefined : undefined;
}

/** A random time, so that clients that failed together do not come back together; its most doubles with each failure, up to 30 seconds. */
export function backOff(failures: number): number {
  return Math.random() * Math.min(30_000, 300 * 2 ** failures);
}

/** Waits, unless the signal aborts; what is done next learns of that by itself. */
export function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(milliseconds, longestTimeout));
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
  });
}
