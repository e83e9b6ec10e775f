/**
 * Misuse of a socket by a client: each case ends in a response or a closed connection, and the server continues with
 * nothing left open.
 */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { tries } from "../support/tries.ts";
import { canary } from "../support/paces.ts";
import { rejectionsOf } from "../support/rejections.ts";
import { exchange, pause, serving, statusesOf } from "./sockets.ts";

const head = (line: string, ...fields: string[]): string =>
  [`${line} HTTP/1.1`, "Host: a", "Connection: close", ...fields, "", ""].join("\r\n");
const post = (path: string, body: string, ...fields: string[]): string =>
  head(`POST ${path}`, "Content-Type: text/plain", `Content-Length: ${body.length}`, ...fields) + body;
const chunked = (path: string, body: string, ...fields: string[]): string =>
  head(`POST ${path}`, "Content-Type: text/plain", "Transfer-Encoding: chunked", ...fields) + body;

const toStream = (request: string): string => request.replace("text/plain", "application/octet-stream");

/**
 * Requests that the runtime may accept, and the one response to each; 0 for a connection that is closed without one.
 */
const odd: readonly (readonly [request: string, status: number, ran?: string])[] = [
  [head("FOO /hello"), 405],
  [head("get /hello"), 405],
  [head("TRACE /hello"), 405],
  [head("CONNECT a:80"), 404],
  [head("PROPFIND /hello"), 405],
  [head("OPTIONS *"), 200, "star"],
  [head("GET *"), 400],
  [head("GET hello"), 400],
  [head("GET ?x"), 400],
  [head("GET http://other/hello"), 200, "hello"],
  [head("GET https://other:1/hello?/one/1"), 200, "hello"],
  [head("GET http://u:p@other/hello"), 200, "hello"],
  [head("GET http://other"), 404],
  [head("GET http://other?/hello"), 404],
  [head("GET ftp://x/one/hello"), 200, "one"],
  [head("GET //hello"), 404],
  [head("GET //a/hello"), 404],
  [head("GET /hello/"), 404],
  [head("GET /one/../hello"), 200, "hello"],
  [head("GET /one/%2e%2E/hello"), 200, "hello"],
  [head("GET /one/.."), 404],
  [head("GET /one/%2e"), 404],
  [head("GET /one/..%2fhello"), 200, "one"],
  [head("GET /one\\..\\hello"), 200, "hello"],
  [head("GET /%68ello"), 200, "hello"],
  [head("GET /hell%GG"), 400],
  [head("GET /one/%C3"), 400],
  [head("GET /one/\u00e9"), 200, "one"],
  [head("GET /hello#/one/1"), 200, "hello"],
  [head("GET /a b"), 400],
  [`GET /hello HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n`, 400],
  [`GET /hello HTTP/1.1\r\nConnection: close\r\n\r\n`, 200, "hello"],
  [`GET /hello HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n`, 400],
  [`GET /hello HTTP/1.1\r\nHost: [::1\r\nConnection: close\r\n\r\n`, 400],
  [`GET /none HTTP/1.1\r\nHost: /hello?\r\nConnection: close\r\n\r\n`, 400],
  [`GET /none HTTP/1.1\r\nHost: a\tb\r\nConnection: close\r\n\r\n`, 400],
  [`GET /hello HTTP/1.0\r\n\r\n`, 200, "hello"],
  [`HEAD /hello HTTP/1.0\r\n\r\n`, 200, "hello"],
  [`GET /hello HTTP/2.0\r\nHost: a\r\n\r\n`, 400],
  [`GET /hello HTTP/1.1\nHost: a\nConnection: close\n\n`, 200, "hello"],
  [head("GET /hello", "X-A: 1", " folded"), 400],
  [head("GET /hello", "X-A: a\0b"), 400],
  [head("GET /hello", "X A: 1"), 400],
  [head("GET /hello", "X-A : 1"), 400],
  [head("GET /hello", "Content-Length: 1") + "1", 200, "hello"],
  [head("HEAD /hello"), 200, "hello"],
  [post("/text", "1", "Content-Type: application/json"), 415],
  [post("/json", "1", "Content-Type: application/json"), 415],
  [post("/text", "1", "Content-Type: text/plain"), 415],
  [post("/text", "1", "Content-Length: 1"), 200, "text"],
  [post("/text", "12", "Content-Length: 1"), 400],
  [post("/text", "1", "Transfer-Encoding: chunked"), 400],
  [post("/text", "1", "Expect: 100-continue"), 200, "text"],
  [head("POST /text", "Content-Type: text/plain", "Content-Length: +1") + "1", 400],
  [head("POST /text", "Content-Type: text/plain", "Content-Length: 1, 1") + "1", 400],
  [head("POST /text", "Content-Type: text/plain", "Content-Length: 99999999999999999999") + "1", 400],
  [head("POST /text", "Content-Type: text/plain"), 200, "text"],
  [head("POST /json", "Content-Type: application/json"), 400],
  [chunked("/text", "1\r\na\r\n0\r\n\r\n"), 200, "text"],
  [chunked("/text", "1;a=b\r\na\r\n0\r\nX-A: 1\r\n\r\n"), 200, "text"],
  [chunked("/text", "0\r\n\r\n"), 200, "text"],
  [chunked("/text", "ffffffffffffffffff\r\na\r\n0\r\n\r\n"), 0],
  [toStream(chunked("/stream", "3E8\r\n" + "x".repeat(1_000) + "\r\n0\r\n\r\n")), 200, "stream"],
  [toStream(chunked("/stream", "3E9\r\n" + "x".repeat(1_001) + "\r\n0\r\n\r\n")), 413, "stream"],
  [chunked("/text", "3E9\r\n" + "x".repeat(1_001) + "\r\n0\r\n\r\n"), 413],
  [post("/text", "x".repeat(1_001)), 413],
  [post("/text", "x".repeat(1_000)), 200, "text"],
];

