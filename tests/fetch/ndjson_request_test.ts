/** Bodies of items: what handlers read, what invalid items are answered, and what clients send. */
import { codec, defineContract, request, response, route } from "@scope/api";
import { ClientError, createClient } from "@scope/api/client";
import { createFetchHandler, type ErrorReport } from "@scope/api/fetch";
import { retry } from "@scope/api/retry";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import * as z from "zod";

const Row = z.object({ name: z.string(), n: z.number().default(1) });
const Day = codec(z.iso.date(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString().slice(0, 10),
});
const statuses = { 200: response.json(z.unknown()) };

const contract = defineContract({
  routes: {
    rows: route.post("/rows", { body: request.ndjson(Row), responses: statuses }),
    checked: route.post("/checked", { body: request.ndjson(Row), responses: statuses }),
    first: route.post("/first", { body: request.ndjson(Row), responses: statuses }),
    twice: route.post("/twice", { body: request.ndjson(Row), responses: statuses }),
    caught: route.post("/caught", { body: request.ndjson(Row), responses: statuses }),
    days: route.post("/days", { body: request.ndjson(Day), responses: { 200: response.json(z.array(z.string())) } }),
    short: route.post("/short", {
      body: request.ndjson(Row, { maxItemBytes: 20, maxBytes: 40, contentType: "application/jsonl" }),
      responses: statuses,
    }),
    optional: route.post("/optional", { body: request.ndjson(Row, { optional: true }), responses: statuses }),
    echo: route.post("/echo", { body: request.ndjson(Row), responses: { 200: response.ndjson(Row) } }),
  },
});

let reports: ErrorReport[] = [];

async function list<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const handler = createFetchHandler(
  defineServer(contract).implement({
    rows: async ({ body, response }) => response(200, await list(body)),
    checked: async ({ body, response }) => response(200, await list(body.checked())),
    first: async ({ body, response }) => {
      for await (const { name } of body) return response(200, name);
      return response(200, "none");
    },
    twice: async ({ body, response }) => response(200, [await list(body), await list(body)]),
    caught: async ({ body, response }) => {
      const names: string[] = [];
      try {
        for await (const { name } of body) names.push(name);
      } catch (error) {
        return response(200, [...names, (error as Error).message]);
      }
      return response(200, names);
    },
    days: async ({ body, response }) => response(200, (await list(body)).map((day) => day.toISOString())),
    short: async ({ body, response }) => response(200, await list(body)),
    optional: async ({ body, response }) => response(200, body ? await list(body) : "absent"),
    echo: ({ body, response }) => response(200, body),
  }),
  { onError: (report) => void reports.push(report), maxDepth: 5 },
);
const client = createClient(contract, { baseUrl: "http://localhost", fetch: handler });

/** Sends content, in pieces of a length, and returns the status and the JSON of the response. */
async function send(path: string, content: string | Uint8Array, pieces = Infinity): Promise<unknown[]> {
  reports = [];
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller): void {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at += Math.min(pieces, bytes.length)));
    },
  }, { highWaterMark: 0 });
  const headers = { "content-type": path === "/short" ? "application/jsonl" : "application/x-ndjson" };
  const init: RequestInit & { duplex: "half" } = { method: "POST", body, headers, duplex: "half" };
  const answer = await handler(new Request(`http://localhost${path}`, init));
  const value = await answer.json();
  return [answer.status, answer.status === 200 ? value : value.issues ?? value.code];
}

/** Yields items, each in a task of its own. */
async function* slowly<Item>(...items: Item[]): AsyncGenerator<Item, undefined> {
  for (const item of items) {
    await new Promise((resolve) => setTimeout(resolve));
    yield item;
  }
}

Deno.test("request.ndjson() reads the items of every split of the bytes", async () => {
  const text = '\ufeff{"name":"é"}\r\n\n{"name":"b","n":2,"x":3}\n\r\n{"name":"😀"}\n';
  const expected = [{ name: "é", n: 1 }, { name: "b", n: 2 }, { name: "😀", n: 1 }];
  for (let pieces = 1; pieces <= 20; pieces++) assertEquals(await send("/rows", text, pieces), [200, expected]);
  assertEquals(await send("/rows", ""), [200, []]);
  assertEquals(await send("/rows", "\n\n"), [200, []]);
});

