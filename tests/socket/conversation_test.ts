/** Conversations over connections in memory. */
import { codec, defineContract, request, response, route } from "@scope/api";
import { createFetchHandler, type FetchHandler } from "@scope/api/fetch";
import { type CloseReport, memorySockets, type Sockets, type SocketsOptions } from "@scope/api/socket";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals, assertMatch } from "@std/assert";
import * as z from "zod";
import { rejectionsOf, settled } from "../support/rejections.ts";
import { createApi } from "./api.ts";
import { open } from "./in_memory.ts";

/** Mounts the API in memory. */
function mount(options: SocketsOptions = {}): { handler: FetchHandler; sockets: Sockets; log: string[] } {
  const { implementation, log, onError } = createApi();
  const sockets = memorySockets(options);
  return { handler: createFetchHandler(implementation, { sockets, onError }), sockets, log };
}

Deno.test("a conversation gets the valid messages in order, and its client what it sends", async () => {
  const { handler, sockets, log } = mount();
  const { socket, closed, next } = await open(handler, "/echo");

  for (const text of ["one", "two", "three"]) socket.send(JSON.stringify({ text, extra: 1 }));
  assertEquals([await next(), await next(), await next()], ['{"text":"one"}', '{"text":"two"}', '{"text":"three"}']);
  assertEquals(sockets.size, 1);
  socket.close(1000);

  assertEquals(await closed, "1000");
  await settled();
  assertEquals([log, sockets.size], [["echo aborted"], 0]);
});

Deno.test("a conversation gets the messages that arrived before its client left", async () => {
  const { handler, log } = mount();
  const { socket } = await open(handler, "/silent");
  await settled();
  for (let count = 0; count < 10; count++) socket.send('{"text":"a"}');
  socket.close();
  await settled();

  assertEquals(log, ["silent 10"]);
});

const invalid: Readonly<Record<string, readonly [message: string, end: RegExp]>> = {
  "malformed JSON": ["{", /^1007 The message is malformed$/],
  "an empty text": ["", /^1007 The message is malformed$/],
  "a message that the schema refuses": ['{"text":""}', /^1007 text: Too small/],
  "a message that is nested too deeply": [
    `{"text":${"[".repeat(101)}${"]".repeat(101)}}`,
    /^1007 .*nested too deeply$/,
  ],
  "a message with several issues": ['{"text":5}', /^1007 text: /],
};

for (const [name, [message, end]] of Object.entries(invalid)) {
  Deno.test(`a conversation ends with 1007 after ${name}, and handles the messages before it`, async () => {
    const { handler, sockets, log } = mount();
    const { socket, messages, closed } = await open(handler, "/echo");
    socket.send('{"text":"valid"}');
    socket.send(message);
    socket.send('{"text":"later"}');

    assertMatch(await closed, end);
    await settled();
    assertEquals([messages, log, sockets.size], [['{"text":"valid"}'], ["echo aborted"], 0]);
  });
}

Deno.test("a close reason has at most 123 bytes of UTF-8, and no half character", async () => {
  const { handler } = mount();
  const { socket, closed } = await open(handler, "/checked");
  socket.send(JSON.stringify({ text: "ä".repeat(30) }));
  socket.close(1000, "é".repeat(70));
  assertEquals(await closed, `1000 ${"é".repeat(70)}`); // a client's reason is its own

  const strict = await open(handler, "/echo");
  strict.socket.send(JSON.stringify({ text: ["€".repeat(200)], ["€".repeat(200)]: 1 }));
  const reason = (await strict.closed).slice("1007 ".length);
  assertEquals([new TextEncoder().encode(reason).length <= 123, reason.isWellFormed()], [true, true]);
});

