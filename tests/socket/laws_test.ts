/** The laws of connections, over memory with random schedules. */
import { codec, defineContract, response, route, security, type ServerSocket } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";
import { type CloseReport, memorySockets } from "@scope/api/socket";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { z } from "zod";
import { rejectionsOf, settled } from "../support/rejections.ts";
import { tries } from "../support/tries.ts";
import { ask, open } from "./in_memory.ts";

/** What happens during a connection. */
type Event =
  | { readonly kind: "message"; readonly valid: boolean }
  | { readonly kind: "turn" | "clientCloses" | "clientBreaks" | "serverCloses" | "throws" | "shutDown" | "sendsWrong" }
  | { readonly kind: "serverSends"; readonly slow: boolean };

const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("message" as const), valid: fc.boolean().map((some) => some) }),
  },
  { weight: 6, arbitrary: fc.constant({ kind: "message" as const, valid: true }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("serverSends" as const), slow: fc.boolean() }) },
  { weight: 6, arbitrary: fc.constant({ kind: "turn" as const }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("clientCloses", "clientBreaks", "serverCloses", "throws", "shutDown", "sendsWrong").map(
      (kind) => ({ kind } as Event),
    ),
  },
);

/** Encodes odd numbers later. */
const Numbered = codec(z.number(), z.number(), {
  decode: (number) => number,
  encode: async (number) => {
    if (number % 2 === 1) await new Promise((resolve) => setTimeout(resolve, 0));
    return number;
  },
});

const FromClient = z.number().transform((number) => number * 10);
const contract = defineContract({
  routes: {
    sync: route.get("/sync", {
      responses: { 101: response.socket({ fromClient: FromClient, fromServer: z.number() }) },
    }),
    slow: route.get("/slow", { responses: { 101: response.socket({ fromClient: FromClient, fromServer: Numbered }) } }),
  },
});

Deno.test("laws 2, 3, 4, 6: messages in order and once each, one end, one report, for random schedules", async () => {
  const rejections = await rejectionsOf(async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 20 }),
        fc.boolean(),
        fc.boolean(),
        async (events, isSlow, readsLate) => {
          await runSchedule(events, isSlow, readsLate);
        },
      ),
      tries(150),
    );
  });
  assertEquals(rejections, []);
});

