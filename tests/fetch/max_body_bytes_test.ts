import { request, response, route } from "@scope/api";
import { type FetchHandler, type FetchOptions } from "@scope/api/fetch";
import { assertEquals } from "@std/assert";
import { assertProblem, mountRoute } from "./mount_route.ts";

/** A handler that counts its runs and answers with the length of the text it sees. */
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

Deno.test("maxBodyBytes lets a body of exactly that many bytes pass, and not of one more", async () => {
  const { handler, runs } = measure({ maxBodyBytes: 5 });
  assertEquals(await (await handler(post("12345"))).json(), 5);
  assertEquals(await (await handler(post("é23é"))).status, 413); // six bytes in four characters
  await assertTooLarge(await handler(post("123456")));
  assertEquals(runs(), 1);
});

Deno.test("maxBodyBytes of 0 lets an empty body pass", async () => {
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

Deno.test("maxBodyBytes counts the bytes whatever Content-Length says", async () => {
  const { handler } = measure({ maxBodyBytes: 5 });
  for (const length of ["3", "0", "5", "", "-1", "many", "1e3", "5, 5"]) {
    await assertTooLarge(await handler(post("123456", { "content-length": length })));
    assertEquals((await handler(post("12345", { "content-length": length }))).status, 200);
  }
});

Deno.test("maxBodyBytes stops reading a stream at the limit and cancels its source", async () => {
  const { handler, runs } = measure({ maxBodyBytes: 5 });
  const { body, pulls, cancelled } = endless();
  await assertTooLarge(await handler(post(body)));
  assertEquals([pulls(), cancelled(), runs()], [6, 1, 0]);
});

Deno.test("maxBodyBytes does not wait for a source that is slow to be cancelled, or fails at it", async () => {
  const { handler } = measure({ maxBodyBytes: 1 });
  for (const cancel of [() => new Promise<void>(() => {}), () => Promise.reject(new Error("stuck"))]) {
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(2)), cancel });
    await assertTooLarge(await handler(post(body)));
  }
});

Deno.test("maxBodyBytes is asked after the media type, and not of a route without a body", async () => {
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

Deno.test("maxBodyBytes that is left out sets no limit", async () => {
  for (const options of [{}, { maxBodyBytes: undefined } as unknown as FetchOptions]) {
    const { handler } = measure(options);
    assertEquals(await (await handler(post("a".repeat(3_000_000)))).json(), 3_000_000);
  }
});
