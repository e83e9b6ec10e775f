import { representation, request, type RequestBody, response, route } from "@scope/api";
import type { FetchHandler, FetchOptions } from "@scope/api/fetch";
import { assertEquals } from "@std/assert";
import { type } from "arktype";
import { assertProblem, mountRoute, nextTask } from "../support/mount_route.ts";

/** A handler that counts its runs and responds with the length of its text. */
function measure(options: FetchOptions): { handler: FetchHandler; runs: () => number } {
  let runs = 0;
  const declared = route.post("/", { body: request.text(), responses: { 200: response.json<number>() } });
  const handler = mountRoute(declared, ({ body, response }) => {
    runs++;
    return response(200, body.length);
  }, options);
  return { handler, runs: () => runs };
}

function post(body: BodyInit | null, headers: Record<string, string> = {}): Request {
  return new Request("http://localhost/", {
    method: "POST",
    body,
    headers: { "content-type": "text/plain", ...headers },
  });
}

/** A source of one-byte chunks without end. */
function endless(): { body: ReadableStream<Uint8Array>; pulls: () => number; cancelled: () => number } {
  let pulls = 0;
  let cancelled = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      pulls++;
      controller.enqueue(new Uint8Array([97]));
    },
    cancel: () => void cancelled++,
  }, { highWaterMark: 0 });
  return { body, pulls: () => pulls, cancelled: () => cancelled };
}

const assertTooLarge = (answer: Response): Promise<void> =>
  assertProblem(answer, 413, "Content Too Large", "body-too-large");

// proves problems | `status` equals the status of the response | 3.1.2
Deno.test("maxBodyBytes accepts a body of exactly that many bytes, and not one more", async () => {
  const { handler, runs } = measure({ maxBodyBytes: 5 });
  assertEquals(await (await handler(post("12345"))).json(), 5);
  assertEquals(await (await handler(post("é23é"))).status, 413); // six bytes in four characters
  await assertTooLarge(await handler(post("123456")));
  assertEquals(runs(), 1);
});

Deno.test("maxBodyBytes of 0 accepts an empty body", async () => {
  const { handler } = measure({ maxBodyBytes: 0 });
  assertEquals(await (await handler(post(""))).json(), 0);
  assertEquals(await (await handler(post(null))).json(), 0);
  await assertTooLarge(await handler(post("1")));
});

Deno.test("maxBodyBytes refuses a greater Content-Length without reading", async () => {
  const { handler, runs } = measure({ maxBodyBytes: 5 });
  for (const length of ["6", "99999999999999999999", "1" + "0".repeat(400), "0006"]) {
    const { body, pulls } = endless();
    const incoming = post(body, { "content-length": length });
    await assertTooLarge(await handler(incoming));
    assertEquals([pulls(), incoming.bodyUsed], [0, false]);
  }
  assertEquals(runs(), 0);
});

// proves http | A Content-Length is not trusted | 8.6
Deno.test("maxBodyBytes counts bytes whatever Content-Length is", async () => {
  const { handler } = measure({ maxBodyBytes: 5 });
  for (const length of ["3", "0", "5", "", "-1", "many", "1e3", "5, 5"]) {
    await assertTooLarge(await handler(post("123456", { "content-length": length })));
    assertEquals((await handler(post("12345", { "content-length": length }))).status, 200);
  }
});

// proves http | Content that is too large is 413; the connection may be closed | 15.5.14
Deno.test("maxBodyBytes stops reading a stream at the limit and cancels its source", async () => {
  const { handler, runs } = measure({ maxBodyBytes: 5 });
  const { body, pulls, cancelled } = endless();
  await assertTooLarge(await handler(post(body)));
  await nextTask();
  assertEquals([pulls(), cancelled(), runs()], [6, 1, 0]);
});

