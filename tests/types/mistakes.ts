/** A correct program, to which each mistake is added. */
export const preamble = `
import { codec, defineContract, representation, request, response, route, router, security } from "@scope/api";
import { createClient, unwrap } from "@scope/api/client";
import { diffContracts } from "@scope/api/diff";
import { createFetchHandler, fetchAdapter } from "@scope/api/fetch";
import { mcpTools } from "@scope/api/mcp";
import { mockContract } from "@scope/api/mock";
import { openApiDocument } from "@scope/api/openapi";
import { follow, retry } from "@scope/api/retry";
import {
  type CreateResult, defineServer, type HandlersOf, type MiddlewareInput, type NextResult, type VerifierInput, verify,
} from "@scope/api/server";
import { empty, json, type SlimRoute, slimContract, slimRoutes, type TypedResponse } from "@scope/api/slim";
import { queryOptions } from "@scope/api/tanstack-query";
import { contractTests, sample } from "@scope/api/testing";
import { xhrFetch } from "@scope/api/xhr";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";

type ReadRow = SlimRoute<{ method: "GET"; path: "/"; responses: { 200: TypedResponse<"json", string> } }>;
const User = type({ id: "string", name: "string" });
const NotFound = response.json(type({ message: "string" }));
const ok = { 200: response.empty() };
const csv = representation<readonly Record<string, string>[]>({
  contentType: "text/csv",
  encode: (rows) => JSON.stringify(rows),
  decode: (bytes) => JSON.parse(new TextDecoder().decode(bytes)),
});
const byId = route.get("/:id", {
  params: type({ id: "string" }),
  responses: { 200: response.json(User), 404: NotFound },
});
const rename = route.patch("/:id", {
  query: type({ "dry?": "'yes'", tags: "string[]" }),
  body: type({ name: "string" }),
  responses: { 200: response.json(User), 201: response.empty({ headers: type({ location: "string" }) }) },
});
const contract = defineContract({
  routes: { health: route.get("/health", { responses: ok }), users: router("/users", { routes: { byId, rename } }) },
});
const server = defineServer(contract);
type Handlers = HandlersOf<typeof server>;
const health: Handlers["health"] = ({ response }) => response(200);
const users: Handlers["users"] = {
  byId: ({ params, response }) => response(200, { id: params.id, name: "Ada" }),
  rename: ({ params, body, response }) => response(200, { id: params.id, name: body.name }),
};
server.implement({ health, users });
const client = createClient(contract, { baseUrl: "https://api.example.com" });
const resumed = { headers: type({ "last-event-id?": "string" }), responses: { 200: response.sse(User) } };
const resuming = defineContract({
  routes: {
    events: route.get("/events", resumed),
    send: route.post("/send", resumed),
    page: route.get("/page", { ...resumed, responses: { 200: response.text() } }),
    upload: route.put("/file", { body: request.stream(), responses: { 200: response.text(), 404: response.raw() } }),
  },
});
const fetch = () => new Response();
mcpTools(resuming, { fetch, tools: { page: "Read the page." } }).call("page");
const followed = createClient(
  resuming,
  { baseUrl: "https://api.example.com", around: [retry(), (attempt) => attempt()] },
);
follow(followed.events);
const needingServer = defineServer(contract, { context: ({ ip }: { ip: string }) => ({ ip }) });
const needing = needingServer.implement({ health, users });
const needingFragment = needingServer.implement(contract.routes.users, users);
const found = await client.users.byId({ params: { id: "1" } });
const isOdd = Math.random() > 0.5;
function refuse(response: CreateResult<{ 404: typeof NotFound }>): never {
  throw response(404, { message: "none" });
}
server.implement({ health, users: { ...users, byId: ({ response }) => refuse(response) } });
const token = security.bearer("token", { scopes: ["read", "write"] });
const session = security.cookie("session", { cookie: "session" });
const secured = defineContract({
  security: [token.scoped("read"), session],
  responses: { 429: response.problem() },
  routes: {
    open: route.get("/open", { security: [], responses: ok }),
    mine: route.get("/mine", { security: [session], responses: ok }),
    feed: route.get("/feed", { security: [session, security.none], responses: ok }),
    notes: router("/notes", {
      responses: { 409: response.empty() },
      routes: { add: route.post("/", { responses: { 201: response.empty() } }) },
    }),
  },
});
const byToken = verify(token, ({ token }) => ({ id: token, scopes: [] }));
const bySession = verify(session, ({ value }) => ({ name: value }));
const securedServer = defineServer(secured, { security: [byToken, bySession] });
const securedHandlers: HandlersOf<typeof securedServer> = {
  open: ({ response }) => response(200),
  mine: ({ response }) => response(200),
  feed: ({ response }) => response(200),
  notes: { add: ({ response }) => response(201) },
};
`;

