import { defineContract, response, type Responses, route, type RouteNode, router } from "@scope/api";
import { assertEquals } from "@std/assert";
import { assertType, type IsAny, type IsExact } from "@std/testing/types";
import { type } from "arktype";

const Params = type({ id: "string" });
const near = response.json(type({ near: "string" }));
const far = response.text();
const files = router("files/", { routes: { list: route.get("", { responses: { 200: far } }) } });

const contract = defineContract({
  basePath: "/api/",
  responses: { 401: far, 403: far },
  routes: {
    health: route.get("/", { responses: { 200: far } }),
    users: router("/users", {
      responses: { 403: near, 404: far },
      routes: {
        byId: route.patch("/:id", { params: Params, body: Params, responses: { 200: far, 404: near } }),
        files: router("/:id", { routes: { files } }),
      },
    }),
    files,
    key: route.get("/key", { responses: { 200: far } }),
    path: router("/path", { routes: { method: route.delete("/", { responses: { 204: response.empty() } }) } }),
  },
});
const { routes } = contract;

Deno.test("RouteNode has its dotted key, its method and its full path", () => {
  assertType<IsExact<typeof routes.health.key, "health">>(true);
  assertType<IsExact<typeof routes.health.path, "/api">>(true);
  assertType<IsExact<typeof routes.users.byId.key, "users.byId">>(true);
  assertType<IsExact<typeof routes.users.byId.method, "PATCH">>(true);
  assertType<IsExact<typeof routes.users.byId.path, "/api/users/:id">>(true);
  assertEquals(routes.users.byId.path, "/api/users/:id");
});

Deno.test("RouteNode is a separate node in each place", () => {
  assertType<IsExact<typeof routes.files.list.key, "files.list">>(true);
  assertType<IsExact<typeof routes.files.list.path, "/api/files">>(true);
  assertType<IsExact<typeof routes.users.files.files.list.key, "users.files.files.list">>(true);
  assertType<IsExact<typeof routes.users.files.files.list.path, "/api/users/:id/files">>(true);
});

Deno.test("RouteNode has its slots as they were declared", () => {
  const { byId } = routes.users;
  assertType<IsExact<(typeof byId.params)["infer"], { id: string }>>(true);
  assertType<IsExact<typeof byId.query, undefined>>(true);
  assertType<IsExact<typeof byId.headers, undefined>>(true);
  assertType<IsExact<NonNullable<typeof byId.body.types>["received"], { id: string }>>(true);
  assertType<IsExact<typeof routes.health.body, undefined>>(true);
});

Deno.test("RouteNode inherits responses, and nearer ones override them", () => {
  type ByStatus = typeof routes.users.byId.responses;
  assertType<IsExact<keyof ByStatus, 200 | 401 | 403 | 404>>(true);
  assertType<IsExact<ByStatus[401], typeof far>>(true);
  assertType<IsExact<ByStatus[403], typeof near>>(true);
  assertType<IsExact<ByStatus[404], typeof near>>(true);
  assertType<IsExact<keyof typeof routes.users.files.files.list.responses, 200 | 401 | 403 | 404>>(true);
  assertType<IsExact<keyof typeof routes.health.responses, 200 | 401 | 403>>(true);
});

Deno.test("RouterNode may have children named key, path and method", () => {
  assertType<IsExact<typeof routes.key.key, "key">>(true);
  assertType<IsExact<typeof routes.path.method.path, "/api/path">>(true);
});

Deno.test("RouteNode does not contain any", () => {
  assertType<IsAny<typeof routes.users.byId.params>>(false);
  assertType<IsAny<typeof routes.users.byId.body>>(false);
  assertType<IsAny<typeof routes.users.byId.responses[200]>>(false);
  assertType<IsAny<Responses[200]>>(false);
});

Deno.test("RouteNode does not contain any if an entry of a contract is any", () => {
  // deno-lint-ignore no-explicit-any -- what a module without types exports
  const untyped: any = route.get("/untyped", { responses: { 200: far } });
  const { entry } = defineContract({ routes: { entry: untyped } }).routes;
  type Node = Extract<typeof entry, RouteNode>;

  assertType<IsAny<Node["params"]>>(false);
  assertType<IsExact<Node["responses"], Responses>>(true);
});
