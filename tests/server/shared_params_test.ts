import { defineContract, response, route, router, security } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer, type Guard, type Middleware, verify } from "@scope/api/server";
import { assertEquals, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import * as z from "zod";
import { tries } from "../support/tries.ts";

const session = security.cookie("session", { cookie: "session" });
const Year = z.object({ year: z.coerce.number().int() });
const contract = defineContract({
  security: [session],
  routes: {
    orgs: router("/orgs/:org", {
      responses: { 403: response.empty() },
      routes: {
        read: route.get("/", { responses: { 200: response.text() } }),
        bills: route.get("/bills/:year", { params: Year, responses: { 200: response.json(Year) } }),
        rename: route.put("/", { body: z.object({ name: z.string() }), responses: { 204: response.empty() } }),
      },
    }),
  },
});
const { orgs } = contract.routes;

/** Notes everything that a verifier, a guard and a middleware see of the path. */
function mount(): { readonly trace: string[]; readonly ask: (path: string, init?: RequestInit) => Promise<string> } {
  const trace: string[] = [];
  const note = (place: string, params: object): void => void trace.push(`${place} ${JSON.stringify(params)}`);
  const server = defineServer(contract, {
    security: [verify(session, ({ value, params }) => {
      note("verifier", params);
      return { id: value };
    })],
    context: () => {
      trace.push("context");
      return {};
    },
  });
  const implementation = server.at(orgs)
    .use(({ params, caller, next, response }) => {
      note("middleware", params);
      return params.org === caller.id ? next({ owner: caller.id }) : response(403);
    })
    .guard(({ params, response }) => {
      note("guard", params);
      if (params.org === "closed/1") return response(403);
    })
    .implement({
      read: ({ context, response }) => response(200, context.owner),
      bills: ({ params, response }) => response(200, { year: params.year }),
      rename: ({ response }) => response(204),
    });
  const handler = createFetchHandler(server.implement({ orgs: implementation }));
  const ask = async (path: string, init: RequestInit = {}): Promise<string> => {
    const headers = { cookie: "session=ada", "content-type": "application/json" };
    const answer = await handler(new Request(`http://localhost${path}`, { headers, ...init }));
    return `${answer.status} ${answer.status < 400 ? await answer.text() : await answer.text() && ""}`.trimEnd();
  };
  return { trace, ask };
}

Deno.test("use() of server.at(router) checks a parameter once, for every route below", async () => {
  const { ask } = mount();
  const rename = { method: "PUT", body: '{"name":"Ada"}' };
  assertEquals([await ask("/orgs/ada"), await ask("/orgs/eve")], ["200 ada", "403"]);
  assertEquals([await ask("/orgs/ada/bills/2026"), await ask("/orgs/eve/bills/2026")], ['200 {"year":2026}', "403"]);
  assertEquals([await ask("/orgs/ada", rename), await ask("/orgs/eve", rename)], ["204", "403"]);
});

Deno.test("verifiers and guards see the params before they are validated, middleware afterwards", async () => {
  const { trace, ask } = mount();
  await ask("/orgs/ada/bills/%32026");
  assertEquals(trace, [
    'verifier {"org":"ada","year":"2026"}',
    'guard {"org":"ada","year":"2026"}',
    "context",
    'middleware {"year":2026,"org":"ada"}',
  ]);
});

Deno.test("a guard refuses a request before its params are validated", async () => {
  const { trace, ask } = mount();
  assertEquals(await ask("/orgs/closed%2F1/bills/never"), "403");
  assertEquals(trace, ['verifier {"org":"closed/1","year":"never"}', 'guard {"org":"closed/1","year":"never"}']);
  assertEquals(await ask("/orgs/open/bills/never"), "400");
  assertEquals(trace.slice(2), ['verifier {"org":"open","year":"never"}', 'guard {"org":"open","year":"never"}']);
});

Deno.test("HEAD has the params of GET; 404, 405 and a malformed path have none, and run nothing", async () => {
  const { trace, ask } = mount();
  assertEquals([await ask("/orgs/ada", { method: "HEAD" }), await ask("/orgs/eve", { method: "HEAD" })], [
    "200",
    "403",
  ]);
  const seen = (org: string): string[] => {
    const params = JSON.stringify({ org });
    return [`verifier ${params}`, `guard ${params}`, "context", `middleware ${params}`];
  };
  assertEquals(trace.splice(0), [...seen("ada"), ...seen("eve")]);
  assertEquals(await ask("/orgs/ada/nothing"), "404");
  assertEquals(await ask("/orgs/ada", { method: "DELETE" }), "405");
  assertEquals(await ask("/orgs/%GG"), "400");
  assertEquals(trace, []);
});

Deno.test("a middleware and a guard in a module of their own fit routers of several contracts", async () => {
  const declared = { 404: response.empty() };
  const reserved: Guard<typeof declared, object, unknown, { slug: string }> = ({ params, response }) => {
    if (params.slug === "admin") return response(404);
  };
  const shout: Middleware<object, typeof declared, { shouted: string }, unknown, { slug: string }> = (
    { params, next },
  ) => next({ shouted: params.slug.toUpperCase() });
  for (const [path, asked] of [["/:slug", "/news"], ["/blogs/:slug/posts/:post", "/blogs/news/posts/1"]] as const) {
    const blog = defineContract({
      responses: declared,
      routes: { one: route.get(path, { responses: { 200: response.text() } }) },
    });
    const implementation = defineServer(blog).guard(reserved).use(shout).implement({
      one: ({ context, response }) => response(200, context.shouted),
    });
    const handler = createFetchHandler(implementation);
    assertEquals(await (await handler(new Request(`http://localhost${asked}`))).text(), "NEWS");
    const refused = await handler(new Request(`http://localhost${asked.replace("news", "%61dmin")}`));
    assertEquals(refused.status, 404);
  }
});

/** Schemas of two parameters: one that changes a value, one that leaves a name out, one that adds a name, and none. */
const schemas = {
  none: undefined,
  upper: z.object({ one: z.string().toUpperCase(), two: z.string() }),
  partial: z.object({ two: z.string().transform((text) => text.length) }),
  loose: z.looseObject({ one: z.string() }),
  added: z.object({ one: z.string(), two: z.string() }).transform((value) => ({ ...value, three: value.one })),
  later: z.object({ one: z.string(), two: z.string() }).refine(async () => await Promise.resolve(true)),
};
const kinds = fc.array(fc.constantFrom(...Object.keys(schemas) as (keyof typeof schemas)[]), {
  minLength: 1,
  maxLength: 4,
});
const segment = fc.string({ minLength: 1, maxLength: 6, unit: "grapheme" })
  .filter((text) => text !== "." && text !== ".." && text.isWellFormed());

Deno.test("middleware sees the params of the handler, and a guard the decoded segments, for every route", async () => {
  await fc.assert(
    fc.asyncProperty(kinds, segment, segment, fc.boolean(), async (kinds, one, two, isWhole) => {
      const routes = Object.fromEntries(kinds.map((kind, index) => {
        const params = schemas[kind];
        const declared = { ...(params && { params }), responses: { 204: response.empty() } };
        return [`route${index}`, route.get(`/:two/${index}`, declared)] as const;
      }));
      const api = defineContract({ routes: { all: router("/all/:one", { routes }) } });
      const guarded: object[] = [];
      const wrapped: object[] = [];
      const handled: object[] = [];
      const whole = defineServer(api);
      const guard: Guard<Record<never, never>, object, unknown, { one: string; two: string }> = (
        { params: { one, two } },
      ) => void guarded.push({ one, two });
      const middleware: Middleware<object, Record<never, never>, { added: number }> = ({ params, next }) => {
        wrapped.push(params);
        return next({ added: 1 });
      };
      const handlers = Object.fromEntries(
        kinds.map((_, index) => [`route${index}`, (input: { params: object }) => {
          handled.push(input.params);
          return { status: 204 as const };
        }]),
      );
      const implementation = isWhole
        ? whole.guard(guard).use(middleware).implement({ all: handlers })
        : whole.at(api.routes.all).guard(guard).use(middleware).implement(handlers);
      const handler = createFetchHandler(implementation);
      for (const index of kinds.keys()) {
        const path = `/all/${encodeURIComponent(one)}/${encodeURIComponent(two)}/${index}`;
        assertEquals((await handler(new Request(`http://localhost${path}`))).status, 204, path);
        assertEquals(guarded.at(-1), { one, two });
        assertStrictEquals(wrapped.at(-1), handled.at(-1));
      }
      assertEquals([guarded.length, wrapped.length, handled.length], Array(3).fill(kinds.length));
    }),
    tries(100),
  );
});
