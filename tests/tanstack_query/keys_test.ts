/** The keys of queries: one for one call, with the types of its data, and those of groups. */
import { codec, defineContract, request, response, route, router, type Schema } from "@scope/api";
import { createClient } from "@scope/api/client";
import { json, slimContract } from "@scope/api/slim";
import { infiniteQueryOptions, mutationOptions, queryKey, queryOptions } from "@scope/api/tanstack-query";
import { assertEquals, assertThrows } from "@std/assert";
import { assertType, type IsExact } from "@std/testing/types";
import { hashKey, QueryClient, skipToken } from "@tanstack/query-core";
import { type } from "arktype";
import fc from "fast-check";
import { asserting } from "../support/tries.ts";

const always = asserting(300);

type Value = string | number | boolean;
type Fields = Record<string, Value | readonly Value[] | undefined>;

/** A schema that accepts everything, so that only the client decides what is sent. */
const anything: Schema<Fields> = {
  "~standard": { version: 1, vendor: "test", validate: (value) => ({ value: value as Fields }) },
};
const text = { 200: response.text() };
const contract = defineContract({
  routes: {
    plain: route.get("/plain", { responses: text }),
    sent: route.query("/sent/:id", {
      params: anything,
      query: anything,
      headers: anything,
      body: request.json({ optional: true }),
      responses: text,
    }),
    notes: router("/notes", {
      routes: {
        byId: route.get("/:id", {
          responses: { 200: response.json(type({ text: "string" })), 404: response.problem() },
        }),
        list: route.get("/", { query: type({ "q?": "string" }), responses: { 200: response.json(type("string[]")) } }),
        clear: route.delete("/", { responses: { 204: response.empty() } }),
        deeper: router("/deeper", { routes: { "a.b": route.get("/", { responses: text }) } }),
      },
    }),
  },
});
const client = createClient(contract, { baseUrl: "https://a.example" });

const value = fc.constantFrom<Value>("", "a", "1", 1, 0, "0", true, "true");
const fields = fc.dictionary(fc.constantFrom("a", "b"), fc.oneof(value, fc.array(value), fc.constant(undefined)));
const input = fc.record({
  params: fc.record({ id: fc.constantFrom<Value>("a", "1", 1, true) }),
  query: fc.option(fields, { nil: undefined }),
  headers: fc.option(fc.dictionary(fc.constant("x-a"), fc.oneof(fc.constantFrom("a", "1"), fc.constant(1))), {
    nil: undefined,
  }),
  body: fc.oneof(fc.constantFrom<unknown>(undefined, {}, [], null, "", 1, "1"), fc.jsonValue({ maxDepth: 1 })),
}, { requiredKeys: ["params", "body"] });

/** The same input, spelled differently: numbers as text, lists of one, what is not sent, and another order. */
function respell({ params, query, headers, body }: Sent): Sent {
  const { id } = params;
  const fields = Object.entries(query ?? {}).toReversed().map(([name, value]) => {
    const values = value === undefined ? [] : [value].flat();
    return [name, values.map(String)];
  });
  return { body, headers: headers ?? {}, query: { ...Object.fromEntries(fields), c: [] }, params: { id: `${id}` } };
}

/** What a server sees of a request, up to the order of keys. */
async function describe(sent: Request): Promise<string> {
  const { pathname, searchParams } = new URL(sent.url);
  searchParams.sort();
  const body = await sent.text();
  return JSON.stringify([pathname, `${searchParams}`, [...sent.headers], body && hashKey([JSON.parse(body)])]);
}

type Sent = typeof input extends fc.Arbitrary<infer Value> ? Value : never;

Deno.test("two inputs have the same key exactly if their requests are the same, up to the order of keys", async () => {
  await always(
    fc.asyncProperty(input, input, fc.boolean(), async (one, another, isAgain) => {
      const other = isAgain ? respell(one) : another;
      const [first, second] = await Promise.all([client.sent.request(one), client.sent.request(other)]);
      const isSame = await describe(first) === await describe(second);
      assertEquals(hashKey(queryKey(client.sent, one)) === hashKey(queryKey(client.sent, other)), isSame);
      assertEquals(queryOptions(client.sent, one).queryKey, queryKey(client.sent, one));
    }),
  );
});

Deno.test("a key has text where a request has text, and nothing for what is not sent", () => {
  const keyOf = (input: unknown): unknown => queryKey(client.sent, input as never)[1];
  assertEquals(keyOf({ params: { id: 1 }, query: { a: [true], b: [1, "2"], c: undefined } }), {
    params: { id: "1" },
    query: { a: "true", b: ["1", "2"] },
  });
  assertEquals(keyOf({ params: { id: "1" }, query: { a: [] }, headers: {}, body: undefined }), { params: { id: "1" } });
  assertEquals(keyOf({ body: {} }), { body: {} });
  for (const nothing of [undefined, {}, { query: {} }, { query: undefined }, { query: { q: undefined } }]) {
    assertEquals<readonly unknown[]>(queryKey(client.notes.list, nothing as never), ["notes", "list"]);
    assertEquals<readonly unknown[]>(queryKey(client.plain, ...[nothing] as unknown as []), ["plain"]);
  }
});

