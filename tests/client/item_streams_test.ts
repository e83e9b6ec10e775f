import { codec, defineContract, response, route } from "@scope/api";
import { type CallOptions, ClientError, type ClientOptions, createClient, unwrap } from "@scope/api/client";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { type } from "arktype";
import { watchBody } from "../support/watched_body.ts";

const Time = codec(type("string"), type("Date"), {
  decode: (text) => text === "never" ? new Promise<Date>(() => {}) : Promise.resolve(new Date(text)),
  encode: (date) => date.toISOString(),
});
const contract = defineContract({
  routes: {
    rows: route.get("/rows", { responses: { 200: response.ndjson(type("unknown.any")) } }),
    events: route.get("/events", { responses: { 200: response.sse(type("unknown.any")) } }),
    times: route.get("/times", { responses: { 200: response.ndjson(Time) } }),
    moments: route.get("/moments", { responses: { 200: response.sse(Time) } }),
    head: route.head("/head", { responses: { 200: response.ndjson(type("number")) } }),
  },
});
const types = {
  rows: "application/x-ndjson",
  times: "application/x-ndjson",
  events: "text/event-stream",
  moments: "text/event-stream",
};

type Key = keyof typeof types;
type Chunk = string | Uint8Array<ArrayBuffer>;

/** A reading, and the state of its connection. */
interface Opened {
  readonly body: AsyncIterableIterator<unknown, undefined>;
  readonly state: () => string;
}

/** Calls a server that sends these chunks. */
async function open(
  key: Key,
  chunks: readonly Chunk[],
  options: CallOptions & { readonly stalls?: boolean; readonly settings?: Partial<ClientOptions> } = {},
): Promise<Opened> {
  const { stalls = false, settings, ...call } = options;
  const { stream, state } = watchBody(chunks, { stalls });
  const fetch = () => new Response(stream, { headers: { "content-type": types[key] } });
  const client = createClient(contract, { baseUrl: "https://a.example", fetch, ...settings });
  const { body } = await client[key](call);
  return { body: body as AsyncIterableIterator<unknown, undefined>, state };
}

/** All items that a server of these chunks sends. */
async function read(key: Key, chunks: readonly Chunk[], settings?: Partial<ClientOptions>): Promise<unknown[]> {
  const { body } = await open(key, chunks, settings && { settings });
  return await Array.fromAsync(body);
}

/** The items that arrived, and the code of the error after them. */
async function readFailing(
  key: Key,
  chunks: readonly Chunk[],
  options: Parameters<typeof open>[2] = {},
): Promise<{ items: unknown[]; code: string; error: ClientError; state: () => string }> {
  const { body, state } = await open(key, chunks, options);
  const items: unknown[] = [];
  const error = await assertRejects(async () => {
    for await (const item of body) items.push(item);
  }, ClientError);
  assertEquals(await body.next(), { done: true, value: undefined });
  return { items, code: error.code, error, state };
}

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const oneByOne = (text: string): Uint8Array<ArrayBuffer>[] =>
  Array.from(encode(text), (byte) => new Uint8Array([byte]));

// proves json | Each value ends with LF; CR LF and empty lines are accepted | NDJSON, 3.1 and 3.2
Deno.test("an NDJSON client yields each line's value, however its bytes are split", async () => {
  const text = '{"a":"é\u2028💥"}\n1\r\n\n\r\n"\\n"\nnull\n';
  const values = [{ a: "é\u2028💥" }, 1, "\n", null];
  assertEquals(await read("rows", [text]), values);
  assertEquals(await read("rows", oneByOne(text)), values);
  assertEquals(await read("rows", ["\uFEFF1\n"]), [1]);
  assertEquals(await read("rows", []), []);
});

