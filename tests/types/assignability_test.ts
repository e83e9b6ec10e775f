/** Which of two types of one generic stands in place of the other: where TypeScript measured nothing, every one would. */
import { codec, defineContract, type RequestBody, response, type ResponseDeclaration, route, router } from "@scope/api";
import { type Client, type ClientResult, createClient } from "@scope/api/client";
import { createFetchHandler, fetchAdapter, type FetchHandler } from "@scope/api/fetch";
import {
  type CreateResult,
  defineServer,
  type Fragment,
  type Handler,
  type HandlerInput,
  type HandlersOf,
  type Implementation,
  type Middleware,
  type MiddlewareInput,
  type NextResult,
  type RouteInfo,
} from "@scope/api/server";
import { assertEquals } from "@std/assert";
import { type } from "arktype";

const NotFound = response.json(type({ message: "string" }));
const OtherBody = response.json(type({ code: "number" }));
const NarrowerBody = response.json(type({ message: "'none'" }));
const WiderBody = response.json(type({ "message?": "string" }));
const WithHeaders = response.json(type({ message: "string" }), { headers: type({ location: "string" }) });
const ok = { 200: response.empty() };
const contract = defineContract({
  responses: { 401: NotFound },
  routes: {
    declares: route.get("/declares/:id", { responses: { ...ok, 404: NotFound } }),
    lacks: route.get("/lacks/:id", { responses: ok }),
    other: route.get("/other/:id", { responses: { ...ok, 404: OtherBody } }),
    narrower: route.get("/narrower/:id", { responses: { ...ok, 404: NarrowerBody } }),
    wider: route.get("/wider/:id", { responses: { ...ok, 404: WiderBody } }),
    headers: route.get("/headers/:id", { responses: { ...ok, 404: WithHeaders } }),
    several: route.get("/several", {
      responses: { ...ok, 204: response.empty(), 403: NotFound, 404: NotFound, 409: OtherBody, 410: WithHeaders },
    }),
    search: router("/search", {
      routes: {
        a: route.get("/a", { query: type({ a: "string" }), responses: { 200: response.json(type({ a: "string" })) } }),
        b: route.get("/b", { query: type({ b: "string" }), responses: { 200: response.json(type({ b: "string" })) } }),
      },
    }),
  },
});
const { routes } = contract;
const server = defineServer(contract, { context: () => ({ db: 1 }) });
type Handlers = HandlersOf<typeof server>;
type Input<Key extends "declares" | "lacks" | "other" | "narrower" | "wider" | "headers" | "several"> = HandlerInput<
  typeof routes[Key],
  { db: number }
>;
const client = createClient(contract, { baseUrl: "https://api.example.com" });
const refuse = (response: CreateResult<{ 404: typeof NotFound }>): never => {
  throw response(404, { message: "none" });
};
const checkNames = (response: CreateResult<{ 401: typeof NotFound }>): never => {
  throw response(401, { message: "who?" });
};
type Nothing = Record<never, never>;
const isOdd = Math.random() > 0.5;

/** Checked by the compiler, never run. */
function uses(_uses: () => unknown): void {}

Deno.test("CreateResult is assignable to one with fewer statuses and narrower bodies", () => {
  uses(() => [
    ({ response }: Input<"declares">) => refuse(response),
    ({ response }: Input<"declares">) => checkNames(response),
    ({ response }: Input<"wider">) => refuse(response),
    ({ response }: Input<"declares">): CreateResult<typeof routes.declares.responses> => response,
    // @ts-expect-error the route declares no 404
    ({ response }: Input<"lacks">) => refuse(response),
    // @ts-expect-error its 404 has another body
    ({ response }: Input<"other">) => refuse(response),
    // @ts-expect-error its 404 has a body that takes less
    ({ response }: Input<"narrower">) => refuse(response),
    // @ts-expect-error its 404 needs headers
    ({ response }: Input<"headers">) => refuse(response),
    // @ts-expect-error not every status is declared
    ({ response }: Input<"declares">): CreateResult<{ [status: number]: typeof NotFound }> => response,
  ]);
});

Deno.test("CreateResult accepts, for one of several statuses, what each of them accepts", () => {
  uses(() => [
    ({ response }: Input<"several">) => response(isOdd ? 403 : 404, { message: "none" }),
    ({ response }: Input<"several">) => response(isOdd ? 200 : 204),
    ({ response }: Input<"several">) => response(isOdd ? 404 : 409, { message: "none", code: 1 }),
    ({ response }: Input<"several">) => response(isOdd ? 404 : 410, { message: "none" }, { location: "/" }),
    // @ts-expect-error 409 has a code
    ({ response }: Input<"several">) => response(isOdd ? 404 : 409, { message: "none" }),
    // @ts-expect-error 404 has a message
    ({ response }: Input<"several">) => response(isOdd ? 404 : 409, { code: 1 }),
    // @ts-expect-error 410 needs a location
    ({ response }: Input<"several">) => response(isOdd ? 404 : 410, { message: "none" }),
    // @ts-expect-error 404 has a body
    ({ response }: Input<"several">) => response(isOdd ? 204 : 404),
  ]);
});

