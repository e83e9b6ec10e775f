import { codec, defineContract, request, response, route, router } from "@scope/api";
import { type Client, ClientError, createClient } from "@scope/api/client";
import { retry } from "@scope/api/retry";
import { mutationOptions, queryKey, queryOptions } from "@scope/api/tanstack-query";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { assertType, type IsExact } from "@std/testing/types";
import { hashKey, MutationObserver, QueryClient, QueryObserver } from "@tanstack/query-core";
import { type } from "arktype";

Deno.test.sanitizer({ ops: true, resources: true });

const User = type({ name: "string" });
const size = codec(type("string"), type("bigint"), { decode: BigInt, encode: String });
const tags = codec(type("string[]"), type.instanceOf(Map), {
  decode: (names) => new Map(names.map((name) => [name, true])),
  encode: (map) => [...map.keys()].map(String),
});
const contract = defineContract({
  routes: {
    health: route.get("/health", { responses: { 200: response.text() } }),
    users: router("/users", {
      routes: {
        list: route.get("/", { query: type({ "q?": "string" }), responses: { 200: response.json(User.array()) } }),
        byId: route.get("/:id", {
          responses: { 200: response.json(User), 404: response.json(type({ message: "string" })) },
        }),
        exists: route.head("/:id", { responses: { 200: response.empty() } }),
        rename: route.patch("/:id", {
          body: request.json(User),
          responses: { 200: response.json(User), 204: response.empty() },
        }),
        reset: route.post("/reset", { responses: { 204: response.empty() } }),
        larger: route.query("/larger", { body: request.json(size), responses: { 200: response.text() } }),
        anything: route.query("/anything", {
          body: request.json(type("unknown")),
          responses: { 200: response.text() },
        }),
        tagged: route.query("/tagged", { body: request.json(tags), responses: { 200: response.text() } }),
        events: route.get("/events", { responses: { 200: response.sse(User) } }),
      },
    }),
  },
});

/** A client of `contract` whose requests `answer` answers. */
function connect(
  answer: (request: Request) => Response | Promise<Response>,
): Client<typeof contract.routes> {
  return createClient(contract, { baseUrl: "https://a.example", fetch: answer });
}

const client = connect(({ method, url }) => {
  const { pathname, search } = new URL(url);
  if (method === "HEAD") return new Response(null);
  if (method === "POST") return new Response(null, { status: 204 });
  if (method === "PATCH") return Response.json({ name: "Grace" });
  if (pathname === "/health") return new Response("fine");
  if (pathname === "/users") return Response.json([{ name: search }]);
  if (pathname === "/users/1") return Response.json({ name: "Ada" });
  return Response.json({ message: "none" }, { status: 404 });
});

/** Runs `use` with a query client that tries once, and clears it. */
async function withQueries(use: (queries: QueryClient) => Promise<void>): Promise<void> {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  try {
    await use(queries);
  } finally {
    queries.clear();
  }
}

Deno.test("queryOptions() gives the body of a 2xx, typed by the contract", () =>
  withQueries(async (queries) => {
    const user = await queries.fetchQuery(queryOptions(client.users.byId, { params: { id: 1 } }));

    assertType<IsExact<typeof user, { name: string }>>(true);
    assertEquals(user, { name: "Ada" });
  }));

Deno.test("queryOptions() takes an input that is optional, or none where the route has none", () =>
  withQueries(async (queries) => {
    assertEquals(await queries.fetchQuery(queryOptions(client.users.list)), [{ name: "" }]);
    assertEquals(await queries.fetchQuery(queryOptions(client.users.list, { query: { q: "a" } })), [{ name: "?q=a" }]);
    assertEquals(await queries.fetchQuery(queryOptions(client.health)), "fine");
  }));