Deno.test("values that a codec encodes stay as they are in a key", () => {
  const At = codec(type({ "at?": "string" }), type({ "at?": "Date" }), {
    decode: ({ at }) => at === undefined ? {} : { at: new Date(at) },
    encode: ({ at }) => at === undefined ? {} : { at: at.toISOString() },
  });
  const { read } = createClient(defineContract({ routes: { read: route.get("/", { query: At, responses: text }) } }), {
    baseUrl: "https://a.example",
  });
  assertEquals<readonly unknown[]>(queryKey(read, { query: { at: new Date(0) } }), ["read", {
    query: { at: new Date(0) },
  }]);
  assertEquals<readonly unknown[]>(queryKey(read, { query: {} }), ["read"]);
});

Deno.test("queryKey() of a group matches the queries of all routes below, of a whole contract and of a slim one", () => {
  assertEquals(queryKey(client.notes), ["notes"]);
  assertEquals(queryKey(client.notes.deeper), ["notes", "deeper"]);
  assertEquals<readonly unknown[]>(queryKey(client.notes.deeper["a.b"]), ["notes", "deeper", "a", "b"]);
  assertEquals(queryKey(client), []);
  const slim = slimContract<typeof contract>(
    { notes: { list: ["GET", "/notes", { query: 1 }, { 200: json }] } } as never,
  );
  const slimClient = createClient(slim, { baseUrl: "https://a.example" });
  assertEquals(queryKey(slimClient.notes), ["notes"]);
  assertEquals(Object.keys(client.notes), ["byId", "list", "clear", "deeper"]);
  assertEquals(JSON.stringify(client.notes), '{"deeper":{}}');
});

Deno.test("a group is not a call", () => {
  const message = "the first argument must be a call of a client, like client.users.byId, got an object";
  // @ts-expect-error the types say so, too
  assertThrows(() => queryOptions(client.notes), TypeError, `queryOptions(): ${message}`);
  // @ts-expect-error the types say so, too
  assertThrows(() => mutationOptions(client.notes), TypeError, `mutationOptions(): ${message}`);
  const pages = { next: () => null, input: () => undefined as never };
  // @ts-expect-error the types say so, too
  assertThrows(() => infiniteQueryOptions(client.notes, pages), TypeError, `infiniteQueryOptions(): ${message}`);
  assertThrows(() => queryKey({ notes: {} }), TypeError, `queryKey(): ${message}`);
});

Deno.test("the cache is typed by the key of a query", () => {
  const cache = new QueryClient();
  const { byId, list } = client.notes;
  const options = queryOptions(byId, { params: { id: "1" } });
  cache.setQueryData(options.queryKey, { text: "Buy milk" });
  const found = cache.getQueryData(queryKey(byId, { params: { id: 1 } }));
  assertType<IsExact<typeof found, { text: string } | undefined>>(true);
  assertEquals(found, { text: "Buy milk" });
  const names = cache.getQueryData(queryKey(list));
  assertType<IsExact<typeof names, string[] | undefined>>(true);
  const nothing = cache.getQueryData(queryKey(client.notes.clear));
  assertType<IsExact<typeof nothing, null | undefined>>(true);
  const pages = infiniteQueryOptions(list, { next: () => undefined, input: (q?: string) => ({ query: { q } }) });
  cache.setQueryData(pages.queryKey, { pages: [{ body: ["a"], next: "b" }], pageParams: [undefined] });
  const part = queryKey(byId);
  assertType<IsExact<typeof part, readonly unknown[]>>(true);
  const state = cache.getQueryState(options.queryKey);
  assertType<
    IsExact<
      NonNullable<NonNullable<typeof state>["error"]>["result"],
      NonNullable<Parameters<NonNullable<typeof options.throwOnError>>[0]>["result"]
    >
  >(true);
  const wrong = (): unknown => [
    // @ts-expect-error the data are { text: string }
    cache.setQueryData(options.queryKey, { nonsense: true }),
    // @ts-expect-error the data are string[]
    cache.setQueryData(queryKey(list, {}), [1]),
    // @ts-expect-error the data are pages
    cache.setQueryData(pages.queryKey, { nonsense: true }),
    // @ts-expect-error the old data are { text: string }
    cache.setQueryData(options.queryKey, (old) => ({ text: old?.nonsense })),
  ];
  void wrong;
  cache.clear();
});

Deno.test("skipToken in place of an input skips the query", () => {
  const maybe = (id: string | undefined) =>
    queryOptions(client.notes.byId, id === undefined ? skipToken : { params: { id } }, { timeout: 1000 });
  const skipped = maybe(undefined);
  assertEquals<readonly unknown[]>(skipped.queryKey, ["notes", "byId"]);
  assertEquals(skipped.queryFn, skipToken);
  assertEquals<readonly unknown[]>(maybe("1").queryKey, ["notes", "byId", { params: { id: "1" } }]);
  assertEquals(typeof maybe("1").queryFn, "function");
  const plain = queryOptions(client.plain, Math.random() < 2 ? skipToken : undefined as never);
  assertEquals<[readonly unknown[], unknown]>([plain.queryKey, plain.queryFn], [["plain"], skipToken]);
  const cache = new QueryClient();
  const data = cache.getQueryData(skipped.queryKey);
  assertType<IsExact<typeof data, { text: string } | undefined>>(true);
  const wrong = (): unknown => [
    // @ts-expect-error the path has no such parameter
    queryOptions(client.notes.byId, Math.random() > 0.5 ? skipToken : { params: { key: "1" } }),
    // @ts-expect-error TanStack Query aborts queries
    queryOptions(client.notes.byId, skipToken, { signal: AbortSignal.abort() }),
    // @ts-expect-error it is not skipToken
    queryOptions(client.notes.byId, null),
  ];
  void wrong;
});