/** The code that each mistake adds to the program, with a mark at the line that the error must name. */
export const mistakes: Readonly<Record<string, string>> = {
  "undeclared status": `
server.implement({
  health,
  users: {
    ...users,
    byId: ({ response }) => response(500, { message: "no" }), // HERE
  },
});`,
  "undeclared status as a plain object": `
server.implement({
  health,
  users: {
    ...users,
    byId: () => ({ status: 500, body: { message: "no" } }), // HERE
  },
});`,
  "refuse with a status that is no declared refusal": `
defineServer(defineContract({ refusals: { 401: response.empty() }, routes: { byId } }), {
  refuse: ({ response }) => response(404, { message: "none" }), // HERE
});`,
  "refuse with the wrong body": `
defineServer(defineContract({ refusals: { 404: NotFound }, routes: { byId } }), {
  refuse: ({ problem, response }) =>
    problem.status === 404
      ? response(404, { message: 404 }) // HERE
      : undefined,
});`,
  "refuse by a code that the adapter does not have": `
defineServer(defineContract({ refusals: { 404: NotFound }, routes: { byId } }), {
  refuse: ({ problem, response }) =>
    problem.code === "not_found" // HERE
      ? response(404, { message: "none" })
      : undefined,
});`,
  "a declared refusal without refuse": `
defineServer(
  defineContract({ refusals: { 404: NotFound }, routes: { byId } }), // HERE
);`,
  "a declared refusal without refuse among the options": `
defineServer(
  defineContract({ refusals: { 404: NotFound }, routes: { byId } }),
  { context: () => ({}) }, // HERE
);`,
  "a refusal with the status of a success": `
route.get("/", {
  refusals: { 200: NotFound }, // HERE
  responses: ok,
});`,
  "a refusal that is a stream": `
route.get("/", {
  refusals: { 500: response.ndjson(User) }, // HERE
  responses: ok,
});`,
  "a refusal of all statuses that is a stream": `
route.get("/", {
  refusals: response.ndjson(User), // HERE
  responses: ok,
});`,
  "a schema as the refusal of all statuses": `
route.get("/", {
  refusals: User, // HERE
  responses: ok,
});`,
  "a handler that returns a refusal": `
defineServer(defineContract({ refusals: { 400: response.problem() }, routes: { one: route.get("/:id", { responses: ok }) } }))
  .implement({
    one: ({ response }) => response(400, {}), // HERE
  });`,
  "no handler": `
server.implement({}); // HERE
`,
  "no handler of a node": `
server.at(contract.routes.users).implement({}); // HERE
`,
  "missing handler": `
server.implement({
  health,
  users: { byId: users.byId }, // HERE
});`,
  "missing router": `
server.implement({ health }); // HERE
`,
  "missing handler among fragments": `
server.implement({
  health,
  users: { byId: server.implement(contract.routes.users.byId, users.byId) }, // HERE
});`,
  "missing handlers beside functions": `
server.implement({ // HERE
  health: ({ response }) => response(200),
});`,
  "handler that may be undefined": `
server.implement({
  users,
  health: isOdd ? health : undefined, // HERE
});`,
  "unknown handler": `
server.implement({
  health,
  users: {
    ...users,
    remove: () => ({ status: 200 }), // HERE
  },
});`,
  "handler that is not a function": `
server.implement({
  users,
  health: { status: 200 }, // HERE
});`,
  "handler that is a number": `
server.implement({
  users,
  health: 5, // HERE
});`,
  "object in the place of a handler": `
server.implement({
  users,
  health: { handler: health }, // HERE
});`,
  "nothing in the place of a handler": `
server.implement({
  users,
  health: {}, // HERE
});`,
  "nothing in the place of a handler of a part": `
server.partial({
  health: {}, // HERE
});`,
  "options in the place of a route's handler": `
server.implement(contract.routes.users.byId, { params: 1 }); // HERE
`,
  "nothing in the place of a route's handler": `
server.implement(contract.routes.users.byId, {}); // HERE
`,
  "tree in the place of a route's handler": `
server.at(contract.routes.users.byId).implement({ byId: users.byId }); // HERE
`,
  "result in the place of a handler of a part": `
server.partial({
  health: { status: 200 }, // HERE
});`,
  "route without its handler": `
server.implement(contract.routes.users.byId); // HERE
`,
  "fragment of another place of a part": `
server.partial({
  health: server.implement(contract.routes.users.byId, users.byId), // HERE
});`,
  "handlers of a contract in place of a server": `
const ofContract: HandlersOf<typeof contract> = { health, users }; // HERE
`,
  "helper for a status that the route lacks": `
server.implement({
  users,
  health: ({ response }) => refuse(response), // HERE
});`,
  "helper for another body of the route's status": `
defineServer(
  defineContract({ routes: { it: route.get("/", { responses: { 404: response.json(type({ code: "number" })) } }) } }),
).implement({
  it: ({ response }) => refuse(response), // HERE
});`,
  "one of two statuses with the body of the other": `
server.implement({
  health,
  users: {
    ...users,
    byId: ({ response }) => response(isOdd ? 200 : 404, { message: "none" }), // HERE
  },
});`,
  "handler of another route": `
server.implement({
  health,
  users: {
    ...users,
    rename: users.byId, // HERE
  },
});`,
  "wrong body": `
server.implement({
  health,
  users: {
    ...users,
    byId: ({ response }) => response(200, { id: 1, name: "Ada" }), // HERE
  },
});`,
  "missing body property": `
server.implement({
  health,
  users: {
    ...users,
    byId: ({ response }) => response(200, { id: "1" }), // HERE
  },
});`,
  "excess body property": `
server.implement({
  health,
  users: {
    ...users,
    byId: ({ response }) => response(200, { id: "1", name: "Ada", age: 1 }), // HERE
  },
});`,
  "missing response body": `
server.implement({
  health,
  users: {
    ...users,
    byId: ({ response }) => response(200), // HERE
  },
});`,
  "missing response headers": `
server.implement({
  health,
  users: {
    ...users,
    rename: ({ response }) => response(201, undefined), // HERE
  },
});`,
  "native Response": `
server.implement({
  users,
  health: () => new Response(), // HERE
});`,
  "slot that is not declared": `
server.implement({
  users,
  health: ({ query, response }) => response(query), // HERE
});`,
  "unknown param": `
server.implement({
  health,
  users: {
    ...users,
    rename: ({ params, response }) => response(200, { id: params.name, name: "" }), // HERE
  },
});`,
  "query that does not accept strings": `
route.get("/", {
  responses: ok,
  query: type({ page: "number" }), // HERE
});`,
  "headers that do not accept strings": `
route.get("/", {
  responses: ok,
  headers: z.object({ "x-count": z.number() }), // HERE
});`,
  "params that do not accept strings": `
route.get("/:id", {
  responses: ok,
  params: v.object({ id: v.number() }), // HERE
});`,
  "slot that is not an object": `
route.get("/", {
  responses: ok,
  query: type("string"), // HERE
});`,
  "Date in a response": `
response.json(type({ id: "string", at: "Date" })); // HERE
`,
  "bigint in a response": `
response.json(z.object({ n: z.bigint() })); // HERE
`,
  "Map in a response": `
response.json(z.object({ m: z.map(z.string(), z.string()) })); // HERE
`,
  "function in a request": `
request.json(type({ f: "Function" })); // HERE
`,
  "Date in a bare body": `
route.post("/", {
  responses: ok,
  body: type({ at: "Date" }), // HERE
});`,
  "nested Date in a response": `
response.json(z.object({ event: z.object({ at: z.date() }) })); // HERE
`,
  "text that is not a string": `
response.text(type("number")); // HERE
`,
  "bytes that are not bytes": `
response.bytes(type("string")); // HERE
`,
  "form that has a number": `
request.form(type({ page: "number" })); // HERE
`,
  "form that has a file": `
request.form(z.object({ name: z.string(), file: z.file() })); // HERE
`,
  "form data that has a Date": `
request.formData(v.object({ file: v.file(), at: v.date() })); // HERE
`,
  "form data that is not an object": `
request.formData(type("File")); // HERE
`,
  "content type of form data": `
request.formData({
  contentType: "multipart/mixed", // HERE
});`,
  "number that a representation cannot encode": `
request.as(csv, type({ n: "number" }).array()); // HERE
`,
  "Date that a representation cannot encode": `
response.as(csv, z.array(z.object({ at: z.date() }))); // HERE
`,
  "value of another type than a representation encodes": `
request.as(csv, v.string()); // HERE
`,
  "schema in place of a representation": `
request.as(User); // HERE
`,
  "content type of a representation": `
response.as(csv, {
  contentType: "text/plain", // HERE
});`,
  "encode that returns no content": `
representation({
  contentType: "text/plain",
  encode: (value: number) => value, // HERE
  decode: () => 1,
});`,
  "encode and decode of different values": `
representation<number>({
  contentType: "text/plain",
  encode: (value) => value.toFixed(),
  decode: (bytes) => new TextDecoder().decode(bytes), // HERE
});`,
  "representation without decode": `
representation({ contentType: "text/plain", encode: String }); // HERE
`,
  "unknown option of a representation": `
representation({
  contentType: "text/plain",
  encode: String,
  decode: () => "",
  strukture: "json", // HERE
});`,
  "value that a representation does not encode": `
defineServer(
  defineContract({ routes: { rows: route.get("/", { responses: { 200: response.as(csv) } }) } }),
).implement({
  rows: ({ response }) => response(200, [{ n: 1 }]), // HERE
});`,
  "form without a schema": `
request.form(); // HERE
`,
  "stream with a schema": `
request.stream(User); // HERE
`,
  "optional that is not a boolean": `
request.text({
  optional: "yes", // HERE
});`,
  "range of JSON": `
request.json(User, {
  contentType: ["application/json", "application/ld+json"], // HERE
});`,
  "result that states no content type": `
defineServer(
  defineContract({ routes: { it: route.get("/", { responses: { 200: response.bytes({ contentType: "image/*" }) } }) } }),
).implement({
  it: ({ response }) => response(200, new Uint8Array()), // HERE
});`,
  "headers that state no content type": `
defineServer(
  defineContract({ routes: { it: route.get("/", { responses: { 200: response.text({ contentType: ["text/csv", "text/html"] }) } }) } }),
).implement({
  it: ({ response }) => response(200, "", {}), // HERE
});`,
  "content type that a handler does not receive": `
defineServer(
  defineContract({ routes: { it: route.post("/", { body: request.bytes({ contentType: "image/png" }), responses: ok }) } }),
).implement({
  it: ({ contentType, response }) => response(contentType === "image/png" ? 200 : 200), // HERE
});`,
  "wrong file": `
createClient(
  defineContract({ routes: { it: route.post("/", { body: request.formData(type({ file: "File" })), responses: ok }) } }),
  { baseUrl: "https://api.example.com" },
).it({
  body: { file: "text" }, // HERE
});`,
  "optional body that is not checked": `
defineServer(
  defineContract({ routes: { it: route.post("/", { body: request.text({ optional: true }), responses: ok }) } }),
).implement({
  it: ({ body, response }) => response(body.length > 0 ? 200 : 200), // HERE
});`,
  "header that is not a string": `
response.empty({
  headers: type({ location: "number" }), // HERE
});`,
  "Date in an item": `
response.ndjson(
  type({ at: "Date" }), // HERE
);`,
  "bigint in an event": `
response.sse(
  z.object({ n: z.bigint() }), // HERE
);`,
  "items without a schema": `
response.ndjson(); // HERE`,
  "problem that is not an object": `
response.problem(
  type("string"), // HERE
);`,
  "schema of a stream": `
response.stream(
  User, // HERE
);`,
  "wrong item": `
const numbers = defineContract({ routes: { it: route.get("/", { responses: { 200: response.ndjson(type("number")) } }) } });
defineServer(numbers).implement({
  it: ({ response }) => response(200, ["1"]), // HERE
});`,
  "string as items": `
const texts = defineContract({ routes: { it: route.get("/", { responses: { 200: response.ndjson(type("string")) } }) } });
defineServer(texts).implement({
  it: ({ response }) => response(200, "text"), // HERE
});`,
  "event without data": `
const events = defineContract({ routes: { it: route.get("/", { responses: { 200: response.sse(type("number")) } }) } });
defineServer(events).implement({
  it: ({ response }) => response(200, [{ event: "tick" }]), // HERE
});`,
  "event without data in a generator": `
const ticking = defineContract({ routes: { it: route.get("/", { responses: { 200: response.sse(User) } }) } });
defineServer(ticking).implement({
  it: ({ response }) => response(200, (async function* () { yield { event: "tick", id: "1" }; })()), // HERE
});`,
  "data in place of an event in a generator": `
const telling = defineContract({ routes: { it: route.get("/", { responses: { 200: response.sse(User) } }) } });
defineServer(telling).implement({
  it: ({ response }) => response(200, (async function* () { yield { id: "1", name: "Ada" }; })()), // HERE
});`,
  "wrong data of an event in a generator": `
const ticked = defineContract({ routes: { it: route.get("/", { responses: { 200: response.sse(User) } }) } });
defineServer(ticked).implement({
  it: ({ response }) => response(200, (async function* () { yield { data: { id: 1, name: "Ada" } }; })()), // HERE
});`,
  "wrong item of a generator": `
const lined = defineContract({ routes: { it: route.get("/", { responses: { 200: response.ndjson(User) } }) } });
defineServer(lined).implement({
  it: ({ response }) => response(200, (function* () { yield { id: 1, name: "Ada" }; })()), // HERE
});`,
  "handler that returns the body": `
server.implement({
  health,
  users: {
    ...users,
    byId: ({ params }) => ({ id: params.id, name: "Ada" }), // HERE
  },
});`,
  "handler that returns nothing": `
server.implement({
  users,
  health: () => {}, // HERE
});`,
  "asynchronous handler that returns nothing": `
server.implement({
  users,
  health: async () => {}, // HERE
});`,
  "handler that returns a result on one path only": `
server.implement({
  users,
  health: ({ response }) => isOdd ? response(200) : undefined, // HERE
});`,
  "handler of a fragment without response()": `
server.implement(
  contract.routes.users.byId,
  () => ({ id: "1", name: "Ada" }), // HERE
);`,
  "headers within an object of options": `
server.implement({
  health,
  users: {
    ...users,
    rename: ({ response }) => response(201, undefined, { headers: { location: "/1" } }), // HERE
  },
});`,
  "headers in place of the body": `
server.implement({
  health,
  users: {
    ...users,
    byId: ({ response }) => response(404, { headers: { "x-a": "1" } }), // HERE
  },
});`,
  "schema of headers after that of the body": `
response.json(
  User,
  z.object({ location: z.string() }), // HERE
);`,
  "shape in place of a schema of headers": `
response.json(User, {
  headers: { location: z.string() }, // HERE
});`,
  "schema at a misspelled status": `
route.get("/", {
  responses: { ok: User }, // HERE
});`,
  "text as a raw response": `
const raw = defineContract({ routes: { it: route.get("/", { responses: { 200: response.raw() } }) } });
defineServer(raw).implement({
  it: ({ response }) => response(200, "text"), // HERE
});`,
  "params that the path lacks": `
defineContract({
  routes: {
    byName: route.get("/users/:id", { params: type({ name: "string" }), responses: ok }), // HERE
  },
});`,
  "params that a nested path lacks": `
defineContract({
  basePath: "/api",
  routes: {
    users: router("/users/:id", { // HERE
      routes: { byName: route.get("/", { params: z.object({ name: z.string() }), responses: ok }) },
    }),
  },
});`,
  "body on GET": `
route.get("/", {
  responses: ok,
  body: User, // HERE
});`,
  "unknown route option": `
route.get("/", {
  responses: ok,
  querry: User, // HERE
});`,
  "unknown contract option": `
defineContract({
  routes: { byId },
  base: "/api", // HERE
});`,
  "bare schema that JSON cannot encode as a response": `
route.get("/", {
  responses: { 200: z.object({ at: z.date() }) }, // HERE
});`,
  "text in the place of a response": `
route.get("/", {
  responses: { 200: "OK" }, // HERE
});`,
  "options in the place of a response": `
route.get("/", {
  responses: { 200: { headers: User } }, // HERE
});`,
  "class in the place of a response of a router": `
class Gone {}
router("/", {
  responses: { 404: User, 410: Gone }, // HERE
  routes: {},
});`,
  "request in the place of a response": `
route.post("/", {
  responses: { 200: request.json(User) }, // HERE
});`,
  "schema of many statuses that JSON cannot encode": `
response.statuses("4XX", z.object({ at: z.date() })); // HERE`,
  "schema at a key of responses that is not a status": `
route.get("/", {
  responses: { headers: User }, // HERE
});`,
  "status that does not exist": `
route.get("/", {
  responses: { 200: User, 99: User }, // HERE
});`,
  "status of a contract that does not exist": `
defineContract({
  responses: { 600: NotFound }, // HERE
  routes: { byId },
});`,
  "list in the place of responses": `
route.get("/", {
  responses: [User], // HERE
});`,
  "missing responses": `
route.get("/", {}); // HERE
`,
  "schema as a route": `
defineContract({
  routes: { User }, // HERE
});`,
  "object of routes without router()": `
defineContract({
  routes: { users: { list: byId } }, // HERE
});`,
  "undeclared status of a middleware": `
server.use(
  () => ({ status: 418 }), // HERE
);`,
  "middleware that returns nothing": `
server.use(
  async ({ next }) => { await next(); }, // HERE
);`,
  "middleware that does not return next()": `
server.use(
  ({ next }) => { next(); }, // HERE
);`,
  "middleware that returns a result on one path only": `
server.use(
  ({ next }) => isOdd ? next() : undefined, // HERE
);`,
  "middleware that returns a native Response": `
server.use(
  () => new Response(), // HERE
);`,
  "addition to the context that is not an object": `
server.use(({ next }) =>
  next("user") // HERE
);`,
  "addition to the context that may be undefined": `
server.use(({ next }) =>
  next(isOdd ? { user: "Ada" } : undefined) // HERE
);`,
  "middleware for a status that the contract lacks": `
const refusing = ({ response }: MiddlewareInput<{}, { 404: typeof NotFound }>): Promise<NextResult> => refuse(response);
server.use(
  refusing, // HERE
);`,
  "property that no middleware added": `
server.use(({ next }) => next({ user: "Ada" })).implement({
  users,
  health: ({ context, response }) => response(context.name), // HERE
});`,
  "fragment of another place": `
server.implement({
  users,
  health: server.implement(contract.routes.users.byId, users.byId), // HERE
});`,
  "missing handler of a fragment": `
server.implement(contract.routes.users, { // HERE
  byId: users.byId,
});`,
  "missing context input of a fragment": `
fetchAdapter().mount(
  server.implement({ health, users: needingFragment }), // HERE
);`,
  "missing context input of one of two": `
fetchAdapter().mount(
  server.implement({ health, users: isOdd ? users : needingFragment }), // HERE
);`,
  "missing context input": `
fetchAdapter().mount(needing); // HERE
`,
  "missing contextInput": `
createFetchHandler(needing); // HERE
`,
  "wrong contextInput": `
createFetchHandler(needing, { contextInput: () => ({ ip: 1 }) }); // HERE
`,
  "unknown context property": `
defineServer(contract, { context: () => ({ db: 1 }) }).implement({
  users,
  health: ({ context, response }) => response(context.user), // HERE
});`,
  "missing client input": `
client.users.byId(); // HERE
`,
  "missing client slot": `
client.users.rename({ params: { id: "1" }, query: { tags: [] } }); // HERE
`,
  "wrong param name": `
client.users.byId({ params: { name: "1" } }); // HERE
`,
  "wrong query type": `
client.users.rename({
  params: { id: "1" },
  body: { name: "Ada" },
  query: { tags: [1] }, // HERE
});`,
  "unknown client slot": `
client.users.byId({ params: { id: "1" }, query: {} }); // HERE
`,
  "unknown call": `
client.users.remove(); // HERE
`,
  "options where input belongs": `
client.health({ params: {} }); // HERE
`,
  "call of another route": `
const renames: typeof client.users.rename = client.users.byId; // HERE
`,
  "body of another status": `
found.body.name; // HERE
`,
  "status that is not declared": `
if (found.status === 500) throw found; // HERE
`,
  "property that a body lacks": `
unwrap(found).email; // HERE
`,
  "missing baseUrl": `
createClient(contract, {}); // HERE
`,
  "codec that decodes to another type": `
codec(type({ at: "string" }), type({ at: "Date" }), {
  encode: ({ at }) => ({ at: at.toISOString() }),
  decode: ({ at }) => ({ at }), // HERE
});`,
  "codec that decodes less than its wire has": `
codec(type("string"), type("Date"), {
  encode: (date) => date.toISOString(),
  decode: (text: "now") => new Date(text), // HERE
});`,
  "contract with security without options": `
defineServer(secured); // HERE
`,
  "contract with security and no verifiers": `
defineServer(secured, { context: () => ({}) }); // HERE
`,
  "missing verifier": `
defineServer(secured, { security: [byToken] }); // HERE
`,
  "missing verifier beside one with a runtime": `
defineServer(secured, {
  security: [verify(token, ({ token }, { ip }: { ip: string }) => ({ id: token, scopes: [ip] }))], // HERE
  context: ({ caller }) => ({ caller }),
});
`,
  "verifier of an unknown scheme": `
defineServer(secured, { security: [byToken, bySession, verify(security.basic("basic"), () => null)] }); // HERE
`,
  "verifier that is a function": `
defineServer(secured, { security: [byToken, () => null] }); // HERE
`,
  "caller without scopes": `
verify(token, ({ token }) => ({ id: token })); // HERE
`,
  "caller with a scope that its scheme lacks": `
verify(token, async ({ token }) => ({ id: token, scopes: ["read", "nope"] })); // HERE
`,
  "caller with a scope of a scheme without scopes": `
verify(session, () => ({ scopes: ["nope"] })); // HERE
`,
  "caller with a scope that its scheme lacks, inside a server": `
defineServer(secured, {
  security: [
    byToken,
    verify(session, () => ({ scopes: ["nope"] })), // HERE
  ],
});
`,
  "caller that is text": `
verify(session, ({ value }) => value); // HERE
`,
  "caller that is a boolean": `
verify(session, ({ value }) => value !== ""); // HERE
`,
  "caller that is a list": `
verify(session, ({ value }) => [{ id: value }]); // HERE
`,
  "credential of another scheme": `
verify(session, ({ token }) => ({ token })); // HERE
`,
  "verifier's status that is not shared": `
defineServer(secured, {
  security: [
    byToken,
    verify(session, ({ response }) => {
      throw response(409); // HERE
    }),
  ],
});
`,
  "scope that does not exist": `
token.scoped("raed"); // HERE
`,
  "scope of a scheme without scopes": `
session.scoped("read"); // HERE
`,
  "unknown option of a scheme": `
security.bearer("other", { scope: ["read"] }); // HERE
`,
  "security that is not a list": `
route.get("/", { security: token, responses: ok }); // HERE
`,
  "inner list of security": `
route.get("/", { security: [[token, session]], responses: ok }); // HERE
`,
  "caller of a public route": `
securedServer.implement({ ...securedHandlers, open: ({ caller, response }) => response(caller ? 200 : 429) }); // HERE
`,
  "caller that may be undefined": `
securedServer.implement({
  ...securedHandlers,
  feed: ({ caller, response }) => {
    console.log(caller.name); // HERE
    return response(200);
  },
});
`,
  "property of another caller": `
securedServer.implement(secured.routes.mine, ({ caller, response }) => {
  console.log(caller.id); // HERE
  return response(200);
});
`,
  "context for another caller": `
defineServer(secured, { // HERE
  security: [byToken, bySession],
  context: ({ caller }: { caller: { age: number } }) => ({ age: caller.age }),
});
`,
  "guard's status that is not shared": `
securedServer.guard(({ response }) => response(409)); // HERE
`,
  "guard that returns no result": `
securedServer.guard(() => true); // HERE
`,
  "asynchronous guard that returns no result": `
securedServer.guard(async () => isOdd); // HERE
`,
  "guard's status that a node does not share": `
securedServer.at(secured.routes.notes).guard(({ response }) => response(201)); // HERE
`,
  "missing contextInput of a guard": `
createFetchHandler(securedServer.guard((_, { ip }: { ip: string }) => void ip).implement(securedHandlers)); // HERE
`,
  "server of a value that is not a node": `
securedServer.at(session); // HERE
`,
  "verifier of its own module whose status is not shared": `
const limited = verify(token, ({ response }: VerifierInput<{ 404: typeof NotFound }>) => {
  throw response(404, { message: "none" });
});
defineServer(secured, { security: [limited, bySession] }); // HERE
`,
  "POST that is followed": `
follow(followed.send); // HERE
`,
  "route without last-event-id that is followed": `
follow(client.health); // HERE
`,
  "route without events that is followed": `
follow(followed.page); // HERE
`,
  "timeout of what is followed": `
follow(followed.events, {}, { timeout: 5 }); // HERE
`,
  "route of retry() that the contract lacks": `
createClient(contract, { baseUrl: "/", around: retry({ also: ["users.rname"] }) }); // HERE
`,
  "around that returns an outcome of its own": `
createClient(contract, { baseUrl: "/", around: () => Promise.resolve({ status: 200 }) }); // HERE
`,
  "tool of a route that streams": `
mcpTools(resuming, {
  fetch,
  tools: { page: "Read the page.", events: "Follow." }, // HERE
});
`,
  "tool of a route that takes an upload": `
mcpTools(resuming, {
  fetch,
  tools: { upload: "Upload." }, // HERE
});
`,
  "tool of a route that the contract lacks": `
mcpTools(contract, {
  fetch,
  tools: { "users.rname": "Rename a user." }, // HERE
});
`,
  "tool without a description": `
mcpTools(contract, {
  fetch,
  tools: { "users.byId": true }, // HERE
});
`,
  "credential of a client for a scheme that the contract lacks": `
createClient(secured, { baseUrl: "/", credentials: { tokn: "secret" } }); // HERE
`,
  "credential of a client that is not a string": `
createClient(secured, { baseUrl: "/", credentials: { token: 5 } }); // HERE
`,
  "cors without origins": `
createFetchHandler(server.implement({ health, users }), { cors: { maxAge: 60 } }); // HERE
`,
  "unknown option of cors": `
fetchAdapter({ cors: { origin: "*" } }); // HERE
`,
  "text as the origins of cors": `
fetchAdapter({ cors: { origins: "https://app.example.com" } }); // HERE
`,
  "asynchronous function of origins": `
fetchAdapter({ cors: { origins: (origin) => Promise.resolve(origin !== "") } }); // HERE
`,
  "unknown option of an adapter": `
fetchAdapter({ maxBodyByte: 1_000 }); // HERE
`,
  "unknown option of createFetchHandler()": `
createFetchHandler(server.implement({ health, users }), { onErr: console.error }); // HERE
`,
  "unknown option of a server": `
defineServer(contract, { contxt: () => ({}) }); // HERE
`,
  "unknown option of retry()": `
retry({ attempt: 3 }); // HERE
`,
  "text as the attempts of retry()": `
retry({ attempts: "3" }); // HERE
`,
  "retry() that is not called": `
createClient(contract, { baseUrl: "/", around: retry }); // HERE
`,
  "slim contract in place of the whole one": `
defineServer(slimContract({})); // HERE
`,
  "slim contract without a route": `
slimContract<typeof contract>({ health: ["GET", "/health", {}, { 200: empty }] }); // HERE
`,
  "number in place of a row": `
slimRoutes({ health: 5 }); // HERE
`,
  "row of another method than that of its type": `
const readRow: ReadRow = ["get", "/", {}, { 200: json }]; // HERE
`,
  "row whose type has a response without a representation": `
type UntypedRow = SlimRoute<{ method: "GET"; path: "/"; responses: { 200: { name: string } } }>; // HERE
`,
  "body of a row with another type": `
const rowClient = createClient(slimRoutes({ read: ["GET", "/", {}, { 200: json }] as ReadRow }), { baseUrl: "/" });
const rowBody: number = unwrap(await rowClient.read()); // HERE
`,
  "target of contract tests that is a request": `
contractTests(contract, { target: new Request("http://localhost") }); // HERE
`,
  "values of contract tests for a route that the contract lacks": `
contractTests(contract, { target: "http://localhost", values: { "users.byid": {} } }); // HERE
`,
  "rule of contract tests that does not exist": `
contractTests(contract, { target: "http://localhost", ignore: { "no-leaks": true } }); // HERE
`,
  "sample of a call": `
sample(client.users.byId); // HERE
`,
  "handler of a mock for a route that the contract lacks": `
mockContract(contract, { handlers: { user: {} } }); // HERE
`,
  "status of a mock that its route lacks": `
mockContract(contract, { status: { "users.byId": 500 } }); // HERE
`,
  "comparison with a slim contract": `
diffContracts(slimContract({}), contract); // HERE
`,
  "document without a version": `
openApiDocument(contract, { info: { title: "Users" } }); // HERE
`,
  "query without its input": `
queryOptions(client.users.byId); // HERE
`,
  "query of events": `
queryOptions(followed.events); // HERE
`,
  "unknown option of xhrFetch()": `
xhrFetch({ onProgress: () => {} }); // HERE
`,
};

