/** A client of sockets in memory. */
import type { MemorySocket, MemoryUpgrade } from "@scope/api/socket";

/** What a client of a socket sees. */
export interface Client {
  readonly socket: MemorySocket;
  /** The messages so far. */
  readonly messages: string[];
  /** The end: its code and reason. */
  readonly closed: Promise<string>;
  /** Resolves to the next message. */
  readonly next: () => Promise<string>;
}

type Handler = (request: Request) => Response | Promise<Response>;

/** The fields of a handshake. */
export const handshake: Readonly<Record<string, string>> = {
  upgrade: "websocket",
  connection: "Upgrade",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
};

/** Requests a connection. */
export function ask(handler: Handler, path: string, fields: Readonly<Record<string, string>> = {}): Promise<Response> {
  return Promise.resolve(handler(new Request(`http://localhost${path}`, { headers: { ...handshake, ...fields } })));
}

/** Opens a connection. Throws if it is refused. */
export async function open(
  handler: Handler,
  path: string,
  fields?: Readonly<Record<string, string>>,
  accepts = true,
): Promise<Client> {
  const answer = await ask(handler, path, fields);
  if (answer.status !== 101) throw new Error(`refused: ${answer.status} ${await answer.text()}`);
  const { webSocket: socket } = answer as MemoryUpgrade;
  const messages: string[] = [];
  let read = 0;
  let wake = (): void => {};
  socket.onmessage = ({ data }) => {
    messages.push(typeof data === "string" ? data : new Uint8Array(data).join());
    wake();
  };
  const closed = new Promise<string>((resolve) => {
    socket.onclose = ({ code, reason }) => resolve(`${code} ${reason}`.trim());
  });
  const next = async (): Promise<string> => {
    while (messages.length <= read) await new Promise<void>((resolve) => wake = resolve);
    return messages[read++]!;
  };
  if (accepts) socket.accept();
  return { socket, messages, closed, next };
}
