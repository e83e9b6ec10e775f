/** Streamed bodies over real connections. */
import { request, response, route } from "@scope/api";
import { createClient } from "@scope/api/client";
import { ClientError } from "@scope/api/client";
import { defineContract } from "@scope/api";
import { createFetchHandler, type ErrorReport } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals, assertRejects } from "@std/assert";

const contract = defineContract({
  routes: {
    count: route.post("/count", { body: request.stream(), responses: { 200: response.json<number>() } }),
    first: route.post("/first", { body: request.stream(), responses: { 200: response.json<number>() } }),
    ignore: route.post("/ignore", { body: request.stream(), responses: { 204: response.empty() } }),
  },
});

interface Arrivals {
  /** Resolves when the handler has seen the first chunk. */
  readonly first: PromiseWithResolvers<void>;
  /** Resolves when reading has failed. */
  readonly failed: PromiseWithResolvers<unknown>;
  readonly reports: ErrorReport[];
}

/** Runs `use` with a client of a server that listens. */
async function serve(
  maxBodyBytes: number,
  use: (client: ReturnType<typeof connect>, arrivals: Arrivals, port: number) => Promise<void>,
): Promise<void> {
  const arrivals: Arrivals = { first: Promise.withResolvers(), failed: Promise.withResolvers(), reports: [] };
  const count = async (body: ReadableStream<Uint8Array>): Promise<number> => {
    let length = 0;
    try {
      for await (const chunk of body) {
        length += chunk.byteLength;
        arrivals.first.resolve();
      }
    } catch (error) {
      arrivals.failed.resolve(error);
      throw error;
    }
    return length;
  };
  const implementation = defineServer(contract).implement({
    count: async ({ body, response }) => response(200, await count(body)),
    first: async ({ body, response }) => {
      for await (const chunk of body) return response(200, chunk[0] ?? 0);
      return response(200, 0);
    },
    ignore: ({ response }) => response(204),
  });
  const handler = createFetchHandler(implementation, {
    maxBodyBytes,
    onError: (report) => void arrivals.reports.push(report),
  });
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, handler);
  try {
    await use(connect(server.addr.port), arrivals, server.addr.port);
    assertEquals(arrivals.reports, []);
  } finally {
    await server.shutdown();
  }
}

// deno-lint-ignore explicit-function-return-type -- stated by the contract
function connect(port: number) {
  return createClient(contract, { baseUrl: `http://127.0.0.1:${port}` });
}

Deno.test("request.stream() passes the first bytes to the handler before the client has sent the last", async () => {
  await serve(1_000_000, async (client, { first }) => {
    async function* produce(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(10);
      await first.promise;
      yield new Uint8Array(5);
    }
    assertEquals((await client.count({ body: produce() })).body, 15);
    const stream = ReadableStream.from([new Uint8Array(3), new Uint8Array(0), new Uint8Array(4)]);
    assertEquals((await client.count({ body: stream })).body, 7);
    assertEquals((await client.count({ body: ReadableStream.from<Uint8Array>([]) })).body, 0);
  });
});

Deno.test("maxBodyBytes responds 413 during an upload, and the producer is stopped", async () => {
  await serve(1_000_000, async (client) => {
    let closed = 0;
    async function* produce(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) {
          await new Promise((resolve) => setTimeout(resolve, 1));
          yield new Uint8Array(50_000);
        }
      } finally {
        closed++;
      }
    }
    const error = await assertRejects(() => client.count({ body: produce() }), ClientError);
    assertEquals([error.code, error.status], ["unexpected-status", 413]);
    for (let wait = 0; closed === 0 && wait < 200; wait++) await new Promise((resolve) => setTimeout(resolve, 10));
    assertEquals(closed, 1);
  });
});

Deno.test("a client that aborts during an upload fails the handler's read, which is not an error", async () => {
  await serve(1_000_000, async (client, { first, failed }) => {
    const caller = new AbortController();
    let closed = 0;
    async function* produce(): AsyncGenerator<Uint8Array> {
      try {
        yield new Uint8Array(10);
        await first.promise;
        caller.abort();
        yield new Uint8Array(10);
      } finally {
        closed++;
      }
    }
    const call = client.count({ body: produce() }, { signal: caller.signal });
    assertEquals((await assertRejects(() => call, ClientError)).code, "aborted");
    assert(await failed.promise instanceof Error);
    assertEquals(closed, 1);
  });
});

Deno.test("a producer that fails during an upload fails the handler's read and the call", async () => {
  await serve(1_000_000, async (client, { first, failed }) => {
    const cause = new Error("disk unplugged");
    async function* produce(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(10);
      await first.promise;
      throw cause;
    }
    const error = await assertRejects(() => client.count({ body: produce() }), ClientError);
    assertEquals([error.code, error.cause], ["network", cause]);
    assert(await failed.promise instanceof Error);
  });
});

Deno.test("an unread or partly read request.stream() does not delay the response", async () => {
  await serve(1_000_000, async (client) => {
    const body = (): ReadableStream<Uint8Array> => ReadableStream.from([new Uint8Array([7]), new Uint8Array([8])]);
    assertEquals((await client.first({ body: body() })).body, 7);
    assertEquals((await client.ignore({ body: body() })).status, 204);
    assertEquals((await client.count({ body: body() })).body, 2);
  });
});

Deno.test("a request.stream() whose connection breaks off fails the handler's read, which is not an error", async () => {
  await serve(1_000_000, async (_, { first, failed }, port) => {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port });
    const head =
      "POST /count HTTP/1.1\r\nhost: a\r\ncontent-type: application/octet-stream\r\ncontent-length: 100\r\n\r\n";
    await connection.write(new TextEncoder().encode(`${head}bytes`));
    await first.promise;
    connection.close();
    assert(await failed.promise instanceof Error);
  });
});