const events: readonly (readonly [text: string, events: readonly unknown[]])[] = [
  ["data: 1\n\n", [{ data: 1 }]],
  ["data:1\r\rdata: 2\r\r", [{ data: 1 }, { data: 2 }]],
  ["data: 1\r\n\r\ndata: 2\r\n\r\n", [{ data: 1 }, { data: 2 }]],
  ["data: [1,\ndata:2\r\ndata: ]\rdata\n\n", [{ data: [1, 2] }]],
  ['data: {"a":\r\ndata:  1}\n\n', [{ data: { a: 1 } }]],
  ["\uFEFFdata: 1\n\n", [{ data: 1 }]],
  [": comment\n:\n\ndata: 1\n: another\n\n", [{ data: 1 }]],
  ["event: tick\nid: 7\nretry: 10\ndata: 1\n\n", [{ data: 1, event: "tick", id: "7", retry: 10 }]],
  ["event:  tick\nid:\nevent\ndata: 1\n\n", [{ data: 1, event: "", id: "" }]],
  ["event: a\n\ndata: 1\n\n", [{ data: 1 }]],
  ["retry: 1\nid: 1\n\ndata: 1\n\n", [{ data: 1 }]],
  ["retry: -1\nretry: 1e3\nid: a\0b\nother: 1\nDATA: 2\n data: 3\ndata: 1\n\n", [{ data: 1 }]],
  ["data: 1\nid: a:b\n\n", [{ data: 1, id: "a:b" }]],
  ['data: "é💥\u2028\u0085"\n\n', [{ data: "é💥\u2028\u0085" }]],
  ["\n\n\r\n\r", []],
  ["data: [\r\ndata: 1]\r\n\r\n", [{ data: [1] }]],
  [": only a comment\n", []],
  [":data: 2\n:id: 1\ndata: 1\n\n", [{ data: 1 }]],
];

// proves events | Lines end with CR LF, LF or CR, wherever chunks are split | 9.2.5
// proves events | One byte order mark at the beginning is ignored | 9.2.5
// proves events-differences | An event without a name is called `message` | 9.2.6 | It has no `event` | The client
//   sees what was sent
Deno.test("a client reads events as in the HTML Standard, however their bytes are split", async () => {
  for (const [text, expected] of events) {
    assertEquals(await read("events", [text]), [...expected], text);
    assertEquals(await read("events", oneByOne(text)), [...expected], text);
    assertEquals(await read("events", oneByOne(text).flatMap((byte) => [byte, new Uint8Array()])), [...expected], text);
    const bytes = encode(text);
    for (let cut = 0; cut < bytes.length; cut++) {
      assertEquals(await read("events", [bytes.slice(0, cut), bytes.slice(cut)]), [...expected], text);
    }
  }
});

// proves events | An event is dispatched at its empty line | 9.2.6
Deno.test("a client yields an event as soon as its empty line arrives, even a lone carriage return", async () => {
  for (const text of ["data: 1\n\n", "data: 1\r\r", "data: 1\r\n\r"]) {
    const { body, state } = await open("events", [text], { stalls: true });
    assertEquals(await body.next(), { done: false, value: { data: 1 } });
    await body.return?.();
    assertEquals(state(), "cancelled");
  }
});

// proves json | A line without LF is incomplete, including the last one | NDJSON, 3.1
Deno.test("reading a truncated stream fails after its complete items", async () => {
  for (const rest of ["2", '{"a"', "\r", " "]) {
    const { items, code } = await readFailing("rows", ["1\n", rest]);
    assertEquals([items, code], [[1], "network"]);
  }
  for (const rest of ["data: 2", "data: 2\n", "da", "event: a\n", "id: 1\r", "data: 2\r\n", ": comm"]) {
    const { items, code } = await readFailing("events", ["data: 1\n\n", rest]);
    assertEquals([items, code], [[{ data: 1 }], "network"]);
  }
  const { code } = await readFailing("rows", ["1\n", new Uint8Array([0xc3])]);
  assertEquals(code, "network");
});

Deno.test("reading items that are not JSON fails with invalid-body and their text, and releases the connection", async () => {
  const { items, error, code, state } = await readFailing("rows", ["1\n", '{"a":\n', "3\n"], { stalls: true });
  assertEquals([items, code, error.text, error.status, state()], [[1], "invalid-body", '{"a":', 200, "cancelled"]);
  assertStringIncludes(error.message, "Cannot call GET /rows (rows): an item cannot be decoded");
  assert(error.cause instanceof SyntaxError);
  assertEquals((await readFailing("events", ["data: \n\n"])).code, "invalid-body");
});

