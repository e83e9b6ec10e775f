import { createClient } from "@scope/api/client";
import { assert, assertEquals, assertFalse, assertMatch, assertNotEquals, assertStringIncludes } from "@std/assert";
import { getSetCookies } from "@std/http/cookie";
import { contract } from "../../examples/auth/contract.ts";
import { createSessions, sessionSeconds } from "../../examples/auth/sessions.ts";
import { startExample } from "../support/start_example.ts";

const token = "0123456789abcdef".repeat(4);
const app = "https://app.example.com";

/** The example on a free port; fetches from it. */
interface Served extends AsyncDisposable {
  readonly baseUrl: string;
  readonly ask: (path: string, headers?: Record<string, string>, init?: RequestInit) => Promise<Response>;
  /** Its log. */
  readonly logged: readonly string[];
}

async function serve(): Promise<Served> {
  Deno.env.set("AUTH_TOKEN", token);
  Deno.env.set("ALLOWED_ORIGINS", app);
  const { handler } = await import("../../examples/auth/server.ts");
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen(): void {} }, handler);
  const logged: string[] = [];
  const { log, error } = console;
  console.log = console.error = (line: string): void => void logged.push(line);
  const baseUrl = `http://127.0.0.1:${server.addr.port}`;
  return {
    baseUrl,
    logged,
    ask: (path, headers = {}, init = {}) => fetch(`${baseUrl}${path}`, { headers, ...init }),
    async [Symbol.asyncDispose](): Promise<void> {
      Object.assign(console, { log, error });
      await server.shutdown();
    },
  };
}

const bearer = { authorization: `Bearer ${token}` };

/** The status of a response whose body is not read. */
async function statusOf(answer: Promise<Response>): Promise<number> {
  const { status, body } = await answer;
  await body?.cancel();
  return status;
}

/** Starts a session; returns the field that carries it, and its id. */
async function startSession(ask: Served["ask"]): Promise<{ readonly cookie: string; readonly id: string }> {
  const answer = await ask("/api/session", bearer, { method: "POST" });
  assertEquals([answer.status, await answer.text()], [204, ""]);
  const [cookie] = getSetCookies(answer.headers);
  assert(cookie);
  return { cookie: `${cookie.name}=${cookie.value}`, id: cookie.value };
}

Deno.test("examples/auth responds on public routes without a credential", async () => {
  await using served = await serve();
  const answer = await served.ask("/api/health");
  assertEquals([answer.status, await answer.text()], [200, "ok"]);
  assertFalse(answer.headers.has("cache-control"));
});

const tokenChallenge = 'Bearer realm="api"';
const invalidToken = 'Bearer realm="api", error="invalid_token"';
const sessionChallenge = 'Cookie name="__Host-session"';

Deno.test("examples/auth responds 401 with challenges to a request without a valid credential", async () => {
  await using served = await serve();
  const cases: [Record<string, string>, ...challenges: string[]][] = [
    [{}, tokenChallenge, sessionChallenge],
    [{ authorization: "Basic QWRhOg==" }, tokenChallenge, sessionChallenge],
    [{ authorization: "Bearer" }, invalidToken, sessionChallenge],
    [{ authorization: "Bearer unknown" }, invalidToken, sessionChallenge],
    [{ authorization: `bearer ${token}0` }, invalidToken, sessionChallenge],
    [{ cookie: "__Host-session=unknown" }, sessionChallenge, tokenChallenge],
    [{ cookie: "__Host-session=" }, tokenChallenge, sessionChallenge],
    [{ cookie: "=;;; a" }, tokenChallenge, sessionChallenge],
  ];
  for (const [headers, ...challenges] of cases) {
    for (const path of ["/api/users/me", "/api/users/1"]) {
      const answer = await served.ask(path, headers);
      const isInvalid = challenges[0] === invalidToken || headers["cookie"]?.endsWith("=unknown");
      const code = isInvalid ? "invalid-credential" : "unauthorized";
      assertEquals([answer.status, (await answer.json()).code], [401, code]);
      assertEquals(answer.headers.get("www-authenticate"), challenges.join(", "));
      assertEquals(answer.headers.get("cache-control"), "no-store");
    }
  }
});

