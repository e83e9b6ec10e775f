/** Contracts, routers and routes of other contracts among the routes of a contract: the laws, the types, the mistakes. */
import {
  codec,
  type Contract,
  defineContract,
  renameScheme,
  response,
  route,
  router,
  type RouteTree,
  security,
  withSchemes,
} from "@scope/api";
import { ClientError, createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { openApiDocument } from "@scope/api/openapi";
import { defineServer } from "@scope/api/server";
import { slimContract } from "@scope/api/slim";
import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { assertType, type IsExact } from "@std/testing/types";
import fc from "fast-check";
import * as z from "zod";
import { type RouteNode, routesOf } from "../../src/contract/node.ts";
import { assertRefused, assertTypeError } from "../support/assert_refused.ts";
import { tries } from "../support/tries.ts";

const responses = { 200: response.text() };
const token = security.bearer("token", { scopes: ["read"] });
const key = security.apiKey("key", { header: "x-key" });
const upper = codec(z.string(), z.string(), { decode: (text) => text.toUpperCase(), encode: (text) => text });

const billing = defineContract({
  basePath: "/billing",
  refusals: { 400: response.problem() },
  routes: {
    health: route.get("/health", { security: [], responses }),
    invoices: router("/invoices", {
      responses: { 404: response.problem() },
      deprecated: { since: "2026-01-01" },
      docs: { tags: ["Invoices"] },
      routes: {
        byId: route.get("/:id", {
          params: z.object({ id: z.coerce.number() }),
          security: [token.scoped("read")],
          responses: { 200: response.json(z.object({ id: z.number() })) },
        }),
        rename: route.put("/:id", { security: [token], body: z.string(), trailingSlash: true, responses }),
      },
    }),
  },
});

Deno.test("defineContract() takes a contract, a router and a route of another contract, each with its full path", () => {
  const gateway = defineContract({
    basePath: "/api",
    responses: { 429: response.empty() },
    security: [],
    routes: {
      billing,
      v1: router("/v1", { routes: billing }),
      v2: router("/v2", { routes: { ...billing.routes, health: route.get("/healthz", { responses }) } }),
      tenants: router("/tenants/:tenant", { routes: billing.routes }),
      pinned: router("/pinned", {
        routes: {
          read: billing.routes.invoices.byId,
          group: router("/g", { routes: { in: billing.routes.invoices } }),
        },
      }),
      ping: route.get("/ping", { responses }),
    },
  });
  assertEquals(routesOf(gateway.routes).map(({ key, method, path }) => `${key}: ${method} ${path}`), [
    "billing.health: GET /api/billing/health",
    "billing.invoices.byId: GET /api/billing/invoices/:id",
    "billing.invoices.rename: PUT /api/billing/invoices/:id/",
    "v1.health: GET /api/v1/billing/health",
    "v1.invoices.byId: GET /api/v1/billing/invoices/:id",
    "v1.invoices.rename: PUT /api/v1/billing/invoices/:id/",
    "v2.health: GET /api/v2/healthz",
    "v2.invoices.byId: GET /api/v2/billing/invoices/:id",
    "v2.invoices.rename: PUT /api/v2/billing/invoices/:id/",
    "tenants.health: GET /api/tenants/:tenant/billing/health",
    "tenants.invoices.byId: GET /api/tenants/:tenant/billing/invoices/:id",
    "tenants.invoices.rename: PUT /api/tenants/:tenant/billing/invoices/:id/",
    "pinned.read: GET /api/pinned/billing/invoices/:id",
    "pinned.group.in.byId: GET /api/pinned/g/billing/invoices/:id",
    "pinned.group.in.rename: PUT /api/pinned/g/billing/invoices/:id/",
    "ping: GET /api/ping",
  ]);

  const { byId } = gateway.routes.tenants.invoices;
  assertType<IsExact<typeof byId.path, "/api/tenants/:tenant/billing/invoices/:id">>(true);
  assertType<IsExact<typeof byId.key, "tenants.invoices.byId">>(true);
  assertType<IsExact<keyof typeof byId.responses, 200 | 400 | 404 | 429>>(true);
  assertType<IsExact<typeof gateway.routes.v2.health.path, "/api/v2/healthz">>(true);
  assertType<IsExact<typeof gateway.routes.billing.invoices.rename.path, "/api/billing/invoices/:id/">>(true);
  assertType<IsExact<typeof gateway.routes.pinned.group.in.byId.key, "pinned.group.in.byId">>(true);
  assertEquals(Object.keys(byId.responses), ["200", "400", "404", "429"]);
  // @ts-expect-error -- the route has another key
  gateway.routes.pinned.byId;

  const client = createClient(gateway, { baseUrl: "https://api.example.com" });
  assertEquals(
    client.tenants.invoices.byId.url({ params: { tenant: "acme", id: 7 } }),
    "https://api.example.com/api/tenants/acme/billing/invoices/7",
  );
  // @ts-expect-error -- the tenant is missing
  assertThrows(() => client.tenants.invoices.byId.url({ params: { id: 7 } }), ClientError, "tenant");
});

Deno.test("a contract, or its routes, can be all routes of another one", () => {
  for (const routes of [billing, billing.routes]) {
    const same = defineContract({ basePath: "/api", security: [], routes } as { routes: typeof billing });
    assertEquals(Object.keys(same.routes), ["health", "invoices"]);
    assertEquals(same.routes.invoices.byId.key, "invoices.byId");
    assertEquals<string>(same.routes.invoices.byId.path, "/api/billing/invoices/:id");
  }
  const contract = defineContract({ basePath: "/api", routes: billing });
  const tree = defineContract({ basePath: "/api", routes: billing.routes });
  assertType<IsExact<typeof contract.routes.invoices.byId.path, "/api/billing/invoices/:id">>(true);
  assertType<IsExact<typeof tree, typeof contract>>(true);
});

Deno.test("an imported route keeps its own responses, refusals, security, deprecation and tags; the new place adds", () => {
  const [ours, theirs] = [response.text(), response.text()];
  const invalid = response.problem();
  const inner = defineContract({
    refusals: { 400: invalid },
    routes: {
      closed: route.get("/closed/:id", {
        security: [token],
        deprecated: false,
        docs: { tags: ["own"] },
        responses: { 200: theirs, 404: theirs },
      }),
      open: route.get("/open", { security: [], responses }),
      undecided: route.get("/undecided", { responses, security: [key] }),
    },
  });
  const outer = defineContract({
    security: [key],
    responses: { 404: ours, 429: ours },
    refusals: { 500: response.problem() },
    deprecated: true,
    docs: { tags: ["outer"] },
    routes: { inner },
  });
  const { closed, open } = outer.routes.inner;
  assertStrictEquals(closed.responses[404], theirs);
  assertStrictEquals(closed.responses[429], ours);
  assertStrictEquals(closed.responses[400], invalid);
  assertEquals(Object.keys(closed.responses), ["200", "400", "404", "429", "500"]);
  assertEquals(Object.keys(closed.ownResponses), ["200", "404", "429"]);
  assertEquals(Object.keys(closed.refusals), ["400", "500"]);
  assertEquals([closed.deprecated, open.deprecated], [false, true]);
  assertEquals([closed.docs.tags, open.docs.tags], [["own"], ["outer"]]);
  assertEquals([closed.security, open.security], [[token], []]);
});

Deno.test("an imported contract without security gets that of its place, and a router can make it public", () => {
  const plain = defineContract({ routes: { a: route.get("/a", { responses }), b: route.get("/b", { responses }) } });
  const secured = route.get("/me", { security: [token], responses });
  assertRefused(
    () => defineContract({ routes: { plain, secured } }),
    '"security" is missing for plain.a, plain.b, but other routes declare it; declare it, or write [] for public routes',
  );
  const { routes } = defineContract({ routes: { plain: router("/", { security: [], routes: plain }), secured } });
  assertEquals([routes.plain.a.security, routes.plain.a.path], [[], "/a"]);
  assertType<IsExact<typeof routes.plain.a.security, never[]>>(true);
  assertEquals(defineContract({ security: [key], routes: { plain } }).routes.plain.b.security, [key]);
});

Deno.test("openApiDocument() groups imported routes by their first key in their own contract", () => {
  const inner = defineContract({
    routes: {
      users: router("/users", { routes: { list: route.get("/", { responses }) } }),
      status: route.get("/status", { responses }),
      orders: router("/orders", { docs: { tags: ["Orders"] }, routes: { list: route.get("/", { responses }) } }),
    },
  });
  const once = { v1: router("/v1", { routes: inner }), ping: route.get("/ping", { responses }) };
  const tagsOf = (contract: Contract): unknown =>
    Object.values(openApiDocument(contract, { info: { title: "", version: "" } }).paths).map(({ get }) => get!.tags[0]);
  const contract = defineContract({ routes: once });
  assertEquals(tagsOf(contract), ["users", "status", "Orders", "ping"]);
  assertEquals(tagsOf(defineContract({ routes: { all: contract } })), ["users", "status", "Orders", "ping"]);
  const tagged = defineContract({ routes: { all: router("/", { docs: { tags: ["All"] }, routes: contract }) } });
  assertEquals(tagsOf(tagged), ["All", "All", "Orders", "All"]);
});

Deno.test("defineContract() refuses imports that do not fit, and says what to write", () => {
  const twice = { a: billing, b: billing };
  assertRefused(
    () => defineContract({ security: [], routes: twice }),
    "a.health and b.health both match GET /billing/health; change the method or path of one",
  );
  const tenant = defineContract({ routes: { read: route.get("/:tenant", { responses }) } });
  assertRefused(
    () => router("/tenants/:tenant", { routes: tenant }),
    'the path of read "/tenants/:tenant/:tenant" contains ":tenant" twice; rename one of the parameters',
  );
  const strict = defineContract({
    routes: { read: route.get("/:id", { params: z.strictObject({ id: z.string() }), responses }) },
  });
  assertRefused(
    () => defineContract({ routes: { tenants: router("/:tenant", { routes: strict }) } }),
    'tenants.read: "params" refuses the parameter "tenant" of /:tenant/:id; add it to the schema',
  );
  const fix = "write route.get(…) or router(…), or a contract without a spread";
  const slim = slimContract({ read: ["GET", "/read", {}, {}] } as never);
  const misfits: Readonly<Record<string, unknown>> = {
    slim,
    spread: { ...billing.routes },
    copied: JSON.parse(JSON.stringify(billing)),
    spreadContract: { ...billing },
    alike: { routes: { read: tenant.routes.read } },
    implementation: defineServer(tenant).implement({ read: ({ response }) => response(200, "") }),
  };
  for (const [name, entry] of Object.entries(misfits)) {
    assertRefused(
      () => defineContract({ routes: { [name]: entry } as never }),
      `${name} must be a route or a router, got an object; ${fix}`,
    );
    assertRefused(() => router("/", { routes: { [name]: entry } as never }), `${name} must be a route or a router`);
  }
  assertRefused(() => defineContract({ routes: slim as never }), "must be a route or a router");
  // @ts-expect-error -- a spread of a router is not a router
  assertRefused(() => defineContract({ routes: { v1: { ...billing.routes } } }), "v1 must be a route or a router");
  // @ts-expect-error -- a slim contract has no schemas
  assertRefused(() => defineContract({ routes: { slim } }), "slim must be a route or a router");
  // @ts-expect-error -- an object with routes is not a contract
  assertRefused(() => defineContract({ routes: { alike: { routes: billing.routes } } }), "alike must be a route");
});

/** Trees of routes: any depth, slashes, parameters, security, refusals, own responses, codecs. */
const trees: fc.Arbitrary<RouteTree> = fc.letrec<{ tree: RouteTree; entry: RouteTree[string] }>((tie) => ({
  tree: fc.uniqueArray(tie("entry"), { minLength: 1, maxLength: 3 }).map((entries) =>
    Object.fromEntries(entries.map((entry, index) => [`k${index}`, entry]))
  ),
  entry: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record({
      method: fc.constantFrom("get", "put", "query"),
      path: fc.nat({ max: 1e9 }).chain((unique) =>
        fc.constantFrom(`/r${unique}`, `r${unique}/`, `/:p${unique}/r${unique}`)
      ),
      options: fc.record({
        security: fc.constantFrom([], [token], [token.scoped("read"), security.none], [security.all(token, key)]),
        trailingSlash: fc.boolean(),
        deprecated: fc.constantFrom(true, false, { since: "2026-01-01" }),
        refusals: fc.constantFrom({ 400: response.problem() }, { 401: response.empty() }, {
          400: 422,
          422: response.empty(),
        }),
        docs: fc.constantFrom({ tags: ["t"] }, { summary: "s" }),
        query: fc.constant(z.object({ q: z.string().optional() })),
      }, { requiredKeys: ["security"] }),
    }).map(({ method, path, options }) =>
      route[method as "get"](
        path,
        { ...options, responses: { 200: response.json(upper), 404: response.text() } } as never,
      )
    ),
    fc.record({
      path: fc.constantFrom("/", "/g", "h/", "/:group", ""),
      routes: tie("tree"),
      options: fc.record({
        responses: fc.constantFrom({ 404: response.empty() }, { 429: response.text() }),
        deprecated: fc.boolean(),
        docs: fc.constant({ tags: ["group"] }),
        refusals: fc.constant({ 500: response.problem() }),
      }, { requiredKeys: [] }),
    }).filter(isValid).map(({ path, routes, options }) => router(path, { ...options, routes } as never)),
  ),
})).tree.filter((routes) => isValid({ path: "/", routes, options: {} }));

