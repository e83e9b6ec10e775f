import { defineContract, response, route, router } from "@scope/api";
import { createFetchHandler, fetchAdapter } from "@scope/api/fetch";
import {
  type ContextInput,
  defineServer,
  type HandlersOf,
  type Implementation,
  type Middleware,
  type MiddlewareInput,
  type NextResult,
  type ResponseHeaders,
  type RouteInfo,
} from "@scope/api/server";
import { assertType, type IsAny, type IsExact } from "@std/testing/types";
import { type } from "arktype";

interface User {
  readonly id: string;
}

const ok = { responses: { 200: response.text() } };
const contract = defineContract({
  responses: { 401: response.json(type({ message: "string" })), 429: response.empty() },
  routes: {
    health: route.get("/health", ok),
    users: router("/users", { routes: { list: route.get("/", ok), byId: route.get("/:id", ok) } }),
  },
});
const server = defineServer(contract, { context: () => ({ db: 1, user: undefined as User | undefined }) });

/** The context that the handlers of a server find. */
type Context<Defined> = HandlersOf<Defined> extends { readonly health: (input: infer Input) => unknown }
  ? Input extends { readonly context: infer Found } ? Found : never
  : never;
/** Every property, spelled out. */
type Flat<Value> = { [Key in keyof Value]: Value[Key] };

Deno.test("use() passes the context, the route and the contract's responses to middleware", () => {
  server.use((input) => {
    assertType<IsExact<typeof input.context, { db: number; user: User | undefined }>>(true);
    assertType<IsExact<typeof input.signal, AbortSignal>>(true);
    assertType<IsExact<typeof input.route, RouteInfo>>(true);
    const refused = input.response(401, { message: "who?" });
    assertType<IsExact<typeof refused.status, 401>>(true);
    // @ts-expect-error 200 is declared by routes alone
    input.response(200, "ok");
    // @ts-expect-error the body of 401 is an object
    input.response(401, "who?");
    return input.next();
  });
});

Deno.test("use() does not change the context if nothing is added or next() is not called", () => {
  const passing = server.use(({ next }) => next());
  const waiting = server.use(async ({ next }) => await next());
  const refusing = server.use(({ response }) => response(429));
  assertType<IsExact<Flat<Context<typeof passing>>, { db: number; user: User | undefined }>>(true);
  assertType<IsExact<Flat<Context<typeof waiting>>, { db: number; user: User | undefined }>>(true);
  assertType<IsExact<Context<typeof refusing>, { db: number; user: User | undefined }>>(true);
});

Deno.test("use() adds the argument of next() to the context of everything inside", () => {
  const timed = server.use(({ next }) => next({ started: 1 }));
  assertType<IsExact<Flat<Context<typeof timed>>, { db: number; user: User | undefined; started: number }>>(true);
  const traced = timed.use(async ({ context, next }) => {
    const result = await next({ trace: `${context.started}` });
    assertType<IsExact<typeof result, NextResult<{ trace: string }>>>(true);
    assertType<IsExact<typeof result.status, number>>(true);
    assertType<IsExact<typeof result.body, unknown>>(true);
    assertType<IsExact<typeof result.headers, ResponseHeaders | undefined>>(true);
    return { ...result, status: 202, headers: { ...result.headers, "x-trace": "1" } };
  });
  assertType<
    IsExact<Flat<Context<typeof traced>>, { db: number; user: User | undefined; started: number; trace: string }>
  >(true);
});

Deno.test("use() overrides with additions, and keeps only those of every path", () => {
  const known = server.use(({ context, next, response }) =>
    context.user ? next({ user: context.user }) : response(401, { message: "who?" })
  );
  assertType<IsExact<Context<typeof known>["user"], User>>(true);
  const renamed = server.use(({ next }) => next({ db: "sqlite" }));
  assertType<IsExact<Context<typeof renamed>["db"], string>>(true);
  const sometimes = server.use(({ context, next }) => context.user ? next({ found: context.user }) : next());
  // @ts-expect-error one way adds nothing
  type _Missing = Context<typeof sometimes>["found"];
  assertType<IsExact<Context<typeof sometimes>["db"], number>>(true);
  const either = server.use(({ context, next }) => context.db ? next({ id: 1 }) : next({ id: "one" }));
  assertType<IsExact<Context<typeof either>["id"], string | number>>(true);
});

