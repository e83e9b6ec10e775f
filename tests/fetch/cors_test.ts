/** CORS: pages of which origins may call, and the headers of every response. */
import { defineContract, request, response, route, router, type Schema } from "@scope/api";
import { createClient } from "@scope/api/client";
import { type CorsOptions, createFetchHandler, fetchAdapter, type FetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { type } from "arktype";
import fc from "fast-check";
import * as v from "valibot";
import { z } from "zod";
import { anything } from "../support/hostile_schemas.ts";
import { asserting } from "../support/tries.ts";
import { readableFields, refuseCrossOrigin } from "./browser_preflight.ts";
import { listen, mountRoute } from "../support/mount_route.ts";

const always = asserting(60);

const app = "https://app.example.com";
const other = "https://app.example.com.evil.example";
const preflightVary = ["access-control-request-headers", "access-control-request-method", "origin"];

const contract = defineContract({
  routes: {
    notes: router("/notes", {
      routes: {
        list: route.get("/", {
          headers: type({ "x-tenant": "string", "+": "reject" }),
          responses: {
            200: response.json(type("string[]"), { headers: type({ etag: "string", "x-total": "string" }) }),
          },
        }),
        add: route.post("/", { body: request.json(type({ text: "string" })), responses: { 201: response.empty() } }),
        rename: route.patch("/:id", { body: request.text(), responses: { 204: response.empty() } }),
        remove: route.delete("/:id", {
          headers: anything<Record<string, string>>(),
          responses: { 204: response.empty() },
        }),
        dated: route.get("/:id/dated", {
          responses: { 200: response.text({ headers: type({ "last-modified": "string" }) }) },
        }),
        drafts: route.get("/drafts", { responses: { 200: response.text() } }),
        options: route.options("/", { responses: { 204: response.empty({ headers: type({ allow: "string" }) }) } }),
      },
    }),
    stream: route.get("/stream", { responses: { 200: response.ndjson(type("number")) } }),
    native: route.get("/native", { responses: { 200: response.raw(), 304: response.raw() } }),
    upgrade: route.get("/upgrade", { responses: { 101: response.raw() } }),
    vary: route.get("/vary/:value", { responses: { 200: response.text() } }),
    cookie: route.get("/cookie", { responses: { 200: response.text() } }),
    own: route.get("/own", { responses: { 200: response.text() } }),
    fail: route.get("/fail", { responses: { 200: response.text() } }),
  },
});

/** A response as `fetch` returns it: its headers are immutable. */
async function fetchNative(): Promise<Response> {
  return await fetch("data:application/x-one;base64,b25l");
}

const implementation = defineServer(contract).implement({
  notes: {
    list: ({ response }) => response(200, ["a"], { etag: '"1"', "x-total": "1" }),
    add: ({ response }) => response(201),
    rename: ({ response }) => response(204),
    remove: ({ response }) => response(204),
    dated: ({ response }) => response(200, "", { "last-modified": "Sun, 06 Nov 1994 08:49:37 GMT" }),
    drafts: ({ response }) => response(200, "none"),
    options: ({ response }) => response(204, undefined, { allow: "GET, POST" }),
  },
  stream: ({ response }) => response(200, [1, 2]),
  native: async ({ response }) => response(200, await fetchNative()),
  upgrade: () => ({ status: 101, body: upgraded }) as never,
  vary: ({ params, response }) => response(200, "", { vary: params.value }),
  cookie: ({ response }) => response(200, "", { "set-cookie": "a=b", "X-Mine": "1" }),
  own: ({ response }) =>
    response(200, "", { "access-control-allow-origin": "*", "access-control-allow-credentials": "true" }),
  fail: () => {
    throw new Error("secret");
  },
});

/** The runtimes' response to an upgrade: the `Response` constructor rejects its status. */
const upgraded = new Proxy(new Response(null), {
  get: (target, key) => key === "status" ? 101 : Reflect.get(target, key, target),
});

function mount(cors: CorsOptions, further: object = {}): FetchHandler {
  return fetchAdapter({ cors, onError: () => {}, ...further }).mount(implementation);
}

interface Asked {
  readonly method?: string;
  readonly origin?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function ask(handler: FetchHandler, path: string, asked: Asked = {}): Promise<Response> {
  const { method = "GET", origin, headers, body } = asked;
  const fields = { ...headers, ...(origin !== undefined && { origin }) };
  return Promise.resolve(
    handler(new Request(`http://localhost${path}`, { method, headers: fields, ...(body !== undefined && { body }) })),
  );
}

function preflight(
  handler: FetchHandler,
  path: string,
  method: string,
  { origin = app, names }: { readonly origin?: string; readonly names?: string } = {},
): Promise<Response> {
  const headers = {
    "access-control-request-method": method,
    ...(names !== undefined && { "access-control-request-headers": names }),
  };
  return ask(handler, path, { method: "OPTIONS", origin, headers });
}

/** The CORS fields of a response. */
function corsFields({ headers }: Response): Record<string, string> {
  return Object.fromEntries(
    [...headers].filter(([name]) => name.startsWith("access-control-"))
      .map(([name, value]) => [name.slice("access-control-".length), value]),
  );
}

function varyOf({ headers }: Response): string[] {
  return (headers.get("vary") ?? "").split(", ").filter((name) => name !== "").toSorted();
}

const one = { origins: [app] };

// proves fetch | A preflight lists the methods and headers that are allowed | 3.2
Deno.test("cors: a preflight of an allowed origin receives the methods of the path and the headers of its route", async () => {
  const handler = mount({ origins: [app], headers: ["TraceParent"], maxAge: 60 });
  const answer = await preflight(handler, "/notes", "GET");

  assertEquals([answer.status, answer.body], [204, null]);
  assertEquals(corsFields(answer), {
    "allow-origin": app,
    "allow-methods": "GET, HEAD, POST, OPTIONS",
    "allow-headers": "x-tenant, if-none-match, traceparent",
    "max-age": "60",
  });
  assertEquals(varyOf(answer), preflightVary);
  const added = await preflight(handler, "/notes", "POST");
  assertEquals(corsFields(added)["allow-headers"], "content-type, traceparent");
});

Deno.test("cors: the headers are those of the route that would handle the requested method", async () => {
  const handler = mount(one);
  const methods = async (path: string, method: string): Promise<unknown[]> => {
    const { "allow-methods": allowed, "allow-headers": headers } = corsFields(await preflight(handler, path, method));
    return [allowed, headers];
  };

  assertEquals(await methods("/notes", "HEAD"), ["GET, HEAD, POST, OPTIONS", "x-tenant, if-none-match"]);
  assertEquals(await methods("/notes", "PUT"), ["GET, HEAD, POST, OPTIONS", undefined]);
  assertEquals(await methods("/notes/drafts", "PATCH"), ["GET, HEAD, PATCH, DELETE", "content-type"]);
  assertEquals(await methods("/notes/drafts", "GET"), ["GET, HEAD, PATCH, DELETE", undefined]);
  assertEquals(await methods("/notes/1/dated", "GET"), ["GET, HEAD", "if-modified-since"]);
  assertEquals(await methods("/not%65s/%61", "PATCH"), ["PATCH, DELETE", "content-type"]);
  assertEquals(await methods("/notes/a?b=c", "PATCH"), ["PATCH, DELETE", "content-type"]);
});

Deno.test("cors: a schema with unknown keys allows the headers that an allowed origin requests, except an asterisk", async () => {
  const handler = mount({ origins: [app], headers: ["x-own"] });
  const answer = await preflight(handler, "/notes/1", "DELETE", { names: "x-a, X-B ,*,b ad,x-a" });

  assertEquals(corsFields(answer)["allow-headers"], "x-own, x-a, x-b");
  assertEquals(
    corsFields(await preflight(handler, "/notes/1", "PATCH", { names: "x-a" }))["allow-headers"],
    "content-type, x-own",
  );
  assertEquals(corsFields(await preflight(handler, "/notes/1", "DELETE", { names: "x-a", origin: other })), {});
});

Deno.test("cors: a preflight of a refused origin receives no allow fields, and varies by origin", async () => {
  for (const origin of [other, "null", "https://APP.example.com", "http://app.example.com", `${app}/`, ""]) {
    const answer = await preflight(mount(one), "/notes", "GET", { origin });
    assertEquals([answer.status, corsFields(answer), varyOf(answer)], [204, {}, preflightVary], origin);
  }
});

Deno.test("cors: a preflight for an unknown path is 404, and for a malformed one 400", async () => {
  const handler = mount(one);
  for (const [path, status] of [["/nowhere", 404], ["/%FF", 400]] as const) {
    const answer = await preflight(handler, path, "GET");
    assertEquals([answer.status, corsFields(answer), varyOf(answer)], [status, { "allow-origin": app }, ["origin"]]);
  }
});

Deno.test("cors: a preflight takes precedence over a route for OPTIONS, which handles all other requests", async () => {
  const handler = mount(one);
  assertEquals((await preflight(handler, "/notes", "GET")).headers.has("allow"), false);
  for (const asked of [{}, { origin: app }, { headers: { "access-control-request-method": "GET" } }]) {
    const answer = await ask(handler, "/notes", { method: "OPTIONS", ...asked });
    assertEquals([answer.status, answer.headers.get("allow")], [204, "GET, POST"]);
  }
  const refused = await ask(handler, "/notes/1", { method: "OPTIONS", origin: app });
  assertEquals([refused.status, refused.headers.get("allow"), corsFields(refused)], [405, "PATCH, DELETE", {
    "allow-origin": app,
    "expose-headers": "allow",
  }]);
});

Deno.test("cors: a request with another method is not a preflight", async () => {
  const answer = await ask(mount(one), "/notes/drafts", {
    origin: app,
    headers: { "access-control-request-method": "GET" },
  });
  assertEquals([answer.status, await answer.text()], [200, "none"]);
});

// proves http-differences | OPTIONS may be supported by any resource | 9.3.7 | 405, unless a route declares OPTIONS,
//   or `cors` is set and the request is a preflight | An undeclared response would be another thing to secure
Deno.test("cors: without the option a preflight is routed, and no response has a CORS field", async () => {
  const handler = fetchAdapter().mount(implementation);
  const refused = await preflight(handler, "/notes/1", "PATCH");
  assertEquals([refused.status, corsFields(refused), varyOf(refused)], [405, {}, []]);
  const answer = await ask(handler, "/notes", { origin: app, headers: { "x-tenant": "a" } });
  assertEquals([answer.status, corsFields(answer), varyOf(answer)], [200, {}, []]);
});

/** Requests with the status that each is answered with. */
const everyAnswer: readonly (readonly [status: number, path: string, asked: Asked])[] = [
  [200, "/notes", { headers: { "x-tenant": "a" } }],
  [200, "/notes", { method: "HEAD", headers: { "x-tenant": "a" } }],
  [201, "/notes", { method: "POST", headers: { "content-type": "application/json" }, body: '{"text":"a"}' }],
  [204, "/notes/1", { method: "DELETE" }],
  [304, "/notes", { headers: { "x-tenant": "a", "if-none-match": '"1"' } }],
  [304, "/notes/1/dated", { headers: { "if-modified-since": "Sun, 06 Nov 1994 08:49:37 GMT" } }],
  [400, "/notes", {}],
  [400, "/%FF", {}],
  [404, "/nowhere", {}],
  [405, "/notes", { method: "PUT" }],
  [413, "/notes", { method: "POST", headers: { "content-type": "application/json" }, body: `"${"a".repeat(200)}"` }],
  [415, "/notes", { method: "POST", headers: { "content-type": "text/plain" }, body: "a" }],
  [500, "/fail", {}],
  [200, "/stream", {}],
  [200, "/native", {}],
  [200, "/native", { method: "HEAD" }],
  [204, "/notes", { method: "OPTIONS" }],
];

Deno.test("cors: an allowed origin may read every response, whatever its status, and others none", async () => {
  const handler = mount(one, { maxBodyBytes: 100 });
  for (const [status, path, asked] of everyAnswer) {
    const what = `${asked.method ?? "GET"} ${path} ${status}`;
    const [allowed, denied, plain] = await Promise.all(
      [app, other, undefined].map((origin) => ask(handler, path, { ...asked, origin })),
    ) as [Response, Response, Response];
    assertEquals([allowed.status, denied.status, plain.status], [status, status, status], what);
    assertEquals(corsFields(allowed)["allow-origin"], app, what);
    assertEquals([corsFields(denied), corsFields(plain)], [{}, {}], what);
    for (const answer of [allowed, denied, plain]) assertEquals(varyOf(answer), ["origin"], what);
    assertEquals(await allowed.text(), await plain.text(), what);
    await denied.body?.cancel();
  }
});

Deno.test("cors: a response exposes its own fields", async () => {
  const handler = mount({ origins: [app], exposed: ["X-Request-Id", "etag"] });
  const listed = await ask(handler, "/notes", { origin: app, headers: { "x-tenant": "a" } });
  assertEquals(corsFields(listed)["expose-headers"], "etag, x-total, x-request-id");
  assertEquals(readableFields(listed).toSorted(), ["content-type", "etag", "x-total"]);
  const cookie = await ask(handler, "/cookie", { origin: app });
  assertEquals(corsFields(cookie)["expose-headers"], "x-mine, x-request-id, etag");
  assertEquals(corsFields(await ask(mount(one), "/notes/drafts", { origin: app })), { "allow-origin": app });
});

Deno.test('cors: origins "*" allows all origins and does not vary by origin', async () => {
  const handler = mount({ origins: "*" });
  for (const origin of [app, "null", undefined]) {
    const answer = await ask(handler, "/notes/drafts", { origin });
    assertEquals([corsFields(answer), varyOf(answer)], [{ "allow-origin": "*" }, []]);
  }
  const answer = await preflight(handler, "/notes", "GET", { origin: "null" });
  assertEquals(corsFields(answer)["allow-origin"], "*");
  assertEquals(varyOf(answer), ["access-control-request-headers", "access-control-request-method"]);
});

Deno.test("cors: origins may be a function, which is never called with null or a malformed origin", async () => {
  const asked: string[] = [];
  const handler = mount({
    origins: (origin) => {
      asked.push(origin);
      return new URL(origin).hostname.endsWith(".example.com");
    },
  });
  assertEquals(corsFields(await ask(handler, "/notes/drafts", { origin: app })), { "allow-origin": app });
  assertEquals(corsFields(await ask(handler, "/notes/drafts", { origin: other })), {});
  assertEquals(corsFields(await ask(handler, "/notes/drafts", { origin: "null" })), {});
  assertEquals(corsFields(await ask(handler, "/notes/drafts")), {});
  for (const origin of ["", "*", "app.example.com", `${app}, ${app}`, "https://"]) {
    assertEquals(corsFields(await ask(handler, "/notes/drafts", { origin })), {});
  }
  assertEquals(asked, [app, other], "nothing that is not a URL, so that new URL(origin) never throws");
});

Deno.test("cors: an origins function that throws or returns no boolean allows nothing and is reported to onError, phase cors", async () => {
  const broken = new Error("broken");
  const cases: readonly [(origin: string) => unknown, string][] = [
    [() => {
      throw broken;
    }, "Error: broken"],
    [() => Promise.resolve(true), "TypeError: cors.origins() must return a boolean, got an object"],
    [() => 1, "TypeError: cors.origins() must return a boolean, got 1"],
    [() => undefined, "TypeError: cors.origins() must return a boolean, got undefined"],
  ];
  for (const [origins, expected] of cases) {
    const { heard, onError } = listen(() => new Response("replaced"));
    const handler = mount({ origins: origins as never }, { onError });
    for (
      const send of [() => ask(handler, "/notes/drafts", { origin: app }), () => preflight(handler, "/notes", "GET")]
    ) {
      const answer = await send();
      assertEquals(corsFields(answer), {});
      assert(varyOf(answer).includes("origin"));
      const [{ error, phase, response } = {}] = heard.splice(0);
      assertEquals([String(error), phase, response?.status], [expected, "cors", answer.status]);
    }
  }
});

Deno.test("cors: vary is merged with the handler's", async () => {
  const handler = mount(one);
  const cases: Readonly<Record<string, string>> = {
    "accept": "accept, origin",
    "Origin": "Origin",
    "accept, ORIGIN": "accept, ORIGIN",
    "*": "*",
    "accept, *": "accept, *",
    "x-origin": "x-origin, origin",
  };
  for (const [given, expected] of Object.entries(cases)) {
    const answer = await ask(handler, `/vary/${encodeURIComponent(given)}`, { origin: app });
    assertEquals(answer.headers.get("vary"), expected);
  }
});

Deno.test("cors: a handler's own CORS fields are removed", async () => {
  assertEquals(corsFields(await ask(mount(one), "/own", { origin: other })), {});
  assertEquals(corsFields(await ask(mount(one), "/own", { origin: app })), { "allow-origin": app });
});

Deno.test("cors: a response that was fetched is copied, with its fields and its content", async () => {
  const answer = await ask(mount(one), "/native", { origin: app });
  assertEquals([answer.headers.get("content-type"), await answer.text()], ["application/x-one", "one"]);
  assertEquals(corsFields(answer), { "allow-origin": app });
});

Deno.test("cors: a 101 and a response that cannot be copied are sent unchanged", async () => {
  assert(await ask(mount(one), "/upgrade", { origin: app }) === upgraded);
  assertEquals([...upgraded.headers], []);
  const failed = Response.error();
  const handler = mount(one, { onError: () => failed });
  assert(await ask(handler, "/fail", { origin: app }) === failed);
});

Deno.test("cors: pages may read the responses of an onError hook", async () => {
  const handler = mount(one, { onError: () => new Response("down", { status: 503 }) });
  const answer = await ask(handler, "/fail", { origin: app });
  assertEquals([answer.status, corsFields(answer)], [503, { "allow-origin": app }]);
});

Deno.test("cors: a synchronous handler still responds synchronously", () => {
  const handler = mount(one);
  assert(handler(new Request("http://localhost/notes/drafts", { headers: { origin: app } })) instanceof Response);
});

Deno.test("cors: createFetchHandler() accepts it as well, and options of mount() override the adapter's", async () => {
  const handlers = [
    createFetchHandler(implementation, { cors: one }),
    fetchAdapter({ cors: { origins: [other] } }).mount(implementation, { cors: one }),
  ];
  for (const handler of handlers) {
    assertEquals(corsFields(await ask(handler, "/notes/drafts", { origin: app })), { "allow-origin": app });
    assertEquals(corsFields(await ask(handler, "/notes/drafts", { origin: other })), {});
  }
});

Deno.test("cors: changes of a list after the mount have no effect", async () => {
  const origins = [app];
  const handler = mount({ origins });
  origins.push(other);
  assertEquals(corsFields(await ask(handler, "/notes/drafts", { origin: other })), {});
});

Deno.test("cors: an origin that browsers never send is refused at mount", () => {
  const invalid = (origin: string): string =>
    `"cors.origins" must contain origins like "https://app.example.com" in lower case, got ${origin}`;
  const cases: readonly (readonly [unknown, string])[] = [
    [true, '"cors" must be an object like { origins: ["https://app.example.com"] }, got true'],
    [[app], '"cors" must be an object like { origins: ["https://app.example.com"] }, got an array'],
    [{}, '"cors.origins" must be an array of origins, a function or "*", got undefined'],
    [{ origins: app }, `"cors.origins" must be an array of origins, a function or "*", got "${app}"`],
    [{ origins: ["null"] }, '"cors.origins" must not contain "null", the origin of every sandboxed page; remove it'],
    [{ origins: ["*"] }, '"cors.origins" must not contain "*"; write origins: "*" to allow all'],
    [{ origins: [app, 1] }, invalid("1")],
    [{ origins: ["constructor"] }, invalid('"constructor"')],
    ...[
      ...[
        "app.example.com",
        `${app}/`,
        `${app}:443`,
        "http://a.example:80",
        "HTTPS://app.example.com",
        "https://App.example.com",
      ],
      ...[
        "https://*.example.com",
        "https://u@a.example",
        `${app}?`,
        `${app}#`,
        "https://é.example",
        "file://",
        "file://a.example",
        "",
        "data:,",
        "x://A",
      ],
    ].map((origin) => [{ origins: [origin] }, invalid(JSON.stringify(origin))] as const),
    [{ origins: "*", methods: [] }, 'unknown option "methods" in "cors" (allowed: origins, headers, exposed, maxAge)'],
    [{ origins: "*", headers: "a" }, '"cors.headers" must be an array of header names, got "a"'],
    [{ origins: "*", headers: ["a b"] }, '"cors.headers" must contain header names, got "a b"'],
    [{ origins: "*", exposed: ["*"] }, '"cors.exposed" must contain header names, got "*"'],
    [{ origins: "*", maxAge: 0.5 }, '"cors.maxAge" must be a non-negative integer of seconds, got 0.5'],
    [{ origins: "*", maxAge: -1 }, '"cors.maxAge" must be a non-negative integer of seconds, got -1'],
  ];
  for (const [cors, state] of cases) {
    assertThrows(() => fetchAdapter({ cors } as never), TypeError, `fetchAdapter(): ${state}`);
    const mount = (): unknown => createFetchHandler(implementation, { cors } as never);
    assertThrows(mount, TypeError, `createFetchHandler(): ${state}`);
  }
});

Deno.test("cors: origins of every scheme that browsers send are accepted", async () => {
  const origins = [
    ...[app, "http://localhost:8000", "http://127.0.0.1:3000", "http://[::1]:3000", "https://xn--bcher-kva.example"],
    ...[
      "capacitor://localhost",
      "chrome-extension://abcdefghijklmnop",
      "moz-extension://0c9e1b2d-1111-4222-8333-444455556666",
    ],
  ];
  for (const origin of origins) {
    assertEquals(corsFields(await ask(mount({ origins }), "/notes/drafts", { origin })), { "allow-origin": origin });
  }
});

/** Origins that look like the allowed one, and others. */
const anyOrigin = fc.oneof(
  fc.constantFrom(
    app,
    other,
    "null",
    "*",
    "https://app.example.com:443",
    "https://app.example.com, https://evil.example",
  ),
  fc.webUrl(),
  fc.string({ unit: fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code)) }),
);
const anyCors = fc.record({
  origins: fc.constantFrom("*" as const, [app], [app, "null-app://a"], (origin: string) => origin === app),
  headers: fc.constantFrom([], ["traceparent"]),
  exposed: fc.constantFrom([], ["x-request-id"]),
});

