import { defineContract, request, response, route, router, security } from "@scope/api";
import { createFetchHandler, type FetchHandler } from "@scope/api/fetch";
import { type Awaitable, defineServer, type Guard, type GuardInput, verify } from "@scope/api/server";
import { assert, assertEquals, assertStrictEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { type } from "arktype";
import { assertProblem, listen } from "../support/mount_route.ts";
import { settle, watch, watchSync } from "../support/producers.ts";

const token = security.bearer("token");
const shared = {
  429: response.problem(),
  503: response.ndjson(type("string")),
  502: response.raw(),
};

const contract = defineContract({
  responses: shared,
  routes: {
    open: route.post("/open/:n", {
      params: type({ n: "string.numeric" }),
      security: [],
      body: request.text(),
      responses: { 200: response.text() },
    }),
    mine: route.get("/mine", { security: [token], responses: { 200: response.text() } }),
    either: route.get("/either", { security: [token, security.none], responses: { 200: response.text() } }),
  },
});

const callers = new Map([["ada", { id: "ada" }]]);
const server = defineServer(contract, { security: [verify(token, ({ token }) => callers.get(token))] });
const asAda = { authorization: "Bearer ada" };

const answer = () => ({ status: 200, body: "" }) as const;
const handlers = { open: answer, mine: answer, either: answer };

/** A guard of any type. */
type AnyGuard = (input: GuardInput<typeof shared>, runtime: object) => unknown;

function mount(guards: readonly AnyGuard[], onError?: (report: { readonly phase: string }) => undefined): FetchHandler {
  let guarded = server;
  for (const guard of guards) guarded = guarded.guard(guard as Guard<typeof shared>);
  const implementation = guarded.implement({
    open: ({ response }) => response(200, "open"),
    mine: ({ response }) => response(200, "mine"),
    either: ({ response }) => response(200, "either"),
  });
  return createFetchHandler(implementation, { ...onError && { onError } });
}

function get(path: string, init?: RequestInit): Request {
  return new Request(`http://localhost${path}`, init);
}

Deno.test("server.guard() runs after the caller is verified, and before anything of the request is read", async () => {
  const seen: unknown[] = [];
  const handler = mount([({ request, route, caller, signal }) => {
    seen.push([request.bodyUsed, route.key, caller, signal.aborted]);
  }]);
  const post = new Request("http://localhost/open/not-a-number", { method: "POST", body: "{" });
  assertEquals((await handler(post)).status, 400);
  assertEquals(await (await handler(get("/mine", { headers: asAda }))).text(), "mine");
  assertEquals((await handler(get("/mine", { headers: { authorization: "Bearer eve" } }))).status, 401);
  assertEquals((await handler(get("/nowhere"))).status, 404);
  assertEquals(seen, [[false, "open", undefined, false], [false, "mine", { id: "ada" }, false]]);
});

Deno.test("server.guard() passes the request itself, the route, its params and its signal to the guard", async () => {
  let seen: GuardInput | undefined;
  const handler = mount([(input) => void (seen = input as GuardInput)]);
  const incoming = get("/mine", { headers: asAda });
  await handler(incoming);
  assertStrictEquals(seen?.request, incoming);
  assertStrictEquals(seen.signal, incoming.signal);
  assertEquals(seen.route, { key: "mine", method: "GET", path: "/mine" });
  assertStrictEquals(seen.headers, incoming.headers);
  assertEquals(Object.keys(seen).toSorted(), ["caller", "params", "response", "route"]); // the others are getters
});

Deno.test("guards run in declaration order, as long as each passes the request on", async () => {
  for (const later of [false, true]) {
    const ran: string[] = [];
    const pass = (name: string): AnyGuard => () => {
      ran.push(name);
      return later ? settle() : undefined;
    };
    const answer: AnyGuard = ({ response }) => {
      ran.push("answer");
      const result = response(429, { detail: "later" }, { "retry-after": "3" });
      return later ? Promise.resolve(result) : result;
    };
    const handler = mount([pass("a"), pass("b"), answer, pass("d")]);
    const refused = await handler(get("/mine", { headers: asAda }));
    assertEquals([refused.status, refused.headers.get("retry-after")], [429, "3"]);
    assertEquals((await refused.json()).title, "Too Many Requests");
    assertEquals(ran, ["a", "b", "answer"]);
    ran.length = 0;
    const passed = await mount([pass("a"), pass("b"), pass("c")])(get("/mine", { headers: asAda }));
    assertEquals([await passed.text(), ran], ["mine", ["a", "b", "c"]]);
  }
});

Deno.test("synchronous guards keep the response synchronous", () => {
  const answer = mount([() => undefined, () => undefined])(get("/either"));
  assert(answer instanceof Response);
});

Deno.test("server.guard() returns a new server and does not change this one", async () => {
  const closed = server.guard(({ response }) => response(429));
  assertEquals((await createFetchHandler(server.implement(handlers))(get("/either"))).status, 200);
  assertEquals((await createFetchHandler(closed.implement(handlers))(get("/either"))).status, 429);
});

Deno.test("a guard may throw its result", async () => {
  for (const later of [false, true]) {
    const handler = mount([({ response }) => {
      const result = response(429);
      if (later) return Promise.reject(result);
      throw result;
    }]);
    assertEquals((await handler(get("/either"))).status, 429);
  }
});

Deno.test("a guard's response is private if there is a caller, whether it is returned or thrown", async () => {
  for (const thrown of [false, true]) {
    const handler = mount([({ response }) => {
      if (thrown) throw response(429);
      return response(429);
    }]);
    const toNobody = await handler(get("/either"));
    assertEquals([toNobody.headers.get("cache-control"), toNobody.headers.get("vary")], [null, "authorization"]);
    const toAda = await handler(get("/either", { headers: asAda }));
    assertEquals([toAda.headers.get("cache-control"), toAda.headers.get("vary")], ["no-store", null]);
    const open = await handler(new Request("http://localhost/open/1", { method: "POST", body: "" }));
    assertEquals([open.headers.get("cache-control"), open.headers.get("vary")], [null, null]);
  }
});

Deno.test("HEAD receives a guard's response without its body", async () => {
  const handler = mount([({ response }) => response(429)]);
  const answer = await handler(get("/either", { method: "HEAD" }));
  assertEquals([answer.status, answer.body, answer.headers.get("content-type")], [
    429,
    null,
    "application/problem+json",
  ]);
});

Deno.test("an error of a guard is a 500 that is reported once, in its phase", async () => {
  const failure = new Error("secret");
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  for (const thrown of [failure, undefined, "text", proxy, { status: "429" }, new Response(null, { status: 429 })]) {
    for (const later of [false, true]) {
      const { heard, onError } = listen();
      const ran: string[] = [];
      const handler = createFetchHandler(
        server.guard(() => {
          if (later) return Promise.reject(thrown);
          throw thrown;
        }).guard(() => void ran.push("after")).implement(handlers),
        { onError },
      );
      await assertProblem(await handler(get("/either")), 500, "Internal Server Error", "internal-error");
      assertEquals(heard.map(({ phase, route }) => [phase, route?.key]), [["guard", "either"]]);
      assert(heard[0]?.error === thrown);
      assertEquals(ran, []);
    }
  }
});

Deno.test("a guard that returns anything but a result is a 500, phase encode", async () => {
  for (
    const [returned, said] of [
      [null, "null"],
      [true, "true"],
      [false, "false"],
      ["", "a string"],
      [{}, "an object"],
      [[], "an array"],
      [{ status: "200" }, "an object"],
      [new Response(null, { status: 429 }), "a native Response"],
      [new Error("secret"), "an Error"],
    ] as const
  ) {
    for (const later of [false, true]) {
      const { heard, onError } = listen();
      const handler = createFetchHandler(
        server.guard((() => later ? Promise.resolve(returned) : returned) as never).implement(handlers),
        { onError },
      );
      await assertProblem(await handler(get("/either")), 500, "Internal Server Error", "internal-error");
      assertEquals(heard.map(({ phase }) => phase), ["encode"]);
      assertStringIncludes(String(heard[0]?.error), `a guard must return response(status, …), got ${said}`);
    }
  }
});

Deno.test("an undeclared or invalid result of a guard is a 500", async () => {
  for (const result of [{ status: 418 }, { status: 429, headers: { "bad name": "" } }, { status: 502, body: "text" }]) {
    const { heard, onError } = listen();
    const handler = createFetchHandler(
      server.guard(() => result as never).implement(handlers),
      { onError },
    );
    await assertProblem(await handler(get("/either")), 500, "Internal Server Error", "internal-error");
    assertEquals(heard.map(({ phase }) => phase), ["encode"]);
  }
});

Deno.test("a thenable is awaited, and its value is the guard's result", async () => {
  const thenable = { then: (resolve: (value: unknown) => void) => resolve({ status: 429 }) };
  assertEquals((await mount([() => thenable])(get("/either"))).status, 429);
  const passing = { then: (resolve: (value: unknown) => void) => resolve(undefined) };
  assertEquals((await mount([() => passing])(get("/either"))).status, 200);
});

Deno.test("a stream in a guard's result is sent, or closed once if it is not", async () => {
  const sent = watch(["a", "b"]);
  const answer = await mount([() => ({ status: 503, body: sent.source })])(get("/either"));
  assertEquals([await answer.text(), sent.count.return], ['"a"\n"b"\n', 0]);

  const toHead = watch(["a"]);
  await mount([() => ({ status: 503, body: toHead.source })])(get("/either", { method: "HEAD" }));
  assertEquals(toHead.count, { next: 0, return: 1 });

  const undeclared = watch(["a"]);
  await mount([() => ({ status: 418, body: undeclared.source })], () => undefined)(get("/either"));
  assertEquals(undeclared.count, { next: 0, return: 1 });

  const badHeaders = watch(["a"]);
  const bad = () => ({ status: 503, body: badHeaders.source, headers: { "bad name": "" } });
  await mount([bad], () => undefined)(get("/either"));
  assertEquals(badHeaders.count, { next: 0, return: 1 });

  const bare = watch(["a"]);
  await mount([() => bare.source], () => undefined)(get("/either"));
  assertEquals(bare.count, { next: 0, return: 1 });

  const bareSync = watchSync(["a"]);
  await mount([() => bareSync.source], () => undefined)(get("/either"));
  assertEquals(bareSync.count, { next: 0, return: 1 });
});

Deno.test("a client that disconnects while a guard runs receives nothing, and the guard's stream is closed", async () => {
  for (const thrown of [false, true]) {
    const client = new AbortController();
    const rows = watch(["a"]);
    let cancelled = 0;
    const native = new Response(new ReadableStream({ cancel: () => void cancelled++ }), { status: 502 });
    for (const body of [rows.source, native]) {
      const { heard, onError } = listen();
      const handler = createFetchHandler(
        server.guard(async ({ response }) => {
          client.abort();
          await settle();
          const result = response(body === native ? 502 : 503 as never, body as never) as never;
          if (thrown) throw result;
          return result;
        }).implement(handlers),
        { onError },
      );
      const answer = await handler(get("/either", { signal: client.signal }));
      assertEquals([answer.status, answer.body, heard], [499, null, []]);
    }
    assertEquals([rows.count, cancelled], [{ next: 0, return: 1 }, 1]);
  }
});

Deno.test("contextInput reaches verifiers, guards and the context, runs once, and cannot override anything", async () => {
  const seen: Record<string, unknown> = {};
  const order: string[] = [];
  const secured = defineServer(contract, {
    security: [verify(token, ({ token, request, route, signal }, runtime: { readonly env: string }) => {
      order.push("verifier");
      seen.verifier = [token, request.url, route.key, signal.aborted, runtime.env];
      return { id: token };
    })],
    context: ({ caller, request, route }, { env }: { readonly env: string }) => {
      order.push("context");
      seen.context = [caller, request.url, route.key, env];
      return {};
    },
  }).guard(({ caller, route, request }, { ip }: { readonly ip: string }) => {
    order.push("guard");
    seen.guard = [caller, request.url, route.key, ip];
  });
  const handler = createFetchHandler(
    secured.implement({
      open: ({ response }) => response(200, ""),
      mine: ({ caller, response }) => response(200, caller.id),
      either: ({ response }) => response(200, ""),
    }),
    {
      contextInput: (_request, env: string): { readonly env: string; readonly ip: string } => {
        order.push("contextInput");
        const posed = {
          caller: { id: "eve" },
          token: "eve",
          request: "eve",
          route: "eve",
          signal: "eve",
          response: "eve",
        };
        return { ...posed, env, ip: "::1" };
      },
    },
  );
  const answer = await handler(get("/mine", { headers: asAda }), "E");
  assertEquals(await answer.text(), "ada");
  const url = "http://localhost/mine";
  assertEquals(seen, {
    verifier: ["ada", url, "mine", false, "E"],
    guard: [{ id: "ada" }, url, "mine", "::1"],
    context: [{ id: "ada" }, url, "mine", "E"],
  });
  assertEquals(order, ["contextInput", "verifier", "guard", "context"]);
  order.length = 0;
  await handler(new Request("http://localhost/open/nan", { method: "POST", body: "" }), "E");
  assertEquals(order, ["contextInput", "guard"]);
  order.length = 0;
  await handler(get("/mine"), "E");
  await handler(get("/nowhere"), "E");
  assertEquals(order, ["contextInput"]);
});

Deno.test("a route without security and guards runs contextInput only to create its context", async () => {
  const order: string[] = [];
  const plain = defineContract({
    routes: { it: route.post("/:n", { params: type({ n: "string.numeric" }), responses: { 204: response.empty() } }) },
  });
  const contextInput = (): object => {
    order.push("contextInput");
    return {};
  };
  const post = (path: string): Request => new Request(`http://localhost/${path}`, { method: "POST" });
  const withContext = createFetchHandler(
    defineServer(plain, { context: () => ({}) }).implement({ it: ({ response }) => response(204) }),
    { contextInput },
  );
  assertEquals([(await withContext(post("a"))).status, order], [400, []]);
  assertEquals([(await withContext(post("1"))).status, order], [204, ["contextInput"]]);
  const without = createFetchHandler(
    defineServer(plain).implement({ it: ({ response }) => response(204) }),
    { contextInput },
  );
  assertEquals([(await without(post("1"))).status, order], [204, ["contextInput"]]);
});

Deno.test("contextInput that fails is a 500, phase context, before any verifier runs", async () => {
  const made: readonly (() => Awaitable<object>)[] = [
    () => {
      throw new Error("secret");
    },
    () => Promise.reject(new Error("secret")),
    () => null as never,
    () => Promise.resolve("text") as never,
  ];
  for (const contextInput of made) {
    const { heard, onError } = listen();
    let asked = 0;
    const secured = defineServer(contract, { security: [verify(token, () => ({ id: ++asked }))] });
    const handler = createFetchHandler(
      secured.implement(handlers),
      { onError, contextInput },
    );
    const answer = await handler(get("/mine", { headers: asAda }));
    assertEquals([answer.status, answer.headers.get("cache-control"), asked], [500, "no-store", 0]);
    assertEquals(heard.map(({ phase }) => phase), ["context"]);
  }
});

Deno.test("a fragment has the guards and verifiers of its own server", async () => {
  const ran: string[] = [];
  const tree = defineContract({
    security: [token],
    responses: { 429: response.problem() },
    routes: {
      one: route.get("/one", { responses: { 200: response.text() } }),
      two: router("/two", { routes: { a: route.get("/a", { responses: { 200: response.text() } }) } }),
      three: route.get("/three", { responses: { 200: response.text() } }),
    },
  });
  const whole = defineServer(tree, { security: [verify(token, () => ({ from: "whole" }))] })
    .guard(() => void ran.push("whole"));
  const part = defineServer(tree, { security: [verify(token, () => ({ from: "part" }))] })
    .guard(({ caller }) => void ran.push(`part of ${caller.from}`));
  const handler = createFetchHandler(whole.implement({
    one: ({ caller, response }) => response(200, caller.from),
    two: part.implement(tree.routes.two, { a: ({ caller, response }) => response(200, caller.from) }),
    three: whole.guard(({ response }) => response(429)).implement(
      tree.routes.three,
      ({ response }) => response(200, ""),
    ),
  }));
  assertEquals(await (await handler(get("/one", { headers: asAda }))).text(), "whole");
  assertEquals(await (await handler(get("/two/a", { headers: asAda }))).text(), "part");
  assertEquals((await handler(get("/three", { headers: asAda }))).status, 429);
  assertEquals(ran, ["whole", "part of part", "whole"]);
});

Deno.test("server.guard() throws if the guard is not a function", () => {
  for (const [guard, found] of [[undefined, "undefined"], [null, "null"], [{}, "an object"], ["guard", '"guard"']]) {
    const { message } = assertThrows(() => server.guard(guard as never), TypeError);
    assertEquals(message, `server.guard(): the argument must be a function, got ${found}`);
  }
});
