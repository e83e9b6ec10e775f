import { request, type RequestBody, response, route } from "@scope/api";
import type { FetchHandler, FetchOptions } from "@scope/api/fetch";
import { assertEquals } from "@std/assert";
import { type } from "arktype";
import { assertProblem, mountRoute, nextTask } from "../support/mount_route.ts";

const both: readonly FetchOptions[] = [{}, { maxBodyBytes: 1000 }, { preserveRequestBody: true }];
const optional = true;
/** Every representation, with one body of it. */
const bodies: readonly (readonly [RequestBody, BodyInit])[] = [
  [request.json(type({ a: "number" }), { optional }), '{"a":1}'],
  [request.text(type("string >= 1"), { optional }), "text"],
  [request.bytes({ optional }), new Uint8Array([1])],
  [request.form(type({ a: "string" }), { optional }), "a=1"],
  [request.formData(type({ a: "string" }), { optional }), formData()],
  [request.formData({ optional }), formData()],
  [request.stream({ optional }), "bytes"],
];

function formData(): FormData {
  const data = new FormData();
  data.append("a", "1");
  return data;
}

/** Responds with whether there is a body. */
function mount(body: RequestBody, options: FetchOptions): FetchHandler {
  return mountRoute(
    route.post("/", { body, responses: { 200: response.json<boolean>() } }),
    async ({ body, response }) => {
      if (body instanceof ReadableStream) await new Response(body).text();
      return response(200, body !== undefined);
    },
    options,
  );
}

function post(body: BodyInit | null, contentType: string | undefined): Request {
  const outgoing = new Request("http://localhost/", { method: "POST", body });
  if (contentType === undefined) outgoing.headers.delete("content-type");
  else if (contentType !== "multipart/form-data") outgoing.headers.set("content-type", contentType);
  return outgoing;
}

for (const [body, content] of bodies) {
  const name = `request.${body.kind}() that is optional`;

  Deno.test(`${name} is undefined without a content type and a byte`, async () => {
    for (const options of both) {
      const handler = mount(body, options);
      const empty = new ReadableStream({ start: (controller) => controller.close() });
      for (const none of [null, "", empty]) {
        assertEquals(await (await handler(post(none, undefined))).json(), false);
      }
      assertEquals(await (await handler(post(content, String(body.contentType)))).json(), true);
    }
  });

  Deno.test(`${name} is 415 with bytes and no content type, or with another one`, async () => {
    for (const options of both) {
      const handler = mount(body, options);
      for (const [given, contentType] of [["bytes", undefined], ["bytes", "text/html"], [null, "text/html"]] as const) {
        const answer = await handler(post(given, contentType));
        await assertProblem(answer, 415, "Unsupported Media Type", "unsupported-media-type");
      }
    }
  });
}

/** What handlers receive of a body with a content type and no byte: `undefined` if the format has no such value. */
const ofNoByte: readonly (readonly [RequestBody, string, unknown])[] = [
  [request.json(type({ a: "number" }), { optional }), "application/json", "absent"],
  [request.json(type({ a: "number" }), { optional }), "application/json; charset=utf-8", "absent"],
  [request.json(type({ a: "number" }), { optional }), "application/merge-patch+json", "absent"],
  [request.formData(type({ a: "string" }), { optional }), "multipart/form-data; boundary=b", "absent"],
  [request.formData({ optional }), "multipart/form-data; boundary=b", "absent"],
  [request.text({ optional }), "text/plain", ""],
  [request.form(type({ "a?": "string" }), { optional }), "application/x-www-form-urlencoded", {}],
  [request.bytes({ optional }), "application/octet-stream", []],
];

Deno.test("an optional body with a content type and no byte is absent, unless no byte is a value of its format", async () => {
  const empty = (): ReadableStream => new ReadableStream({ start: (controller) => controller.close() });
  for (const options of both) {
    for (const [body, contentType, expected] of ofNoByte) {
      const handler = mountRoute(
        route.post("/", { body, responses: { 200: response.json<unknown>() } }),
        ({ body, response }) => response(200, body instanceof Uint8Array ? [...body] : body ?? "absent"),
        options,
      );
      for (const none of [null, "", empty()]) {
        for (const length of [undefined, "0"]) {
          const headers = new Headers({ "content-type": contentType, ...(length && { "content-length": length }) });
          const body = none instanceof ReadableStream ? empty() : none;
          const answer = await handler(new Request("http://localhost/", { method: "POST", body, headers }));
          assertEquals(await answer.json(), expected, contentType);
        }
      }
    }
  }
});

Deno.test("an optional body of malformed content is 400, and so is a required body without a byte", async () => {
  for (const options of both) {
    for (
      const [body, contentType, content] of [
        [request.json({ optional }), "application/json", " "],
        [request.json({ optional }), "application/json", "\ufeff"],
        [request.formData({ optional }), "multipart/form-data; boundary=b", "--b"],
        [request.json(), "application/json", null],
        [request.formData(), "multipart/form-data; boundary=b", null],
      ] as const
    ) {
      const headers = { "content-type": contentType };
      const sent = new Request("http://localhost/", { method: "POST", body: content, headers });
      await assertProblem(await mount(body, options)(sent), 400, "Bad Request", "invalid-body");
    }
  }
});

Deno.test("optional body without a content type is read only up to its first byte", async () => {
  let pulls = 0;
  let cancelled = 0;
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array([++pulls])),
    cancel: () => void cancelled++,
  }, { highWaterMark: 0 });
  const answer = await mount(request.stream({ optional }), {})(post(endless, undefined));
  await nextTask();
  assertEquals([answer.status, pulls, cancelled], [415, 1, 1]);
});

Deno.test("optional body with a Content-Length is 415 without a content type, before a byte is read", async () => {
  for (const options of both) {
    const outgoing = post("bytes", undefined);
    outgoing.headers.set("content-length", "5000");
    const answer = await mount(bodies[0]![0], options)(outgoing);
    assertEquals([answer.status, outgoing.bodyUsed], [415, false]);
  }
});

Deno.test("optional body that cannot be read is 400", async () => {
  for (const options of both) {
    const failing = new ReadableStream({ pull: () => Promise.reject(new Error("cut off")) }, { highWaterMark: 0 });
    const answer = await mount(request.json({ optional }), options)(post(failing, undefined));
    await assertProblem(answer, 400, "Bad Request", "invalid-body");
  }
});

Deno.test("optional body is absent over a real connection if nothing was sent", async () => {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, mount(bodies[0]![0], {}));
  try {
    const url = `http://127.0.0.1:${server.addr.port}/`;
    assertEquals(await (await fetch(url, { method: "POST" })).json(), false);
    const headers = { "content-type": "application/json" };
    assertEquals(await (await fetch(url, { method: "POST", body: '{"a":1}', headers })).json(), true);
  } finally {
    await server.shutdown();
  }
});
