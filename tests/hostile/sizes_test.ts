/**
 * Input that is far too large gets an ordinary response: nothing crashes or hangs, and the next request is unaffected.
 */
import { defineContract, request, response, route } from "@scope/api";
import { ClientError, createClient } from "@scope/api/client";
import type { FetchHandler } from "@scope/api/fetch";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { z } from "zod";
import { listen, mountRoute } from "../support/mount_route.ts";
import { mountRoutes } from "../support/mount_routes.ts";
import { anything, schemaOf } from "../support/hostile_schemas.ts";

const megabyte = 1_000_000;
const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
const deepObject = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;

async function statusOf(handler: FetchHandler, path: string, init: RequestInit = {}): Promise<number> {
  const answer = await handler(new Request(`http://localhost${path}`, init));
  await answer.body?.cancel();
  return answer.status;
}

function post(body: string, type: string): RequestInit {
  return { method: "POST", body, headers: { "content-type": type } };
}

Deno.test("createFetchHandler() handles paths of a megabyte", async () => {
  const handler = mountRoutes(["GET /a", "GET /a/:b", "GET /:c/:d/:e"]);
  const cases: [string, number][] = [
    [`/a/${"x".repeat(megabyte)}`, 200],
    [`/a/${"%41".repeat(megabyte / 3)}`, 200],
    ["/a".repeat(megabyte / 2), 404],
    ["/".repeat(megabyte), 404],
    [`/${"%2e".repeat(megabyte / 3)}`, 404],
    [`/a/${"%FF".repeat(megabyte / 3)}`, 400],
    ["/%".repeat(megabyte / 2), 400],
    [`${"/a".repeat(megabyte / 2)}/%`, 400],
    ["/..".repeat(megabyte / 3) + "/a", 200],
  ];
  for (const [path, status] of cases) assertEquals(await statusOf(handler, path), status, path.slice(0, 20));
});

Deno.test("createFetchHandler() handles 50,000 query parameters and form fields", async () => {
  const seen: number[] = [];
  const see = (input: { readonly query?: object; readonly body?: object }): never => {
    seen.push(Object.keys(input.query ?? input.body ?? {}).length);
    return { status: 200 } as never;
  };
  const responses = { 200: response.empty() };
  const schemas = [anything(), z.record(z.string(), z.union([z.string(), z.array(z.string())]))];
  for (const schema of schemas) {
    const query = mountRoute(route.get("/", { query: schema as never, responses }), see as never);
    const form = mountRoute(route.post("/", { body: request.form(schema as never), responses }), see as never);
    const several = Array.from({ length: 50_000 }, (_, index) => `a${index}=1`).join("&");
    for (const fields of [several, "a=1&".repeat(50_000), "&".repeat(50_000)]) {
      assertEquals(await statusOf(query, `/?${fields}`), 200);
      assertEquals(await statusOf(form, "/", post(fields, "application/x-www-form-urlencoded")), 200);
    }
  }
  assertEquals(seen, [50_000, 50_000, 1, 1, 0, 0, 50_000, 50_000, 1, 1, 0, 0]);
});

Deno.test("createFetchHandler() handles 50,000 issues, and 50,000 undeclared keys", async () => {
  const query = `/?${Array.from({ length: 50_000 }, (_, index) => `a${index}=1`).join("&")}`;
  const responses = { 200: response.empty() };
  const refuseAll = schemaOf((value) => ({
    issues: Object.keys(value as object).map((key) => ({ message: "no", path: [key] })),
  }));
  for (const schema of [refuseAll, z.strictObject({ b: z.string() }), z.record(z.string(), z.array(z.literal("2")))]) {
    const handler = mountRoute(route.get("/", { query: schema as never, responses }), () => ({ status: 200 }) as never);
    assertEquals(await statusOf(handler, query), 400);
  }
});

