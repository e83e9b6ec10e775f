import { defineContract, response, route } from "@scope/api";
import { ClientError, createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals, assertGreaterOrEqual, assertInstanceOf, assertLess, assertRejects } from "@std/assert";
import { type } from "arktype";
import { watchBody } from "../support/watched_body.ts";

Deno.test.sanitizer({ ops: true, resources: true });

const baseUrl = "https://a.example";
const contract = defineContract({
  routes: {
    byId: route.get("/users/:id", {
      params: type({ id: "string <= 3" }),
      responses: { 200: response.json(type({ name: "string" })), 404: response.json(type({ message: "string" })) },
    }),
  },
});

/** The error of a call that is answered so. */
function errorOf(answer: Response, signal?: AbortSignal): Promise<ClientError> {
  const client = createClient(contract, { baseUrl, fetch: () => answer });
  return assertRejects(() => client.byId({ params: { id: "1" } }, { signal }), ClientError);
}

Deno.test("ClientError() reports an undeclared status", async () => {
  const { stream, state } = watchBody(["try ", "later"]);
  const answer = new Response(stream, { status: 503, headers: { "retry-after": "5" } });
  const error = await errorOf(answer);

  assertEquals(
    error.message,
    "Cannot call GET /users/:id (byId): status 503 is not declared (declared: 200, 404)",
  );
  assertEquals([error.name, error.code, error.status, error.text], [
    "ClientError",
    "unexpected-status",
    503,
    "try later",
  ]);
  assertEquals(error.route, { key: "byId", method: "GET", path: "/users/:id" });
  assertEquals([error.response?.headers.get("retry-after"), error.problem, error.cause], ["5", undefined, undefined]);
  assertEquals("cause" in error, false);
  assertEquals(state(), "consumed");
});

// proves problems | A client ignores unknown members, and accepts a problem with any status | 3.2
Deno.test("ClientError() contains the problem document that the adapter sent", async () => {
  const fetch = createFetchHandler(
    defineServer(contract).implement({ byId: ({ response }) => response(200, { name: "Ada" }) }),
  );
  const error = await assertRejects(
    () => createClient(contract, { baseUrl, fetch }).byId({ params: { id: "long" } }),
    ClientError,
  );

  assertEquals([error.code, error.status], ["unexpected-status", 400]);
  assertEquals([error.problem?.code, error.problem?.title], ["invalid-request", "Bad Request"]);
  assertEquals(JSON.parse(error.text!), error.problem);
});

Deno.test("ClientError() contains a problem document instead of a declared body", async () => {
  const fetch = createFetchHandler(
    defineServer(contract).implement({ byId: ({ response }) => response(200, { name: "Ada" }) }),
  );
  const error = await assertRejects(
    () => createClient(contract, { baseUrl: `${baseUrl}/wrong`, fetch }).byId({ params: { id: "1" } }),
    ClientError,
    'Cannot call GET /users/:id (byId): content type "application/problem+json" is not application/json',
  );

  assertEquals([error.code, error.status, error.problem?.code], ["unexpected-content-type", 404, "not-found"]);
});

Deno.test("ClientError() reports an undeclared content type", async () => {
  const types = ["text/html", "application/vnd.api+json", "application/jsonp", "application/json, text/html", ""];
  for (const type of types) {
    const { stream, state } = watchBody(['{"name":"Ada"}']);
    const error = await errorOf(new Response(stream, { headers: { "content-type": type } }));
    assertEquals([error.code, error.status, error.text], ["unexpected-content-type", 200, '{"name":"Ada"}']);
    assertEquals(error.message.includes(`content type "${type}" is not application/json`), true, error.message);
    assertEquals(state(), "consumed");
  }
});

Deno.test("ClientError() reports a body without a content type", async () => {
  const error = await errorOf(new Response(new TextEncoder().encode("x")));

  assertEquals([error.code, error.text], ["unexpected-content-type", "x"]);
});

Deno.test("ClientError() keeps at most 8 KiB of text, and cancels the rest", async () => {
  for (const chunk of ["x".repeat(1000), "x".repeat(100_000)]) {
    const { stream, state } = watchBody(Array(20).fill(chunk));
    const error = await errorOf(new Response(stream, { status: 500 }));
    assertEquals(error.text, "x".repeat(8192));
    assertEquals(state(), "cancelled");
  }
});

Deno.test("ClientError() drops a truncated character at the end of its text", async () => {
  for (const [character, bytes] of [["é", 2], ["€", 3], ["𝄞", 4]] as const) {
    for (let before = 1; before <= bytes; before++) {
      const error = await errorOf(new Response("x".repeat(before) + character.repeat(9000), { status: 500 }));
      const expected = "x".repeat(before) + character.repeat(Math.floor((8192 - before) / bytes));
      assertEquals(error.text, expected);
    }
  }
});

Deno.test("ClientError() keeps a text of exactly 8 KiB", async () => {
  const error = await errorOf(new Response("é".repeat(4096), { status: 500 }));

  assertEquals(error.text, "é".repeat(4096));
});

Deno.test("ClientError() contains a problem document that is longer than its text", async () => {
  const problem = { title: "Bad", reason: "é".repeat(20_000) };
  const answer = new Response(JSON.stringify(problem), {
    status: 400,
    headers: { "content-type": "Application/Problem+JSON; charset=utf-8" },
  });
  const error = await errorOf(answer);

  assertEquals(error.problem, problem);
  assertEquals(new TextEncoder().encode(error.text).byteLength <= 8192, true);
});

// proves problems | A problem is a JSON object | 3
Deno.test("ClientError() omits an invalid problem document", async () => {
  for (const text of ["", "{", "[]", '"text"', "null", "42"]) {
    const headers = { "content-type": "application/problem+json" };
    const error = await errorOf(new Response(text, { status: 400, headers }));
    assertEquals([error.code, error.problem, error.text], ["unexpected-status", undefined, text]);
  }
});

Deno.test("ClientError() omits an endless problem document", async () => {
  const { stream, state } = watchBody(['{"title":"', ...Array(1000).fill("x".repeat(1024))]);
  const error = await errorOf(
    new Response(stream, { status: 400, headers: { "content-type": "application/problem+json" } }),
  );

  assertEquals([error.problem, error.text?.length, state()], [undefined, 8192, "cancelled"]);
});

Deno.test("ClientError() does not wait long for a body that stalls", async () => {
  const { stream, state } = watchBody(["it ", "began"], { stalls: true });
  const started = performance.now();
  const error = await errorOf(new Response(stream, { status: 500 }));

  assertEquals([error.code, error.text, state()], ["unexpected-status", "it began", "cancelled"]);
  assertGreaterOrEqual(performance.now() - started, 100);
  assertLess(performance.now() - started, 5000);
});

Deno.test("ClientError() omits the text of a body that breaks off", async () => {
  const stream = new ReadableStream({ pull: (controller) => controller.error(new Error("reset")) });
  const error = await errorOf(new Response(stream, { status: 500 }));

  assertEquals([error.code, error.status, error.text], ["unexpected-status", 500, undefined]);
  assertInstanceOf(error.response, Response);
});

Deno.test("ClientError() reports an abort while an unexpected body stalls", async () => {
  const { stream, state } = watchBody(["it began"], { stalls: true });
  const controller = new AbortController();
  const call = errorOf(new Response(stream, { status: 500 }), controller.signal);
  setTimeout(() => controller.abort(), 10);

  assertEquals((await call).code, "aborted");
  assertEquals(state(), "cancelled");
});
