/**
 * Serves the room and its page: `deno task chat`, and then http://localhost:8000 in two windows of a browser. Messages arrive as
 * JSON and leave as server-sent events, which the page reads with the typed client in a `for await` loop. A listener that reconnects
 * sends the id of its last event. Processes with the same `CHAT_VALKEY=valkey://…` share the room.
 *
 * @module
 */
import { fetchAdapter, type FetchHandler } from "@scope/api/fetch";
import { defineServer, keepAlive } from "@scope/api/server";
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
export function createHandler(room: Room = new MemoryRoom()): FetchHandler {
  const answerCall = mountRoom(room);
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

function mountRoom(room: Room): FetchHandler {
  const typing = new Typing(room);
  const server = defineServer(contract, { context: ({ request }) => ({ request }) });
  const implementation = server.implement({
    say: async ({ headers, body, response }) => {
      const isKept = await room.say(body.author, body.text, headers["idempotency-key"]);
      return isKept ? response(204) : response(503, { detail: "The message could not be kept. Try again." });
    },
    listen: ({ query, headers, response }) =>
      response(200, keepAlive(room.listen(query.name, headers["last-event-id"]))),
    typing: ({ query, context, response }) => {
      const upgraded = typing.join(context.request, query.name);
      return upgraded ? response(101, upgraded) : response(426, "Ask for a WebSocket.", { upgrade: "websocket" });
    },
  });
  return fetchAdapter({ maxBodyBytes: 16_384 }).mount(implementation);
}

/** Processes with the same `CHAT_VALKEY` share a room; a process without it has its own. */
async function openRoom(): Promise<Room> {
  const url = Deno.env.get("CHAT_VALKEY");
  if (!url) return new MemoryRoom();
  const { ValkeyRoom } = await import("./valkey_room.ts"); // loads the client library only if it is needed
  return ValkeyRoom.open(url);
}

const room = await openRoom();

if (import.meta.main) {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, () => room.close()); // `deno serve` waits until all responses have ended
  }
}

export const handler: FetchHandler = createHandler(room);

export default {
  fetch: handler,
  onListen(address): void {
    if ("port" in address) console.log(`The chat is at http://localhost:${address.port}: open it in two windows`);
  },
} satisfies Deno.ServeDefaultExport;
