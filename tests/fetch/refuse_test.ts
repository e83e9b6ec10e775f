/** The options `refusals` and `refuse`: refusals in the application's own format. */
import {
  type AdapterProblem,
  type Awaitable,
  defineServer,
  fieldErrors,
  type Refuse,
  type RefuseInput,
  verify,
} from "@scope/api/server";
import { defineContract, request, response, route, router, security } from "@scope/api";
import { createFetchHandler, fetchAdapter } from "@scope/api/fetch";
import { assert, assertEquals, assertInstanceOf, assertStrictEquals, assertStringIncludes } from "@std/assert";
import { type } from "arktype";
import fc from "fast-check";
import { asserting } from "../support/tries.ts";
import { assertProblem, listen } from "../support/mount_route.ts";
import { cases, mount, mountPlain, mountShort, type RefusedCase, type Shape } from "./refusals.ts";

const always = asserting(400);

type Input = Parameters<Shape>[0];

/** Every declared refusal in the error format of the RealWorld API. */
const shape: Shape = ({ problem, status, response }) =>
  status && response(status, { errors: { [problem.code]: [problem.title] } });

/** The status of a case in that shape. */
function shapedStatus(status: number): number {
  return status === 401 || status === 500 ? status : 422;
}

/** An asynchronous `refuse`. */
function later<Input, Result>(refuse: (input: Input) => Awaitable<Result>): (input: Input) => Promise<Result> {
  return async (input) => {
    await Promise.resolve();
    return await refuse(input);
  };
}

function name({ code, key }: RefusedCase): string {
  return `${code} of ${key ?? "no route"}`;
}

for (const each of cases) {
  Deno.test(`refuse shapes ${name(each)}, synchronously or not`, async () => {
    for (const refuse of [shape, later(shape)]) {
      const { heard, onError } = listen();
      const plain = await mountPlain()(each.ask());
      const answer = await mount(refuse, { onError })(each.ask());

      assertEquals(plain.status, each.status);
      assertEquals((await plain.json()).code, each.code);
      assertEquals(answer.status, shapedStatus(each.status));
      assertEquals(answer.headers.get("content-type"), "application/json");
      assertEquals(Object.keys((await answer.json()).errors), [each.code]);
      for (const field of ["allow", "www-authenticate", "cache-control", "vary"]) {
        assertEquals(answer.headers.get(field), plain.headers.get(field));
      }
      assertEquals(heard.length, each.status === 500 ? 1 : 0);
    }
  });
}

for (const each of cases) {
  Deno.test(`one response in the place of refusals is that of ${name(each)}`, async () => {
    const plain = await mountPlain()(each.ask());
    const answer = await mountShort(({ problem, status, response }) =>
      status && response(status, { errors: { [problem.code]: [problem.title] } })
    )(each.ask());

    assertEquals([answer.status, answer.headers.get("content-type")], [each.status, "application/json"]);
    assertEquals(Object.keys((await answer.json()).errors), [each.code]);
    for (const field of ["allow", "www-authenticate", "cache-control", "vary"]) {
      assertEquals(answer.headers.get(field), plain.headers.get(field));
    }
  });
}

Deno.test("every status that the adapter sends by itself is among the cases", () => {
  const statuses = new Set(cases.map(({ status }) => status));
  assertEquals([...statuses].toSorted(), [400, 401, 403, 404, 405, 413, 415, 500]);
});

for (const each of cases.filter(({ isRead }) => isRead)) {
  Deno.test(`refuse shapes ${name(each)} for HEAD as for GET, without the body`, async () => {
    for (const refuse of [shape, later(shape)]) {
      const get = await mount(refuse)(each.ask());
      const head = await mount(refuse)(each.ask("HEAD"));

      assertEquals([head.status, head.body], [get.status, null]);
      const length = String((await get.bytes()).byteLength);
      assertEquals(Object.fromEntries(head.headers), { ...Object.fromEntries(get.headers), "content-length": length });
    }
  });
}

