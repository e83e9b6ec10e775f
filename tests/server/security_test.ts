import { defineContract, request, response, route, router, security } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer, type HandlersOf, type Middleware, verify } from "@scope/api/server";
import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { type } from "arktype";
import { listen } from "../support/mount_route.ts";

const token = security.bearer("token", { scopes: ["read"] });
const session = security.cookie("session", { cookie: "session" });
const other = security.basic("other");

const contract = defineContract({
  security: [token.scoped("read"), session],
  responses: { 429: response.problem() },
  routes: {
    open: route.get("/open", { security: [], responses: { 200: response.text() } }),
    mine: route.get("/mine", { responses: { 200: response.text() } }),
    either: route.get("/either", { security: [session, security.none], responses: { 200: response.text() } }),
    below: router("/below", {
      responses: { 409: response.empty() },
      routes: { add: route.post("/", { body: request.text(), responses: { 201: response.empty() } }) },
    }),
  },
});

const verifiers = [
  verify(token, ({ token }) => token === "bad" ? null : { id: token, scopes: ["read"] }),
  verify(session, ({ value }) => value === "bad" ? undefined : { id: value, session: true }),
];

const asAda = { authorization: "Bearer ada" };
const get = (path: string, headers: HeadersInit = {}) => new Request(`http://localhost${path}`, { headers });

Deno.test("defineServer() refuses missing, unknown and duplicate verifiers, all at once", () => {
  const define = (security: unknown) => () => defineServer(contract, { security } as never);
  const refused = (security: unknown): string => assertThrows(define(security), TypeError).message;
  const missing = '"security" must verify the scheme "token"; add verify(token, …)';
  const missingSession = '"security" must verify the scheme "session"; add verify(session, …)';
  assertEquals(refused([]), `defineServer(): ${missing}; ${missingSession}`);
  assertEquals(refused(undefined), `defineServer(): ${missing}; ${missingSession}`);
  assertEquals(assertThrows(() => defineServer(contract as never), TypeError).message, refused([]));
  assertEquals(refused([verifiers[1]]), `defineServer(): ${missing}`);
  assertEquals(
    refused([...verifiers, verify(other, () => null)]),
    'defineServer(): "security" verifies "other", which is not a scheme of the contract; remove it',
  );
  assertEquals(
    refused([...verifiers, verifiers[0]]),
    'defineServer(): "security" verifies "token" twice; remove one',
  );
  // one of the same name is another scheme
  const namesake = verify(security.bearer("token"), () => null);
  assertEquals(
    refused([namesake, verifiers[1]]),
    `defineServer(): ${missing}; "security" verifies "token", which is not a scheme of the contract; remove it`,
  );
  for (const [list, found] of [[null, "null"], [{}, "an object"], [verifiers[0], "an object"], ["token", '"token"']]) {
    assertEquals(
      refused(list),
      `defineServer(): "security" must be an array like [verify(scheme, …)], got ${found}`,
    );
  }
  const others = [[() => null, "a function"], [undefined, "undefined"], [[verifiers[0]], "an array"], [
    token,
    "an object",
  ]];
  for (const [other, found] of others) {
    assertEquals(
      refused([verifiers[0], other]),
      `defineServer(): "security[1]" must be made by verify(scheme, …), got ${found}`,
    );
  }
  assertEquals(refused(Array(1)), 'defineServer(): "security[0]" must be made by verify(scheme, …), got undefined');
});

Deno.test("defineServer() of a contract without security accepts no verifiers", () => {
  const plain = defineContract({ routes: { it: route.get("/", { responses: { 204: response.empty() } }) } });
  defineServer(plain);
  defineServer(plain, { security: [] });
  assertThrows(() => defineServer(plain, { security: [verifiers[0]] } as never), TypeError, 'verifies "token"');
});

