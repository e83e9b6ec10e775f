/** A client of WebSockets that writes any bytes to a TCP connection (RFC 6455, section 5). */

/** A frame, or the end of the connection. */
export interface Frame {
  readonly opcode: number;
  readonly payload: Uint8Array<ArrayBuffer>;
}

/** The fields of a valid handshake. */
const handshake: Readonly<Record<string, string>> = {
  Upgrade: "websocket",
  Connection: "Upgrade",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
};

/** A connection to a server on this machine. */
export class RawClient {
  readonly #connection: Deno.TcpConn;
  #read: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  #isOver = false;

  private constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
  }

  /** Sends a handshake with changed fields; `undefined` leaves one out. Returns the client and the head of the answer. */
  static async open(
    port: number,
    path: string,
    changed: Readonly<Record<string, string | undefined>> = {},
  ): Promise<readonly [client: RawClient, head: string]> {
    const client = new RawClient(await Deno.connect({ hostname: "127.0.0.1", port }));
    const fields = Object.entries({ Host: `127.0.0.1:${port}`, ...handshake, ...changed }).flatMap(([name, value]) =>
      value === undefined ? [] : `${name}: ${value}\r\n`
    );
    await client.write(new TextEncoder().encode(`GET ${path} HTTP/1.1\r\n${fields.join("")}\r\n`));
    return [client, await client.#readHead()];
  }

  /** Opens a connection. Throws if it is refused. */
  static async upgrade(port: number, path: string): Promise<RawClient> {
    const [client, head] = await RawClient.open(port, path);
    if (!head.startsWith("HTTP/1.1 101 ")) throw new Error(head);
    return client;
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.byteLength;) at += await this.#connection.write(bytes.subarray(at));
  }

  /** Sends a frame. It is masked, unless told otherwise. */
  async send(
    content: string | Uint8Array,
    { opcode = typeof content === "string" ? 1 : 2, masked = true } = {},
  ): Promise<void> {
    await this.write(toFrame(content, opcode, masked));
  }

  /** Closes with a code. */
  async close(code: number): Promise<void> {
    await this.send(new Uint8Array([code >> 8, code & 255]), { opcode: 8 });
  }

  /** Returns the next frame with data, or the code and reason of the close, or `1006` if the connection breaks. */
  async next(): Promise<string> {
    for (;;) {
      const frame = await this.#readFrame();
      if (!frame) return "1006";
      const { opcode, payload } = frame;
      if (opcode === 1) return new TextDecoder().decode(payload);
      if (opcode === 2) return payload.join();
      if (opcode === 8) {
        const code = payload.length < 2 ? 1005 : payload[0]! * 256 + payload[1]!;
        return `${code} ${new TextDecoder().decode(payload.subarray(2))}`.trim();
      }
    }
  }

  /** Returns the close that ends the connection, after any other frames. */
  async end(): Promise<string> {
    for (;;) {
      const next = await this.next();
      if (/^\d{4}\b/.test(next)) return next;
    }
  }

  /** Breaks the connection off. */
  break(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#connection.close();
  }

  async #readHead(): Promise<string> {
    let text = "";
    while (!text.includes("\r\n\r\n")) {
      if (!await this.#receive()) return text;
      text = new TextDecoder("latin1").decode(this.#read);
    }
    const end = text.indexOf("\r\n\r\n") + 4;
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
    while (this.#read.byteLength < end + length) if (!await this.#receive()) break;
    const head = new TextDecoder().decode(this.#read.subarray(0, end + length));
    this.#read = this.#read.subarray(end + length);
    return head;
  }

  async #readFrame(): Promise<Frame | undefined> {
    if (!await this.#need(2)) return undefined;
    const opcode = this.#read[0]! & 15;
    let length = this.#read[1]! & 127;
    let start = 2;
    if (length >= 126) {
      start += length === 126 ? 2 : 8;
      if (!await this.#need(start)) return undefined;
      length = this.#read.subarray(2, start).reduce((sum, byte) => sum * 256 + byte, 0);
    }
    if (!await this.#need(start + length)) return undefined;
    const payload = this.#read.slice(start, start + length);
    this.#read = this.#read.subarray(start + length);
    return { opcode, payload };
  }

  async #need(count: number): Promise<boolean> {
    while (this.#read.byteLength < count) if (!await this.#receive()) return false;
    return true;
  }

  async #receive(): Promise<boolean> {
    if (this.#isOver) return false;
    const buffer = new Uint8Array(65_536);
    const count = await this.#connection.read(buffer).catch(() => null);
    if (count === null) {
      this.break();
      return false;
    }
    const joined = new Uint8Array(this.#read.byteLength + count);
    joined.set(this.#read);
    joined.set(buffer.subarray(0, count), this.#read.byteLength);
    this.#read = joined;
    return true;
  }
}

/** Returns the bytes of a frame. */
export function toFrame(content: string | Uint8Array, opcode: number, masked = true): Uint8Array<ArrayBuffer> {
  const payload = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const { byteLength } = payload;
  const mask = masked ? 128 : 0;
  const size = byteLength < 126
    ? [mask | byteLength]
    : byteLength < 65_536
    ? [mask | 126, byteLength >> 8, byteLength & 255]
    : [mask | 127, 0, 0, 0, 0, byteLength >>> 24, (byteLength >> 16) & 255, (byteLength >> 8) & 255, byteLength & 255];
  const head = new Uint8Array([128 | opcode, ...size, ...(masked ? [0, 0, 0, 0] : [])]); // a mask of zeros
  const frame = new Uint8Array(head.byteLength + byteLength);
  frame.set(head);
  frame.set(payload, head.byteLength);
  return frame;
}
