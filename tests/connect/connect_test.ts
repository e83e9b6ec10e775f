import { codec, defineContract, request, response, route } from "@scope/api";
import { type Client, ClientError, createClient, isErrorOf, validateResponses } from "@scope/api/client";
import { connect, type ConnectOptions, type Disconnected, openInMemory } from "@scope/api/connect";
import { assert, assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { type } from "arktype";
import { assertClientError } from "../support/client_errors.ts";
import { rejectionsOf } from "../support/rejections.ts";
import { type Serve, serveBytes, serveRaw, serveSockets, type SocketServer } from "./servers.ts";

Deno.test.sanitizer({ ops: true, resources: true });

const contract = defineContract({
  routes: {
    room: route.get("/rooms/:room", {
      query: type({ "after?": "string.integer.parse" }),
      responses: {
        101: response.socket({
          fromClient: type({ text: "string" }),
          fromServer: type({ id: "number", text: "string" }),
          closes: { 4001: "The room was closed", 4002: "You were removed" },
        }),
        404: response.json(type({ message: "string" })),
      },
    }),
    feed: route.get("/feed", {
      responses: { 101: response.socket({ fromClient: type("number"), fromServer: type("number") }) },
    }),
  },
});

function clientOf({ url }: SocketServer): Client<typeof contract.routes> {
  return createClient(contract, { baseUrl: url });
}

/** Ends the wait for the next connection, as the return of the network does. */
function wake(): void {
  globalThis.dispatchEvent(new Event("online"));
}

/** Ends each wait soon after it has begun. */
const hurry: ConnectOptions["onDisconnect"] = () => setTimeout(wake, 5);

const lobby = { params: { room: "lobby" } } as const;

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

/** Sends numbers to each client, and then closes. */
const count = (to: number, code: number): Serve => (socket) => {
  for (let sent = 1; sent <= to; sent++) socket.send(String(sent));
  socket.close(code);
};

Deno.test("connect() sends messages, yields those of the server and ends with a declared code", async () => {
  await using server = serveSockets((socket) => {
    socket.onmessage = ({ data }) => {
      socket.send(JSON.stringify({ id: 1, text: JSON.parse(data).text.toUpperCase() }));
      socket.close(4001, "goodbye");
    };
  });
  const room = connect(clientOf(server).room, lobby);
  await room.send({ text: "hello" });
  assertEquals(await collect(room), [{ id: 1, text: "HELLO" }]);
  assertEquals(await room.closed, { code: 4001, reason: "goodbye" });
  assertEquals(await room.next(), { done: true, value: undefined });
});

Deno.test("connect() continues after its last message while the server restarts: nine messages over three connections", async () => {
  const asked: (string | null)[] = [];
  await using server = serveSockets((socket, { url }) => {
    const after = new URL(url).searchParams.get("after");
    asked.push(after);
    for (let id = Number(after ?? 0) + 1; id <= Number(after ?? 0) + 3; id++) {
      socket.send(JSON.stringify({ id, text: `message ${id}` }));
    }
    if (asked.length === 3) socket.close(1000);
  });
  const lost: Disconnected[] = [];
  const room = connect(
    clientOf(server).room,
    ({ last }) => ({ ...lobby, query: { after: last && String(last.id) } }),
    { onDisconnect: (disconnected) => void lost.push(disconnected) },
  );
  const ids: number[] = [];
  for await (const { id } of room) {
    ids.push(id);
    if (id % 3 !== 0 || id === 9) continue;
    await server.stop();
    server.start();
    setTimeout(wake, 20);
  }
  assertEquals(ids, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assertEquals(asked, [null, "3", "6"]);
  assertEquals(lost, [{ wait: 3000, code: 1001 }, { wait: 3000, code: 1001 }]);
});

Deno.test("connect() continues after the last message that remember() accepts, also if the loop has not read it", async () => {
  const asked: (string | null)[] = [];
  await using server = serveSockets((socket, { url }) => {
    asked.push(new URL(url).searchParams.get("after"));
    for (const [id, text] of [[asked.length, "said"], [-1, "here"], [-2, "error"]] as const) {
      socket.send(JSON.stringify({ id, text }));
    }
    socket.close(asked.length < 3 ? 1012 : 1000);
  });
  const room = connect(clientOf(server).room, ({ last }) => ({ ...lobby, query: { after: last && String(last.id) } }), {
    remember({ text }): boolean {
      if (text === "error") throw new Error("ignored");
      return text === "said";
    },
    onDisconnect: hurry,
  });
  await room.closed;
  assertEquals((await collect(room)).map(({ id }) => id), [1, -1, -2, 2, -1, -2, 3, -1, -2]);
  assertEquals(asked, [null, "1", "2"]);
});

Deno.test("connect() reconnects after the codes of a server that may come back", async () => {
  const codes = [1001, 1011, 1012, 1013];
  await using server = serveSockets((socket) => {
    socket.send(String(codes.length));
    socket.close(codes.shift() ?? 1000);
  });
  const lost: number[] = [];
  const feed = connect(clientOf(server).feed, {}, {
    onDisconnect({ code }): void {
      lost.push(code);
      setTimeout(wake, 5);
    },
  });
  assertEquals(await collect(feed), [4, 3, 2, 1, 0]);
  assertEquals(lost, [1001, 1011, 1012, 1013]);
});

Deno.test("connect() reconnects after a cut, and fails after a close frame without a code", async () => {
  const frames = [[0x81, 1, 0x31], [0x81, 1, 0x32, 0x81, 5], [0x81, 1, 0x33, 0x88, 0]];
  await serveBytes(frames.map((frame) => new Uint8Array(frame)), async (baseUrl) => {
    const lost: number[] = [];
    const feed = connect(createClient(contract, { baseUrl }).feed, {}, {
      onDisconnect({ code }): void {
        lost.push(code);
        setTimeout(wake, 5);
      },
    });
    const read = [];
    for (let step = 0; step < 3; step++) read.push((await feed.next()).value);
    assertEquals(read, [1, 2, 3]);
    assertEquals((await assertClientError(() => feed.next(), "unexpected-close")).closeCode, 1005);
    assertEquals(lost, [1006, 1006]);
  });
});

Deno.test("connect() fails after any other code that the contract does not declare", async () => {
  for (const code of [1002, 1003, 1007, 1008, 1009, 3000, 4001, 4999]) {
    await using server = serveSockets(count(2, code));
    const feed = connect(clientOf(server).feed);
    assertEquals([await feed.next(), await feed.next()], [{ done: false, value: 1 }, { done: false, value: 2 }]);
    const error = await assertClientError(() => feed.next(), "unexpected-close", `code ${code}`);
    assertEquals([error.closeCode, error.route?.key], [code, "feed"]);
    assertStrictEquals(await assertRejects(() => feed.closed), error);
    assertStrictEquals(await assertRejects(() => feed.send(1)), error);
    assertEquals(await feed.next(), { done: true, value: undefined }); // it rejects once
  }
});

Deno.test("connect() with reconnect: false fails instead of reconnecting", async () => {
  await using server = serveSockets(count(1, 1012));
  const feed = connect(clientOf(server).feed, {}, { reconnect: false });
  assertEquals(await feed.next(), { done: false, value: 1 });
  assertEquals((await assertClientError(() => feed.next(), "unexpected-close")).closeCode, 1012);
  await server.stop();
  await assertClientError(() => connect(clientOf(server).feed, {}, { reconnect: false }).next(), "network");
  server.start();
});

Deno.test("connect() rejects with the typed result of a refused handshake", async () => {
  await using server = serveSockets(
    count(1, 1000),
    ({ url }) => url.endsWith("/rooms/none") ? Response.json({ message: "No room none" }, { status: 404 }) : undefined,
  );
  const { room } = clientOf(server);
  const none = connect(room, { params: { room: "none" } });
  const error = await assertRejects(() => none.next(), ClientError);
  assert(isErrorOf(room, error) && error.result?.status === 404);
  assertEquals(error.code, "unsuccessful");
  assertEquals(error.message, "Cannot connect to GET /rooms/:room (room): its status is 404");
  assertEquals(error.result.body.message satisfies string, "No room none");
  assertStrictEquals(await assertRejects(() => none.closed), error);
});

Deno.test("connect() rejects with an undeclared response, and waits as a temporary one asks", async () => {
  const answers = [
    new Response("no", { status: 403 }),
    new Response(null, { status: 503, headers: { "retry-after": "1" } }),
  ];
  await using server = serveSockets(
    count(1, 1000),
    ({ headers }) =>
      headers.get("upgrade") ? answers.length > 0 ? new Response(null, { status: 500 }) : undefined : answers.shift(),
  );
  const { feed } = clientOf(server);
  const refused = await assertClientError(() => connect(feed).next(), "unexpected-status");
  assertEquals([refused.status, refused.text], [403, "no"]);

  const lost: Disconnected[] = [];
  const served = connect(feed, {}, {
    onDisconnect(disconnected): void {
      lost.push(disconnected);
      wake();
      setTimeout(wake, 5);
    },
  });
  assertEquals(await collect(served), [1]);
  assertEquals(lost.map(({ code, error }) => [code, error?.status]), [[1006, 503]]);
  assert(lost[0]!.wait >= 1000 && lost[0]!.wait < 1001, String(lost[0]!.wait));
});

Deno.test("connect() closes a stream that answers instead of a handshake", async () => {
  const either = defineContract({
    routes: {
      feed: route.get("/feed", {
        responses: {
          101: response.socket({ fromClient: type("number"), fromServer: type("number") }),
          200: response.ndjson(type("number")),
        },
      }),
    },
  });
  const cancelled = Promise.withResolvers<void>();
  await using server = serveSockets(() => {}, () => {
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode("1\n")),
      cancel: () => cancelled.resolve(),
    });
    return new Response(body, { headers: { "content-type": "application/x-ndjson" } });
  });
  const feed = connect(createClient(either, { baseUrl: server.url }).feed);
  assertEquals((await assertClientError(() => feed.next(), "unsuccessful", "its status is 200")).status, 200);
  await cancelled.promise;
});

