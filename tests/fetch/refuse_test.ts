/** The option `refuse` of a server: refusals in the application's own format. */
import { type AdapterProblem, defineServer, type Refuse, type RefuseInput } from "@scope/api/server";
import { defineContract, response, route, router } from "@scope/api";
import { createFetchHandler, fetchAdapter } from "@scope/api/fetch";
import { assert, assertEquals, assertInstanceOf, assertStrictEquals, assertStringIncludes } from "@std/assert";
import { type } from "arktype";
import fc from "fast-check";
import { tries } from "../support/tries.ts";
import { assertProblem, listen } from "../support/mount_route.ts";
import { cases, contract, mount, type RefusedCase, shared } from "./refusals.ts";

fc.configureGlobal(tries(400));

type Input = RefuseInput<typeof shared>;
type Shape = Refuse<typeof shared>;

/** Every problem in the error format of the RealWorld API, if the class of the status allows it. */
const shape = ({ problem, response }: Input): ReturnType<Shape> => {
  const body = { errors: { [problem.code]: [problem.title] } };
  if (problem.status === 401) return response(401, body);
  return problem.status === 500 ? response(500, body) : response(422, body);
};

/** The status of a case in that shape. */
function shapedStatus(status: number): number {
  return status === 401 || status === 500 ? status : 422;
}

/** An asynchronous `refuse`. */
function later(refuse: Shape): Shape {
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
      const plain = await mount()(each.ask());
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

Deno.test("refuse receives the problem, the request and the route, and undefined keeps the problem", async () => {
  for (const each of cases) {
    for (const isLater of [false, true]) {
      const told: Input[] = [];
      const observe: Shape = (input) => void told.push(input);
      const refused = each.ask();
      const plain = await mount()(each.ask());
      const { heard, onError } = listen();
      const answer = await mount(isLater ? later(observe) : observe, { onError })(refused);

      const document: AdapterProblem = await answer.json();
      assertEquals(document, await plain.json());
      assertEquals([answer.status, [...answer.headers]], [plain.status, [...plain.headers]]);
      assertEquals(told.length, 1);
      assertEquals(told[0]!.problem, document);
      assertStrictEquals(told[0]!.request, refused);
      assertEquals(told[0]!.route?.key, each.key);
      assert(Object.hasOwn(told[0]!, "route"));
      assertEquals(heard.map(({ phase }) => phase), each.status === 500 ? ["handler"] : []);
    }
  }
});

Deno.test("refuse receives the issues of a request that a schema refuses", async () => {
  const pointers: unknown[] = [];
  const handler = mount(({ problem }) => void pointers.push(problem.issues?.map(({ pointer }) => pointer)));
  for (const { ask } of cases.filter(({ code }) => code === "invalid-request")) await handler(ask());
  assertEquals(pointers, [["/id"], ["/name"], ["/name"], ["/page"]]);
});

Deno.test("a refusal is synchronous if refuse is synchronous", () => {
  for (const refuse of [shape, () => undefined]) {
    for (const code of ["not-found", "method-not-allowed", "unauthorized", "forbidden", "internal-error"]) {
      const { ask } = cases.find((each) => each.code === code)!;
      assertInstanceOf(mount(refuse)(ask()), Response);
    }
  }
});

Deno.test("refuse is not called for results, preflights and disconnected clients", async () => {
  let calls = 0;
  const count: Shape = () => void calls++;
  const handler = mount(count, { cors: { origins: ["https://app.example.com"] } });
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
    responses: { 404: response.text(), 405: response.text(), 422: response.text() },
    routes: {
      top: route.get("/", { query: type({ q: "string" }), responses: { 200: response.text() } }),
      users: router("/users", {
        routes: {
          list: route.get("/", { query: type({ q: "string" }), responses: { 200: response.text() } }),
          plain: route.get("/plain", { query: type({ q: "string" }), responses: { 200: response.text() } }),
        },
      }),
    },
  });
  const outer = defineServer(contract, { refuse: ({ problem, response }) => response(422, `outer ${problem.code}`) });
  const inner = defineServer(contract, { refuse: ({ problem, response }) => response(422, `inner ${problem.code}`) });
  const none = defineServer(contract);
  const ok = () => ({ status: 200, body: "" }) as const;
  const users = inner.at(contract.routes.users).implement({
    list: ok,
    plain: none.implement(contract.routes.users.plain, ok),
  });
  const ask = async (handler: ReturnType<typeof createFetchHandler>, path: string): Promise<string> =>
    await (await handler(new Request(`http://localhost${path}`))).text();

  const whole = createFetchHandler(outer.implement({ top: ok, users }));
  assertEquals(await ask(whole, "/"), "outer invalid-request");
  assertEquals(await ask(whole, "/users"), "inner invalid-request");
  assertStringIncludes(await ask(whole, "/users/plain"), `"code":"invalid-request"`);
  assertEquals(await ask(whole, "/users/none"), "outer not-found");
  assertEquals(await ask(whole, "/users/%"), "outer invalid-path");

  const alone = createFetchHandler(users);
  assertEquals(await ask(alone, "/"), "inner not-found");

  const problems = createFetchHandler(none.implement({ top: ok, users }));
  assertStringIncludes(await ask(problems, "/none"), `"code":"not-found"`);
  assertEquals(await ask(problems, "/users"), "inner invalid-request");
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
  "returns a redirect": [({ response }) => response(302), "a status from 400 to 499"],
  "returns 5xx": [({ response }) => response(503, "later"), "a status from 400 to 499"],
  "returns what its schema refuses": [() => ({ status: 422, body: { errors: 1 } }), "Cannot send the body of 422"],
  "returns an undeclared status": [() => ({ status: 451 }), "status 451 is not declared (declared: "],
  "builds an undeclared status": [
    ({ response }) => (response as (status: number) => unknown)(451),
    "status 451 is not declared (declared: ",
  ],
  "returns no status": [() => ({ status: NaN }), "a status from 400 to 499"],
  "returns text": [() => "sorry", "refuse must return response(status, …), got a string"],
  "returns null": [() => null, "refuse must return response(status, …), got null"],
  "returns a native response": [
    () => new Response("", { status: 404 }),
    "refuse must return response(status, …), got a native Response",
  ],
  "returns a header that no field can carry": [
    () => ({ status: 422, body: { errors: {} }, headers: { "x-it": "\n" } }),
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
        const plain = await mount()(each.ask());
        const answer = await mount(counted as Shape, { onError })(each.ask());

        assertEquals([answer.status, [...answer.headers]], [plain.status, [...plain.headers]]);
        assertEquals(await answer.json(), await plain.json());
        assertEquals(heard.map(({ phase, route }) => [phase, route?.key]), [["encode", each.key]]);
        const { error, response } = heard[0]!;
        if (each.status !== 401) assertStringIncludes(String(error), message);
        assertEquals([response.status, (await response.json()).code], [each.status, each.code]);
        assertEquals(calls, 1);
      }
    }
  });
}

