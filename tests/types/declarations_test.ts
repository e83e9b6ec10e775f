import { assertEquals, assertLess, assertMatch } from "@std/assert";
import { checkAgainst, emitDeclarations } from "./program.ts";

/**
 * The exports of a package with an HTTP API: a contract, a client and a server with all their parts, their types
 * inferred.
 */
const exporting = `
import { codec, defineContract, representation, request, response, route, router } from "@scope/api";
import { ClientError, createClient, unwrap } from "@scope/api/client";
import { createFetchHandler, fetchAdapter } from "@scope/api/fetch";
import { mcpTools } from "@scope/api/mcp";
import { docsPage, openApiDocument } from "@scope/api/openapi";
import { mutationOptions, queryKey, queryOptions } from "@scope/api/tanstack-query";
import { type CreateResult, defineServer, type HandlersOf, type MiddlewareInput } from "@scope/api/server";
import * as v from "valibot";
import { z } from "zod";

export const User = z.object({ id: z.string(), name: z.string() });
export const NotFound = response.json(z.object({ message: z.string() }));
export const Day = codec(z.string(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() });
export const Created = response.empty({ headers: z.object({ location: z.string(), "set-cookie": z.array(z.string()) }) });
export const byId = route.get("/:id", { responses: { 200: response.json(User), 404: NotFound } });
export const lines = representation<readonly number[]>({
  contentType: "text/vnd.numbers",
  encode: (numbers) => numbers.join("\\n"),
  decode: (bytes) => new TextDecoder().decode(bytes).split("\\n").map(Number),
});
const page = z.object({ page: z.coerce.number().optional(), q: z.string().optional() });
export const users = router("/users", {
  responses: { 401: response.text() },
  routes: {
    byId,
    list: route.get("/", { query: page, responses: { 200: response.ndjson(User) } }),
    create: route.post("/", { body: v.object({ name: v.string() }), responses: { 201: Created, 400: response.problem() } }),
    events: route.get("/events", { responses: { 200: response.sse(User) } }),
    ticks: route.get("/ticks", {
      headers: z.object({ "last-event-id": z.string().optional() }),
      responses: { 200: response.sse(User) },
    }),
    upload: route.put("/file", { body: request.stream({ optional: true }), responses: { 202: response.stream() } }),
    bytes: route.put("/bytes", { body: request.bytes(), responses: { 200: response.bytes() } }),
    form: route.post("/form", { body: request.formData(z.object({ file: z.file() })), responses: { 204: response.empty() } }),
    fields: route.post("/fields", { body: request.formData(), responses: { 204: response.empty() } }),
    note: route.post("/note", { body: request.form(z.object({ note: z.string().optional() })), responses: { 200: response.json(Day) } }),
    double: route.post("/double", { body: request.as(lines), responses: { 200: response.as(lines, z.array(z.number())) } }),
    ranged: route.put("/ranged", {
      body: request.bytes({ contentType: "image/*" }),
      responses: { 200: response.text({ contentType: ["text/plain", "text/html"] }) },
    }),
    raw: route.get("/raw", { responses: { 200: response.raw() } }),
    room: route.get("/room", {
      responses: { 101: response.socket({ fromClient: User, fromServer: Day, closes: { 4001: "The room was closed" } }) },
    }),
  },
});
export const contract = defineContract({
  responses: { 429: response.empty() },
  routes: { users, health: route.get("/health", { responses: { 200: response.text() } }) },
});
export const routes = contract.routes;
export const declared = routes.users.byId.responses;
export const body = routes.users.form.body;
export const { get, post } = route;

export const client = createClient(contract, { baseUrl: "https://api.example.com" });
export const { byId: callById, list: callList } = client.users;
export const ticks = client.users.ticks;
export const find = (id: string) => client.users.byId({ params: { id } });
export const nameOf = async (id: string) => unwrap(await find(id));
export const watch = async () => unwrap(await client.users.events());
export const list = async () => unwrap(await client.users.list({ query: { q: "a" } }));
export const whyNot = (error: ClientError) => ({ ...error });
export const userQuery = (id: string) => queryOptions(client.users.byId, { params: { id } });
export const noteMutation = mutationOptions(client.users.note);
export const userKey = queryKey(client.users.byId);
export const tools = mcpTools(contract, { fetch: () => new Response(), tools: { "users.byId": "Find a user by id." } });
export const findTool = tools.list.find(({ name }) => name === "users_byId");
export const callTool = (id: string) => tools.call("users_byId", { params: { id } });
export const uploadUrl = client.users.upload.url;

export const stamp = async ({ next }: MiddlewareInput) => {
  const result = await next({ id: "1" });
  return { ...result, headers: { ...result.headers, "x-id": "1" } };
};
export const pass = ({ next }: MiddlewareInput) => next();
export const refuse = (response: CreateResult<{ 404: typeof NotFound }>) => response(404, { message: "none" });
export const base = defineServer(contract, { context: ({ ip }: { ip: string }) => ({ ip, user: ip as string | undefined }) });
export const server = base.use(stamp).use(({ context, next, response }) =>
  context.user === undefined ? response(429) : next({ user: context.user })
);
export type Handlers = HandlersOf<typeof server>;
export const health: Handlers["health"] = ({ response }) => response(200, "ok");
export const show = (input: Parameters<Handlers["users"]["byId"]>[0]) => ({ ...input, info: input.route, make: input.response });
export const answer = ({ response }: Parameters<Handlers["users"]["create"]>[0]) =>
  response(201, undefined, { location: "/", "set-cookie": [] });
export const byIdFragment = server.implement(routes.users.byId, ({ params, response }) =>
  params.id === "" ? refuse(response) : response(200, { id: params.id, name: "Ada" })
);
export const usersFragment = server.implement(routes.users, {
  byId: byIdFragment,
  list: ({ response }) => response(200, []),
  create: answer,
  events: ({ response }) => response(200, []),
  ticks: ({ response }) => response(200, []),
  upload: ({ response }) => response(202, []),
  bytes: ({ body, response }) => response(200, body),
  form: ({ response }) => response(204),
  fields: ({ response }) => response(204),
  note: ({ response }) => response(200, new Date()),
  double: ({ body, response }) => response(200, [...body, ...body]),
  ranged: ({ contentType, response }) => response(200, contentType, { "content-type": "text/html" }),
  raw: ({ response }) => response(200, new Response()),
  room: ({ response }) => response(101, async (socket) => {
    for await (const { id } of socket) await socket.send(new Date(id));
    socket.close(4001);
  }),
});
export const tree = { health, users: usersFragment };
export const implementation = server.implement(tree);
export const handler = createFetchHandler(implementation, { contextInput: (_request, info: { ip: string }) => info });
export const adapter = fetchAdapter({ onError: ({ phase }) => void phase });
export const document = openApiDocument(contract, { info: { title: "Users", version: "1.0.0" } });
export const { paths, components } = document;
export const html = docsPage({ document });
`;

