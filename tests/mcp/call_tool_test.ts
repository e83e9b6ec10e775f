import { codec, defineContract, representation, request, response, route } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { type McpToolResult, mcpTools } from "@scope/api/mcp";
import { defineServer } from "@scope/api/server";
import { isCallToolResult } from "@modelcontextprotocol/server";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import * as z from "zod";
import { tries } from "../support/tries.ts";
import { contract, seen, tools } from "./fixture.ts";

const { call } = tools;

function text(text: string): { type: "text"; text: string }[] {
  return [{ type: "text", text }];
}

function failed(words: string): McpToolResult {
  return { content: text(words), isError: true };
}

/** The problem document that a failed call shows. */
function problemOf({ content, isError }: McpToolResult): Record<string, unknown> {
  assertEquals([isError, content.length], [true, 1]);
  return JSON.parse(content[0]!.text);
}

Deno.test("a JSON body of a successful response is structured content and text", async () => {
  const result = await call("users_byId", { params: { id: "42" } });
  assertEquals(result, {
    content: text('{"id":"42","name":"Ada"}'),
    structuredContent: { id: "42", name: "Ada" },
  });
});

Deno.test("a result that may not be an object is wrapped as in its schema, but its text is not", async () => {
  assertEquals(await call("users_list", { query: { page: 2, tag: ["a", "b"] } }), {
    content: text('[{"id":"2","name":"Ada,a,b"}]'),
    structuredContent: { result: [{ id: "2", name: "Ada,a,b" }] },
  });
});

Deno.test("a successful text response is its text, and one without a body is its status", async () => {
  const renamed = await tools.call("users_rename", { params: { id: "42" }, body: { name: "Grace & Co" } }, {
    headers: { "if-match": '"1"' },
  });
  assertEquals(renamed, { content: text("Renamed to Grace & Co") });
  assertEquals(await call("users_remove", { params: { id: "42" } }), { content: text("204 No Content") });
  assertEquals(await call("exists"), { content: text("200 OK") });
});

Deno.test("each successful response of a route has its own structured content", async () => {
  assertEquals((await call("either", { body: "Ada" })).structuredContent, { id: "1", name: "Ada" });
  assertEquals((await call("either")).structuredContent, { job: "7" });
});

Deno.test("a JSON body without a schema is structured content if it is an object", async () => {
  const routes = { echo: route.post("/", { body: request.json(), responses: { 200: response.json() } }) };
  const contract = defineContract({ routes });
  const fetch = createFetchHandler(
    defineServer(contract).implement({ echo: ({ body, response }) => response(200, body) }),
  );
  const { call } = mcpTools(contract, { fetch, tools: { echo: "Echo." } });
  assertEquals(await call("echo", { body: { a: 1 } }), { content: text('{"a":1}'), structuredContent: { a: 1 } });
  for (const body of [[1], "text", 0, null, true]) {
    assertEquals(await call("echo", { body }), { content: text(JSON.stringify(body)) });
  }
});

Deno.test("every other declared status is an error with the body as text", async () => {
  assertEquals(await call("users_byId", { params: { id: "7" } }), failed('{"message":"No user 7"}'));
  assertEquals(await call("users_rename", { params: { id: "7" }, body: { name: "Ada" } }), failed("Say if-match"));
  assertEquals(await call("users_replace", { params: { id: "7" }, body: { id: "7", name: "x" } }), failed("410 Gone"));
  const conflict = problemOf(await call("users_create", { body: { id: "1", name: "Ada" } }));
  assertEquals([conflict.status, conflict.detail], [409, "There is an Ada"]);
});

Deno.test("the adapter's 400 contains its issues, so that a model can correct its call", async () => {
  const { status, issues } = problemOf(await call("users_create", { body: { id: 7 } }));
  const told = (issues as { readonly location: string; readonly pointer: string }[])
    .map(({ location, pointer }) => [location, pointer]);
  assertEquals([status, told], [400, [["body", "/id"], ["body", "/name"]]]);

  const query = problemOf(await call("users_list", { query: { page: "two" } }));
  assertEquals((query.issues as { readonly pointer: string }[])[0]?.pointer, "/page");
});

