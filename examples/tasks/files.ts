/**
 * The files of the page. No other file is served.
 *
 * @module
 */
/** The policy of the page: it loads and calls only this origin, and cannot insert text as HTML. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

const own = `${import.meta.dirname}/public`;

const files: ReadonlyMap<string, { readonly file: string; readonly type: string }> = new Map([
  ["/", { file: `${own}/index.html`, type: "text/html; charset=utf-8" }],
  ["/page.css", { file: `${own}/page.css`, type: "text/css" }],
  ["/page.js", { file: `${own}/page.js`, type: "text/javascript" }],
  ["/icon.svg", { file: `${own}/icon.svg`, type: "image/svg+xml" }],
]);

/** Returns the file of a path, or `undefined` if there is none. */
export async function showFile(pathname: string): Promise<Response | undefined> {
  const found = files.get(pathname);
  if (!found) return undefined;
  return new Response(await Deno.readFile(found.file), {
    headers: {
      "content-type": found.type,
      "content-security-policy": policy,
      "x-content-type-options": "nosniff",
      "cache-control": "no-cache",
    },
  });
}
