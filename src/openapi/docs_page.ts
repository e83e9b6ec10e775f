import { checkOptions } from "../contract/declared.ts";
import { type OpenApiDocument } from "./types.ts";

/** The options of {@linkcode docsPage}, whichever way it gets the document. */
export interface DocsPageBase {
  /** The title of the page. Default: that of the document, else "API". */
  readonly title?: string;
  /** The URL of the viewer's script, `swagger-ui-bundle.js`. Default: `/docs/swagger-ui-bundle.js`. */
  readonly script?: string;
  /** The URL of the viewer's style sheet, `swagger-ui.css`. Default: `/docs/swagger-ui.css`. */
  readonly style?: string;
  /** The nonce that the `Content-Security-Policy` of the response names: new for each response. Default: none. */
  readonly nonce?: string;
}

/** A page that holds the document. */
export interface DocsPageOfDocument extends DocsPageBase {
  /** The document, as `openApiDocument` makes it. */
  readonly document: OpenApiDocument;
  /** Not beside a document. */
  readonly url?: undefined;
}

/** A page that loads the document. */
export interface DocsPageOfUrl extends DocsPageBase {
  /** Where the document is, relative to the page. */
  readonly url: string;
  /** Not beside a URL. */
  readonly document?: undefined;
}

/** The options of {@linkcode docsPage}. */
export type DocsPageOptions = DocsPageOfDocument | DocsPageOfUrl;

/**
 * The HTML text of a page that shows an OpenAPI document in [Swagger UI](https://swagger.io/tools/swagger-ui/), where its
 * operations can be tried. The application serves the viewer's two files itself, from the npm package `swagger-ui-dist`, so the
 * page works offline and asks no other host for anything.
 *
 * The page has one script of its own, always the same text. It works under the policy
 * `default-src 'none'; script-src 'self' 'nonce-…'; style-src 'self'; img-src 'self' data:; connect-src 'self'`, where the nonce
 * is that of the options; `connect-src` has to name the servers too, where the document lists others.
 *
 * @example A page under a strict policy
 * ```ts
 * import { docsPage } from "@scope/api/openapi";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const page = docsPage({ url: "/openapi.json", title: "Users", nonce: "r4nd0m" });
 *
 * assertStringIncludes(page, "<title>Users</title>");
 * assertStringIncludes(page, '<script nonce="r4nd0m">');
 * ```
 *
 * @throws {TypeError} Without a document or URL, with both, for a nonce that is none, and for an unknown option.
 */
export function docsPage(options: DocsPageOptions): string {
  const { document, url, title, script, style, nonce } = checkPageOptions(options);
  const settings = document === undefined ? { url } : { spec: document };
  const source = escapeText(script ?? "/docs/swagger-ui-bundle.js");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escapeText(title ?? document?.info.title ?? "API")}</title>
<link rel="stylesheet" href="${escapeText(style ?? "/docs/swagger-ui.css")}">
</head>
<body>
<div id="docs">The viewer ${source} is not there yet, or cannot be loaded.</div>
<script type="application/json" id="docs-settings">${escapeJson(JSON.stringify(settings))}</script>
<script src="${source}"></script>
<script${nonce === undefined ? "" : ` nonce="${nonce}"`}>${startViewer}</script>
</body>
</html>
`;
}

/**
 * The page's own script, the same on every page, so that a policy may allow it by its hash as well. What differs stands in a
 * block of JSON, which is data: no policy is asked for it. `validatorUrl: null` keeps the viewer from asking another host.
 */
const startViewer = `
const settings = JSON.parse(document.getElementById("docs-settings").textContent);
SwaggerUIBundle({ ...settings, dom_id: "#docs", deepLinking: true, tryItOutEnabled: true, validatorUrl: null });
`;

const docsPageOptions = ["document", "url", "title", "script", "style", "nonce"];

function checkPageOptions(options: DocsPageOptions): DocsPageOptions {
  checkOptions(options, docsPageOptions, "a docs page");
  const { document, url, nonce } = options;
  if ((document === undefined) === (url === undefined)) {
    throw new TypeError("Cannot make a docs page: it shows one document; write either document or url");
  }
  if (nonce !== undefined && !/^[A-Za-z0-9+/_-]+={0,2}$/.test(nonce)) {
    throw new TypeError("Cannot make a docs page: its nonce is no Base64 text; write one like crypto.randomUUID()");
  }
  return options;
}

/** Text for an element or an attribute in double quotation marks. */
function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** JSON for a script element, whose text no `</script>` or `<!--` may end, and for readers that take U+2028 for the end of a line. */
function escapeJson(json: string): string {
  return json.replaceAll(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
