/** The response 101 of a route: what `response.socket()` refuses, and where it can be declared. */
import { codec, defineContract, request, response, route, router, styled } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals, assertThrows } from "@std/assert";
import { z } from "zod";

const Message = z.object({ text: z.string() });
const messages = { fromClient: Message, fromServer: Message };
const socket = response.socket(messages);

const refused: Readonly<Record<string, readonly [declare: () => unknown, message: string]>> = {
  "no options": [
    () => response.socket(undefined as never),
    "response.socket(): the options must be a plain object like { key: … }, got undefined",
  ],
  "a schema in place of options": [
    () => response.socket(Message as never),
    "response.socket(): the options must be a plain object like { key: … }, got a schema",
  ],
  "no messages of clients": [
    () => response.socket({ fromServer: Message } as never),
    'response.socket(): "fromClient" must be a schema, or request.text(), request.bytes() or request.as(…), got undefined',
  ],
  "no messages of the server": [
    () => response.socket({ fromClient: Message } as never),
    'response.socket(): "fromServer" must be a schema, or response.text(), response.bytes() or response.as(…), got undefined',
  ],
  "a response for messages of clients": [
    () => response.socket({ ...messages, fromClient: response.text() as never }),
    'response.socket(): "fromClient" must be a schema, or request.text(), request.bytes() or request.as(…), got an object',
  ],
  "form data as a message": [
    () => response.socket({ ...messages, fromClient: request.formData() as never }),
    'response.socket(): "fromClient" must be a schema, or request.text(), request.bytes() or request.as(…), got request.formData()',
  ],
  "events as messages": [
    () => response.socket({ ...messages, fromServer: response.sse(Message) as never }),
    'response.socket(): "fromServer" must be a schema, or response.text(), response.bytes() or response.as(…), got response.sse()',
  ],
  "an optional message": [
    () => response.socket({ ...messages, fromClient: request.bytes({ optional: true }) }),
    'response.socket(): "fromClient" must not have "optional", "maxBytes" or "headers"; use "maxMessageBytes" for a limit',
  ],
  "a limit in the message": [
    () => response.socket({ ...messages, fromClient: request.bytes({ maxBytes: 5 }) }),
    'response.socket(): "fromClient" must not have "optional", "maxBytes" or "headers"; use "maxMessageBytes" for a limit',
  ],
  "headers of a message": [
    () => response.socket({ ...messages, fromServer: response.text({ headers: z.object({ a: z.string() }) }) }),
    'response.socket(): "fromServer" must not have "optional", "maxBytes" or "headers"; use "maxMessageBytes" for a limit',
  ],
  "fields with styles": [
    () => response.socket({ ...messages, fromServer: styled(z.object({ a: z.array(z.string()) }), { a: "comma" }) }),
    "response.socket(): what is sent has no fields with styles; declare lists of strings, and remove styled()",
  ],
  "a close code of the protocol": [
    () => response.socket({ ...messages, closes: { 1001: "Going away" } }),
    'response.socket(): "closes" must have codes from 4000 to 4999, got "1001"',
  ],
  "a close code above 4999": [
    () => response.socket({ ...messages, closes: { 4999: "The last one", 5000: "None" } }),
    'response.socket(): "closes" must have codes from 4000 to 4999, got "5000"',
  ],
  "a close code that is not an integer": [
    () => response.socket({ ...messages, closes: { 4000.5: "None" } }),
    'response.socket(): "closes" must have codes from 4000 to 4999, got "4000.5"',
  ],
  "a list of close codes": [
    () => response.socket({ ...messages, closes: [4001] as never }),
    'response.socket(): "closes" must be a plain object like { key: … }, got an array',
  ],
  "a close code without a description": [
    () => response.socket({ ...messages, closes: { 4001: true } as never }),
    'response.socket(): "closes.4001" must be a string that describes it, got true',
  ],
  "no subprotocol": [
    () => response.socket({ ...messages, protocols: [] }),
    'response.socket(): "protocols" must be an array of subprotocols like ["json"], got an array',
  ],
  "a subprotocol that is not a token": [
    () => response.socket({ ...messages, protocols: ["chat v1"] }),
    'response.socket(): "protocols" must contain tokens that do not begin with "bearer.", got "chat v1"',
  ],
  "the subprotocol of a credential": [
    () => response.socket({ ...messages, protocols: ["bearer.abc"] }),
    'response.socket(): "protocols" must contain tokens that do not begin with "bearer.", got "bearer.abc"',
  ],
  "a subprotocol twice": [
    () => response.socket({ ...messages, protocols: ["json", "json"] }),
    'response.socket(): "protocols" has a name twice; remove one',
  ],
  "messages without a byte": [
    () => response.socket({ ...messages, maxMessageBytes: 0 }),
    'response.socket(): "maxMessageBytes" must be a positive integer, got 0',
  ],
  "headers of the 101": [
    () => response.socket({ ...messages, headers: Message } as never),
    'response.socket(): unknown option "headers" (allowed: fromClient, fromServer, closes, protocols, maxMessageBytes, description)',
  ],
  "another status": [
    () => route.get("/", { responses: { 200: socket } }),
    'route.get("/"): response 200 must not be response.socket(); declare it as the response 101',
  ],
  "all statuses of success": [
    () => route.get("/", { responses: response.statuses("2XX", socket) }),
    'route.get("/"): response 200 must not be response.socket(); declare it as the response 101',
  ],
  "another method": [
    () => route.post("/", { responses: { 101: socket } }),
    'route.post("/"): response 101 of POST must not be response.socket(), because a handshake is a GET; use route.get()',
  ],
  "HEAD": [
    () => route.head("/", { responses: { 101: socket } }),
    'route.head("/"): response 101 of HEAD must not be response.socket(), because a handshake is a GET; use route.get()',
  ],
  "headers beside it": [
    () => route.get("/", { headers: z.object({ a: z.string() }), responses: { 101: socket } }),
    'route.get("/"): response 101 cannot be response.socket() beside "headers", because browsers send none; use "query"',
  ],
};

