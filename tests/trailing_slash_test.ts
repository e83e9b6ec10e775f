/** Routes whose full path ends with a slash, in everything that reads a contract. */
import { defineContract, response, route, router } from "@scope/api";
import { createClient, unwrap } from "@scope/api/client";
import { diffContracts } from "@scope/api/diff";
import { createFetchHandler } from "@scope/api/fetch";
import { mcpTools } from "@scope/api/mcp";
import { mockContract } from "@scope/api/mock";
import { openApiDocument } from "@scope/api/openapi";
import { defineServer } from "@scope/api/server";
import { responseText, slimContract } from "@scope/api/slim";
import { contractTests } from "@scope/api/testing";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { assertType, type IsExact } from "@std/testing/types";
import { type } from "arktype";
import { writeSlimContract } from "../src/tools/slim/write_slim_contract.ts";
import { assertRefused } from "./support/assert_refused.ts";
import { findAll } from "./testing/findings.ts";

const responses = { 200: response.text() };
const trailingSlash = true;
const baseUrl = "http://localhost";

const contract = defineContract({
  basePath: "/api",
  routes: {
    root: route.get("/", { trailingSlash, responses }),
    users: router("/users", {
      routes: {
        list: route.get("/", { trailingSlash, responses }),
        byId: route.get("/:id", { trailingSlash, responses }),
        bare: route.get("/:id", { responses }),
        rename: route.put(":id/", { trailingSlash, body: type("string"), responses }),
        add: route.post("/", { trailingSlash: false, responses }),
      },
    }),
  },
});

const handler = createFetchHandler(
  defineServer(contract).implement({
    root: ({ response }) => response(200, "root"),
    users: {
      list: ({ response }) => response(200, "list"),
      byId: ({ params, response }) => response(200, `byId ${params.id}`),
      bare: ({ params, response }) => response(200, `bare ${params.id}`),
      rename: ({ params, response }) => response(200, `rename ${params.id}`),
      add: ({ response }) => response(200, "add"),
    },
  }),
);

async function ask(path: string, method = "GET"): Promise<string | number> {
  const answer = await handler(new Request(`${baseUrl}${path}`, { method }));
  const text = await answer.text();
  return answer.ok ? text : answer.status;
}

/** A contract with one route, and its handler. */
const alone = defineContract({ routes: { byId: route.get("/users/:id", { trailingSlash, responses }) } });
const strict = createFetchHandler(
  defineServer(alone).implement({ byId: ({ params, response }) => response(200, params.id) }),
);
const bare = defineContract({ routes: { byId: route.get("/users/:id", { responses }) } });

Deno.test("a route with trailingSlash has a full path that ends with a slash, also in its type", () => {
  const { root, users } = contract.routes;
  assertType<IsExact<typeof root.path, "/api/">>(true);
  assertType<IsExact<typeof users.byId.path, "/api/users/:id/">>(true);
  assertType<IsExact<typeof users.bare.path, "/api/users/:id">>(true);
  assertType<IsExact<typeof users.add.path, "/api/users">>(true);
  assertEquals([root, users.list, users.byId, users.bare, users.rename, users.add].map(({ path }) => path), [
    "/api/",
    "/api/users/",
    "/api/users/:id/",
    "/api/users/:id",
    "/api/users/:id/",
    "/api/users",
  ]);
});

Deno.test("the type of a path has both forms if trailingSlash is a boolean variable", () => {
  const either = route.get("/a", { trailingSlash: Math.random() < 2, responses });
  const { routes } = defineContract({ routes: { either } });
  assertType<IsExact<typeof routes.either.path, "/a" | "/a/">>(true);
  assertEquals(routes.either.path, "/a/");
});

Deno.test("a route with trailingSlash is refused if its full path is /, or if another has its path", () => {
  const leaf = route.get("/", { trailingSlash, responses });
  const state = 'has "trailingSlash", but its path is "/"; remove the option';
  assertRefused(() => defineContract({ routes: { leaf } }), "defineContract()", `leaf ${state}`);
  const nothing = router("/", { routes: { leaf, bare: route.get("", { responses }) } });
  assertRefused(() => defineContract({ basePath: "/", routes: { nothing } }), `nothing.leaf ${state}`);
  assertEquals(defineContract({ basePath: "/api", routes: { nothing } }).routes.nothing.leaf.path, "/api/");

  const routes = { one: route.get("/:id", { trailingSlash, responses }), other: route.get("/:x/", { responses }) };
  defineContract({ routes });
  const third = route.get("/:name/", { trailingSlash, responses });
  assertRefused(() => defineContract({ routes: { ...routes, third } }), "one and third both match GET /:name/;");
});