Deno.test("a refused 401 stays 401", async () => {
  const { heard, onError } = listen();
  const { ask } = cases.find(({ code }) => code === "unauthorized")!;
  const answer = await mount(({ response }) => response(403, { errors: {} }), { onError })(ask());
  await assertProblem(answer, 401, "Unauthorized", "unauthorized");
  assertStringIncludes(String(heard[0]!.error), "refuse must answer 401 with 401, got 403");
});

Deno.test("an error of refuse names the request that it was for", async () => {
  const { heard, onError } = listen();
  const handler = mount(({ response }) => response(503, ""), { onError });
  for (const code of ["not-found", "invalid-body"]) await handler(cases.find((each) => each.code === code)!.ask());
  assertEquals(heard.map(({ error }) => String(error)), [
    "ResultError: Cannot answer a request without a route: refuse must answer 404 with a status from 400 to 499, got 503",
    "ResultError: Cannot answer POST /items (add): refuse must answer 400 with a status from 400 to 499, got 503",
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
      return ++reads > 2 ? 500 : 404;
    },
    body: { errors: {} },
  };
  const { status } = await mount(() => changing as never)(new Request("http://localhost/nowhere"));
  assertEquals(status, 404);
});

Deno.test("the fields of a refusal override those of refuse", async () => {
  const headers = { allow: "TRACE", "www-authenticate": "Negotiate", "cache-control": "public", vary: "accept" };
  const handler = mount(({ problem, response }) =>
    problem.status === 401 ? response(401, { errors: {} }, headers) : response(400, { errors: {} }, headers)
  );
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
  const handler = mount(({ problem }) => {
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
    const { heard, onError } = listen();
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

Deno.test("the problem is sent if onError reads a native response of refuse", async () => {
  const refuse: Shape = ({ response }) => response(502, new Response("native", { status: 502 }));
  const phases: string[] = [];
  const handler = mount(refuse, {
    onError: ({ phase, response }) => {
      phases.push(phase);
      return void response.text();
    },
  });
  const answer = await handler(new Request("http://localhost/fail"));
  assertEquals(phases, ["handler"]);
  await assertProblem(answer, 500, "Internal Server Error", "internal-error");
});

Deno.test("a failure and the failure of its refuse are both reported", async () => {
  const { heard, onError } = listen();
  const answer = await mount(({ response }) => response(404, { errors: {} }), { onError })(
    new Request("http://localhost/fail"),
  );
  await assertProblem(answer, 500, "Internal Server Error", "internal-error");
  assertEquals(heard.map(({ phase }) => phase), ["encode", "handler"]);
  assertStringIncludes(String(heard[0]!.error), "refuse must answer 500 with a status from 500 to 599, got ");
});

Deno.test("streams of refuse are sent, or closed if they are not sent", async () => {
  let closed = 0;
  async function* items(): AsyncGenerator<string> {
    try {
      yield "one";
      yield "two";
    } finally {
      closed++;
    }
  }
  const refuse: Shape = ({ response }) => response(423, items());
  const sent = await mount(refuse)(new Request("http://localhost/nowhere"));
  assertEquals([sent.status, await sent.text()], [423, '"one"\n"two"\n']);
  assertEquals(closed, 1);

  let cancelled = 0;
  const source = (): ReadableStream<string> => new ReadableStream({ cancel: () => void cancelled++ });
  const unsendable: Shape = ({ response }) => response(423, source());
  await mount(unsendable)(new Request("http://localhost/fail"));
  const given = (() => source()) as unknown as Shape;
  await mount(given)(new Request("http://localhost/nowhere"));
  assertEquals(cancelled, 2);
});

Deno.test("a native response of refuse is closed if onError returns another, unless that contains its body", async () => {
  let cancelled = 0;
  const refuse: Shape = ({ response }) => {
    const body = new ReadableStream({
      pull(controller): void {
        controller.enqueue(new TextEncoder().encode("content"));
        controller.close();
      },
      cancel: () => void cancelled++,
    }, { highWaterMark: 0 });
    return response(502, new Response(body, { status: 502 }));
  };
  const get = new Request("http://localhost/fail");
  const wrapped = await mount(refuse, { onError: ({ response }) => new Response(response.body, { status: 503 }) })(get);
  assertEquals([wrapped.status, await wrapped.text(), cancelled], [503, "content", 0]);
  const same = await mount(refuse, { onError: ({ response }) => response })(get);
  assertEquals([same.status, await same.text(), cancelled], [502, "content", 0]);
  const other = await mount(refuse, { onError: () => new Response("other", { status: 503 }) })(get);
  assertEquals([other.status, await other.text(), cancelled], [503, "other", 1]);
});

Deno.test("a stream of refuse that fails is reported to onError with phase stream", async () => {
  const { heard, onError } = listen();
  async function* items(): AsyncGenerator<string> {
    yield "one";
    throw new Error("broken");
  }
  const answer = await mount(({ response }) => response(423, items()), { onError })(
    new Request("http://localhost/nowhere"),
  );
  await answer.text().catch(() => undefined);
  assertEquals(heard.map(({ phase, route }) => [phase, route]), [["stream", undefined]]);
});

Deno.test("the results of refuse follow the declaration of the route if it redeclares a status", async () => {
  const handler = createFetchHandler(
    defineServer(
      defineContract({
        responses: { 400: response.text() },
        routes: {
          it: route.get("/", {
            query: type({ q: "string" }),
            responses: { 200: response.text(), 400: response.json(type({ message: "string" })) },
          }),
        },
      }),
      { refuse: () => ({ status: 400, body: { message: "no" } }) as never },
    ).implement({ it: ({ response }) => response(200, "") }),
  );
  assertEquals(await (await handler(new Request("http://localhost/"))).json(), { message: "no" });
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
  status: fc.constantFrom(...Object.keys(shared).map(Number), 200, 204, 304, 418, 599, NaN),
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

Deno.test("a response keeps the class of its status and its required fields, whatever refuse does", async () => {
  const origins = ["https://app.example.com"];
  const refused = fc.constantFrom(...cases).chain((each) =>
    fc.boolean().map((isHead) => () => each.ask(isHead && each.isRead ? "HEAD" : undefined))
  );
  await fc.assert(fc.asyncProperty(refused, behaviours, fc.boolean(), async (ask, behaviour, isOfPage) => {
    const withOrigin = (): Request => {
      const request = ask();
      if (isOfPage && !request.headers.has("origin")) request.headers.set("origin", origins[0]!);
      return request;
    };
    const plain = await mount(undefined, { cors: { origins } })(withOrigin());
    const answer = await mount((() => behave(behaviour)) as Shape, { cors: { origins } })(withOrigin());

    assertEquals(Math.floor(answer.status / 100), Math.floor(plain.status / 100));
    if (plain.status === 401) assertEquals(answer.status, 401);
    for (const field of ["allow", "www-authenticate"]) {
      if (plain.headers.has(field)) assertEquals(answer.headers.get(field), plain.headers.get(field));
    }
    if (plain.headers.get("cache-control") === "no-store") {
      assertEquals(answer.headers.get("cache-control"), "no-store");
    }
    for (const field of ["access-control-allow-origin", "access-control-allow-credentials"]) {
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
  assertEquals(codes.size, 11);
  assertEquals(contract.responses, shared);
});
