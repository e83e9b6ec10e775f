import { codec, defineContract, request, response, route } from "@scope/api";
import {
  type CallOptions,
  ClientError,
  type ClientErrorCode,
  type ClientOptions,
  createClient,
} from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { type } from "arktype";
import { watchBody } from "../support/watched_body.ts";

const contract = defineContract({
  routes: {
    text: route.post("/text", { body: request.stream(), responses: { 200: response.text() } }),
    typed: route.put("/typed", {
      body: request.stream({ contentType: "video/mp4", optional: true }),
      responses: { 200: response.text() },
    }),
    echo: route.post("/echo", { body: request.stream(), responses: { 200: response.stream() } }),
    early: route.post("/early", { body: request.stream(), responses: { 200: response.text(), 413: response.empty() } }),
  },
});
const handler = createFetchHandler(
  defineServer(contract, { context: ({ request }) => ({ type: request.headers.get("content-type") }) }).implement({
    text: async ({ body, response }) => response(200, await new Response(body).text()),
    typed: ({ body, context, response }) => response(200, `${context.type} ${body === undefined}`),
    echo: ({ body, response }) => response(200, body),
    early: async ({ body, response }) => {
      await body.getReader().read();
      return response(413);
    },
  }),
  { onError: () => {} },
);
const baseUrl = "https://a.example";
const client = createClient(contract, { baseUrl, fetch: handler });

/** A producer that counts its pulls and its closings. */
function watch(
  give: (asked: number) => unknown,
): { body: AsyncIterable<Uint8Array>; asked: () => number; closed: () => number } {
  let asked = 0;
  let closed = 0;
  const iterator = {
    next: async () => await give(++asked) as IteratorResult<Uint8Array>,
    return: () => (closed++, Promise.resolve({ done: true as const, value: undefined })),
  };
  return { body: { [Symbol.asyncIterator]: () => iterator }, asked: () => asked, closed: () => closed };
}

const endless = (): unknown => ({ value: new Uint8Array([97]) });
const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

Deno.test("createClient() calls send a ReadableStream or the chunks of an iterable", async () => {
  async function* produce(): AsyncGenerator<Uint8Array> {
    yield* [bytes("a"), new Uint8Array(), bytes("bc").subarray(1)];
  }
  assertEquals((await client.text({ body: produce() })).body, "ac");
  assertEquals((await client.text({ body: new Blob(["blob"]).stream() })).body, "blob");
  assertEquals((await client.text({ body: ReadableStream.from([bytes("from")]) })).body, "from");
});

Deno.test("createClient() calls send a Blob as a stream's body by its length, with the declared content type", async () => {
  const outgoing = await client.typed.request({ body: new Blob(["blob"], { type: "image/png" }) });
  assertEquals([outgoing.headers.get("content-type"), await outgoing.text()], ["video/mp4", "blob"]);
  assertEquals((await client.text({ body: new File(["file"], "a.txt") })).body, "file");
  assertEquals((await client.text({ body: new Blob() })).body, "");

  const sized = defineContract({
    routes: {
      up: route.post("/up", {
        body: request.stream({ contentType: "image/*", maxBytes: 3 }),
        responses: { 204: response.empty() },
      }),
    },
  });
  const { up } = createClient(sized, { baseUrl });
  const stated = await up.request({ body: new Blob(["abc"], { type: "image/png" }) });
  assertEquals(stated.headers.get("content-type"), "image/png");
  const tooLong = await assertRejects(() => up({ body: new Blob(["abcd"], { type: "image/png" }) }), ClientError);
  assertEquals([tooLong.code, (tooLong.cause as Error).message], [
    "invalid-input",
    "the body has 4 bytes; the contract allows at most 3",
  ]);
});

Deno.test("createClient() calls make another attempt with a Blob as a stream's body", async () => {
  const seen: [replayable: boolean, body: string][] = [];
  const twice = createClient(contract, {
    baseUrl,
    fetch: handler,
    around: async (attempt, { replayable }) => {
      seen.push([replayable, String((await attempt()).body)]);
      return await attempt();
    },
  });
  assertEquals((await twice.text({ body: new Blob(["again"]) })).body, "again");
  assertEquals(seen, [[true, "again"]]);
});

