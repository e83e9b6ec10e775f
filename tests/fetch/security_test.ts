/**
 * Security on the wire: which callers are accepted, how others are refused, and the headers of every response of a
 * secured route.
 */
import { defineContract, request, response, route, security } from "@scope/api";
import { createFetchHandler, type ErrorReport, type FetchHandler, type FetchOptions } from "@scope/api/fetch";
import { type Awaitable, defineServer, verify } from "@scope/api/server";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type } from "arktype";
import { assertProblem, listen } from "../support/mount_route.ts";
import { settle, watch } from "../support/producers.ts";

const token = security.bearer("token", { scopes: ["notes:read", "notes:write"] });
const basic = security.basic("basic");
const session = security.cookie("session", { cookie: "__Host-session" });
const partner = security.apiKey("partner", { header: "x-api-key" });
const tls = security.custom("tls", { challenge: "Mutual", openapi: { type: "mutualTLS" }, ambient: true });
const described = security.bearer("described", {
  scheme: "Token",
  realm: 'a "realm"',
  metadata: "https://api.example.com/.well-known/oauth-protected-resource",
  scopes: ["x", "y"],
});
const signed = security.custom("signed", { challenge: 'Signature key="a"', openapi: { type: "http" } });

const text = { 200: response.text() };
const posted = { responses: { 204: response.empty() } };

const contract = defineContract({
  responses: { 429: response.problem(), 503: response.ndjson(type("string")) },
  routes: {
    open: route.get("/open", { security: [], responses: text }),
    read: route.get("/read", { security: [token.scoped("notes:read")], responses: text }),
    write: route.post("/write", {
      security: [token.scoped("notes:read", "notes:write"), session, basic, partner],
      body: request.text(),
      ...posted,
    }),
    basic: route.post("/basic", { security: [basic], ...posted }),
    partner: route.post("/partner", { security: [partner], ...posted }),
    session: route.get("/session", { security: [session, token], responses: text }),
    optional: route.get("/optional", { security: [session, token, security.none], responses: text }),
    optionalPost: route.post("/optional", { security: [session, security.none], ...posted }),
    tls: route.post("/tls", { security: [tls, token], ...posted }),
    signed: route.get("/signed", { security: [signed, partner, security.none], responses: text }),
    upgrade: route.get("/upgrade", { security: [session], responses: { 101: response.raw(), ...text } }),
    native: route.get("/native", { security: [token], responses: { 200: response.raw() } }),
    lines: route.get("/lines", { security: [token], responses: { 200: response.ndjson(type("number")) } }),
    cached: route.get("/cached", {
      security: [token, session],
      responses: { 200: response.text({ headers: type({ "cache-control": "string", "vary?": "string" }) }) },
    }),
    described: route.get("/described", { security: [described.scoped("y")], responses: text }),
    stated: route.get("/stated/:directives", { security: [session, security.none], responses: text }),
    fails: route.get("/fails", { security: [token], responses: text }),
    search: route.query("/search", { security: [session], body: request.text(), ...posted }),
    json: route.post("/json", { security: [token], body: request.json(type({ a: "string" })), ...posted }),
  },
});

/** The value that a verifier returns or throws for a credential, of any type. */
interface Directory {
  readonly [credential: string]: (response: Build) => unknown;
}

/** The function `response` of a verifier, without its types. */
type Build = (status: number, body?: unknown, headers?: Readonly<Record<string, string>>) => object;

/** The callers that the verifiers return. */
interface Member {
  readonly id?: string;
  readonly scopes: readonly string[];
}

const known: Directory = {
  "reader": () => ({ id: "reader", scopes: ["notes:read"] }),
  "writer": () => ({ id: "writer", scopes: ["notes:write", "notes:read", "more"] }),
};

/** The observations of a test. */
interface Mounted {
  readonly ask: (path: string, init?: RequestInit) => Promise<Response>;
  readonly handler: FetchHandler;
  /** The verifiers that were called. */
  readonly asked: string[];
  /** The handlers that ran. */
  readonly ran: string[];
  readonly heard: ErrorReport[];
}

const base = "https://api.example.com";

