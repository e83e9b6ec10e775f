import { defineContract, response, route, router, security } from "@scope/api";
import { createFetchHandler, type FetchHandler } from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";
import { assertEquals, assertThrows } from "@std/assert";

const session = security.cookie("session", { cookie: "session" });

const contract = defineContract({
  responses: { 429: response.problem() },
  routes: {
    health: route.get("/health", { security: [], responses: { 200: response.text() } }),
    users: router("/users", {
      security: [session],
      responses: { 403: response.text() },
      routes: {
        list: route.get("/", { responses: { 200: response.text(), 418: response.text() } }),
        files: router("/files", {
          responses: { 410: response.text() },
          routes: { one: route.get("/:id", { responses: { 200: response.text() } }) },
        }),
      },
    }),
  },
});
const { health, users } = contract.routes;

const server = defineServer(contract, { security: [verify(session, ({ value }) => ({ id: value }))] });
const asAda = { cookie: "session=ada" };

async function ask(handler: FetchHandler, path: string, headers: HeadersInit = asAda): Promise<string> {
  const answer = await handler(new Request(`http://localhost${path}`, { headers }));
  return `${answer.status} ${await answer.text()}`;
}

Deno.test("server.at() of a router may respond with the shared responses of the routes below, including inherited ones", async () => {
  const atUsers = server.at(users);
  for (
    const [guarded, expected] of [
      [atUsers.guard(({ response }) => response(403, "no")), "403 no"],
      [atUsers.use(({ response }) => response(403, "none")), "403 none"],
    ] as const
  ) {
    const handler = createFetchHandler(guarded.implement({
      list: ({ caller, response }) => response(200, caller.id),
      files: { one: ({ params, response }) => response(200, params.id) },
    }));
    assertEquals([await ask(handler, "/users"), await ask(handler, "/users/files/1")], [expected, expected]);
  }
  const limited = atUsers.guard(({ response }) => response(429, { detail: "later" }));
  const handler = createFetchHandler(limited.implement({
    list: ({ response }) => response(200, ""),
    files: { one: ({ response }) => response(200, "") },
  }));
  assertEquals((await ask(handler, "/users")).slice(0, 3), "429");
});

Deno.test("server.at() of a route may respond with the route's own responses", async () => {
  const guarded = server.at(users.list).guard(({ caller, response }) =>
    caller.id === "ada" ? response(418, "teapot") : undefined
  );
  const handler = createFetchHandler(guarded.implement(({ caller, response }) => response(200, caller.id)));
  assertEquals(await ask(handler, "/users"), "418 teapot");
  assertEquals(await ask(handler, "/users", { cookie: "session=eve" }), "200 eve");
});

Deno.test("server.at() works inside other nodes, and inside the whole", async () => {
  const ran: string[] = [];
  const outer = server.guard(({ route }) => void ran.push(`outer ${route.key}`));
  const atUsers = outer.at(users).guard(() => void ran.push("users"));
  const atFiles = atUsers.at(users.files).guard(({ request, response }) => {
    ran.push("files");
    if (request.url.endsWith("/old")) return response(410, "gone");
  }).use(({ next }) => {
    ran.push("middleware");
    return next();
  });
  const atOne = atFiles.at(users.files.one).guard(({ response }) => {
    ran.push("one");
    if (ran.length > 100) return response(200, "never");
  });
  const handler = createFetchHandler(outer.implement({
    health: ({ response }) => response(200, "ok"),
    users: atUsers.implement({
      list: ({ response }) => response(200, "list"),
      files: { one: atOne.implement(({ params, response }) => response(200, params.id)) },
    }),
  }));
  assertEquals(await ask(handler, "/users/files/1"), "200 1");
  assertEquals(ran, ["outer users.files.one", "users", "files", "one", "middleware"]);
  ran.length = 0;
  assertEquals(await ask(handler, "/users/files/old"), "410 gone");
  assertEquals(ran, ["outer users.files.one", "users", "files"]);
  ran.length = 0;
  assertEquals([await ask(handler, "/users"), await ask(handler, "/health")], ["200 list", "200 ok"]);
  assertEquals(ran, ["outer users.list", "users", "outer health"]);
});

Deno.test("guards and middleware from before server.at() build the responses of their own place", async () => {
  let statuses: number[] = [];
  const tell = ({ response }: { response: unknown }): undefined => {
    statuses = [403, 410, 429].filter((status) => {
      try {
        (response as (status: number) => unknown)(status);
        return true;
      } catch {
        return false;
      }
    });
  };
  const handlers = { one: ({ response }: { response: unknown }) => (response as never as typeof build)(200, "one") };
  const build = (status: 200, body: string) => ({ status, body });
  const outside = createFetchHandler(server.guard(tell).at(users.files).implement(handlers));
  assertEquals([await ask(outside, "/users/files/1"), statuses], ["200 one", [429]]);
  const inside = createFetchHandler(server.at(users).guard(tell).at(users.files).implement(handlers));
  assertEquals([await ask(inside, "/users/files/1"), statuses], ["200 one", [403, 429]]);
  const innermost = createFetchHandler(server.at(users.files).guard(tell).implement(handlers));
  assertEquals([await ask(innermost, "/users/files/1"), statuses], ["200 one", [403, 410, 429]]);
});

Deno.test("server.at() returns a new server each time and does not change this one", async () => {
  const atHealth = server.at(health);
  const closed = atHealth.guard(({ response }) => response(429));
  const answer = () => ({ status: 200, body: "ok" }) as const;
  assertEquals(await ask(createFetchHandler(atHealth.implement(answer)), "/health"), "200 ok");
  assertEquals((await ask(createFetchHandler(closed.implement(answer)), "/health")).slice(0, 3), "429");
});

Deno.test("server.at() refuses a node outside of the server's part of the contract", () => {
  const other = defineContract({ routes: { it: route.get("/health", { responses: { 200: response.text() } }) } });
  const message = "server.at(): the argument must be a router or route of the contract, like contract.routes.…";
  for (const node of [undefined, null, {}, other.routes, other.routes.it, contract, "users", session]) {
    assertEquals(
      assertThrows(() => server.at(node as never), TypeError).message,
      message,
    );
  }
  for (const node of [health, users, contract.routes]) {
    assertThrows(() => server.at(users.files).at(node as never), TypeError, message);
  }
  assertEquals(
    assertThrows(() => server.implement(other.routes.it as never, (() => null) as never), TypeError).message,
    "server.implement(): the first argument must be a router or route of the contract, like contract.routes.…",
  );
});

Deno.test("server.at() lists missing handlers by dotted key", () => {
  assertEquals(
    assertThrows(() => server.at(users).implement({ list: 1, more: 2 } as never), TypeError).message,
    "server.implement(): users.list must be a function, got 1; users.files.one is missing; " +
      "users.more is not in the contract; remove it",
  );
  assertThrows(() => server.at(health).implement(undefined as never), TypeError, "health is missing");
});
