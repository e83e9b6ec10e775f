/** Places of a program that is being written, with the names that an editor must offer there. */

/** Marks a place in the text of a program. */
export const cursor = "/*|*/";

/** A contract without security, one with it, their servers and a client. */
const preamble = `
import { defineContract, request, response, route, router, security } from "@scope/api";
import { createClient } from "@scope/api/client";
import { defineServer, verify } from "@scope/api/server";
import { z } from "zod";

const User = z.object({ id: z.string(), name: z.string() });
const NotFound = response.json(z.object({ message: z.string() }));
const contract = defineContract({
  responses: { 403: response.problem() },
  routes: {
    health: route.get("/health", { responses: { 200: response.text() } }),
    users: router("/users", {
      routes: {
        byId: route.get("/:id", { responses: { 404: NotFound, 200: response.json(User) } }),
        add: route.post("/", {
          query: z.object({ dry: z.string().optional() }),
          headers: z.object({ "if-match": z.string() }),
          body: User,
          responses: { 201: response.json(User) },
        }),
        node: router("/:user/node", {
          routes: {
            endpoints: route.put("/:key", { body: request.json(User), responses: { 204: response.empty() } }),
            needs: route.get("/", { responses: { 200: response.text() } }),
          },
        }),
      },
    }),
  },
});
const streams = defineContract({
  routes: {
    lines: route.get("/lines", { responses: { 200: response.ndjson(User) } }),
    events: route.get("/events", { responses: { 200: response.sse(User), 404: NotFound } }),
  },
});
const streamServer = defineServer(streams);
const server = defineServer(contract, { context: () => ({ db: 1 }) });
const members = server.use(({ next }) => next({ user: "Ada" }));
const node = server.implement(contract.routes.users.node, {
  endpoints: ({ response }) => response(204),
  needs: ({ response }) => response(200, ""),
});
const token = security.bearer("token", { scopes: ["read"] });
const session = security.cookie("session", { cookie: "session" });
const secured = defineContract({
  security: [token],
  responses: { 429: response.problem() },
  routes: {
    me: route.get("/me", { responses: { 200: response.text() } }),
    open: route.get("/open", { security: [], responses: { 200: response.text() } }),
    page: route.get("/page", { security: [session, security.none], responses: { 200: response.text() } }),
  },
});
const byToken = verify(token, () => ({ id: "1", scopes: ["read"] }));
const bySession = verify(session, () => ({ name: "Ada" }));
const securedServer = defineServer(secured, { security: [byToken, bySession] });
const client = createClient(contract, { baseUrl: "https://api.example.com" });
const found = await client.users.byId({ params: { id: "1" } });
`;

/** A place, where \`│\` is the cursor, and what an editor offers there. */
export interface Place {
  /** The text after the preamble. */
  readonly text: string;
  /** All names that it offers, in any order. */
  readonly offers?: readonly string[];
  /** Names that it offers among those in scope. */
  readonly includes?: readonly string[];
  /** The parameters of the call. */
  readonly parameters?: readonly string[];
}

const tools = ["context", "response", "route", "signal"];
const headers = "headers?: Readonly<Record<string, string | readonly string[] | undefined>> | undefined";

