import { codec, defineContract, response, route } from "@scope/api";
import { createClient, unwrap } from "@scope/api/client";
import { createFetchHandler, type ErrorReport } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals, assertInstanceOf, assertRejects } from "@std/assert";
import { type } from "arktype";
import { rejectionsOf } from "../support/rejections.ts";
import { listen, mountRoute } from "../support/mount_route.ts";
import { naturals, settle, watch, watchSync } from "../support/producers.ts";

const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);
const numbers = route.get("/", { responses: { 200: response.ndjson(type("number")) } });
const chunks = route.get("/", { responses: { 200: response.stream() } });
const get = (init?: RequestInit): Request => new Request("http://localhost/", init);

Deno.test("response.stream() sends the bytes of every kind of producer as they arrive", async () => {
  const items = [bytes(1, 2), bytes(), bytes(3)];
  const buffer = bytes(9, 1, 2, 3, 9).buffer;
  const producers = {
    array: () => items,
    set: () => new Set(items),
    generator: () => items.values(),
    asyncGenerator: async function* (): AsyncGenerator<Uint8Array> {
      for (const item of items) yield await Promise.resolve(item);
    },
    stream: () => ReadableStream.from(items),
    view: () => [new Uint8Array(buffer, 1, 3)],
  };
  for (const [name, produce] of Object.entries(producers)) {
    const answer = await mountRoute(chunks, ({ response }) => response(200, produce()))(get());
    assertEquals(answer.headers.get("content-type"), "application/octet-stream");
    assertEquals(await answer.bytes(), bytes(1, 2, 3), name);
  }
});

Deno.test("response.ndjson() sends the output of the schema for each item as a line of JSON", async () => {
  const Row = type({ "+": "delete", a: "string" });
  const handler = mountRoute(
    route.get("/", { responses: { 200: response.ndjson(Row) } }),
    ({ response }) => response(200, [{ a: "1\n2", b: 1 }, { a: "3" }] as { a: string }[]),
  );
  const answer = await handler(get());
  assertEquals(answer.headers.get("content-type"), "application/x-ndjson");
  assertEquals(await answer.text(), '{"a":"1\\n2"}\n{"a":"3"}\n');
});

// proves events | The media type is `text/event-stream` | 9.2.3
// proves events-differences | `data` is text | 9.2.6 | JSON text | Items have a schema and a type
Deno.test("response.sse() sends events whose data is JSON", async () => {
  const handler = mountRoute(
    route.get("/", { responses: { 200: response.sse(type("string | number")) } }),
    ({ response }) => response(200, [{ data: "a\nb" }, { data: 1, event: "tick", id: "7", retry: 0 }]),
  );
  const answer = await handler(get());
  assertEquals(answer.headers.get("content-type"), "text/event-stream");
  assertEquals(await answer.text(), 'data: "a\\nb"\n\nevent: tick\nid: 7\nretry: 0\ndata: 1\n\n');
});

Deno.test("response.sse() sends comments, which its schema does not check and clients skip", async () => {
  const contract = defineContract({
    routes: { it: route.get("/", { responses: { 200: response.sse(type("number")) } }) },
  });
  const handler = createFetchHandler(
    defineServer(contract).implement({
      it: ({ response }) => {
        const both = { comment: "none", data: 2 } as never; // which has data, so it is an event
        return response(200, [{ comment: "" }, { data: 1 }, { comment: "data: 7" }, both]);
      },
    }),
  );
  assertEquals(await (await handler(get())).text(), ": \n\ndata: 1\n\n: data: 7\n\ndata: 2\n\n");
  const seen: number[] = [];
  const client = createClient(contract, { baseUrl: "http://localhost", fetch: handler });
  for await (const { data } of unwrap(await client.it())) seen.push(data);
  assertEquals(seen, [1, 2]);
});

Deno.test("response.sse() fails the stream for a comment that would forge an event", async () => {
  const { heard, onError } = listen();
  const handler = mountRoute(
    route.get("/", { responses: { 200: response.sse(type("number")) } }),
    ({ response }) => response(200, [{ comment: "a\n\ndata: 1" }]),
    { onError },
  );
  await assertRejects(
    async () => await (await handler(get())).text(),
    TypeError,
    "The comment of an event must be one line",
  );
  assertEquals(heard.map(({ phase }) => phase), ["stream"]);
});

