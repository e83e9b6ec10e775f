import { assertEquals } from "@std/assert";
import { assertProblem } from "../support/mount_route.ts";
import { askFor, mountRoutes, routeOf, type RouteText } from "../support/mount_routes.ts";

/**
 * Asserts the route that matches each path, without and with a query: without one, a static path is looked up by its
 * whole text.
 */
async function assertRoutes(texts: readonly RouteText[], expected: Record<string, string | number>): Promise<void> {
  for (const table of [texts, [...texts].reverse()]) {
    const handler = mountRoutes(table);
    for (const [path, route] of Object.entries(expected)) {
      assertEquals(await routeOf(handler, path), route, path);
      assertEquals(await routeOf(handler, `${path}?a=/b`), route, path);
    }
  }
}

Deno.test("createFetchHandler() prefers a static segment to a parameter, in any declaration order", async () => {
  await assertRoutes(["GET /users/:id", "GET /users/me", "GET /:kind/me", "GET /:kind/:id"], {
    "/users/me": "GET /users/me",
    "/users/1": "GET /users/:id",
    "/teams/me": "GET /:kind/me",
    "/teams/1": "GET /:kind/:id",
  });
});

Deno.test("createFetchHandler() backtracks to a parameter if a static segment does not match", async () => {
  await assertRoutes(["GET /a/b/c", "GET /a/:x/d", "GET /:x/b/e", "GET /:x/:y/:z"], {
    "/a/b/c": "GET /a/b/c",
    "/a/b/d": "GET /a/:x/d",
    "/a/b/e": "GET /:x/b/e",
    "/a/b/f": "GET /:x/:y/:z",
    "/a/b": 404,
    "/a/b/c/d": 404,
  });
});

Deno.test("createFetchHandler() drops the parameter values of abandoned branches", async () => {
  const handler = mountRoutes(["GET /:a/:b/x", "GET /:c/y/:d"]);
  assertEquals(await askFor(handler, "GET", "/1/y/2"), { route: "GET /:c/y/:d", params: { c: "1", d: "2" } });
  assertEquals(await askFor(handler, "GET", "/1/y/x"), { route: "GET /:c/y/:d", params: { c: "1", d: "x" } });
  assertEquals(await askFor(handler, "GET", "/1/z/x"), { route: "GET /:a/:b/x", params: { a: "1", b: "z" } });
});

Deno.test("createFetchHandler() matches method and path together", async () => {
  const handler = mountRoutes(["GET /users/:id", "POST /users/me", "DELETE /:kind/:id"]);
  assertEquals(await askFor(handler, "GET", "/users/me"), { route: "GET /users/:id", params: { id: "me" } });
  assertEquals(await askFor(handler, "DELETE", "/users/me"), {
    route: "DELETE /:kind/:id",
    params: { kind: "users", id: "me" },
  });
  assertEquals(await askFor(handler, "POST", "/users/me"), { route: "POST /users/me", params: {} });
  assertEquals(await askFor(handler, "POST", "/users/1"), 405);
});

Deno.test("createFetchHandler() keeps the parameter names of two routes with one shape", async () => {
  const handler = mountRoutes(["GET /:id", "PUT /:name"]);
  assertEquals(await askFor(handler, "GET", "/a"), { route: "GET /:id", params: { id: "a" } });
  assertEquals(await askFor(handler, "PUT", "/a"), { route: "PUT /:name", params: { name: "a" } });
});

// proves paths | Paths are case-sensitive; empty segments count | RFC 3986, 6.2.2.1 and 3.3
Deno.test("createFetchHandler() compares paths case-sensitively and refuses an extra slash", async () => {
  await assertRoutes(["GET /users", "GET /users/:id", "GET /Users/me"], {
    "/Users": 404,
    "/USERS/1": 404,
    "/Users/me": "GET /Users/me",
    "/users/": 404,
    "/users/1/": 404,
    "//users": 404,
    "/users//": 404,
    "/": 404,
  });
});

Deno.test("createFetchHandler() does not match a parameter with an empty segment", async () => {
  await assertRoutes(["GET /:a", "GET /:a/:b", "GET /:a/x/:b"], { "/": 404, "/a/": 404, "//b": 404, "/a//x": 404 });
});

Deno.test("createFetchHandler() matches the path / only at the root", async () => {
  await assertRoutes(["GET /"], { "/": "GET /", "": "GET /", "/#a": "GET /", "//": 404, "/a": 404 });
});

Deno.test("createFetchHandler() matches routes only below their base path", async () => {
  const handler = mountRoutes(["GET /", "GET /:id"], "/api/v1/");
  const expected = { "/api/v1": "GET /", "/api/v1/1": "GET /:id", "/api/v1/": 404, "/": 404, "/1": 404, "/api": 404 };
  for (const [path, route] of Object.entries(expected)) assertEquals(await routeOf(handler, path), route, path);
});

// proves paths | The query and the fragment are not part of a path | RFC 3986, 3.4 and 3.5
Deno.test("createFetchHandler() does not treat a query or a fragment as part of the path", async () => {
  const handler = mountRoutes(["GET /a/:id"]);
  for (const path of ["/a/b?c/d", "/a/b#c/d", "/a/b?", "/a/b?x=%GG", "/a/b#?/%"]) {
    assertEquals(await askFor(handler, "GET", path), { route: "GET /a/:id", params: { id: "b" } }, path);
  }
});

