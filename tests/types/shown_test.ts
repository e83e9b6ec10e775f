import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { calls, linesOf, shortHovers, shortProgram, successFirst } from "./hovers.ts";
import { checkProgram, openInEditor, showDocs, showTypes } from "./program.ts";

const program = `
import { defineContract, response, route, router } from "@scope/api";
import { createClient, unwrap } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { type } from "arktype";

const User = type({ id: "string", name: "string" });
const contract = defineContract({
  responses: { 401: response.text() },
  routes: {
    users: router("/users", {
      routes: {
        byId: route.get("/:id", { params: type({ id: "string" }), responses: { 200: response.json(User) } }),
        list: route.get("/", { query: type({ "q?": "string" }), responses: { 200: response.ndjson(User) } }),
      },
    }),
  },
});
const server = defineServer(contract, { context: ({ ip }: { ip: string }) => ({ ip, user: ip as string | undefined }) });
const members = server.use(({ context: made, next, response }) =>
  made.user === undefined ? response(401, "who?") : next({ user: made.user })
);
const implementation = members.implement({
  users: {
    byId: ({ params, context, response: build }) => build(200, { id: params.id, name: context.user }),
    list: ({ query, response }) => response(200, []),
  },
});
const handler = createFetchHandler(implementation, { contextInput: (_request, info: { ip: string }) => info });
const client = createClient(contract, { baseUrl: "https://api.example.com" });
const result = await client.users.byId({ params: { id: "1" } });
const listed = await client.users.list();
const items = unwrap(listed);
const user = unwrap(result);
const url = client.users.byId.url;
`;

Deno.test("an editor shows the declaration without internal types", () => {
  assertEquals(checkProgram(program).errors, []);
  const types = showTypes(program);
  const shown = {
    made: "{ ip: string; user: string | undefined; }",
    params: "{ id: string; }",
    context: "{ ip: string; user: string; }",
    query: "{ q?: string; }",
    implementation: "Implementation<{ ip: string; }>",
    handler: "MountedHandler<[info: { ip: string; }]>",
    result: "ReceivedResponse<200, { id: string; name: string; }, Headers> | ReceivedResponse<401, string, Headers>",
    items: "ItemReader<{ id: string; name: string; }>",
    user: "{ id: string; name: string; }",
    url: '(input: ParamsInput<"id", string>) => string',
  };
  assertEquals(Object.fromEntries(Object.keys(shown).map((name) => [name, types.get(name)])), shown);
});

Deno.test("an editor shows a handler's input, a client and its calls in their short form", () => {
  const program = `
import { defineContract, response, route, router } from "@scope/api";
import { createClient } from "@scope/api/client";
import { defineServer } from "@scope/api/server";
import { z } from "zod";

const page = z.object({ page: z.string().optional() });
const coerced = z.object({ page: z.coerce.number().optional(), tag: z.string() });
const text = { 200: response.text() };
const contract = defineContract({
  routes: {
    health: route.get("/health", { responses: text }),
    users: router("/users", {
      routes: {
        list: route.get("/", { query: page, responses: text }),
        byId: route.get("/:id", { params: z.object({ id: z.string() }), query: page, responses: text }),
        search: route.get("/search", { query: coerced, responses: text }),
      },
    }),
  },
});
defineServer(contract, { context: () => ({ db: 1 }) }).implement({
  health: (healthInput) => healthInput.response(200, "ok"),
  users: {
    list: (listInput) => listInput.response(200, ""),
    byId: ({ params, response }) => response(200, params.id),
    search: ({ query, response }) => response(200, query.tag),
  },
});
const client = createClient(contract, { baseUrl: "https://api.example.com" });
const health = client.health;
const list = client.users.list.request;
const byId = client.users.byId.url;
const search = client.users.search.url;
`;
  assertEquals(checkProgram(program).errors, []);
  const types = showTypes(program);
  const shown = {
    health:
      "{ (options?: CallOptions | undefined): CallPromise<200, ReceivedResponse<200, string, Headers>, never>; url(): string; request(options?: CallOptions | undefined): Promise<Request>; }",
    list:
      "(input?: { readonly query?: { readonly page?: string | undefined; } | undefined; } | undefined, options?: CallOptions | undefined) => Promise<Request>",
    byId:
      "(input: { readonly params: { id: string; }; readonly query?: { readonly page?: string | undefined; } | undefined; }) => string",
    search:
      "(input: { readonly query: { readonly tag: string; readonly page?: TextValue | readonly TextValue[] | undefined; }; }) => string",
  };
  assertEquals(Object.fromEntries(Object.keys(shown).map((name) => [name, types.get(name)])), shown);
  // these are too long for an editor to show whole
  assertStringIncludes(
    types.get("healthInput") ?? "",
    '{ readonly context: { db: number; }; readonly signal: AbortSignal; readonly route: RouteInfo<"health", "GET", "/health">; readonly response: CreateResult<{ 200: ResponseDeclaration<',
  );
  assertStringIncludes(
    types.get("listInput") ?? "",
    "{ readonly query: { page?: string | undefined; }; readonly context: { db: number; }; readonly signal: AbortSignal; readonly route:",
  );
  assertStringIncludes(
    types.get("client") ?? "",
    "{ readonly health: { (options?: CallOptions | undefined): CallPromise<200, ReceivedResponse<200, string, Headers>, never>; url(): string;",
  );
});

