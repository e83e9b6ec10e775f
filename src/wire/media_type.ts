/** Media types, and media ranges such as `image/*` (RFC 9110, sections 8.3.1 and 12.5.1). */
import { isToken, tokenPattern } from "./headers.ts";

/** The media type of a problem document (RFC 9457). */
export const problemType = "application/problem+json";

/** Returns whether the content type of a response is that of a problem document. */
export function isProblem({ headers }: Pick<Response, "headers">): boolean {
  return mediaTypeEssence(headers.get("content-type") ?? "") === problemType;
}

/**
 * Returns the essence of a media type: type and subtype in lowercase, without parameters (RFC 9110, section 8.3.1) and
 * surrounding spaces and tabs. Text that is not one media type has an essence that equals no other.
 */
export function mediaTypeEssence(contentType: string): string {
  const [, essence] = severalTypes.test(contentType) ? [] : firstWord.exec(contentType) ?? [];
  return (essence ?? contentType).toLowerCase();
}

/** Returns whether a content type has no other charset than UTF-8. Texts in ASCII are in UTF-8 too. */
export function isUtf8(contentType: string): boolean {
  const [, charset = ""] = charsetParameter.exec(contentType) ?? [];
  return /^(?:utf-?8|(?:us-)?ascii)?$/i.test(charset);
}

/** The first charset, outside the quotation marks of other parameters. */
const charsetParameter = /^(?:[^"]|"(?:[^"\\]|\\.)*")*?;[ \t]*charset[ \t]*=[ \t]*"?([^\s;"]*)/i;

/** A comma outside quotation marks, which joins the values of a repeated field. */
const severalTypes = /^(?:[^",]|"(?:[^"\\]|\\.)*")*,/;

/**
 * The text before the parameters. White space means spaces and tabs (RFC 9110, section 5.6.3), which is less than
 * `trim` removes.
 */
const firstWord = /^[ \t]*([^ \t;]+)[ \t]*(?:;|$)/;

/**
 * Returns a serialised media type (MIME Sniffing Standard, section 4.5), in lowercase as a `File` has it:
 * `text/html;charset=utf-8`. Malformed parameters are left out. Empty if `text` is not a media type.
 */
export function normalizeMediaType(text: string): string {
  const [start, essence] = typeAndSubtype.exec(text) ?? [];
  if (start === undefined) return "";
  const parameters = new Map<string, string>();
  for (const [, name, quoted, bare] of text.slice(start.length).toLowerCase().matchAll(parameter)) {
    const value = bare ?? (isToken(quoted!) ? quoted : `"${quoted}"`);
    if (!parameters.has(name!)) parameters.set(name!, `;${name}=${value}`);
  }
  return essence!.toLowerCase() + [...parameters.values()].join("");
}

const typeAndSubtype = /* @__PURE__ */ tokenPattern((token) => `^[ \\t]*(${token}/${token})[ \\t]*(?=;|$)`);
const parameter = /* @__PURE__ */ tokenPattern(
  (token) => `;[ \\t]*(${token})=(?:"((?:[ !#-[\\]-~]|\\\\[ -~])*)"[^;]*|(${token})[ \\t]*(?=;|$))`,
  "g",
);

/**
 * Returns whether a media type matches one of several ranges. `essence` must be without parameters and in lowercase, as
 * the ranges are: `*` + `/*`, `type/*` or a media type. Text that is not a media type, or is itself a range, matches
 * none.
 */
export function isWithin(essence: string, ranges: readonly string[]): boolean {
  return essencePattern.test(essence) &&
    ranges.some((range) =>
      range === "*/*" || range === essence || (range.endsWith("/*") && essence.startsWith(range.slice(0, -1)))
    );
}

/** A type and a subtype of token characters (RFC 9110, section 5.6.2), except the `*` of ranges. */
const essencePattern = /^[\w!#$%&'+.^`|~-]+\/[\w!#$%&'+.^`|~-]+$/;

/**
 * Returns whether the content of a response matches one of several ranges. A problem document matches only its own
 * media type. One from a server or a proxy is therefore never mistaken for the declared body.
 */
export function isResponseWithin(essence: string, ranges: readonly string[]): boolean {
  return essence === problemType ? ranges.includes(problemType) : isWithin(essence, ranges);
}
