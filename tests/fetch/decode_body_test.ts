import { representation, request, type RequestBody, response, route } from "@scope/api";
import type { FetchOptions } from "@scope/api/fetch";
import { assert, assertEquals } from "@std/assert";
import { type } from "arktype";
import { assertProblem, listen, mountRoute } from "../support/mount_route.ts";

/** A handler that responds with its body. */
function echo(body: RequestBody, options?: FetchOptions): (init: RequestInit) => Promise<Response> {
  const declared = route.post("/", { body, responses: { 200: response.json<unknown>() } });
  const handler = mountRoute(declared, ({ body, response }) => {
    return response(200, body instanceof Uint8Array ? { bytes: [...body] } : body);
  }, options);
  return async (init) => await handler(new Request("http://localhost/", { method: "POST", ...init }));
}

function send(contentType: string | undefined, body: BodyInit | null): RequestInit {
  return {
    body: typeof body === "string" ? new TextEncoder().encode(body) : body,
    headers: contentType === undefined ? {} : { "content-type": contentType },
  };
}

/** Both ways to read a body: whole, and counted against a limit. */
const both: FetchOptions[] = [{}, { maxBodyBytes: 1_000 }];

Deno.test("body passes JSON, text and bytes", async () => {
  for (const options of both) {
    const json = await echo(request.json(), options)(send("application/json", '{"a":[1,null,"é"]}'));
    assertEquals(await json.json(), { a: [1, null, "é"] });
    const text = await echo(request.text(), options)(send("text/plain", "né"));
    assertEquals(await text.json(), "né");
    const bytes = await echo(request.bytes(), options)(send("application/octet-stream", new Uint8Array([0, 255, 13])));
    assertEquals(await bytes.json(), { bytes: [0, 255, 13] });
  }
});

Deno.test("body passes its schema's output", async () => {
  const Body = type({ "+": "delete", n: "string.numeric.parse", "size?": "number" });
  const answer = await echo(request.json(Body))(send("application/json", '{"n":"5","extra":true}'));
  assertEquals(await answer.json(), { n: 5 });
});

Deno.test("body of malformed or empty JSON is 400", async () => {
  const malformed = ["", " ", "{", "{'a':1}", "[1,]", "NaN", "undefined", "1 2", "\0", '"\n"', "\ufeff"];
  for (const options of both) {
    for (const text of malformed) {
      const answer = await echo(request.json(), options)(send("application/json", text));
      await assertProblem(answer, 400, "Bad Request", "invalid-body");
    }
    const none = await echo(request.json(), options)(send("application/json", null));
    await assertProblem(none, 400, "Bad Request", "invalid-body");
  }
});

Deno.test("body without bytes is empty text or empty bytes", async () => {
  for (const options of both) {
    for (const body of ["", null]) {
      assertEquals(await (await echo(request.text(), options)(send("text/plain", body))).json(), "");
      const bytes = await echo(request.bytes(), options)(send("application/octet-stream", body));
      assertEquals(await bytes.json(), { bytes: [] });
    }
  }
});

// proves fetch | JSON and text are decoded as UTF-8; malformed bytes become U+FFFD | Encoding Standard, 6
Deno.test("body is UTF-8, JSON without a byte order mark, and malformed bytes become U+FFFD", async () => {
  for (const options of both) {
    const json = await echo(request.json(), options)(send("application/json", "\ufeff[1]"));
    assertEquals(await json.json(), [1]);
    const text = await echo(request.text(), options)(
      send("text/plain", new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0xff])),
    );
    assertEquals(await text.json(), "\ufeffa\ufffd");
  }
});

Deno.test("body keeps __proto__ as an own property and does not change prototypes", async () => {
  for (const options of both) {
    let seen: object = {};
    const declared = route.post("/", { body: request.json<object>(), responses: { 204: response.empty() } });
    const handler = mountRoute(declared, ({ body, response }) => {
      seen = body;
      return response(204);
    }, options);
    const text = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';
    await handler(new Request("http://localhost/", { method: "POST", ...send("application/json", text) }));
    assert(Object.hasOwn(seen, "__proto__"));
    assertEquals(Object.getPrototypeOf(seen), Object.prototype);
    assert(!("polluted" in {}) && !("polluted" in seen));
  }
});