Deno.test("an editor shows every status that a call may return, even if it leaves out some of the results", () => {
  const program = `
import { defineContract, response, route } from "@scope/api";
import { createClient } from "@scope/api/client";
import { z } from "zod";

const Task = z.object({ id: z.string(), title: z.string(), notes: z.string(), tags: z.array(z.string()), done: z.boolean(), createdAt: z.string(), owner: z.object({ id: z.string(), name: z.string() }) });
const problem = response.problem();
const contract = defineContract({
  responses: { 401: problem, 429: problem },
  routes: {
    update: route.patch("/tasks/:id", {
      params: z.object({ id: z.string() }),
      headers: z.object({ "if-match": z.string() }),
      body: Task.partial(),
      responses: { 200: response.json(Task), 404: problem, 409: response.json(z.object({ current: Task })), 412: problem },
    }),
  },
});
const client = createClient(contract, { baseUrl: "https://api.example.com" });
client.update({ params: { id: "1" }, headers: { "if-match": "*" }, body: {} });
`;
  assertEquals(checkProgram(program).errors, []);
  const hover = openInEditor(program).hoverOf("update(");
  assertMatch(hover, / more \.\.\. /); // it is too long to show every result
  const [, statuses = ""] = hover.match(/CallPromise<([\d |]+), /) ?? [];
  assertEquals(statuses.split(" | ").toSorted(), ["200", "401", "404", "409", "412", "429"]);
});

Deno.test("an editor shows the headers of a result by a name in a function that is generic over a route", () => {
  const program = `
import type { RouteNode } from "@scope/api";
import type { ClientResult } from "@scope/api/client";
export function headersOf<Route extends RouteNode>(result: ClientResult<Route>) {
  const received = result.headers;
  return received;
}
`;
  assertEquals(checkProgram(program).errors, []);
  assertEquals(
    openInEditor(program).hoverOf("received ="),
    `const received: ReceivedHeaders<ContentOf<Route["responses"][keyof Route["responses"] & number]>["headers"]>`,
  );
});

/** Two routes that inherit failures. Each declares a failure before its success. */
const failing = `
import { defineContract, response, route } from "@scope/api";
import { createClient } from "@scope/api/client";
import { z } from "zod";

const problem = response.problem();
const contract = defineContract({
  responses: { 401: problem, 403: problem, 429: problem },
  routes: {
    first: route.get("/first", { responses: { 404: response.text(), 200: response.json(z.object({ id: z.string() })) } }),
    second: route.post("/second", { responses: { 409: response.text(), 201: response.json(z.object({ at: z.string() })) } }),
  },
});
const client = createClient(contract, { baseUrl: "https://api.example.com" });
`;

Deno.test("an editor lists the success of a call before its failures, which may be inherited or declared before it", () => {
  const program = `${failing}const result = await client.second();\n`;
  assertEquals(checkProgram(program).errors, []);
  const { hoverOf } = openInEditor(program);
  for (const hover of [hoverOf("second()"), hoverOf("result")]) {
    const statuses = [...hover.matchAll(/ReceivedResponse<(\d+)/g)].map(([, status]) => Number(status));
    assertEquals([statuses[0], statuses.toSorted()], [201, [201, 401, 403, 409, 429]]);
  }
});

Deno.test("an editor shows the success of a call after a call with the same failures", () => {
  const program = `${failing}await client.first();\nconst result = await client.second();\n`;
  assertEquals(checkProgram(program).errors, []);
  const { hoverOf } = openInEditor(program);
  for (const hover of [hoverOf("second()"), hoverOf("result")]) {
    assertMatch(hover, /ReceivedResponse<201, \{\s+at: string;\s+\}, Headers>/);
  }
});

