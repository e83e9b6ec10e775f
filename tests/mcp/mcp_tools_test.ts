import {
  codec,
  type Contract,
  defineContract,
  representation,
  request,
  response,
  route,
  type RouteDeclaration,
  router,
  type RouterNode,
} from "@scope/api";
import { mcpTools, type McpToolsOptions } from "@scope/api/mcp";
import { slimContract } from "@scope/api/slim";
import { assertEquals, assertThrows } from "@std/assert";
import { type } from "arktype";
import * as z from "zod";
import { contract, handler, tools } from "./fixture.ts";

const answer = (): Response => new Response("ok");
const responses = { 200: response.text() };

/** Makes a tool of one route, with the types of no route. */
function makeTool(
  declared: unknown,
  key = "tool",
  given: { readonly description: unknown } = { description: "A tool." },
): void {
  const routes = { [key]: declared as RouteDeclaration };
  const tools = { [key]: given.description as string };
  mcpTools(defineContract({ routes }), { fetch: answer, tools });
}

Deno.test("mcpTools() lists only the chosen routes, in order", () => {
  assertEquals(tools.list.map(({ name }) => name), [
    "users_list",
    "users_me",
    "users_byId",
    "users_create",
    "users_replace",
    "users_rename",
    "users_remove",
    "tree",
    "move",
    "secret",
    "fail",
    "either",
    "exists",
  ]);
  assertEquals(mcpTools(contract, { fetch: handler, tools: {} }).list, []);
});

Deno.test("mcpTools() lists plain JSON, which may be changed without affecting calls", async () => {
  const { list, call } = mcpTools(contract, { fetch: handler, tools: { "users.me": "Who I am." } });
  assertEquals(JSON.parse(JSON.stringify(list)), list);

  list[0]!.inputSchema.properties!.more = { type: "string" };
  list.push({ name: "own", description: "", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } });

  assertEquals((await call("users_me")).structuredContent, { id: "me", name: "Me" });
  assertEquals((await call("users_me", { more: "" })).isError, true);
  assertEquals((await call("own")).isError, true);
});

Deno.test("mcpTools() annotates tools by the methods of their routes", () => {
  const annotations = Object.fromEntries(tools.list.map(({ name, annotations }) => [name, annotations]));
  assertEquals(annotations.users_byId, { readOnlyHint: true });
  assertEquals(annotations.exists, { readOnlyHint: true });
  assertEquals(annotations.users_create, { readOnlyHint: false });
  assertEquals(annotations.users_rename, { readOnlyHint: false, destructiveHint: true });
  assertEquals(annotations.users_replace, { readOnlyHint: false, destructiveHint: true, idempotentHint: true });
  assertEquals(annotations.users_remove, { readOnlyHint: false, destructiveHint: true, idempotentHint: true });

  const routes = {
    search: route.query("/", { body: request.json(z.string()), responses }),
    options: route.options("/", { responses }),
  };
  const others = mcpTools(defineContract({ routes }), { fetch: answer, tools: { search: "Search.", options: "Ask." } });
  assertEquals(others.list.map(({ annotations }) => annotations), [{ readOnlyHint: true }, { readOnlyHint: true }]);
});

const Sum = z.object({ total: z.bigint() });

