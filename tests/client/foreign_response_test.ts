import { defineContract, response, route } from "@scope/api";
import { ClientError, createClient } from "@scope/api/client";
import { assertEquals, assertInstanceOf, assertRejects } from "@std/assert";
import { type } from "arktype";
import { watchBody } from "../support/watched_body.ts";

Deno.test.sanitizer({ ops: true, resources: true });

const contract = defineContract({
  routes: {
    user: route.get("/users/:id", {
      responses: { 200: response.json(type({ id: "string" })), 503: response.empty() },
    }),
  },
});

/** A client of a server that does not use the toolkit: the test chooses its responses. */
function answered(answer: () => Response): ReturnType<typeof createClient<typeof contract>> {
  return createClient(contract, { baseUrl: "https://a.example", fetch: answer });
}

// proves http | A client compares media types without case and parameters | 8.3.1
Deno.test("createClient() calls accept the declared media type in any case and with any parameters", async () => {
  for (
    const type of ["application/json", "Application/JSON", "application/json; charset=utf-8", "application/json ;x=y"]
  ) {
    const { body } = await answered(() => new Response('{"id":"1"}', { headers: { "content-type": type } }))
      .user({ params: { id: "1" } });
    assertEquals(body, { id: "1" });
  }
});

Deno.test("createClient() calls do not run the server's schemas", async () => {
  const result = await answered(() => Response.json({ id: 1, extra: true })).user({ params: { id: "1" } });

  assertEquals<unknown>(result.body, { id: 1, extra: true });
});

// proves json | `__proto__` is an ordinary key | RFC 8259, 4
Deno.test("createClient() calls treat hostile keys as keys", async () => {
  const text = '{"id":"1","__proto__":{"polluted":true}}';
  const { body } = await answered(() => new Response(text, { headers: { "content-type": "application/json" } }))
    .user({ params: { id: "1" } });

  assertEquals(Object.keys(body as object), ["id", "__proto__"]);
  assertEquals(({} as { polluted?: boolean }).polluted, undefined);
});

Deno.test("createClient() calls cancel the body of a response that is declared empty", async () => {
  for (const stalls of [false, true]) {
    const { stream, state } = watchBody(["surplus"], { stalls });
    const { status, body } = await answered(() => new Response(stream, { status: 503 })).user({ params: { id: "1" } });
    assertEquals([status, body, state()], [503, undefined, "cancelled"]);
  }
});

Deno.test("createClient() calls do not accept a problem document as an empty response", async () => {
  const problem = { title: "Busy", status: 503 };
  const headers = { "content-type": "application/problem+json; charset=utf-8" };
  const { user } = answered(() => new Response(JSON.stringify(problem), { status: 503, headers }));
  const error = await assertRejects(() => user({ params: { id: "1" } }), ClientError);
  assertEquals([error.code, error.status, error.problem], ["unexpected-content-type", 503, problem]);
});

Deno.test("createClient() calls do not wait for an unread copy of the response", async () => {
  const answer = new Response(watchBody(["surplus"]).stream, { status: 503 });
  const copy = answer.clone(); // cancelling one of two copies ends when the other is cancelled too
  const { status } = await answered(() => answer).user({ params: { id: "1" } });

  assertEquals(status, 503);
  await copy.body?.cancel();
});

Deno.test("createClient() calls read bodies in pieces, with and without a signal", async () => {
  const whole = new TextEncoder().encode('{"id":"åß∂𝄞"}');
  for (const signal of [undefined, new AbortController().signal]) {
    const { stream, state } = watchBody([...whole].map((byte) => new Uint8Array([byte])));
    const { body } = await answered(() => new Response(stream, { headers: { "content-type": "application/json" } }))
      .user({ params: { id: "1" } }, { signal });
    assertEquals(body, { id: "åß∂𝄞" });
    assertEquals(state(), "consumed");
  }
});

Deno.test("createClient() calls reject with invalid-body if the body is not JSON", async () => {
  for (const text of ["", "{", "<!doctype html>", "undefined"]) {
    const { stream, state } = watchBody([text]);
    const error = await assertRejects(
      () =>
        answered(() => new Response(stream, { headers: { "content-type": "application/json" } }))
          .user({ params: { id: "1" } }),
      ClientError,
      "Cannot call GET /users/:id (user): its body or its headers cannot be decoded: ",
    );
    assertEquals([error.code, error.status, error.text, error.problem], ["invalid-body", 200, text, undefined]);
    assertEquals(error.route, { key: "user", method: "GET", path: "/users/:id" });
    assertInstanceOf(error.cause, SyntaxError);
    assertInstanceOf(error.response, Response);
    assertEquals(state(), "consumed");
  }
});

Deno.test("createClient() calls keep at most 8 KiB of a body that is not JSON", async () => {
  const error = await assertRejects(
    () =>
      answered(() => new Response("é".repeat(5000), { headers: { "content-type": "application/json" } }))
        .user({ params: { id: "1" } }),
    ClientError,
  );

  assertEquals(error.text, "é".repeat(4096));
});

Deno.test("importing createClient() constructs no response, because Workers refuse that outside of handlers", async () => {
  const program = `
    const { Response } = globalThis;
    globalThis.Response = class { constructor() { throw new Error("constructed"); } };
    const { createClient } = await import("@scope/api/client");
    const { json, slimContract } = await import("@scope/api/slim");
    globalThis.Response = Response;
    const contract = slimContract({ all: ["GET", "/all", {}, { 200: json }] });
    const client = createClient(contract, { baseUrl: "https://a.example", fetch: () => Response.json([1]) });
    console.log(JSON.stringify((await client.all()).body));`;
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-check", program],
    signal: AbortSignal.timeout(60_000),
  }).output();
  const [printed, failed] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes).trim());
  assertEquals(printed, "[1]", failed);
});
