import { defineContract, representation, request, response, route } from "@scope/api";
import { createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals } from "@std/assert";
import { type } from "arktype";
import { recordCalls } from "../support/client_errors.ts";

const baseUrl = "https://a.example";

const contract = defineContract({
  routes: {
    json: route.post("/json", { body: request.json(), responses: { 200: response.json<unknown>() } }),
    text: route.put("/text", { body: request.text(), responses: { 200: response.text() } }),
    bytes: route.patch("/bytes", {
      body: request.bytes({ contentType: "image/png" }),
      responses: { 200: response.json<{ type: string; bytes: number[] }>() },
    }),
    remove: route.delete("/users/:id", { responses: { 204: response.empty() } }),
    query: route.query("/query", { body: request.json<number[]>(), responses: { 200: response.json<number[]>() } }),
    options: route.options("/options", { responses: { 204: response.empty() } }),
  },
});
const handler = createFetchHandler(
  defineServer(contract, { context: ({ request }) => ({ type: request.headers.get("content-type") }) }).implement({
    json: ({ body, response }) => response(200, body),
    text: ({ body, response }) => response(200, body),
    bytes: ({ body, context, response }) => response(200, { type: context.type ?? "", bytes: [...body] }),
    remove: ({ response }) => response(204),
    query: ({ body, response }) => response(200, body.toReversed()),
    options: ({ response }) => response(204),
  }),
);

const { fetch, assertUnsent } = recordCalls(handler);
const client = createClient(contract, { baseUrl, fetch });

Deno.test("createClient() calls send JSON bodies", async () => {
  for (const body of [null, 0, "", "\ud800", [], { a: [1, { b: "ü" }] }, JSON.parse('{"__proto__":1}')]) {
    assertEquals((await client.json({ body })).body, body);
  }
});

Deno.test("createClient() calls refuse a body with more bytes than maxBytes, counted as sent", async () => {
  const maxBytes = 5;
  const lines = representation<string>({
    contentType: "text/csv",
    encode: (value) => new Blob([value]),
    decode: (bytes) => new TextDecoder().decode(bytes),
  });
  const responses = { 200: response.text() };
  const limited = defineContract({
    routes: {
      json: route.post("/json", { body: request.json<string>({ maxBytes }), responses }),
      text: route.post("/text", { body: request.text({ maxBytes }), responses }),
      bytes: route.post("/bytes", { body: request.bytes({ maxBytes, optional: true }), responses }),
      form: route.post("/form", { body: request.form(type({ a: "string" }), { maxBytes }), responses }),
      lines: route.post("/lines", { body: request.as(lines, { maxBytes }), responses }),
    },
  });
  const { fetch, assertUnsent } = recordCalls(async (request) =>
    new Response(String((await request.bytes()).byteLength), { headers: { "content-type": "text/plain" } })
  );
  const { json, text, bytes, form, lines: csv } = createClient(limited, { baseUrl, fetch });
  assertEquals((await json({ body: "123" })).body, "5");
  assertEquals((await text({ body: "é1é" })).body, "5");
  assertEquals((await bytes({ body: new ArrayBuffer(5) })).body, "5");
  assertEquals((await bytes({})).body, "0");
  assertEquals((await form({ body: { a: "123" } })).body, "5");
  assertEquals((await csv({ body: "12345" })).body, "5");

  const message = "the body has 6 bytes; the contract allows at most 5";
  await assertUnsent(() => json({ body: "1234" }), message);
  await assertUnsent(() => text({ body: "é23é" }), message);
  for (const body of [new Uint8Array(6), new ArrayBuffer(6), new Blob(["123456"])]) {
    await assertUnsent(() => bytes({ body }), message);
  }
  await assertUnsent(() => form({ body: { a: "1234" } }), message);
  await assertUnsent(() => csv({ body: "123456" }), message);
  await assertUnsent(() => json.request({ body: "1234" }), message);
});

Deno.test("createClient() calls do not count bodies that they do not encode themselves", async () => {
  const responses = { 200: response.text(), 413: response.problem() };
  const limited = defineContract({
    routes: {
      formData: route.post("/data", { body: request.formData({ maxBytes: 5 }), responses }),
      stream: route.post("/stream", { body: request.stream({ maxBytes: 5 }), responses }),
    },
  });
  const implementation = defineServer(limited).implement({
    formData: ({ response }) => response(200, "read"),
    stream: async ({ body, response }) => response(200, await new Response(body).text()),
  });
  const { formData, stream } = createClient(limited, { baseUrl, fetch: createFetchHandler(implementation) });

  assertEquals((await formData({ body: { a: "1234" } })).status, 413);
  assertEquals((await stream({ body: new Blob(["123456"]).stream() })).status, 413);
  assertEquals((await stream({ body: new Blob(["12345"]).stream() })).body, "12345");
});

Deno.test("createClient() calls refuse bodies that JSON cannot represent", async () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  const throwing = {
    toJSON(): void {
      throw new Error("no JSON of me");
    },
  };
  for (const body of [undefined, () => 1, Symbol("s"), 1n, { a: 1n }, cyclic, NaN, [undefined], new Map()]) {
    await assertUnsent(() => client.json({ body }));
  }
  await assertUnsent(() => client.json({ body: throwing }), "no JSON of me");
  await assertUnsent(() => client.json({} as never));
});

Deno.test("createClient() calls send text bodies", async () => {
  for (const body of ["", "a\r\nb", "\0", "é𝄞"]) assertEquals((await client.text({ body })).body, body);
});

Deno.test("createClient() calls refuse text bodies that are not text", async () => {
  for (const body of [undefined, null, 1, {}, ["a"], new Blob(["a"])]) {
    await assertUnsent(() => client.text({ body: body as never }));
  }
  await assertUnsent(() => client.text({ body: "a\ud800" }));
});

Deno.test("createClient() calls send exactly the bytes of a view, a buffer or a blob", async () => {
  const whole = new Uint8Array([9, 9, 1, 2, 3, 9]);
  const expected = { type: "image/png", bytes: [1, 2, 3] };
  const bodies = [
    whole.subarray(2, 5),
    whole.slice(2, 5).buffer,
    new Blob([whole.subarray(2, 5)], { type: "text/html" }),
  ];
  for (const body of bodies) assertEquals((await client.bytes({ body })).body, expected);
  assertEquals((await client.bytes({ body: new Uint8Array() })).body.bytes, []);
});

Deno.test("createClient() calls refuse bytes bodies that are not bytes", async () => {
  for (const body of [undefined, null, "text", [1, 2], {}, new DataView(new ArrayBuffer(1))]) {
    await assertUnsent(() => client.bytes({ body: body as never }));
  }
});

// proves http | QUERY is safe and has content | RFC 10008
Deno.test("createClient() calls use every method", async () => {
  assertEquals((await client.remove({ params: { id: "1" } })).status, 204);
  assertEquals((await client.query({ body: [1, 2, 3] })).body, [3, 2, 1]);
  assertEquals((await client.options()).status, 204);
});
