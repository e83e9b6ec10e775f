import { type Client, ClientError, createClient } from "@scope/api/client";
import { connect, type ConnectionOf } from "@scope/api/connect";
import { follow } from "@scope/api/retry";
import { assert, assertEquals, assertGreater, assertLess, assertRejects, assertStringIncludes } from "@std/assert";
import { Audience } from "../../examples/chat/audience.ts";
import { contract, type RoomEvent } from "../../examples/chat/contract.ts";
import { MemoryRoom } from "../../examples/chat/memory_room.ts";
import type { Room, RoomItem } from "../../examples/chat/room.ts";
import { createHandler } from "../../examples/chat/server.ts";
import { askRaw, startExample } from "../support/start_example.ts";

type ChatClient = Client<typeof contract.routes>;

/** A room on a free port, and a client of it. */
interface Chat extends AsyncDisposable {
  readonly baseUrl: string;
  readonly client: ChatClient;
  readonly room: Room;
}

function serveRoom(room: Room = new MemoryRoom()): Chat {
  const { port, stop } = serve(room);
  const baseUrl = `http://127.0.0.1:${port}`;
  return { baseUrl, room, client: createClient(contract, { baseUrl }), [Symbol.asyncDispose]: stop };
}

/** Serves until it is stopped, which breaks off pending requests. */
function serve(room: Room, port = 0): { readonly port: number; readonly stop: () => Promise<void> } {
  const stopping = new AbortController();
  const options = { hostname: "127.0.0.1", port, signal: stopping.signal, onListen: () => {} };
  const server = Deno.serve(options, createHandler(room));
  const stop = async (): Promise<void> => {
    stopping.abort();
    await server.finished;
  };
  return { port: server.addr.port, stop };
}

const timeout = 30_000; // a test that waits in vain fails, and does not hang

async function listen(client: ChatClient, name: string, lastId?: string): Promise<AsyncIterableIterator<Heard>> {
  const { body } = await client.listen({ query: { name }, headers: { "last-event-id": lastId } }, { timeout });
  return body;
}

interface Heard {
  readonly id?: string;
  readonly data: RoomEvent;
}

/** The next events up to one that fits, that one included. */
async function readUntil(events: AsyncIterator<Heard>, fits: (event: RoomEvent) => boolean): Promise<Heard[]> {
  const heard: Heard[] = [];
  for (let step = await events.next(); !step.done; step = await events.next()) {
    heard.push(step.value);
    if (fits(step.value.data)) return heard;
  }
  throw new Error(`The events ended after ${JSON.stringify(heard)}`);
}

function areThere(...names: readonly string[]): (event: RoomEvent) => boolean {
  return (event) => event.type === "people" && event.names.join() === names.join();
}

function says(text: string): (event: RoomEvent) => boolean {
  return (event) => event.type === "message" && event.text === text;
}

/** The messages and their authors, in order. */
function messagesOf(heard: readonly Heard[]): string[] {
  return heard.flatMap(({ data }) => data.type === "message" ? [`${data.author}: ${data.text}`] : []);
}

Deno.test("examples/chat sends all messages to both listeners in order", async () => {
  await using chat = serveRoom();
  const { client } = chat;
  const ada = await listen(client, "Ada");
  await readUntil(ada, areThere("Ada"));
  const grace = await listen(client, "Grace");
  await readUntil(ada, areThere("Ada", "Grace"));

  const said = Array.from({ length: 20 }, (_, number) => number % 2 ? `Ada: ${number}` : `Grace: ${number}`);
  for (const line of said) {
    const [author = "", text = ""] = line.split(": ");
    await client.say({ body: { author, text } });
  }
  for (const events of [ada, grace]) {
    const heard = await readUntil(events, says("19"));
    assertEquals(messagesOf(heard), said);
    const last = heard.at(-1)!.data;
    assert(last.type === "message" && last.at instanceof Date);
    assertLess(Math.abs(Date.now() - last.at.getTime()), 60_000);
    await events.return?.();
  }
});

