import { codec, type Conversation, defineContract, request, response, route, type SocketResponse } from "@scope/api";
import { createClient } from "@scope/api/client";
import { defineServer, type HandlersOf } from "@scope/api/server";
import { assertType, type IsExact } from "@std/testing/types";
import { z } from "zod";

const Moment = codec(z.string(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() });
const FromClient = z.object({ text: z.string().default("") });

const contract = defineContract({
  routes: {
    room: route.get("/rooms/:room", {
      responses: {
        101: response.socket({ fromClient: FromClient, fromServer: Moment, closes: { 4001: "Over", 4002: "Full" } }),
        404: response.json(z.object({ message: z.string() })),
      },
    }),
    bytes: route.get("/bytes", {
      responses: { 101: response.socket({ fromClient: request.bytes(), fromServer: response.text() }) },
    }),
    plain: route.get("/plain", { responses: { 200: response.text() } }),
  },
});
const client = createClient(contract, { baseUrl: "http://localhost" });
const server = defineServer(contract);

/** The body of a result with the status 101. */
type Opened<Result> = Extract<Result, { readonly status: 101 }> extends { readonly body: infer Body } ? Body : never;

Deno.test("a socket has the types of its messages and its close codes on both sides", () => {
  assertType<
    IsExact<
      Opened<Awaited<ReturnType<typeof client.room>>>,
      SocketResponse<{ text?: string | undefined }, Date, 4001 | 4002>
    >
  >(true);
  assertType<
    IsExact<
      Opened<Awaited<ReturnType<typeof client.bytes>>>,
      SocketResponse<Uint8Array | ArrayBuffer | Blob, string, never>
    >
  >(true);
  type Sent = Opened<Awaited<ReturnType<HandlersOf<typeof server>["room"]>>>;
  assertType<IsExact<Sent, Conversation<{ text: string }, Date, 4001 | 4002> | Response>>(true);
});

Deno.test("the function of a socket gets typed messages, and sends only what the contract declares", () => {
  server.implement({
    room: ({ response }) =>
      response(101, async (socket) => {
        assertType<IsExact<typeof socket.signal, AbortSignal>>(true);
        for await (const { text } of socket) {
          assertType<IsExact<typeof text, string>>(true);
          await socket.send(new Date(text));
          // @ts-expect-error -- the server sends dates
          await socket.send(text);
          socket.close(4001, "over");
          // @ts-expect-error -- not a declared code
          socket.close(4003);
          // @ts-expect-error -- the codes of the protocol are not the application's
          socket.close(1001);
        }
        for await (const { value, issues } of socket.checked()) {
          if (issues) assertType<IsExact<typeof value, undefined>>(true);
          else assertType<IsExact<typeof value, { text: string }>>(true);
        }
      }),
    bytes: ({ response }) =>
      response(101, async (socket) => {
        for await (const bytes of socket) {
          assertType<IsExact<typeof bytes, Uint8Array<ArrayBuffer>>>(true);
          await socket.send("text");
        }
        socket.close();
        // @ts-expect-error -- no code is declared
        socket.close(4001);
      }),
    plain: ({ response }) => response(200, "text"),
  });
});

Deno.test("a handler passes a function to a 101, and no headers", () => {
  server.implement({
    // @ts-expect-error -- the body is missing
    room: ({ response }) => response(101),
    // @ts-expect-error -- a 101 has no headers
    bytes: ({ response }) => response(101, () => {}, { "x-id": "1" }),
    plain: ({ response }) => response(200, "text"),
  });
  server.implement({
    // @ts-expect-error -- a message is not a function
    room: ({ response }) => response(101, new Date()),
    bytes: ({ response }) => response(101, new Response()),
    // @ts-expect-error -- not a socket
    plain: ({ response }) => response(101, () => {}),
  });
});

Deno.test("the types of response.socket() refuse what is not a message", () => {
  const messages = { fromClient: FromClient, fromServer: FromClient };
  const _refused = [
    // @ts-expect-error -- JSON cannot encode a date
    () => response.socket({ ...messages, fromServer: z.object({ at: z.date() }) }),
    // @ts-expect-error -- JSON cannot encode a date
    () => response.socket({ ...messages, fromClient: z.object({ at: z.date() }) }),
    // @ts-expect-error -- a stream is not a message
    () => response.socket({ ...messages, fromClient: request.stream() }),
    // @ts-expect-error -- events are not messages
    () => response.socket({ ...messages, fromServer: response.sse(FromClient) }),
    // @ts-expect-error -- messages of the server are missing
    () => response.socket({ fromClient: FromClient }),
    // @ts-expect-error -- a refusal is a whole body
    () => route.get("/", { responses: { 200: response.text() }, refusals: { 400: response.socket(messages) } }),
  ];
});
