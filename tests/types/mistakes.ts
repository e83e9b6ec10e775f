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
import { empty, slimContract } from "@scope/api/slim";
import { queryOptions } from "@scope/api/tanstack-query";
import { contractTests, sample } from "@scope/api/testing";
import { xhrFetch } from "@scope/api/xhr";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";

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
  "a handler that returns a refusal": `
defineServer(defineContract({ refusals: { 400: response.problem() }, routes: { one: route.get("/:id", { responses: ok }) } }))
  .implement({
    one: ({ response }) => response(400, {}), // HERE
  });`,
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
  "bare schema as a response": `
route.get("/", {
  responses: { 200: User }, // HERE
});`,
  "missing responses": `
route.get("/", {}); // HERE
`,
  "schema as a route": `
defineContract({
  routes: { User }, // HERE
});`,
  "undeclared status of a middleware": `
server.use(
  () => ({ status: 418 }), // HERE
);`,
  "middleware that returns nothing": `
server.use(
  async ({ next }) => { await next(); }, // HERE
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
createFetchHandler(needing, { // HERE
  contextInput: () => ({ ip: 1 }),
});`,
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
defineServer(secured, { // HERE
  security: [verify(token, ({ token }, { ip }: { ip: string }) => ({ id: token, scopes: [ip] }))],
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
