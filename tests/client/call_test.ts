import { defineContract, request, response, route } from "@scope/api";
import { type CallOptions, ClientError, type ClientOptions, createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals, assertInstanceOf, assertRejects, assertThrows } from "@std/assert";
import { type } from "arktype";
import { recordCalls } from "../support/client_errors.ts";
import { rejectionsOf } from "../support/rejections.ts";

const baseUrl = "https://a.example";
const contract = defineContract({
  routes: {
    health: route.get("/health", { responses: { 200: response.text() } }),
    list: route.get("/users", {
      query: type({ "page?": "string", "tag?": "string[]" }),
      headers: type({ "x-trace?": "string" }),
      responses: { 200: response.json<unknown>() },
    }),
    rename: route.patch("/users/:id", { body: request.json<string>(), responses: { 204: response.empty() } }),
  },
});
const handler = createFetchHandler(
  defineServer(contract).implement({
    health: ({ response }) => response(200, "ok"),
    list: ({ query, headers, response }) => response(200, { ...query, ...headers }),
    rename: ({ response }) => response(204),
  }),
);

const { fetch, sent, requestOf, assertUnsent } = recordCalls(handler);
const client = createClient(contract, {
  baseUrl,
  init: { credentials: "include", redirect: "error", cache: "no-store" },
  headers: { "x-client": "1" },
  fetch,
});

Deno.test("createClient() calls of routes without inputs accept only options", async () => {
  const { signal } = new AbortController();
  const { headers } = await requestOf(() => client.health({ signal, headers: { "x-call": "2" } }));

  assertEquals([headers.get("x-client"), headers.get("x-call")], ["1", "2"]);
  await assertUnsent(() => client.health({ params: {} } as never), 'unknown option "params" (allowed: signal');
  // @ts-expect-error no slot is declared, so the call takes no input
  client.health.request({}, { signal }).catch(() => {});
});

Deno.test("createClient() calls may omit an input whose slots are all optional", async () => {
  const calls = [
    () => client.list(),
    () => client.list({}),
    () => client.list(undefined, {}),
    () => client.list({ query: {} }),
    () => client.list({ query: undefined, headers: undefined }, undefined),
  ];
  for (const call of calls) assertEquals((await call()).body, {});
  assertEquals((await client.list({ query: { page: "2", tag: ["a"] }, headers: { "x-trace": "t" } })).body, {
    page: "2",
    tag: ["a"],
    "x-trace": "t",
  });
});

Deno.test("createClient() calls accept the options after the input", async () => {
  const { headers } = await requestOf(() => client.list({}, { headers: { "x-call": "2" } }));

  assertEquals(headers.get("x-call"), "2");
});

Deno.test("createClient() calls require the inputs that are not optional", async () => {
  // @ts-expect-error params and body are missing
  await assertUnsent(() => client.rename(), "the path parameter id is missing");
  // @ts-expect-error body is missing
  await assertUnsent(() => client.rename({ params: { id: "1" } }));
});

Deno.test("createClient() calls refuse undeclared slots", async () => {
  const { message } = await assertUnsent(() => client.list({ body: 1 } as never));
  assertEquals(
    message,
    'Cannot call GET /users (list): unknown slot "body" (allowed: query, headers)',
  );
  await assertUnsent(() => client.list({ ["__proto__"]: 1 } as never));
  await assertUnsent(() => client.list({ toString: 1 } as never));
});

Deno.test("createClient() calls refuse unknown options", async () => {
  const { message } = await assertUnsent(() => client.list({}, { retries: 1 } as never));
  assertEquals(
    message,
    'Cannot call GET /users (list): unknown option "retries" (allowed: signal, timeout, silence, headers, init, maxBodyBytes, maxRecordBytes)',
  );
});

Deno.test("createClient() calls refuse inputs and options that are not objects", async () => {
  for (const given of [null, "a", 1, true, []]) {
    await assertUnsent(() => client.list(given as never), "the slots must be an object, got ");
    await assertUnsent(() => client.list({}, given as never), "the options must be an object, got ");
    await assertUnsent(() => client.health(given as never), "the options must be an object, got ");
  }
});

Deno.test("createClient() calls refuse options of a wrong type, also inside of around", async () => {
  const rows: [options: object, message: string][] = [
    [{ signal: new AbortController() }, '"signal" must be an AbortSignal, got an object'],
    [{ signal: { aborted: false } }, '"signal" must be an AbortSignal, got an object'],
    [{ signal: 1 }, '"signal" must be an AbortSignal, got 1'],
    [{ headers: null }, '"headers" must be an object, got null'],
    [{ headers: "x-a: 1" }, '"headers" must be an object, got a string'],
    [{ headers: () => ({}) }, '"headers" must be an object, got a function'],
    [{ headers: [["x-a", "1"]] }, '"headers" must be an object, got an array'],
    [{ init: "follow" }, '"init" must be an object, got a string'],
    [{ init: [] }, '"init" must be an object, got an array'],
  ];
  const around = createClient(contract, { baseUrl, fetch: () => new Response(), around: (attempt) => attempt() });
  const rejections = await rejectionsOf(async () => {
    for (const [options, message] of rows) {
      await assertUnsent(() => client.list({}, options as CallOptions), message);
      const error = await assertRejects(() => around.list({}, options as CallOptions), ClientError, message);
      assertEquals(error.code, "invalid-input");
    }
  });
  assertEquals(rejections, []);
  await requestOf(() => client.list({}, { signal: null as never })); // none, as in Fetch
});