Deno.test("connect() treats 426 as a broken network: the server would accept the handshake", async () => {
  let handshakes = 0;
  await using server = serveSockets(count(1, 1000), ({ headers }) => {
    if (headers.get("upgrade")) return ++handshakes < 3 ? new Response(null, { status: 502 }) : undefined;
  });
  const { feed } = clientOf(server);
  await assertClientError(() => connect(feed, {}, { reconnect: false }).next(), "network", "no connection opened");
  const lost: (string | undefined)[] = [];
  const served = connect(feed, {}, {
    onDisconnect({ error }): void {
      lost.push(error?.code);
      setTimeout(wake, 5);
    },
  });
  assertEquals(await collect(served), [1]);
  assertEquals([lost, handshakes], [["network"], 3]);
});

Deno.test("send() waits for a connection, and each message is written to one", async () => {
  const received: string[][] = [];
  await using server = serveSockets((socket) => {
    const own: string[] = [];
    received.push(own);
    socket.onmessage = ({ data }) => {
      own.push(data);
      if (own.length === 2) socket.close(received.length < 3 ? 1012 : 1000);
    };
  });
  const feed = connect(clientOf(server).feed, {}, {
    onDisconnect(): void {
      feed.send(received.length * 10 + 1);
      feed.send(received.length * 10 + 2);
      setTimeout(wake, 5);
    },
  });
  await Promise.all([feed.send(1), feed.send(2)]);
  assertEquals(await feed.closed, { code: 1000, reason: "" });
  assertEquals(received, [["1", "2"], ["11", "12"], ["21", "22"]]);
});

