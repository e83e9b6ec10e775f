import { codec, type Contract, defineContract, response, route, security } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";
import { slimContract } from "@scope/api/slim";
import { contractTests } from "@scope/api/testing";
import { assert, assertEquals, assertFalse, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { type } from "arktype";
import { findAll, firstLine } from "./findings.ts";
import { contract as everything, createHandler as createBodies } from "./bodies.ts";
import { contract, createHandler, createThings } from "./things.ts";

const credentials = { token: "test" };
const known = { params: { id: ["1"] } };
const values = { "things.byId": known, "things.rename": known, "things.replace": known, "things.remove": known };

const health = defineContract({ routes: { health: route.get("/health", { responses: { 200: response.text() } }) } });
const healthy = createFetchHandler(defineServer(health).implement({ health: ({ response }) => response(200, "ok") }));

Deno.test("contractTests() returns a test for each route and group of rules", () => {
  const names = contractTests(contract, { target: () => createHandler(), credentials }).map(({ name }) => name);

  assertEquals(names.filter((name) => name.startsWith("things.rename")), [
    "things.rename: valid requests",
    "things.rename: boundaries",
    "things.rename: invalid requests",
    "things.rename: malformed requests",
    "things.rename: credentials",
    "things.rename: schemas",
  ]);
  assertEquals(names.filter((name) => name.startsWith("health")), [
    "health: valid requests",
    "health: malformed requests",
    "health: HEAD",
  ]);
  assertEquals(names.at(-1), "sequences of calls");
});

Deno.test("contractTests() accepts a handler, a function that returns one or a promise of one, and a URL", async () => {
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen(): void {} },
    (request) => healthy(request),
  );
  const url = `http://127.0.0.1:${server.addr.port}`;
  for (const target of [healthy, () => healthy, () => Promise.resolve(healthy), url, new URL(url)]) {
    assertEquals(await findAll(contractTests(health, { target })), []);
  }
});

Deno.test("a test creates a new server each time, and each sequence its own", async () => {
  let made = 0;
  const target = (): ReturnType<typeof createHandler> => {
    made++;
    return createHandler();
  };
  const [first, ...others] = contractTests(contract, { target, credentials, runs: 10 });
  await first!.run();
  assertEquals(made, 1);
  await others.at(-1)!.run();
  assertEquals(made, 1 + 1 + 10);
});

Deno.test("the same seed generates the same requests, and another seed others", async () => {
  const record = async (seed: number): Promise<string[]> => {
    const asked: string[] = [];
    const handler = createHandler();
    const target = async (request: Request): Promise<Response> => {
      asked.push(`${request.method} ${request.url} ${await request.clone().text()}`);
      return await handler(request);
    };
    const tests = contractTests(contract, { target, credentials, values, seed, runs: 20 });
    await findAll(tests.filter(({ name }) => name.startsWith("things.create")));
    return asked;
  };
  const first = await record(1);

  assert(first.length > 40);
  assertEquals(await record(1), first);
  assert((await record(2)).join() !== first.join());
});

Deno.test("a message contains the command that sends the request, the seed and the original request", async () => {
  const handler = createHandler();
  const target = async (request: Request): Promise<Response> => {
    const text = await request.clone().text();
    return request.method === "PATCH" && text.includes('"name":""')
      ? Response.json({ id: "1", name: "" })
      : handler(request);
  };
  const [found] = await findAll(contractTests(contract, { target, credentials, values, seed: 0x1a2b }));

  assertEquals(found?.message.split("\n").slice(0, 2), [
    'things.rename: invalid-accepted: PATCH /api/things/1 {"name":""} was answered 200; the contract refuses it: ' +
    "/name must be non-empty",
    "  curl http://localhost/api/things/1 -X PATCH -H 'authorization: ***' -H 'content-type: application/json' " +
    `--data-raw '{"name":""}'`,
  ]);
  assertStringIncludes(found!.message, "\n  seed 1a2b");
});

