/** Invalid paths, and the call that each message names. */
import { defineContract, response, route, router } from "@scope/api";
import { assertEquals, assertLess } from "@std/assert";
import { assertRefused } from "../support/assert_refused.ts";
import { processorTime } from "../support/processor_time.ts";

const responses = { 200: response.empty() };
const health = route.get("/health", { responses });

const percent = ["percent sign", "decoded character"];
const control = ["a control character; remove it"];
const query = ['which ends a path; remove it, or declare "query"'];
const empty = ["empty segment", "one slash"];
const dots = ["dot segment", "write the path that it resolves to"];
const parameter = ["an invalid parameter; its name must have letters, digits and _ only, and not start with a digit"];

const refusedPaths: readonly (readonly [name: string, path: string, reasons: readonly string[]])[] = [
  ["a percent escape", "/caf%C3%A9", percent],
  ["an escaped dot", "/%2e/users", percent],
  ["an escaped slash", "/a%2Fb", percent],
  ["a malformed escape", "/%GG", percent],
  ["a lone percent sign", "/100%", percent],
  ["a percent sign alone", "%", percent],
  ["a percent sign in a parameter", "/:a%20b", percent],
  ["NUL", "/a\0b", control],
  ["a tab", "/a\tb", control],
  ["a line feed", "/a\nb", control],
  ["a carriage return at the end", "/a\r", control],
  ["the last C0 character", "/\u001f", control],
  ["DEL", "/a\u007f", control],
  ["the first C1 character", "/\u0080", control],
  ["NEL", "/a\u0085b", control],
  ["the last C1 character", "/\u009f", control],
  ["a query", "/users?limit=1", query],
  ["a question mark alone", "/?", query],
  ["a fragment", "/users#top", query],
  ["a backslash", "/users\\all", ["backslash", "separate segments with /"]],
  ["half of a surrogate pair", "/\ud83d", ["a lone surrogate; remove it"]],
  ["an empty segment", "/users//all", empty],
  ["two empty segments", "users///all/", empty],
  ["a dot", "/./users", [...dots, '"."']],
  ["a dot alone", ".", [...dots, '"."']],
  ["two dots", "/users/..", [...dots, '".."']],
  ["an empty parameter name", "/users/:", [...parameter, '":"']],
  ["an empty parameter name inside", "/users/:/all", [...parameter, '":"']],
  ["a parameter name that begins with a digit", "/:1st", [...parameter, '":1st"']],
  ["a parameter name with a hyphen", "/:user-id", [...parameter, '":user-id"']],
  ["a parameter name with a dot", "/:file.json", [...parameter, '":file.json"']],
  ["a parameter name with an accent", "/:é", [...parameter, '":é"']],
  ["an optional parameter", "/:id*", [...parameter, '":id*"']],
  ["two parameters in one segment", "/:from:to", [...parameter, '":from:to"']],
  ["a parameter in braces", "/notes/{id}", ['"{id}"', "which is not a parameter; write :id"]],
  ["a parameter in braces before text", "/notes/{id}.json", ['"{id}"', "write :id"]],
  ["a parameter in braces in the first segment", "{tenant}/notes", ['"{tenant}"', "write :tenant"]],
  ["a parameter in braces with a type", "/notes/{id:int}", ['"{id:int}"', "write :id"]],
  ["a parameter in braces for the rest", "/files/{proxy+}", ['"{proxy+}"', "write :proxy"]],
  ["a parameter in braces for reserved characters", "/files/{+path}", ['"{+path}"', "write :path"]],
  ["one name twice", "/:id/friends/:id", ['":id" twice', "rename one of the parameters"]],
];

for (const [name, path, reasons] of refusedPaths) {
  const parts = [JSON.stringify(path), ...reasons];

  Deno.test(`route.get() refuses a path with ${name}`, () => {
    assertRefused(() => route.get(path, { responses }), "route.get()", ...parts);
  });

  Deno.test(`router() refuses a path with ${name}`, () => {
    assertRefused(() => router(path, { routes: { health } }), "router()", ...parts);
  });

  Deno.test(`defineContract() refuses a basePath with ${name}`, () => {
    assertRefused(() => defineContract({ basePath: path, routes: { health } }), "basePath", ...parts);
  });
}

