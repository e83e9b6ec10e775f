/** The mistakes that are likeliest when a program is set up, and the message that each throws. */
import { codec, defineContract, representation, request, response, route, router, security } from "@scope/api";
import { createClient } from "@scope/api/client";
import { connect } from "@scope/api/connect";
import { diffContracts } from "@scope/api/diff";
import { createFetchHandler, fetchAdapter } from "@scope/api/fetch";
import { mcpTools } from "@scope/api/mcp";
import { mockContract } from "@scope/api/mock";
import { createNodeHandler, toNodeHandler } from "@scope/api/node";
import { docsPage, openApiDocument } from "@scope/api/openapi";
import { follow, retry } from "@scope/api/retry";
import { defineServer, verify } from "@scope/api/server";
import { writeContract } from "@scope/api/import";
import { workersSockets } from "@scope/api/socket";
import { json, slimContract } from "@scope/api/slim";
import { infiniteQueryOptions, mutationOptions, queryKey, queryOptions } from "@scope/api/tanstack-query";
import { contractTests, sample } from "@scope/api/testing";
import { proxy } from "@scope/api/proxy";
import { xhrFetch } from "@scope/api/xhr";
import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { z } from "zod";

const ok = { 200: response.empty() };
const User = z.object({ id: z.string() });
const token = security.bearer("token", { scopes: ["read"] });
const session = security.cookie("session", { cookie: "sid" });
const list = route.get("/users", { responses: { 200: response.json(z.array(User)) } });
const contract = defineContract({ routes: { users: router("/", { routes: { list } }) } });
const secured = defineContract({
  security: [token.scoped("read"), session],
  routes: { users: router("/", { routes: { list } }) },
});
const slim = slimContract<typeof contract>({ users: { list: ["GET", "/users", {}, { 200: json }] } });
const answer = () => new Response();
const baseUrl = "https://api.example.com";
const client = createClient(contract, { baseUrl });
const server = defineServer(contract);
const info = { title: "Users", version: "1.0.0" };

/** A function of the library whose types would not compile with the mistake. */
const loose = <Function>(call: Function): (...given: readonly unknown[]) => unknown => call as never;