Deno.test("verify() passes only the credential, the request itself, its signal, the route and its params", async () => {
  const seen: Record<string, unknown>[] = [];
  const note = (input: object): null => {
    seen.push(input as Record<string, unknown>);
    return null;
  };
  const basic = security.basic("basic");
  const key = security.apiKey("key", { header: "x-key" });
  const custom = security.custom("custom", { challenge: "A", openapi: {} });
  const contract = defineContract({
    security: [token, basic, key, session, custom],
    routes: { it: route.get("/:id", { responses: { 204: response.empty() } }) },
  });
  const server = defineServer(contract, {
    security: [
      verify(token, note),
      verify(basic, note),
      verify(key, note),
      verify(session, note),
      verify(custom, note),
    ],
  });
  const handler = createFetchHandler(server.implement({ it: ({ response }) => response(204) }));
  const credentials: readonly [HeadersInit, object][] = [
    [{ authorization: "Bearer t" }, { token: "t" }],
    [{ authorization: `Basic ${btoa("user:pass:word")}` }, { username: "user", password: "pass:word" }],
    [{ "x-key": "k" }, { key: "k" }],
    [{ cookie: "a=b; session=%41" }, { value: "%41" }],
    [{}, {}],
  ];
  for (const [headers, credential] of credentials) {
    seen.length = 0;
    const request = get("/%41%2F1", headers);
    assertEquals((await handler(request)).status, 401);
    const [{ response, ...input } = {}] = seen;
    assertEquals(seen.length, 1);
    assertEquals(typeof response, "function");
    assertStrictEquals(seen[0]!.request, request);
    assertStrictEquals(seen[0]!.headers, request.headers);
    assertStrictEquals(seen[0]!.signal, request.signal);
    const expected = { route: { key: "it", method: "GET", path: "/:id" }, params: { id: "A/1" } };
    assertEquals({ ...input }, { ...expected, ...credential });
  }
});

Deno.test("caller reaches handlers, middleware and both forms of the context", async () => {
  const seen: unknown[] = [];
  for (const form of ["one argument", "two arguments"]) {
    seen.length = 0;
    const server = form === "one argument"
      ? defineServer(contract, { security: verifiers, context: ({ caller }) => ({ by: caller?.id }) })
      : defineServer(contract, {
        security: verifiers,
        context: ({ caller }, _runtime: object) => ({ by: caller?.id }),
      });
    const implementation = server.use(({ caller, context, next }) => {
      seen.push([caller, context.by]);
      return next();
    }).implement({
      open: (input) => input.response(200, String("caller" in input)),
      mine: ({ caller, context, response }) => response(200, `${caller.id} ${context.by}`),
      either: ({ caller, response }) => response(200, caller?.id ?? "nobody"),
      below: { add: ({ response }) => response(201) },
    });
    const handler = createFetchHandler(implementation);
    assertEquals(await (await handler(get("/mine", asAda))).text(), "ada ada");
    assertEquals(await (await handler(get("/open", asAda))).text(), "false");
    assertEquals(await (await handler(get("/either"))).text(), "nobody");
    assertEquals(seen, [[{ id: "ada", scopes: ["read"] }, "ada"], [undefined, undefined], [undefined, undefined]]);
  }
});

Deno.test("caller is the object that the verifier returned", async () => {
  class Member {
    readonly #secret = "own";
    tell(): string {
      return this.#secret;
    }
  }
  const member = Object.freeze(new Member());
  const seen: unknown[] = [];
  const contract = defineContract({
    security: [session],
    routes: { it: route.get("/", { responses: { 200: response.text() } }) },
  });
  const server = defineServer(contract, {
    security: [verify(session, () => member)],
    context: ({ caller }) => (seen.push(caller), {}),
  }).guard(({ caller }) => void seen.push(caller)).use(({ caller, next }) => (seen.push(caller), next()));
  const handler = createFetchHandler(
    server.implement({ it: ({ caller, response }) => (seen.push(caller), response(200, caller.tell())) }),
  );
  assertEquals(await (await handler(get("/", { cookie: "session=a" }))).text(), "own");
  assertEquals([seen.length, seen.every((each) => each === member)], [4, true]);
});

