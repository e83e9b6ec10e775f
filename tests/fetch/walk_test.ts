/** The files that a reader follows from a request to its response. */
import { defineContract, response, route, security } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";
import { assert, assertEquals } from "@std/assert";
import { Session } from "node:inspector/promises";
import * as z from "zod";

const src = new URL("../../src/", import.meta.url).href;

Deno.test("a POST with security runs code of at most 26 files", async () => {
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
  const files = result
    .filter(({ url, functions }) => url.startsWith(src) && functions.some(({ ranges }) => ranges[0]!.count > 0))
    .map(({ url }) => url.slice(src.length));

  assertEquals(status, 201);
  assert(files.includes("server/http/exchange.ts"), files.join());
  assert(files.length <= 26, files.join("\n"));
});
