import { defineContract, request, response, route } from "@scope/api";
import { createFetchHandler, type FetchHandler, type FetchOptions } from "@scope/api/fetch";
import { type Awaitable, type ContextInput, defineServer } from "@scope/api/server";
import { assert, assertEquals, assertInstanceOf, assertStrictEquals, assertStringIncludes } from "@std/assert";
import { type } from "arktype";
import { assertProblem, listen } from "../support/mount_route.ts";

const contract = defineContract({
  routes: {
    add: route.post("/users/:id", {
      query: type({ "n?": "string.numeric" }),
      body: request.json(type({ name: "string" })),
      responses: { 200: response.json<unknown>() },
    }),
  },
});

/** A handler that responds with its context. */
function echo(context: (input: ContextInput) => Awaitable<object>, options: FetchOptions = {}): FetchHandler {
  const implementation = defineServer(contract, { context })
    .implement({ add: ({ context, response }) => response(200, context) });
  return createFetchHandler(implementation, options);
}

function post(path = "/users/1", body = '{"name":"Ada"}', init: RequestInit = {}): Request {
  return new Request(`http://localhost${path}`, {
    method: "POST",
    body,
    headers: { "content-type": "application/json" },
    ...init,
  });
}

Deno.test("context() passes its result to handlers, synchronously or not", async () => {
  for (const made of [{ user: "Ada" }, Promise.resolve({ user: "Ada" })]) {
    const answer = await echo(() => made)(post());
    assertEquals(await answer.json(), { user: "Ada" });
  }
});

Deno.test("context() receives the request, its signal and the route", async () => {
  const incoming = post();
  let seen: ContextInput | undefined;
  await echo((input) => seen = input)(incoming);
  assert(seen);
  assertStrictEquals(seen.request, incoming);
  assertStrictEquals(seen.signal, incoming.signal);
  assertEquals(seen.route, { key: "add", method: "POST", path: "/users/:id" });
});

Deno.test("context() runs once for each matched request", async () => {
  let runs = 0;
  const handler = echo(() => ({ run: ++runs }));
  assertEquals(runs, 0);
  assertEquals(await (await handler(post())).json(), { run: 1 });
  assertEquals(await (await handler(post())).json(), { run: 2 });
});

Deno.test("context() runs after validation, when the body has been read", async () => {
  let used: boolean | undefined;
  await echo(({ request }) => {
    used = request.bodyUsed;
    return {};
  })(post());
  assertEquals(used, true);
});

Deno.test("context() does not run for a refused request", async () => {
  let runs = 0;
  const handler = echo(() => ({ run: ++runs }), { maxBodyBytes: 20 });
  const refused = [
    post("/nowhere"),
    post("/users/%GG"),
    new Request("http://localhost/users/1"),
    post("/users/1?n=x"),
    post("/users/1", "{}"),
    post("/users/1", "{"),
    post("/users/1", '{"name":"Ada Lovelace"}'),
    post("/users/1", "{}", { headers: { "content-type": "text/plain" } }),
  ];
  const statuses = await Promise.all(refused.map(async (request) => (await handler(request)).status));
  assertEquals(statuses, [404, 400, 405, 400, 400, 400, 413, 415]);
  assertEquals(runs, 0);
});

Deno.test("context() that does not return an object fails the request", async () => {
  for (const [made, name] of [[undefined, "undefined"], [null, "null"], ["user", "a string"], [1, "1"]] as const) {
    for (const given of [made, Promise.resolve(made)]) {
      const { heard, onError } = listen();
      await assertProblem(
        await echo(() => given as never, { onError })(post()),
        500,
        "Internal Server Error",
        "internal-error",
      );
      assertEquals(heard.map((report) => report.phase), ["context"]);
      assertInstanceOf(heard[0]?.error, TypeError);
      assertStringIncludes(heard[0].error.message, `defineServer(): "context" must return an object, got ${name}`);
    }
  }
});

Deno.test("context() that throws or rejects fails the request, and no handler starts", async () => {
  const thrown = new Error("no database");
  const factories = [() => {
    throw thrown;
  }, () => Promise.reject(thrown)];
  for (const context of factories) {
    const { heard, onError } = listen();
    let started = false;
    const implementation = defineServer(contract, { context }).implement({
      add: ({ response }) => {
        started = true;
        return response(200, 1);
      },
    });
    assertEquals((await createFetchHandler(implementation, { onError })(post())).status, 500);
    assertEquals(heard.map(({ phase, error }) => [phase, error]), [["context", thrown]]);
    assertEquals(started, false);
  }
});

Deno.test("a result that context() throws is not sent", async () => {
  const { heard, onError } = listen();
  const answer = await echo(() => {
    throw { status: 200, body: "no handler ran" };
  }, { onError })(post());
  assertEquals([answer.status, heard[0]?.phase], [500, "context"]);
});

Deno.test("defineServer() without context() passes an empty context to handlers", async () => {
  const implementation = defineServer(contract).implement({ add: ({ context, response }) => response(200, context) });
  assertEquals(await (await createFetchHandler(implementation)(post())).json(), {});
});