/** A second package that uses it. */
const importing = `
import { createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { client, contract, handler, implementation, refuse, server, stamp, tree } from "./declared.ts";

const same: typeof client = createClient(contract, { baseUrl: "https://api.example.com" });
const found = await same.users.byId({ params: { id: "1" } });
const name: string = found.status === 200 ? found.body.name : found.status === 404 ? found.body.message : "";
const text: Promise<Response> | Response = handler(new Request("https://api.example.com"), { ip: name });
defineServer(contract).use(stamp).implement({ ...tree, health: ({ context, response }) => response(200, context.id + text) });
createFetchHandler(server.implement(tree), { contextInput: () => ({ ip: "" }) });
const { byId } = contract.routes.users;
server.implement(byId, ({ response }) => refuse(response));
// @ts-expect-error the context needs an ip
createFetchHandler(implementation);
// @ts-expect-error no number
await client.users.byId({ params: { id: [] } });
// @ts-expect-error no 404
server.implement(contract.routes.health, ({ response }) => refuse(response));
`;

/** The exports of a package whose contract has a name. */
const named = `
import { defineContract, response, route } from "@scope/api";
import { type Client, createClient } from "@scope/api/client";
import { defineServer, type HandlersOf } from "@scope/api/server";
import { z } from "zod";

const declared = defineContract({
  routes: {
${
  Array.from({ length: 40 }, (_, n) =>
    `r${n}: route.post("/r${n}/:id", {
      body: z.object({ name${n}: z.string() }),
      responses: { 200: response.json(z.object({ name${n}: z.string() })), 404: response.problem() },
    }),`).join("\n")
}
  },
});
type Declared = typeof declared;
export interface Api extends Declared {}
export const contract: Api = declared;
export const server = defineServer(contract, { context: () => ({ db: 1 }) });
export const client: Client<Api["routes"]> = createClient(contract, { baseUrl: "https://api.example.com" });
export const fragment = server.implement(contract.routes.r1, ({ body, response }) => response(200, body));
export const implement = (handlers: HandlersOf<typeof server>) => server.implement(handlers);
`;

