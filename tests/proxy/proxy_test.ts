/** `proxy()` in front of a real server, by RFC 9110, section 7.6.1. */
import { defineContract, response, route } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { proxy, type ProxyOptions } from "@scope/api/proxy";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals, assertRejects, fail } from "@std/assert";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { assertTypeError } from "../support/assert_refused.ts";

/** Serves requests on a port of its own while `run` uses its URL. */
async function serving(
  answer: (req: IncomingMessage, res: ServerResponse) => void,
  run: (url: string) => Promise<void>,
): Promise<void> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  try {
    await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Answers with the request as JSON. */
function echo(req: IncomingMessage, res: ServerResponse): void {
  const chunks: Uint8Array[] = [];
  req.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  req.on("end", () => {
    const body = new TextDecoder().decode(Uint8Array.from(chunks.flatMap((chunk) => [...chunk])));
    res.setHeader("content-type", "application/json");
    res.end(JSON.stringify({ method: req.method, url: req.url, headers: req.headers, body }));
  });
}

interface Echo {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

async function ask(url: string, request: Request, options?: ProxyOptions): Promise<Echo> {
  return await (await proxy(url, options)(request)).json();
}

// proves http | A proxy does not forward the fields of a connection, or those that `Connection` names | 7.6.1
Deno.test("proxy() passes on method, path, query, headers and body, but not the fields of the connection", async () => {
  await serving(echo, async (url) => {
    const seen = await ask(
      `${url}/base/`,
      new Request("https://api.example/users/%C3%A9?page=2&q=%2e%2e", {
        method: "PUT",
        body: "text",
        headers: {
          "content-type": "text/plain",
          "authorization": "Bearer t",
          "cookie": "a=1",
          "x-own": "1",
          "connection": "close, X-Hop",
          "x-hop": "1",
          "keep-alive": "timeout=5",
          "proxy-connection": "keep-alive",
          "proxy-authorization": "Basic x",
          "te": "trailers",
          "trailer": "x",
          "upgrade": "h2c",
          "x-forwarded-for": "6.6.6.6",
          "x-forwarded-proto": "gopher",
          "forwarded": "for=6.6.6.6",
          "x-real-ip": "6.6.6.6",
        },
      }),
    );
    assertEquals([seen.method, seen.url, seen.body], ["PUT", "/base/users/%C3%A9?page=2&q=%2e%2e", "text"]);
    const { host, accept: _, "accept-language": _language, "sec-fetch-mode": _mode, ...headers } = seen.headers;
    for (const name of ["accept-encoding", "user-agent", "transfer-encoding", "content-length", "connection"]) {
      delete (headers as Record<string, string>)[name]; // of the connection of `fetch`
    }
    assertEquals(host, new URL(url).host);
    assertEquals(headers, {
      "content-type": "text/plain",
      "authorization": "Bearer t",
      "cookie": "a=1",
      "x-own": "1",
      "x-forwarded-host": "api.example",
      "x-forwarded-proto": "https",
    });
  });
});

Deno.test("proxy() with trustForwarded and headers passes on what another proxy has set, and adds to it", async () => {
  await serving(echo, async (url) => {
    const request = new Request("http://internal/a", {
      headers: { "x-forwarded-for": "1.2.3.4", "x-forwarded-proto": "https" },
    });
    const { headers } = await ask(url, request, {
      trustForwarded: true,
      headers: async (headers, { url }) => {
        await Promise.resolve();
        headers.append("x-forwarded-for", "10.0.0.1");
        headers.set("x-url", url);
      },
    });
    const { "x-forwarded-for": address, "x-forwarded-proto": protocol, "x-forwarded-host": host, "x-url": own } =
      headers;
    assertEquals([address, protocol, host, own], ["1.2.3.4, 10.0.0.1", "https", "internal", "http://internal/a"]);
  });
});

Deno.test("proxy() never leads out of the path of its URL, or to another host", async () => {
  await serving(echo, async (url) => {
    const pass = proxy(`${url}/base`);
    const pathOf = async (path: string): Promise<unknown> => {
      const answer = await pass(new Request(`http://localhost${path}`));
      const { url, code } = await answer.json();
      return answer.status === 400 ? code : url;
    };
    assertEquals(await pathOf("/a/../b"), "/base/b");
    assertEquals(await pathOf("/../../b"), "/base/b");
    assertEquals(await pathOf("/%2e%2e/b"), "/base/b");
    assertEquals(await pathOf("//evil.example/a"), "/base//evil.example/a");
    assertEquals(await pathOf("/@evil.example/a"), "/base/@evil.example/a");
    assertEquals(await pathOf("/a%2F..%2F..%2Fb"), "invalid-path");
    assertEquals(await pathOf("/a/..%2Fb"), "invalid-path");
    assertEquals(await pathOf("/..%5Cb"), "invalid-path");
    assertEquals(await pathOf("/..;/b"), "invalid-path"); // which servers of Java resolve
    assertEquals(await pathOf("/a/..%3bx=1/b"), "invalid-path");
    assertEquals(await pathOf("/a/..b;/c"), "/base/a/..b;/c");
    assertEquals(await pathOf("/a%2Fb"), "/base/a%2Fb");
    assertEquals(await pathOf("/"), "/base/");
  });
});

Deno.test("proxy() passes on all statuses, cookies and redirects, without the fields of the connection", async () => {
  const answer = (req: IncomingMessage, res: ServerResponse): void => {
    res.writeHead(Number(req.url!.slice(1)), {
      "location": "/elsewhere",
      "connection": "X-Hop",
      "x-hop": "1",
      "proxy-authenticate": "Basic",
      "x-own": "1",
      "set-cookie": ["a=1", "b=2"],
    }).end();
  };
  await serving(answer, async (url) => {
    for (const status of [200, 201, 204, 301, 302, 304, 307, 401, 404, 418, 500, 503, 599]) {
      const { status: got, headers, body } = await proxy(url)(new Request(`http://localhost/${status}`));
      await body?.cancel();
      assertEquals(got, status);
      assertEquals([headers.get("location"), headers.get("x-own")], ["/elsewhere", "1"]);
      assertEquals([headers.get("x-hop"), headers.get("connection"), headers.get("proxy-authenticate")], [
        null,
        null,
        null,
      ]);
      assertEquals(headers.getSetCookie(), ["a=1", "b=2"]);
    }
  });
});

Deno.test("proxy() removes the coding and the length of content that the runtime has decoded, and keeps others", async () => {
  const text = "hello ".repeat(40);
  const answer = (req: IncomingMessage, res: ServerResponse): void => {
    const isZipped = req.url === "/gzip";
    const content = isZipped ? gzipSync(text) : new TextEncoder().encode(text);
    res.writeHead(200, { "content-length": content.byteLength, ...(isZipped && { "content-encoding": "gzip" }) });
    res.end(content);
  };
  await serving(answer, async (url) => {
    for (const [path, length] of [["gzip", null], ["plain", "240"]] as const) {
      const received = await proxy(url)(new Request(`http://localhost/${path}`));
      const { headers } = received;
      assertEquals([headers.get("content-encoding"), headers.get("content-length")], [null, length]);
      assertEquals(await received.text(), text);
    }
    const head = await proxy(url)(new Request("http://localhost/plain", { method: "HEAD" }));
    assertEquals([head.status, head.headers.get("content-length"), head.body], [200, "240", null]);
  });
});

Deno.test("proxy() streams bodies in both directions, and ends both when the client leaves", async () => {
  let hasClosed: () => void;
  const closed = new Promise<void>((resolve) => hasClosed = resolve);
  const answer = (req: IncomingMessage, res: ServerResponse): void => {
    req.once("data", (chunk: Uint8Array) => {
      res.writeHead(200);
      res.write(`got ${new TextDecoder().decode(chunk)}`);
    });
    req.on("error", () => {}); // it is cut off
    res.on("close", () => hasClosed());
  };
  await serving(answer, async (url) => {
    const leave = new AbortController();
    let send: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (send = controller) });
    const request = new Request(
      "http://localhost/",
      { method: "POST", body, signal: leave.signal, duplex: "half" } as RequestInit,
    );
    const pending = proxy(url)(request);
    send!.enqueue(new TextEncoder().encode("first"));
    const reader = (await pending).body!.getReader();
    assertEquals(new TextDecoder().decode((await reader.read()).value), "got first");
    leave.abort();
    await assertRejects(() => reader.read());
    await closed;
  });
});

