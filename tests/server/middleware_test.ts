import { defineContract, response, route } from "@scope/api";
import { createFetchHandler, type FetchHandler } from "@scope/api/fetch";
import { defineServer, type MiddlewareInput, type NextResult } from "@scope/api/server";
import { assert, assertEquals, assertInstanceOf, assertStrictEquals, assertThrows } from "@std/assert";
import { type } from "arktype";
import { listen } from "../support/mount_route.ts";

const contract = defineContract({
  responses: { 401: response.json(type({ message: "string" })), 202: response.text() },
  routes: {
    show: route.get("/items/:id", { responses: { 200: response.json<unknown>() } }),
    add: route.post("/items", { body: type({ name: "string" }), responses: { 200: response.text() } }),
  },
});
const server = defineServer(contract);
const show = new Request("http://localhost/items/1");

/** Mounts one middleware before a handler that responds with its context; errors go to `onError`. */
function mountOne(middleware: (input: MiddlewareInput) => unknown): {
  readonly handler: FetchHandler;
  readonly heard: ReturnType<typeof listen>["heard"];
} {
  const { heard, onError } = listen();
  const implementation = server.use(middleware as () => NextResult).implement({
    show: ({ context, response }) => response(200, context),
    add: ({ body, response }) => response(200, body.name),
  });
  return { handler: createFetchHandler(implementation, { onError }), heard };
}

Deno.test("use() runs middleware in declaration order, and each wraps everything after it", async () => {
  const trace: string[] = [];
  const tracing = (name: string) => async ({ next }: MiddlewareInput) => {
    trace.push(`${name} in`);
    const result = await next();
    trace.push(`${name} out`);
    return result;
  };
  const implementation = server.use(tracing("one")).use(tracing("two")).use(tracing("three")).implement({
    show: ({ response }) => {
      trace.push("handler");
      return response(200, "done");
    },
    add: ({ response }) => response(200, ""),
  });
  assertEquals(await (await createFetchHandler(implementation)(show)).json(), "done");
  assertEquals(trace, ["one in", "two in", "three in", "handler", "three out", "two out", "one out"]);
});

Deno.test("use() returns a new server and does not change its own", async () => {
  let runs = 0;
  const counting = server.use(({ next }) => {
    runs++;
    return next();
  });
  assert(Object.isFrozen(counting));
  for (const [each, expected] of [[server, 0], [counting, 1], [counting.use(({ next }) => next()), 2]] as const) {
    const implementation = each.implement({
      show: ({ response }) => response(200, 1),
      add: ({ response }) => response(200, ""),
    });
    await createFetchHandler(implementation)(show);
    assertEquals(runs, expected);
  }
});

Deno.test("use() refuses a value that is not a function", () => {
  assertThrows(
    () => server.use({} as never),
    TypeError,
    "server.use(): the argument must be a function, got an object",
  );
});

Deno.test("middleware receives only caller, context, params, signal, route, response and next", async () => {
  let seen: MiddlewareInput | undefined;
  const incoming = new Request("http://localhost/items/1");
  const { handler } = mountOne((input) => (seen = input).next());
  await handler(incoming);
  assert(seen);
  assertEquals(Object.keys(seen).sort(), ["caller", "context", "next", "params", "response", "route"]);
  assertEquals(seen.route, { key: "show", method: "GET", path: "/items/:id" });
  assertStrictEquals(seen.signal, incoming.signal);
});

Deno.test("middleware that does not use its signal does not touch the request's", async () => {
  let reads = 0;
  const incoming = new Request("http://localhost/items/1");
  const signal = incoming.signal;
  Object.defineProperty(incoming, "signal", { get: () => (reads++, signal) });
  const { handler } = mountOne(({ next }) => next({ user: "Ada" }));
  await handler(incoming);
  assertEquals(reads, 0);
});

Deno.test("middleware does not run for a refused request, and runs after the context was created", async () => {
  const trace: string[] = [];
  const context = (): object => {
    trace.push("context");
    return {};
  };
  const implementation = defineServer(contract, { context }).use(({ next }) => {
    trace.push("middleware");
    return next();
  }).implement({ show: ({ response }) => response(200, 1), add: ({ response }) => response(200, "") });
  const handler = createFetchHandler(implementation);
  const refused = [
    new Request("http://localhost/nowhere"),
    new Request("http://localhost/items/1", { method: "PUT" }),
    new Request("http://localhost/items/%GG"),
    new Request("http://localhost/items", { method: "POST", body: "{}" }),
    new Request("http://localhost/items", {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json" },
    }),
  ];
  const statuses = await Promise.all(refused.map(async (request) => (await handler(request)).status));
  assertEquals(statuses, [404, 405, 400, 415, 400]);
  assertEquals(trace, []);
  await handler(show);
  assertEquals(trace, ["context", "middleware"]);
});