/** Each mistake by its area and name, with its whole message. */
const mistakes: Readonly<Record<string, Readonly<Record<string, readonly [mistake: () => unknown, message: string]>>>> =
  {
    contract: {
      "a misspelled option": [
        () => loose(route.get)("/users", { querry: User, responses: ok }),
        'route.get("/users"): unknown option "querry"; did you mean "query"? ' +
        "(allowed: params, query, headers, trailingSlash, responses, refusals, security, deprecated, docs)",
      ],
      "a missing response": [
        () => loose(route.get)("/users", {}),
        'route.get("/users"): "responses" must declare at least one status, like { 200: response.json(…) }',
      ],
      "a response that is not a schema": [
        () => loose(route.get)("/users", { responses: { 200: { id: "string" } } }),
        'route.get("/users"): response 200 must be a schema or a declaration, got an object; ' +
        "write response.json(…) or another helper",
      ],
      "a body that is not a schema": [
        () => loose(route.post)("/users", { body: { id: "string" }, responses: ok }),
        'route.post("/users"): "body" must be a schema or a declaration like request.json(…), got an object',
      ],
      "a query that is not a schema": [
        () => loose(route.get)("/users", { query: { page: "number" }, responses: ok }),
        'route.get("/users"): "query" must be a Standard Schema (Zod, Valibot, ArkType, …), got an object',
      ],
      "a parameter in braces": [
        () => route.get("/users/:user-id", { responses: ok }),
        'route.get(): the path "/users/:user-id" contains ":user-id", an invalid parameter; ' +
        "its name must have letters, digits and _ only, and not start with a digit",
      ],
      "a query in a path": [
        () => route.get("/users?page=1", { responses: ok }),
        'route.get(): the path "/users?page=1" contains "?", which ends a path; remove it, or declare "query"',
      ],
      "two routes of one path": [
        () => defineContract({ routes: { list, other: route.get("/users", { responses: ok }) } }),
        "defineContract(): list and other both match GET /users; change the method or path of one",
      ],
      "a handler in place of a route": [
        () => loose(defineContract)({ routes: { list: () => [] } }),
        "defineContract(): list must be a route or a router, got a function; " +
        "write route.get(…) or router(…), or a contract without a spread",
      ],
      "an array of routes": [
        () => loose(router)("/users", { routes: [list] }),
        'router("/users"): "routes" must be a plain object like { key: … }, got an array',
      ],
      "a status that has no body": [
        () => route.delete("/users", { responses: { 204: response.json() } }),
        'route.delete("/users"): response 204 must not have a body; use response.empty() or response.raw()',
      ],
      "a limit in words": [
        () => loose(request.json)({ maxBytes: "1 MiB" }),
        'request.json(): "maxBytes" must be a non-negative integer, got "1 MiB"',
      ],
      "a codec without a function": [
        () => loose(codec)(z.string(), z.date(), { decode: (text: string) => new Date(text) }),
        'codec(): "encode" must be a function, got undefined',
      ],
      "a representation without a media type": [
        () => loose(representation)({ contentType: "csv", encode: String, decode: String }),
        'representation(): "contentType" must be a media type like "application/json", got "csv"',
      ],
      "a date in words": [
        () => loose(route.get)("/users", { responses: ok, deprecated: { since: "June 2026" } }),
        'route.get("/users"): "deprecated.since" must be a date like "2026-06-01" or a UTC time, got "June 2026"',
      ],
    },
    security: {
      "a scheme that is not in an array": [
        () => loose(route.get)("/users", { responses: ok, security: token }),
        'route.get("/users"): "security" must be an array of schemes, got an object; write [] for public',
      ],
      "the name of a scheme in place of the scheme": [
        () => loose(route.get)("/users", { responses: ok, security: ["token"] }),
        'route.get("/users"): "security[0]" must be a scheme, got "token"; ' +
        "write security.bearer(…) or another of its helpers",
      ],
      "a route that does not say whether it is public": [
        () => defineContract({ routes: { list, mine: route.get("/mine", { responses: ok, security: [token] }) } }),
        'defineContract(): "security" is missing for list, but other routes declare it; ' +
        "declare it, or write [] for public routes",
      ],
      "an unknown scope": [
        () => loose(token.scoped)("raed"),
        'security.bearer("token").scoped(): unknown scope "raed" (declared: read)',
      ],
      "an option that is required": [
        () => loose(security.apiKey)("partner"),
        'security.apiKey("partner"): "header" is required',
      ],
      "a header in capitals": [
        () => security.apiKey("partner", { header: "X-Api-Key" }),
        'security.apiKey("partner"): "header" must be a lower-case header name like "x-api-key", got "X-Api-Key"',
      ],
      "no verifiers": [
        () => loose(defineServer)(secured),
        'defineServer(): "security" must verify the scheme "token"; add verify(token, …); ' +
        '"security" must verify the scheme "session"; add verify(session, …)',
      ],
      "a verifier that is not in an array": [
        () => loose(defineServer)(secured, { security: verify(session, () => null) }),
        'defineServer(): "security" must be an array like [verify(scheme, …)], got an object',
      ],
      "a verifier without a scheme": [
        () => loose(verify)("token", () => null),
        'verify(): the first argument must be a security scheme, such as security.bearer(…), got "token"',
      ],
      "a verifier without a function": [
        () => loose(verify)(token),
        "verify(): the second argument must be a function, got undefined",
      ],
    },
    server: {
      "no options": [
        () => loose(defineServer)(contract, null),
        "defineServer(): the options must be an object, got null",
      ],
      "the routes in place of the contract": [
        () => loose(defineServer)(contract.routes),
        "defineServer(): the contract must be made by defineContract(), got an object",
      ],
      "a slim contract": [
        () => loose(defineServer)(slim),
        "defineServer(): the contract must be made by defineContract(), got a slim contract, which has no schemas; " +
        "import the whole contract instead",
      ],
      "a misspelled option": [
        () => loose(defineServer)(contract, { contxt: () => ({}) }),
        'defineServer(): unknown option "contxt"; did you mean "context"? (allowed: context, refuse, security)',
      ],
      "a context that is not a function": [
        () => loose(defineServer)(contract, { context: { db: 1 } }),
        'defineServer(): "context" must be a function, got an object',
      ],
      "handlers that lack one and have another": [
        () => loose(server.implement)({ users: { lst: () => {} } }),
        "server.implement(): users.list is missing; users.lst is not in the contract; remove it",
      ],
      "a guard that is not a function": [
        () => loose(server.guard)({ max: 5 }),
        "server.guard(): the argument must be a function, got an object",
      ],
      "a middleware that is not a function": [
        () => loose(server.use)(undefined),
        "server.use(): the argument must be a function, got undefined",
      ],
      "a key in place of a node": [
        () => loose(server.at)("users"),
        "server.at(): the argument must be a router or route of the contract, like contract.routes.…",
      ],
    },
    fetch: {
      "a server in place of an implementation": [
        () => loose(createFetchHandler)(server),
        "createFetchHandler(): the implementation must be made by defineServer(contract).implement(…), got an object",
      ],
      "a misspelled option": [
        () => loose(fetchAdapter)({ maxBodySize: 5 }),
        'fetchAdapter(): unknown option "maxBodySize"; did you mean "maxBodyBytes"? (allowed: maxBodyBytes, maxDepth, sockets, preserveRequestBody, cors, onError, onResponse)',
      ],
      "no object": [
        () => loose(fetchAdapter)(null),
        "fetchAdapter(): the options must be an object, got null",
      ],
      "a limit in words": [
        () => loose(fetchAdapter)({ maxBodyBytes: "1 MiB" }),
        'fetchAdapter(): "maxBodyBytes" must be a non-negative integer or omitted, got "1 MiB"',
      ],
    },
    node: {
      "a server in place of an implementation": [
        () => loose(createNodeHandler)(server),
        "createNodeHandler(): the implementation must be made by defineServer(contract).implement(…), got an object",
      ],
      "an option of the other adapter": [
        () =>
          loose(createNodeHandler)(server.implement({ users: { list: () => ({ status: 200, body: [] }) } }), {
            preserveRequestBody: true,
          }),
        'createNodeHandler(): unknown option "preserveRequestBody"; did you mean "onResponse"? (allowed: maxBodyBytes, maxDepth, sockets, cors, onError, onResponse, contextInput)',
      ],
      "a response in place of a function": [
        () => loose(toNodeHandler)(answer()),
        "toNodeHandler(): the handler must be a function, got an object",
      ],
    },
    cors: {
      "a boolean": [
        () => loose(fetchAdapter)({ cors: true }),
        'fetchAdapter(): "cors" must be an object like { origins: ["https://app.example.com"] }, got true',
      ],
      "one origin": [
        () => loose(fetchAdapter)({ cors: { origins: "https://app.example.com" } }),
        'fetchAdapter(): "cors.origins" must be an array of origins, a function or "*", got "https://app.example.com"',
      ],
      "a misspelled option": [
        () => loose(fetchAdapter)({ cors: { origin: "*" } }),
        'fetchAdapter(): unknown option "origin" in "cors"; did you mean "origins"? (allowed: origins, headers, exposed, maxAge)',
      ],
      "a path in an origin": [
        () => fetchAdapter({ cors: { origins: ["https://app.example.com/"] } }),
        'fetchAdapter(): "cors.origins" must contain origins like "https://app.example.com" in lower case, ' +
        'got "https://app.example.com/"',
      ],
      "an asterisk among origins": [
        () => fetchAdapter({ cors: { origins: ["*"] } }),
        'fetchAdapter(): "cors.origins" must not contain "*"; write origins: "*" to allow all',
      ],
      "a name with a space": [
        () => fetchAdapter({ cors: { origins: "*", headers: ["x-a x-b"] } }),
        'fetchAdapter(): "cors.headers" must contain header names, got "x-a x-b"',
      ],
      "a time that is not an integer": [
        () => fetchAdapter({ cors: { origins: "*", maxAge: 0.5 } }),
        'fetchAdapter(): "cors.maxAge" must be a non-negative integer of seconds, got 0.5',
      ],
    },
    client: {
      "no options": [
        () => loose(createClient)(contract),
        'createClient(): "baseUrl" must be an absolute http or https URL without credentials, query and fragment, ' +
        "got undefined",
      ],
      "a missing base URL": [
        () => loose(createClient)(contract, {}),
        'createClient(): "baseUrl" must be an absolute http or https URL without credentials, query and fragment, ' +
        "got undefined",
      ],
      "a fetch that is not a function": [
        () => loose(createClient)(contract, { baseUrl, fetch: { fetch: answer } }),
        'createClient(): "fetch" must be a function, got an object',
      ],
      "a misspelled option": [
        () => loose(createClient)(contract, { baseUrl, header: {} }),
        'createClient(): unknown option "header" ' +
        "(allowed: baseUrl, fetch, headers, credentials, around, init, validate, maxBodyBytes, maxRecordBytes)",
      ],
      "the credential of an unknown scheme": [
        () => loose(createClient)(secured, { baseUrl, credentials: { tokn: "secret" } }),
        'createClient(): unknown credential "tokn" (allowed: token, session)',
      ],
      "a credential without its scheme": [
        () => loose(createClient)(secured, { baseUrl, credentials: "secret" }),
        "createClient(): the credentials must be an object, got a string",
      ],
      "the mode of redirects without its name": [
        () => loose(createClient)(contract, { baseUrl, init: "follow" }),
        'createClient(): "init" must be an object, got a string',
      ],
      "a header as text": [
        () => loose(createClient)(contract, { baseUrl, headers: "authorization: Bearer secret" }),
        'createClient(): "headers" must be an object or a function, got a string',
      ],
      "a base URL with a password": [
        () => createClient(contract, { baseUrl: "https://ada:secret@api.example.com" }),
        'createClient(): "baseUrl" must be an absolute http or https URL without credentials, query and fragment',
      ],
      "the routes in place of the contract": [
        () => loose(createClient)(contract.routes, { baseUrl }),
        "createClient(): the contract must be made by defineContract() or slimContract(), got an object",
      ],
    },
    connect: {
      "a route without a socket": [
        () => loose(connect)(client.users.list),
        "connect(): GET /users (users.list) must declare response.socket() for the status 101",
      ],
      "what is not a call": [
        () => loose(connect)(contract.routes.users.list),
        "connect(): the first argument must be a call of a client, like client.users.byId, got an object",
      ],
    },
    retry: {
      "a misspelled option": [
        () => loose(retry)({ attempt: 3 }),
        'retry(): unknown option "attempt" (allowed: attempts, maxWait, also, except, onRetry)',
      ],
      "no attempt": [
        () => retry({ attempts: 0 }),
        'retry(): "attempts" must be a positive integer, got 0',
      ],
      "a time in words": [
        () => loose(retry)({ maxWait: "5s" }),
        'retry(): "maxWait" must be milliseconds from 0 to 2147483647, or Infinity, got a string',
      ],
      "one route that is not in an array": [
        () => loose(retry)({ also: "users.list" }),
        'retry(): "also" must be an array of keys, got a string',
      ],
      "a route that does not exist": [
        () => loose(createClient)(contract, { baseUrl, around: retry({ also: ["users.lst"] }) }),
        'createClient(): "around" names the unknown route "users.lst"',
      ],
      "retry() in an object": [
        () => loose(createClient)(contract, { baseUrl, around: { retry: retry() } }),
        'createClient(): "around" must be a function or an array of functions, got an object',
      ],
      "a route in place of a call": [
        () => loose(follow)(list),
        "follow(): the first argument must be a call of a client, like client.users.byId, got an object",
      ],
      "a route without events": [
        () => loose(follow)(client.users.list),
        "follow(): users.list must be a GET or QUERY route with response.sse() for a 2xx status, " +
        "and must not send a stream",
      ],
    },
    slim: {
      "a slim contract in place of the whole one": [
        () => loose(openApiDocument)(slim, { info }),
        "openApiDocument(): the contract must be made by defineContract(), got a slim contract, which has no schemas; " +
        "import the whole contract instead",
      ],
      "rows in place of a slim contract": [
        () => loose(createClient)({ users: { list: ["GET", "/users", {}, {}] } }, { baseUrl }),
        "createClient(): the contract must be made by defineContract() or slimContract(), got an object",
      ],
    },
    testing: {
      "no target": [
        () => loose(contractTests)(contract, {}),
        'contractTests(): "target" must be a handler, a function that returns one, or a URL without a query, ' +
        "got undefined",
      ],
      "a misspelled option": [
        () => loose(contractTests)(contract, { target: baseUrl, run: 5 }),
        'contractTests(): unknown option "run"; did you mean "runs"? (allowed: target, values, credentials, sign, strangers, owned, headers, schema, runs, seed, ' +
        "limit, mutates, profile, against, ignore, warn)",
      ],
      "a part of a run": [
        () => contractTests(contract, { target: baseUrl, runs: 0.5 }),
        'contractTests(): "runs" must be a non-negative integer, got 0.5',
      ],
      "values of an unknown route": [
        () => loose(contractTests)(contract, { target: baseUrl, values: { users: {} } }),
        'contractTests(): "values" has the unknown route "users"',
      ],
      "values of no route": [
        () => loose(contractTests)(contract, { target: baseUrl, values: 1 }),
        'contractTests(): "values" must be an object, got 1',
      ],
      "a text in place of a boolean": [
        () => loose(contractTests)(contract, { target: baseUrl, mutates: "no" }),
        'contractTests(): "mutates" must be a boolean, got "no"',
      ],
      "a credential of an unknown scheme": [
        () => loose(contractTests)(secured, { target: baseUrl, credentials: { tokn: "secret" } }),
        'contractTests(): unknown credential "tokn" (allowed: token, session)',
      ],
      "a call in place of a route": [
        () => loose(sample)(client.users.list),
        "sample(): the first argument must be a route of a contract, like contract.routes.…, got a function",
      ],
    },
    mock: {
      "a misspelled option": [
        () => loose(mockContract)(contract, { sead: 1 }),
        'mockContract(): unknown option "sead"; did you mean "seed"? (allowed: seed, handlers, status, security, caller, refuse, delay, sample, schema, docs, ' +
        "maxBodyBytes, maxDepth, preserveRequestBody, cors, sockets, onError, onResponse)",
      ],
      "a status without its route": [
        () => loose(mockContract)(contract, { status: 404 }),
        'mockContract(): "status" must be an object, got 404',
      ],
      "a handler of an unknown route": [
        () => loose(mockContract)(contract, { handlers: { user: {} } }),
        'mockContract(): "handlers" has user, which is not in the contract; remove it',
      ],
      "a status of an unknown route": [
        () => loose(mockContract)(contract, { status: { users: 200 } }),
        'mockContract(): "status" has the unknown route "users"',
      ],
      "a status that is not declared": [
        () => loose(mockContract)(contract, { status: { "users.list": 404 } }),
        'mockContract(): "status" of users.list must be declared, got 404 (declared: 200)',
      ],
      "a time in words": [
        () => loose(mockContract)(contract, { delay: "1s" }),
        'mockContract(): "delay" must be a number of milliseconds, got "1s"',
      ],
    },
    mcp: {
      "no fetch": [
        () => loose(mcpTools)(contract, { tools: {} }),
        'mcpTools(): "fetch" must be a function, such as a mounted handler, got undefined',
      ],
      "a list of tools": [
        () => loose(mcpTools)(contract, { fetch: answer, tools: ["users.list"] }),
        'mcpTools(): "tools" must be a plain object like { key: … }, got an array',
      ],
      "a tool of an unknown route": [
        () => loose(mcpTools)(contract, { fetch: answer, tools: { users: "Lists users." } }),
        'mcpTools(): cannot make a tool of "users": it is not the key of a route; use a key such as users.list',
      ],
      "a tool without a description": [
        () => loose(mcpTools)(contract, { fetch: answer, tools: { "users.list": "" } }),
        "mcpTools(): cannot make a tool of users.list: its description is required; " +
        "describe what it does and when to use it",
      ],
    },
    diff: {
      "one contract": [
        () => loose(diffContracts)(contract),
        "diffContracts(): the contract must be made by defineContract() or be an OpenAPI document, got undefined",
      ],
      "a document of OpenAPI 2.0": [
        () => diffContracts({ openapi: "2.0", paths: {} }, contract),
        'diffContracts(): the document must be of OpenAPI 3.0, 3.1 or 3.2, or Swagger 2.0, got "2.0"',
      ],
      "samples in words": [
        () => loose(diffContracts)(contract, contract, { samples: "many" }),
        'diffContracts(): "samples" must be a non-negative integer, got "many"',
      ],
    },
    openapi: {
      "no info": [
        () => loose(openApiDocument)(contract, {}),
        'openApiDocument(): "info" must be a plain object like { key: … }, got undefined',
      ],
      "info without a version": [
        () => loose(openApiDocument)(contract, { info: { title: "Users" } }),
        'openApiDocument(): "info" must have a title and a version, like { title: "…", version: "1.0.0" }',
      ],
      "one server": [
        () => loose(openApiDocument)(contract, { info, servers: { url: "https://api.example.com" } }),
        'openApiDocument(): "servers" must be a list like [{ url: "https://api.example.com" }], got an object',
      ],
      "tags as texts": [
        () => loose(openApiDocument)(contract, { info, tags: ["Users"] }),
        'openApiDocument(): "tags" must be a list like [{ name: "Users" }], got an array',
      ],
      "a version of the document that is not supported": [
        () => loose(openApiDocument)(contract, { info, version: "3.0" }),
        'openApiDocument(): "version" must be "3.1" or "3.2", got "3.0"; pass the document to toOpenApi30()',
      ],
      "a page without a document": [
        () => loose(docsPage)({ title: "Users" }),
        'docsPage(): either "document" or "url" is required, and not both',
      ],
    },
    "tanstack-query": {
      ...Object.fromEntries(
        Object.entries({ queryOptions, infiniteQueryOptions, mutationOptions, queryKey }).map(([name, call]) => [
          `a route in place of a call for ${name}()`,
          [
            () => loose(call)(contract.routes.users.list, {}),
            `${name}(): the first argument must be a call of a client, like client.users.byId, got an object`,
          ],
        ]),
      ),
      "pages without an input": [
        () => loose(infiniteQueryOptions)(client.users.list, { next: () => undefined }),
        'infiniteQueryOptions(): "input" must be a function, got undefined',
      ],
      "an input in place of pages": [
        () => loose(infiniteQueryOptions)(client.users.list, null),
        'infiniteQueryOptions(): "next" must be a function, got undefined',
      ],
    },
    proxy: {
      "a URL without a scheme": [
        () => proxy("localhost:3000"),
        'proxy(): the URL must be like "http://127.0.0.1:3000/path", without a query, a fragment or credentials, got "localhost:3000"',
      ],
    },
    xhr: {
      "a misspelled option": [
        () => loose(xhrFetch)({ onProgress: () => {} }),
        'xhrFetch(): unknown option "onProgress" (allowed: onUploadProgress)',
      ],
    },
  };