Deno.test("createClient() calls refuse a stream if the runtime's Request would send its name instead", async () => {
  const { Request } = globalThis;
  const sent: string[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    sent.push(await request.text());
    return new Response("fine", { headers: { "content-type": "text/plain" } });
  };
  globalThis.Request = class extends Request { // that of Firefox, and of React Native
    constructor(url: string | URL | Request, { body, ...init }: RequestInit = {}) {
      const isKnown = typeof body === "string" || body instanceof Blob;
      super(url, { ...init, ...(body && { body: isKnown ? body : String(body) }) });
    }
    override get body(): never {
      return undefined as never;
    }
  };
  try {
    const { text } = createClient(contract, { baseUrl, fetch });
    const { body, asked, closed } = watch(endless);
    const error = await assertRejects(() => text({ body }), ClientError);
    assertEquals([error.code, error.message, asked(), closed(), sent], [
      "invalid-input",
      "Cannot call POST /text (text): this runtime cannot send a stream; pass a Blob",
      0,
      1,
      [],
    ]);
    assertEquals((await text({ body: new Blob(["blob"]) })).body, "fine");
    assertEquals(sent, ["blob"]);
  } finally {
    globalThis.Request = Request;
  }
});

Deno.test("createClient() calls send a stream with its content type, or none if an optional one is omitted", async () => {
  assertEquals((await client.typed({ body: new Blob(["a"]).stream() })).body, "video/mp4 false");
  assertEquals((await client.typed()).body, "null true");
  assertEquals((await client.typed({ body: undefined }, { headers: { "content-type": "x/y" } })).body, "null true");
});

Deno.test("createClient() calls refuse a value that is not a stream, and a stream that is being read", async () => {
  const locked = new Blob(["a"]).stream();
  locked.getReader();
  for (const body of [undefined, null, "text", new Uint8Array(1), [bytes("a")], {}, locked]) {
    const error = await assertRejects(() => client.text({ body: body as never }), ClientError);
    assertEquals(error.code, "invalid-input");
  }
});

// proves fetch | An upload is half duplex, and its source is pulled as it is sent | 5.4, `duplex`
Deno.test("createClient() calls pull a producer no further than it is read", async () => {
  const { body, asked, closed } = watch(endless);
  const outgoing = await client.text.request({ body });
  assertEquals([asked(), closed()], [0, 0]);
  const reader = outgoing.body!.getReader();
  await reader.read();
  await reader.read();
  assertEquals(asked(), 2);
  await reader.cancel();
  assertEquals([asked(), closed()], [2, 1]);
});

Deno.test("createClient() calls close a producer once, even if it was never pulled", async () => {
  const { body, asked, closed } = watch(endless);
  const outgoing = await client.text.request({ body });
  await outgoing.body!.cancel();
  assertEquals([asked(), closed()], [0, 1]);
});

Deno.test("createClient() calls close a producer once if the call is aborted before or while it is read", async () => {
  for (const reads of [0, 1]) {
    const caller = new AbortController();
    const { body, closed } = watch(endless);
    const outgoing = await client.text.request({ body }, { signal: caller.signal });
    const reader = outgoing.body!.getReader();
    for (let index = 0; index < reads; index++) await reader.read();
    caller.abort(new Error("changed my mind"));
    const error = await assertRejects(() => reader.read(), Error);
    assertStringIncludes(error.message, "changed my mind");
    await reader.cancel().catch(() => {});
    caller.abort();
    assertEquals(closed(), 1);
  }
});

Deno.test("createClient() calls close a producer if the signal has already aborted", async () => {
  const { body, asked, closed } = watch(endless);
  const outgoing = client.text.request({ body }, { signal: AbortSignal.abort(new Error("too late")) });
  await assertRejects(async () => await (await outgoing).body!.getReader().read(), Error, "too late");
  assertEquals([asked(), closed()], [0, 1]);
});

Deno.test("createClient() calls remove their listener from the signal when their upload ends", async () => {
  const { signal } = new AbortController();
  const listeners = new Set<unknown>();
  const add = signal.addEventListener.bind(signal);
  signal.addEventListener = (type: string, listener: never) => (listeners.add(listener), add(type, listener));
  const remove = signal.removeEventListener.bind(signal);
  signal.removeEventListener = (type: string, listener: never) => (listeners.delete(listener), remove(type, listener));
  const { body } = watch((asked) => asked > 2 ? { done: true } : { value: bytes("a") });
  await new Response((await client.text.request({ body }, { signal })).body).text();
  await (await client.text.request({ body: watch(endless).body }, { signal })).body!.cancel();
  assertEquals(listeners.size, 0);
});

