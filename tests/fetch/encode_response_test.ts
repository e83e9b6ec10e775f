import { codec, response, type ResponseDeclaration, route, type Schema } from "@scope/api";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type } from "arktype";
import { z } from "zod";
import { assertProblem, failureOf, listen, mountRoute } from "../support/mount_route.ts";

const get = new Request("http://localhost/");

/** The response to a result of status 200. */
async function send(declared: ResponseDeclaration, body?: unknown, headers?: unknown): Promise<Response> {
  const handler = mountRoute(
    route.get("/", { responses: { 200: declared } }),
    () => ({ status: 200, body, headers } as never),
  );
  return await handler(get);
}

/** Asserts that a result is answered with 500, and returns the text of the error. */
async function refusalOf(declared: ResponseDeclaration, body?: unknown, headers?: unknown): Promise<string> {
  const only = route.get("/", { responses: { 200: declared } });
  return String(await failureOf(only, () => ({ status: 200, body, headers } as never)));
}

Deno.test("response.json() sends JSON", async () => {
  for (const body of [{ a: [1, null, "é\ud83d\ude00"] }, null, 0, false, "", [], "\ud800"]) {
    const answer = await send(response.json(), body);
    assertEquals(answer.headers.get("content-type"), "application/json");
    assertEquals(await answer.json(), body);
  }
});

// proves json | Values that JSON cannot represent are rejected | RFC 8259, 3
Deno.test("response.json() fails for values that JSON cannot represent", async () => {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  const toJSON = (): never => {
    throw new Error("no JSON");
  };
  for (
    const body of [
      undefined,
      () => 1,
      Symbol("a"),
      1n,
      { a: 1n },
      cycle,
      { toJSON },
      { toJSON: () => undefined },
      NaN,
      [undefined],
      new Map(),
    ]
  ) {
    await refusalOf(response.json(), body);
  }
});

Deno.test("response.text() sends text as UTF-8", async () => {
  for (const body of ["", "né", "\ud83d\ude00", "a\r\n\0"]) {
    const answer = await send(response.text(), body);
    assertEquals(answer.headers.get("content-type"), "text/plain;charset=UTF-8");
    assertEquals(await answer.text(), body);
  }
});

Deno.test("response.text() keeps the status and the content type that are declared", async () => {
  const responses = { 200: response.text({ contentType: "text/csv" }), 404: response.text() };
  for (const [status, contentType] of [[200, "text/csv"], [404, "text/plain;charset=UTF-8"]] as const) {
    const answer = await mountRoute(route.get("/", { responses }), ({ response }) => response(status, "text"))(get);
    assertEquals([answer.status, answer.headers.get("content-type"), await answer.text()], [
      status,
      contentType,
      "text",
    ]);
  }
});

// proves fetch-differences | A lone surrogate in text is replaced by U+FFFD | Encoding Standard, 6 | It is rejected |
//   Any text arrives unchanged
Deno.test("response.text() fails for a value that is not text, and for a lone surrogate", async () => {
  for (const body of [undefined, null, 1, {}, ["a"], new String("a"), "\ud800", "a\udfffb"]) {
    await refusalOf(response.text(), body);
  }
});

Deno.test("response.bytes() and response.json() keep a content type that runtimes use for text", async () => {
  const contentType = "text/plain;charset=UTF-8";
  for (const body of [new Uint8Array([65]), new Uint8Array([65]).buffer, new Blob(["A"])]) {
    const answer = await send(response.bytes({ contentType }), body);
    assertEquals([answer.headers.get("content-type"), await answer.text()], [contentType, "A"]);
  }
  assertEquals((await send(response.json({ contentType }), 1)).headers.get("content-type"), contentType);
});

Deno.test("response.bytes() sends exactly the view's bytes", async () => {
  const whole = new Uint8Array([1, 2, 3, 4, 5]);
  for (const view of [whole, whole.subarray(1, 4), whole.subarray(5), new Uint8Array(whole.buffer, 2, 1)]) {
    const answer = await send(response.bytes(), view);
    assertEquals(answer.headers.get("content-type"), "application/octet-stream");
    assertEquals(await answer.bytes(), Uint8Array.from(view));
  }
});

Deno.test("response.bytes() sends the bytes as they were when they were returned", async () => {
  const bytes = new Uint8Array([1, 2, 3]);
  const answer = await send(response.bytes(), bytes);
  bytes.fill(0);
  assertEquals(await answer.bytes(), new Uint8Array([1, 2, 3]));
});

Deno.test("response.bytes() fails for a value that is not bytes", async () => {
  for (const body of [undefined, null, "abc", [1, 2], new Uint16Array(2), new DataView(new ArrayBuffer(2)), {}]) {
    await refusalOf(response.bytes(), body);
  }
});