Deno.test("maxBodyBytes does not wait for a source whose cancellation is slow or fails", async () => {
  const { handler } = measure({ maxBodyBytes: 1 });
  for (const cancel of [() => new Promise<void>(() => {}), () => Promise.reject(new Error("stuck"))]) {
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(2)), cancel });
    await assertTooLarge(await handler(post(body)));
  }
});

Deno.test("maxBodyBytes is checked after the media type, and not for a route without a body", async () => {
  const { handler } = measure({ maxBodyBytes: 1 });
  assertEquals((await handler(post("123", { "content-type": "text/html" }))).status, 415);
  const bare = mountRoute(
    route.post("/", { responses: { 204: response.empty() } }),
    ({ response }) => response(204),
    { maxBodyBytes: 1 },
  );
  const incoming = post("123");
  assertEquals([(await bare(incoming)).status, incoming.bodyUsed], [204, false]);
});

Deno.test("an omitted maxBodyBytes sets no limit", async () => {
  for (const options of [{}, { maxBodyBytes: undefined } as unknown as FetchOptions]) {
    const { handler } = measure(options);
    assertEquals(await (await handler(post("a".repeat(3_000_000)))).json(), 3_000_000);
  }
});

/** A handler of a body of one representation, that reads a stream to its end. */
function mountBody(body: RequestBody, options: FetchOptions = {}): FetchHandler {
  return mountRoute(route.post("/", { body, responses: { 204: response.empty() } }), async ({ body, response }) => {
    if (body instanceof ReadableStream) await new Response(body).bytes();
    return response(204);
  }, options);
}

/** Content of this many bytes for each representation. */
const contents: readonly (readonly [body: (maxBytes: number) => RequestBody, type: string, content: string])[] = [
  [(maxBytes) => request.json({ maxBytes }), "application/json", '"123456"'],
  [(maxBytes) => request.text({ maxBytes }), "text/plain", "é23é"],
  [(maxBytes) => request.bytes({ maxBytes }), "application/octet-stream", "123"],
  [(maxBytes) => request.form(type({ a: "string" }), { maxBytes }), "application/x-www-form-urlencoded", "a=1"],
  [(maxBytes) => request.formData({ maxBytes }), "multipart/form-data; boundary=b", "--b--\r\n"],
  [(maxBytes) => request.stream({ maxBytes }), "application/octet-stream", "123"],
  [
    (maxBytes) => request.as(representation({ contentType: "text/csv", encode: String, decode: String }), { maxBytes }),
    "text/csv",
    "1,2",
  ],
];

Deno.test("maxBytes of each representation accepts that many bytes, and not one more", async () => {
  for (const [declare, type, content] of contents) {
    const { byteLength } = new TextEncoder().encode(content);
    const send = (maxBytes: number, headers = {}): Response | Promise<Response> =>
      mountBody(declare(maxBytes))(post(content, { "content-type": type, ...headers }));
    assertEquals((await send(byteLength)).status, 204, type);
    await assertTooLarge(await send(byteLength - 1));
    await assertTooLarge(await send(byteLength - 1, { "content-length": String(byteLength) }));
  }
});

Deno.test("maxBytes of a body overrides maxBodyBytes, whichever is larger", async () => {
  for (const maxBodyBytes of [0, 3, 100]) {
    const handler = mountBody(request.text({ maxBytes: 5 }), { maxBodyBytes });
    assertEquals((await handler(post("12345"))).status, 204);
    assertEquals((await handler(post("12345", { "content-length": "5" }))).status, 204);
    await assertTooLarge(await handler(post("123456")));
  }
});

Deno.test("maxBytes refuses a greater Content-Length without reading, and stops reading at the limit", async () => {
  const handler = mountBody(request.text({ maxBytes: 5 }));
  const stated = endless();
  await assertTooLarge(await handler(post(stated.body, { "content-length": "6" })));
  assertEquals(stated.pulls(), 0);
  const unstated = endless();
  await assertTooLarge(await handler(post(unstated.body)));
  await nextTask();
  assertEquals([unstated.pulls(), unstated.cancelled()], [6, 1]);
});