Deno.test("each broken rule has its own request, which shrinks without breaking another rule", async () => {
  const handler = createHandler();
  const target = async (request: Request): Promise<Response> => {
    const text = await request.clone().text();
    const [, name = ""] = /^\{"name":"([^"\\]*)"\}$/.exec(text) ?? [];
    if (request.method !== "PATCH" || name === "" || !request.url.endsWith("/1")) return await handler(request);
    return new Response(null, { status: name.length > 10 ? 500 : 203 });
  };
  const [valid] = contractTests(contract, { target, credentials, values })
    .filter(({ name }) => name === "things.rename: valid requests");

  assertEquals((await findAll([valid!])).map(firstLine), [
    'things.rename: declared-status: PATCH /api/things/1 {"name":"a"} was answered 203; PATCH declares 200, 401, 404',
    'things.rename: no-failure: PATCH /api/things/1 {"name":"aaaaaaaaaaa"} was answered 500; the server failed',
  ]);
});

Deno.test("a server at a URL receives only safe methods, unless mutates is true", async () => {
  const methods = new Set<string>();
  const handler = createHandler();
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen(): void {} }, (request) => {
    methods.add(request.method);
    return handler(request);
  });
  const target = `http://127.0.0.1:${server.addr.port}`;
  const options = { target, credentials, values, runs: 10 };
  const rules = (await findAll(contractTests(contract, options))).map(({ rule }) => rule);

  assertEquals(rules, []);
  assertEquals([...methods].toSorted(), ["GET", "HEAD", "OPTIONS", "QUERY"]);

  await findAll(contractTests(contract, { ...options, mutates: true }));
  assert(methods.has("POST") && methods.has("DELETE") && methods.has("PATCH") && methods.has("PUT"));
});

Deno.test("messages contain neither credentials nor values of the option headers", async () => {
  const target = (_: Request): Response => {
    throw new Error("Bearer secret-token is not known to secret-tenant");
  };
  const options = { target, credentials: { token: "secret-token" }, headers: { "X-Tenant": "secret-tenant" }, runs: 5 };
  const messages = (await findAll(contractTests(contract, options))).map(({ message }) => message).join("\n");

  assertStringIncludes(messages, "x-tenant: ***");
  assertStringIncludes(messages, "authorization: ***");
  assertFalse(/secret/.test(messages));
});

Deno.test("a route without a successful request fails, and names the option that helps", async () => {
  const lost = contractTests(contract, { target: () => createHandler(new Map()), credentials, values, runs: 10 });
  const stranger = contractTests(contract, {
    target: () => createHandler(),
    credentials: { token: "unknown" },
    runs: 10,
  });

  assertEquals((await findAll(lost.filter(({ name }) => name === "things.remove: valid requests"))).map(firstLine), [
    "things.remove: nothing-reached: its valid requests were answered 11 times 404 and nothing else; " +
    "pass ids that exist in the option values",
  ]);
  const missed = await findAll(stranger.filter(({ name }) => name === "things.list: valid requests"));
  assertStringIncludes(
    missed.map(firstLine).join(),
    "things.list: nothing-reached: its valid requests were answered 11 times 401 and nothing else; " +
      'pass one that the server accepts in the option credentials: { "token": … }',
  );
  const none = await findAll(contractTests(contract, { target: () => createHandler() }).slice(3, 4));
  assertStringIncludes(
    none.map(firstLine).join(),
    "events: nothing-reached: no valid request was found, because it requires a credential; " +
      'pass one that the server accepts in the option credentials: { "token": … }',
  );
});

