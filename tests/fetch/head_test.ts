import { defineContract, response, route } from "@scope/api";
import { createFetchHandler, type FetchHandler, type ResponseReport } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals } from "@std/assert";
import { type } from "arktype";
import { mountRoute } from "../support/mount_route.ts";

const contract = defineContract({
  routes: {
    own: route.head("/own", { responses: { 200: response.text() } }),
    getOwn: route.get("/own", { responses: { 200: response.text() } }),
    getLate: route.get("/late", { responses: { 200: response.text() } }),
    late: route.head("/late", { responses: { 200: response.text() } }),
    text: route.get("/text", { responses: { 200: response.text(), 404: response.text() } }),
    json: route.get("/json/:id", { responses: { 200: response.json<unknown>() } }),
    bytes: route.get("/bytes", { responses: { 200: response.bytes() } }),
    empty: route.get("/empty", { responses: { 204: response.empty() } }),
    post: route.post("/post", { responses: { 200: response.text() } }),
    broken: route.get("/broken", { responses: { 200: response.text() } }),
  },
});

const implementation = defineServer(contract).implement({
  own: ({ response }) => response(200, "four", { "x-by": "head" }),
  getOwn: ({ response }) => response(200, "seven", { "x-by": "get" }),
  getLate: ({ response }) => response(200, "seven", { "x-by": "get" }),
  late: ({ response }) => response(200, "four", { "x-by": "head" }),
  text: ({ response }) => response(200, "né", { "x-a": ["1", "2"], "set-cookie": ["a=1", "b=2"] }),
  json: ({ params, response }) => response(200, { id: params.id, price: "5 €" }),
  bytes: ({ response }) => response(200, new Uint8Array([1, 2, 3, 4]).subarray(1)),
  empty: ({ response }) => response(204),
  post: ({ response }) => response(200, "posted"),
  broken: () => {
    throw new Error("broken");
  },
});

const handler: FetchHandler = createFetchHandler(implementation, { onError: () => undefined });

function ask(method: string, path: string): Response | Promise<Response> {
  return handler(new Request(`http://localhost${path}`, { method }));
}

/** Asserts that a response does not have a body. */
async function assertNoBody(answer: Response): Promise<void> {
  assertEquals(answer.body, null);
  assertEquals(await answer.text(), "");
}

Deno.test("createFetchHandler() handles HEAD with the route's own head", async () => {
  for (const path of ["/own", "/late"]) {
    const answer = await ask("HEAD", path);
    assertEquals(answer.headers.get("x-by"), "head");
    assertEquals(answer.headers.get("content-length"), "4");
    await assertNoBody(answer);
  }
});

// proves http | HEAD has the headers of GET and no content | 9.3.2
Deno.test("createFetchHandler() handles HEAD with the path's get, and sends its fields and length without a body", async () => {
  for (const path of ["/text", "/json/1", "/bytes", "/empty"]) {
    const got = await ask("GET", path);
    const answer = await ask("HEAD", path);
    assertEquals(answer.status, got.status);
    const { "content-length": length, ...fields } = Object.fromEntries(answer.headers);
    assertEquals(fields, Object.fromEntries(got.headers));
    assertEquals(answer.headers.getSetCookie(), got.headers.getSetCookie());
    assertEquals(length, path === "/empty" ? undefined : String((await got.bytes()).byteLength));
    await assertNoBody(answer);
  }
});

Deno.test("createFetchHandler() responds to HEAD with the length of the content, whatever content-length the handler sets", async () => {
  const declared = route.get("/", { responses: { 200: response.text(), 404: response.empty() } });
  for (const [result, length] of [[{ status: 200, body: "né" }, "3"], [{ status: 404 }, null]] as const) {
    const handler = mountRoute(declared, () => ({ ...result, headers: { "Content-Length": "12345" } } as never));
    const answer = await handler(new Request("http://localhost/", { method: "HEAD" }));
    assertEquals(answer.headers.get("content-length"), length);
    await assertNoBody(answer);
  }
});

// proves problems | The media type is `application/problem+json` | 3
Deno.test("createFetchHandler() responds to HEAD with a problem's fields and length, without a body", async () => {
  for (const [path, status] of [["/none", 404], ["/%", 400], ["/post", 405], ["/broken", 500]] as const) {
    const method = path === "/post" ? "DELETE" : "GET";
    const got = await ask(method, path);
    const answer = await ask("HEAD", path);
    assertEquals([answer.status, got.status], [status, status]);
    assertEquals(answer.headers.get("content-type"), "application/problem+json");
    assertEquals(answer.headers.get("content-length"), String((await got.bytes()).byteLength));
    assertEquals(answer.headers.get("allow"), got.headers.get("allow"));
    await assertNoBody(answer);
  }
});

