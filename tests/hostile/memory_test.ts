/** However a body is chunked, reading it takes memory for its bytes, and not for its chunks. */
import { defineContract, request, type RequestBody, response, route } from "@scope/api";
import { createFetchHandler, type FetchHandler, type FetchOptions } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals } from "@std/assert";
import { chunkBytes, chunkCount, singleBytes, watchBuffers } from "../support/single_bytes.ts";
import { exchange, statusesOf } from "./sockets.ts";
import { anything } from "../support/hostile_schemas.ts";

const fields = "a=1&".repeat(chunkCount / 4);
const part = `--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n${"x".repeat(chunkCount)}\r\n--b--`;
const text = "x".repeat(chunkCount);

const bodies: readonly (readonly [body: RequestBody, content: string, contentType: string])[] = [
  [request.json(), JSON.stringify(text), "application/json"],
  [request.text(), text, "text/plain"],
  [request.bytes(), text, "application/octet-stream"],
  [request.form(anything()), fields, "application/x-www-form-urlencoded"],
  [request.formData(anything()), part, "multipart/form-data; boundary=b"],
];

/** A handler that takes a body at `POST /`. */
function take(body: RequestBody, options: FetchOptions): FetchHandler {
  const contract = defineContract({ routes: { it: route.post("/", { body, responses: { 204: response.empty() } }) } });
  return createFetchHandler(defineServer(contract).implement({ it: () => ({ status: 204 }) }), options);
}

Deno.test("a body in chunks of one byte uses no more memory than its bytes", async () => {
  const { sample, assertFew } = watchBuffers();
  for (const options of [{ maxBodyBytes: 100_000 }, {}]) {
    for (const [body, content, type] of bodies) {
      const headers = { "content-type": type, "transfer-encoding": "chunked" };
      const init = { method: "POST", body: singleBytes(content, sample), headers };
      assertEquals((await take(body, options)(new Request("http://localhost/", init))).status, 204);
    }
  }
  assertFew();
});

// proves promises | The memory for a request body is proportional to its bytes, whatever its chunks
Deno.test("a body in chunks of one byte uses no more memory than its bytes over many sockets", async () => {
  const { sample, assertFew } = watchBuffers();
  const handler = take(request.text(), { maxBodyBytes: chunkCount / 4 });
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen(): void {} },
    (request) => handler(request),
  );
  const head =
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
  const content = chunkBytes("x".repeat(chunkCount / 4));
  const pieces = [head, ...content.match(/[^]{1,6000}/g)!];
  const timer = setInterval(sample, 5);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => exchange(server.addr.port, pieces, { pause: 10 })),
  );
  clearInterval(timer);
  assertEquals(answers.flatMap(statusesOf), Array.from({ length: 8 }, () => 204));
  assertFew();
});

Deno.test("a handler that keeps the chunks of a stream keeps their bytes, not their buffers", async () => {
  const { sample, assertFew } = watchBuffers();
  const kept: Uint8Array[] = [];
  const contract = defineContract({
    routes: { it: route.post("/", { body: request.stream(), responses: { 204: response.empty() } }) },
  });
  const implementation = defineServer(contract).implement({
    it: async ({ body, response }) => {
      for await (const chunk of body) kept.push(chunk);
      return response(204);
    },
  });
  const init = {
    method: "POST",
    body: singleBytes(text, sample),
    headers: { "content-type": "application/octet-stream" },
  };
  const answer = await createFetchHandler(implementation)(new Request("http://localhost/", init));
  assertEquals([answer.status, await new Blob(kept as Uint8Array<ArrayBuffer>[]).text()], [204, text]);
  assertFew();
});
