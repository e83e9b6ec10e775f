/** Media ranges: sets of media types, such as `image/*` (RFC 9110, section 12.5.1). */
import { problemType } from "./problem.ts";

/**
 * Whether a media type matches one of several ranges. `essence` must be without parameters and in lowercase, as the
 * ranges are: `*` + `/*`, `type/*` or a media type. Text that is not a media type, or is itself a range, matches none.
 */
export function isWithin(essence: string, ranges: readonly string[]): boolean {
  return essencePattern.test(essence) && ranges.some((range) => covers(range, essence));
}

/** A type and a subtype of token characters (RFC 9110, section 5.6.2), except the `*` of ranges. */
const essencePattern = /^[\w!#$%&'+.^`|~-]+\/[\w!#$%&'+.^`|~-]+$/;

function covers(range: string, essence: string): boolean {
  if (range === "*/*" || range === essence) return true;
  return range.endsWith("/*") && essence.startsWith(range.slice(0, -1));
}

/**
 * Whether the content of a response matches one of several ranges. A problem document matches only its own media type.
 * One from a server or a proxy is therefore never mistaken for the declared body.
 */
export function isResponseWithin(essence: string, ranges: readonly string[]): boolean {
  return essence === problemType ? ranges.includes(problemType) : isWithin(essence, ranges);
}
