import { defineContract, response, route } from "@scope/api";
import { type Client, ClientError, createClient, unwrap } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { type } from "arktype";
import { settle, watch } from "../support/producers.ts";
import { watchBody } from "../support/watched_body.ts";

const baseUrl = "https://a.example";
const contract = defineContract({
  responses: { 404: response.problem() },
  routes: {
    bytes: route.get("/bytes", { responses: { 200: response.stream({ contentType: "video/mp4" }) } }),
    raw: route.get("/raw", { responses: { 200: response.raw(), 204: response.raw() } }),
    problem: route.get("/problem", {
      query: type({ n: "string.numeric" }),
      responses: {
        200: response.empty(),
        400: response.problem(type({ title: "string", code: "string" })),
        500: response.problem(),
      },
    }),
    move: route.post("/move", { responses: { 303: response.empty({ headers: type({ location: "string" }) }) } }),
  },
});

function clientOf(fetch: (request: Request) => Response | Promise<Response>): Client<typeof contract.routes> {
  return createClient(contract, { baseUrl, fetch });
}

const server = createFetchHandler(
  defineServer(contract).implement({
    bytes: ({ response }) => response(200, [new Uint8Array([1, 2]), new Uint8Array([3])]),
    raw: ({ response }) => response(200, new Response("native", { headers: { "x-a": "1" } })),
    problem: ({ query, response }) => {
      if (query.n === "1") throw new Error("secret");
      return query.n === "2"
        ? response(404, { title: "Gone", detail: "It was here", when: [1] })
        : query.n === "3"
        ? response(400, { title: "No", code: "three" })
        : response(200);
    },
    move: ({ response }) => response(303, undefined, { location: "/there" }),
  }),
  { onError: () => {} },
);
const client = clientOf(server);

Deno.test("a client receives a stream as a ReadableStream of bytes", async () => {
  const body = unwrap(await client.bytes());
  assert(body instanceof ReadableStream);
  assertEquals(await new Response(body).bytes(), new Uint8Array([1, 2, 3]));
});

Deno.test("a client's stream pulls nothing before it is read, and cancelling it releases the connection", async () => {
  const { source, count } = watch([new Uint8Array(1), new Uint8Array(1)]);
  const fetch = createFetchHandler(
    defineServer(contract).implement({
      bytes: ({ response }) => response(200, source),
      raw: () => ({ status: 204, body: new Response(null, { status: 204 }) }),
      problem: ({ response }) => response(200),
      move: ({ response }) => response(303, undefined, { location: "/" }),
    }),
  );
  const body = unwrap(await clientOf(fetch).bytes());
  await settle();
  assertEquals(count, { next: 0, return: 0 });
  const reader = body.getReader();
  await reader.read();
  await settle();
  assertEquals(count, { next: 1, return: 0 });
  await reader.cancel();
  assertEquals(count, { next: 1, return: 1 });
});

Deno.test("a client's stream that breaks off, is aborted or times out fails with a ClientError", async () => {
  const headers = { "content-type": "video/mp4" };
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("reset")) });
  const ofBroken = unwrap(await clientOf(() => new Response(broken, { headers })).bytes());
  const error = await assertRejects(() => ofBroken.getReader().read(), ClientError);
  assertEquals([error.code, error.route?.key, (error.cause as Error).message], ["network", "bytes", "reset"]);

  const caller = new AbortController();
  for (const [code, options] of [["timeout", { timeout: 20 }], ["aborted", { signal: caller.signal }]] as const) {
    const { stream, state } = watchBody(["a"], { stalls: true });
    const reader = unwrap(await clientOf(() => new Response(stream, { headers })).bytes(options)).getReader();
    await reader.read();
    const pending = reader.read();
    if (code === "aborted") caller.abort();
    const error = await assertRejects(() => pending, ClientError);
    assertEquals([error.code, state()], [code, "cancelled"]);
  }
});

Deno.test("a client receives an empty stream if the response has no body", async () => {
  const fetch = () => new Response(null, { headers: { "content-type": "video/mp4" } });
  assertEquals(await new Response(unwrap(await clientOf(fetch).bytes())).bytes(), new Uint8Array());
});

Deno.test("a client receives the native response of a raw response, unread", async () => {
  const result = await client.raw();
  assert(result.status === 200 && result.body === result.response && result.headers === result.response.headers);
  assertEquals([await result.body.text(), result.headers.get("x-a")], ["native", "1"]);
  const native = new Response(null, { status: 204, headers: { "content-type": "application/problem+json" } });
  assertEquals((await clientOf(() => native).raw()).body as unknown, native);
});

// proves problems | A declared problem is typed | 3
Deno.test("a client receives a declared problem, from the handler or the adapter", async () => {
  const gone = await client.problem({ query: { n: "2" } });
  const sent = { type: "about:blank", title: "Gone", status: 404, detail: "It was here", when: [1] };
  assertEquals<unknown>(gone.body, sent);
  const three = await client.problem({ query: { n: "3" } });
  assertEquals(three.status === 400 && three.body.code, "three");

  const refused = await client.problem({ query: { n: "x" } });
  assertEquals(refused.status === 400 && [refused.body.title, refused.body.code], ["Bad Request", "invalid-request"]);
  const failed = await client.problem({ query: { n: "1" } });
  assertEquals(failed.body, {
    type: "about:blank",
    title: "Internal Server Error",
    status: 500,
    code: "internal-error",
  });
  const missing = await clientOf(() => server(new Request(`${baseUrl}/nowhere`))).raw();
  assertEquals(missing.status === 404 && missing.body.code, "not-found");
});

Deno.test("response.problem() refuses a value that is not an object", async () => {
  for (const body of ["text", [], null, 1]) {
    const handler = createFetchHandler(
      defineServer(contract).implement({
        bytes: ({ response }) => response(200, []),
        raw: () => ({ status: 404, body: body as never }),
        problem: ({ response }) => response(200),
        move: ({ response }) => response(303, undefined, { location: "/" }),
      }),
      { onError: () => {} },
    );
    assertEquals((await handler(new Request(`${baseUrl}/raw`))).status, 500);
  }
});

// proves http | Location is the target of a redirect; the caller decides whether to follow it | 10.2.2
Deno.test("a client that does not follow redirects receives the typed location", async () => {
  const result = await client.move();
  assert(result.status === 303);
  const location: string = result.headers.location;
  assertEquals([location, result.body], ["/there", undefined]);
});

Deno.test("createClient() calls read JSON after a byte order mark, whole, in pieces, and in a problem", async () => {
  const contract = defineContract({
    routes: {
      it: route.get("/it", { responses: { 200: response.json<unknown>(), 404: response.problem() } }),
    },
  });
  const marked = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(`\ufeff${text}`);
  const call = async (body: BodyInit, status = 200, contentType = "application/json"): Promise<unknown> => {
    const answer = new Response(body, { status, headers: { "content-type": contentType } });
    const client = createClient(contract, { baseUrl: "http://localhost", fetch: () => Promise.resolve(answer) });
    return (await client.it()).body;
  };
  const pieces = new ReadableStream({
    start(controller): void {
      for (const byte of marked("[1]")) controller.enqueue(new Uint8Array([byte]));
      controller.close();
    },
  });
  assertEquals([await call(marked("[1]")), await call(pieces), await call("\ufeff[1]")], [[1], [1], [1]]);
  assertEquals(await call('["\ud800"]'), ["\ufffd"]); // as every byte sequence that is not UTF-8
  assertEquals(await call(marked('{"title":"a"}'), 404, "application/problem+json"), { title: "a" });
});