Deno.test("send() rejects one message more than maxQueued, and all that wait when the connection ends", async () => {
  await using server = serveSockets(count(0, 1000));
  const feed = connect(clientOf(server).feed, {}, { maxQueued: 2 });
  const sent = [feed.send(1), feed.send(2), feed.send(3)];
  await assertClientError(() => sent[2]!, "network", "2 messages wait to be sent");
  feed.close();
  const error = await assertClientError(() => sent[0]!, "network", "it was closed with code 1000");
  assertEquals(error.closeCode, 1000);
  assertStrictEquals(await assertRejects(() => sent[1]!), error);
  await assertClientError(() => feed.send(4), "network");
});

Deno.test("send() with maxQueued: 0 writes to an open connection, and never waits for one", async () => {
  const received: string[] = [];
  await using server = serveSockets((socket) => {
    socket.onmessage = ({ data }) => received.push(data);
  });
  const opened = Promise.withResolvers<void>();
  const feed = connect(clientOf(server).feed, {}, { maxQueued: 0, onConnect: () => opened.resolve() });
  await assertClientError(() => feed.send(1), "network", "0 messages wait to be sent");
  await opened.promise;
  await new Promise((resolve) => setTimeout(resolve, 0));
  await feed.send(2);
  feed.close();
  await feed.closed;
  assertEquals(received, ["2"]);
});

