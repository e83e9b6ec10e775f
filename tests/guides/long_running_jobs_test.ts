/** The client of docs/long-running-jobs.md, over sockets. */
import { defineContract, response, route } from "@scope/api";
import { type Client, createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import {
  assert,
  assertEquals,
  assertGreaterOrEqual,
  assertLess,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import * as z from "zod";
import { waitForJob } from "./wait_for_job.ts";

const contract = defineContract({
  routes: {
    read: route.get("/jobs/:id", {
      responses: {
        200: response.json(z.object({ rows: z.number() })),
        202: response.json(z.object({ done: z.number() }), {
          headers: z.object({ "retry-after": z.string().optional() }),
        }),
        404: response.problem(),
      },
    }),
  },
});

/** A server whose job ends after some calls, with what it answers before. */
function serve(
  calls: number,
  retryAfter: string | undefined,
): Deno.HttpServer<Deno.NetAddr> & { readonly asked: number[] } {
  const asked: number[] = [];
  const implementation = defineServer(contract).implement({
    read: async ({ params, response, signal }) => {
      asked.push(performance.now());
      if (params.id === "hangs") await new Promise((resolve) => signal.addEventListener("abort", resolve));
      if (params.id === "unknown") return response(404);
      if (asked.length > calls) return response(200, { rows: 7 });
      return response(202, { done: asked.length }, { "retry-after": retryAfter });
    },
  });
  const handler = createFetchHandler(implementation);
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handler);
  return Object.assign(server, { asked });
}

function connect({ addr }: Deno.HttpServer<Deno.NetAddr>): Client<typeof contract.routes> {
  return createClient(contract, { baseUrl: `http://127.0.0.1:${addr.port}` });
}

Deno.test("waitForJob() calls until the status is not 202, and its result has the types of the others", async () => {
  await using server = serve(3, "0");
  const client = connect(server);
  const read = (id: string) => waitForJob((signal) => client.read({ params: { id } }, { signal }), { timeout: 10_000 });

  const result = await read("1");
  const status: 200 | 404 = result.status;
  assertEquals([status, result.status === 200 && result.body.rows, server.asked.length], [200, 7, 4]);
  assertEquals((await read("unknown")).status, 404);
});

Deno.test("waitForJob() waits as long as Retry-After says, in seconds or until a date", async () => {
  const waits = ["1", new Date(Date.now() + 2_000).toUTCString()].map(async (retryAfter) => {
    await using server = serve(1, retryAfter);
    const client = connect(server);
    await waitForJob((signal) => client.read({ params: { id: "1" } }, { signal }), { timeout: 10_000 });
    const [first = 0, second = 0] = server.asked;
    return second - first;
  });
  for (const wait of await Promise.all(waits)) {
    assertGreaterOrEqual(wait, 850);
    assertLess(wait, 3_000);
  }
});

Deno.test("waitForJob() calls at most ten times a second, whatever Retry-After says", async () => {
  for (const retryAfter of ["0", "Thu, 01 Jan 1970 00:00:00 GMT"]) {
    await using server = serve(2, retryAfter);
    const client = connect(server);
    await waitForJob((signal) => client.read({ params: { id: "1" } }, { signal }), { timeout: 10_000 });
    assertGreaterOrEqual(server.asked.at(-1)! - server.asked[0]!, 190);
  }
});

Deno.test("waitForJob() ends at its deadline, also during a wait of any length and during a call", async () => {
  for (
    const [id, retryAfter] of [
      ["1", "3600"],
      ["1", "99999999999999999999"],
      ["1", "later"],
      ["1", "1.5"],
      ["1", "-5"],
      ["1", "someday GMT"],
      ["hangs", "0"],
    ] as const
  ) {
    await using server = serve(Infinity, retryAfter);
    const client = connect(server);
    const start = performance.now();
    const wait = () => waitForJob((signal) => client.read({ params: { id } }, { signal }), { timeout: 150 });

    const error = await assertRejects(wait, DOMException);
    assertEquals([id, retryAfter, error.name], [id, retryAfter, "TimeoutError"]);
    assertLess(performance.now() - start, 1_000);
    assertEquals(server.asked.length, 1);
  }
});

Deno.test("waitForJob() rejects with the reason of its signal, and with the errors of calls", async () => {
  await using server = serve(Infinity, "3600");
  const client = connect(server);
  const stopping = new AbortController();
  const reason = new Error("The user left");
  const wait = waitForJob((signal) => client.read({ params: { id: "1" } }, { signal }), {
    timeout: 10_000,
    signal: stopping.signal,
  });
  setTimeout(() => stopping.abort(reason), 50);
  assert(await assertRejects(() => wait) === reason);

  const failing = () => waitForJob(() => Promise.reject(new TypeError("no network")), { timeout: 10_000 });
  await assertRejects(failing, TypeError, "no network");
});

Deno.test("docs/long-running-jobs.md has the function that these tests call", async () => {
  const page = await Deno.readTextFile(new URL("../../docs/long-running-jobs.md", import.meta.url));
  const source = await Deno.readTextFile(new URL("wait_for_job.ts", import.meta.url));

  assertStringIncludes(page, source.replaceAll(/^export /gm, ""));
});
