/** The room of examples/chat in a real store that two processes share, behind one address. */
import { type Client, createClient } from "@scope/api/client";
import { follow, retry } from "@scope/api/retry";
import { assertEquals, assertLess } from "@std/assert";
import { createClient as connect } from "redis";
import { contract } from "../../examples/chat/contract.ts";
import type { Room, RoomItem, RoomLimits } from "../../examples/chat/room.ts";
import { ValkeyRoom } from "../../examples/chat/valkey_room.ts";
import { type OneAddress, serveAtOneAddress } from "./one_address.ts";
import { findRedis, start, type Started, startRedis } from "../support/processes.ts";

const command = findRedis();
if (command === undefined) {
  console.error("NOT TESTED: a room in Valkey. There is neither valkey-server nor redis-server; install Debian's.");
}
const options = { ignore: command === undefined };
const patience = 60_000;

type ChatClient = Client<typeof contract.routes>;

/** The address of a store that has its own file, `unix://…`. */
function serveStore({ url }: { readonly url: string }): OneAddress {
  return serveAtOneAddress([{ transport: "unix", path: url.slice("unix://".length) }]);
}

/** Starts the example, in several isolates of one process if `parallel` is passed. */
function startChat(host: string, ...parallel: readonly "--parallel"[]): Promise<Started> {
  const args = [
    "serve",
    ...parallel,
    "--quiet",
    "--no-prompt",
    "--unstable-no-legacy-abort",
    "--host=127.0.0.1",
    "--port=0",
    "--allow-net=127.0.0.1",
    "--allow-read=examples/chat/public",
    "--allow-env=CHAT_VALKEY",
    "examples/chat/server.ts",
  ];
  return start(Deno.execPath(), args, /localhost:(\d+)/, {
    CHAT_VALKEY: `valkey://${host}`,
    DENO_JOBS: "2",
  });
}

/** Two processes with one room, one of them with two isolates. */
interface Chats extends AsyncDisposable {
  readonly one: Started;
  readonly other: Started;
  readonly address: OneAddress;
  /** Cuts the connections that the processes read messages from, or all of their connections; returns how many. */
  readonly cut: (which: "reading" | "all") => Promise<number>;
}

