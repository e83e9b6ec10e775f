/** Serves a document and the page that shows it. */
import type { Awaitable } from "../../awaitable.ts";
import { checkOptions } from "../../options.ts";
import { describeValue } from "../../messages.ts";
import { checkDocument, checkText, docsPage, scalarPage } from "./docs_page.ts";
import type { OpenApiDocument } from "./types.ts";

/** The options of {@linkcode serveDocs} that every viewer has. */
export interface ServeDocsBaseOptions {
  /** The path of the page, which is also the folder of its files. Default: `/docs`. */
  readonly path?: string;
  /** The path of the document. Default: `/openapi.json`. */
  readonly documentPath?: string;
  /** The title of the page. Default: the title of the document. */
  readonly title?: string;
}

/** The options of a page with [Swagger UI](https://swagger.io/tools/swagger-ui/). */
export interface ServeSwaggerUiOptions extends ServeDocsBaseOptions {
  /** The program that shows the document. Default: `"swagger-ui"`. */
  readonly viewer?: "swagger-ui";
  /**
   * Returns a file of the npm package `swagger-ui-dist` 5. Workers have no file system, so there you must pass it.
   * Default: reads the file of the installed package; Deno downloads it if it is not installed.
   */
  readonly files?: ViewerFiles<SwaggerUiFile>;
}

/** The options of a page with [Scalar](https://scalar.com/products/api-references). */
export interface ServeScalarOptions extends ServeDocsBaseOptions {
  /** The program that shows the document. */
  readonly viewer: "scalar";
  /**
   * Returns the file `dist/browser/standalone.js` of the npm package `@scalar/api-reference` 1. Workers have no file
   * system, so there you must pass it. Default: reads the file of the package in `node_modules`.
   */
  readonly files?: ViewerFiles<ScalarFile>;
}

/** The options of {@linkcode serveDocs}. */
export type ServeDocsOptions = ServeSwaggerUiOptions | ServeScalarOptions;

/** A file of Swagger UI. */
export type SwaggerUiFile = "swagger-ui-bundle.js" | "swagger-ui.css";

/** The file of Scalar. */
export type ScalarFile = "standalone.js";

/** Returns a file of a viewer by its name. */
export type ViewerFiles<Name extends string> = (name: Name) => Awaitable<string | Uint8Array<ArrayBuffer> | Blob>;

/** Responds to requests for the docs. Resolves to `undefined` for any other request. */
export type DocsHandler = (request: Request) => Promise<Response | undefined>;

type ViewerName = NonNullable<ServeDocsOptions["viewer"]>;

interface Viewer {
  /** The npm package that has the files. */
  readonly package: string;
  /** The media types of the files. */
  readonly types: Readonly<Record<string, string>>;
  /** The styles that the policy allows. */
  readonly styles: string;
  readonly page: (shown: ShownPage) => string;
}

const [script, style] = ["text/javascript; charset=utf-8", "text/css; charset=utf-8"];

const viewers: Readonly<Record<ViewerName, Viewer>> = {
  "swagger-ui": {
    package: "swagger-ui-dist",
    types: { "swagger-ui-bundle.js": script, "swagger-ui.css": style } satisfies Record<SwaggerUiFile, string>,
    styles: "'self'",
    page: ({ folder, ...shown }) =>
      docsPage({ ...shown, script: `${folder}/swagger-ui-bundle.js`, style: `${folder}/swagger-ui.css` }),
  },
  scalar: {
    package: "@scalar/api-reference",
    types: { "standalone.js": script } satisfies Record<ScalarFile, string>,
    styles: "'unsafe-inline'", // its script adds style elements without a nonce, and style attributes
    page: ({ folder, ...shown }) => scalarPage({ ...shown, script: `${folder}/standalone.js` }),
  },
};

/**
 * Serves an OpenAPI document, a page that shows it, and the files of the page from an npm package. The page shows it
 * in [Swagger UI](https://swagger.io/tools/swagger-ui/) (`swagger-ui-dist`), or with `viewer: "scalar"` in
 * [Scalar](https://scalar.com/products/api-references) (`@scalar/api-reference`). It loads nothing from other hosts.
 * Its `Content-Security-Policy` allows its own script by a nonce, which is new in each response, and connections to
 * the servers of the document. For Scalar, it also allows inline styles.
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
 * @example Scalar, with its script from elsewhere than the installed package
 * ```ts
 * import { serveDocs } from "@scope/api/openapi";
 * import { assertEquals } from "@std/assert";
 *
 * const document = { openapi: "3.1.0", info: { title: "Health", version: "1.0.0" }, paths: {} } as const;
 * const docs = serveDocs(document, { viewer: "scalar", files: () => "// Scalar" });
 *
 * const script = await docs(new Request("http://localhost/docs/standalone.js"));
 * assertEquals(script?.headers.get("content-type"), "text/javascript; charset=utf-8");
 * ```
 *
 * @throws {TypeError} If the document or an option is invalid.
 */
