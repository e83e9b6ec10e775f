/** Servers of imported contracts: their functions, their callers, and what the server around them adds. */
import { defineContract, renameScheme, response, route, router, security, withSchemes } from "@scope/api";
import { createClient, unwrap } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";
import { assertEquals } from "@std/assert";
import { assertType, type IsExact } from "@std/testing/types";
import * as z from "zod";
import { assertTypeError } from "../support/assert_refused.ts";

const responses = { 200: response.json<unknown>() };
const theirToken = security.bearer("token");
const ourKey = security.apiKey("key", { header: "x-key" });

/** The contract of another team, and its server. */
const billing = defineContract({
  basePath: "/billing",
  responses: { 402: response.empty() },
  routes: {
    health: route.get("/health", { security: [], responses }),
    invoices: router("/invoices", {
      security: [theirToken],
      routes: {
        byId: route.get("/:id", { params: z.object({ id: z.coerce.number() }), responses }),
        pay: route.post("/:id/pay", { body: z.object({ cents: z.int() }), responses }),
      },
    }),
  },
});
type Log = string[];
const log: Log = [];
const billingServer = defineServer(billing, {
  security: [verify(theirToken, ({ token, route }) => {
    log.push(`verifier of ${route.key} ${route.path}`);
    return token === "t" ? { account: 7 } : undefined;
  })],
  context: ({ region }: { region: string }) => ({ region }),
})
  .guard(({ route, caller }) => void log.push(`inner guard of ${route.key} ${JSON.stringify(caller)}`))
  .use(({ route, next }) => {
    log.push(`inner middleware of ${route.key}`);
    return next({ page: 1 });
  });
const billingImplementation = billingServer.implement({
  health: ({ context, route, response }) => response(200, { ...context, key: route.key }),
  invoices: {
    byId: ({ params, caller, context, route, response }) =>
      response(200, { ...params, ...caller, ...context, key: route.key, path: route.path }),
    pay: ({ body, response }) => response(200, body),
  },
});

/** A contract that leaves it to others who may call it. */
const files = defineContract({ routes: { list: route.get("/files", { responses }) } });
const filesImplementation = defineServer(files).implement({
  list: ({ route, response }) => response(200, route.key),
});

const gateway = defineContract({
  basePath: "/api",
  security: [ourKey],
  responses: { 429: response.empty() },
  routes: {
    tenants: router("/tenants/:tenant", { routes: billing }),
    files,
    ping: route.get("/ping", { security: [], responses }),
  },
});
const server = defineServer(gateway, {
  security: [
    verify(ourKey, ({ key, route }) => {
      log.push(`our verifier of ${route.key}`);
      return key === "k" ? { name: "Ada" } : undefined;
    }),
    verify(theirToken, () => ({ never: true })),
  ],
});
const guarded = server.guard(({ request, route, response }) => {
  log.push(`outer guard of ${route.key} ${route.path}`);
  if (request.headers.has("x-limited")) return response(429);
});

function createHandler(): (request: Request) => Response | Promise<Response> {
  return createFetchHandler(
    server.implement({
      tenants: guarded.include(gateway.routes.tenants, billingImplementation),
      files: guarded.include(gateway.routes.files, filesImplementation),
      ping: ({ response }) => response(200, "pong"),
    }),
    { contextInput: () => ({ region: "eu" }), onResponse: ({ route }) => void log.push(`hook of ${route?.key}`) },
  );
}

Deno.test("server.include() runs the context, middleware, guards and verifiers of the included implementation", async () => {
  const handler = createHandler();
  log.length = 0;
  const url = "http://localhost/api/tenants/acme/billing/invoices/7";
  const answer = await handler(new Request(url, { headers: { authorization: "Bearer t" } }));
  assertEquals(await answer.json(), {
    id: 7,
    tenant: "acme",
    account: 7,
    region: "eu",
    page: 1,
    key: "invoices.byId",
    path: "/billing/invoices/:id",
  });
  assertEquals(log, [
    "verifier of invoices.byId /billing/invoices/:id",
    "outer guard of tenants.invoices.byId /api/tenants/:tenant/billing/invoices/:id",
    'inner guard of invoices.byId {"account":7}',
    "inner middleware of invoices.byId",
    "hook of tenants.invoices.byId",
  ]);
});

