/** Serves a document and the page that shows it. */
import { type Awaitable } from "../awaitable.ts";
import { checkOptions } from "../contract/declared.ts";
import { describeValue } from "../messages.ts";
import { docsPage } from "./docs_page.ts";
import { type OpenApiDocument } from "./types.ts";

/** The options of {@linkcode serveDocs}. */
export interface ServeDocsOptions {
  /** The path of the page, which is also the folder of its files. Default: `/docs`. */
  readonly path?: string;
  /** The path of the document. Default: `/openapi.json`. */
  readonly documentPath?: string;
  /** The title of the page. Default: the title of the document. */
  readonly title?: string;
  /**
   * Returns a file of the npm package `swagger-ui-dist` 5. Workers have no file system, so there you must pass it.
   * Default: reads the file of the installed package; Deno downloads it if it is not installed.
   */
  readonly files?: (name: ViewerFile) => Awaitable<string | Uint8Array<ArrayBuffer> | Blob>;
}

/** A file of Swagger UI. */
export type ViewerFile = "swagger-ui-bundle.js" | "swagger-ui.css";

/** Responds to requests for the docs. Resolves to `undefined` for any other request. */
export type DocsHandler = (request: Request) => Promise<Response | undefined>;

const types: Readonly<Record<ViewerFile, string>> = {
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "swagger-ui.css": "text/css; charset=utf-8",
};

/**
 * Serves an OpenAPI document, a page that shows it in [Swagger UI](https://swagger.io/tools/swagger-ui/), and the two
 * files of Swagger UI from the npm package `swagger-ui-dist`. The page loads nothing from other hosts. Its
 * `Content-Security-Policy` allows its own script by a nonce, which is new in each response, and connections to the
 * servers of the document.
 *
 * It responds to GET and HEAD of its paths, and leaves every other request to the API.
 *
 * @example `/docs` and `/openapi.json` before an API
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { createFetchHandler } from "@scope/api/fetch";
 * import { openApiDocument, serveDocs } from "@scope/api/openapi";
 * import { defineServer } from "@scope/api/server";
 * import { assertEquals } from "@std/assert";
 *
 * const contract = defineContract({ routes: { up: route.get("/up", { responses: { 204: response.empty() } }) } });
 * const api = createFetchHandler(defineServer(contract).implement({ up: ({ response }) => response(204) }));
 *
 * const docs = serveDocs(openApiDocument(contract, { info: { title: "Health", version: "1.0.0" } }));
 * const handler = async (request: Request) => await docs(request) ?? await api(request);
 *
 * const statusOf = async (path: string) => (await handler(new Request(`http://localhost${path}`))).status;
 * assertEquals(await Promise.all(["/docs", "/openapi.json", "/up", "/other"].map(statusOf)), [200, 200, 204, 404]);
 * ```
 *
 * @throws {TypeError} If the document or an option is invalid.
 */
export function serveDocs(document: OpenApiDocument, options: ServeDocsOptions = {}): DocsHandler {
  if (typeof document?.info?.title !== "string") {
    throw new TypeError(
      `serveDocs(): the document must be one that openApiDocument() returns, got ${describeValue(document)}`,
    );
  }
  const { path = "/docs", documentPath = "/openapi.json", title = document.info.title, files = readInstalled } =
    checkServeOptions(options);
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const relative = (target: string) => target.startsWith(folder) ? target.slice(folder.length) : target;
  const json = JSON.stringify(document);
  const origins = listOrigins(document);
  const answers = new Map<string, () => Awaitable<Response>>([
    [path, () => showPage({ title, url: relative(documentPath), folder: relative(path), origins })],
    [documentPath, () => respond(json, "application/json")],
    ...(Object.keys(types) as ViewerFile[]).map((name) => [`${path}/${name}`, () => showFile(name, files)] as const),
  ]);
  return async (request) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead || !URL.canParse(request.url)) return undefined;
    const response = await answers.get(new URL(request.url).pathname)?.();
    return response && request.method === "HEAD" ? new Response(null, response) : response;
  };
}

function checkServeOptions(options: ServeDocsOptions): ServeDocsOptions {
  checkOptions(options, ["path", "documentPath", "title", "files"], "serveDocs()");
  for (const name of ["path", "documentPath"] as const) {
    const { [name]: path } = options;
    if (path === undefined || (typeof path === "string" && /^(?:\/[\w.~-]+)+$/.test(path))) continue;
    throw new TypeError(`serveDocs(): "${name}" must be a path such as "/docs", got ${describeValue(path)}`);
  }
  const { files } = options;
  if (files !== undefined && typeof files !== "function") {
    throw new TypeError(`serveDocs(): "files" must be a function, got ${describeValue(files)}`);
  }
  return options;
}

interface ShownPage {
  readonly title: string;
  /** The URL of the document. */
  readonly url: string;
  /** The URL of the folder with the files of Swagger UI. */
  readonly folder: string;
  readonly origins: readonly string[];
}

function showPage({ title, url, folder, origins }: ShownPage): Response {
  const nonce = crypto.randomUUID();
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self'",
    "img-src 'self' data:",
    ["connect-src 'self'", ...origins].join(" "),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  const html = docsPage({
    url,
    title,
    nonce,
    script: `${folder}/swagger-ui-bundle.js`,
    style: `${folder}/swagger-ui.css`,
  });
  return respond(html, "text/html; charset=utf-8", { "content-security-policy": policy, "cache-control": "no-store" });
}

async function showFile(name: ViewerFile, files: NonNullable<ServeDocsOptions["files"]>): Promise<Response> {
  try {
    return respond(await files(name), types[name], { "cache-control": "max-age=3600" });
  } catch (cause) {
    console.error(new Error(`serveDocs(): cannot read ${name}`, { cause }));
    const advice = `Cannot read ${name}. Install the npm package swagger-ui-dist, or pass its files to serveDocs().\n`;
    return new Response(advice, { status: 500, headers: { "content-type": "text/plain" } });
  }
}

function respond(
  body: string | Uint8Array<ArrayBuffer> | Blob,
  type: string,
  fields: Readonly<Record<string, string>> = {},
): Response {
  return new Response(body, { headers: { ...fields, "content-type": type, "x-content-type-options": "nosniff" } });
}

/** The origins of a document's servers, as a policy can name them. */
function listOrigins({ servers = [] }: OpenApiDocument): string[] {
  const origins = servers.flatMap(({ url }) => URL.canParse(url) ? new URL(url).origin : []);
  return [...new Set(origins)].filter((origin) => /^https?:\/\/[\w.:[\]-]+$/.test(origin));
}

/** Reads a file of the npm package, as it is installed in the folder of the program or known to Deno. */
async function readInstalled(name: ViewerFile): Promise<Uint8Array<ArrayBuffer>> {
  // bundles for other runtimes leave out modules that the import itself does not name
  const system = ["node:fs/promises", "node:module", "node:process"];
  const [{ readFile }, { createRequire }, { cwd }] = await Promise.all(system.map((module) => import(module)));
  try {
    return await readFile(createRequire(`${cwd()}/`).resolve(`swagger-ui-dist/${name}`));
  } catch (error) {
    const [viewer] = ["npm:swagger-ui-dist@5/absolute-path.js"]; // only Deno knows such modules
    const { default: absolutePath } = await import(viewer!).catch(() => {
      throw error;
    });
    return await readFile(`${absolutePath()}/${name}`);
  }
}