/** Returns whether a tree has no parameter twice, and no two routes that match the same requests. */
function isValid(
  { path, routes, options }: { readonly path: string; readonly routes: object; readonly options: object },
): boolean {
  try {
    router(path, { ...options, routes } as never);
    return true;
  } catch {
    return false;
  }
}

/** The members of all routes, without their keys and what is derived from these. */
function membersOf({ routes }: Contract): readonly object[] {
  return routesOf(routes).map(({ key: _, origin: _origin, ...members }: RouteNode) => members);
}

/** The dotted keys of all routes. */
function keysOf({ routes }: Contract): readonly string[] {
  return routesOf(routes).map(({ key }) => key);
}

Deno.test("a contract that is mounted at / has the same routes, except for their keys", () => {
  fc.assert(
    fc.property(trees, fc.constantFrom("", "/api"), (routes, basePath) => {
      const contract = defineContract({ basePath, routes });
      const before = JSON.stringify(contract);
      for (const tree of [{ in: contract }, { in: contract.routes }, { in: router("/", { routes: contract }) }]) {
        const mounted = defineContract({ routes: tree as RouteTree });
        assertEquals(membersOf(mounted), membersOf(contract));
        assertEquals(keysOf(mounted), keysOf(contract).map((key) => `in.${key}`));
      }
      for (const whole of [contract, contract.routes as RouteTree]) {
        const same = defineContract({ routes: whole });
        assertEquals([membersOf(same), keysOf(same)], [membersOf(contract), keysOf(contract)]);
      }
      assertEquals(JSON.stringify(contract), before);
    }),
    tries(60),
  );
});