Deno.test("refuse receives the problem, the request and the route of each refusal, and may return nothing if none is declared", async () => {
  for (const each of cases) {
    for (const isLater of [false, true]) {
      const told: RefuseInput[] = [];
      const observe: Refuse = (input) => void told.push(input);
      const refused = each.ask();
      const plain = await mountPlain()(each.ask());
      const { heard, onError } = listen();
      const answer = await mountPlain(isLater ? later(observe) : observe, { onError })(refused);

      const document: AdapterProblem = await answer.json();
      assertEquals(document, await plain.json());
      assertEquals([answer.status, [...answer.headers]], [plain.status, [...plain.headers]]);
      assertEquals(told.length, 1);
      assertEquals(told[0]!.problem, document);
      assertStrictEquals(told[0]!.request, refused);
      assertEquals([told[0]!.route?.key, told[0]!.status], [each.key, undefined]);
      assert(Object.hasOwn(told[0]!, "route"));
      assertEquals(heard.map(({ phase }) => phase), each.status === 500 ? ["handler"] : []);
    }
  }
});

Deno.test("refuse receives the issues of a request that a schema refuses", async () => {
  const pointers: unknown[] = [];
  const handler = mountPlain(({ problem }) => void pointers.push(problem.issues?.map(({ pointer }) => pointer)));
  for (const { ask } of cases.filter(({ code }) => code === "invalid-request")) await handler(ask());
  assertEquals(pointers, [["/id"], ["/name"], ["/name"], ["/page"]]);
});

Deno.test("a refusal is synchronous if refuse is synchronous", () => {
  for (const mounted of [mount(shape), mountPlain(() => undefined)]) {
    for (const code of ["not-found", "method-not-allowed", "unauthorized", "forbidden", "internal-error"]) {
      const { ask } = cases.find((each) => each.code === code)!;
      assertInstanceOf(mounted(ask()), Response);
    }
  }
});

Deno.test("refuse is not called for results, preflights and disconnected clients", async () => {
  let calls = 0;
  const count: Refuse = () => void calls++;
  const handler = mountPlain(count, { cors: { origins: ["https://app.example.com"] } });
  const headers = { origin: "https://app.example.com", "access-control-request-method": "POST" };
  assertEquals((await handler(new Request("http://localhost/declared"))).status, 404);
  assertEquals((await handler(new Request("http://localhost/items/1"))).status, 200);
  assertEquals((await handler(new Request("http://localhost/items", { method: "OPTIONS", headers }))).status, 204);

  const client = new AbortController();
  const going = handler(
    new Request("http://localhost/items", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: new ReadableStream({
        pull: (controller) => {
          client.abort();
          controller.error(new Error("gone"));
        },
      }, { highWaterMark: 0 }),
      signal: client.signal,
    }),
  );
  assertEquals((await going).status, 499);
  assertEquals(calls, 0);
});

Deno.test("refuse is not called for results of guards, middleware and verifiers", async () => {
  const contract = defineContract({
    responses: { 429: response.empty() },
    routes: { it: route.get("/", { responses: { 200: response.text() } }) },
  });
  let calls = 0;
  const server = defineServer(contract, { refuse: () => void calls++ });
  const handle = { it: () => ({ status: 200, body: "" }) as const };
  for (
    const limited of [
      server.guard(({ response }) => response(429)),
      server.guard(({ response }) => {
        throw response(429);
      }),
      server.use(({ response }) => response(429)),
    ]
  ) {
    const answer = await fetchAdapter().mount(limited.implement(handle))(new Request("http://localhost/"));
    assertEquals(answer.status, 429);
  }
  assertEquals(calls, 0);
});