Deno.test("createClient() calls refuse headers that are not an object, in their slot and from the client", async () => {
  const rows: [headers: unknown, found: string][] = [
    [null, "null"],
    [0, "0"],
    ["x-trace: t", "a string"],
    [() => ({ "x-trace": "t" }), "a function"],
  ];
  for (const [headers, found] of rows) {
    await assertUnsent(() => client.list({ headers } as never), `headers must be an object, got ${found}`);
    const general = createClient(contract, { baseUrl, fetch, headers: () => headers as never });
    await assertUnsent(() => general.health(), `headers must be an object, got ${found}`);
  }
  await requestOf(() => client.list({ headers: new Headers({ "x-trace": "t" }) as never }));
});

Deno.test("createClient() calls apply init; the call's overrides the client's", async () => {
  const general = await requestOf(() => client.health());
  const own = await requestOf(() => client.health({ init: { redirect: "manual", cache: "reload" } }));

  assertEquals([general.credentials, general.redirect, general.cache], ["include", "error", "no-store"]);
  assertEquals([own.credentials, own.redirect, own.cache], ["include", "manual", "reload"]);
});

Deno.test("createClient() calls send their own method, headers and body, whatever init contains", async () => {
  const init = { method: "DELETE", headers: { "x-init": "1" }, body: "init" } as RequestInit as never;
  const sent = await requestOf(() => client.health({ init }));

  assertEquals([sent.method, sent.headers.get("x-init"), sent.body], ["GET", null, null]);
});

Deno.test("createClient() calls pass their signal to the request", async () => {
  const controller = new AbortController();
  const sent = await requestOf(() => client.health({ signal: controller.signal }));

  assertEquals(sent.signal.aborted, false);
  controller.abort("enough");
  assertEquals([sent.signal.aborted, sent.signal.reason], [true, "enough"]);
});

Deno.test("createClient() calls without inputs pass on a signal or an init", async () => {
  const bare = async (init: ClientOptions["init"], options: CallOptions): Promise<Request> =>
    await createClient(contract, { baseUrl, init }).health.request(options);
  const controller = new AbortController();
  const [signalled, general, own, neither] = [
    await bare(undefined, { signal: controller.signal }),
    await bare({ redirect: "follow" }, {}),
    await bare(undefined, { init: { redirect: "follow" } }),
    await bare(undefined, {}),
  ];
  controller.abort("enough");
  assertEquals([signalled.signal.aborted, signalled.signal.reason], [true, "enough"]);
  assertEquals([general.redirect, own.redirect, neither.redirect], ["follow", "follow", "manual"]);
});

Deno.test("createClient() url() returns the URL of a call", async () => {
  const input = { query: { page: "a b", tag: ["x", "y"] } };

  assertEquals(client.list.url(input), `${baseUrl}/users?page=a+b&tag=x&tag=y`);
  assertEquals((await requestOf(() => client.list(input))).url, client.list.url(input));
  assertEquals([client.health.url(), client.list.url()], [`${baseUrl}/health`, `${baseUrl}/users`]);
  assertEquals(client.rename.url({ params: { id: "a/b" } }), `${baseUrl}/users/a%2Fb`);
});

Deno.test("createClient() url() refuses undeclared slots", () => {
  // @ts-expect-error nothing of it depends on an input
  assertThrows(() => client.health.url({ params: {} }), ClientError, 'unknown slot "params" (allowed: none)');
});

Deno.test("createClient() request() returns the request of a call without sending it", async () => {
  const before = sent.length;
  const request = await client.rename.request({ params: { id: "1" }, body: "Ada" }, { headers: { "x-call": "2" } });

  assertInstanceOf(request, Request);
  assertEquals([request.method, request.url, await request.text()], ["PATCH", `${baseUrl}/users/1`, '"Ada"']);
  assertEquals(Object.fromEntries(request.headers), {
    "content-type": "application/json",
    "x-call": "2",
    "x-client": "1",
  });
  assertEquals(sent.length, before);
});

Deno.test("createClient() request() accepts only options if the route has no inputs", async () => {
  const controller = new AbortController();
  const request = await client.health.request({ signal: controller.signal });
  controller.abort();

  assert(request.signal.aborted);
  assertEquals((await client.health.request()).credentials, "include");
});

Deno.test("createClient() request() rejects if a call would", async () => {
  await assertUnsent(() => client.rename.request({ params: { id: ".." }, body: "Ada" }));
  await assertUnsent(() => client.health.request({ timeout: -1 }));
  await assertUnsent(() => client.list.request({ body: 1 } as never));
});
