import { defineContract, request, response, route } from "@scope/api";
import { createFetchHandler, type FetchOptions } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals } from "@std/assert";
import { z } from "zod";
import { listen, mountRoute } from "../support/mount_route.ts";

const declared = route.get("/", { responses: { 204: response.empty() } });

/** A GET whose client can be made to disconnect. */
function leave(): { client: AbortController; get: Request } {
  const client = new AbortController();
  return { client, get: new Request("http://localhost/", { signal: client.signal }) };
}

Deno.test("createFetchHandler() responds 499 without a report if reading a body fails because the client disconnected", async () => {
  for (const options of [{}, { maxBodyBytes: 100 }] satisfies FetchOptions[]) {
    const { heard, onError } = listen();
    let started = false;
    const handler = mountRoute(
      route.post("/", { body: request.json(), responses: { 204: response.empty() } }),
      ({ response }) => {
        started = true;
        return response(204);
      },
      { ...options, onError },
    );
    const client = new AbortController();
    const body = new ReadableStream({
      pull(controller): void {
        client.abort();
        controller.error(client.signal.reason);
      },
    }, { highWaterMark: 0 });
    const init = { method: "POST", body, signal: client.signal, headers: { "content-type": "application/json" } };
    const answer = await handler(new Request("http://localhost/", init));
    assertEquals([answer.status, answer.body, started, heard.length], [499, null, false, 0]);
  }
});

Deno.test("createFetchHandler() responds 499 without a report if a handler rejects after a disconnect", async () => {
  const { heard, onError } = listen();
  const { client, get } = leave();
  const handler = mountRoute(declared, async ({ signal }) => {
    client.abort();
    await Promise.resolve();
    throw signal.reason;
  }, { onError });
  assertEquals([(await handler(get)).status, heard.length], [499, 0]);
});

Deno.test("createFetchHandler() responds 499 without a report if a handler throws synchronously after a disconnect", async () => {
  const { heard, onError } = listen();
  const { client, get } = leave();
  const handler = mountRoute(declared, ({ signal, response }) => {
    signal.throwIfAborted();
    return response(204);
  }, { onError });
  client.abort();
  assertEquals([(await handler(get)).status, heard.length], [499, 0]);
});

Deno.test("createFetchHandler() reports a handler that fails while the client is connected", async () => {
  const { heard, onError } = listen();
  const { get } = leave();
  const handler = mountRoute(declared, () => Promise.reject(new DOMException("own", "AbortError")), { onError });
  assertEquals([(await handler(get)).status, heard.length], [500, 1]);
});

Deno.test("createFetchHandler() does not start a handler if the client disconnects while the context is created", async () => {
  const { heard, onError } = listen();
  let started = false;
  const factories = [
    (client: AbortController) => async () => {
      await Promise.resolve();
      client.abort();
      return {};
    },
    (client: AbortController) => async () => {
      await Promise.resolve();
      client.abort();
      throw new Error("gone");
    },
  ];
  for (const factory of factories) {
    const { client, get } = leave();
    const server = defineServer(defineContract({ routes: { it: declared } }), { context: factory(client) });
    const implementation = server.implement({
      it: ({ response }) => {
        started = true;
        return response(204);
      },
    });
    assertEquals((await createFetchHandler(implementation, { onError })(get)).status, 499);
  }
  assertEquals([started, heard.length], [false, 0]);
});

Deno.test("createFetchHandler() does not create a context if the client disconnects while contextInput runs", async () => {
  const { heard, onError } = listen();
  const { client, get } = leave();
  const started: string[] = [];
  const server = defineServer(defineContract({ routes: { it: declared } }), {
    context: () => {
      started.push("context");
      return {};
    },
  });
  const implementation = server.implement({ it: () => ({ status: started.push("handler") as never }) });
  const contextInput = async (): Promise<object> => {
    await Promise.resolve();
    client.abort();
    return {};
  };
  const answer = await createFetchHandler(implementation, { contextInput, onError })(get);
  assertEquals([answer.status, started, heard.length], [499, [], 0]);
});

Deno.test("createFetchHandler() does not start a handler if the client disconnects while a schema runs", async () => {
  const { heard, onError } = listen();
  let client = new AbortController();
  const Leaving = z.object({}).refine(async () => {
    await Promise.resolve();
    client.abort();
    return true;
  });
  let started = false;
  const answer = (): { status: 204 } => {
    started = true;
    return { status: 204 };
  };
  const responses = { 204: response.empty() };
  const handlers = [
    mountRoute(route.post("/", { query: Leaving, responses }), answer, { onError }),
    mountRoute(route.post("/", { body: Leaving, responses }), answer, { onError }),
  ];
  for (const handler of handlers) {
    client = new AbortController();
    const init = { method: "POST", body: "{}", headers: { "content-type": "application/json" }, signal: client.signal };
    assertEquals((await handler(new Request("http://localhost/", init))).status, 499);
  }
  assertEquals([started, heard.length], [false, 0]);
});
