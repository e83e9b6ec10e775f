import { defineContract, request, response, route } from "@scope/api";
import { ClientError, createClient } from "@scope/api/client";
import { assert, assertEquals, assertLess, assertRejects, assertStringIncludes, fail } from "@std/assert";
import { type } from "arktype";
import { baseUrl, call, contract, errorOf, stalledAnswer } from "./stalled_call.ts";
import { watchBody } from "../support/watched_body.ts";

Deno.test.sanitizer({ ops: true, resources: true });

Deno.test("createClient() calls reject with timeout while they wait for a response", async () => {
  const started = performance.now();
  const error = await errorOf({ timeout: 20 });

  assertEquals([error.code, error.status], ["timeout", undefined]);
  assertStringIncludes(error.message, "it timed out");
  assertEquals((error.cause as DOMException).name, "TimeoutError");
  assertLess(performance.now() - started, 5000);
});

Deno.test("createClient() calls reject with timeout while a body is read, and cancel it", async () => {
  const { fetch, state } = stalledAnswer();
  const error = await errorOf({ timeout: 20 }, { fetch });

  assertEquals([error.code, error.status, state()], ["timeout", 200, "cancelled"]);
});

Deno.test("the timeout of createClient() calls includes the headers function", async () => {
  let sent = 0;
  const error = await errorOf({ timeout: 20 }, {
    headers: () => new Promise(() => {}),
    fetch: () => new Response(`${++sent}`),
  });

  assertEquals([error.code, sent], ["timeout", 0]);
});

Deno.test("createClient() calls distinguish a timeout from an abort", async () => {
  const { signal } = new AbortController();
  assertEquals((await errorOf({ signal, timeout: 5 })).code, "timeout");

  const controller = new AbortController();
  setTimeout(() => controller.abort(), 5);
  assertEquals((await errorOf({ signal: controller.signal, timeout: 60_000 })).code, "aborted");

  const foreign = await errorOf({ signal: AbortSignal.timeout(5) });
  assertEquals(foreign.code, "aborted"); // the caller's own timeout is the caller's abort
});

Deno.test("createClient() calls end normally with an unused timeout and signal", async () => {
  const { signal } = new AbortController();
  const fetch = (): Response => new Response("ok", { headers: { "content-type": "text/plain" } });

  assertEquals((await call({ signal, timeout: 60_000 }, { fetch })).body, "ok");
  assertEquals((await call({ timeout: Infinity }, { fetch })).body, "ok");
  assertEquals((await call({ timeout: 2_147_483_647 }, { fetch })).body, "ok");
});

// Deno's sanitizer reports timers that are left when a test has ended.

const streams = defineContract({
  routes: {
    bytes: route.get("/bytes", { responses: { 200: response.stream() } }),
    rows: route.get("/rows", { responses: { 200: response.ndjson(type("number")) } }),
    events: route.get("/events", { responses: { 200: response.sse(type("number")) } }),
    head: route.head("/head", { responses: { 200: response.stream() } }),
  },
});
const answers: Readonly<Record<string, readonly [type: string, text: string]>> = {
  "/bytes": ["application/octet-stream", "1\n"],
  "/rows": ["application/x-ndjson", "1\n"],
  "/events": ["text/event-stream", "data: 1\n\n"],
  "/head": ["application/octet-stream", ""],
};

/** A client whose server sends a stream of one item, with more to come or not. */
function streaming(stalls: boolean, more = ""): ReturnType<typeof createClient<typeof streams>> {
  return createClient(streams, {
    baseUrl,
    fetch: ({ url }) => {
      const [type, text] = answers[new URL(url).pathname]!;
      return new Response(watchBody([text + more], { stalls }).stream, { headers: { "content-type": type } });
    },
  });
}

Deno.test("createClient() calls clear their timer when they resolve or reject", async () => {
  const options = { timeout: 60_000 };
  const answer = (type: string, body = "ok", status = 200) => (): Response =>
    new Response(body, { status, headers: { "content-type": type } });

  assertEquals((await call(options, { fetch: answer("text/plain") })).body, "ok");
  assertEquals((await call(options, { fetch: () => new Response(null, { status: 204 }) })).body, undefined);
  assertEquals((await errorOf(options, { fetch: answer("text/html") })).code, "unexpected-content-type");
  assertEquals((await errorOf(options, { fetch: answer("text/plain", "no", 500) })).code, "unexpected-status");
  assertEquals((await errorOf(options, { fetch: () => Promise.reject(new Error("no")) })).code, "network");
  assertEquals((await errorOf({ ...options, signal: AbortSignal.abort() })).code, "aborted");
  assertEquals((await errorOf({ ...options, headers: { "x y": "" } })).code, "invalid-input");
  assertEquals((await errorOf({ ...options, signal: {} as never })).code, "invalid-input");
  assertEquals((await streaming(false).head(options)).body, undefined);
});

Deno.test("createClient() calls clear their timer when their stream has been read or left", async () => {
  const options = { timeout: 60_000 };
  assertEquals(await new Response((await streaming(false).bytes(options)).body).text(), "1\n");
  assertEquals(await Array.fromAsync((await streaming(false).rows(options)).body), [1]);
  assertEquals(await Array.fromAsync((await streaming(false).events(options)).body), [{ data: 1 }]);

  await (await streaming(true).bytes(options)).body.cancel();
  for await (const _ of (await streaming(true).rows(options)).body) break;
  await (await streaming(true).events(options)).body.return();

  const { body } = await streaming(true, "no JSON\n").rows(options);
  assertEquals((await body.next()).value, 1);
  assertEquals((await assertRejects(() => body.next(), ClientError)).code, "invalid-body");
});