for (const [name, [declare, message]] of Object.entries(refused)) {
  Deno.test(`response.socket() refuses ${name}`, () => {
    assertEquals(assertThrows(declare, TypeError).message, message);
  });
}

Deno.test("response.socket() declares text, bytes and codecs, and is the response 101 of a GET", () => {
  const Moment = codec(z.string(), z.date(), {
    decode: (text) => new Date(text),
    encode: (date) => date.toISOString(),
  });
  const feed = route.get("/feed", {
    query: z.object({ after: z.string().optional() }),
    responses: {
      101: response.socket({
        fromClient: request.bytes(),
        fromServer: Moment,
        closes: { 4000: "Over", 4999: "Closed" },
        protocols: ["feed.v1"],
        maxMessageBytes: 1,
        description: "Moments",
      }),
    },
  });

  const { kind, schema, description } = feed.responses[101];
  assertEquals([kind, schema === Moment, description], ["socket", true, "Moments"]);
});

Deno.test("a server that declares a socket cannot be mounted without the option sockets", () => {
  const contract = defineContract({ routes: { room: route.get("/rooms/:id", { responses: { 101: socket } }) } });
  const implementation = defineServer(contract).implement({ room: ({ response }) => response(101, () => {}) });

  assertThrows(
    () => createFetchHandler(implementation),
    TypeError,
    'Cannot mount GET /rooms/:id (room): its response 101 is a socket; pass the option "sockets", such as denoSockets()',
  );
  assertThrows(
    () => createFetchHandler(implementation, { sockets: {} as never }),
    TypeError,
    'createFetchHandler(): "sockets" must be made by denoSockets() or its like, got an object',
  );
});

Deno.test("a server whose POST inherits a socket cannot be mounted", () => {
  const contract = defineContract({
    routes: {
      rooms: router("/rooms", {
        responses: { 101: socket },
        routes: { add: route.post("/", { responses: { 204: response.empty() } }) },
      }),
    },
  });
  const implementation = defineServer(contract).implement({ rooms: { add: ({ response }) => response(204) } });

  assertThrows(
    () => createFetchHandler(implementation),
    TypeError,
    "Cannot mount POST /rooms (rooms.add): response 101 of POST must not be response.socket(), because a handshake is a " +
      "GET; use route.get()",
  );
});
