import { request, response, route, type Schema } from "@scope/api";
import { assert, assertEquals } from "@std/assert";
import { type } from "arktype";
import { z } from "zod";
import { assertProblem, listen, mountRoute } from "../support/mount_route.ts";
import { rejectionsOf } from "../support/rejections.ts";

const Id = type({ id: "string.numeric" });
const responses = { 200: response.json<unknown>() };

function post(path: string, body: BodyInit = "{}", headers: Record<string, string> = {}): Request {
  const init = { method: "POST", body, headers: { "content-type": "application/json", ...headers } };
  return new Request(`http://localhost${path}`, init);
}

// proves problems | Extension members add details: `code`, `issues` | 3.2
Deno.test("createFetchHandler() collects the issues of params, query and headers in this order", async () => {
  const declared = route.post("/:id", { params: Id, query: Id, headers: Id, body: request.json(Id), responses });
  const handler = mountRoute(declared, ({ response }) => response(200, 1));
  const must = 'must be a well-formed numeric string (was "x")';
  const issue = (location: string): object => ({ location, path: ["id"], pointer: "/id", message: `id ${must}` });
  await assertProblem(
    await handler(post("/x?id=x", "{}", { id: "x" })),
    400,
    "Bad Request",
    "invalid-request",
    [issue("params"), issue("query"), issue("headers")],
  );
  await assertProblem(await handler(post("/1?id=x", "{}", { id: "x" })), 400, "Bad Request", "invalid-request", [
    issue("query"),
    issue("headers"),
  ]);
});

Deno.test("createFetchHandler() does not read the body if an earlier slot failed", async () => {
  for (const body of [request.json(), request.text()]) {
    const handler = mountRoute(route.post("/:id", { params: Id, body, responses }), ({ response }) => response(200, 1));
    const incoming = post("/x", "{");
    assertEquals([(await handler(incoming)).status, incoming.bodyUsed], [400, false]);
  }
});

Deno.test("createFetchHandler() does not read undeclared slots", async () => {
  const handler = mountRoute(route.post("/", { responses }), ({ response }) => response(200, 1));
  const incoming = post("/?%GG", "{", { "content-type": "no/such" });
  const read: string[] = [];
  Object.defineProperty(incoming, "headers", { value: { get: (name: string) => void read.push(name) } });
  assertEquals([(await handler(incoming)).status, incoming.bodyUsed, read], [200, false, ["host"]]); // only on Deno
});

/** A schema that checks `id` now or later. */
function idSchema(later: boolean): Schema<{ id: string }, { id: string }> {
  return later
    ? z.object({ id: z.string().refine(async (id) => await Promise.resolve(id !== "x")) })
    : Id.and("unknown") as never;
}

Deno.test("createFetchHandler() waits for asynchronous schemas in any slots, mixed with synchronous ones", async () => {
  for (let mix = 0; mix < 16; mix++) {
    const at = (slot: number): Schema<{ id: string }, { id: string }> => idSchema((mix & (1 << slot)) !== 0);
    const declared = route.post("/:id", {
      params: at(0),
      query: at(1),
      headers: at(2),
      body: request.json(at(3)),
      responses,
    });
    const handler = mountRoute(
      declared,
      ({ params, query, headers, body, response }) => response(200, [params.id, query.id, headers.id, body.id]),
    );
    const good = await handler(post("/1?id=2", '{"id":"4"}', { id: "3" }));
    assertEquals(await good.json(), ["1", "2", "3", "4"]);
    const bad = await handler(post("/x?id=x", '{"id":"4"}', { id: "x" }));
    const locations = (await bad.json()).issues.map(({ location }: { location: string }) => location);
    assertEquals(locations, ["params", "query", "headers"]);
    const badBody = await handler(post("/1?id=2", '{"id":"x"}', { id: "3" }));
    assertEquals((await badBody.json()).issues[0].location, "body");
  }
});

Deno.test("createFetchHandler() applies the list rule to asynchronous schemas", async () => {
  const Query = z.object({ tag: z.array(z.string()).refine(async (tags) => await Promise.resolve(tags.length < 2)) });
  const handler = mountRoute(
    route.get("/", { query: Query, responses }),
    ({ query, response }) => response(200, query),
  );
  assertEquals(await (await handler(new Request("http://localhost/?tag=a"))).json(), { tag: ["a"] });
  assertEquals((await handler(new Request("http://localhost/?tag=a&tag=b"))).status, 400);
});

Deno.test("createFetchHandler() treats any thenable of a schema as a promise", async () => {
  const Thenable = {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: () => ({ then: (resolve: (result: object) => void) => resolve({ value: "thenable" }) }),
    },
  } as unknown as Schema<Record<string, string>, string>;
  const declared = route.post("/", { query: Thenable, body: request.json(Thenable), responses });
  const handler = mountRoute(declared, ({ query, body, response }) => response(200, [query, body]));
  assertEquals(await (await handler(post("/"))).json(), ["thenable", "thenable"]);
});

/** A schema that fails by throwing, or by rejecting. */
function failing(how: "throw" | "reject", thrown: unknown): Schema<Record<string, string>, unknown> {
  const validate = (): never => {
    if (how === "reject") return Promise.reject(thrown) as never;
    throw thrown;
  };
  return { "~standard": { version: 1, vendor: "test", validate } };
}

const thrownThings = [new Error("broken"), undefined, null, "text", Symbol("symbol"), 0];