Deno.test("the server that implements a route shapes its refusals, and the outermost one those without a route", async () => {
  const contract = defineContract({
    refusals: { 400: 422, 404: response.text(), 422: response.text() },
    routes: {
      top: route.get("/", { query: type({ q: "string" }), responses: { 200: response.text() } }),
      users: router("/users", {
        routes: { list: route.get("/", { query: type({ q: "string" }), responses: { 200: response.text() } }) },
      }),
    },
  });
  const named = (name: string) =>
    defineServer(contract, {
      refuse: ({ problem, status, response }) => status && response(status, `${name} ${problem.code}`),
    });
  const ok = () => ({ status: 200, body: "" }) as const;
  const users = named("inner").at(contract.routes.users).implement({ list: ok });
  const ask = async (handler: ReturnType<typeof createFetchHandler>, path: string): Promise<string> =>
    await (await handler(new Request(`http://localhost${path}`))).text();

  const whole = createFetchHandler(named("outer").implement({ top: ok, users }));
  assertEquals(await ask(whole, "/"), "outer invalid-request");
  assertEquals(await ask(whole, "/users"), "inner invalid-request");
  assertEquals(await ask(whole, "/users/none"), "outer not-found");
  assertEquals(await ask(whole, "/users/%"), "outer invalid-path");
  assertEquals(await ask(createFetchHandler(users), "/"), "inner not-found");
});

/** Mistakes in `refuse`, and their messages. */
const failures: Readonly<Record<string, readonly [refuse: (input: Input) => unknown, message: string]>> = {
  "throws": [() => {
    throw new RangeError("broken");
  }, "broken"],
  "rejects": [() => Promise.reject(new RangeError("broken")), "broken"],
  "throws a result": [({ response }) => {
    throw response(422, { errors: {} });
  }, "[object Object]"],
  "returns another status": [({ response }) => response(500, { errors: {} }), ", …), got 500"],
  "returns nothing": [() => undefined, ", …), got undefined"],
  "returns what its schema refuses": [({ status }) => ({ status, body: { errors: 1 } }), "Cannot send the body of 4"],
  "returns an undeclared status": [() => ({ status: 451 }), ", …), got 451"],
  "builds an undeclared status": [
    ({ response }) => (response as (status: number) => unknown)(451),
    "status 451 is not declared (declared: 401, 422, 500)",
  ],
  "returns no status": [() => ({ status: NaN }), ", …), got NaN"],
  "returns text": [() => "sorry", "refuse must return response(status, …), got a string"],
  "returns null": [() => null, "refuse must return response(status, …), got null"],
  "returns a native response": [
    () => new Response("", { status: 404 }),
    "refuse must return response(status, …), got a native Response",
  ],
  "returns a header that no field can carry": [
    ({ status }) => ({ status, body: { errors: {} }, headers: { "x-it": "\n" } }),
    "is invalid",
  ],
};

for (const [what, [refuse, message]] of Object.entries(failures)) {
  Deno.test(`a refuse that ${what} is reported to onError once, and the problem is sent`, async () => {
    for (const each of cases.filter(({ status }) => status !== 500)) {
      for (const run of [refuse, async (input: Input) => await refuse(input)]) {
        let calls = 0;
        const { heard, onError } = listen(() => new Response("ignored", { status: 503 }));
        const counted = (input: Input): unknown => {
          calls++;
          return run(input);
        };
        const plain = await mountPlain()(each.ask());
        const answer = await mount(counted as Shape, { onError })(each.ask());

        assertEquals([answer.status, [...answer.headers]], [plain.status, [...plain.headers]]);
        assertEquals(await answer.json(), await plain.json());
        assertEquals(heard.map(({ phase, route }) => [phase, route?.key]), [["encode", each.key]]);
        const { error, response } = heard[0]!;
        assertStringIncludes(String(error), message);
        assertEquals([response.status, (await response.json()).code], [each.status, each.code]);
        assertEquals(calls, 1);
      }
    }
  });
}

