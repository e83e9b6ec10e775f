/** Servers that hang, send without end, speak no HTTP or leak: each audit ends soon, with a report that says why. */
import { type AuditOptions, type AuditReport, auditServer, formatAudit } from "@scope/api/audit";
import { assert, assertEquals, assertLess, assertMatch, assertStringIncludes } from "@std/assert";
import { createThings, document, token } from "./things.ts";

const only = ["listThings", "readThing"];

/** Serves bytes over a socket, as no HTTP server would send them. `answer` writes what it wants. */
async function audit(
  answer: (connection: Deno.TcpConn, path: string) => Promise<unknown>,
  options: AuditOptions = {},
): Promise<AuditReport> {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const connections = new Set<Deno.TcpConn>();
  const accepting = (async () => {
    for await (const connection of listener) {
      connections.add(connection);
      serve(connection, answer).catch(() => {}).finally(() => close(connection));
    }
  })();
  const { port } = listener.addr as Deno.NetAddr;
  const report = await auditServer(document, `http://127.0.0.1:${port}`, { only, timeout: 200, ...options });
  listener.close();
  for (const connection of connections) close(connection);
  await accepting.catch(() => {});
  return report;
}

function close(connection: Deno.TcpConn): void {
  try {
    connection.close();
  } catch {
    // it is closed
  }
}

async function serve(
  connection: Deno.TcpConn,
  answer: (connection: Deno.TcpConn, path: string) => Promise<unknown>,
): Promise<void> {
  const chunk = new Uint8Array(65_536);
  const read = await connection.read(chunk) ?? 0;
  const path = /^\w+ (\S+)/.exec(new TextDecoder().decode(chunk.subarray(0, read)))?.[1] ?? "";
  await answer(connection, path);
}

const write = (connection: Deno.TcpConn, text: string): Promise<number> =>
  connection.write(new TextEncoder().encode(text));

const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";

async function writeForever(connection: Deno.TcpConn, text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  while (true) await connection.write(bytes);
}

const never = (): Promise<never> => new Promise<never>(() => {});

/** What a server does, and why no operation was reached. */
const unreachable: Readonly<Record<string, readonly [Parameters<typeof audit>[0], RegExp]>> = {
  "never answers": [
    never,
    /^the server left 3 requests in a row unanswered; the last one was not answered within 200 ms$/,
  ],
  "closes every connection": [
    () => Promise.resolve(),
    /^the server left 3 requests in a row unanswered; the last one was not answered: /,
  ],
  "does not speak HTTP": [
    (connection) => write(connection, "220 mail.example.com ESMTP\r\n"),
    /^the server left 3 requests in a row unanswered; the last one was not answered: /,
  ],
  "sends header fields without end": [
    async (connection) => {
      await write(connection, "HTTP/1.1 200 OK\r\n");
      await writeForever(connection, `x-${"a".repeat(1_000)}: ${"b".repeat(60_000)}\r\n`);
    },
    /^the server left 3 requests in a row unanswered; the last one was not answered/,
  ],
};

for (const [name, [answer, reason]] of Object.entries(unreachable)) {
  Deno.test(`auditServer() says that it could not run if the server ${name}`, async () => {
    const { outcome, reason: found, operations } = await audit(answer);
    assertEquals(outcome, "not run");
    assertMatch(found ?? "", reason);
    assertEquals(operations.map(({ verdict }) => verdict), ["never reached", "never reached"]);
  });
}

Deno.test("auditServer() says that it could not run if nothing listens", async () => {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { port } = listener.addr as Deno.NetAddr;
  listener.close();
  const { outcome, reason } = await auditServer(document, `http://127.0.0.1:${port}`);
  assertEquals(outcome, "not run");
  assertMatch(reason ?? "", /refused/i);
});

