import { defineContract, response, route } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer, type Middleware } from "@scope/api/server";
import { assertEquals } from "@std/assert";
import { listen } from "../support/mount_route.ts";

const contract = defineContract({ routes: { it: route.get("/", { responses: { 200: response.text() } }) } });

/** The state of a call when its client disconnects. */
interface Call {
  readonly context?: (input: { readonly signal: AbortSignal }) => Promise<object>;
  readonly middleware: Middleware;
  readonly handle: (input: { readonly signal: AbortSignal }) => Promise<string> | string;
}

/** The outcome of a call. */
interface Outcome {
  /** The status that the client did not read. */
  readonly status: number;
  /** The errors that `onError` received. */
  readonly heard: readonly unknown[];
}

/** Makes a call over a socket, and closes the socket once the call is under way. */
async function leave({ context = () => Promise.resolve({}), middleware, handle }: Call): Promise<Outcome> {
  const { heard, onError } = listen();
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<number>();
  const server = defineServer(contract, {
    context: (input) => {
      begun.resolve();
      return context(input);
    },
  });
  const implementation = server.use(middleware)
    .implement({ it: async (input) => input.response(200, await handle(input)) });
  const handler = createFetchHandler(implementation, { onError });
  const options = { hostname: "127.0.0.1", port: 0, onListen(): void {} };
  await using listener = Deno.serve(options, async (request) => {
    const answer = await handler(request);
    ended.resolve(answer.status);
    return answer;
  });
  const client = await Deno.connect({ hostname: "127.0.0.1", port: listener.addr.port });
  await client.write(new TextEncoder().encode("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"));
  await begun.promise;
  client.close();
  return { status: await ended.promise, heard };
}

/** Waits until the client has gone. */
function gone(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

Deno.test("neither middleware nor handler run if the client disconnects while the context is created", async () => {
  const started: string[] = [];
  const outcome = await leave({
    context: async ({ signal }) => {
      await gone(signal);
      return {};
    },
    middleware: ({ next }) => {
      started.push("middleware");
      return next();
    },
    handle: () => `${started.push("handler")}`,
  });
  assertEquals([outcome, started], [{ status: 499, heard: [] }, []]);
});

Deno.test("no handler runs if the client disconnects before, and next() rejects in middleware with the reason", async () => {
  const trace: string[] = [];
  const outcome = await leave({
    middleware: async ({ signal, next }) => {
      await gone(signal);
      try {
        return await next();
      } catch (error) {
        trace.push(String(error === signal.reason));
        throw error;
      }
    },
    handle: () => `${trace.push("handler")}`,
  });
  assertEquals([outcome, trace], [{ status: 499, heard: [] }, ["true"]]);
});

Deno.test("a client that disconnects during the handler aborts its signal, and onError does not receive its rejection", async () => {
  const trace: string[] = [];
  const outcome = await leave({
    middleware: async ({ next }) => {
      try {
        return await next();
      } finally {
        trace.push("released");
      }
    },
    handle: async ({ signal }) => {
      await gone(signal);
      throw new Error("broken off");
    },
  });
  assertEquals([outcome, trace], [{ status: 499, heard: [] }, ["released"]]);
});

Deno.test("a client that disconnects after the handler aborts the signal, and onError does not receive failures of middleware", async () => {
  const trace: string[] = [];
  const outcome = await leave({
    middleware: async ({ signal, next }) => {
      const { status } = await next();
      await gone(signal);
      trace.push(`${status}`);
      throw new Error("nobody to tell");
    },
    handle: () => "done",
  });
  assertEquals([outcome, trace], [{ status: 499, heard: [] }, ["200"]]);
});

Deno.test("a client that disconnects after the handler does not change the result", async () => {
  const outcome = await leave({
    middleware: async ({ signal, next }) => {
      const result = await next();
      await gone(signal);
      return result;
    },
    handle: () => "done",
  });
  assertEquals(outcome, { status: 200, heard: [] });
});
