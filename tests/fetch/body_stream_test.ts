import { defineContract, request, response, route } from "@scope/api";
import { createFetchHandler, type FetchHandler, type FetchOptions } from "@scope/api/fetch";
import { defineServer, type HandlersOf } from "@scope/api/server";
import { assert, assertEquals, assertInstanceOf, assertRejects } from "@std/assert";
import { type HandlerOf, listen, mountRoute, nextTask } from "../support/mount_route.ts";

const declared = route.post("/", { body: request.stream(), responses: { 200: response.json<unknown>() } });
type Handle = HandlerOf<typeof declared>;

const readAll: Handle = async ({ body, response }) => response(200, await new Response(body).text());

function mount(handle: Handle, options: FetchOptions = {}): FetchHandler {
  return mountRoute(declared, handle, options);
}

function post(body: BodyInit | null, headers: Record<string, string> = {}): Request {
  const type = { "content-type": "application/octet-stream" };
  return new Request("http://localhost/", { method: "POST", body, headers: { ...type, ...headers } });
}

/** A source of one-byte chunks without end, or one that fails after this many. */
function endless(
  failsAfter = Infinity,
): { body: ReadableStream<Uint8Array>; pulls: () => number; cancelled: unknown[] } {
  let pulls = 0;
  const cancelled: unknown[] = [];
  const body = new ReadableStream<Uint8Array>({
    pull(controller): void {
      if (pulls++ < failsAfter) controller.enqueue(new Uint8Array([97]));
      else controller.error(new Error("cut off"));
    },
    cancel: (reason) => void cancelled.push(reason),
  }, { highWaterMark: 0 });
  return { body, pulls: () => pulls, cancelled };
}

Deno.test("request.stream() passes an unread body, which the handler pulls", async () => {
  const { body, pulls, cancelled } = endless();
  const counts: number[] = [];
  const count = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve)); // time for items that were not requested
    counts.push(pulls());
  };
  const answer = await mount(async ({ body, response }) => {
    await count();
    const reader = body.getReader();
    for (let index = 0; index < 2; index++) {
      await reader.read();
      await count();
    }
    await reader.cancel("enough");
    return response(200, null);
  })(post(body));
  assertEquals([answer.status, counts, cancelled], [200, [0, 1, 2], ["enough"]]);
});

Deno.test("request.stream() passes an empty stream if there is no body", async () => {
  for (const options of [{}, { maxBodyBytes: 0 }, { preserveRequestBody: true }]) {
    for (const body of [null, ""]) assertEquals(await (await mount(readAll, options)(post(body))).json(), "");
  }
});

// proves http-differences | Content without Content-Type may be treated as bytes | 8.3 | 415 | Guessing a media type
//   enables attacks
Deno.test("request.stream() requires its media type and an unread body", async () => {
  assertEquals((await mount(readAll)(post("a", { "content-type": "text/plain" }))).status, 415);
  const used = post("a");
  await used.text();
  const locked = post("a");
  locked.body?.getReader();
  for (const each of [used, locked]) {
    const { heard, onError } = listen();
    assertEquals((await mount(readAll, { onError })(each)).status, 500);
    assertEquals(heard.map(({ phase, error }) => [phase, (error as Error).message.slice(0, 48)]), [
      ["decode", "Cannot read the body of POST / (it): other code "],
    ]);
  }
});

Deno.test("maxBodyBytes lets a handler read that many bytes of a stream, and responds 413 after them", async () => {
  const { heard, onError } = listen();
  const handler = mount(readAll, { maxBodyBytes: 3, onError });
  assertEquals(await (await handler(post("123"))).json(), "123");
  const { body, pulls, cancelled } = endless();
  const answer = await handler(post(body));
  assertEquals([answer.status, (await answer.json()).code], [413, "body-too-large"]);
  await nextTask(); // the body is cancelled in a later task than the one that opened it
  assertEquals([pulls(), cancelled.length, heard.length], [4, 1, 0]);
  assertInstanceOf(cancelled[0], RangeError);
});

Deno.test("maxBodyBytes refuses a stream of a greater Content-Length before the handler runs", async () => {
  const { body, pulls } = endless();
  const handler = mount(() => {
    throw new Error("too late");
  }, { maxBodyBytes: 3 });
  assertEquals([(await handler(post(body, { "content-length": "4" }))).status, pulls()], [413, 0]);
});