function mount(directory: Directory = known, options: FetchOptions = {}): Mounted {
  const asked: string[] = [];
  const ran: string[] = [];
  const { heard, onError } = listen();
  const find = (name: string, credential: string | null, input: object): Awaitable<Member | undefined> => {
    asked.push(name);
    return directory[credential ?? "none"]?.((input as { readonly response: Build }).response) as Awaitable<
      Member | undefined
    >;
  };
  const server = defineServer(contract, {
    security: [
      verify(token, (input) => find("token", input.token, input)),
      verify(described, (input) => find("described", input.token, input)),
      verify(basic, (input) => find("basic", `${input.username}/${input.password}`, input)),
      verify(session, (input) => find("session", input.value, input)),
      verify(partner, (input) => find("partner", input.key, input)),
      verify(tls, (input) => find("tls", input.request.headers.get("x-certificate"), input)),
      verify(signed, (input) => find("signed", input.request.headers.get("x-signature"), input)),
    ],
  }).use(({ route, next }) => {
    ran.push(route.key);
    return next();
  });
  const name = (caller: Member | undefined): string => caller === undefined ? "nobody" : caller.id ?? "a caller";
  const implementation = server.implement({
    open: ({ response }) => response(200, "anyone"),
    read: ({ caller, response }) => response(200, name(caller)),
    write: ({ response }) => response(204),
    basic: ({ response }) => response(204),
    partner: ({ response }) => response(204),
    session: ({ caller, response }) => response(200, name(caller)),
    optional: ({ caller, response }) => response(200, name(caller)),
    optionalPost: ({ response }) => response(204),
    tls: ({ response }) => response(204),
    signed: ({ caller, response }) => response(200, name(caller)),
    upgrade: ({ response }) => response(101, upgraded),
    native: async ({ response }) => response(200, await fetch("data:application/x-one;base64,b25l")),
    lines: ({ response }) => response(200, [1, 2]),
    cached: ({ response }) => response(200, "a", { "cache-control": "private, no-cache", vary: "Accept" }),
    described: ({ caller, response }) => response(200, name(caller)),
    stated: ({ params, response }) => response(200, "a", { "cache-control": params.directives }),
    fails: () => {
      throw new Error("secret");
    },
    search: ({ response }) => response(204),
    json: ({ response }) => response(204),
  });
  const handler = createFetchHandler(implementation, { onError, ...options });
  const ask = async (path: string, init?: RequestInit): Promise<Response> =>
    await handler(new Request(`${base}${path}`, init));
  return { ask, handler, asked, ran, heard };
}

/** An object in place of a response of 101, which no platform's constructor creates. */
const upgraded = Object.create(Response.prototype, {
  status: { value: 101 },
  headers: { value: new Headers() },
  bodyUsed: { value: false },
}) as Response;

const bearer = (value: string) => ({ authorization: `Bearer ${value}` });
const cookie = (value: string) => ({ cookie: `__Host-session=${value}` });

/** The fields of a refusal. */
function fieldsOf({ status, headers }: Response): readonly (number | string | null)[] {
  return [status, headers.get("www-authenticate"), headers.get("cache-control"), headers.get("vary")];
}

const challengesOfWrite = (error = "") =>
  [
    `Bearer realm="api", scope="notes:read notes:write"${error}`,
    'Cookie name="__Host-session"',
    'Basic realm="api", charset="UTF-8"',
    'ApiKey in="header", name="x-api-key"',
  ].join(", ");

Deno.test("security refuses a request without a credential of the route, with a challenge for each scheme", async () => {
  const { ask, asked, ran } = mount();
  for (const headers of [{}, { authorization: "Digest a" }, { cookie: "other=1" }, { "x-api-key": "" }]) {
    const answer = await ask("/write", { method: "POST", headers, body: "b" });
    assertEquals(fieldsOf(answer), [401, challengesOfWrite(), "no-store", null]);
    await assertProblem(answer, 401, "Unauthorized", "unauthorized");
  }
  const other = await ask("/read", { headers: { ...cookie("reader"), "x-api-key": "reader" } });
  assertEquals(fieldsOf(other), [401, 'Bearer realm="api", scope="notes:read"', "no-store", null]);
  await other.body?.cancel();
  assertEquals([asked, ran], [[], []]);
});