Deno.test("response.sse() sends the schema's output of each event's data, and fails if it refuses", async () => {
  const Row = type({ "+": "delete", a: "string" });
  const send = (...data: unknown[]) =>
    mountRoute(
      route.get("/", { responses: { 200: response.sse(Row) } }),
      ({ response }) => response(200, data.map((each) => ({ data: each as { a: string } }))),
      { onError: () => undefined },
    )(get());
  assertEquals(await (await send({ a: "1", b: 1 })).text(), 'data: {"a":"1"}\n\n');
  await assertRejects(async () => await (await send({ a: 1 })).text(), TypeError, "a must be a string");
});

Deno.test("response.stream() prefers the asynchronous iterator of an iterable of both kinds", async () => {
  const source = {
    async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(bytes(1));
    },
    *[Symbol.iterator](): Generator<Uint8Array> {
      yield bytes(2);
    },
  };
  const answer = await mountRoute(chunks, ({ response }) => response(200, source))(get());
  assertEquals(await answer.bytes(), bytes(1));
});

Deno.test("response.ndjson() and sse() send the values that a codec encodes", async () => {
  const Time = codec(type("string"), type("Date"), {
    decode: (text) => new Date(text),
    encode: (date) => Promise.resolve(date.toISOString()),
  });
  const ndjson = mountRoute(
    route.get("/", { responses: { 200: response.ndjson(Time) } }),
    ({ response }) => response(200, [new Date(0)]),
  );
  const sse = mountRoute(
    route.get("/", { responses: { 200: response.sse(Time) } }),
    ({ response }) => response(200, [{ data: new Date(0) }]),
  );
  assertEquals(await (await ndjson(get())).text(), '"1970-01-01T00:00:00.000Z"\n');
  assertEquals(await (await sse(get())).text(), 'data: "1970-01-01T00:00:00.000Z"\n\n');
});

// proves fetch | A stream with a high-water mark of 0 pulls nothing before it is read | Streams Standard, 6
Deno.test("a stream pulls its producer only when it is read, and never for more", async () => {
  const { source, count } = watch(naturals());
  const answer = await mountRoute(numbers, ({ response }) => response(200, source))(get());
  await settle();
  assertEquals(count.next, 0);
  const reader = answer.body!.getReader();
  for (let asked = 1; asked <= 3; asked++) {
    await reader.read();
    await settle();
    assertEquals(count.next, asked);
  }
  await reader.cancel();
});

Deno.test("a stream of synchronous items is sent and read without waiting", async () => {
  const { source, count } = watchSync(naturals());
  const answer = mountRoute(numbers, ({ response }) => response(200, source))(get());
  assertInstanceOf(answer, Response);
  const reader = answer.body!.getReader();
  reader.read();
  await Promise.resolve();
  assertEquals(count.next, 1);
  await reader.cancel();
  assertEquals(count.return, 1);
});

// proves fetch | A cancelled stream closes its source once | Streams Standard, 4.9
Deno.test("a cancelled stream closes its producer once and is not reported", async () => {
  for (const reads of [0, 1, 3]) {
    for (const { source, count } of [watch(naturals()), watchSync(naturals())]) {
      const { heard, onError } = listen();
      const answer = await mountRoute(numbers, ({ response }) => response(200, source), { onError })(get());
      const reader = answer.body!.getReader();
      for (let read = 0; read < reads; read++) await reader.read();
      await reader.cancel();
      await reader.cancel();
      await settle();
      assertEquals([count.next, count.return, heard.length], [reads, 1, 0]);
    }
  }
});

Deno.test("a stream that is cancelled while its producer works closes it immediately, and ignores its outcome", async () => {
  for (const end of ["item", "failure"] as const) {
    const { heard, onError } = listen();
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const { source, count } = watch<number>([() => promise]);
    const answer = await mountRoute(numbers, ({ response }) => response(200, source), { onError })(get());
    const reader = answer.body!.getReader();
    const read = reader.read();
    await reader.cancel();
    assertEquals([(await read).done, count.return], [true, 1]);
    if (end === "item") resolve(1);
    else reject(new Error("too late"));
    await settle();
    assertEquals([count.return, heard.length], [1, 0]);
  }
});