Deno.test("trailingSlash must be a boolean", () => {
  assertThrows(
    // @ts-expect-error: not a boolean
    () => route.get("/a", { trailingSlash: "yes", responses }),
    TypeError,
    'route.get("/a"): "trailingSlash" must be a boolean, got "yes"',
  );
});

Deno.test("the server matches the slash at the end of a path exactly", async () => {
  const expected: Record<string, string | number> = {
    "/api/": "root",
    "/api": 404,
    "/api//": 404,
    "/api/users/": "list",
    "/api/users/42/": "byId 42",
    "/api/users/42": "bare 42",
    "/api/users/a%2Fb/": "byId a/b",
    "/api/users/%2F/": "byId /",
    "/api/users//": 404,
    "/api/users/42//": 404,
    "/api/users/42/x": 404,
  };
  for (const [path, route] of Object.entries(expected)) {
    assertEquals(await ask(path), route, path);
    assertEquals(await ask(`${path}?a=/`), route, path);
  }
  assertEquals([await ask("/api/users", "POST"), await ask("/api/users/", "POST")], ["add", 405]);
  assertEquals((await strict(new Request(`${baseUrl}/users/42`))).status, 404);
});

type Answer = (status: number, body: string) => unknown;

Deno.test("a route with trailingSlash is found among many literals, which are looked up by text", async () => {
  const names = [..."abcdefghijkl"];
  const routes = Object.fromEntries([
    ...names.map((name) => [name, route.get(`/x/${name}`, { responses })]),
    ["end", route.get("/x", { trailingSlash, responses })],
  ]);
  const many = defineContract({ routes });
  const answers = Object.fromEntries(
    Object.keys(routes).map((key) => [key, ({ response }: { response: Answer }) => response(200, key)]),
  );
  const ask = createFetchHandler(defineServer(many).implement(answers as never));
  assertEquals(await (await ask(new Request(`${baseUrl}/x/?q`))).text(), "end");
  assertEquals(await (await ask(new Request(`${baseUrl}/x/l`))).text(), "l");
  assertEquals((await ask(new Request(`${baseUrl}/x`))).status, 404);
});

Deno.test("calls, URLs and slim contracts have the slash", async () => {
  const rows = writeSlimContract(alone, {
    name: "contract",
    contract: "./contract.ts",
    codecs: undefined,
    library: "@scope/api/slim",
  });
  assert(rows.includes('["GET", "/users/:id/", {}, { 200: slim.responseText }]'), rows);
  // @ts-expect-error: rows without the slash are outdated
  slimContract<typeof alone>({ byId: ["GET", "/users/:id", {}, { 200: responseText }] });
  const slim = slimContract<typeof alone>({ byId: ["GET", "/users/:id/", {}, { 200: responseText }] });
  for (const each of [alone, slim]) {
    const client = createClient(each, { baseUrl, fetch: strict });
    assertEquals(client.byId.url({ params: { id: "a/b" } }), `${baseUrl}/users/a%2Fb/`);
    assertEquals(unwrap(await client.byId({ params: { id: "42" } })), "42");
  }
  const client = createClient(contract, { baseUrl, fetch: handler });
  assertEquals(client.root.url(), `${baseUrl}/api/`);
  assertEquals(unwrap(await client.users.byId({ params: { id: "1" } })), "byId 1");
  assertEquals(unwrap(await client.users.bare({ params: { id: "1" } })), "bare 1");
});

Deno.test("an OpenAPI document has the slash, and both forms of a path", () => {
  const { paths } = openApiDocument(contract, { info: { title: "Users", version: "1" } });
  assertEquals(Object.keys(paths), ["/api/", "/api/users/", "/api/users/{id}/", "/api/users/{id}", "/api/users"]);
  assertEquals(Object.keys(paths["/api/users/{id}/"]!), ["get", "put"]);
});

