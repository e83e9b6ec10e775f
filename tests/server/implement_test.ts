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

/** The message of `implement` for a tree of handlers that the types would reject. */
function refusalOf(handlers: unknown): string {
  return assertTypeError(() => defineServer(contract).implement(handlers as never));
}

Deno.test("implement() lists all missing, unknown and invalid handlers at once, by dotted key", () => {
  const message = refusalOf({
    health: "ok",
    users: { list: undefined, posts: { list: answer, add: null, remove: answer }, extra: answer },
    more: { deep: answer },
  });
  assertEquals(
    message,
    'server.implement(): health must be a function, got "ok"; users.list is missing; ' +
      "users.posts.add must be a function, got null; users.posts.remove is not in the contract; remove it; " +
      "users.extra is not in the contract; remove it; more is not in the contract; remove it",
  );
});

Deno.test("implement() lists every route of a router that is missing as a whole", () => {
  const message = "server.implement(): users.list is missing; users.posts.list is missing; users.posts.add is missing";
  assertEquals(refusalOf({ health: answer }), message);
  assertEquals(refusalOf({ health: answer, users: undefined }), message);
});

Deno.test("implement() refuses a value that is not an object for a router", () => {
  const users = { list: answer, posts: { list: answer, add: answer } };
  assertEquals(
    refusalOf({ health: answer, users: answer }),
    "server.implement(): users must be an object of handlers, got a function",
  );
  assertEquals(
    refusalOf({ health: answer, users: { ...users, posts: null } }),
    "server.implement(): users.posts must be an object of handlers, got null",
  );
  assertEquals(refusalOf(null), "server.implement(): the argument must be an object of handlers, got null");
});

Deno.test("implement() ignores handlers on a prototype", () => {
  const oddContract = defineContract({ routes: { toString: route.get("/", ok) } });
  assertThrows(() => defineServer(oddContract).implement({} as never), TypeError, "toString is missing");
  assertThrows(
    () => defineServer(oddContract).implement({ toString: answer, valueOf: answer } as never),
    TypeError,
    "valueOf is not in the contract; remove it",
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
    "server.implement(): __proto__ is missing; constructor is missing; then is missing",
  );
});
