import { assert, assertEquals, assertLess, assertStringIncludes, fail } from "@std/assert";
import { call, errorOf, stalledAnswer } from "./stalled_call.ts";

Deno.test.sanitizer({ ops: true, resources: true });

Deno.test("createClient() calls reject with timeout while no response comes", async () => {
  const started = performance.now();
  const error = await errorOf({ timeout: 20 });

  assertEquals([error.code, error.status], ["timeout", undefined]);
  assertStringIncludes(error.message, "its time was up");
  assertEquals((error.cause as DOMException).name, "TimeoutError");
  assertLess(performance.now() - started, 5000);
});

Deno.test("createClient() calls reject with timeout while a body is read, and cancel it", async () => {
  const { fetch, state } = stalledAnswer();
  const error = await errorOf({ timeout: 20 }, { fetch });

  assertEquals([error.code, error.status, state()], ["timeout", 200, "cancelled"]);
});

Deno.test("createClient() calls count the time of a function of headers", async () => {
  const error = await errorOf({ timeout: 20 }, {
    headers: () => new Promise(() => {}),
    fetch: () => fail("something was sent"),
  });

  assertEquals(error.code, "timeout");
});

Deno.test("createClient() calls tell a timeout from an abort where they have both", async () => {
  const { signal } = new AbortController();
  assertEquals((await errorOf({ signal, timeout: 5 })).code, "timeout");

  const controller = new AbortController();
  setTimeout(() => controller.abort(), 5);
  assertEquals((await errorOf({ signal: controller.signal, timeout: 60_000 })).code, "aborted");

  const foreign = await errorOf({ signal: AbortSignal.timeout(5) });
  assertEquals(foreign.code, "aborted"); // the caller's own timeout is the caller's abort
});

Deno.test("createClient() calls end in time, with a timeout and a signal that nobody needed", async () => {
  const { signal } = new AbortController();
  const fetch = (): Response => new Response("ok", { headers: { "content-type": "text/plain" } });

  assertEquals((await call({ signal, timeout: 60_000 }, { fetch })).body, "ok");
  assertEquals((await call({ timeout: Infinity }, { fetch })).body, "ok");
  assertEquals((await call({ timeout: 2_147_483_647 }, { fetch })).body, "ok");
});

Deno.test("createClient() calls refuse timeouts that can't be", async () => {
  for (const timeout of [-1, NaN, -Infinity, 2_147_483_648, "5", null, 5n, {}]) {
    const error = await errorOf({ timeout: timeout as never }, { fetch: () => fail("something was sent") });
    assertEquals(error.code, "invalid-input");
    assertStringIncludes(error.message, "timeout is not a number of milliseconds from 0 to 2147483647, or Infinity");
  }
});

Deno.test("createClient() calls do not keep a process alive for a timeout that has not come", async () => {
  const program = `
    import { defineContract, response, route } from "@scope/api";
    import { createClient } from "@scope/api/client";
    const contract = defineContract({ routes: { it: route.get("/it", { responses: { 204: response.empty() } }) } });
    const fetch = () => new Response(null, { status: 204 });
    const { status } = await createClient(contract, { baseUrl: "https://a.example", fetch }).it({ timeout: 600_000 });
    console.log(status);`;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-check", program],
    signal: AbortSignal.timeout(60_000),
  });
  const { success, stdout } = await child.output();

  assert(success);
  assertEquals(new TextDecoder().decode(stdout).trim(), "204");
});