Deno.test("createClient() calls skip empty chunks, which would end a chunked body", async () => {
  const { body } = watch((asked) => asked === 4 ? { done: true } : { value: bytes(asked === 2 ? "a" : "") });
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await client.text.request({ body })).body!) chunks.push(chunk);
  assertEquals(chunks, [bytes("a")]);
});

Deno.test("createClient() calls close a producer that is stuck, and a stream that is", async () => {
  const stuck = new Promise<never>(() => {});
  const cancelled: unknown[] = [];
  const stream = new ReadableStream({ pull: () => stuck, cancel: (reason) => void cancelled.push(reason) });
  const { body, closed } = watch(() => stuck);
  for (const each of [body, stream]) {
    const reason = new Error("late");
    const caller = new AbortController();
    setTimeout(() => caller.abort(reason), 5);
    const error = await assertRejects(() => client.text({ body: each }, { signal: caller.signal }), ClientError);
    assertEquals(error.code, "aborted");
  }
  assertEquals([closed(), cancelled.length], [1, 1]);
});

Deno.test("createClient() calls close a producer if there is no response, or if it does not need the rest", async () => {
  const broken = createClient(contract, { baseUrl, fetch: () => Promise.reject(new TypeError("no route to host")) });
  const first = watch(endless);
  assertEquals((await assertRejects(() => broken.text({ body: first.body }), ClientError)).code, "network");
  const second = watch(endless);
  assertEquals((await client.early({ body: second.body })).status, 413);
  const odd = createClient(contract, { baseUrl, fetch: () => new Response(null, { status: 418 }) });
  const third = watch(endless);
  assertEquals((await assertRejects(() => odd.text({ body: third.body }), ClientError)).code, "unexpected-status");
  assertEquals([first, second, third].map(({ closed }) => closed()), [1, 1, 1]);
});

Deno.test("createClient() calls continue to send while their response is read", async () => {
  const { body, closed } = watch((asked) => asked > 3 ? { done: true } : { value: bytes(`${asked}`) });
  const answer = await client.echo({ body });
  assertEquals(await new Response(answer.body).text(), "123");
  assertEquals(closed(), 0);
});

Deno.test("createClient() calls do not close a producer that has ended", async () => {
  const { body, closed } = watch((asked) => asked > 2 ? { done: true } : { value: bytes("a") });
  assertEquals((await client.text({ body })).body, "aa");
  assertEquals(closed(), 0);
});

Deno.test("createClient() calls reject with the error of a failed producer, and do not close it", async () => {
  const cause = new Error("disk unplugged");
  const { body, closed } = watch((asked) => asked > 1 ? Promise.reject(cause) : { value: bytes("a") });
  const error = await assertRejects(() => client.text({ body }), ClientError);
  assertEquals([error.code, error.cause, closed()], ["network", cause, 0]);
  const failing = new ReadableStream({ pull: (controller) => controller.error(cause) });
  assertEquals((await assertRejects(() => client.text({ body: failing }), ClientError)).cause, cause);
  const wordless = createClient(contract, {
    baseUrl,
    fetch: (request) => request.bytes().then(() => new Response(), () => Promise.reject(new TypeError("fetch failed"))),
  });
  const told = await assertRejects(() => wordless.text({ body: watch(() => Promise.reject(cause)).body }), ClientError);
  assertEquals(told.cause, cause);
});

Deno.test("createClient() calls discard the response to a part of an upload whose producer failed", async () => {
  const { body } = watch(() => {
    throw new Error("no more");
  });
  const answer = watchBody(["ok"]);
  const fetch = async (request: Request): Promise<Response> => {
    await request.text().catch(() => {});
    return new Response(answer.stream, { headers: { "content-type": "text/plain" } });
  };
  const error = await assertRejects(() => createClient(contract, { baseUrl, fetch }).text({ body }), ClientError);

  assertEquals([error.code, (error.cause as Error).message, answer.state()], ["network", "no more", "cancelled"]);
});

