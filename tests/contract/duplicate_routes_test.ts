/** Two routes with one method and paths of one shape. */
import { defineContract, response, route, router } from "@scope/api";
import { assertEquals } from "@std/assert";
import { assertRefused } from "../support/assert_refused.ts";

const responses = { 200: response.empty() };
const get = (path: string) => route.get(path, { responses });

Deno.test("defineContract() refuses two routes with one method and path", () => {
  const routes = { first: get("/users"), second: get("/users") };
  assertRefused(
    () => defineContract({ routes }),
    "defineContract()",
    "first and second",
    "GET /users; change the method or path of one",
  );
});

Deno.test("defineContract() refuses paths that differ only in parameter names or outer slashes", () => {
  const pairs = [["/:id", "/:name"], ["/a/:id/b/:to", "/a/:x/b/:y"], ["/users", "users/"], ["", "/"], [
    "/:a/:b",
    "/:b/:a",
  ]];
  for (const [one, other] of pairs as [string, string][]) {
    const routes = { one: get(one), other: get(other) };
    assertRefused(() => defineContract({ routes }), "one and other both match GET");
  }
});

Deno.test("defineContract() names both dotted keys of a duplicate across routers", () => {
  const users = router("/users", {
    routes: { byId: get("/:id"), posts: router("/:id/posts", { routes: { all: get("") } }) },
  });
  const deep = router("", { routes: { deeper: router("users", { routes: { one: get(":name") } }) } });
  assertRefused(
    () => defineContract({ basePath: "/api", routes: { users, deep } }),
    "users.byId and deep.deeper.one",
    "GET /api/users/:name;",
  );
  assertRefused(() => defineContract({ routes: { users, flat: get("/users/:x/posts") } }), "users.posts.all and flat");
});

Deno.test("router() refuses two routes with one method and path below it", () => {
  const inner = router("/", { routes: { second: get("/:name") } });
  assertRefused(
    () => router("/users", { routes: { first: get("/:id"), inner } }),
    'router("/users")',
    "first and inner.second",
    "change the method or path of one",
  );
});

Deno.test("defineContract() refuses one declaration mounted twice at one path", () => {
  const health = get("/health");
  assertRefused(() => defineContract({ routes: { health, alias: health } }), "health and alias");
});

Deno.test("defineContract() accepts one path with different methods", () => {
  const routes = {
    get: route.get("/:id", { responses }),
    head: route.head("/:id", { responses }),
    post: route.post("/:name", { responses }),
    put: route.put("/:id", { responses }),
    patch: route.patch("/:id", { responses }),
    delete: route.delete("/:id", { responses }),
    options: route.options("/:id", { responses }),
    query: route.query("/:id", { responses }),
  };
  assertEquals(Object.keys(defineContract({ routes }).routes).length, 8);
});

Deno.test("defineContract() accepts paths of different shapes", () => {
  const paths = [
    "/a",
    "/A",
    "/:id",
    "/a/:id",
    "/:id/a",
    "/a/b",
    "/:id/:to",
    "/é",
    "/e\u0301",
    "/a:b",
    "/a:c",
    "/x/a:b",
  ];
  const routes = Object.fromEntries(paths.map((path) => [path, get(path)]));
  assertEquals(Object.keys(defineContract({ routes }).routes).length, paths.length);
});
