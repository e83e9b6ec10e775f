/** The engine, as an adapter uses it: which requests are its own, and answers as data. */
import { defineContract, response, route, router, security, styled } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer, type Verifier, verify } from "@scope/api/server";
import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import * as z from "zod";
import { FetchExchange } from "../../src/fetch/fetch_handler.ts";
import { createEngine, isOurs } from "../../src/server/engine.ts";
import { editAnswer } from "../../src/server/http/answer.ts";
import { markAs } from "../../src/mark.ts";

const contract = defineContract({
  routes: {
    admin: router("/admin", { routes: { user: route.get("/users/:id", { responses: { 200: response.text() } }) } }),
    café: route.post("/café", { responses: { 204: response.empty() } }),
    file: route.get("/files/:name", {
      params: styled(z.object({ name: z.string() }), { name: "*.json" }),
      responses: { 200: response.text() },
    }),
  },
});
const implementation = defineServer(contract).implement({
  admin: { user: ({ params, response }) => response(200, params.id) },
  café: ({ response }) => response(204),
  file: ({ params, response }) => response(200, params.name),
});
const engine = createEngine<FetchExchange>(implementation, { cors: { origins: ["https://app.example"] } }, "test()");

function isOwn(method: string, target: string, headers: HeadersInit = {}): boolean {
  return isOurs(engine, { method, target, pathStart: 0, headers: new Headers(headers) });
}

/** Paths, and whether a mount passes them on to other code, which sees them as they were sent. */
const spellings: readonly (readonly [path: string, isOwn: boolean])[] = [
  ["/admin/users/1", true],
  ["/admin/users/1?x=/../", true],
  ["/admin/users/%31", true], // only literal segments decide
  ["/admin/users/a%2Fb", true],
  ["/%61dmin/users/1", false],
  ["/x/../admin/users/1", false],
  ["/admin/./users/1", false],
  ["/admin/%2e/users/1", false],
  ["/admin\\users\\1", false],
  ["//admin/users/1", false],
  ["/admin/users/1/", false],
  ["/files/a.json", true],
  ["/files/%61%20.json", true],
  ["/files/a.%6ason", false], // a text around a parameter is literal, too
  ["/files/a%2Ejson", false],
  ["/elsewhere", false],
  ["/%", false],
];

for (const [path, expected] of spellings) {
  Deno.test(`isOurs() is ${expected} for GET ${path}`, () => {
    assertEquals(isOwn("GET", path), expected);
  });
}

Deno.test("isOurs() accepts the escapes that a path needs, and asks for the method", () => {
  assertEquals(isOwn("POST", "/caf%C3%A9"), true);
  assertEquals(isOwn("GET", "/caf%C3%A9"), false);
  assertEquals(isOwn("HEAD", "/admin/users/1"), true);
});

Deno.test("isOurs() accepts a preflight for a request that it accepts", () => {
  const asking = (method: string) => ({ origin: "https://other.example", "access-control-request-method": method });

  assertEquals(isOwn("OPTIONS", "/admin/users/1", asking("GET")), true);
  assertEquals(isOwn("OPTIONS", "/admin/users/1", asking("DELETE")), false);
  assertEquals(isOwn("OPTIONS", "/admin/users/1"), false);
});

Deno.test("createEngine() answers with data, and requests that are refused share theirs, whatever is added to it", async () => {
  const ask = (path: string) =>
    engine.answer(new FetchExchange(new Request(`http://localhost${path}`, { method: "PUT" }), [], false));
  const [first, second] = await Promise.all([ask("/nowhere"), ask("/nowhere")]);

  assert("head" in first && "head" in second);
  assertStrictEquals(first.head, second.head);
  assertEquals(first.fields, ["content-type", "application/problem+json", "vary", "origin"]);
  assertEquals(first.head.fields, ["content-type", "application/problem+json"]);
});

Deno.test("editAnswer() returns another answer", () => {
  const head = { status: 200, fields: ["x-a", "1"], isOfText: false, init: {}, kept: undefined };
  const answer = { head, body: "text", fields: head.fields };
  const edited = editAnswer(answer, (fields) => {
    fields.set("x-a", "2");
    fields.append("x-b", " 3 ");
    fields.append("x-b", "4");
  });

  assert("head" in edited);
  assertEquals(edited.fields, ["x-a", "2", "x-b", "3", "x-b", "4"]);
  assertEquals(answer.fields, ["x-a", "1"]);
});

Deno.test("createFetchHandler() does not mount a route whose verifier is of a version that cannot plan its security", () => {
  const token = security.bearer("token");
  const secured = defineContract({
    security: [token],
    routes: { me: route.get("/me", { responses: { 200: response.text() } }) },
  });
  const { plan: _plan, ...earlier } = verify(token, () => ({ name: "Ada" }));
  const verifier = markAs("verifier", earlier) as Verifier<"token", { name: string }, Record<never, never>>; // as an earlier version made it
  const implementation = defineServer(secured, { security: [verifier] })
    .implement({ me: ({ response }) => response(200, "secret") });

  assertThrows(
    () => createFetchHandler(implementation),
    TypeError,
    "Cannot mount GET /me (me): its verifiers are of another version of this package",
  );
});
