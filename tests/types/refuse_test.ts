import { defineContract, request, response, route, router, security } from "@scope/api";
import { createClient } from "@scope/api/client";
import {
  type AdapterProblem,
  defineServer,
  type ProblemCode,
  type Refuse,
  type RefuseInput,
  type RouteInfo,
} from "@scope/api/server";
import { assertEquals, assertThrows } from "@std/assert";
import { assertType, type IsExact } from "@std/testing/types";
import { type } from "arktype";
import { routesOf } from "../../src/contract/node.ts";

const Errors = response.json(type({ errors: "string[]" }));
const refusals = { 400: 422, 401: response.empty(), 404: Errors, 422: Errors } as const;
const token = security.bearer("token", { scopes: ["write"] });
const session = security.cookie("session", { cookie: "session" });
const partner = security.custom("partner", { challenge: "Mutual", openapi: { type: "mutualTLS" } });
const ok = { 200: response.text() };
const contract = defineContract({
  refusals,
  routes: { it: route.get("/", { query: type({ q: "string" }), responses: { ...ok, 409: response.text() } }) },
});

Deno.test("refuse receives the problem, the request, the route, the declared status and the declared refusals", () => {
  defineServer(contract, {
    refuse: (input) => {
      assertType<IsExact<typeof input, RefuseInput<typeof contract.refusals>>>(true);
      assertType<IsExact<typeof input.problem, AdapterProblem>>(true);
      assertType<IsExact<typeof input.problem.code, ProblemCode>>(true);
      assertType<IsExact<typeof input.request, Request>>(true);
      assertType<IsExact<typeof input.route, RouteInfo | undefined>>(true);
      assertType<IsExact<typeof input.status, 401 | 404 | 422 | undefined>>(true);
      const refused = input.response(422, { errors: [] });
      assertType<IsExact<typeof refused.status, 422>>(true);
      if (input.status && input.status !== 401) input.response(input.status, { errors: [] });
      // @ts-expect-error the status may be undefined
      input.response(input.status, { errors: [] });
      // @ts-expect-error 400 becomes 422
      input.response(400, { errors: [] });
      // @ts-expect-error 409 is a response of the route
      input.response(409, "");
      // @ts-expect-error the body of 422 is an object
      input.response(422, "no");
      // @ts-expect-error the route may be absent
      input.route.key;
      // @ts-expect-error no such code
      if (input.problem.code === "nothing") return undefined;
      return refused;
    },
  });
});

Deno.test("refuse may return nothing, synchronously or not, or an equal plain object that is `const`", () => {
  defineServer(contract, { refuse: () => {} });
  defineServer(contract, { refuse: async () => {} });
  defineServer(contract, { refuse: async ({ response }) => await Promise.resolve(response(401)) });
  defineServer(contract, {
    refuse: ({ problem }) => ({ status: 422, body: { errors: [problem.code] as string[] } }) as const,
  });
  // @ts-expect-error 409 is a response of the route
  defineServer(contract, { refuse: () => ({ status: 409, body: "" }) });
  // @ts-expect-error a native response is not a result
  defineServer(contract, { refuse: () => new Response() });
  // @ts-expect-error null is not a result
  defineServer(contract, { refuse: () => null });
});

Deno.test("refuse is required if only it can build a declared refusal", () => {
  const run = (_: () => unknown): void => {}; // these calls throw as well
  // @ts-expect-error the contract declares refusals with JSON
  run(() => defineServer(contract));
  // @ts-expect-error the contract declares refusals with JSON
  run(() => defineServer(contract, { context: () => ({}) }));
  const problems = defineContract({
    refusals: { 400: 422, 404: response.empty(), 422: response.problem() },
    routes: { it: route.get("/", { responses: ok }) },
  });
  defineServer(problems);
  defineServer(problems, { refuse: () => undefined });
  const nested = defineContract({
    routes: { below: router("/", { refusals: { 500: Errors }, routes: { it: route.get("/", { responses: ok }) } }) },
  });
  // @ts-expect-error a router declares refusals with JSON
  run(() => defineServer(nested));
  defineServer(nested, { refuse: ({ status, response }) => status && response(status, { errors: [] }) });
});

Deno.test("refuse can only observe if the contract declares no refusals", () => {
  const bare = defineContract({ routes: { it: route.get("/", { responses: { 404: response.text() } }) } });
  defineServer(bare, {
    refuse: ({ problem, status }) => {
      assertType<IsExact<typeof status, undefined>>(true);
      return void problem.status;
    },
  });
  // @ts-expect-error 404 is a response of the route
  defineServer(bare, { refuse: ({ response }) => response(404, "") });
});

Deno.test("refuse does not change the types of a context", () => {
  const server = defineServer(contract, {
    context: ({ ip }: { ip: string }) => ({ ip }),
    refuse: ({ response }) => response(401),
  });
  server.implement({
    it: ({ context, response }) => {
      assertType<IsExact<typeof context, { ip: string }>>(true);
      return response(200, context.ip);
    },
  });
});