Deno.test("an error of refuse names the request that it was for", async () => {
  const { heard, onError } = listen();
  const handler = mount(({ response }) => response(500, { errors: {} }), { onError });
  for (const code of ["not-found", "invalid-body"]) await handler(cases.find((each) => each.code === code)!.ask());
  const observing = mountPlain((() => ({ status: 404 })) as unknown as Refuse, { onError });
  await observing(cases.find((each) => each.code === "not-found")!.ask());
  assertEquals(heard.map(({ error }) => String(error)), [
    "ResultError: Cannot answer a request without a route: refuse must return response(422, …), got 500",
    "ResultError: Cannot answer POST /items (add): refuse must return response(422, …), got 500",
    "ResultError: Cannot answer a request without a route: refuse must return nothing for a refusal that is not declared, got 404",
  ]);
});

Deno.test("a refuse that fails after a disconnect is not reported", async () => {
  const { heard, onError } = listen();
  const client = new AbortController();
  const handler = mount(async () => {
    await Promise.resolve();
    client.abort();
    throw new Error("aborted");
  }, { onError });
  await handler(new Request("http://localhost/nowhere", { signal: client.signal }));
  assertEquals(heard, []);
});

Deno.test("the status of a result is read once, and later values are ignored", async () => {
  let reads = 0;
  const changing = {
    get status(): number {
      return ++reads > 2 ? 500 : 422;
    },
    body: { errors: {} },
  };
  const { status } = await mount(() => changing as never)(new Request("http://localhost/nowhere"));
  assertEquals(status, 422);
});

Deno.test("the fields of a refusal override those of refuse", async () => {
  const headers = { allow: "TRACE", "www-authenticate": "Negotiate", "cache-control": "public", vary: "accept" };
  const handler = mount(({ status, response }) => status && response(status, { errors: {} }, headers));
  const fieldsOf = async (find: (each: RefusedCase) => boolean): Promise<Record<string, string>> =>
    Object.fromEntries((await handler(cases.find(find)!.ask())).headers);

  const method = await fieldsOf(({ code }) => code === "method-not-allowed");
  assertEquals([method.allow, method["cache-control"]], ["POST", "public"]);
  const anonymous = await fieldsOf(({ code }) => code === "unauthorized");
  assertEquals(anonymous["www-authenticate"], 'Bearer realm="api", scope="write"');
  assertEquals(anonymous["cache-control"], "no-store");
  const scopes = await fieldsOf(({ code }) => code === "forbidden");
  assertEquals(scopes["www-authenticate"], 'Bearer error="insufficient_scope", scope="write"');
  const accepted = await fieldsOf(({ key, code }) => key === "secret" && code === "invalid-request");
  assertEquals(accepted["cache-control"], "no-store");
  const nobody = await fieldsOf(({ key }) => key === "optional");
  assertEquals([nobody["cache-control"], nobody.vary], ["public", "accept, authorization"]);
});

Deno.test("refuse cannot change the problem of other requests", async () => {
  const titles: string[] = [];
  const handler = mountPlain(({ problem }) => {
    titles.push(problem.title);
    Object.assign(problem, { title: "changed" });
  });
  for (const _ of [1, 2]) {
    const answer = await handler(new Request("http://localhost/nowhere"));
    await assertProblem(answer, 404, "Not Found", "not-found");
  }
  assertEquals(titles, ["Not Found", "Not Found"]);
});

Deno.test("for a failure refuse runs first, and onError receives its response", async () => {
  for (const refuse of [shape, later(shape)]) {
    const { heard, onError } = listen(({ response }) => void response); // what the hook has seen is what is sent
    const answer = await mount(refuse, { onError })(new Request("http://localhost/fail"));
    assertEquals(heard.map(({ error, phase, route }) => [String(error), phase, route?.key]), [
      ["Error: broken", "handler", "fail"],
    ]);
    assertStrictEquals(heard[0]!.response, answer);
    assertEquals(await answer.json(), { errors: { "internal-error": ["Internal Server Error"] } });
  }
});

Deno.test("a response of onError overrides that of refuse", async () => {
  const { onError } = listen(() => new Response("mine", { status: 503 }));
  const answer = await mount(shape, { onError })(new Request("http://localhost/fail"));
  assertEquals([answer.status, await answer.text()], [503, "mine"]);
});

