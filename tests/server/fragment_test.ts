import { defineContract, response, route, router } from "@scope/api";
import { createFetchHandler, fetchAdapter } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { listen } from "../support/mount_route.ts";

const ok = { responses: { 200: response.json<unknown>() } };
const users = router("/users", {
  routes: { list: route.get("/", ok), posts: router("/:id/posts", { routes: { list: route.get("/", ok) } }) },
});
const contract = defineContract({
  basePath: "/api",
  responses: { 401: response.text() },
  routes: { health: route.get("/health", ok), users, also: router("/also", { routes: users.routes }) },
});
const server = defineServer(contract, { context: () => ({ by: ["outer"] }) });
const members = server.use(({ context, next }) => next({ by: [...context.by, "members"] }));

/** The response of a handler at a path, as JSON. */
async function ask(handler: ReturnType<typeof createFetchHandler>, path: string): Promise<unknown> {
  const answer = await handler(new Request(`http://localhost/api${path}`));
  return answer.status === 200 ? await answer.json() : answer.status;
}

const fragment = members.implement(contract.routes.users, {
  list: ({ context, response }) => response(200, context.by),
  posts: { list: ({ context, params, response }) => response(200, [...context.by, params.id]) },
});
const also = server.implement(contract.routes.also, {
  list: ({ context, response }) => response(200, context.by),
  posts: { list: ({ context, response }) => response(200, context.by) },
});

Deno.test("implement() returns a fragment of a router for the whole tree, with its own middleware and context", async () => {
  const handler = createFetchHandler(
    server.use(({ context, next }) => next({ by: [...context.by, "whole"] })).implement({
      health: ({ context, response }) => response(200, context.by),
      users: fragment,
      also,
    }),
  );
  assertEquals(await ask(handler, "/health"), ["outer", "whole"]);
  assertEquals(await ask(handler, "/users"), ["outer", "members"]);
  assertEquals(await ask(handler, "/users/7/posts"), ["outer", "members", "7"]);
});

Deno.test("implement() accepts a fragment within a fragment, and one of a single route", async () => {
  const posts = server.use(({ next }) => next({ by: ["posts"] })).implement(contract.routes.users.posts, {
    list: ({ context, response }) => response(200, context.by),
  });
  const list = members.implement(
    contract.routes.users.list,
    ({ context, response }) => response(200, [...context.by, "alone"]),
  );
  const handler = createFetchHandler(server.implement({
    health: ({ response }) => response(200, "ok"),
    users: server.implement(contract.routes.users, { list, posts }),
    also,
  }));
  assertEquals(await ask(handler, "/users"), ["outer", "members", "alone"]);
  assertEquals(await ask(handler, "/users/7/posts"), ["posts"]);
});

Deno.test("implement() returns a fragment that mounts on its own, at its full path", async () => {
  const handler = fetchAdapter().mount(fragment);
  assertEquals(await ask(handler, "/users"), ["outer", "members"]);
  assertEquals(await ask(handler, "/health"), 404);
  assertEquals(await ask(handler, "/also"), 404);
});

Deno.test("implement() also returns a fragment of all routes", async () => {
  const whole = server.implement(contract.routes, {
    health: ({ response }) => response(200, 1),
    users: fragment,
    also,
  });
  assertEquals(await ask(fetchAdapter().mount(whole), "/health"), 1);
});

Deno.test("implement() refuses a fragment of another contract, or in another place than its node's", () => {
  const twin = defineContract({
    basePath: "/api",
    routes: { health: route.get("/health", ok), users, also: router("/also", { routes: users.routes }) },
  });
  const other = defineServer(twin).implement(twin.routes.users, {
    list: ({ response }) => response(200, 1),
    posts: { list: ({ response }) => response(200, 1) },
  });
  const health = () => ({ status: 200, body: 1 } as const);
  for (const wrong of [other, also, members.implement(contract.routes.health, health)]) {
    const { message } = assertThrows(
      () => server.implement({ health, users: wrong as never, also }),
      TypeError,
    );
    assertEquals(
      message,
      "server.implement(): users must be a fragment of users in this contract, got one of another route or router",
    );
  }
  assertThrows(
    () => server.implement({ health: fragment as never, users: fragment, also }),
    TypeError,
    "health must be a fragment of health in this contract, got one of another route or router",
  );
});

Deno.test("implement() refuses a node outside of the contract", () => {
  const twin = defineContract({ routes: { users } });
  for (const node of [twin.routes.users, twin.routes, users, {}, undefined, null]) {
    assertThrows(
      () => server.implement(node as never, {} as never),
      TypeError,
      "server.implement(): the first argument must be a router or route of the contract, like contract.routes.…",
    );
  }
});