Deno.test("examples/auth accepts a token and passes its owner to the handler", async () => {
  await using served = await serve();
  for (const scheme of ["Bearer", "bearer"]) {
    const answer = await served.ask("/api/users/me", { authorization: `${scheme} ${token}` });
    assertEquals([answer.status, await answer.json()], [200, { id: "1", name: "Ada Lovelace" }]);
    assertEquals(answer.headers.get("cache-control"), "no-store");
  }
  assertEquals(await statusOf(served.ask("/api/users/nobody", bearer)), 404);
});

Deno.test("examples/auth keeps responses of secured routes out of caches, including errors", async () => {
  await using served = await serve();
  const rename = { method: "PATCH", body: "{" };
  const asked: [status: number, path: string, headers?: Record<string, string>, init?: RequestInit][] = [
    [401, "/api/users/me"],
    [400, "/api/users/me", { ...bearer, "content-type": "application/json" }, rename],
    [415, "/api/users/me", bearer, rename],
    [404, "/api/users/9", bearer],
  ];
  for (const [status, path, headers, init] of asked) {
    const answer = await served.ask(path, headers, init);
    await answer.body?.cancel();
    assertEquals([answer.status, answer.headers.get("cache-control")], [status, "no-store"], path);
  }
});

Deno.test("examples/auth returns the declared 401 and 200 to a typed client", async () => {
  await using served = await serve();
  const { baseUrl } = served;
  const refused = await createClient(contract, { baseUrl }).users.me();
  assertEquals(refused.status === 401 && refused.headers["www-authenticate"], `${tokenChallenge}, ${sessionChallenge}`);
  const client = createClient(contract, { baseUrl, credentials: { token } });
  const found = await client.users.byId({ params: { id: "2" } });
  assertEquals(found.status === 200 && found.body.name, "Grace Hopper");
});

Deno.test("examples/auth starts and ends a session with a cookie that scripts cannot read", async () => {
  await using served = await serve();
  const answer = await served.ask("/api/session", bearer, { method: "POST" });
  const set = answer.headers.get("set-cookie") ?? "";
  assertMatch(
    set,
    /^__Host-session=[0-9a-f]{64}; Secure; HttpOnly; Max-Age=28800; SameSite=Lax; Path=\/$/,
  );
  const { cookie, id } = await startSession(served.ask);
  assertNotEquals(id, getSetCookies(answer.headers)[0]?.value); // a new one each time
  const me = await served.ask("/api/users/me", { cookie: `theme=dark; ${cookie}` });
  assertEquals([me.status, await me.json()], [200, { id: "1", name: "Ada Lovelace" }]);

  const again = await served.ask("/api/session", { cookie, origin: app }, { method: "POST" });
  const [renewed] = getSetCookies(again.headers);
  assert(renewed);
  assertEquals(await statusOf(served.ask("/api/users/me", { cookie })), 401); // a new one ends the one before
  const shown = `${renewed.name}=${renewed.value}`;
  const ended = await served.ask("/api/session", { cookie: shown, origin: app }, { method: "DELETE" });
  assertEquals([ended.status, await ended.text()], [204, ""]);
  const [removed] = getSetCookies(ended.headers);
  assertEquals([removed?.name, removed?.value, removed?.expires], ["__Host-session", "", new Date(0)]);
  assertEquals(await statusOf(served.ask("/api/users/me", { cookie: shown })), 401);
});

Deno.test("examples/auth prefers a token to a cookie, and refuses an invalid token despite a valid cookie", async () => {
  await using served = await serve();
  const { cookie } = await startSession(served.ask);
  assertEquals(await statusOf(served.ask("/api/users/me", { ...bearer, cookie: "__Host-session=unknown" })), 200);
  assertEquals(await statusOf(served.ask("/api/users/me", { authorization: "Bearer unknown", cookie })), 401);
});

