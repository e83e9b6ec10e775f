/** A log that a client reads over one connection after the other, on every runtime. */
import { defineContract, response, route } from "@scope/api";
import { ClientError, createClient } from "@scope/api/client";
import { connect, type OpenWebSocket } from "@scope/api/connect";
import type { FetchHandler } from "@scope/api/fetch";
import { type ContextInput, defineServer, type Implementation } from "@scope/api/server";
import type { Sockets } from "@scope/api/socket";
import { type } from "arktype";

/** The number of messages of a log. */
export const length = 6;

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
export type Fault = "throw" | "shut down" | "close" | "refuse" | "wrong" | "busy";

/** The number of messages after which something happens. */
export type Schedule = readonly (readonly [after: number, fault: Fault])[];

/** A server of a log. */
export interface LogServer<Handler> {
  /** Returns the handler, which another one replaces when its sockets shut down. */
  readonly handler: () => Handler;
  /** The messages that it has received, by connection. */
  readonly received: readonly (readonly number[])[];
  readonly shutDown: () => Promise<void>;
}

/** The options of the handler of a log. */
interface HandlerOptions {
  readonly sockets: Sockets;
  readonly onError: () => void;
}

/** Serves the numbers up to {@linkcode length}, after the one that a client names. What the schedule says happens once. */
export function serveLog<Handler>(
  schedule: Schedule,
  createSockets: () => Sockets,
  createHandler: (implementation: Implementation<ContextInput>, options: HandlerOptions) => Handler,
): LogServer<Handler> {
  const received: number[][] = [];
  const faults = new Map(schedule);
  let sockets = createSockets();
  let mounted: Handler;
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
        for (let sent = after + 1; sent <= length; sent++) {
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
    mounted = createHandler(implementation, { sockets, onError: () => {} });
  };
  mount(sockets);
  return { handler: () => mounted, received, shutDown: () => sockets.shutDown() };
}

/** What a client saw: messages, the codes of lost connections, and the end. */
export type Transcript = readonly unknown[];

/** Reads a log to its end, and sends each message back. */
export async function readLog(
  baseUrl: string,
  fetch: FetchHandler | undefined,
  open?: OpenWebSocket,
): Promise<Transcript> {
  const seen: unknown[] = [];
  const client = createClient(contract, { baseUrl, fetch });
  const log = connect(client.log, ({ last }) => ({ query: { after: last === undefined ? undefined : String(last) } }), {
    open,
    onDisconnect({ code, error }): void {
      seen.push(["lost", code, error?.code]);
      setTimeout(() => globalThis.dispatchEvent?.(new Event("online")), 0); // Node waits, as it has no such event
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

/** Schedules with their transcripts, which are the same over every transport. */
export const cases: readonly (readonly [schedule: Schedule, transcript: Transcript])[] = [
  [[], [1, 2, 3, 4, 5, 6, { code: 4001, reason: "complete" }]],
  [[[2, "close"]], [1, 2, { code: 1000, reason: "later" }]],
  [[[1, "throw"], [3, "shut down"]], [
    ...[1, ["lost", 1011, undefined], 2, 3, ["lost", 1001, undefined], 4, 5, 6],
    { code: 4001, reason: "complete" },
  ]],
  [[[2, "wrong"]], [1, 2, ["lost", 1011, undefined], 3, 4, 5, 6, { code: 4001, reason: "complete" }]],
  [[[0, "refuse"]], [["unsuccessful", 410, undefined]]],
];