Deno.test("security refuses a malformed credential like an invalid one, without running a verifier", async () => {
  const { ask, asked } = mount();
  const invalid = challengesOfWrite(', error="invalid_token"');
  for (
    const [headers, challenge] of [
      [{ authorization: "Bearer a, Bearer b" }, invalid],
      [{ authorization: "Bearer " }, invalid],
      [{ authorization: "Bearer a b" }, invalid],
      [{ authorization: "Basic ?" }, undefined],
      [{ authorization: `Basic ${btoa("no colon")}` }, undefined],
      [{ cookie: "__Host-session=a; __Host-session=b" }, undefined],
      [{ cookie: "__Host-session=a b" }, undefined],
    ] as const
  ) {
    const answer = await ask("/write", { method: "POST", headers, body: "b" });
    assertEquals([answer.status, answer.headers.get("cache-control")], [401, "no-store"]);
    if (challenge) assertEquals(answer.headers.get("www-authenticate"), challenge);
    else assert(!answer.headers.get("www-authenticate")!.includes("error"));
    await assertProblem(answer, 401, "Unauthorized", "invalid-credential");
  }
  assertEquals(asked, []);
});

Deno.test("a public route does not verify credentials", async () => {
  const { ask, asked, ran } = mount();
  for (const authorization of ["Bearer reader", "Bearer a b", "Basic ?"]) {
    const answer = await ask("/open", { headers: { authorization, ...cookie("reader"), "x-api-key": "reader" } });
    assertEquals([answer.status, await answer.text()], [200, "anyone"]);
    assertEquals([answer.headers.get("cache-control"), answer.headers.get("vary")], [null, null]);
  }
  assertEquals([asked, ran], [[], ["open", "open", "open"]]);
});

Deno.test("an unauthorized caller may learn which paths and methods exist", async () => {
  const { ask, asked } = mount();
  await assertProblem(await ask("/nowhere"), 404, "Not Found", "not-found");
  const answer = await ask("/read", { method: "DELETE" });
  assertEquals([answer.headers.get("allow"), answer.headers.get("vary")], ["GET", null]);
  await assertProblem(answer, 405, "Method Not Allowed", "method-not-allowed");
  assertEquals(asked, []);
});

Deno.test("a verifier refuses by returning null, undefined or nothing", async () => {
  const { ask, ran } = mount({
    null: () => null,
    undefined: () => undefined,
    nothing: () => {},
    later: async () => {},
  });
  for (const credential of ["null", "undefined", "nothing", "later"]) {
    const answer = await ask("/session", { headers: bearer(credential) });
    await assertProblem(answer, 401, "Unauthorized", "invalid-credential");
  }
  assertEquals(ran, []);
});

Deno.test("security puts the challenge of the refused scheme before the others", async () => {
  const { ask, asked } = mount();
  const answer = await ask("/session", { headers: bearer("unknown") });
  assertEquals(fieldsOf(answer), [
    401,
    'Bearer realm="api", error="invalid_token", Cookie name="__Host-session"',
    "no-store",
    null,
  ]);
  await assertProblem(answer, 401, "Unauthorized", "invalid-credential");
  assertEquals(asked, ["token"]);
});

Deno.test("security uses only the first scheme of the list whose credential is present", async () => {
  const { ask, asked } = mount();
  const good = await ask("/session", { headers: { ...cookie("reader"), ...bearer("unknown") } });
  assertEquals([good.status, await good.text(), asked], [200, "reader", ["session"]]);
  const bad = await ask("/session", { headers: { ...cookie("unknown"), ...bearer("reader") } });
  assertEquals([bad.status, (await bad.json()).code, asked], [401, "invalid-credential", ["session", "session"]]);
});

// proves http | A token without the required scopes is 403 `insufficient_scope` | RFC 6750, 3.1
Deno.test("security responds 403 to missing scopes, with a challenge only for bearer", async () => {
  const { ask, ran } = mount();
  const answer = await ask("/write", { method: "POST", headers: bearer("reader"), body: "b" });
  const challenge = 'Bearer error="insufficient_scope", scope="notes:read notes:write"';
  assertEquals(fieldsOf(answer), [403, challenge, "no-store", null]);
  await assertProblem(answer, 403, "Forbidden", "forbidden");
  assertEquals((await ask("/write", { method: "POST", headers: bearer("writer"), body: "b" })).status, 204);
  assertEquals(ran, ["write"]);
});

