/** An API of sockets, for the tests of all runtimes. What its functions see is written to a log. */
import { codec, defineContract, request, response, route, security, type ServerSocket } from "@scope/api";
import { defineServer, verify } from "@scope/api/server";
import type { ErrorReport, Implementation, OnError } from "@scope/api/fetch";
import type { OnClose } from "@scope/api/socket";
import { z } from "zod";

const Text = z.object({ text: z.string().min(1).max(20) });
const Sent = z.object({ text: z.string() });
const messages = { fromClient: Text, fromServer: Sent };
const token = security.bearer("token");
const session = security.cookie("session", { cookie: "session" });
/** Takes longer for the first character of some texts than for others. */
const Slow = codec(z.string(), z.string(), {
  decode: (text) => text,
  encode: async (text) => {
    if (text < "m") await new Promise((resolve) => setTimeout(resolve, 2));
    return `${text}!`;
  },
});

export const contract = defineContract({
  security: [],
  routes: {
    echo: route.get("/echo", {
      query: z.object({ limit: z.coerce.number().optional() }),
      responses: { 101: response.socket(messages) },
    }),
    small: route.get("/small", { responses: { 101: response.socket({ ...messages, maxMessageBytes: 40 }) } }),
    checked: route.get("/checked", { responses: { 101: response.socket(messages) } }),
    silent: route.get("/silent", { responses: { 101: response.socket(messages) } }),
    late: route.get("/late", { responses: { 101: response.socket(messages) } }),
    closes: route.get("/closes", {
      responses: { 101: response.socket({ ...messages, closes: { 4001: "The room was closed" } }) },
    }),
    returns: route.get("/returns", { responses: { 101: response.socket(messages) } }),
    throws: route.get("/throws", { responses: { 101: response.socket(messages) } }),
    refused: route.get("/refused", { responses: { 101: response.socket(messages) } }),
    misfit: route.get("/misfit", { responses: { 101: response.socket({ ...messages, fromServer: z.unknown() }) } }),
    flood: route.get("/flood", { responses: { 101: response.socket(messages) } }),
    waits: route.get("/waits", { responses: { 101: response.socket(messages) } }),
    endless: route.get("/endless", { responses: { 101: response.socket(messages) } }),
    slow: route.get("/slow", { responses: { 101: response.socket({ ...messages, fromServer: Slow }) } }),
    bytes: route.get("/bytes", {
      responses: {
        101: response.socket({
          fromClient: request.bytes(),
          fromServer: response.bytes(),
          protocols: ["b.v2", "b.v1"],
        }),
      },
    }),
    secured: route.get("/secured", { security: [token, session], responses: { 101: response.socket(messages) } }),
    ends: route.get("/ends", { responses: { 200: response.json<string[]>() } }),
    state: route.get("/state", { responses: { 200: response.json<{ log: string[]; size: number }>() } }),
    room: route.get("/rooms/:room", {
      responses: { 101: response.socket(messages), 404: response.json(z.object({ message: z.string() })) },
    }),
  },
});

type Texts = ServerSocket<{ text: string }, { text: string }>;

async function echo(socket: Texts): Promise<void> {
  for await (const { text } of socket) await socket.send({ text });
}

const server = defineServer(contract, {
  security: [
    verify(token, ({ token }) => token === "secret" ? { name: "Ada" } : undefined),
    verify(session, ({ value }) => value === "ada" ? { name: "Ada" } : undefined),
  ],
});

/** The implementation, the log of its functions, and its hook for errors. */
interface Api {
  readonly implementation: Implementation;
  readonly log: string[];
  readonly onError: OnError;
  /** The hook for the ends of connections, which GET /ends returns. */
  readonly onClose: OnClose;
}

/**
 * Creates the implementation, the log of its functions, and its hook for errors. GET /state returns the log, and how many
 * connections there are.
 */
