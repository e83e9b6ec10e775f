import { defineContract, response, route } from "@scope/api";
import { type Client, ClientError, createClient } from "@scope/api/client";
import { assertEquals, assertRejects, assertStringIncludes, fail } from "@std/assert";
import { type } from "arktype";
import { watchBody } from "../support/watched_body.ts";

Deno.test.sanitizer({ ops: true, resources: true });

const contract = defineContract({
  routes: {
    bytes: route.get("/bytes", { responses: { 200: response.stream() } }),
    rows: route.get("/rows", { responses: { 200: response.ndjson(type("number")) } }),
    events: route.get("/events", { responses: { 200: response.sse(type("number")) } }),
    text: route.get("/text", { responses: { 200: response.text() } }),
  },
});
const types: Readonly<Record<string, string>> = {
  "/bytes": "application/octet-stream",
  "/rows": "application/x-ndjson",
  "/events": "text/event-stream",
  "/text": "text/plain",
};

function connect(body: ReadableStream<Uint8Array<ArrayBuffer>>): Client<typeof contract.routes> {
  return createClient(contract, {
    baseUrl: "https://a.example",
    fetch: ({ url }) => new Response(body, { headers: { "content-type": types[new URL(url).pathname]! } }),
  });
}

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

Deno.test("silence ends a stream, lines or events with timeout, and cancels the body", async () => {
  for (const key of ["rows", "events"] as const) {
    const { stream, state } = watchBody([key === "rows" ? "1\n" : "data: 1\n\n"], { stalls: true });
    const { body } = await connect(stream)[key]({ silence: 10 });
    await body.next();
    const error = await assertRejects(() => body.next(), ClientError);
    assertEquals([error.code, error.status, state()], ["timeout", 200, "cancelled"]);
    assertStringIncludes(error.message, "no data arrived for 10 ms");
    assertEquals((await body.next()).done, true);
  }
  const { stream, state } = watchBody(["1"], { stalls: true });
  const { body } = await connect(stream).bytes({ silence: 10 });
  assertEquals([(await assertRejects(() => new Response(body).text(), ClientError)).code, state()], [
    "timeout",
    "cancelled",
  ]);
});

Deno.test("silence restarts with each byte, even of a comment, and does not count the time of a slow reader", async () => {
  async function* drip(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    for (const text of [":", ": \n", "\n", "data: 1", "\n\n", "data: 2\n\n"]) {
      await wait(60);
      yield new TextEncoder().encode(text);
    }
  }
  const { body } = await connect(ReadableStream.from(drip())).events({ silence: 300 });
  const seen: number[] = [];
  for await (const { data } of body) {
    seen.push(data);
    await wait(350);
  }
  assertEquals(seen, [1, 2]);
});

Deno.test("silence clears its timer when a stream is read, left or aborted, and does not apply to whole bodies", async () => {
  const options = { silence: 60_000 };
  assertEquals(await Array.fromAsync((await connect(watchBody(["1\n"]).stream).rows(options)).body), [1]);
  const left = await connect(watchBody(["1\n"], { stalls: true }).stream).rows(options);
  const pending = left.body.next().then(() => left.body.next());
  await wait(1);
  await left.body.return();
  assertEquals((await pending).done, true);
  const controller = new AbortController();
  const { body } = await connect(watchBody(["1\n"], { stalls: true }).stream).rows({
    ...options,
    signal: controller.signal,
  });
  await body.next();
  const aborted = assertRejects(() => body.next(), ClientError);
  controller.abort();
  assertEquals((await aborted).code, "aborted");
  assertEquals((await connect(watchBody(["ok"]).stream).text({ silence: 0 })).body, "ok");
  assertEquals((await connect(watchBody(["ok"]).stream).text({ silence: Infinity })).body, "ok");
});

Deno.test("createClient() calls refuse a silence that is invalid", async () => {
  for (const silence of [-1, NaN, 2_147_483_648, "5", null]) {
    const client = createClient(contract, { baseUrl: "https://a.example", fetch: () => fail("something was sent") });
    const error = await assertRejects(() => client.text({ silence: silence as never }), ClientError);
    assertEquals(error.code, "invalid-input");
    assertStringIncludes(error.message, '"silence" must be milliseconds from 0 to 2147483647, or Infinity, got ');
  }
});