Deno.test("response.empty() sends no body, and fails for one", async () => {
  for (const status of [200, 204, 205, 304, 404] as const) {
    const declared = route.get("/", { responses: { [status]: response.empty() } });
    const answer = await mountRoute(declared, () => ({ status } as never))(get);
    assertEquals([answer.status, answer.body, [...answer.headers]], [status, null, []]);
  }
  for (const body of ["", "a", {}, 0, new Uint8Array()]) await refusalOf(response.empty(), body);
});

Deno.test("response.*() sends its own content type", async () => {
  const types = [
    [response.json({ contentType: "application/vnd.a+json" }), {}],
    [response.text({ contentType: "text/html; charset=utf-8" }), ""],
    [response.text({ contentType: "text/plain" }), ""],
    [response.bytes({ contentType: "image/png" }), new Uint8Array(1)],
  ] as const;
  for (const [declared, body] of types) {
    const answer = await send(declared, body);
    assertEquals(answer.headers.get("content-type"), declared.contentType);
  }
});

Deno.test("response schemas strip, default and transform the sent value", async () => {
  const Out = type({ "+": "delete", name: "string", n: "number = 5" });
  assertEquals(await (await send(response.json(Out as never), { name: "Ada", secret: "x" })).json(), {
    name: "Ada",
    n: 5,
  });
  const Shout = z.string().transform((text) => text.toUpperCase());
  assertEquals(await (await send(response.text(Shout), "hi")).text(), "HI");
  const Later = z.string().transform(async (text) => await Promise.resolve(`${text}!`));
  assertEquals(await (await send(response.text(Later), "hi")).text(), "hi!");
});

Deno.test("response schemas refuse with 500, and the error contains place and reason", async () => {
  const message = await refusalOf(response.json(type({ user: { name: "string" } })), { user: { name: 5 } });
  assertStringIncludes(message, "Cannot send the body of 200 from GET / (it): user.name: ");
  const whole = await refusalOf(response.text(type("'ok'")), "no");
  assertEquals(whole, 'ResultError: Cannot send the body of 200 from GET / (it): must be "ok" (was "no")');
  await refusalOf(response.text(z.string().refine(async () => await Promise.resolve(false))), "late");
});

Deno.test("response schemas that throw or reject fail in phase encode", async () => {
  const broken = (validate: () => never): ResponseDeclaration =>
    response.json({ "~standard": { version: 1, vendor: "test", validate } });
  await refusalOf(broken(() => {
    throw undefined;
  }));
  await refusalOf(broken(() => Promise.reject("broken") as never));
});

Deno.test("response codecs encode: application schema, encode, wire schema", async () => {
  const DateText = codec(type("string.date.iso"), type("Date"), {
    decode: (text) => new Date(text),
    encode: (date) => date.toISOString(),
  });
  const declared = response.json(DateText);
  assertEquals(await (await send(declared, new Date(0))).json(), "1970-01-01T00:00:00.000Z");
  assertStringIncludes(await refusalOf(declared, "1970-01-01T00:00:00.000Z"), "must be a Date");
  const Lying = codec(type("'a'"), type("string"), { decode: (text) => text, encode: () => "b" as "a" });
  assertStringIncludes(await refusalOf(response.text(Lying), "a"), 'must be "a"');
  const Later = codec(type("string"), type("string"), {
    decode: (text) => text,
    encode: (text) => Promise.resolve(`${text}!`),
  });
  assertEquals(await (await send(response.text(Later), "hi")).text(), "hi!");
  assert((await send(response.text(Later), "hi")).ok);
});

Deno.test("a schema that returns no result, such as a predicate, refuses a body and headers", async () => {
  for (const outcome of [undefined, null, false, true, "no", {}, [], { success: false, error: {} }]) {
    for (const later of [false, true]) {
      const validate = () => (later ? Promise.resolve(outcome) : outcome) as never;
      const schema: Schema<object, Record<string, string>> = { "~standard": { version: 1, vendor: "test", validate } };
      const message = `TypeError: A schema must return an object with "value" or "issues", got `;
      for (
        const [declared, body] of [[response.json(schema), {}], [response.text({ headers: schema }), "x"]] as const
      ) {
        assertStringIncludes(await refusalOf(declared as ResponseDeclaration, body, { "x-a": "1" }), message);
      }
    }
  }
});

Deno.test("response() of bytes that the platform refuses is a 500, which is reported once in phase encode", async () => {
  const shared = new Uint8Array(new SharedArrayBuffer(1));
  for (const cors of [undefined, { origins: ["https://app.example"] }]) {
    const { heard, onError } = listen();
    const handler = mountRoute(
      route.get("/", { responses: { 200: response.bytes() } }),
      ({ response }) => response(200, shared as never),
      { onError, ...(cors && { cors }) },
    );

    await assertProblem(await handler(get), 500, "Internal Server Error", "internal-error");
    assertEquals(heard.map(({ error, phase, route }) => [error instanceof TypeError, phase, route?.key]), [
      [true, "encode", "it"],
    ]);
  }
});
