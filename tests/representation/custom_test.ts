/** How servers and clients use representations of the user's, for any result or error of these. */
import {
  codec,
  type CustomRepresentation,
  defineContract,
  representation,
  type RepresentationOptions,
  request,
  response,
  route,
} from "@scope/api";
import { ClientError, createClient } from "@scope/api/client";
import { createFetchHandler, type FetchOptions } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals, assertInstanceOf, assertMatch, assertRejects } from "@std/assert";
import { type } from "arktype";
import { z } from "zod";
import { assertProblem, listen, mountRoute } from "../support/mount_route.ts";

const contentType = "application/vnd.test;version=1";

/** JSON behind a letter: neither text nor JSON. */
const lettered = representation<unknown>({
  contentType,
  encode: (value) => `J${JSON.stringify(value)}`,
  decode: (bytes) => {
    const text = new TextDecoder().decode(bytes);
    if (!text.startsWith("J")) throw new Error(`the secret of ${text}`);
    return JSON.parse(text.slice(1));
  },
});

/** The same with other parts. */
function custom(parts: Partial<RepresentationOptions<unknown>>): CustomRepresentation {
  const { encode, decode } = lettered;
  return representation<unknown>({ contentType, encode, decode, ...parts });
}

const done = { 204: response.empty() };
const url = "http://localhost/";

function post(body: BodyInit, type = contentType, signal: AbortSignal | null = null): Request {
  return new Request(url, { method: "POST", body, headers: { "content-type": type }, signal });
}

/** Responds to a request whose body is of a representation, and records the handler's body. */
async function read(
  used: CustomRepresentation,
  message: Request,
  options: FetchOptions = {},
): Promise<{ readonly answer: Response; readonly seen: readonly unknown[]; readonly heard: number }> {
  const seen: unknown[] = [];
  const { heard, onError } = listen();
  const handler = mountRoute(route.post("/", { body: request.as(used), responses: done }), ({ body, response }) => {
    seen.push(body);
    return response(204);
  }, { onError, ...options });
  return { answer: await handler(message), seen, heard: heard.length };
}

/** The response to a result of a representation. */
function send(used: CustomRepresentation, body: unknown, method = "GET"): Response | Promise<Response> {
  const handler = mountRoute(route.get("/", { responses: { 200: response.as(used) } }), () => ({ status: 200, body }));
  return handler(new Request(url, { method }));
}

Deno.test("request.as() and response.as() run schemas like JSON", async () => {
  const Point = type({ "+": "delete", x: "number", label: "string = 'none'" });
  const contract = defineContract({
    routes: {
      echo: route.post("/", { body: request.as(lettered, Point), responses: { 200: response.as(lettered, Point) } }),
    },
  });
  const fetch = createFetchHandler(
    defineServer(contract).implement({
      echo: ({ body, response }) => response(200, { ...body, secret: 1 } as typeof body),
    }),
  );
  const result = await createClient(contract, { baseUrl: url, fetch }).echo({ body: { x: 1, more: 2 } as never });

  assertEquals(result.body, { x: 1, label: "none" });
  assertEquals(result.response.headers.get("content-type"), contentType);
  const issues = [{ location: "body", path: ["x"], pointer: "/x", message: "x must be a number (was missing)" }];
  await assertProblem(await fetch(post("J{}")), 400, "Bad Request", "invalid-request", issues);
});

Deno.test("request.as() and response.as() run codecs on both sides", async () => {
  const At = codec(type({ at: "string.date.iso" }), type({ at: "Date" }), {
    decode: ({ at }) => ({ at: new Date(at) }),
    encode: ({ at }) => ({ at: at.toISOString() }),
  });
  const contract = defineContract({
    routes: {
      echo: route.post("/", { body: request.as(lettered, At), responses: { 200: response.as(lettered, At) } }),
    },
  });
  const fetch = createFetchHandler(
    defineServer(contract).implement({
      echo: ({ body, response }) => response(200, { at: new Date(body.at.getTime() + 1) }),
    }),
  );
  const result = await createClient(contract, { baseUrl: url, fetch }).echo({ body: { at: new Date(0) } });

  assertEquals(result.body, { at: new Date(1) });
});

Deno.test("functions that return promises or other thenables are awaited, on both sides", async () => {
  const waits = custom({
    encode: async (value) => await Promise.resolve(lettered.encode(value)),
    decode: (bytes) => ({ then: (resolve: (value: unknown) => void) => resolve(lettered.decode(bytes)) }) as never,
  });
  const contract = defineContract({
    routes: { echo: route.post("/", { body: request.as(waits), responses: { 200: response.as(waits) } }) },
  });
  const fetch = createFetchHandler(
    defineServer(contract).implement({ echo: ({ body }) => ({ status: 200, body }) }),
  );
  const result = await createClient(contract, { baseUrl: url, fetch }).echo({ body: ["é"] });

  assertEquals(result.body, ["é"]);
});