Deno.test("next() adds to the context of everything inside, and does not change the context outside", async () => {
  const outer: object[] = [];
  const implementation = defineServer(contract, { context: () => ({ db: 1, user: "nobody" }) })
    .use(async ({ context, next }) => {
      const result = await next({ user: "Ada", id: 7 });
      outer.push(context);
      return result;
    })
    .use(({ context, next }) => next({ greeting: `${context.user} ${context.id}` }))
    .implement({
      show: ({ context, response }) => response(200, context),
      add: ({ response }) => response(200, ""),
    });
  const answer = await createFetchHandler(implementation)(show);
  assertEquals(await answer.json(), { db: 1, user: "Ada", id: 7, greeting: "Ada 7" });
  assertEquals(outer, [{ db: 1, user: "nobody" }]);
});

Deno.test("next() without an addition passes on the same context object", async () => {
  const made = { db: {} };
  const implementation = defineServer(contract, { context: () => made })
    .use(({ next }) => next())
    .implement({
      show: ({ context, response }) => response(200, context === made),
      add: ({ response }) => response(200, ""),
    });
  assertEquals(await (await createFetchHandler(implementation)(show)).json(), true);
});

Deno.test("next() adds keys like __proto__ as keys", async () => {
  const added = JSON.parse('{ "__proto__": { "polluted": true }, "constructor": 1 }');
  const { handler } = mountOne(({ next }) => next(added));
  assertEquals(await (await handler(show)).text(), '{"__proto__":{"polluted":true},"constructor":1}');
  assertEquals(({} as { polluted?: true }).polluted, undefined);
});

Deno.test("next() refuses an addition that is not an object", async () => {
  for (const added of [null, 1, "user", () => {}]) {
    const { handler, heard } = mountOne(({ next }) => next(added as never));
    assertEquals((await handler(show)).status, 500);
    assertInstanceOf(heard[0]?.error, TypeError);
    assertEquals(heard.map(({ phase }) => phase), ["handler"]);
  }
});

Deno.test("next() rejects when it is called again, whether the first call is over or not", async () => {
  const outcomes: unknown[] = [];
  const { handler } = mountOne(async ({ next }) => {
    const first = next();
    outcomes.push(await next().catch(String));
    const result = await first;
    outcomes.push(await next().catch(String));
    return result;
  });
  assertEquals((await handler(show)).status, 200);
  assertEquals(outcomes, Array(2).fill("TypeError: next(): called a second time; call it once"));
});

Deno.test("a second next() that is not awaited leaves no unhandled rejection", async () => {
  const { handler } = mountOne(({ next }) => {
    next();
    next();
    return { status: 202, body: "later" };
  });
  assertEquals((await handler(show)).status, 202);
  await new Promise((resolve) => setTimeout(resolve)); // an unhandled rejection would fail the test
});

Deno.test("a rejecting next() that is not awaited leaves no unhandled rejection", async () => {
  const implementation = server.use(({ next, response }) => {
    next();
    return response(202, "not waited for");
  }).implement({
    show: () => Promise.reject(new Error("late")),
    add: ({ response }) => response(200, ""),
  });
  assertEquals((await createFetchHandler(implementation)(show)).status, 202);
  await new Promise((resolve) => setTimeout(resolve));
});

Deno.test("next() resolves to the result of the handler, returned, promised or thrown", async () => {
  const results: unknown[] = [];
  const handlers = [
    () => ({ status: 200, body: 1 }),
    () => Promise.resolve({ status: 200, body: 1 }),
    () => {
      throw { status: 200, body: 1 };
    },
    () => Promise.reject({ status: 200, body: 1 }),
  ];
  for (const show_ of handlers) {
    const implementation = server.use(async ({ next }) => {
      const result = await next();
      results.push(result);
      return result;
    }).use(({ next }) => next()).implement({ show: show_ as never, add: ({ response }) => response(200, "") });
    assertEquals(await (await createFetchHandler(implementation)(show)).json(), 1);
  }
  assertEquals(results, Array(4).fill({ status: 200, body: 1 }));
});