Deno.test("send() waits for a server that does not read, and then writes the rest", async () => {
  const large = defineContract({
    routes: {
      feed: route.get("/", {
        responses: { 101: response.socket({ fromClient: request.text(), fromServer: response.text() }) },
      }),
    },
  });
  const reading = Promise.withResolvers<void>();
  let received = 0;
  await serveRaw(async (connection) => {
    await reading.promise;
    const chunk = new Uint8Array(65_536);
    while (received < 20_000_000) received += await connection.read(chunk) ?? 0;
  }, async (baseUrl) => {
    const feed = connect(createClient(large, { baseUrl }).feed, {}, { maxQueued: 20 });
    const text = "x".repeat(1_000_000);
    let written = 0;
    const sent = Array.from({ length: 20 }, () => feed.send(text).then(() => written++));
    await new Promise((resolve) => setTimeout(resolve, 200));
    const before = written;
    assert(before > 0 && before < 15, `${before} messages were written`);
    reading.resolve();
    await Promise.all(sent);
    assertEquals(written, 20);
    feed.close();
    await feed.closed;
  });
});

Deno.test("send() rejects after the server has closed with a declared code", async () => {
  await using server = serveSockets((socket) => socket.close(4002));
  const room = connect(clientOf(server).room, lobby);
  assertEquals(await room.closed, { code: 4002, reason: "" });
  await assertClientError(() => room.send({ text: "too late" }), "network", "it was closed with code 4002");
});

Deno.test("send() rejects what JSON cannot carry, and sends nothing", async () => {
  const received: unknown[] = [];
  await using server = serveSockets((socket) => {
    socket.onmessage = ({ data }) => {
      received.push(data);
      socket.close(1000);
    };
  });
  const feed = connect(clientOf(server).feed);
  for (const value of [undefined, NaN, () => {}, Symbol("text"), 1n]) {
    const error = await assertClientError(() => feed.send(value as number), "invalid-input", "cannot be sent: ");
    assert(error.cause instanceof TypeError);
  }
  await feed.send(7);
  await feed.closed;
  assertEquals(received, ["7"]);
});

Deno.test("send() keeps the order of messages whose codec is asynchronous, and close() waits for them", async () => {
  const Slow = codec(type("string"), type("number"), {
    decode: (text) => new Promise<number>((resolve) => setTimeout(resolve, 30 / Number(text), Number(text))),
    encode: (count) =>
      new Promise<string>((resolve, reject) =>
        setTimeout(() => count < 0 ? reject(new TypeError("negative")) : resolve(String(count)), 30 / Math.abs(count))
      ),
  });
  const slow = defineContract({
    routes: {
      count: route.get("/count", { responses: { 101: response.socket({ fromClient: Slow, fromServer: Slow }) } }),
    },
  });
  const received: string[] = [];
  await using server = serveSockets((socket) => {
    socket.onmessage = ({ data }) => {
      received.push(data);
      socket.send(data);
    };
  });
  const counts = connect(createClient(slow, { baseUrl: server.url }).count);
  await counts.send(1);
  const sent = [counts.send(1), counts.send(-2), counts.send(3)];
  const { value: first } = await counts.next();
  assertEquals(first, 1);
  counts.close();
  await assertClientError(() => sent[1]!, "invalid-input", "negative");
  await Promise.all([sent[0], sent[2]]);
  await counts.closed;
  assertEquals(received, ['"1"', '"1"', '"3"']);
});