Deno.test("an adapter's 400 is complete, even if it is longer than an excerpt", async () => {
  const Long = z.object(
    Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${index}`, z.string("x".repeat(900))])),
  );
  const declared = defineContract({
    routes: { long: route.post("/", { body: request.json(Long), responses: { 200: response.empty() } }) },
  });
  const fetch = createFetchHandler(defineServer(declared).implement({ long: ({ response }) => response(200) }));
  const { issues } = problemOf(
    await mcpTools(declared, { fetch, tools: { long: "Long." } }).call("long", { body: {} }),
  );
  assertEquals((issues as unknown[]).length, 20);
});

Deno.test("a 5xx reveals no details, declared or not", async () => {
  seen.failures.length = 0;
  assertEquals(await call("fail", { query: { how: "declared" } }), failed("503 Service Unavailable"));
  assertEquals(await call("fail", { query: { how: "undeclared" } }), failed("500 Internal Server Error"));
  assertEquals(seen.failures.length, 1); // the failure is reported to the host
});

Deno.test("an undeclared response is described only by its status", async () => {
  const answers: [answer: () => Response, words: string][] = [
    [
      () => new Response("<h1>The stack</h1>", { status: 404, headers: { "content-type": "text/html" } }),
      "404 Not Found",
    ],
    [() => Response.json({ stack: "secret" }, { status: 418 }), "418 Status 418"],
    [() => Response.redirect("https://example.com/secret"), "302 Found"],
    [
      () =>
        Response.json({ detail: "secret" }, { status: 502, headers: { "content-type": "application/problem+json" } }),
      "502 Bad Gateway",
    ],
    [() => new Response("secret", { headers: { "content-type": "text/html" } }), "The response cannot be read"],
    [() => new Response("{", { headers: { "content-type": "application/json" } }), "The response cannot be read"],
    [() => new Response(null, { status: 206 }), "The response cannot be read"],
    [() => undefined as never, "The server did not respond"],
    [() => {
      throw new Error("secret");
    }, "The server did not respond"],
  ];
  for (const [fetch, words] of answers) {
    const { call } = mcpTools(contract, { fetch, tools: { "users.me": "Who I am." } });
    assertEquals(await call("users_me"), failed(words));
  }
  const { call } = mcpTools(contract, {
    fetch: () => Promise.reject(new Error("secret")),
    tools: { "users.me": "Who I am." },
  });
  assertEquals(await call("users_me"), failed("The server did not respond"));
});

Deno.test("codecs are skipped: a model reads and writes wire values", async () => {
  const { structuredContent } = await call("move", { body: { at: "2026-01-31T12:00:00.000Z" } });
  assertEquals(structuredContent, { at: "2026-02-01T12:00:00.000Z" });
  assertEquals(problemOf(await call("move", { body: { at: "tomorrow" } })).status, 400);
});

Deno.test("codecs of headers do not run: the host sets request headers, and a model receives no response headers", async () => {
  const never = codec(z.object({}), z.object({}), {
    decode: (value) => value,
    encode: () => {
      throw new Error("run");
    },
  });
  const headers = codec(z.object({ "x-day": z.string() }), z.object({ "x-day": z.string() }), {
    decode: () => {
      throw new Error("run");
    },
    encode: (value) => value,
  });
  const contract = defineContract({
    routes: { one: route.get("/", { headers: never, responses: { 200: response.json(z.object({}), { headers }) } }) },
  });
  const fetch = createFetchHandler(
    defineServer(contract).implement({ one: ({ response }) => response(200, {}, { "x-day": "1" }) }),
  );
  const { call } = mcpTools(contract, { fetch, tools: { one: "One." } });
  assertEquals((await call("one")).structuredContent, {});
});

Deno.test("a call sends only the credentials that are passed to it", async () => {
  assertEquals(problemOf(await call("secret")).status, 401);
  assertEquals(problemOf(await call("secret", {}, { headers: { authorization: "Bearer wrong" } })).status, 401);
  const shown = await call("secret", {}, { headers: new Headers({ authorization: "Bearer right" }) });
  assertEquals(shown.structuredContent, { caller: "Ada" });
  assertEquals(problemOf(await call("secret")).status, 401); // nothing is kept of the call before
});

Deno.test("a model cannot set headers, whatever it names them", async () => {
  seen.requests.length = 0;
  for (const name of ["headers", "init", "signal", "timeout", "baseUrl", "url", "fetch", "authorization"]) {
    const given = { [name]: { authorization: "Bearer right" } };
    assertEquals(
      (await call("secret", given)).content,
      text(
        `Cannot call the tool: the arguments must not have "${name}" (allowed: none)`,
      ),
    );
  }
  const renamed = await call("users_rename", {
    params: { id: "42" },
    body: { name: "Ada" },
    headers: { "if-match": '"1"' },
  });
  assertStringIncludes(renamed.content[0]!.text, 'must not have "headers" (allowed: params, body)');
  assertEquals(seen.requests, []);
});

Deno.test("calls are real requests with the client's encoding", async () => {
  seen.requests.length = 0;
  await call("users_list", { query: { page: 1, tag: ["a b", "ä&"] } });
  await call("users_byId", { params: { id: "a b?c#d" } });
  await tools.call("users_rename", { params: { id: 42 }, body: { name: "Ä B" } }, { headers: { "x-trace": "1" } });
  const [list, byId, rename] = seen.requests;
  assertEquals(list?.url, "http://localhost/users?page=1&tag=a+b&tag=%C3%A4%26");
  assertEquals(byId?.url, "http://localhost/users/a%20b%3Fc%23d");
  assertEquals([rename?.method, rename?.url, rename?.headers.get("x-trace"), rename?.headers.get("content-type")], [
    "PATCH",
    "http://localhost/users/42",
    "1",
    "application/x-www-form-urlencoded",
  ]);
  assertEquals(await rename?.text(), "name=%C3%84+B");
});

Deno.test("the option baseUrl is the URL of requests", async () => {
  const urls: string[] = [];
  const { call } = mcpTools(contract, {
    fetch: ({ url }) => (urls.push(url), Response.json({ id: "1", name: "Ada" })),
    baseUrl: new URL("https://api.example.com/v1/"),
    tools: { "users.me": "Who I am." },
  });
  await call("users_me");
  assertEquals(urls, ["https://api.example.com/v1/users/me"]);
});

Deno.test("a call cannot reach another route", async () => {
  seen.requests.length = 0;
  const { content, isError } = await call("users_byId", { params: { id: "me" } });
  assertEquals([isError, seen.requests], [true, []]);
  assertEquals(content[0]!.text, "Cannot call the tool: these params match the tool users_me; call that instead");
  for (const id of ["", ".", "..", "\ud800"]) {
    assertEquals((await call("users_byId", { params: { id } })).isError, true);
  }
  assertEquals(seen.requests, []);
});

Deno.test("an error does not name a route that is not a tool", async () => {
  const { call } = mcpTools(contract, { fetch: fail, tools: { "users.byId": "Find a user." } });
  assertEquals(
    await call("users_byId", { params: { id: "me" } }),
    failed("Cannot call the tool: these params match another route; pass others"),
  );
});

Deno.test("a parameter with a slash or a backslash is refused, unless allowSlashes is true", async () => {
  const urls: string[] = [];
  const fetch = ({ url }: Request): Response => (urls.push(url), Response.json({ id: "1", name: "Ada" }));
  const options = { fetch, tools: { "users.byId": "Find a user." } } as const;
  for (const id of ["../admin", "a/b", "..\\admin", "/"]) {
    assertEquals(
      await mcpTools(contract, options).call("users_byId", { params: { id } }),
      failed("Cannot call the tool: the parameter id must not contain / or \\"),
    );
    assertEquals(
      (await mcpTools(contract, { ...options, allowSlashes: true }).call("users_byId", { params: { id } }))
        .isError,
      undefined,
    );
  }
  assertEquals(urls.slice(0, 3), [
    "http://localhost/users/..%2Fadmin",
    "http://localhost/users/a%2Fb",
    "http://localhost/users/..%5Cadmin",
  ]);
});

/** A `fetch` that must not be called. */
function fail(): never {
  throw new Error("called");
}

Deno.test("mistakes in arguments are results that explain the fix", async () => {
  const mistakes: [given: unknown, words: string][] = [
    [undefined, "Cannot call the tool: the argument params is required"],
    [{}, "Cannot call the tool: the argument params is required"],
    [null, "Cannot call the tool: the arguments must be an object"],
    ["42", "Cannot call the tool: the arguments must be an object"],
    [[{ params: { id: "42" } }], "Cannot call the tool: the arguments must be an object"],
    [{ id: "42" }, 'Cannot call the tool: the arguments must not have "id" (allowed: params)'],
    [{ params: "42" }, "Cannot call the tool: params must be an object"],
    [{ params: null }, "Cannot call the tool: params must be an object"],
    [{ params: ["42"] }, "Cannot call the tool: params must be an object"],
    [{ params: { ID: "42" } }, 'Cannot call the tool: params must not have "ID" (allowed: id)'],
    [{ params: {} }, "Cannot call GET /users/:id (users.byId): the path parameter id is missing"],
    [{ params: { id: {} } }, "Cannot call GET /users/:id (users.byId): the path parameter id must be a string"],
    [{ params: { id: null } }, "Cannot call GET /users/:id (users.byId): the path parameter id must be a string"],
    [
      JSON.parse('{"__proto__":{"params":{"id":"42"}}}'),
      'Cannot call the tool: the arguments must not have "__proto__" (allowed: params)',
    ],
    [
      JSON.parse('{"params":{"__proto__":{"id":"42"}}}'),
      'Cannot call the tool: params must not have "__proto__" (allowed: id)',
    ],
    [Object.create({ params: { id: "42" } }), "Cannot call the tool: the argument params is required"],
  ];
  for (const [given, words] of mistakes) assertEquals(await call("users_byId", given), failed(words));
  assertStringIncludes(
    (await call("users_list", { query: { page: { a: 1 } } })).content[0]!.text,
    '"page" of the query must be a string or an array of strings',
  );
  assertStringIncludes((await call("users_list", { query: 7 })).content[0]!.text, "the query must be a plain object");
});

Deno.test("a tool that does not exist is a result", async () => {
  for (const name of ["users.byId", "users_lost", "", "__proto__", "constructor", "toString"]) {
    assertEquals(await call(name, {}), failed(`The tool ${JSON.stringify(name)} does not exist`));
  }
  for (const name of [undefined, null, 7n, Symbol("x"), {}, Object.create(null)]) {
    assertEquals((await call(name as never)).isError, true);
  }
});

Deno.test("wrong options of a call reject, because the host sets them and the model does not see them", async () => {
  const rows: [options: unknown, message: string][] = [
    [null, "tools.call(): the options must be an object, got null"],
    ["x-a: 1", "tools.call(): the options must be an object, got a string"],
    [{ header: {} }, 'tools.call(): unknown option "header" (allowed: headers, signal)'],
    [{ headers: null }, 'tools.call(): "headers" must be an object, got null'],
    [{ signal: new AbortController() }, 'tools.call(): "signal" must be an AbortSignal, got an object'],
  ];
  for (const [options, message] of rows) {
    for (const name of ["users_me", "users_lost"]) {
      assertEquals((await assertRejects(() => call(name, {}, options as never), TypeError)).message, message);
    }
  }
  assertEquals((await call("users_me", {}, { headers: undefined, signal: undefined })).isError, undefined);
});

Deno.test("huge and deep arguments are results", async () => {
  const deep = JSON.parse("[".repeat(5_000) + "]".repeat(5_000));
  let deeper: unknown = 1;
  for (let depth = 0; depth < 200_000; depth++) deeper = [deeper];
  assertEquals(problemOf(await call("tree", { body: deep })).status, 400);
  assertEquals((await call("tree", { body: deeper })).isError, true);
  assertEquals(problemOf(await call("users_create", { body: { id: "1", name: "x".repeat(5_000_000) } })).status, 413);
  assertEquals((await call("users_byId", { params: { id: "x".repeat(1_000_000) } })).isError, true);
});

Deno.test("arguments that throw when they are read are results", async () => {
  const boom = (): never => {
    throw new Error("boom");
  };
  const hostile = [
    new Proxy({}, { ownKeys: boom }),
    {
      get params(): never {
        return boom();
      },
    },
    { params: new Proxy({ id: "42" }, { get: boom }) },
    { params: { id: "42", toJSON: boom } },
  ];
  for (const given of hostile) assertEquals((await call("users_byId", given)).isError, true);
  assertEquals((await call("tree", { body: { toJSON: boom } })).isError, true);
  assertEquals((await call("tree", { body: 1n })).isError, true);
});

Deno.test("any JSON from a model leads to a result of the protocol and does not change prototypes", async () => {
  const before = Reflect.ownKeys(Object.prototype);
  const names = fc.constantFrom(...tools.list.map(({ name }) => name));
  const slot = fc.constantFrom("params", "query", "body", "headers", "__proto__");
  const value = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.constantFrom("id", "name", "page", "__proto__"), fc.jsonValue()),
  );
  const given = fc.oneof(fc.jsonValue(), fc.dictionary(slot, value));
  await fc.assert(
    fc.asyncProperty(names, given, async (name, given) => {
      const result = await call(name, JSON.parse(JSON.stringify(given)));
      assert(isCallToolResult(result));
      assertEquals(JSON.parse(JSON.stringify(result)), result);
    }),
    tries(300),
  );
  assertEquals(Reflect.ownKeys(Object.prototype), before);
});

Deno.test("a call whose signal aborts rejects with its reason, before and while it runs", async () => {
  const reason = new Error("cancelled");
  assertEquals(await assertRejects(() => call("users_me", {}, { signal: AbortSignal.abort(reason) })), reason);

  const controller = new AbortController();
  let signal: AbortSignal | undefined;
  const { call: slow } = mcpTools(contract, {
    fetch: (request) => {
      signal = request.signal;
      queueMicrotask(() => controller.abort(reason));
      return new Promise(() => {});
    },
    tools: { "users.me": "Who I am." },
  });
  assertEquals(await assertRejects(() => slow("users_me", {}, { signal: controller.signal })), reason);
  assertEquals(signal?.aborted, true);
});

Deno.test("a signal that does not abort has no effect, and a mistake is a result even after an abort", async () => {
  const { signal } = new AbortController();
  assertEquals((await call("users_me", {}, { signal })).structuredContent, { id: "me", name: "Me" });
  assertEquals((await call("users_me", { extra: 1 }, { signal: AbortSignal.abort() })).isError, true);
});

Deno.test("a representation with the structure of JSON is JSON for a model", async () => {
  const odd = representation<unknown>({
    contentType: "application/vnd.odd",
    structure: "json",
    encode: (value) => `odd ${JSON.stringify(value)}`,
    decode: (bytes) => {
      const value = JSON.parse(new TextDecoder().decode(bytes).slice(4));
      return value === "map" ? new Map() : value;
    },
  });
  const Value = z.object({ n: z.number() });
  const contract = defineContract({
    routes: {
      echo: route.post("/", { body: request.as(odd, Value), responses: { 200: response.as(odd, Value) } }),
      any: route.get("/any", { responses: { 200: response.as(odd) } }),
    },
  });
  const answer = createFetchHandler(
    defineServer(contract).implement({
      echo: ({ body, response }) => response(200, body),
      any: ({ response }) => response(200, "map"),
    }),
  );
  const { list, call } = mcpTools(contract, { fetch: answer, tools: { echo: "Echo.", any: "Any." } });
  assertEquals(list[0]?.inputSchema.properties?.body?.required, ["n"]);
  assertEquals(await call("echo", { body: { n: 1 } }), { content: text('{"n":1}'), structuredContent: { n: 1 } });
  assertEquals(problemOf(await call("echo", { body: { n: "1" } })).status, 400);
  assertEquals(await call("any"), failed("The response cannot be read"));
});

Deno.test("middleware and guards apply to calls of tools", async () => {
  const contract = defineContract({
    responses: { 403: response.text(), 429: response.text() },
    routes: { stop: route.post("/stop", { responses: { 204: response.empty() } }) },
  });
  const server = defineServer(contract, { context: ({ request }) => ({ request }) })
    .guard(({ request, response }) => request.headers.has("x-busy") ? response(429, "Later") : undefined)
    .use(({ context, next, response }) => context.request.headers.has("x-admin") ? next() : response(403, "No"));
  const fetch = createFetchHandler(server.implement({ stop: ({ response }) => response(204) }));
  const { call } = mcpTools(contract, { fetch, tools: { stop: "Stop." } });
  assertEquals(await call("stop"), failed("No"));
  assertEquals(await call("stop", {}, { headers: { "x-admin": "1", "x-busy": "1" } }), failed("Later"));
  assertEquals(await call("stop", {}, { headers: { "x-admin": "1" } }), { content: text("204 No Content") });
});
