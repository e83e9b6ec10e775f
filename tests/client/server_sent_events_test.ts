import { defineContract, response, route } from "@scope/api";
import { ClientError, createClient, type EventReader, unwrap } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals, assertFalse, assertRejects } from "@std/assert";
import { type } from "arktype";

Deno.test.sanitizer({ ops: true, resources: true });

const baseUrl = "https://a.example";
const contract = defineContract({
  routes: {
    events: route.get("/events", { responses: { 200: response.sse(type("unknown.any")) } }),
    rows: route.get("/rows", { responses: { 200: response.ndjson(type("unknown.any")) } }),
  },
});

/** The reader of a response whose body is this. */
async function open(body: BodyInit): Promise<EventReader> {
  const fetch = () => new Response(body, { headers: { "content-type": "text/event-stream" } });
  return unwrap(await createClient(contract, { baseUrl, fetch }).events());
}

/** The reader's position before the first event, after each, and after the end; with the error of the stream. */
async function readPlaces(body: BodyInit): Promise<unknown[]> {
  const reader = await open(body);
  const places: unknown[] = [];
  const note = (): number => places.push([reader.lastEventId, reader.reconnectionTime]);
  note();
  try {
    for await (const _ of reader) note();
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    places.push(error.code);
  }
  note();
  return places;
}

/** A body whose bytes arrive one by one. */
function oneByOne(text: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  return ReadableStream.from(Array.from(new TextEncoder().encode(text), (byte) => new Uint8Array([byte])));
}

const start = ["", undefined];
const bodies: readonly (readonly [text: string, places: readonly unknown[]])[] = [
  ["", [start, start]],
  ["data: 1\n\n", [start, start, start]],
  // without data
  ["id: 7\n\n", [start, ["7", undefined]]],
  ["retry: 10000\n\n", [start, ["", 10000]]],
  ["id: 7\n\nretry: 10000\n\ndata: 1\n\n", [start, ["7", 10000], ["7", 10000]]],
  ["event: tick\nid: 7\r\n\r\n", [start, ["7", undefined]]],
  // with data, and kept for the events after it
  ["id: 1\ndata: 1\n\ndata: 2\n\nid: 3\ndata: 3\n\n", [start, ["1", undefined], ["1", undefined], ["3", undefined], [
    "3",
    undefined,
  ]]],
  ["data: 1\nretry: 5\n\nid: 2\n\n", [start, ["", 5], ["2", 5]]],
  // several in one event
  ["id: 1\nid: 2\nretry: 1\nretry: 2\n\n", [start, ["2", 2]]],
  // an empty one resets
  ["id: 1\n\ndata: 1\n\nid\n\n", [start, ["1", undefined], ["", undefined]]],
  ["id: 1\n\nid:\ndata: 1\n\n", [start, ["", undefined], ["", undefined]]],
  // what does not count
  ["id: 1\n\nid: 2\0\n\n", [start, ["1", undefined]]],
  ["id: 1\nid: 2\0\n\n", [start, ["1", undefined]]],
  ["retry: 5\n\nretry: -1\nretry: 1e3\nretry: 1.5\nretry:\nretry: 0x1\nretry: ٣\n\n", [start, ["", 5]]],
  ["ID: 1\nRetry: 1\n id: 1\n: id: 1\n\n", [start, start]],
  // an id counts when its event is whole, a retry at once
  ["id: 7\n", [start, "network", start]],
  ["id: 1\ndata: 1\n\nid: 2\nretry: 5\ndata: 2\n", [start, ["1", undefined], "network", ["1", 5]]],
  ["retry: 5", [start, "network", start]],
  // an event that is not JSON has arrived
  ["id: 1\ndata: {\n\n", [start, "invalid-body", ["1", undefined]]],
];

// proves events | `id` and `retry` take effect even without data | 9.2.6
Deno.test("a reader of events has lastEventId and reconnectionTime as in HTML 9.2.6, with or without data", async () => {
  for (const [text, places] of bodies) {
    assertEquals(await readPlaces(text), [...places], text);
    assertEquals(await readPlaces(oneByOne(text)), [...places], text);
  }
});

Deno.test("a reader of events is at the last event that it yielded, however many have arrived", async () => {
  const reader = await open("id: 1\ndata: 1\n\nid: 2\ndata: 2\n\nid: 3\n\n");
  await reader.next();
  assertEquals(reader.lastEventId, "1");
  await reader.return();
  assertEquals(reader.lastEventId, "1");
});

Deno.test("a reader of events updates its id without data while it waits for the next event", async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>();
  const writer = writable.getWriter();
  const reader = await open(readable);
  const next = reader.next();
  const write = async (text: string): Promise<void> => {
    await writer.write(new TextEncoder().encode(text));
    await new Promise((resolve) => setTimeout(resolve, 5));
  };
  await write("retry: 20\n");
  assertEquals([reader.lastEventId, reader.reconnectionTime], ["", 20]);
  await write("id: 7\n");
  assertEquals(reader.lastEventId, "");
  await write("\n");
  assertEquals(reader.lastEventId, "7");
  await write("data: 1\n\n");
  assertEquals((await next).value, { data: 1 });
  await reader.return();
});

Deno.test("an event has its own id if the server sent one with it", async () => {
  const reader = await open("id: 1\n\ndata: 1\n\nid: 2\ndata: 2\n\n");
  assertEquals(await Array.fromAsync(reader), [{ data: 1 }, { data: 2, id: "2" }]);
});

Deno.test("a reader of events from a server of this package is at the last event", async () => {
  const fetch = createFetchHandler(
    defineServer(contract).implement({
      events: ({ response }) => response(200, [{ data: 1, id: "é", retry: 50 }, { comment: "" }, { data: 2 }]),
      rows: ({ response }) => response(200, [1]),
    }),
  );
  const client = createClient(contract, { baseUrl, fetch });
  const reader = unwrap(await client.events());
  for await (const _ of reader);
  assertEquals([reader.lastEventId, reader.reconnectionTime], ["é", 50]);

  const rows = unwrap(await client.rows());
  assertFalse("lastEventId" in rows || "reconnectionTime" in rows);
  await rows.return();
});

Deno.test("a reader of events cannot be moved", async () => {
  const reader = await open("id: 1\n\n");
  await assertRejects(async () => {
    await Promise.resolve();
    (reader as { lastEventId: string }).lastEventId = "2";
  }, TypeError);
  await reader.return();
});

Deno.test("a reader of events begins at the last-event-id of its call, which an empty id resets", async () => {
  const resumed = defineContract({
    routes: {
      events: route.get("/events", {
        headers: type({ "last-event-id?": "string" }),
        responses: { 200: response.sse(type("number")) },
      }),
    },
  });
  const places: string[] = [];
  for (const text of ["", "data: 1\n\n", "id: 8\ndata: 1\n\n", "id\n\n", "id: 8\n"]) {
    const client = createClient(resumed, {
      baseUrl,
      fetch: () => new Response(text, { headers: { "content-type": "text/event-stream" } }),
    });
    const reader = unwrap(await client.events({ headers: { "last-event-id": "7" } }));
    await Array.fromAsync(reader).catch(() => {}); // the last one is cut off
    places.push(reader.lastEventId);
  }
  assertEquals(places, ["7", "7", "8", "", "7"]);
});
