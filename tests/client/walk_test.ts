/** What a reader follows from a call to its result: the files, functions and calls of one warm call. */
import { defineContract, response, route } from "@scope/api";
import { createClient } from "@scope/api/client";
import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import * as z from "zod";
import { countWalk } from "../support/count_walk.ts";

Deno.test("a call with a JSON body and response runs at most 12 files, 50 functions and 70 calls", async () => {
  const contract = defineContract({
    routes: {
      add: route.post("/lists/:list/items", {
        params: z.object({ list: z.string() }),
        body: z.object({ name: z.string() }),
        responses: { 201: response.json(z.object({ name: z.string() })) },
      }),
    },
  });
  const client = createClient(contract, {
    baseUrl: "http://localhost",
    fetch: () => Response.json({ name: "bread" }, { status: 201 }),
  });
  const results: unknown[] = [];
  const call = async (): Promise<void> => {
    const { body } = await client.add({ params: { list: "1" }, body: { name: "bread" } });
    results.push(body);
  };
  await call();
  const { files, functions, calls } = await countWalk(call);
  console.log(`a call: ${files.length} files, ${functions} functions, ${calls} calls`);

  assertEquals(results, [{ name: "bread" }, { name: "bread" }]);
  assert(files.includes("client/call.ts"));
  assertLessOrEqual(files.length, 12);
  assertLessOrEqual(functions, 50);
  assertLessOrEqual(calls, 70);
});