Deno.test("a Refuse in its own module fits every contract that declares its refusals", () => {
  const refuse: Refuse<Pick<typeof refusals, 401>> = ({ response }) => response(401);
  const one = defineContract({ refusals: { 401: refusals[401] }, routes: { it: route.get("/", { responses: ok }) } });
  defineServer(one, { refuse });
  const other = defineContract({ refusals: { 404: Errors }, routes: { it: route.get("/", { responses: ok }) } });
  // @ts-expect-error the contract does not declare 401
  defineServer(other, { refuse });
});

/** The statuses that a call of each route can return. */
type Statuses<Calls> = {
  [Key in keyof Calls]: Calls[Key] extends (...args: never) => Promise<infer Result extends { readonly status: number }>
    ? Result["status"]
    : never;
};

Deno.test("a client receives the refusals that can occur on each route, with their types", () => {
  const every = { 400: Errors, 401: Errors, 403: Errors, 404: Errors, 413: Errors, 415: Errors, 500: Errors } as const;
  const body = request.json(type("string"));
  const contract = defineContract({
    security: [],
    refusals: every,
    routes: {
      bare: route.get("/bare", { responses: ok }),
      path: route.get("/path/:id", { responses: ok }),
      query: route.get("/query", { query: type({ "q?": "string" }), responses: ok }),
      body: route.post("/body", { body, responses: ok }),
      token: route.get("/token", { security: [token], responses: ok }),
      scoped: route.get("/scoped", { security: [token.scoped("write")], responses: ok }),
      optional: route.get("/optional", { security: [token, security.none], responses: ok }),
      lenient: route.get("/lenient", { security: [session, security.none], responses: ok }),
      cookie: route.get("/cookie", { security: [session], responses: ok }),
      change: route.delete("/cookie", { security: [session], responses: ok }),
      upgrade: route.get("/upgrade", { security: [session], responses: { 101: response.raw() } }),
      maybe: route.delete("/maybe", { security: [partner, security.none], responses: ok }),
    },
  });
  const client = createClient(contract, { baseUrl: "https://api.example.com" });
  type Found = Statuses<typeof client>;
  assertType<IsExact<Found["bare"], 200 | 500>>(true);
  assertType<IsExact<Found["path"], 200 | 400 | 500>>(true);
  assertType<IsExact<Found["query"], 200 | 400 | 500>>(true);
  assertType<IsExact<Found["body"], 200 | 400 | 413 | 415 | 500>>(true);
  assertType<IsExact<Found["token"], 200 | 401 | 500>>(true);
  assertType<IsExact<Found["scoped"], 200 | 401 | 403 | 500>>(true);
  assertType<IsExact<Found["optional"], 200 | 401 | 500>>(true);
  assertType<IsExact<Found["lenient"], 200 | 500>>(true);
  assertType<IsExact<Found["cookie"], 200 | 401 | 500>>(true);
  assertType<IsExact<Found["change"], 200 | 401 | 403 | 500>>(true);
  assertType<IsExact<Found["upgrade"], 101 | 401 | 403 | 500>>(true);
  assertType<IsExact<Found["maybe"], 200 | 403 | 500>>(true); // the types do not tell that browsers do not attach it
  const listed = routesOf(contract.routes).map(({ key, responses }) => `${key} ${Object.keys(responses).join(" ")}`);
  assertEquals(listed, [
    "bare 200 500",
    "path 200 400 500",
    "query 200 400 500",
    "body 200 400 413 415 500",
    "token 200 401 500",
    "scoped 200 401 403 500",
    "optional 200 401 500",
    "lenient 200 500",
    "cookie 200 401 500",
    "change 200 401 403 500",
    "upgrade 101 401 403 500",
    "maybe 200 500",
  ]);
});

Deno.test("a client narrows refusals by their status, also if they become another", async () => {
  const calls = createClient(contract, {
    baseUrl: "https://api.example.com",
    fetch: () => Response.json({ errors: ["no"] }, { status: 422 }),
  });
  const result = await calls.it({ query: { q: "a" } });
  assertType<IsExact<typeof result.status, 200 | 409 | 422>>(true);
  if (result.status === 422) assertType<IsExact<typeof result.body, { errors: string[] }>>(true);
  // @ts-expect-error 400 becomes 422
  if (result.status === 400) return;
});

Deno.test("the nearest refusal wins in types", () => {
  const nested = defineContract({
    refusals: { 500: response.text(), 400: response.text() },
    routes: {
      below: router("/below", {
        refusals: { 500: Errors },
        routes: {
          it: route.get("/:id", { refusals: { 400: 404, 404: response.empty() }, responses: ok }),
        },
      }),
    },
  });
  type Declared = typeof nested.routes.below.it.responses;
  assertType<IsExact<keyof Declared, 200 | 404 | 500>>(true);
  assertType<IsExact<Declared[500], typeof Errors>>(true);
});

