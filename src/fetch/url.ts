/**
 * The parts of an absolute URL's text, cut out by position: a request's URL is already normal, and a `URL` object costs seven
 * times as much.
 */

/** The pathname, as the runtime gives it. */
export function pathnameOf(url: string): string {
  const start = url.indexOf("/", "https://".length);
  return start === -1 ? "" : url.slice(start, pathEnd(url, start));
}

/** The query, without its `?`. */
export function queryOf(url: string): string {
  const question = url.indexOf("?");
  if (question === -1) return "";
  const hash = url.indexOf("#");
  if (hash === -1) return url.slice(question + 1);
  return hash < question ? "" : url.slice(question + 1, hash);
}

function pathEnd(url: string, start: number): number {
  const question = url.indexOf("?", start);
  const end = question === -1 ? url.length : question;
  const hash = url.indexOf("#", start);
  return hash === -1 || hash > end ? end : hash;
}
