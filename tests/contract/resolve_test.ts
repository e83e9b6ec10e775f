/** The resolved tree: each route in its place, with everything that it inherits. */
import { defineContract, request, response, route, router } from "@scope/api";
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { assertType, type IsExact } from "@std/testing/types";
import { type } from "arktype";

const responses = { 200: response.empty() };
const leaf = route.get("/", { responses });

Deno.test("defineContract() sets the dotted key, method and full path of every route", () => {
  const contract = defineContract({
    basePath: "/api",
    routes: {
      health: route.get("/health", { responses }),
      users: router("/users", {
        routes: {
          list: route.get("/", { responses }),
          byId: route.delete("/:id", { responses }),
          posts: router("/:user/posts", { routes: { latest: route.query("latest/", { responses }) } }),
        },
      }),
    },
  });
  const { health, users } = contract.routes;
  const nodes = [health, users.list, users.byId, users.posts.latest];
  assertEquals(nodes.map(({ key, method, path }) => [key, method, path]), [
    ["health", "GET", "/api/health"],
    ["users.list", "GET", "/api/users"],
    ["users.byId", "DELETE", "/api/users/:id"],
    ["users.posts.latest", "QUERY", "/api/users/:user/posts/latest"],
  ]);
  assertEquals(Object.keys(contract.routes), ["health", "users"]);
  assertEquals(Object.keys(users), ["list", "byId", "posts"]);
});

Deno.test("defineContract() sets the declared slots of every route", () => {
  const params = type({ id: "string" });
  const query = type({ "deep?": "string" });
  const headers = type({ "if-match?": "string" });
  const body = request.text();
  const put = route.put("/:id", { params, query, headers, body, responses });
  const { routes } = defineContract({ routes: { users: router("/users", { routes: { put, leaf } }) } });
  const node = routes.users.put;
  assert(node.params === params && node.query === query && node.headers === headers);
  assertStrictEquals(node.body, body);
  const { params: noParams, query: noQuery, headers: noHeaders, body: noBody } = routes.users.leaf;
  assertEquals([noParams, noQuery, noHeaders, noBody], [undefined, undefined, undefined, undefined]);
});

Deno.test("defineContract() ignores slashes at either end of a part", () => {
  for (const basePath of ["api", "/api", "api/", "/api/", "//api//"]) {
    for (const own of ["users", "/users", "users/", "/users/"]) {
      const users = router(own, { routes: { me: route.get("/me/", { responses }) } });
      assertEquals(defineContract({ basePath, routes: { users } }).routes.users.me.path, "/api/users/me");
    }
  }
});

Deno.test('defineContract() ignores "/" and "" as parts of a path', () => {
  for (const nothing of ["", "/", "//"]) {
    const inner = router(nothing, { routes: { leaf: route.get(nothing, { responses }) } });
    assertEquals(defineContract({ basePath: nothing, routes: { inner } }).routes.inner.leaf.path, "/");
    const users = router("/users", { routes: { inner } });
    assertEquals(defineContract({ basePath: nothing, routes: { users } }).routes.users.inner.leaf.path, "/users");
    assertEquals(defineContract({ basePath: "/api", routes: { inner } }).routes.inner.leaf.path, "/api");
  }
});

Deno.test("defineContract() adds the responses of contract and routers to every route below; nearer ones override them", () => {
  const [contractLevel, outerLevel, innerLevel, routeLevel] = [1, 2, 3, 4].map(() => response.text());
  assert(contractLevel && outerLevel && innerLevel && routeLevel);
  const own = route.get("/own", { responses: { 200: routeLevel, 403: routeLevel } });
  const inner = router("/inner", { routes: { own }, responses: { 402: innerLevel, 403: innerLevel } });
  const outer = router("/outer", { routes: { inner, leaf }, responses: { 401: outerLevel, 402: outerLevel } });
  const contract = defineContract({ routes: { outer, leaf }, responses: { 401: contractLevel, 500: contractLevel } });

  const found = contract.routes.outer.inner.own.responses;
  assertEquals(Object.keys(found), ["200", "401", "402", "403", "500"]);
  assertStrictEquals(found[200], routeLevel);
  assertStrictEquals(found[401], outerLevel);
  assertStrictEquals(found[402], innerLevel);
  assertStrictEquals(found[403], routeLevel);
  assertStrictEquals(found[500], contractLevel);
  assertEquals(Object.keys(contract.routes.outer.leaf.responses), ["200", "401", "402", "500"]);
  assertEquals(Object.keys(contract.routes.leaf.responses), ["200", "401", "500"]);
  assertEquals(Object.keys(outer.responses), ["401", "402"]);
  assertEquals(Object.keys(own.responses), ["200", "403"]);
});

Deno.test("defineContract() creates a node for each place in which a declaration is mounted", () => {
  const posts = router("/posts", {
    routes: { byId: route.get("/:post", { responses }) },
    responses: { 410: responses[200] },
  });
  const contract = defineContract({
    routes: {
      mine: router("/me", { routes: { posts }, responses: { 401: responses[200] } }),
      theirs: router("/:user", { routes: { posts } }),
      posts,
    },
  });
  const { mine, theirs, posts: all } = contract.routes;
  const nodes = [mine.posts.byId, theirs.posts.byId, all.byId];
  assertEquals(nodes.map(({ key, path }) => [key, path]), [
    ["mine.posts.byId", "/me/posts/:post"],
    ["theirs.posts.byId", "/:user/posts/:post"],
    ["posts.byId", "/posts/:post"],
  ]);
  assertEquals(nodes.map((node) => Object.keys(node.responses)), [["200", "401", "410"], ["200", "410"], [
    "200",
    "410",
  ]]);
  assert(!Object.is(mine.posts, theirs.posts));
});

Deno.test("defineContract() mounts one declaration in two contracts", () => {
  const one = defineContract({ basePath: "/one", routes: { leaf } });
  const two = defineContract({ basePath: "/two", routes: { leaf } });
  assertEquals([one.routes.leaf.path, two.routes.leaf.path], ["/one", "/two"]);
});

Deno.test("defineContract() types a node's key and path like their values", () => {
  const users = router("users/", { routes: { 7: route.get("/:id/", { responses }) } });
  const { routes } = defineContract({ basePath: "/api/", routes: { users } });
  const node = routes.users[7];
  assertType<IsExact<typeof node.key, "users.7">>(true);
  assertType<IsExact<typeof node.path, "/api/users/:id">>(true);
  assertEquals([node.key, node.path], ["users.7", "/api/users/:id"]);
});