Deno.test("proxy() answers 502 if the other server does not, and 504 if it is too slow", async () => {
  const errors: string[] = [];
  const onError = (error: unknown): never => {
    errors.push((error as Error).name);
    throw new Error("ignored");
  };
  await serving(() => {}, async (url) => { // it never answers
    const slow = await proxy(url, { timeout: 30, onError })(new Request("http://localhost/"));
    assertEquals(slow.headers.get("content-type"), "application/problem+json");
    assertEquals(await slow.json(), {
      type: "about:blank",
      title: "Gateway Timeout",
      status: 504,
      code: "gateway-timeout",
    });
    const head = await proxy(url, { timeout: 30 })(new Request("http://localhost/", { method: "HEAD" }));
    assertEquals([head.status, head.body], [504, null]);
    const client = new AbortController();
    const pending = proxy(url, { onError })(new Request("http://localhost/", { signal: client.signal }));
    client.abort();
    assertEquals((await pending).status, 502); // nobody reads it, and nothing is reported
  });
  await serving((req) => void req.socket.destroy(), async (url) => {
    const broken = await proxy(url, { onError })(new Request("http://localhost/"));
    assertEquals(await broken.json(), { type: "about:blank", title: "Bad Gateway", status: 502, code: "bad-gateway" });
    const failing = proxy(url, {
      headers: () => {
        throw new RangeError("no credential");
      },
      onError,
    });
    assertEquals((await failing(new Request("http://localhost/"))).status, 502);
  });
  assertEquals(errors, ["TimeoutError", "TypeError", "RangeError"]);
});

