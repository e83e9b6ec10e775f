import { defineContract, request, response, route, router, security, type SecurityScheme } from "@scope/api";
import { createClient } from "@scope/api/client";
import { createFetchHandler, fetchAdapter } from "@scope/api/fetch";
import {
  type CreateResult,
  defineServer,
  type Guard,
  type GuardInput,
  type Handler,
  type HandlersOf,
  type Implementation,
  type Middleware,
  type RouteInfo,
  type Server,
  type Verifier,
  verify,
} from "@scope/api/server";
import { assertThrows } from "@std/assert";
import { assertType, type IsExact } from "@std/testing/types";

interface Member {
  readonly id: string;
  readonly scopes: readonly string[];
}

interface Guest {
  readonly ip: string;
}

const token = security.bearer("token", { scopes: ["read", "write"] });
const session = security.cookie("session", { cookie: "session" });
const basic = security.basic("basic");
const key = security.apiKey("key", { header: "x-key" });
const tls = security.custom("tls", { challenge: "Mutual", openapi: { type: "mutualTLS" } });

const ok = { responses: { 200: response.text() } };
const shared = { 429: response.problem() };
const contract = defineContract({
  security: [token.scoped("read")],
  responses: shared,
  routes: {
    open: route.get("/open", { ...ok, security: [] }),
    one: route.get("/one", ok),
    two: route.get("/two", { ...ok, security: [session, token] }),
    optional: route.get("/optional", { ...ok, security: [session, security.none] }),
    body: route.post("/body", { ...ok, body: request.text() }),
    below: router("/below", {
      security: [session],
      responses: { 409: response.empty() },
      routes: {
        a: route.get("/a", ok),
        closed: router("/closed", { security: [token, security.none], routes: { b: route.get("/b", ok) } }),
      },
    }),
  },
});
const { open, one, below } = contract.routes;

const byToken = verify(token, (): Member | undefined => undefined);
const bySession = verify(session, (): Promise<Guest | null> => Promise.resolve(null));
const server = defineServer(contract, { security: [byToken, bySession] });

/** The caller that a handler receives; `"none"` if it does not receive one. */
type CallerOfHandler<Handle> = Handle extends (input: infer Input) => unknown
  ? Input extends { readonly caller: infer Caller } ? Caller : "none"
  : never;
type Handlers = HandlersOf<typeof server>;

Deno.test("security passes exactly the caller of their route's list to handlers", () => {
  assertType<IsExact<CallerOfHandler<Handlers["open"]>, "none">>(true);
  assertType<IsExact<CallerOfHandler<Handlers["one"]>, Member>>(true);
  assertType<IsExact<CallerOfHandler<Handlers["two"]>, Member | Guest>>(true);
  assertType<IsExact<CallerOfHandler<Handlers["optional"]>, Guest | undefined>>(true);
  assertType<IsExact<CallerOfHandler<Handlers["body"]>, Member>>(true);
  assertType<IsExact<CallerOfHandler<Handlers["below"]["a"]>, Guest>>(true);
  assertType<IsExact<CallerOfHandler<Handlers["below"]["closed"]["b"]>, Member | undefined>>(true);
});

Deno.test("security passes the callers of all their routes to middleware, guards and the context", () => {
  type All = Member | Guest | undefined;
  server.use(({ caller, next }) => {
    assertType<IsExact<typeof caller, All>>(true);
    return next();
  }).guard((input) => {
    assertType<IsExact<typeof input, GuardInput<typeof shared, All>>>(true);
    assertType<IsExact<typeof input.request, Request>>(true);
    assertType<IsExact<typeof input.signal, AbortSignal>>(true);
    assertType<IsExact<typeof input.route, RouteInfo>>(true);
  });
  server.at(below).guard(({ caller }) => assertType<IsExact<typeof caller, All>>(true))
    .use(({ caller, next }) => {
      assertType<IsExact<typeof caller, All>>(true);
      return next();
    });
  server.at(below.a).guard(({ caller }) => assertType<IsExact<typeof caller, Guest>>(true));
  server.at(below.closed).guard(({ caller }) => assertType<IsExact<typeof caller, Member | undefined>>(true));
  server.at(open).guard(({ caller }) => assertType<IsExact<typeof caller, undefined>>(true));
  const context = ({ caller, request }: { caller: All; request: Request }): object => ({ caller, request });
  defineServer(contract, { security: [byToken, bySession], context });
  defineServer(contract, {
    security: [byToken, bySession],
    context: (input) => {
      assertType<IsExact<typeof input.caller, All>>(true);
      assertType<IsExact<typeof input.route, RouteInfo>>(true);
      return { by: input.caller };
    },
  });
  const plain = defineContract({ routes: { it: route.get("/", ok) } });
  defineServer(plain, { context: ({ caller }) => (assertType<IsExact<typeof caller, undefined>>(true), {}) });
});