Deno.test("onError may read the response of refuse, and the client receives the same", async () => {
  for (const method of ["GET", "HEAD"]) {
    const handler = mount(shape, { onError: ({ response }) => void response.text() });
    const answer = await handler(new Request("http://localhost/fail", { method }));
    assertEquals(answer.status, 500);
    assertStringIncludes(method === "HEAD" ? "errors" : await answer.text(), "errors");
  }
});

Deno.test("a failure and the failure of its refuse are both reported", async () => {
  const { heard, onError } = listen();
  const answer = await mount(({ response }) => response(422, { errors: {} }), { onError })(
    new Request("http://localhost/fail"),
  );
  await assertProblem(answer, 500, "Internal Server Error", "internal-error");
  assertEquals(heard.map(({ phase }) => phase), ["encode", "handler"]);
  assertStringIncludes(String(heard[0]!.error), "refuse must return response(500, …), got 422");
});

Deno.test("a stream that refuse returns by mistake is closed", async () => {
  let cancelled = 0;
  const source = (): ReadableStream<string> => new ReadableStream({ cancel: () => void cancelled++ });
  for (const returned of [() => source(), () => ({ status: 404, body: source() })]) {
    await mount(returned as unknown as Shape)(new Request("http://localhost/nowhere"));
  }
  assertEquals(cancelled, 2);
});

Deno.test("refuse shapes 413 over a socket, before and after reading the body has begun", async () => {
  const options = { port: 0, hostname: "127.0.0.1", onListen: () => {} };
  await using server = Deno.serve(options, mount(shape));
  for (const path of ["/items", "/upload"]) {
    const contentType = path === "/items" ? "application/json" : "application/octet-stream";
    for (const body of ["x".repeat(100), new Blob(["x".repeat(100)]).stream()]) {
      const answer = await fetch(`http://127.0.0.1:${server.addr.port}${path}`, {
        method: "POST",
        headers: { "content-type": contentType },
        body,
      });
      assertEquals([answer.status, await answer.json()], [
        422,
        { errors: { "body-too-large": ["Content Too Large"] } },
      ]);
    }
  }
});

/** Fields that `refuse` may try to set, with values that the adapter must reject. */
const hostileFields = fc.subarray([
  ["allow", "TRACE"],
  ["www-authenticate", "Negotiate"],
  ["vary", "accept-language"],
  ["cache-control", "public, max-age=1000"],
  ["access-control-allow-origin", "https://evil.example"],
  ["access-control-allow-credentials", "true"],
  ["Access-Control-Expose-Headers", "x-secret"],
  ["Cache-Control", "public"],
]).map((fields) => Object.fromEntries(fields));

const results = fc.record({
  status: fc.constantFrom(401, 422, 500, 200, 204, 304, 418, 599, NaN),
  body: fc.constantFrom<unknown>(undefined, { errors: {} }, "text", 1, ["line"], {}, null),
  headers: hostileFields,
});

const natives = fc.tuple(fc.constantFrom(409, 502), hostileFields).map(([status, headers]) => ({
  status,
  get body(): Response {
    return new Response("native", { status, headers });
  },
}));

const behaviours = fc.oneof(
  results,
  natives,
  fc.constantFrom<unknown>(undefined, null, "text", 1, new Response(), {}, []),
).chain((value) => fc.constantFrom("return", "throw", "later", "reject").map((way) => ({ way, value })));

function behave({ way, value }: { readonly way: string; readonly value: unknown }): unknown {
  if (way === "throw") throw value;
  if (way === "reject") return Promise.reject(value);
  return way === "later" ? Promise.resolve(value) : value;
}