/** The places, by what is being written. */
export const places: Readonly<Record<string, Place>> = {
  // trees
  "a tree": { text: "server.implement({ │ })", offers: ["health", "users"] },
  "a tree with a handler": {
    text: `server.implement({ health: ({ response }) => response(200, "ok"), │ })`,
    offers: ["users"],
  },
  "a tree with a wrong handler": { text: "server.implement({ health: () => 5, │ })", offers: ["users"] },
  "a tree with a value that is no handler": { text: "server.implement({ health: 5, │ })", offers: ["users"] },
  "a tree with an unknown key": { text: "server.implement({ other: () => 5, │ })", offers: ["health", "users"] },
  "a router": { text: "server.implement({ users: { │ } })", offers: ["add", "byId", "node"] },
  "a router with a handler": {
    text: "server.implement({ users: { add: ({ body, response }) => response(201, body), │ } })",
    offers: ["byId", "node"],
  },
  "a router with half a handler": {
    text: "server.implement({ users: { add: ({ body }) => {}, │ } })",
    offers: ["byId", "node"],
  },
  "a router with a wrong handler": {
    text: "server.implement({ users: { add: () => 5, │ } })",
    offers: ["byId", "node"],
  },
  "a router beside a wrong handler": {
    text: "server.implement({ health: () => 5, users: { │ } })",
    offers: ["add", "byId", "node"],
  },
  "a router beside a value that is no handler": {
    text: "server.implement({ health: 5, users: { │ } })",
    offers: ["add", "byId", "node"],
  },
  "a router beside a handler that may be missing": {
    text:
      "declare const maybe: (() => { status: 200; body: string }) | undefined; server.implement({ health: maybe, users: { │ } })",
    offers: ["add", "byId", "node"],
  },
  "a router below a router": { text: "server.implement({ users: { node: { │ } } })", offers: ["endpoints", "needs"] },
  "a router below a router, with a handler": {
    text: "server.implement({ users: { node: { endpoints: ({ response }) => response(204), │ } } })",
    offers: ["needs"],
  },
  "a router below one with a wrong handler": {
    text: `server.implement({ users: { add: "text", node: { │ } } })`,
    offers: ["endpoints", "needs"],
  },
  "a tree beside a fragment": { text: "server.implement({ users: { node, │ } })", offers: ["add", "byId"] },
  "a tree above a fragment": { text: "server.implement({ users: { node }, │ })", offers: ["health"] },
  "a fragment": { text: "server.implement(contract.routes.users, { │ })", offers: ["add", "byId", "node"] },
  "a fragment with a handler": {
    text: `server.implement(contract.routes.users, { byId: ({ response }) => response(404, { message: "" }), │ })`,
    offers: ["add", "node"],
  },
  "a router of a fragment": {
    text: "server.implement(contract.routes.users, { node: { │ } })",
    offers: ["endpoints", "needs"],
  },
  "a node server's tree": {
    text: "server.at(contract.routes.users).implement({ │ })",
    offers: ["add", "byId", "node"],
  },
  "a node server's router": {
    text: "server.at(contract.routes.users).implement({ node: { endpoints: ({ response }) => response(204), │ } })",
    offers: ["needs"],
  },
  "a tree of a contract with security": { text: "securedServer.implement({ │ })", offers: ["me", "open", "page"] },

  // the input of a handler
  "a handler's parameter": {
    text: "server.implement({ users: { add: ({ │ }) => {} } })",
    offers: [...tools, "body", "headers", "query"],
  },
  "a handler's parameter with a name": {
    text: "server.implement({ users: { add: ({ response, │ }) => response(201, {}) } })",
    offers: ["body", "context", "headers", "query", "route", "signal"],
  },
  "a handler's input": {
    text: "server.implement({ users: { byId: (input) => { input.│ } } })",
    offers: [...tools, "params"],
  },
  "a handler's parameter without inputs": { text: "server.implement({ health: ({ │ }) => {} })", offers: tools },
  "a handler's parameter of a fragment": {
    text: "server.implement(contract.routes.users.byId, ({ │ }) => {})",
    offers: [...tools, "params"],
  },
  "a handler's parameter of a node server": {
    text: "server.at(contract.routes.users.byId).implement(({ │ }) => {})",
    offers: [...tools, "params"],
  },
  "a handler's parameter with security": {
    text: "securedServer.implement({ me: ({ │ }) => {} })",
    offers: [...tools, "caller"],
  },
  "a handler's parameter of a public route": {
    text: "securedServer.implement({ open: ({ │ }) => {} })",
    offers: tools,
  },
  "a handler's parameter before its arrow": {
    text: "server.implement({ users: { add: ({ │ }) } })",
    offers: [...tools, "body", "headers", "query"],
  },
  "a handler's parameter with a name, before its arrow": {
    text: "server.implement({ users: { add: ({ body, │ }) } })",
    offers: ["context", "headers", "query", "response", "route", "signal"],
  },
  "a handler's parameter before its arrow, of a fragment": {
    text: "server.implement(contract.routes.users.byId, ({ │ }))",
    offers: [...tools, "params"],
  },
  "a handler's parameter before its arrow, of a node server": {
    text: "server.at(contract.routes.users).implement({ byId: ({ │ }) })",
    offers: [...tools, "params"],
  },
  "a handler's parameter before its arrow, with security": {
    text: "securedServer.implement({ me: ({ │ }) })",
    offers: [...tools, "caller"],
  },
  "a handler's parameter before its arrow, of a part": {
    text: "server.partial({ users: { add: ({ │ }) } })",
    offers: [...tools, "body", "headers", "query"],
  },
  "a handler's parameter before its arrow, of a node server's route": {
    text: "server.at(contract.routes.users.byId).implement(({ │ }))",
    offers: [...tools, "params"],
  },
  "a handler's parameter before its arrow, of the last handler": {
    text: "streamServer.implement({ lines: ({ response }) => response(200, []), events: ({ │ }) })",
    offers: tools,
  },
  "a handler's parameter before its arrow, of a later handler": {
    text:
      "server.implement({ health: ({ response }) => response(200, ''), users: { byId: ({ response }) => response(404, { message: '' }), add: ({ │ }) } })",
    offers: [...tools, "body", "headers", "query"],
  },
  "a handler's parameter before its arrow, of the last handler of a node server": {
    text:
      "server.at(contract.routes.users.node).implement({ endpoints: ({ response }) => response(204), needs: ({ │ }) })",
    offers: [...tools, "params"],
  },
  "a handler's parameter before its body, as a method": {
    text: "server.implement({ users: { byId({ │ }) } })",
    offers: [...tools, "params"],
  },
  params: { text: "server.implement({ users: { byId: ({ params }) => { params.│ } } })", offers: ["id"] },
  "params of an arrow": { text: "server.implement({ users: { byId: ({ params }) => params.│ } })", offers: ["id"] },
  "params with those of routers": {
    text:
      "server.implement({ users: { node: { endpoints: async ({ params }) => { const key = params.│; return key; } } } })",
    offers: ["key", "user"],
  },
  "params beside a wrong handler": {
    text: "server.implement({ health: () => 5, users: { byId: ({ params }) => { params.│ } } })",
    offers: ["id"],
  },
  "keys beside a wrong handler": { text: "server.implement({ health: () => 5, │ })", offers: ["users"] },
  "keys of a router beside a wrong handler": {
    text: "server.implement({ health: () => 5, users: { byId: () => {}, │ } })",
    offers: ["add", "node"],
  },
  "a whole tree with a wrong handler": {
    text:
      "server.implement({ health: () => 5, users: { node, byId: () => {}, add: ({ body, response }) => response(201, { │ }) } })",
    offers: ["id", "name"],
  },
  "a handler's parameter in a whole tree with a wrong handler": {
    text: "server.implement({ health: () => 5, users: { node, byId: ({ │ }) => {}, add: () => {} } })",
    offers: [...tools, "params"],
  },
  "a router of a whole tree with a wrong handler": {
    text: "server.implement({ health: () => 5, users: { node: { │ }, byId: () => {}, add: () => {} } })",
    offers: ["endpoints", "needs"],
  },
  "params beside a fragment": {
    text: "members.implement({ users: { node, byId: ({ params }) => { params.│ } } })",
    offers: ["id"],
  },
  query: { text: "server.implement({ users: { add: ({ query }) => { query.│ } } })", offers: ["dry"] },
  "headers of a request": {
    text: "server.implement({ users: { add: ({ headers }) => { headers.│ } } })",
    offers: ["if-match"],
  },
  body: { text: "server.implement({ users: { add: ({ body }) => { body.│ } } })", offers: ["id", "name"] },
  "body of a fragment": {
    text: "server.implement(contract.routes.users, { add: ({ body }) => { body.│ } })",
    offers: ["id", "name"],
  },
  context: { text: "server.implement({ users: { add: ({ context }) => { context.│ } } })", offers: ["db"] },
  "context with that of middleware": {
    text: "members.implement({ users: { add: ({ context }) => { context.│ } } })",
    offers: ["db", "user"],
  },
  caller: { text: "securedServer.implement({ me: ({ caller }) => { caller.│ } })", offers: ["id", "scopes"] },
  "caller that may be missing": {
    text: "securedServer.implement({ page: ({ caller }) => { caller?.│ } })",
    offers: ["name"],
  },

  // results
  "a result's status": {
    text: "server.implement({ users: { byId: ({ response }) => response(│) } })",
    includes: ["200", "403", "404"],
  },
  "a result's body": {
    text: "server.implement({ users: { byId: ({ response }) => response(200, { │ }) } })",
    offers: ["id", "name"],
  },
  "a result's body of another status": {
    text:
      "server.implement({ users: { byId: ({ response }) => { if (Math.random()) return response(404, { │ }); } } })",
    offers: ["message"],
  },
  "a plain result": {
    text: "server.implement({ users: { byId: () => ({ │ }) } })",
    offers: ["body", "headers", "status"],
  },
  "the parameters of response()": {
    text: "server.implement({ users: { add: ({ response }) => response(201, │) } })",
    parameters: ["status: 201", "body: { id: string; name: string; }", headers],
  },
  "the parameters of response() in a block": {
    text: "server.implement({ users: { byId: ({ response }) => { response(404, │ } } })",
    parameters: ["status: 404", "body: { message: string; }", headers],
  },
  "the parameters of response() after a body": {
    text: `server.implement({ users: { byId: ({ response }) => response(404, { message: "" }, │) } })`,
    parameters: ["status: 404", "body: { message: string; }", headers],
  },
  "the parameters of response() in a fragment": {
    text: "server.implement(contract.routes.users, { add: ({ response }) => response(201, │) })",
    parameters: ["status: 201", "body: { id: string; name: string; }", headers],
  },
  "the parameters of response() in a node server": {
    text: "server.at(contract.routes.users).implement({ add: ({ response }) => response(201, │) })",
    parameters: ["status: 201", "body: { id: string; name: string; }", headers],
  },
  "the parameters of response() in a middleware": {
    text: "server.use(({ response }) => response(403, │))",
    parameters: ["status: 403", "body?: SentProblem | undefined", headers],
  },
  "the parameters of response() for a stream": {
    text: "streamServer.implement({ lines: ({ response }) => response(200, │) })",
    parameters: ["status: 200", "body: ItemSource<{ id: string; name: string; }>", headers],
  },
  "an item of a list": {
    text: "streamServer.implement({ lines: ({ response }) => response(200, [{ │ }]) })",
    offers: ["id", "name"],
  },
  "an item of a generator": {
    text: "streamServer.implement({ lines: ({ response }) => response(200, (function* () { yield { │ }; })()) })",
    offers: ["id", "name"],
  },
  "an event of a generator": {
    text:
      "streamServer.implement({ events: ({ response }) => response(200, (async function* () { yield { │ }; })()) })",
    offers: ["comment", "data", "event", "id", "retry"],
  },
  "the data of an event of a generator": {
    text:
      "streamServer.implement({ events: ({ response }) => response(200, (async function* () { yield { data: { │ } }; })()) })",
    offers: ["id", "name"],
  },

  // servers
  "a server's options": { text: "defineServer(contract, { │ })", offers: ["context", "refuse", "security"] },
  "a server's options with security": {
    text: "defineServer(secured, { │ })",
    offers: ["context", "refuse", "security"],
  },
  "a server's options without a verifier": {
    text: "defineServer(secured, { security: [byToken], │ })",
    offers: ["context", "refuse"],
  },
  "a server's options with a context": {
    text: "defineServer(secured, { context: ({ caller }: { caller: { id: string } }) => ({ id: caller.id }), │ })",
    offers: ["refuse", "security"],
  },
  "a verifier": { text: "defineServer(secured, { security: [│] })", includes: ["byToken", "verify"] },
  "a verifier's parameter": {
    text: "defineServer(secured, { security: [verify(token, ({ │ }) => null)] })",
    offers: ["headers", "params", "request", "response", "route", "signal", "token"],
  },
  "a context's parameter": {
    text: "defineServer(secured, { security: [byToken, bySession], context: ({ │ }) => ({}) })",
    offers: ["caller", "headers", "request", "route", "signal"],
  },
  "a middleware's parameter": {
    text: "server.use(({ │ }) => {})",
    offers: ["caller", "context", "next", "params", "response", "route", "signal"],
  },
  "a guard's parameter": {
    text: "server.guard(({ │ }) => {})",
    offers: ["caller", "headers", "params", "request", "response", "route", "signal"],
  },
  "params of middleware": {
    text: "server.at(contract.routes.users.node).use(({ params }) => params.│)",
    offers: ["user"],
  },
  "params of asynchronous middleware": {
    text: "server.at(contract.routes.users.node).use(async ({ params, next }) => { if (params.│) return next(); })",
    offers: ["user"],
  },
  "params of one route's middleware": {
    text: "server.at(contract.routes.users.node.endpoints).use(({ params }) => { params.│ })",
    offers: ["key", "user"],
  },
  "params of middleware that routes do not share": {
    text: "server.at(contract.routes.users).use(({ params }) => params.│)",
    offers: [],
  },
  "params of a guard": {
    text: "server.at(contract.routes.users.node).guard(({ params }) => params.│)",
    offers: ["user"],
  },

  // clients
  "a client": { text: "client.│", offers: ["health", "users"] },
  "a client's router": { text: "client.users.│", offers: ["add", "byId", "node"] },
  "a call": { text: "client.users.byId.│", includes: ["request", "url"] },
  "a call's input": { text: "client.users.add({ │ })", offers: ["body", "headers", "query"] },
  "a call's params": { text: "client.users.byId({ params: { │ } })", offers: ["id"] },
  "a call's query": { text: "client.users.add({ query: { │ } })", offers: ["dry"] },
  "a call's headers": { text: "client.users.add({ headers: { │ } })", offers: ["if-match"] },
  "a call's body": { text: "client.users.add({ body: { │ } })", offers: ["id", "name"] },
  "a URL's input": { text: "client.users.byId.url({ │ })", offers: ["params"] },
  "a result": { text: "found.│", offers: ["body", "headers", "response", "status"] },
  "a result's statuses": { text: "if (found.status === │) {}", includes: ["200", "403", "404"] },
  "a narrowed body": { text: "if (found.status === 200) { found.body.│ }", offers: ["id", "name"] },
  "a narrowed body of another status": {
    text: "if (found.status !== 200 && found.status !== 403) found.body.│",
    offers: ["message"],
  },
  "a client's credentials": {
    text: `createClient(secured, { baseUrl: "/", credentials: { │ } })`,
    offers: ["session", "token"],
  },

  // contracts
  "a route's options": {
    text: `route.post("/", { body: User, │ })`,
    offers: [
      "deprecated",
      "docs",
      "headers",
      "params",
      "query",
      "refusals",
      "responses",
      "security",
      "trailingSlash",
    ],
  },
  "a route's response": { text: `route.get("/", { responses: { 200: │ } })`, includes: ["NotFound", "response"] },
  "a kind of response": {
    text: `route.get("/", { responses: { 200: response.│ } })`,
    offers: ["as", "bytes", "empty", "json", "ndjson", "problem", "raw", "socket", "sse", "statuses", "stream", "text"],
  },
  "a route's security": {
    text: `route.get("/", { security: [│], responses: {} })`,
    includes: ["security", "session", "token"],
  },
  "a kind of security": {
    text: `route.get("/", { security: [security.│], responses: {} })`,
    offers: ["all", "apiKey", "basic", "bearer", "cookie", "custom", "none", "signature"],
  },
  "options of a JSON response": { text: "response.json({ │ })", offers: ["contentType", "description", "headers"] },
  "options after the schema of a response": {
    text: "response.json(User, { │ })",
    offers: ["contentType", "description", "headers"],
  },
  "options of a text response": { text: "response.text({ │ })", offers: ["contentType", "description", "headers"] },
  "options of an empty response": { text: "response.empty({ │ })", offers: ["description", "headers"] },
  "options of a raw response": { text: "response.raw({ │ })", offers: ["description"] },
  "options of a JSON request": {
    text: "request.json({ │ })",
    offers: ["contentType", "description", "maxBytes", "optional"],
  },
  "options after the schema of a request": {
    text: "request.json(User, { │ })",
    offers: ["contentType", "description", "maxBytes", "optional"],
  },
  "options of form data": { text: "request.formData({ │ })", offers: ["description", "maxBytes", "optional"] },
};

/** The program with the cursor at a place. */
export function writeAt({ text }: Place): string {
  return `${preamble}${text.replace("│", cursor)}\n`;
}