Deno.test("examples/chat responds 400 to a malformed Host, on every path", async () => {
  await using chat = serveRoom();
  for (const path of ["/", "/page.css", "/api/listen"]) {
    const answer = await askRaw(chat.baseUrl, `GET ${path} HTTP/1.1\r\nHost: [\r\nConnection: close\r\n\r\n`);
    assert(answer.startsWith("HTTP/1.1 400 "), answer);
    assertStringIncludes(answer, '"code":"invalid-path"');
  }
});

Deno.test("examples/chat detects that a listener leaves its loop, aborts, or sends only HEAD", async () => {
  await using chat = serveRoom();
  const { client } = chat;
  const ada = await listen(client, "Ada");

  for await (const { data } of (await client.listen({ query: { name: "Grace" } })).body) {
    if (areThere("Ada", "Grace")(data)) break;
  }
  await readUntil(ada, areThere("Ada", "Grace"));
  await readUntil(ada, areThere("Ada"));

  const leaving = new AbortController();
  await client.listen({ query: { name: "Joan" } }, { signal: leaving.signal });
  await readUntil(ada, areThere("Ada", "Joan"));
  leaving.abort();
  await readUntil(ada, areThere("Ada"));

  const head = await fetch(client.listen.url({ query: { name: "Mary" } }), { method: "HEAD" });
  assertEquals([head.status, head.headers.get("content-type")], [200, "text/event-stream"]);
  await readUntil(ada, areThere("Ada", "Mary"));
  await readUntil(ada, areThere("Ada"));
  await ada.return?.();
});

Deno.test("examples/chat sends a listener that reconnects what it missed, and nothing twice", async () => {
  await using chat = serveRoom(new MemoryRoom({ history: 3, queue: 10 }));
  const { client, room } = chat;
  const before = await listen(client, "Ada");
  room.say("Grace", "seen");
  const lastId = (await readUntil(before, says("seen"))).at(-1)?.id;
  await before.return?.();
  for (const text of ["a", "b"]) room.say("Grace", text);

  const missed = await listen(client, "Ada", lastId);
  assertEquals(messagesOf(await readUntil(missed, areThere("Ada"))), ["Grace: a", "Grace: b"]);
  await missed.return?.();

  room.say("Grace", "c");
  const afresh = await listen(client, "Ada");
  const kept = ["Grace: a", "Grace: b", "Grace: c"];
  assertEquals(messagesOf(await readUntil(afresh, areThere("Ada"))), kept, "no more than the history");
  await afresh.return?.();
});

Deno.test("follow() continues at its place in the room after a restart of the server", async () => {
  const room = new MemoryRoom();
  const first = serve(room);
  const { port } = first;
  const signal = AbortSignal.timeout(timeout);
  const client = createClient(contract, { baseUrl: `http://127.0.0.1:${port}` });
  const events = follow(client.listen, { query: { name: "Ada" } }, { signal });
  const readText = async (): Promise<string> => {
    for (let step = await events.next(); !step.done; step = await events.next()) {
      const { data } = step.value;
      if (data.type === "message") return data.text;
    }
    return "the end";
  };

  room.say("Grace", "before");
  assertEquals(await readText(), "before");
  await first.stop();
  room.say("Grace", "meanwhile");
  const second = serve(room, port);
  assertEquals(await readText(), "meanwhile");
  room.say("Grace", "after");
  assertEquals(await readText(), "after");

  const rest = readText();
  await events.return();
  assertEquals(await rest, "the end");
  await second.stop();
});

Deno.test("examples/chat drops a listener that does not read, without delaying others", async () => {
  await using chat = serveRoom();
  const { client, room } = chat;
  const stuck = await listen(client, "Stuck"); // reads nothing
  const ada = await listen(client, "Ada");
  await readUntil(ada, areThere("Ada", "Stuck"));
  const text = "x".repeat(1990);
  const limit = 20_000; // times 2 kB: more than any socket keeps

  let said = 0;
  let isAlone = false;
  while (!isAlone && said < limit) {
    for (let count = 0; count < 50; count++) room.say("Grace", `${++said} ${text}`);
    const heard = await readUntil(ada, says(`${said} ${text}`)); // before more is said: she is never behind
    assertEquals(messagesOf(heard).length, 50);
    isAlone = heard.some(({ data }) => areThere("Ada")(data));
  }
  assertLess(said, limit, "whoever does not read is let go");

  let unread = 0;
  for await (const { data } of stuck) unread += data.type === "message" ? 1 : 0;
  assertGreater(unread, 0);
  assertLess(unread, said, "the rest was not kept for it");
  await ada.return?.();
});

