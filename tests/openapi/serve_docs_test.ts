/** The docs that a server shows. */
import { defineContract, response, route } from "@scope/api";
import { type OpenApiDocument, openApiDocument, serveDocs, type ServeDocsOptions } from "@scope/api/openapi";
import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { runDeno } from "../support/run_module.ts";
import { inTemporaryFolder } from "../support/temporary_folder.ts";

const contract = defineContract({ routes: { up: route.get("/up", { responses: { 204: response.empty() } }) } });
const info = { title: "Health & more", version: "1.0.0" };
const document = openApiDocument(contract, { info });

/** The response to a request, which the docs must not leave to the API. */
async function fetchDocs(
  path: string,
  options: ServeDocsOptions = {},
  init: RequestInit = {},
  of = document,
): Promise<Response> {
  const answered = await serveDocs(of, options)(new Request(`http://localhost${path}`, init));
  assert(answered, `${path} is left to the API`);
  return answered;
}

/** The directives of the policy of a page. */
function policyOf({ headers }: Response): Record<string, string> {
  const directives = (headers.get("content-security-policy") ?? "").split("; ");
  return Object.fromEntries(directives.map((text) => [text.split(" ", 1)[0]!, text.slice(text.indexOf(" ") + 1)]));
}

Deno.test("serveDocs() shows the page with a nonce of its own in each response", async () => {
  const nonces = await Promise.all([1, 2].map(async () => {
    const shown = await fetchDocs("/docs");
    assertEquals([shown.status, shown.headers.get("content-type")], [200, "text/html; charset=utf-8"]);
    assertEquals(shown.headers.get("cache-control"), "no-store");
    const [, nonce = ""] = /^'self' 'nonce-([\w-]{36})'$/.exec(policyOf(shown)["script-src"] ?? "") ?? [];
    const html = await shown.text();
    assertStringIncludes(html, `<script nonce="${nonce}">`);
    assertStringIncludes(html, "<title>Health &amp; more</title>");
    for (const link of ['"docs/swagger-ui-bundle.js"', '"docs/swagger-ui.css"', '"openapi.json"']) {
      assertStringIncludes(html, link);
    }
    return nonce;
  }));
  assertEquals(new Set(nonces).size, 2);
});

Deno.test("serveDocs() serves the document, and the files of the installed package", async () => {
  const described = await fetchDocs("/openapi.json");
  assertEquals(described.headers.get("content-type"), "application/json");
  assertEquals(await described.json(), JSON.parse(JSON.stringify(document)));

  const script = await fetchDocs("/docs/swagger-ui-bundle.js");
  assertMatch(script.headers.get("content-type")!, /^text\/javascript/);
  assertStringIncludes(await script.text(), "SwaggerUIBundle");
  const style = await fetchDocs("/docs/swagger-ui.css");
  assertMatch(style.headers.get("content-type")!, /^text\/css/);
  assertStringIncludes(await style.text(), ".swagger-ui");
});

Deno.test("serveDocs() responds to HEAD without a body, and leaves all other requests to the API", async () => {
  for (const path of ["/docs", "/openapi.json", "/docs/swagger-ui.css"]) {
    const [head, get] = await Promise.all([fetchDocs(path, {}, { method: "HEAD" }), fetchDocs(path)]);
    assertEquals([head.status, head.body], [200, null]);
    assertEquals(head.headers.get("content-type"), get.headers.get("content-type"));
    await get.body?.cancel();
  }
  const docs = serveDocs(document);
  const left = [
    new Request("http://localhost/up"),
    new Request("http://localhost/docs/"),
    new Request("http://localhost/docs/other.js"),
    new Request("http://localhost/docs", { method: "POST" }),
    new Request("http://localhost/openapi.json", { method: "OPTIONS" }),
    Object.defineProperty(new Request("http://localhost/"), "url", { value: "http://%/docs" }), // a malformed Host
  ];
  for (const request of left) assertEquals(await docs(request), undefined, `${request.method} ${request.url}`);
});

