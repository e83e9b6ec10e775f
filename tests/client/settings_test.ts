import { defineContract, response, route } from "@scope/api";
import { type Client, type ClientOptions, createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals, assertStrictEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { assertTypeError } from "../support/assert_refused.ts";

Deno.test.sanitizer({ ops: true, resources: true });

const contract = defineContract({
  routes: {
    root: route.get("/", { responses: { 200: response.text() } }),
    health: route.get("/health", { responses: { 200: response.text() } }),
  },
});
const handler = createFetchHandler(
  defineServer(contract).implement({
    root: ({ response }) => response(200, "root"),
    health: ({ response }) => response(200, "ok"),
  }),
);

function refusal(options: object): string {
  return assertTypeError(() => createClient(contract, options as { baseUrl: string }), "createClient(): ");
}

/** Runs `work` as a document at `href` would. */
function atLocation(href: string, work: () => void): void {
  const original = Object.getOwnPropertyDescriptor(globalThis, "location")!;
  Object.defineProperty(globalThis, "location", { value: new URL(href), configurable: true });
  try {
    work();
  } finally {
    Object.defineProperty(globalThis, "location", original);
  }
}

// proves paths | A base URL may have a path | RFC 3986, 5.2
// proves paths-differences | A path is resolved against a base URL | RFC 3986, 5.2 | They are joined as text | The
//   last segment of a base URL is never dropped
Deno.test("createClient() joins baseUrl and path with one slash", () => {
  const cases: [baseUrl: string | URL, url: string][] = [
    ["https://api.example.com", "https://api.example.com/health"],
    ["https://api.example.com/", "https://api.example.com/health"],
    ["https://api.example.com///", "https://api.example.com/health"],
    ["https://api.example.com/v1", "https://api.example.com/v1/health"],
    ["https://api.example.com/v1/x//", "https://api.example.com/v1/x/health"],
    ["http://127.0.0.1:8000", "http://127.0.0.1:8000/health"],
    ["HTTPS://API.example.com:443/V1", "https://api.example.com/V1/health"],
    ["https://[::1]:8080/a%20b", "https://[::1]:8080/a%20b/health"],
    [new URL("https://api.example.com/v1/"), "https://api.example.com/v1/health"],
  ];
  for (const [baseUrl, url] of cases) assertEquals(createClient(contract, { baseUrl }).health.url(), url);
});

Deno.test("createClient() keeps the one slash of a root route", () => {
  const urls = ["https://a.example", "https://a.example/v1/"].map((baseUrl) => {
    return createClient(contract, { baseUrl }).root.url();
  });
  assertEquals(urls, ["https://a.example/", "https://a.example/v1/"]);
});

Deno.test("createClient() refuses a relative baseUrl outside of documents", () => {
  for (const baseUrl of ["/api", "", "api.example.com", "//api.example.com", "https://"]) {
    assertStringIncludes(
      refusal({ baseUrl }),
      '"baseUrl" must be an absolute http or https URL without credentials, query and fragment',
    );
  }
});

Deno.test("createClient() resolves a relative baseUrl against the document's location", () => {
  atLocation("https://app.example/page/one?q=1#top", () => {
    const urls = ["/api", "api/", "//other.example/api", "https://third.example"].map((baseUrl) =>
      createClient(contract, { baseUrl }).health.url()
    );
    assertEquals(urls, [
      "https://app.example/api/health",
      "https://app.example/page/api/health",
      "https://other.example/api/health",
      "https://third.example/health",
    ]);
  });
});

Deno.test("createClient() refuses a relative baseUrl in a document that is not an http page", () => {
  atLocation(
    "file:///home/page.html",
    () =>
      assertStringIncludes(
        refusal({ baseUrl: "/api" }),
        '"baseUrl" must be an absolute http or https URL without credentials, query and fragment',
      ),
  );
  atLocation(
    "about:blank",
    () =>
      assertStringIncludes(
        refusal({ baseUrl: "/api" }),
        '"baseUrl" must be an absolute http or https URL without credentials, query and fragment',
      ),
  );
});

Deno.test("createClient() refuses a baseUrl with a query, a fragment, credentials or another scheme", () => {
  for (const end of ["?a=1", "?", "#top", "#", "/v1?x#y"]) {
    assertStringIncludes(refusal({ baseUrl: `https://a.example${end}` }), "without credentials, query and fragment");
    assertStringIncludes(
      refusal({ baseUrl: new URL(`https://a.example${end}`) }),
      "without credentials, query and fragment",
    );
  }
  for (const user of ["me", "me:secret", ":secret"]) {
    const message = refusal({ baseUrl: `https://${user}@a.example` });
    assertStringIncludes(message, "credentials");
    assertEquals(message.includes("secret"), false);
  }
  for (const baseUrl of ["ftp://a.example", "file:///etc", "javascript:alert(1)", "blob:https://a.example/1"]) {
    assertStringIncludes(
      refusal({ baseUrl }),
      '"baseUrl" must be an absolute http or https URL without credentials, query and fragment',
    );
  }
});

Deno.test("createClient() refuses a baseUrl that is neither text nor a URL", () => {
  for (const baseUrl of [undefined, null, 42, {}, ["https://a.example"]]) {
    assertStringIncludes(
      refusal({ baseUrl }),
      '"baseUrl" must be an absolute http or https URL without credentials, query and fragment',
    );
  }
});

Deno.test("createClient() refuses unknown and invalid options", () => {
  const baseUrl = "https://a.example";
  const message = refusal({ baseUrl, header: {} });
  assertStringIncludes(
    message,
    `unknown option "header" (allowed: baseUrl, fetch, headers, credentials, around, init, validate, maxBodyBytes, maxRecordBytes)`,
  );
  assertStringIncludes(refusal({ baseUrl, fetch: "fetch" }), '"fetch" must be a function, got a string');
  assertStringIncludes(
    refusal({ baseUrl, headers: "x-a: 1" }),
    '"headers" must be an object or a function, got a string',
  );
});

Deno.test("createClient() refuses a value that is not a contract", () => {
  for (const given of [undefined, null, {}, contract.routes, { ...contract }]) {
    const error = assertThrows(
      () => createClient(given as typeof contract, { baseUrl: "https://a.example" }),
      TypeError,
    );
    assertStringIncludes(
      error.message,
      "createClient(): the contract must be made by defineContract() or slimContract(), got ",
    );
  }
});

Deno.test("createClient() sends requests with the option fetch", async () => {
  const client = createClient(contract, { baseUrl: "https://a.example", fetch: handler });
  const { status, body } = await client.health();
  assertEquals([status, body], [200, "ok"]);
});

// proves fetch | `fetch` is called without a `this` value | Web IDL, 3.7
Deno.test("createClient() calls the option fetch without this, as browsers require", async () => {
  const receivers: unknown[] = [];
  const client = createClient(contract, {
    baseUrl: "https://a.example",
    fetch(this: unknown, request: Request): Response | Promise<Response> {
      receivers.push(this);
      return handler(request);
    },
  });
  await client.health();
  assertEquals(receivers.length, 1);
  assertStrictEquals(receivers[0], undefined);
});

Deno.test("createClient() uses the global fetch by default", async () => {
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => handler(request),
  );
  const client = createClient(contract, { baseUrl: `http://127.0.0.1:${server.addr.port}` });
  const { status, body, response } = await client.health();
  assertEquals([status, body, response.url], [200, "ok", client.health.url()]);
});

