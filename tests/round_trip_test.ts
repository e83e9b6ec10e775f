/**
 * A handler sees exactly what a caller passed, or the call throws and the handler does not run: nothing changes on the
 * way.
 */
import { defineContract, request, response, route, router, type Schema } from "@scope/api";
import { ClientError, createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals } from "@std/assert";
import { type } from "arktype";
import fc from "fast-check";
import { asserting } from "./support/tries.ts";

const always = asserting(500);

/** Accepts any fields; written by hand, so that a library's treatment of odd keys does not matter. */
const Fields: Schema<Record<string, string | readonly string[]>> = {
  "~standard": { version: 1, vendor: "test", validate: (value) => ({ value: value as Record<string, string> }) },
};
const done = { 204: response.empty() };

const contract = defineContract({
  basePath: "/api",
  routes: {
    one: route.get("/one/:value", { responses: done }),
    static: route.get("/one", { responses: done }),
    nested: router("/nested/:a", {
      routes: {
        self: route.get("/", { responses: done }),
        items: route.get("/items", { responses: done }),
        item: route.get("/items/:b", { responses: done }),
        pair: route.get("/:b/:c", { responses: done }),
        remove: route.delete("/:b/:c", { responses: done }),
      },
    }),
    query: route.get("/query", { query: Fields, responses: done }),
    list: route.get("/list", { query: type({ "list?": "string[]" }), responses: done }),
    header: route.get("/header", { headers: type({ "x-value?": "string" }), responses: done }),
    json: route.post("/json", { body: request.json(), responses: { 200: response.json() } }),
    text: route.post("/text", { body: request.text(), responses: { 200: response.text() } }),
    bytes: route.post("/bytes", { body: request.bytes(), responses: { 200: response.bytes() } }),
  },
});

/** The route whose handler ran, and its input. */
let seen: { readonly key: string; readonly saw: unknown } | undefined;

interface SomeInput {
  readonly route: { readonly key: string };
  readonly params?: unknown;
  readonly query?: unknown;
  readonly headers?: unknown;
  readonly body?: unknown;
}

function see({ route, params, query, headers, body }: SomeInput): { readonly status: 204 } {
  seen = { key: route.key, saw: params ?? query ?? headers ?? body };
  return { status: 204 };
}

const handler = createFetchHandler(
  defineServer(contract).implement({
    one: see,
    static: see,
    nested: { self: see, items: see, item: see, pair: see, remove: see },
    query: see,
    list: see,
    header: see,
    json: (input) => ({ ...see(input), status: 200, body: input.body }),
    text: (input) => ({ ...see(input), status: 200, body: input.body }),
    bytes: (input) => ({ ...see(input), status: 200, body: input.body }),
  }),
);
const client = createClient(contract, { baseUrl: "https://a.example", fetch: handler });

/** Marks a call that throws before a handler runs. */
const refused = Symbol("refused");

/**
 * Makes a call and asserts that the handler of its route received exactly this, or that no handler ran if the call is
 * to be refused.
 */
async function assertSeen(call: () => Promise<unknown>, key: string, expected: unknown): Promise<void> {
  seen = undefined;
  const code = await call().then(() => undefined, (error) => error instanceof ClientError ? error.code : error);
  if (expected === refused) assertEquals([code, seen], ["invalid-input", undefined]);
  else assertEquals([code, seen], [undefined, { key, saw: expected }]);
}

/** Any UTF-16, halves of surrogate pairs and control characters included. */
const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) });
/** Text that is special to routers, URLs and servers. */
const trap = fc.constantFrom(
  ...[
    "",
    ".",
    "..",
    "...",
    "%",
    "%2e",
    "%2E%2e",
    "%2F",
    "%252F",
    "%zz",
    "/",
    "//",
    "a/b",
    "../one",
    "\\",
    "?",
    "?a=b",
    "#",
  ],
  ...[";", ":", ":b", "*", "+", " ", "%20", "&", "=", "\0", "\r\n", "\t", "\ud800", "\udc00", "\uFEFF", "e\u0301"],
  ...["one", "nested", "items", "api", "__proto__", "constructor", "toString"],
);
const text = fc.oneof(anyText, trap, fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }));

function fitsSegment(value: string): boolean {
  return value.isWellFormed() && !["", ".", ".."].includes(value);
}

// proves paths | The server receives the path parameters that the client passed | RFC 3986, 2.4
Deno.test("createClient() and createFetchHandler() transfer any path parameter, or refuse it", async () => {
  await always(fc.asyncProperty(text, async (value) => {
    await assertSeen(() => client.one({ params: { value } }), "one", fitsSegment(value) ? { value } : refused);
  }));
});

