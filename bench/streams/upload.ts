/**
 * Streams 1 GiB, or another amount, from a client to a `Deno.serve` in the same process, through `request.stream()`,
 * and prints the resident memory:
 * `deno run --config bench/deno.json --allow-net=127.0.0.1 bench/streams/upload.ts [GiB]`. Exits with code 1 if it
 * grows.
 */
import { defineContract, request, response, route } from "@scope/api";
import { createClient, unwrap } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";

const mebi = 2 ** 20;
const total = Number(Deno.args[0] ?? 1) * 1024 * mebi;
const chunk = new Uint8Array(64 * 1024).fill(7);
/** The bytes between two readings of the memory. */
const step = 128 * mebi;
/** The growth that is allowed after the memory has settled, in bytes. */
const allowance = 64 * mebi;

const contract = defineContract({
  routes: {
    upload: route.post("/upload", { body: request.stream(), responses: { 200: response.json<number>() } }),
  },
});
const samples: number[] = [];
const implementation = defineServer(contract).implement({
  upload: async ({ body, response }) => {
    let length = 0;
    for await (const { byteLength } of body) {
      length += byteLength;
      if (Math.floor(length / step) > samples.length) sample(length);
    }
    return response(200, length);
  },
});

function sample(length: number): void {
  const { rss } = Deno.memoryUsage();
  samples.push(rss);
  console.log(`${length / mebi | 0} MiB received, ${rss / mebi | 0} MiB resident`);
}

async function* produce(): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < total; sent += chunk.byteLength) yield chunk;
}

const handler = createFetchHandler(implementation, { maxBodyBytes: total });
const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, handler);
const client = createClient(contract, { baseUrl: `http://127.0.0.1:${server.addr.port}` });

const started = performance.now();
const received = unwrap(await client.upload({ body: produce() }));
const seconds = (performance.now() - started) / 1000;
await server.shutdown();

const growth = Math.max(...samples) - (samples[1] ?? samples[0] ?? 0);
console.log(
  `${received / mebi} MiB in ${seconds.toFixed(1)} s; after the first 256 MiB memory grew by ${growth / mebi | 0} MiB`,
);
if (received !== total || growth > allowance) Deno.exit(1);