Deno.test("request.ndjson() answers 400 to an invalid item, with its position", async () => {
  const rows: [content: string | Uint8Array, issue: object][] = [
    ['{"name":"a"}\n{"name":1}\n', {
      path: [1, "name"],
      pointer: "/1/name",
      message: "Invalid input: expected string, received number",
    }],
    ['{"name":"a"}\n{"name"\n', { path: [1], pointer: "/1", message: "The item is not JSON in UTF-8" }],
    ['{"name":"a"}\n{"name":"b"}', {
      path: [1],
      pointer: "/1",
      message: "The item is incomplete: its line feed is missing",
    }],
    [Uint8Array.of(34, 255, 34, 10), { path: [0], pointer: "/0", message: "The item is not JSON in UTF-8" }],
    [`${"[".repeat(6)}${"]".repeat(6)}\n`, {
      path: [0],
      pointer: "/0",
      message: "The item has more than 5 levels of nesting",
    }],
  ];
  for (const [content, issue] of rows) {
    assertEquals(await send("/rows", content, 3), [400, [{ location: "body", ...issue }]]);
    assertEquals(reports, []);
  }
});

Deno.test("ReceivedItems.checked() goes on after invalid items", async () => {
  const content = '{"name":1}\n{\n{"name":"a"}\n{"name":"b"}';
  assertEquals(await send("/checked", content), [200, [
    {
      issues: [{
        code: "invalid_type",
        expected: "string",
        path: ["name"],
        message: "Invalid input: expected string, received number",
      }],
    },
    { issues: [{ message: "The item is not JSON in UTF-8" }] },
    { value: { name: "a", n: 1 } },
    { issues: [{ message: "The item is incomplete: its line feed is missing" }] },
  ]]);
});

Deno.test("ReceivedItems throws for an invalid item, and a handler may answer it", async () => {
  assertEquals(await send("/caught", '{"name":"a"}\n{"name":1}\n{"name":"b"}\n'), [
    200,
    ["a", "The item 1 of the body is invalid: Invalid input: expected string, received number"],
  ]);
});

