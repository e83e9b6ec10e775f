/**
 * Serves the room and its page: `deno task chat`, and then http://localhost:8000 in two windows of a browser. Messages arrive as
 * JSON and leave as server-sent events, which the page reads with the typed client in a `for await` loop. A listener that reconnects
 * sends the id of its last event. A WebSocket tells who is typing. Processes with the same `CHAT_VALKEY=valkey://…` share the room.
 *
 * @module
 */
import { fetchAdapter, type FetchHandler } from "@scope/api/fetch";
import { defineServer, keepAlive } from "@scope/api/server";
import { denoSockets, type Sockets } from "@scope/api/socket";
import { serveDir } from "@std/http/file-server";
import { contract } from "./contract.ts";
import { MemoryRoom } from "./memory_room.ts";
import type { Room } from "./room.ts";
import { Typing } from "./typing.ts";

/** The policy of the page: it loads and calls only this origin, and cannot insert text as HTML. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

/** Creates the handler of one room, which serves the routes of the contract and the files of the page. */
export function createHandler(room: Room = new MemoryRoom(), sockets: Sockets = openSockets()): FetchHandler {
  const answerCall = mountRoom(room, sockets);
  return (request) => {
    const pathname = URL.parse(request.url)?.pathname; // undefined for a malformed Host, which the adapter answers with 400
    if (pathname === undefined || pathname.startsWith("/api/")) return answerCall(request);
    return serveDir(request, {
      fsRoot: `${import.meta.dirname}/public`,
      headers: [`content-security-policy: ${policy}`, "x-content-type-options: nosniff", "cache-control: no-cache"],
      quiet: true,
    });
  };
}

function mountRoom(room: Room, sockets: Sockets): FetchHandler {
  const typing = new Typing(room);
  const implementation = defineServer(contract).implement({
    say: async ({ headers, body, response }) => {
      const isKept = await room.say(body.author, body.text, headers["idempotency-key"]);
      return isKept ? response(204) : response(503, { detail: "The message could not be kept. Try again." });
    },
    listen: ({ query, headers, response }) =>
      response(200, keepAlive(room.listen(query.name, headers["last-event-id"]))),
    typing: ({ query, response }) => response(101, (socket) => typing.join(query.name, socket)),
  });
  return fetchAdapter({ maxBodyBytes: 16_384, sockets }).mount(implementation);
}

/** A message says only that someone is typing: a client that is too slow for names is disconnected, and reconnects. */
function openSockets(): Sockets {
  return denoSockets({ maxMessageBytes: 100, maxBufferedBytes: 10_000 });
}

/** Processes with the same `CHAT_VALKEY` share a room; a process without it has its own. */
async function openRoom(): Promise<Room> {
  const url = Deno.env.get("CHAT_VALKEY");
  if (!url) return new MemoryRoom();
  const { ValkeyRoom } = await import("./valkey_room.ts"); // loads the client library only if it is needed
  return ValkeyRoom.open(url);
}

const room = await openRoom();
const sockets = openSockets();

if (import.meta.main) {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, () => { // `deno serve` waits until all responses have ended
      void room.close();
      void sockets.shutDown();
    });
  }
}

export const handler: FetchHandler = createHandler(room, sockets);

export default {
  fetch: handler,
  onListen(address): void {
    if ("port" in address) console.log(`The chat is at http://localhost:${address.port}: open it in two windows`);
  },
} satisfies Deno.ServeDefaultExport;