// proves promises | An origin that is not allowed receives no CORS headers; responses that depend on the origin have
//   `Vary`
Deno.test("cors: laws of every response, whatever the origin and the options", async () => {
  const isAllowed = (origin: string | null, { origins }: CorsOptions): boolean => origins === "*" || origin === app;
  await always(
    fc.asyncProperty(anyCors, anyOrigin, fc.constantFrom(...everyAnswer), async (cors, origin, [, path, asked]) => {
      const handler = mount(cors, { maxBodyBytes: 100 });
      const [answer, plain] = await Promise.all([ask(handler, path, { ...asked, origin }), ask(handler, path, asked)]);
      const { "allow-origin": allowed, ...fields } = corsFields(answer);
      const isOpen = cors.origins === "*";
      if (isAllowed(origin, cors)) assertEquals(allowed, isOpen ? "*" : origin);
      else assertEquals([allowed, fields], [undefined, {}]);
      assert(!(allowed === "*" && "allow-credentials" in fields));
      assertEquals(varyOf(answer).includes("origin"), !isOpen);
      assertEquals(withoutCors(answer), withoutCors(plain));
      assertEquals(await answer.text(), await plain.text());
    }),
  );
});

function withoutCors({ status, statusText, headers }: Response): unknown {
  return [status, statusText, [...headers].filter(([name]) => !name.startsWith("access-control-"))];
}

