/** Clients on platforms where `Response` does not have a stream of its body, such as React Native. */
import { defineContract, response, route } from "@scope/api";
import { type CallOptions, type Client, ClientError, createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { follow, retry } from "@scope/api/retry";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { type } from "arktype";

Deno.test.sanitizer({ ops: true, resources: true });

const contract = defineContract({
  routes: {
    json: route.get("/json/:id", {
      params: type({ id: "string.numeric" }),
      responses: { 200: response.json(type({ id: "string" })), 404: response.problem() },
    }),
    bytes: route.get("/bytes", { responses: { 200: response.bytes() } }),
    empty: route.delete("/empty", { responses: { 204: response.empty() } }),
    stream: route.get("/stream", { responses: { 200: response.stream() } }),
    lines: route.get("/lines", { responses: { 200: response.ndjson(type("number")) } }),
    events: route.get("/events", {
      headers: type({ "last-event-id?": "string" }),
      responses: { 200: response.sse(type("number")) },
    }),
  },
});
const handler = createFetchHandler(
  defineServer(contract).implement({
    json: ({ params, response }) => params.id === "404" ? response(404, { detail: "none" }) : response(200, params),
    bytes: ({ response }) => response(200, new Uint8Array(100_000).fill(7)),
    empty: ({ response }) => response(204),
    stream: ({ response }) => response(200, [new Uint8Array([1])]),
    lines: ({ response }) => response(200, [1, 2]),
    events: ({ response }) => response(200, [{ data: 1 }]),
  }),
);

/** The result of React Native's fetch after the whole body has arrived: a `Response` with methods only. */
async function withoutStream(response: Response): Promise<Response> {
  const { status, statusText, ok, headers, url, type } = response;
  const content = await response.arrayBuffer();
  const read = { bodyUsed: false, arrayBuffer: () => Promise.resolve(content) };
  return { status, statusText, ok, headers, url, type, ...read } as Response;
}

function connect(options: object = {}): Client<typeof contract.routes> {
  const fetch = async (request: Request): Promise<Response> => await withoutStream(await handler(request));
  return createClient(contract, { baseUrl: "https://a.example", fetch, ...options });
}

const signal = new AbortController().signal;
const patient: readonly CallOptions[] = [{}, { signal }, { timeout: 10_000 }];

Deno.test("createClient() calls read whole bodies if a Response has no stream", async () => {
  const client = connect();
  for (const options of patient) {
    assertEquals((await client.json({ params: { id: "1" } }, options)).body, { id: "1" });
    assertEquals((await client.json({ params: { id: "404" } }, options)).status, 404);
    assertEquals((await client.bytes(options)).body, new Uint8Array(100_000).fill(7));
    assertEquals((await client.empty(options)).body, undefined);
  }
});

Deno.test("createClient() calls limit whole bodies if a Response has no stream", async () => {
  for (const options of patient) {
    const error = await assertRejects(() => connect().bytes({ ...options, maxBodyBytes: 99_999 }), ClientError);
    assertEquals([error.code, error.text?.length], ["invalid-body", 8192]);
    assertEquals((await connect().bytes({ ...options, maxBodyBytes: 100_000 })).status, 200);
  }
});

Deno.test("createClient() errors contain the problem of a refusal if a Response has no stream", async () => {
  const error = await assertRejects(() => connect().json({ params: { id: "x" } }), ClientError);
  assertEquals([error.code, error.status, error.problem?.code], ["unexpected-status", 400, "invalid-request"]);
  assert(error.text?.includes("invalid-request"));
});

Deno.test("createClient() calls end with their signal or timeout while a body without a stream is read", async () => {
  const stuck = async (request: Request): Promise<Response> => {
    const answer = await withoutStream(await handler(request));
    return {
      ...answer,
      headers: new Headers({ "content-type": "application/octet-stream" }),
      arrayBuffer: () => new Promise(() => {}),
    };
  };
  const leaving = new AbortController();
  setTimeout(() => leaving.abort(), 10);
  const aborted = await assertRejects(() => connect({ fetch: stuck }).bytes({ signal: leaving.signal }), ClientError);
  const late = await assertRejects(() => connect({ fetch: stuck }).bytes({ timeout: 10 }), ClientError);

  assertEquals([aborted.code, late.code], ["aborted", "timeout"]);
});

Deno.test("createClient() calls of streams are invalid-body if a Response has no stream, and are not retried", async () => {
  let attempts = 0;
  const around = [retry({ attempts: 2 }), (attempt: () => Promise<never>) => (attempts++, attempt())];
  const client = connect({ around });
  for (const [name, call] of Object.entries({ stream: client.stream, lines: client.lines, events: client.events })) {
    attempts = 0;
    const error = await assertRejects(() => call(), ClientError);
    const message =
      `Cannot call GET /${name} (${name}): its body cannot be decoded: this fetch does not support streams`;
    assertEquals([error.code, error.status, error.message, attempts], ["invalid-body", 200, message, 1]);
  }
  const followed = async (): Promise<void> => {
    for await (const _ of follow(client.events)) throw new Error("an event");
  };
  assertEquals((await assertRejects(followed, ClientError)).code, "invalid-body");
});
