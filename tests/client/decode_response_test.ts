import { defineContract, response, route } from "@scope/api";
import { createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals, assertInstanceOf, assertStrictEquals } from "@std/assert";
import { type } from "arktype";
import { rejectionsOf } from "../support/rejections.ts";

Deno.test.sanitizer({ ops: true, resources: true });

const baseUrl = "https://a.example";

const contract = defineContract({
  routes: {
    user: route.get("/users/:id", {
      responses: {
        200: response.json(type({ id: "string", "age?": "number" })),
        201: response.json(type({ created: "string" })),
        204: response.empty(),
        404: response.json(type({ message: "string" })),
        409: response.text(),
        500: response.bytes(),
        503: response.empty(),
      },
    }),
    head: route.head("/users/:id", {
      responses: { 200: response.json(type({ id: "string" })), 404: response.empty() },
    }),
    page: route.get("/page", {
      responses: {
        200: response.text({
          headers: type({ etag: "string", "x-tag": "string[]", "set-cookie": "string[]", "x-none?": "string" }),
        }),
      },
    }),
  },
});
const fetch = createFetchHandler(
  defineServer(contract).implement({
    user: ({ params, response }) => {
      if (params.id === "new") return response(201, { created: params.id });
      if (params.id === "gone") return response(204);
      if (params.id === "none") return response(404, { message: "No user" }, { "x-reason": "none" });
      if (params.id === "taken") return response(409, "tåken");
      if (params.id === "broken") return response(500, new Uint8Array([9, 1, 2, 9]).subarray(1, 3));
      if (params.id === "down") return response(503);
      return response(200, { id: params.id });
    },
    head: ({ params, response }) => params.id === "none" ? response(404) : response(200, { id: params.id }),
    page: () => ({
      status: 200,
      body: "page",
      headers: { etag: '"1"', "x-tag": ["a", "b"], "set-cookie": ["a=1; Path=/", "b=2, c"] },
    }),
  }),
);
const client = createClient(contract, { baseUrl, fetch });

/** A client of a server that does not use the toolkit: the test chooses its responses. */
function answered(answer: () => Response): typeof client {
  return createClient(contract, { baseUrl, fetch: answer });
}

Deno.test("createClient() calls resolve to a result for every declared status", async () => {
  const results = await Promise.all(
    ["42", "new", "gone", "none", "taken", "broken", "down"].map((id) => client.user({ params: { id } })),
  );

  assertEquals(results.map(({ status, body }) => [status, body]), [
    [200, { id: "42" }],
    [201, { created: "new" }],
    [204, undefined],
    [404, { message: "No user" }],
    [409, "tåken"],
    [500, new Uint8Array([1, 2])],
    [503, undefined],
  ]);
});

Deno.test("createClient() results are discriminated by their status", async () => {
  const result = await client.user({ params: { id: "none" } });

  assert(result.status === 404);
  const message: string = result.body.message;
  assertEquals(message, "No user");
});

Deno.test("createClient() results contain the native response, whose body has been read", async () => {
  const result = await client.user({ params: { id: "none" } });

  assertInstanceOf(result.response, Response);
  assertEquals([result.response.status, result.response.bodyUsed], [404, true]);
});

Deno.test("createClient() results contain the native headers if none are declared", async () => {
  const { headers, response } = await client.user({ params: { id: "none" } });

  assertStrictEquals(headers, response.headers);
  assertEquals(headers.get("X-Reason"), "none");
});

// proves http | A client sees each Set-Cookie separately | 5.3
Deno.test("createClient() results contain declared headers by lowercase name, and cookies as a list", async () => {
  const { headers, response } = await client.page();

  assertEquals(headers.etag, '"1"');
  assertEquals(headers["x-tag"], "a, b"); // several fields of one name arrive joined
  assertEquals(headers["set-cookie"], ["a=1; Path=/", "b=2, c"]);
  assertEquals(headers["x-none"], undefined);
  assertEquals(response.headers.get("etag"), '"1"');
});

Deno.test("createClient() results contain a single cookie as a list, and no list without cookies", async () => {
  const page = (init: [string, string][]): ReturnType<typeof client.page> =>
    answered(() => new Response("", { headers: [["content-type", "text/plain"], ...init] })).page();

  assertEquals((await page([["Set-Cookie", "a=1"]])).headers["set-cookie"], ["a=1"]);
  assertEquals((await page([])).headers["set-cookie"], undefined);
});

Deno.test("createClient() HEAD calls resolve to the fields without a body", async () => {
  const found = await client.head({ params: { id: "42" } });
  const missing = await client.head({ params: { id: "none" } });

  assertEquals([found.status, found.body, found.response.headers.get("content-type")], [
    200,
    undefined,
    "application/json",
  ]);
  assertEquals([missing.status, missing.body], [404, undefined]);
});

Deno.test("createClient() HEAD calls accept a declared problem with the content type of its GET", async () => {
  const declared = defineContract({
    routes: { find: route.head("/", { responses: { 200: response.text(), 404: response.problem() } }) },
  });
  const headers = { "content-type": "application/problem+json" };
  const fetch = () => new Response(null, { status: 404, headers });
  const { status, body } = await createClient(declared, { baseUrl, fetch }).find();

  assertEquals([status, body], [404, undefined]);
});

Deno.test("a body that fails while it is cancelled is ignored", async () => {
  const cancel = () => Promise.reject(new Error("broken"));
  const broken = answered(() => new Response(new ReadableStream({ cancel }, { highWaterMark: 0 }), { status: 503 }));

  assertEquals(
    await rejectionsOf(async () => {
      assertEquals((await broken.user({ params: { id: "1" } })).status, 503);
    }),
    [],
  );
});