Deno.test("a message that cannot be decoded ends the connection", async () => {
  const cases: readonly (readonly [data: string | Uint8Array<ArrayBuffer>, part: string])[] = [
    ["{", "a message cannot be decoded: "],
    [new Uint8Array([1]), "it is binary, not text"],
    [`"three"`, "must be a number"],
    ["[".repeat(5000) + "]".repeat(5000), "nesting"],
  ];
  for (const [data, part] of cases) {
    const closed = Promise.withResolvers<number>();
    await using server = serveSockets((socket) => {
      socket.onclose = ({ code }) => closed.resolve(code);
      socket.send("1");
      socket.send(data);
      socket.send("2");
    });
    const client = createClient(contract, { baseUrl: server.url, validate: validateResponses });
    const feed = connect(client.feed);
    assertEquals(await feed.next(), { done: false, value: 1 });
    const error = await assertClientError(() => feed.next(), "invalid-body", part);
    assertEquals(error.text, typeof data === "string" ? data.slice(0, 8192) : undefined);
    assertEquals(await feed.next(), { done: true, value: undefined });
    assertEquals(await closed.promise, 1000); // browsers can send no other
  }
});

Deno.test("connect() carries text and bytes as the contract declares", async () => {
  const framed = defineContract({
    routes: {
      text: route.get("/text", {
        responses: {
          101: response.socket({
            fromClient: request.text(),
            fromServer: response.text(),
          }),
        },
      }),
      bytes: route.get("/bytes", {
        responses: {
          101: response.socket({
            fromClient: request.bytes(),
            fromServer: response.bytes(),
          }),
        },
      }),
    },
  });
  await using server = serveSockets((socket) => {
    socket.binaryType = "arraybuffer";
    socket.onmessage = ({ data }) => {
      socket.send(data);
      socket.close(1000);
    };
  });
  const client = createClient(framed, { baseUrl: server.url });
  const text = connect(client.text);
  text.send("");
  assertEquals(await collect(text), [""]);
  const bytes = connect(client.bytes);
  bytes.send(new Uint8Array([1, 2, 3]));
  assertEquals(await collect(bytes), [new Uint8Array([1, 2, 3])]);
});

Deno.test("close() right after connect() ends at once, and no connection stays open", async () => {
  let open = 0;
  await using server = serveSockets((socket) => {
    open++;
    socket.onclose = () => open--;
  });
  for (const wait of [undefined, 0, 1, 2, 5]) {
    const room = connect(clientOf(server).room, lobby);
    if (wait !== undefined) await new Promise((resolve) => setTimeout(resolve, wait));
    room.close(4002, "changed my mind");
    assertEquals(await room.next(), { done: true, value: undefined });
    assertEquals(await room.closed, { code: 4002, reason: "changed my mind" });
  }
  await new Promise((resolve) => setTimeout(resolve, 20));
  assertEquals(open, 0);
});

Deno.test("close() tells the server the code, after the messages before it", async () => {
  const heard: unknown[] = [];
  await using server = serveSockets((socket) => {
    socket.onmessage = ({ data }) => heard.push(data);
    socket.onclose = ({ code, reason }) => heard.push(code, reason);
  });
  const room = connect(clientOf(server).room, lobby);
  await room.send({ text: "one" });
  room.send({ text: "two" });
  room.close(4002, "enough");
  room.close(); // the first one counts
  assertEquals(await room.closed, { code: 4002, reason: "enough" });
  assertEquals(heard, ['{"text":"one"}', '{"text":"two"}', 4002, "enough"]);
});