// proves promises | Requests of a megabyte, and JSON with 100,000 levels, get a response
Deno.test("createFetchHandler() handles JSON with 100,000 levels, in and out", async () => {
  const { heard, onError } = listen();
  const recursive = (value: unknown): boolean =>
    typeof value !== "object" || value === null || Object.values(value).every(recursive);
  const schemas = [undefined, schemaOf<unknown>((value) => ({ value: recursive(value) && value }))];
  for (const schema of schemas) {
    const declared = route.post("/", {
      body: schema ? request.json(schema) : request.json(),
      responses: { 200: response.json<unknown>() },
    });
    for (const options of [{}, { maxBodyBytes: megabyte }]) {
      let runs = 0;
      const keep = mountRoute(declared, (() => ({ status: 200, body: ++runs })) as never, { ...options, onError });
      const echo = mountRoute(declared, (({ body }: { body: unknown }) => ({ status: 200, body })) as never, {
        ...options,
        onError,
      });
      for (const content of [deep, deepObject, deep.slice(1), deep.slice(0, -1)]) {
        const json = post(content, "application/json");
        const status = await statusOf(keep, "/", json);
        assert([200, 400, 500].includes(status), `${status}`); // as deep as the runtime's parser and stack go
        assert([200, 400, 500].includes(await statusOf(echo, "/", json)));
        assertEquals(await statusOf(echo, "/", post("[]", "application/json")), 200);
      }
      assert(runs <= 2);
    }
  }
  assert(heard.every(({ phase, error }) => ["decode", "encode"].includes(phase) && error instanceof RangeError));
});

Deno.test("createFetchHandler() handles 10,000 header fields", async () => {
  const responses = { 200: response.json<number>() };
  const count = ({ headers }: { readonly headers: object }): never =>
    ({ status: 200, body: Object.keys(headers).length }) as never;
  const fields = Array.from({ length: 10_000 }, (_, index) => [`x-${index}`, "é".repeat(100)] as [string, string]);
  const all = mountRoute(
    route.get("/", { headers: anything<Record<string, string>>(), responses }),
    count as never,
  );
  assertEquals(await (await all(new Request("http://localhost/", { headers: fields }))).json(), 10_000);
  const declared = z.strictObject({ "x-7": z.string() });
  const some = mountRoute(route.get("/", { headers: declared, responses }), count as never);
  assertEquals(await (await some(new Request("http://localhost/", { headers: fields }))).json(), 1);
  const type = `application/json;${'a="b";'.repeat(megabyte / 6)}`;
  const json = mountRoute(
    route.post("/", { body: request.json(), responses: { 204: response.empty() } }),
    () => ({ status: 204 }),
  );
  assertEquals(await statusOf(json, "/", post("1", type)), 204);
  assertEquals(await statusOf(json, "/", post("1", `${type},`)), 415);
});

Deno.test("createClient() rejects a response that is too deep or too large, and continues to work", async () => {
  const contract = defineContract({
    routes: {
      json: route.get("/", { responses: { 200: response.json<unknown>() } }),
      rows: route.get("/rows", { responses: { 200: response.ndjson(anything<unknown>()) } }),
      events: route.get("/events", { responses: { 200: response.sse(anything<unknown>()) } }),
    },
  });
  let content = "";
  let type = "application/json";
  const client = createClient(contract, {
    baseUrl: "http://localhost",
    fetch: () => Promise.resolve(new Response(content, { headers: { "content-type": type } })),
  });
  for (content of [deep, deepObject, deep.slice(1), deep.slice(0, -1)]) {
    const came = await client.json().then(() => "a value", (error) => error instanceof ClientError && error.code);
    assert(came === "a value" || came === "invalid-body", String(came));
  }
  for (
    content of [`${deep}\n`, `"${"x".repeat(2 * megabyte)}"\n`, "x".repeat(2 * megabyte), `${"[".repeat(megabyte)}\n`]
  ) {
    type = "application/x-ndjson";
    await readThrough(async () => (await client.rows()).body);
    type = "text/event-stream";
    content = `data: ${content}\n`;
    await readThrough(async () => (await client.events()).body);
  }
  [type, content] = ["application/json", "x".repeat(10 * megabyte)];
  const error = await assertRejects(() => client.json(), ClientError);
  assert((error.text?.length ?? 0) <= 8 * 1024 && error.message.length < 1_000);
});

/** Reads all items, or fails with an error of the client's. */
async function readThrough(open: () => Promise<AsyncIterable<unknown>>): Promise<void> {
  try {
    for await (const _ of await open());
  } catch (error) {
    assert(error instanceof ClientError && (error.text?.length ?? 0) <= 8 * 1024, String(error));
  }
}