Deno.test("a cancelled stream waits for its producer's cleanup", async () => {
  let closed = false;
  const answer = await mountRoute(numbers, ({ response }) =>
    response(
      200,
      (async function* (): AsyncGenerator<number> {
        try {
          yield* naturals();
        } finally {
          await settle();
          closed = true;
        }
      })(),
    ))(get());
  const reader = answer.body!.getReader();
  await reader.read();
  await reader.cancel();
  assert(closed);
});

Deno.test("a cancelled stream does not wait for a generator that waits for something else", async () => {
  const answer = await mountRoute(numbers, ({ response }) =>
    response(
      200,
      (async function* (): AsyncGenerator<number> {
        yield await new Promise<never>(() => {});
      })(),
    ))(get());
  const reader = answer.body!.getReader();
  const pending = reader.read();
  await reader.cancel();
  assertEquals((await pending).done, true);
});

Deno.test("a stream that is cancelled while its request aborts closes its producer once", async () => {
  const client = new AbortController();
  const { source, count } = watch(naturals());
  const answer = await mountRoute(numbers, ({ response }) => response(200, source))(get({ signal: client.signal }));
  client.abort();
  await answer.body!.cancel();
  await settle();
  assertEquals(count.return, 1);
});

Deno.test("an item whose codec is ready after its stream was cancelled is dropped", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const Late = codec(type("string"), type("number"), { decode: Number, encode: () => promise });
  const { source, count } = watch([1, 2]);
  const { heard, onError } = listen();
  const declared = route.get("/", { responses: { 200: response.ndjson(Late) } });
  const answer = await mountRoute(declared, ({ response }) => response(200, source), { onError })(get());
  const reader = answer.body!.getReader();
  const pending = reader.read();
  await settle();
  await reader.cancel();
  resolve("1");
  await settle();
  assertEquals([(await pending).done, count.next, count.return, heard.length], [true, 1, 1, 0]);
});

// proves fetch | A failed stream is errored, not closed | Streams Standard, 4.9
Deno.test("an item that its schema refuses closes the producer, errors the stream and is reported once", async () => {
  for (const { source, count } of [watch([1, "2", 3]), watchSync([1, "2", 3])]) {
    const { heard, onError } = listen(() => new Response("instead"));
    const answer = await mountRoute(numbers, ({ response }) => response(200, source as Iterable<number>), { onError })(
      get(),
    );
    const error = await assertRejects(
      () => answer.text(),
      TypeError,
      "Cannot send an item of the body of 200 from GET /",
    );
    await settle();
    const [report] = heard;
    assertEquals([count.next, count.return, heard.length], [2, 1, 1]);
    assertEquals([report?.phase, report?.error, report?.route?.key], ["stream", error, "it"]);
    assert(report?.response === answer);
  }
});

Deno.test("a producer that fails is not closed; its stream errors and is reported once", async () => {
  const failure = new Error("lost");
  const throwing = {
    next: 0,
    returned: 0,
    [Symbol.iterator](): Iterator<number> {
      return {
        next: (): IteratorResult<number> => {
          if (this.next++ === 0) return { value: 1 };
          throw failure;
        },
        return: (): IteratorResult<number> => {
          this.returned++;
          return { done: true, value: undefined };
        },
      };
    },
  };
  const rejecting = watch<number>([1, () => Promise.reject(failure)]);
  for (const source of [throwing, rejecting.source]) {
    const { heard, onError } = listen();
    const answer = await mountRoute(numbers, ({ response }) => response(200, source), { onError })(get());
    const reader = answer.body!.getReader();
    await reader.read();
    assertEquals(await reader.read().catch((error) => error), failure);
    await settle();
    assertEquals(heard.map(({ phase, error }) => [phase, error]), [["stream", failure]]);
  }
  assertEquals([throwing.returned, rejecting.count.return], [0, 0]);
});

