/** Deno.serve gives a request's URL as it came, not as a `URL` has it: the path is the same all the same. */
import { response, route } from "@scope/api";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { anything } from "../hostile/schemas.ts";
import { mountRoute } from "./mount_route.ts";
import { mountRoutes } from "./mount_routes.ts";
import { tries } from "../tries.ts";

const handler = mountRoutes([
  "GET /",
  "GET /a",
  "GET /:a",
  "GET /a/:b",
  "GET /:a/:b",
  "GET /:a/:b/:c",
  "GET /a/:b/c/:d",
]);

/** A GET whose URL is this text, as Deno.serve gives it. */
function ask(url: string): Request {
  const given = new Request("http://localhost/");
  Object.defineProperty(given, "url", { value: url });
  return given;
}

async function answerTo(request: Request): Promise<unknown> {
  const answer = await handler(request);
  return answer.status === 200 ? await answer.json() : answer.status;
}

Deno.test("createFetchHandler() takes the path of a URL that is not normal as a URL has it", async () => {
  const urls = [
    "http://a/a/../b",
    "http://a/a/..",
    "http://a/a/.",
    "http://a/./a",
    "http://a/../../a/b",
    "http://a/a/%2e%2E/b",
    "http://a/a/.%2e/b",
    "http://a/a/%2e",
    "http://a/%2E%2e",
    "http://a/a/..;/b",
    "http://a/.well-known/a",
    "http://a/...",
    "http://a/a/%252e%252e",
    "http://a/a\\b",
    "http://a\\a\\b",
    "http://a/a\\..\\b",
    "http://a/a%5Cb",
    'http://a/é/"<>`{}|^',
    "http://a?x=/a",
    "http://a?x=/a/b",
    "http://a?/a",
    "http://a#/a",
    "http://a",
    "http://a/a?x=/../b",
    "http://a/a#/../b",
    "http://u:p@a/a",
    "ftp://x/a/b",
    "ws://x/a/b",
    "https://a/a/b",
    "http://a//a",
    "http://a//a/../b",
    "http://a/a/../%GG",
    "http://a/%GG/../a",
  ];
  for (const url of urls) {
    const normal = new Request("http://localhost/");
    Object.defineProperty(normal, "url", { value: `http://a${new URL(url).pathname}` });
    assertEquals(await answerTo(ask(url)), await answerTo(normal), url);
  }
  for (const url of ["http://a b/a/../b", "http://[::1/a/.", "http://a:99999/%2e%2e"]) { // which are none
    assertEquals(await answerTo(ask(url)), 400, url);
  }
});

Deno.test("createFetchHandler() takes the path of any URL as a URL has it", async () => {
  const piece = fc.constantFrom(
    ..."/ / / . .. %2e %2E \\ ? # % %G %2F %5c a b c é ; : @ //".split(" "),
  );
  const scheme = fc.constantFrom("http://a", "http://a:1", "https://a", "ws://x", "http://u:p@a");
  await fc.assert(
    fc.asyncProperty(scheme, fc.array(piece, { maxLength: 10 }), async (scheme, pieces) => {
      const url = `${scheme}/${pieces.join("")}`;
      assertEquals(await answerTo(ask(url)), await answerTo(ask(`http://a${new URL(url).pathname}`)), url);
    }),
    tries(1_000),
  );
});

Deno.test("createFetchHandler() takes the query of any URL as a URL has it", async () => {
  let seen: unknown; // not by way of JSON: V8 15.0 takes the `"` of `{" ":0,"\\"":0}` for a backslash once it has parsed one there
  const handler = mountRoute(
    route.get("/", { query: anything(), responses: { 204: response.empty() } }),
    ({ query, response }) => {
      seen = query;
      return response(204);
    },
  );
  const piece = fc.constantFrom(..."? # / \\ .. %2e a=1 & = + é \" %C3 %GG ' ; __proto__=1".split(" "));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("", "/", "/.", "/a/.."),
      fc.array(piece, { maxLength: 8 }),
      async (path, pieces) => {
        const url = `http://a${path}?${pieces.join("")}`;
        const { searchParams } = new URL(url);
        assertEquals((await handler(ask(url))).status, 204);
        const names = new Set(searchParams.keys());
        const expected = [...names].map((name) => [name, searchParams.getAll(name)] as const);
        const fields = Object.entries(seen as object).map(([name, value]) => [name, [value].flat()] as const);
        assertEquals(new Map<string, unknown>(fields), new Map<string, unknown>(expected), url);
      },
    ),
    tries(500),
  );
});

Deno.test("createFetchHandler() takes the path of a request over a socket as a URL has it", async () => {
  const options = { hostname: "127.0.0.1", port: 0, onListen(): void {} };
  await using server = Deno.serve(options, (request) => handler(request));
  const targets: [string, number][] = [
    ["/a/../a", 200],
    ["/a/%2e%2e", 200],
    ["http://other?x=/a/b", 200],
    ["ftp://x/b/b/b/b", 404],
    ["//a", 404],
    ["/a/../%GG", 400],
  ];
  for (const [target, status] of targets) {
    const client = await Deno.connect({ hostname: "127.0.0.1", port: server.addr.port });
    await client.write(new TextEncoder().encode(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`));
    const answer = await new Response(client.readable).text();
    assertEquals(answer.slice(9, 12), String(status), target);
    const expected: Record<string, string> = {
      "http://other?x=/a/b": "GET /",
      "/a/%2e%2e": "GET /",
      "/a/../a": "GET /a",
    };
    if (status === 200) assertEquals(JSON.parse(answer.split("\r\n\r\n")[1]!).route, expected[target]);
  }
});