Deno.test("a function that signs in is called for each test, and again after a route has signed out", async () => {
  const cookie = security.cookie("session", { cookie: "sid" });
  const signed = defineContract({
    security: [cookie],
    routes: {
      signOut: route.delete("/session", { responses: { 204: response.empty() } }),
      me: route.get("/me", { responses: { 200: response.text() } }),
    },
  });
  const sessions = new Set<string>();
  const server = defineServer(signed, {
    security: [verify(cookie, ({ value }) => sessions.has(value) ? { id: value } : undefined)],
  });
  const handler = createFetchHandler(server.implement({
    signOut: ({ caller, response }) => {
      sessions.delete(caller.id);
      return response(204);
    },
    me: ({ response }) => response(200, "Ada"),
  }));
  const served = { hostname: "127.0.0.1", port: 0, onListen(): void {} };
  await using listener = Deno.serve(served, (request) => handler(request));
  let count = 0;
  const signIn = (): string => {
    const id = `session-${++count}`;
    sessions.add(id);
    return id;
  };
  const target = `http://127.0.0.1:${listener.addr.port}`;
  const options = { target, mutates: true, runs: 20 };

  assertEquals(await findAll(contractTests(signed, { ...options, credentials: { session: signIn } })), []);
  const shared = await findAll(contractTests(signed, { ...options, credentials: { session: signIn() } }));
  assert(shared.some(({ route }) => route === "me"), shared.map(firstLine).join("\n")); // its session has ended
});

Deno.test("responses that all routes share hide neither another status of a 404 or 405 nor that nothing is reached", async () => {
  const shared = defineContract({
    responses: { 418: response.json(type({ error: "string" })), 422: response.json(type({ error: "string" })) },
    routes: { health: route.get("/health", { responses: { 200: response.text() } }) },
  });
  const handler = createFetchHandler(defineServer(shared).implement({ health: ({ response }) => response(200, "ok") }));
  const become = (from: number, to: number) => async (request: Request): Promise<Response> => {
    const answer = await handler(request);
    return answer.status === from ? Response.json({ error: "no" }, { status: to }) : answer;
  };
  const rulesOf = async (target: (request: Request) => Promise<Response>): Promise<string[]> =>
    [...new Set((await findAll(contractTests(shared, { target, runs: 5 }))).map(({ rule }) => rule))].toSorted();

  assertEquals(await rulesOf(become(500, 500)), []);
  assertEquals(await rulesOf(become(405, 422)), ["method-not-allowed"]);
  assertEquals(await rulesOf(become(404, 422)), ["not-found"]);
  const always = ({ method }: Request): Promise<Response> => {
    const teapot = Response.json({ error: "no" }, { status: 418 });
    return Promise.resolve(method === "HEAD" ? new Response(null, teapot) : teapot);
  };
  assertEquals(await rulesOf(always), ["method-not-allowed", "not-found", "nothing-reached"]);
});

Deno.test("shared responses do not hide that a route lacks a 401", async () => {
  const scheme = security.bearer("token");
  const secured = defineContract({
    security: [scheme],
    responses: { 422: response.json(type({ error: "string" })) },
    routes: { me: route.get("/me", { responses: { 200: response.text() } }) },
  });
  const target = ({ headers, method }: Request): Response => {
    if (headers.get("authorization") !== "Bearer test") return Response.json({ error: "no" }, { status: 422 });
    return new Response(method === "HEAD" ? null : "ok", { headers: { "content-type": "text/plain" } });
  };
  const tests = contractTests(secured, { target, credentials: { token: "test" }, runs: 5 });
  const found = await findAll(tests.filter(({ name }) => name === "me: credentials"));

  assertEquals(found.map(({ rule }) => rule), ["needs-credentials"]);
});

Deno.test("put-twice ignores times within a JSON Web Token", async () => {
  const Session = type({ token: "string" });
  const jwt = defineContract({
    routes: {
      login: route.put("/session/:id", { body: type({ name: "string" }), responses: { 200: response.json(Session) } }),
      read: route.get("/session/:id", { responses: { 200: response.json(Session) } }),
    },
  });
  const encode = (value: object): string => btoa(JSON.stringify(value)).replaceAll("=", "");
  let clock = 1_795_000_000;
  const create = (claims: object): string =>
    `${encode({ alg: "HS256" })}.${encode({ ...claims, iat: ++clock })}.x${clock}`;
  const rulesOf = async (claimsOf: (id: string) => object): Promise<string[]> => {
    const implementation = defineServer(jwt).implement({
      login: ({ params, response }) => response(200, { token: create(claimsOf(params.id)) }),
      read: ({ params, response }) => response(200, { token: create(claimsOf(params.id)) }),
    });
    const found = await findAll(contractTests(jwt, { target: createFetchHandler(implementation), runs: 20 }));
    return found.map(({ rule }) => rule);
  };
  let count = 0;

  assertEquals(await rulesOf((sub) => ({ sub })), []);
  assertEquals(await rulesOf((sub) => ({ sub, count: ++count })), ["put-twice"]);
});

