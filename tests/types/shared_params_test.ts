/** The path parameters that middleware, guards and verifiers receive, as types. */
import { codec, type Contract, defineContract, response, route, router, security, styled } from "@scope/api";
import { defineServer, type Guard, type Middleware, verify } from "@scope/api/server";
import { assertType, type IsExact } from "@std/testing/types";
import * as v from "valibot";
import * as z from "zod";
import { type } from "arktype";

const responses = { 204: response.empty() };
const OrgId = z.string().brand<"OrgId">();
type OrgId = z.output<typeof OrgId>;

const contract = defineContract({
  responses: { 403: response.empty() },
  routes: {
    health: route.get("/health", { responses }),
    orgs: router("/orgs/:org", {
      routes: {
        read: route.get("/", { responses }),
        users: router("/users", {
          routes: { list: route.get("/", { responses }), remove: route.delete("/:user", { responses }) },
        }),
      },
    }),
    teams: router("/teams/:org/:team", {
      routes: {
        read: route.get("/", { params: z.object({ org: OrgId, team: z.coerce.number() }), responses }),
        rename: route.put("/", { params: v.object({ org: v.string() }), responses }),
        remove: route.delete("/", { params: type({ team: "string.integer.parse" }), responses }),
      },
    }),
    days: router("/days/:day", {
      routes: {
        read: route.get("/", {
          params: codec(z.object({ day: z.string() }), z.object({ day: z.date() }), {
            decode: ({ day }) => ({ day: new Date(day) }),
            encode: ({ day }) => ({ day: day.toISOString() }),
          }),
          responses,
        }),
        cancel: route.post("/:at", {
          params: styled(z.object({ at: z.string() }), { at: "*:cancel" }),
          responses,
        }),
      },
    }),
  },
});
const { health, orgs, teams, days } = contract.routes;
const server = defineServer(contract);

Deno.test("use() has the params that all routes below share, as their schemas return them", () => {
  server.at(orgs).use(({ params, next }) => {
    assertType<IsExact<typeof params, { readonly org: string }>>(true);
    // @ts-expect-error one route alone has it
    params.user;
    return next();
  });
  server.at(orgs).at(orgs.users).use(({ params, next }) => {
    assertType<IsExact<typeof params, { readonly org: string }>>(true);
    return next();
  });
  server.at(orgs.users.remove).use(({ params, next }) => {
    assertType<IsExact<typeof params, { readonly org: string; readonly user: string }>>(true);
    return next();
  });
  server.at(teams.read).use(({ params, next }) => {
    assertType<IsExact<typeof params, { readonly org: OrgId; readonly team: number }>>(true);
    return next();
  });
});

Deno.test("use() has the union of what routes return for a parameter", () => {
  server.at(teams).use(({ params, next }) => {
    assertType<IsExact<typeof params, { readonly org: OrgId | string; readonly team: number | string }>>(true);
    return next();
  });
  server.at(days).use(({ params, next }) => {
    assertType<IsExact<typeof params, { readonly day: Date | string }>>(true);
    return next();
  });
});

Deno.test("use() has no params if a schema returns something else than an object", () => {
  const id = { params: z.object({ id: z.string() }).transform(({ id }) => id), responses };
  const texts = defineContract({ routes: { one: router("/:id", { routes: { text: route.get("/", id) } }) } });
  defineServer(texts).at(texts.routes.one).use(({ params, next }) => {
    assertType<IsExact<keyof typeof params, never>>(true);
    return next();
  }).guard(({ params }) => {
    assertType<IsExact<typeof params, { readonly id: string }>>(true);
  });
});

Deno.test("use() has no params if one route has none", () => {
  server.use(({ params, next }) => {
    assertType<IsExact<keyof typeof params, never>>(true);
    // @ts-expect-error health has no parameters
    params.org;
    return next();
  });
  server.at(health).use(({ params, next }) => {
    // @ts-expect-error health has no parameters
    params.org;
    return next();
  });
});

Deno.test("use() of a whole contract has the params that every route has", () => {
  const tenants = defineContract({
    routes: {
      list: route.get("/:tenant", { responses }),
      one: router("/:tenant/:id", { routes: { read: route.get("/", { responses }) } }),
    },
  });
  defineServer(tenants).use(({ params, next }) => {
    assertType<IsExact<typeof params, { readonly tenant: string }>>(true);
    return next();
  }).guard(({ params }) => {
    assertType<IsExact<typeof params, { readonly tenant: string }>>(true);
  });
});

Deno.test("guard() has the params of the paths, as strings", () => {
  server.at(teams).guard(({ params }) => {
    assertType<IsExact<typeof params, { readonly org: string; readonly team: string }>>(true);
  });
  server.at(days).guard(({ params }) => {
    assertType<IsExact<typeof params, { readonly day: string }>>(true);
    // @ts-expect-error one route alone has it
    params.at;
  });
  server.at(days.cancel).guard(({ params }) => {
    assertType<IsExact<typeof params, { readonly day: string; readonly at: string }>>(true);
  });
  server.guard(({ params }) => {
    // @ts-expect-error health has no parameters
    params.org;
  });
});

Deno.test("verify() has the params of any route, as strings", () => {
  verify(security.bearer("token"), ({ token, params }) => {
    assertType<IsExact<typeof params, Readonly<Record<string, string>>>>(true);
    return { token, org: params["org"] };
  });
});

Deno.test("Middleware and Guard in a module of their own fit each router that has their params", () => {
  type Nothing = Record<never, never>;
  const refused = { 403: response.empty() };
  const member: Middleware<Nothing, typeof refused, { member: string }, unknown, { org: string }> = (
    { params, next, response },
  ) => params.org === "" ? response(403) : next({ member: params.org });
  const known: Guard<typeof refused, Nothing, unknown, { org: string }> = ({ params, response }) => {
    if (params.org === "") return response(403);
  };
  server.at(orgs).use(member).guard(known);
  server.at(orgs.users).use(member).guard(known);
  server.at(teams).use(member).guard(known);
  server.at(orgs).use(member).implement({
    read: ({ context, response }) => response(context.member === "" ? 403 : 204),
    users: { list: ({ response }) => response(204), remove: ({ response }) => response(204) },
  });
  // @ts-expect-error the routes of days have no parameter org
  server.at(days).use(member);
  // @ts-expect-error the routes of days have no parameter org
  server.at(days).guard(known);
  // @ts-expect-error health has no parameter org
  server.use(member);
  // @ts-expect-error health has no parameter org
  server.guard(known);
  const numbered: Middleware<Nothing, Nothing, Nothing, unknown, { team: number }> = ({ next }) => next();
  server.at(teams.read).use(numbered);
  // @ts-expect-error two routes have a string
  server.at(teams).use(numbered);
});

Deno.test("middleware without params fits every router", () => {
  const timed: Middleware = ({ next }) => next();
  const logged: Guard = () => {};
  server.use(timed).guard(logged);
  server.at(orgs).use(timed).guard(logged);
  server.at(teams.read).use(timed).guard(logged);
});

Deno.test("use() of any contract and of one without routes has no params", () => {
  ((general: Contract) =>
    defineServer(general).use(({ params, next }) => {
      // @ts-expect-error nothing is known of its routes
      params.org;
      return next();
    }));
  (() => {
    const empty = defineContract({ routes: { none: router("/:org", { routes: {} }) } }); // throws
    defineServer(empty).use(({ params, next }) => {
      assertType<IsExact<keyof typeof params, never>>(true);
      return next();
    });
  });
});
