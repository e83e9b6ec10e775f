/** A contract served by `Deno.serve`, and clients that write arbitrary bytes to its socket. */
import { defineContract, request, response, route } from "@scope/api";
import { createFetchHandler, type ErrorReport } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals } from "@std/assert";
import { canary } from "../support/paces.ts";
import { anything } from "../support/hostile_schemas.ts";

const contract = defineContract({
  routes: {
    hello: route.get("/hello", { responses: { 200: response.text() } }),
    one: route.get("/one/:id", { responses: { 200: response.json<unknown>() } }),
    star: route.options("/:any", { responses: { 200: response.text() } }),
    text: route.post("/text", { body: request.text(), responses: { 200: response.text() } }),
    json: route.post("/json", { body: request.json(), responses: { 200: response.json<unknown>() } }),
    stream: route.post("/stream", { body: request.stream(), responses: { 200: response.text() } }),
    fields: route.post("/fields", {
      headers: anything<Record<string, string>>(),
      body: request.text(),
      responses: { 200: response.json<unknown>() },
    }),
    late: route.get("/late/:milliseconds", { responses: { 200: response.text() } }),
    broken: route.get("/broken", { responses: { 200: response.ndjson(anything<unknown>()) } }),
    throws: route.get("/throws", { responses: { 200: response.text() } }),
    rows: route.get("/rows", { responses: { 200: response.ndjson(anything<unknown>()) } }),
  },
});

/** A server that is running. */
export interface Served {
  readonly port: number;
  /** The keys of the routes whose handlers began. */
  readonly ran: string[];
  readonly heard: ErrorReport[];
  /** How many producers are open, and how many calls are under way. */
  readonly open: { producers: number; calls: number };
}

/**
 * Serves for as long as `use` takes; a body may have 1,000 bytes. Afterwards the server still responds, and nothing is
 * open.
 */
export async function serving(use: (served: Served) => Promise<void>): Promise<void> {
  const ran: string[] = [];
  const heard: ErrorReport[] = [];
  const open = { producers: 0, calls: 0 };
  async function* produce(): AsyncGenerator<unknown> {
    open.producers++;
    try {
      for (let row = 0;; row++) {
        yield { row, text: "x".repeat(1_000) };
        if (row % 20 === 19) await pause(1);
      }
    } finally {
      open.producers--;
    }
  }
  async function* breakOff(): AsyncGenerator<unknown> {
    yield "a row";
    await pause(1);
    throw new Error(canary);
  }
  const server = defineServer(contract).use(({ route, next }) => {
    ran.push(route.key);
    return next();
  });
  const handler = createFetchHandler(
    server.implement({
      hello: ({ response }) => response(200, "hello"),
      one: ({ params, response }) => response(200, params),
      star: ({ params, response }) => response(200, params.any),
      text: ({ body, response }) => response(200, body),
      json: ({ body, response }) => response(200, body),
      stream: async ({ body, response }) => {
        let length = 0;
        for await (const chunk of body) length += chunk.byteLength;
        return response(200, String(length));
      },
      fields: ({ headers, body, response }) => response(200, { headers, body }),
      late: async ({ params, response }) => {
        await pause(Number(params.milliseconds));
        return response(200, params.milliseconds);
      },
      broken: ({ response }) => response(200, breakOff()),
      throws: () => {
        throw new Error(canary);
      },
      rows: ({ response }) => response(200, produce()),
    }),
    { maxBodyBytes: 1_000, onError: (report) => void heard.push(report) },
  );
  const options = { hostname: "127.0.0.1", port: 0, onListen(): void {} };
  await using listener = Deno.serve(options, async (request) => {
    open.calls++;
    try {
      return await handler(request);
    } finally {
      open.calls--;
    }
  });
  const { port } = listener.addr;
  await use({ port, ran, heard, open });
  assertEquals(statusesOf(await exchange(port, ["GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"])), [
    200,
  ]);
  for (let waited = 0; waited < 200 && (open.producers > 0 || open.calls > 0); waited++) await pause(10);
  assertEquals(open, { producers: 0, calls: 0 });
}

/** How a client ends after its last piece. */
export interface Ending {
  /** Closes its half of the connection, so that only responses can arrive. */
  readonly half?: boolean;
  /** Reads at most this many bytes; 0 for a client that disconnects at once. */
  readonly maxBytes?: number;
  /** Waits so long between the pieces, in milliseconds. */
  readonly pause?: number;
}

/** Writes pieces to its own connection, and returns everything that arrives until the server closes it. */
export async function exchange(port: number, pieces: readonly string[], ending: Ending = {}): Promise<string> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  connection.setNoDelay(true);
  const reading = readAll(connection, ending.maxBytes ?? Infinity);
  const giveUp = setTimeout(() => connection.close(), 20_000); // what hangs fails for want of an answer
  try {
    for (const piece of pieces) {
      const bytes = new TextEncoder().encode(piece);
      for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
      if (ending.pause !== undefined) await pause(ending.pause);
    }
    if (ending.half) await connection.closeWrite();
    if (ending.maxBytes === 0) connection.close();
  } catch {
    // the server has closed it, which is its right
  }
  const text = await reading;
  clearTimeout(giveUp);
  try {
    connection.close();
  } catch {
    // it is
  }
  return text;
}

async function readAll(connection: Deno.Conn, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  const bytes = new Uint8Array(65_536);
  let text = "";
  try {
    while (text.length < maxBytes) {
      const count = await connection.read(bytes);
      if (count === null) break;
      text += decoder.decode(bytes.subarray(0, count), { stream: true });
    }
  } catch {
    // reset, or closed by this end
  }
  return text;
}

/** The statuses of all responses, in order, without informational ones. */
export function statusesOf(answers: string): number[] {
  return [...answers.matchAll(/HTTP\/1\.[01] (\d{3}) /g)].map(([, status]) => Number(status)).filter((status) =>
    status >= 200
  );
}

/** Waits. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