/** How other code may have read a body, or hold it, before the adapter reads it. */
const takers: Readonly<Record<string, (incoming: Request) => unknown>> = {
  "as a whole": (incoming) => incoming.text(),
  "in part": (incoming) => {
    const reader = incoming.body!.getReader();
    return reader.read().then(() => reader.releaseLock());
  },
  "not yet, but holds it": (incoming) => incoming.body!.getReader(),
  "and cancelled it": (incoming) => incoming.body!.cancel(),
};

/** Every representation, and its media type. */
const representations: readonly (readonly [RequestBody, string])[] = [
  [request.json(), "application/json"],
  [request.text(), "text/plain"],
  [request.bytes(), "application/octet-stream"],
  [request.form(type({})), "application/x-www-form-urlencoded"],
  [request.formData(), "multipart/form-data; boundary=b"],
  [request.json({ optional: true }), "application/json"],
  [request.text({ maxBytes: 100 }), "text/plain"],
];

// proves fetch | A body is read once; a used or locked body is not read, and is a 500 | 2.2.4, `bodyUsed`
Deno.test("body that other code has read, or holds, is 500, and onError receives the remedy", async () => {
  for (const [how, take] of Object.entries(takers)) {
    for (const options of [...both, { preserveRequestBody: true }]) {
      for (const [body, contentType] of representations) {
        const { heard, onError } = listen();
        const declared = route.post("/", { body, responses: { 204: response.empty() } });
        const incoming = new Request("http://localhost/", { method: "POST", ...send(contentType, "1") });
        await take(incoming);
        const answer = await mountRoute(declared, ({ response }) => response(204), { ...options, onError })(incoming);
        await assertProblem(answer, 500, "Internal Server Error", "internal-error");
        assertEquals(
          heard.map(({ phase, error }) => [phase, (error as TypeError).message]),
          [[
            "decode",
            "Cannot read the body of POST / (it): other code has read it, such as middleware, a body parser, a guard or a " +
            "verifier; let that code read request.clone(), or call the handler before it",
          ]],
          how,
        );
      }
    }
  }
});

Deno.test("body without a byte is 500 if its Content-Length has some, because a body parser has read it", async () => {
  for (const options of both) {
    for (const [body, contentType] of representations) {
      const { heard, onError } = listen();
      const declared = route.post("/", { body, responses: { 204: response.empty() } });
      const headers = { "content-type": contentType, "content-length": "5" };
      const incoming = new Request("http://localhost/", { method: "POST", headers });
      const answer = await mountRoute(declared, ({ response }) => response(204), { ...options, onError })(incoming);
      assertEquals([answer.status, heard.length], [500, 1]);
    }
  }
});

// proves fetch | A byte order mark before JSON is ignored, which RFC 8259, 8.1 allows | 5.3, `json()`
Deno.test("body of JSON is read after a byte order mark, however it is read", async () => {
  const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
  for (const options of [...both, { preserveRequestBody: true }]) {
    for (const body of [request.json(), request.json({ optional: true }), request.json({ maxBytes: 50 })]) {
      for (const content of ["\ufeff[1]", "\ufeff\ufeff [1]"]) {
        const whole = await echo(body, options)(send("application/json", content));
        const pieces = new ReadableStream({
          start(controller): void {
            for (const byte of bytes(content)) controller.enqueue(new Uint8Array([byte]));
            controller.close();
          },
        });
        const split = await echo(body, options)(send("application/vnd.a+json", pieces));
        assertEquals([await whole.json(), await split.json()], [[1], [1]]);
      }
      const inside = await echo(body, options)(send("application/json", '"\ufeff"'));
      assertEquals(await inside.json(), "\ufeff");
    }
  }
});

// proves fetch | JSON, text and forms of a request in another charset than UTF-8 are a 415 | Encoding Standard, 6
Deno.test("body of JSON, text or a form in another charset than UTF-8 is 415, not stored with U+FFFD", async () => {
  const texts: readonly (readonly [RequestBody, string, string])[] = [
    [request.json(), "application/json", "1"],
    [request.json(), "application/vnd.a+json", "1"],
    [request.text(), "text/plain", "1"],
    [request.text({ contentType: "text/*" }), "text/csv", "1"],
    [request.form(type({})), "application/x-www-form-urlencoded", "a=1"],
  ];
  for (const options of both) {
    for (const [body, contentType, content] of texts) {
      for (const charset of ["latin1", "ISO-8859-1", '"windows-1252"', "utf-16", "utf-7", "x"]) {
        const answer = await echo(body, options)(send(`${contentType}; charset=${charset}`, content));
        await assertProblem(answer, 415, "Unsupported Media Type", "unsupported-media-type");
      }
      for (const charset of ["utf-8", "UTF-8", '"utf-8"', "utf8", "us-ascii"]) {
        assertEquals((await echo(body, options)(send(`${contentType}; a=b; Charset=${charset}`, content))).status, 200);
      }
    }
    const bytes = send("application/octet-stream; charset=latin1", new Uint8Array([0xe9]));
    assertEquals(await (await echo(request.bytes(), options)(bytes)).json(), { bytes: [0xe9] });
  }
});