Deno.test("next() rejects with errors from inside, and a middleware may return a result instead", async () => {
  const broken = new Error("broken");
  for (
    const handle of [() => Promise.reject(broken), () => {
      throw broken;
    }]
  ) {
    const { heard, onError } = listen();
    const caught: unknown[] = [];
    const implementation = server.use(async ({ next, response }) => {
      try {
        return await next();
      } catch (error) {
        caught.push(error);
        return response(401, { message: "mended" });
      }
    }).use(({ next }) => next()).implement({ show: handle, add: ({ response }) => response(200, "") });
    const answer = await createFetchHandler(implementation, { onError })(show);
    assertEquals([answer.status, await answer.json()], [401, { message: "mended" }]);
    assertEquals(caught, [broken]);
    assertEquals(heard, []);
  }
});

Deno.test("onError receives an error that middleware does not catch, once", async () => {
  const broken = new Error("broken");
  const { heard, onError } = listen();
  const pass = ({ next }: MiddlewareInput) => next();
  const implementation = server.use(pass).use(pass).use(pass).implement({
    show: () => Promise.reject(broken),
    add: ({ response }) => response(200, ""),
  });
  assertEquals((await createFetchHandler(implementation, { onError })(show)).status, 500);
  assertEquals(heard.map(({ phase, error, route }) => [phase, error, route?.key]), [["handler", broken, "show"]]);
});

Deno.test("middleware may return, promise or throw its own result, and nothing inside starts", async () => {
  const body = { message: "who?" };
  const middlewares: ((input: MiddlewareInput) => unknown)[] = [
    () => ({ status: 401, body }),
    () => Promise.resolve({ status: 401, body }),
    () => {
      throw { status: 401, body };
    },
    () => Promise.reject({ status: 401, body }),
  ];
  for (const middleware of middlewares) {
    let started = false;
    const implementation = server.use(middleware as () => NextResult).use(({ next }) => {
      started = true;
      return next();
    }).implement({
      show: ({ response }) => {
        started = true;
        return response(200, 1);
      },
      add: ({ response }) => response(200, ""),
    });
    const answer = await createFetchHandler(implementation)(show);
    assertEquals([answer.status, await answer.json(), started], [401, body, false]);
  }
});

Deno.test("middleware changes the status, the body and the header fields of a result", async () => {
  const { handler } = mountOne(async ({ next }) => {
    const result = await next();
    return { ...result, status: 202, body: "changed", headers: { ...result.headers, "x-by": "middleware" } };
  });
  const answer = await handler(show);
  assertEquals([answer.status, await answer.text(), answer.headers.get("x-by")], [202, "changed", "middleware"]);
});

Deno.test("middleware adds cookies to those of the handler, each in its own field", async () => {
  for (const cookies of [undefined, "a=1", ["a=1", "b=2"]]) {
    const implementation = server.use(async ({ next }) => {
      const result = await next();
      const own = [result.headers?.["set-cookie"] ?? [], "seen=1", "seen-at=2"].flat();
      return { ...result, headers: { ...result.headers, "set-cookie": own } };
    }).implement({
      show: ({ response }) => response(200, 1, { "set-cookie": cookies }),
      add: ({ response }) => response(200, ""),
    });
    const answer = await createFetchHandler(implementation)(show);
    assertEquals(answer.headers.getSetCookie(), [cookies ?? [], "seen=1", "seen-at=2"].flat());
  }
});

Deno.test("the result of middleware follows the route's declaration of its status, if it differs from the contract's", async () => {
  const nearer = defineContract({
    responses: { 401: response.text() },
    routes: {
      far: route.get("/far", { responses: { 200: response.empty() } }),
      near: route.get("/near", {
        responses: { 200: response.empty(), 401: response.json(type({ message: "string" })) },
      }),
    },
  });
  const { heard, onError } = listen();
  const implementation = defineServer(nearer).use(({ response }) => response(401, "who?")).implement({
    far: ({ response }) => response(200),
    near: ({ response }) => response(200),
  });
  const handler = createFetchHandler(implementation, { onError });
  assertEquals((await handler(new Request("http://localhost/far"))).status, 401);
  assertEquals((await handler(new Request("http://localhost/near"))).status, 500);
  assertEquals(heard.map(({ phase, route }) => [phase, route?.key]), [["encode", "near"]]);
});