Deno.test("queryOptions() passes the options of calls, with and without an input", async () => {
  const seen: (string | null)[] = [];
  const client = connect(({ headers, url }) => {
    seen.push(headers.get("x-page"));
    return url.endsWith("/health") ? new Response("fine") : Response.json([]);
  });
  await withQueries(async (queries) => {
    await queries.fetchQuery(queryOptions(client.health, { headers: { "x-page": "1" } }));
    await queries.fetchQuery(queryOptions(client.users.list, {}, { headers: { "x-page": "2" } }));
  });

  assertEquals(seen, ["1", "2"]);
});

Deno.test("queryOptions() gives null for an empty body, which TanStack Query takes as data", () =>
  withQueries(async (queries) => {
    const nothing = await queries.fetchQuery(queryOptions(client.users.exists, { params: { id: 1 } }));

    assertType<IsExact<typeof nothing, null>>(true);
    assertEquals(nothing, null);
  }));

Deno.test("a query of a declared 404 fails with a ClientError whose result is typed", () =>
  withQueries(async (queries) => {
    const observer = new QueryObserver(queries, queryOptions(client.users.byId, { params: { id: 7 } }));
    const { error } = await observer.refetch();

    assertType<
      IsExact<NonNullable<NonNullable<typeof error>["result"]>["body"], { message: string }>
    >(true);
    assert(error instanceof ClientError);
    assertEquals([error.code, error.result?.status, error.result?.body], ["unsuccessful", 404, { message: "none" }]);
  }));

Deno.test("a query that is cancelled aborts its request", async () => {
  const started = Promise.withResolvers<Request>();
  const waiting = connect((request) => {
    started.resolve(request);
    return new Promise((_, reject) => request.signal.addEventListener("abort", () => reject(request.signal.reason)));
  });
  await withQueries(async (queries) => {
    const options = queryOptions(waiting.health);
    const failed = assertRejects(() => queries.fetchQuery(options));
    const { signal } = await started.promise;
    await queries.cancelQueries({ queryKey: options.queryKey });
    await failed;

    assert(signal.aborted);
  });
});

Deno.test("one query is tried as often as retry() says, where TanStack Query's own retries are off", async () => {
  let asked = 0;
  const client = createClient(contract, {
    baseUrl: "https://a.example",
    around: retry({ attempts: 3 }),
    fetch: () => {
      asked++;
      return new Response(null, { status: 503, headers: { "retry-after": "0" } });
    },
  });
  await withQueries(async (queries) => {
    await assertRejects(() => queries.fetchQuery(queryOptions(client.health)), ClientError);
  });

  assertEquals(asked, 3);
});

Deno.test("queryOptions() sets nothing beside a key and a function, so that defaults of the application hold", () => {
  assertEquals(Object.keys(queryOptions(client.health)), ["queryKey", "queryFn"]);
  assertEquals(Object.keys(mutationOptions(client.users.reset)), ["mutationKey", "mutationFn"]);
});

Deno.test("queryKey() finds the query of an input, and by a prefix those of a route or a group", () =>
  withQueries(async (queries) => {
    const one = queryOptions(client.users.byId, { params: { id: "1" } });
    await queries.fetchQuery(one);

    assertEquals(one.queryKey, ["users", "byId", { params: { id: "1" } }]);
    for (const key of [queryKey(client.users.byId, { params: { id: "1" } }), queryKey(client.users.byId), ["users"]]) {
      assertEquals(queries.getQueryCache().findAll({ queryKey: key }).length, 1);
    }
    for (const key of [queryKey(client.users.byId, { params: { id: "2" } }), queryKey(client.users.list)]) {
      assertEquals(queries.getQueryCache().findAll({ queryKey: key }), []);
    }
  }));

Deno.test("queryKey() tells inputs apart that JSON cannot hold", () => {
  assertEquals(queryKey(client.users.larger, { body: 10n }), ["users", "larger", { body: "10" }]);

  const values = [NaN, Infinity, null, [1n], [2n], { a: 1n }, new Date(0), new Date(1), new URL("https://a.example")];
  const keys = values.map((body) => hashKey(queryKey(client.users.anything, { body })));
  assertEquals(new Set(keys).size, values.length);
});

