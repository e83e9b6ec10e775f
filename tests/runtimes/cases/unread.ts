import type { Case } from "../case.ts";
import { parseAnswer, writeText } from "../exchange.ts";
import type { Counts } from "../unread_server.ts";

/** The bytes that each upload sends: whole with its length, whole in chunks, and the beginning of a longer one. */
const contents = [
  `Content-Length: 1000\r\n\r\n${"x".repeat(1000)}`,
  `Transfer-Encoding: chunked\r\n\r\n3e8\r\n${"x".repeat(1000)}\r\n0\r\n\r\n`,
  `Content-Length: 2000\r\n\r\n${"x".repeat(1000)}`,
];

/** The ends of an upload before its body is read, and the status of each. */
const statuses = {
  "guard": 429,
  "handler": 429,
  "handler-cancels": 429,
  "handler-throws": 500,
  "middleware-answers": 429,
  "middleware-replaces": 429,
  "result-status": 500,
  "result-headers": 500,
};

/** Uploads whose bodies are not read to the end, all of whose bytes may have arrived. */
export const unread: readonly Case[] = [
  ...Object.entries(statuses).map(([end, status]): Case => ({
    name: `an upload that ends by ${end} is not opened, and the server lives`,
    run: (baseUrl) => upload(baseUrl, end),
    gives: { statuses: contents.map(() => status), begun: contents.length, opened: 0 },
  })),
  {
    name: "an upload that is cancelled while its first chunk is read is opened once, and the server lives",
    run: (baseUrl) => upload(baseUrl, "handler-reads"),
    gives: { statuses: contents.map(() => 429), begun: contents.length, opened: contents.length },
  },
  {
    name: "a text past its limit, all of whose chunks have arrived, is 413, and the server lives",
    run: async (baseUrl) => {
      const id = crypto.randomUUID();
      const chunks = `2710\r\n${"x".repeat(10_000)}\r\n`.repeat(4);
      using connection = await send(
        baseUrl,
        `${head("slow-guard", id, "text/plain")}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`,
      );
      const { status } = parseAnswer(await readText(connection));
      await pause();
      return { status, ...await countsOf(baseUrl, id) };
    },
    gives: { status: 413, begun: 1, opened: 1 },
  },
  {
    name: "a form past its limit that the process itself sends is 413, and the process lives",
    run: async (baseUrl) =>
      await Promise.all(
        [500, 200_000].map(async (bytes) => await (await fetch(`${baseUrl}/unread/called/${bytes}`)).json()),
      ),
    gives: [[204, 415, 404], [413, 415, 404]],
  },
  {
    name: "an upload whose client disconnects is not opened, and the server lives",
    run: async (baseUrl) => {
      const id = crypto.randomUUID();
      for (const content of contents) {
        using _ = await send(baseUrl, `${head("disconnect", id)}${content}`);
        await pause();
      }
      await pause();
      return await countsOf(baseUrl, id);
    },
    gives: { begun: contents.length, opened: 0 },
  },
];

/** Sends an upload with each content, and returns the statuses and what the server, which must live, has counted. */
async function upload(baseUrl: string, end: string): Promise<Counts & { readonly statuses: readonly number[] }> {
  const id = crypto.randomUUID();
  const statuses: number[] = [];
  for (const content of contents) {
    using connection = await send(baseUrl, `${head(end, id)}${content}`);
    statuses.push(parseAnswer(await readText(connection)).status);
    await pause(); // some servers wait for the rest of an upload before they close its connection
  }
  return { statuses, ...await countsOf(baseUrl, id) };
}

/** The first text that a connection receives within five seconds. */
async function readText(connection: Deno.Conn): Promise<string> {
  const buffer = new Uint8Array(1000);
  const timer = setTimeout(() => connection.close(), 5000);
  const length = await connection.read(buffer).catch(() => null);
  clearTimeout(timer);
  return new TextDecoder().decode(buffer.subarray(0, length ?? 0));
}

function head(end: string, id: string, contentType = "application/octet-stream"): string {
  return `POST /unread/${end}/${id} HTTP/1.1\r\nHost: a\r\nContent-Type: ${contentType}\r\n`;
}

/** Sends text over a connection that the caller closes. */
async function send(baseUrl: string, text: string): Promise<Deno.Conn> {
  const { hostname, port } = new URL(baseUrl);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  await writeText(connection, text);
  return connection;
}

async function countsOf(baseUrl: string, id: string): Promise<Counts> {
  return await (await fetch(`${baseUrl}/unread/${id}`)).json();
}

/** Time for what the server does after a response or a disconnect. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}