Deno.test("one response in the place of refusals has the types of an object with it at each status", async () => {
  const every = {
    400: Errors,
    401: Errors,
    403: Errors,
    404: Errors,
    405: Errors,
    413: Errors,
    415: Errors,
    500: Errors,
  } as const;
  const item = { params: type({ id: "string" }), responses: ok };
  const add = { body: type("string"), security: [token.scoped("write")], responses: ok };
  const routes = {
    item: route.get("/:id", { ...item, security: [] }),
    add: route.post("/", { ...add, refusals: { 400: 422, 422: response.empty() } }),
  };
  const short = defineContract({ refusals: Errors, routes });
  const whole = defineContract({ refusals: every, routes });
  assertType<IsExact<typeof short, typeof whole>>(true);
  assertType<IsExact<typeof short.refusals, typeof every>>(true);

  const shortRouter = router("/", { refusals: Errors, routes });
  const wholeRouter = router("/", { refusals: every, routes });
  assertType<IsExact<typeof shortRouter, typeof wholeRouter>>(true);
  const shortRoute = route.post("/", { ...add, refusals: Errors });
  const wholeRoute = route.post("/", { ...add, refusals: every });
  assertType<IsExact<typeof shortRoute, typeof wholeRoute>>(true);
  const shortRead = route.get("/:id", { ...item, refusals: Errors });
  const wholeRead = route.get("/:id", { ...item, refusals: every });
  assertType<IsExact<typeof shortRead, typeof wholeRead>>(true);

  const client = createClient(short, {
    baseUrl: "https://api.example.com",
    credentials: { token: "a" },
    fetch: () => Response.json({ errors: ["no"] }, { status: 500 }),
  });
  type Found = Statuses<typeof client>;
  assertType<IsExact<Found["item"], 200 | 400 | 500>>(true);
  assertType<IsExact<Found["add"], 200 | 401 | 403 | 413 | 415 | 422 | 500>>(true);
  const result = await client.item({ params: { id: "1" } });
  if (result.status !== 200) assertType<IsExact<typeof result.body, { errors: string[] }>>(true);

  const open = defineContract({ refusals: Errors, routes: { item: route.get("/:id", item) } });
  // @ts-expect-error only refuse can build JSON
  assertThrows(() => defineServer(open), TypeError, "the refusals 400, 401, 403, 404, 405, 413, 415, 500 of");
  const refuse: Refuse<typeof open.refusals> = ({ status, response }) => status && response(status, { errors: [] });
  defineServer(open, { refuse });
  defineServer(defineContract({ refusals: response.problem(), routes: { item: route.get("/:id", item) } }));
});

Deno.test("mistakes in refusals are errors", () => {
  const run = (_: () => unknown): void => {}; // these calls throw as well
  const routes = { it: route.get("/", { responses: ok }) };
  // @ts-expect-error a success is not a refusal
  run(() => defineContract({ refusals: { 200: Errors }, routes }));
  // @ts-expect-error a schema is not a response
  run(() => defineContract({ refusals: { 401: type("string") }, routes }));
  // @ts-expect-error a native response is not a whole body
  run(() => defineContract({ refusals: { 401: response.raw() }, routes }));
  // @ts-expect-error a stream is not a whole body
  run(() => router("/", { refusals: { 401: response.ndjson(type("string")) }, routes }));
  // @ts-expect-error a native response is not a whole body
  run(() => defineContract({ refusals: response.raw(), routes }));
  // @ts-expect-error a stream is not a whole body
  run(() => router("/", { refusals: response.ndjson(type("string")), routes }));
  const Text = type("string");
  // @ts-expect-error a schema is not a response
  assertThrows(() => defineContract({ refusals: Text, routes }), TypeError, "write response.json(schema)");
  // @ts-expect-error a helper is not a response
  assertThrows(() => defineContract({ refusals: response.json, routes }), TypeError, "got a function");
  // @ts-expect-error a status has no status to be sent instead of
  assertThrows(() => defineContract({ refusals: 422, routes }), TypeError, "got 422");
  // @ts-expect-error a status is a number
  run(() => route.get("/", { refusals: { 400: "422" }, responses: ok }));
});

Deno.test("handlers, their middleware and helpers cannot return a refusal, unless the route declares it as a response too", () => {
  const contract = defineContract({
    refusals: { 400: Errors, 500: Errors },
    routes: {
      bare: route.get("/bare/:id", { responses: ok }),
      both: route.get("/both/:id", { responses: { ...ok, 400: Errors } }),
    },
  });
  assertType<IsExact<keyof typeof contract.routes.bare.responses, 200 | 400 | 500>>(true);
  const server = defineServer(contract, {
    refuse: ({ status, response }) => status && response(status, { errors: [] }),
  });
  server.implement({
    // @ts-expect-error 400 is a refusal
    bare: ({ response }) => response(400, { errors: [] }),
    both: ({ response }) => response(400, { errors: [] }),
  });
  server.implement({
    // @ts-expect-error 400 is a refusal
    bare: () => ({ status: 400, body: { errors: [] } }),
    // @ts-expect-error 500 is a refusal
    both: () => ({ status: 500, body: { errors: [] } }),
  });
});
