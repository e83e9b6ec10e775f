import { defineContract, response, route } from "@scope/api";
import { type CallOptions, ClientError, type ClientOptions, createClient, unwrap } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { type } from "arktype";
import { watchBody } from "../support/watched_body.ts";

const contract = defineContract({
  routes: {
    json: route.get("/json", { responses: { 200: response.json<unknown>() } }),
    text: route.get("/text", { responses: { 200: response.text() } }),
    bytes: route.get("/bytes", { responses: { 200: response.bytes() } }),
    problem: route.get("/problem", { responses: { 200: response.problem() } }),
    stream: route.get("/stream", { responses: { 200: response.stream() } }),
    rows: route.get("/rows", { responses: { 200: response.ndjson(type("string")) } }),
    raw: route.get("/raw", { responses: { 200: response.raw() } }),
    head: route.head("/head", { responses: { 200: response.text() } }),
  },
});
const types = {
  json: "application/json",
  text: "text/plain;charset=UTF-8",
  bytes: "application/octet-stream",
  problem: "application/problem+json",
  stream: "application/octet-stream",
  rows: "application/x-ndjson",
  raw: "text/html",
  head: "text/plain;charset=UTF-8",
};
type Key = keyof typeof types;
const whole = ["json", "text", "bytes", "problem"] as const;

/** Content of this many bytes. */
function contentOf(key: Key, length: number): string {
  if (key === "json") return `"${"x".repeat(length - 2)}"`;
  return key === "problem" ? `{"title":"${"x".repeat(length - 12)}"}` : "x".repeat(length);
}

function clientOf(
  key: Key,
  body: BodyInit | null,
  options: Partial<ClientOptions> = {},
  headers: Record<string, string> = {},
): { readonly call: (options?: CallOptions) => Promise<{ readonly body: unknown }> } {
  const fetch = (): Response => new Response(body, { headers: { "content-type": types[key], ...headers } });
  const client = createClient(contract, { baseUrl: "https://a.example", fetch, ...options });
  return { call: (options) => client[key](options) };
}

/** Both ways to wait for a body. */
const signals = [{}, { signal: new AbortController().signal }];

Deno.test("maxBodyBytes of a client accepts a body of exactly that many bytes, and not one more", async () => {
  for (const key of whole) {
    for (const options of signals) {
      await clientOf(key, contentOf(key, 30), { maxBodyBytes: 30 }).call(options);
      const error = await assertRejects(
        () => clientOf(key, contentOf(key, 31), { maxBodyBytes: 30 }).call(options),
        ClientError,
      );
      assertEquals([error.code, error.status, error.text], ["invalid-body", 200, contentOf(key, 31).slice(0, 30)]);
      assertStringIncludes(error.message, "longer than 30 bytes; raise the option maxBodyBytes");
    }
  }
});

Deno.test("maxBodyBytes of a call overrides the client's", async () => {
  const { call } = clientOf("text", "12345", { maxBodyBytes: 4 });
  assertEquals((await call({ maxBodyBytes: 5 })).body, "12345");
  const strict = clientOf("text", "12345", { maxBodyBytes: Infinity });
  await assertRejects(() => strict.call({ maxBodyBytes: 4 }), ClientError, "longer than 4 bytes");
  assertEquals((await clientOf("text", "", { maxBodyBytes: 0 }).call()).body, "");
});

Deno.test("maxBodyBytes cancels a body that is too long, and waits neither for its end nor for its cancellation", async () => {
  const { stream, state } = watchBody(["1234", "56"], { stalls: true });
  const { call } = clientOf("text", stream, { maxBodyBytes: 5 });
  const error = await assertRejects(() => call(), ClientError);
  assertEquals([error.code, error.text, state()], ["invalid-body", "12345", "cancelled"]);

  const stuck = new ReadableStream({
    start: (controller) => controller.enqueue(new Uint8Array(9)),
    cancel: () => new Promise<void>(() => {}),
  });
  await assertRejects(() => clientOf("text", stuck, { maxBodyBytes: 5 }).call(), ClientError, "maxBodyBytes");
});

Deno.test("maxBodyBytes refuses a greater Content-Length without reading, compressed or not", async () => {
  for (const more of [{}, { "content-encoding": "gzip" }]) {
    const { stream, state } = watchBody(["123"], { stalls: true });
    const headers = { "content-length": "6", ...more };
    const error = await assertRejects(() => clientOf("text", stream, { maxBodyBytes: 5 }, headers).call(), ClientError);
    assertEquals([error.code, error.text, state()], ["invalid-body", undefined, "cancelled"]);
  }
});