const fieldName = fc.stringMatching(/^[a-z][a-z\d-]{0,8}$/).filter((name) => name !== "content-type");
const names = fc.uniqueArray(fieldName, { maxLength: 4 });
const bodies = {
  none: undefined,
  json: request.json(type("string")),
  optional: request.json(type("string"), { optional: true }),
  text: request.text(),
  bytes: request.bytes({ contentType: "image/png" }),
  form: request.form(type({ a: "string" })),
  formData: request.formData(type({ a: "string" })),
};
const bodyInputs = {
  none: {},
  json: { body: "a" },
  optional: {},
  text: { body: "a" },
  bytes: { body: new Uint8Array(2) },
  form: { body: { a: "b" } },
  formData: { body: { a: "b" } },
} as const;
const methodsOf = {
  none: ["get", "delete", "post", "query"],
  any: ["post", "put", "patch", "delete", "query"],
} as const;
const anyCall = fc.record({
  body: fc.constantFrom(...Object.keys(bodies) as (keyof typeof bodies)[]),
  pick: fc.nat(),
  names,
  isOpen: fc.boolean(),
  value: fc.constantFrom("a", "a b", "x".repeat(200), '"'),
});

Deno.test("cors: a browser allows every request that a typed client creates from an input", async () => {
  await always(fc.asyncProperty(anyCors, anyCall, async (cors, { body, pick, names, isOpen, value }) => {
    const shape = Object.fromEntries(names.map((name) => [name, z.string()]));
    const headers = isOpen ? anything<Record<string, string>>() : z.object(shape);
    const choices = body === "none" ? methodsOf.none : methodsOf.any;
    const method = choices[pick % choices.length]!;
    const declare = route[method] as (path: string, options: object) => ReturnType<typeof route.get>;
    const declared = declare("/:id", {
      ...(bodies[body] && { body: bodies[body] }),
      ...(names.length > 0 && { headers }),
      responses: { 200: response.empty() },
    });
    const handler = mountRoute(declared, (() => ({ status: 200 })) as never, { cors });
    const client = createClient(defineContract({ routes: { it: declared } }), { baseUrl: "http://localhost" });
    const input = {
      params: { id: "1" },
      ...(names.length > 0 && { headers: Object.fromEntries(names.map((name) => [name, value])) }),
      ...bodyInputs[body],
    };
    const made = await (client.it as { request(input: unknown): Promise<Request> }).request(input);
    assertEquals(
      await refuseCrossOrigin(handler, { request: made.clone(), origin: app, withCredentials: false }),
      undefined,
    );
    await made.body?.cancel();
  }));
});