Deno.test("contextInput cannot override the caller, request, route or signal of a one-argument context", async () => {
  let seen: Record<string, unknown> = {};
  const server = defineServer(contract, {
    security: verifiers,
    context: (input: { readonly ip: string }) => {
      const { request, headers, signal } = input as never as Record<string, unknown>;
      seen = { ...input, request, headers, signal };
      return {};
    },
  });
  const handler = createFetchHandler(
    server.implement({
      open: ({ response }) => response(200, ""),
      mine: ({ caller, response }) => response(200, caller.id),
      either: ({ response }) => response(200, ""),
      below: { add: ({ response }) => response(201) },
    }),
    {
      contextInput: () =>
        Object.assign({ ip: "::1" }, {
          caller: "eve",
          request: "eve",
          headers: "eve",
          route: "eve",
          signal: "eve",
          ["__proto__"]: "eve",
        }),
    },
  );
  const request = get("/open");
  await handler(request);
  assertEquals([seen.caller, seen.ip, seen.request === request], [undefined, "::1", true]);
  assertEquals([seen.route, seen.signal === request.signal], [{ key: "open", method: "GET", path: "/open" }, true]);
});

Deno.test("a verifier builds only the responses that the contract declares for all routes", async () => {
  for (const status of [429, 200, 409]) {
    for (const at of ["server", "node"]) {
      const { heard, onError } = listen();
      const server = defineServer(contract, {
        security: [
          verify(token, ({ response }) => {
            throw response(status as 429);
          }),
          verify(session, () => null),
        ],
      });
      const add = (): { readonly status: 201 } => ({ status: 201 });
      const fragment = at === "server"
        ? server.implement(contract.routes.below, { add })
        : server.at(contract.routes.below).implement({ add });
      const handler = createFetchHandler(fragment, { onError });
      const post = new Request("http://localhost/below", { method: "POST", body: "", headers: asAda });
      const answer = await handler(post);
      await answer.body?.cancel();
      assertEquals(answer.status, status === 429 ? 429 : 500, `${status} ${at}`);
      assertEquals(heard.map(({ phase }) => phase), status === 429 ? [] : ["encode"]);
    }
  }
});

Deno.test("handlers and middleware in their own modules have callers", async () => {
  const server = defineServer(contract, { security: verifiers });
  const mine: HandlersOf<typeof server>["mine"] = ({ caller, response }) => response(200, caller.id);
  const named: string[] = [];
  const name: Middleware<Record<never, never>, Record<never, never>, Record<never, never>, { id: string } | undefined> =
    (
      { caller, next },
    ) => {
      named.push(caller?.id ?? "nobody");
      return next();
    };
  const handler = createFetchHandler(
    server.use(name).implement({
      open: ({ response }) => response(200, ""),
      mine,
      either: ({ response }) => response(200, ""),
      below: { add: ({ response }) => response(201) },
    }),
  );
  assertEquals(await (await handler(get("/mine", asAda))).text(), "ada");
  await handler(get("/either"));
  assertEquals(named, ["ada", "nobody"]);
});

Deno.test("a server with synchronous verifiers responds synchronously", () => {
  const handler = createFetchHandler(
    defineServer(contract, { security: verifiers, context: () => ({}) }).implement({
      open: ({ response }) => response(200, ""),
      mine: ({ response }) => response(200, ""),
      either: ({ response }) => response(200, ""),
      below: { add: ({ response }) => response(201) },
    }),
  );
  for (const [path, headers] of [["/mine", asAda], ["/mine", {}], ["/either", {}], ["/open", asAda]] as const) {
    assert(handler(get(path, headers)) instanceof Response, path);
  }
});

Deno.test("a secured route checks its slots like any other", async () => {
  const contract = defineContract({
    security: [session],
    routes: {
      it: route.get("/:n", { params: type({ n: "string.numeric" }), responses: { 200: response.text() } }),
    },
  });
  const server = defineServer(contract, { security: [verify(session, () => ({}))] });
  const handler = createFetchHandler(server.implement({ it: ({ params, response }) => response(200, params.n) }));
  assertEquals((await handler(get("/a"))).status, 401);
  assertEquals((await handler(get("/a", { cookie: "session=a" }))).status, 400);
  assertEquals(await (await handler(get("/1", { cookie: "session=a" }))).text(), "1");
});
