/** Empty lists, which queries and forms cannot express. */
import { defineContract, request, response, route, styled } from "@scope/api";
import { createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals } from "@std/assert";
import * as z from "zod";

const Tags = z.object({ tags: z.array(z.string()).default(["all"]) });
const contract = defineContract({
  routes: {
    query: route.get("/query", { query: Tags, responses: { 200: response.json<unknown>() } }),
    form: route.post("/form", { body: request.form(Tags), responses: { 200: response.json<unknown>() } }),
    formData: route.post("/form-data", { body: request.formData(Tags), responses: { 200: response.json<unknown>() } }),
    json: route.post("/json", { body: Tags, responses: { 200: response.json<unknown>() } }),
    inOneField: route.get("/one", {
      query: styled(Tags, { tags: "comma" }),
      responses: { 200: response.json<unknown>() },
    }),
  },
});
const server = defineServer(contract).implement({
  query: ({ query, response }) => response(200, query),
  form: ({ body, response }) => response(200, body),
  formData: ({ body, response }) => response(200, body),
  json: ({ body, response }) => response(200, body),
  inOneField: ({ query, response }) => response(200, query),
});
const client = createClient(contract, { baseUrl: "http://localhost", fetch: createFetchHandler(server) });

Deno.test("an empty list is not sent in queries and forms, so the server applies the default", async () => {
  assertEquals(client.query.url({ query: { tags: [] } }), "http://localhost/query");
  assertEquals((await client.query({ query: { tags: [] } })).body, { tags: ["all"] });
  assertEquals((await client.form({ body: { tags: [] } })).body, { tags: ["all"] });
  assertEquals((await client.formData({ body: { tags: [] } })).body, { tags: ["all"] });
});

Deno.test("an empty list arrives as one in a styled field and in JSON", async () => {
  assertEquals(client.inOneField.url({ query: { tags: [] } }), "http://localhost/one?tags=");
  assertEquals((await client.inOneField({ query: { tags: [] } })).body, { tags: [] });
  assertEquals((await client.json({ body: { tags: [] } })).body, { tags: [] });
});
