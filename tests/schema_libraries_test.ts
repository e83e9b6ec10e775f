/** One contract with the schemas of each library. */
import { defineContract, request, response, route } from "@scope/api";
import { createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals } from "@std/assert";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";

const arkType = defineContract({
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
const zod = defineContract({
  routes: {
    put: route.put("/items/:id", {
      params: z.object({ id: z.string().regex(/^\d+$/).transform(Number) }),
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
const valibot = defineContract({
  routes: {
    put: route.put("/items/:id", {
      params: v.object({ id: v.pipe(v.string(), v.regex(/^\d+$/), v.transform(Number)) }),
      query: v.object({ tag: v.array(v.string()) }),
      headers: v.object({ "x-trace": v.string() }),
      body: request.json(v.object({ name: v.pipe(v.string(), v.minLength(1)), note: v.optional(v.string(), "none") })),
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

const undeclared = { secret: "s" };

for (const [library, contract] of Object.entries({ ArkType: arkType, Zod: zod, Valibot: valibot })) {
  const served = contract as typeof valibot; // calls and handlers of all three have the same types
  const implementation = defineServer(served).implement({
    put: ({ params, query, headers, body, response }) =>
      response(200, { ...params, tags: query.tag, trace: headers["x-trace"], ...body, ...undeclared }),
  });
  const handler = createFetchHandler(implementation);
  const client = createClient(served, { baseUrl: "http://localhost", fetch: handler });
  const input = { params: { id: "7" }, headers: { "x-trace": "t" }, body: { name: "Ada" } };

  Deno.test(`a contract of ${library} schemas is served and called`, async () => {
    const { status, body } = await client.put({ ...input, query: { tag: ["a", "b"] } });

    assertEquals([status, body], [200, { id: 7, tags: ["a", "b"], trace: "t", name: "Ada", note: "none" }]);
  });

  Deno.test(`a ${library} schema of a list accepts a key that occurs once`, async () => {
    const { body } = await client.put({ ...input, query: { tag: ["a"] } });

    assertEquals(body, { id: 7, tags: ["a"], trace: "t", name: "Ada", note: "none" });
  });

  const refusals: readonly (readonly [name: string, path: string, init: RequestInit, issues: readonly string[]])[] = [
    ["head", "/items/x", {}, ["params /id", "query /tag", "headers /x-trace"]],
    ["body", "/items/7?tag=a", {
      headers: { "x-trace": "t", "content-type": "application/json" },
      body: '{"name":""}',
    }, ["body /name"]],
  ];
  for (const [name, path, init, expected] of refusals) {
    Deno.test(`a ${name} that ${library} schemas refuse receives a 400 with pointers`, async () => {
      const refused = await handler(new Request(`http://localhost${path}`, { method: "PUT", ...init }));
      const { code, issues } = await refused.json();

      assertEquals([refused.status, refused.headers.get("content-type")], [400, "application/problem+json"]);
      const found = issues.map(({ location, pointer }: Record<string, string>) => `${location} ${pointer}`);
      assertEquals([code, found], ["invalid-request", expected]);
    });
  }
}