Deno.test("a challenge has the scheme, realm, scopes and metadata that are declared", async () => {
  const { ask } = mount();
  const metadata = 'resource_metadata="https://api.example.com/.well-known/oauth-protected-resource"';
  const challenge = async (headers: HeadersInit): Promise<string | null> => {
    const answer = await ask("/described", { headers });
    await answer.body?.cancel();
    return answer.headers.get("www-authenticate");
  };
  assertEquals(await challenge({}), `Token realm="a \\"realm\\"", scope="y", ${metadata}`);
  assertEquals(await challenge(bearer("reader")), `Token realm="a \\"realm\\"", scope="y", ${metadata}`);
  assertEquals(
    await challenge({ authorization: "token unknown" }),
    `Token realm="a \\"realm\\"", scope="y", error="invalid_token", ${metadata}`,
  );
  assertEquals(
    await challenge({ authorization: "Token reader" }),
    `Token error="insufficient_scope", scope="y", ${metadata}`,
  );
});

Deno.test("a response with its own no-store does not vary", async () => {
  const { ask } = mount();
  const vary = async (directives: string): Promise<string | null> => {
    const answer = await ask(`/stated/${encodeURIComponent(directives)}`);
    await answer.body?.cancel();
    return answer.headers.get("vary");
  };
  for (const directives of ["no-store", "private, no-store", "No-Store , private", "a=1,no-store,b"]) {
    assertEquals(await vary(directives), null, directives);
  }
  for (const directives of ["private", "x-no-store", "no-store-ever", "public, max-age=60"]) {
    assertEquals(await vary(directives), "cookie", directives);
  }
});

Deno.test("HEAD has the security fields of GET", async () => {
  const { ask } = mount();
  for (const headers of [{}, bearer("unknown"), bearer("reader"), { authorization: "Bearer a b" }]) {
    const get = await ask("/read", { headers });
    const head = await ask("/read", { method: "HEAD", headers });
    const length = String((await get.arrayBuffer()).byteLength);
    assertEquals(head.body, null);
    assertEquals(fieldsOf(head), fieldsOf(get));
    assertEquals(head.headers.get("content-length"), length);
  }
});

Deno.test("security keeps responses to callers out of caches, unless their result sets cache-control", async () => {
  const { ask } = mount();
  for (const path of ["/read", "/native", "/lines", "/fails"]) {
    for (const method of ["GET", "HEAD"]) {
      const answer = await ask(path, { method, headers: bearer("reader") });
      await answer.body?.cancel();
      assertEquals([answer.headers.get("cache-control"), answer.headers.get("vary")], ["no-store", null], path);
    }
  }
  const refused = await ask("/json", { method: "POST", headers: bearer("reader"), body: "{" });
  assertEquals([refused.status, refused.headers.get("cache-control")], [415, "no-store"]);
  await refused.body?.cancel();
  const cached = await ask("/cached", { headers: bearer("reader") });
  assertEquals(cached.headers.get("cache-control"), "private, no-cache");
  assertEquals(cached.headers.get("vary"), "Accept, authorization, cookie");
  await cached.body?.cancel();
});

Deno.test("security sends the content and type of a native response with immutable fields", async () => {
  const answer = await mount().ask("/native", { headers: bearer("reader") });
  assertEquals([answer.status, answer.headers.get("content-type"), await answer.text()], [
    200,
    "application/x-one",
    "one",
  ]);
});

Deno.test("security sends a 101 unchanged", async () => {
  const { ask } = mount();
  const answer = await ask("/upgrade", { headers: { ...cookie("reader"), origin: base } });
  assert(answer === upgraded);
  assertEquals([...answer.headers], []);
});