Deno.test("guards and verifiers of the server that includes refuse requests to included routes", async () => {
  const handler = createHandler();
  const ask = async (path: string, headers: HeadersInit): Promise<number> => {
    const answer = await handler(new Request(`http://localhost/api/${path}`, { headers }));
    await answer.body?.cancel();
    return answer.status;
  };
  assertEquals(await ask("tenants/acme/billing/invoices/7", {}), 401);
  assertEquals(await ask("tenants/acme/billing/invoices/7", { "x-key": "k" }), 401);
  assertEquals(await ask("tenants/acme/billing/invoices/7", { authorization: "Bearer t", "x-limited": "1" }), 429);
  assertEquals(await ask("tenants/acme/billing/invoices/x", { authorization: "Bearer t" }), 400);
  assertEquals(await ask("tenants/acme/billing/health", {}), 200);
  // its contract does not decide who may call `files`; the one around it does
  assertEquals(await ask("files", {}), 401);
  assertEquals(await ask("files", { authorization: "Bearer t" }), 401);
  log.length = 0;
  assertEquals(await ask("files", { "x-key": "k" }), 200);
  assertEquals(log, ["our verifier of files.list", "outer guard of files.list /api/files", "hook of files.list"]);
});

Deno.test("server.include() serves routes whose schemes were renamed by the verifiers of their own names", async () => {
  const token = security.bearer("token");
  const renamed = renameScheme(theirToken, "billingToken");
  const outer = defineContract({
    security: [token],
    routes: { billing: withSchemes(billing, renamed), me: route.get("/me", { responses }) },
  });
  const outerServer = defineServer(outer, {
    security: [verify(token, () => ({ ours: true })), verify(renamed, () => ({ never: true }))],
  });
  const handler = createFetchHandler(
    outerServer.implement({ billing: outerServer.include(outer.routes.billing, billingImplementation), me: handle }),
    { contextInput: () => ({ region: "us" }) },
  );
  const client = createClient(outer, {
    baseUrl: "http://localhost",
    fetch: handler,
    credentials: { token: "any", billingToken: "t" },
  });
  const { account } = unwrap(await client.billing.invoices.byId({ params: { id: 7 } })) as { account: number };
  assertEquals(account, 7);
  assertEquals(unwrap(await client.billing.health()), { region: "us", page: 1, key: "health" });
});

Deno.test("server.include() takes parts of a contract, and an included implementation can be included again", async () => {
  const inner = defineContract({ routes: { a: route.get("/a", { responses }), b: route.get("/b", { responses }) } });
  const innerImplementation = defineServer(inner).implement({
    a: ({ route, response }) => response(200, route.key),
    b: ({ route, response }) => response(200, route.key),
  });
  const middle = defineContract({ routes: { m: router("/m", { routes: inner }) } });
  const middleServer = defineServer(middle);
  const middleImplementation = middleServer.guard(({ route }) => void log.push(`middle ${route.key}`))
    .implement({
      m: middleServer.guard(({ route }) => void log.push(`m ${route.key}`)).include(
        middle.routes.m,
        innerImplementation,
      ),
    });
  const outer = defineContract({
    routes: { o: router("/o", { routes: middle }), one: router("/one", { routes: { only: inner.routes.a } }) },
  });
  const outerServer = defineServer(outer).guard(({ route }) => void log.push(`outer ${route.key}`));
  const handler = createFetchHandler(outerServer.implement({
    o: outerServer.include(outer.routes.o, middleImplementation),
    one: {
      only: outerServer.include(
        outer.routes.one.only,
        defineServer(inner).implement(inner.routes.a, ({ response }) => response(200, "one")),
      ),
    },
  }));
  const ask = async (path: string): Promise<unknown> =>
    await (await handler(new Request(`http://localhost${path}`))).json();
  log.length = 0;
  assertEquals([await ask("/o/m/a"), await ask("/one/a")], ["a", "one"]);
  assertEquals(log, ["outer o.m.a", "m m.a", "outer one.only"]);
});

Deno.test("a partial fragment lists and answers its missing routes as the whole implementation does", async () => {
  const contract = defineContract({ routes: { billing } });
  const outer = defineServer(contract, { security: [verify(theirToken, () => ({}))] });
  const region = { contextInput: () => ({ region: "eu" }) };
  const statusOf = async (handler: (request: Request) => Response | Promise<Response>): Promise<number> =>
    (await handler(new Request("http://localhost/billing/health"))).status;
  const some = { invoices: { byId: ({ response }) => response(402) } } satisfies Parameters<
    typeof billingServer.partial
  >[0];
  const absent = outer.include(contract.routes.billing, billingServer.partial(some));
  const previewed = outer.include(contract.routes.billing, billingServer.partial(some, { missing: 501 }));
  for (const billing of [absent, previewed]) {
    assertEquals(billing.missing, ["billing.health", "billing.invoices.pay"]);
    assertTypeError(() => outer.implement({ billing }), "billing.health is missing; billing.invoices.pay is missing");
    assertEquals(outer.partial({ billing }).missing, ["billing.health", "billing.invoices.pay"]);
    assertEquals(await statusOf(createFetchHandler(outer.partial({ billing }, { missing: 501 }), region)), 501);
  }
  assertEquals(await statusOf(createFetchHandler(outer.partial({ billing: absent }), region)), 404);
  assertEquals(await statusOf(createFetchHandler(outer.partial({ billing: previewed }), region)), 501);
});