Deno.test("ReceivedItems can be read once, and leaving the loop stops the upload", async () => {
  assertEquals(await send("/twice", '{"name":"a"}\n'), [500, "internal-error"]);
  assertEquals(String(reports[0]?.error), "TypeError: The items of a body can be read once");
  let closed = 0;
  const body = (async function* (): AsyncGenerator<z.input<typeof Row>> {
    try {
      for (;;) {
        yield { name: "a" };
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    } finally {
      closed++;
    }
  })();
  assertEquals((await client.first({ body })).body, "a");
  await new Promise((resolve) => setTimeout(resolve, 20)); // a generator closes when its pending item has arrived
  assertEquals(closed, 1);
});

Deno.test("request.ndjson() limits an item and the body", async () => {
  for (const pieces of [1, 7, Infinity]) {
    for (const lineEnd of ["\n", "\r\n"]) { // a line end is not part of an item
      assertEquals(await send("/short", `{"name":"123456789"}${lineEnd}`, pieces), [200, [{
        name: "123456789",
        n: 1,
      }]]);
      assertEquals(await send("/short", `{"name":"1234567890"}${lineEnd}`, pieces), [413, "body-too-large"]);
    }
    assertEquals(await send("/short", '{"name":"1"}\n'.repeat(4), pieces), [413, "body-too-large"]);
  }
  assertEquals(reports, []);
});

Deno.test("request.ndjson() refuses other media types, charsets and content codings", async () => {
  const answers = [];
  for (
    const headers of [
      { "content-type": "application/json" },
      { "content-type": "application/x-ndjson; charset=latin1" },
      { "content-type": "application/x-ndjson", "content-encoding": "gzip" },
      { "content-type": "application/x-ndjson; charset=utf-8" },
    ]
  ) {
    const answer = await handler(new Request("http://localhost/rows", { method: "POST", body: "", headers }));
    answers.push([answer.status, (await answer.json()).code]);
  }
  const refused = [415, "unsupported-media-type"];
  assertEquals(answers, [refused, refused, refused, [200, undefined]]);
});

Deno.test("a client sends a list as a whole, and a generator or a stream line by line", async () => {
  const items = [{ name: "a" }, { name: "b", n: 2 }];
  const expected = [{ name: "a", n: 1 }, { name: "b", n: 2 }];
  assertEquals((await client.rows({ body: items })).body, expected);
  assertEquals((await client.rows({ body: [] })).body, []);
  assertEquals((await client.rows({ body: slowly(...items) })).body, expected);
  assertEquals((await client.rows({ body: ReadableStream.from(items) })).body, expected);
  assertEquals((await client.optional({})).body, "absent");
  assertEquals((await client.optional({ body: [] })).body, []);
  const days = [new Date("2026-01-02"), new Date("2026-01-03")];
  const texts = ["2026-01-02T00:00:00.000Z", "2026-01-03T00:00:00.000Z"];
  assertEquals((await client.days({ body: days })).body, texts);
  assertEquals((await client.days({ body: slowly(...days) })).body, texts);
});

Deno.test("a client rejects an item that it cannot send, and closes the source once", async () => {
  const rows: [items: () => unknown, message: string][] = [
    [() => [{ name: "a" }, undefined], "the item 1 of the body cannot be sent: JSON cannot encode undefined"],
    [() => [{ name: 1n }], "the item 0 of the body cannot be sent"],
    [() => "text", "the body must be an array, a ReadableStream or an AsyncIterable of items"],
    [() => undefined, "the body must be an array, a ReadableStream or an AsyncIterable of items"],
    [() => ({}), "the body must be an array, a ReadableStream or an AsyncIterable of items"],
  ];
  for (const [items, message] of rows) {
    const error = await assertRejects(() => client.rows({ body: items() as never }), ClientError);
    assertEquals(error.code, "invalid-input");
    assert(error.message.includes(message), error.message);
  }
  let closed = 0;
  const days = (async function* (): AsyncGenerator<Date> {
    try {
      yield new Date("2026-01-02");
      yield new Date(NaN);
    } finally {
      closed++;
    }
  })();
  const error = await assertRejects(() => client.days({ body: days }), ClientError);
  assert(String(error.cause).includes("the item 1 of the body does not fit its codec"), String(error.cause));
  assertEquals(closed, 1);
});

Deno.test("a client sends an item at once if the next one is not ready", async () => {
  const gate = Promise.withResolvers<void>();
  const body = (async function* (): AsyncGenerator<z.input<typeof Row>> {
    yield { name: "first" };
    await gate.promise;
    yield { name: "second" };
  })();
  const echoed: string[] = [];
  const result = await client.echo({ body });
  assert(result.status === 200);
  for await (const { name } of result.body) {
    echoed.push(name);
    gate.resolve(); // the first item came back before the second was sent
  }
  assertEquals(echoed, ["first", "second"]);
});

Deno.test("a client leaves no unhandled rejection if its source fails behind a long item, before that is read", async () => {
  const client = createClient(contract, {
    baseUrl: "http://a",
    fetch: async (request) => {
      const reader = request.body!.getReader();
      await reader.read();
      await new Promise((resolve) => setTimeout(resolve, 5)); // by then Deno would report an unhandled rejection
      await reader.read();
      return Response.json([]);
    },
  });
  async function* rows(): AsyncGenerator<{ name: string }> {
    yield { name: "a".repeat(20_000) };
    throw new Error("the source failed");
  }

  const { code, cause } = await assertRejects(() => client.rows({ body: rows() }), ClientError);
  assertEquals([code, (cause as Error).message], ["network", "the source failed"]);
});

Deno.test("an invalid item breaks a response that has begun, and is not an error of the server", async () => {
  reports = [];
  const result = await client.echo({ body: slowly({ name: "a" }, { name: 1 as never }) });
  assert(result.status === 200);
  const names: string[] = [];
  const error = await assertRejects(async () => {
    for await (const { name } of result.body) names.push(name);
  }, ClientError);
  assertEquals([names, error.code, reports], [["a"], "network", []]);
});

Deno.test("retry() sends a list again, and a stream never", async () => {
  let attempts = 0;
  const failing = createClient(contract, {
    baseUrl: "http://localhost",
    fetch: async (request) => {
      await request.text();
      attempts++;
      throw new TypeError("no connection");
    },
    around: retry({ attempts: 3, also: ["rows"] }),
  });
  await assertRejects(() => failing.rows({ body: [{ name: "a" }] }), ClientError);
  assertEquals(attempts, 3);
  attempts = 0;
  await assertRejects(() => failing.rows({ body: slowly({ name: "a" }) }), ClientError);
  assertEquals(attempts, 1);
});

Deno.test("request.ndjson() refuses options that it cannot use", () => {
  const rows: [declare: () => unknown, state: string][] = [
    [() => request.ndjson(undefined as never), "the first argument must be a Standard Schema"],
    [() => Reflect.apply(request.ndjson, undefined, []), "a schema is required; pass one for an item"],
    [() => request.ndjson(Row, { maxItemBytes: 0 }), '"maxItemBytes" must be a positive integer, got 0'],
    [() => request.json(Row, { maxItemBytes: 1 } as never), 'unknown option "maxItemBytes"'],
  ];
  for (const [declare, state] of rows) {
    const error = assertThrows(declare, TypeError);
    assert(error.message.includes(state), error.message);
  }
});

Deno.test("request.ndjson() has the types of its items", () => {
  // @ts-expect-error -- JSON has no dates
  request.ndjson(z.date());
  // @ts-expect-error -- the items are objects with a name
  const call = () => client.rows({ body: [{ title: "a" }] });
  // @ts-expect-error -- not one item
  const single = () => client.rows({ body: { name: "a" } });
  assertEquals([typeof call, typeof single], ["function", "function"]);
});
