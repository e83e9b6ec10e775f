import { defineContract, request, response, route, security } from "@scope/api";
import { type Client, ClientError, type ClientOptions, createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import {
  assert,
  assertEquals,
  assertFalse,
  assertLess,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { type } from "arktype";

Deno.test.sanitizer({ ops: true, resources: true });

const contract = defineContract({
  routes: {
    read: route.get("/read", { responses: { 200: response.text() } }),
    pay: route.post("/pay", { body: request.json(type({ card: "string" })), responses: { 200: response.text() } }),
    upload: route.post("/upload", { body: request.stream(), responses: { 200: response.text() } }),
    move: route.get("/move", {
      responses: { 200: response.text(), 302: response.empty({ headers: type({ location: "string" }) }) },
    }),
  },
});
const baseUrl = "https://a.example";

/** A client of a server that responds with a status and a location. */
function redirected(status: number, location?: string): Client<typeof contract["routes"]> {
  const fetch = () => new Response(null, { status, ...(location !== undefined && { headers: { location } }) });
  return createClient(contract, { baseUrl, fetch });
}

/** Two servers on different ports: the first redirects everything to the second, which responds 200 and is observed. */
async function serveTwo(
  status: number,
  test: (baseUrl: string, seen: readonly Request[], other: string) => Promise<void>,
): Promise<void> {
  const seen: Request[] = [];
  const settings = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
  await using second = Deno.serve(settings, (request) => {
    seen.push(new Request(request.url, { headers: request.headers })); // a copy that can be read later
    return new Response("another's answer", { headers: { "access-control-allow-origin": "*" } });
  });
  const other = `http://127.0.0.1:${second.addr.port}`;
  await using first = Deno.serve(settings, async ({ url, body }) => {
    await body?.pipeTo(new WritableStream());
    return new Response(null, { status, headers: { location: `${other}${new URL(url).pathname}` } });
  });
  await test(`http://127.0.0.1:${first.addr.port}`, seen, other);
}

for (const status of [301, 302, 303, 307, 308]) {
  Deno.test(`a ${status} to another origin gets neither body nor headers of a call, over sockets`, async () => {
    await serveTwo(status, async (baseUrl, seen, other) => {
      const client = createClient(contract, { baseUrl, headers: { "x-api-key": "secret" } });
      const calls = [
        () => client.read(),
        () => client.pay({ body: { card: "4242" } }),
        () => client.upload({ body: new Blob(["secret"]).stream() }),
      ];
      for (const [index, call] of calls.entries()) {
        const error = await assertRejects(call, ClientError);
        assertEquals([error.code, error.status, error.response?.status], ["unexpected-status", status, status]);
        const path = ["/read", "/pay", "/upload"][index];
        assertStringIncludes(error.message, `status ${status} is not declared (declared: 200)`);
        assertStringIncludes(error.message, `it redirects to "${other}${path}"`);
      }
      assertEquals(seen.length, 0);
    });
  });
}

Deno.test("a redirect is followed if init.redirect of the client or the call says so", async () => {
  await serveTwo(302, async (baseUrl, seen) => {
    const follow = { redirect: "follow" } as const;
    const result = await createClient(contract, { baseUrl, init: follow }).read();
    assertEquals([result.status, result.body], [200, "another's answer"]);
    assertEquals((await createClient(contract, { baseUrl }).read({ init: follow })).body, "another's answer");
    assertEquals(seen.length, 2);
  });
});

Deno.test("init.redirect of error rejects as fetch does", async () => {
  await serveTwo(302, async (baseUrl, seen) => {
    const error = await assertRejects(
      () => createClient(contract, { baseUrl, init: { redirect: "error" } }).read(),
      ClientError,
    );
    assertEquals([error.code, seen.length], ["network", 0]);
  });
});

Deno.test("a declared redirect is a result, over a socket", async () => {
  await serveTwo(302, async (baseUrl, seen, other) => {
    const result = await createClient(contract, { baseUrl }).move();
    assert(result.status === 302);
    assertEquals([result.headers.location, result.body, seen.length], [`${other}/move`, undefined, 0]);
  });
});

Deno.test("a declared redirect of an in-process handler is a result, and its other redirects are unexpected-status", async () => {
  const fetch = createFetchHandler(
    defineServer(contract).implement({
      read: () => {
        throw new Error("not asked for");
      },
      pay: ({ response }) => response(200, "paid"),
      upload: ({ response }) => response(200, "taken"),
      move: ({ response }) => response(302, undefined, { location: "/read" }),
    }),
  );
  const result = await createClient(contract, { baseUrl, fetch }).move();
  assert(result.status === 302);
  assertEquals(result.headers.location, "/read");

  const error = await assertRejects(() => redirected(308, "/elsewhere").read(), ClientError);
  assertEquals(
    error.message,
    'Cannot call GET /read (read): status 308 is not declared (declared: 200); it redirects to "/elsewhere"; ' +
      'declare it, or pass init: { redirect: "follow" } to follow redirects to any server',
  );
});

Deno.test("an error about a redirect does not advise init.redirect to a client or a call that has set it", async () => {
  const client = redirected(302, "/elsewhere");
  const advice = 'declare it, or pass init: { redirect: "follow" } to follow redirects to any server';
  const messageOf = async (init: ClientOptions["init"]): Promise<string> =>
    (await assertRejects(() => client.read({ init }), ClientError)).message.split('"/elsewhere"; ')[1]!;

  assertEquals(await messageOf({ redirect: "manual" }), "declare it");
  assertEquals(await messageOf({ cache: "no-store" }), advice);
});

// proves http | A redirect is followed only on request | 10.2.2, 15.4
Deno.test("every request disables redirects, unless init.redirect enables them", async () => {
  const redirectOf = async (general: ClientOptions["init"], own: ClientOptions["init"]): Promise<string[]> => {
    const client = createClient(contract, { baseUrl, init: general });
    const requests = [
      client.read.request({ init: own }),
      client.pay.request({ body: { card: "1" } }, { init: own }),
      client.upload.request({ body: new Blob().stream() }, { init: own }),
      client.read.request({ init: own, headers: { accept: "a/b" }, timeout: 1000 }),
    ];
    return [...new Set((await Promise.all(requests)).map(({ redirect }) => redirect))];
  };
  assertEquals(await redirectOf(undefined, undefined), ["manual"]);
  assertEquals(await redirectOf({}, {}), ["manual"]);
  assertEquals(await redirectOf({ cache: "no-store" }, { cache: "no-store" }), ["manual"]);
  assertEquals(await redirectOf({ redirect: "follow" }, undefined), ["follow"]);
  assertEquals(await redirectOf({ redirect: "follow" }, { redirect: "error" }), ["error"]);
  assertEquals(await redirectOf({ redirect: undefined as never }, { redirect: undefined as never }), ["manual"]);
  assertEquals(await redirectOf({ redirect: "follow" }, { redirect: undefined as never }), ["follow"]);
});

Deno.test("no redirect is followed if a runtime's Request drops the option, as in Bun 1.1", async () => {
  const { Request, fetch } = globalThis;
  const inits: (RequestInit | undefined)[] = [];
  try {
    globalThis.Request = class extends Request {
      override readonly redirect = "follow";
    };
    globalThis.fetch = (_request, init) => {
      inits.push(init);
      return Promise.resolve(new Response("ok", { headers: { "content-type": "text/plain" } }));
    };
    const client = createClient(contract, { baseUrl });
    await client.read();
    await client.read({ init: { redirect: "error" } });
    await client.read({ init: { redirect: "follow" } });
  } finally {
    Object.assign(globalThis, { Request, fetch });
  }
  assertEquals(inits, [{ redirect: "manual" }, { redirect: "error" }, { redirect: "follow" }]);
});

Deno.test("a custom fetch receives only the request, if no option init is passed", async () => {
  const given: unknown[][] = [];
  const fetch = (...all: unknown[]): Response => {
    given.push(all);
    return new Response("ok", { headers: { "content-type": "text/plain" } });
  };
  await createClient(contract, { baseUrl, fetch }).read();
  assertEquals(given.map(({ length }) => length), [1]);
});

Deno.test("the error for a redirect quotes at most the beginning of its location, in printable ASCII", async () => {
  const messageOf = async (location: string): Promise<string> =>
    (await assertRejects(() => redirected(302, location).read(), ClientError)).message;
  assertStringIncludes(
    await messageOf('/a"b\x9b31m\x1b[0mé'),
    String.raw`redirects to "/a\"b\u009b31m\u001b[0m\u00e9"`,
  );
  const long = await messageOf(`/${"é".repeat(60_000)}`);
  assertLess(long.length, 2000);
  assert(/^[ -~…]*$/.test(long));
});

Deno.test("a 3xx without a location is unexpected-status and describes no redirect", async () => {
  for (const status of [300, 302, 304]) {
    const { code, message } = await assertRejects(() => redirected(status).read(), ClientError);
    assertEquals(code, "unexpected-status");
    assertFalse(message.includes("redirect"));
  }
});

Deno.test("a redirect that a browser hides is unexpected-status and describes how to follow it", async () => {
  const hidden = Object.defineProperties(Response.error(), { type: { value: "opaqueredirect" } }); // only browsers make one
  const error = await assertRejects(
    () => createClient(contract, { baseUrl, fetch: () => hidden }).move(),
    ClientError,
  );
  assertEquals([error.code, error.status], ["unexpected-status", 0]);
  assertEquals(
    error.message,
    "Cannot call GET /move (move): the browser hides redirects, also declared ones; " +
      'pass init: { redirect: "follow" } to follow redirects to any server',
  );
});

Deno.test("the error for an undeclared content type quotes at most its beginning, in printable ASCII", async () => {
  const fetch = () => new Response("", { headers: { "content-type": `\x1b${"x".repeat(60_000)}` } });
  const { code, message } = await assertRejects(
    () => createClient(contract, { baseUrl, fetch }).read(),
    ClientError,
  );
  assertEquals(code, "unexpected-content-type");
  assertStringIncludes(message, String.raw`content type "\u001bxxx`);
  assertLess(message.length, 400);
});

// proves http | A followed redirect takes no credential to another origin | 15.4
Deno.test("a followed redirect sends no credential and no header of the caller to another origin, over sockets", async () => {
  const keyed = defineContract({
    routes: {
      key: route.get("/key", {
        security: [security.apiKey("Key", { header: "x-api-key" })],
        responses: { 200: response.text() },
      }),
      token: route.post("/token", { security: [security.bearer("Token")], responses: { 200: response.text() } }),
      cookie: route.get("/cookie", {
        security: [security.cookie("Session", { cookie: "id" })],
        responses: { 200: response.text() },
      }),
      open: route.get("/open", { security: [], responses: { 200: response.text() } }),
    },
  });
  for (const status of [301, 302, 303, 307, 308]) {
    await serveTwo(status, async (baseUrl, seen) => {
      const client = createClient(keyed, {
        baseUrl,
        init: { redirect: "follow" },
        credentials: { Key: "secret", Token: "secret", Session: "secret" },
      });
      const calls = [
        () => client.key(),
        () => client.cookie(), // which Node 20.3 and Bun 1.1 would send
        () => client.open({ headers: { "X-Tenant": "secret" } }),
      ];
      for (const call of calls) {
        const error = await assertRejects(call, ClientError);
        assertEquals([error.code, seen.length], ["invalid-input", 0]);
        assertMatch(
          error.message,
          /redirect "follow" may send the header (x-api-key|cookie|x-tenant) to other servers/,
        );
        assertFalse(error.message.includes("secret"));
      }
      await client.token({ headers: { accept: "text/plain", "if-match": "*" } });
      assertEquals(seen.length, 1);
      for (const { headers } of seen) {
        assertFalse([...headers.values()].some((value) => value.includes("secret")), `${[...headers]}`);
      }
    });
  }
});
