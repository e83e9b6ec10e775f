/** Uploads that are sent back as they arrive, over real connections. */
import { defineContract, request, response, route } from "@scope/api";
import { createFetchHandler, type ErrorReport } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals } from "@std/assert";
import { rejectionsOf } from "../support/rejections.ts";
import { settle } from "../support/producers.ts";

const declared = { body: request.stream(), responses: { 200: response.stream() } };
const contract = defineContract({
  routes: {
    plain: route.post("/plain", declared),
    generated: route.post("/generated", declared),
    wrapped: route.post("/wrapped", declared),
  },
});

/** The most bytes of an upload. */
const maxBodyBytes = 50_000;

async function* passOn(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for await (const chunk of body) yield chunk;
}

async function* failAnew(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  try {
    yield* passOn(body);
  } catch (cause) {
    throw new Error("the upload cannot be sent back", { cause });
  }
}

/** The reported errors and the requests of a server of echoes. */
interface Echoes {
  readonly port: number;
  readonly heard: ErrorReport[];
  /** Requests that have arrived. */
  readonly arrived: () => number;
  /** Those of them whose response has not been sent or cut off. */
  readonly open: () => number;
}

/** Serves echoes for as long as `use` takes. The hook is asynchronous, and rejects. */
async function serveEchoes(preserveRequestBody: boolean, use: (echoes: Echoes) => Promise<void>): Promise<void> {
  const heard: ErrorReport[] = [];
  let open = 0;
  let arrived = 0;
  const implementation = defineServer(contract).implement({
    plain: ({ body, response }) => response(200, body),
    generated: ({ body, response }) => response(200, passOn(body)),
    wrapped: ({ body, response }) => response(200, failAnew(body)),
  });
  const handler = createFetchHandler(implementation, {
    maxBodyBytes,
    preserveRequestBody,
    onError: async (report) => {
      heard.push(report);
      await Promise.resolve();
      throw new Error("hook");
    },
  });
  const options = { hostname: "127.0.0.1", port: 0, onListen(): void {} };
  await using server = Deno.serve(options, (request, info) => {
    open++;
    arrived++;
    info.completed.then(() => open--, () => open--);
    return handler(request);
  });
  await use({ port: server.addr.port, heard, arrived: () => arrived, open: () => open });
}

/** How a client sends an upload, and leaves it. */
interface Upload {
  readonly path: string;
  /** Whether it states the length of the whole, which it never sends. */
  readonly isCounted: boolean;
  /** How many pieces of five bytes it sends. */
  readonly pieces: number;
  /** Waits for the echo of all of them before it leaves. */
  readonly waits: boolean;
}

async function sendAndLeave(port: number, { path, isCounted, pieces, waits }: Upload): Promise<void> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const length = isCounted ? "content-length: 40000" : "transfer-encoding: chunked";
  const head = `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/octet-stream\r\n${length}\r\n\r\n`;
  await connection.write(new TextEncoder().encode(head + (isCounted ? "piece" : "5\r\npiece\r\n").repeat(pieces)));
  let answer = "";
  const buffer = new Uint8Array(65_536);
  while (waits && answer.split("piece").length <= pieces) {
    const read = await connection.read(buffer);
    assert(read !== null);
    answer += new TextDecoder().decode(buffer.subarray(0, read));
  }
  await new Promise((resolve) => setTimeout(resolve, 10));
  connection.close();
}

/**
 * Waits until this many requests have arrived, which may take long on a busy machine, and until their responses have
 * ended.
 */
async function untilClosed({ arrived, open }: Echoes, count: number): Promise<void> {
  const isOver = (): boolean => arrived() === count && open() === 0;
  for (let wait = 0; !isOver() && wait < 1000; wait++) await new Promise((resolve) => setTimeout(resolve, 10));
  await settle();
}

// proves promises | A client that aborts an upload that the handler echoes does not cause an error
Deno.test("an echo whose client aborts the upload is not an error, however it is sent and processed", async () => {
  for (const preserveRequestBody of [false, true]) {
    await serveEchoes(preserveRequestBody, async (echoes) => {
      const { port, heard, open } = echoes;
      let count = 0;
      for (const path of ["/plain", "/generated", "/wrapped"]) {
        for (const isCounted of [true, false]) {
          for (const [pieces, waits] of [[0, false], [1, false], [1, true], [3, true], [4_000, false]] as const) {
            await sendAndLeave(port, { path, isCounted, pieces, waits });
            await untilClosed(echoes, ++count);
            const told = heard.splice(0).map(({ phase, error }) => `${phase}: ${error}`);
            assertEquals([told, open()], [[], 0], JSON.stringify({ path, isCounted, pieces, waits }));
          }
        }
      }
    });
  }
});

Deno.test("an echo of an upload that is too long is cut off and reported once, and a rejecting hook leaves no unhandled rejection", async () => {
  const unhandled = await rejectionsOf(() =>
    serveEchoes(false, async (echoes) => {
      const { port, heard } = echoes;
      const connection = await Deno.connect({ hostname: "127.0.0.1", port });
      const head = "POST /plain HTTP/1.1\r\nhost: a\r\ncontent-type: application/octet-stream\r\n";
      const chunk = `2710\r\n${"x".repeat(10_000)}\r\n`;
      await connection.write(new TextEncoder().encode(`${head}transfer-encoding: chunked\r\n\r\n`));
      for (let sent = 0; sent <= maxBodyBytes; sent += 10_000) await connection.write(new TextEncoder().encode(chunk));
      let answer = "";
      const decoder = new TextDecoderStream();
      try {
        for await (const text of connection.readable.pipeThrough(decoder)) answer += text;
      } catch {
        // the server may close it before it has read everything
      }
      await untilClosed(echoes, 1);
      assert(answer.startsWith("HTTP/1.1 200"), answer.slice(0, 100));
      assert(!answer.endsWith("0\r\n\r\n"));
      assertEquals(heard.map(({ phase, error }) => [phase, (error as Error).name]), [["stream", "RangeError"]]);
    })
  );
  assertEquals(unhandled, []);
});