Deno.test("items that cannot be encoded fail their stream and never end it cleanly", async () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  const any = { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } } as never;
  const refused: readonly (readonly [string, unknown])[] = [
    ...[undefined, 1n, cyclic, Symbol(), () => 1].map((item) => ["ndjson", item] as const),
    ...[undefined, 1n, cyclic].map((data) => ["sse", { data }] as const),
    ...[null, undefined, 1, "text"].map((item) => ["sse", item] as const),
    ...["a\nb", "a\rb", "\n", "a\0", "\ud800", 1, null].flatMap((text) => [
      ["sse", { data: 1, event: text }] as const,
      ["sse", { data: 1, id: text }] as const,
    ]),
    ...[-1, 1.5, NaN, Infinity, "1", 2 ** 53, null].map((retry) => ["sse", { data: 1, retry }] as const),
    ...[undefined, "text", [1], new ArrayBuffer(1), new Uint16Array(1)].map((item) => ["stream", item] as const),
  ];
  for (const [kind, item] of refused) {
    const declared = kind === "stream" ? response.stream() : response[kind as "ndjson"](any);
    const { source, count } = watch([() => item]);
    const { heard, onError } = listen();
    const handle = () => ({ status: 200, body: source });
    const answer = await mountRoute(route.get("/", { responses: { 200: declared } }), handle as never, { onError })(
      get(),
    );
    await assertRejects(() => answer.text());
    assertEquals([heard.length, count.return], [1, 1]);
  }
});

Deno.test("a value that is not a producer is a 500 of phase encode", async () => {
  for (const body of [undefined, null, "text", 1, {}, bytes(1), new DataView(new ArrayBuffer(1)), () => [bytes(1)]]) {
    const { heard, onError } = listen();
    const answer = await mountRoute(chunks, (() => ({ status: 200, body })) as never, { onError })(get());
    assertEquals([answer.status, heard[0]?.phase, heard.length], [500, "encode", 1]);
  }
});

/** A schema that rejects every value, asynchronously. */
const refusingLater = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: () => Promise.resolve({ issues: [{ message: "refused" }] }),
  },
} as const;

Deno.test("a refused result closes its producer once, whatever refuses it", async () => {
  const declared = route.get("/", {
    responses: {
      200: response.ndjson(type("number")),
      201: response.ndjson(type("number"), { headers: type({ "x-a": "string" }) }),
      202: response.empty(),
      203: response.ndjson(type("number"), { headers: refusingLater }),
    },
  });
  const results: readonly ((body: unknown) => unknown)[] = [
    (body) => ({ status: 200, body, headers: { "x-a": "a\r\nb: c" } }),
    (body) => ({ status: 200, body, headers: new Headers() }),
    (body) => ({ status: 201, body, headers: {} }),
    (body) => ({ status: 203, body, headers: {} }),
    (body) => ({ status: 299, body }),
  ];
  for (const toResult of results) {
    for (const make of [() => watch(naturals()), () => watchSync(naturals())]) {
      const { source, count } = make();
      const { heard, onError } = listen(() => new Response("instead"));
      const answer = await mountRoute(declared, (() => toResult(source)) as never, { onError })(get());
      await settle();
      assertEquals([await answer.text(), count.next, count.return, heard.length], ["instead", 0, 1, 1]);
    }
  }
  const own = watch(naturals());
  const bare = mountRoute(declared, (() => own.source) as never, { onError: () => {} });
  assertEquals([(await bare(get())).status, own.count.return], [500, 1]);
  const { source, count } = watch(naturals());
  const handler = mountRoute(
    declared,
    (({ response }: { response: (...given: unknown[]) => never }) => response(299, source)) as never,
    { onError: () => {} },
  );
  assertEquals([(await handler(get())).status, count.return], [500, 1]);
});

// proves http | For HEAD, the source of GET's content is closed | 9.3.2
Deno.test("a stream is sent to HEAD without a body, and its producer is closed", async () => {
  const { source, count } = watch(naturals());
  const answer = await mountRoute(
    numbers,
    ({ response }) => response(200, source, { "x-a": "1", "content-length": "5" }),
  )(get({ method: "HEAD" }));
  await settle();
  assertEquals([answer.body, count.next, count.return], [null, 0, 1]);
  assertEquals([...answer.headers], [
    ["content-length", "5"],
    ["content-type", "application/x-ndjson"],
    ["x-a", "1"],
  ]);
});