Deno.test("a codec decodes each item, and each event's data", async () => {
  const text = "1970-01-01T00:00:00.000Z";
  assertEquals(await read("times", [`"${text}"\n`]), [new Date(0)]);
  assertEquals(await read("moments", [`id: 1\ndata: "${text}"\n\n`]), [{ data: new Date(0), id: "1" }]);
  const { items, code } = await readFailing("times", [`"${text}"\n1\n`]);
  assertEquals([items, code], [[new Date(0)], "invalid-body"]);
});

// proves events-differences | An event may be of any size | 9.2.5 | At most 1 MiB, or `maxRecordBytes` | A server must
//   not exhaust a client's memory
Deno.test("maxRecordBytes limits a record in bytes, not the stream, by default to 1 MiB", async () => {
  const settings = { maxRecordBytes: 8 };
  const exact = '"é💥"\n'; // 2 + 2 + 4 bytes
  assertEquals(await read("rows", [exact, exact, exact], settings), ["é💥", "é💥", "é💥"]);
  assertEquals(await read("events", [`event: tick\ndata: ${exact}\n: and so on\n\n`], settings), [{
    data: "é💥",
    event: "tick",
  }]);
  for (const chunks of [['1\n"é💥a"\n'], ["1\n", ...oneByOne('"é💥a"\n')]]) {
    const { items, code, error } = await readFailing("rows", chunks, { settings });
    assertEquals([items, code, error.text], [[1], "invalid-body", undefined]);
    assertStringIncludes(error.message, "maxRecordBytes");
  }
  for (const long of [`event: ${"a".repeat(20)}\ndata: 1\n\n`, `id: ${"a".repeat(20)}\ndata: 1\n\n`]) {
    assertEquals((await readFailing("events", [long], { settings })).code, "invalid-body");
  }
  for (const long of ['data: "é💥a"\n\n', "data: 1\n".repeat(5) + "\n", ": a comment far too long"]) {
    const { code } = await readFailing("events", oneByOne(long), { maxRecordBytes: 8 });
    assertEquals(code, "invalid-body");
  }
  const mebibyte = `"${"a".repeat(1024 * 1024 - 2)}"\n`;
  assertEquals((await read("rows", [mebibyte])).length, 1);
  assertEquals((await readFailing("rows", [`a${mebibyte}`])).code, "invalid-body");
  assertEquals(
    (await read("rows", [`"${mebibyte.slice(1)}`.replace("a", "aa")], { maxRecordBytes: Infinity })).length,
    1,
  );
});

Deno.test("a client does not wait for the end of a record that is too long", async () => {
  const growing = [["rows", ["a".repeat(30), "a"]], ["events", Array(20).fill("data: 1\n")]] as const;
  for (const [key, chunks] of growing) {
    const { code, state } = await readFailing(key, chunks, { maxRecordBytes: 8, stalls: true });
    assertEquals([code, state()], ["invalid-body", "cancelled"]);
  }
});

Deno.test("a client refuses an invalid maxRecordBytes", async () => {
  for (const maxRecordBytes of [-1, 1.5, NaN, "1" as never, null as never]) {
    const error = await assertRejects(() => open("rows", [], { maxRecordBytes }), ClientError, "maxRecordBytes");
    assertEquals(error.code, "invalid-input");
    await assertRejects(() => open("rows", [], { settings: { maxRecordBytes } }), TypeError, "maxRecordBytes");
  }
});

Deno.test("leaving the loop releases the connection", async () => {
  const { body, state } = await open("rows", ["1\n2\n"], { stalls: true });
  for await (const item of body) {
    assertEquals(item, 1);
    break;
  }
  assertEquals(state(), "cancelled");
  assertEquals(await body.next(), { done: true, value: undefined });
});

Deno.test("return() before the first next() releases the connection", async () => {
  const { body, state } = await open("rows", ["1\n"], { stalls: true });
  assertEquals(await body.return?.(), { done: true, value: undefined });
  assertEquals(state(), "cancelled");
  assertEquals(await body.next(), { done: true, value: undefined });
});

Deno.test("return() ends a next() that waits for bytes, or for a codec", async () => {
  const { body, state } = await open("rows", [], { stalls: true });
  const pending = body.next();
  await body.return?.();
  assertEquals([await pending, state()], [{ done: true, value: undefined }, "cancelled"]);

  const begun = await open("rows", ['{"a":'], { stalls: true });
  const rest = begun.body.next();
  await new Promise((resolve) => setTimeout(resolve));
  await begun.body.return?.();
  assertEquals([await rest, begun.state()], [{ done: true, value: undefined }, "cancelled"]);

  const waiting = await open("times", ['"never"\n'], { stalls: true });
  void waiting.body.next();
  await new Promise((resolve) => setTimeout(resolve));
  await waiting.body.return?.();
  assertEquals(waiting.state(), "cancelled");
});