// proves promises | `refuse` cannot change the class of the status or the protected headers
Deno.test("a response keeps the class of its status and its required fields, whatever refuse does", async () => {
  const origins = ["https://app.example.com"];
  const refused = fc.constantFrom(...cases).chain((each) =>
    fc.boolean().map((isHead) => () => each.ask(isHead && each.isRead ? "HEAD" : undefined))
  );
  await always(fc.asyncProperty(refused, behaviours, fc.boolean(), fc.boolean(), async (...drawn) => {
    const [ask, behaviour, isOfPage, hasCors] = drawn;
    const cors = hasCors ? { cors: { origins } } : {};
    const withOrigin = (): Request => {
      const request = ask();
      if (isOfPage && !request.headers.has("origin")) request.headers.set("origin", origins[0]!);
      return request;
    };
    const plain = await mountPlain(undefined, cors)(withOrigin());
    const answer = await mount((() => behave(behaviour)) as Shape, cors)(withOrigin());

    assertEquals(Math.floor(answer.status / 100), Math.floor(plain.status / 100));
    if (plain.status === 401) assertEquals(answer.status, 401);
    for (const field of ["allow", "www-authenticate"]) {
      if (plain.headers.has(field)) assertEquals(answer.headers.get(field), plain.headers.get(field));
    }
    if (plain.headers.get("cache-control") === "no-store") {
      assertEquals(answer.headers.get("cache-control"), "no-store");
    }
    for (const field of ["access-control-allow-origin", "access-control-allow-credentials"]) { // with and without cors
      assertEquals(answer.headers.get(field), plain.headers.get(field));
    }
    const varies = members(answer, "vary");
    assertEquals(members(plain, "vary").filter((name) => !varies.includes(name)), []);
    assert(!members(answer, "access-control-expose-headers").includes("x-secret"));
    await Promise.all([plain.body?.cancel(), answer.body?.cancel()]);
  }));
});

function members({ headers }: Response, field: string): string[] {
  return (headers.get(field) ?? "").split(",").map((name) => name.trim()).filter((name) => name !== "");
}

Deno.test("the cases of refusals cover every code", () => {
  const codes = new Set(cases.map(({ code }) => code));
  assertEquals(codes.size, 12);
});

const Message = response.json(type({ message: "string" }));

const bearer = security.bearer("token");

/** A contract with a refusal of each kind of response, and routes that override some. */
const mixed = defineContract({
  security: [bearer],
  refusals: {
    400: 422,
    401: response.problem(),
    404: response.empty(),
    405: 404,
    413: Message,
    422: response.problem(),
  },
  routes: {
    add: route.post("/items", {
      body: request.json(type({ item: { name: "string > 0" } }), { maxBytes: 50 }),
      responses: { 204: response.empty() },
    }),
    open: router("/open", {
      security: [],
      refusals: { 400: Message },
      routes: {
        item: route.get("/:id", { params: type({ id: "string.numeric" }), responses: { 200: response.text() } }),
        other: route.get("/other/:id", {
          params: type({ id: "string.numeric" }),
          refusals: { 400: response.text() },
          responses: { 200: response.text() },
        }),
      },
    }),
  },
});

Deno.test("problem documents and empty responses need no refuse, and may become another status", async () => {
  const contract = defineContract({
    refusals: { 400: 422, 404: response.empty(), 405: 404, 422: response.problem() },
    routes: {
      item: route.get("/:id", { params: type({ id: "string.numeric" }), responses: { 200: response.text() } }),
    },
  });
  const handler = createFetchHandler(
    defineServer(contract).implement({ item: ({ params, response }) => response(200, params.id) }),
  );
  const invalid = await handler(new Request("http://localhost/one"));
  const issue = { location: "params", path: ["id"], pointer: "/id" };
  const { issues: [{ message, ...rest }], ...document } = await invalid.json();
  assertEquals([invalid.status, invalid.headers.get("content-type")], [422, "application/problem+json"]);
  assertEquals(document, { type: "about:blank", title: "Unprocessable Content", status: 422, code: "invalid-request" });
  assertEquals([rest, typeof message], [issue, "string"]);
  const missing = await handler(new Request("http://localhost/a/b"));
  assertEquals([missing.status, await missing.text(), missing.headers.get("content-type")], [404, "", null]);
  const method = await handler(new Request("http://localhost/1", { method: "POST" }));
  assertEquals([method.status, await method.text(), method.headers.get("allow")], [404, "", "GET"]);
});