Deno.test("a handler sees that its request is aborted when its response is not read to the end", async () => {
  let aborted = 0;
  const target = (request: Request): Promise<Response> =>
    new Promise((resolve) =>
      request.signal.addEventListener("abort", () => {
        aborted++;
        resolve(new Response());
      })
    );
  const [valid] = contractTests(health, { target, runs: 1, limit: 20 });
  await assertRejects(() => valid!.run(), Error, "was not answered within 20 ms");
  assert(aborted > 0);

  const signals: AbortSignal[] = [];
  const answering = (request: Request): Response | Promise<Response> => {
    signals.push(request.signal);
    return healthy(request);
  };
  assertEquals(await findAll(contractTests(health, { target: answering, runs: 5 })), []);
  assertEquals(signals.filter(({ aborted }) => aborted), []); // nothing was left unread
});

Deno.test("against: another server receives the same requests and must respond in the same way", async () => {
  const options = { target: () => createHandler(), against: () => createHandler(), credentials, values, runs: 20 };
  assertEquals(await findAll(contractTests(contract, options)), []);

  const rewritten = (): (request: Request) => Promise<Response> => {
    const handler = createHandler();
    return async (request) => {
      const answer = await handler(request);
      return request.method === "PUT" && answer.ok ? Response.json({ ...await answer.json(), size: 0 }) : answer;
    };
  };
  const found = await findAll(contractTests(contract, { ...options, against: rewritten }));
  assertEquals(
    firstLine(found[0]!),
    'things.replace: same-answers: PUT /api/things/1 {"name":"a"} was answered 200; the other server answered with another ' +
      'body: {"name":"a","id":"1"} became {"name":"a","id":"1","size":0}',
  );
});

Deno.test("a schema that refuses values that documents allow is found without a server", async () => {
  const lying = defineContract({
    routes: {
      rename: route.post("/name", {
        body: type({ name: "string" }).narrow(({ name }, context) => name !== "a" || context.mustBe("another name")),
        responses: { 204: response.empty() },
      }),
    },
  });
  const target = createFetchHandler(defineServer(lying).implement({ rename: ({ response }) => response(204) }));
  const found = await findAll(contractTests(lying, { target }));

  assertEquals(found.map(firstLine), [
    'rename: document-lies: POST /name {"name":"a"} is valid by JSON Schema, as documents have it; the contract refuses it: ' +
    'the body must be another name (was {"name":"a"})',
  ]);
});

Deno.test("a codec that does not round-trip is found without a server", async () => {
  const Rounded = codec(type({ count: "0 <= number <= 1000" }), type({ count: "number" }), {
    decode: ({ count }) => ({ count }),
    encode: ({ count }) => ({ count: Math.trunc(count / 2) }),
  });
  const lossy = defineContract({
    routes: { count: route.post("/count", { body: Rounded, responses: { 204: response.empty() } }) },
  });
  const target = createFetchHandler(defineServer(lossy).implement({ count: ({ response }) => response(204) }));
  const found = await findAll(contractTests(lossy, { target }));

  assertEquals(found.map(({ rule }) => rule), ["representation-round-trips"]);
  assertStringIncludes(firstLine(found[0]!), "is encoded again as");
});

Deno.test("an unhandled promise rejection of the server is found", async () => {
  const target = (request: Request): Response | Promise<Response> => {
    if (request.method === "GET") Promise.reject(new Error("the cache is gone"));
    return healthy(request);
  };
  const [valid] = contractTests(health, { target, runs: 3 });
  const found = await findAll([valid!]);

  assertEquals(found.map(firstLine), [
    "*: no-failure: a promise rejection was not handled: Error: the cache is gone",
  ]);
});