Deno.test("an editor shows a call with text parameters in at most six lines, and three beside the members of a body and a result", () => {
  assertEquals(checkProgram(shortProgram).errors, []);
  const { hoverOf } = openInEditor(shortProgram);
  assertEquals(Object.fromEntries(Object.keys(shortHovers).map((name) => [name, linesOf(hoverOf(name))])), shortHovers);
  for (const name of calls) assertMatch(hoverOf(name), successFirst);
  assertMatch(
    hoverOf("read({"),
    /^\(property\) read: \(input: ParamsInput<("folder" \| "id"|"id" \| "folder"), string>, /,
  );
});

Deno.test("an editor shows the doc comment of a route at its calls, and those of url() and request() at these", () => {
  const program = `
import { defineContract, response, route, router } from "@scope/api";
import { createClient } from "@scope/api/client";
import { defineServer } from "@scope/api/server";
const responses = { 200: response.text() };
const contract = defineContract({
  routes: {
    /** All berths. */
    berths: router("/berths", {
      routes: {
        /** Requests a berth. */
        create: route.get("/:id", { responses }),
        plain: route.get("/", { responses }),
      },
    }),
  },
});
defineServer(contract).implement({
  berths: { create: ({ response }) => response(200, "handled"), plain: ({ response }) => response(200, "plain") },
});
const client = createClient(contract, { baseUrl: "https://api.example.com" });
const params = { id: "1" };
await client.berths.create({ params });
await client.berths.plain();
client.berths.create.url({ params });
client.berths.create.request({ params });
const { create: taken } = client.berths;
`;
  assertEquals(checkProgram(program).errors, []);
  const { docsOf } = openInEditor(program);
  assertEquals(docsOf("create({"), "Requests a berth.");
  assertEquals(docsOf("create.url"), "Requests a berth.");
  assertEquals(docsOf("create: ({ response })"), "Requests a berth.");
  assertEquals(docsOf("create: taken"), "Requests a berth.");
  assertEquals(docsOf("berths.create({"), "All berths.");
  assertEquals(docsOf("plain()"), "");
  assertEquals(docsOf("url({"), "Returns the URL of a call, without sending it.");
  assertMatch(docsOf("request({"), /^Builds the request of a call, without sending it\./);
});

Deno.test("an editor shows the docs of routes at calls and handlers, including deprecations", () => {
  const program = `
import { defineContract, response, route, router } from "@scope/api";
import { createClient } from "@scope/api/client";
import { defineServer, type HandlersOf } from "@scope/api/server";
const contract = defineContract({
  routes: {
    /** Everyone. */
    users: router("/users", {
      routes: {
        /**
         * One of them.
         * @deprecated Use the list.
         */
        byId: route.get("/:id", { responses: { 200: response.empty() } }),
      },
    }),
  },
});
const server = defineServer(contract);
const client = createClient(contract, { baseUrl: "https://api.example.com" });
client.users.byId;
declare const handlers: HandlersOf<typeof server>;
handlers.users.byId;
server.implement({ users: { byId: (input) => (input.context, { status: 200 }) } });
`;
  assertEquals(checkProgram(program).errors, []);
  const docs = showDocs(program);
  assertEquals(docs.get("client.users"), "Everyone.");
  assertEquals(docs.get("client.users.byId"), "One of them. @deprecated");
  assertEquals(docs.get("handlers.users.byId"), "One of them. @deprecated");
  assertEquals(
    docs.get("input.context"),
    "The value of the server's `context` factory for this request, with the additions of middleware.",
  );
});

Deno.test("an editor strikes through calls and handlers of a deprecated route, and leads from both to its declaration", () => {
  const program = `
import { defineContract, response, route, router } from "@scope/api";
import { createClient } from "@scope/api/client";
import { defineServer, type HandlersOf } from "@scope/api/server";
const responses = { 200: response.empty() };
const contract = defineContract({
  routes: {
    users: router("/users", {
      routes: {
        /** @deprecated Use the list. */
        byId: route.get("/:id", { responses }),
        list: route.get("/", { responses }),
      },
    }),
    /** @deprecated Gone soon. */
    old: router("/old", { routes: { leaf: route.get("/", { responses }) } }),
  },
});
const server = defineServer(contract);
const client = createClient(contract, { baseUrl: "https://api.example.com" });
declare const handlers: HandlersOf<typeof server>;
export const used = [client.users.list, handlers.users.list, client.users.byId, handlers.users.byId, client.old.leaf];
`;
  assertEquals(checkProgram(program).errors, []);
  const { struck, definitionOf } = openInEditor(program);
  assertEquals(struck, ["byId", "byId", "old"]);
  assertEquals(definitionOf("byId, handlers"), 'byId: route.get("/:id", { responses }),');
  assertEquals(definitionOf("byId, client"), 'byId: route.get("/:id", { responses }),');
  assertEquals(definitionOf("leaf]"), 'old: router("/old", { routes: { leaf: route.get("/", { responses }) } }),');
  const implementing = `${program}
server.implement({
  users: { byId: () => ({ status: 200 }), list: () => ({ status: 200 }) },
  old: { leaf: () => ({ status: 200 }) },
});
`;
  assertEquals(checkProgram(implementing).errors, []);
  assertEquals(openInEditor(implementing).definitionOf("byId: () =>"), 'byId: route.get("/:id", { responses }),');
});

Deno.test("an editor shows mutationOptions() by the input and the results of its call", () => {
  const program = `
import { defineContract, response, route } from "@scope/api";
import { createClient } from "@scope/api/client";
import { mutationOptions } from "@scope/api/tanstack-query";
import { type } from "arktype";

const Task = type({ id: "string", title: "string", tags: "string[]" });
const change = route.patch("/:id", {
  body: type({ title: "string" }),
  responses: { 200: response.json(Task), 404: response.problem(), 412: response.empty() },
});
const client = createClient(defineContract({ routes: { change } }), { baseUrl: "https://api.example.com" });
const options = mutationOptions(client.change);
`;
  assertEquals(checkProgram(program).errors, []);
  const { hoverOf } = openInEditor(program);
  const shown = hoverOf("mutationOptions");
  assertMatch(
    shown,
    /ParamsAndBody<"id", \{\s+title: string;[^]*ReceivedResponse<412, undefined, /,
  );
  assert(shown.length < 800, `${shown.length} characters`);
  const own = hoverOf("options =").split("\n").filter((line) => !line.startsWith("    ")); // without members of schemas
  assertEquals(own.length, 3);
});

Deno.test("an editor shows a result, the options of a query and their key in at most six lines, with the error by its name", () => {
  const program = `
import { defineContract, response, route } from "@scope/api";
import { createClient, isErrorOf } from "@scope/api/client";
import { infiniteQueryOptions, mutationOptions, queryKey, queryOptions } from "@scope/api/tanstack-query";
import { z } from "zod";

const problem = response.problem();
const Note = z.object({ id: z.string(), text: z.string(), tags: z.array(z.string()) });
const contract = defineContract({
  responses: { 401: problem, 403: problem, 429: problem },
  routes: {
    read: route.get("/notes/:id", { responses: { 404: problem, 200: response.json(Note) } }),
    all: route.get("/notes", { responses: { 200: response.json(z.array(Note)) } }),
    remove: route.delete("/notes/:id", { responses: { 412: response.empty(), 204: response.empty() } }),
  },
});
const client = createClient(contract, { baseUrl: "https://api.example.com" });
const result = await client.read({ params: { id: "1" } });
const options = queryOptions(client.read, { params: { id: "1" } });
const key = queryKey(client.all);
const mutation = mutationOptions(client.remove);
const pages = infiniteQueryOptions(client.read, { next: () => "1", input: (id = "") => ({ params: { id } }) });
const { error } = { error: undefined as unknown };
if (isErrorOf(client.read, error)) error.result;
`;
  assertEquals(checkProgram(program).errors, []);
  const { hoverOf } = openInEditor(program);
  const body = "{\n    id: string;\n    text: string;\n    tags: string[];\n}";
  const failures = (hover: string): number[] =>
    [...hover.matchAll(/ReceivedResponse<(\d+), Problem, Headers>/g)].map(([, status]) => Number(status)).toSorted();
  const shown = {
    result: [`const result: ReceivedResponse<200, ${body}, Headers> | ReceivedResponse<`, [401, 403, 404, 429]],
    options: [`const options: QueryOptions<${body}, CallError<ReceivedResponse<`, [401, 403, 404, 429]],
    key: [`const key: TypedQueryKey<${body}[], CallError<ReceivedResponse<`, [401, 403, 429]],
  } as const;
  for (const [name, [start, statuses]] of Object.entries(shown)) {
    const hover = hoverOf(`${name} =`);
    assertEquals([hover.slice(0, start.length), failures(hover)], [start, [...statuses]]);
  }
  assertMatch(hoverOf("mutation ="), /^const mutation: MutationOptions<[^]*, undefined, CallError<ReceivedResponse</);
  assertMatch(
    hoverOf("pages ="),
    /^const pages: InfiniteQueryOptions<Page<[^]*, string>, string, CallError<ReceivedResponse</,
  );
  for (const name of ["result", "options", "key", "mutation", "pages"]) {
    const lines = hoverOf(`${name} =`).split("\n");
    assert(lines.length <= 6, `${name}: ${lines.length} lines`);
  }
  assertMatch(hoverOf("error.result"), /^const error: CallError<ReceivedResponse<[^\n]*>$/);
});