Deno.test("the declarations of a server, a client and a helper refer to a contract by its name", () => {
  const { errors, text } = emitDeclarations(named);
  assertEquals(errors, []);
  for (const name of ["server", "client", "implement"]) {
    const [declaration = ""] = text.match(new RegExp(`export declare const ${name}: [^]*?(?=\nexport |$)`)) ?? [];
    assertMatch(declaration, /\b(?:Api|typeof server)\b/);
    assertLess(declaration.length, 200);
  }
  const importing = `
import { client, contract, server } from "./declared.ts";
const found = await client.r1({ params: { id: "1" }, body: { name1: "Ada" } });
export const name: string = found.status === 200 ? found.body.name1 : found.body.title ?? "";
server.implement(contract.routes.r2, ({ body, context, response }) => response(200, { name2: body.name2 + context.db }));
// @ts-expect-error the body has name2
server.implement(contract.routes.r2, ({ body, response }) => response(200, { name2: body.name1 }));
// @ts-expect-error the other handlers are missing
server.implement({ r1: ({ body, response }) => response(200, body) });
`;
  assertEquals(checkAgainst(text, importing), []);
});

const { errors, text } = emitDeclarations(exporting);

Deno.test("the declarations of a package with a contract, a client and a server refer only to entry points", () => {
  assertEquals(errors, []);
  const imported = [...text.matchAll(/(?:from |import\()"(@scope[^"]*)"/g)].map(([, door]) => door);
  assertEquals(
    [...new Set(imported)].filter((door) =>
      !/^@scope\/api(?:\/(?:client|fetch|mcp|openapi|server|tanstack-query))?$/.test(door ?? "")
    ),
    [],
  );
});

Deno.test("a package that imports these declarations is checked as strictly as with their source", () => {
  assertEquals(checkAgainst(text, importing), []);
});

/** The exports of a package with an API with security. */
const exportingSecured = `
import { defineContract, response, route, router, security } from "@scope/api";
import { createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer, type GuardInput, type HandlersOf, verify } from "@scope/api/server";

export const token = security.bearer("token", { scopes: ["read", "write"] });
export const basic = security.basic("basic");
export const partner = security.apiKey("partner", { header: "x-api-key" });
export const session = security.cookie("session", { cookie: "session" });
export const tls = security.custom("tls", { challenge: "Mutual", openapi: { type: "mutualTLS" } });
export const reader = token.scoped("read");
export const list = [reader, session, security.none] as const;
export const { bearer, custom, none } = security;
export const shared = { 429: response.problem() };
const ok = { 200: response.text() };
export const contract = defineContract({
  security: list,
  responses: shared,
  routes: {
    open: route.get("/open", { security: [], responses: ok }),
    feed: route.get("/feed", { responses: ok }),
    notes: router("/notes", {
      security: [token.scoped("write"), tls, basic, partner],
      routes: { add: route.post("/", { responses: ok }), list: route.get("/", { security: [session], responses: ok }) },
    }),
  },
});
export const byToken = verify(token, ({ token }) => ({ id: token, scopes: [] }));
export const bySession = verify(session, async ({ value }, { ip }: { ip: string }) => ({ id: value, ip }));
export const server = defineServer(contract, {
  security: [
    byToken,
    bySession,
    verify(tls, () => ({ id: "tls" })),
    verify(basic, ({ username }) => ({ id: username })),
    verify(partner, ({ key }) => ({ id: key })),
  ],
  context: ({ caller }) => ({ by: caller?.id }),
});
export const limit = ({ caller, response }: GuardInput<typeof shared>) => caller ? undefined : response(429);
export const guarded = server.guard(limit).guard((_input, { env }: { env: string }) => void env);
export type Handlers = HandlersOf<typeof guarded>;
export const feed: Handlers["feed"] = ({ caller, response }) => response(200, caller?.id ?? "nobody");
export const notesServer = guarded.at(contract.routes.notes);
export const notes = notesServer.implement({
  add: ({ caller, response }) => response(200, caller.id),
  list: ({ caller, response }) => response(200, caller.ip),
});
export const implementation = guarded.implement({ open: ({ response }) => response(200, ""), feed, notes });
export const handler = createFetchHandler(implementation, { contextInput: () => ({ ip: "", env: "" }) });
export const client = createClient(contract, {
  baseUrl: "https://api.example.com",
  credentials: { token: "a", partner: () => "b" },
});
`;

Deno.test("the declarations of a package with security refer only to entry points", () => {
  const { errors, text } = emitDeclarations(exportingSecured);
  assertEquals(errors, []);
  assertEquals([...text.matchAll(/import\("(@scope[^"]*\/src[^"]*)"/g)], []);
  assertEquals(
    checkAgainst(
      text,
      `
import { createFetchHandler } from "@scope/api/fetch";
import { feed, guarded, implementation, limit, notes, server } from "./declared.ts";
server.guard(limit);
guarded.implement({ open: ({ response }) => response(200, ""), feed, notes });
// @ts-expect-error the guard needs env, and a verifier ip
createFetchHandler(implementation);
// @ts-expect-error a token does not have ip
server.implement((await import("./declared.ts")).contract.routes.notes.add, ({ caller, response }) => response(200, caller.ip));
`,
    ),
    [],
  );
});