Deno.test("close() throws for a code that the contract does not declare, and for a long reason", async () => {
  await using server = serveSockets(() => {});
  const room = connect(clientOf(server).room, lobby);
  for (const code of [1001, 1005, 3000, 4000, NaN, "4001x", "4001", null]) {
    assertThrows(
      // @ts-expect-error -- not a declared code
      () => room.close(code),
      TypeError,
      `Cannot close GET /rooms/:room (room): the code must be 1000, 4001, 4002, got ${
        typeof code === "string" ? `"${code}"` : code
      }`,
    );
  }
  assertThrows(() => room.close(1000, "é".repeat(62)), TypeError, "at most 123 bytes of UTF-8");
  room.close(1000, "é".repeat(61));
  await room.closed;
});

Deno.test("leaving the loop closes the connection, and drops what was not read", async () => {
  const closed = Promise.withResolvers<number>();
  await using server = serveSockets((socket) => {
    socket.onclose = ({ code }) => closed.resolve(code);
    for (let sent = 1; sent <= 5; sent++) socket.send(String(sent));
  });
  const feed = connect(clientOf(server).feed);
  for await (const message of feed) if (message === 2) break;
  assertEquals(await closed.promise, 1000);
  assertEquals(await feed.closed, { code: 1000, reason: "" });
  assertEquals(await feed.next(), { done: true, value: undefined });
});

Deno.test("several calls of next() resolve in order, and the end is the last", async () => {
  await using server = serveSockets(count(2, 1000));
  const feed = connect(clientOf(server).feed);
  assertEquals(await Promise.all([feed.next(), feed.next(), feed.next(), feed.next()]), [
    { done: false, value: 1 },
    { done: false, value: 2 },
    { done: true, value: undefined },
    { done: true, value: undefined },
  ]);
});

Deno.test("an aborted signal rejects loop, send() and closed with its reason", async () => {
  const closed = Promise.withResolvers<number>();
  await using server = serveSockets((socket) => {
    socket.onclose = ({ code }) => closed.resolve(code);
    socket.send("1");
    socket.send("2");
  });
  const { feed } = clientOf(server);
  const reason = new Error("The page was left");
  const unhandled = await rejectionsOf(async () => {
    const before = connect(feed, {}, { signal: AbortSignal.abort(reason) });
    for (const promise of [before.next(), before.send(1), before.closed]) {
      assertStrictEquals(await assertRejects(() => promise), reason);
    }
    assertEquals(await before.next(), { done: true, value: undefined });

    const controller = new AbortController();
    const during = connect(feed, {}, { signal: controller.signal });
    await during.next();
    const pending = during.send(2);
    controller.abort(reason);
    await pending; // it was written before
    assertStrictEquals(await assertRejects(() => during.next()), reason); // at once: the second message is dropped
    assertStrictEquals(await assertRejects(() => during.closed), reason);
    assertStrictEquals(await assertRejects(() => during.send(3)), reason);
  });
  assertEquals(unhandled, []);
  assertEquals(await closed.promise, 1000);
});

Deno.test("connect() does not cause unhandled rejections, and leaves no listeners on the signal", async () => {
  await using server = serveSockets(count(1, 4999));
  const controller = new AbortController();
  const unhandled = await rejectionsOf(async () => {
    const feed = connect(clientOf(server).feed, {}, { signal: controller.signal, maxQueued: 0 });
    feed.send(1);
    feed.send(NaN);
    await feed.next();
    await feed.next().catch(() => {});
    feed.send(2);
  });
  assertEquals(unhandled, []);
  controller.abort(); // has no effect any more
});

Deno.test("more unread messages than maxBufferedMessages end the connection", async () => {
  await using server = serveSockets((socket) => {
    for (let sent = 1; sent <= 50; sent++) socket.send(String(sent));
  });
  const feed = connect(clientOf(server).feed, {}, { maxBufferedMessages: 3 });
  await assertRejects(() => feed.closed);
  assertEquals([(await feed.next()).value, (await feed.next()).value, (await feed.next()).value], [1, 2, 3]);
  await assertClientError(() => feed.next(), "unexpected-close", "3 messages have not been read");
});

