import { defineContract, response, route, router } from "@scope/api";
import { ClientError, type ClientErrorCode, type ClientOptions, createClient } from "@scope/api/client";
import { retry } from "@scope/api/retry";
import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertRejects,
  assertStrictEquals,
  assertStringIncludes,
} from "@std/assert";
import { watchBody } from "../support/watched_body.ts";

Deno.test.sanitizer({ ops: true, resources: true });

const contract = defineContract({
  routes: {
    users: router("/users", {
      routes: {
        byId: route.get("/:id", {
          responses: { 200: response.text(), 404: response.json<string>(), 206: response.bytes() },
        }),
      },
    }),
  },
});
const where = "Cannot call GET /users/:id (users.byId): ";

function errorOf(fetch: ClientOptions["fetch"], signal?: AbortSignal): Promise<ClientError> {
  const client = createClient(contract, { baseUrl: "https://a.example", fetch });
  return assertRejects(() => client.users.byId({ params: { id: "1" } }, { signal }), ClientError, where);
}

Deno.test("ClientError() reports a missing response", async () => {
  const cause = new TypeError("connection refused");
  const functions: ClientOptions["fetch"][] = [
    () => Promise.reject(cause),
    () => {
      throw cause;
    },
  ];
  for (const fetch of functions) {
    const error = await errorOf(fetch);
    assertEquals(error.message, `${where}no response arrived, or it was interrupted`);
    assertEquals([error.name, error.code, error.status, error.response], [
      "ClientError",
      "network",
      undefined,
      undefined,
    ]);
    assertEquals([error.problem, error.text, error.result], [undefined, undefined, undefined]);
    assertStrictEquals(error.cause, cause);
  }
});

Deno.test("ClientError() reports an unreachable server", async () => {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, () => new Response());
  const { port } = server.addr;
  await server.shutdown();
  const client = createClient(contract, { baseUrl: `http://127.0.0.1:${port}` });
  const error = await assertRejects(() => client.users.byId({ params: { id: "1" } }), ClientError, where);

  assertEquals(error.code, "network");
  assertInstanceOf(error.cause, TypeError);
});

Deno.test("ClientError() reports a body that broke off, with its response", async () => {
  const cause = new Error("connection reset");
  const cases: [status: number, type: string][] = [[200, "text/plain"], [404, "application/json"], [
    206,
    "application/octet-stream",
  ]];
  for (const [status, type] of cases) {
    for (const signal of [undefined, new AbortController().signal]) {
      const chunks = [new Uint8Array([97])];
      const stream = new ReadableStream<Uint8Array>({
        pull(controller): void {
          const chunk = chunks.shift();
          if (chunk) controller.enqueue(chunk);
          else controller.error(cause);
        },
      });
      const error = await errorOf(() => new Response(stream, { status, headers: { "content-type": type } }), signal);
      assertEquals([error.code, error.status], ["network", status]);
      assertStrictEquals(error.cause, cause);
      assertStrictEquals(error.response?.status, status);
    }
  }
});

Deno.test("ClientError() reports a broken connection", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const served = (async () => {
    using connection = await listener.accept();
    await connection.read(new Uint8Array(4096));
    const head = "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 100\r\n\r\n";
    await connection.write(new TextEncoder().encode(`${head}it began`));
  })();
  const client = createClient(contract, { baseUrl: `http://127.0.0.1:${listener.addr.port}` });
  const error = await assertRejects(() => client.users.byId({ params: { id: "1" } }), ClientError, where);
  await served;

  assertEquals([error.code, error.status], ["network", 200]);
});

Deno.test("ClientError() reports a body that is not bytes, and cancels it", async () => {
  for (const signal of [undefined, new AbortController().signal]) {
    let cancelled = false;
    const stream = new ReadableStream({
      pull: (controller) => controller.enqueue("text is no bytes"),
      cancel: () => {
        cancelled = true;
      },
    });
    const error = await errorOf(() => new Response(stream, { headers: { "content-type": "text/plain" } }), signal);
    assertEquals(error.code, "network");
    assertInstanceOf(error.cause, TypeError);
    if (signal) assert(cancelled); // without one, the runtime reads
  }
});

Deno.test("ClientError() reports a value that is not a Response", async () => {
  for (
    const [answer, got] of [[undefined, "undefined"], [null, "null"], ["ok", "a string"], [{ ok: true }, "an object"]]
  ) {
    const { code, message } = await errorOf(() => answer as unknown as Response);
    assertEquals(code, "network");
    assertStringIncludes(message, `"fetch" must return a Response, got ${got}`);
  }
});

Deno.test("ClientError() reports a stand-in of a Response without Headers, also behind retry()", async () => {
  for (const headers of [undefined, null, { "content-type": "text/plain" }]) {
    const fetch = () => ({ ok: true, status: 200, headers, text: () => Promise.resolve("ok") }) as unknown as Response;
    for (const around of [undefined, retry({ attempts: 2, maxWait: 0 })]) {
      const { users } = createClient(contract, { baseUrl: "https://a.example", fetch, around });
      const { code, message } = await assertRejects(() => users.byId({ params: { id: "1" } }), ClientError);
      assertEquals(code, "network");
      assertStringIncludes(message, '"fetch" must return a Response, got an object');
    }
  }
});

Deno.test("ClientError() of a call within fetch is the cause of the call's own", async () => {
  const inner = createClient(contract, {
    baseUrl: "https://b.example",
    fetch: () => Promise.reject(new Error("down")),
  });
  const error = await errorOf(async () => (await inner.users.byId({ params: { id: "1" } })).response);

  assertEquals(error.code, "network");
  assertInstanceOf(error.cause, ClientError);
});

Deno.test("ClientError() is discriminated by its code", async () => {
  const error = await errorOf(() => new Response(watchBody([]).stream, { status: 500 }));
  const sentences: Record<ClientErrorCode, string> = {
    network: "try again",
    aborted: "",
    timeout: "try again",
    "unexpected-status": "tell us",
    "unexpected-content-type": "tell us",
    "invalid-body": "tell us",
    "invalid-input": "mend it",
    "invalid-outcome": "mend it",
    unsuccessful: "mend it",
    "unexpected-close": "tell us",
  };

  assertEquals(sentences[error.code], "tell us");
  assert(error instanceof Error);
  assertEquals(String(error).startsWith(`ClientError: ${where}status 500 is not declared`), true);
});
