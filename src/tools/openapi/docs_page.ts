import { checkOptions } from "../../options.ts";
import { describeValue } from "../../messages.ts";
import type { OpenApiDocument } from "./types.ts";

/** The options of {@linkcode docsPage} that do not depend on the source of the document. */
export interface DocsPageBaseOptions {
  /** The title of the page. Default: the title of the document, or "API". */
  readonly title?: string;
  /** The URL of Swagger UI's script, `swagger-ui-bundle.js`. Default: `/docs/swagger-ui-bundle.js`. */
  readonly script?: string;
  /** The URL of Swagger UI's style sheet, `swagger-ui.css`. Default: `/docs/swagger-ui.css`. */
  readonly style?: string;
  /**
   * The nonce in the `Content-Security-Policy` of the response. Generate a new one for each response. Default: none.
   */
  readonly nonce?: string;
}

/** The options of a page that contains the document. */
export interface DocsPageDocumentOptions extends DocsPageBaseOptions {
  /** The document, as `openApiDocument` returns it. */
  readonly document: OpenApiDocument;
  /** Not allowed together with `document`. */
  readonly url?: undefined;
}

/** The options of a page that loads the document. */
export interface DocsPageUrlOptions extends DocsPageBaseOptions {
  /** The URL of the document, relative to the page. */
  readonly url: string;
  /** Not allowed together with `url`. */
  readonly document?: undefined;
}

/** The options of {@linkcode docsPage}. */
export type DocsPageOptions = DocsPageDocumentOptions | DocsPageUrlOptions;

/**
 * Returns the HTML of a page that shows an OpenAPI document in [Swagger UI](https://swagger.io/tools/swagger-ui/),
 * where readers can also try its operations. Your application serves the two files of Swagger UI from the npm package
 * `swagger-ui-dist`, so the page works offline and loads nothing from other hosts.
 *
 * The page has one inline script, whose text never changes. It works under the policy
 * `default-src 'none'; script-src 'self' 'nonce-…'; style-src 'self'; img-src 'self' data:; connect-src 'self'`, with
 * the nonce from the options. If the document lists other servers, add them to `connect-src`.
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
 * @throws {TypeError} If neither or both of `document` and `url` are passed, if the nonce is not Base64, or if an
 * option is unknown.
 */
export function docsPage(options: DocsPageOptions): string {
  const { document, url, title, script, style, nonce } = checkPageOptions(options);
  return formatPage({
    title: title ?? document?.info.title ?? "API",
    script: script ?? "/docs/swagger-ui-bundle.js",
    style: style ?? "/docs/swagger-ui.css",
    nonce,
    settings: document === undefined ? { url } : { spec: document },
    start: startSwaggerUi,
  });
}

/** Returns the HTML of a page that shows an OpenAPI document in Scalar, whose styles are part of its script. */
export function scalarPage({ url, ...parts }: Pick<PageParts, "title" | "script" | "nonce"> & { url: string }): string {
  return formatPage({ ...parts, settings: { url }, start: startScalar });
}

interface PageParts {
  readonly title: string;
  /** The URL of the viewer's script. */
  readonly script: string;
  readonly style?: string;
  readonly nonce: string | undefined;
  /** The parts of the viewer's configuration that differ between pages. */
  readonly settings: object;
  /** The inline script. */
  readonly start: string;
}

function formatPage({ title, script, style, nonce, settings, start }: PageParts): string {
  const source = escapeText(script);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escapeText(title)}</title>
${style === undefined ? "" : `<link rel="stylesheet" href="${escapeText(style)}">\n`}</head>
<body>
<div id="docs">The viewer ${source} is not there yet, or cannot be loaded.</div>
<script type="application/json" id="docs-settings">${escapeJson(JSON.stringify(settings))}</script>
<script src="${source}"></script>
<script${nonce === undefined ? "" : ` nonce="${nonce}"`}>${start}</script>
</body>
</html>
`;
}

/**
 * The inline script, identical on every page, so that a policy may also allow it by its hash. The parts that differ
 * are in a block of JSON, which is data and needs no permission. `validatorUrl: null` keeps Swagger UI from contacting
 * another host.
 */
const startSwaggerUi = `
const settings = JSON.parse(document.getElementById("docs-settings").textContent);
SwaggerUIBundle({ ...settings, dom_id: "#docs", deepLinking: true, tryItOutEnabled: true, validatorUrl: null });
`;

/** The same for Scalar. Without these options it loads fonts, and offers services, of other hosts. */
const startScalar = `
const settings = JSON.parse(document.getElementById("docs-settings").textContent);
Scalar.createApiReference("#docs", {
  ...settings,
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
});
`;

function checkPageOptions(options: DocsPageOptions): DocsPageOptions {
  const texts = ["url", "title", "script", "style", "nonce"] as const;
  checkOptions(options, ["document", ...texts], "docsPage()");
  const { document, url, nonce } = options;
  for (const name of texts) checkText(options[name], `docsPage(): "${name}"`);
  if (document !== undefined) checkDocument(document, 'docsPage(): "document"');
  if ((document === undefined) === (url === undefined)) {
    throw new TypeError('docsPage(): either "document" or "url" is required, and not both');
  }
  if (nonce !== undefined && !/^[A-Za-z0-9+/_-]+={0,2}$/.test(nonce)) {
    throw new TypeError('docsPage(): "nonce" must be a Base64 string, such as crypto.randomUUID()');
  }
  return options;
}

/** Throws a `TypeError` for an option that is not a string. */
export function checkText(value: unknown, place: string): void {
  if (value === undefined || typeof value === "string") return;
  throw new TypeError(`${place} must be a string, got ${describeValue(value)}`);
}

/** Throws a `TypeError` for a document without a title. */
export function checkDocument(document: OpenApiDocument, place: string): void {
  if (typeof document?.info?.title === "string") return;
  throw new TypeError(`${place} must be one that openApiDocument() returns, got ${describeValue(document)}`);
}

/** Escapes text for an element, or for an attribute in double quotation marks. */
function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/**
 * Escapes JSON for a script element, where `</script>` and `<!--` have a meaning. Also escapes U+2028, which some
 * parsers treat as the end of a line.
 */
function escapeJson(json: string): string {
  return json.replaceAll(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