Deno.test("functions are called with one argument and without this; decode gets all bytes in a buffer of their length", async () => {
  const calls: unknown[][] = [];
  const used = custom({
    encode(this: unknown, ...given: readonly unknown[]): string {
      calls.push([this, ...given]);
      return "J1";
    },
    decode(this: unknown, ...given: readonly unknown[]): number {
      calls.push([this, ...given]);
      return 1;
    },
  });
  const chunks = new ReadableStream({
    start(controller): void {
      for (const byte of [1, 2, 3]) controller.enqueue(new Uint8Array([9, byte, 9]).subarray(1, 2));
      controller.close();
    },
  });
  await read(used, post(chunks));
  await send(used, 1);

  assertEquals(calls, [[undefined, new Uint8Array([1, 2, 3])], [undefined, 1]]);
  assertEquals((calls[0]?.[1] as Uint8Array).buffer.byteLength, 3);
});

Deno.test("a body of another media type is 415 before a byte is read; parameters and case do not matter", async () => {
  for (const type of ["application/json", "application/vnd.test+json", "text/plain", ""]) {
    const { body, pulls } = watch(["J1"]);
    const { answer, seen } = await read(lettered, post(body, type));
    await assertProblem(answer, 415, "Unsupported Media Type", "unsupported-media-type");
    assertEquals([pulls(), seen], [0, []]);
  }
  for (const type of ["application/vnd.test", "Application/VND.test; version=2"]) {
    assertEquals((await read(lettered, post("J1", type))).seen, [1]);
  }
});

/** A stream of texts that counts its pulls. */
function watch(texts: readonly string[]): { readonly body: ReadableStream; readonly pulls: () => number } {
  const left = [...texts];
  let pulls = 0;
  const body = new ReadableStream({
    pull(controller): void {
      pulls++;
      const text = left.shift();
      if (text === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(text));
    },
  }, { highWaterMark: 0 });
  return { body, pulls: () => pulls };
}

Deno.test("a body over the limit is 413 and never decoded, with and without a stated length", async () => {
  let decoded = 0;
  const used = custom({
    decode: (bytes) => {
      decoded++;
      return bytes.byteLength;
    },
  });
  for (const preserveRequestBody of [false, true]) {
    const options = { maxBodyBytes: 4, preserveRequestBody };
    for (const body of ["12345", watch(["123", "45"]).body]) {
      await assertProblem(
        (await read(used, post(body), options)).answer,
        413,
        "Content Too Large",
        "body-too-large",
      );
    }
    assertEquals(decoded, 0);
    assertEquals((await read(used, post("1234"), options)).seen, [4]);
    decoded = 0;
  }
});

Deno.test("an optional body may be absent, and is then not decoded", async () => {
  const handler = mountRoute(
    route.post("/", { body: request.as(lettered, { optional: true }), responses: { 200: response.json() } }),
    ({ body }) => ({ status: 200, body: body === undefined ? "absent" : body }),
  );
  assertEquals(await (await handler(new Request(url, { method: "POST" }))).json(), "absent");
  assertEquals(await (await handler(post("J2"))).json(), 2);
  assertEquals(await (await handler(post("", contentType))).json(), "absent"); // no byte that the format could decode
  assertEquals((await handler(post("K", contentType))).status, 400);
});

/** Everything that can be thrown. */
function thrown(): unknown[] {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const odd = {
    get message(): never {
      throw new Error("the secret of a getter");
    },
  };
  return [new Error("the secret of it"), new SyntaxError("secret"), "secret", undefined, null, 1n, odd, proxy];
}

/** Every way in which a function can fail with a value. */
function failures(value: unknown): (() => never)[] {
  return [
    () => {
      throw value;
    },
    () => Promise.reject(value) as never,
    () => ({ then: (_: unknown, reject: (error: unknown) => void) => reject(value) }) as never,
    () =>
      ({
        get then(): never {
          throw value;
        },
      }) as never,
    () =>
      ({
        then(): never {
          throw value;
        },
      }) as never,
  ];
}

Deno.test("a decode function that fails in any way is 400 without its message, and is not reported", async () => {
  for (const decode of thrown().flatMap(failures)) {
    const { answer, seen, heard } = await read(custom({ decode }), post("x"));
    const text = await answer.clone().text();
    await assertProblem(answer, 400, "Bad Request", "invalid-body");
    assertEquals([text.includes("secret"), seen, heard], [false, [], 0]);
  }
});