// proves http-differences | Content-Encoding is decoded before content is used | 8.4 | 415 with Accept-Encoding
//   (15.5.16), unless a route of bytes or a stream declares the header | A small body could decompress to one beyond any
//   limit
Deno.test("body with a content coding is 415 with accept-encoding, in every representation and as a stream", async () => {
  const lines = representation<string>({ contentType: "text/vnd.lines", encode: (text) => text, decode: String });
  const all: readonly (readonly [RequestBody, string])[] = [
    ...representations,
    [request.as(lines), "text/vnd.lines"],
    [request.stream(), "application/octet-stream"],
  ];
  for (const options of both) {
    for (const [body, contentType] of all) {
      for (const coding of ["gzip", "br", "identity, gzip", "x"]) {
        const init = send(contentType, "1");
        const answer = await echo(body, options)({
          ...init,
          headers: { ...init.headers, "content-encoding": coding },
        });
        assertEquals(answer.headers.get("accept-encoding"), "identity");
        await assertProblem(answer, 415, "Unsupported Media Type", "unsupported-media-type");
      }
    }
    const init = send("text/plain", "1");
    const plain = { ...init, headers: { ...init.headers, "content-encoding": "Identity" } };
    assertEquals(await (await echo(request.text(), options)(plain)).json(), "1");
  }
});

Deno.test("body of bytes or a stream may have a content coding if the route's headers contain it", async () => {
  const headers = type({ "content-encoding?": "string" });
  const responses = { 200: response.json<unknown>() };
  const zipped = new Blob(["a"]).stream().pipeThrough(new CompressionStream("gzip"));
  const content = await new Response(zipped).bytes();
  const send = (): Request =>
    new Request("http://localhost/", {
      method: "POST",
      body: content,
      headers: { "content-type": "application/octet-stream", "content-encoding": "gzip" },
    });
  const ofStream = mountRoute(
    route.post("/", { headers, body: request.stream(), responses }),
    async ({ body, headers, response }) => {
      const text = await new Response(body.pipeThrough(new DecompressionStream("gzip"))).text();
      return response(200, [headers["content-encoding"], text]);
    },
  );
  assertEquals(await (await ofStream(send())).json(), ["gzip", "a"]);
  const ofBytes = mountRoute(
    route.post("/", { headers, body: request.bytes(), responses }),
    ({ body, response }) => response(200, [...body]),
  );
  assertEquals(await (await ofBytes(send())).json(), [...content]);
});

Deno.test("body whose stream fails or yields anything but bytes is 400", async () => {
  const starts: ((controller: ReadableStreamDefaultController) => void)[] = [
    (controller) => controller.error(new Error("cut off")),
    (controller) => controller.error(undefined),
    (controller) => controller.error(new SyntaxError("cut off")),
    (controller) => controller.enqueue("text"),
    (controller) => controller.enqueue(1),
  ];
  for (const options of both) {
    for (const start of starts) {
      const body = new ReadableStream({ start });
      const answer = await echo(request.text(), options)(send("text/plain", body));
      await assertProblem(answer, 400, "Bad Request", "invalid-body");
    }
  }
});

Deno.test("body issues contain their place and reason", async () => {
  const Body = type({ items: type({ "a/b~c": "number" }).array() });
  const answer = await echo(request.json(Body))(send("application/json", '{"items":[{"a/b~c":1},{"a/b~c":"2"}]}'));
  await assertProblem(answer, 400, "Bad Request", "invalid-request", [{
    location: "body",
    path: ["items", 1, "a/b~c"],
    pointer: "/items/1/a~1b~0c",
    message: 'items[1]["a/b~c"] must be a number (was a string)',
  }]);
});

// proves problems | The empty pointer refers to the whole document | RFC 6901, 5
Deno.test("body that a schema refuses as a whole has the pointer of the whole", async () => {
  const answer = await echo(request.text(type("'ok'")))(send("text/plain", "no"));
  const [issue] = (await answer.json()).issues;
  assertEquals([issue.location, issue.path, issue.pointer], ["body", [], ""]);
});