Deno.test("what a server answers neither forges a line of a message nor controls a terminal", async () => {
  const closed = defineContract({
    routes: { a: route.get("/a", { responses: { 200: response.json(type({ id: "string", "+": "reject" })) } }) },
  });
  const target = (_request: Request): Response => Response.json({ id: "1", "\u001b[2J\u009b\u2028\nok": 1 });
  const [valid] = contractTests(closed, { target, runs: 1 });
  const { message } = await assertRejects(() => valid!.run(), Error);

  assertStringIncludes(message, "declare: /\\u001b[2J\\u009b\\u2028\\nok is not allowed\n  curl");
});

/** Responses whose bodies never end, with a count of the reads and cancellations. */
function createEndless(
  chunk: Uint8Array | undefined,
): { count: { begun: number; chunks: number; left: number }; answer: () => Response } {
  const count = { begun: 0, chunks: 0, left: 0 };
  const answer = (): Response => {
    count.begun++;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller): Promise<void> {
        count.chunks++;
        if (chunk) controller.enqueue(chunk);
        else await new Promise(() => {});
      },
      cancel: () => void count.left++,
    });
    return new Response(body, { headers: { "content-type": "text/plain" } });
  };
  return { count, answer };
}

Deno.test("an endless body is abandoned, and uses limited memory", async () => {
  const [long, slow] = [createEndless(new Uint8Array(2 ** 20)), createEndless(undefined)];
  for (
    const [{ answer }, state] of [[long, "has more than 67108864 bytes"], [slow, "did not end within 30 ms"]] as const
  ) {
    const limit = answer === slow.answer ? 30 : 10_000;
    const [valid] = contractTests(health, { target: () => answer, runs: 1, limit });
    const error = await assertRejects(() => valid!.run(), Error);

    assertStringIncludes(error.message, `GET /health was answered 200, but its body ${state}`);
  }

  assertEquals([long.count.left, slow.count.left], [long.count.begun, slow.count.begun]);
  assert(long.count.chunks <= 70 * long.count.begun, JSON.stringify(long.count));
});

Deno.test("a request to a URL that is not answered within the limit is aborted", async () => {
  let left = 0;
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen(): void {} },
    ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          left++;
          resolve(new Response());
        });
      }),
  );
  const [valid] = contractTests(health, { target: `http://127.0.0.1:${server.addr.port}`, runs: 1, limit: 30 });
  const error = await assertRejects(() => valid!.run(), Error);
  for (let waited = 0; left === 0 && waited < 5_000; waited += 10) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }

  assertStringIncludes(error.message, "GET /health was not answered within 30 ms");
  assert(left > 0);
});

Deno.test("a parameter may be named like a member of every object", async () => {
  const odd = defineContract({
    routes: { a: route.get("/:a/:constructor", { responses: { 200: response.text() } }) },
  });
  const paths: string[] = [];
  const target = ({ url }: Request): Response => {
    paths.push(new URL(url).pathname);
    return new Response("ok", { headers: { "content-type": "text/plain" } });
  };
  const [valid] = contractTests(odd, { target, runs: 20, values: { a: { params: { a: ["1"] } } } as never });
  await valid!.run();

  assertEquals(paths.filter((path) => path.endsWith("/undefined")), []);
});

Deno.test("contractTests() asks for the schemas of routes of the contract alone, and checks refusals without a route", async () => {
  const contract = defineContract({
    refusals: { 404: response.json(type({ missing: "string" })), 405: response.json(type({ allowed: "string" })) },
    routes: {
      own: route.get("/own", { refusals: { 404: response.empty() }, responses: { 200: response.empty() } }),
      "no route": route.get("/heir", { responses: { 200: response.empty() } }),
    },
  });
  const asked = new Set<string>();
  const target = (request: Request): Response => {
    const { pathname } = new URL(request.url);
    if (!["/own", "/heir"].includes(pathname)) return Response.json({ missing: 1 }, { status: 404 });
    if (request.method !== "GET") return Response.json({ allowed: "GET" }, { status: 405, headers: { allow: "GET" } });
    return new Response(null, { headers: { "content-length": "0" } });
  };
  const tests = contractTests(contract, {
    target,
    schema: ({ key, path }, slot) => void asked.add(`${key} ${path} ${slot}`),
  });
  const findings = await findAll(tests);

  assertEquals([...asked].filter((each) => !/^(?:own \/own|no route \/heir) /.test(each)), []);
  const [found] = findings.filter(({ rule }) => rule === "body-matches");
  assertStringIncludes(found?.message ?? "", "was answered 404 with a body that the contract does not declare");
});