Deno.test("socket.checked() yields invalid messages with their issues, and the connection stays", async () => {
  const { handler } = mount();
  const { socket, closed, next } = await open(handler, "/checked");

  socket.send("{");
  assertEquals(await next(), '{"text":"1 The message is malformed"}');
  socket.send('{"text":""}');
  assertMatch(await next(), /^\{"text":"1 Too small/);
  socket.send('{"text":"valid"}');
  assertEquals(await next(), '{"text":"valid"}');
  socket.close();
  assertEquals(await closed, "1005");
});

Deno.test("a frame of the other kind ends a connection with 1003", async () => {
  const { handler } = mount();
  const text = await open(handler, "/echo");
  text.socket.send(new Uint8Array([123, 125]));
  assertEquals(await text.closed, "1003 messages must be text");

  const binary = await open(handler, "/bytes");
  binary.socket.send(new Uint8Array([1, 2, 3]));
  assertEquals(await binary.next(), "3,2,1");
  binary.socket.send("text");
  assertEquals(await binary.closed, "1003 messages must be binary");
});

Deno.test("a message that is too long ends a connection with 1009, by its bytes", async () => {
  const { handler } = mount({ maxMessageBytes: 60 });
  const fits = await open(handler, "/small");
  fits.socket.send('{"text":"aaaaaaaaaaaaaaaaaaaa"}'.padEnd(40)); // 40 bytes
  assertEquals(await fits.next(), '{"text":"aaaaaaaaaaaaaaaaaaaa"}');
  fits.socket.send('{"text":"aaaaaaaaaaaaaaaaaaaa"}'.padEnd(41));
  assertEquals(await fits.closed, "1009 a message has more than 40 bytes");

  const wide = await open(handler, "/echo");
  wide.socket.send('{"text":"€€€€€€€€€€"}'); // 41 bytes
  assertEquals(await wide.next(), '{"text":"€€€€€€€€€€"}');
  wide.socket.send('{"text":"€€€€€€€€€€€€€€€€€€€€"}'); // 71 bytes in 31 characters
  assertEquals(await wide.closed, "1009 a message has more than 60 bytes");
});

Deno.test("more unread messages than maxBufferedMessages end a connection with 1008", async () => {
  const { handler, log } = mount({ maxBufferedMessages: 8 });
  const { socket, closed } = await open(handler, "/silent");
  await settled();
  for (let count = 0; count < 9; count++) socket.send('{"text":"a"}');

  assertEquals(await closed, "1008 too many messages are unread");
  await settled();
  assertEquals(log, ["silent 8"]); // what had arrived
});

Deno.test("more unread bytes than maxBufferedBytes end a connection with 1008", async () => {
  const { handler } = mount({ maxBufferedBytes: 100 });
  const { socket, closed } = await open(handler, "/silent");
  for (let count = 0; count < 12; count++) socket.send('{"text":"a"}'); // 12 bytes each

  assertEquals(await closed, "1008 too many messages are unread");
});

Deno.test("a handler that returns closes with 1000, after what it has sent", async () => {
  const { handler, sockets } = mount();
  const { messages, closed } = await open(handler, "/returns");

  assertEquals(await closed, "1000");
  assertEquals([messages, sockets.size], [['{"text":"only"}'], 0]);
});

Deno.test("a handler that throws closes with 1011, and onError is called once, without the reason for the client", async () => {
  const { handler, sockets, log } = mount();
  const { messages, closed } = await open(handler, "/throws");

  assertEquals(await closed, "1011 internal error");
  assertEquals(messages, ['{"text":"first"}']);
  assertEquals([log, sockets.size], [["socket throws 101 /throws false secret reason"], 0]);
});

for (const text of ["undefined", "map", "nan"]) {
  Deno.test(`a message that JSON cannot carry closes with 1011, and is not sent: ${text}`, async () => {
    const { handler, log } = mount();
    const { socket, messages, closed } = await open(handler, "/misfit");
    socket.send('{"text":"fine"}');
    socket.send(JSON.stringify({ text }));

    assertEquals(await closed, "1011 internal error");
    await settled();
    assertEquals([messages, log.length], [['"fine"'], 2]);
    assertMatch(log[0]!, /^socket misfit 101 \/misfit false JSON cannot encode /);
    assertMatch(log[1]!, /^misfit JSON cannot encode /);
  });
}

Deno.test("a message that the schema refuses rejects send() with its issues, closes with 1011, and is reported once", async () => {
  const { handler, log } = mount();
  const { messages, closed } = await open(handler, "/refused");

  assertEquals(await closed, "1011 internal error");
  await settled();
  assertEquals([messages, log.length], [['{"text":"first"}'], 2]);
  assertMatch(
    log[0]!,
    /^socket refused 101 \/refused false Cannot send a message of GET \/refused \(refused\): text: /,
  );
  assertEquals(log[1], `send rejected with ${log[0]!.slice("socket refused 101 /refused false ".length)}`);
});

Deno.test("messages arrive in the order of send(), also if their codecs take different times", async () => {
  const { handler } = mount();
  const { socket, messages, next } = await open(handler, "/slow");
  socket.send('{"text":"azbyc"}');
  for (let count = 0; count < 5; count++) await next();

  assertEquals(messages, ['"a!"', '"z!"', '"b!"', '"y!"', '"c!"']);
  socket.close();
});

Deno.test("socket.close() closes with a declared code, and throws for others", async () => {
  const { handler, log } = mount();
  const { socket, closed, next } = await open(handler, "/closes");

  socket.send('{"text":"undeclared"}');
  assertEquals(
    await next(),
    '{"text":"Cannot close a connection of GET /closes (closes): the code must be 1000 or 4001, got 4002"}',
  );
  socket.send('{"text":"over"}');
  assertEquals(await closed, "4001 over");
  await settled();
  assertEquals(log, ["closes"]);
});

Deno.test("a client that reads too slowly makes an awaited send() wait, and is left with 1013 if nothing awaits", async () => {
  const { handler, sockets, log } = mount();
  const flooded = await open(handler, "/flood", {}, false);
  await settled();
  assertEquals(log, ["flood AbortError true"]);
  flooded.socket.accept();
  assertEquals(await flooded.closed, "1013 the client reads too slowly");

  const waiting = await open(handler, "/waits", {}, false);
  await new Promise((resolve) => setTimeout(resolve, 350));
  assertEquals(log, ["flood AbortError true", "waits true"]);
  waiting.socket.terminate();
  await settled();
  assertEquals([log.at(-1), sockets.size], ["waits over", 0]);
});

Deno.test("shutDown() closes with 1001, waits for finally, and answers 503 to further handshakes", async () => {
  const { handler, sockets, log } = mount();
  const clients = await Promise.all([open(handler, "/echo"), open(handler, "/echo"), open(handler, "/silent")]);
  await settled();
  await sockets.shutDown();
  assertEquals([log.toSorted(), sockets.size], [["echo aborted", "echo aborted", "silent 0"], 0]);
  assertEquals(await Promise.all(clients.map(({ closed }) => closed)), ["1001", "1001", "1001"]);

  const refused = await handler(
    new Request("http://localhost/echo", {
      headers: {
        upgrade: "WebSocket",
        connection: "keep-alive, upgrade",
        "sec-websocket-version": "13",
        "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
      },
    }),
  );
  assertEquals([refused.status, refused.headers.get("retry-after")], [503, "1"]);
  assertEquals((await refused.json()).code, "shutting-down");
  await sockets.shutDown();
});

Deno.test("a connection that is opened while the server shuts down is closed, and its function never runs", async () => {
  const { handler, sockets, log } = mount();
  const opening = open(handler, "/echo");
  await opening;
  const second = handler(new Request("http://localhost/echo"));
  await (await second).body?.cancel();
  const late = open(handler, "/echo");
  const over = sockets.shutDown();
  assertEquals(await late.then(({ closed }) => closed, (error) => error.message.slice(0, 12)), "1001");
  await over;
  assertEquals([log, sockets.size], [["echo aborted"], 0]);
});

Deno.test("an unawaited send() after the end is not an unhandled rejection", async () => {
  const { handler } = mount();
  const rejections = await rejectionsOf(async () => {
    const { socket } = await open(handler, "/flood", {}, false);
    await settled();
    socket.terminate();
    await settled();
  });
  assertEquals(rejections, []);
});

Deno.test("onClose gets the code, the reason, and the numbers of messages", async () => {
  const reports: Omit<CloseReport, "duration">[] = [];
  const { handler } = mount({
    onClose: ({ duration, ...report }) => {
      reports.push({ ...report, route: report.route });
      if (!(duration >= 0)) throw new Error("no duration");
      return Promise.reject(new Error("ignored"));
    },
  });
  const { socket, closed, next } = await open(handler, "/echo");
  socket.send('{"text":"a"}');
  await next();
  socket.close(4000, "bye");
  await closed;
  await settled();
  const over = await open(handler, "/returns");
  await over.closed;
  await settled();

  assertEquals(reports, [
    { route: { key: "echo", method: "GET", path: "/echo" }, code: 4000, reason: "bye", received: 1, sent: 1 },
    { route: { key: "returns", method: "GET", path: "/returns" }, code: 1000, reason: "", received: 0, sent: 1 },
  ]);
});

Deno.test("keepAlive sends an empty text on connections of JSON alone", async () => {
  const { handler } = mount({ keepAlive: 5 });
  const json = await open(handler, "/echo");
  const binary = await open(handler, "/bytes");
  assertEquals([await json.next(), await json.next()], ["", ""]);
  json.socket.close();
  binary.socket.close();
  await Promise.all([json.closed, binary.closed]);
  assertEquals(binary.messages, []);
});

for (const [sent, end] of [[1, "1000"], [300, "1013 the client reads too slowly"]] as const) {
  Deno.test(`a connection ends after five seconds if ${sent} messages are still being encoded`, async () => {
    const stuck = codec(z.string(), z.string(), {
      decode: (text) => text,
      encode: () => new Promise<string>(() => {}),
    });
    const texts = response.socket({ fromClient: request.text(), fromServer: stuck });
    const implementation = defineServer(
      defineContract({ routes: { it: route.get("/", { responses: { 101: texts } }) } }),
    )
      .implement({
        it: ({ response }) =>
          response(101, (socket) => {
            for (let count = 0; count < sent; count++) void socket.send("never");
          }),
      });
    const { closed } = await open(createFetchHandler(implementation, { sockets: memorySockets() }), "/");

    const start = performance.now();
    assertEquals(await closed, end);
    assert(performance.now() - start > 4_900);
  });
}
