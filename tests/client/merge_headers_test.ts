import { defineContract, request, response, route } from "@scope/api";
import { type ClientError, type ClientOptions, createClient, type HeaderFields } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals, assertStrictEquals, assertStringIncludes } from "@std/assert";
import { type } from "arktype";
import { recordCalls } from "../support/client_errors.ts";

const baseUrl = "https://a.example";
const contract = defineContract({
  routes: {
    plain: route.get("/plain", { responses: { 200: response.json<Record<string, string>>() } }),
    typed: route.get("/typed", {
      headers: type({ "x-a?": "string", "x-b?": "string" }),
      responses: { 200: response.json<Record<string, string>>() },
    }),
    body: route.post("/body", {
      headers: type({ "content-type?": "string" }),
      body: request.json<number>({ contentType: "application/vnd.a+json" }),
      responses: { 200: response.json<Record<string, string>>() },
    }),
  },
});
const fetch = createFetchHandler(
  defineServer(contract, { context: ({ request }) => ({ fields: Object.fromEntries(request.headers) }) }).implement({
    plain: ({ context, response }) => response(200, context.fields),
    typed: ({ context, response }) => response(200, context.fields),
    body: ({ context, response }) => response(200, context.fields),
  }),
);

type Fields = Record<string, string>;

/** The fields that the server sees of a call to `plain`. */
async function sent(general: ClientOptions["headers"], own?: HeaderFields): Promise<Fields> {
  const client = createClient(contract, { baseUrl, fetch, headers: general });
  return (await client.plain({ headers: own })).body;
}

/** The error of a call that is refused before anything is sent. */
async function refusal(general: ClientOptions["headers"], own?: HeaderFields): Promise<ClientError> {
  const { fetch, assertUnsent } = recordCalls(() => new Response());
  const client = createClient(contract, { baseUrl, headers: general, fetch });
  return await assertUnsent(() => client.plain({ headers: own }));
}

Deno.test("createClient() calls override the client's headers with the call's, and both with the route's", async () => {
  const client = createClient(contract, {
    baseUrl,
    fetch,
    headers: { "x-a": "client", "X-B": "client", "x-c": "client" },
  });
  const { body } = await client.typed({ headers: { "x-a": "route" } }, { headers: { "X-A": "call", "x-b": "call" } });

  assertEquals(body, { "x-a": "route", "x-b": "call", "x-c": "client" });
});

Deno.test("createClient() calls omit headers that a later source sets to undefined", async () => {
  const client = createClient(contract, {
    baseUrl,
    fetch,
    headers: { "x-a": "client", "x-b": "client", "x-c": "client" },
  });
  const { body } = await client.typed({ headers: { "x-a": undefined as never } }, { headers: { "X-B": undefined } });

  assertEquals(body, { "x-c": "client" });
});

Deno.test("createClient() calls send header values of every kind of text, and lists as several fields", async () => {
  assertEquals(await sent({ "x-a": 1.5, "x-b": true, "x-c": 10n, "x-d": "", "x-e": [1, "b"], "x-f": [] }), {
    "x-a": "1.5",
    "x-b": "true",
    "x-c": "10",
    "x-d": "",
    "x-e": "1, b",
  });
});

Deno.test("createClient() calls accept Headers from every source", async () => {
  const general = new Headers([["X-A", "1"], ["x-a", "2"], ["x-b", "client"]]);

  assertEquals(await sent(general, new Headers({ "x-b": "call" })), { "x-a": "1, 2", "x-b": "call" });
  assertEquals(await sent(() => general), { "x-a": "1, 2", "x-b": "client" });
  assertEquals([...general.keys()], ["x-a", "x-b"]);
});

Deno.test("createClient() calls run the headers function once each, before anything is sent", async () => {
  let runs = 0;
  const client = createClient(contract, { baseUrl, fetch, headers: () => ({ "x-run": ++runs }) });

  assertEquals(runs, 0);
  assertEquals((await client.plain()).body, { "x-run": "1" });
  assertEquals((await client.plain()).body, { "x-run": "2" });
  client.plain.url();
  assertEquals(runs, 2);
});

Deno.test("createClient() calls await an asynchronous headers function", async () => {
  assertEquals(await sent(() => Promise.resolve({ "x-a": "later" }), { "x-b": "call" }), {
    "x-a": "later",
    "x-b": "call",
  });
});

Deno.test("createClient() calls reject with invalid-input if the headers function throws or rejects", async () => {
  const cause = new Error("no token");
  const functions = [
    () => {
      throw cause;
    },
    () => Promise.reject(cause),
  ];
  for (const headers of functions) {
    const error = await refusal(headers);
    assertStrictEquals(error.cause, cause);
    assertStringIncludes(error.message, "no token");
  }
  const error = await refusal(() => Promise.reject("no error"));
  assertEquals(error.cause, "no error");
});

Deno.test("createClient() calls send the body's declared content type, whatever the headers contain", async () => {
  for (const name of ["content-type", "Content-Type"]) {
    const client = createClient(contract, { baseUrl, fetch, headers: { [name]: "text/plain" } });
    const { body } = await client.body(
      { body: 1, headers: { "content-type": "text/html" } },
      { headers: new Headers({ [name]: "text/xml" }) },
    );
    assertEquals(body["content-type"], "application/vnd.a+json");
  }
  const client = createClient(contract, { baseUrl, fetch });
  const { body } = await client.body({ body: 1 }, { headers: { "content-type": undefined } });
  assertEquals(body["content-type"], "application/vnd.a+json");
});

// proves http | Header values of requests contain no CR, LF or NUL | 5.5
Deno.test("createClient() calls refuse invalid header values", async () => {
  const values = ["a\r\nx-b: c", "a\n", "\0", "\x7f", "日本", " a", "a\t", null, {}, new Date(), [null], [
    "ok",
    "a\nb",
  ]];
  for (const value of values) {
    const { message } = await refusal({ "x-a": value as string });
    assertStringIncludes(message, 'the value of the header "x-a" is invalid');
    await refusal({}, { "x-a": value as string });
  }
});

Deno.test("createClient() calls refuse invalid header names", async () => {
  for (const name of ["", "x a", "x:", "x\n", "é"]) await refusal({ [name]: "1" });
});

Deno.test("createClient() calls refuse headers that are not an object of fields", async () => {
  for (const headers of [null, "x-a: 1", 42]) await refusal({}, headers as never);
  await refusal(() => "x-a: 1" as never);
});

Deno.test("createClient() calls accept pairs of a name and a value as headers, as fetch does", async () => {
  const pairs = [["x-a", "1"], ["x-b", "2"]];

  assertEquals(await sent(pairs as never), { "x-a": "1", "x-b": "2" });
  assertEquals(await sent({}, new Map(pairs as [string, string][]) as never), { "x-a": "1", "x-b": "2" });
});