Deno.test("verify() types the credential of its scheme", () => {
  type Credential<Input> = Omit<Input, "request" | "headers" | "signal" | "route" | "params" | "response">;
  verify(token, (input) => {
    assertType<IsExact<Credential<typeof input>, { readonly token: string }>>(true);
    return null;
  });
  verify(basic, (input) => {
    assertType<IsExact<Credential<typeof input>, { readonly username: string; readonly password: string }>>(true);
    return null;
  });
  verify(key, (input) => {
    assertType<IsExact<Credential<typeof input>, { readonly key: string }>>(true);
    return null;
  });
  verify(session, (input) => {
    assertType<IsExact<Credential<typeof input>, { readonly value: string }>>(true);
    return null;
  });
  verify(tls, (input) => {
    assertType<IsExact<keyof typeof input, "request" | "headers" | "signal" | "route" | "params" | "response">>(true);
    return null;
  });
});

Deno.test("verify() infers the caller from its result, without null, undefined and promises", () => {
  type Caller<Of> = Of extends Verifier<string, infer Found, never> ? Found : never;
  assertType<IsExact<Caller<typeof byToken>, Member>>(true);
  assertType<IsExact<Caller<typeof bySession>, Guest>>(true);
  const either = verify(session, async ({ value }) => await Promise.resolve(value === "" ? undefined : { value }));
  assertType<IsExact<Caller<typeof either>, { value: string }>>(true);
  const never = verify(session, () => {
    throw new Error("later");
  });
  assertType<IsExact<Caller<typeof never>, never>>(true);
});

Deno.test("verify() inside of defineServer() builds the responses that the contract shares", () => {
  defineServer(contract, {
    security: [
      verify(token, ({ response, token }): Member => {
        assertType<IsExact<typeof response, CreateResult<typeof shared>>>(true);
        // @ts-expect-error 409 is declared below alone
        if (token === "") throw response(409);
        throw response(429, { detail: "slow down" });
      }),
      verify(session, ({ value, response }, { ip }: { readonly ip: string }) => {
        // @ts-expect-error the detail of a problem is text
        if (value === ip) throw response(429, { detail: 1 });
        return { ip };
      }),
    ],
  });
});

Deno.test("the adapter's contextInput must return the inputs of verifiers and guards", () => {
  const needing = defineServer(contract, {
    security: [
      verify(token, (_input, { env }: { readonly env: string }): Member => ({ id: env, scopes: [] })),
      verify(session, (_input, { ip }: { readonly ip: string }): Guest => ({ ip })),
    ],
    context: ({ caller }, { db }: { readonly db: number }) => ({ caller, db }),
  }).guard((_input, { limit }: { readonly limit: number }) => void limit);
  const add = () => ({ status: 200, body: "" }) as const;
  const implementation = needing.implement(one, add);
  // @ts-expect-error the required contextInput is missing
  createFetchHandler(implementation);
  // @ts-expect-error an adapter does not have contextInput
  fetchAdapter().mount(implementation);
  // @ts-expect-error limit is missing
  createFetchHandler(implementation, { contextInput: () => ({ env: "", ip: "", db: 1 }) });
  // @ts-expect-error env is text
  createFetchHandler(implementation, { contextInput: () => ({ env: 1, ip: "", db: 1, limit: 1 }) });
  createFetchHandler(implementation, { contextInput: () => ({ env: "", ip: "", db: 1, limit: 1 }) });
  const atNode = needing.at(one).guard((_input, { more }: { readonly more: boolean }) => void more).implement(add);
  // @ts-expect-error more is missing
  createFetchHandler(atNode, { contextInput: () => ({ env: "", ip: "", db: 1, limit: 1 }) });
  createFetchHandler(atNode, { contextInput: () => ({ env: "", ip: "", db: 1, limit: 1, more: true }) });
  // a context that annotates the caller in one argument needs no contextInput for it
  const annotating = defineServer(contract, {
    security: [byToken, bySession],
    context: ({ caller }: { readonly caller: Member | Guest | undefined }) => ({ caller }),
  });
  const mounted: Implementation = annotating.implement(one, add);
  createFetchHandler(mounted);
});