Deno.test("createClient() looks the global fetch up at each call", async () => {
  const client = createClient(contract, { baseUrl: "https://a.example" });
  const original = globalThis.fetch;
  globalThis.fetch = (input) => Promise.resolve(handler(input as Request));
  try {
    assertEquals((await client.health()).body, "ok");
  } finally {
    globalThis.fetch = original;
  }
});

/** What the global `fetch` receives from a call. */
async function fetched(
  call: (client: Client<typeof contract["routes"]>) => Promise<unknown>,
  options?: Partial<ClientOptions>,
): Promise<{ readonly request: Request; readonly init: unknown }[]> {
  const { fetch } = globalThis;
  const seen: { readonly request: Request; readonly init: unknown }[] = [];
  globalThis.fetch = ((request: Request, init?: RequestInit) => {
    seen.push({ request, init });
    return Promise.resolve(new Response("ok", { headers: { "content-type": "text/plain" } }));
  }) as typeof fetch;
  try {
    await call(createClient(contract, { baseUrl: "https://a.example", ...options }));
    return seen;
  } finally {
    globalThis.fetch = fetch;
  }
}

Deno.test("fetch() receives options that a Request drops, such as those of Next.js, from client and call", async () => {
  const init = { next: { revalidate: 60, tags: ["one"] }, cache: "no-store" } as RequestInit;
  const [ofClient] = await fetched((client) => client.health(), { init });
  const [ofCall] = await fetched((client) => client.health({ init: { next: { tags: ["two"] } } as RequestInit }), {
    init,
  });
  const [none] = await fetched((client) => client.health());

  assertEquals(ofClient?.init, { ...init, redirect: "manual" });
  assertEquals(ofCall?.init, { next: { tags: ["two"] }, cache: "no-store", redirect: "manual" });
  assertEquals(none?.init, undefined);
});

Deno.test("a custom fetch receives the option init too", async () => {
  const seen: unknown[] = [];
  const fetch = (_request: Request, init?: RequestInit): Response => {
    seen.push(init);
    return new Response("ok", { headers: { "content-type": "text/plain" } });
  };
  const init = { proxy: "http://proxy.example" } as RequestInit;
  await createClient(contract, { baseUrl: "https://a.example", fetch, init }).health();
  assertEquals(seen, [{ proxy: "http://proxy.example", redirect: "manual" }]);
});

Deno.test("the option init cannot override what the client sets itself", async () => {
  const init = { method: "DELETE", headers: { "x-a": "1" }, body: "b", signal: null, cache: "no-store" } as object;
  const [seen] = await fetched((client) => client.health({ headers: { "x-b": "2" } }), { init });
  assertEquals(seen?.init, { cache: "no-store", redirect: "manual" });
  assertEquals([seen?.request.method, [...seen?.request.headers ?? []]], ["GET", [["x-b", "2"]]]);
});
