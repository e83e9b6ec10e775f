/** A server whose responses need other headers than their handlers say, or a start before their first item, below `/framed/`. */
import { defineContract, response, route } from "@scope/api";
import { createFetchHandler, type FetchOptions } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { type } from "arktype";

/** "hello ", 50 times, in gzip. */
const zipped = Uint8Array.from(
  atob("H4sIAAAAAAACA8tIzcnJV8gYJYkgAcFIQlksAQAA"),
  (character) => character.charCodeAt(0),
);

const text = new TextEncoder().encode("hello ".repeat(50));

/** Whether this is workerd, which compresses a body with a `content-encoding` itself. */
const isWorkerd = "WebSocketPair" in globalThis;

const contract = defineContract({
  basePath: "/framed",
  routes: {
    text: route.get("/text", { responses: { 200: response.text() } }),
    long: route.get("/long", { responses: { 200: response.stream() } }),
    zipped: route.get("/zipped", { responses: { 200: response.bytes({ contentType: "text/plain" }) } }),
    spaced: route.get("/spaced", { responses: { 200: response.bytes({ contentType: "text/plain" }) } }),
    proxied: route.get("/proxied/:key", { responses: { 200: response.raw() } }),
    hooked: route.get("/hooked", { responses: { 200: response.text() } }),
    form: route.get("/form", { responses: { 200: response.raw() } }),
    native: route.get("/native", { responses: { 200: response.raw() } }),
    replaced: route.get("/replaced", { responses: { 200: response.raw() } }),
    fails: route.get("/fails", { responses: { 204: response.empty() } }),
    lines: route.get("/lines", { responses: { 200: response.ndjson(type("number")) } }),
    events: route.get("/events", { responses: { 200: response.sse(type("number")) } }),
    bytes: route.get("/bytes", { responses: { 200: response.stream() } }),
    socket: route.get("/socket", { responses: { 101: response.raw(), 426: response.empty() } }),
  },
});

const hello = new TextEncoder().encode("hello");

/** An item that takes long. */
async function* makeLate<Item>(item: Item): AsyncGenerator<Item> {
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  yield item;
}

/** The functions with which runtimes upgrade a request. */
interface Runtime {
  readonly Deno?: { readonly upgradeWebSocket: (request: Request) => { socket: WebSocket; response: Response } };
  readonly WebSocketPair?: new () => Record<0 | 1, WebSocket & { accept(): void }>;
}

/** Upgrades a request to a socket that sends back what it receives. `undefined` where an adapter does not. */
function upgrade(request: Request, further: readonly unknown[]): Response | undefined {
  const { Deno, WebSocketPair } = globalThis as Runtime;
  const [bun] = further as [{ readonly upgrade?: (request: Request) => boolean }?];
  if (Deno) {
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onmessage = ({ data }) => socket.send(data);
    return response;
  }
  if (WebSocketPair) {
    const { 0: client, 1: server } = new WebSocketPair();
    server.accept();
    server.addEventListener("message", ({ data }) => server.send(data));
    return new Response(null, { status: 101, webSocket: client } as ResponseInit);
  }
  return bun?.upgrade?.(request) ? new Response(null, { status: 101 }) : undefined;
}

const server = defineServer(contract, {
  context: ({ request, further }: { readonly request: Request; readonly further: readonly unknown[] }) => ({
    request,
    further,
  }),
});

/** What every adapter mounts. */
export const framed = server.implement({
  text: ({ response }) => response(200, "naïve café", { "content-length": "10" }),
  long: ({ response }) => response(200, [hello, hello], { "content-length": "5" }),
  zipped: ({ response }) => response(200, isWorkerd ? text : zipped, { "content-encoding": "gzip" }),
  spaced: ({ response }) => response(200, zipped, { "content-encoding": "gzip\u00a0" }),
  proxied: async ({ context, response }) => response(200, await fetch(context.request.url.replace("/proxied/", "/"))),
  hooked: ({ response }) => response(200, "naïve café"),
  form: ({ response }) => {
    const form = new FormData();
    form.append("file", new Blob(["x".repeat(100_000)]), "a.txt");
    return response(200, new Response(form), { etag: '"1"' });
  },
  native: ({ response }) => response(200, new Response("naïve café", { headers: { "content-length": "12" } })),
  replaced: ({ response }) => response(200, new Response(new ReadableStream())),
  fails: () => {
    throw new Error("the secret of a thrown error");
  },
  lines: ({ response }) => response(200, makeLate(1)),
  events: ({ response }) => response(200, makeLate({ data: 1 })),
  bytes: ({ response }) => response(200, makeLate(hello)),
  socket: ({ context, response }) => {
    const upgraded = upgrade(context.request, context.further);
    return upgraded ? response(101, upgraded) : response(426);
  },
});

/** The options of every adapter. */
export const framedOptions: FetchOptions = {
  cors: { origins: ["https://app.example.com"] },
  onError: ({ phase }) => phase === "handler" ? new Response("Try again later", { status: 503 }) : undefined,
  onResponse: ({ route, response }) => {
    if (route?.key === "hooked") response.headers.set("content-length", "10");
    return route?.key === "replaced" ? new Response("Replaced") : undefined;
  },
};

const handler = createFetchHandler(framed, {
  ...framedOptions,
  contextInput: (_request: Request, ...further: readonly unknown[]) => ({ further }),
});

/** Responds to every path below `/framed/`. */
export function framedHandler(request: Request, ...further: readonly unknown[]): Response | Promise<Response> {
  return handler(request, ...further);
}