Deno.test("cors: a preflight allows only declared methods and headers", async () => {
  await always(
    fc.asyncProperty(anyCors, names, names, fc.boolean(), async (cors, declared, asked, isOpen) => {
      const headers = isOpen
        ? anything<Record<string, string>>()
        : z.object(Object.fromEntries(declared.map((name) => [name, z.string()])));
      const handler = mountRoute(
        route.put("/", { body: request.json(), headers: headers as never, responses: { 200: response.empty() } }),
        (() => ({ status: 200 })) as never,
        { cors },
      );
      const answer = corsFields(await preflight(handler, "/", "PUT", { names: asked.join(",") }));
      const allowed = answer["allow-headers"]!.split(", ");
      const known = new Set([...(isOpen ? asked : declared), "content-type", ...cors.headers]);
      assertEquals(answer["allow-methods"], "PUT");
      assertEquals(new Set(allowed), known);
    }),
  );
});

Deno.test("the header names of a preflight are read in any order, with or without white space, and once each", async () => {
  const contract = defineContract({
    routes: {
      it: route.delete("/", { headers: anything<Record<string, string>>(), responses: { 204: response.empty() } }),
    },
  });
  const implementation = defineServer(contract).implement({ it: ({ response }) => response(204) });
  const handler = createFetchHandler(implementation, { cors: { origins: [app] } });
  const allowed = async (names: string): Promise<string | null> => {
    const headers = {
      origin: app,
      "access-control-request-method": "DELETE",
      "access-control-request-headers": names,
    };
    const answer = await handler(new Request("https://api.example.com/", { method: "OPTIONS", headers }));
    return answer.headers.get("access-control-allow-headers");
  };
  for (const names of ["x-a,x-b", "x-a, x-b", " x-a ,\tx-b ", "X-A,x-b,x-a", "x-a,,x-b,"]) {
    assertEquals(await allowed(names), "x-a, x-b", names);
  }
  assertEquals(await allowed("x-b,x-a"), "x-b, x-a");
  assertEquals(await allowed("x-a, *, b d"), "x-a");
});