Deno.test("guards and middleware in their own modules fit the servers that have their callers and responses", () => {
  const guard: Guard<typeof shared, { readonly ip: string }, Member | Guest | undefined> = (
    { caller, response },
    { ip },
  ) => caller !== undefined && "ip" in caller && caller.ip === ip ? response(429) : undefined;
  server.guard(guard);
  server.at(below).guard(guard);
  const general: Guard = ({ caller }) => assertType<IsExact<typeof caller, object | undefined>>(true);
  server.guard(general).at(open).guard(general);
  const guests: Guard<Record<never, never>, Record<never, never>, Guest> = ({ caller }) => void caller.ip;
  server.at(below.a).guard(guests);
  // @ts-expect-error not every caller is a guest
  server.guard(guests);
  const conflicts: Guard<{ readonly 409: typeof below.a.responses[409] }> = ({ response }) => response(409);
  server.at(below).guard(conflicts);
  // @ts-expect-error 409 is declared below alone
  server.guard(conflicts);
  const greet: Middleware<Record<never, never>, Record<never, never>, { readonly name: string }, Guest> = (
    { caller, next },
  ) => next({ name: caller.ip });
  server.at(below.a).use(greet).implement(({ context, response }) => response(200, context.name));
  // @ts-expect-error not every caller is a guest
  server.use(greet);
});

Deno.test("a verifier's caller has the scopes of its scheme, or those whose type it keeps", () => {
  const literal = verify(token, ({ token }) => ({ id: token, scopes: ["read"] }));
  assertType<IsExact<CallerOf<typeof literal>, { id: string; readonly scopes: readonly ("read" | "write")[] }>>(true);
  const all = verify(token, async ({ token }) => ({ id: await token, scopes: ["read", "write"] }));
  assertType<IsExact<CallerOf<typeof all>, { id: string; scopes: ("read" | "write")[] }>>(true);
  const split = verify(token, ({ token }) => ({ scopes: token.split(" ") }));
  assertType<IsExact<CallerOf<typeof split>, { scopes: string[] }>>(true);
  const none = verify(session, ({ value }) => ({ id: value, scopes: value.split(" ") }));
  assertType<IsExact<CallerOf<typeof none>, { id: string; scopes: string[] }>>(true);
  assertType<IsExact<CallerOf<typeof byToken>, Member>>(true);

  const bySome = <User extends object>(find: (value: string) => User | undefined) =>
    verify(session, ({ value }) => find(value));
  const some = bySome((name) => ({ name }));
  assertType<IsExact<CallerOf<typeof some>, { name: string }>>(true);
  const byScopes = <User extends Member>(find: (value: string) => Promise<User | null>) =>
    verify(token, ({ token }) => find(token));
  const scoped = byScopes((id) => Promise.resolve({ id, scopes: [id], age: 1 }));
  assertType<IsExact<CallerOf<typeof scoped>, { id: string; scopes: string[]; age: number }>>(true);
});

/** The type of a verifier's caller. */
type CallerOf<Verified extends Verifier> = NonNullable<Verified["types"]>["caller"];