Deno.test("maxBodyBytes lets a handler return a result for a stream that is too long", async () => {
  const handler = mount(async ({ body, response }) => {
    const error = await assertRejects(() => new Response(body).text());
    return response(200, (error as Error).message);
  }, { maxBodyBytes: 3 });
  assertEquals(await (await handler(post("1234"))).json(), "The body is longer than 3 bytes");
});

Deno.test("maxBodyBytes responds 413 if a handler wraps the error of the stream", async () => {
  const { heard, onError } = listen();
  const handler = mount(async ({ body }) => {
    await new Response(body).text().catch((cause) => {
      throw new Error("Cannot store the upload", { cause });
    });
    throw new Error("not reached");
  }, { maxBodyBytes: 3, onError });
  assertEquals([(await handler(post("1234"))).status, heard.length], [413, 0]);
});

Deno.test("maxBodyBytes does not affect a handler's failure within the limit, or an undeclared status", async () => {
  for (const maxBodyBytes of [4, 3]) {
    const { heard, onError } = listen();
    const handler = mount(async ({ body, response }) => {
      await new Response(body).text().catch(() => {});
      if (maxBodyBytes === 4) throw new Error("own");
      return response(500 as 200, null);
    }, { maxBodyBytes, onError });
    assertEquals([(await handler(post("1234"))).status, heard.length], [500, 1]);
  }
});

Deno.test("request.stream() that breaks off is not a failure of the handler", async () => {
  for (const options of [{}, { maxBodyBytes: 100 }]) {
    const { heard, onError } = listen();
    const answer = await mount(readAll, { ...options, onError })(post(endless(2).body));
    assertEquals([answer.status, (await answer.json()).code, heard.length], [400, "invalid-body", 0]);
  }
});

Deno.test("request.stream() passes only bytes", async () => {
  const body = new ReadableStream({ start: (controller) => controller.enqueue("text") });
  assertEquals((await mount(readAll)(post(body))).status, 400);
});

Deno.test("request.stream() may be cancelled after a read", async () => {
  const { body, cancelled, pulls } = endless();
  const cancelling: Handle = async ({ body, response }) => {
    const reader = body.getReader();
    await reader.read();
    await reader.cancel("no");
    return response(200, null);
  };
  assertEquals([(await mount(cancelling)(post(body))).status, cancelled, pulls()], [200, ["no"], 1]);
});

/** A request that counts how often its body is opened. */
function countOpened(request: Request): { readonly request: Request; readonly opened: () => number } {
  let opened = 0;
  const { body } = request;
  Object.defineProperty(request, "body", { get: () => (opened++, body) });
  return { request, opened: () => opened };
}

Deno.test("the native body of request.stream() is opened at the first read, however the request ends", async () => {
  const ends: Readonly<Record<string, Handle>> = {
    answer: ({ response }) => response(200, null),
    cancel: async ({ body, response }) => {
      await body.cancel("no");
      return response(200, null);
    },
    throw: () => {
      throw new Error("failed");
    },
    "invalid result": ({ body }) => ({ status: 200, body }) as never,
    "native response": () => new Response("") as never,
  };
  for (const [name, end] of Object.entries(ends)) {
    const { request, opened } = countOpened(post("123"));
    await mount(end, { onError: () => undefined })(request);
    await nextTask();
    assertEquals(opened(), 0, name);
  }
  const { request, opened } = countOpened(post("123"));
  assertEquals(await (await mount(readAll)(request)).json(), "123");
  assertEquals(opened(), 1);
});

Deno.test("the native body stays closed if a guard answers, or middleware replaces an echo", async () => {
  const contract = defineContract({
    responses: { 429: response.text() },
    routes: { it: route.post("/", { body: request.stream(), responses: { 200: response.stream() } }) },
  });
  const server = defineServer(contract);
  const echo: HandlersOf<typeof server>["it"] = ({ body, response }) => response(200, body);
  const servers = {
    guard: server.guard(({ response }) => response(429, "later")),
    middleware: server.use(async ({ next, response }) => {
      await next();
      return response(429, "later");
    }),
  };
  for (const [name, each] of Object.entries(servers)) {
    const { request, opened } = countOpened(post("123"));
    const answer = await createFetchHandler(each.implement({ it: echo }))(request);
    await nextTask();
    assertEquals([answer.status, opened()], [429, 0], name);
  }
});

Deno.test("request.stream() may be left unread", () => {
  const unread = mount(({ response }) => response(200, null), { maxBodyBytes: 1 })(post("123"));
  assert(unread instanceof Response); // nothing was waited for
  assertEquals(unread.status, 200);
});
