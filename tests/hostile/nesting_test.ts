/** JSON of more levels than the limit reaches no schema, which would recurse into each, for seconds or until the stack overflows. */
import { defineContract, request, response, route, type Schema, styled } from "@scope/api";
import { ClientError, createClient } from "@scope/api/client";
import { createFetchHandler, type FetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals, assertLess, assertRejects, assertStringIncludes } from "@std/assert";
import { scope } from "arktype";
import * as v from "valibot";
import * as z from "zod";
import process from "node:process";

const arktype = scope({ node: { "a?": "node" } }).export().node;
const zod: z.ZodType = z.object({
  get a() {
    return zod.optional();
  },
});
const valibot: v.GenericSchema = v.object({ a: v.optional(v.lazy(() => valibot)) });

/** Takes any value, and recurses into none of it. */
const flat = { "~standard": { version: 1, vendor: "own", validate: (value: unknown) => ({ value }) } } as const;

/** An object of this many levels. */
function nest(levels: number): string {
  return '{"a":'.repeat(levels - 1) + "{}" + "}".repeat(levels - 1);
}

const post = (body: string): Request =>
  new Request("http://localhost/", { method: "POST", body, headers: { "content-type": "application/json" } });

// proves json | Nesting is limited to 100 levels | RFC 8259, 9
Deno.test("a JSON body of 100 levels reaches the schema, and one of more levels is 400", async () => {
  for (const schema of [flat, arktype, zod, valibot]) {
    const contract = defineContract({
      routes: { it: route.post("/", { body: request.json(schema), responses: { 204: response.empty() } }) },
    });
    const heard: unknown[] = [];
    const implementation = defineServer(contract).implement({ it: ({ response }) => response(204) });
    const onError = ({ error }: { readonly error: unknown }): void => void heard.push(error);
    for (const limits of [{}, { maxBodyBytes: 2_000_000 }]) {
      const handler = createFetchHandler(implementation, { ...limits, onError });
      assertEquals((await handler(post(nest(100)))).status, 204);
      for (const levels of [101, 100_000]) {
        const answer = await handler(post(nest(levels)));
        assertEquals(answer.status, 400);
        const { code, detail } = await answer.json();
        assertEquals([code, detail], ["invalid-body", "The body has more than 100 levels of nesting"]);
      }
    }
    assertEquals(heard, []);
  }
});

Deno.test("the option maxDepth replaces the limit of levels", async () => {
  const contract = defineContract({
    routes: { it: route.post("/", { body: request.json(flat), responses: { 204: response.empty() } }) },
  });
  const implementation = defineServer(contract).implement({ it: ({ response }) => response(204) });
  const statusOf = async (maxDepth: number, body: string): Promise<number> =>
    (await createFetchHandler(implementation, { maxDepth })(post(body))).status;
  assertEquals(await statusOf(1, "{}"), 204);
  assertEquals(await statusOf(1, "[[]]"), 400);
  assertEquals(await statusOf(1000, nest(1000)), 204);
  assertEquals(await statusOf(1000, nest(1001)), 400);
});

/** Schemas whose validation fails at every level, so that each level copies the paths of all below it. */
const failing: readonly Schema[] = [
  scope({ node: { name: "string", "a?": "node" } }).export().node,
  z.object({
    name: z.string(),
    get a() {
      return failing[1] as z.ZodType;
    },
  }),
  v.object({ name: v.string(), a: v.optional(v.lazy(() => failing[2] as v.GenericSchema)) }),
];

Deno.test("a body at the limit takes recursive schemas less than 100 ms of processor time and 64 MiB", async () => {
  for (const schema of failing) {
    const contract = defineContract({
      routes: { it: route.post("/", { body: request.json(schema), responses: { 204: response.empty() } }) },
    });
    const handler = createFetchHandler(defineServer(contract).implement({ it: ({ response }) => response(204) }));
    assertEquals((await handler(post(nest(10)))).status, 400); // compiles the schema
    const tries = [await measure(handler), await measure(handler), await measure(handler)];
    // the least of three: other tests run at the same time in this process
    assertLess(Math.min(...tries.map(({ milliseconds }) => milliseconds)), 100);
    assertLess(Math.min(...tries.map(({ bytes }) => bytes)), 64 * 2 ** 20);
  }
});

/** The processor time and the memory that a body at the limit takes. */
async function measure(handler: FetchHandler): Promise<{ readonly milliseconds: number; readonly bytes: number }> {
  const heapUsed = process.memoryUsage().heapUsed;
  const start = process.cpuUsage();
  assertEquals((await handler(post(nest(100)))).status, 400);
  const { user, system } = process.cpuUsage(start);
  return { milliseconds: (user + system) / 1000, bytes: process.memoryUsage().heapUsed - heapUsed };
}

const contract = defineContract({
  routes: {
    it: route.post("/", { body: request.json(), responses: { 200: response.json<number>() } }),
    json: route.get("/json", { responses: { 200: response.json<unknown>() } }),
    rows: route.get("/rows", { responses: { 200: response.ndjson(zod) } }),
    events: route.get("/events", { responses: { 200: response.sse(zod) } }),
  },
});

Deno.test("a JSON body of more than 100 levels is 400 however it is read: with a limit, and chunked without one", async () => {
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
    assertEquals([await post(nest(100)), await post(nest(101)), await post(`["${"[".repeat(2000)}"]`)], [
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

Deno.test("maxDepth limits the JSON in styled fields of every slot, also above the default", async () => {
  const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
  const Fields = styled(z.object({ it: z.unknown() }), { it: "json" });
  const responses = { 204: response.empty() };
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const send = (slot: string, text: string): Request => {
    const encoded = encodeURIComponent(text);
    if (slot === "params") return new Request(`http://localhost/params/${encoded}`);
    if (slot === "query") return new Request(`http://localhost/query?it=${encoded}`);
    if (slot === "headers") return new Request("http://localhost/headers", { headers: { it: text } });
    return new Request("http://localhost/form", { method: "POST", body: `it=${encoded}`, headers });
  };
  const contract = defineContract({
    routes: {
      params: route.get("/params/:it", { params: Fields, responses }),
      query: route.get("/query", { query: Fields, responses }),
      headers: route.get("/headers", { headers: Fields, responses }),
      form: route.post("/form", { body: request.form(Fields), responses }),
    },
  });
  const done = () => ({ status: 204 } as const);
  const server = defineServer(contract).implement({ params: done, query: done, headers: done, form: done });
  for (const maxDepth of [undefined, 3, 150]) {
    const handler = createFetchHandler(server, { ...(maxDepth && { maxDepth }) });
    for (const slot of ["params", "query", "headers", "form"]) {
      const limit = maxDepth ?? 100;
      assertEquals((await handler(send(slot, nested(limit)))).status, 204, slot);
      const refused = await handler(send(slot, nested(limit + 1)));
      const { code, issues } = await refused.json();
      assertEquals([refused.status, code, issues[0].message], [
        400,
        "invalid-request",
        `must have at most ${limit} levels of nesting`,
      ], slot);
    }
  }
});
