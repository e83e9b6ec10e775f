/** Media ranges: sets of media types, such as `image/*` (RFC 9110, section 12.5.1). */
import { problemType } from "./problem.ts";

/**
 * Whether a media type falls within one of several ranges. `essence` is without parameters and in lower case, as the ranges are:
 * `*` + `/*`, `type/*` or a media type. Text that is not a media type, or is a range itself, falls within none.
 */
export function isWithin(essence: string, ranges: readonly string[]): boolean {
  return essencePattern.test(essence) && ranges.some((range) => covers(range, essence));
}

/** A type and a subtype of token characters (RFC 9110, section 5.6.2), except for the `*` of ranges. */
const essencePattern = /^[\w!#$%&'+.^`|~-]+\/[\w!#$%&'+.^`|~-]+$/;

function covers(range: string, essence: string): boolean {
  if (range === "*/*" || range === essence) return true;
  return range.endsWith("/*") && essence.startsWith(range.slice(0, -1));
}

/**
 * Whether the content of a response falls within one of several ranges. A problem document does so by its own name alone, so that
 * one from a server or a proxy is never taken for the declared body.
 */
export function isResponseWithin(essence: string, ranges: readonly string[]): boolean {
  return essence === problemType ? ranges.includes(problemType) : isWithin(essence, ranges);
}
