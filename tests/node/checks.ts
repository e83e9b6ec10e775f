/** What the servers of `program.ts` must do on every version of Node. */
import { assertEquals, assertMatch } from "@std/assert";
import { type Servers, takeReports } from "./node_program.ts";
import { ask, askFor, connect, summarize } from "./raw.ts";

const json = { "content-type": "application/json" };
const problem = "about:blank";

/** Sends JSON, and returns the status and the text of the response, or the code of a problem document. */
async function post(url: string, body: BodyInit, headers: HeadersInit = json): Promise<string> {
  const response = await fetch(
    url,
    { method: "POST", body, headers, ...(body instanceof ReadableStream && { duplex: "half" }) } as RequestInit,
  );
  const text = await response.text();
  return `${response.status} ${text.includes(problem) ? JSON.parse(text).code : text}`;
}

function postHead(path: string, fields: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${fields}\r\n\r\n`;
}

/** Returns the header fields of a response, whose body it reads. */
async function headersOf(url: string): Promise<Headers> {
  const response = await fetch(url);
  await response.text();
  return response.headers;
}

async function get(url: string, init?: RequestInit): Promise<string> {
  const response = await fetch(url, init);
  return `${response.status} ${await response.text()}`;
}

/** One behavior. */
export type Check = (servers: Servers) => Promise<void>;

const reading: Readonly<Record<string, Check>> = {
  "header fields are read without case, and repeated ones are joined as Headers joins them": async ({ plain }) => {
    const fields = [
      "X-Tenant: a",
      "x-tenant: b",
      "Cookie: a=1",
      "Cookie: b=2",
      "Authorization: one",
      "Authorization: two",
    ];
    const answer = await ask(
      plain,
      `GET /headers HTTP/1.1\r\nHost: localhost\r\n${fields.join("\r\n")}\r\nConnection: close\r\n\r\n`,
    );
    assertEquals(JSON.parse(answer.slice(answer.indexOf("{"))), {
      tenant: "a, b",
      cookie: "a=1; b=2",
      authorization: "one, two",
      none: null,
      has: [true, false],
      each: ["host: localhost", "x-tenant: a, b", "cookie: a=1; b=2", "authorization: one, two", "connection: close"],
      entries: 5,
    });
  },

  "a JSON body arrives as a whole, in single bytes, and in chunks with trailers": async ({ plain }) => {
    assertEquals(await post(`${plain}/json`, '{"name":"Ada"}'), "200 Hello, Ada");
    assertEquals(await post(`${plain}/json`, '\uFEFF{"name":"Ada"}'), "200 Hello, Ada");
    assertEquals(await post(`${plain}/json`, singleBytes('{"name":"Zoë"}')), "200 Hello, Zoë");
    const chunked = postHead("/json", "Transfer-Encoding: chunked\r\nTrailer: x-end\r\nConnection: close");
    assertEquals(
      summarize(await ask(plain, `${chunked}7\r\n{"name"\r\n7\r\n:"Ada"}\r\n0\r\nx-end: 1\r\n\r\n`)),
      "200 Hello, Ada",
    );
    assertEquals(await post(`${plain}/json`, "{"), "400 invalid-body");
    assertEquals(await post(`${plain}/json`, "{}", { "content-type": "text/plain" }), "415 unsupported-media-type");
  },

  "handlers receive bytes as a Uint8Array in a buffer of their own, never as a Buffer": async ({ plain }) => {
    const bytes = { "content-type": "application/octet-stream" };
    assertEquals(await post(`${plain}/bytes`, new Uint8Array([7, 8, 9]), bytes), "200 Uint8Array 3 7");
    assertEquals(await post(`${plain}/upload`, new Uint8Array(200_000), bytes), "200 200000 bytes in Uint8Array");
    assertEquals(await post(`${plain}/upload`, singleBytes("abc"), bytes), "200 3 bytes in Uint8Array");
  },

  "a body over its limit is 413: by its length before it is read, and as it is counted": async ({ plain }) => {
    assertEquals(await post(`${plain}/small`, `{"name":"${"a".repeat(100)}"}`), "413 body-too-large");
    assertEquals(await post(`${plain}/small`, singleBytes(`{"name":"${"a".repeat(100)}"}`)), "413 body-too-large");
    assertEquals(await post(`${plain}/small`, '{"name":"Ada"}'), "200 Hello, Ada");
  },

  "an application that reads `request` finds a native one, with its body": async ({ plain }) => {
    assertEquals(
      await post(`${plain}/request?a=1`, "hello", { "content-type": "application/octet-stream", "x-tag": "one" }),
      `200 POST ${plain}/request?a=1 one false hello`,
    );
  },

  "a copy of `request` has its method": async ({ plain }) => {
    assertEquals(await get(`${plain}/copied`, { method: "DELETE" }), "200 DELETE");
  },

  "a guard that reads the body is a 500, and says so": async (servers) => {
    const headers = { ...json, authorization: "Bearer reads" };
    assertEquals(await post(`${servers.plain}/guarded`, '{"name":"Ada"}', headers), "500 internal-error");
    const [report = ""] = await takeReports(servers);
    assertMatch(report, /^decode 500: Cannot read the body of POST \/guarded \(guarded\): other code has read it/);
  },

  "a verifier may read a copy of the request": async ({ plain }) => {
    const headers = { ...json, authorization: "Bearer copies" };
    assertEquals(await post(`${plain}/guarded`, '{"name":"Ada"}', headers), '200 {"name":"Ada"} Ada');
    assertEquals(await post(`${plain}/guarded`, singleBytes('{"name":"Ada"}'), headers), '200 {"name":"Ada"} Ada');
  },

  "a contextInput that throws is a 500 in the phase context": async (servers) => {
    assertEquals((await get(`${servers.plain}/me`, { headers: { "x-fail": "1" } })).slice(0, 3), "500");
    assertEquals(await takeReports(servers), ["context 500: no context"]);
  },
};

const writing: Readonly<Record<string, Check>> = {
  "whole bodies have their length, which a handler does not set, and 204 has none": async ({ plain }) => {
    const length = await fetch(`${plain}/fields/length`);
    assertEquals([length.headers.get("content-length"), await length.text()], ["6", "Ζωή"]);
    const empty = await fetch(`${plain}/empty`);
    assertEquals([empty.status, empty.headers.has("content-length"), empty.headers.has("transfer-encoding")], [
      204,
      false,
      false,
    ]);
  },

  "HEAD has the fields and the length of GET": async ({ plain }) => {
    const head = await ask(plain, "HEAD /text HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assertMatch(head, /^HTTP\/1\.1 200 OK\r\n(?=[^]*content-length: 4\r\n)[^]*\r\n\r\n$/);
    const lines = await ask(plain, "HEAD /lines/two HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assertMatch(lines, /^HTTP\/1\.1 200 OK\r\n(?![^]*(?:content-length|0\r\n\r\n))[^]*\r\n\r\n$/);
  },

  "a field in Latin-1 is sent in Latin-1 beside a text in UTF-8, and any other is a 500": async ({ plain }) => {
    const latin = await ask(plain, "GET /fields/latin HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assertMatch(latin, /\r\nx-name: Zo\xeb\r\n/);
    assertMatch(latin, /\r\n\r\n\xce\x96\xcf\x89\xce\xae$/);
    assertEquals((await get(`${plain}/fields/greek`)).slice(0, 3), "500");
  },

  "fields that other code has set stay: ours replace them, but for set-cookie and vary": async ({ mounted }) => {
    const headers = await headersOf(`${mounted}/fields/cookies`);
    assertEquals(headers.getSetCookie(), ["session=1", "one=1", "two=2"]);
    assertEquals([headers.get("vary"), headers.get("x-powered-by")], ["origin, accept", "Tests"]);
  },

  "the fields of a connection are dropped and reported": async (servers) => {
    await takeReports(servers);
    const headers = await headersOf(`${servers.plain}/fields/connection`);
    const kept = ["upgrade", "trailer", "transfer-encoding"].filter((name) => headers.has(name));
    assertEquals([headers.get("connection"), kept], ["keep-alive", []]);
    assertEquals((await headersOf(`${servers.plain}/native/connection`)).get("connection"), "keep-alive");
    assertEquals((await takeReports(servers)).map((report) => report.split(":")[0]), ["encode 200", "encode 200"]);
  },

  "nothing is written to a response that other code has sent": async (servers) => {
    for (const path of ["text", "lines/endless", "native/any"]) {
      assertEquals(await get(`${servers.mounted}/${path}`, { headers: { "x-sent": "1" } }), "200 sent before");
    }
    assertEquals(await takeReports(servers), []);
  },

  "a native response is sent with its reason and all its cookies, and one that is being read is a 500": async (
    { plain },
  ) => {
    assertMatch(
      await ask(plain, "GET /native/any HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
      /^HTTP\/1\.1 200 Fine\r\n/,
    );
    const native = await fetch(`${plain}/native/any`);
    assertEquals([native.headers.getSetCookie(), await native.text()], [["a=1", "b=2"], "native"]);
    assertEquals((await get(`${plain}/native/locked`)).slice(0, 3), "500");
  },
};

const malformed: Readonly<Record<string, Check>> = {
  "a host that is none is 400, and none is needed in HTTP/1.0": async ({ plain }) => {
    for (const host of ["a/b", "u@a", "a?b", "a#b", "a b", "["]) {
      assertEquals([host, await askFor(plain, "/text", `Host: ${host}`)], [host, "400 invalid-path"]);
    }
    assertMatch(await ask(plain, "GET /text HTTP/1.1\r\nConnection: close\r\n\r\n"), /^HTTP\/1\.1 400/);
    assertMatch(await ask(plain, "GET /text HTTP/1.0\r\n\r\n"), /^HTTP\/1\.1 200 [^]*text$/);
  },

  "targets are read as a URL reads them, and never name another host": async ({ plain }) => {
    assertEquals(await askFor(plain, "http://elsewhere/text"), "200 text");
    assertEquals(await askFor(plain, "http://u@elsewhere/text"), "400 invalid-path");
    assertEquals(await askFor(plain, "*"), "400 invalid-path");
    assertEquals(await askFor(plain, "//evil/text"), "404 not-found");
    assertEquals(await askFor(plain, "/a/../text"), "200 text");
    assertEquals(await askFor(plain, "/%74ext"), "200 text");
    assertEquals(await askFor(plain, "/%GG"), "400 invalid-path");
  },
};

const passing: Readonly<Record<string, Check>> = {
  "with next, what no route answers goes on: a path, a method, and what is malformed": async ({ mounted }) => {
    assertEquals(await get(`${mounted}/text`), "200 text");
    assertEquals(await get(`${mounted}/none`), "200 passed GET /none false");
    assertEquals(await get(`${mounted}/text`, { method: "DELETE" }), "200 passed DELETE /text false");
    assertEquals(await askFor(mounted, "/%GG"), "200 passed GET /%GG false");
    assertEquals(await askFor(mounted, "*"), "200 passed GET * false");
    assertEquals(await askFor(mounted, "/text", "Host: a/b"), "200 passed GET /text false");
  },

  "with next, a path that a URL would change goes on, because middleware has not seen that path": async (
    { mounted },
  ) => {
    for (const path of ["/x/../admin/1", "/%61dmin/1", "/./admin/1", "/admin\\1", "/x/%2e%2e/admin/1", "//admin/1"]) {
      assertEquals(await askFor(mounted, path), `200 passed GET ${path} false`);
    }
    for (const host of ["http://localhost", "http://h;x", "http://h'x", "http://h%41", "javascript://h"]) { // middleware may find another path in it
      assertEquals(await askFor(mounted, `${host}/admin/1`), `200 passed GET ${host}/admin/1 false`);
    }
    assertEquals(await askFor(mounted, "/admin/%61"), "200 admin a"); // the text of a parameter
  },

  "with next, preflights of methods that no route has go on": async ({ mounted }) => {
    const ask = (method: string): Promise<string> =>
      get(`${mounted}/text`, {
        method: "OPTIONS",
        headers: { origin: "https://app.example.com", "access-control-request-method": method },
      });
    assertEquals(await ask("GET"), "204 ");
    assertEquals(await ask("PUT"), "200 passed OPTIONS /text false");
  },

  "contextInput reads what middleware has added": async ({ mounted, plain }) => {
    assertEquals(await get(`${mounted}/me`), "200 Ada");
    assertEquals(await get(`${plain}/me`), "200 nobody");
  },
};

const parsed: Readonly<Record<string, Check>> = {
  "a body that a parser has read to its end is used": async ({ mounted }) => {
    const by = (parser: string, type = "application/json"): HeadersInit => ({
      "content-type": type,
      "x-parser": parser,
    });
    assertEquals(await post(`${mounted}/json`, '{"name":"Ada"}', by("json")), "200 Hello, Ada");
    assertEquals(await post(`${mounted}/json`, '{"name":"Ada"}', by("text")), "200 Hello, Ada");
    assertEquals(await post(`${mounted}/json`, '{"name":"Ada"}', by("raw")), "200 Hello, Ada");
    assertEquals(await post(`${mounted}/json`, '{"name":"Ada"}', by("express 4")), "200 Hello, Ada");
    assertEquals(await post(`${mounted}/json`, '{"name":1}', by("json")), "400 invalid-request");
    assertEquals(
      await post(`${mounted}/json`, '{"name":"Ada"}', by("json", "text/plain")),
      "415 unsupported-media-type",
    );
    assertEquals(await post(`${mounted}/raw`, "hello", by("text", "text/plain")), "200 hello");
    assertEquals(await post(`${mounted}/raw`, "hello", by("raw", "text/plain")), "200 hello");
    assertEquals(await post(`${mounted}/bytes`, "abc", by("raw", "application/octet-stream")), "200 Uint8Array 3 97");
    const form = "application/x-www-form-urlencoded";
    assertEquals(await post(`${mounted}/form`, "a=b&c=d", by("form", form)), '200 {"a":"b","c":"d"}');
    assertEquals(await post(`${mounted}/form`, "a=b&a=c", by("list", form)), '200 {"a":["b","c"]}');
    assertEquals(await post(`${mounted}/form`, "a[b]=c", by("nested", form)), "400 invalid-body");
  },

  "a parsed JSON text is used, unless it may be one that nothing has parsed": async ({ mounted }) => {
    const by = { ...json, "x-parser": "json" };
    assertEquals(await post(`${mounted}/label`, '"abc"', by), "200 abc");
    assertEquals(await post(`${mounted}/label`, '"1"', by), "200 1");
    assertEquals(await post(`${mounted}/label`, singleBytes('"abc"'), by), "200 abc");
    assertEquals(await post(`${mounted}/label`, singleBytes('"1"'), by), "500 internal-error");
    assertEquals(
      await post(`${mounted}/label`, singleBytes('"abc"'), { ...by, "x-parser": "text" }),
      "500 internal-error",
    );
  },

  "a signature is verified over the bytes of the request, and never over what a parser has made of them": async (
    servers,
  ) => {
    const { plain, mounted } = servers;
    const by = { ...json, authorization: "Bearer t", "x-signature": '{ "name":"Ada"}' };
    const copied = { ...by, authorization: "Bearer copies" };
    assertEquals(await post(`${plain}/signed`, '{ "name":"Ada"}', by), "200 shop: Ada");
    assertEquals(await post(`${plain}/signed`, singleBytes('{ "name":"Ada"}'), by), "200 shop: Ada");
    assertEquals(await post(`${plain}/signed`, '{ "name":"Ada"}', copied), "200 shop: Ada");
    assertEquals(await post(`${plain}/signed`, '{"name":"Ada"}', by), "401 invalid-credential");
    assertEquals(await post(`${plain}/signed`, '{"name":"Ada"}', json), "401 unauthorized");
    assertEquals(await post(`${plain}/signed`, singleBytes("a".repeat(101)), by), "413 body-too-large");
    for (const parser of ["json", "raw", "text"]) {
      assertEquals(
        await post(`${mounted}/signed`, '{ "name":"Ada"}', { ...by, "x-parser": parser }),
        "500 internal-error",
      );
    }
    const reports = await takeReports(servers);
    assertEquals(reports.length, 3);
    for (const report of reports) assertMatch(report, /other code has read it, .* or call the handler before it/);
  },

  "limits hold for a parsed body, and zero bytes are an empty body": async ({ mounted }) => {
    const by = { ...json, "x-parser": "json" };
    const long = `{"name":"${"a".repeat(100)}"}`;
    assertEquals(await post(`${mounted}/small`, long, by), "413 body-too-large");
    assertEquals(await post(`${mounted}/small`, singleBytes(long), by), "413 body-too-large");
    assertEquals(await post(`${mounted}/json`, singleBytes(""), by), "400 invalid-body");
  },

  "a body that other code has read and that cannot be used is a 500, never a 400": async (servers) => {
    const by = { "content-type": "text/plain", "x-parser": "json" };
    assertEquals(await post(`${servers.mounted}/raw`, '{"a":1}', by), "500 internal-error");
    const upload = { "content-type": "application/octet-stream", "x-parser": "lost" };
    assertEquals(await post(`${servers.mounted}/upload`, "abc", upload), "500 internal-error");
    assertEquals(await post(`${servers.mounted}/bytes`, "abc", upload), "500 internal-error");
    const inflated = { "content-type": "application/octet-stream", "content-encoding": "gzip", "x-parser": "raw" };
    assertEquals(await post(`${servers.mounted}/coded`, "abc", inflated), "500 internal-error"); // it may be longer than its limit
    for (const parser of ["encoded", "listening"]) {
      const binary = { "content-type": "application/octet-stream", "x-parser": parser };
      assertEquals(await post(`${servers.mounted}/upload`, new Uint8Array([255]), binary), "500 internal-error");
      assertEquals(await post(`${servers.mounted}/json`, "{}", { ...json, "x-parser": parser }), "500 internal-error");
    }
    const reports = await takeReports(servers);
    assertEquals(reports.length, 8);
    for (const report of reports) assertMatch(report, /Cannot read the body of POST .*: other code has read it/);
  },
};

const connections: Readonly<Record<string, Check>> = {
  "the next request of a connection is answered after a 404, a 413 and a 415 whose body nothing has read": async (
    { plain },
  ) => {
    const next = "GET /text HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    for (const [path, status] of [["/none", 404], ["/small", 413], ["/raw", 415], ["/ignored", 415]] as const) {
      const answer = await ask(plain, `${postHead(path, "Content-Length: 2000")}${"x".repeat(2000)}${next}`);
      assertEquals([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, each]) => Number(each)), [status, 200]);
    }
    const half = postHead("/half", "Content-Length: 2000").replace("application/json", "application/octet-stream");
    const answer = await ask(plain, `${half}${"x".repeat(2000)}${next}`);
    assertEquals([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, each]) => Number(each)), [200, 200]);
  },

  "the client of a large upload can read the 413, and then the connection closes": async ({ plain }) => {
    const answers = await Promise.all(Array.from({ length: 8 }, async () => {
      using connection = await connect(plain);
      await connection.send(postHead("/small", "Content-Length: 5000000"));
      const sending = connection.send(new Uint8Array(5_000_000)).catch(() => {});
      const answer = await connection.until(/body-too-large"\}$/);
      await sending;
      await connection.until(/(?!)/);
      return [summarize(answer), /\r\nconnection: close\r\n/i.test(answer), connection.isClosed()];
    }));
    assertEquals(answers, answers.map(() => ["413 body-too-large", true, true]));
  },

  "a client that waits for 100 Continue is told to send what is read, and refused before": async ({ plain, asked }) => {
    const body = '{"name":"Ada"}';
    const wait = "Expect: 100-continue\r\nConnection: close\r\n";
    for (const server of [plain, asked]) {
      using connection = await connect(server);
      await connection.send(postHead("/json", `${wait}Content-Length: ${body.length}`));
      assertEquals(await connection.until(/\r\n\r\n/), "HTTP/1.1 100 Continue\r\n\r\n");
      await connection.send(body);
      const answer = await connection.until(/Ada$/);
      assertEquals(answer.match(/HTTP\/1\.1 \d+/g), ["HTTP/1.1 100", "HTTP/1.1 200"]);
    }
    {
      using connection = await connect(asked);
      const late = postHead("/late", `${wait}Content-Length: 5`).replace("json", "octet-stream");
      await connection.send(late);
      await connection.until(/first/);
      await connection.send("later");
      const answer = await connection.until(/0\r\n\r\n$/);
      assertMatch(
        answer,
        /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 [^]*\r\n6\r\nfirst \r\n5\r\nlater\r\n0\r\n\r\n$/,
      );
    }
    using connection = await connect(asked);
    await connection.send(postHead("/small", "Expect: 100-continue\r\nContent-Length: 5000"));
    assertEquals(summarize(await connection.until(/(?!)/)), "413 body-too-large");
    assertEquals(connection.isClosed(), true);
  },

  "a client of HTTP/1.0, which knows no 100 Continue, gets none": async ({ plain, asked }) => {
    for (const server of [plain, asked]) {
      const head = postHead("/json", "Expect: 100-continue\r\nContent-Length: 14").replace("HTTP/1.1", "HTTP/1.0");
      assertEquals(summarize(await ask(server, `${head}{"name":"Ada"}`)), "200 Hello, Ada");
    }
  },

  "an upload that is cut off runs no handler and reports nothing": async (servers) => {
    using connection = await connect(servers.plain);
    await connection.send(postHead("/json", "Content-Length: 1000") + '{"name":');
    await connection.send("");
    connection[Symbol.dispose]();
    assertEquals(await takeReports(servers), []);
  },

  "the signal of a handler aborts when its client leaves, and its failure is not reported": async (servers) => {
    {
      using connection = await connect(servers.plain);
      await connection.send("GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assertEquals(await takeReports(servers), ["aborted"]);
  },
};

const streams: Readonly<Record<string, Check>> = {
  "items are sent as they are made, also through middleware that compresses, and the head before a late one": async (
    servers,
  ) => {
    assertEquals(await get(`${servers.plain}/lines/two`), "200 one\ntwo\n");
    using connection = await connect(servers.plain);
    await connection.send("GET /lines/slow HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const begun = await connection.until(/one\n/);
    assertMatch(begun, /^HTTP\/1\.1 200 OK\r\n[^]*one\n\r\n$/);
    connection[Symbol.dispose]();
    const compressed = await fetch(`${servers.mounted}/lines/slow`, { headers: { "x-compress": "1" } });
    const reader = compressed.body!.getReader();
    assertEquals(new TextDecoder().decode((await reader.read()).value), "one\n");
    await reader.cancel();
    await new Promise((resolve) => setTimeout(resolve, 2_100)); // a generator closes when its pending item has come
    assertEquals(await takeReports(servers), ["closed", "closed", "closed"]);
  },

  "a producer may use the memory of a small chunk again": async ({ plain }) => {
    assertEquals(await get(`${plain}/lines/reused`), "200 1\n2\n3\n");
  },

  "a stream that fails breaks off, and never looks complete": async (servers) => {
    const answer = await ask(servers.plain, "GET /lines/failing HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assertMatch(answer, /\r\n\r\n4\r\none\n\r\n$/);
    assertEquals(await takeReports(servers), ["closed", "stream 200: no more lines"]);
  },

  "a producer is closed once when its client leaves, and reports nothing": async (servers) => {
    {
      using connection = await connect(servers.plain);
      await connection.send("GET /lines/endless HTTP/1.1\r\nHost: localhost\r\n\r\n");
      await connection.until(/one\n/);
    }
    assertEquals(await takeReports(servers), ["closed"]);
  },
};

const functions: Readonly<Record<string, Check>> = {
  "a function of a Request answers, passes on what it does not answer, and is a 500 if it throws": async (
    { pages, chained },
  ) => {
    assertEquals(await get(`${pages}/page`, { headers: { "x-tag": "one" } }), "200 GET /page one");
    assertEquals(await get(`${chained}/page`), "200 GET /page null");
    assertEquals((await get(`${pages}/none`)).slice(0, 3), "404");
    assertEquals(await get(`${chained}/none`), "200 the next page");
    assertMatch(await askFor(pages, "/x/../page"), /^200 [^]*GET \/page null/);
    assertEquals(await askFor(chained, "/x/../page"), "200 the next page");
    assertEquals(await askFor(pages, "*"), "400 invalid-path");
    assertEquals(await askFor(chained, "http://h;x/page"), "200 the next page");
    assertEquals((await get(`${pages}/fails`)).slice(0, 3), "500");
  },

  "a function of a Request that returns no unread response, or whose next throws, is a 500": async (
    { pages, chained },
  ) => {
    for (const path of ["odd", "error", "read"]) assertEquals((await get(`${pages}/${path}`)).slice(0, 3), "500");
    assertEquals((await get(`${chained}/none`, { headers: { "x-fail": "1" } })).slice(0, 3), "500");
    assertEquals(await get(`${pages}/page`), "200 GET /page null");
  },
};

const proxied: Readonly<Record<string, Check>> = {
  "the response of a server that refuses an upload and closes reaches the client through proxy()": async (
    { pages },
  ) => {
    using upstream = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    using client = await connect(pages);
    await client.send(
      "POST /proxied HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n" +
        `X-Upstream: 127.0.0.1:${upstream.addr.port}\r\n\r\n5\r\nfirst\r\n`,
    );
    const refusing = await upstream.accept();
    await refusing.read(new Uint8Array(10)); // the rest stays unread, so that closing resets the connection
    await new Promise((resolve) => setTimeout(resolve, 250)); // the proxy is busy, and sees what follows at once
    await client.send("6\r\nsecond\r\n");
    await refusing.write(new TextEncoder().encode("HTTP/1.1 413 Content Too Large\r\nContent-Length: 5\r\n\r\nlarge"));
    refusing.close();
    assertEquals(summarize(await client.until(/large|code/)), "413 large");
  },
};

/** All of them. */
export const checks: Readonly<Record<string, Check>> = {
  ...reading,
  ...writing,
  ...malformed,
  ...passing,
  ...parsed,
  ...connections,
  ...streams,
  ...functions,
  ...proxied,
};

/** A stream of the bytes of a text, one by one. */
function singleBytes(text: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  return ReadableStream.from([...new TextEncoder().encode(text)].map((byte) => new Uint8Array([byte])));
}
