import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { mistakes, preamble } from "./mistakes.ts";
import { checkProgram, type ProgramError } from "./program.ts";

/** The parts that the compiler's message about a mistake must have. */
const parts: Readonly<Record<keyof typeof mistakes, readonly string[]>> = {
  "undeclared status": ["'500' is not assignable to parameter of type '200 | 404'"],
  "undeclared status as a plain object": ["Type '500' is not assignable to type"],
  "refuse with a status that is no declared refusal": ["'404' is not assignable to parameter of type '401'"],
  "refuse with the wrong body": ["Type 'number' is not assignable to type 'string'."],
  "refuse by a code that the adapter does not have": ["have no overlap"],
  "a declared refusal without refuse": [`to type '"missing: { refuse: … } for the refusals 404"'.`],
  "a declared refusal without refuse among the options": ["Property 'refuse' is missing in type"],
  "a refusal with the status of a success": [`to type '"refusals have statuses from 400 to 599"'`],
  "a refusal that is a stream": [`Type '"ndjson"' is not assignable to type '"json" |`],
  "a handler that returns a refusal": ["'400' is not assignable to parameter of type '200'"],
  "missing handler": ["is not assignable to type '\"missing handlers: users.rename\"'."],
  "missing router": ["missing handlers: users.rename", "missing handlers: users.byId"],
  "missing handler among fragments": ["is not assignable to type '\"missing handlers: users.rename\"'."],
  "missing handlers beside functions": ["missing handlers: users.rename", "missing handlers: users.byId"],
  "handler that may be undefined": ["Type 'undefined' is not assignable to type"],
  "unknown handler": ["'remove' does not exist in type"],
  "handler that is not a function": ["'status' does not exist in type 'Handler<"],
  "helper for a status that the route lacks": ["Property '404' is missing in type"],
  "helper for another body of the route's status": [
    "Types of property '404' are incompatible.",
    "Property 'code' is missing in type '{ message: string; }'",
  ],
  "one of two statuses with the body of the other": ["Type '{ message: string; }' is missing the following properties"],
  "handler of another route": [`Type '"users.rename"' is not assignable to type '"users.byId"'.`],
  "wrong body": ["Type 'number' is not assignable to type 'string'."],
  "missing body property": ["Property 'name' is missing in type '{ id: string; }'"],
  "excess body property": ["'age' does not exist in type '{ id: string; name: string; }'"],
  "missing response body": ["Expected 2-3 arguments, but got 1."],
  "missing response headers": ["Expected 3 arguments, but got 2."],
  "native Response": ["Type 'Response' is not assignable to type", "'number' is not assignable to type '200'"],
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
  "text as a raw response": ["'string' is not assignable to parameter of type 'Response'"],
  "params that the path lacks": ['\\"params\\" has \\"name\\", which is not a parameter of /users/:id'],
  "params that a nested path lacks": ["byName"],
  "body on GET": ["'body' does not exist in type 'RouteOptions<"],
  "unknown route option": ["'querry' does not exist in type 'RouteOptions<", "Did you mean to write 'query'?"],
  "unknown contract option": ["'base' does not exist in type 'ContractOptions<"],
  "bare schema as a response": ["'ResponseDeclaration<ResponseContent, ResponseKind>'"],
  "missing responses": ["Property 'responses' is missing in type '{}'"],
  "schema as a route": [`is not assignable to type 'Marked<"route declaration"> | Marked<"router declaration">'`],
  "undeclared status of a middleware": ["Property '\"~addedContext\"' is missing in type '{ status: number; }'"],
  "middleware that returns nothing": ["Type 'void' is not assignable to type 'NextResult<object>'."],
  "addition to the context that is not an object": ["'string' is not assignable to parameter of type 'object'."],
  "addition to the context that may be undefined": [
    "'{ user: string; } | undefined' is not assignable to parameter of type 'object'.",
  ],
  "middleware for a status that the contract lacks": ["Property '404' is missing in type"],
  "property that no middleware added": ["Property 'name' does not exist on type '{ user: string; }'."],
  "fragment of another place": [`Type '"users.byId"' is not assignable to type '"health"'.`],
  "missing handler of a fragment": ["is not assignable to type '\"missing handlers: users.rename\"'."],
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
    "is not assignable to type '{ (input: { readonly params: { readonly id: TextValue; }; readonly query:",
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
  "security that is not a list": ["is missing the following properties from type 'readonly (SecurityScheme<"],
  "inner list of security": [
    "is not assignable to type 'SecurityScheme<string, object, string> | ScopedScheme<string, object> | NoSecurity'",
  ],
  "caller of a public route": ["Property 'caller' does not exist on type"],
  "caller that may be undefined": ["'caller' is possibly 'undefined'"],
  "property of another caller": ["Property 'id' does not exist on type '{ name: string; }'"],
  "context for another caller": ["the caller that the context factory annotates must be one that the verifiers return"],
  "guard's status that is not shared": ["Argument of type '409' is not assignable to parameter of type '429'"],
  "guard that returns no result": ["Type 'boolean' is not assignable to type 'Awaitable<void |"],
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
  "unknown option of a server": ["'contxt' does not exist in type 'ServerOptions<", "Did you mean to write 'context'?"],
  "unknown option of retry()": [
    "'attempt' does not exist in type 'RetryOptions<never>'. Did you mean to write 'attempts'?",
  ],
  "text as the attempts of retry()": ["Type 'string' is not assignable to type 'number'."],
  "retry() that is not called": [
    "Type '<const Key extends string = never>(options?: RetryOptions<Key>) => Around<Key>' is not assignable to type 'Around<",
  ],
  "slim contract in place of the whole one": [
    "is not assignable to parameter of type 'Contract<RouterMark<Responses>, Responses, Refusals | undefined>'.",
  ],
  "slim contract without a route": ["Property 'users' is missing in type"],
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

const names = Object.keys(mistakes);
const program = [preamble, ...names.map((name) => (mistakes[name] ?? "").replace("// HERE", mark(name)))].join("\n");
const { errors } = checkProgram(program);

/** The comment at the line that is to be blamed for a mistake. */
function mark(name: string): string {
  return `// HERE: ${name}`;
}

function errorsOf(name: string): ProgramError[] {
  return errors.filter(({ line }) => line.endsWith(mark(name)));
}

Deno.test("checkProgram() reports only lines with a mistake", () => {
  assertEquals(errors.filter(({ line }) => !names.some((name) => line.endsWith(mark(name)))), []);
  assertEquals(Object.keys(parts), names);
});

for (const name of names) {
  Deno.test(`${name} is reported at its line, with an actionable message`, () => {
    const [error, ...further] = errorsOf(name);

    assert(error, "The compiler accepts it");
    assertEquals(further, []);
    for (const part of parts[name] ?? []) assertStringIncludes(error.message, part);
  });
}

Deno.test("docs/types.md quotes messages of the compiler", async () => {
  const page = await Deno.readTextFile(new URL("../../docs/types.md", import.meta.url));
  const [table = ""] = page.split("\n## ", 1);
  const phrases = [...table.matchAll(/\| `([^`]+?)(?: …)?`[^`|]*\|$/gm)].map(([, phrase = ""]) =>
    phrase.replaceAll("\\|", "|")
  );
  const messages = errors.map(({ message }) => message.replaceAll('\\"', '"'));

  assert(phrases.length >= 10);
  assertEquals(phrases.filter((phrase) => !messages.some((message) => message.includes(phrase))), []);
});
