/**
 * The parts of an absolute URL's text, cut out by position: a request's URL is already normal, and a `URL` object costs seven
 * times as much.
 */

/** Where the pathname begins. */
export function pathStart(url: string): number {
  const start = url.indexOf("/", "https://".length);
  return start === -1 ? url.length : start;
}

/** Where the pathname that begins at `start` ends. */
export function pathEnd(url: string, start: number): number {
  let end = start;
  while (end < url.length && !isPathEnd(url.charCodeAt(end))) end++;
  return end;
}

/** The query, without its `?`. */
export function queryOf(url: string): string {
  const question = url.indexOf("?");
  if (question === -1) return "";
  const hash = url.indexOf("#");
  if (hash === -1) return url.slice(question + 1);
  return hash < question ? "" : url.slice(question + 1, hash);
}

function isPathEnd(code: number): boolean {
  return code === 0x3f || code === 0x23; // ? and #
}
