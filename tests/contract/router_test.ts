import { defineContract, response, route, router } from "@scope/api";
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { assertRefused } from "../support/assert_refused.ts";

const responses = { 200: response.empty() };
const list = route.get("/", { responses });

Deno.test("router() keeps its declaration", () => {
  const unauthorized = response.empty();
  const users = router("/users", { routes: { list }, responses: { 401: unauthorized }, docs: { tags: ["users"] } });
  assertEquals(users.path, "/users");
  assertStrictEquals(users.routes.list, list);
  assertStrictEquals(users.responses[401], unauthorized);
  assertEquals(users.docs, { tags: ["users"] });
});

Deno.test("router() freezes its result and nothing of the user's", () => {
  const options = { routes: { list }, responses: { 401: response.empty() }, docs: { tags: ["users"] } };
  const users = router("/users", options);
  for (const made of [users, users.routes, users.responses, users.docs]) assert(Object.isFrozen(made));
  for (const own of [options, options.routes, options.responses, options.docs, options.docs.tags]) {
    assert(!Object.isFrozen(own));
  }
});

Deno.test("router() is not affected by later changes of its options", () => {
  const options: Record<string, Record<string, unknown>> = {
    routes: { list },
    responses: { 401: response.empty() },
    docs: { summary: "Users" },
  };
  const users = router("/users", options as never);
  options["routes"]!["more"] = list;
  options["responses"]![404] = response.empty();
  options["docs"]!["summary"] = "Changed";
  assertEquals(Object.keys(users.routes), ["list"]);
  assertEquals(Object.keys(users.responses), ["401"]);
  assertEquals(users.docs, { summary: "Users" });
});

Deno.test("router() without routes throws", () => {
  assertRefused(() => router("/users", { routes: {} }), 'router("/users")', '"routes" must have at least one route');
  assertRefused(
    () => router("/users", {} as never),
    'router("/users")',
    "routes",
    "must be a plain object like { key: … }, got undefined",
  );
});

Deno.test("defineContract() without routes throws", () => {
  assertRefused(() => defineContract({ routes: {} }), "defineContract()", '"routes" must have at least one route');
  assertRefused(
    () => defineContract({} as never),
    "defineContract()",
    "routes",
    "must be a plain object like { key: … }, got undefined",
  );
});

const strangers: readonly (readonly [found: string, entry: unknown])[] = [
  ["null", null],
  ["undefined", undefined],
  ["an array", [list]],
  ['"/users"', "/users"],
  ["a function", route.get],
  ["an object", {}],
  ["an object", { list }],
  ["an object", { ...list }],
  ["an object", response.empty()],
  ["an object", { ...defineContract({ routes: { list } }).routes }],
];

Deno.test("router() and defineContract() refuse an entry that is neither a route nor a router nor a contract", () => {
  for (const [found, entry] of strangers) {
    const routes = { list, other: entry } as never;
    const parts = [
      `other must be a route or a router, got ${found}; write route.get(…) or router(…), or a contract without a spread`,
    ];
    assertRefused(() => router("/users", { routes }), 'router("/users")', ...parts);
    assertRefused(() => defineContract({ routes }), "defineContract()", ...parts);
  }
});

Deno.test("defineContract() refuses a router as its routes", () => {
  const routes = router("/users", { routes: { list } }) as never;
  assertRefused(() => defineContract({ routes }), "defineContract()", "must be a route or a router, got ");
});
