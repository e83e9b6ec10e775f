/** The docs page in a real browser, under a strict policy: `deno task test:browser`. */
import { type Contract, docsPage, type OpenApiDocument, openApiDocument, serveDocs } from "@scope/api/openapi";
import { defineContract, request, response, route, security } from "@scope/api";
import { fetchAdapter, type FetchHandler } from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { Buffer } from "node:buffer";
import { type } from "arktype";
import type { Page } from "playwright-core";
import viewer from "swagger-ui-dist";
import { contract as users } from "../../examples/users/contract.ts";
import { inTemporaryFolder } from "../support/temporary_folder.ts";
import { launchChromium } from "./chromium.ts";

const info = { title: "Users", version: "1.0.0", description: "Who is who." };
const reports = new URL("../../.reports/", import.meta.url);

/** An open page and its activity. */
interface Shown extends AsyncDisposable {
  readonly page: Page;
  readonly baseUrl: string;
  /** The browser's complaints: errors, and violations of the policy. */
  readonly complaints: readonly string[];
  /** The hosts that it contacted. */
  readonly hosts: ReadonlySet<string>;
}

/** The strictest policy that the page works under. */
function policyOf(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** The document and the page that are served with a contract. */
interface Docs {
  readonly document: OpenApiDocument;
  readonly page: (nonce: string) => string;
  /** The policy of the page. Default: none. */
  readonly policy?: (nonce: string) => string;
}

/**
 * A handler that serves the viewer's files, the page and its document, and passes every other request to the contract's
 * handler.
 */
function withDocs(handler: FetchHandler, { document, page, policy }: Docs): FetchHandler {
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/docs") {
      const nonce = crypto.randomUUID();
      const headers = new Headers({ "content-type": "text/html; charset=utf-8" });
      if (policy) headers.set("content-security-policy", policy(nonce));
      return new Response(page(nonce), { headers });
    }
    if (pathname === "/openapi.json") return Response.json(document);
    const [, name] = pathname.match(/^\/docs\/(swagger-ui-bundle\.js|swagger-ui\.css)$/) ?? [];
    if (name === undefined) return handler(request);
    const type = name.endsWith(".js") ? "text/javascript" : "text/css";
    return new Response(await Deno.readFile(`${viewer.absolutePath()}/${name}`), { headers: { "content-type": type } });
  };
}

async function show(handler: FetchHandler): Promise<Shown> {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handler);
  const browser = await launchChromium();
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const complaints: string[] = [];
  const hosts = new Set<string>();
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("request", (asked) => {
    const { protocol, host } = new URL(asked.url());
    if (protocol !== "data:") hosts.add(host);
  });
  const baseUrl = `http://127.0.0.1:${server.addr.port}`;
  await page.goto(`${baseUrl}/docs`);
  const dispose = async (): Promise<void> => {
    await browser.close();
    await server.shutdown();
  };
  return { page, baseUrl, complaints, hosts, [Symbol.asyncDispose]: dispose };
}

async function screenshot(page: Page, name: string): Promise<void> {
  await Deno.mkdir(reports, { recursive: true });
  await page.screenshot({ path: new URL(name, reports).pathname, fullPage: true });
}

async function usersHandler(): Promise<FetchHandler> {
  Deno.env.set("USERS_DB", ":memory:");
  return (await import("../../examples/users/server.ts")).handler;
}

/** Operations as the viewer lists them. */
function listedOperations(page: Page): Promise<string[]> {
  return page.locator(".opblock-summary").evaluateAll((summaries) =>
    summaries.map((summary) =>
      [".opblock-summary-method", ".opblock-summary-path"].map((name) => summary.querySelector(name)?.textContent).join(
        " ",
      )
        .replaceAll("\u200b", "")
    )
  );
}

Deno.test("docsPage() shows every operation under a strict policy and contacts no other host", async () => {
  const document = openApiDocument(users, { info });
  await using shown = await show(
    withDocs(await usersHandler(), { document, policy: policyOf, page: (nonce) => docsPage({ document, nonce }) }),
  );
  const { page, complaints, hosts, baseUrl } = shown;

  await page.locator(".opblock").first().waitFor();

  assertEquals((await listedOperations(page)).toSorted(), [
    "GET /api/health",
    "GET /api/profiles/{id}",
    "GET /api/users/{id}",
    "PATCH /api/users/{id}",
  ]);
  assertEquals(await page.title(), "Users");
  assertStringIncludes(await page.locator(".info").innerText(), "Who is who.");
  await screenshot(page, "docs_page.png");
  assertEquals(complaints, []);
  assertEquals([...hosts], [new URL(baseUrl).host]);
});

