/**
 * A room that several processes share through Valkey or Redis. One stream has the messages, with their ids and their
 * order. Another has the notices of who is in the room and who is typing. Each process reads both once, for all of its listeners.
 *
 * @module
 */
import { createClient, type RedisClientType } from "redis";
import { Audience } from "./audience.ts";
import { type Room, type RoomItem, type RoomLimits, usualLimits } from "./room.ts";

const messages = "{chat}:messages"; // the braces keep both keys on one node of a cluster
const news = "{chat}:news";

/** Adds a message, unless one with its key was added in the last hour. */
const addMessage = `
  if redis.call("SET", KEYS[2], "", "NX", "EX", 3600) then
    redis.call("XADD", KEYS[1], "MAXLEN", "~", ARGV[1], "*", "author", ARGV[2], "text", ARGV[3])
  end
`;

/** Milliseconds between two announcements of a process, and until a silent process is considered down. */
const times = { announce: 10_000, gone: 30_000 };

/** The people in the room in another process. */
interface Announced {
  readonly names: string; // JSON
  readonly at: number;
}

type Entry = Readonly<Record<string, string>>;

export class ValkeyRoom implements Room {
  readonly #process = crypto.randomUUID();
  readonly #others = new Map<string, Announced>();
  readonly #lastIds: Record<string, string> = { [messages]: "0-0", [news]: "0-0" };
  readonly #limits: RoomLimits;
  readonly #audience: Audience;
  readonly #writer: Client;
  readonly #reader: Client;
  #timer?: ReturnType<typeof setInterval>;
  onTyping: (name: string) => void = () => {};

  /** Connects, and reads the messages that the store keeps. */
  static async open(url: string, limits: RoomLimits = usualLimits): Promise<ValkeyRoom> {
    const room = new ValkeyRoom(url, limits);
    await Promise.all([room.#writer.connect(), room.#reader.connect()]);
    await room.#announce();
    await room.#read();
    room.#readOn();
    room.#timer = setInterval(() => room.#announce(), times.announce);
    return room;
  }

  private constructor(url: string, limits: RoomLimits) {
    this.#limits = limits;
    this.#audience = new Audience(limits, () => {
      this.#showPeople();
      this.#announce();
    });
    this.#writer = connectTo(url);
    this.#reader = connectTo(url); // a read that waits blocks its connection
  }

  async say(author: string, text: string, key: string = crypto.randomUUID()): Promise<boolean> {
    const values = [String(this.#limits.history), author, text];
    try {
      await this.#writer.eval(addMessage, { keys: [messages, `{chat}:key:${key}`], arguments: values });
      return true;
    } catch (error) {
      report(error);
      return false; // the message may be stored, and only the reply lost
    }
  }

  listen(name: string, afterId?: string): ReadableStream<RoomItem> {
    return this.#audience.join(name, afterId);
  }

  type(name: string): void {
    this.onTyping(name);
    this.#publish({ typing: name });
  }

  async close(): Promise<void> {
    if (!this.#reader.isOpen) return;
    clearInterval(this.#timer);
    this.#audience.close();
    this.#reader.destroy();
    await this.#announce();
    await this.#writer.close();
  }

  #announce(): Promise<void> {
    return this.#publish({ names: JSON.stringify(this.#audience.names) });
  }

  /** Notices that cannot be sent are dropped: the next announcement repeats who is in the room. */
  async #publish(entry: Entry): Promise<void> {
    const trimming = { TRIM: { strategy: "MAXLEN", strategyModifier: "~", threshold: 1000 } } as const;
    await this.#writer.xAdd(news, "*", { process: this.#process, ...entry }, trimming).catch(() => {});
  }

  /** Continues after the last entry that it read, even if the connection was lost in between. */
  async #readOn(): Promise<void> {
    while (this.#reader.isOpen) {
      try {
        await this.#read({ BLOCK: 5000 });
      } catch (error) {
        if (!this.#reader.isOpen) return;
        report(error);
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  }

  async #read(options: { readonly BLOCK?: number } = {}): Promise<void> {
    const positions = Object.entries(this.#lastIds).map(([key, id]) => ({ key, id }));
    for (const { name, messages } of await this.#reader.xRead(positions, options) ?? []) {
      for (const { id, message } of messages) {
        this.#lastIds[name] = id;
        this.#receive(name, id, message);
      }
    }
  }

  #receive(stream: string, id: string, entry: Entry): void {
    const at = parseInt(id); // an id starts with the time of the store
    if (stream === news) return this.#receiveNews(entry, at);
    const { author = "", text = "" } = entry;
    this.#audience.broadcast({ id, data: { type: "message", author, text, at: new Date(at) } });
  }

  #receiveNews({ process = "", names, typing }: Entry, at: number): void {
    const before = this.#listOthers().join();
    for (const [key, other] of this.#others) if (other.at < at - times.gone) this.#others.delete(key);
    if (process !== this.#process) { // ignore its own notices
      if (names !== undefined) this.#others.set(process, { names, at });
      if (typing !== undefined) this.onTyping(typing);
    }
    if (this.#listOthers().join() !== before) this.#showPeople();
  }

  #listOthers(): string[] {
    return Array.from(this.#others.values(), ({ names }) => JSON.parse(names)).flat();
  }

  #showPeople(): void {
    const names = [...new Set([...this.#audience.names, ...this.#listOthers()])].sort();
    this.#audience.broadcast({ data: { type: "people", names } });
  }
}

type Client = RedisClientType<Record<never, never>, Record<never, never>, Record<never, never>, 3>;

/** Creates a client that reconnects automatically. A command that it cannot send within 5 seconds fails. It does not repeat commands. */
function connectTo(url: string): Client {
  const client = createClient({
    url: url.replace(/^valkey/, "redis"), // the client supports only redis: and rediss:
    socket: { socketTimeout: 2 * times.announce }, // data arrives more often on a working connection
    commandOptions: { timeout: 5000 },
    maintNotifications: "disabled", // a feature of Redis Cloud, for which the client would read the environment
  });
  return client.on("error", report);
}

function report(error: unknown): void {
  console.error(`Valkey: ${error instanceof Error ? error.message : error}`);
}