Deno.test("a decode function that returns a revoked Proxy is 400", async () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  for (const decode of [() => proxy, async () => await Promise.resolve(proxy)]) {
    const { answer, heard } = await read(custom({ decode }), post("x"));
    await assertProblem(answer, 400, "Bad Request", "invalid-body");
    assertEquals(heard, 0);
  }
});

/** A value nested in others, this many levels deep. */
function nest(levels: number, wrap: (value: unknown) => unknown): unknown {
  let value: unknown = 0;
  for (let level = 0; level < levels; level++) value = wrap(value);
  return value;
}

const Tree: z.ZodType = z.lazy(() =>
  z.union([z.array(Tree), z.map(z.string(), Tree), z.set(Tree), z.object({ a: Tree }), z.literal(0)])
);

Deno.test("a body of 100 levels reaches the schema, and one of more levels is 400, for every kind of level", async () => {
  const wrappers: readonly ((value: unknown) => unknown)[] = [
    (value) => [value],
    (value) => new Map([["a", value]]),
    (value) => new Set([value]),
    (value) => ({ a: value }),
  ];
  for (const wrap of wrappers) {
    for (const waits of [false, true]) {
      const decode = ({ byteLength }: Uint8Array): unknown => {
        const value = nest(byteLength, wrap);
        return waits ? Promise.resolve(value) : value;
      };
      const { heard, onError } = listen();
      const declared = route.post("/", { body: request.as(custom({ decode }), Tree), responses: done });
      const handler = mountRoute(declared, ({ response }) => response(204), { onError });
      assertEquals((await handler(post(new Uint8Array(100)))).status, 204);
      for (const levels of [101, 100_000]) {
        const answer = await handler(post(new Uint8Array(levels)));
        assertEquals([answer.status, (await answer.json()).code], [400, "invalid-body"]);
      }
      assertEquals(heard, []);
    }
  }
});

Deno.test("repeated levels are visited once", async () => {
  const twice = (value: unknown): unknown => [value, value];
  const { answer } = await read(custom({ decode: () => nest(100, twice) }), post(new Uint8Array(2000)));
  assertEquals(answer.status, 204);
});

Deno.test("a circular decoded value, or one with millions of bytes, is visited once", async () => {
  const cycle: unknown[] = [new Uint8Array(50_000_000)];
  cycle.push(cycle, { cycle });
  const { seen } = await read(custom({ decode: () => cycle }), post(new Uint8Array(2000)));

  assert(seen[0] === cycle);
});

Deno.test("an encode function that fails in any way is a failure in phase encode", async () => {
  for (const encode of thrown().flatMap(failures)) {
    const { heard, onError } = listen();
    const handler = mountRoute(
      route.get("/", { responses: { 200: response.as(custom({ encode })) } }),
      () => ({ status: 200, body: 1 }),
      { onError },
    );
    const answer = await handler(new Request(url));
    assert(!(await answer.clone().text()).includes("secret"));
    await assertProblem(answer, 500, "Internal Server Error", "internal-error");
    assertEquals(heard.map(({ phase }) => phase), ["encode"]);
  }
});

const notContent = [undefined, null, 1, {}, [1], new ArrayBuffer(1), new DataView(new ArrayBuffer(1)), new FormData()];

Deno.test("encode must return text, bytes or a Blob: otherwise the server fails in phase encode, and a client with invalid-input", async () => {
  const shared = new Uint8Array(new SharedArrayBuffer(1));
  for (const content of [...notContent, new ReadableStream(), new URLSearchParams(), "\ud800", shared]) {
    for (const encode of [() => content as never, () => Promise.resolve(content as never)]) {
      const { heard, onError } = listen();
      const used = custom({ encode });
      const contract = defineContract({
        routes: { it: route.post("/", { body: request.as(used), responses: { 200: response.as(used) } }) },
      });
      const fetch = createFetchHandler(
        defineServer(contract).implement({ it: () => ({ status: 200, body: 1 }) }),
        { onError },
      );
      await assertProblem(await fetch(post("J1")), 500, "Internal Server Error", "internal-error");
      assertEquals(heard.map(({ phase }) => phase), ["encode"]);
      if (content !== shared) assertMatch(String(heard[0]?.error), /^TypeError: encode\(\) must return/);

      const client = createClient(contract, { baseUrl: url, fetch: () => Promise.reject("nothing is sent") });
      const error = await assertRejects(() => client.it({ body: 1 }), ClientError);
      assertEquals(error.code, "invalid-input");
    }
  }
});