/** Routes that cannot be tools, with their messages. */
const unsupported: Readonly<Record<string, readonly [declared: unknown, message: string]>> = {
  "a body of bytes": [
    route.post("/", { body: request.bytes(), responses }),
    "mcpTools(): cannot make a tool of tool: its body must be JSON, text or a form, got bytes",
  ],
  "form data": [
    route.post("/", { body: request.formData(z.object({ file: z.file() })), responses }),
    "mcpTools(): cannot make a tool of tool: its body must be JSON, text or a form, got form data, which may have files",
  ],
  "an upload": [
    route.post("/", { body: request.stream(), responses }),
    "mcpTools(): cannot make a tool of tool: its body must be JSON, text or a form, got a stream of bytes",
  ],
  "an upload of items": [
    route.post("/", { body: request.ndjson(type("string")), responses }),
    "mcpTools(): cannot make a tool of tool: its body must be JSON, text or a form, got a stream of items",
  ],
  "a body of several media types": [
    route.post("/", { body: request.text({ contentType: ["text/plain", "text/markdown"] }), responses }),
    "mcpTools(): cannot make a tool of tool: its body must have one media type, got several or a range",
  ],
  "a body of a representation of its own": [
    route.post("/", {
      body: request.as(representation({ contentType: "text/csv", encode: String, decode: String })),
      responses,
    }),
    "mcpTools(): cannot make a tool of tool: its body must be JSON, text or a form, got a representation without the structure of JSON",
  ],
  "a download": [
    route.get("/", { responses: { 200: response.stream() } }),
    "mcpTools(): cannot make a tool of tool: its response 200 must be JSON or text, got a stream of bytes",
  ],
  "a response of bytes": [
    route.get("/", { responses: { 200: response.bytes() } }),
    "mcpTools(): cannot make a tool of tool: its response 200 must be JSON or text, got bytes",
  ],
  events: [
    route.get("/", { responses: { 200: response.sse(z.string()) } }),
    "mcpTools(): cannot make a tool of tool: its response 200 must be JSON or text, got a stream of events",
  ],
  items: [
    route.get("/", { responses: { 200: response.ndjson(z.string()) } }),
    "mcpTools(): cannot make a tool of tool: its response 200 must be JSON or text, got a stream of items",
  ],
  "a connection": [
    route.get("/", { responses: { 101: response.socket({ fromClient: z.string(), fromServer: z.string() }) } }),
    "mcpTools(): cannot make a tool of tool: its response 101 must be JSON or text, got a connection",
  ],
  "a raw error": [
    route.get("/", { responses: { ...responses, 404: response.raw() } }),
    "mcpTools(): cannot make a tool of tool: its response 404 must be JSON or text, got a raw response",
  ],
  "a response that does not convert": [
    route.get("/", {
      responses: {
        200: response.json(
          codec(Sum as never, z.any(), { decode: (value) => value, encode: (value) => value as never }),
        ),
      },
    }),
    "Cannot describe tool: the schema of its response 200 does not convert to JSON Schema: BigInt cannot be represented in JSON Schema; return one from the option schema(route, slot)",
  ],
  "a body that does not convert": [
    route.post("/", { body: request.json(z.custom<string>(() => true)), responses }),
    "Cannot describe tool: the schema of its body does not convert to JSON Schema: Custom types cannot be represented in JSON Schema; return one from the option schema(route, slot)",
  ],
};

for (const [name, [declared, message]] of Object.entries(unsupported)) {
  Deno.test(`mcpTools() refuses ${name}`, () => {
    assertThrows(() => makeTool(declared), TypeError, message);
  });
}

Deno.test("mcpTools() does not convert schemas of headers and of unsuccessful responses", () => {
  const odd = z.custom<string>(() => true);
  const declared = route.get("/", {
    headers: z.object({ "x-odd": odd }),
    responses: { 200: response.text({ headers: z.object({ "x-odd": odd }) }), 400: response.json(odd) },
  });
  makeTool(declared);
});

Deno.test("mcpTools() uses the option schema for slots that do not convert, and as a replacement", () => {
  const routes = {
    sum: route.post("/:id", {
      params: z.object({ id: z.string() }),
      body: request.json(z.custom<string>(() => true)),
      responses: { 200: response.json(z.string()) },
    }),
  };
  const { list } = mcpTools(defineContract({ routes }), {
    fetch: answer,
    tools: { sum: "Sum." },
    schema: (route, slot) => slot === "body" ? { type: "string", title: route.key } : undefined,
  });
  assertEquals(list[0]?.inputSchema.properties?.body, { type: "string", title: "sum" });
  assertEquals(list[0]?.outputSchema?.properties, { result: { type: "string" } });
});

Deno.test("mcpTools() refuses a reference outside of the schema", () => {
  const declared = route.post("/", { body: request.json(z.string()), responses });
  const contract = defineContract({ routes: { tool: declared } });
  for (const $ref of ["https://example.com/user", "#/$defs/User", "#user", "#/components/schemas/User"]) {
    const options = {
      fetch: answer,
      tools: { tool: "A tool." },
      schema: () => ({ type: "object", properties: { a: { $ref } } }),
    };
    assertThrows(
      () => mcpTools(contract, options),
      TypeError,
      `mcpTools(): cannot make a tool of tool: the schema of its body refers to ${$ref}, which it does not define; add it to $defs`,
    );
  }
});

Deno.test("mcpTools() names tools by the keys of their routes, with _ instead of dots", () => {
  const declared = route.get("/leaf", { responses });
  const routes = { "a-b": router("/", { routes: { C_1: router("/", { routes: { leaf: declared } }) } }) };
  const { list } = mcpTools(defineContract({ routes }), { fetch: answer, tools: { "a-b.C_1.leaf": "A tool." } });
  assertEquals(list.map(({ name }) => name), ["a-b_C_1_leaf"]);
});