/** The form of every message: the function, then the mistake. */
const form = /^[\w.]+\(.*?\)(?:\.\w+\(\))?: \S/s;

const withoutOptions: Readonly<Record<string, (options: unknown) => unknown>> = {
  createClient: (options) => loose(createClient)(contract, options),
  createFetchHandler: (options) =>
    loose(createFetchHandler)(server.implement({ users: { list: answer } } as never), options),
  createNodeHandler: (options) =>
    loose(createNodeHandler)(server.implement({ users: { list: answer } } as never), options),
  defineServer: (options) => loose(defineServer)(contract, options),
  mockContract: (options) => loose(mockContract)(contract, options),
  proxy: (options) => loose(proxy)(baseUrl, options),
  retry: (options) => loose(retry)(options),
  workersSockets: (options) => loose(workersSockets)(options),
  writeContract: (options) => loose(writeContract)(openApiDocument(contract, { info }), options),
};

for (const [name, call] of Object.entries(withoutOptions)) {
  Deno.test(`${name}() refuses null in place of its options`, () => {
    assertThrows(() => call(null), TypeError, `${name}(): the options must be an object, got null`);
  });
}

for (const [area, named] of Object.entries(mistakes)) {
  for (const [name, [mistake, message]] of Object.entries(named)) {
    Deno.test(`${area}: ${name} throws a message that names the function and the fix`, () => {
      assertEquals(assertThrows(mistake, TypeError).message, message);
      assertMatch(message, form);
    });
  }
}
