/** Requests to a Node server that ask for another protocol, which Node passes to the event `upgrade`, without a response. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Awaitable } from "../awaitable.ts";
import { isInMemory } from "../native_response.ts";
import type { RequestHeaders } from "../server/define/call.ts";
import type { Sent } from "../server/http/answer.ts";
import { toResponse } from "../server/http/native_answer.ts";
import type { NodeUpgrade } from "../server/http/sockets.ts";
import { statusPhrase } from "../wire/problem.ts";
import { MessageExchange } from "./node_exchange.ts";

/** Such a request. Its socket takes the place of the response: it tells when the client has left. */
export class UpgradeExchange extends MessageExchange implements NodeUpgrade {
  constructor(req: IncomingMessage, readonly socket: Duplex, readonly head: Uint8Array) {
    super(req, socket as unknown as ServerResponse); // `isGone` and `signal` use what both have
    if (req.httpVersion === "1.0") Object.defineProperty(this, "headers", { value: withoutUpgrade(super.headers) });
  }
}

/** Returns the fields that count in HTTP/1.0, in which none asks for another protocol (RFC 9110, section 7.8). */
function withoutUpgrade(headers: RequestHeaders): RequestHeaders {
  return new Headers([...headers].filter(([name]) => name !== "upgrade") as [string, string][]);
}

/** The requests that handlers of this package have left to other listeners, and how many did. */
const left = new WeakMap<IncomingMessage, number>();

/**
 * Returns whether another listener may answer a request. If each listener is a handler of this package, the last one
 * answers.
 */
export function mayLeave(req: IncomingMessage): boolean {
  const { server } = req.socket as { readonly server?: { listenerCount?(name: string): number } }; // that of `node:net` has it
  const before = left.get(req) ?? 0;
  left.set(req, before + 1);
  return (server?.listenerCount?.("upgrade") ?? 1) > before + 1;
}

/** Sends an answer on a connection whose parser Node has removed, and closes it. A 101 was sent by what made it. */
export async function sendOnSocket(sent: Awaitable<Sent>, { socket, method }: UpgradeExchange): Promise<void> {
  const response = toResponse(await sent, method === "HEAD");
  const { status, statusText, headers } = response;
  if (status === 101) return;
  try {
    const content = isInMemory(response) ? new Uint8Array(await response.arrayBuffer()) : undefined;
    const fields = [...headers].filter(([name]) => !framing.includes(name));
    if (content) fields.push(["content-length", String(content.byteLength)]);
    fields.push(["connection", "close"]);
    const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    socket.write(`HTTP/1.1 ${status} ${statusText || statusPhrase(status)}\r\n${head}\r\n`, "latin1");
    for await (const chunk of content ? [content] : response.body ?? []) {
      if (socket.destroyed) break; // which cancels the body
      await new Promise<unknown>((resolve) => socket.write(chunk, resolve)); // also called when the socket is destroyed
    }
    socket.end(() => socket.destroy()); // a client could keep its half open
  } catch {
    socket.destroy(); // its body reports its failure by itself
  }
}

/** The fields that the sender decides. Without a length, the end of the connection ends the content. */
const framing: readonly string[] = ["connection", "content-length", "transfer-encoding", "keep-alive"];