Deno.test("to mount a contract twice equals mounting it once at the joined path", () => {
  const around = fc.record({
    responses: fc.constantFrom({ 404: response.empty() }, { 418: response.text() }, {}),
    refusals: fc.constantFrom({ 400: response.problem() }, { 413: response.empty() }, undefined),
    deprecated: fc.constantFrom(true, { since: "2026-02-02" }, undefined),
    docs: fc.constantFrom({ tags: ["outer"] }, {}),
  });
  fc.assert(
    fc.property(trees, around, around, (routes, inner, outer) => {
      const contract = defineContract({ routes });
      const first = defineContract({ ...withoutUndefined(inner), basePath: "/a", routes: { x: contract } });
      const twice = defineContract({ ...withoutUndefined(outer), basePath: "/b", routes: { y: first } });
      const once = defineContract({
        ...withoutUndefined(outer),
        basePath: "/b",
        routes: {
          y: router("/", {
            ...withoutUndefined(outer),
            routes: { z: router("/a", { ...withoutUndefined(inner), routes: { x: contract } }) },
          }),
        },
      });
      assertEquals(membersOf(twice), membersOf(once));
    }),
    tries(60),
  );
});

function withoutUndefined(options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

Deno.test("a client of the original contract calls its mounted routes by a longer baseUrl", async () => {
  const inner = defineContract({
    routes: {
      read: route.get("/:id", { query: z.object({ q: z.string() }), responses: { 200: response.json(upper) } }),
      slash: route.put("/:id", { body: z.string(), trailingSlash: true, responses: { 200: response.json(upper) } }),
    },
  });
  const outer = defineContract({ basePath: "/api", routes: { inner: router("/v1", { routes: inner }) } });
  const handler = createFetchHandler(
    defineServer(outer).implement({
      inner: {
        read: ({ params, query, response }) => response(200, params.id + query.q),
        slash: ({ params, body, response }) => response(200, params.id + body),
      },
    }),
  );
  const client = createClient(inner, { baseUrl: "http://localhost/api/v1", fetch: handler });
  const read = await client.read({ params: { id: "a" }, query: { q: "b" } });
  const slash = await client.slash({ params: { id: "c" }, body: "d" });
  assertEquals([read.body, slash.body], ["AB", "CD"]);
});

Deno.test("openApiDocument() of a composed contract has the operations of the original below the prefix", () => {
  fc.assert(
    fc.property(trees, (routes) => {
      const info = { title: "", version: "" };
      const contract = defineContract({ routes });
      const mounted = defineContract({ basePath: "/p", routes: { in: contract } });
      const [one, other] = [contract, mounted].map((each) => openApiDocument(each, { info, version: "3.2" }));
      const renamed = Object.entries(one!.paths).map(([path, item]) => [path === "/" ? "/p" : `/p${path}`, item]);
      const text = JSON.stringify(Object.fromEntries(renamed)).replaceAll('"operationId":"', '"operationId":"in.');
      assertEquals(JSON.parse(JSON.stringify(other!.paths)), JSON.parse(text));
      assertEquals(other!.components?.securitySchemes, one!.components?.securitySchemes);
    }),
    tries(20),
  );
});

Deno.test("renameScheme() and withSchemes() give a scheme of an imported contract another name", async () => {
  const ours = security.bearer("token");
  const inner = defineContract({
    responses: { 404: response.empty() },
    routes: {
      scoped: route.get("/scoped", { security: [token.scoped("read"), security.none], responses }),
      both: route.get("/both", { security: [security.all(token, key)], responses }),
      below: router("/below", { security: [token], routes: { it: route.get("/it", { responses }) } }),
      open: route.get("/open", { security: [], responses }),
    },
  });
  assertRefused(
    () => defineContract({ security: [ours], routes: { inner, me: route.get("/me", { responses }) } }),
    'inner.scoped and me have different security schemes named "token"; rename one, or share it ' +
      "(renameScheme() renames one of an imported contract)",
  );
  const innerToken = renameScheme(token, "innerToken");
  const renamed = withSchemes(inner, innerToken);
  const outer = defineContract({ security: [ours], routes: { inner: renamed, me: route.get("/me", { responses }) } });
  const { scoped, both, below, open } = outer.routes.inner;
  assertType<IsExact<typeof scoped.security[number]["name"], "innerToken" | "">>(true);
  assertType<IsExact<typeof both.security[number]["name"], "innerToken+key">>(true);
  assertType<IsExact<typeof below.it.security[number]["name"], "innerToken">>(true);
  assertType<IsExact<keyof typeof below.it.responses, 200 | 404>>(true);
  const names = [scoped, both, below.it, open].map(({ security }) => security.map(({ name }) => name));
  assertEquals(names, [["innerToken", ""], ["innerToken+key"], ["innerToken"], []]);
  assertEquals(routesOf(inner.routes).map(({ security }) => security?.[0]?.name), [
    "token",
    "token+key",
    "token",
    undefined,
  ]);

  const client = createClient(outer, {
    baseUrl: "http://localhost",
    credentials: { innerToken: "inner", token: "outer", key: "k" },
    fetch: ({ headers }) => new Response(headers.get("authorization"), { headers: { "content-type": "text/plain" } }),
  });
  const sent = [await client.inner.below.it(), await client.inner.both(), await client.me()];
  assertEquals(sent.map(({ body }) => body), ["Bearer inner", "Bearer inner", "Bearer outer"]);
  const { components } = openApiDocument(outer, { info: { title: "", version: "" } });
  assertEquals(Object.keys(components?.securitySchemes ?? {}), ["innerToken", "key", "token"]);
});

Deno.test("renameScheme() and withSchemes() refuse what they cannot rename", () => {
  const contract = defineContract({ security: [token], routes: { it: route.get("/", { responses }) } });
  const renamed = renameScheme(token, "other");
  const scheme = "the scheme must be made by security.bearer(…) or another helper, got an object";
  assertTypeError(() => renameScheme({} as never, "other"), `renameScheme(): ${scheme}`);
  assertTypeError(() => renameScheme(token.scoped("read") as never, "other"), `renameScheme(): ${scheme}`);
  assertTypeError(() => renameScheme(token, "a b"), "renameScheme(): the name must have only letters, digits");
  assertTypeError(
    () => withSchemes({} as never, renamed),
    "withSchemes(): the contract must be made by defineContract()",
  );
  assertTypeError(
    () => withSchemes(contract, token as never),
    "withSchemes(): argument 2 must be made by renameScheme(…), got an object",
  );
  assertTypeError(
    () => withSchemes(contract, renameScheme(key, "other")),
    'withSchemes(): no route has the scheme "key" that "other" renames; its schemes are: token',
  );
  assertTypeError(
    () => withSchemes(contract, renamed, renameScheme(token, "another")),
    'withSchemes(): "token" is renamed twice; remove one',
  );
  assertTypeError(() => renamed.scoped("nope" as never), 'security.bearer("other").scoped(): unknown scope "nope"');
});
