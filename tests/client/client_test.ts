import { defineContract, response, route, router } from "@scope/api";
import { createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals, assertLess, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { type } from "arktype";

const baseUrl = "https://a.example";

/** The options of a route that responds with text. */
const text = { responses: { 200: response.text() } };

Deno.test("createClient() mirrors the keys of the contract", async () => {
  const contract = defineContract({
    basePath: "/api",
    routes: {
      health: route.get("/health", text),
      users: router("/users", {
        routes: { list: route.get("/", text), posts: router("/posts", { routes: { all: route.get("/all", text) } }) },
      }),
    },
  });
  const fetch = createFetchHandler(
    defineServer(contract).implement({
      health: ({ route, response }) => response(200, route.key),
      users: {
        list: ({ route, response }) => response(200, route.key),
        posts: { all: ({ route, response }) => response(200, route.key) },
      },
    }),
  );
  const client = createClient(contract, { baseUrl, fetch });

  assertEquals(Object.keys(client), ["health", "users"]);
  assertEquals(Object.keys(client.users), ["list", "posts"]);
  assertEquals((await client.health()).body, "health");
  assertEquals((await client.users.list()).body, "users.list");
  assertEquals((await client.users.posts.all()).body, "users.posts.all");
});

Deno.test("createClient() accepts unusual keys", async () => {
  const contract = defineContract({
    routes: {
      constructor: route.get("/a", text),
      ["__proto__"]: route.get("/b", text),
      url: router("/c", { routes: { url: route.get("/url", text), request: route.get("/request", text) } }),
      "a.b": route.get("/d", text),
      toString: route.get("/e", text),
      routes: route.get("/f", text),
      "": route.get("/g", text),
    },
  });
  const fetch = createFetchHandler(
    defineServer(contract).implement({
      constructor: ({ route, response }) => response(200, route.path),
      ["__proto__"]: ({ route, response }) => response(200, route.path),
      url: {
        url: ({ route, response }) => response(200, route.path),
        request: ({ route, response }) => response(200, route.path),
      },
      "a.b": ({ route, response }) => response(200, route.path),
      toString: ({ route, response }) => response(200, route.path),
      routes: ({ route, response }) => response(200, route.path),
      "": ({ route, response }) => response(200, route.path),
    }),
  );
  const client = createClient(contract, { baseUrl, fetch });

  assertStrictEquals(Object.getPrototypeOf(client), Object.prototype);
  assertEquals(Object.keys(client), ["constructor", "__proto__", "url", "a.b", "toString", "routes", ""]);
  const calls = [
    client.constructor,
    client["__proto__"],
    client.url.url,
    client.url.request,
    client["a.b"],
    client.toString,
    client.routes,
    client[""],
  ];
  const paths = ["/a", "/b", "/c/url", "/c/request", "/d", "/e", "/f", "/g"];
  assertEquals(calls.map((call) => call.url()), paths.map((path) => baseUrl + path));
  assertEquals(await Promise.all(calls.map(async (call) => (await call()).body)), paths);
});

Deno.test("createClient() returns a client that can be awaited", async () => {
  const contract = defineContract({
    routes: { health: route.get("/", text), then: router("/t", { routes: { when: route.get("/", text) } }) },
  });
  const client = createClient(contract, { baseUrl });

  assertStrictEquals(await client, client); // its key `then` is a group, which is never called
  assertStrictEquals(await client.then, client.then);
  assertStrictEquals(await client.health, client.health);
});

Deno.test("createClient() accepts a route named then", async () => {
  const contract = defineContract({
    routes: { promises: router("/p", { routes: { then: route.get("/then", text) } }) },
  });
  const client = createClient(contract, { baseUrl });

  assertStrictEquals(await client, client);
  assertEquals(client.promises.then.url(), `${baseUrl}/p/then`);
});

Deno.test("createClient() clients and groups with a route then reject if they are awaited", async () => {
  const contract = defineContract({
    routes: {
      then: route.get("/then", text),
      group: router("/g", {
        routes: { then: route.get("/:id", { ...text, params: type({ id: "string" }) }), other: route.get("/", text) },
      }),
      plain: router("/p", { routes: { "a.then": route.get("/", text) } }),
    },
  });
  let sent = 0;
  const client = createClient(contract, { baseUrl, fetch: ({ url }) => (sent++, new Response(new URL(url).pathname)) });
  const refused = async (await_: () => Promise<unknown>, key: string): Promise<void> => {
    const { message } = await assertRejects(await_, TypeError);
    assertEquals(
      message,
      `Cannot await an object with the route "${key}": await treats it as a promise; await a call instead`,
    );
  };
  // @ts-expect-error it has a then that is not a promise's
  await refused(async () => await client, "then");
  await refused(() => Promise.resolve(client), "then");
  await refused(() => Promise.all([client]), "then");
  // @ts-expect-error it has a then that is not a promise's
  // deno-lint-ignore require-await
  await refused(async () => client, "then");
  // @ts-expect-error it has a then that is not a promise's
  await refused(async () => await client.group, "group.then");
  assertThrows(() => (client.then as (resolve: unknown) => void)(() => {}), TypeError, "Cannot await");
  assertStrictEquals(await client.plain, client.plain); // no key of it is then
  await new Promise((resolve) => setTimeout(resolve, 5)); // by then Deno would report an unhandled rejection
  assertEquals(sent, 0);

  assertEquals((await client.then()).body, "/then");
  assertEquals((await client.then({ headers: { a: "1" } })).body, "/then");
  assertEquals((await client.group.then({ params: { id: "7" } })).body, "/g/7");
  assertEquals(client.group.then.url({ params: { id: "7" } }), `${baseUrl}/g/7`);
});

Deno.test("createClient() clients have a short representation in consoles", () => {
  const contract = defineContract({
    routes: { health: route.get("/", text), users: router("/u", { routes: { list: route.get("/", text) } }) },
  });
  const shown = Deno.inspect(createClient(contract, { baseUrl }));

  assert(shown.includes("[Function: users.list]"), shown);
  assertLess(shown.length, 400);
});

Deno.test("createClient() builds the tree once", () => {
  const contract = defineContract({ routes: { users: router("/u", { routes: { list: route.get("/", text) } }) } });
  const client = createClient(contract, { baseUrl });

  assertStrictEquals(client.users, client.users);
  assertStrictEquals(client.users.list, client.users.list);
});
