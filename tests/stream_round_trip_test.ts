/**
 * A client reads exactly the stream that the handler returned, however its bytes are cut; values that a stream cannot
 * carry are rejected.
 */
import { defineContract, type ItemSource, response, route, type Schema, type SentEvent } from "@scope/api";
import { type Client, ClientError, createClient, unwrap } from "@scope/api/client";
import { createFetchHandler, type FetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { asserting } from "./support/tries.ts";

const always = asserting(100);

/** Accepts anything, so that a library's treatment of odd values does not matter. */
const Anything: Schema<never, never> = {
  "~standard": { version: 1, vendor: "test", validate: (value) => ({ value: value as never }) },
};
const contract = defineContract({
  routes: {
    rows: route.get("/rows", { responses: { 200: response.ndjson(Anything) } }),
    events: route.get("/events", { responses: { 200: response.sse(Anything) } }),
    bytes: route.get("/bytes", { responses: { 200: response.stream() } }),
  },
});

interface Given {
  readonly rows?: readonly unknown[];
  readonly events?: readonly SentEvent[];
  readonly bytes?: ItemSource<Uint8Array>;
}

/** A server that sends this, and a client whose connection cuts its bytes at these lengths, repeatedly. */
function connect(
  { rows = [], events = [], bytes = [] }: Given,
  cuts: readonly number[],
): Client<typeof contract.routes> {
  const handler = createFetchHandler(
    defineServer(contract).implement({
      rows: ({ response }) => response(200, rows as never[]),
      events: ({ response }) => response(200, events as SentEvent<never>[]),
      bytes: ({ response }) => response(200, bytes),
    }),
    { onError: () => {} },
  );
  return createClient(contract, { baseUrl: "https://a.example", fetch: cutting(handler, cuts) });
}

function cutting(handler: FetchHandler, cuts: readonly number[]): FetchHandler {
  return async (request) => {
    const answer = await handler(request);
    const whole = await answer.bytes();
    const pieces: Uint8Array[] = [];
    let start = 0;
    while (start < whole.length) {
      const length = cuts[pieces.length % cuts.length]!;
      pieces.push(whole.slice(start, start + length));
      start += length;
    }
    return new Response(ReadableStream.from(pieces), answer);
  };
}

const cuts = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 8 });
/** Text that forges a line, a field or an event if it is not escaped. */
const trap = fc.constantFrom(
  ...["\n", "\r", "\r\n", "\n\n", "\ndata: 1\n\n", "\r\rid: 1\r\r", ": comment", "\u2028", "\u2029", "\u0085", "\0"],
  ...["\uFEFF", "data:", "\\n", '"', "💥", "é", "", " ", "__proto__"],
);
const text = fc.oneof(fc.string({ unit: "binary" }), trap, fc.array(trap).map((parts) => parts.join("")));
const json = fc.oneof(
  fc.jsonValue({ stringUnit: "binary" }),
  text,
  fc.record({ text, nested: fc.jsonValue() }),
  fc.dictionary(text, text),
)
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown); // without -0, which JSON has not

// proves json | No value contains a line break | NDJSON, 3.1
Deno.test("NDJSON transfers any JSON values, split anywhere", async () => {
  await always(fc.asyncProperty(fc.array(json), cuts, async (rows, cuts) => {
    assertEquals(await Array.fromAsync(unwrap(await connect({ rows }, cuts).rows())), rows);
  }));
});

const isLine = (line: string): boolean => !/[\r\n\0]/.test(line) && line.isWellFormed();

/** Whether a client can send an id back: whether the platform's headers carry it unchanged, without control characters. */
const isReturned = (id: string): boolean => {
  try {
    return new Headers({ id }).get("id") === id && !/[^\t -~\u0080-\u00ff]/.test(id);
  } catch {
    return false;
  }
};
const isSendable = ({ event = "", id = "" }: { event?: string; id?: string }): boolean =>
  isLine(event) && isReturned(id);
const field = fc.oneof(
  text,
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
);
const latin1 = fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((unit) => String.fromCharCode(unit)) });
const event = fc.record({ data: json, event: field, id: fc.oneof(field, latin1), retry: fc.nat() }, {
  requiredKeys: ["data"],
});

Deno.test("server-sent events transfer any JSON values, any line of text and any id that a header carries, split anywhere", async () => {
  const plain = event.filter(isSendable);
  await always(fc.asyncProperty(fc.array(plain), cuts, async (events, cuts) => {
    assertEquals(await Array.fromAsync(unwrap(await connect({ events }, cuts).events())), events);
  }));
});

// proves events | No value can forge a field or an event | 9.2.5
Deno.test("values cannot forge a field, an event or the end of a stream", async () => {
  await always(fc.asyncProperty(fc.array(event, { minLength: 1 }), async (events) => {
    const refused = events.findIndex((event) => !isSendable(event));
    const seen: unknown[] = [];
    let code: string | undefined;
    try {
      const client = createClient(contract, { baseUrl: "https://a.example", fetch: serve(events) });
      for await (const item of unwrap(await client.events())) seen.push(item);
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      code = error.code;
    }
    assertEquals([seen, code], refused === -1 ? [events, undefined] : [events.slice(0, refused), "network"]);
  }));
});

function serve(events: readonly SentEvent[]): FetchHandler {
  return createFetchHandler(
    defineServer(contract).implement({
      rows: ({ response }) => response(200, []),
      events: ({ response }) => response(200, events as SentEvent<never>[]),
      bytes: ({ response }) => response(200, []),
    }),
    { onError: () => {} },
  );
}

// proves events-differences | An incomplete event at the end is dropped | 9.2.6 | The stream fails | A stream that was
//   cut off must not seem complete
Deno.test("a truncated stream yields its complete items, and fails if it cuts one", async () => {
  await always(
    fc.asyncProperty(fc.array(json, { minLength: 1 }), fc.nat(), fc.boolean(), async (values, at, isSse) => {
      const text = values.map((value) => isSse ? `data: ${JSON.stringify(value)}\n\n` : `${JSON.stringify(value)}\n`)
        .join("");
      const whole = new TextEncoder().encode(text);
      const bytes = whole.slice(0, at % whole.length);
      const type = isSse ? "text/event-stream" : "application/x-ndjson";
      const fetch = () => new Response(bytes, { headers: { "content-type": type } });
      const client = createClient(contract, { baseUrl: "https://a.example", fetch });
      const expected = isSse ? values.map((data) => ({ data })) : values;
      const seen: unknown[] = [];
      let failed = false;
      try {
        for await (const item of unwrap(await (isSse ? client.events() : client.rows()))) seen.push(item);
      } catch {
        failed = true;
      }
      assertEquals(seen, expected.slice(0, seen.length));
      const end = isSse ? /(?:^|\n\n)$/ : /(?:^|\n)$/;
      assertEquals(failed, !end.test(new TextDecoder().decode(bytes)));
    }),
  );
});

Deno.test("a stream transfers any bytes, split anywhere", async () => {
  await always(fc.asyncProperty(fc.array(fc.uint8Array()), cuts, async (chunks, cuts) => {
    const body = unwrap(await connect({ bytes: chunks }, cuts).bytes());
    assertEquals(await new Response(body).bytes(), new Uint8Array(chunks.flatMap((chunk) => [...chunk])));
  }));
});