Deno.test("implement() of a node lists all problems by full dotted key", () => {
  const { message } = assertThrows(
    () => server.implement(contract.routes.users, { list: 5, posts: { add: 1 } } as never),
    TypeError,
  );
  assertEquals(
    message,
    "server.implement(): users.list must be a function, got 5; users.posts.list is missing; " +
      "users.posts.add is not in the contract; remove it",
  );
  assertThrows(
    () => server.implement(contract.routes.users.posts, { list: undefined } as never),
    TypeError,
    "server.implement(): users.posts.list is missing",
  );
  assertThrows(
    () => server.implement(contract.routes.health, {} as never),
    TypeError,
    "server.implement(): health must be a function, got an object",
  );
});

Deno.test("implement() requires the inputs of a fragment's context for the whole", async () => {
  const needing = defineServer(contract, { context: ({ ip }: { ip: string }) => ({ by: [ip] }) });
  const whole = server.implement({
    health: ({ context, response }) => response(200, context.by),
    users: needing.implement(contract.routes.users, {
      list: ({ context, response }) => response(200, context.by),
      posts: { list: ({ context, response }) => response(200, context.by) },
    }),
    also,
  });
  const handler = createFetchHandler(whole, { contextInput: (_request, ip: string) => ({ ip }) });
  const get = new Request("http://localhost/api/users");
  assertEquals(await (await handler(get, "127.0.0.1")).json(), ["127.0.0.1"]);
});

Deno.test("implement() runs each context factory only for its own routes, once per request, and reports its failures there", async () => {
  for (const later of [true, false]) {
    const broken = new Error("no database");
    const made: string[] = [];
    const { heard, onError } = listen();
    const failing = defineServer(contract, {
      context: () => {
        made.push("fragment");
        if (later) return Promise.reject(broken);
        throw broken;
      },
    }).use(({ next }) => {
      made.push("middleware");
      return next();
    });
    const outer = defineServer(contract, {
      context: () => {
        made.push("outer");
        return { by: ["outer"] };
      },
    });
    const whole = outer.implement({
      health: ({ context, response }) => response(200, context.by),
      users: failing.implement(contract.routes.users, {
        list: ({ response }) => response(200, made.push("handler")),
        posts: outer.implement(contract.routes.users.posts, {
          list: ({ context, response }) => response(200, context.by),
        }),
      }),
      also,
    });
    const handler = createFetchHandler(whole, { onError });
    assertEquals(await ask(handler, "/users"), 500);
    assertEquals(made.splice(0), ["fragment"]);
    assertEquals(heard.map(({ error, phase, route }) => [error, phase, route?.key]), [[
      broken,
      "context",
      "users.list",
    ]]);
    assertEquals([await ask(handler, "/users/7/posts"), await ask(handler, "/health")], [["outer"], ["outer"]]);
    assertEquals(made, ["outer", "outer"]);
    assertEquals(heard.length, 1);
  }
});

Deno.test("implement() reports a failed contextInput once per request for each fragment", async () => {
  let asked = 0;
  const { heard, onError } = listen();
  const needing = defineServer(contract, { context: ({ ip }: { ip: string }) => ({ by: [ip] }) });
  const whole = needing.implement({
    health: ({ context, response }) => response(200, context.by),
    users: needing.use(({ next }) => next()).implement(contract.routes.users, {
      list: ({ context, response }) => response(200, context.by),
      posts: { list: ({ context, response }) => response(200, context.by) },
    }),
    also,
  });
  const handler = createFetchHandler(whole, {
    onError,
    contextInput: (request) => {
      asked++;
      if (request.url.endsWith("/users")) throw new Error("no ip");
      return { ip: "127.0.0.1" };
    },
  });
  assertEquals([await ask(handler, "/users"), await ask(handler, "/users/7/posts")], [500, ["127.0.0.1"]]);
  assertEquals(heard.map(({ phase, route }) => [phase, route?.key]), [["context", "users.list"]]);
  assertEquals(asked, 2);
});

Deno.test("implement() separates the contexts of fragments in concurrent requests", async () => {
  const serverOf = (name: string) =>
    defineServer(contract, {
      context: async ({ request }) => {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
        return { by: [name, new URL(request.url).search] };
      },
    }).use(async ({ context, next }) => {
      await Promise.resolve();
      return await next({ by: [...context.by, name] });
    });
  const handler = createFetchHandler(
    serverOf("whole").implement({
      health: ({ context, response }) => response(200, context.by),
      users: serverOf("users").implement(contract.routes.users, {
        list: ({ context, response }) => response(200, context.by),
        posts: { list: ({ context, response }) => response(200, context.by) },
      }),
      also,
    }),
  );
  const asked = Array.from({ length: 32 }, (_, index) => [index % 2 ? "users" : "whole", `?${index}`] as const);
  const answers = await Promise.all(
    asked.map(([name, search]) => ask(handler, `/${name === "users" ? name : "health"}${search}`)),
  );
  assertEquals(answers, asked.map(([name, search]) => [name, search, name]));
});

Deno.test("implement() returns frozen plain data", () => {
  assert(Object.isFrozen(fragment));
  assert(Object.isFrozen(fragment["~endpoints"]));
  assertEquals(fragment["~node"], contract.routes.users);
  assertEquals(fragment["~endpoints"].map(({ node }) => node.key), ["users.list", "users.posts.list"]);
});