async function startChats(): Promise<Chats> {
  await using stack = new AsyncDisposableStack();
  const redis = stack.use(await startRedis(command!));
  const store = stack.adopt(await connect({ url: redis.url }).connect(), (store) => store.close());
  const { host } = stack.use(serveStore(redis));
  const [one, other] = [stack.use(await startChat(host, "--parallel")), stack.use(await startChat(host))];
  const ports = [one, other].map(({ found }) => Number(found[1]));
  const address = stack.use(serveAtOneAddress(ports.map((port) => ({ hostname: "127.0.0.1", port }))));
  const cut = async (which: "reading" | "all"): Promise<number> => {
    const own = await store.clientId();
    const others = (await store.clientList()).filter(({ id }) => id !== own);
    const cut = others.filter(({ cmd }) => which === "all" || cmd === "xread"); // the last command
    for (const { id } of cut) await store.sendCommand(["CLIENT", "KILL", "ID", String(id)]);
    return cut.length;
  };
  const all = stack.move();
  return { one, other, address, cut, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** A store, and rooms in this process that share it. */
interface Stores extends AsyncDisposable {
  /** Sends a command to the store. */
  readonly send: <Reply>(...command: readonly string[]) => Promise<Reply>;
  readonly open: () => Promise<Room>;
}

async function openStores(limits: RoomLimits): Promise<Stores> {
  await using stack = new AsyncDisposableStack();
  const redis = stack.use(await startRedis(command!));
  const store = stack.adopt(await connect({ url: redis.url }).connect(), (store) => store.close());
  const { host } = stack.use(serveStore(redis));
  const all = stack.move();
  const open = async (): Promise<Room> =>
    all.adopt(await ValkeyRoom.open(`redis://${host}`, limits), (room) => room.close());
  const send = <Reply>(...command: readonly string[]): Promise<Reply> => store.sendCommand(command) as Promise<Reply>;
  return { send, open, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** Someone who reads on, connection after connection. */
interface Reader extends AsyncDisposable {
  /** The messages, in the order in which they arrived. */
  readonly heard: readonly string[];
  /** Who was there at last. */
  readonly people: () => readonly string[];
  /** Waits until something holds. */
  readonly until: (holds: () => boolean) => Promise<void>;
}

function read(client: ChatClient, name: string): Reader {
  const heard: string[] = [];
  let people: readonly string[] = [];
  const events = follow(client.listen, { query: { name } }, { silence: patience });
  let wake = Promise.withResolvers<void>();
  const reading = (async () => {
    for await (const { data } of events) {
      if (data.type === "message") heard.push(data.text);
      else people = data.names;
      wake.resolve();
      wake = Promise.withResolvers();
    }
  })();
  const until = async (holds: () => boolean): Promise<void> => {
    const { promise: late, resolve } = Promise.withResolvers<"late">();
    const timer = setTimeout(resolve, patience, "late");
    while (!holds()) {
      const state = await Promise.race([wake.promise, late, reading.then(() => "the end")]);
      assertEquals(state, undefined, `${name} heard ${heard.slice(-5)} and saw ${people}`);
    }
    clearTimeout(timer);
  };
  const stop = async (): Promise<void> => {
    await events.return();
    await reading;
  };
  return { heard, people: () => people, until, [Symbol.asyncDispose]: stop };
}

/** Sends numbers until it is stopped; returns all of them. */
function sayNumbers(client: ChatClient): { readonly stop: () => Promise<string[]> } {
  let isOver = false;
  const saying = (async () => {
    const said: string[] = [];
    for (let number = 1; !isOver; number++) {
      said.push(await say(client, String(number)));
      await wait(40); // fewer than the room keeps, until everyone is back
    }
    return said;
  })();
  const stop = (): Promise<string[]> => {
    isOver = true;
    return saying;
  };
  return { stop };
}

async function say(client: ChatClient, text: string): Promise<string> {
  const headers = { "idempotency-key": crypto.randomUUID() };
  assertEquals((await client.say({ headers, body: { author: "Counter", text } })).status, 204);
  return text;
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/**
 * Sends numbers during an action; then every reader has received each of them once, in the order in which they were
 * sent.
 */
async function hearsAll(address: OneAddress, meanwhile: () => Promise<void>): Promise<void> {
  const client = createClient(contract, { baseUrl: `http://${address.host}`, around: retry() });
  await using stack = new AsyncDisposableStack();
  const names = ["Ada", "Grace", "Joan", "Mary"];
  const readers = names.map((name) => stack.use(read(client, name)));
  for (const reader of readers) await reader.until(() => reader.people().join() === names.join());

  const numbers = sayNumbers(client);
  stack.defer(async () => void await numbers.stop().catch(() => {})); // also where something else has failed
  await wait(300);
  await meanwhile();
  await wait(4000); // they come back after three seconds
  const said = await numbers.stop();
  said.push(await say(client, "the end"));

  for (const reader of readers) {
    await reader.until(() => reader.heard.at(-1) === "the end");
    assertEquals(reader.heard, said);
  }
}

Deno.test("no message is lost when a process is killed", options, async () => {
  await using chats = await startChats();
  await hearsAll(chats.address, async () => {
    assertEquals((await chats.one.end("SIGKILL")).signal, "SIGKILL");
  });
});

Deno.test("a process ends on SIGTERM, and its clients reconnect to the other", options, async () => {
  await using chats = await startChats();
  await hearsAll(chats.address, async () => {
    const asked = performance.now();
    assertEquals((await chats.one.end("SIGTERM")).code, 0);
    assertLess(performance.now() - asked, 10_000);
  });
});

Deno.test("no message is lost when connections to Valkey are cut", options, async () => {
  await using chats = await startChats();
  await hearsAll(chats.address, async () => {
    assertEquals(await chats.cut("reading"), 3); // of three isolates
    await wait(1000);
    assertEquals(await chats.cut("all"), 6);
  });
});

/** The next names or texts that a listener reads. */
async function take(reader: ReadableStreamDefaultReader<RoomItem>, count: number): Promise<unknown[]> {
  const taken: unknown[] = [];
  while (taken.length < count) {
    const { value } = await reader.read();
    taken.push(value?.data.type === "message" ? value.data.text : value?.data.names);
  }
  return taken;
}

Deno.test("ValkeyRoom reports people and typing in other processes, and drops a silent process", options, async () => {
  await using stores = await openStores({ history: 3, queue: 10 });
  const { send, open } = stores;
  const [seconds = ""] = await send<string[]>("TIME");
  const announce = (ago: number, process: string, names: string): Promise<string> =>
    send("XADD", "{chat}:news", `${Number(seconds) - ago}000-0`, "process", process, "names", names);
  await announce(31, "killed", '["Ghost"]');
  await announce(20, "busy", '["Grace"]');

  const room = await open();
  const other = await open();
  const ada = room.listen("Ada").getReader();
  const joan = other.listen("Joan").getReader();
  assertEquals(await take(ada, 2), [["Ada", "Grace"], ["Ada", "Grace", "Joan"]]);
  assertEquals((await take(joan, 2)).at(-1), ["Ada", "Grace", "Joan"]);

  const typed = new Promise((resolve) => room.onTyping = resolve);
  other.type("Joan");
  assertEquals(await typed, "Joan");

  await other.close();
  assertEquals(await take(joan, 1), [undefined], "its listeners have read the end");
  assertEquals(await take(other.listen("Late").getReader(), 1), [undefined]);
  assertEquals(await take(ada, 1), [["Ada", "Grace"]]);
});

Deno.test("ValkeyRoom stores a message once per key, in any process", options, async () => {
  await using stores = await openStores({ history: 3, queue: 10 });
  const rooms = [await stores.open(), await stores.open()];
  const listeners = rooms.map((room) => room.listen("Ada").getReader());
  const keys = [crypto.randomUUID(), crypto.randomUUID()];
  for (const key of [...keys, ...keys]) {
    for (const room of rooms) assertEquals(await room.say("Grace", keys.indexOf(key) ? "b" : "a", key), true);
  }
  await rooms[0]!.say("Grace", "the end");
  for (const listener of listeners) {
    const taken = await take(listener, 5); // with the names of both
    assertEquals(taken.filter((each) => typeof each === "string"), ["a", "b", "the end"]);
  }
});

Deno.test(
  "ValkeyRoom replays all messages that it keeps after an older id, and continues in an emptied store",
  options,
  async () => {
    await using stores = await openStores({ history: 3, queue: 10 });
    const { send, open } = stores;
    const room = await open();
    const ada = room.listen("Ada").getReader();
    await room.say("Grace", "0");
    assertEquals(await take(ada, 2), [["Ada"], "0"]);
    const [[first] = []] = await send<string[][]>("XRANGE", "{chat}:messages", "-", "+");
    for (const text of ["1", "2", "3", "4"]) await room.say("Grace", text);
    assertEquals(await take(ada, 4), ["1", "2", "3", "4"]);

    const other = await open();
    for (const each of [room, other]) {
      assertEquals(await take(each.listen("Joan", first).getReader(), 3), ["2", "3", "4"]);
    }

    await send("FLUSHALL");
    await other.say("Grace", "5");
    while ((await take(ada, 1))[0] !== "5"); // others have come in between
    assertEquals(await take(room.listen("Mary", first).getReader(), 3), ["3", "4", "5"]);
  },
);