/** The parts that the compiler's message about a mistake must have. */
export const messageParts: Readonly<Record<keyof typeof mistakes, readonly string[]>> = {
  "undeclared status": ["'500' is not assignable to parameter of type '200 | 404'"],
  "undeclared status as a plain object": [
    "the handler of users.byId must return a result that its route declares: response(status, body)",
  ],
  "refuse with a status that is no declared refusal": ["'404' is not assignable to parameter of type '401'"],
  "refuse with the wrong body": ["Type 'number' is not assignable to type 'string'."],
  "refuse by a code that the adapter does not have": ["have no overlap"],
  "a declared refusal without refuse": [`to parameter of type '"missing: { refuse: … } for the refusals 404"'.`],
  "a declared refusal without refuse among the options": ["Property 'refuse' is missing in type"],
  "a refusal with the status of a success": [`to type '"refusals have statuses from 400 to 599"'`],
  "a refusal that is a stream": [
    `Type '"ndjson"' is not assignable to type '"as" | "bytes" | "empty" | "json" | "problem" | "text"'`,
  ],
  "a refusal of all statuses that is a stream": [
    `Type '"ndjson"' is not assignable to type '"as" | "bytes" | "empty" | "json" | "problem" | "text"'`,
  ],
  "a schema as the refusal of all statuses": ["is not assignable to type 'RefusalsOption | undefined'"],
  "a handler that returns a refusal": ["'400' is not assignable to parameter of type '200'"],
  "no handler": [
    `is missing the following properties from type '{ readonly health: "missing handlers: health"; readonly users: `,
    `"missing handlers: users.byId"`,
    `"missing handlers: users.rename"`,
  ],
  "no handler of a node": [
    `properties from type '{ readonly byId: "missing handlers: users.byId"; readonly rename: "missing handlers: users.rename"; }'`,
  ],
  "missing handler": [`but required in type '{ readonly rename: "missing handlers: users.rename"; }'.`],
  "missing router": ["missing handlers: users.rename", "missing handlers: users.byId"],
  "missing handler among fragments": [`but required in type '{ readonly rename: "missing handlers: users.rename"; }'.`],
  "missing handlers beside functions": ["missing handlers: users.rename", "missing handlers: users.byId"],
  "handler that may be undefined": ["Type 'undefined' is not assignable to type"],
  "unknown handler": ["'remove' does not exist in type"],
  "handler that is not a function": [
    "Type 'number' is not assignable to type " +
    `'"the handler of health must be a function that returns response(status, body)"'.`,
  ],
  "handler that is a number": [
    "Type 'number' is not assignable to type '",
    `"the handler of health must be a function that returns response(status, body)" & Handler<`,
  ],
  "object in the place of a handler": [
    `is not assignable to type '"the handler of health must be a function that returns response(status, body)"'.`,
  ],
  "nothing in the place of a handler": [
    `is not assignable to type 'NotHandler<"the handler of health must be a function that returns response(status, body)">`,
  ],
  "nothing in the place of a handler of a part": [
    `is not assignable to type 'NotHandler<"the handler of health must be a function that returns response(status, body)">`,
  ],
  "options in the place of a route's handler": [
    "Type 'number' is not assignable to type " +
    `'"the handler of users.byId must be a function that returns response(status, body)" | (`,
  ],
  "nothing in the place of a route's handler": [
    "Argument of type '{}' is not assignable to parameter of type " +
    `'NotHandler<"the handler of users.byId must be a function that returns response(status, body)">`,
  ],
  "tree in the place of a route's handler": [
    `is not assignable to type '"the handler of users.byId must be a function that returns response(status, body)"'.`,
  ],
  "result in the place of a handler of a part": [
    "Type 'number' is not assignable to type " +
    `'"the handler of health must be a function that returns response(status, body)"'.`,
  ],
  "route without its handler": [`is not assignable to type '"missing handlers: implement(node, handlers)"'.`],
  "fragment of another place of a part": [`Type '"users.byId"' is not assignable to type '"health"'.`],
  "handlers of a contract in place of a server": [
    "this is not the type of a server; write HandlersOf<typeof server>",
  ],
  "helper for a status that the route lacks": ["Property '404' is missing in type"],
  "helper for another body of the route's status": [
    "Types of property '404' are incompatible.",
    "Property 'code' is missing in type '{ message: string; }'",
  ],
  "one of two statuses with the body of the other": ["Type '{ message: string; }' is missing the following properties"],
  "handler of another route": [
    "the handler of users.rename must return a result that its route declares: response(status, body)",
  ],
  "wrong body": ["Type 'number' is not assignable to type 'string'."],
  "missing body property": ["Property 'name' is missing in type '{ id: string; }'"],
  "excess body property": ["'age' does not exist in type '{ id: string; name: string; }'"],
  "missing response body": ["Expected 2-3 arguments, but got 1."],
  "missing response headers": ["Expected 3 arguments, but got 2."],
  "native Response": ["the handler of health must return a result that its route declares: response(status, body)"],
  "slot that is not declared": ["Property 'query' does not exist on type"],
  "unknown param": ["Property 'name' does not exist on type '{ readonly id: string; }'"],
  "query that does not accept strings": ['\\"page\\" must accept a string; convert it in the schema'],
  "headers that do not accept strings": ['\\"x-count\\" must accept a string; convert it in the schema'],
  "params that do not accept strings": ['\\"id\\" must accept a string; convert it in the schema'],
  "slot that is not an object": ["This slot must be an object; declare an object schema"],
  "Date in a response": ['JSON cannot encode the property \\"at\\"; convert it, or declare a codec()'],
  "bigint in a response": ['JSON cannot encode the property \\"n\\"; convert it, or declare a codec()'],
  "Map in a response": ['JSON cannot encode the property \\"m\\"; convert it, or declare a codec()'],
  "function in a request": ['JSON cannot encode the property \\"f\\"; convert it, or declare a codec()'],
  "Date in a bare body": ['JSON cannot encode the property \\"at\\"; convert it, or declare a codec()'],
  "nested Date in a response": ['JSON cannot encode the property \\"event'],
  "text that is not a string": ["A text body must be a string"],
  "bytes that are not bytes": ["A body of bytes must be a Uint8Array"],
  "form that has a number": ['\\"page\\" must accept a string; convert it in the schema'],
  "form that has a file": ['\\"file\\" must accept a string; convert it in the schema'],
  "form data that has a Date": ['\\"at\\" must accept a string or a file; convert it in the schema'],
  "form data that is not an object": ["Form data must be an object; declare an object schema"],
  "content type of form data": ["'contentType' does not exist in type 'FormDataOptions<"],
  "number that a representation cannot encode": [
    'This representation cannot encode the property \\"n\\"; convert it, or declare a codec()',
  ],
  "Date that a representation cannot encode": [
    'This representation cannot encode the property \\"at\\"; convert it, or declare a codec()',
  ],
  "value of another type than a representation encodes": [
    "This representation cannot encode this value; convert it, or declare a codec()",
  ],
  "schema in place of a representation": ["to parameter of type 'CustomRepresentation<unknown>'"],
  "content type of a representation": ["'contentType' does not exist in type 'ResponseAsOptions<undefined>'"],
  "encode that returns no content": ["Type 'number' is not assignable to type 'Awaitable<EncodedContent>'."],
  "encode and decode of different values": ["Type 'string' is not assignable to type 'Awaitable<number>'."],
  "representation without decode": ["Property 'decode' is missing in type"],
  "unknown option of a representation": ["'strukture' does not exist in type", "Did you mean to write 'structure'?"],
  "value that a representation does not encode": ["Type 'number' is not assignable to type 'string'."],
  "form without a schema": ["Expected 1-2 arguments, but got 0."],
  "stream with a schema": ["'RequestOptions<"],
  "optional that is not a boolean": ["Type 'string' is not assignable to type 'boolean | undefined'."],
  "range of JSON": ["Type 'string[]' is not assignable to type 'string'."],
  "result that states no content type": ["Expected 3 arguments, but got 2."],
  "headers that state no content type": [`Property '"content-type"' is missing in type '{}'`],
  "content type that a handler does not receive": ["Property 'contentType' does not exist on type"],
  "wrong file": ["Type 'string' is not assignable to type 'File'."],
  "optional body that is not checked": ["'body' is possibly 'undefined'."],
  "header that is not a string": ['The output of the header \\"location\\" must be a string'],
  "Date in an item": ['JSON cannot encode the property \\"at\\"; convert it, or declare a codec()'],
  "bigint in an event": ['JSON cannot encode the property \\"n\\"; convert it, or declare a codec()'],
  "items without a schema": ["Expected 1-2 arguments, but got 0."],
  "problem that is not an object": ["A problem must be an object"],
  "schema of a stream": ["'ResponseOptions<undefined, string>'"],
  "wrong item": ["Type 'string' is not assignable to type 'number'."],
  "string as items": ["'string' is not assignable to parameter of type 'ItemSource<string>'"],
  "event without data": ["Property 'data' is missing in type '{ event: string; }'"],
  "event without data in a generator": [
    `an event must be { data, event?, id?, retry? }, { id } or { comment }: \\"data\\" is missing or has another type`,
  ],
  "data in place of an event in a generator": ['\\"data\\" is missing or has another type'],
  "wrong data of an event in a generator": ['\\"data.id\\" is missing or has another type'],
  "wrong item of a generator": ['an item must fit its schema: \\"id\\" is missing or has another type'],
  "handler that returns the body": [
    "the handler of users.byId must return a result that its route declares: response(status, body)",
  ],
  "handler that returns nothing": [
    "the handler of health must return a result that its route declares: response(status, body)",
  ],
  "asynchronous handler that returns nothing": [
    "the handler of health must return a result that its route declares: response(status, body)",
  ],
  "handler that returns a result on one path only": [
    "the handler of health must return a result that its route declares: response(status, body)",
  ],
  "handler of a fragment without response()": [
    "the handler of users.byId must return a result that its route declares: response(status, body)",
  ],
  "headers within an object of options": ["'headers' does not exist in type '{ location: string; }'"],
  "headers in place of the body": ["'headers' does not exist in type '{ message: string; }'"],
  "schema of headers after that of the body": ["is not assignable to parameter of type 'ResponseOptions<"],
  "shape in place of a schema of headers": ["'location' does not exist in type 'Schema<unknown, unknown>'"],
  "schema at a misspelled status": ['\\"ok\\" is not a status; write one such as 200'],
  "text as a raw response": ["'string' is not assignable to parameter of type 'Response'"],
  "params that the path lacks": ['\\"params\\" has \\"name\\", which is not a parameter of /users/:id'],
  "params that a nested path lacks": ["byName"],
  "body on GET": ["'body' does not exist in type 'RouteOptions<"],
  "unknown route option": ["'querry' does not exist in type 'RouteOptions<", "Did you mean to write 'query'?"],
  "unknown contract option": ["'base' does not exist in type 'ContractOptions<"],
  "bare schema that JSON cannot encode as a response": ['JSON cannot encode the property \\"at\\"; convert it'],
  "text in the place of a response": ["this is not a response; write response.json(…), another helper, or a schema"],
  "options in the place of a response": ["this is not a response; write response.json(…)"],
  "class in the place of a response of a router": ["this is not a response; write response.json(…)"],
  "request in the place of a response": ["this is not a response; write response.json(…)"],
  "schema of many statuses that JSON cannot encode": ['JSON cannot encode the property \\"at\\"; convert it'],
  "schema at a key of responses that is not a status": [
    '\\"headers\\" is not a status; declare them in a response: response.json(…, { headers })',
  ],
  "status that does not exist": ['\\"99\\" is not a status; write one such as 200'],
  "status of a contract that does not exist": ['\\"600\\" is not a status; write one such as 200'],
  "list in the place of responses": ["a list has no statuses; write { 200: … }"],
  "missing responses": ["Property 'responses' is missing in type '{}'"],
  "schema as a route": ["is not assignable to type 'RouteOrRouter'."],
  "object of routes without router()": ["'list' does not exist in type 'RouteOrRouter'."],
  "undeclared status of a middleware": [
    "a middleware must return the result of next(), or a result that all of its routes declare: response(status, body)",
  ],
  "middleware that returns nothing": [
    "a middleware must return the result of next(), or a result that all of its routes declare: response(status, body)",
  ],
  "middleware that does not return next()": [
    "a middleware must return the result of next(), or a result that all of its routes declare: response(status, body)",
  ],
  "middleware that returns a result on one path only": [
    "a middleware must return the result of next(), or a result that all of its routes declare: response(status, body)",
  ],
  "middleware that returns a native Response": [
    "a middleware must return the result of next(), or a result that all of its routes declare: response(status, body)",
  ],
  "addition to the context that is not an object": ["'string' is not assignable to parameter of type 'object'."],
  "addition to the context that may be undefined": [
    "'{ user: string; } | undefined' is not assignable to parameter of type 'object'.",
  ],
  "middleware for a status that the contract lacks": ["Property '404' is missing in type"],
  "property that no middleware added": ["Property 'name' does not exist on type '{ user: string; }'."],
  "fragment of another place": [`Type '"users.byId"' is not assignable to type '"health"'.`],
  "missing handler of a fragment": [`but required in type '{ readonly rename: "missing handlers: users.rename"; }'.`],
  "missing context input of a fragment": ["Property 'ip' is missing in type 'ContextInput'"],
  "missing context input of one of two": ["Property 'ip' is missing in type 'ContextInput'"],
  "missing context input": ["Property 'ip' is missing in type 'ContextInput' but required in type '{ ip: string; }'"],
  "missing contextInput": ["Property 'ip' is missing in type 'ContextInput' but required in type '{ ip: string; }'"],
  "wrong contextInput": ["Type 'number' is not assignable to type 'string'"],
  "unknown context property": ["Property 'user' does not exist on type '{ db: number; }'"],
  "missing client input": ["Expected 1-2 arguments, but got 0."],
  "missing client slot": ["Property 'body' is missing in type"],
  "wrong param name": ["'name' does not exist in type '{"],
  "wrong query type": ["Type 'number' is not assignable to type 'string'."],
  "unknown client slot": ["'query' does not exist in type"],
  "unknown call": ["Property 'remove' does not exist on type"],
  "options where input belongs": ["'params' does not exist in type 'CallOptions'"],
  "call of another route": [
    "is not assignable to type '{ (input: { readonly ",
    "readonly params: { readonly id: TextValue; }; readonly query:",
  ],
  "body of another status": ["Property 'name' does not exist on type '{ message: string; }'"],
  "status that is not declared": ["the types '200 | 404' and '500' have no overlap"],
  "property that a body lacks": ["Property 'email' does not exist on type '{ id: string; name: string; }'"],
  "missing baseUrl": ["Property 'baseUrl' is missing in type '{}'"],
  "codec that decodes to another type": ["Type 'string' is not assignable to type 'Date'."],
  "codec that decodes less than its wire has": [`Type 'string' is not assignable to type '"now"'.`],
  "contract with security without options": ["missing: { security: [verify(…)] } for the security scheme"],
  "contract with security and no verifiers": [
    `missing: verify(…) for the security scheme \\"token\\"`,
    `missing: verify(…) for the security scheme \\"session\\"`,
  ],
  "missing verifier": [`Property '"missing: verify(…) for the security scheme \\"session\\""' is missing in type`],
  "missing verifier beside one with a runtime": [
    `Property '"missing: verify(…) for the security scheme \\"session\\""' is missing in type`,
  ],
  "verifier of an unknown scheme": [`the contract has no security scheme \\"basic\\"; remove its verifier`],
  "verifier that is a function": ["Type '() => null' is not assignable to type"],
  "caller without scopes": [
    "Type '{ id: string; }' is not assignable to type 'Awaitable<CallerWithScopes | null | undefined>'",
  ],
  "caller with a scope that its scheme lacks": [`'"the security scheme has no scope \\"nope\\""'`],
  "caller with a scope of a scheme without scopes": [`'"the security scheme has no scope \\"nope\\""'`],
  "caller with a scope that its scheme lacks, inside a server": [`'"the security scheme has no scope \\"nope\\""'`],
  "caller that is text": ["Type 'string' is not assignable to type"],
  "caller that is a boolean": ["Type 'boolean' is not assignable to type"],
  "caller that is a list": [
    "Type '{ id: string; }[]' is not assignable to type 'Awaitable<NotAList | null | undefined>'",
  ],
  "credential of another scheme": [
    "Property 'token' does not exist on type 'CookieCredential & VerifierInput<Responses>'",
  ],
  "verifier's status that is not shared": ["Argument of type '409' is not assignable to parameter of type '429'"],
  "scope that does not exist": [`Argument of type '"raed"' is not assignable to parameter of type '"read" | "write"'`],
  "scope of a scheme without scopes": [`Argument of type '"read"' is not assignable to parameter of type 'never'`],
  "unknown option of a scheme": ["Did you mean to write 'scopes'?"],
  "security that is not a list": [
    "is missing the following properties from type 'readonly (CombinedSchemes<readonly SchemeEntry[]> | NoSecurity | ScopedScheme<",
  ],
  "inner list of security": [
    "is not assignable to type 'CombinedSchemes<readonly SchemeEntry[]> | NoSecurity | ScopedScheme<string, object> | SecurityScheme<",
  ],
  "caller of a public route": ["Property 'caller' does not exist on type"],
  "caller that may be undefined": ["'caller' is possibly 'undefined'"],
  "property of another caller": ["Property 'id' does not exist on type '{ name: string; }'"],
  "context for another caller": ["the caller that the context factory annotates must be one that the verifiers return"],
  "guard's status that is not shared": ["Argument of type '409' is not assignable to parameter of type '429'"],
  "guard that returns no result": [
    "a guard must return nothing, or a result that all of its routes declare: response(status, body)",
  ],
  "asynchronous guard that returns no result": [
    "a guard must return nothing, or a result that all of its routes declare: response(status, body)",
  ],
  "guard's status that a node does not share": [
    "Argument of type '201' is not assignable to parameter of type '409 | 429'",
  ],
  "missing contextInput of a guard": [
    "Property 'ip' is missing in type 'ContextInput' but required in type '{ ip: string; }'",
  ],
  "server of a value that is not a node": [
    "is not assignable to parameter of type 'RouterMark<Responses> | RouteNode<NodeShape>'",
  ],
  "verifier of its own module whose status is not shared": [
    "verify(token, …) annotates responses that the contract does not declare for all routes",
  ],
  "POST that is followed": ["follow(): the route must be GET or QUERY and declare the header last-event-id"],
  "route without last-event-id that is followed": [
    "follow(): the route must be GET or QUERY and declare the header last-event-id",
  ],
  "route without events that is followed": ["follow(): the route must declare response.sse() for a 2xx status"],
  "timeout of what is followed": ["'timeout' does not exist in type 'FollowOptions'"],
  "route of retry() that the contract lacks": [
    `Type '"users.rname"' is not assignable to type '"health" | "users.byId" | "users.rename"'.`,
  ],
  "around that returns an outcome of its own": ["is not assignable to type"],
  "tool of a route that streams": [`is not assignable to type '"A tool cannot receive a stream of events"'.`],
  "tool of a route that takes an upload": [`is not assignable to type '"A tool cannot send a stream of bytes"'.`],
  "tool of a route that the contract lacks": [`'"users.rname"' does not exist in type`],
  "tool without a description": ["Type 'boolean' is not assignable to type 'string'."],
  "credential of a client for a scheme that the contract lacks": [
    "'tokn' does not exist in type",
    "Did you mean to write 'token'?",
  ],
  "credential of a client that is not a string": [
    "Type 'number' is not assignable to type 'CredentialSource<string>'.",
  ],
  "cors without origins": [
    "Property 'origins' is missing in type '{ maxAge: number; }' but required in type 'CorsOptions'.",
  ],
  "unknown option of cors": ["'origin' does not exist in type 'CorsOptions'. Did you mean to write 'origins'?"],
  "text as the origins of cors": [
    `is not assignable to type 'readonly string[] | "*" | ((origin: string) => boolean)'.`,
  ],
  "asynchronous function of origins": ["Type 'Promise<boolean>' is not assignable to type 'boolean'."],
  "unknown option of an adapter": [
    "'maxBodyByte' does not exist in type 'FetchOptions'. Did you mean to write 'maxBodyBytes'?",
  ],
  "unknown option of createFetchHandler()": ["'onErr' does not exist in type", "Did you mean to write 'onError'?"],
  "unknown option of a server": ["'contxt' does not exist in type 'ServerOptions<", "Did you mean to write 'context'?"],
  "unknown option of retry()": [
    "'attempt' does not exist in type 'RetryOptions<never>'. Did you mean to write 'attempts'?",
  ],
  "text as the attempts of retry()": ["Type 'string' is not assignable to type 'number'."],
  "retry() that is not called": [
    "Type '<const Key extends string = never>(options?: RetryOptions<Key>) => Around<Key>' is not assignable to type 'Around<",
  ],
  "slim contract in place of the whole one": [
    "is missing the following properties from type 'Contract<RouterMark<Responses>, Responses, Refusals | undefined, Webhooks | undefined>': basePath, responses, refusals, webhooks, docs",
  ],
  "slim contract without a route": ["Property 'users' is missing in type"],
  "number in place of a row": ["Type 'number' is not assignable to type 'SlimRoutes | SlimRoute<RouteTypes>'."],
  "row of another method than that of its type": [`Type '"get"' is not assignable to type 'Method'.`],
  "row whose type has a response without a representation": ["does not satisfy the constraint 'RouteTypes'."],
  "body of a row with another type": ["Type 'string' is not assignable to type 'number'."],
  "target of contract tests that is a request": ["Type 'Request' is not assignable to type 'Target'."],
  "values of contract tests for a route that the contract lacks": [
    `'"users.byid"' does not exist in type 'ValuesByKey<`,
  ],
  "rule of contract tests that does not exist": [`'"no-leaks"' does not exist in type 'Readonly<Partial<Record<Rule,`],
  "sample of a call": ["is not assignable to parameter of type 'RouteNode<NodeShape>'."],
  "handler of a mock for a route that the contract lacks": [
    "'user' does not exist in type",
    "Did you mean to write 'users'?",
  ],
  "status of a mock that its route lacks": ["Type '500' is not assignable to type '200 | 404 | undefined'."],
  "comparison with a slim contract": ["is not assignable to parameter of type 'ContractOrDocument'."],
  "document without a version": [
    "Property 'version' is missing in type '{ title: string; }' but required in type 'OpenApiInfo'.",
  ],
  "query without its input": ["Expected 2-3 arguments, but got 1."],
  "query of events": ['"the response can be read only once; call it without TanStack Query"'],
  "unknown option of xhrFetch()": ["'onProgress' does not exist in type 'XhrFetchOptions'."],
};