Deno.test("server.include() refuses implementations that do not fit, and lists the routes", () => {
  const include = (node: never, implementation: unknown) => () => server.include(node, implementation as never);
  const node = gateway.routes.tenants as never;
  assertTypeError(
    include(billing.routes as never, billingImplementation),
    "server.include(): the first argument must be a router or route of the contract",
  );
  assertTypeError(
    include(node, { health: () => {} }),
    "server.include(): the second argument must be made by implement() or partial(), got an object",
  );
  const other = defineContract({ routes: { health: route.get("/health", { responses }) } });
  const otherImplementation = defineServer(other).implement({ health: ({ response }) => response(200, 1) });
  assertTypeError(
    include(node, otherImplementation),
    "server.include(): the implementation has no route for tenants.health, tenants.invoices.byId, tenants.invoices.pay",
  );
  const alike = defineContract({
    basePath: "/billing",
    routes: {
      health: route.get("/health", { responses: { 200: response.json<unknown>() } }),
      invoices: router("/invoices", {
        routes: { byId: route.get("/:id", { responses }), pay: route.post("/:id/pay", { responses }) },
      }),
    },
  });
  const alikeImplementation = defineServer(alike).implement({
    health: handle,
    invoices: { byId: handle, pay: handle },
  });
  assertTypeError(
    include(node, alikeImplementation),
    "server.include(): the implementation has no route for tenants.health, tenants.invoices.byId, tenants.invoices.pay",
  );
  assertTypeError(
    () => server.use(({ next }) => next()).include(gateway.routes.tenants, billingImplementation),
    "server.include(): this server has middleware, which needs its context; include before use()",
  );
  // a route that requires a credential is not served by one that requires none
  const open = defineContract({ routes: { it: route.get("/it", { security: [], responses }) } });
  const closed = defineContract({ routes: { it: route.get("/it", { security: [ourKey], responses }) } });
  const openImplementation = defineServer(open).implement({ it: handle });
  const closedServer = defineServer(closed, { security: [verify(ourKey, () => ({}))] });
  assertTypeError(
    () => closedServer.include(closed.routes, openImplementation),
    "the implementation has no route for it",
  );
});

Deno.test("server.include() does not serve a route by an implementation that another contract made public", () => {
  const middle = defineContract({ routes: { files: router("/", { security: [], routes: files }) } });
  const middleServer = defineServer(middle);
  const middleImplementation = middleServer.implement({
    files: middleServer.include(middle.routes.files, filesImplementation),
  });
  const outer = defineContract({ security: [ourKey], routes: { files } });
  const outerServer = defineServer(outer, { security: [verify(ourKey, () => ({}))] });
  assertTypeError(
    () => outerServer.include(outer.routes.files, middleImplementation),
    "server.include(): the implementation has no route for files.list",
  );
});

Deno.test("server.include() does not serve a route by one of another place, whose parameters and responses it lacks", () => {
  const inner = defineContract({ routes: { it: route.get("/it", { responses }) } });
  const middle = defineContract({
    responses: { 418: response.empty() },
    routes: { t: router("/:tenant", { routes: inner }) },
  });
  const wider = defineContract({ responses: { 418: response.empty() }, routes: { t: inner } });
  const outer = defineContract({ routes: { it: inner } });
  for (const contract of [middle, wider]) {
    const implementation = defineServer(contract).implement({ t: { it: handle } } as never);
    assertTypeError(
      () => defineServer(outer).include(outer.routes.it, implementation),
      "server.include(): the implementation has no route for it.it",
    );
  }
  const own = defineServer(inner);
  assertEquals(own.include(inner.routes, own.implement({ it: handle })).missing, []);
});

Deno.test("server.include() adds what the included implementation needs from the adapter", () => {
  const included = server.include(gateway.routes.tenants, billingImplementation);
  const implementation = server.implement({
    tenants: included,
    files: { list: handle },
    ping: ({ response }) => response(200, 1),
  });
  // @ts-expect-error -- the region is missing
  createFetchHandler(implementation);
  createFetchHandler(implementation, { contextInput: () => ({ region: "eu" }) });
  // @ts-expect-error -- it is not an implementation
  assertTypeError(() => server.include(gateway.routes.tenants, { health: () => {} }));
});