Deno.test("diffContracts() compares the slash, between contracts and documents", () => {
  const info = { title: "Users", version: "1" };
  for (
    const toSide of [
      (each: typeof alone | typeof bare) => each,
      (each: typeof alone | typeof bare) => openApiDocument(each, { info }),
    ]
  ) {
    const [before, after] = [toSide(bare), toSide(alone)];
    assertEquals(diffContracts(after, alone).filter(({ verdict }) => verdict !== "compatible"), []);
    assertEquals(diffContracts(before, after).map(({ rule, message }) => [rule, message]), [
      ["route-removed", "GET /users/{id} was removed"],
      ["route-added", "GET /users/{id}/ was added"],
    ]);
  }
});

Deno.test("diffContracts() finds calls that a new route takes from one with a slash, and no others", () => {
  const me = route.get("/users/me", { trailingSlash, responses });
  const list = route.get("/:group", { trailingSlash, responses });
  const byId = route.get("/users/:id", { trailingSlash, responses });
  const below = route.get("/users/me/:post", { responses });
  const both = route.get("/:group/:id", { responses });
  const changes = (before: object, after: object) =>
    diffContracts(defineContract({ routes: before as never }), defineContract({ routes: after as never }))
      .map(({ verdict, message }) => `${verdict} ${message}`);
  const taken = ["breaking /users/me/ goes to me now", "compatible GET /users/me/ was added"];
  assertEquals(changes({ byId }, { byId, me }), taken);
  assertEquals(changes({ byId, below }, { byId, below, me }), taken); // a parameter is never empty
  assertEquals(changes({ both }, { both, list }), ["compatible GET /{group}/ was added"]);
});

Deno.test("a mock and MCP tools use the slash", async () => {
  const mock = mockContract(alone);
  const urls: string[] = [];
  const fetch = (request: Request) => (urls.push(new URL(request.url).pathname), mock(request));
  const tools = mcpTools(alone, { fetch, tools: { byId: "Find a user." } });
  assertEquals((await tools.call("byId", { params: { id: "42" } })).isError, undefined);
  assertEquals(urls, ["/users/42/"]);
  assertEquals((await mock(new Request(`${baseUrl}/users/42`))).status, 404);
});

Deno.test("contractTests() ask without the slash too, and accept a server that distinguishes both", async () => {
  const paths = new Set<string>();
  const target = (request: Request) => (paths.add(new URL(request.url).pathname), handler(request));
  assertEquals(await findAll(contractTests(contract, { target, runs: 40 })), []);
  assert(paths.has("/api") && paths.has("/api/users"));
  assert(paths.has("/api/users/%zz/") && paths.has("/api/users/a%2Fb/"));

  const sloppy = (request: Request) => strict(new Request(request.url.replace(/([^/?]+)\/?(?=\?|$)/, "$1/"), request));
  const found = await findAll(contractTests(alone, { target: sloppy, runs: 40 }));
  assertEquals([...new Set(found.map(({ rule }) => rule))], ["not-found"]);
  assertEquals(await findAll(contractTests(alone, { target: sloppy, runs: 40, profile: "http" })), []);
});

Deno.test("contractTests() find that a thing with a trailing slash is still there after DELETE", async () => {
  const things = defineContract({
    routes: {
      add: route.post("/things", {
        trailingSlash,
        responses: { 201: response.empty({ headers: type({ location: "string" }) }) },
      }),
      get: route.get("/things/:id", { trailingSlash, responses: { ...responses, 404: response.empty() } }),
      remove: route.delete("/things/:id", {
        trailingSlash,
        responses: { 204: response.empty(), 404: response.empty() },
      }),
    },
  });
  const kept = new Set<string>();
  const target = createFetchHandler(
    defineServer(things).implement({
      add: ({ response }) => {
        kept.add(`t${kept.size}`);
        return response(201, undefined, { location: `/things/t${kept.size - 1}/` });
      },
      get: ({ params, response }) => kept.has(params.id) ? response(200, params.id) : response(404),
      remove: ({ params, response }) => response(kept.has(params.id) ? 204 : 404),
    }),
  );
  const tests = contractTests(things, { target, mutates: true, runs: 40 });
  const found = await findAll(tests.filter(({ name }) => name === "sequences of calls"));
  assertEquals(found.map(({ rule, route }) => [rule, route]), [["deleted-is-gone", "remove"]]);
});