Deno.test("silence ends a connection without messages, which empty ones keep alive", async () => {
  let opened = 0;
  await using server = serveSockets((socket) => {
    if (++opened === 1) return;
    let left = 6;
    const timer = setInterval(() => {
      socket.send(left-- > 0 ? "" : "1");
      if (left < 0) {
        clearInterval(timer);
        socket.close(1000);
      }
    }, 90);
  });
  const lost: number[] = [];
  const feed = connect(clientOf(server).feed, {}, {
    silence: 400,
    onDisconnect({ code }): void {
      lost.push(code);
      setTimeout(wake, 5);
    },
  });
  assertEquals(await collect(feed), [1]);
  assertEquals([lost, opened], [[1006], 2]);
});

Deno.test("silence also ends a handshake that nothing answers", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const accepted: Deno.Conn[] = [];
  const accepting = (async () => {
    for await (const connection of listener) accepted.push(connection);
  })();
  const client = createClient(contract, { baseUrl: `http://127.0.0.1:${listener.addr.port}` });
  const feed = connect(client.feed, {}, { silence: 30, reconnect: false });
  await assertClientError(() => feed.next(), "timeout");
  listener.close();
  for (const connection of accepted) connection.close();
  await accepting;
});

Deno.test("a page that is left closes its connection, and opens another one when it comes back", async () => {
  const codes: number[] = [];
  let opened = 0;
  await using server = serveSockets((socket) => {
    socket.onclose = ({ code }) => codes.push(code);
    socket.send(String(++opened));
    if (opened === 2) socket.close(1000);
  });
  const lost: Disconnected[] = [];
  const feed = connect(clientOf(server).feed, {}, { onDisconnect: (disconnected) => void lost.push(disconnected) });
  assertEquals(await feed.next(), { done: false, value: 1 });
  globalThis.dispatchEvent(new Event("pagehide"));
  wake(); // a page that was left stays closed
  await new Promise((resolve) => setTimeout(resolve, 30));
  assertEquals([codes, opened], [[1000], 1]);
  globalThis.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: false })); // its first one
  await new Promise((resolve) => setTimeout(resolve, 10));
  assertEquals(opened, 1);
  globalThis.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  assertEquals(await collect(feed), [2]);
  assertEquals(lost, [{ wait: Infinity, code: 1000 }]);
});

Deno.test("close() lets the loop yield what has arrived, also if a codec is asynchronous", async () => {
  const Later = codec(type("number"), type("number"), {
    decode: (count) => new Promise<number>((resolve) => setTimeout(resolve, 10, count)),
    encode: (count) => count,
  });
  const later = defineContract({
    routes: {
      feed: route.get("/", { responses: { 101: response.socket({ fromClient: Later, fromServer: Later }) } }),
    },
  });
  await using server = serveSockets((socket) => {
    for (let sent = 1; sent <= 3; sent++) socket.send(String(sent));
  });
  const feed = connect(createClient(later, { baseUrl: server.url }).feed);
  await new Promise((resolve) => setTimeout(resolve, 15));
  feed.close();
  assertEquals(await collect(feed), [1, 2, 3]);
});

Deno.test("onConnect() runs before the first message, and can send and close", async () => {
  const received: string[] = [];
  await using server = serveSockets((socket) => {
    socket.send("1");
    socket.onmessage = ({ data }) => received.push(data);
  });
  const events: unknown[] = [];
  const feed = connect(clientOf(server).feed, {}, {
    onConnect(connected): void {
      events.push(connected);
      feed.send(7);
      feed.close();
    },
  });
  feed.send(6);
  for await (const message of feed) events.push(message);
  assertEquals(await feed.closed, { code: 1000, reason: "" });
  assertEquals([events, received], [[{ reconnected: false }], ["6", "7"]]);
});

