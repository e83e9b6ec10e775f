/**
 * CORS in a real browser: pages of one origin call the API of another with the typed client: `deno task test:browser`.
 */
import { type CorsOptions, fetchAdapter, type FetchHandler } from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";
import { assertEquals } from "@std/assert";
import type { Browser, BrowserContext } from "playwright-core";
import { launchChromium } from "./chromium.ts";
import { contract, key, secured, session, token } from "./cors_contract.ts";
import type { Outcomes } from "./cors_page.ts";

const fields = { etag: '"1"', "x-total": "2" };

const implementation = defineServer(contract).implement({
  get: ({ params, headers, query, response }) => response(200, params.id + headers["x-tenant"] + query.q, fields),
  json: ({ body, response }) => response(200, body.text, fields),
  put: ({ body, headers, response }) => response(200, body + headers["x-tenant"], fields),
  patch: ({ body, response }) => response(200, String(body.length), fields),
  remove: ({ params, response }) => response(200, params.id, fields),
  query: ({ body, response }) => response(200, body.join(), fields),
  form: ({ body, response }) => response(200, body.a, fields),
  formData: ({ body, response }) => response(200, body.a, fields),
  stream: ({ response }) => response(200, [1, 2, 3]),
  native: async ({ response }) => response(200, await fetch("data:text/plain,native")),
  fail: () => {
    throw new Error("no page may see this");
  },
});

/** The changes that callers made by a secured route, with the caller of each. */
const changes: string[] = [];

const verified = (value: string, by: string): { readonly by: string } | undefined =>
  value === "good" ? { by } : undefined;
const securedImplementation = defineServer(secured, {
  security: [
    verify(token, ({ token }) => verified(token, "token")),
    verify(key, ({ key }) => verified(key, "key")),
    verify(session, ({ value }) => verified(value, "cookie")),
  ],
}).implement({
  enter: ({ response }) => response(204, undefined, { "set-cookie": "session=good; HttpOnly" }),
  show: ({ caller, response }) => response(200, caller.by),
  change: ({ caller, response }) => {
    changes.push(caller.by);
    return response(200, "changed");
  },
  post: ({ caller, response }) => {
    changes.push(`post by ${caller.by}`);
    return response(200, "posted");
  },
});

const everything: Outcomes = {
  get: '200 1ab "1" 2',
  json: '200 a "1" 2',
  put: '200 aa "1" 2',
  patch: '200 3 "1" 2',
  remove: '200 1 "1" 2',
  query: '200 a "1" 2',
  form: '200 b "1" 2',
  formData: '200 b "1" 2',
  stream: "1,2,3",
  native: "native",
  fail: "500 internal-error",
  unchanged: "304",
  missing: "404",
};

/** A server on its own port. */
interface Served extends AsyncDisposable {
  readonly origin: string;
}

function serve(handler: FetchHandler): Served {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handler);
  return { origin: `http://127.0.0.1:${server.addr.port}`, [Symbol.asyncDispose]: () => server.shutdown() };
}

/** A server of the page, at every path. */
async function servePage(): Promise<Served> {
  const args = ["bundle", "--quiet", "--platform=browser", "tests/browser/cors_page.ts"];
  const { stdout, success } = await new Deno.Command(Deno.execPath(), { args, stderr: "inherit" }).output();
  if (!success) throw new Error("Cannot bundle tests/browser/cors_page.ts");
  const script = new TextDecoder().decode(stdout).replaceAll("</script", "<\\/script");
  const html = `<!doctype html><link rel="icon" href="data:,"><script type="module">${script}</script>`;
  return serve(() => new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } }));
}

function serveApi(cors: CorsOptions): Served {
  return serve(fetchAdapter({ cors, onError: () => {} }).mount(implementation));
}

/** An action of a page: the name of a function of `cors_page.ts`. */
type Act = "callAll" | "callSecured";

async function call(
  browser: BrowserContext | Browser,
  page: Served,
  api: Served,
  act: Act = "callAll",
): Promise<Outcomes> {
  const tab = await browser.newPage();
  await tab.goto(page.origin);
  const outcomes = await tab.evaluate(
    ([act, baseUrl]) => (globalThis as unknown as Record<Act, (baseUrl: string) => Promise<Outcomes>>)[act](baseUrl),
    [act, api.origin] as const,
  );
  await tab.close();
  return outcomes;
}

Deno.test("cors: only pages of an allowed origin can make the calls of the typed client", async () => {
  await using page = await servePage();
  await using other = await servePage();
  await using listed = serveApi({ origins: [page.origin] });
  await using asked = serveApi({ origins: (origin) => origin === page.origin });
  await using open = serveApi({ origins: "*" });
  const browser = await launchChromium();
  try {
    for (const api of [listed, asked, open]) assertEquals(await call(browser, page, api), everything);
    assertEquals(await call(browser, other, open), everything);
    for (const api of [listed, asked]) {
      const { missing, unchanged, ...calls } = await call(browser, other, api);
      assertEquals(new Set(Object.values(calls)), new Set(["network"]));
      assertEquals([missing, unchanged], Array(2).fill("TypeError: Failed to fetch"));
    }
  } finally {
    await browser.close();
  }
});

Deno.test("cors: pages of an allowed origin send credentials; pages of other origins cannot change anything with a cookie", async () => {
  await using page = await servePage();
  await using other = await servePage();
  await using api = serve(fetchAdapter({ cors: { origins: [page.origin] } }).mount(securedImplementation));
  const browser = await launchChromium();
  try {
    const profile = await browser.newContext();
    assertEquals(await call(profile, page, api, "callSecured"), {
      enter: "204",
      show: "200",
      change: "200",
      bare: "unexpected-status 401",
      token: "200",
      key: "200",
      other: "network",
      form: "0",
    });
    assertEquals(changes.splice(0), ["cookie", "token", "post by cookie"]);
    const outcomes = await call(profile, other, api, "callSecured");
    assertEquals(outcomes, { ...Object.fromEntries(Object.keys(outcomes).map((key) => [key, "network"])), form: "0" });
    assertEquals(changes, [], "the cookie was sent, for the hosts are the same");
  } finally {
    await browser.close();
  }
});