Deno.test("proxy() answers in time whatever its functions do", async () => {
  const errors: string[] = [];
  const onError = (error: unknown): Promise<never> => {
    errors.push((error as Error).name);
    return Promise.reject(new Error("ignored"));
  };
  const late = Promise.withResolvers<Response>();
  const rows: [options: object, status: number][] = [
    [{ headers: () => new Promise(() => {}), timeout: 20 }, 504],
    [{ fetch: () => late.promise, timeout: 20 }, 504],
    [{ fetch: () => Promise.resolve("old") }, 502],
    [{ fetch: () => Promise.resolve() }, 502],
  ];
  for (const [options, status] of rows) {
    const answer = await proxy("http://localhost", { ...options, onError })(new Request("http://localhost/"));
    await answer.body?.cancel();
    assertEquals(answer.status, status);
  }
  const closed = Promise.withResolvers<void>();
  late.resolve(new Response(new ReadableStream({ cancel: () => closed.resolve() })));
  await closed.promise;
  assertEquals(errors, ["TimeoutError", "TimeoutError", "TypeError", "TypeError"]);
});

Deno.test("proxy() cancels the bodies of requests and responses that it does not pass on", async () => {
  const cancelled: string[] = [];
  const open = (name: string): ReadableStream<Uint8Array<ArrayBuffer>> =>
    new ReadableStream({ cancel: () => void cancelled.push(name) });
  const slow = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 60));
  const unknown = { status: 999, statusText: "", headers: new Headers(), body: open("response") };
  const rows: [options: object, name: string, status: number][] = [
    [{ headers: slow, timeout: 20 }, "request whose headers come late", 504],
    [{ headers: () => Promise.reject(new Error("none")) }, "request without headers", 502],
    [{ fetch: () => slow().then(() => new Response("late")), timeout: 20 }, "request without an answer", 504],
    [{ fetch: () => ({ ...unknown, [Symbol.toStringTag]: "Response" }) }, "request with an unknown status", 502],
  ];
  for (const [options, name, status] of rows) {
    const request = new Request("http://localhost", { method: "POST", body: open(name) });
    const answer = await proxy("http://localhost", options)(request);
    await answer.body?.cancel();
    assertEquals(answer.status, status);
  }
  await slow();
  assertEquals(cancelled.toSorted(), [...rows.map(([, name]) => name), "response"].toSorted());
});

Deno.test("proxy() is a handler of a route with response.raw(), whose undeclared statuses are 500", async () => {
  const answer = (req: IncomingMessage, res: ServerResponse): void =>
    void res.writeHead(req.url === "/a" ? 200 : 404).end("old");
  await serving(answer, async (url) => {
    const pass = proxy(url);
    const contract = defineContract({ routes: { any: route.get("/:name", { responses: { 200: response.raw() } }) } });
    const server = defineServer(contract, { context: ({ request }) => ({ request }) });
    const handler = createFetchHandler(
      server.implement({
        any: async ({ context, response }) => {
          const passed = await pass(context.request);
          return response(passed.status as 200, passed);
        },
      }),
      { onError: () => {} },
    );
    const read = await handler(new Request("http://localhost/a"));
    assertEquals([read.status, await read.text()], [200, "old"]);
    const other = await handler(new Request("http://localhost/b"));
    assertEquals(other.status, 500);
    await other.body?.cancel();
  });
});

Deno.test("proxy() refuses a URL or an option that it cannot use", async () => {
  const secret = "http://user:secret@localhost";
  for (
    const url of [
      "localhost:3000",
      "/path",
      "ftp://localhost",
      "http://localhost/?a",
      "http://localhost/#a",
      secret,
      undefined,
      3000,
    ]
  ) {
    const message = assertTypeError(
      () => proxy(url as string),
      'proxy(): the URL must be like "http://127.0.0.1:3000/path"',
    );
    assert(!message.includes("secret"));
  }
  proxy(new URL("http://localhost/path"));
  const refuse = (options: object, message: string): void => {
    assertTypeError(() => proxy("http://localhost", options), `proxy(): ${message}`);
  };
  for (const timeout of [0, -1, 1.5, 2 ** 31, "1", NaN, Infinity]) {
    refuse({ timeout }, '"timeout" must be an integer of milliseconds from 1 to 2147483647');
  }
  refuse({ trustForwarded: 1 }, '"trustForwarded" must be a boolean, got 1');
  refuse({ headers: {} }, '"headers" must be a function, got an object');
  refuse({ onErorr: () => {} }, 'unknown option "onErorr" (allowed: timeout, trustForwarded, headers, onError, fetch)');
  const read = new Request("http://localhost/", { method: "POST", body: "a" });
  await read.text();
  await assertRejects(() => proxy("http://localhost")(read), TypeError, "proxy(): the body of the request was read");
});

Deno.test("proxy() reads its options once", async () => {
  const options: { fetch: () => Promise<Response>; timeout: unknown } = {
    fetch: () => Promise.resolve(new Response("first")),
    timeout: 1_000,
  };
  const pass = proxy("http://127.0.0.1:1", options as ProxyOptions);
  options.fetch = () => Promise.resolve(new Response("second"));
  Object.defineProperty(options, "timeout", { get: () => fail("read again") });
  assertEquals(await (await pass(new Request("http://localhost/"))).text(), "first");
});
