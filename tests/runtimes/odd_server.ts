/** The server of the client's half: the handler, answers that no handler of ours gives, and the page that a browser opens. */
import { handler } from "./server.ts";

const encoder = new TextEncoder();

/** Another server, as a redirect sees it: where it is, and what has been asked of it. */
interface OtherServer {
  readonly baseUrl: string;
  requests: number;
}

/** What stands at `/odd/<name>/…`, whatever follows. */
const odd: Readonly<Record<string, (other: OtherServer) => Response | Promise<Response>>> = {
  html: () => new Response("<p>Sign in", { headers: { "content-type": "text/html" } }),
  malformed: () => new Response("{", { headers: { "content-type": "application/json" } }),
  broken: () => beginText((controller) => setTimeout(() => controller.error(new Error("broken off")), 50)),
  stalled: () => beginText(() => {}),
  silent: () => new Promise<never>(() => {}),
  redirect: ({ baseUrl }) => new Response(null, { status: 307, headers: { location: `${baseUrl}/taken` } }),
  redirected: ({ requests }) => new Response(String(requests)),
};

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
    return first === "odd" ? odd[name]?.(state) ?? serverError() : handler(request);
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