Deno.test("examples/auth refuses changes by the cookie from pages of other sites", async () => {
  await using served = await serve();
  const { cookie } = await startSession(served.ask);
  const rename = (headers: Record<string, string>): Promise<number> =>
    statusOf(
      served.ask("/api/users/me", { "content-type": "application/json", ...headers }, {
        method: "PATCH",
        body: JSON.stringify({ name: "Ada Lovelace" }),
      }),
    );
  assertEquals(await rename({ cookie, origin: "https://evil.example.com", "sec-fetch-site": "cross-site" }), 403);
  assertEquals(await rename({ cookie, origin: "null" }), 403);
  assertEquals(await rename({ cookie }), 200); // no browser: a page's request says where it is from
  assertEquals(await rename({ cookie, origin: `${app}.evil.example.com` }), 403);
  assertEquals(await rename({ cookie, origin: app, "sec-fetch-site": "same-site" }), 200);
  assertEquals(await rename({ cookie, origin: served.baseUrl, "sec-fetch-site": "same-origin" }), 200);
  assertEquals(await rename({ ...bearer }), 200); // no page can make a browser send a token
  assertEquals(await statusOf(served.ask("/api/users/me", { cookie, origin: "https://evil.example.com" })), 200);
});

Deno.test("examples/auth adds an id to every response and logs it", async () => {
  await using served = await serve();
  const idOf = async (path: string, headers: Record<string, string> = {}): Promise<string> => {
    const answer = await served.ask(path, headers);
    await answer.body?.cancel();
    return answer.headers.get("x-request-id") ?? "";
  };
  const uuid = /^[0-9a-f-]{36}$/;
  for (const path of ["/api/health", "/api/users/me", "/nowhere"]) assertMatch(await idOf(path), uuid);
  assertEquals(await idOf("/api/users/me?q=secret", { "x-request-id": "from-proxy_1" }), "from-proxy_1");
  assertMatch(await idOf("/api/health", { "x-request-id": 'forged", "admin' }), uuid);
  assertMatch(await idOf("/api/health", { "x-request-id": "x".repeat(65) }), uuid);
  const lines = served.logged.map((line) => JSON.parse(line));
  const line = lines.find(({ requestId }) => requestId === "from-proxy_1");
  assertEquals(line, { requestId: "from-proxy_1", method: "GET", route: "/api/users/me", status: 401 });
  const { milliseconds, ...answered } = lines.find(({ status }) => status === 200);
  assertEquals(answered, { ...answered, method: "GET", route: "/api/health" });
  assert(Number.isInteger(milliseconds));
});

Deno.test("examples/auth does not log secrets", async () => {
  await using served = await serve();
  const { cookie, id } = await startSession(served.ask);
  await statusOf(served.ask("/api/users/me?token=in-query", { cookie }));
  await statusOf(served.ask("/api/users/me", { authorization: "Bearer wrong-token" }));
  const log = served.logged.join("\n");
  assertEquals(served.logged.length, 3);
  for (const secret of [token, id, "wrong-token", "in-query"]) assertFalse(log.includes(secret));
});

Deno.test("examples/auth responds to preflights before its router", async () => {
  await using served = await serve();
  const preflight = (origin: string, path = "/api/users/me"): Promise<Response> =>
    served.ask(path, { origin, "access-control-request-method": "PATCH" }, { method: "OPTIONS" });
  const allowed = await preflight(app);
  assertEquals([allowed.status, await allowed.text()], [204, ""]);
  assertEquals(Object.fromEntries([...allowed.headers].filter(([name]) => /^(access|vary)/.test(name))), {
    "access-control-allow-origin": app,
    "access-control-allow-credentials": "true",
    "access-control-allow-methods": "GET, HEAD, PATCH",
    "access-control-allow-headers": "content-type, authorization, x-request-id",
    "access-control-max-age": "7200",
    vary: "origin, access-control-request-method, access-control-request-headers",
  });
  const unknown = await preflight(app, "/nowhere");
  assertEquals([unknown.status, (await unknown.json()).code], [404, "not-found"]);
  assertEquals(unknown.headers.get("access-control-allow-origin"), app);
  for (const origin of ["https://evil.example.com", "null", `${app}.evil.example.com`, "https://APP.example.com"]) {
    const refused = await preflight(origin);
    assertEquals(refused.status, 204);
    assertFalse(refused.headers.has("access-control-allow-origin"));
    assertFalse(refused.headers.has("access-control-allow-credentials"));
  }
  const plain = await served.ask("/api/users/me", {}, { method: "OPTIONS" });
  assertEquals([plain.status, (await plain.json()).code], [405, "method-not-allowed"]);
});