Deno.test("maxBodyBytes counts bytes whatever Content-Length is, and allocates nothing for it", async () => {
  for (const length of ["3", "0", "-1", "many", "1e9"]) {
    const headers = { "content-length": length };
    assertEquals((await clientOf("text", "12345", { maxBodyBytes: 5 }, headers).call()).body, "12345");
    await assertRejects(() => clientOf("text", "123456", { maxBodyBytes: 5 }, headers).call(), ClientError, "maxBody");
  }
  const headers = { "content-length": "9000000000000000" };
  assertEquals((await clientOf("text", "12345", { maxBodyBytes: Infinity }, headers).call()).body, "12345");
});

Deno.test("maxBodyBytes is 64 MiB by default, and Infinity lifts it", async () => {
  const mebibyte = new Uint8Array(2 ** 20);
  const body = (more: number): ReadableStream => watchBody([...Array(64).fill(mebibyte), new Uint8Array(more)]).stream;
  assertEquals((await clientOf("bytes", body(0)).call()).body, new Uint8Array(64 * 2 ** 20));
  await assertRejects(() => clientOf("bytes", body(1)).call(), ClientError, "longer than 67108864 bytes");
  const { body: long } = await clientOf("bytes", body(1)).call({ maxBodyBytes: Infinity });
  assertEquals((long as Uint8Array).byteLength, 64 * 2 ** 20 + 1);
});

Deno.test("maxBodyBytes limits only whole bodies, not streams, raw responses or HEAD", async () => {
  const limit = { maxBodyBytes: 3 };
  const { body: stream } = await clientOf("stream", "12345", limit).call();
  assertEquals(await new Response(stream as ReadableStream).text(), "12345");
  const rows: unknown[] = [];
  const { body: items } = await clientOf("rows", '"12345"\n"12345"\n', limit).call();
  for await (const row of items as AsyncIterable<unknown>) rows.push(row);
  assertEquals(rows, ["12345", "12345"]);
  const { body: raw } = await clientOf("raw", "12345", limit).call();
  assertEquals(await (raw as Response).text(), "12345");
  assertEquals((await clientOf("head", null, limit, { "content-length": "9" }).call()).body, undefined);
});

// proves promises | A compressed response cannot exhaust a client's memory
Deno.test("maxBodyBytes counts bytes after decompression: a server cannot fill memory with little", async () => {
  const mebibyte = new Uint8Array(2 ** 20);
  const zeros = watchBody(Array(200).fill(mebibyte)).stream;
  const bomb = await new Response(zeros.pipeThrough(new CompressionStream("gzip"))).bytes(); // 200 KiB
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen(): void {} }, () => {
    return new Response(bomb, { headers: { "content-type": types.bytes, "content-encoding": "gzip" } });
  });
  const client = createClient(contract, { baseUrl: `http://127.0.0.1:${server.addr.port}` });
  const error = await assertRejects(() => client.bytes(), ClientError, "longer than 67108864 bytes");
  assertEquals([error.code, error.text?.length], ["invalid-body", 8192]);
  assertEquals(unwrap(await client.bytes({ maxBodyBytes: Infinity })).byteLength, 200 * 2 ** 20);
});

Deno.test("a client refuses a maxBodyBytes that is not a non-negative integer or Infinity", async () => {
  for (const maxBodyBytes of [-1, 1.5, NaN, "1" as never, null as never]) {
    const error = await assertRejects(() => clientOf("text", "").call({ maxBodyBytes }), ClientError, "maxBodyBytes");
    assertEquals(error.code, "invalid-input");
    assertThrows(
      () => clientOf("text", "", { maxBodyBytes }),
      TypeError,
      '"maxBodyBytes" must be a non-negative integer or Infinity, got ',
    );
  }
});

/** Reads a body with its own reader, which is then released. */
async function readAndRelease(answer: Response): Promise<void> {
  const reader = answer.body!.getReader();
  while (!(await reader.read()).done);
  reader.releaseLock();
}

Deno.test("a body that was read before does not count as empty, and is not a failure of the network", async () => {
  for (const options of signals) {
    for (const read of [(answer: Response) => answer.text(), readAndRelease]) {
      const fetch = async (): Promise<Response> => {
        const answer = new Response("read", { headers: { "content-type": types.text } });
        await read(answer);
        return answer;
      };
      const error = await assertRejects(() => clientOf("text", "", { fetch }).call(options), ClientError);
      assertEquals(error.code, "invalid-body");
      assertStringIncludes(error.message, "its body was read before the client read it");
    }
  }
});

