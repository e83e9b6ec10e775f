import { codec, defineContract, request, response, route } from "@scope/api";
import { ClientError, createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import {
  assertEquals,
  assertInstanceOf,
  assertRejects,
  assertStrictEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { type } from "arktype";

const baseUrl = "https://a.example";

/** A period whose days are dates for both applications, and ISO 8601 text on the wire. */
const Period = codec(
  type({ "from?": "string.date.iso", "to?": "string.date.iso" }),
  type({ "from?": "Date", "to?": "Date" }),
  {
    decode: ({ from, to }) => ({ ...(from && { from: new Date(from) }), ...(to && { to: new Date(to) }) }),
    encode: ({ from, to }) => ({ ...(from && { from: from.toISOString() }), ...(to && { to: to.toISOString() }) }),
  },
);
/** The same, asynchronously. */
const LaterPeriod = codec(Period.wire, Period.application, {
  decode: async (value) => await Period.decode(value),
  encode: async (value) => await Period.encode(value),
});
const Day = codec(type({ day: "string.date.iso" }), type({ day: "Date" }), {
  decode: ({ day }) => ({ day: new Date(day) }),
  encode: ({ day }) => ({ day: day.toISOString() }),
});
const Modified = codec(type({ "last-modified": "string" }), type({ at: "Date" }), {
  decode: (fields) => ({ at: new Date(fields["last-modified"]) }),
  encode: ({ at }) => ({ "last-modified": at.toUTCString() }),
});
const Hex = codec(type("string"), type("number"), {
  decode: (text) => parseInt(text, 16),
  encode: (n) => n.toString(16),
});

const contract = defineContract({
  routes: {
    search: route.get("/search", { query: Period, responses: { 200: response.json(Period) } }),
    later: route.get("/later", { query: LaterPeriod, responses: { 200: response.json(LaterPeriod) } }),
    day: route.get("/days/:day", { params: Day, responses: { 200: response.json(Day) } }),
    since: route.get("/since", { headers: Modified, responses: { 200: response.empty({ headers: Modified }) } }),
    period: route.post("/period", { body: request.json(Period), responses: { 200: response.json(LaterPeriod) } }),
    hex: route.post("/hex", { body: request.text(Hex), responses: { 200: response.text(Hex) } }),
  },
});
const seen: unknown[] = [];
const handler = createFetchHandler(
  defineServer(contract).implement({
    search: ({ query }) => ({ status: 200, body: query }),
    later: ({ query }) => ({ status: 200, body: query }),
    day: ({ params }) => ({ status: 200, body: params }),
    since: ({ headers }) => ({ status: 200, headers }),
    period: ({ body }) => {
      seen.push(body.from);
      return { status: 200, body };
    },
    hex: ({ body }) => ({ status: 200, body: body + 1 }),
  }),
);
const client = createClient(contract, { baseUrl, fetch: handler });
const from = new Date("2026-01-02T03:04:05.678Z");

Deno.test("codec() encodes and decodes a query on both sides, synchronously or not", async () => {
  assertEquals((await client.search({ query: { from } })).body, { from });
  assertEquals((await client.later({ query: { from, to: from } })).body, { from, to: from });
  assertEquals(client.search.url({ query: { from } }), `${baseUrl}/search?from=2026-01-02T03%3A04%3A05.678Z`);
});

Deno.test("codec() encodes an omitted query as an empty one", async () => {
  assertEquals((await client.search()).body, {});
  assertEquals((await client.later({})).body, {});
  assertEquals((await client.later({ query: undefined })).body, {});
  assertEquals(client.search.url(), `${baseUrl}/search`);
});

Deno.test("codec() encodes and decodes path parameters", async () => {
  assertEquals((await client.day({ params: { day: from } })).body, { day: from });
});

Deno.test("codec() encodes and decodes header fields", async () => {
  const at = new Date("2026-01-02T03:04:05Z");
  const { headers, response } = await client.since({ headers: { at } });

  assertEquals(headers, { at });
  assertEquals(response.headers.get("last-modified"), at.toUTCString());
});

Deno.test("codec() encodes and decodes bodies", async () => {
  seen.length = 0;

  assertEquals((await client.period({ body: { from } })).body, { from });
  assertEquals(seen, [from]);
  assertEquals((await client.hex({ body: 255 })).body, 256);
});

Deno.test("codec() refuses invalid application values before anything is sent", async () => {
  const bad = { query: { from: "tomorrow" as never } };
  for (const call of [() => client.search(bad), () => client.later(bad)]) {
    const error = await assertRejects(call, ClientError, "query does not fit its codec: from");
    assertEquals([error.code, error.status], ["invalid-input", undefined]);
  }
  const error = await assertRejects(
    () => client.period({ body: 1 as never }),
    ClientError,
    "body does not fit its codec",
  );
  assertEquals(error.code, "invalid-input");
});

Deno.test("codec() functions that throw make a call invalid-input with their error as its cause", async () => {
  const cause = await assertRejects(() => client.search({ query: { from: new Date(NaN) } }), ClientError);

  assertEquals(cause.code, "invalid-input");
  assertInstanceOf(cause.cause, Error);
});

Deno.test("an asynchronous codec() works with request() but not with url()", async () => {
  const error = assertThrows(() => client.later.url({ query: { from } }), ClientError);

  assertEquals(error.code, "invalid-input");
  assertStringIncludes(error.message, "call request() instead of url()");
  const request = await client.later.request({ query: { from } });
  assertEquals(new URL(request.url).searchParams.get("from"), from.toISOString());
});

Deno.test("an asynchronous codec() that fails leaves no unhandled rejection if url() refuses it", async () => {
  const Failing = codec(type({}), type({}), {
    decode: (value) => value,
    encode: () => Promise.reject(new Error("no")),
  });
  const contract = defineContract({
    routes: { it: route.get("/it", { query: Failing, responses: { 200: response.empty() } }) },
  });
  const client = createClient(contract, { baseUrl });

  assertThrows(() => client.it.url({ query: {} }), ClientError, "call request() instead of url()");
  await new Promise((resolve) => setTimeout(resolve, 0)); // by then Deno would report an unhandled rejection
});

Deno.test("codec() that refuses a body rejects with invalid-body", async () => {
  const text = '{"from":"tomorrow"}';
  const call = () =>
    createClient(contract, {
      baseUrl,
      fetch: () => new Response(text, { headers: { "content-type": "application/json" } }),
    });
  for (
    const error of [
      await assertRejects(
        () => call().search({ query: {} }),
        ClientError,
        "Cannot call GET /search (search): its body or its headers cannot be decoded",
      ),
      await assertRejects(
        () => call().later({ query: {} }),
        ClientError,
        "Cannot call GET /later (later): its body or its headers cannot be decoded",
      ),
    ]
  ) {
    assertEquals([error.code, error.status, error.problem], ["invalid-body", 200, undefined]);
    assertInstanceOf(error.cause, Error);
    assertStringIncludes(error.cause.message, "from");
    assertEquals(error.response?.bodyUsed, true);
  }
});

Deno.test("codec() that refuses header fields rejects with invalid-body", async () => {
  const error = await assertRejects(
    () => createClient(contract, { baseUrl, fetch: () => new Response() }).since({ headers: { at: from } }),
    ClientError,
    "its body or its headers cannot be decoded",
  );

  assertEquals([error.code, error.status], ["invalid-body", 200]);
});

Deno.test("codec() whose decoding throws rejects with invalid-body and its cause", async () => {
  const cause = new Error("no decoding today");
  const Failing = codec(type("string"), type("string"), {
    decode: () => {
      throw cause;
    },
    encode: (text) => text,
  });
  const contract = defineContract({ routes: { it: route.get("/it", { responses: { 200: response.text(Failing) } }) } });
  const fetch = createFetchHandler(defineServer(contract).implement({ it: () => ({ status: 200, body: "text" }) }));
  const error = await assertRejects(() => createClient(contract, { baseUrl, fetch }).it(), ClientError);

  assertEquals([error.code, error.status], ["invalid-body", 200]);
  assertStrictEquals(error.cause, cause);
});

Deno.test("a codec() that throws a revoked Proxy rejects with a ClientError", async () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const fail = (): never => {
    throw proxy;
  };
  const Failing = codec(type("string"), type("string"), { decode: fail, encode: fail });
  const contract = defineContract({
    routes: { it: route.post("/it", { body: request.text(Failing), responses: { 200: response.text(Failing) } }) },
  });
  const { it } = createClient(contract, { baseUrl, fetch: () => new Response("text") });
  assertEquals((await assertRejects(() => it({ body: "text" }), ClientError)).code, "invalid-input");

  const decoding = defineContract({ routes: { it: route.get("/it", { responses: { 200: response.text(Failing) } }) } });
  const client = createClient(decoding, { baseUrl, fetch: () => new Response("text") });
  assertEquals((await assertRejects(() => client.it(), ClientError)).code, "invalid-body");

  const rejecting = createClient(decoding, { baseUrl, fetch: () => Promise.reject(proxy) });
  assertEquals((await assertRejects(() => rejecting.it(), ClientError)).code, "network");
});