Deno.test("use() accepts middleware for any contract", () => {
  const stamp = async ({ next }: MiddlewareInput) => {
    const result = await next({ id: "1" });
    return { ...result, headers: { ...result.headers, "x-request-id": "1" } };
  };
  const needing = ({ context, next }: MiddlewareInput<{ db: number }>) => next({ doubled: context.db * 2 });
  const both = server.use(stamp).use(needing);
  assertType<IsExact<Context<typeof both>["id"], string>>(true);
  assertType<IsExact<Context<typeof both>["doubled"], number>>(true);
  // @ts-expect-error its context does not have db
  defineServer(contract).use(needing);
});

Deno.test("Middleware is a middleware for every contract that declares its responses", () => {
  const refusals = { 429: response.empty() };
  const limit: Middleware<{ db: number }, typeof refusals, { left: number }> = ({ context, next, response }) =>
    context.db > 9 ? response(429) : next({ left: 9 - context.db });
  const later: Middleware<{ left: number }> = async ({ next }) => {
    const result = await next();
    return { ...result, headers: { ...result.headers, "x-left": "1" } };
  };
  const limited = server.use(limit).use(later);
  assertType<IsExact<Context<typeof limited>["left"], number>>(true);
  const other = defineContract({ responses: refusals, routes: { health: route.get("/", ok) } });
  defineServer(other, { context: () => ({ db: 1 }) }).use(limit);
  const another = defineContract({ routes: { health: route.get("/", ok) } });
  const mistakes = [
    // @ts-expect-error its context does not have db
    () => defineServer(other).use(limit),
    // @ts-expect-error the contract does not declare 429
    () => defineServer(another, { context: () => ({ db: 1 }) }).use(limit),
  ];
  assertType<IsExact<typeof mistakes.length, number>>(true);
});

Deno.test("Middleware that declares an addition must add it", () => {
  type Stamp = Middleware<Record<never, never>, Record<never, never>, { id: string }>;
  const right: Stamp = ({ next }) => next({ id: "1" });
  // @ts-expect-error it adds nothing
  const silent: Stamp = ({ next }) => next();
  // @ts-expect-error it adds something else
  const other: Stamp = ({ next }) => next({ name: "Ada" });
  // @ts-expect-error one way adds nothing
  const sometimes: Stamp = async ({ route, next }) => route.method === "GET" ? await next({ id: "1" }) : await next();
  function annotated({ next }: MiddlewareInput): Promise<NextResult<{ id: string }>> {
    // @ts-expect-error it adds nothing
    return next();
  }
  assertType<IsExact<ReturnType<typeof annotated>, Promise<NextResult<{ id: string }>>>>(true);
  assertType<IsExact<typeof right | typeof silent | typeof other | typeof sometimes, Stamp>>(true);
});

Deno.test("use() refuses a result that the contract does not declare for all routes", () => {
  server.use(({ next }) => next());
  server.use(() => ({ status: 401, body: { message: "who?" } }));
  server.use(async () => await Promise.resolve({ status: 429 }));
  // @ts-expect-error 200 is declared by routes alone
  server.use(() => ({ status: 200, body: "ok" }));
  // @ts-expect-error the body of 401 is an object
  server.use(() => ({ status: 401, body: "who?" }));
  // @ts-expect-error a native Response is not a result
  server.use(() => new Response());
  // @ts-expect-error undefined is not a result
  server.use(() => {});
  // @ts-expect-error an addition is an object
  server.use(({ next }) => next("user"));
});

Deno.test("use() does not contain any", () => {
  server.use((input) => {
    assertType<IsAny<typeof input.context>>(false);
    assertType<IsAny<typeof input.response>>(false);
    assertType<IsAny<ReturnType<typeof input.next>>>(false);
    return input.next();
  });
});

Deno.test("implement() of a node types its handlers and its result", () => {
  const fragment = server.implement(contract.routes.users, {
    list: ({ context, response }) => response(200, `${context.db}`),
    byId: ({ params, response }) => response(200, params.id),
  });
  assertType<IsExact<typeof fragment["~node"], typeof contract.routes.users>>(true);
  const byId = server.implement(contract.routes.users.byId, ({ params, response }) => response(200, params.id));
  assertType<IsExact<typeof byId["~node"], typeof contract.routes.users.byId>>(true);
  server.implement({ health: ({ response }) => response(200, ""), users: fragment });
  server.implement({
    health: ({ response }) => response(200, ""),
    users: { list: ({ response }) => response(200, ""), byId },
  });
});

