import { defineContract, request, response, route, router, security } from "@scope/api";
import { createClient } from "@scope/api/client";
import type { FetchHandler } from "@scope/api/fetch";
import { mockContract, type MockHandlers, type MockOptions, type MockStatuses } from "@scope/api/mock";
import { assertType, type IsExact } from "@std/testing/types";
import { type } from "arktype";

const User = type({ id: "string", name: "string" });
const token = security.bearer("token", { scopes: ["read"] });
const contract = defineContract({
  security: [],
  routes: {
    health: route.get("/health", { responses: { 200: response.text() } }),
    users: router("/users", {
      routes: {
        byId: route.get("/:id", { responses: { 200: response.json(User), 404: response.empty() } }),
        rename: route.patch("/:id", {
          security: [token],
          body: request.json(type({ name: "string" })),
          responses: { 200: response.json(User) },
        }),
      },
    }),
  },
});
type Routes = typeof contract["routes"];

Deno.test("mockContract() returns a handler for runtimes, MSW and clients", () => {
  const mock = mockContract(contract);
  assertType<IsExact<typeof mock, FetchHandler>>(true);
  createClient(contract, { baseUrl: "http://localhost", fetch: mock });
  mock satisfies Deno.ServeHandler;
});

Deno.test("mockContract() types handlers by the contract, and callers as unknown", () => {
  mockContract(contract, {
    handlers: {
      users: {
        byId: ({ params, response, ...rest }) => {
          assertType<IsExact<typeof params.id, string>>(true);
          // @ts-expect-error a route without security does not have a caller
          rest.caller;
          return response(404);
        },
        rename: ({ caller, body, params, response }) => {
          assertType<IsExact<typeof caller, unknown>>(true);
          return response(200, { id: params.id, name: body.name });
        },
      },
    },
  });
  const handlers: MockHandlers<Routes> = { health: ({ response }) => response(200, "ok") };
  const options: MockOptions<typeof contract> = { handlers, seed: "a", delay: 1 };
  mockContract(contract, options);
});

Deno.test("mockContract() refuses handlers that the contract does not have", () => {
  type Handlers = MockHandlers<Routes>;
  const unknown: Handlers = {
    // @ts-expect-error no such route
    user: {},
  };
  const undeclared: Handlers = {
    // @ts-expect-error 500 is not declared
    users: { byId: ({ response }) => response(500) },
  };
  const wrong: Handlers = {
    // @ts-expect-error a name is text
    users: { byId: ({ response }) => response(200, { id: "1", name: 1 }) },
  };
  return void [unknown, undeclared, wrong];
});

Deno.test("mockContract() types the statuses of each route", () => {
  assertType<
    IsExact<
      MockStatuses<Routes>,
      { readonly health?: 200; readonly "users.byId"?: 200 | 404; readonly "users.rename"?: 200 }
    >
  >(true);
  mockContract(contract, { status: { "users.byId": 404 } });
  type Statuses = MockStatuses<Routes>;
  const undeclared: Statuses = {
    // @ts-expect-error 500 is not declared
    "users.byId": 500,
  };
  const unknown: Statuses = {
    // @ts-expect-error no such route
    "users.find": 200,
  };
  return void [undeclared, unknown];
});

Deno.test("mockContract() refuses options of another type", () => {
  const options: MockOptions<typeof contract>[] = [
    // @ts-expect-error no number
    { delay: "1" },
    // @ts-expect-error no object
    { seed: {} },
    // @ts-expect-error unknown
    { seeds: 1 },
    { sample: (route, path, schema) => path.at(-1) === "name" ? `${route.key} ${schema.title}` : undefined },
    { schema: (route, slot) => slot === 200 ? { title: route.key } : undefined },
    // @ts-expect-error no schema
    { schema: () => 1 },
  ];
  return void options;
});

Deno.test("mockContract() accepts every contract, whatever its types contain", () => {
  const mockAny = (each: Parameters<typeof mockContract>[0]): FetchHandler => mockContract(each, { seed: 1 });
  mockAny(contract);
});