Deno.test("servers, handlers and verifiers with different callers are not assignable to each other", () => {
  const other = defineServer(contract, {
    security: [verify(token, () => ({ scopes: [], age: 1 })), verify(session, () => ({ age: 2 }))],
  });
  // @ts-expect-error its callers do not have id
  const assigned: typeof server = other;
  // @ts-expect-error its callers do not have id
  const atNode: ReturnType<typeof server.at<typeof one>> = other.at(one);
  const handle: HandlersOf<typeof other>["one"] = ({ caller, response }) => response(200, String(caller.age));
  // @ts-expect-error its callers do not have age
  server.implement(one, handle);
  other.implement(one, handle);
  // @ts-expect-error a guest is not a member
  const verifier: typeof byToken = verify(token, () => ({ scopes: [], age: 1 }));
  // @ts-expect-error another scheme
  const otherScheme: Verifier<"token", Guest> = bySession;
  // @ts-expect-error another credential
  const scheme: SecurityScheme<"token", { readonly value: string }> = token;
  void [assigned, atNode, verifier, otherScheme, scheme];
  const general: Server<typeof contract, Record<never, never>, Record<never, never>, {
    readonly token: Member;
    readonly session: Guest;
    readonly "": undefined;
  }> = server;
  void general;
});

Deno.test("a handler in its own module knows that its route has a caller, but not its type", () => {
  const handle: Handler<typeof one, Record<never, never>> = ({ caller, response }) => {
    assertType<IsExact<typeof caller, object | undefined>>(true);
    return response(200, "");
  };
  server.implement(one, handle);
  const anyone: Handler<typeof open, Record<never, never>> = (input) => {
    assertType<IsExact<"caller" extends keyof typeof input ? true : false, false>>(true);
    return input.response(200, "");
  };
  server.implement(open, anyone);
});

const combined = defineContract({
  security: [security.all(token.scoped("read"), key)],
  routes: {
    both: route.get("/both", ok),
    either: route.get("/either", { ...ok, security: [security.all(session, key), session, security.none] }),
    custom: route.post("/custom", {
      ...ok,
      security: [security.all(tls, key, token)],
      responses: { 204: response.empty() },
    }),
  },
});

const combinedServer = defineServer(combined, {
  security: [
    byToken,
    bySession,
    verify(key, ({ key }) => ({ key })),
    verify(tls, () => ({ subject: "cn" })),
  ],
});
type Combined = HandlersOf<typeof combinedServer>;

Deno.test("handlers receive the callers of combined schemes by name", () => {
  type Key = { key: string };
  const handlers: Combined = {
    both: ({ caller, response }) => {
      assertType<IsExact<typeof caller, { readonly token: Member; readonly key: Key }>>(true);
      return response(200, caller.token.id);
    },
    either: ({ caller, response }) => {
      assertType<IsExact<typeof caller, { readonly session: Guest; readonly key: Key } | Guest | undefined>>(true);
      return response(200, "");
    },
    custom: ({ caller, response }) => {
      type Three = { readonly tls: { subject: string }; readonly key: Key; readonly token: Member };
      assertType<IsExact<typeof caller, Three>>(true);
      return response(204);
    },
  };
  combinedServer.implement(handlers);
});

Deno.test("combined schemes are checked where they are declared, verified and sent", () => {
  const { both } = combined.routes;
  assertType<IsExact<(typeof both.security)[0]["name"], "token+key">>(true);
  // @ts-expect-error one scheme is no combination
  assertThrows(() => security.all(token));
  // @ts-expect-error none needs no credential
  assertThrows(() => security.all(token, security.none));
  // @ts-expect-error combinations are flat
  assertThrows(() => security.all(token, security.all(session, key)));
  assertThrows(() => {
    // @ts-expect-error the verifiers of "session" and "tls" are missing
    defineServer(combined, { security: [byToken, verify(key, () => ({ key: "" }))] });
  });
  createClient(combined, { baseUrl: "https://a.example", credentials: { token: "t", key: "k", session: () => "s" } });
  // @ts-expect-error clients do not send the credential of a custom scheme
  assertThrows(() => createClient(combined, { baseUrl: "https://a.example", credentials: { tls: "t" } }));
  // @ts-expect-error an entry has no credential of its own
  assertThrows(() => createClient(combined, { baseUrl: "https://a.example", credentials: { "token+key": "t" } }));
});