Deno.test("docsPage() works under a policy that allows its script by the hash", async () => {
  const document = openApiDocument(users, { info });
  const [, script = ""] = docsPage({ document }).match(/<script>([^]*?)<\/script>/) ?? [];
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(script));
  const hash = `sha256-${new Uint8Array(digest).toBase64()}`;
  const policy = (nonce: string) => policyOf(nonce).replace(`nonce-${nonce}`, hash);
  await using shown = await show(
    withDocs(await usersHandler(), { document, policy, page: () => docsPage({ document }) }),
  );

  await shown.page.locator(".opblock").first().waitFor();

  assertEquals(shown.complaints, []);
});

Deno.test("docsPage() can send a request", async () => {
  const document = openApiDocument(users, { info });
  const page = (nonce: string) => docsPage({ url: "/openapi.json", nonce });
  await using shown = await show(withDocs(await usersHandler(), { document, policy: policyOf, page }));
  const rename = shown.page.locator(".opblock-patch");

  await rename.locator(".opblock-summary-control").click();
  await rename.locator('[data-param-name="id"] input').fill("2");
  await rename.locator("textarea.body-param__text").fill('{"name":"Rear Admiral Hopper"}');
  await rename.locator("button.execute").click();
  const live = rename.locator(".live-responses-table");
  await live.waitFor();

  assertStringIncludes(await live.locator(".response-col_status").last().innerText(), "200");
  assertStringIncludes(await live.locator(".highlight-code").first().innerText(), "Rear Admiral Hopper");
  await screenshot(shown.page, "docs_page_tried.png");
  assertEquals(shown.complaints, []);
  const changed = await fetch(`${shown.baseUrl}/api/users/2`);
  assertEquals(await changed.json(), { id: "2", name: "Rear Admiral Hopper" });
});

Deno.test("docsPage() shows QUERY, forms and streams of OpenAPI 3.2, and uploads a file", async () => {
  const contract = defineContract({
    routes: {
      upload: route.post("/upload", {
        body: request.formData(type({ title: "string", file: "File" })),
        responses: { 200: response.json(type({ title: "string", name: "string", text: "string" })) },
      }),
      sign: route.put("/sign", {
        body: request.form(type({ name: "string", "tag?": "string[]" })),
        responses: { 200: response.json(type("string[]")) },
      }),
      search: route.query("/search", { body: request.text(), responses: { 200: response.ndjson(type("string")) } }),
    },
  });
  const implementation = defineServer(contract).implement({
    upload: async ({ body: { title, file }, response }) =>
      response(200, { title, name: file.name, text: await file.text() }),
    sign: ({ body, response }) => response(200, body.tag ?? []),
    search: ({ body, response }) => response(200, [body]),
  });
  const document = openApiDocument(contract as Contract, { info, version: "3.2" });
  const docs = { document, policy: policyOf, page: (nonce: string) => docsPage({ document, nonce }) };
  await using shown = await show(withDocs(fetchAdapter().mount(implementation), docs));
  const upload = shown.page.locator(".opblock-post");

  await upload.locator(".opblock-summary-control").click();
  await upload.locator('tr[data-property-name="title"] input').fill("A file");
  await upload.locator('input[type="file"]').setInputFiles({
    name: "a.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("content"),
  });
  await upload.locator("button.execute").click();
  const live = upload.locator(".live-responses-table");
  await live.waitFor();

  const shownText = await live.locator(".highlight-code code").first().innerText();
  assertEquals(JSON.parse(shownText), { title: "A file", name: "a.txt", text: "content" });
  assertEquals((await listedOperations(shown.page)).toSorted(), ["POST /upload", "PUT /sign", "QUERY /search"]);
  await screenshot(shown.page, "docs_page_upload.png");
  assertEquals(shown.complaints, []);
});

