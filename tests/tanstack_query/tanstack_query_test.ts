import { codec, defineContract, request, response, route, router } from "@scope/api";
import { type Client, ClientError, createClient } from "@scope/api/client";
import { retry } from "@scope/api/retry";
import {
  infiniteQueryOptions,
  mutationOptions,
  nextLinkQuery,
  queryKey,
  queryOptions,
} from "@scope/api/tanstack-query";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { assertType, type IsExact } from "@std/testing/types";
import { hashKey, InfiniteQueryObserver, MutationObserver, QueryClient, QueryObserver } from "@tanstack/query-core";
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
        pages: route.get("/pages", {
          query: type({ "after?": "string", "limit?": "string.integer.parse" }),
          responses: {
            200: response.json(type({ users: User.array(), next: "string | null" }), {
              headers: type({ "link?": "string" }),
            }),
            404: response.json(type({ message: "string" })),
          },
        }),
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

Deno.test("queryOptions() returns the body of a 2xx, typed by the contract", () =>
  withQueries(async (queries) => {
    const user = await queries.fetchQuery(queryOptions(client.users.byId, { params: { id: 1 } }));

    assertType<IsExact<typeof user, { name: string }>>(true);
    assertEquals(user, { name: "Ada" });
  }));

Deno.test("queryOptions() accepts an optional input, or none if the route has none", () =>
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

Deno.test("queryOptions() returns null for an empty body, which TanStack Query accepts as data", () =>
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

Deno.test("a cancelled query aborts its request", async () => {
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

Deno.test("a query makes as many attempts as retry() allows if TanStack Query's own retries are off", async () => {
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

Deno.test("queryOptions() sets only a key and a function, so that defaults of the application apply", () => {
  assertEquals(Object.keys(queryOptions(client.health)), ["queryKey", "queryFn"]);
  assertEquals(Object.keys(mutationOptions(client.users.reset)), ["mutationKey", "mutationFn"]);
});

Deno.test("queryKey() finds the query of an input, and by a prefix those of a route or a group", () =>
  withQueries(async (queries) => {
    const one = queryOptions(client.users.byId, { params: { id: "1" } });
    await queries.fetchQuery(one);

    assertEquals<readonly unknown[]>(one.queryKey, ["users", "byId", { params: { id: "1" } }]);
    for (const key of [queryKey(client.users.byId, { params: { id: "1" } }), queryKey(client.users.byId), ["users"]]) {
      assertEquals(queries.getQueryCache().findAll({ queryKey: key }).length, 1);
    }
    for (const key of [queryKey(client.users.byId, { params: { id: "2" } }), queryKey(client.users.list)]) {
      assertEquals(queries.getQueryCache().findAll({ queryKey: key }), []);
    }
  }));

Deno.test("queryKey() distinguishes inputs that JSON cannot represent", () => {
  assertEquals<readonly unknown[]>(queryKey(client.users.larger, { body: 10n }), ["users", "larger", { body: "10" }]);

  const values = [NaN, Infinity, null, [1n], [2n], { a: 1n }, new Date(0), new Date(1), new URL("https://a.example")];
  const keys = values.map((body) => hashKey(queryKey(client.users.anything, { body })));
  assertEquals(new Set(keys).size, values.length);
});

Deno.test("queryKey() refuses inputs that it could not distinguish", () => {
  const input = { body: new Map([["a", true]]) };
  const message =
    "queryKey(): the input of users.tagged must be JSON, got a Map; write the options of the query yourself";
  assertThrows(() => queryKey(client.users.tagged, input), TypeError, message);
  assertThrows(() => queryOptions(client.users.tagged, input), TypeError, message);
});

Deno.test("queryOptions() refuses routes whose data can be read only once", () => {
  const state = "the response 200 of users.events can be read only once; call it without TanStack Query";
  // @ts-expect-error the types say so too
  assertThrows(() => queryOptions(client.users.events), TypeError, `queryOptions(): ${state}`);
  const pages = { next: () => null, input: () => undefined as never };
  // @ts-expect-error the types say so too
  assertThrows(() => infiniteQueryOptions(client.users.events, pages), TypeError, `infiniteQueryOptions(): ${state}`);

  const contract = defineContract({
    routes: {
      stream: route.get("/stream", { responses: { 200: response.stream(), 404: response.text() } }),
      rows: route.get("/rows", { responses: { 200: response.ndjson(type("string")) } }),
      raw: route.get("/raw", { responses: { 200: response.raw() } }),
      some: route.get("/some", { responses: { 200: response.bytes(), 206: response.stream() } }),
      bytes: route.get("/bytes", { responses: { 200: response.bytes() } }),
    },
  });
  const { stream, rows, raw, some, bytes } = createClient(contract, { baseUrl: "https://a.example" });
  // @ts-expect-error a stream
  assertThrows(() => queryOptions(stream), TypeError, "can be read only once");
  // @ts-expect-error items
  assertThrows(() => queryOptions(rows), TypeError, "can be read only once");
  // @ts-expect-error a native response
  assertThrows(() => queryOptions(raw), TypeError, "can be read only once");
  // @ts-expect-error a stream for one of the statuses
  assertThrows(() => queryOptions(some), TypeError, "can be read only once");
  assertEquals<readonly unknown[]>(queryOptions(bytes).queryKey, ["bytes"]);
});

Deno.test("the functions refuse a value that is not a call of a client", () => {
  const other = (_input: { readonly a: 1 }) => Promise.resolve({ status: 200, body: "" });
  for (const [name, make] of Object.entries({ queryKey, queryOptions, infiniteQueryOptions, mutationOptions })) {
    const message = `${name}(): the first argument must be a call of a client, like client.users.byId, got `;
    assertThrows(() => (make as (call: unknown, pages: object) => void)(other, {}), TypeError, message);
  }
});

Deno.test("the functions refuse options that no call would accept, when they are called", () => {
  const byId = { params: { id: "1" } };
  const pages = { next: () => null, input: () => byId };
  const functions: Readonly<Record<string, readonly [make: (options: never) => unknown, allowed: string]>> = {
    queryOptions: [
      (options) => queryOptions(client.users.byId, byId, options),
      "timeout, silence, headers, init, maxBodyBytes, maxRecordBytes",
    ],
    infiniteQueryOptions: [
      (options) => infiniteQueryOptions(client.users.byId, pages, options),
      "timeout, silence, headers, init, maxBodyBytes, maxRecordBytes",
    ],
    mutationOptions: [
      (options) => mutationOptions(client.users.byId, options),
      "timeout, silence, headers, init, maxBodyBytes, maxRecordBytes, signal",
    ],
  };
  for (const [name, [make, allowed]] of Object.entries(functions)) {
    const rows: [options: unknown, message: string][] = [
      [null, `${name}(): the options must be an object, got null`],
      [10_000, `${name}(): the options must be an object, got 10000`],
      [{ timeOut: 1 }, `${name}(): unknown option "timeOut" (allowed: ${allowed})`],
    ];
    for (const [options, message] of rows) {
      assertEquals(assertThrows(() => make(options as never), TypeError).message, message);
    }
  }
});

Deno.test("queryKey() refuses an unknown slot, whose key would match no query", () => {
  const rows: [input: unknown, message: string][] = [
    [null, "queryKey(): the slots must be an object, got null"],
    [{ param: { id: "1" } }, 'queryKey(): unknown slot "param" (allowed: params)'],
  ];
  for (const [input, message] of rows) {
    assertThrows(() => queryKey(client.users.byId, input as never), TypeError, message);
    assertThrows(() => queryOptions(client.users.byId, input as never), TypeError, message);
  }
  for (const id of [() => {}, Symbol("1")]) {
    const message = `queryKey(): the input of users.byId must be JSON, got a ${id.constructor.name}`;
    assertThrows(() => queryKey(client.users.byId, { params: { id } } as never), TypeError, message);
  }
});

Deno.test("nextLinkQuery() refuses what has no response", () => {
  for (const result of [null, {}, { response: null }, { response: {} }]) {
    assertThrows(
      () => nextLinkQuery(result as never),
      TypeError,
      'nextLinkQuery(): the result must have a "response", got ',
    );
  }
});

/** A client of four users, a page for each. It records the signals and queries of its requests. */
function connectPages(asked: string[] = []): Client<typeof contract.routes> {
  const names = ["Ada", "Bob", "Cleo", "Dan"];
  return connect(({ url, signal }) => {
    const { search, searchParams } = new URL(url);
    asked.push(signal.aborted ? "aborted" : search);
    const index = names.indexOf(searchParams.get("after") ?? "") + 1;
    const next = index < names.length - 1 ? names[index] : undefined;
    const link = `</elsewhere?limit=1&after=${next}>; rel="next", </users/pages>; rel="first"`;
    const body = { users: [{ name: names[index] }], next: next ?? null };
    return Response.json(body, { headers: next === undefined ? {} : { link } });
  });
}

Deno.test("infiniteQueryOptions() loads pages by a cursor in the body, typed by the contract", () =>
  withQueries(async (queries) => {
    const asked: string[] = [];
    const options = infiniteQueryOptions(connectPages(asked).users.pages, {
      next: ({ body }) => body.next,
      input: (after) => ({ query: { after, limit: "1" } }),
    });
    const observer = new InfiniteQueryObserver(queries, options);
    const first = await observer.fetchNextPage();
    assertEquals([first.data?.pages.length, first.hasNextPage], [1, true]);
    const { pages, pageParams } = await queries.fetchInfiniteQuery({ ...options, pages: 9, staleTime: 0 });

    assertType<
      IsExact<
        typeof pages,
        { readonly body: { users: { name: string }[]; next: string | null }; readonly next: string | undefined }[]
      >
    >(true);
    assertType<IsExact<typeof pageParams, (string | undefined)[]>>(true);
    assertEquals(pages.flatMap(({ body }) => body.users.map(({ name }) => name)), ["Ada", "Bob", "Cleo", "Dan"]);
    assertEquals(pageParams, [undefined, "Ada", "Bob", "Cleo"]);
    assertEquals(asked.slice(1), ["?limit=1", "?after=Ada&limit=1", "?after=Bob&limit=1", "?after=Cleo&limit=1"]);
  }));

Deno.test("infiniteQueryOptions() loads pages by link headers", () =>
  withQueries(async (queries) => {
    const options = infiniteQueryOptions(connectPages().users.pages, {
      next: (result) => nextLinkQuery(result)?.get("after"),
      input: (after) => ({ query: { after } }),
    });
    const { pages } = await queries.fetchInfiniteQuery({ ...options, pages: 9 });

    assertEquals(pages.map(({ body, next }) => [body.users[0]?.name, next]), [
      ["Ada", "Ada"],
      ["Bob", "Bob"],
      ["Cleo", "Cleo"],
      ["Dan", undefined],
    ]);
  }));

Deno.test("infiniteQueryOptions() loads pages by number, from the parameter of the previous page", () =>
  withQueries(async (queries) => {
    const asked: string[] = [];
    const { pages } = await queries.fetchInfiniteQuery({
      ...infiniteQueryOptions(connectPages(asked).users.pages, {
        next: (_, limit = 1) => limit < 3 ? limit + 1 : null,
        input: (limit: number | undefined) => ({ query: { limit: `${limit ?? 1}` } }),
      }),
      pages: 9,
    });

    assertType<IsExact<(typeof pages)[0]["next"], number | undefined>>(true);
    assertEquals(asked, ["?limit=1", "?limit=2", "?limit=3"]);
    assertEquals(pages.map(({ next }) => next), [2, 3, undefined]);
  }));

Deno.test("an infinite query has its own key, which the keys of its route and its first page match", () =>
  withQueries(async (queries) => {
    const { pages: call } = connectPages().users;
    const one = infiniteQueryOptions(call, {
      next: ({ body }) => body.next,
      input: (after) => ({ query: { after, limit: "1" } }),
    });
    await queries.fetchInfiniteQuery({ ...one });
    await queries.fetchQuery(queryOptions(call, { query: { limit: "1" } }));

    assertEquals(queries.getQueryCache().findAll({ queryKey: queryKey(call) }).length, 2);
    assertEquals(queries.getQueryCache().findAll({ queryKey: queryKey(call, { query: { limit: "1" } }) }).length, 2);
    assertEquals(queries.getQueryCache().findAll({ queryKey: queryKey(call, { query: { limit: "2" } }) }), []);
    assertEquals(queries.getQueryCache().findAll({ queryKey: one.queryKey }).length, 1);
    assertEquals(Object.keys(one), ["queryKey", "queryFn", "initialPageParam", "getNextPageParam"]);
  }));

Deno.test("a page of an infinite query that fails has a typed ClientError, and one that is cancelled aborts its request", async () => {
  const started = Promise.withResolvers<Request>();
  const failing = connect((request) => {
    if (!request.url.endsWith("stuck")) return Response.json({ message: "none" }, { status: 404 });
    started.resolve(request);
    return new Promise((_, reject) => request.signal.addEventListener("abort", () => reject(request.signal.reason)));
  });
  await withQueries(async (queries) => {
    const pages = (limit: string) =>
      infiniteQueryOptions(failing.users.pages, {
        next: ({ body }) => body.next,
        input: () => ({ query: { after: limit } }),
      }, {
        headers: { "x-page": "1" },
      });
    const { error } = await new InfiniteQueryObserver(queries, pages("1")).fetchNextPage();
    assertType<IsExact<NonNullable<NonNullable<typeof error>["result"]>["body"], { message: string }>>(true);
    assertEquals([error?.code, error?.result?.body], ["unsuccessful", { message: "none" }]);

    const failed = assertRejects(() => queries.fetchInfiniteQuery(pages("stuck")));
    const { signal, headers } = await started.promise;
    await queries.cancelQueries({ queryKey: pages("stuck").queryKey });
    await failed;
    assertEquals([signal.aborted, headers.get("x-page")], [true, "1"]);
  });
});

// proves further | `nextLinkQuery()` reads the link whose relation is `next` | RFC 8288
Deno.test("nextLinkQuery() reads only the link to the next page (RFC 8288)", () => {
  const read = (link?: string): string | undefined =>
    nextLinkQuery({ response: new Response(null, link === undefined ? {} : { headers: { link } }) })?.toString();

  const found: Readonly<Record<string, string>> = {
    '</a?after=1>; rel="next"': "after=1",
    "</a?after=1>;rel=next": "after=1",
    "<?after=1>; rel=Next": "after=1",
    '<https://other.example/a?b=1&after=%C3%A4#part?c>; title="x"; rel="last NEXT"': "b=1&after=%C3%A4",
    '</a?after=1>; rel="prev", </a?after=2>; rel="next"': "after=2",
    '</a?after=1,2;3>; rel="next"': "after=1%2C2%3B3",
    '</a?x>; title="a, <b?c>; rel=\\"next\\""; rel="prev", <?after=1>  ;  rel  =  "next"  ': "after=1",
    '</a?after=1>; anchor="/other"; rel="next", </a?after=2>; rel="next"': "after=2",
    '</a?after=1>; rel="prev"; rel="next", </a?after=2>; REL="next"': "after=2",
    "</a>; rel=next": "",
    "</a#b?c=1>; rel=next": "",
    '</a?after=1>; nofollow; rel="ne\\xt"': "after=1",
  };
  for (const [link, query] of Object.entries(found)) assertEquals(read(link), query, link);

  for (
    const link of [
      undefined,
      "",
      "</a?after=1>",
      "/a?after=1; rel=next",
      '</a?after=1>; rel="nextpage"',
      "<<<;rel=next",
      '<a>; x="; rel=next',
    ]
  ) {
    assertEquals(read(link), undefined, link);
  }
});

Deno.test("nextLinkQuery() reads long hostile fields in linear time", () => {
  for (
    const part of [
      "<",
      "<a>",
      "<a>;",
      '<a>;x="',
      '<a>;x="\\',
      "<a>;rel",
      "<a>; ; ",
      "<a>;rel=",
      `<a>;${" ".repeat(99)}`,
      '"',
      ",",
    ]
  ) {
    const response = new Response(null, { headers: { link: part.repeat(200_000 / part.length) } });
    const start = performance.now();
    nextLinkQuery({ response });
    assert(performance.now() - start < 1000, part);
  }
});

Deno.test("mutationOptions() accepts the call's input and returns the body of a 2xx", () =>
  withQueries(async (queries) => {
    const options = mutationOptions(client.users.rename, { timeout: 5000 });
    const rename = new MutationObserver(queries, options);
    const renamed = await rename.mutate({ params: { id: 1 }, body: { name: "Grace" } });

    assertType<IsExact<typeof renamed, { name: string } | undefined>>(true);
    assertType<IsExact<Parameters<typeof options.mutationFn>[0]["body"], { name: string }>>(true);
    assertEquals(renamed, { name: "Grace" });
    assertEquals(options.mutationKey, ["users", "rename"]);
  }));

Deno.test("mutationOptions() of a route without inputs ignores arguments of mutate(), such as a click event", () =>
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
    const heard: unknown[] = [];
    const rename = new MutationObserver(queries, {
      ...mutationOptions(failing.users.rename),
      onError: (error) => void heard.push([error.code, error.status]), // typed as a ClientError
    });
    await assertRejects(() => rename.mutate({ params: { id: 1 }, body: { name: "" } }), ClientError);
    assertEquals(heard, [["unexpected-status", 500]]);
    assertType<IsExact<ReturnType<typeof rename.getCurrentResult>["error"] extends ClientError | null ? 1 : 0, 1>>(
      true,
    );
  }));

Deno.test("inputs, options and data that contradict the contract are type errors", () => {
  // @ts-expect-error: its input is required
  const noInput = () => queryOptions(client.users.byId);
  // @ts-expect-error: no such parameter
  const otherInput = () => queryOptions(client.users.byId, { params: { key: 1 } });
  // @ts-expect-error: TanStack Query aborts queries
  const signal = () => queryOptions(client.health, { signal: AbortSignal.abort() });
  // @ts-expect-error: it does not take input
  const surplus = () => queryOptions(client.health, {}, {});
  // @ts-expect-error: no such parameter
  const otherKey = () => queryKey(client.users.byId, { query: {} });

  assertEquals([noInput, otherInput, signal, surplus, otherKey].length, 5);
});

Deno.test("pages of an infinite query that contradict the contract are type errors", () => {
  const { pages, byId } = client.users;
  const next = ({ body }: { readonly body: { readonly next: string | null } }): string | null => body.next;
  const input = (after?: string) => ({ query: { after } });
  // @ts-expect-error: how the pages follow one another is required
  const noPages = () => infiniteQueryOptions(pages);
  // @ts-expect-error: the first page has an input too
  const noInput = () => infiniteQueryOptions(pages, { next });
  // @ts-expect-error: without a next page it is a query
  const noNext = () => infiniteQueryOptions(pages, { input });
  // @ts-expect-error: no such parameter
  const otherInput = () => infiniteQueryOptions(pages, { next, input: (after) => ({ query: { before: after } }) });
  // @ts-expect-error: no such slot
  const otherSlot = () => infiniteQueryOptions(pages, { next, input: (after) => ({ params: { after } }) });
  // @ts-expect-error: it may be undefined, and its path needs it
  const noParameter = () => infiniteQueryOptions(byId, { next: () => "1", input: (id) => ({ params: { id } }) });
  // @ts-expect-error: the next page is a number, and its input takes a string
  const otherParam = () => infiniteQueryOptions(pages, { next: () => 1, input });
  // @ts-expect-error: no such member
  const otherMember = () => infiniteQueryOptions(pages, { next: ({ body }) => body.cursor, input });
  // @ts-expect-error: no such header
  const otherHeader = () => infiniteQueryOptions(pages, { next: ({ headers }) => headers.next, input });
  // @ts-expect-error: TanStack Query aborts queries
  const signal = () => infiniteQueryOptions(pages, { next, input }, { signal: AbortSignal.abort() });
  // @ts-expect-error: it does not take input that a page could change
  const none = () => infiniteQueryOptions(client.health, { next: () => 1, input: () => ({}) });

  const wrong = [
    noPages,
    noInput,
    noNext,
    otherInput,
    otherSlot,
    noParameter,
    otherParam,
    otherMember,
    otherHeader,
    signal,
  ];
  assertEquals([...wrong, none].length, 11);
});
