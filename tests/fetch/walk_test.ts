/** What a reader follows from a request to its response: the files, functions and calls of one warm call. */
import { defineContract, response, route, security } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";
import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { Session } from "node:inspector/promises";
import * as z from "zod";

const src = new URL("../../src/", import.meta.url).href;

Deno.test("a POST with security, a guard and JSON runs at most 21 files, 88 functions and 145 calls", async () => {
  const bearer = security.bearer("bearer");
  const contract = defineContract({
    security: [bearer],
    routes: {
      add: route.post("/lists/:list/items", {
        params: z.object({ list: z.string() }),
        body: z.object({ name: z.string() }),
        responses: { 201: response.json(z.object({ name: z.string() })) },
      }),
    },
  });
  const handler = createFetchHandler(
    defineServer(contract, { security: [verify(bearer, () => ({ user: "ada" }))] })
      .guard(() => {})
      .implement({ add: ({ body, response }) => response(201, body) }),
  );
  const send = () =>
    handler(
      new Request("http://localhost/lists/1/items", {
        method: "POST",
        headers: { authorization: "Bearer token", "content-type": "application/json" },
        body: '{"name":"bread"}',
      }),
    );
  await send(); // the steps of a route are planned at its first request
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await session.post("Profiler.takePreciseCoverage"); // forgets what ran before
  const { status } = await send();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  const walked = result.filter(({ url }) => url.startsWith(src))
    .map(({ url, functions }) => ({
      file: url.slice(src.length),
      // a class with private members has a function that adds them
      counts: functions.filter(({ functionName }) => functionName !== "<instance_members_initializer>")
        .map(({ ranges }) => ranges[0]!.count).filter((count) => count > 0),
    }))
    .filter(({ counts }) => counts.length > 0);
  const counts = walked.flatMap(({ counts }) => counts);
  const calls = counts.reduce((sum, count) => sum + count);
  console.log(`a POST: ${walked.length} files, ${counts.length} functions, ${calls} calls`);

  assertEquals(status, 201);
  assert(walked.some(({ file }) => file === "server/http/exchange.ts"));
  assertLessOrEqual(walked.length, 21);
  assertLessOrEqual(counts.length, 88);
  assertLessOrEqual(calls, 145);
});