for (const path of [undefined, null, 7, ["users"], /users/, new URL("http://localhost/users")]) {
  Deno.test(`route.get(), router() and defineContract() refuse the path ${path}`, () => {
    assertRefused(() => route.get(path as never, { responses }), "route.get()", '"/users/:id"');
    assertRefused(() => router(path as never, { routes: { health } }), "router()", '"/users/:id"');
    if (path === undefined) return; // a contract needs none
    assertRefused(() => defineContract({ basePath: path as never, routes: { health } }), "basePath", '"/users/:id"');
  });
}

Deno.test("defineContract() refuses a parameter in basePath and names its place", () => {
  const routes = { health };
  assertRefused(
    () => defineContract({ basePath: "/:tenant", routes }),
    '"/:tenant"',
    "basePath",
    "declare it in the path of a router",
  );
  assertRefused(
    () => defineContract({ basePath: "api/:version/", routes }),
    '"api/:version/"',
    "declare it in the path of a router",
  );
});

Deno.test("router() refuses a parameter name that a route below repeats", () => {
  const byId = route.get("/friends/:id", { responses });
  assertRefused(
    () => router("/users/:id", { routes: { friend: byId } }),
    'router("/users/:id")',
    'the path of friend "/users/:id/friends/:id"',
    '":id" twice',
    "rename one of the parameters",
  );
});

Deno.test("router() refuses a parameter name that is repeated two routers below", () => {
  const inner = router("/posts/:post", { routes: { byId: route.get("/:user", { responses }) } });
  const middle = router("/latest", { routes: { posts: inner } });
  assertRefused(
    () => router("/:user", { routes: { latest: middle } }),
    'the path of latest.posts.byId "/:user/latest/posts/:post/:user"',
    '":user" twice',
  );
});

Deno.test("route.get() accepts every other text as a path", () => {
  const paths = [
    "/",
    "",
    "users",
    "/café/日本語/🙂",
    "/a b",
    "/...",
    "/.well-known/x",
    "/v1.2",
    "/a:b",
    "/:_",
    "/:id2/:Id2",
    "/*",
    "/{}",
    "/a{b",
    "/b}",
    "/[id]",
    "/<id>",
    "/a;v=1,b@c!$&'()+=~",
  ];
  for (const path of paths) assertEquals(route.get(path, { responses }).path, path);
});

Deno.test("route.get() reads a long path with braces in linear time", () => {
  for (const path of ["{", "{a", "{a!", "{a{"].map((part) => part.repeat(50_000))) {
    const start = processorTime();
    assertEquals(route.get(path, { responses }).path, path);
    assertLess(processorTime() - start, 1_000);
  }
});

Deno.test("route.get() tells a parameter from text that contains a colon, with and without a leading slash", () => {
  for (const path of ["a:b/:b", "/a:b/:b", "//a:b/:b/"]) assertEquals(route.get(path, { responses }).path, path);
  assertRefused(() => route.get(":a/b/:a", { responses }), '":a" twice; rename one of the parameters');
});

Deno.test("route.get() reads many parameters in linear time, and finds one that is repeated", () => {
  const path = Array.from({ length: 20_000 }, (_, index) => `/:p${index}`).join("");
  const start = processorTime();
  assertEquals(route.get(path, { responses }).path, path);
  assertRefused(() => route.get(`${path}/:p19999`, { responses }), '":p19999" twice; rename one of the parameters');
  assertRefused(() => route.get("/:same".repeat(20_000), { responses }), '":same" twice; rename one of the parameters');
  assertLess(processorTime() - start, 2_000);
});

Deno.test("router() accepts slashes at either end of a path", () => {
  for (const path of ["", "/", "//", "users", "/users/", "//users//"]) {
    assertEquals(router(path, { routes: { health } }).path, path);
  }
});
