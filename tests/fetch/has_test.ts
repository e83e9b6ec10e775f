/** `handler.has()`: which requests have an implemented route. */
import { defineContract, response, route } from "@scope/api";
import { createFetchHandler, fetchAdapter } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals } from "@std/assert";
import { assertTypeError } from "../support/assert_refused.ts";

const responses = { 200: response.text() };
const contract = defineContract({
  basePath: "/api",
  routes: {
    read: route.get("/users/:id", { responses }),
    add: route.put("/users/:id", { responses }),
    odd: route.get("/größe", { responses }),
    known: route.get("/.well-known/jwks.json", { responses }),
    old: route.get("/old", { responses }),
  },
});
const answer = { status: 200, body: "" } as const;
const implementation = defineServer(contract).partial({ read: () => answer, odd: () => answer, known: () => answer });
const api = createFetchHandler(implementation);
const shared = createFetchHandler(implementation, { cors: { origins: ["https://app.example"] } });

/** What each request has: method, URL, headers. */
const rows: readonly (readonly [has: boolean, method: string, url: string])[] = [
  [true, "GET", "http://localhost/api/users/1"],
  [true, "GET", "https://api.example/api/users/1?page=2#top"],
  [true, "GET", "/api/users/1"],
  [true, "GET", "/api/users/1?a=/../b"],
  [true, "HEAD", "/api/users/1"],
  [true, "GET", "/api/gr%C3%B6%C3%9Fe"],
  [true, "GET", "/api/users/a%2Fb"],
  [true, "GET", "/api/.well-known/jwks.json"], // not a dot segment
  [true, "GET", "/api/users/.env"],
  [true, "GET", "/api/users/..."],
  [true, "GET", "/api/users/..a?b"],
  [false, "PUT", "/api/users/1"],
  [false, "get", "/api/users/1"],
  [false, "OPTIONS", "/api/users/1"],
  [false, "GET", "/api/old"],
  [false, "GET", "/api/users"],
  [false, "GET", "/api/users/1/"],
  [false, "GET", "/api/x/../users/1"],
  [false, "GET", "/api/./users/1"],
  [false, "GET", "/api/users/1/x/.."],
  [false, "GET", "/api/users/1/.?a"],
  [false, "GET", "/api/users/.%2e/users/1"],
  [false, "GET", "/api/users/..\\users/1"],
  [false, "GET", "/api/%75sers/1"],
  [false, "GET", "/api/users/%zz"],
  [false, "GET", "//api/users/1"],
  [false, "GET", ""],
  [false, "GET", "api/users/1"],
  [false, "GET", "http://"],
];

for (const [has, method, url] of rows) {
  Deno.test(`handler.has() is ${has} for ${method} ${JSON.stringify(url)}`, () => {
    assertEquals(api.has({ method, url }), has);
    assertEquals(fetchAdapter().mount(implementation).has({ method, url }), has);
  });
}

Deno.test("handler.has() answers for a preflight by the method that it asks about, if the handler has CORS", () => {
  const ask = (handler: typeof api, asked: string, url = "http://localhost/api/users/1"): boolean[] => {
    const headers = { origin: "https://app.example", "access-control-request-method": asked };
    const question = { method: "OPTIONS", url };
    return [
      handler.has(new Request(url, { ...question, headers })),
      handler.has({ ...question, headers }),
      handler.has({ ...question, headers: new Headers(headers) }),
      handler.has({ ...question, headers: { ...headers, accept: ["a", "b"], nothing: undefined } }),
    ];
  };
  assertEquals(ask(shared, "GET"), [true, true, true, true]);
  assertEquals(ask(shared, "PUT"), [false, false, false, false]);
  assertEquals(ask(shared, "GET", "http://localhost/api/old"), [false, false, false, false]);
  assertEquals(ask(api, "GET"), [false, false, false, false]);
  assertEquals(shared.has({ method: "OPTIONS", url: "/api/users/1" }), false);
});

Deno.test("handler.has() refuses what is not a request", () => {
  for (const question of [{}, { method: "GET" }, { url: "/" }, "/api/users/1", null, undefined]) {
    assertTypeError(
      () => api.has(question as never),
      "handler.has(): pass a request, or { method, url }, got ",
    );
  }
  assertEquals(api.has({ method: "OPTIONS", url: "/api/users/1", headers: null as never }), false);
});

Deno.test("handler.has() decides between two applications", async () => {
  const handler = (request: Request) => api.has(request) ? api(request) : new Response("old");
  const ask = async (path: string): Promise<string> =>
    await (await handler(new Request(`http://localhost${path}`))).text();
  assertEquals([await ask("/api/users/1"), await ask("/api/old")], ["", "old"]);
});