Deno.test("queryKey() refuses inputs that it could not tell apart", () => {
  const input = { body: new Map([["a", true]]) };
  const message =
    "Cannot make a query key for users.tagged: JSON does not hold the Map in its input; write the query's options by hand";
  assertThrows(() => queryKey(client.users.tagged, input), TypeError, message);
  assertThrows(() => queryOptions(client.users.tagged, input), TypeError, message);
});

Deno.test("queryOptions() refuses routes whose data can be read once", () => {
  assertThrows(
    () => queryOptions(client.users.events),
    TypeError,
    "Cannot query users.events: its 200 can be read only once; read it outside of TanStack Query",
  );
});

Deno.test("the functions refuse what is not a call of a client", () => {
  const other = (_input: { readonly a: 1 }) => Promise.resolve({ status: 200, body: "" });
  for (const [name, make] of Object.entries({ queryKey, queryOptions, mutationOptions })) {
    const message = `${name}() needs a call of a client, such as client.users.byId`;
    assertThrows(() => (make as (call: unknown) => void)(other), TypeError, message);
    assertThrows(() => (make as (call: unknown) => void)(client.users), TypeError, message);
  }
});

Deno.test("mutationOptions() takes the call's input, and gives the body of a 2xx", () =>
  withQueries(async (queries) => {
    const options = mutationOptions(client.users.rename, { timeout: 5000 });
    const rename = new MutationObserver(queries, options);
    const renamed = await rename.mutate({ params: { id: 1 }, body: { name: "Grace" } });

    assertType<IsExact<typeof renamed, { name: string } | undefined>>(true);
    assertType<IsExact<Parameters<typeof options.mutationFn>[0]["body"], { name: string }>>(true);
    assertEquals(renamed, { name: "Grace" });
    assertEquals(options.mutationKey, ["users", "rename"]);
  }));

Deno.test("mutationOptions() of a route without inputs ignores what mutate() is given, such as the event of a click", () =>
  withQueries(async (queries) => {
    const reset = new MutationObserver(queries, mutationOptions(client.users.reset));

    assertEquals(await reset.mutate(), undefined);
    assertEquals(await (reset.mutate as (event: unknown) => Promise<unknown>)(new Event("click")), undefined);
  }));

Deno.test("mutationOptions() passes the options of calls", async () => {
  const seen: (string | null)[] = [];
  const client = connect(({ headers }) => {
    seen.push(headers.get("x-page"));
    return new Response(null, { status: 204 });
  });
  await withQueries(async (queries) => {
    await new MutationObserver(queries, mutationOptions(client.users.reset, { headers: { "x-page": "1" } })).mutate();
  });

  assertEquals(seen, ["1"]);
});

Deno.test("a mutation that fails has a typed ClientError", () =>
  withQueries(async (queries) => {
    const failing = connect(() => new Response(null, { status: 500 }));
    const rename = new MutationObserver(queries, {
      ...mutationOptions(failing.users.rename),
      onError: (error) => assertEquals([error.code, error.status], ["unexpected-status", 500]),
    });
    await assertRejects(() => rename.mutate({ params: { id: 1 }, body: { name: "" } }), ClientError);
    assertType<IsExact<ReturnType<typeof rename.getCurrentResult>["error"] extends ClientError | null ? 1 : 0, 1>>(
      true,
    );
  }));

Deno.test("inputs, options and data are type errors where the contract says otherwise", () => {
  // @ts-expect-error: its input is required
  const noInput = () => queryOptions(client.users.byId);
  // @ts-expect-error: no such parameter
  const otherInput = () => queryOptions(client.users.byId, { params: { key: 1 } });
  // @ts-expect-error: TanStack Query aborts queries
  const signal = () => queryOptions(client.health, { signal: AbortSignal.abort() });
  // @ts-expect-error: it has no input
  const surplus = () => queryOptions(client.health, {}, {});
  // @ts-expect-error: no such parameter
  const otherKey = () => queryKey(client.users.byId, { query: {} });

  assertEquals([noInput, otherInput, signal, surplus, otherKey].length, 5);
});
