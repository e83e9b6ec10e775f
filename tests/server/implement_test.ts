import { defineContract, response, route, router } from "@scope/api";
import { defineServer } from "@scope/api/server";
import { createFetchHandler } from "@scope/api/fetch";
import { assertEquals, assertThrows } from "@std/assert";
import { assertTypeError } from "../support/assert_refused.ts";

const ok = { responses: { 200: response.text() } };

const contract = defineContract({
  routes: {
    health: route.get("/health", ok),
    users: router("/users", {
      routes: {
        list: route.get("/", ok),
        posts: router("/posts", { routes: { list: route.get("/", ok), add: route.post("/", ok) } }),
      },
    }),
  },
});

const answer = (): { status: 200; body: string } => ({ status: 200, body: "" });

/** What `implement` says of a tree of handlers that no type would let through. */
function refusalOf(handlers: unknown): string {
  return assertTypeError(() => defineServer(contract).implement(handlers as never));
}

Deno.test("implement() lists every missing, unknown and non-function leaf at once, by its dotted key", () => {
  const message = refusalOf({
    health: "ok",
    users: { list: undefined, posts: { list: answer, add: null, remove: answer }, extra: answer },
    more: { deep: answer },
  });
  assertEquals(
    message,
    "Cannot implement the contract: health is no function; write a function; users.list is missing; write a function; " +
      "users.posts.add is no function; write a function; users.posts.remove is unknown; the contract has no such route; " +
      "users.extra is unknown; the contract has no such route; more is unknown; the contract has no such route",
  );
});

Deno.test("implement() lists every route of a router that is missing as a whole", () => {
  const message = "Cannot implement the contract: users.list is missing; write a function; " +
    "users.posts.list is missing; write a function; users.posts.add is missing; write a function";
  assertEquals(refusalOf({ health: answer }), message);
  assertEquals(refusalOf({ health: answer, users: undefined }), message);
});

Deno.test("implement() refuses a value that is not an object for a router", () => {
  const users = { list: answer, posts: { list: answer, add: answer } };
  assertEquals(
    refusalOf({ health: answer, users: answer }),
    "Cannot implement the contract: users is no object; write an object of handlers",
  );
  assertEquals(
    refusalOf({ health: answer, users: { ...users, posts: null } }),
    "Cannot implement the contract: users.posts is no object; write an object of handlers",
  );
  assertEquals(refusalOf(null), "Cannot implement the contract: the tree is no object; write an object of handlers");
});

Deno.test("implement() does not take a handler from a prototype", () => {
  const oddContract = defineContract({ routes: { toString: route.get("/", ok) } });
  assertThrows(() => defineServer(oddContract).implement({} as never), TypeError, "toString is missing");
  assertThrows(
    () => defineServer(oddContract).implement({ toString: answer, valueOf: answer } as never),
    TypeError,
    "valueOf is unknown",
  );
});

Deno.test("implement() accepts unusual keys", async () => {
  const keys = ["__proto__", "constructor", "then", "a.b", "", "path", "routes", "hasOwnProperty"];
  const routes = Object.fromEntries(keys.map((key, index) => [key, route.get(`/${index}`, ok)]));
  const handlers = Object.fromEntries(keys.map((key) => [key, () => ({ status: 200, body: key })]));
  const handler = createFetchHandler(defineServer(defineContract({ routes })).implement(handlers as never));
  for (const [index, key] of keys.entries()) {
    const answered = await handler(new Request(`http://localhost/${index}`));
    assertEquals(await answered.text(), key);
  }
});

Deno.test("implement() lists missing unusual keys", () => {
  const routes = { ["__proto__"]: route.get("/1", ok), constructor: route.get("/2", ok), then: route.get("/3", ok) };
  const message =
    assertThrows(() => defineServer(defineContract({ routes })).implement({} as never), TypeError).message;
  assertEquals(
    message,
    "Cannot implement the contract: __proto__ is missing; write a function; constructor is missing; write a function; " +
      "then is missing; write a function",
  );
});
