/** The options of sockets: what each function refuses, and that it works on its own runtime alone. */
import { defineContract, request, response, route } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { bunSockets, memorySockets, nodeSockets, type Sockets, workersSockets } from "@scope/api/socket";
import { assertEquals, assertThrows } from "@std/assert";
import { ask } from "./in_memory.ts";

const wss = { handleUpgrade: () => {} };

const refused: Readonly<Record<string, readonly [create: () => unknown, message: string]>> = {
  "options that are not an object": [
    () => memorySockets(5 as never),
    "memorySockets(): the options must be an object, got 5",
  ],
  "a misspelled option": [
    () => memorySockets({ maxMessageSize: 5 } as never),
    'memorySockets(): unknown option "maxMessageSize"; did you mean "maxMessageBytes"? (allowed: maxMessageBytes, maxDepth, ' +
    "maxBufferedMessages, maxBufferedBytes, idleTimeout, keepAlive, onClose)",
  ],
  "a limit of 0": [
    () => memorySockets({ maxMessageBytes: 0 }),
    'memorySockets(): "maxMessageBytes" must be a positive integer, got 0',
  ],
  "a limit that is not an integer": [
    () => bunSockets({ maxBufferedMessages: 1.5 }),
    'bunSockets(): "maxBufferedMessages" must be a positive integer, got 1.5',
  ],
  "an infinite limit": [
    () => bunSockets({ maxBufferedBytes: Infinity }),
    'bunSockets(): "maxBufferedBytes" must be a positive integer, got Infinity',
  ],
  "an idleTimeout of 0": [
    () => memorySockets({ idleTimeout: 0 }),
    'memorySockets(): "idleTimeout" must be milliseconds above 0, at most 2147483647, or Infinity, got 0',
  ],
  "a keepAlive in words": [
    () => memorySockets({ keepAlive: "30s" as never }),
    'memorySockets(): "keepAlive" must be milliseconds above 0, at most 2147483647, or Infinity, got a string',
  ],
  "an onClose that is not a function": [
    () => memorySockets({ onClose: {} as never }),
    'memorySockets(): "onClose" must be a function, got an object',
  ],
  "an idleTimeout on Workers": [
    () => workersSockets({ idleTimeout: 5_000 } as never),
    'workersSockets(): "idleTimeout" must be omitted, because Workers have no timers outside of a request, got 5000',
  ],
  "options in the place of a server of ws": [
    () => nodeSockets({ maxDepth: 5 } as never),
    "nodeSockets(): the first argument must be a WebSocketServer of the package ws, got an object",
  ],
  "a server of ws with a port of its own": [
    () => nodeSockets({ ...wss, options: { port: 8080 } } as never),
    "nodeSockets(): the WebSocketServer must be made with { noServer: true }, got undefined",
  ],
};

for (const [name, [create, message]] of Object.entries(refused)) {
  Deno.test(`sockets refuse ${name}`, () => {
    assertEquals(assertThrows(create, TypeError).message, message);
  });
}

const others: Readonly<Record<string, readonly [sockets: Sockets, message: string]>> = {
  "nodeSockets()": [
    nodeSockets(wss),
    'Cannot open a connection: nodeSockets() needs createNodeHandler(), and server.on("upgrade", handler.upgrade)',
  ],
  "bunSockets()": [
    bunSockets(),
    "Cannot open a connection: bunSockets() needs the second argument of Bun; pass the handler of createFetchHandler() to " +
    "Bun.serve({ fetch: handler, websocket: sockets.websocket })",
  ],
  "workersSockets()": [
    workersSockets(),
    "Cannot open a connection: workersSockets() needs Workers; use the function of this runtime",
  ],
};

for (const [name, [sockets, message]] of Object.entries(others)) {
  Deno.test(`${name} on another runtime is a 500, and onError gets the reason`, async () => {
    const texts = response.socket({ fromClient: request.text(), fromServer: response.text() });
    const contract = defineContract({ routes: { room: route.get("/", { responses: { 101: texts } }) } });
    const errors: string[] = [];
    const handler = createFetchHandler(
      defineServer(contract).implement({ room: ({ response }) => response(101, () => {}) }),
      { sockets, onError: ({ phase, error }) => void errors.push(`${phase} ${(error as Error).message}`) },
    );

    const answer = await ask(handler, "/");
    await answer.body?.cancel();
    assertEquals([answer.status, errors, sockets.size], [500, [`encode ${message}`], 0]);
  });
}