Deno.test("docsPage() authorizes calls with a token, a username and a password, and an API key, as the contract declares them", async () => {
  const token = security.bearer("token", { format: "JWT", description: "From your account's page." });
  const login = security.basic("login");
  const partner = security.apiKey("partner", { header: "x-api-key" });
  const responses = { 200: response.text() };
  const contract = defineContract({
    routes: {
      token: route.get("/token", { security: [token], responses }),
      login: route.get("/login", { security: [login], responses }),
      partner: route.get("/partner", { security: [partner], responses }),
    },
  });
  const server = defineServer(contract, {
    security: [
      verify(token, ({ token }) => token === "good-token" ? { name: "Ada" } : undefined),
      verify(login, ({ username, password }) => password === "good:password" ? { name: username } : undefined),
      verify(partner, ({ key }) => key === "good key" ? { name: "Partner" } : undefined),
    ],
  });
  const implementation = server.implement({
    token: ({ caller, response }) => response(200, caller.name),
    login: ({ caller, response }) => response(200, caller.name),
    partner: ({ caller, response }) => response(200, caller.name),
  });
  const document = openApiDocument(contract as Contract, { info });
  const docs = { document, policy: policyOf, page: (nonce: string) => docsPage({ document, nonce }) };
  await using shown = await show(withDocs(fetchAdapter().mount(implementation), docs));
  const { page } = shown;

  await page.getByRole("button", { name: "Authorize" }).first().click();
  await fill(page, "token", ["good-token"]);
  await fill(page, "login", ["grace", "good:password"]);
  await fill(page, "partner", ["good key"]);
  await screenshot(page, "docs_page_authorize.png");
  await page.locator(".btn-done").first().click();

  assertEquals(await tryOut(page, "/token"), ["200", "Ada"]);
  assertEquals(await tryOut(page, "/login"), ["200", "grace"]);
  assertEquals(await tryOut(page, "/partner"), ["200", "Partner"]);
  assertEquals(shown.complaints, []);
});

/** Authorizes by the scheme of that name. */
async function fill(page: Page, scheme: string, values: readonly string[]): Promise<void> {
  const container = page.locator(".auth-container", { has: page.locator("h4", { hasText: scheme }) });
  for (const [index, value] of values.entries()) await container.locator("input").nth(index).fill(value);
  await container.locator(".authorize").click();
}

/** Executes the operation of a path without parameters: the status and the text of the response. */
async function tryOut(page: Page, path: string): Promise<string[]> {
  const operation = page.locator(".opblock", { has: page.locator(`[data-path="${path}"]`) });
  await operation.locator(".opblock-summary-control").click();
  await operation.locator("button.execute").click();
  const live = operation.locator(".live-responses-table");
  await live.waitFor();
  const status = await live.locator(".response-col_status").last().innerText();
  return [status.trim(), (await live.locator(".highlight-code code").first().innerText()).trim()];
}

Deno.test("docsPage() shows hostile text as text, even without a policy", async () => {
  const hostile =
    "</script><script>globalThis.broken=1</script><img src='data:,' onerror='globalThis.broken=1'><!-- \u2028";
  const contract = defineContract({
    routes: {
      leaf: route.post("/leaf", {
        body: request.text({ description: hostile }),
        responses: { 200: response.text() },
        docs: { summary: hostile, description: hostile },
      }),
    },
  });
  const implementation = defineServer(contract).implement({ leaf: ({ response }) => response(200, "ok") });
  const document = openApiDocument(contract as Contract, {
    info: { title: hostile, version: hostile, description: hostile },
  });
  const docs = { document, page: () => docsPage({ document, title: hostile }) };
  await using shown = await show(withDocs(fetchAdapter().mount(implementation), docs));

  await shown.page.locator(".opblock-summary-control").click();
  await shown.page.locator("button.execute").waitFor();

  assertEquals((await shown.page.title()).trim(), hostile.trim());
  assertStringIncludes(await shown.page.locator(".info .title").innerText(), "</script>");
  assertEquals(await shown.page.evaluate(() => "broken" in globalThis), false);
});