Deno.test("examples/auth lets pages of allowed origins read every response, even errors", async () => {
  await using served = await serve();
  for (const [path, status] of [["/api/health", 200], ["/api/users/me", 401], ["/nowhere", 404]] as const) {
    const allowed = await served.ask(path, { origin: app });
    await allowed.body?.cancel();
    assertEquals(allowed.status, status);
    assertEquals(allowed.headers.get("access-control-allow-origin"), app);
    assertEquals(allowed.headers.get("access-control-expose-headers")?.split(", ").includes("x-request-id"), true);
    for (const headers of [{ origin: "https://evil.example.com" }, {}]) {
      const other = await served.ask(path, headers);
      await other.body?.cancel();
      assertStringIncludes(other.headers.get("vary") ?? "", "origin"); // Deno adds Accept-Encoding
      assertFalse(other.headers.has("access-control-allow-origin"));
    }
  }
});

Deno.test("examples/auth/sessions.ts forgets an expired session", async () => {
  let now = 0;
  const sessions = createSessions(() => now);
  const id = await sessions.start("1");
  now = sessionSeconds * 1000 - 1;
  assertEquals(await sessions.find(id), "1");
  now++;
  assertEquals(await sessions.find(id), undefined);
  const next = await sessions.start("2");
  assertEquals([await sessions.find(id), await sessions.find(next)], [undefined, "2"]);
});

/** The part of OTLP in JSON that the collector reads. */
interface Traces {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
}

interface Span {
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
}

/** Passes on each span that is sent to a collector of OpenTelemetry's own protocol. */
function collectSpans(take: (span: Span) => void): Deno.HttpServer<Deno.NetAddr> {
  return Deno.serve({ hostname: "127.0.0.1", port: 0, onListen(): void {} }, async (request) => {
    const sent = await request.json();
    if (new URL(request.url).pathname === "/v1/traces") {
      for (const { scopeSpans } of (sent as Traces).resourceSpans) {
        scopeSpans.flatMap(({ spans }) => spans).forEach(take);
      }
    }
    return Response.json({});
  });
}

/** The result of a promise; rejects if it takes longer than this many milliseconds. */
async function within<Value>(milliseconds: number, promise: Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`Not there after ${milliseconds} ms`)), milliseconds);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

Deno.test("deno task auth serves, and names Deno's spans by the route", async () => {
  const { promise, resolve } = Promise.withResolvers<Span>();
  const isOfUsers = ({ kind, attributes }: Span): boolean =>
    kind === 2 && attributes.some(({ key, value }) => key === "url.path" && value.stringValue === "/api/users/2");
  await using collector = collectSpans((span) => isOfUsers(span) && resolve(span));
  await using example = await startExample("auth", {
    AUTH_TOKEN: token,
    OTEL_DENO: "true",
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.addr.port}`,
    OTEL_BSP_SCHEDULE_DELAY: "10",
    OTEL_METRICS_EXPORTER: "none",
  }, "/api/session\n");
  const answer = await fetch(`${example.baseUrl}/api/users/2`, { headers: bearer });
  assertEquals(await answer.json(), { id: "2", name: "Grace Hopper" });
  const { name, attributes } = await within(10_000, promise);
  assertEquals(name, "GET /api/users/:id");
  assertEquals(attributes.find(({ key }) => key === "http.route")?.value, { stringValue: "/api/users/:id" });
  assertFalse(example.printed().includes(token));
});
