import { defineContract, response, route } from "@scope/api";
import { createClient } from "@scope/api/client";
import { follow } from "@scope/api/retry";
import { assertEquals, assertLess } from "@std/assert";
import { type } from "arktype";

Deno.test.sanitizer({ ops: true, resources: true });

const contract = defineContract({
  routes: {
    events: route.get("/:run", {
      headers: type({ "last-event-id?": "string" }),
      responses: { 200: response.sse(type("string")), 204: response.empty() },
    }),
  },
});

const log = ["one", "", "drei €", "a\nb", "🙂"];

/** The part of the log that a connection sends after an id, each event in its own chunk. */
function* answer(isChunked: boolean, lastEventId: number): Generator<string> {
  const framing = isChunked ? "transfer-encoding: chunked\r\n" : "";
  yield `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n${framing}connection: close\r\n\r\n`;
  const parts = [
    "retry: 0\n\n",
    ...log.map((data, index) => `: \nid: ${index + 1}\ndata: ${JSON.stringify(data)}\n\n`),
  ];
  for (const part of [parts[0]!, ...parts.slice(lastEventId + 1)]) {
    const length = new TextEncoder().encode(part).length.toString(16);
    yield isChunked ? `${length}\r\n${part}\r\n` : part;
  }
  if (isChunked) yield "0\r\n\r\n";
}

const encode = (isChunked: boolean, lastEventId: number): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode([...answer(isChunked, lastEventId)].join(""));

/** How a run cuts its connections: after some bytes the first, or all. */
interface Run {
  readonly isChunked: boolean;
  readonly bytes: number;
  readonly cutsAll: boolean;
}

/** A server that closes sockets in the middle of its responses, and the ids with which each run reconnected. */
class CuttingServer {
  readonly ids: string[][] = [];
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #runs: readonly Run[];
  readonly #served: Promise<void>;

  constructor(runs: readonly Run[]) {
    this.#runs = runs;
    this.ids = runs.map(() => []);
    this.#served = this.#serve();
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#listener.addr as Deno.NetAddr).port}`;
  }

  async #serve(): Promise<void> {
    const answers: Promise<void>[] = [];
    for await (const socket of this.#listener) answers.push(this.#answer(socket));
    await Promise.all(answers);
  }

  async #answer(socket: Deno.Conn): Promise<void> {
    try {
      let head = "";
      for (const buffer = new Uint8Array(4096); !head.includes("\r\n\r\n");) {
        const read = await socket.read(buffer);
        if (read === null) return;
        head += new TextDecoder().decode(buffer.subarray(0, read));
      }
      const number = Number(/^GET \/(\d+) /.exec(head)![1]);
      const id = /^last-event-id: (\d+)/im.exec(head)?.[1] ?? "";
      await this.#send(socket, number, id);
    } catch (error) {
      if (!(error instanceof Deno.errors.BrokenPipe || error instanceof Deno.errors.ConnectionReset)) throw error;
    } finally {
      socket.close();
    }
  }

  async #send(socket: Deno.Conn, number: number, id: string): Promise<void> {
    const { isChunked, bytes, cutsAll } = this.#runs[number]!;
    const isFirst = this.ids[number]!.push(id) === 1;
    const whole = Number(id) === log.length
      ? new TextEncoder().encode("HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n")
      : encode(isChunked, Number(id));
    const sent = isFirst || cutsAll && Number(id) < log.length ? whole.subarray(0, bytes) : whole;
    for (let offset = 0; offset < sent.length;) offset += await socket.write(sent.subarray(offset));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    await this.#served;
  }
}

/** Follows the log to its end. */
async function readLog(baseUrl: string, run: number): Promise<string[]> {
  const client = createClient(contract, { baseUrl });
  const seen: string[] = [];
  for await (const { data } of follow(client.events, { params: { run } })) seen.push(data);
  return seen;
}

for (const isChunked of [false, true]) {
  const framing = isChunked ? "in chunks" : "that ends with its connection";
  const { length } = encode(isChunked, 0);

  Deno.test(`follow() yields every event once, whichever byte of a response ${framing} is the last`, async () => {
    const runs = Array.from({ length: length + 1 }, (_, bytes): Run => ({ isChunked, bytes, cutsAll: false }));
    await using server = new CuttingServer(runs);
    const seen = await Promise.all(runs.map((_, run) => readLog(server.baseUrl, run)));
    for (const [bytes, each] of seen.entries()) assertEquals(each, log, `cut after ${bytes} bytes`);
    assertLess(2, new Set(server.ids.map(([, second]) => second)).size);
  });

  Deno.test(`follow() yields every event once if all responses ${framing} are cut but each contains one`, async () => {
    const longest = [...answer(isChunked, 0)].map((part) => new TextEncoder().encode(part).length);
    const least = longest[0]! + longest[1]! + Math.max(...longest.slice(2)); // the head, the delay and one event
    const runs = Array.from(
      { length: length - least },
      (_, more): Run => ({ isChunked, bytes: least + more, cutsAll: true }),
    );
    await using server = new CuttingServer(runs);
    const seen = await Promise.all(runs.map((_, run) => readLog(server.baseUrl, run)));
    for (const each of seen) assertEquals(each, log);
  });
}