Deno.test("README's app shows its docs at /docs, which call it; `deno task screenshot` takes the picture for README", async () => {
  const readme = await Deno.readTextFile(new URL("../../README.md", import.meta.url));
  const folder = new URL("../../.cache/readme/", import.meta.url); // below the configuration that names the package
  await Deno.mkdir(folder, { recursive: true });
  for (const [, name = "", code = ""] of readme.matchAll(/^```ts[^\n]*\n\/\/ (\w+\.ts)\n(.*?)^```$/gms)) {
    await Deno.writeTextFile(new URL(name, folder), code);
  }
  const { default: app }: { default: { fetch: FetchHandler } } = await import(new URL("app.ts", folder).href);
  await using shown = await show((request) => app.fetch(request));
  const { page } = shown;
  await page.setViewportSize({ width: 960, height: 620 });

  const find = page.locator(".opblock-get").filter({ hasText: "users" });
  await find.locator(".opblock-summary-control").click();
  await find.locator('[data-param-name="id"] input').fill("1");
  await page.mouse.move(0, 0);
  const picture = Deno.env.get("README_SCREENSHOT");
  if (picture !== undefined) await page.screenshot({ path: picture });
  await find.locator("button.execute").click();
  const live = find.locator(".live-responses-table");
  await live.locator("pre").first().waitFor();
  const response = await live.innerText();

  assertStringIncludes(response, '"name": "Ada"');
  assertEquals(response.includes("never sent"), false);
  assertEquals(shown.complaints, []);
});

/** Installs the published Scalar into a folder, without its dependencies, which its script for browsers contains. */
async function installScalar(folder: string): Promise<void> {
  const installed = `${folder}/node_modules/@scalar/api-reference`;
  await Deno.mkdir(installed, { recursive: true });
  await runIn(folder, "npm", "pack", "--silent", "@scalar/api-reference@1.72.1");
  const archive = `${folder}/scalar-api-reference-1.72.1.tgz`;
  const files = ["package.json", "dist/style.css", "dist/browser/standalone.js"].map((file) => `package/${file}`);
  await runIn(installed, "tar", "-xzf", archive, "--strip-components=1", ...files);
}

async function runIn(cwd: string, command: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(command, { args, cwd, stdout: "null", stderr: "piped" }).output();
  if (!success) throw new Error(`Cannot run ${command} ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
}

Deno.test("serveDocs() shows the document in the installed Scalar, which calls the server and no other host", () =>
  inTemporaryFolder(async (folder) => {
    await installScalar(folder);
    const script = "<script>globalThis.broken=1</script><img src='data:,' onerror='globalThis.broken=1'>";
    const greet = route.get("/greet", {
      query: type({ "name?": "string" }),
      responses: { 200: response.json(type({ greeting: "string" })) },
      docs: { summary: "Greets the caller", description: `${script} Says hello.` },
    });
    const contract = defineContract({ routes: { greet } });
    const servers = [{ url: "https://api.example.com" }]; // Scalar would call a local server without its proxy
    const document = openApiDocument(contract as Contract, { info, servers });
    const docs = serveDocs(document, { viewer: "scalar" });
    const before = Deno.cwd();
    Deno.chdir(folder);
    try {
      await using shown = await show(async (request) => await docs(request) ?? new Response(null, { status: 404 }));
      const { page, complaints, hosts, baseUrl } = shown;
      await page.route(
        "https://api.example.com/greet",
        (called) =>
          called.fulfill({ json: { greeting: "Hello from the API" }, headers: { "access-control-allow-origin": "*" } }),
      );

      await page.getByRole("heading", { name: "Greets the caller" }).first().waitFor();
      assertStringIncludes(await page.locator("#docs").innerText(), "Who is who.");
      await screenshot(page, "scalar.png");
      await page.getByRole("button", { name: /Test Request/ }).first().click();
      await page.getByRole("button", { name: /Send/ }).first().click();
      await page.getByText("Hello from the API").first().waitFor();
      await screenshot(page, "scalar_tried.png");

      assertEquals(await page.title(), "Users");
      assertEquals(complaints, []);
      assertEquals([...hosts], [new URL(baseUrl).host, "api.example.com"]);
      assertEquals(await page.evaluate(() => "broken" in globalThis), false);
    } finally {
      Deno.chdir(before);
    }
  }));