Deno.test("mcpTools() refuses a key that cannot be the name of a tool", () => {
  for (const key of ["日本語", "a b", "a/b", "~standard", "x".repeat(129)]) {
    assertThrows(
      () => makeTool(route.get("/", { responses }), key),
      TypeError,
      `mcpTools(): cannot make a tool of ${
        JSON.stringify(key)
      }: its key must have at most 128 characters, of ASCII letters, digits, _, - and dots; rename it`,
    );
  }
  makeTool(route.get("/", { responses }), "x".repeat(128));
  makeTool(route.get("/", { responses }), "constructor");
  makeTool(route.get("/", { responses }), "then");
});

Deno.test("mcpTools() refuses two routes with one name", () => {
  const routes = {
    a_b: route.get("/1", { responses }),
    a: router("/", { routes: { b: route.get("/2", { responses }) } }),
  };
  assertThrows(
    () => mcpTools(defineContract({ routes }), { fetch: answer, tools: { a_b: "One.", "a.b": "Two." } }),
    TypeError,
    "mcpTools(): cannot make a tool of a.b: a_b has the same tool name a_b; rename one of the keys",
  );
});

Deno.test("mcpTools() refuses a tool without a description", () => {
  for (const description of ["", " \n", undefined, null, 7, { description: "A tool." }]) {
    assertThrows(
      () => makeTool(route.get("/", { responses }), "tool", { description }),
      TypeError,
      "mcpTools(): cannot make a tool of tool: its description is required; describe what it does and when to use it",
    );
  }
});

Deno.test("mcpTools() refuses an unknown route key", () => {
  for (const key of ["users", "users.lost", "", "toString", "__proto__", "constructor"]) {
    const tools = Object.fromEntries([[key, "A tool."]]);
    assertThrows(
      () => mcpTools(contract, { fetch: handler, tools }),
      TypeError,
      `mcpTools(): cannot make a tool of ${
        JSON.stringify(key)
      }: it is not the key of a route; use a key such as users.list`,
    );
  }
});

Deno.test("mcpTools() refuses unknown options and invalid values", () => {
  const options: Readonly<Record<string, [options: unknown, message: string]>> = {
    unknown: [
      { fetch: answer, tools: {}, name: "x" },
      'unknown option "name" (allowed: fetch, tools, baseUrl, schema, allowSlashes)',
    ],
    none: [undefined, "must be a plain object like { key: … }, got undefined"],
    "no fetch": [{ tools: {} }, 'mcpTools(): "fetch" must be a function, such as a mounted handler, got undefined'],
    "no tools": [{ fetch: answer }, "must be a plain object like { key: … }, got undefined"],
    "a list": [{ fetch: answer, tools: ["users.me"] }, "must be a plain object like { key: … }, got an array"],
    "a schema": [{ fetch: answer, tools: {}, schema: {} }, 'mcpTools(): "schema" must be a function, got an object'],
    "a text": [
      { fetch: answer, tools: {}, allowSlashes: "no" },
      'mcpTools(): "allowSlashes" must be a boolean, got "no"',
    ],
    "a path": [{ fetch: answer, tools: {}, baseUrl: "/api" }, '"baseUrl" must be an absolute http or https URL'],
  };
  for (const [given, message] of Object.values(options)) {
    assertThrows(
      () => mcpTools(contract, given as McpToolsOptions<typeof contract.routes>),
      TypeError,
      message,
    );
  }
});

Deno.test("mcpTools() refuses a value that is not a contract, and a slim contract with its own message", () => {
  const slim = slimContract<Contract<RouterNode<object>>>({});
  assertThrows(
    () => mcpTools(slim as never, { fetch: answer, tools: {} }),
    TypeError,
    "mcpTools(): the contract must be made by defineContract(), got a slim contract, which has no schemas; import the whole contract instead",
  );
  assertThrows(
    () => mcpTools({} as never, { fetch: answer, tools: {} }),
    TypeError,
    "mcpTools(): the contract must be made by defineContract(), got ",
  );
});

Deno.test("mcpTools() converts the schemas of ArkType too", () => {
  const User = type({ id: "string.uuid", "nick?": "string" });
  const routes = {
    byId: route.get("/:id", { params: type({ id: "string.uuid" }), responses: { 200: response.json(User) } }),
  };
  const { list } = mcpTools(defineContract({ routes }), { fetch: answer, tools: { byId: "Find." } });
  assertEquals(list[0]?.inputSchema.required, ["params"]);
  assertEquals(list[0]?.outputSchema?.required, ["id"]);
});
