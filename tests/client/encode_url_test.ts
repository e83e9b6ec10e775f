import { defineContract, response, route, router } from "@scope/api";
import { ClientError, createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals, assertInstanceOf, assertStringIncludes, assertThrows } from "@std/assert";
import { type } from "arktype";
import { recordCalls } from "../support/client_errors.ts";

const baseUrl = "https://a.example";

const contract = defineContract({
  routes: {
    byId: route.get("/users/:id", { responses: { 200: response.json<string>() } }),
    nested: router("/a/:first", {
      routes: { get: route.get("/b c/ü/:second", { responses: { 200: response.json<Record<string, string>>() } }) },
    }),
    search: route.get("/search", { query: type("unknown"), responses: { 200: response.json<unknown>() } }),
  },
});
const handler = createFetchHandler(
  defineServer(contract).implement({
    byId: ({ params, response }) => response(200, params.id),
    nested: { get: ({ params, response }) => response(200, { ...params }) },
    search: ({ query, response }) => response(200, query),
  }),
);

const { fetch, assertUnsent } = recordCalls(handler);
const client = createClient(contract, { baseUrl, fetch });

Deno.test("createClient() path parameters reach the handler unchanged", async () => {
  const texts = [
    "42",
    "a/b",
    "%",
    "%2F",
    "%zz",
    "?#",
    "a b+c",
    "é/ü",
    "日本",
    "𝄞",
    "...",
    " . ",
    "\t\n\0",
    "\\",
    "*!'()~",
    ":id",
    "%2e%2e",
    "\uFEFF",
  ];
  for (const id of texts) assertEquals((await client.byId({ params: { id } })).body, id);
});

Deno.test("createClient() calls send path parameters of every kind of text", async () => {
  const bodies = [1.5, -0, 1e21, true, false, 12345678901234567890n].map(async (id) => {
    return (await client.byId({ params: { id } })).body;
  });

  assertEquals(await Promise.all(bodies), ["1.5", "0", "1e+21", "true", "false", "12345678901234567890"]);
});

Deno.test("createClient() calls send the parameters of routers too", async () => {
  const params = { first: "x/y", second: "b c" };

  assertEquals((await client.nested.get({ params })).body, params);
  assertEquals(client.nested.get.url({ params }), `${baseUrl}/a/x%2Fy/b%20c/%C3%BC/b%20c`);
});

Deno.test("createClient() calls refuse path parameters that a URL cannot carry", async () => {
  for (const id of ["", ".", "..", "\ud800", "a\udc00b", "\ud83d x"]) {
    const { message, cause } = await assertUnsent(() => client.byId({ params: { id } }));
    assertInstanceOf(cause, Error);
    assertStringIncludes(message, "the path parameter id");
    assertStringIncludes(message, "is invalid in a URL");
  }
});

Deno.test("createClient() calls refuse path parameters that are missing or not text", async () => {
  for (const id of [null, {}, [], ["a"], new Date(), Symbol("s"), () => "1"]) {
    await assertUnsent(() => client.byId({ params: { id } as never }), "the path parameter id must be a string");
  }
  for (const params of [{}, { id: undefined }, { ID: "1" }]) {
    await assertUnsent(() => client.byId({ params: params as never }), "the path parameter id is missing");
  }
  const odd = defineContract({ routes: { it: route.get("/:constructor", { responses: { 200: response.empty() } }) } });
  const missing = () => createClient(odd, { baseUrl }).it.url({ params: {} as never });
  assertThrows(missing, ClientError, "the path parameter constructor is missing");
  for (
    const params of [
      null,
      "id",
      42,
      ["id"],
      new Map([["id", "1"]]),
      new URLSearchParams("id=1"),
      Object.create({ id: "1" }),
    ]
  ) {
    await assertUnsent(() => client.byId({ params: params as never }), "params must be a plain object");
  }
});

Deno.test("createClient() calls send query values and lists in order", async () => {
  const query = {
    text: "a&b=c+d e%20?#é𝄞",
    list: ["a", "b", "a"],
    mixed: [1, true, 2n, ""],
    number: 1.5,
    boolean: false,
    "odd key=&": "",
    left: undefined,
    none: [],
  };

  assertEquals((await client.search({ query: query as never })).body, {
    text: "a&b=c+d e%20?#é𝄞",
    list: ["a", "b", "a"],
    mixed: ["1", "true", "2", ""],
    number: "1.5",
    boolean: "false",
    "odd key=&": "",
  });
});

Deno.test("createClient() calls without a query send none", () => {
  for (const query of [{}, { left: undefined }, { none: [] }]) {
    assertEquals(client.search.url({ query: query as never }), `${baseUrl}/search`);
  }
});

Deno.test("createClient() calls refuse query values that are not text", async () => {
  const values = [null, {}, new Date(), [null], [undefined], [["a"]], [{}], Symbol("s"), () => "a", new Map()];
  for (const value of values) {
    const { message } = await assertUnsent(() => client.search({ query: { since: value } as never }));
    assertStringIncludes(message, '"since" of the query must be a string or an array of strings');
  }
  await assertUnsent(() => client.search({ query: ["a"] as never }), "the query must be a plain object");
});

Deno.test("createClient() calls refuse queries with a lone surrogate", async () => {
  for (const query of [{ a: "\ud800" }, { "\udc00": "a" }, { a: ["b", "x\ud800y"] }]) {
    await assertUnsent(() => client.search({ query: query as never }), "the query must not have lone surrogates");
  }
});

Deno.test("createClient() url() refuses the input that a call would refuse", () => {
  const error = assertThrows(() => client.byId.url({ params: { id: ".." } }), ClientError);

  assertEquals([error.code, error.route?.key], ["invalid-input", "byId"]);
  assertThrows(() => client.search.url({ query: { a: null } as never }), ClientError);
  assertThrows(() => client.byId.url(undefined as never), ClientError, "the path parameter id is missing");
});
