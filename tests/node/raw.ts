/** Requests as text on a connection of their own, for what `fetch` cannot send. */

/** A connection to a server. */
export interface Connection extends Disposable {
  readonly send: (text: string | Uint8Array) => Promise<void>;
  /** Returns what the server sends, until the text matches, the server closes, or a second is over. */
  readonly until: (pattern: RegExp) => Promise<string>;
  /** Whether the server has closed it. */
  readonly isClosed: () => boolean;
}

const encoder = new TextEncoder();

/** Opens a connection. */
export async function connect(baseUrl: string): Promise<Connection> {
  const { hostname, port } = new URL(baseUrl);
  const socket = await Deno.connect({ hostname, port: Number(port) });
  let text = "";
  let isClosed = false;
  let notify = (): void => {};
  const read = async (): Promise<void> => {
    const buffer = new Uint8Array(64 * 1024);
    for (;;) {
      const count = await socket.read(buffer).catch(() => null);
      if (count === null) break;
      text += Array.from(buffer.subarray(0, count), (byte) => String.fromCharCode(byte)).join(""); // Latin-1
      notify();
    }
    isClosed = true;
    notify();
  };
  const reading = read();
  return {
    async send(data): Promise<void> {
      const bytes = typeof data === "string" ? encoder.encode(data) : data;
      for (let at = 0; at < bytes.length;) at += await socket.write(bytes.subarray(at));
    },
    async until(pattern): Promise<string> {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, 3_000);
      while (!pattern.test(text) && !isClosed) {
        const { promise: more, resolve: take } = Promise.withResolvers<void>();
        notify = take;
        if (await Promise.race([more, late.then(() => "late")]) === "late") break;
      }
      clearTimeout(timer);
      return text;
    },
    isClosed: () => isClosed,
    [Symbol.dispose](): void {
      try {
        socket.close();
      } catch { /* the server has closed it */ }
      void reading;
    },
  };
}

/** Sends a text on a connection of its own, and returns all that the server sends until it closes. */
export async function ask(baseUrl: string, text: string | Uint8Array): Promise<string> {
  using connection = await connect(baseUrl);
  await connection.send(text);
  return await connection.until(/(?!)/);
}

/** Sends a request without a body, of which the connection closes, and returns the status and the body. */
export async function askFor(baseUrl: string, target: string, head = "Host: localhost"): Promise<string> {
  return summarize(await ask(baseUrl, `GET ${target} HTTP/1.1\r\n${head}\r\nConnection: close\r\n\r\n`));
}

/** The status and the body of a raw response. */
export function summarize(response: string): string {
  const [, status, body = ""] = response.match(/^HTTP\/1\.1 (\d+)[^]*?\r\n\r\n([^]*)$/) ?? [];
  const [, code] = body.match(/"code":"([\w-]+)"/) ?? [];
  return `${status} ${code ?? body}`.trim();
}
