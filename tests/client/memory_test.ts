/** However a server chunks a response, reading it takes memory for its bytes, and not for its chunks. */
import { defineContract, response, route } from "@scope/api";
import { type Client, ClientError, createClient, unwrap } from "@scope/api/client";
import { assert, assertEquals, assertLess, assertRejects } from "@std/assert";
import { chunkBytes, chunkCount, singleBytes, watchBuffers } from "../support/single_bytes.ts";

const contract = defineContract({
  routes: {
    json: route.get("/json", { responses: { 200: response.json<unknown>() } }),
    text: route.get("/text", { responses: { 200: response.text() } }),
    stream: route.get("/stream", { responses: { 200: response.stream() } }),
  },
});
const text = "x".repeat(chunkCount);

function clientOf(contentType: string, body: BodyInit, status = 200): Client<typeof contract.routes> {
  const fetch = (): Response => new Response(body, { status, headers: { "content-type": contentType } });
  return createClient(contract, { baseUrl: "https://a.example", fetch });
}

Deno.test("a response in chunks of one byte uses no more memory than its bytes", async () => {
  const { sample, assertFew } = watchBuffers();
  for (const options of [{}, { signal: new AbortController().signal }]) {
    const json = clientOf("application/json", singleBytes(`"${text}"`, sample));
    assertEquals(unwrap(await json.json(options)), text);
    const plain = clientOf("text/plain", singleBytes(text, sample));
    assertEquals(unwrap(await plain.text(options)), text);
  }
  assertFew();
});

Deno.test("an error response keeps no more memory than its bytes", async () => {
  const { sample, assertFew } = watchBuffers();
  const html = await assertRejects(() => clientOf("text/html", singleBytes(text, sample)).text(), ClientError);
  assertEquals(html.text, text.slice(0, 8192));
  const document = JSON.stringify({ title: text });
  const client = clientOf("application/problem+json", singleBytes(document, sample), 404);
  const problem = await assertRejects(() => client.text(), ClientError);
  assertEquals(problem.problem, { title: text });
  assertFew();
});

Deno.test("a caller that keeps the chunks of a stream keeps their bytes, not their buffers", async () => {
  const { sample, assertFew } = watchBuffers();
  const kept: Uint8Array<ArrayBuffer>[] = [];
  const client = clientOf("application/octet-stream", singleBytes(text, sample));
  for await (const chunk of unwrap(await client.stream())) kept.push(chunk);
  assertEquals(await new Blob(kept).text(), text);
  assertFew();
});

// proves promises | The memory for a response is proportional to its bytes, whatever its chunks
Deno.test("a response in chunks of one byte uses no more memory than its bytes over a socket", async () => {
  const { sample, assertFew } = watchBuffers();
  const server = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const answering = (async () => {
    using connection = await server.accept();
    await connection.read(new Uint8Array(1000));
    const head =
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
    for (const piece of [head, ...chunkBytes(text).match(/[^]{1,6000}/g)!]) {
      const bytes = new TextEncoder().encode(piece);
      for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
      await new Promise((resolve) => setTimeout(resolve, 1));
      sample();
    }
  })();
  const client = createClient(contract, { baseUrl: `http://127.0.0.1:${server.addr.port}` });
  assertEquals(unwrap(await client.text({ signal: new AbortController().signal })), text);
  await answering;
  server.close();
  assertFew();
});

Deno.test("a record in pieces of one byte uses no more memory than its bytes", async () => {
  const program = `
    import { defineContract, response, route } from "@scope/api";
    import { createClient } from "@scope/api/client";
    const schema = { "~standard": { version: 1, vendor: "any", validate: (value) => ({ value }) } };
    const contract = defineContract({
      routes: {
        rows: route.get("/rows", { responses: { 200: response.ndjson(schema) } }),
        events: route.get("/events", { responses: { 200: response.sse(schema) } }),
      },
    });
    const length = 200_000;
    const parts = { rows: ['"', "a", '"\\n'], events: ['data: "\\n', "data: a\\n", 'data:"\\n\\n'] };
    const types = { rows: "application/x-ndjson", events: "text/event-stream" };
    const measure = () => (gc(), gc(), Deno.memoryUsage().heapUsed);
    for (const key of ["rows", "events"]) {
      const [head, piece, tail] = parts[key].map((text) => new TextEncoder().encode(text));
      let before, grown, at = -1;
      const body = new ReadableStream({
        pull(controller) {
          if (at === 1000) before = measure();
          if (++at <= length) return controller.enqueue(at === 0 ? head : piece.slice());
          grown = measure() - before;
          controller.enqueue(tail);
          controller.close();
        },
      }, { highWaterMark: 0 });
      const fetch = () => new Response(body, { headers: { "content-type": types[key] } });
      const client = createClient(contract, { baseUrl: "https://a.example", fetch });
      try {
        for await (const _ of (await client[key]()).body);
      } catch {
        // lines of data that are joined by newlines are not JSON
      }
      console.log(Math.ceil(grown / length));
    }`;
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-check", "--v8-flags=--expose-gc", program],
    signal: AbortSignal.timeout(120_000),
  }).output();
  assert(success);
  const grown = new TextDecoder().decode(stdout).trim().split("\n").map(Number);
  assertEquals(grown.length, 2);
  for (const bytes of grown) assertLess(bytes, 8);
});