Deno.test("text, bytes and blobs are sent unchanged, with the declared content type", async () => {
  const whole = new Uint8Array([9, 65, 195, 169, 9]);
  for (const content of ["Aé", whole.subarray(1, 4), new Blob([whole.subarray(1, 4)], { type: "text/html" })]) {
    for (const type of [contentType, "text/plain;charset=UTF-8"]) {
      const used = custom({ contentType: type, encode: () => content });
      const answer = await send(used, 1);
      assertEquals([answer.headers.get("content-type"), await answer.text()], [type, "Aé"]);

      const contract = defineContract({ routes: { it: route.post("/", { body: request.as(used), responses: done }) } });
      const message = await createClient(contract, { baseUrl: url }).it.request({ body: 1 });
      assertEquals([message.headers.get("content-type"), await message.text()], [type, "Aé"]);
    }
  }
});

Deno.test("a response is synchronous if encode is synchronous", async () => {
  assertInstanceOf(send(lettered, 1), Response);
  const waiting = send(custom({ encode: () => Promise.resolve("J1") }), 1);
  assertInstanceOf(waiting, Promise);
  assertEquals(await (await waiting).text(), "J1");
});

Deno.test("HEAD has the content type and the length of the GET response", async () => {
  const bytes = new Uint8Array([65, 195, 169]);
  for (const content of ["Aé", bytes, new Blob([bytes]), Promise.resolve("Aé")]) {
    const answer = await send(custom({ encode: () => content }), 1, "HEAD");
    const { headers } = answer;
    assertEquals(
      [answer.status, headers.get("content-type"), headers.get("content-length"), await answer.text()],
      [200, contentType, "3", ""],
    );
  }
});

Deno.test("a client does not decode a response to HEAD", async () => {
  let decoded = 0;
  const used = custom({
    decode: () => {
      decoded++;
      return 1;
    },
  });
  const contract = defineContract({ routes: { it: route.head("/", { responses: { 200: response.as(used) } }) } });
  const fetch = createFetchHandler(defineServer(contract).implement({ it: () => ({ status: 200, body: 1 }) }));
  const result = await createClient(contract, { baseUrl: url, fetch }).it();

  assertEquals([result.status, result.response.headers.get("content-length"), decoded], [200, "2", 0]);
});

/** The error of a call whose server is written by hand. */
async function failureOf(used: CustomRepresentation, answer: () => Response): Promise<ClientError> {
  const contract = defineContract({ routes: { it: route.get("/", { responses: { 200: response.as(used) } }) } });
  return await assertRejects(() => createClient(contract, { baseUrl: url, fetch: answer }).it(), ClientError);
}

function answering(body: string, type = contentType): () => Response {
  return () => new Response(body, { headers: { "content-type": type } });
}

Deno.test("a client rejects with invalid-body if decode fails in any way", async () => {
  for (const value of thrown()) {
    for (const decode of failures(value)) {
      const error = await failureOf(custom({ decode }), answering("Jnonsense"));
      assertEquals([error.code, error.status, error.text], ["invalid-body", 200, "Jnonsense"]);
      assert(Object.is(error.cause, value));
    }
  }
});

Deno.test("a client rejects with invalid-body if decode fails after transferring the bytes to another thread", async () => {
  const decode = (bytes: Uint8Array<ArrayBuffer>): never => {
    structuredClone(bytes, { transfer: [bytes.buffer] });
    throw new Error("malformed");
  };
  const error = await failureOf(custom({ decode }), answering("J1"));

  assertEquals([error.code, error.text], ["invalid-body", ""]);
  assertMatch(error.message, /malformed/);
});

Deno.test("a client refuses another content type for a representation", async () => {
  for (const type of ["application/json", "application/vnd.test+json", "text/html", "application/problem+json"]) {
    assertEquals((await failureOf(lettered, answering("J1", type))).code, "unexpected-content-type");
  }
});

Deno.test("a client rejects with invalid-input and sends nothing if encode fails in any way", async () => {
  for (const encode of thrown().flatMap(failures)) {
    const contract = defineContract({
      routes: { it: route.post("/", { body: request.as(custom({ encode })), responses: done }) },
    });
    let sent = 0;
    const fetch = (): Response => {
      sent++;
      return new Response(null, { status: 204 });
    };
    const error = await assertRejects(
      () => createClient(contract, { baseUrl: url, fetch }).it({ body: 1 }),
      ClientError,
    );
    assertEquals([error.code, sent], ["invalid-input", 0]);
  }
});

Deno.test("no handler runs if the client disconnects while its body is decoded", async () => {
  for (const isMalformed of [false, true]) {
    const client = new AbortController();
    const used = custom({
      decode: async () => {
        client.abort();
        await Promise.resolve();
        if (isMalformed) throw new Error("malformed");
        return 1;
      },
    });
    const { answer, seen, heard } = await read(used, post("J1", contentType, client.signal));
    assertEquals([answer.status, seen, heard], [499, [], 0]);
  }
});
