/**
 * The parts of an absolute URL's text, cut out by position: a `URL` object costs seven times as much. Most runtimes give a request's
 * URL in its normal form; Deno.serve gives it as it came, with dot segments and all, so that whoever asks a `URL` for its path would
 * see another than the one that is cut out. Such a text is left to `URL`.
 */

/** Where in a URL its pathname ends, and what it is made of. */
export interface PathLocation {
  readonly end: number;
  /** Whether it has a percent escape. */
  readonly isEscaped: boolean;
  /** Whether it is as a `URL` has it, but for characters that are yet to be escaped. */
  readonly isNormal: boolean;
}

/** Finds the pathname from `start` on in one pass: searches for single characters would each go through the query too. */
export function locatePath(url: string, start: number): PathLocation {
  let isEscaped = false;
  let isNormal = true;
  let end = start;
  for (; end < url.length; end++) {
    const code = url.charCodeAt(end);
    if (code > backslash) continue; // most are small letters
    if (code === questionMark || code === numberSign) break;
    if (code === percentSign) {
      isEscaped = true;
      if (isEscapedDot(url, end)) isNormal = false;
    } else if (code === backslash || (code === fullStop && url.charCodeAt(end - 1) === slash)) isNormal = false;
  }
  return { end, isEscaped, isNormal };
}

/** Where what follows the host begins: a path, or where there is none a query or a fragment, which may have slashes too. */
export function authorityEnd(url: string): number {
  let index = url.indexOf("/") + 2; // of "//": the scheme before it has none
  for (; index < url.length; index++) {
    const code = url.charCodeAt(index);
    if (code === slash || code === questionMark || code === numberSign || code === backslash) break;
  }
  return index;
}

/** Whether an escape stands for a full stop, of which dot segments may be made too. */
function isEscapedDot(url: string, percent: number): boolean {
  const digit = url[percent + 2];
  return url[percent + 1] === "2" && (digit === "e" || digit === "E");
}

const questionMark = "?".charCodeAt(0);
const numberSign = "#".charCodeAt(0);
const percentSign = "%".charCodeAt(0);
const fullStop = ".".charCodeAt(0);
const slash = "/".charCodeAt(0);
const backslash = "\\".charCodeAt(0);

/** The pathname as a `URL` has it, or `undefined` where the text is no URL. */
export function pathnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).pathname : undefined;
}

/** The query, without its `?`. */
export function queryOf(url: string): string {
  const question = url.indexOf("?");
  if (question === -1) return "";
  const hash = url.indexOf("#");
  if (hash === -1) return url.slice(question + 1);
  return hash < question ? "" : url.slice(question + 1, hash);
}