Deno.test("MemoryRoom.listen() queues at most its limit, and then ends", async () => {
  const room = new MemoryRoom({ history: 2, queue: 4 });
  const slow = room.listen("Slow").getReader(); // its own arrival is the first event
  for (let number = 0; number < 1000; number++) room.say("Ada", String(number));

  const queued: unknown[] = [];
  for (let step = await slow.read(); !step.done; step = await slow.read()) {
    queued.push(step.value.data.type === "message" ? step.value.data.text : step.value.data.names);
  }
  assertEquals(queued, [["Slow"], "0", "1", "2"]);
});

Deno.test("MemoryRoom.close() ends the streams of present and later listeners", async () => {
  const room = new MemoryRoom();
  room.say("Ada", "last");
  const reader = room.listen("Grace").getReader();
  room.close();
  const types = async (reader: ReadableStreamDefaultReader<RoomItem>): Promise<string[]> => {
    const types: string[] = [];
    for (let step = await reader.read(); !step.done; step = await reader.read()) types.push(step.value.data.type);
    return types;
  };
  assertEquals(await types(reader), ["message", "people"], "what was queued before");
  assertEquals(await types(room.listen("Joan").getReader()), []);
});

Deno.test("Audience.join() skips messages that a listener received from a process that is ahead", async () => {
  const audience = new Audience({ history: 3, queue: 10 }, () => {});
  const say = (id: string): void =>
    audience.broadcast({ id, data: { type: "message", author: "Ada", text: id, at: new Date() } });
  say("9-2");
  const reader = audience.join("Grace", "10-9").getReader();
  for (const id of ["9-3", "10-9", "10-10", "11-0"]) say(id);
  audience.close();
  const heard: unknown[] = [];
  for (let step = await reader.read(); !step.done; step = await reader.read()) heard.push(step.value.id);
  assertEquals(heard, ["10-10", "11-0"]);
});

Deno.test("examples/chat responds 503 if a message could not be stored", async () => {
  class FailingRoom extends MemoryRoom {
    override say(): boolean {
      return false;
    }
  }
  await using chat = serveRoom(new FailingRoom());
  const result = await chat.client.say({ body: { author: "Ada", text: "a" } });
  assertEquals(result.status, 503);
});

Deno.test("examples/chat sends a message once per idempotency key", async () => {
  await using chat = serveRoom();
  const ada = await listen(chat.client, "Ada");
  const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
  for (const [key, text] of [[first, "a"], [second, "b"], [first, "a"], [undefined, "b"], [undefined, "b"]] as const) {
    const { status } = await chat.client.say({ headers: { "idempotency-key": key }, body: { author: "Grace", text } });
    assertEquals(status, 204);
  }
  chat.room.say("Grace", "the end");
  const heard = messagesOf(await readUntil(ada, says("the end")));
  assertEquals(heard, ["Grace: a", "Grace: b", "Grace: b", "Grace: b", "Grace: the end"]);
  await ada.return?.();
});

Deno.test("deno task chat ends at Ctrl+C despite listeners", async () => {
  const example = await startExample("chat", {}, "in two windows");
  const client = createClient(contract, { baseUrl: example.baseUrl });
  const ada = await listen(client, "Ada");
  await readUntil(ada, areThere("Ada"));
  await example.stop();
  assertEquals((await ada.next()).done, true, "the events end, they do not break off");
});