export function serveDocs(document: OpenApiDocument, options: ServeDocsOptions = {}): DocsHandler {
  checkDocument(document, "serveDocs(): the document");
  const { viewer: name, path = "/docs", documentPath = "/openapi.json", title = document.info.title, files } =
    checkServeOptions(options);
  const viewer = viewers[name ?? "swagger-ui"];
  const read = files as ViewerFiles<string> ?? readInstalled; // it gets only the names of its viewer
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const relative = (target: string) => target.startsWith(folder) ? target.slice(folder.length) : target;
  const json = JSON.stringify(document);
  const origins = listOrigins(document);
  const shown = { title, url: relative(documentPath), folder: relative(path) };
  const [script] = Object.keys(viewer.types);
  let isReadable = false;
  const showCheckedPage = async (): Promise<Response> => {
    const response = isReadable ? undefined : await showFile(viewer, script!, read);
    if (response?.ok === false) return response; // a page without its script would be empty
    isReadable = true;
    return showPage(viewer, shown, origins);
  };
  const answers = new Map<string, () => Awaitable<Response>>([
    [path, showCheckedPage],
    [documentPath, () => respond(json, "application/json")],
    ...Object.keys(viewer.types).map((file) => [`${path}/${file}`, () => showFile(viewer, file, read)] as const),
  ]);
  return async (request) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead || !URL.canParse(request.url)) return undefined;
    const response = await answers.get(new URL(request.url).pathname)?.();
    return response && request.method === "HEAD" ? new Response(null, response) : response;
  };
}

function checkServeOptions(options: ServeDocsOptions): ServeDocsOptions {
  checkOptions(options, ["viewer", "path", "documentPath", "title", "files"], "serveDocs()");
  for (const name of ["path", "documentPath"] as const) {
    const { [name]: path } = options;
    if (path === undefined || (typeof path === "string" && /^(?:\/(?!\.\.?(?:\/|$))[\w.~-]+)+$/.test(path))) continue;
    throw new TypeError(`serveDocs(): "${name}" must be a path such as "/docs", got ${describeValue(path)}`);
  }
  const { path = "/docs", documentPath = "/openapi.json", title, viewer, files } = options;
  if (path === documentPath) {
    throw new TypeError(`serveDocs(): "path" and "documentPath" must differ, got ${describeValue(path)} for both`);
  }
  checkText(title, 'serveDocs(): "title"');
  if (viewer !== undefined && !Object.hasOwn(viewers, viewer)) {
    const names = Object.keys(viewers).map((name) => `"${name}"`).join(" or ");
    throw new TypeError(`serveDocs(): "viewer" must be ${names}, got ${describeValue(viewer)}`);
  }
  if (files !== undefined && typeof files !== "function") {
    throw new TypeError(`serveDocs(): "files" must be a function, got ${describeValue(files)}`);
  }
  return options;
}

interface ShownPage {
  readonly title: string;
  /** The URL of the document. */
  readonly url: string;
  /** The URL of the folder with the files of the viewer. */
  readonly folder: string;
  readonly nonce: string;
}

function showPage(viewer: Viewer, shown: Omit<ShownPage, "nonce">, origins: readonly string[]): Response {
  const nonce = crypto.randomUUID();
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src ${viewer.styles}`,
    "img-src 'self' data:",
    ["connect-src 'self'", ...origins].join(" "),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  const fields = { "content-security-policy": policy, "cache-control": "no-store" };
  return respond(viewer.page({ ...shown, nonce }), "text/html; charset=utf-8", fields);
}

async function showFile(viewer: Viewer, name: string, read: ViewerFiles<string>): Promise<Response> {
  try {
    const content = await read(name);
    if (content === undefined) throw new TypeError(`"files" returned undefined`);
    return respond(content, viewer.types[name]!, { "cache-control": "max-age=3600" });
  } catch (cause) {
    console.error(new Error(`serveDocs(): cannot read ${name}`, { cause }));
    const advice =
      `Cannot read ${name}. Install the npm package ${viewer.package}; Deno needs --allow-read to read it. ` +
      'Where there is no file system, as on Workers, pass "files" to serveDocs().\n';
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

/** Returns the origins of a document's servers, as a policy can name them. */
function listOrigins({ servers }: OpenApiDocument): string[] {
  const origins = (servers ?? []).flatMap(({ url }) => URL.canParse(url) ? new URL(url).origin : []);
  return [...new Set(origins)].filter((origin) => /^https?:\/\/[\w.:[\]-]+$/.test(origin));
}

/** Reads a file of an npm package, as it is installed in the folder of the program or known to Deno. */
async function readInstalled(name: string): Promise<Uint8Array<ArrayBuffer>> {
  // bundles for other runtimes leave out modules that the import itself does not name
  const system = ["node:fs/promises", "node:module", "node:process"];
  const [{ readFile }, { createRequire }, { cwd }] = await Promise.all(system.map((module) => import(module)));
  const { resolve } = createRequire(`${cwd()}/`);
  if (name === "standalone.js") {
    // the package does not export the file, but one of the folder above
    return await readFile(resolve("@scalar/api-reference/style.css").replace(/style\.css$/, `browser/${name}`));
  }
  try {
    return await readFile(resolve(`swagger-ui-dist/${name}`));
  } catch (error) {
    const [viewer] = ["npm:swagger-ui-dist@5/absolute-path.js"]; // only Deno knows such modules
    const { default: absolutePath } = await import(viewer!).catch(() => {
      throw error;
    });
    return await readFile(`${absolutePath()}/${name}`);
  }
}
