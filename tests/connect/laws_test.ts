/** What holds for a client's connections whatever breaks them, over memory and over a network. */
import { defineContract, response, route } from "@scope/api";
import { ClientError, createClient } from "@scope/api/client";
import { connect, openInMemory, type OpenWebSocket } from "@scope/api/connect";
import { createFetchHandler, type FetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { denoSockets, memorySockets, type Sockets } from "@scope/api/socket";
import { assertEquals } from "@std/assert";
import { type } from "arktype";
import fc from "fast-check";
import { rejectionsOf } from "../support/rejections.ts";
import { tries } from "../support/tries.ts";

Deno.test.sanitizer({ ops: true, resources: true });

const contract = defineContract({
  routes: {
    log: route.get("/log", {
      query: type({ "after?": "string.integer.parse" }),
      responses: {
        101: response.socket({ fromClient: type("number"), fromServer: type("number"), closes: { 4001: "Complete" } }),
        410: response.text(),
        503: response.empty(),
      },
    }),
  },
});

/** How a connection ends, or is refused, before the log is complete. */
type Fault = "throw" | "shut down" | "close" | "refuse" | "wrong" | "busy";

/** The number of messages after which something happens. */
type Schedule = readonly (readonly [after: number, fault: Fault])[];

/** A server of a log. */
interface LogServer {
  readonly handler: FetchHandler;
  /** The messages that it has received, by connection. */
  readonly received: readonly (readonly number[])[];
  readonly shutDown: () => Promise<void>;
}

/** Serves the numbers up to a last one, after the one that a client names. What the schedule says happens once. */
function serveLog(last: number, schedule: Schedule, createSockets: () => Sockets): LogServer {
  const received: number[][] = [];
  const faults = new Map(schedule);
  let sockets = createSockets();
  let mounted: FetchHandler;
  const implementation = defineServer(contract).implement({
    log: ({ query: { after = 0 }, response }) => {
      const refusal = faults.get(after);
      if (refusal === "busy") {
        faults.delete(after);
        return response(503, undefined, { "retry-after": "0" });
      }
      if (refusal === "refuse") return response(410, "gone");
      return response(101, async (socket) => {
        const own: number[] = [];
        received.push(own);
        const reading = (async () => {
          for await (const message of socket) own.push(message);
        })();
        for (let sent = after + 1; sent <= last; sent++) {
          await socket.send(sent);
          const fault = faults.get(sent);
          if (fault === undefined || fault === "busy" || fault === "refuse") continue;
          faults.delete(sent);
          if (fault === "wrong") await socket.send("wrong" as never);
          if (fault === "throw") throw new Error("broken");
          if (fault === "shut down") {
            const stopped = sockets;
            mount(createSockets());
            void stopped.shutDown();
          }
          if (fault === "close") socket.close(1000, "later");
          await reading;
          return;
        }
        socket.close(4001, "complete");
        await reading;
      });
    },
  });
  const mount = (next: Sockets): void => {
    sockets = next;
    mounted = createFetchHandler(implementation, { sockets, onError: () => {} });
  };
  mount(sockets);
  return { handler: (request, ...rest) => mounted(request, ...rest), received, shutDown: () => sockets.shutDown() };
}

/** What a client saw: messages, the codes of lost connections, and the end. */
type Transcript = readonly unknown[];

/** Reads a log to its end, and sends each message back. */
async function readLog(baseUrl: string, fetch: FetchHandler | undefined, open?: OpenWebSocket): Promise<Transcript> {
  const seen: unknown[] = [];
  const client = createClient(contract, { baseUrl, fetch });
  const log = connect(client.log, ({ last }) => ({ query: { after: last === undefined ? undefined : String(last) } }), {
    open,
    onDisconnect({ code, error }): void {
      seen.push(["lost", code, error?.code]);
      setTimeout(() => globalThis.dispatchEvent(new Event("online")), 0);
    },
  });
  try {
    for await (const message of log) {
      seen.push(message);
      log.send(message);
    }
    seen.push(await log.closed);
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    seen.push([error.code, error.status, error.closeCode]);
  }
  return seen;
}

const length = 6;

/** Reads the log in memory. */
async function readInMemory(schedule: Schedule): Promise<{ transcript: Transcript; received: LogServer["received"] }> {
  const server = serveLog(length, schedule, memorySockets);
  const { handler, received } = server;
  const transcript = await readLog("https://a.example", handler, openInMemory(handler));
  await server.shutDown();
  return { transcript, received };
}

const fault = fc.constantFrom<Fault>("throw", "shut down", "close", "refuse", "wrong", "busy");
const schedules = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: length }), fault), {
  selector: ([after]) => after,
});

Deno.test("laws 2, 7: no message is lost or repeated in either direction, whatever ends the connections", async () => {
  const unhandled = await rejectionsOf(() =>
    fc.assert(
      fc.asyncProperty(schedules, async (schedule) => {
        const { transcript, received } = await readInMemory(schedule);
        const messages = transcript.filter((each) => typeof each === "number");
        assertEquals(messages, Array.from({ length: predictLength(schedule) }, (_, index) => index + 1));

        const sent = received.flat();
        assertEquals(sent, [...new Set(sent)].toSorted((one, other) => one - other)); // some may have been on their way
        assertEquals(transcript.length, messages.length + transcript.filter(isLost).length + 1);
      }),
      tries(100),
    )
  );
  assertEquals(unhandled, []);
});

/** The number of messages until the log ends for good. */
function predictLength(schedule: Schedule): number {
  if (schedule.some(([after, fault]) => after === 0 && fault === "refuse")) return 0;
  const ends = schedule.flatMap(([after, fault]) => after > 0 && fault === "close" ? after : []);
  return Math.min(length, ...ends);
}

function isLost(entry: unknown): boolean {
  return Array.isArray(entry) && entry[0] === "lost";
}

/** Schedules with their transcripts, which are the same over every transport. */
const cases: readonly (readonly [schedule: Schedule, transcript: Transcript])[] = [
  [[], [1, 2, 3, 4, 5, 6, { code: 4001, reason: "complete" }]],
  [[[2, "close"]], [1, 2, { code: 1000, reason: "later" }]],
  [[[1, "throw"], [3, "shut down"]], [
    ...[1, ["lost", 1011, undefined], 2, 3, ["lost", 1001, undefined], 4, 5, 6],
    { code: 4001, reason: "complete" },
  ]],
  [[[2, "wrong"]], [1, 2, ["lost", 1011, undefined], 3, 4, 5, 6, { code: 4001, reason: "complete" }]],
  [[[0, "refuse"]], [["unsuccessful", 410, undefined]]],
];

Deno.test("law 8: memory and a network give the same messages, codes and errors", async () => {
  for (const [schedule, transcript] of cases) {
    assertEquals((await readInMemory(schedule)).transcript, transcript);

    const { handler, shutDown } = serveLog(length, schedule, denoSockets);
    const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handler);
    assertEquals(await readLog(`http://127.0.0.1:${server.addr.port}`, undefined), transcript);
    await shutDown();
    await server.shutdown();
  }
});