export function createApi(size: () => number = () => 0): Api {
  const log: string[] = [];
  const ends: string[] = [];
  const implementation = server.implement({
    echo: ({ response }) =>
      response(101, async (socket) => {
        try {
          await echo(socket);
        } finally {
          log.push(`echo ${socket.signal.aborted ? "aborted" : "open"}`);
        }
      }),
    small: ({ response }) => response(101, echo),
    checked: ({ response }) =>
      response(101, async (socket) => {
        for await (const { value, issues } of socket.checked()) {
          await socket.send({ text: issues ? `${issues.length} ${issues[0]!.message}` : value.text });
        }
      }),
    silent: ({ response }) =>
      response(101, async (socket) => {
        await new Promise((resolve) => socket.signal.addEventListener("abort", resolve));
        let count = 0;
        for await (const _ of socket) count++;
        log.push(`silent ${count}`);
      }),
    late: ({ response }) =>
      response(101, async (socket) => {
        await new Promise((resolve) => setTimeout(resolve, 150));
        await echo(socket);
      }),
    closes: ({ response }) =>
      response(101, async (socket) => {
        for await (const { text } of socket) {
          if (text === "undeclared" || text === "text") {
            try {
              socket.close((text === "text" ? "4001" : 4002) as 4001);
            } catch (error) {
              await socket.send({ text: (error as Error).message });
            }
          } else socket.close(4001, text);
        }
        log.push("closes");
      }),
    returns: ({ response }) => response(101, (socket) => void socket.send({ text: "only" })),
    throws: ({ response }) =>
      response(101, async (socket) => {
        await socket.send({ text: "first" });
        throw new Error("secret reason");
      }),
    refused: ({ response }) =>
      response(101, async (socket) => {
        await socket.send({ text: "first" });
        void socket.send({ text: 5 as never }).catch((error) => log.push(`send rejected with ${error.message}`));
        void socket.send({ text: "last" });
      }),
    misfit: ({ response }) =>
      response(101, async (socket) => {
        for await (const { text } of socket) {
          const wrong: Record<string, unknown> = { undefined: undefined, map: new Map(), nan: NaN };
          await socket.send(text in wrong ? wrong[text] : text).catch((error) => log.push(`misfit ${error.message}`));
        }
      }),
    flood: ({ response }) =>
      response(101, async (socket) => {
        let last: Promise<void> | undefined;
        let count = 0;
        for (; !socket.signal.aborted && count < 100_000; count++) last = socket.send({ text: "x".repeat(10_000) });
        log.push(`flood ${await last?.then(() => "sent", (error) => error.name)} ${count < 100_000}`);
      }),
    waits: ({ response }) =>
      response(101, async (socket) => {
        let count = 0;
        const report = setTimeout(() => log.push(`waits ${count < 100_000}`), 300);
        try {
          for (; count < 100_000; count++) await socket.send({ text: "x".repeat(10_000) });
        } finally {
          clearTimeout(report);
          log.push("waits over");
        }
      }),
    endless: ({ response }) =>
      response(101, async (socket) => {
        try {
          for (;;) await socket.send({ text: "x" });
        } finally {
          log.push("endless over");
        }
      }),
    slow: ({ response }) =>
      response(101, async (socket) => {
        for await (const { text } of socket) for (const each of text) void socket.send(each);
      }),
    bytes: ({ response }) =>
      response(101, async (socket) => {
        for await (const bytes of socket) await socket.send(bytes.toReversed());
      }),
    secured: ({ caller, response }) =>
      response(101, (socket) => void socket.send({ text: `${caller.name} ${socket.protocol}` })),
    ends: ({ response }) => response(200, ends.splice(0)),
    state: ({ response }) => response(200, { log: log.splice(0), size: size() }),
    room: ({ params, response }) =>
      params.room === "lobby" ? response(101, echo) : response(404, { message: `No room ${params.room}` }),
  });
  const onError = ({ error, phase, route, response, request, caller }: ErrorReport): void => {
    const { pathname } = new URL(request.url);
    log.push(
      `${phase} ${route?.key} ${response.status} ${pathname} ${caller !== undefined} ${(error as Error).message}`,
    );
  };
  const onClose: OnClose = ({ route, code, reason, received, sent }) => {
    ends.push(`${route.key} ${code} ${reason} ${received} ${sent}`);
  };
  return { implementation, log, onError, onClose };
}
