/** What a reader follows from a request to its response: the files, functions and calls of one warm call. */
import { defineContract, response, route, security } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";
import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import * as z from "zod";
import { countWalk } from "../support/count_walk.ts";

Deno.test("a POST with security, a guard and JSON runs at most 14 files, 60 functions and 81 calls", async () => {
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
  const { status } = await send();
  const { files, functions, calls } = await countWalk(async () => await send());
  console.log(`a POST: ${files.length} files, ${functions} functions, ${calls} calls`);

  assertEquals(status, 201);
  assert(files.includes("server/http/exchange.ts"));
  assertLessOrEqual(files.length, 14);
  assertLessOrEqual(functions, 60);
  assertLessOrEqual(calls, 81);
});