// proves http-differences | Allow lists all supported methods, including HEAD | 10.2.1 | Only declared methods,
//   although GET supports HEAD | Allow follows the contract, which does not promise HEAD
Deno.test("createFetchHandler() lists only declared methods in Allow", async () => {
  const allow = async (path: string): Promise<string | null> => (await ask("DELETE", path)).headers.get("allow");
  assertEquals(await allow("/text"), "GET");
  assertEquals(await allow("/own"), "HEAD, GET");
  assertEquals((await ask("GET", "/post")).headers.get("allow"), "POST");
});

Deno.test("createFetchHandler() passes the HEAD request and the GET route to a get that handles HEAD", async () => {
  const declared = route.get("/", { responses: { 204: response.empty() } });
  const implementation = defineServer(defineContract({ routes: { it: declared } }), {
    context: ({ request, route }) => ({ saw: `${request.method} by ${route.method}` }),
  }).implement({ it: ({ context, response }) => response(204, undefined, { "x-saw": context.saw }) });
  const answer = await createFetchHandler(implementation)(new Request("http://localhost/", { method: "HEAD" }));
  assertEquals(answer.headers.get("x-saw"), "HEAD by GET");
});

// proves http | A response to HEAD has no Content-Length except that of GET | 8.6
Deno.test("createFetchHandler() sends to HEAD no length but that of GET, over a socket", async () => {
  const bytes = (): ReadableStream<Uint8Array<ArrayBuffer>> => new Blob(["hello"]).stream();
  const contract = defineContract({
    routes: {
      json: route.get("/json", { responses: { 200: response.json<number[]>() } }),
      stream: route.get("/stream", { responses: { 200: response.stream() } }),
      stated: route.get("/stated", { responses: { 200: response.stream() } }),
      rows: route.get("/rows", { responses: { 200: response.ndjson(type("number")) } }),
      events: route.get("/events", { responses: { 200: response.sse(type("number")) } }),
      text: route.get("/text", { responses: { 200: response.raw() } }),
      native: route.get("/native", { responses: { 200: response.raw() } }),
      moved: route.get("/moved", { responses: { 302: response.empty() } }),
      none: route.get("/none", { responses: { 204: response.empty() } }),
      broken: route.get("/broken", { responses: { 200: response.text() } }),
    },
  });
  const implementation = defineServer(contract).implement({
    json: ({ response }) => response(200, [1]),
    stream: ({ response }) => response(200, bytes()),
    stated: ({ response }) => response(200, bytes(), { "content-length": "5" }),
    rows: ({ response }) => response(200, [1]),
    events: ({ response }) => response(200, [{ data: 1 }]),
    text: ({ response }) => response(200, new Response("hello")),
    native: ({ response }) => response(200, new Response(bytes(), { headers: { "content-type": "a/b" } })),
    moved: ({ response }) => response(302, undefined, { location: "/json" }),
    none: ({ response }) => response(204),
    broken: () => {
      throw new Error("broken");
    },
  });
  const replaced = (): Response => new Response("Try later", { status: 503 });
  for (
    const options of [
      { onError: replaced },
      { onError: replaced, cors: { origins: "*" as const } },
      {
        onError: () => {},
        onResponse: ({ response }: ResponseReport) => response.status === 500 ? replaced() : undefined,
      },
    ]
  ) {
    const handler = createFetchHandler(implementation, options);
    await using server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen(): void {} },
      (request) => handler(request),
    );
    for (const path of [...Object.keys(contract.routes), "nowhere"]) {
      const connection = await Deno.connect({ hostname: "127.0.0.1", port: server.addr.port });
      const head = (method: string, more = ""): string => `${method} /${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
      const request = new TextEncoder().encode(head("HEAD") + head("HEAD") + head("GET", "Connection: close\r\n"));
      await connection.write(request);
      const answer = await new Response(connection.readable).text();
      const [one, two, got] = answer.split("HTTP/1.1 ").slice(1)
        .map((answer) => answer.split("\r\n\r\n")[0]!.toLowerCase());
      const length = /\r\ncontent-length: (\d+)/;
      assertEquals(one, two, path); // nothing but a head between them
      assertEquals(one!.slice(0, 3), got!.slice(0, 3), path);
      assertEquals(/\r\ncontent-type: [^\r]+/.exec(one!)?.[0], /\r\ncontent-type: [^\r]+/.exec(got!)?.[0], path);
      const [stated, own] = [one, got].map((head) => length.exec(head!)?.[1]);
      assert(stated === undefined || stated === own, `${path}: HEAD has ${stated}, GET has ${own}`);
    }
  }
});
