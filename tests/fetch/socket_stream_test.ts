/** Streams over a real socket, from the server's generator to the client's loop. */
import { defineContract, response, route, type SentEvent } from "@scope/api";
import { ClientError, createClient, unwrap } from "@scope/api/client";
import { createFetchHandler, type ErrorReport } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { type } from "arktype";
import { naturals } from "../support/producers.ts";

const Tick = type("number");
const contract = defineContract({
  routes: {
    rows: route.get("/rows", { responses: { 200: response.ndjson(Tick) } }),
    events: route.get("/events", { responses: { 200: response.sse(Tick) } }),
    bytes: route.get("/bytes", { responses: { 200: response.stream() } }),
    fails: route.get("/fails", { responses: { 200: response.ndjson(Tick) } }),
    move: route.get("/move", { responses: { 302: response.empty({ headers: type({ location: "string" }) }) } }),
    socket: route.get("/socket", { responses: { 101: response.raw(), 426: response.empty() } }),
  },
});

/** The states of the server's producers. */
interface Watch {
  running: number;
  given: number;
  readonly heard: ErrorReport[];
}

/** Numbers, some of them every millisecond, until the stream is closed. */
async function* tick(watch: Watch): AsyncGenerator<number> {
  watch.running++;
  try {
    for (const number of naturals()) {
      watch.given++;
      yield number;
      if (number % 10 === 9) await new Promise((resolve) => setTimeout(resolve, 1));
    }
  } finally {
    watch.running--;
  }
}

function* chunks(watch: Watch): Generator<Uint8Array> {
  watch.running++;
  try {
    for (;;) {
      watch.given += 65_536;
      yield new Uint8Array(65_536);
    }
  } finally {
    watch.running--;
  }
}

/** Serves the contract on its own port for as long as `use` takes. */
async function serving(use: (baseUrl: string, watch: Watch) => Promise<void>): Promise<void> {
  const watch: Watch = { running: 0, given: 0, heard: [] };
  const implementation = defineServer(contract, { context: ({ request }) => ({ request }) }).implement({
    rows: ({ response }) => response(200, tick(watch)),
    events: ({ response }) =>
      response(
        200,
        (async function* (): AsyncGenerator<SentEvent<number>> {
          for await (const data of tick(watch)) yield { data, id: String(data) };
        })(),
      ),
    bytes: ({ response }) => response(200, chunks(watch)),
    fails: ({ response }) => response(200, [1, 2, "three" as never]),
    move: ({ response }) => response(302, undefined, { location: "/rows" }),
    socket: ({ context, response }) => {
      if (context.request.headers.get("upgrade") !== "websocket") return response(426);
      const { socket, response: upgrade } = Deno.upgradeWebSocket(context.request);
      socket.onmessage = ({ data }) => socket.send(`${data}!`);
      return response(101, upgrade, { "x-ignored": "1" }); // no copy of it would be an upgrade
    },
  });
  const onError = (report: ErrorReport) => void watch.heard.push(report);
  const handler = createFetchHandler(implementation, { onError });
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handler);
  try {
    await use(`http://127.0.0.1:${server.addr.port}`, watch);
  } finally {
    await server.shutdown();
  }
}

/** Waits until it holds, for two seconds at most. */
async function until(holds: () => boolean): Promise<void> {
  for (let wait = 0; wait < 400 && !holds(); wait++) await new Promise((resolve) => setTimeout(resolve, 5));
  assert(holds());
}

Deno.test("leaving a client's loop closes the server's generator, over a socket", async () => {
  await serving(async (baseUrl, watch) => {
    const client = createClient(contract, { baseUrl });
    const seen: unknown[] = [];
    for await (const row of unwrap(await client.rows())) {
      seen.push(row);
      if (row === 25) break;
    }
    for await (const event of unwrap(await client.events())) {
      seen.push(event);
      if (event.data === 1) break;
    }
    assertEquals(seen, [...naturals().take(26), { data: 0, id: "0" }, { data: 1, id: "1" }]);
    await until(() => watch.running === 0);
    assertEquals(watch.heard, []);
  });
});

Deno.test("an abort, a timeout and a return() before the first next() reach the server's generator, over a socket", async () => {
  await serving(async (baseUrl, watch) => {
    const client = createClient(contract, { baseUrl });
    const caller = new AbortController();
    const aborted = unwrap(await client.rows({ signal: caller.signal }));
    await aborted.next();
    caller.abort();
    const error = await assertRejects(async () => {
      for await (const _ of aborted);
    }, ClientError);
    assertEquals(error.code, "aborted");

    const late = unwrap(await client.rows({ timeout: 50 }));
    const lateError = await assertRejects(async () => {
      for await (const _ of late);
    }, ClientError);
    assertEquals(lateError.code, "timeout");

    await unwrap(await client.rows()).return();
    await unwrap(await client.bytes()).cancel();
    await until(() => watch.running === 0);
    assertEquals(watch.heard, []);
  });
});

Deno.test("a slow consumer holds the producer back, over a socket", async () => {
  await serving(async (baseUrl, watch) => {
    const reader = unwrap(await createClient(contract, { baseUrl }).bytes()).getReader();
    await reader.read();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const held = watch.given;
    await new Promise((resolve) => setTimeout(resolve, 100));
    assertEquals(watch.given, held); // the size of the sockets' buffers, and no more
    assert(held < 32 * 1024 * 1024, `${held} bytes`);
    await reader.cancel();
    await until(() => watch.running === 0);
  });
});

// proves http | A message that is cut off is incomplete | 6.1
Deno.test("a stream that fails is cut off and never ends, over a socket", async () => {
  await serving(async (baseUrl, watch) => {
    const seen: number[] = [];
    const error = await assertRejects(async () => {
      for await (const row of unwrap(await createClient(contract, { baseUrl }).fails())) seen.push(row);
    }, ClientError);
    assertEquals([error.code, watch.heard.map(({ phase }) => phase)], ["network", ["stream"]]);
  });
});

// proves promises | After 1,000 clients disconnect in the middle of a stream, no source is still running
Deno.test("1,000 clients that disconnect during a stream leave no producer running", async () => {
  await serving(async (baseUrl, watch) => {
    const client = createClient(contract, { baseUrl });
    for (let round = 0; round < 10; round++) {
      await Promise.all(Array.from({ length: 100 }, async () => {
        for await (const row of unwrap(await client.rows())) if (row > 10) break;
      }));
    }
    await until(() => watch.running === 0);
    assertEquals(watch.heard, []);
  });
});

Deno.test("a redirect that is not followed arrives with its location, over a socket", async () => {
  await serving(async (baseUrl) => {
    const result = await createClient(contract, { baseUrl }).move();
    assertEquals(result.headers.location, "/rows");
  });
});

// proves http | 101 switches the connection to another protocol | 15.2.2
Deno.test("a raw response upgrades to a WebSocket", async () => {
  await serving(async (baseUrl) => {
    const socket = new WebSocket(`${baseUrl.replace("http", "ws")}/socket`);
    const answer = await new Promise((resolve, reject) => {
      socket.onopen = () => socket.send("hello");
      socket.onmessage = ({ data }) => resolve(data);
      socket.onerror = () => reject(new Error("no upgrade"));
    });
    const closed = new Promise((resolve) => socket.onclose = resolve);
    socket.close();
    await closed;
    assertEquals(answer, "hello!");
  });
});