Deno.test("onConnect() tells whether another connection was open before, and errors of callbacks are ignored", async () => {
  let opened = 0;
  await using server = serveSockets((socket) => {
    socket.send("1");
    socket.close(++opened < 2 ? 1012 : 1000);
  });
  const states: boolean[] = [];
  const feed = connect(clientOf(server).feed, {}, {
    onConnect({ reconnected }): void {
      states.push(reconnected);
      throw new Error("ignored");
    },
    async onDisconnect(): Promise<void> {
      setTimeout(wake, 5);
      await Promise.resolve();
      throw new Error("ignored, too");
    },
  });
  assertEquals(await collect(feed), [1, 1]);
  assertEquals(states, [false, true]);
});

Deno.test("the input can be a promise or a function, which runs for each connection and may fail", async () => {
  let opened = 0;
  await using server = serveSockets((socket, { url }) => {
    socket.send(JSON.stringify({ id: ++opened, text: new URL(url).pathname }));
    socket.close(opened < 2 ? 1012 : 1000);
  });
  const { room } = clientOf(server);
  let asked = 0;
  const messages = await collect(connect(room, async ({ last }) => {
    asked++;
    await Promise.resolve();
    // the ticket for the second connection comes from the server that restarts
    if (asked === 2) throw new ClientError("network", "no response arrived");
    return { params: { room: `after ${last?.id ?? 0}` } };
  }, { onDisconnect: hurry }));
  assertEquals(messages, [{ id: 1, text: "/rooms/after%200" }, { id: 2, text: "/rooms/after%201" }]);
  assertEquals(asked, 3);
  assertEquals((await collect(connect(room, Promise.resolve(lobby)))).length, 1);

  const failing = connect(room, () => {
    throw new Error("no ticket");
  });
  await assertClientError(() => failing.next(), "invalid-input", "no ticket");
  const other = connect(room, Promise.reject(new ClientError("unsuccessful", "Signed out", { status: 401 })));
  assertEquals((await assertClientError(() => other.next(), "unsuccessful")).message, "Signed out");
  const missing = connect(room, () => ({}) as never);
  await assertClientError(() => missing.next(), "invalid-input", "the path parameter room is missing");
});

Deno.test("connect() throws a TypeError for what can never work", async () => {
  await using server = serveSockets(() => {});
  const { feed, room } = clientOf(server);
  const plain = createClient(
    defineContract({ routes: { text: route.get("/", { responses: { 200: response.text() } }) } }),
    { baseUrl: server.url },
  );
  // @ts-expect-error -- not a socket
  assertThrows(() => connect(plain.text), TypeError, "GET / (text) must declare response.socket() for the status 101");
  // @ts-expect-error -- not a call
  assertThrows(() => connect(() => {}), TypeError, "the first argument must be a call of a client");
  // @ts-expect-error -- the room is missing
  const missing = connect(room, {});
  await assertClientError(() => missing.next(), "invalid-input", "room is missing");
  // @ts-expect-error -- the route declares no slots
  assertThrows(() => connect(feed, { signal: AbortSignal.abort() }), TypeError, 'unknown slot "signal"');
  assertThrows(
    () => openInMemory({} as never),
    TypeError,
    "openInMemory(): the handler must be a function, got an object",
  );
  const options: readonly (readonly [options: unknown, part: string])[] = [
    [{ retry: true }, 'unknown option "retry"'],
    [{ signal: {} }, '"signal" must be an AbortSignal, got an object'],
    [{ open: "ws" }, '"open" must be a function, got a string'],
    [{ remember: true }, '"remember" must be a function, got true'],
    [{ reconnect: 1 }, '"reconnect" must be a boolean, got 1'],
    [{ maxQueued: -1 }, '"maxQueued" must be a non-negative integer, got -1'],
    [{ maxBufferedMessages: 0 }, '"maxBufferedMessages" must be a positive integer, got 0'],
    [{ silence: NaN }, '"silence" must be milliseconds'],
    [{ silence: 0 }, '"silence" must be milliseconds above 0, at most 2147483647, or Infinity, got 0'],
    [{ onConnect: true }, '"onConnect" must be a function, got true'],
    [{ onDisconnect: [] }, '"onDisconnect" must be a function, got an array'],
  ];
  for (const [given, part] of options) {
    assertThrows(() => connect(feed, {}, given as ConnectOptions), TypeError, part);
  }
});