Deno.test("createFetchHandler() responds 500 in phase decode if a schema throws or rejects, whatever it throws", async () => {
  for (const how of ["throw", "reject"] as const) {
    for (const thrown of thrownThings) {
      const broken = failing(how, thrown);
      const routes = [
        route.post("/:id", { params: broken, responses }),
        route.post("/:id", { query: broken, responses }),
        route.post("/:id", { headers: broken, responses }),
        route.post("/:id", { body: request.json(broken), responses }),
      ];
      for (const declared of routes) {
        const { heard, onError } = listen();
        const handler = mountRoute(declared, () => ({ status: 200 as const, body: 1 }), { onError });
        const answer = await handler(post("/1"));
        await assertProblem(answer, 500, "Internal Server Error", "internal-error");
        assertEquals(heard.map(({ phase, error }) => [phase, error]), [["decode", thrown]]);
      }
    }
  }
});

Deno.test("createFetchHandler() leaves no unhandled rejection if several slots fail", async () => {
  const unhandled = await rejectionsOf(async () => {
    for (const [first, second] of [["reject", "throw"], ["throw", "reject"], ["reject", "reject"]] as const) {
      const { heard, onError } = listen();
      const declared = route.post("/:id", {
        params: failing(first, "first"),
        query: failing(second, "second"),
        headers: failing("reject", "third"),
        responses,
      });
      const answer = await mountRoute(declared, ({ response }) => response(200, 1), { onError })(post("/1"));
      assertEquals([answer.status, heard.length, heard[0]?.error], [500, 1, "first"]);
    }
  });
  assertEquals(unhandled, []);
});

Deno.test("a schema that returns neither a value nor issues lets no request pass, now or later", async () => {
  for (const later of [false, true]) {
    const outcome = { success: false, error: "not a number" }; // as of Zod's safeParse
    const validate = () => (later ? Promise.resolve(outcome) : outcome) as never;
    const schema: Schema<{ id?: string }> = { "~standard": { version: 1, vendor: "test", validate } };
    for (const slot of [{ query: schema }, { headers: schema }, { params: schema }, { body: request.json(schema) }]) {
      const { heard, onError } = listen();
      const handler = mountRoute(route.post("/:id", { ...slot, responses }), ({ response }) => response(200, 1), {
        onError,
      });
      await assertProblem(await handler(post("/1")), 500, "Internal Server Error", "internal-error");
      assertEquals(heard.map(({ error, phase }) => [phase, String(error)]), [
        ["decode", 'TypeError: A schema must return an object with "value" or "issues", got an object'],
      ]);
    }
  }
});

Deno.test("a schema may return a thenable that has a value of its own, as the promises of some libraries", async () => {
  const refused = { issues: [{ message: "no" }] };
  const outcome = { value: "not awaited", then: (resolve: (outcome: typeof refused) => void) => resolve(refused) };
  const schema: Schema<{ id?: string }> = {
    "~standard": { version: 1, vendor: "test", validate: () => outcome as never },
  };
  for (const slot of [{ query: schema }, { headers: schema }, { params: schema }, { body: request.json(schema) }]) {
    const handler = mountRoute(route.post("/:id", { ...slot, responses }), ({ response }) => response(200, 1));
    assertEquals((await handler(post("/1", "{}"))).status, 400);
  }
});

Deno.test("createFetchHandler() responds 500 if one slot is refused and another's schema fails", async () => {
  const { heard, onError } = listen();
  const declared = route.post("/:id", { params: Id, query: failing("reject", "broken"), responses });
  const answer = await mountRoute(declared, ({ response }) => response(200, 1), { onError })(post("/x"));
  assertEquals([answer.status, heard[0]?.error], [500, "broken"]);
  assert(!(await answer.text()).includes("broken"));
});

/** A schema whose `validate` returns this, sync or async. */
function givingSchema(result: unknown, later: boolean): Schema<{ id: string }, { id: string }> {
  const validate = (): never => (later ? Promise.resolve(result) : result) as never;
  return { "~standard": { version: 1, vendor: "test", validate } };
}

Deno.test("createFetchHandler() passes the output of schemas to a handler, even undefined, never the raw input", async () => {
  for (const later of [false, true]) {
    const undefinedSchema = givingSchema({ value: undefined }, later);
    const declared = route.post("/:id", {
      params: undefinedSchema,
      query: undefinedSchema,
      headers: undefinedSchema,
      body: request.json(undefinedSchema),
      responses,
    });
    let seen: unknown;
    const handler = mountRoute(declared, ({ params, query, headers, body, response }) => {
      seen = [params, query, headers, body];
      return response(200, 1);
    });
    assertEquals((await handler(post("/1?id=2", "{}", { id: "3" }))).status, 200);
    assertEquals(seen, [undefined, undefined, undefined, undefined]);
  }
});

Deno.test("createFetchHandler() does not start a handler if a schema returns no result", async () => {
  for (const slot of ["params", "query", "headers", "body"] as const) {
    for (const outcome of [undefined, null, false, true, "no", 0]) {
      for (const later of [false, true]) {
        const { heard, onError } = listen();
        const schema = givingSchema(outcome, later);
        const declared = route.post("/:id", { [slot]: slot === "body" ? request.json(schema) : schema, responses });
        const handler = mountRoute(declared, ({ response }) => response(200, "the handler ran"), { onError });
        const answer = await handler(post("/1?id=2", "{}", { id: "3" }));
        await assertProblem(answer, 500, "Internal Server Error", "internal-error");
        assertEquals(heard.map(({ phase }) => phase), ["decode"], `${slot} ${outcome}`);
      }
    }
  }
});