Deno.test("the profile http accepts other refusals, and warns of undeclared members", async () => {
  const handler = createHandler();
  const others: Readonly<Record<number, number>> = { 400: 422, 405: 404, 415: 400, 413: 400 };
  const target = async (request: Request): Promise<Response> => {
    const answer = await handler(request);
    if (answer.status === 404) return answer;
    if (answer.status in others) return new Response("no", { status: others[answer.status]! });
    const isThing = request.method === "GET" && /things\/\d+$/.test(request.url) && answer.ok;
    return isThing ? Response.json({ ...await answer.json(), secret: 1 }) : answer;
  };
  const warnings: string[] = [];
  const options = {
    target,
    credentials,
    values,
    runs: 20,
    warn: (message: string): void => void warnings.push(message),
  };

  assertEquals((await findAll(contractTests(contract, { ...options, profile: "http" }))).map(firstLine), []);
  assert(warnings.every((message) => message.startsWith("things.byId: undeclared-members: GET /api/things/1")));
  assert(warnings.length > 0);
  assert((await findAll(contractTests(contract, options))).length > 5);
});

Deno.test("ignored rules do not count, for all routes or for some", async () => {
  const target = (): Response => new Response("no", { status: 500 });
  const tests = contractTests(contract, {
    target,
    credentials,
    values,
    runs: 3,
    ignore: { "no-failure": ["things.list"] },
  });
  const routes = (await findAll(tests)).filter(({ rule }) => rule === "no-failure").map(({ route }) => route);

  assertFalse(routes.includes("things.list"));
  assert(routes.includes("things.byId"));
  assertEquals(
    await findAll(contractTests(contract, { target, credentials, values, runs: 3, ignore: { "no-failure": true } })),
    [],
  );
});

Deno.test("contractTests() refuses contracts and options that it cannot test", () => {
  const target = healthy;
  const bearer = security.bearer("token");
  const cases: readonly (readonly [run: () => unknown, words: string])[] = [
    [
      () => contractTests(health, { target, ignore: { "no-such-rule": true } as never }),
      'contractTests(): "ignore" has the unknown rule "no-such-rule" (rules: declared-status, declared-content-type, ',
    ],
    [
      () => contractTests(health, { target, ignore: { toString: ["*"] } as never }),
      'contractTests(): "ignore" has the unknown rule "toString" (rules: ',
    ],
    [
      () => contractTests({} as never, { target }),
      "contractTests(): the contract must be made by defineContract(), got ",
    ],
    [
      () =>
        contractTests(slimContract<typeof health>({ health: ["GET", "/health", {}, {}] } as never) as never, {
          target,
        }),
      "slim",
    ],
    [() => contractTests(health, { target: "ftp://example.com" }), '"target" must be a handler'],
    [() => contractTests(health, { target: undefined as never }), '"target" must be a handler'],
    [() => contractTests(health, { target, runs: -1 }), '"runs" must be a non-negative integer, got -1'],
    [() => contractTests(health, { target, limit: 0 }), '"limit" must be a positive integer, got 0'],
    [() => contractTests(health, { target, seed: 1.5 }), '"seed" must be a non-negative integer, got 1.5'],
    [
      () => contractTests(health, { target, profile: "ours" as never }),
      '"profile" must be "http", "foreign" or omitted, got "ours"',
    ],
    [() => contractTests(health, { target, tries: 1 } as never), 'unknown option "tries"'],
    [
      () => contractTests(health, { target, values: { users: {} } as never }),
      '"values" has the unknown route "users"',
    ],
    [
      () => contractTests(health, { target, ignore: { "no-leak": ["users"] as never } }),
      '"ignore" has the unknown route "users"',
    ],
    [() => contractTests(health, { target, credentials: { token: "t" } as never }), "credential"],
    [() => contractTests(health, { target, schema: {} as never }), '"schema" must be a function, got an object'],
    [
      () =>
        contractTests(
          defineContract({
            routes: {
              at: route.get("/", { query: type({ at: "Date" }) as never, responses: { 204: response.empty() } }),
            },
          }),
          { target },
        ),
      "Cannot test at",
    ],
  ];
  for (const [run, words] of cases) {
    assertStringIncludes(assertThrows(run, TypeError, undefined, words).message, words);
  }
  assert(bearer);
});

