/** Opens connections to the server under test: in memory to a handler, or by a WebSocket to a URL. */
import { type Awaitable, wait } from "../../awaitable.ts";
import type { Frame } from "../../representation/socket.ts";
import { toRequest, type WireRequest } from "./wire_request.ts";

export interface OpenSocket {
  readonly arrived: readonly Frame[];
  readonly end: { readonly code: number; readonly reason: string } | undefined;
  readonly send: (frame: Frame) => void;
  readonly close: () => Promise<void>;
  readonly waitForEnd: () => Promise<void>;
  readonly settle: () => Promise<void>;
}

/** A handshake that opened no connection: its status, if it is known, or why none can be opened. */
export interface RefusedHandshake {
  readonly status?: number | undefined;
  readonly state?: string;
}

export type Connect = (
  request: WireRequest,
  handshake: TestHandshake,
  signal: AbortSignal,
) => Promise<OpenSocket | RefusedHandshake>;

export interface TestHandshake {
  readonly protocols: readonly string[];
  readonly origin?: string;
}

/** The fields of a handshake (RFC 6455, section 4.1). */
const fields = {
  "connection": "Upgrade",
  "upgrade": "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
} as const;

export function toTestHandshake(request: WireRequest, { protocols, origin }: TestHandshake): WireRequest {
  const offer = { "sec-websocket-protocol": protocols.join(", ") };
  return { ...request, headers: { ...request.headers, ...fields, ...offer, ...(origin !== undefined && { origin }) } };
}

/** The members of a `WebSocket`, or of one end in memory, that are used here. */
interface SocketLike {
  binaryType?: string;
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  send(data: Frame): void;
  close(code?: number): void;
  accept?(): void;
}

/** Returns a function that opens connections to a handler, whose 101 has the client's end as `webSocket`. */
export function connectInMemory(handler: (request: Request) => Awaitable<Response>, baseUrl: string): Connect {
  return async (request, handshake, signal) => {
    const response = await handler(toRequest(toTestHandshake(request, handshake), baseUrl, signal));
    if (response.status !== 101) {
      await response.body?.cancel();
      return { status: response.status };
    }
    const { webSocket } = response as { readonly webSocket?: SocketLike };
    if (!webSocket) {
      return { state: "pass memorySockets() to the handler, or the URL of a running server as the target" };
    }
    return watch(webSocket, 10, 200);
  };
}

/** Returns a function that opens connections to a URL. The header fields are an extension of Deno, Node and Bun. */
export function connectToUrl(baseUrl: string): Connect {
  return async ({ path, headers }, { protocols, origin }, signal) => {
    if (typeof WebSocket === "undefined") return { state: "this runtime has no WebSocket; use Node 22 or later" };
    const options = { protocols: [...protocols], headers: { ...headers, ...(origin !== undefined && { origin }) } };
    const socket = new WebSocket(`${baseUrl.replace(/^http/, "ws")}${path}`, options as never);
    const opened = watch(socket, 50, 1_000);
    const isOpen = await new Promise<boolean>((resolve) => {
      signal.addEventListener("abort", () => socket.close());
      socket.onopen = () => resolve(true);
      socket.onerror = () => resolve(false);
    });
    return isOpen ? opened : {};
  };
}

/** Watches a connection. The target sends no more after `quiet` milliseconds of silence, and closes within `patience`. */
function watch(socket: SocketLike, quiet: number, patience: number): OpenSocket {
  const arrived: Frame[] = [];
  let end: OpenSocket["end"];
  let wake = (): void => {};
  socket.binaryType = "arraybuffer";
  socket.onmessage = ({ data }) => {
    arrived.push(typeof data === "string" ? data : new Uint8Array(data));
  };
  const ended = new Promise<void>((resolve) => wake = resolve);
  socket.onclose = ({ code, reason }) => {
    end = { code, reason };
    wake();
  };
  socket.accept?.();
  const pause = async (milliseconds: number): Promise<void> => {
    const controller = new AbortController();
    await Promise.race([ended, wait(milliseconds, controller.signal)]);
    controller.abort();
  };
  return {
    arrived,
    get end(): OpenSocket["end"] {
      return end;
    },
    send: (frame) => socket.send(frame),
    close: async () => {
      socket.close(1000);
      await pause(patience);
    },
    waitForEnd: () => pause(patience),
    settle: async () => {
      for (let before = -1; before < arrived.length && !end && arrived.length < mostSettled;) {
        before = arrived.length;
        await pause(quiet);
      }
    },
  };
}

/** The most messages that are waited for: a server may send without end. */
const mostSettled = 100;