Deno.test("a route with optional security accepts a missing credential or an expired cookie, but not an invalid header", async () => {
  const { ask, asked } = mount();
  for (const headers of [{}, cookie("expired"), { cookie: "__Host-session=a; __Host-session=b" }]) {
    const answer = await ask("/optional", { headers });
    assertEquals([answer.status, await answer.text()], [200, "nobody"]);
    assertEquals([answer.headers.get("cache-control"), answer.headers.get("vary")], [null, "cookie, authorization"]);
  }
  const wrong = await ask("/optional", { headers: bearer("unknown") });
  assertEquals(fieldsOf(wrong), [
    401,
    'Bearer realm="api", error="invalid_token", Cookie name="__Host-session"',
    "no-store",
    null,
  ]);
  await wrong.body?.cancel();
  const right = await ask("/optional", { headers: bearer("reader") });
  assertEquals([await right.text(), right.headers.get("cache-control")], ["reader", "no-store"]);
  assertEquals(asked, ["session", "token", "token"]);
});

Deno.test("a custom scheme runs last, whatever its place in the list", async () => {
  const { ask, asked } = mount({ ...known, certified: () => ({ id: "certified" }) });
  const post = (headers: HeadersInit) => ask("/tls", { method: "POST", headers });
  assertEquals((await post(bearer("reader"))).status, 204);
  assertEquals((await post({ "x-certificate": "certified" })).status, 204);
  assertEquals((await post({ ...bearer("unknown"), "x-certificate": "certified" })).status, 401);
  assertEquals(asked, ["token", "tls", "token"]);
  const refused = await post({});
  assertEquals(fieldsOf(refused), [
    401,
    'Mutual, Bearer realm="api"',
    "no-store",
    null,
  ]);
});

Deno.test("a custom scheme that refuses next to security.none accepts the request without a caller", async () => {
  const { ask, asked } = mount({ ...known, good: () => ({ id: "signer" }) });
  assertEquals(await (await ask("/signed")).text(), "nobody");
  assertEquals(await (await ask("/signed", { headers: { "x-signature": "good" } })).text(), "signer");
  const wrong = await ask("/signed", { headers: { "x-api-key": "unknown", "x-signature": "good" } });
  assertEquals([wrong.status, asked], [401, ["signed", "signed", "partner"]]);
  const anyone = await ask("/signed");
  assertEquals([anyone.headers.get("cache-control"), anyone.headers.get("vary")], [null, "x-api-key"]);
});

Deno.test("a verifier that throws is a 500 that is reported once, and no other verifier runs", async () => {
  const failure = new Error("secret");
  for (
    const fail of [
      () => {
        throw failure;
      },
      () => Promise.reject(failure),
    ]
  ) {
    const { ask, heard, asked, ran } = mount({ broken: fail });
    const answer = await ask("/session", { headers: { ...cookie("broken"), ...bearer("reader") } });
    assertEquals(fieldsOf(answer), [500, null, "no-store", null]);
    await assertProblem(answer, 500, "Internal Server Error", "internal-error");
    assertEquals(heard.map(({ error, phase, route }) => [error, phase, route?.key]), [[
      failure,
      "security",
      "session",
    ]]);
    assertEquals([asked, ran], [["session"], []]);
  }
});

Deno.test("a verifier that returns an invalid caller is a 500", async () => {
  for (
    const [returned, said] of [
      [false, "false"],
      [true, "true"],
      ["", "a string"],
      ["reader", "a string"],
      [0, "0"],
      [1n, "1"],
      [() => ({}), "a function"],
      [[], "an array"],
      [new Error("invalid"), "an Error"],
      [new Response(null, { status: 401 }), "a native Response"],
      [{ status: 429, body: undefined, headers: undefined }, "a result; throw it"],
      [{ status: 401, body: { detail: "no" } }, "a result; throw it"],
    ] as const
  ) {
    for (const now of [true, false]) {
      const { ask, heard, ran } = mount({ odd: () => now ? returned : Promise.resolve(returned) });
      const answer = await ask("/session", { headers: cookie("odd") });
      assertEquals([answer.status, answer.headers.get("cache-control")], [500, "no-store"], said);
      await assertProblem(answer, 500, "Internal Server Error", "internal-error");
      assertEquals([heard.length, heard[0]?.phase, ran], [1, "security", []], said);
      assertStringIncludes(
        String(heard[0]?.error),
        `verify(): the verifier of "session" must return a caller, or undefined for an invalid credential, got ${said}`,
      );
    }
  }
});