Deno.test("a target without parameters must return a handler", async () => {
  const [valid] = contractTests(health, { target: (() => "ok") as never });
  await assertRejects(
    () => valid!.run(),
    TypeError,
    'contractTests(): "target" without a parameter must return a handler; to pass a handler, write (request) => …',
  );
});

Deno.test("values may contain bodies in the form of a client: blobs, forms and inputs of codecs", async () => {
  const bodies: string[] = [];
  const handler = createBodies();
  const target = async (request: Request): Promise<Response> => {
    bodies.push(await request.clone().text());
    return await handler(request);
  };
  const form = new FormData();
  form.set("title", "given title");
  form.set("file", new Blob(["given file"]), "a.txt");
  const values = {
    bytes: { body: [new Blob(["given blob"])] },
    codec: { body: [{ at: new Date(86_400_000) }] },
    upload: { body: [form] },
    form: { body: [{ name: "given name" }] },
  };
  assertEquals(await findAll(contractTests(everything, { target, values, runs: 5 })), []);

  for (
    const given of ["given blob", '{"at":"1970-01-02T00:00:00.000Z"}', "given file", "given title", "name=given+name"]
  ) {
    assert(bodies.some((body) => body.includes(given)), given);
  }
});

Deno.test("tests do not affect each other: each run starts with a new server", async () => {
  const things = createThings();
  const [first] = contractTests(contract, { target: () => createHandler(things), credentials, runs: 5 });
  await first!.run();
  await first!.run();
});

Deno.test("a route of a large contract is tested after its nearest 100 routes, not after all", async () => {
  const names = Array.from({ length: 300 }, (_, index) => `r${index}`);
  const responses = { 200: response.json(type({ id: "string" })) };
  const routes = Object.fromEntries(names.map((name) => [name, route.get(`/${name}/:id`, { responses })] as const));
  const near = route.get("/far/things", { responses: { 200: response.json(type({ id: "'known'" })) } });
  const large = defineContract({ routes: { ...routes, near, target: route.get("/far/things/:id", { responses }) } });
  const asked: string[] = [];
  const target = ({ url, method }: Request): Response => {
    const { pathname } = new URL(url);
    asked.push(pathname);
    return new Response(method === "HEAD" ? null : '{"id":"known"}', {
      headers: { "content-type": "application/json" },
    });
  };
  const tests = contractTests(large as Contract, { target, runs: 5, seed: 1 });
  await tests.find(({ name }) => name === "target: valid requests")!.run();

  assertEquals(asked.filter((path) => path === "/far/things").length, 2);
  assert(asked.length < 220, String(asked.length));
});

Deno.test("contractTests() does not compare GET with a HEAD that the contract declares", async () => {
  const both = defineContract({
    routes: {
      read: route.get("/items", { responses: { 200: response.text() } }),
      peek: route.head("/items", { query: type({ name: "string" }), responses: { 200: response.empty() } }),
    },
  });
  const target = createFetchHandler(
    defineServer(both).implement({
      read: ({ response }) => response(200, "all"),
      peek: ({ response }) => response(200),
    }),
  );

  assertEquals(await findAll(contractTests(both, { target })), []);
});
