import { assertEquals } from "@std/assert";
import { assertProblem } from "../support/mount_route.ts";
import { askFor, mountRoutes, routeOf } from "../support/mount_routes.ts";

// proves paths | A path is split at slashes first; then each segment is decoded, once | RFC 3986, 2.4 and 7.3
Deno.test("createFetchHandler() splits a path before it decodes each segment, once", async () => {
  const handler = mountRoutes(["GET /:a", "GET /:a/:b"]);
  const cases = {
    "/a%2Fb": { a: "a/b" },
    "/a%2fb/c": { a: "a/b", b: "c" },
    "/%2525": { a: "%25" },
    "/%25GG": { a: "%GG" },
    "/%2F": { a: "/" },
    "/%20%2B+": { a: " ++" },
    "/%00%0d%0A": { a: "\0\r\n" },
    "/%EF%BB%BF": { a: "\ufeff" },
    "/%F0%9F%98%80": { a: "😀" },
    "/😀/é": { a: "😀", b: "é" },
    "/:a/{b}": { a: ":a", b: "{b}" },
    "/%3Aa": { a: ":a" },
    "/a;v=1,2": { a: "a;v=1,2" },
  };
  for (const [path, params] of Object.entries(cases)) {
    assertEquals(await askFor(handler, "GET", path), {
      route: `GET /${Object.keys(params).map((n) => `:${n}`).join("/")}`,
      params,
    }, path);
  }
});

// proves paths | Escapes encode UTF-8 | RFC 3986, 2.5
Deno.test("createFetchHandler() decodes static segments before it compares them", async () => {
  const handler = mountRoutes(["GET /café/:id", "GET /a b", "GET /ok", "GET /日本/+~!$&'()*,;=@", "GET /a|b^c"]);
  const cases = {
    "/café/1": "GET /café/:id",
    "/caf%C3%A9/1": "GET /café/:id",
    "/cafe%CC%81/1": 404, // the same to the eye, another text
    "/a b": "GET /a b",
    "/a%20b": "GET /a b",
    "/a+b": 404,
    "/%6F%6b": "GET /ok",
    "/日本/+~!$&'()*,;=@": "GET /日本/+~!$&'()*,;=@",
    "/a|b^c": "GET /a|b^c",
    "/a%7Cb%5Ec": "GET /a|b^c",
    "/ok%2F": 404,
  };
  for (const [path, route] of Object.entries(cases)) assertEquals(await routeOf(handler, path), route, path);
});

// proves paths-differences | An escape that is malformed or not UTF-8 stays as it is | URL Standard, 4.4 | 400 | No
//   parameter can represent it
Deno.test("createFetchHandler() responds 400 to a malformed escape, before 404 and 405", async () => {
  const handler = mountRoutes(["GET /:a", "POST /a/:b"]);
  const malformed = [
    "%", // alone
    "%4",
    "%GG",
    "a%zz",
    "%C3", // cut off
    "%A9", // a continuation alone
    "%C0%AF", // overlong
    "%E0%80%AF",
    "%ED%A0%80", // half of a surrogate pair
    "%F4%90%80%80", // past the last code point
    "%FF",
  ];
  for (const segment of malformed) {
    for (const path of [`/${segment}`, `/a/${segment}`, `/no/such/path/${segment}`, `/${segment}/${segment}/x`]) {
      const answer = await handler(new Request(`http://localhost${path}`));
      await assertProblem(answer, 400, "Bad Request", "invalid-path");
    }
  }
});

// proves paths | `%2F` is data, `/` is a delimiter | RFC 3986, 2.2
Deno.test("createFetchHandler() does not join escapes across a slash", async () => {
  const handler = mountRoutes(["GET /:a/:b"]);
  assertEquals(await routeOf(handler, "/%C3/%A9"), 400);
  assertEquals(await routeOf(handler, "/%/41"), 400);
});