Deno.test("createClient() calls cancel a stream with the error that ended its upload", async () => {
  const failure = new TypeError("no route to host");
  const broken = createClient(contract, { baseUrl, fetch: () => Promise.reject(failure) });
  const reasons: unknown[] = [];
  const body = new ReadableStream<Uint8Array>({ cancel: (reason) => void reasons.push(reason) }, { highWaterMark: 0 });
  await assertRejects(() => broken.text({ body }), ClientError);

  assertEquals(reasons, [failure]);
});

Deno.test("createClient() calls reject if their producer yields anything but bytes, and close it", async () => {
  for (const value of ["text", 1, null, new ArrayBuffer(1), [1]]) {
    const { body, closed } = watch(() => ({ value }));
    const error = await assertRejects(() => client.text({ body }), ClientError);
    assert(error.cause instanceof TypeError);
    assertStringIncludes(error.cause.message, "A stream of bytes must yield Uint8Array, got ");
    assertEquals([error.code, closed()], ["network", 1]);
  }
});

Deno.test("createClient() calls ignore errors of a producer that is closed", async () => {
  const failing = watch(endless);
  const iterator = failing.body[Symbol.asyncIterator]();
  for (
    const fail of [() => Promise.reject(new Error("no")), () => {
      throw new Error("no");
    }]
  ) {
    iterator.return = fail;
    assertEquals((await client.early({ body: failing.body })).status, 413);
  }
  const bare = { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ value: bytes("a") }) }) };
  assertEquals((await client.early({ body: bare })).status, 413);
});

Deno.test("createClient() calls close a producer once if they fail before it is read", async () => {
  const upper = codec(type({ "x-a": "string" }), type({ "x-a": "string" }), {
    decode: (value) => value,
    encode: (value) => value,
  });
  const strict = defineContract({
    routes: {
      up: route.post("/up/:id", { headers: upper, body: request.stream(), responses: { 200: response.text() } }),
    },
  });
  const broken = (): never => {
    throw new Error("broken");
  };
  const input = { params: { id: "1" }, headers: { "x-a": "1" } };
  const calls: Record<string, readonly [ClientErrorCode, object, Partial<ClientOptions>, CallOptions]> = {
    "a bad parameter": ["invalid-input", { ...input, params: { id: "" } }, {}, {}],
    "a refused header": ["invalid-input", { ...input, headers: { "x-a": 1 } }, {}, {}],
    "a header that cannot be sent": ["invalid-input", input, {}, { headers: { "x-b": "\n" } }],
    "headers that throw": ["invalid-input", input, { headers: broken }, {}],
    "headers that reject": ["invalid-input", input, { headers: () => Promise.reject(new Error("broken")) }, {}],
    "an init that no request has": ["invalid-input", input, {}, { init: { mode: "nonsense" as RequestMode } }],
    "a signal that has aborted": ["aborted", input, {}, { signal: AbortSignal.abort() }],
    "a fetch that throws": ["network", input, { fetch: broken }, {}],
    "a fetch that rejects": ["network", input, { fetch: () => Promise.reject(new Error("broken")) }, {}],
    "a timeout while headers are waited for": ["timeout", input, {
      headers: () => new Promise((resolve) => setTimeout(() => resolve({}), 20)),
    }, { timeout: 1 }],
  };
  for (const [name, [code, given, options, more]] of Object.entries(calls)) {
    const { up } = createClient(strict, { baseUrl, fetch: () => new Response(), ...options });
    const { body, asked, closed } = watch(endless);
    const error = await assertRejects(() => up({ ...given, body } as never, more), ClientError);
    await new Promise((resolve) => setTimeout(resolve, name.startsWith("a timeout") ? 30 : 0));
    assertEquals([error.code, closed(), asked()], [code, 1, 0], name);
    let cancelled = 0;
    const stream = new ReadableStream({ cancel: () => void cancelled++ }, { highWaterMark: 0 });
    await assertRejects(() => up({ ...given, body: stream } as never, more), ClientError);
    await new Promise((resolve) => setTimeout(resolve, name.startsWith("a timeout") ? 30 : 0));
    assertEquals(cancelled, 1, name);
    if (code !== "invalid-input") continue;
    const built = watch(endless);
    await assertRejects(() => up.request({ ...given, body: built.body } as never, more), ClientError);
    assertEquals([built.closed(), built.asked()], [1, 0], name);
  }
});
