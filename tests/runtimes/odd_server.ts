/**
 * The server of the client's half: the handler, responses that no handler of the toolkit sends, and the page that a
 * browser opens.
 */
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { denoSockets } from "@scope/api/socket";
import { connectionsContract } from "./client/connections.ts";
import { handler } from "./server.ts";

const encoder = new TextEncoder();

/** Another server, as a redirect sees it: its address, and the requests to it. */
interface OtherServer {
  readonly baseUrl: string;
  requests: number;
}

/** The response at `/odd/<name>/…`, for any rest of the path. */
const odd: Readonly<Record<string, (other: OtherServer, request: Request) => Response | Promise<Response>>> = {
  html: () => new Response("<p>Sign in", { headers: { "content-type": "text/html" } }),
  malformed: () => new Response("{", { headers: { "content-type": "application/json" } }),
  broken: () => beginText((controller) => setTimeout(() => controller.error(new Error("broken off")), 50)),
  stalled: () => beginText(() => {}),
  silent: () => new Promise<never>(() => {}),
  redirect: ({ baseUrl }) => new Response(null, { status: 307, headers: { location: `${baseUrl}/taken` } }),
  redirected: ({ requests }) => new Response(String(requests)),
  away: () => new Response(null, { status: 503 }),
  connect: (_, request) => connect(request),
  lasting: (_, request) => {
    const { pathname, searchParams } = new URL(request.url);
    const [, , , what, id = ""] = pathname.split("/");
    if (what === "flaky") return answerFlakily(request, id);
    return what === "messages" ? sendMessage(request) : sendNumber(Number(searchParams.get("after") ?? 0));
  },
};

/** Answers handshakes: a connection counts to three, as long as each number comes back. */
const connect = createFetchHandler(
  defineServer(connectionsContract).implement({
    numbers: ({ params: { how }, response }) => {
      if (how === "gone") return response(410, "gone");
      return response(101, async (socket) => {
        await socket.send(1);
        for await (const number of socket) {
          if (how === "broken") throw new Error("broken");
          if (number === 3) return socket.close(4001, "complete");
          await socket.send(number + 1);
        }
      });
    },
  }),
  { sockets: denoSockets(), onError: () => {} },
);

/** The number of requests with each id. */
const attempts = new Map<string, number>();

/** The third attempt of an id is answered. */
async function answerFlakily(request: Request, id: string): Promise<Response> {
  const attempt = (attempts.get(id) ?? 0) + 1;
  attempts.set(id, attempt);
  const bytes = await request.bytes();
  if (attempt === 1) return new Response(null, { status: 503, headers: { "retry-after": "0" } });
  if (attempt === 2) return odd.broken!(noServer, request);
  return new Response(`${bytes.join()} in attempt ${attempt}`);
}

const noServer: OtherServer = { baseUrl: "", requests: 0 };

/**
 * One event for each connection: the second connection breaks off after its event, a stuck one stays open, and after
 * the third there are no events.
 */
function sendMessage(request: Request): Response {
  const last = request.headers.get("last-event-id");
  if (last === "3") return new Response(null, { status: 204 });
  const id = Number.isNaN(Number(last)) ? "" : `id: ${Number(last) + 1}\n`;
  const text = `retry: 10\n${id}data: ${JSON.stringify(`after ${last ?? "nothing"}`)}\n\n`;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller): void {
      controller.enqueue(encoder.encode(text));
      if (last === "1") setTimeout(() => controller.error(new Error("broken off")), 50);
      else if (last !== "stuck") controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

/** A page of one number, with a link to the next one up to the third. */
function sendNumber(after: number): Response {
  const link = `<?after=${after + 1}>; rel="next"`;
  return Response.json([after + 1], { headers: after < 2 ? { link } : {} });
}

/** A text that begins, and goes on as is said. */
function beginText(goOn: (controller: ReadableStreamDefaultController<Uint8Array>) => void): Response {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller): void {
      controller.enqueue(encoder.encode("it began"));
      goOn(controller);
    },
  });
  return new Response(body, { headers: { "content-type": "text/plain;charset=UTF-8" } });
}

/** Serves them on a port of 127.0.0.1 that is free. */
export function serveOdd(): { readonly baseUrl: string; readonly stop: () => Promise<void> } {
  const closing = new AbortController();
  const options = { hostname: "127.0.0.1", port: 0, signal: closing.signal, onListen: () => {}, onError: serverError };
  const other = Deno.serve(options, () => {
    state.requests++;
    return new Response("another's answer", { headers: { "access-control-allow-origin": "*" } });
  });
  const state: OtherServer = { baseUrl: `http://127.0.0.1:${other.addr.port}`, requests: 0 };
  const server = Deno.serve(options, (request) => {
    const [, first = "", name = ""] = new URL(request.url).pathname.split("/");
    if (first === "") {
      return new Response("<!doctype html><title>page</title>", { headers: { "content-type": "text/html" } });
    }
    return first === "odd" ? odd[name]?.(state, request) ?? serverError() : handler(request);
  });
  return {
    baseUrl: `http://127.0.0.1:${server.addr.port}`,
    stop: async () => {
      closing.abort();
      await Promise.all([server.finished, other.finished]);
    },
  };
}

function serverError(): Response {
  return new Response(null, { status: 500 });
}