// proves paths | Dot segments are resolved, including escaped ones | URL Standard, 4.4
Deno.test("createFetchHandler() resolves dot segments in a path as URL does", async () => {
  await assertRoutes(["GET /a/b", "GET /:x"], { "/x/../a/./b": "GET /a/b", "/a/%2e%2E/b": "GET /:x" });
});

Deno.test("createFetchHandler() distinguishes few and many static segments with common prefixes", async () => {
  for (const count of [3, 8, 9, 100]) {
    const texts = Array.from({ length: count }, (_, index): RouteText => `GET /${"a".repeat(index + 1)}/x`);
    const handler = mountRoutes([...texts, "GET /:p/y"]);
    for (const text of texts) {
      assertEquals(await routeOf(handler, text.slice("GET ".length)), text);
      assertEquals(await routeOf(handler, `${text.slice("GET ".length)}?a`), text);
    }
    assertEquals(await routeOf(handler, `/${"a".repeat(count + 1)}/x`), 404);
    assertEquals(await askFor(handler, "GET", "/aa/y"), { route: "GET /:p/y", params: { p: "aa" } });
    assertEquals(await routeOf(handler, "/aab/x"), 404);
    assertEquals(await routeOf(handler, "/constructor/x"), 404);
  }
});

Deno.test("createFetchHandler() distinguishes few and many static paths of one length", async () => {
  for (const count of [1, 8, 9, 100]) {
    const texts = Array.from({ length: count }, (_, index): RouteText => `GET /a/${String(index).padStart(3, "0")}`);
    await assertRoutes([...texts, "PUT /a/000"], {
      ...Object.fromEntries(texts.map((text) => [text.slice("GET ".length), text])),
      "/a/999": 404,
      "/b/000": 404,
    });
  }
});

// proves http | A path without a resource is 404 | 15.5.5
Deno.test("createFetchHandler() responds 404 if no route has the path", async () => {
  await assertProblem(
    await mountRoutes(["GET /a"])(new Request("http://localhost/b")),
    404,
    "Not Found",
    "not-found",
  );
});

// proves http | An unsupported method is 405, and Allow must list the supported ones | 15.5.6, 10.2.1
Deno.test("createFetchHandler() responds 405 with all methods of all routes that match the path, without duplicates", async () => {
  const handler = mountRoutes(["GET /users/:id", "PUT /users/:id", "POST /users/me", "GET /:a/me", "PATCH /:a/:b"]);
  const answer = await handler(new Request("http://localhost/users/me", { method: "DELETE" }));
  assertEquals(answer.headers.get("allow")?.split(", ").sort(), ["GET", "PATCH", "POST", "PUT"]);
  await assertProblem(answer, 405, "Method Not Allowed", "method-not-allowed");
  const other = await handler(new Request("http://localhost/users/1", { method: "POST", body: "unread" }));
  assertEquals(other.headers.get("allow")?.split(", ").sort(), ["GET", "PATCH", "PUT"]);
});

Deno.test("createFetchHandler() responds 405 with only the methods of the routes that match this path", async () => {
  const handler = mountRoutes(["GET /a/:x", "PUT /:y/b"]);
  const allowOf = async (path: string): Promise<string | null> => {
    const answer = await handler(new Request(`http://localhost${path}`, { method: "DELETE" }));
    return answer.headers.get("allow");
  };
  assertEquals(await allowOf("/a/b"), "GET, PUT");
  assertEquals(await allowOf("/a/c"), "GET");
  assertEquals(await allowOf("/a/b"), "GET, PUT");
});

Deno.test("createFetchHandler() creates a new response for each refused request", async () => {
  const handler = mountRoutes(["GET /a", "GET /:b/c"]);
  for (const [method, path] of [["GET", "/x"], ["PUT", "/a"], ["GET", "/%GG"]] as const) {
    const ask = async (): Promise<Response> => await handler(new Request(`http://localhost${path}`, { method }));
    const [first, second] = [await ask(), await ask()];
    const fields = [...second.headers];
    first.headers.set("x-first", "1");
    first.headers.delete("content-type");
    const text = await first.text();
    await (await ask()).body?.cancel();
    const third = await ask();
    for (const later of [second, third]) {
      assertEquals([...later.headers], fields);
      assertEquals([later.status, await later.text()], [first.status, text]);
    }
  }
});

// proves http | Methods are case-sensitive | 9.1
Deno.test("createFetchHandler() compares methods case-sensitively, including unknown ones", async () => {
  const handler = mountRoutes(["PATCH /a", "QUERY /a", "OPTIONS /b"]);
  assertEquals(await routeOf(handler, "/a", "PATCH"), "PATCH /a");
  assertEquals(await routeOf(handler, "/a", "patch"), 405); // Fetch normalises the older methods alone
  assertEquals(await routeOf(handler, "/a", "QUERY"), "QUERY /a");
  assertEquals(await routeOf(handler, "/b", "OPTIONS"), "OPTIONS /b");
  assertEquals(await routeOf(handler, "/a", "PROPFIND"), 405);
  assertEquals(await routeOf(handler, "/a", "constructor"), 405);
});
