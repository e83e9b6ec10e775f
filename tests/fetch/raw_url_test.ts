/** Deno.serve passes a request's URL as it arrived, without the changes of `URL`: the path is still the same. */
import { response, route } from "@scope/api";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { anything } from "../support/hostile_schemas.ts";
import { mountRoute } from "../support/mount_route.ts";
import { mountRoutes } from "../support/mount_routes.ts";
import { tries } from "../support/tries.ts";

const handler = mountRoutes([
  "GET /",
  "GET /a",
  "GET /:a",
  "GET /a/:b",
  "GET /:a/:b",
  "GET /:a/:b/:c",
  "GET /a/:b/c/:d",
]);

/** A GET whose URL is this text, as Deno.serve passes it. */
function ask(url: string): Request {
  const given = new Request("http://localhost/");
  Object.defineProperty(given, "url", { value: url });
  return given;
}

async function answerTo(request: Request): Promise<unknown> {
  const answer = await handler(request);
  return answer.status === 200 ? await answer.json() : answer.status;
}

Deno.test("createFetchHandler() normalizes the path of a URL as URL does", async () => {
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
});

Deno.test("createFetchHandler() responds 400 to a URL with an invalid or ambiguous origin", async () => {
  const urls = [
    "",
    "/",
    "/a",
    "a",
    "//a/a",
    "?x=//a/a",
    "http:/a/a",
    "http:a/a",
    "http://",
    "http:///a",
    "http:///a?/a",
    "http://?/a",
    "http://#/a",
    "http://\\a",
    "http:\\\\a\\a",
    "http://a\\a\\b",
    "http://x\\y/a",
    "http://\ta/a",
    "http://a\tb/a",
    "http://\t/a/a",
    "http:/\t/a/a",
    "ht\ttp://a/a",
    " http://a/a",
    "http://a b/a/../b",
    "http://a\n/a",
    "http://a\n",
    "http://a\x1f",
    "http://a\x1f#",
    "http://a\u00a0b/a",
    "http://[/a",
    "http://[::1/a/.",
    "http://a:99999/%2e%2e",
    "http://a:b/a",
    "http://a:1:2/a",
    "http://x@/a",
    "http://a%2Fb/a",
    "http://%/a",
    "http://a<b/a",
    "http://xn--a/a",
    "http://1.2.3.4.5/a",
    "file:///C:/a",
    "app://x@\x1f",
    "app://@",
    "app://@#",
    "file://a/C|/../a",
    "data:,/a",
    "about:blank",
  ];
  for (const url of urls) assertEquals(await answerTo(ask(url)), 400, JSON.stringify(url));
});

// proves paths | The router and `URL` parse the same path, or the response is 400 | URL Standard, 4.4
Deno.test("createFetchHandler() reads the same path from any text as URL, or responds 400", async () => {
  const space = ["\t", "\n", "\r", " ", "\0", "\x1f", "\x7f", "\u00a0", "\u00ad", "\ufeff"];
  const usual = <Text>(texts: readonly Text[], ...odd: readonly Text[]): fc.Arbitrary<Text> =>
    fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...texts) }, fc.constantFrom(...odd));
  const scheme = usual(
    ["http://", "HTTPS://", "ws://", "ftp://", "app://"],
    ..."file:// http: http:/ http:/// // http:\\\\ ht\ttp:// x".split(" "),
    " http://",
  );
  const authorities = [
    ..."xn--a @ : :99999 a:b [ ] \\ / // ? # % %2F %2e . .. 256 a.0x < | ^ C| 。 ／ ？".split(" "),
    ...space,
    "",
  ];
  const authority = usual(["a", "b.c", "é", "x@y", "[::1]:80", "_", "1", "a,b"], ...authorities);
  const rest = fc.constantFrom(..."/ / / / a b c . .. %2e ? # \\ %GG %2F é C| ;".split(" "), ...space);
  const after = usual(["/"], "", ...space, ...authorities);
  const url = fc.tuple(scheme, authority, after, fc.array(rest, { maxLength: 8 }))
    .map(([scheme, authority, after, rest]) => [scheme, authority, after, ...rest].join(""));
  const runs = tries(3_000);
  let read = 0;
  await fc.assert(
    fc.asyncProperty(url, async (url) => {
      const answer = await answerTo(ask(url));
      if (answer === 400) return;
      const pathname = new URL(url).pathname.replaceAll("\\", "%5C"); // of app: it is a character like any other
      assertEquals(answer, await answerTo(ask(`http://a${pathname}`)), JSON.stringify(url));
      read++;
    }),
    runs,
  );
  assert(read > runs.numRuns / 4, String(read));
});

