/**
 * Reads the parts of an absolute URL by position, because a `URL` object costs seven times as much. Most runtimes pass
 * a request's URL in normal form. Deno.serve passes it as received, with dot segments and any `Host`, and Bun passes
 * only a path if `Host` is missing.
 *
 * The parts are the same as those of a `URL`. Unusual paths are passed to `URL`. A text has no parts if `URL` rejects
 * its origin, or finds it elsewhere.
 */

/** The end of the pathname in a URL, and its form. */
interface PathLocation {
  readonly end: number;
  /** Whether it contains a percent escape. */
  readonly isEscaped: boolean;
  /** Whether it is in the form of a `URL`, except for characters that must still be escaped. */
  readonly isNormal: boolean;
}

/** Finds the pathname from `start` on in one pass. Searches for single characters would each scan the query too. */
export function locatePath(url: string, start: number): PathLocation {
  let isEscaped = false;
  let isNormal = true;
  let end = start;
  for (; end < url.length; end++) {
    const code = url.charCodeAt(end);
    if (code > backslash) continue; // most are lowercase letters
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
 * Returns the index after the origin: the start of the path, or of the query or fragment if there is no path.
 * `undefined` if `URL` would find it elsewhere, or reject the text.
 */
export function originEnd(url: string): number | undefined {
  const code = url.charCodeAt(lastOrigin.length); // `NaN` at the end of the text
  const isEnd = code === slash || code === questionMark || code === numberSign || Number.isNaN(code);
  if (!isEnd || !url.startsWith(lastOrigin)) {
    const [origin] = originPattern.exec(url) ?? [];
    if (origin === undefined || !URL.canParse(`${origin}/`)) return undefined;
    lastOrigin = origin;
  }
  return lastOrigin.length;
}

/**
 * The last origin that `URL` accepted. A server's requests share a few, and the check with `URL` takes longer than
 * everything else.
 */
let lastOrigin = "http://localhost";

/**
 * A scheme and an authority, followed by a slash, a query or a fragment. A `URL` removes white space and control
 * characters, treats a backslash as a slash, and skips slashes if the authority is empty. It could then read a part of
 * the host as path, or a part of the path as host. A `file:` path may begin with a drive letter.
 */
// deno-lint-ignore no-control-regex -- `\p{Cc}` with the flags `iu` takes 0.4 ms to compile, at every start
const originPattern = /^(?!file:)[a-z][a-z\d+.-]*:\/\/[^/\\?#\s\0-\x1f\x7f-\x9f]+(?=[/?#]|$)/i;

/** Returns whether an escape is that of a full stop, which can be part of a dot segment. */
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

/** Returns the pathname as a `URL` has it, for a target whose origin was accepted, or that begins with its path. */
export function pathnameOf(target: string): string {
  return toUrl(target).pathname;
}

function toUrl(target: string): URL {
  return new URL(target.startsWith("/") ? `http://localhost${target}` : target);
}

/** Returns the query as a `URL` has it, without its `?`. */
export function queryOf(url: string): string {
  const question = url.indexOf("?");
  if (question === -1) return "";
  const hash = url.indexOf("#");
  if (hash !== -1 && hash < question) return "";
  const query = hash === -1 ? url.slice(question + 1) : url.slice(question + 1, hash);
  return removable.test(query) ? toUrl(url).search.slice(1) : query;
}

/**
 * White space and control characters. A `URL` removes some of them anywhere, and others only at the end of its text.
 */
const removable = /[\s\p{Cc}]/u;