Deno.test("Handler and HandlerInput are assignable to those of their route with a sufficient context", () => {
  type Declares<Context> = Handler<typeof routes.declares, Context>;
  uses(() => [
    (handler: Declares<{ db: number }>): Declares<{ db: 1; user: string }> => handler,
    (handler: Declares<{ db: number }>): Handlers["declares"] => handler,
    (input: Input<"declares">): HandlerInput<typeof routes.declares, Nothing> => input,
    // @ts-expect-error the context does not have user
    (handler: Declares<{ user: string }>): Declares<{ db: number }> => handler,
    // @ts-expect-error db is a number
    (input: Input<"declares">): HandlerInput<typeof routes.declares, { db: string }> => input,
    // @ts-expect-error the handler of another route
    (handler: Handlers["declares"]): Handlers["lacks"] => handler,
    // @ts-expect-error the handler of another route
    (handler: Handlers["lacks"]): Handlers["declares"] => handler,
    // @ts-expect-error the handlers of other routes
    (handlers: Handlers["search"]): Pick<Handlers, "declares" | "lacks"> => handlers,
    // @ts-expect-error the input of another route
    (input: Input<"declares">): Input<"lacks"> => input,
  ]);
});

Deno.test("Middleware and MiddlewareInput are assignable to those that require and declare more", () => {
  type Refusing = Middleware<{ db: number }, { 401: typeof NotFound }>;
  uses(() => [
    (middleware: Refusing): Middleware<{ db: number }, { 401: typeof NotFound; 404: typeof NotFound }> => middleware,
    (middleware: Refusing): Middleware<{ db: 1; user: string }, { 401: typeof NotFound }> => middleware,
    (middleware: Refusing) => server.use(middleware),
    () => server.use(({ response }) => checkNames(response)),
    // @ts-expect-error the contract declares no 404 for all routes
    () => server.use(({ response }) => refuse(response)),
    // @ts-expect-error the contract declares no 404 for all routes, and a middleware may throw one
    (given: (input: MiddlewareInput<Nothing, { 404: typeof NotFound }>) => Promise<NextResult>) => server.use(given),
    // @ts-expect-error the contract declares another 401
    (given: (input: MiddlewareInput<Nothing, { 401: typeof OtherBody }>) => Promise<NextResult>) => server.use(given),
    // @ts-expect-error the contract declares another 401
    (middleware: Middleware<Nothing, { 401: typeof OtherBody }>) => server.use(middleware),
    // @ts-expect-error db is a number
    (middleware: Middleware<{ db: string }>) => server.use(middleware),
    // @ts-expect-error 401 is not declared there
    (middleware: Refusing): Middleware<{ db: number }, { 404: typeof NotFound }> => middleware,
    // @ts-expect-error the context does not have db
    (middleware: Refusing): Middleware<Nothing, { 401: typeof NotFound }> => middleware,
    // @ts-expect-error no user is added
    (middleware: Middleware): Middleware<Nothing, Nothing, { user: string }> => middleware,
  ]);
});

Deno.test("NextResult is assignable by what was added, and never by what may be missing", () => {
  const user: { user: string } | undefined = isOdd ? { user: "Ada" } : undefined;
  type Naming = Middleware<Nothing, Nothing, { user: string }>;
  uses(() => [
    (result: NextResult<{ user: string }>): NextResult => result,
    // @ts-expect-error no user was added
    (result: NextResult<Nothing>): NextResult<{ user: string }> => result,
    // @ts-expect-error another user was added
    (result: NextResult<{ user: number }>): NextResult<{ user: string }> => result,
    // @ts-expect-error it may be undefined
    server.use(({ next }) => next(user)),
    server.use(({ next }) => user ? next(user) : next()),
    server.use(({ next }) => next({ ...user })),
    // @ts-expect-error nothing is added
    (({ next }) => next<{ user: string }>()) satisfies Naming,
  ]);
});

Deno.test("Implementation and Fragment are assignable to those of their node if their inputs are supplied", () => {
  const small = defineContract({
    routes: { it: route.get("/", { responses: ok }), other: route.put("/", { responses: ok }) },
  });
  const answer = (): { status: 200 } => ({ status: 200 });
  const ofIp = defineServer(small, { context: (_: { ip: string }) => ({}) }).implement(small.routes.it, answer);
  const ofPort = defineServer(small, { context: (_: { port: number }) => ({}) }).implement(small.routes.it, answer);
  const whole = defineServer(small);
  const contextInput = () => ({ ip: "127.0.0.1" });
  uses(() => [
    (fragment: typeof ofIp): Fragment<typeof small.routes.it, { ip: string; port: number }> => fragment,
    // @ts-expect-error the fragment of another route
    (fragment: typeof ofIp): Fragment<typeof small.routes.other, { ip: string }> => fragment,
    // @ts-expect-error a port is not an ip
    (fragment: typeof ofPort): Fragment<typeof small.routes.it, { ip: string }> => fragment,
    // @ts-expect-error it needs an ip
    (implementation: Implementation<{ ip: string }>): Implementation => implementation,
    (implementation: Implementation): Implementation<{ ip: string }> => implementation,
    // @ts-expect-error one of the two needs an ip
    () => fetchAdapter().mount(whole.implement({ other: answer, it: isOdd ? ofIp : answer })),
    // @ts-expect-error one of the two needs a port
    () => createFetchHandler(whole.implement({ other: answer, it: isOdd ? ofIp : ofPort }), { contextInput }),
    () => createFetchHandler(whole.implement({ other: answer, it: isOdd ? ofIp : answer }), { contextInput }),
    () => fetchAdapter().mount(whole.implement({ other: answer, it: answer })),
  ]);
});