Deno.test("a caller may have a property status", async () => {
  for (const caller of [{ id: "a", status: 1 }, { status: 2, name: "b" }, { status: 3 }]) {
    const { ask } = mount({ member: () => caller });
    const answer = await ask("/session", { headers: cookie("member") });
    assertEquals(answer.status, 200);
    await answer.body?.cancel();
  }
});

Deno.test("an answer that is an object although it means no does not let the caller in", async () => {
  const answers = [{ status: 401 }, new Boolean(false), new Number(0), new String(""), new Map(), new Set()];
  for (const returned of answers) {
    const { ask, ran } = mount({ odd: () => returned });
    const answer = await ask("/session", { headers: cookie("odd") });
    await assertProblem(answer, 500, "Internal Server Error", "internal-error");
    assertEquals(ran, []);
  }
});

Deno.test("the message about a caller without scopes says that they are missing", async () => {
  const { ask, heard } = mount({ odd: () => ({}) });
  await (await ask("/read", { headers: bearer("odd") })).body?.cancel();
  assertStringIncludes(String(heard[0]?.error), 'got a caller in which "scopes" is missing');
});

Deno.test("a caller without scopes is a 500 if the scheme has scopes", async () => {
  for (const caller of [{}, { scopes: undefined }, { scopes: "notes:read" }, { scopes: new Set(["notes:read"]) }]) {
    const { ask, heard, ran } = mount({ odd: () => caller });
    for (const path of ["/read", "/session"]) {
      const answer = await ask(path, { headers: bearer("odd") });
      await assertProblem(answer, 500, "Internal Server Error", "internal-error");
    }
    assertEquals([heard.map(({ phase }) => phase), ran], [["security", "security"], []]);
    assertStringIncludes(
      String(heard[0]?.error),
      `verify(): the verifier of "token" must return a caller with an array of "scopes", got `,
    );
  }
});

Deno.test("a result that a verifier throws is the response", async () => {
  for (const later of [true, false]) {
    const { ask, heard, ran } = mount({
      limited: (response) => {
        const limited = response(429, { detail: "slow down" }, { "retry-after": "1" });
        if (later) return Promise.reject(limited);
        throw limited;
      },
    });
    const answer = await ask("/read", { headers: bearer("limited") });
    assertEquals([answer.status, answer.headers.get("retry-after"), answer.headers.get("cache-control")], [
      429,
      "1",
      "no-store",
    ]);
    assertEquals((await answer.json()).detail, "slow down");
    const head = await ask("/read", { method: "HEAD", headers: bearer("limited") });
    assertEquals([head.status, head.body, heard, ran], [429, null, [], []]);
  }
});

// proves promises | Only results that `response()` built are sent if a verifier or a guard throws them
Deno.test("only results that response() built are responses if a verifier throws them", async () => {
  for (const thrown of [{ status: 429 }, { status: 200, body: "everything" }, { status: 418 }]) {
    const { ask, heard } = mount({
      odd: () => {
        throw thrown;
      },
    });
    const answer = await ask("/read", { headers: bearer("odd") });
    await assertProblem(answer, 500, "Internal Server Error", "internal-error");
    assertEquals(heard.map(({ phase, error }) => [phase, error]), [["security", thrown]]);
  }
});

Deno.test("an undeclared result of a verifier is a 500, phase encode", async () => {
  const { ask, heard } = mount({
    odd: (response) => {
      throw response(418);
    },
  });
  await assertProblem(
    await ask("/read", { headers: bearer("odd") }),
    500,
    "Internal Server Error",
    "internal-error",
  );
  assertEquals(heard.map(({ phase }) => phase), ["encode"]);
});

Deno.test("a hostile value that a verifier throws or returns is a 500", async () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const hostile: Directory = {
    thrown: () => {
      throw proxy;
    },
    returned: () => proxy,
    getter: () => ({
      get scopes(): never {
        throw new Error("secret");
      },
    }),
  };
  const { ask, heard } = mount(hostile);
  for (const credential of Object.keys(hostile)) {
    const answer = await ask("/read", { headers: bearer(credential) });
    await assertProblem(answer, 500, "Internal Server Error", "internal-error");
  }
  assertEquals(heard.map(({ phase }) => phase), ["security", "security", "security"]);
});