Deno.test("examples/chat refuses invalid names, texts and ids, and too long ones", async () => {
  await using chat = serveRoom();
  const { client, baseUrl } = chat;
  const post = async (body: string): Promise<number> => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${baseUrl}/api/messages`, { method: "POST", headers, body });
    await answer.body?.cancel();
    return answer.status;
  };
  const [long, tooLong] = [2000, 2001].map((length) => "€".repeat(length));
  assertEquals(await post(JSON.stringify({ author: "Ada", text: long })), 204);
  assertEquals(await post(JSON.stringify({ author: "Ada", text: tooLong })), 400);
  assertEquals(await post(JSON.stringify({ author: " ", text: "a" })), 400);
  assertEquals(await post(JSON.stringify({ author: "Ada", text: "a".repeat(20_000) })), 413);
  for (const id of ["-1", "1", "1-", "1e3-0", "0x1-0", "1-2-3", "9999999999999999-0", "a", "$", "+"]) {
    const answer = await fetch(client.listen.url({ query: { name: "Ada" } }), { headers: { "last-event-id": id } });
    await answer.body?.cancel();
    assertEquals(answer.status, 400);
  }
});

Deno.test("examples/chat sends hostile text as plain text", async () => {
  await using chat = serveRoom();
  const hostile = "\r\n\r\nid: 9\ndata: {}\u2028\0\n\ndata: <script>";
  const ada = await listen(chat.client, hostile);
  await chat.client.say({ body: { author: hostile, text: `${hostile}.` } });

  const heard = await readUntil(ada, says(`${hostile.trim()}.`));
  assertEquals(heard.map(({ data }) => data.type), ["people", "message"]);
  assertEquals(messagesOf(heard), [`${hostile.trim()}: ${hostile.trim()}.`]);
  await ada.return?.();
});

Deno.test("examples/chat announces over a WebSocket who is typing", async () => {
  await using chat = serveRoom();
  const enter = async (name: string): Promise<ConnectionOf<ChatClient["typing"]>> => {
    const opened = Promise.withResolvers<void>();
    const connection = connect(chat.client.typing, { query: { name } }, { onConnect: () => opened.resolve() });
    await opened.promise;
    return connection;
  };
  const [ada, grace] = [await enter("Ada"), await enter("Grace")];
  await ada.send({ isTyping: true });
  assertEquals(await grace.next(), { done: false, value: { name: "Ada" } });
  grace.close();
  await grace.closed;
  await ada.send({ isTyping: true });
  ada.close();
  await ada.closed;
  assertEquals(await ada.next(), { done: true, value: undefined }, "no one hears themselves");
});

Deno.test("examples/chat closes a WebSocket whose message does not say that someone is typing", async () => {
  await using chat = serveRoom();
  const ada = connect(chat.client.typing, { query: { name: "Ada" } });
  ada.send({ isTyping: false } as never);
  const error = await assertRejects(() => ada.next(), ClientError);
  assertEquals([error.code, error.closeCode], ["unexpected-close", 1007]);
  const refused = await assertRejects(() => connect(chat.client.typing, { query: { name: " " } }).next(), ClientError);
  assertEquals([refused.status, refused.problem?.issues?.[0]?.location], [400, "query"]);
});

Deno.test("examples/chat responds 426 to a request without a WebSocket upgrade", async () => {
  await using chat = serveRoom();
  const error = await assertRejects(() => chat.client.typing({ query: { name: "Ada" } }), ClientError);
  assertEquals([error.status, error.response?.headers.get("upgrade")], [426, "websocket"]);
});

Deno.test("deno task chat serves only the page and its bundle", async () => {
  await using example = await startExample("chat", {}, "in two windows");
  const page = await fetch(example.baseUrl);
  assertEquals([page.status, page.headers.get("content-type")], [200, "text/html; charset=UTF-8"]);
  assertStringIncludes(page.headers.get("content-security-policy")!, "default-src 'none'; script-src 'self'");
  assertStringIncludes(await page.text(), `<script type="module" src="page.js">`);

  const bundle = await fetch(`${example.baseUrl}/page.js`);
  assertEquals([bundle.status, bundle.headers.get("content-type")], [200, "text/javascript; charset=UTF-8"]);
  assert(!/\beval\(|new Function/.test(await bundle.text()), "the policy forbids both");
  const again = await fetch(`${example.baseUrl}/page.js`, {
    headers: { "if-none-match": bundle.headers.get("etag")! },
  });
  assertEquals([again.status, await again.text()], [304, ""]);
  for (const path of ["server.ts", "%2e%2e%2fserver.ts", "..%2f..%2fdeno.json", ".env", "api"]) {
    const answer = await fetch(`${example.baseUrl}/${path}`);
    await answer.body?.cancel();
    assertEquals(answer.status, 404, path);
  }
});
