import { setImmediate } from "node:timers";
import type { RequestData } from "../contract/scenarios.ts";

/** The load on a server, which is always limited. Each connection has one request in flight. */
export interface Load {
  readonly connections: number;
  /** In milliseconds. */
  readonly duration: number;
  /**
   * Whether the client never sleeps. The system charges a server for waking it, up to 1.4 µs a response, and more often a
   * slower one. A client that is awake is a bottleneck earlier, so that it measures no rates. Default: `false`.
   */
  readonly staysAwake?: boolean;
}

/** The requests to a server, and the status that it must respond with. */
export interface Asked {
  readonly port: number;
  readonly request: RequestData;
  readonly status: number;
}

/**
 * Loads a server on 127.0.0.1 and returns the number of its responses. The bytes of requests are created once, and
 * responses are counted by their length, which is the same for all. The client does little work, so that the server is
 * the bottleneck.
 */
export async function load(asked: Asked, { connections, duration, staysAwake }: Load): Promise<number> {
  const end = performance.now() + duration;
  const stayAwake = (): void => void (performance.now() < end && setImmediate(stayAwake));
  if (staysAwake) stayAwake();
  const counts = Array.from({ length: connections }, () => loadConnection(asked, end));
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

async function loadConnection({ port, request, status }: Asked, end: number): Promise<number> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  connection.setNoDelay();
  const bytes = format(request);
  const start = new TextEncoder().encode(`HTTP/1.1 ${status} `);
  const buffer = new Uint8Array(64 * 1024);

  await writeAll(connection, bytes);
  const length = await readAnswer(connection, buffer);
  let answers = 0;
  while (performance.now() < end) {
    if (!start.every((byte, index) => byte === buffer[index])) {
      throw new Error(`Cannot load: ${decode(buffer, length)}`);
    }
    await writeAll(connection, bytes);
    await readExactly(connection, buffer, length);
    answers++;
  }
  return answers;
}

function format({ method = "GET", path, headers = {}, body = "" }: RequestData): Uint8Array {
  const content = new TextEncoder().encode(body);
  const fields = Object.entries({
    host: "127.0.0.1",
    ...headers,
    ...(content.length > 0 && { "content-length": String(content.length) }),
  });
  const head = [`${method} ${path} HTTP/1.1`, ...fields.map(([name, value]) => `${name}: ${value}`)].join("\r\n");
  return new TextEncoder().encode(`${head}\r\n\r\n${body}`);
}

async function writeAll(connection: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length;) written += await connection.write(bytes.subarray(written));
}

async function readExactly(connection: Deno.Conn, buffer: Uint8Array, length: number): Promise<void> {
  for (let received = 0; received < length;) received += await readSome(connection, buffer.subarray(received));
}

/** Reads one response, with a declared length or chunked, and returns the number of its bytes. */
async function readAnswer(connection: Deno.Conn, buffer: Uint8Array): Promise<number> {
  for (let received = 0;;) {
    received += await readSome(connection, buffer.subarray(received));
    const [head, content] = decode(buffer, received).split("\r\n\r\n", 2);
    if (head === undefined || content === undefined) continue;
    const declared = head.match(/^content-length: (\d+)/mi)?.[1];
    const complete = declared === undefined
      ? decode(buffer, received).endsWith("\r\n0\r\n\r\n")
      : received >= head.length + 4 + Number(declared);
    if (complete) return received;
  }
}

async function readSome(connection: Deno.Conn, buffer: Uint8Array): Promise<number> {
  const count = await connection.read(buffer);
  if (count === null) throw new Error("Cannot load: the server closed the connection");
  return count;
}

function decode(buffer: Uint8Array, length: number): string {
  return new TextDecoder().decode(buffer.subarray(0, length));
}