Deno.test("security does not read the body: if a verifier reads it, the response is 500", async () => {
  const readers: readonly ((request: Request) => Awaitable<unknown>)[] = [
    (request) => request.text(),
    (request) => request.body!.getReader(),
    async (request) => {
      const reader = request.body!.getReader();
      await reader.read();
      reader.releaseLock();
    },
    (request) => request.body!.cancel(),
  ];
  const declared = {
    text: request.text(),
    json: request.json<unknown>(),
    bytes: request.bytes(),
    stream: request.stream(),
    limited: request.text({ maxBytes: 100 }),
    optional: request.text({ optional: true }),
  };
  for (const [kind, body] of Object.entries(declared)) {
    for (const preserveRequestBody of [false, true]) {
      for (const [index, read] of readers.entries()) {
        let ran = false;
        const phases: string[] = [];
        const contract = defineContract({
          security: [token],
          routes: { it: route.post("/", { body, responses: { 200: response.text() } }) },
        });
        const server = defineServer(contract, {
          security: [verify(token, async ({ request }) => {
            await read(request);
            return { scopes: [] };
          })],
        });
        const handler = createFetchHandler(
          server.implement({
            it: async ({ body, response }) => {
              if (body instanceof ReadableStream) await body.pipeTo(new WritableStream()); // fails if it is locked
              ran = true;
              return response(200, "");
            },
          }),
          { preserveRequestBody, onError: ({ phase }) => void phases.push(phase) },
        );
        const contentType = { json: "application/json", bytes: "application/octet-stream" }[kind] ??
          (kind === "stream" ? "application/octet-stream" : "text/plain");
        const bytes = new TextEncoder().encode('"some text"');
        const chunks = new ReadableStream({
          start(controller): void {
            for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
            controller.close();
          },
        });
        const headers = { ...bearer("a"), "content-type": contentType };
        const answer = await handler(new Request(base, { method: "POST", headers, body: chunks }));
        const where = `${kind} ${index} ${preserveRequestBody}`;
        assertEquals([answer.status, ran, phases], [500, false, ["decode"]], where);
        assertEquals((await answer.json()).code, "internal-error", where);
      }
    }
  }
});

Deno.test("a client that disconnects while a verifier runs is neither served nor reported", async () => {
  for (const end of ["resolves", "rejects", "throws a result"] as const) {
    const client = new AbortController();
    const rows = watch(["a"]);
    const { handler, heard, ran } = mount({
      slow: async (response) => {
        client.abort();
        await settle();
        if (end === "rejects") throw new Error("late");
        if (end === "throws a result") throw response(429, rows.source);
        return { scopes: ["notes:read"] };
      },
    });
    const answer = await handler(new Request(`${base}/read`, { headers: bearer("slow"), signal: client.signal }));
    assertEquals([answer.status, answer.body, heard, ran], [499, null, [], []], end);
    if (end === "throws a result") assertEquals(rows.count, { next: 0, return: 1 });
  }
});

Deno.test("a verifier or guard that waits for a disconnected client is not a failure", async () => {
  const client = new AbortController();
  const { handler, heard, ran } = mount({
    waits: () =>
      new Promise((_resolve, reject) => client.signal.addEventListener("abort", () => reject(new Error("gone")))),
  });
  const answer = handler(new Request(`${base}/read`, { headers: bearer("waits"), signal: client.signal }));
  client.abort();
  assertEquals([(await answer).status, heard, ran], [499, [], []]);
});

Deno.test("a verifier that never resolves does not block other requests", async () => {
  const { handler, ask } = mount({ ...known, stuck: () => new Promise(() => {}) });
  const client = new AbortController();
  const stuck = handler(new Request(`${base}/read`, { headers: bearer("stuck"), signal: client.signal }));
  assert(stuck instanceof Promise);
  client.abort();
  assertEquals(await (await ask("/read", { headers: bearer("reader") })).text(), "reader");
});