Deno.test("a preflight allows conditional requests if the 200 may have a validator: declared, in a union, or by an open schema", async () => {
  const headers: readonly (readonly [Schema<Record<string, string | undefined>>, string])[] = [
    [z.object({ etag: z.string() }), "if-none-match"],
    [z.object({ "last-modified": z.string() }), "if-modified-since"],
    [z.object({ "x-a": z.string() }), ""],
    [z.looseObject({ "x-a": z.string() }) as never, "if-none-match, if-modified-since"],
    [z.record(z.string(), z.string()), "if-none-match, if-modified-since"],
    [z.union([z.object({ etag: z.string() }), z.object({ "x-a": z.string() })]), "if-none-match, if-modified-since"],
    [v.looseObject({ "x-a": v.string() }) as never, "if-none-match, if-modified-since"],
    [type({ etag: "string" }).or({ "x-a": "string" }), "if-none-match, if-modified-since"],
  ];
  for (const [declared, expected] of headers) {
    const node = route.get("/", { responses: { 200: response.text({ headers: declared }) } });
    const handler = mountRoute(node, (() => ({ status: 200, body: "a" })) as never, {
      cors: { origins: ["https://a.example"] },
    });
    const asked = { origin: "https://a.example", "access-control-request-method": "GET" };
    const answer = await handler(new Request("http://localhost/", { method: "OPTIONS", headers: asked }));
    assertEquals(answer.headers.get("access-control-allow-headers") ?? "", expected);
  }
});