Deno.test("createFetchHandler() reads the same path from any URL as URL", async () => {
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

Deno.test("createFetchHandler() reads the same query from any URL as URL", async () => {
  let seen: unknown; // not by way of JSON: V8 15.0 takes the `"` of `{" ":0,"\\"":0}` for a backslash once it has parsed one there
  const handler = mountRoute(
    route.get("/", { query: anything(), responses: { 204: response.empty() } }),
    ({ query, response }) => {
      seen = query;
      return response(204);
    },
  );
  const piece = fc.constantFrom(
    ..."? # / \\ .. %2e a=1 & = + é \" %C3 %GG ' ; __proto__=1".split(" "),
    "\t",
    "\n",
    " ",
    "\0",
  );
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

/** The status of a request over its own socket, and the route that responded. */
async function exchange(port: number, target: string, host: string): Promise<[status: number, route: unknown]> {
  const client = await Deno.connect({ hostname: "127.0.0.1", port });
  await client.write(new TextEncoder().encode(`GET ${target} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`));
  const answer = await new Response(client.readable).text();
  const status = Number(answer.slice(9, 12));
  return [status, status === 200 ? JSON.parse(answer.split("\r\n\r\n")[1]!).route : undefined];
}

Deno.test("createFetchHandler() reads the same path over a socket as URL", async () => {
  const options = { hostname: "127.0.0.1", port: 0, onListen(): void {} };
  await using server = Deno.serve(options, (request) => handler(request));
  const targets: [target: string, status: number, route?: string][] = [
    ["/a/../a", 200, "GET /a"],
    ["/a/%2e%2e", 200, "GET /"],
    ["http://other?x=/a/b", 200, "GET /"],
    ["HTTP://OTHER/a", 200, "GET /a"],
    ["ftp://x/b/b/b/b", 404],
    ["http://[/a", 400],
    ["http:///a", 404], // which Deno takes for a path
    ["//a", 404],
    ["/a/../%GG", 400],
  ];
  for (const [target, status, route] of targets) {
    assertEquals(await exchange(server.addr.port, target, "Host: a\r\n"), [status, route], target);
  }
});

Deno.test("createFetchHandler() does not treat part of an invalid Host as the path, over a socket", async () => {
  const options = { hostname: "127.0.0.1", port: 0, onListen(): void {} };
  await using server = Deno.serve(options, (request) => handler(request));
  for (const host of ["", "Host:\r\n", "Host: a\r\n", "Host: é\r\n", "Host: x;y\r\n", "Host: [::1]:80\r\n"]) {
    assertEquals(await exchange(server.addr.port, "/a", host), [200, "GET /a"], host);
  }
  const odd = [
    "/a?",
    "/a/b#",
    "/",
    "?",
    "#",
    "\\a?",
    "x\\y",
    "a\tb",
    "a b",
    "[",
    "a:b",
    "a:99999",
    "%",
    "a%2Fb",
    "x@",
    "x@y",
    "a<b",
    "a/a/b?",
    "a/a/b#",
    "a/x/../a?",
    "x@a/a?",
    "a\\..",
  ];
  for (const host of odd) {
    assertEquals(await exchange(server.addr.port, "/a", `Host: ${host}\r\n`), [400, undefined], host);
  }
});

// proves http | A Host that could be a part of the path is 400 | 7.2
Deno.test("createFetchHandler() responds 400 to a Host that could be a part of the path, whatever the target is, over a socket", async () => {
  const cors = { origins: ["https://app.example.com"] };
  const handler = mountRoute(
    route.post("/a", { responses: { 204: response.empty() } }),
    ({ response }) => response(204),
    { cors },
  );
  const options = { hostname: "127.0.0.1", port: 0, onListen(): void {} };
  await using server = Deno.serve(options, (request) => handler(request));
  const preflight = "Origin: https://app.example.com\r\nAccess-Control-Request-Method: POST\r\n";
  const statusOf = async (head: string): Promise<number> => {
    const client = await Deno.connect({ hostname: "127.0.0.1", port: server.addr.port });
    await client.write(new TextEncoder().encode(`${head}Connection: close\r\n\r\n`));
    return Number((await new Response(client.readable).text()).slice(9, 12));
  };
  assertEquals(await statusOf(`OPTIONS /a HTTP/1.1\r\nHost: a\r\n${preflight}`), 204);
  for (const host of ["x/a?", "x/a#", "x@y", "x/y"]) {
    assertEquals(await statusOf(`OPTIONS /b HTTP/1.1\r\nHost: ${host}\r\n${preflight}`), 400, host);
    assertEquals(await statusOf(`POST http://other/a HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\n`), 400, host);
    assertEquals(await statusOf(`HEAD /b HTTP/1.1\r\nHost: ${host}\r\n`), 400, host);
  }
});