Deno.test("implement() accepts a tree of any type that has every key, with a fragment of the right router", () => {
  type Handlers = HandlersOf<typeof server>;
  const { health, users } = contract.routes;
  const ofUsers = server.implement(users, {
    list: () => ({ status: 200, body: "" }),
    byId: () => ({ status: 200, body: "" }),
  });
  const ofHealth = server.implement(health, () => ({ status: 200, body: "" }));
  const whole = server.implement(contract.routes, { health: ofHealth, users: ofUsers });
  interface Tree {
    readonly health: Handlers["health"];
    readonly users: Handlers["users"];
  }
  interface TreeOfFragments {
    readonly health: typeof ofHealth;
    readonly users: typeof ofUsers;
  }
  interface Part {
    readonly health: Handlers["health"];
  }
  interface Misplaced extends Part {
    readonly users: typeof ofHealth;
  }
  interface Optional extends Part {
    readonly users?: Handlers["users"];
  }
  class Service {
    readonly health: Handlers["health"] = ({ response }) => response(200, "");
    readonly users = ofUsers;
  }
  const implemented = [
    (tree: Tree) => server.implement(tree),
    (tree: TreeOfFragments) => server.implement(tree),
    (part: Part) => server.implement({ ...part, users: ofUsers }),
    () => server.implement(new Service()),
    (given: Handlers["users"] | typeof ofUsers) => server.implement({ health: ofHealth, users: given }),
    () => server.implement(whole),
    // @ts-expect-error users is missing
    (part: Part) => server.implement(part),
    // @ts-expect-error the fragment of another node
    (tree: Misplaced) => server.implement(tree),
    // @ts-expect-error users may be missing
    (tree: Optional) => server.implement(tree),
    // @ts-expect-error the fragment of a router below
    () => server.implement(ofUsers),
    // @ts-expect-error an implementation of the whole contract
    () => server.implement({ health: ofHealth, users: server.implement({ health: ofHealth, users: ofUsers }) }),
    // @ts-expect-error the fragment of all routes
    () => server.implement({ health: ofHealth, users: whole }),
    // @ts-expect-error no handlers
    () => server.implement({}),
    // @ts-expect-error no handlers of users
    () => server.implement({ health: ofHealth, users: {} }),
    // @ts-expect-error a text is no tree
    () => server.implement({ health: ofHealth, users: "users" }),
    // @ts-expect-error a list is no tree
    () => server.implement({ health: ofHealth, users: [] }),
  ];
  void implemented;
});

Deno.test("implement() refuses a fragment in the wrong place, a missing and an unknown leaf", () => {
  const health = server.implement(contract.routes.health, ({ response }) => response(200, ""));
  const list = server.implement(contract.routes.users.list, ({ response }) => response(200, ""));
  const answer = (): { status: 200; body: string } => ({ status: 200, body: "" });
  const refused = [
    // @ts-expect-error users is not the node of health
    () => server.implement({ health: answer, users: health }),
    () =>
      server.implement({
        health: answer,
        // @ts-expect-error byId is not the node of list
        users: { list: answer, byId: list },
      }),
    // @ts-expect-error byId is missing
    () => server.implement(contract.routes.users, { list }),
    // @ts-expect-error more is unknown
    () => server.implement(contract.routes.users, { list, byId: answer, more: answer }),
    // @ts-expect-error a declaration is not a node
    () => server.implement(route.get("/", ok), answer),
  ];
  assertType<IsExact<typeof refused.length, number>>(true);
});

Deno.test("implement() combines the inputs of the contexts of fragments", () => {
  const answer = (): { status: 200; body: string } => ({ status: 200, body: "" });
  const byIp = defineServer(contract, { context: ({ ip }: { ip: string }) => ({ ip }) });
  const byPort = defineServer(contract, { context: ({ port }: { port: number }) => ({ port }) });
  const whole = byIp.implement({
    health: answer,
    users: {
      list: byPort.implement(contract.routes.users.list, ({ context, response }) => response(200, `${context.port}`)),
      byId: answer,
    },
  });
  type NeedsOfWhole = typeof whole extends Implementation<infer Needs> ? Flat<Needs> : never;
  assertType<IsExact<NeedsOfWhole, { ip: string; port: number }>>(true);
  createFetchHandler(whole, { contextInput: () => ({ ip: "127.0.0.1", port: 1 }) });
  const refused = [
    // @ts-expect-error ip and port are missing
    () => fetchAdapter().mount(whole),
    // @ts-expect-error port is missing
    () => createFetchHandler(whole, { contextInput: () => ({ ip: "127.0.0.1" }) }),
  ];
  assertType<IsExact<typeof refused.length, number>>(true);

  const plain = server.implement({ health: answer, users: { list: answer, byId: answer } });
  assertType<IsExact<typeof plain extends Implementation<infer Needs> ? Flat<Needs> : never, Record<never, never>>>(
    true,
  );
  const asking = defineServer(contract, { context: ({ route, request }: ContextInput) => ({ route, request }) });
  fetchAdapter().mount(asking.implement({ health: answer, users: { list: answer, byId: answer } }));
});