/** Waits for a turn of the event loop. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

async function runSchedule(events: readonly Event[], isSlow: boolean, readsLate: boolean): Promise<void> {
  const seen: number[] = [];
  const accepted: number[] = [];
  const errors: string[] = [];
  const ends: CloseReport[] = [];
  const afterLoop: string[] = [];
  let finals = 0;
  let finalsAtShutDown = 1;
  let command: (event: Event) => void = () => {};
  let isOpen = false;
  let wasOpenAtFault = false;
  const sockets = memorySockets({ onClose: (report) => ends.push(report) });
  const converse = async (socket: ServerSocket<number, number>): Promise<void> => {
    isOpen = true;
    let number = 0;
    let fault: () => void = () => {};
    const faulty = new Promise<never>((_, reject) => fault = () => reject(new Error("fault")));
    faulty.catch(() => {});
    command = ({ kind }) => {
      if (kind === "serverSends") {
        const sent = number++;
        socket.send(sent).then(() => accepted.push(sent), () => {});
      } else if (kind === "sendsWrong") {
        wasOpenAtFault ||= !socket.signal.aborted;
        void socket.send("wrong" as never);
      } else if (kind === "serverCloses") socket.close();
      else if (kind === "throws") {
        wasOpenAtFault ||= !socket.signal.aborted;
        fault();
      }
    };
    try {
      if (readsLate) await turn();
      const reading = (async () => {
        for await (const message of socket) seen.push(message);
      })();
      await Promise.race([reading, faulty]);
      afterLoop.push(`${socket.signal.aborted} ${await socket.send(1).then(() => "written", () => "rejected")}`);
    } finally {
      finals++;
      isOpen = false;
    }
  };
  const server = defineServer(contract);
  const handler = createFetchHandler(
    server.implement({
      sync: ({ response }) => response(101, converse),
      slow: ({ response }) => response(101, converse),
    }),
    { sockets, onError: ({ phase, error }) => void errors.push(`${phase} ${(error as Error).message}`) },
  );

  const { socket, messages, closed } = await open(handler, isSlow ? "/slow" : "/sync");
  await Promise.resolve();
  const sent: (number | undefined)[] = []; // `undefined` is an invalid message
  let shutDown: Promise<void> | undefined;
  for (const event of events) {
    if (event.kind === "message") {
      if (socket.readyState === 1) sent.push(event.valid ? sent.length : undefined);
      socket.send(event.valid ? String(sent.length - 1) : "{");
    } else if (event.kind === "clientCloses") socket.close(1000);
    else if (event.kind === "clientBreaks") socket.terminate();
    else if (event.kind === "shutDown") shutDown ??= sockets.shutDown().then(() => void (finalsAtShutDown = finals));
    else if (event.kind === "turn") await turn();
    else command(event);
  }
  const endedAlone = ends.length > 0 || !isOpen;
  if (!endedAlone) await turn();
  socket.close(1000);
  await closed;
  await shutDown;
  for (let count = 0; count < 20 && (sockets.size > 0 || ends.length === 0); count++) await turn();
  await turn();

  const firstInvalid = sent.indexOf(undefined);
  const valid = sent.slice(0, firstInvalid === -1 ? sent.length : firstInvalid).map((number) => number! * 10);
  assertEquals(seen, valid.slice(0, seen.length)); // in order, once each, nothing skipped
  const isClients = events.every(({ kind }) => !["serverCloses", "throws", "shutDown", "sendsWrong"].includes(kind));
  if (isClients) assertEquals(seen, valid); // also those that arrived before the client left
  assertEquals(accepted, accepted.map((_, index) => index));
  const heard = messages.map(Number);
  assertEquals(heard, heard.map((_, index) => index));
  if (!events.some(({ kind }) => kind === "clientBreaks" || kind === "clientCloses")) {
    assert(heard.length >= accepted.length, `${heard.length} of ${accepted.length} messages arrived`);
  }
  assertEquals([finals, finalsAtShutDown, sockets.size, ends.length], [1, 1, 0, 1]);
  assertEquals(afterLoop, afterLoop.map(() => "true rejected"));
  assert(errors.length <= 1, errors.join());
  if (!wasOpenAtFault) assertEquals(errors, []); // never for what a client causes
}

Deno.test("law 1: a conversation runs only after a 101, with a caller and valid inputs", async () => {
  const token = security.bearer("token");
  const secured = defineContract({
    security: [token],
    routes: {
      room: route.get("/rooms/:room", {
        query: z.object({ after: z.coerce.number().optional() }),
        responses: {
          101: response.socket({ fromClient: z.string(), fromServer: z.string() }),
          404: response.empty(),
        },
      }),
    },
  });
  const ran: string[] = [];
  const server = defineServer(secured, {
    security: [verify(token, ({ token }) => token === "good" ? { name: "Ada" } : undefined)],
  });
  const handler = createFetchHandler(
    server.implement({
      room: ({ params, query, caller, response }) =>
        params.room === "a"
          ? response(101, () => void ran.push(`${caller.name} ${typeof query.after}`))
          : response(404),
    }),
    { sockets: memorySockets() },
  );
  const fields = fc.record({
    authorization: fc.constantFrom("", "Bearer good", "Bearer bad", "Basic good"),
    upgrade: fc.constantFrom("websocket", "h2c"),
    connection: fc.constantFrom("upgrade", "close"),
    "sec-websocket-version": fc.constantFrom("13", "12"),
    "sec-websocket-protocol": fc.constantFrom("json", "json, bearer.Z29vZA", "bearer.YmFk"),
    origin: fc.constantFrom("http://localhost", "null", "https://evil.example"),
  });

  await fc.assert(
    fc.asyncProperty(
      fields,
      fc.constantFrom("a", "b"),
      fc.constantFrom("", "?after=1", "?after=x"),
      async (...drawn) => {
        const [fields, room, query] = drawn;
        ran.length = 0;
        const { authorization, ...others } = fields;
        const answer = await ask(handler, `/rooms/${room}${query}`, authorization === "" ? others : fields);
        await answer.body?.cancel();
        await Promise.resolve();
        await Promise.resolve();
        const isKnown = authorization === "Bearer good" ||
          authorization === "" && fields["sec-websocket-protocol"].endsWith("bearer.Z29vZA");
        const isOpened = isKnown && room === "a" && query !== "?after=x" && fields.origin === "http://localhost" &&
          fields.upgrade === "websocket" && fields.connection === "upgrade" && fields["sec-websocket-version"] === "13";
        assertEquals([answer.status === 101, ran.length > 0], [isOpened, isOpened]);
      },
    ),
    tries(300),
  );
});

Deno.test("1,000 clients that leave at random leave nothing behind", async () => {
  let finals = 0;
  const sockets = memorySockets();
  const server = defineServer(contract);
  const room = new Set<(number: number) => void>();
  const converse = async (socket: ServerSocket<number, number>): Promise<void> => {
    const say = (number: number): void => void socket.send(number);
    room.add(say);
    try {
      for await (const number of socket) for (const each of room) each(number);
    } finally {
      room.delete(say);
      finals++;
    }
  };
  const handler = createFetchHandler(
    server.implement({
      sync: ({ response }) => response(101, converse),
      slow: ({ response }) => response(101, converse),
    }),
    { sockets },
  );

  const clients = await Promise.all(
    Array.from({ length: 1_000 }, (_, index) => open(handler, index % 2 ? "/sync" : "/slow")),
  );
  assertEquals(sockets.size, 1_000);
  for (const [index, { socket }] of clients.entries()) {
    if (index % 100 === 0) socket.send(String(index));
    if (index % 3 === 0) socket.close();
    else if (index % 3 === 1) socket.terminate();
    else socket.send("{");
    if (index % 50 === 0) await Promise.resolve();
  }
  await Promise.all(clients.map(({ closed }) => closed));
  await settled();

  assertEquals([sockets.size, room.size, finals], [0, 0, 1_000]);
});
