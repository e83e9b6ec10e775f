/**
 * The parts of an absolute URL's text, cut out by position: a `URL` object costs seven times as much. Most runtimes give a request's
 * URL in its normal form. Deno.serve gives it as it came, with dot segments and with any `Host`, and Bun gives no more than a path
 * where `Host` is missing. The parts read here are those that a `URL` has: unusual paths are left to `URL`, and a text without an
 * origin that `URL` accepts has no parts at all.
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
    } else if (code <= space || code === backslash || (code === fullStop && url.charCodeAt(end - 1) === slash)) {
      isNormal = false;
    }
  }
  return { end, isEscaped, isNormal };
}

/**
 * Where what follows the origin begins: a path, or where there is none a query or a fragment. `undefined` where `URL` would look for
 * it elsewhere, or refuse the text.
 */
export function originEnd(url: string): number | undefined {
  if (!url.startsWith(lastOrigin) || !endsOrigin(url.charCodeAt(lastOrigin.length))) {
    const [origin] = originPattern.exec(url) ?? [];
    if (origin === undefined || !URL.canParse(`${origin}/`)) return undefined;
    lastOrigin = origin;
  }
  return lastOrigin.length;
}

/** The origin that was accepted last: a server's requests share a few, and to have `URL` accept one takes longer than the rest. */
let lastOrigin = "http://localhost";

/**
 * A scheme and an authority, and a slash, a query or a fragment after it. A `URL` removes white space and control characters, takes a backslash for a
 * slash and skips slashes where the authority is empty: then it would read a part of the host as path, or the other way round. A path of
 * `file:` may begin with the letter of a drive.
 */
const originPattern = /^(?!file:)[a-z][a-z\d+.-]*:\/\/[^/\\?#\s\p{Cc}]+(?=[/?#]|$)/iu;

/** Whether a character, or the end of the text (`NaN`), ends an origin. */
function endsOrigin(code: number): boolean {
  return code === slash || code === questionMark || code === numberSign || Number.isNaN(code);
}

/** Whether an escape stands for a full stop, of which dot segments may be made too. */
function isEscapedDot(url: string, percent: number): boolean {
  const digit = url[percent + 2];
  return url[percent + 1] === "2" && (digit === "e" || digit === "E");
}

const space = " ".charCodeAt(0);
const questionMark = "?".charCodeAt(0);
const numberSign = "#".charCodeAt(0);
const percentSign = "%".charCodeAt(0);
const fullStop = ".".charCodeAt(0);
const slash = "/".charCodeAt(0);
const backslash = "\\".charCodeAt(0);

/** The pathname as a `URL` has it, of a text whose origin was accepted. */
export function pathnameOf(url: string): string {
  return new URL(url).pathname;
}

/** The query as a `URL` has it, without its `?`. */
export function queryOf(url: string): string {
  const question = url.indexOf("?");
  if (question === -1) return "";
  const hash = url.indexOf("#");
  if (hash !== -1 && hash < question) return "";
  const query = hash === -1 ? url.slice(question + 1) : url.slice(question + 1, hash);
  return removable.test(query) ? new URL(url).search.slice(1) : query;
}

/** White space and control characters: a `URL` removes some of them, others at the end of its text alone. */
const removable = /[\s\p{Cc}]/u;