Deno.test("an abort ends a next() that waits for a codec", async () => {
  const controller = new AbortController();
  const { body, state } = await open("times", ['"never"\n'], { stalls: true, signal: controller.signal });
  const pending = body.next();
  setTimeout(() => controller.abort(), 5);
  const error = await assertRejects(() => pending, ClientError);
  assertEquals([error.code, state()], ["aborted", "cancelled"]);
});

Deno.test("an item whose codec is ready after return() is dropped", async () => {
  const { promise, resolve } = Promise.withResolvers<number>();
  const Late = codec(type("number"), type("number"), { decode: () => promise, encode: (number) => number });
  const late = defineContract({ routes: { it: route.get("/", { responses: { 200: response.ndjson(Late) } }) } });
  const fetch = () =>
    new Response(watchBody(["1\n"], { stalls: true }).stream, { headers: { "content-type": types.rows } });
  const body = unwrap(await createClient(late, { baseUrl: "https://a.example", fetch }).it());
  const pending = body.next();
  await new Promise((resolve) => setTimeout(resolve));
  await body.return();
  resolve(1);
  assertEquals(await pending, { done: true, value: undefined });
});

Deno.test("a stream whose headers cannot be decoded releases its connection", async () => {
  const Count = codec(type({ "x-count": "string.integer" }), type({ count: "number" }), {
    decode: (fields) => ({ count: Number(fields["x-count"]) }),
    encode: ({ count }) => ({ "x-count": String(count) }),
  });
  const counted = defineContract({
    routes: { it: route.get("/", { responses: { 200: response.ndjson(type("number"), { headers: Count }) } }) },
  });
  const { stream, state } = watchBody(["1\n"], { stalls: true });
  const fetch = () => new Response(stream, { headers: { "content-type": types.rows, "x-count": "many" } });
  const error = await assertRejects(
    () => createClient(counted, { baseUrl: "https://a.example", fetch }).it(),
    ClientError,
  );
  assertEquals([error.code, state()], ["invalid-body", "cancelled"]);
});

Deno.test("an abort ends the reading and releases the connection", async () => {
  const caller = new AbortController();
  for (
    const [key, chunks, count] of [
      ["rows", [], 0],
      ["rows", ["1\n2\n"], 1], // the second item has arrived, but the reader has stopped
      ["times", ['"never"\n'], 0],
    ] as const
  ) {
    const caller = new AbortController();
    const { body, state } = await open(key, chunks, { signal: caller.signal, stalls: true });
    for (let index = 0; index < count; index++) await body.next();
    const pending = count === 0 ? body.next() : undefined;
    caller.abort(new Error("enough"));
    const error = await assertRejects(() => pending ?? body.next(), ClientError);
    assertEquals([error.code, (error.cause as Error).message, state()], ["aborted", "enough", "cancelled"]);
    assertEquals((await body.next()).done, true);
  }
  const { body, state } = await open("rows", ["1\n"], { signal: caller.signal, stalls: true });
  caller.abort();
  await Promise.resolve();
  assertEquals(state(), "cancelled");
  assertEquals((await assertRejects(() => body.next(), ClientError)).code, "aborted");
});

Deno.test("a timeout continues while a stream is read", async () => {
  const { body, state } = await open("rows", ["1\n"], { timeout: 20, stalls: true });
  assertEquals((await body.next()).value, 1);
  const error = await assertRejects(() => body.next(), ClientError);
  assertEquals([error.code, state()], ["timeout", "cancelled"]);
});

Deno.test("an ended stream removes its listener from the caller's signal", async () => {
  const { signal } = new AbortController();
  let listeners = 0;
  const watched = Object.assign(signal, {
    addEventListener(...given: Parameters<AbortSignal["addEventListener"]>): void {
      listeners++;
      AbortSignal.prototype.addEventListener.apply(signal, given);
    },
    removeEventListener(...given: Parameters<AbortSignal["removeEventListener"]>): void {
      listeners--;
      AbortSignal.prototype.removeEventListener.apply(signal, given);
    },
  });
  const { body } = await open("rows", ["1\n"], { signal: watched });
  assertEquals(await Array.fromAsync(body), [1]);
  assert(listeners <= 0);
});