Deno.test("createClient() and createFetchHandler() transfer several path parameters to the called route", async () => {
  await always(fc.asyncProperty(text, text, text, async (a, b, c) => {
    const expected = (params: Record<string, string>): unknown =>
      Object.values(params).every(fitsSegment) ? params : refused;
    const { self, items, item, pair, remove } = client.nested;
    await assertSeen(() => self({ params: { a } }), "nested.self", expected({ a }));
    await assertSeen(() => items({ params: { a } }), "nested.items", expected({ a }));
    await assertSeen(() => item({ params: { a, b } }), "nested.item", expected({ a, b }));
    // a literal wins over a parameter, so `items` for b would reach the route of that name
    await assertSeen(
      () => pair({ params: { a, b, c } }),
      "nested.pair",
      b === "items" ? refused : expected({ a, b, c }),
    );
    await assertSeen(() => remove({ params: { a, b: "items", c } }), "nested.remove", expected({ a, b: "items", c }));
  }));
});

Deno.test("createClient() and createFetchHandler() transfer any query, or refuse it", async () => {
  const entries = fc.array(fc.tuple(text, fc.oneof(text, fc.array(text, { maxLength: 4 }))), { maxLength: 5 });
  await always(fc.asyncProperty(entries, async (entries) => {
    const query = Object.fromEntries(entries);
    const sent = Object.entries(query).filter(([, value]) => value.length > 0 || typeof value === "string");
    const fits = sent.flat(2).every((part) => part.isWellFormed());
    const saw = Object.fromEntries(sent.map(([name, value]) => [name, value.length === 1 ? value[0]! : value]));
    await assertSeen(() => client.query({ query }), "query", fits ? saw : refused);
  }));
});

Deno.test("createClient() and createFetchHandler() transfer any list in a query, even one with a single item", async () => {
  await always(fc.asyncProperty(fc.array(text), async (list) => {
    const fits = list.every((part) => part.isWellFormed());
    const saw = list.length > 0 ? { list } : {};
    await assertSeen(() => client.list({ query: { list } }), "list", fits ? saw : refused);
  }));
});

Deno.test("createClient() and createFetchHandler() transfer any header value, or refuse it", async () => {
  const latin = fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((unit) => String.fromCharCode(unit)) });
  const mostlyLegal = fc.oneof(
    text,
    latin,
    fc.string({ unit: fc.constantFrom("a", " ", "\t", "é", ",", '"', "\0", "\n") }),
  );
  await always(fc.asyncProperty(mostlyLegal, async (value) => {
    const fits = /^(?:[!-~\x80-\xff](?:[\t -~\x80-\xff]*[!-~\x80-\xff])?)?$/.test(value);
    const saw = fits ? { "x-value": value } : refused;
    await assertSeen(() => client.header({ headers: { "x-value": value } }), "header", saw);
  }));
});

// proves json | A lone surrogate in JSON is escaped, and arrives unchanged | RFC 8259, 8.2
Deno.test("createClient() and createFetchHandler() transfer any JSON in both directions", async () => {
  const json = fc.oneof(fc.jsonValue(), text, fc.dictionary(text, text)).map((value) =>
    JSON.parse(JSON.stringify(value)) // which makes 0 of -0
  );
  await always(fc.asyncProperty(json, async (body) => {
    await assertSeen(() => client.json({ body }), "json", body);
    assertEquals((await client.json({ body })).body, body);
  }));
});

// proves fetch-differences | `text()` removes a byte order mark at the beginning | 5.3, `text()` | `request.text()`
//   and `response.text()` keep it | Any text arrives unchanged
Deno.test("createClient() and createFetchHandler() transfer any text body in both directions, or refuse it", async () => {
  await always(fc.asyncProperty(text, async (body) => {
    await assertSeen(() => client.text({ body }), "text", body.isWellFormed() ? body : refused);
    if (body.isWellFormed()) assertEquals((await client.text({ body })).body, body);
  }));
});

Deno.test("createClient() and createFetchHandler() transfer any bytes in both directions", async () => {
  await always(fc.asyncProperty(fc.uint8Array(), fc.nat(5), async (bytes, start) => {
    const body = bytes.subarray(start) as Uint8Array<ArrayBuffer>;
    await assertSeen(() => client.bytes({ body }), "bytes", body.slice());
    assertEquals((await client.bytes({ body })).body, body.slice());
  }));
});

Deno.test("createClient() and createFetchHandler() transfer the same over a real connection", async () => {
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => handler(request),
  );
  const client = createClient(contract, { baseUrl: `http://127.0.0.1:${server.addr.port}` });
  await always(fc.asyncProperty(text, async (value) => {
    const fits = value.isWellFormed();
    await assertSeen(() => client.one({ params: { value } }), "one", fitsSegment(value) ? { value } : refused);
    await assertSeen(() => client.query({ query: { value } }), "query", fits ? { value } : refused);
    await assertSeen(() => client.text({ body: value }), "text", fits ? value : refused);
  }));
});