/** What a server does for one of two operations, the messages of the findings, and the milliseconds of a request. */
const partly: Readonly<Record<string, readonly [Parameters<typeof audit>[0], RegExp, timeout: number]>> = {
  "a body without end": [
    async (connection) => {
      await write(connection, `${head}\r\n[`);
      await writeForever(connection, "0,".repeat(500_000));
    },
    /^GET \/v1\/things was answered 200, but its body (?:did not end within 500 ms|has more than 8388608 bytes)$/,
    500,
  ],
  "a body that trickles": [
    async (connection) => {
      await write(connection, `${head}\r\n[`);
      for (;;) {
        await write(connection, " ");
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    /^GET \/v1\/things was answered 200, but its body did not end within 500 ms$/,
    500,
  ],
  "a body that is cut off": [
    (connection) => write(connection, `${head}content-length: 100\r\n\r\n[`),
    /^GET \/v1\/things was answered 200, but its body failed: /,
    5_000,
  ],
  "a redirect to itself": [
    (connection, path) =>
      write(connection, `HTTP/1.1 302 Found\r\nlocation: ${path}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`),
    /^GET \/v1\/things was answered 302; GET declares 200, 400$/,
    5_000,
  ],
};

for (const [name, [answer, message, timeout]] of Object.entries(partly)) {
  Deno.test(`auditServer() finds ${name}, and goes on with other operations`, async () => {
    const began = performance.now();
    const { outcome, operations } = await audit((connection, path) => {
      if (!/\/things(?:\?|$)/.test(path)) {
        const body = '{"id":"1","name":"one"}';
        return write(connection, `${head}content-length: ${body.length}\r\n\r\n${body}`);
      }
      return answer(connection, path);
    }, { values: { id: ["1"] }, timeout });

    assertEquals(outcome, "drift");
    assertEquals(operations.map(({ verdict }) => verdict), ["undocumented", "agrees"]);
    assertMatch(operations[0]!.findings[0]!.message, message);
    assertLess(performance.now() - began, 20_000);
  });
}

// proves http | An audit waits as Retry-After says, and asks no more where it says too long | 10.2.3
Deno.test("auditServer() waits as `retry-after` says, within bounds", async () => {
  let refused = 0;
  const began = performance.now();
  const serve = createThings();
  const report = await auditServer(document, (request) => {
    if (refused++ === 0) return new Response(null, { status: 429, headers: { "retry-after": "1" } });
    return serve(request);
  }, { only: ["listThings"], maxRequests: 20 });

  assertEquals([report.outcome, report.operations[0]?.verdict], ["agrees", "agrees"]);
  assert(performance.now() - began >= 999);
});

for (
  const [name, field] of Object.entries({ "an hour": "3600", "a year": "Fri, 31 Dec 2100 23:59:59 GMT", nothing: "" })
) {
  Deno.test(`auditServer() ends an operation whose server asks for ${name} of patience without end`, async () => {
    let sent = 0;
    const headers = field === "" ? { "retry-after": "0" } : { "retry-after": field };
    const report = await auditServer(document, () => {
      sent++;
      return new Response(null, { status: 429, headers });
    }, { only: ["listThings"] });

    assertEquals([report.outcome, report.operations[0]?.verdict], ["not run", "never reached"]);
    assertEquals(report.reason, "the server answered 429: too many requests; pass a lower --rate, or wait");
    assertEquals(sent, field === "" ? 4 : 1);
  });
}

Deno.test("auditServer() sends no more requests in a second than `rate` says, and no more than `maxRequests`", async () => {
  const times: number[] = [];
  const report = await auditServer(document, () => {
    times.push(performance.now());
    return Response.json([]);
  }, { only: ["listThings"], rate: 50, maxRequests: 12 });

  assertEquals([report.requests, times.length], [12, 12]);
  assert(times.at(-1)! - times[0]! >= 11 * 20 - 5);
  assertEquals(report.reason, "the limit of 12 requests was reached");
});

Deno.test("auditServer() ends after `maxSeconds`", async () => {
  const report = await auditServer(document, async () => {
    await new Promise((resolve) => setTimeout(resolve, 30));
    return Response.json([]);
  }, { only: ["listThings"], maxSeconds: 0.2 });
  assertEquals(report.reason, "the limit of 0.2 seconds was reached");
});

Deno.test("auditServer() never shows a credential or a header field, in whatever form the server repeats it", async () => {
  const basic = { username: "ada", password: 'Pa"ss & wörd/1' };
  const secured = {
    ...document,
    paths: { "/me": { get: { security: [{ login: [] }], responses: { 200: { description: "" } } } } },
    components: { ...document.components, securitySchemes: { login: { type: "http", scheme: "basic" } } },
  };
  const serve = (request: Request): Response => {
    const shown = request.headers.get("authorization") ?? "none";
    const tenant = request.headers.get("x-tenant-secret");
    const texts = [shown, tenant, basic.password, encodeURIComponent(basic.password), JSON.stringify(basic.password)];
    return new Response(texts.join("\n"), { status: 500, headers: { "content-type": `text/${texts[3]}` } });
  };
  for (const [api, credentials] of [[secured, { login: `ada:${basic.password}` }], [document, { token }]] as const) {
    const report = await auditServer(api, (request) => {
      const authorization = request.headers.get("authorization") ?? "";
      if (authorization === "") return serve(request);
      const body = { [authorization]: authorization, [`${authorization.split(" ")[1]}`]: 1, id: token, name: token };
      return Response.json(body, { headers: { "content-type": `application/${authorization.split(" ")[1]}` } });
    }, { credentials, headers: { "x-tenant-secret": "blue" }, values: { id: [token] } });
    const shown = (["text", "html", "markdown", "json"] as const).map((format) => formatAudit(report, format)).join(
      "\n",
    );
    const secrets = [
      "blue",
      token,
      basic.password,
      'Pa\\"ss',
      encodeURIComponent(basic.password),
      btoa("ada:Pa").slice(0, 7),
    ];
    assertEquals(secrets.filter((secret) => shown.includes(secret)), []);
    assertStringIncludes(shown, "***");
  }
});

Deno.test("auditServer() bounds the memory of an endless body", async () => {
  const chunk = new TextEncoder().encode(" ".repeat(1_000_000));
  let pulled = 0;
  const report = await auditServer(document, () => {
    const body = new ReadableStream({
      pull: (controller) => {
        pulled += chunk.length;
        controller.enqueue(chunk);
      },
    });
    return new Response(body, { headers: { "content-type": "application/json" } });
  }, { only: ["listThings"] });

  assertEquals(report.operations[0]?.verdict, "undocumented");
  assertEquals(
    report.operations[0]?.reason,
    "it was checked in part: the server left 3 of its requests without a complete answer",
  );
  assertLess(pulled, 40_000_000);
});

Deno.test("auditServer() says which operation it could not check, because a response has too much that is wrong", async () => {
  const body = `[${"0,".repeat(2_000_000)}0]`;
  const serve = createThings();
  const report = await auditServer(document, (request) => {
    const isList = /\/things(?:\?limit=\d+)?$/.test(request.url) && !request.url.endsWith("=0");
    return isList ? new Response(body, { headers: { "content-type": "application/json" } }) : serve(request);
  }, { only: ["listThings"], maxRequests: 4 });

  const [operation] = report.operations;
  assertEquals(operation?.verdict, "never reached");
  assertStringIncludes(
    operation?.reason ?? "",
    "could not be checked: Cannot process a JSON Schema: it takes too many steps",
  );
});