Deno.test("server.partial() leaves out routes, and lists them", async () => {
  const contract = defineContract({
    routes: {
      users: router("/users", {
        routes: { list: route.get("/", { responses }), add: route.post("/", { responses }) },
      }),
      orders: router("/orders", { routes: { list: route.get("/", { responses }) } }),
      ping: route.get("/ping", { responses }),
    },
  });
  const define = defineServer(contract);
  const implementation = define.partial({ users: { list: ({ response }) => response(200, 1) } });
  assertType<IsExact<typeof implementation.missing, readonly string[]>>(true);
  assertEquals(implementation.missing, ["users.add", "orders.list", "ping"]);
  const handler = createFetchHandler(implementation);
  const ask = async (method: string, path: string): Promise<unknown[]> => {
    const { status, headers, body } = await handler(new Request(`http://localhost${path}`, { method }));
    await body?.cancel();
    return [status, headers.get("allow")];
  };
  assertEquals(await ask("GET", "/users"), [200, null]);
  assertEquals(await ask("POST", "/users"), [405, "GET"]);
  assertEquals(await ask("GET", "/orders"), [404, null]);
  assertEquals(
    define.implement({ users: { list: handle, add: handle }, orders: { list: handle }, ping: handle }).missing,
    [],
  );
  assertEquals(define.partial({}).missing.length, 4);

  const users = define.at(contract.routes.users).partial({ add: ({ response }) => response(200, 1) });
  assertEquals(define.partial({ users, ping: handle }).missing, ["users.list", "orders.list"]);
  assertTypeError(
    () => define.implement({ users, orders: { list: handle }, ping: handle }),
    "server.implement(): users.list is missing",
  );
  assertTypeError(
    () => define.partial({ users: { list: handle, nope: handle }, ping: 1 } as never),
    "server.partial(): users.nope is not in the contract; remove it; ping must be a function, got 1",
  );
  // @ts-expect-error -- the key is not in the contract
  assertTypeError(() => define.partial({ nope: handle }), "nope is not in the contract");
  // @ts-expect-error -- the handler returns a status that is not declared
  define.partial({ ping: ({ response }) => response(201, 1) });
  assertTypeError(
    () => define.partial({}, { missing: 404 as never }),
    'server.partial(): "missing" must be 501 or omitted, got 404',
  );
  assertTypeError(
    () => define.partial({}, { mising: 501 } as never),
    'server.partial(): unknown option "mising"; did you mean "missing"?',
  );
});

const handle = () => ({ status: 200, body: 1 }) as const;

Deno.test("server.partial() with { missing: 501 } answers not-implemented, to callers that are let in", async () => {
  const contract = defineContract({
    security: [ourKey],
    routes: {
      first: route.put("/a", { responses }),
      a: route.get("/a", { responses }),
      b: route.post("/b/:id", { body: z.object({ n: z.number() }), responses }),
    },
  });
  const refused: (string | undefined)[] = [];
  const define = defineServer(contract, {
    security: [verify(ourKey, ({ key }) => key === "k" ? {} : null)],
    refuse: ({ problem }) => void refused.push(problem.code),
  });
  const implementation = define.partial({ a: handle }, { missing: 501 });
  assertEquals(implementation.missing, ["first", "b"]);
  const handler = createFetchHandler(implementation);
  const ask = (headers: HeadersInit) => handler(new Request("http://localhost/b/1", { method: "POST", headers }));
  const answer = await ask({ "x-key": "k" });
  assertEquals(await answer.json(), {
    type: "about:blank",
    title: "Not Implemented",
    status: 501,
    code: "not-implemented",
  });
  assertEquals([answer.status, (await ask({})).status], [501, 401]);
  assertEquals(refused, ["not-implemented", "unauthorized"]);
  assertEquals(handler.has({ method: "POST", url: "/b/1" }), true);
  const { headers } = await handler(new Request("http://localhost/a", { method: "PATCH" }));
  assertEquals(headers.get("allow"), "PUT, GET"); // in the order of the contract
});

Deno.test("server.partial() includes an implementation that is partial", () => {
  const contract = defineContract({ routes: { billing } });
  const outer = defineServer(contract, { security: [verify(theirToken, () => ({}))] });
  const some = billingServer.partial({ invoices: { byId: ({ response }) => response(402) } });
  assertEquals(some.missing, ["health", "invoices.pay"]);
  const included = outer.include(contract.routes.billing, some);
  assertEquals(included.missing, ["billing.health", "billing.invoices.pay"]);
  assertEquals(outer.partial({ billing: included }).missing, ["billing.health", "billing.invoices.pay"]);
  assertTypeError(
    () => outer.implement({ billing: included }),
    "server.implement(): billing.health is missing; billing.invoices.pay is missing",
  );
});
