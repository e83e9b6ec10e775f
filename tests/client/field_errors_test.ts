import { defineContract, request, response, route } from "@scope/api";
import { ClientError, createClient, fieldErrors, isErrorOf, unwrap } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { z } from "zod";

Deno.test.sanitizer({ ops: true, resources: true });

const User = z.object({
  user: z.object({
    name: z.string().min(1, "is empty").regex(/^[A-Z]/, "has no capital"),
    "a/b": z.string().optional(),
  }),
  tags: z.array(z.string("is no text")).default([]),
}).refine(({ tags }) => tags.length < 3, "has too many tags");
const body = request.json(User);
const contract = defineContract({
  routes: {
    add: route.post("/", { body, responses: { 204: response.empty() } }),
    declared: route.put("/", { body, responses: { 204: response.empty(), 400: response.problem() } }),
  },
});
const client = createClient(contract, {
  baseUrl: "https://a.example",
  fetch: createFetchHandler(
    defineServer(contract).implement({
      add: ({ response }) => response(204),
      declared: ({ response }) => response(204),
    }),
  ),
});

Deno.test("fieldErrors() contains the messages of a refusal by field, declared or not", async () => {
  const input = { user: { name: "", "a/b": 1 as never }, tags: ["a", 2 as never] };
  const expected = {
    "user.name": ["is empty", "has no capital"],
    "user.a/b": ["Invalid input: expected string, received number"],
    "tags.1": ["is no text"],
  };
  const error = await assertRejects(() => client.add({ body: input }), ClientError);
  assertEquals(fieldErrors(error.problem), expected);
  const result = await client.declared({ body: input });
  assert(result.status === 400);
  assertEquals(fieldErrors(result.body), expected);
  try {
    unwrap(await client.declared({ body: { user: { name: "Ada" }, tags: ["a", "b", "c"] } }));
  } catch (error) {
    assert(isErrorOf(client.declared, error));
    assertEquals(fieldErrors(error.result?.body), { "": ["has too many tags"] });
  }
});

Deno.test("fieldErrors() is empty without a problem or issues, and accepts any field name", () => {
  assertEquals([fieldErrors(undefined), fieldErrors({}), fieldErrors({ issues: [] })], [{}, {}, {}]);
  const issue = { location: "body", path: ["__proto__"], pointer: "/__proto__", message: "no" };
  assertEquals(Object.entries(fieldErrors({ issues: [issue] })), [["__proto__", ["no"]]]);
});