Deno.test("createFetchHandler() responds with one status to every request that Deno.serve passes on", async () => {
  await serving(async ({ port, ran, heard }) => {
    for (const [sent, status, key] of odd) {
      ran.length = 0;
      const answers = await exchange(port, [sent]);
      assertEquals(
        [statusesOf(answers), ran, heard],
        [status === 0 ? [] : [status], key ? [key] : [], []],
        sent.slice(0, 200),
      );
    }
  });
});

Deno.test("createFetchHandler() sends nothing of a thrown error over a socket, and breaks a stream off without an end", async () => {
  await serving(async ({ port, heard }) => {
    const [thrown, broken] = await Promise.all(
      ["/throws", "/broken"].map((path) => exchange(port, [head(`GET ${path}`)])),
    );
    assertEquals([statusesOf(thrown!), statusesOf(broken!)], [[500], [200]]);
    assert(broken!.includes('"a row"\n') && !broken!.endsWith("0\r\n\r\n"), broken!);
    assert(![thrown, broken].join().includes(canary));
    assertEquals(heard.map(({ phase }) => phase).sort(), ["handler", "stream"]);
  });
});

// proves http-differences | Trailers | 6.5 | Not read and not sent | The Fetch Standard has no trailers
Deno.test("createFetchHandler() does not treat trailer fields as headers", async () => {
  await serving(async ({ port }) => {
    const answer = await exchange(port, [
      chunked("/fields", "1\r\na\r\n0\r\nX-Admin: 1\r\nContent-Type: a/b\r\n\r\n", "Trailer: X-Admin"),
    ]);
    const { headers, body } = JSON.parse(answer.split("\r\n\r\n")[1]!.replace(/^[^{]*/, ""));
    assertEquals([body, headers["x-admin"], headers["content-type"]], ["a", undefined, "text/plain"]);
  });
});

Deno.test("createFetchHandler() does not treat an unread body as another request", async () => {
  const smuggled = "GET /one/smuggled HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  const keepAlive = (request: string): string => request.replace("Connection: close\r\n", "");
  await serving(async ({ port, ran, heard }) => {
    for (const path of ["/text", "/json", "/nowhere", "/hello", "/stream"]) {
      const padded = smuggled.repeat(30);
      for (const body of [smuggled, padded]) {
        await exchange(port, [keepAlive(post(path, body)), head("GET /hello")], { pause: 5 });
        await exchange(port, [keepAlive(post(path, body)) + head("GET /hello")]);
        const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
        await exchange(port, [keepAlive(chunked(path, chunk)) + head("GET /hello")]);
      }
    }
    assertEquals([ran.filter((key) => key === "one"), heard], [[], []]);
  });
});

Deno.test("createFetchHandler() responds to pipelined requests in order, including bad ones", async () => {
  const gets = ["/late/20", "/hello", "/late/1", "/no/where", "/one/%GG", "/late/5", "/one/x", "/hello"];
  const requests = gets.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  const whole = [...requests, post("/text", "body"), ""].join("");
  await serving(async ({ port, heard }) => {
    for (const size of [whole.length, 1_000, 50, 7]) {
      const answers = await exchange(port, cut(whole, [size]));
      assertEquals(statusesOf(answers), [200, 200, 200, 404, 400, 200, 200, 200, 200]);
      const bodies = [...answers.matchAll(/(?<=\r\n\r\n)(20|1|5|hello|body|\{"id":"x"\})(?=HTTP|$)/g)].map(([, body]) =>
        body
      );
      assertEquals(bodies, ["20", "hello", "1", "5", '{"id":"x"}', "hello", "body"]);
    }
    assertEquals(heard, []);
  });
});

/** A text in pieces of these lengths, over and over. */
function cut(text: string, lengths: readonly number[]): string[] {
  const pieces: string[] = [];
  let at = 0;
  while (at < text.length) {
    const length = lengths[pieces.length % lengths.length]!;
    pieces.push(text.slice(at, at += length));
  }
  return pieces;
}

Deno.test("createFetchHandler() responds to slow requests, and to clients that have closed their half", async () => {
  await serving(async ({ port, heard }) => {
    const body = "slow but sure";
    const all = [
      post("/text", body),
      chunked("/text", "4\r\nslow\r\n9\r\n but sure\r\n0\r\n\r\n"),
      toStream(post("/stream", body)),
    ];
    const answers = await Promise.all(
      all.flatMap((sent) => [
        exchange(port, cut(sent, [3]), { pause: 1 }),
        exchange(port, cut(sent, [11]), { half: true, pause: 1 }),
        exchange(port, [sent], { half: true }),
      ]),
    );
    for (const answer of answers) {
      const statuses = statusesOf(answer);
      assert(statuses.length === 1 && statuses[0] === 200 && /(slow but sure|13)/.test(answer), answer);
    }
    assertEquals(heard, []);
  });
});

Deno.test("createFetchHandler() does not start a handler for a truncated request, and does not report it", async () => {
  const whole = [
    post("/text", "0123456789"),
    post("/json", "[1,2,3,4]").replace("text/plain", "application/json"),
    chunked("/text", "5\r\n01234\r\n5\r\n56789\r\n0\r\n\r\n"),
  ];
  const unhandled = await rejectionsOf(async () => {
    await serving(async ({ port, ran, heard }) => {
      for (const sent of whole) {
        for (let end = 1; end < sent.length; end += 9) {
          const answers = await Promise.all([
            exchange(port, [sent.slice(0, end)], { maxBytes: 0 }),
            exchange(port, [sent.slice(0, end)], { maxBytes: 0, pause: 1 }),
            exchange(port, [sent.slice(0, end)], { half: true }),
          ]);
          assert(answers.every((answer) => statusesOf(answer).every((status) => status >= 400)), answers.join());
        }
      }
      await pause(20);
      assertEquals([ran, heard], [[], []]);
    });
  });
  assertEquals(unhandled, []);
});

Deno.test("createFetchHandler() closes the producer of a client that disconnects at any moment, and does not report it", async () => {
  const get = `GET /rows HTTP/1.1\r\nHost: a\r\n\r\n`;
  const unhandled = await rejectionsOf(async () => {
    await serving(async ({ port, heard }) => {
      const property = fc.asyncProperty(fc.nat(100_000), fc.integer({ min: 1, max: 40 }), async (maxBytes, size) => {
        await exchange(port, cut(get, [size]), { maxBytes });
      });
      await fc.assert(property, tries(40));
      await Promise.all(Array.from({ length: 20 }, (_, index) => exchange(port, [get], { maxBytes: index * 500 })));
      assertEquals(heard, []);
    });
  });
  assertEquals(unhandled, []);
});

// proves promises | The server survives any bytes on a socket
Deno.test("createFetchHandler() handles any bytes", async () => {
  const line = fc.constantFrom(
    "GET /hello HTTP/1.1",
    "POST /text HTTP/1.1",
    "POST /json HTTP/1.1",
    "OPTIONS * HTTP/1.1",
    "GET",
    "",
  );
  const field = fc.constantFrom(
    ...[
      "Host: a",
      "Host:",
      "Content-Length: 3",
      "Content-Length: x",
      "Content-Length: 0",
      "Transfer-Encoding: chunked",
    ],
    ...[
      "Transfer-Encoding: identity",
      "Connection: close",
      "Connection: upgrade",
      "Upgrade: websocket",
      "Expect: 100-continue",
    ],
    ...[
      "Content-Type: text/plain",
      "Content-Type: application/json",
      "Content-Type:",
      "Cookie: a=b",
      ": 1",
      "X: \u0001",
      "Range: bytes=0-",
    ],
  );
  const body = fc.constantFrom(
    "",
    "abc",
    "[1]",
    "1\r\na\r\n0\r\n\r\n",
    "zz\r\n",
    "0\r\n\r\n",
    "\0\0\0",
    "GET /hello HTTP/1.1\r\n\r\n",
  );
  const sent = fc.tuple(line, fc.array(field, { maxLength: 5 }), body, fc.constantFrom("\r\n", "\n", "\r"))
    .map(([line, fields, body, end]) => [line, ...fields, "", ""].join(end) + body);
  const unhandled = await rejectionsOf(async () => {
    await serving(async ({ port, heard }) => {
      const property = fc.asyncProperty(sent, fc.boolean(), async (sent, leaves) => {
        const answers = await exchange(port, [sent], leaves ? { maxBytes: 0 } : { half: true });
        assert(statusesOf(answers).every((status) => status < 500), answers);
      });
      await fc.assert(property, tries(120));
      assertEquals(heard, []);
    });
  });
  assertEquals(unhandled, []);
});