Deno.test("an onError response that cannot be sent or changed is kept, and the handler does not throw", async () => {
  for (const later of [true, false]) {
    for (const replacement of [Response.error(), await fetch("data:text/plain,replaced")]) {
      const { ask } = mount(known, { onError: () => later ? Promise.resolve(replacement) : replacement });
      const answer = await ask("/fails", { headers: bearer("reader") });
      if (replacement.type === "error") assert(answer === replacement);
      else assertEquals([answer.headers.get("cache-control"), await answer.text()], ["no-store", "replaced"]);
    }
  }
});

Deno.test("a cookie, basic or ambient credential that another site may have sent is refused without running a verifier", async () => {
  const own = [
    {},
    { "sec-fetch-site": "same-origin" },
    { "sec-fetch-site": "none" },
    { "sec-fetch-site": "same-origin", origin: "https://evil.example" },
    { "sec-fetch-site": "cross-site", origin: "https://app.example.com" },
    { origin: "https://app.example.com" },
    { origin: base },
    { origin: "http://api.example.com" }, // a proxy that ends TLS speaks http to the server
  ];
  const foreign = [
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "" },
    { "sec-fetch-site": "same-origin, same-origin" },
    { "sec-fetch-site": "SAME-ORIGIN" },
    { "sec-fetch-site": "cross-site", origin: base },
    { "sec-fetch-site": "same-site", origin: "null" },
    { origin: "null" },
    { origin: "" },
    { origin: "https://evil.example" },
    { origin: "https://api.example.com:8443" },
    { origin: "https://api.example.com.evil.example" },
    { origin: `${base}, https://evil.example` },
    { origin: "https://app.example.com." },
  ];
  const ambient: readonly [path: string, method: string, headers: Record<string, string>][] = [
    ["/write", "POST", { ...cookie("reader"), "content-type": "text/plain" }],
    ["/write", "POST", { authorization: `Basic ${btoa("a:b")}`, "content-type": "text/plain" }],
    ["/basic", "POST", { authorization: `Basic ${btoa("a:b")}` }],
    ["/tls", "POST", {}],
    ["/optional", "POST", cookie("reader")],
    ["/upgrade", "GET", cookie("reader")],
  ];
  const directory = { ...known, "a/b": () => ({}), none: () => ({}) };
  const { ask, asked, ran } = mount(directory, { cors: { origins: ["https://app.example.com"] } });
  for (const [path, method, headers] of ambient) {
    for (const site of own) {
      const answer = await ask(path, { method, headers: { ...headers, ...site } });
      assert([101, 200, 204].includes(answer.status), `${path} ${JSON.stringify(site)}: ${answer.status}`);
    }
    asked.length = ran.length = 0;
    for (const site of foreign) {
      const answer = await ask(path, { method, headers: { ...headers, ...site } });
      const where = `${path} ${JSON.stringify(site)}`;
      assertEquals([answer.status, answer.headers.get("www-authenticate")], [403, null], where);
      assertEquals(answer.headers.get("cache-control"), "no-store");
      assertEquals((await answer.json()).code, "cross-site", where);
      assertEquals([asked, ran], [[], []], where);
    }
  }
});

Deno.test("a credential that browsers do not attach, and a safe method, are accepted from any page", async () => {
  const foreign = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
  const { ask } = mount({ ...known, key: () => ({}) });
  assertEquals((await ask("/partner", { method: "POST", headers: { ...foreign, "x-api-key": "key" } })).status, 204);
  assertEquals((await ask("/tls", { method: "POST", headers: { ...foreign, ...bearer("reader") } })).status, 204);
  assertEquals((await ask("/optional", { method: "POST", headers: foreign })).status, 204);
  for (const method of ["GET", "HEAD"]) {
    const answer = await ask("/session", { method, headers: { ...foreign, ...cookie("reader") } });
    assertEquals(answer.status, 200);
    await answer.body?.cancel();
  }
  const headers = { ...foreign, ...cookie("reader"), "content-type": "text/plain" };
  assertEquals((await ask("/search", { method: "QUERY", headers, body: "" })).status, 204);
});