Deno.test("serveDocs() takes other paths, a title and the files from elsewhere", async () => {
  const asked: string[] = [];
  const options: ServeDocsOptions = {
    path: "/api/v1/reference",
    documentPath: "/api/openapi.json",
    title: "The API",
    files: (name) => (asked.push(name), `/* ${name} */`),
  };
  const html = await (await fetchDocs("/api/v1/reference", options)).text();
  for (const text of ["<title>The API</title>", '"reference/swagger-ui-bundle.js"', '"/api/openapi.json"']) {
    assertStringIncludes(html, text);
  }
  assertEquals(await (await fetchDocs("/api/v1/reference/swagger-ui.css", options)).text(), "/* swagger-ui.css */");
  assertEquals((await fetchDocs("/api/openapi.json", options)).status, 200);
  assertEquals(asked, ["swagger-ui-bundle.js", "swagger-ui.css"]); // the page looks whether its script can be read
  assertEquals(await serveDocs(document, options)(new Request("http://localhost/docs")), undefined);
});

Deno.test("serveDocs() with Scalar shows its page under a policy with inline styles, and serves its script", async () => {
  const asked: string[] = [];
  const options: ServeDocsOptions = {
    viewer: "scalar",
    path: "/reference",
    title: "The <API>",
    files: (name) => (asked.push(name), `/* ${name} */`),
  };
  const shown = await fetchDocs("/reference", options);
  const html = await shown.text();
  const [, nonce = ""] = /^'self' 'nonce-([\w-]{36})'$/.exec(policyOf(shown)["script-src"] ?? "") ?? [];
  assertEquals(html.match(/<script[^>]*>/g), [
    '<script type="application/json" id="docs-settings">',
    '<script src="reference/standalone.js">',
    `<script nonce="${nonce}">`,
  ]);
  for (const text of ["<title>The &lt;API&gt;</title>", '{"url":"openapi.json"}', "Scalar.createApiReference("]) {
    assertStringIncludes(html, text);
  }
  assert(!/stylesheet|https?:/.test(html), html);
  assertEquals(policyOf(shown)["style-src"], "'unsafe-inline'");
  const script = await fetchDocs("/reference/standalone.js", options);
  assertEquals(script.headers.get("content-type"), "text/javascript; charset=utf-8");
  assertEquals(await script.text(), "/* standalone.js */");
  assertEquals(asked, ["standalone.js", "standalone.js"]);

  const docs = serveDocs(document, options);
  const filesOfSwaggerUi = ["/reference/swagger-ui.css", "/reference/swagger-ui-bundle.js"];
  for (const path of filesOfSwaggerUi) assertEquals(await docs(new Request(`http://localhost${path}`)), undefined);
  assertEquals(await serveDocs(document)(new Request("http://localhost/docs/standalone.js")), undefined);
  assertEquals(policyOf(await fetchDocs("/docs", { viewer: "swagger-ui" }))["style-src"], "'self'");
});

Deno.test("the types of serveDocs() know the files of each viewer", () => {
  serveDocs(document, { files: (name: "swagger-ui-bundle.js" | "swagger-ui.css") => name });
  serveDocs(document, { viewer: "scalar", files: (name: "standalone.js") => name });
  // @ts-expect-error Swagger UI has no such file
  serveDocs(document, { files: (name: "standalone.js") => name });
  // @ts-expect-error Scalar has no such file
  serveDocs(document, { viewer: "scalar", files: (name: "swagger-ui.css") => name });
  // @ts-expect-error there is no such viewer
  assertThrows(() => serveDocs(document, { viewer: "redoc" }), TypeError);
});

Deno.test("the policy of the page allows connections to the servers of the document, and nothing else", async () => {
  const urls = [
    "https://api.example.com/v1",
    "https://api.example.com/v2",
    "/v3",
    "https://{tenant}.example.com",
    "http://[::1]:80",
  ];
  const servers = [...urls, "https://x.example.com; script-src *"].map((url) => ({ url }));
  const shown = await fetchDocs("/docs", {}, {}, { ...document, servers } as OpenApiDocument);
  const policy = policyOf(shown);
  assertEquals(policy["connect-src"], "'self' https://api.example.com http://[::1]");
  assertEquals(policy["default-src"], "'none'");
  await shown.body?.cancel();
});

