/** JSON of more than 1,000 levels reaches no schema, which would recurse into each until the stack overflows. */
import { defineContract, request, response, route } from "@scope/api";
import { ClientError, createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { scope } from "arktype";
import * as v from "valibot";
import * as z from "zod";
import { assertProblem } from "../support/mount_route.ts";

const arktype = scope({ node: { "a?": "node" } }).export().node;
const zod: z.ZodType = z.object({
  get a() {
    return zod.optional();
  },
});
const valibot: v.GenericSchema = v.object({ a: v.optional(v.lazy(() => valibot)) });

/** Takes any value, and recurses into none of it. */
const flat = { "~standard": { version: 1, vendor: "own", validate: (value: unknown) => ({ value }) } } as const;

/** ArkType's own stack does not reach 1,000 levels if it cannot create functions from strings. */
const arktypeLevels = canGenerateCode() ? 1000 : 500;

function canGenerateCode(): boolean {
  try {
    return typeof new Function("") === "function";
  } catch {
    return false;
  }
}

/** An object of this many levels. */
function nest(levels: number): string {
  return '{"a":'.repeat(levels - 1) + "{}" + "}".repeat(levels - 1);
}

Deno.test("a JSON body of 1,000 levels reaches the schema, and one of more levels is 400", async () => {
  for (const [schema, most] of [[flat, 1000], [arktype, arktypeLevels], [zod, 1000], [valibot, 1000]] as const) {
    const contract = defineContract({
      routes: { it: route.post("/", { body: request.json(schema), responses: { 204: response.empty() } }) },
    });
    const heard: unknown[] = [];
    const handler = createFetchHandler(
      defineServer(contract).implement({ it: ({ response }) => response(204) }),
      { maxBodyBytes: 2_000_000, onError: ({ error }) => void heard.push(error) },
    );
    const post = (body: string): Request =>
      new Request("http://localhost/", { method: "POST", body, headers: { "content-type": "application/json" } });
    assertEquals((await handler(post(nest(most)))).status, 204);
    for (const levels of [1001, 100_000]) {
      await assertProblem(await handler(post(nest(levels))), 400, "Bad Request", "invalid-body");
    }
    assertEquals(heard, []);
  }
});

const contract = defineContract({
  routes: {
    it: route.post("/", { body: request.json(), responses: { 200: response.json<number>() } }),
    json: route.get("/json", { responses: { 200: response.json<unknown>() } }),
    rows: route.get("/rows", { responses: { 200: response.ndjson(zod) } }),
    events: route.get("/events", { responses: { 200: response.sse(zod) } }),
  },
});

Deno.test("a JSON body of more than 1,000 levels is 400 however it is read: with a limit, and chunked without one", async () => {
  const implementation = defineServer(contract).implement({
    it: ({ response }) => response(200, 1),
    json: ({ response }) => response(200, 1),
    rows: ({ response }) => response(200, []),
    events: ({ response }) => response(200, []),
  });
  const chunked: Record<string, string> = { "transfer-encoding": "chunked" };
  for (const [options, more] of [[{ maxBodyBytes: 1_000_000 }, {}], [{}, chunked]] as const) {
    const headers = { "content-type": "application/json", ...more };
    const post = async (body: string): Promise<number> => {
      const request = new Request("http://localhost/", { method: "POST", body, headers });
      return (await createFetchHandler(implementation, options)(request)).status;
    };
    assertEquals([await post(nest(1000)), await post(nest(1001)), await post(`["${"[".repeat(2000)}"]`)], [
      200,
      400,
      200,
    ]);
  }
});

Deno.test("responses, lines and events of more than 1,000 levels are invalid-body for the client", async () => {
  const types = { json: "application/json", rows: "application/x-ndjson", events: "text/event-stream" };
  const frames = {
    json: (text: string) => text,
    rows: (text: string) => `${text}\n`,
    events: (text: string) => `data: ${text}\n\n`,
  };
  for (const key of ["json", "rows", "events"] as const) {
    const read = async (levels: number): Promise<void> => {
      const fetch = (): Response =>
        new Response(frames[key](nest(levels)), { headers: { "content-type": types[key] } });
      const { body } = await createClient(contract, { baseUrl: "https://a.example", fetch })[key]();
      if (key !== "json") { for await (const _ of body as AsyncIterable<unknown>); }
    };
    await read(1000);
    const error = await assertRejects(() => read(1001), ClientError);
    assertEquals(error.code, "invalid-body");
    assertStringIncludes(error.message, "more than 1000 levels of nesting");
  }
});