Deno.test("the nearest declaration of a refusal wins, and those that no one declares are problem documents", async () => {
  const asked: unknown[] = [];
  const server = defineServer(mixed, {
    security: [verify(bearer, () => ({}))],
    refuse: ({ problem, route, status, response }) => {
      asked.push([problem.status, status]);
      if (status === 413) return response(413, { message: "too large" });
      if (status !== 400) return undefined;
      return route?.key === "open.other"
        ? { status, body: "text" } as const
        : { status, body: { message: "json" } } as const;
    },
  });
  const handler = createFetchHandler(server.implement({
    add: ({ response }) => response(204),
    open: {
      item: ({ params, response }) => response(200, params.id),
      other: ({ params, response }) => response(200, params.id),
    },
  }));
  const ask = async (path: string, init?: RequestInit): Promise<unknown[]> => {
    const answer = await handler(new Request(`http://localhost${path}`, init));
    return [answer.status, answer.headers.get("content-type"), await answer.text()];
  };
  const post = (body: string, headers: HeadersInit = {}): RequestInit => ({
    method: "POST",
    body,
    headers: { "content-type": "application/json", authorization: "Bearer abc", ...headers },
  });
  assertEquals(await ask("/open/one"), [400, "application/json", '{"message":"json"}']);
  assertEquals((await ask("/open/other/one"))[2], "text");
  assertEquals(await ask("/items", post("x".repeat(60))), [413, "application/json", '{"message":"too large"}']);
  assertEquals((await ask("/items", post("{")))[0], 422);
  assertEquals((await ask("/items", post("{}", { authorization: "" })))[0], 401);
  assertEquals((await ask("/items", post("{}", { "content-type": "text/plain" })))[0], 415);
  assertEquals((await ask("/nowhere"))[0], 404);
  assertEquals(asked, [[400, 400], [400, 400], [413, 413], [400, 422], [401, 401], [415, undefined], [404, 404]]);
});

Deno.test("a missing and an invalid credential have codes of their own", async () => {
  for (
    const [headers, code] of [[{}, "unauthorized"], [{ authorization: "Bearer ?" }, "invalid-credential"]] as const
  ) {
    const answer = await mountPlain()(new Request("http://localhost/scoped", { headers }));
    await assertProblem(answer, 401, "Unauthorized", code);
  }
});

Deno.test("fieldErrors() of the server leaves out the keys that all issues share", async () => {
  const handler = createFetchHandler(
    defineServer(
      defineContract({
        refusals: { 400: 422, 422: response.json(type({ errors: type({ "[string]": "string[]" }) })) },
        routes: {
          add: route.post("/", {
            query: type({ "page?": "string.numeric" }),
            body: request.json(type({ user: { name: type("string > 0").describe("set"), tags: "string[]" } })),
            responses: { 204: response.empty() },
          }),
        },
      }),
      {
        refuse: ({ problem, status, response }) =>
          status && response(status, { errors: fieldErrors(problem, { from: 1 }) }),
      },
    ).implement({ add: ({ response }) => response(204) }),
  );
  const fieldsOf = async (path: string, body: unknown): Promise<string[]> => {
    const headers = { "content-type": "application/json" };
    const answer = await handler(
      new Request(`http://localhost${path}`, { method: "POST", headers, body: JSON.stringify(body) }),
    );
    return Object.keys((await answer.json()).errors);
  };
  assertEquals(await fieldsOf("/", { user: { name: "", tags: ["a", 1] } }), ["name", "tags.1"]);
  assertEquals(await fieldsOf("/?page=x", {}), ["page"]);
  assertEquals(await fieldsOf("/", {}), ["user"]); // a path that has no other key keeps it
});
