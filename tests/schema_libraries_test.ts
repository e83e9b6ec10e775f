import { defineContract, request, response, route } from "@scope/api";
import { createClient } from "@scope/api/client";
import { createFetchHandler, type FetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals } from "@std/assert";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";

/** The item at the one route of every library's contract. */
interface Item {
  readonly id: number;
  readonly tags: readonly string[];
  readonly trace: string;
  readonly name: string;
  readonly note: string;
}

/** A library's contract, served, and its one call. */
interface Served {
  readonly handler: FetchHandler;
  readonly call: (tags: string[], name: string) => Promise<{ readonly status: number; readonly body: unknown }>;
}

function serveArkType(): Served {
  const contract = defineContract({
    routes: {
      put: route.put("/items/:id", {
        params: type({ id: "string.integer.parse" }),
        query: type({ tag: "string[]" }),
        headers: type({ "x-trace": "string" }),
        body: request.json(type({ name: "string >= 1", note: "string = 'none'" })),
        responses: {
          200: response.json(
            type({ id: "number", tags: "string[]", trace: "string", name: "string", note: "string", "+": "delete" }),
          ),
        },
      }),
    },
  });
  const implementation = defineServer(contract).implement({
    put: ({ params, query, headers, body, response }) => response(200, { ...toItem(params, query, headers, body) }),
  });
  const handler = createFetchHandler(implementation);
  const client = createClient(contract, { baseUrl: "http://localhost", fetch: handler });
  return {
    handler,
    call: (tag, name) =>
      client.put({ params: { id: "7" }, query: { tag }, headers: { "x-trace": "t" }, body: { name } }),
  };
}

function serveZod(): Served {
  const contract = defineContract({
    routes: {
      put: route.put("/items/:id", {
        params: z.object({ id: z.coerce.number().int() }),
        query: z.object({ tag: z.array(z.string()) }),
        headers: z.object({ "x-trace": z.string() }),
        body: request.json(z.object({ name: z.string().min(1), note: z.string().default("none") })),
        responses: {
          200: response.json(
            z.object({
              id: z.number(),
              tags: z.array(z.string()),
              trace: z.string(),
              name: z.string(),
              note: z.string(),
            }),
          ),
        },
      }),
    },
  });
  const implementation = defineServer(contract).implement({
    put: ({ params, query, headers, body, response }) => response(200, { ...toItem(params, query, headers, body) }),
  });
  const handler = createFetchHandler(implementation);
  const client = createClient(contract, { baseUrl: "http://localhost", fetch: handler });
  return {
    handler,
    call: (tag, name) => client.put({ params: { id: 7 }, query: { tag }, headers: { "x-trace": "t" }, body: { name } }),
  };
}

function serveValibot(): Served {
  const contract = defineContract({
    routes: {
      put: route.put("/items/:id", {
        params: v.object({ id: v.pipe(v.string(), v.regex(/^\d+$/), v.transform(Number)) }),
        query: v.object({ tag: v.array(v.string()) }),
        headers: v.object({ "x-trace": v.string() }),
        body: request.json(
          v.object({ name: v.pipe(v.string(), v.minLength(1)), note: v.optional(v.string(), "none") }),
        ),
        responses: {
          200: response.json(
            v.object({
              id: v.number(),
              tags: v.array(v.string()),
              trace: v.string(),
              name: v.string(),
              note: v.string(),
            }),
          ),
        },
      }),
    },
  });
  const implementation = defineServer(contract).implement({
    put: ({ params, query, headers, body, response }) => response(200, { ...toItem(params, query, headers, body) }),
  });
  const handler = createFetchHandler(implementation);
  const client = createClient(contract, { baseUrl: "http://localhost", fetch: handler });
  return {
    handler,
    call: (tag, name) =>
      client.put({ params: { id: "7" }, query: { tag }, headers: { "x-trace": "t" }, body: { name } }),
  };
}

/** An item with a field that no response declares. */
function toItem(
  { id }: { readonly id: number },
  { tag }: { readonly tag: string[] },
  headers: { readonly "x-trace": string },
  body: { readonly name: string; readonly note: string },
): Item & { readonly tags: string[]; readonly secret: string } {
  return { id, tags: tag, trace: headers["x-trace"], ...body, secret: "s" };
}

for (const [library, serve] of Object.entries({ ArkType: serveArkType, Zod: serveZod, Valibot: serveValibot })) {
  Deno.test(`a contract of ${library} schemas is served and called`, async () => {
    const { call } = serve();

    const { status, body } = await call(["a", "b"], "Ada");

    assertEquals(status, 200);
    assertEquals(body, { id: 7, tags: ["a", "b"], trace: "t", name: "Ada", note: "none" });
  });

  Deno.test(`a ${library} schema of a list accepts a key that occurs once`, async () => {
    const { call } = serve();

    const { body } = await call(["a"], "Ada");

    assertEquals(body, { id: 7, tags: ["a"], trace: "t", name: "Ada", note: "none" });
  });

  Deno.test(`a query that a ${library} schema refuses receives a 400 with pointers`, async () => {
    const { handler } = serve();

    const refused = await handler(new Request("http://localhost/items/x", { method: "PUT" }));
    const { code, issues } = await refused.json();

    assertEquals([refused.status, refused.headers.get("content-type"), code], [
      400,
      "application/problem+json",
      "invalid-request",
    ]);
    assertEquals(issues.map(({ location, pointer }: Record<string, string>) => `${location} ${pointer}`), [
      "params /id",
      "query /tag",
      "headers /x-trace",
    ]);
  });

  Deno.test(`a body that a ${library} schema refuses receives a 400 with a pointer`, async () => {
    const { handler } = serve();

    const refused = await handler(
      new Request("http://localhost/items/7?tag=a", {
        method: "PUT",
        headers: { "x-trace": "t", "content-type": "application/json" },
        body: `{"name":""}`,
      }),
    );
    const { issues } = await refused.json();

    assertEquals(refused.status, 400);
    assertEquals(issues.map(({ location, pointer }: Record<string, string>) => `${location} ${pointer}`), [
      "body /name",
    ]);
  });
}