Deno.test("an abort of a call is distinguished from its limit", async () => {
  const ending = new AbortController();
  const { stream, state } = watchBody(["123"], { stalls: true });
  const { call } = clientOf("text", stream, { maxBodyBytes: 5 });
  setTimeout(() => ending.abort(), 5);
  const error = await assertRejects(() => call({ signal: ending.signal }), ClientError);
  assertEquals([error.code, state()], ["aborted", "cancelled"]);
});

Deno.test("maxBodyBytes stops reading a short body that its coding expands", async () => {
  for (const coding of ["content-encoding", "transfer-encoding"]) {
    const { stream, state } = watchBody(["123", "456", "789"]);
    const headers = { "content-length": "3", [coding]: "gzip" };
    await assertRejects(
      () => clientOf("text", stream, { maxBodyBytes: 5 }, headers).call(),
      ClientError,
      "maxBodyBytes",
    );
    assertEquals(state(), "cancelled");
  }
});

/** Serves responses as they are written, one for each connection. */
function answerRaw(
  answers: readonly (string | Uint8Array)[],
): { readonly baseUrl: string; readonly close: () => void } {
  const server = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  (async () => {
    for (const answer of answers) {
      using connection = await server.accept();
      await connection.read(new Uint8Array(1000));
      const bytes = typeof answer === "string" ? new TextEncoder().encode(answer) : answer;
      try {
        for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
      } catch {
        // the client has left
      }
    }
  })();
  return { baseUrl: `http://127.0.0.1:${server.addr.port}`, close: () => server.close() };
}

Deno.test("maxBodyBytes counts the bytes of chunked and compressed bodies, even if they declare a short length", async () => {
  const head = `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: ${types.bytes}\r\n`;
  const chunks = `Transfer-Encoding: chunked\r\n\r\n${`2710\r\n${"a".repeat(10_000)}\r\n`.repeat(20)}0\r\n\r\n`;
  const zeros = new Blob([new Uint8Array(200_000)]).stream().pipeThrough(new CompressionStream("gzip"));
  const gzip = await new Response(zeros).bytes();
  const coded = new TextEncoder().encode(`${head}Content-Encoding: gzip\r\nContent-Length: ${gzip.length}\r\n\r\n`);
  const { baseUrl, close } = answerRaw([`${head}Content-Length: 5\r\n${chunks}`, new Uint8Array([...coded, ...gzip])]);
  const client = createClient(contract, { baseUrl, maxBodyBytes: 100_000 });
  for (let answer = 0; answer < 2; answer++) {
    const error = await assertRejects(() => client.bytes(), ClientError, "longer than 100000 bytes");
    assertEquals([error.code, error.text?.length], ["invalid-body", 8192]);
  }
  close();
});

Deno.test("a short body with a declared length is read in every way", async () => {
  for (const options of signals) {
    const { baseUrl, close } = answerRaw([
      `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: ${types.json}\r\nContent-Length: 7\r\n\r\n["one"]`,
    ]);
    assertEquals(unwrap(await createClient(contract, { baseUrl }).json(options)), ["one"]);
    close();
  }
});

/** A mounted handler that responds with a native response. */
function mountRaw(answer: () => Response): (request: Request) => Response | Promise<Response> {
  const routes = { text: route.get("/text", { responses: { 200: response.raw() } }) };
  return createFetchHandler(
    defineServer(defineContract({ routes })).implement({
      text: ({ response }) => response(200, answer()),
    }),
  );
}

/** A mounted handler that responds with text. */
function mountText(text: string): (request: Request) => Response | Promise<Response> {
  const routes = { text: route.get("/text", { responses: { 200: response.text() } }) };
  return createFetchHandler(
    defineServer(defineContract({ routes })).implement({
      text: ({ response }) => response(200, text),
    }),
  );
}

Deno.test("the platform reads bodies that a mounted handler has in memory, up to maxBodyBytes", async () => {
  for (const options of signals) {
    const fetch = async (request: Request): Promise<Response> => {
      const answer = await mountText("12345")(request);
      return Object.defineProperty(answer, "body", { get: () => assertEquals("read by the client", undefined) });
    };
    assertEquals((await clientOf("text", "", { fetch, maxBodyBytes: 5 }).call(options)).body, "12345");
    const error = await assertRejects(
      () => clientOf("text", "", { fetch, maxBodyBytes: 4 }).call(options),
      ClientError,
      "longer than 4 bytes",
    );
    assertEquals([error.code, error.text], ["invalid-body", "1234"]);
  }
});