/** The likeliest mistakes. The whole message of each has at most three lines. */
export const likeliest: readonly string[] = [
  // servers
  "no handler",
  "missing handler",
  "missing router",
  "unknown handler",
  "handler that is not a function",
  "handler of another route",
  "handler that returns the body",
  "handler that returns nothing",
  "asynchronous handler that returns nothing",
  "handler that returns a result on one path only",
  "handler of a fragment without response()",
  "native Response",
  "undeclared status",
  "undeclared status as a plain object",
  "wrong body",
  "missing body property",
  "excess body property",
  "missing response body",
  "wrong item",
  "event without data",
  "event without data in a generator",
  "data in place of an event in a generator",
  "wrong data of an event in a generator",
  "wrong item of a generator",
  "slot that is not declared",
  "unknown param",
  "missing context input",
  "missing contextInput",
  "wrong contextInput",
  "unknown option of createFetchHandler()",
  "cors without origins",
  "undeclared status of a middleware",
  "middleware that returns nothing",
  "middleware that does not return next()",
  "middleware that returns a result on one path only",
  "middleware that returns a native Response",
  "guard that returns no result",
  "asynchronous guard that returns no result",
  "unknown option of a server",
  "unknown option of an adapter",
  "unknown option of cors",
  // headers
  "missing response headers",
  "headers within an object of options",
  "headers in place of the body",
  "schema of headers after that of the body",
  "shape in place of a schema of headers",
  "schema at a key of responses that is not a status",
  // security
  "contract with security without options",
  "contract with security and no verifiers",
  "missing verifier",
  "verifier of an unknown scheme",
  // contracts
  "bare schema that JSON cannot encode as a response",
  "Date in a bare body",
  "query that does not accept strings",
  "params that the path lacks",
  "body on GET",
  "status that does not exist",
  "list in the place of responses",
  "missing responses",
  "options in the place of a response",
  "schema as a route",
  // clients
  "missing client input",
  "missing client slot",
  "wrong param name",
  "body of another status",
  "property that a body lacks",
];

/** The correct program with all mistakes. The line to be blamed for each ends with a comment that names it. */
export const mistakeProgram = [
  preamble,
  ...Object.entries(mistakes).map(([name, text]) => text.replace("// HERE", markOf(name))),
].join("\n");

/** The comment at the line that is to be blamed for a mistake. */
export function markOf(name: string): string {
  return `// HERE: ${name}`;
}

/** Sorts the members of unions in a message: each version of the compiler lists them in another order. */
export function sortUnions(message: string): string {
  const member = String.raw`(?:"[^"]*"|\w+(?:<[^<>|]*>)?)`;
  return message.replaceAll(
    new RegExp(`${member}(?: \\| ${member})+`, "g"),
    (union) => union.split(" | ").toSorted().join(" | "),
  );
}
