import { defineContract, response, route } from "@scope/api";
import { ClientError, createClient } from "@scope/api/client";
import { assertEquals, assertRejects, assertStrictEquals, assertStringIncludes } from "@std/assert";
import { baseUrl, contract, errorOf, silent, stalledAnswer } from "./stalled_call.ts";
import { watchBody } from "../support/watched_body.ts";

Deno.test.sanitizer({ ops: true, resources: true });

// proves fetch | An aborted signal sends nothing | 5.6
Deno.test("createClient() calls send nothing if their signal has already aborted", async () => {
  const reason = new Error("never mind");
  let ran = 0;
  let sent = 0;
  const error = await errorOf({ signal: AbortSignal.abort(reason) }, {
    headers: () => ({ "x-run": ++ran }),
    fetch: () => new Response(`${++sent}`),
  });

  assertEquals([error.code, error.status, error.response, ran, sent], ["aborted", undefined, undefined, 0, 0]);
  assertStrictEquals(error.cause, reason);
  assertStringIncludes(error.message, "its signal was aborted");
  assertEquals(error.route, { key: "text", method: "GET", path: "/text" });
});

Deno.test("createClient() calls send nothing if their signal aborts while they are prepared", async () => {
  let sent = 0;
  const controller = new AbortController();
  const { code } = await errorOf({ signal: controller.signal }, {
    headers: async () => {
      controller.abort();
      await new Promise((resolve) => setTimeout(resolve, 5));
      return {};
    },
    fetch: () => new Response(`${++sent}`),
  });
  await new Promise((resolve) => setTimeout(resolve, 10));

  assertEquals([code, sent], ["aborted", 0]);
});

Deno.test("createClient() calls send nothing after their signal has aborted, at any earlier moment", async () => {
  for (let turns = 0; turns < 20; turns++) {
    const controller = new AbortController();
    const abortLater = async (): Promise<void> => {
      for (let turn = 0; turn < turns; turn++) await undefined;
      controller.abort();
    };
    let sentLate = 0;
    const call = createClient(contract, {
      baseUrl,
      headers: () => (abortLater(), {}),
      fetch(): Response {
        if (controller.signal.aborted) sentLate++;
        return new Response("ok");
      },
    }).text({ signal: controller.signal });
    await call.catch(() => {});
    assertEquals(sentLate, 0, `${turns} turns`);
  }
});

Deno.test("createClient() calls reject with aborted while they wait for a response", async () => {
  const controller = new AbortController();
  const pending = errorOf({ signal: controller.signal });
  setTimeout(() => controller.abort("enough"), 5);
  const error = await pending;

  assertEquals([error.code, error.cause, error.status], ["aborted", "enough", undefined]);
});

// proves fetch | A signal that aborts rejects the call and cancels the body | 5.6, 2.2.4
Deno.test("createClient() calls reject with aborted while a body is read, and cancel it", async () => {
  const { fetch, state } = stalledAnswer();
  const controller = new AbortController();
  const pending = errorOf({ signal: controller.signal }, { fetch });
  setTimeout(() => controller.abort(), 5);
  const error = await pending;

  assertEquals([error.code, error.status, state()], ["aborted", 200, "cancelled"]);
  assertEquals(error.response?.status, 200);
});

Deno.test("createClient() calls reject with aborted whatever the reason is", async () => {
  const client = createClient(contract, { baseUrl, fetch: silent });
  const first = await assertRejects(() => client.text({ timeout: 0 }), ClientError); // as where one failure ends all calls
  for (const reason of [first, undefined, null, 0, "enough", new TypeError("enough")]) {
    const controller = new AbortController();
    const pending = assertRejects(() => client.text({ signal: controller.signal }), ClientError);
    setTimeout(() => controller.abort(reason), 1);
    const error = await pending;
    assertEquals(error.code, "aborted");
    assertStrictEquals(error.cause, controller.signal.reason);
  }
});

Deno.test("createClient() calls cancel a response that arrives after an abort", async () => {
  const { stream, state } = watchBody(["too late"]);
  const controller = new AbortController();
  const { promise, resolve } = Promise.withResolvers<Response>();
  const pending = errorOf({ signal: controller.signal }, { fetch: () => promise });
  setTimeout(() => controller.abort(), 1);

  assertEquals((await pending).code, "aborted");
  resolve(new Response(stream, { headers: { "content-type": "text/plain" } }));
  await new Promise((resolve) => setTimeout(resolve, 5));
  assertEquals(state(), "cancelled");
});

Deno.test("createClient() calls leave no unhandled rejection if fetch fails after an abort, or returns no response", async () => {
  const late: (() => Promise<Response>)[] = [
    () => Promise.reject(new Error("too late")),
    () => Promise.resolve(undefined as never),
  ];
  for (const end of late) {
    const controller = new AbortController();
    const { promise, resolve } = Promise.withResolvers<Response>();
    const pending = errorOf({ signal: controller.signal }, { fetch: () => promise });
    setTimeout(() => controller.abort(), 1);

    assertEquals((await pending).code, "aborted");
    resolve(end());
    await new Promise((resolve) => setTimeout(resolve, 5)); // by then Deno would report an unhandled rejection
  }
});

Deno.test("createClient() calls release a real connection when they are aborted", async () => {
  const { promise: gone, resolve: leave } = Promise.withResolvers<void>();
  const stalled = (): ReadableStream =>
    new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array([97])), cancel: () => leave() });
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response(stalled(), { headers: { "content-type": "text/plain" } }),
  );
  const client = createClient(contract, { baseUrl: `http://127.0.0.1:${server.addr.port}` });
  const controller = new AbortController();
  const pending = assertRejects(() => client.text({ signal: controller.signal }), ClientError);
  setTimeout(() => controller.abort(), 50);

  assertEquals((await pending).code, "aborted");
  await gone;
});

Deno.test("an abort or a timeout ends a call whose short body stalls, and closes its connection", async () => {
  const leaving = new AbortController();
  const server = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  for (const [options, code] of [[{ signal: leaving.signal }, "aborted"], [{ timeout: 50 }, "timeout"]] as const) {
    const answering = (async () => {
      using connection = await server.accept();
      const received = new Uint8Array(1000);
      await connection.read(received);
      const head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nabc";
      await connection.write(new TextEncoder().encode(head));
      if ("signal" in options) setTimeout(() => leaving.abort(), 50);
      return await connection.read(received).catch(() => null);
    })();
    const client = createClient(contract, { baseUrl: `http://127.0.0.1:${server.addr.port}` });
    const error = await assertRejects(() => client.text(options), ClientError);

    assertEquals([error.code, await answering], [code, null]);
  }
  server.close();
});

Deno.test("createClient() calls remove their listeners from the signal when they end", async () => {
  const { signal } = new AbortController();
  let listeners = 0;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...given: Parameters<typeof addEventListener>) => {
    listeners++;
    addEventListener.apply(signal, given);
  };
  signal.removeEventListener = (...given: Parameters<typeof removeEventListener>) => {
    listeners--;
    removeEventListener.apply(signal, given);
  };
  const contract = defineContract({ routes: { it: route.get("/", { responses: { 200: response.text() } }) } });
  for (const answer of [() => new Response("text"), () => Promise.resolve(new Response("text", { status: 500 }))]) {
    const client = createClient(contract, { baseUrl: "https://a.example", fetch: answer });
    await client.it({ signal }).catch(() => {});
  }
  await new Promise((resolve) => setTimeout(resolve)); // the last is let go of when all else is done
  assertEquals(listeners, 0);
});