Deno.test("the platform reads the text of a constructed response, which Deno has in memory, up to maxBodyBytes", async () => {
  const answers = [
    () => new Response("12345", { headers: { "content-type": types.text } }),
    () => new Response("12345", { headers: { "content-type": "text/plain" } }),
    () => new Response("12345"),
  ];
  for (const options of signals) {
    for (const answer of answers) {
      const fetch = (): Response =>
        Object.defineProperty(answer(), "body", { get: () => assertEquals("read by the client", undefined) });
      assertEquals((await clientOf("text", "", { fetch, maxBodyBytes: 5 }).call(options)).body, "12345");
      const error = await assertRejects(
        () => clientOf("text", "", { fetch, maxBodyBytes: 4 }).call(options),
        ClientError,
        "longer than 4 bytes",
      );
      assertEquals([error.code, error.text], ["invalid-body", "1234"]);
    }
  }
});

Deno.test("maxBodyBytes stops reading proxied bodies of a mounted handler, and copies of those in memory", async () => {
  const headers = { "content-type": types.text };
  const answers: readonly ((body: ReadableStream<Uint8Array<ArrayBuffer>>) => Response | Promise<Response>)[] = [
    (body) => mountRaw(() => new Response(body, { headers }))(new Request("https://a.example/text")),
    async (body) => new Response(body, await mountText("1")(new Request("https://a.example/text"))),
  ];
  for (const answer of answers) {
    const { stream, state } = watchBody(["123", "456", "789"], { stalls: true });
    const { call } = clientOf("text", "", { fetch: () => answer(stream), maxBodyBytes: 5 });
    await assertRejects(() => call(), ClientError, "longer than 5 bytes");
    assertEquals(state(), "cancelled");
  }
});

Deno.test("maxBodyBytes counts the bytes of JSON that a mounted handler has in memory, not its characters", async () => {
  const routes = { json: route.get("/json", { responses: { 200: response.json<string>() } }) };
  const handler = createFetchHandler(
    defineServer(defineContract({ routes })).implement({ json: ({ response }) => response(200, "ü") }),
  );
  for (const options of signals) {
    assertEquals((await clientOf("json", "", { fetch: handler, maxBodyBytes: 4 }).call(options)).body, "ü");
    const error = await assertRejects(
      () => clientOf("json", "", { fetch: handler, maxBodyBytes: 3 }).call(options),
      ClientError,
      "maxBodyBytes",
    );
    assertEquals([error.code, error.text], ["invalid-body", '"ü"']);
    const readBefore = async (request: Request): Promise<Response> => {
      const answer = await handler(request);
      await answer.text();
      return answer;
    };
    const used = await assertRejects(() => clientOf("json", "", { fetch: readBefore }).call(options), ClientError);
    assertEquals(used.code, "invalid-body");
  }
});

Deno.test("maxBodyBytes counts the bytes of a mounted handler's blob, which a file may contain", async () => {
  const routes = { bytes: route.get("/bytes", { responses: { 200: response.bytes() } }) };
  const handler = createFetchHandler(
    defineServer(defineContract({ routes })).implement({
      bytes: ({ response }) => response(200, new Blob(["123456"]) as never),
    }),
  );
  let reads = 0;
  const fetch = async (request: Request): Promise<Response> => {
    const answer = await handler(request);
    const { body } = answer;
    return Object.defineProperty(answer, "body", { get: () => (reads++, body) });
  };
  await assertRejects(() => clientOf("bytes", "", { fetch, maxBodyBytes: 5 }).call(), ClientError, "maxBodyBytes");
  assertEquals(reads, 1);
});

Deno.test("maxBodyBytes stops reading a constructed response whose content-length is too short", async () => {
  for (const key of whole) {
    let pulls = 0;
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => ++pulls > 1000 ? controller.close() : controller.enqueue(new Uint8Array(1024)),
    }, { highWaterMark: 0 });
    const { call } = clientOf(key, body, { maxBodyBytes: 4096 }, { "content-length": "10" });
    const error = await assertRejects(() => call(), ClientError);
    assertEquals([error.code, pulls], ["invalid-body", 5]);
  }
});
