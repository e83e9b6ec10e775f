/**
 * Requirements of RFC 9110 for an origin server that no other test covers, and the parts that the adapter leaves to the
 * application.
 */
import { defineContract, request, response, route } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals } from "@std/assert";

const contract = defineContract({
  routes: {
    read: route.get("/users/:id", { responses: { 200: response.json<string>(), 304: response.empty() } }),
    write: route.put("/users/:id", {
      body: request.text(),
      responses: { 200: response.text(), 204: response.empty() },
    }),
    reset: route.post("/reset", { responses: { 205: response.empty() } }),
    tell: route.options("/told", { responses: { 204: response.empty() } }),
  },
});
const handler = createFetchHandler(
  defineServer(contract, { context: ({ request }) => ({ request }) }).implement({
    read: ({ params, context, response }) => {
      if (context.request.headers.has("if-none-match")) return response(304, undefined, { etag: '"1"' });
      return response(200, params.id, { etag: '"1"' });
    },
    write: ({ body, response }) => body === "" ? response(204) : response(200, body),
    reset: ({ response }) => response(205),
    tell: ({ response }) => response(204, undefined, { allow: "OPTIONS, GET" }),
  }),
);

async function ask(method: string, path: string, init: RequestInit = {}): Promise<Response> {
  return await handler(new Request(`http://localhost${path}`, { method, ...init }));
}

Deno.test("createFetchHandler() responds 405 with Allow to any other method of a path, including OPTIONS and unknown ones", async () => {
  for (const method of ["OPTIONS", "DELETE", "PROPFIND", "get-it"]) {
    const answer = await ask(method, "/users/1");
    assertEquals([answer.status, answer.headers.get("allow")], [405, "GET, PUT"]);
  }
});

Deno.test("createFetchHandler() handles OPTIONS with its own route, whose Allow is the handler's", async () => {
  const answer = await ask("OPTIONS", "/told");
  assertEquals([answer.status, answer.headers.get("allow")], [204, "OPTIONS, GET"]);
});

Deno.test("createFetchHandler() responds 405 with Allow and without a body to HEAD if a path has no get", async () => {
  const answer = await ask("HEAD", "/reset");
  assertEquals([answer.status, answer.headers.get("allow"), answer.body], [405, "POST", null]);
  assertEquals(answer.headers.get("content-type"), "application/problem+json");
});

Deno.test("createFetchHandler() sends neither content, type nor length with 204, 205 and 304", async () => {
  const answers = [
    await ask("PUT", "/users/1", { body: "", headers: { "content-type": "text/plain" } }),
    await ask("POST", "/reset"),
    await ask("GET", "/users/1", { headers: { "if-none-match": '"1"' } }),
  ];
  assertEquals(answers.map(({ status }) => status), [204, 205, 304]);
  for (const { body, headers } of answers) {
    assertEquals([body, headers.get("content-type"), headers.get("content-length")], [null, null, null]);
  }
  assertEquals(answers[2]?.headers.get("etag"), '"1"');
});

Deno.test("createFetchHandler() treats escapes in either case, and unnecessary ones, as the same path", async () => {
  for (const path of ["/users/%C3%A9%2f", "/users/%c3%a9%2F", "/%75sers/%C3%A9%2F", "/x/../users/%C3%A9%2F"]) {
    assertEquals(await (await ask("GET", path)).json(), "é/", path);
  }
});

Deno.test("createFetchHandler() ignores Range, Accept, Expect and Accept-Encoding", async () => {
  for (const headers of [{ range: "bytes=0-0" }, { accept: "image/png" }, { "accept-encoding": "identity;q=0" }]) {
    const answer = await ask("GET", "/users/1", { headers });
    assertEquals([answer.status, await answer.json()], [200, "1"]);
  }
});

Deno.test("createFetchHandler() responds with 415 to a Content-Encoding, which it does not undo", async () => {
  const zipped = new Blob(["text"]).stream().pipeThrough(new CompressionStream("gzip"));
  const body = await new Response(zipped).bytes();
  const headers = { "content-type": "text/plain", "content-encoding": "gzip" };
  const answer = await ask("PUT", "/users/1", { body, headers });
  assertEquals([answer.status, answer.headers.get("accept-encoding")], [415, "identity"]);
});

Deno.test("createFetchHandler() ignores a Content-Length that is not a number", async () => {
  const limited = createFetchHandler(
    defineServer(contract, { context: () => ({}) }).implement({
      read: ({ response }) => response(200, ""),
      write: ({ body, response }) => response(200, body),
      reset: ({ response }) => response(205),
      tell: ({ response }) => response(204),
    }),
    { maxBodyBytes: 4 },
  );
  for (const length of ["-1", "+9", "9e9", "0x10", "9, 9", "nine", " "]) {
    const headers = { "content-type": "text/plain", "content-length": length };
    const small = await limited(new Request("http://localhost/users/1", { method: "PUT", body: "four", headers }));
    assertEquals([small.status, await small.text()], [200, "four"], length);
    const large = await limited(new Request("http://localhost/users/1", { method: "PUT", body: "fives", headers }));
    assertEquals(large.status, 413, length);
  }
});
