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

// proves http-differences | An unknown method should be 501 | 15.6.2 | 405 with Allow | A contract knows only the
//   methods that it declares
Deno.test("createFetchHandler() responds 405 with Allow to any other method of a path, including OPTIONS and unknown ones", async () => {
  for (const method of ["OPTIONS", "DELETE", "PROPFIND", "get-it"]) {
    const answer = await ask(method, "/users/1");
    assertEquals([answer.status, answer.headers.get("allow")], [405, "GET, PUT"]);
  }
});

// proves http | OPTIONS describes a resource, by a declared route | 9.3.7
Deno.test("createFetchHandler() handles OPTIONS with its own route, whose Allow is the handler's", async () => {
  const answer = await ask("OPTIONS", "/told");
  assertEquals([answer.status, answer.headers.get("allow")], [204, "OPTIONS, GET"]);
});

// proves http | A 405 to HEAD has the same headers and no content | 9.3.2
Deno.test("createFetchHandler() responds 405 with Allow and without a body to HEAD if a path has no get", async () => {
  const answer = await ask("HEAD", "/reset");
  assertEquals([answer.status, answer.headers.get("allow"), answer.body], [405, "POST", null]);
  assertEquals(answer.headers.get("content-type"), "application/problem+json");
});

// proves http | 204, 205 and 304 have no content | 15.3.5, 15.3.6, 15.4.5
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

// proves paths | Escapes in upper and lower case, and unneeded escapes, are equivalent | RFC 3986, 6.2.2
Deno.test("createFetchHandler() treats escapes in either case, and unnecessary ones, as the same path", async () => {
  for (const path of ["/users/%C3%A9%2f", "/users/%c3%a9%2F", "/%75sers/%C3%A9%2F", "/x/../users/%C3%A9%2F"]) {
    assertEquals(await (await ask("GET", path)).json(), "é/", path);
  }
});

// proves http-differences | A server may select a representation by Accept, or answer 406 | 12.5.1 | Accept is ignored
//   | A status has one representation
// proves http-differences | Range may be answered with 206 | 14.2 | Range is ignored, unless a handler reads it | "A
//   server MAY ignore the Range header field"
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

// proves http | Content-Length is decimal digits; any other text counts as no length | 8.6
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