Deno.test("middleware's result is checked like a handler's", async () => {
  const cases: [unknown, string][] = [
    [{ status: 418 }, "Cannot answer GET /items/:id (show): status 418 is not declared (declared: 200, 202, 401)"],
    [{ status: 401, body: { message: 5 } }, "Cannot send the body of 401 from GET /items/:id (show)"],
    [{ status: 202, body: 5 }, "A text body must be a string"],
    [undefined, "Cannot answer GET /items/:id (show): a middleware must return response(status, …), got undefined"],
    [
      new Response("native"),
      "Cannot answer GET /items/:id (show): a middleware must return response(status, …), got a native Response",
    ],
  ];
  for (const [result, words] of cases) {
    for (const given of [result, Promise.resolve(result)]) {
      const { handler, heard } = mountOne(() => given);
      assertEquals((await handler(show)).status, 500);
      assertEquals(heard.map(({ phase }) => phase), ["encode"]);
      assert(String(heard[0]?.error).includes(words), String(heard[0]?.error));
    }
  }
});

Deno.test("middleware never receives a value that is not a result", async () => {
  const seen: unknown[] = [];
  const { heard, onError } = listen();
  const implementation = server.use(async ({ next }) => {
    const result = await next();
    seen.push(result);
    return result;
  }).implement({ show: () => "plain" as never, add: ({ response }) => response(200, "") });
  assertEquals((await createFetchHandler(implementation, { onError })(show)).status, 500);
  assertEquals(seen, []);
  assertEquals(heard.map(({ phase }) => phase), ["encode"]);
  assert(String(heard[0]?.error).includes("the handler must return response(status, …), got a string"));
});

Deno.test("response() of middleware builds only the responses that the contract declares for all routes", async () => {
  const { handler, heard } = mountOne(({ response }) => (response as (status: number) => NextResult)(200));
  assertEquals((await handler(show)).status, 500);
  assert(
    String(heard[0]?.error).includes(
      "Cannot answer GET /items/:id (show): status 200 is not declared (declared: 202, 401)",
    ),
  );
  assertEquals(heard[0]?.phase, "encode");
});

Deno.test("middleware that responds synchronously, or a handler without middleware, keeps the response synchronous", () => {
  const { handler } = mountOne(({ response }) =>
    (response as never as (status: number, body: string) => unknown)(202, "now")
  );
  assertInstanceOf(handler(show), Response);
});

Deno.test("next() does not start a handler after the client has disconnected", async () => {
  const client = new AbortController();
  let started = false;
  const { heard, onError } = listen();
  const implementation = server.use(async ({ next }) => {
    await Promise.resolve();
    client.abort();
    return await next();
  }).implement({
    show: ({ response }) => {
      started = true;
      return response(200, 1);
    },
    add: ({ response }) => response(200, ""),
  });
  const get = new Request("http://localhost/items/1", { signal: client.signal });
  assertEquals((await createFetchHandler(implementation, { onError })(get)).status, 499);
  assertEquals([started, heard.length], [false, 0]);
});

Deno.test("the signal of middleware aborts if the client disconnects while the handler runs", async () => {
  const client = new AbortController();
  const states: boolean[] = [];
  const { handler } = mountOne(async ({ next, signal }) => {
    states.push(signal.aborted);
    const result = await next();
    client.abort();
    states.push(signal.aborted);
    return result;
  });
  await handler(new Request("http://localhost/items/1", { signal: client.signal }));
  assertEquals(states, [false, true]);
});

Deno.test("middleware keeps the contexts of concurrent requests separate", async () => {
  const wait = (turns: number): Promise<void> =>
    turns === 0 ? Promise.resolve() : Promise.resolve().then(() => wait(turns - 1));
  const implementation = defineServer(contract, { context: ({ request }) => ({ id: request.url.split("/").at(-1) }) })
    .use(async ({ context, next }) => {
      await wait(Number(context.id) % 7);
      const result = await next({ first: context.id });
      return { ...result, headers: { "x-id": context.id } };
    })
    .use(async ({ context, next }) => {
      await wait(Number(context.id) % 5);
      return await next({ second: context.first });
    })
    .implement({
      show: async ({ params, context, response }) => {
        await wait(Number(params.id) % 3);
        return response(200, [params.id, context.id, context.first, context.second]);
      },
      add: ({ response }) => response(200, ""),
    });
  const handler = createFetchHandler(implementation);
  const ids = Array.from({ length: 32 }, (_, index) => String(index));
  const answers = await Promise.all(ids.map((id) => handler(new Request(`http://localhost/items/${id}`))));
  for (const [index, answer] of answers.entries()) {
    const id = ids[index]!;
    assertEquals([await answer.json(), answer.headers.get("x-id")], [[id, id, id, id], id]);
  }
});