// proves events-differences | A client reconnects after `retry`, with `Last-Event-ID` | 9.2.4 | The reader has
//   `lastEventId` and `reconnectionTime`; `follow()` reconnects | A call is one request and one response
Deno.test("a connection that breaks is a network error", async () => {
  const broken = new ReadableStream({
    start: (controller) => controller.enqueue(encode("1\n2")),
    pull: (controller) => controller.error(new Error("reset")),
  });
  const fetch = () => new Response(broken, { headers: { "content-type": types.rows } });
  const body = unwrap(await createClient(contract, { baseUrl: "https://a.example", fetch }).rows());
  assertEquals((await body.next()).value, 1);
  const error = await assertRejects(() => body.next(), ClientError);
  assertEquals([error.code, (error.cause as Error).message], ["network", "reset"]);
});

Deno.test("a stream that other code reads is not a failure of the network, after which follow() would reconnect", async () => {
  const readings: ((answer: Response) => unknown)[] = [(answer) => answer.text(), ({ body }) => body!.getReader()];
  for (const key of ["rows", "events"] as const) {
    for (const read of readings) {
      const fetch = async (): Promise<Response> => {
        const answer = new Response("", { headers: { "content-type": types[key] } });
        await read(answer);
        return answer;
      };
      const client = createClient(contract, { baseUrl: "https://a.example", fetch });
      const { code, message } = await assertRejects(() => client[key](), ClientError);
      assertEquals(code, "invalid-body");
      assertStringIncludes(message, "its body cannot be decoded: other code reads it");
    }
  }
});

Deno.test("a HEAD call of a stream resolves to an undefined body", async () => {
  const fetch = () => new Response(null, { headers: { "content-type": types.rows } });
  const result = await createClient(contract, { baseUrl: "https://a.example", fetch }).head();
  assertEquals(result.body, undefined);
});

const growing: readonly (readonly [key: Key, begin: string, piece: string, end: string])[] = [
  ["rows", '"', "a", '"\n'],
  ["events", 'data: "', "a", '"\n\n'],
  ["events", "data: [1\n", "data:\n", "data: ]\n\n"],
  ["events", "data: 1\n\n", ":\n", "data: 1\n\n"],
];

for (const [key, begin, piece, end] of growing) {
  Deno.test(`a client of ${key} reads ${JSON.stringify(begin + piece)} and so on in linear time`, async () => {
    const time = async (length: number): Promise<number> => {
      let sent = 0;
      const stream = new ReadableStream({
        pull(controller): void {
          controller.enqueue(encode(sent === 0 ? begin : sent <= length ? piece : end));
          if (sent++ > length) controller.close();
        },
      }, { highWaterMark: 0 });
      const fetch = () => new Response(stream, { headers: { "content-type": types[key] } });
      const result = await createClient(contract, { baseUrl: "https://a.example", fetch })[key]();
      const start = performance.now();
      assert((await Array.fromAsync(result.body as AsyncIterable<unknown>)).length > 0);
      return performance.now() - start;
    };
    await time(1_000);
    const short = await time(5_000);
    let long = Infinity; // sixteen times as long; squared, 256 times
    for (let round = 0; round < 5 && long >= Math.max(short, 5) * 100; round++) long = await time(80_000);
    assert(long < Math.max(short, 5) * 100, `${short} ms, then ${long} ms at least five times`);
  });
}

Deno.test("a client reads a chunk of many records in linear time", async () => {
  const time = async (count: number): Promise<number> => {
    const { body } = await open("events", ["data: 1\r\n\r\n".repeat(count)]);
    const start = performance.now();
    assertEquals((await Array.fromAsync(body)).length, count);
    return performance.now() - start;
  };
  await time(1_000);
  const short = await time(5_000);
  const long = Math.min(await time(80_000), await time(80_000), await time(80_000)); // a busy machine slows down some of them
  assert(long < Math.max(short, 5) * 100, `${short} ms, then ${long} ms`);
});