Deno.test("the timeout of createClient() calls continues while a stream is read", async () => {
  for (const key of ["rows", "events"] as const) {
    const { body } = await streaming(true)[key]({ timeout: 20 });
    await body.next();
    assertEquals((await assertRejects(() => body.next(), ClientError)).code, "timeout");
  }
  const { body } = await streaming(true).bytes({ timeout: 20 });
  assertEquals((await assertRejects(() => new Response(body).text(), ClientError)).code, "timeout");
});

Deno.test("the timeout of createClient() calls continues while a native response is read", async () => {
  const contract = defineContract({ routes: { raw: route.get("/raw", { responses: { 200: response.raw() } }) } });
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response(watchBody(["it began"], { stalls: true }).stream),
  );
  const client = createClient(contract, { baseUrl: `http://127.0.0.1:${server.addr.port}` });
  const { body } = await client.raw({ timeout: 100 });
  assertEquals((await assertRejects(() => body.text(), DOMException)).name, "TimeoutError");
});

Deno.test("the request of createClient() request() has the call's timeout", async () => {
  const { signal } = await createClient(contract, { baseUrl }).text.request({ timeout: 10 });
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
  assertEquals(signal.reason.name, "TimeoutError");
});

Deno.test("createClient() calls refuse invalid timeouts", async () => {
  for (const timeout of [-1, NaN, -Infinity, 2_147_483_648, "5", null, 5n, {}]) {
    const error = await errorOf({ timeout: timeout as never }, { fetch: () => fail("something was sent") });
    assertEquals(error.code, "invalid-input");
    assertStringIncludes(error.message, '"timeout" must be milliseconds from 0 to 2147483647, or Infinity, got ');
  }
});

Deno.test("createClient() calls do not keep a process alive for a pending timeout", async () => {
  const program = `
    import { defineContract, response, route } from "@scope/api";
    import { createClient } from "@scope/api/client";
    const contract = defineContract({
      routes: {
        it: route.get("/it", { responses: { 204: response.empty() } }),
        bytes: route.get("/bytes", { responses: { 200: response.stream() } }),
        raw: route.get("/raw", { responses: { 200: response.raw() } }),
      },
    });
    const headers = { "content-type": "application/octet-stream" };
    const fetch = ({ url }) => url.endsWith("/it") ? new Response(null, { status: 204 }) : new Response("1", { headers });
    const client = createClient(contract, { baseUrl: "https://a.example", fetch });
    const options = { timeout: 600_000 };
    const { status } = await client.it(options);
    await new Response((await client.bytes(options)).body).text();
    await (await client.raw(options)).body.text();
    await client.it.request(options);
    await client.it({ ...options, headers: { "x y": "" } }).catch(() => {});
    console.log(status);`;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-check", program],
    signal: AbortSignal.timeout(60_000),
  });
  const { success, stdout } = await child.output();

  assert(success);
  assertEquals(new TextDecoder().decode(stdout).trim(), "204");
});

Deno.test("createClient() calls do not hold memory until their timeout", async () => {
  const program = `
    import { defineContract, response, route } from "@scope/api";
    import { createClient } from "@scope/api/client";
    const contract = defineContract({
      routes: {
        it: route.get("/it", { responses: { 200: response.text() } }),
        bytes: route.get("/bytes", { responses: { 200: response.stream() } }),
      },
    });
    const types = { it: "text/plain", bytes: "application/octet-stream" };
    const fetch = ({ url }) => new Response("1", { headers: { "content-type": types[new URL(url).pathname.slice(1)] } });
    const client = createClient(contract, { baseUrl: "https://a.example", fetch });
    const count = 10_000;
    const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
    async function run() {
      for (let index = 0; index < count; index++) {
        await client.it({ timeout: 600_000 });
        await new Response((await client.bytes({ timeout: 600_000, signal: new AbortController().signal })).body).text();
        if (index % 500 === 0) await pause(0);
      }
      for (let index = 0; index < 5; index++) await pause(10), gc();
      return Deno.memoryUsage().heapUsed;
    }
    const before = await run();
    console.log(Math.round((await run() - before) / count / 2));`;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-check", "--v8-flags=--expose-gc", program],
    signal: AbortSignal.timeout(120_000),
  });
  const { success, stdout } = await child.output();

  assert(success);
  assertLess(Number(new TextDecoder().decode(stdout)), 100); // bytes a call: 740 where the timer is the platform's
});

Deno.test("createClient() calls clear their timer if an upload's source is refused", async () => {
  const uploads = defineContract({
    routes: { add: route.post("/add", { body: request.stream(), responses: { 204: response.empty() } }) },
  });
  const client = createClient(uploads, { baseUrl, fetch: () => new Response(null, { status: 204 }) });
  const error = await assertRejects(() => client.add({ body: "text" as never }, { timeout: 600_000 }), ClientError);
  assertEquals(error.code, "invalid-input"); // the sanitizer of operations finds a timer
});
