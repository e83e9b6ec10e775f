import { codec, defineContract, request, response, route, security } from "@scope/api";
import { createClient } from "@scope/api/client";
import { type Closed, connect, type Connection, type ConnectionOf, type OpenWebSocket } from "@scope/api/connect";
import { follow } from "@scope/api/retry";
import { slimContract } from "@scope/api/slim";
import { assertType, type IsExact } from "@std/testing/types";
// @ts-types="@types/ws"
import { WebSocket as NodeWebSocket } from "ws";
import { z } from "zod";

const Moment = codec(z.string(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() });
const token = security.bearer("token");
const session = security.cookie("session", { cookie: "sid" });
const login = security.basic("login");
const key = security.apiKey("key", { header: "x-api-key" });
const ticket = security.custom("ticket", { challenge: "Ticket", openapi: { type: "mutualTLS" } });

const socket = {
  101: response.socket({
    fromClient: z.object({ count: z.number().default(0) }),
    fromServer: Moment,
    closes: { 4001: "Over", 4002: "Full" },
  }),
};
const plainSocket = { 101: response.socket({ fromClient: request.bytes(), fromServer: response.text() }) };
const contract = defineContract({
  security: [],
  routes: {
    room: route.get("/rooms/:room", { query: z.object({ after: z.string().optional() }), responses: socket }),
    feed: route.get("/feed", { responses: plainSocket }),
    byToken: route.get("/token", { security: [token, key], responses: plainSocket }),
    byCookie: route.get("/cookie", { security: [session], responses: plainSocket }),
    byTicket: route.get("/ticket", { security: [ticket], responses: plainSocket }),
    byKey: route.get("/key", { security: [key], responses: plainSocket }),
    byLogin: route.get("/login", { security: [login, key], responses: plainSocket }),
    byBoth: route.get("/both", { security: [security.all(session, key)], responses: plainSocket }),
    optional: route.get("/optional", { security: [key, security.none], responses: plainSocket }),
    plain: route.get("/plain", { responses: { 200: response.text() } }),
    native: route.get("/native", { responses: { 101: response.raw() } }),
    create: route.post("/plain", { responses: { 200: response.text() } }),
  },
});
const client = createClient(contract, { baseUrl: "https://a.example" });
declare const open: OpenWebSocket;

/** Checked by the compiler, never run: each `@ts-expect-error` is itself an error if the line after it has none. */
function misuse(_mistakes: () => unknown): void {}

Deno.test("a connection has the types of its route", () => {
  assertType<IsExact<ConnectionOf<typeof client.room>, Connection<Date, { count?: number | undefined }, 4001 | 4002>>>(
    true,
  );
  assertType<IsExact<ConnectionOf<typeof client.feed>, Connection<string, Uint8Array | ArrayBuffer | Blob>>>(true);
  assertType<IsExact<ConnectionOf<typeof client.plain>, never>>(true);
  misuse(async () => {
    const room = connect(client.room, ({ last }) => {
      assertType<IsExact<typeof last, Date | undefined>>(true);
      return { params: { room: "lobby" }, query: { after: last?.toISOString() } };
    });
    assertType<IsExact<typeof room, ConnectionOf<typeof client.room>>>(true);
    for await (const message of room) assertType<IsExact<typeof message, Date>>(true);
    const closed = await room.closed;
    assertType<IsExact<typeof closed, Closed<4001 | 4002>>>(true);
    assertType<IsExact<typeof closed.code, 1000 | 4001 | 4002>>(true);
  });
});

Deno.test("connect() does not accept other messages, codes, inputs and calls", () => {
  misuse(() => {
    const room = connect(client.room, { params: { room: "lobby" } });
    room.send({ count: 1 });
    room.send({});
    room.close();
    room.close(1000);
    room.close(4002, "full");
    // @ts-expect-error -- the client sends numbers
    room.send({ count: "1" });
    // @ts-expect-error -- not a declared code
    room.close(4003);
    // @ts-expect-error -- browsers throw for the codes of the protocol
    room.close(1001);
    // @ts-expect-error -- the input is required
    connect(client.room);
    // @ts-expect-error -- the room is missing
    connect(client.room, () => ({ query: { after: "1" } }));
    // @ts-expect-error -- the room is missing in what the promise resolves to
    connect(client.room, Promise.resolve({}));
    // @ts-expect-error -- not an option
    connect(client.feed, {}, { retry: true });
    // @ts-expect-error -- the route declares no slots
    connect(client.feed, { signal: AbortSignal.abort() });
    connect(client.feed, {}, { remember: (message) => message.startsWith("#") });
    // @ts-expect-error -- messages are texts
    connect(client.feed, {}, { remember: (message: number) => message > 0 });
    // @ts-expect-error -- not a socket
    connect(client.plain);
    // @ts-expect-error -- a native response has no types
    connect(client.native);
    // @ts-expect-error -- not a socket
    connect(client.create);
    // @ts-expect-error -- not a call
    connect(client);
    // @ts-expect-error -- not events
    follow(client.feed);
  });
});

Deno.test("connect() needs open() if every credential is in a header that browsers cannot send", () => {
  misuse(() => {
    connect(client.byToken);
    connect(client.byCookie, {}, { silence: 1000 });
    connect(client.byTicket);
    connect(client.optional);
    // @ts-expect-error -- an API key is a header
    connect(client.byKey);
    // @ts-expect-error -- so is a username with a password
    connect(client.byLogin, {}, { silence: 1000 });
    // @ts-expect-error -- the cookie alone is not enough
    connect(client.byBoth);
    connect(client.byKey, {}, { open });
    connect(client.byLogin, {}, { open, silence: 1000 });
    connect(client.byBoth, {}, { open });
  });
});

Deno.test("connect() takes the class of the package ws, that of the platform, and functions", () => {
  misuse(() => {
    connect(client.byKey, {}, { open: NodeWebSocket });
    connect(client.byKey, {}, { open: WebSocket });
    connect(client.byKey, {}, {
      open: (url, protocols, { headers }) => new NodeWebSocket(url, protocols, { headers, maxPayload: 1000 }),
    });
    // @ts-expect-error -- not a WebSocket
    connect(client.byKey, {}, { open: () => new EventTarget() });
    // @ts-expect-error -- not a WebSocket
    connect(client.byKey, {}, { open: EventSource });
  });
});

Deno.test("a call of a slim contract has the same types", () => {
  type Slim = typeof contract;
  misuse(() => {
    const slim = createClient(slimContract<Slim>({} as never, {} as never), { baseUrl: "https://a.example" });
    assertType<IsExact<ConnectionOf<typeof slim.room>, ConnectionOf<typeof client.room>>>(true);
  });
});