const advice = "Deno needs --allow-read to read it. Where there is no file system, as on Workers, pass " +
  '"files" to serveDocs().\n';

Deno.test("a file that cannot be read is a 500 that says what to install, without the error, and so is the page", async () => {
  const { error } = console;
  const logged: unknown[] = [];
  console.error = (value: unknown) => logged.push(value);
  try {
    const files = () => Promise.reject(new Error("secret"));
    const failed = await fetchDocs("/docs/swagger-ui.css", { files });
    assertEquals(failed.status, 500);
    assertEquals(
      await failed.text(),
      `Cannot read swagger-ui.css. Install the npm package swagger-ui-dist; ${advice}`,
    );
    assertEquals((logged[0] as Error).message, "serveDocs(): cannot read swagger-ui.css");
    const page = await fetchDocs("/docs", { files });
    assertEquals([page.status, (await page.text()).slice(0, 33)], [500, "Cannot read swagger-ui-bundle.js."]);
    const nothing = await fetchDocs("/docs/swagger-ui.css", { files: (() => undefined) as never });
    assertEquals([nothing.status, await nothing.text()], [
      500,
      await (await fetchDocs("/docs/swagger-ui.css", { files })).text(),
    ]);
    const missing = await fetchDocs("/docs/standalone.js", { viewer: "scalar" }); // it is not installed here
    assertEquals(
      await missing.text(),
      `Cannot read standalone.js. Install the npm package @scalar/api-reference; ${advice}`,
    );
  } finally {
    console.error = error;
  }
});

Deno.test("a program in a folder with nothing installed shows the docs on Deno", () =>
  inTemporaryFolder(async (folder) => {
    const program = `import { serveDocs } from "${new URL("../../src/tools/openapi/mod.ts", import.meta.url)}";
      const docs = serveDocs({ openapi: "3.1.1", info: { title: "A", version: "1" }, paths: {} });
      const file = await docs(new Request("http://localhost/docs/swagger-ui.css"));
      console.log(file.status);`;
    await Deno.writeTextFile(`${folder}/main.js`, program);
    const { stdout, stderr } = await runDeno(["run", "--no-check", "--quiet", "--allow-read", `${folder}/main.js`]);
    assertEquals(stdout.trim(), "200", stderr);
  }));

Deno.test("serveDocs() refuses invalid options", () => {
  const refused: readonly (readonly [object, string])[] = [
    [{ path: "docs" }, 'serveDocs(): "path" must be a path such as "/docs", got "docs"'],
    [{ path: "/docs/" }, 'serveDocs(): "path" must be a path such as "/docs", got "/docs/"'],
    [{ documentPath: "/a?b" }, 'serveDocs(): "documentPath" must be a path'],
    [{ viewer: "redoc" }, 'serveDocs(): "viewer" must be "swagger-ui" or "scalar", got "redoc"'],
    [{ viewer: "toString" }, 'serveDocs(): "viewer" must be "swagger-ui" or "scalar", got "toString"'],
    [{ viewer: null }, 'serveDocs(): "viewer" must be "swagger-ui" or "scalar", got null'],
    [{ files: "dist" }, 'serveDocs(): "files" must be a function, got "dist"'],
    [{ url: "/docs" }, 'serveDocs(): unknown option "url"'],
    [{ path: "/a/.." }, 'serveDocs(): "path" must be a path such as "/docs", got "/a/.."'],
    [{ path: "/docs", documentPath: "/docs" }, '"path" and "documentPath" must differ, got "/docs" for both'],
    [{ title: 5 }, 'serveDocs(): "title" must be a string, got 5'],
  ];
  for (const [options, message] of refused) assertThrows(() => serveDocs(document, options), TypeError, message);
  const noDocument = "serveDocs(): the document must be one that openApiDocument() returns, got ";
  for (const given of [contract, undefined, "openapi.json"]) {
    assertThrows(() => serveDocs(given as never), TypeError, noDocument);
  }
});
