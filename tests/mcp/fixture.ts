/** A contract with a route for each kind of tool, its server, and its tools. */
import { codec, defineContract, request, response, route, router, security } from "@scope/api";
import { createFetchHandler, type FetchHandler } from "@scope/api/fetch";
import { type McpTools, mcpTools } from "@scope/api/mcp";
import { defineServer, verify } from "@scope/api/server";
import * as z from "zod";

const bearer = security.bearer("token");

/** A tree, whose schema refers to itself. */
const Tree = z.object({
  name: z.string(),
  get children() {
    return z.array(Tree);
  },
}).meta({ id: "Tree" });

const Meeting = codec(z.object({ at: z.iso.datetime() }), z.object({ at: z.date() }), {
  decode: ({ at }) => ({ at: new Date(at) }),
  encode: ({ at }) => ({ at: at.toISOString() }),
});

export const User = z.object({ id: z.string(), name: z.string() }).meta({ id: "User" });

export const contract = defineContract({
  security: [],
  responses: { 503: response.json(z.object({ secret: z.string() })) },
  routes: {
    users: router("/users", {
      routes: {
        list: route.get("/", {
          query: z.object({
            page: z.coerce.number<string | number>().int().optional(),
            tag: z.array(z.string()).optional(),
          }),
          responses: { 200: response.json(z.array(User)) },
        }),
        me: route.get("/me", { responses: { 200: response.json(User) } }),
        byId: route.get("/:id", {
          responses: { 200: response.json(User), 404: response.json(z.object({ message: z.string() })) },
        }),
        create: route.post("/", {
          body: request.json(User, { description: "The new user." }),
          responses: { 201: response.json(User), 409: response.problem() },
        }),
        replace: route.put("/:id", { body: User, responses: { 204: response.empty(), 410: response.empty() } }),
        rename: route.patch("/:id", {
          headers: z.object({ "if-match": z.string().optional() }),
          body: request.form(z.object({ name: z.string().min(1) })),
          responses: { 200: response.text(), 412: response.text() },
        }),
        remove: route.delete("/:id", { responses: { 204: response.empty() } }),
      },
    }),
    tree: route.post("/tree", { body: Tree, responses: { 200: response.json(Tree) } }),
    move: route.post("/meetings", { body: Meeting, responses: { 200: response.json(Meeting) } }),
    secret: route.get("/secret", {
      security: [bearer],
      responses: { 200: response.json(z.object({ caller: z.string() })) },
    }),
    fail: route.get("/fail", { query: z.object({ how: z.string() }), responses: { 200: response.json(User) } }),
    either: route.post("/either", {
      body: request.text({ optional: true }),
      responses: { 200: response.json(User), 202: response.json(z.object({ job: z.string() })) },
    }),
    exists: route.head("/exists", { responses: { 200: response.json(User) } }),
  },
});

/** The handler's inputs of each request, and every failure that the adapter reported. */
export const seen: { readonly requests: Request[]; readonly failures: unknown[] } = { requests: [], failures: [] };

const implementation = defineServer(contract, {
  security: [verify(bearer, ({ token }) => token === "right" ? { caller: "Ada" } : undefined)],
}).implement({
  users: {
    list: ({ query: { page = 1, tag = [] }, response }) =>
      response(200, [{ id: String(page), name: ["Ada", ...tag].join() }]),
    me: ({ response }) => response(200, { id: "me", name: "Me" }),
    byId: ({ params: { id }, response }) =>
      id === "42" ? response(200, { id, name: "Ada" }) : response(404, { message: `No user ${id}` }),
    create: ({ body, response }) =>
      body.name === "Ada" ? response(409, { detail: "There is an Ada" }) : response(201, body),
    replace: ({ params: { id }, response }) => id === "42" ? response(204) : response(410),
    rename: ({ body, headers, response }) =>
      headers["if-match"] === '"1"' ? response(200, `Renamed to ${body.name}`) : response(412, "Say if-match"),
    remove: ({ response }) => response(204),
  },
  tree: ({ body, response }) => response(200, body),
  move: ({ body: { at }, response }) => response(200, { at: new Date(at.getTime() + 86_400_000) }),
  secret: ({ caller, response }) => response(200, caller),
  fail: ({ query: { how }, response }) => {
    if (how === "declared") return response(503, { secret: "the password of the database" });
    throw new Error("the password of the database");
  },
  either: ({ body, response }) =>
    body === undefined ? response(202, { job: "7" }) : response(200, { id: "1", name: body }),
  exists: ({ response }) => response(200, { id: "1", name: "Ada" }),
});

const answer = createFetchHandler(implementation, {
  maxBodyBytes: 1_000_000,
  onError: ({ error }) => void seen.failures.push(error),
});

/** The server, which notes requests. */
export const handler: FetchHandler = (request: Request): ReturnType<FetchHandler> => {
  seen.requests.push(request.clone());
  return answer(request);
};

/** A tool of every route. */
export const tools: McpTools = mcpTools(contract, {
  fetch: handler,
  tools: {
    "users.list": "List users.",
    "users.me": "Who I am.",
    "users.byId": "Find a user by id.",
    "users.create": "Create a user.",
    "users.replace": "Replace a user.",
    "users.rename": "Rename a user.",
    "users.remove": "Remove a user.",
    tree: "Echo a tree.",
    move: "Move a meeting by a day.",
    secret: "Tell who calls.",
    fail: "Fail.",
    either: "Either do it, or begin a job.",
    exists: "Whether it exists.",
  },
});