Deno.test("Client, its calls and results are assignable only to those of their routes", () => {
  uses(() => [
    (): Client<typeof routes> => client,
    (): Client<typeof routes.search> => client.search,
    (result: ClientResult<typeof routes.lacks>): ClientResult<typeof routes.declares> => result,
    // @ts-expect-error the calls of other routes
    (): Client<typeof routes> => client.search,
    // @ts-expect-error another query
    (): Client<typeof routes.search.a> => client.search.b,
    // @ts-expect-error another input
    (): Client<typeof routes.search.a> => client.lacks,
    // @ts-expect-error another 404
    (): Client<typeof routes.declares> => client.other,
    // @ts-expect-error its result may be a 404
    (): Client<typeof routes.lacks> => client.declares,
    // @ts-expect-error it may be a 404
    (result: ClientResult<typeof routes.declares>): ClientResult<typeof routes.lacks> => result,
  ]);
});

Deno.test("RouteInfo, FetchHandler, RequestBody and ResponseDeclaration are assignable only to those of their parts", () => {
  type Text = { readonly received: string; readonly sent: string };
  uses(() => [
    (info: RouteInfo<"lacks">): RouteInfo => info,
    // @ts-expect-error another route
    (info: RouteInfo<"lacks">): RouteInfo<"other"> => info,
    (handler: FetchHandler): FetchHandler<[info: string]> => handler,
    // @ts-expect-error it takes another argument
    (handler: FetchHandler<[info: number]>): FetchHandler<[info: string]> => handler,
    // @ts-expect-error it takes one argument more
    (handler: FetchHandler<[info: number]>): FetchHandler => handler,
    (body: RequestBody<Text>): RequestBody => body,
    // @ts-expect-error the handler sees a string
    (body: RequestBody<Text>): RequestBody<{ received: number; sent: string }> => body,
    // @ts-expect-error the client passes a string
    (body: RequestBody<Text>): RequestBody<{ received: string; sent: number }> => body,
    (declared: ResponseDeclaration<Text & { headers: undefined }>): ResponseDeclaration => declared,
    // @ts-expect-error the handler returns a string
    (declared: typeof NotFound): typeof OtherBody => declared,
    // @ts-expect-error no headers are declared
    (declared: typeof NotFound): typeof WithHeaders => declared,
  ]);
});

Deno.test("codec() refuses functions that accept less than its schemas return", () => {
  uses(() => [
    codec(type("string"), type("Date"), { decode: (text) => new Date(text), encode: (date) => date.toISOString() }),
    codec(type("string"), type("Date"), {
      decode(text): Date {
        return new Date(text);
      },
      encode(date): string {
        return date.toISOString();
      },
    }),
    codec(type("string"), type("Date"), {
      // @ts-expect-error the wire has any string
      decode: (text: "now") => new Date(text),
      encode: (date) => date.toISOString(),
    }),
    codec(type("string"), type("Date"), {
      decode: (text) => new Date(text),
      // @ts-expect-error the application has any Date
      encode: (date: Date & { readonly zone: string }) => date.zone,
    }),
  ]);
});

Deno.test("a handler without contextInput takes a request alone, even where more is passed", async () => {
  const server = defineServer(defineContract({ routes: { it: route.get("/", { responses: ok }) } }));
  const implementation = server.implement({ it: ({ response }) => response(200) });
  const app = { fetch: createFetchHandler(implementation, { maxBodyBytes: 5 }) } satisfies {
    fetch(request: Request, env: { ip: string }): unknown;
  };
  const other = {
    fetch: createFetchHandler(implementation, { contextInput: (_request, { ip }) => ({ ip }) }),
  } satisfies { fetch(request: Request, env: { ip: string }): unknown };

  const answers = [
    await app.fetch(new Request("http://localhost/")),
    await other.fetch(new Request("http://localhost/"), { ip: "::1" }),
  ];
  // @ts-expect-error contextInput takes a second argument
  const incomplete: () => unknown = () => other.fetch(new Request("http://localhost/"));

  assertEquals(answers.map(({ status }) => status), [200, 200]);
  assertEquals(typeof incomplete, "function");
});