Deno.test("a stream whose request aborts closes its producer, fails and is not reported", async () => {
  for (const reads of [0, 1]) {
    const { heard, onError } = listen();
    const client = new AbortController();
    const { source, count } = watch<number>([1, () => new Promise(() => {})]);
    const answer = await mountRoute(numbers, ({ response }) => response(200, source), { onError })(
      get({ signal: client.signal }),
    );
    const reader = answer.body!.getReader();
    for (let read = 0; read < reads; read++) await reader.read();
    const pending = reader.read();
    client.abort();
    await assertRejects(() => pending, DOMException);
    await settle();
    assertEquals([count.return, heard.length], [1, 0]);
  }
});

Deno.test("a stream that is created after a disconnect is closed, and the response is 499", async () => {
  const client = new AbortController();
  const { source, count } = watch(naturals());
  const { heard, onError } = listen();
  const handler = mountRoute(numbers, ({ response }) => {
    client.abort();
    return response(200, source);
  }, { onError });
  const answer = await handler(get({ signal: client.signal }));
  assertEquals([answer.status, count.return, heard.length], [499, 1, 0]);
});

Deno.test("an ended stream removes its listener from the request's signal, and does not close its producer", async () => {
  const client = new AbortController();
  const { source, count } = watch([1, 2]);
  const answer = await mountRoute(numbers, ({ response }) => response(200, source))(get({ signal: client.signal }));
  assertEquals(await answer.text(), "1\n2\n");
  client.abort();
  await settle();
  assertEquals(count.return, 0);
});

Deno.test("errors of a producer while it is closed are ignored", async () => {
  const { heard, onError } = listen();
  for (
    const fail of [() => Promise.reject(new Error("no")), () => {
      throw new Error("no");
    }]
  ) {
    const source = { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ value: 1 }), return: fail }) };
    const answer = await mountRoute(numbers, ({ response }) => response(200, source as never), { onError })(get());
    await answer.body!.cancel();
  }
  await settle();
  assertEquals(heard, []);
});

Deno.test("a hook that throws does not affect a failed stream", async () => {
  for (
    const onError of [() => Promise.reject(new Error("hook")), () => {
      throw new Error("hook");
    }]
  ) {
    const answer = await mountRoute(numbers, ({ response }) =>
      response(
        200,
        watch([() => {
          throw new Error("lost");
        }]).source as never,
      ), { onError })(get());
    await assertRejects(() => answer.text(), Error, "lost");
  }
});

Deno.test("an asynchronous hook for a failed stream leaves no unhandled rejection, even if the runtime hides a sent response", async () => {
  const hooks: ((report: ErrorReport) => unknown)[] = [
    () => Promise.resolve(),
    () => Promise.resolve("nonsense"),
    () => Promise.reject(new Error("hook")),
    async () => {
      await settle();
      throw new Error("hook");
    },
    () => ({ then: (_: unknown, reject: (reason: unknown) => void) => void setTimeout(() => reject(new Error()), 0) }),
    () => Object.defineProperty({}, "then", { get: () => hide() }),
  ];
  const hide = (): never => {
    throw new TypeError("The response was sent"); // as adapters of Node's do
  };
  const unhandled = await rejectionsOf(async () => {
    for (const hook of hooks) {
      const heard: unknown[] = [];
      const onError = (report: ErrorReport): undefined => {
        heard.push(report.phase);
        for (const name of ["bodyUsed", "body"]) Object.defineProperty(report.response, name, { get: hide });
        return hook(report) as undefined;
      };
      const { source } = watch([1, () => Promise.reject(new Error("lost"))]);
      const handler = mountRoute(numbers, ({ response }) => response(200, source as never), { onError });
      const { body } = await handler(get());
      await assertRejects(() => new Response(body).text(), Error, "lost");
      assertEquals(heard, ["stream"]);
    }
  });
  assertEquals(unhandled, []);
});
