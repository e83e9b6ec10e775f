import { codec, request, response, route, type RouteDeclaration } from "@scope/api";
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { type } from "arktype";
import * as v from "valibot";
import * as z from "zod";
import { assertRefused } from "../support/assert_refused.ts";

const responses = { 200: response.empty() };
const methods = ["get", "head", "post", "put", "patch", "delete", "options", "query"] as const;

/** `route[method]()` for whichever method, which no one signature states. */
function declare(method: typeof methods[number], options: unknown): RouteDeclaration {
  return (route[method] as (path: string, options: unknown) => RouteDeclaration)("/here", options);
}

const methodsWithBody = methods.filter((method) => method !== "get" && method !== "head");

Deno.test("route has a function for each of the eight methods", () => {
  assertEquals(Object.keys(route), [...methods]);
  for (const method of methods) assertEquals(declare(method, { responses }).method, method.toUpperCase());
});

Deno.test("route.get() keeps its declaration", () => {
  const params = type({ id: "string" });
  const query = z.object({ limit: z.string() });
  const headers = v.object({ accept: v.string() });
  const declared = route.get("/users/:id", { params, query, headers, responses, docs: { summary: "One user" } });
  assertEquals(declared.path, "/users/:id");
  assert(declared.params === params);
  assert(declared.query === query);
  assert(declared.headers === headers);
  assertEquals(declared.body, undefined);
  assertEquals(declared.docs, { summary: "One user" });
});

for (const method of methodsWithBody) {
  Deno.test(`route.${method}() accepts a body`, () => {
    const body = request.text();
    assertStrictEquals(route[method]("/here", { body, responses }).body, body);
  });
}

Deno.test("route.post() accepts a bare schema as a JSON body", () => {
  const schemas = [type({ name: "string" }), z.object({ name: z.string() }), v.object({ name: v.string() })];
  for (const schema of schemas) {
    const { body } = route.post("/here", { body: schema as typeof schemas[0], responses });
    assertEquals(body.kind, "json");
    assertEquals(body.contentType, "application/json");
    assert(body.schema === schema);
  }
});

Deno.test("route.post() accepts a bare codec as a JSON body", () => {
  const date = codec(type("string"), type("Date"), {
    decode: (text) => new Date(text),
    encode: (date) => date.toISOString(),
  });
  assertStrictEquals(route.post("/here", { body: date, responses }).body.schema, date);
});

Deno.test("route.get() and route.head() refuse a body", () => {
  const options = { body: request.json(), responses } as never;
  assertRefused(
    () => route.get("/here", options),
    'route.get("/here")',
    'unknown option "body" (allowed: params, query,',
  );
  assertRefused(() => route.head("/here", options), 'route.head("/here")', 'unknown option "body"');
});

for (const slot of ["params", "query", "headers"] as const) {
  for (const method of methods) {
    Deno.test(`route.${method}() refuses ${slot} that is not a schema`, () => {
      for (
        const value of [null, true, "string", {}, { id: "string" }, [], () => true, request.json(), { "~standard": 1 }]
      ) {
        const options = { [slot]: value, responses };
        assertRefused(
          () => declare(method, options),
          `route.${method}("/here"): "${slot}" must be a Standard Schema (Zod, Valibot, ArkType, …), got `,
        );
      }
    });
  }
}

Deno.test("route.post() refuses a body that is neither a request declaration nor a schema", () => {
  for (
    const body of [null, true, "json", {}, { name: "string" }, [], request.json, response.json(), { ...request.json() }]
  ) {
    assertRefused(
      () => route.post("/here", { body: body as never, responses }),
      'route.post("/here"): "body" must be a schema or a declaration like request.json(…), got ',
    );
  }
});

Deno.test("route.get() treats undefined as an omitted option", () => {
  const options = { params: undefined, query: undefined, headers: undefined, docs: undefined, responses };
  assertEquals(route.get("/here", options as never).docs, {});
  assertEquals(route.post("/here", { ...options, body: undefined } as never).body, undefined);
});

Deno.test("route.get() freezes its result and nothing of the user's", () => {
  const docs = { tags: ["users"] };
  const options = { responses: { 200: response.empty() }, docs };
  const declared = route.get("/here", options);
  assert(Object.isFrozen(declared));
  assert(Object.isFrozen(declared.responses));
  for (const own of [options, options.responses, docs, docs.tags]) assert(!Object.isFrozen(own));
});

Deno.test("route.get() is not affected by later changes of its options", () => {
  const options: { responses: Record<number, ReturnType<typeof response.empty>> } = {
    responses: { 200: response.empty() },
  };
  const declared = route.get("/here", options);
  options.responses[404] = response.empty();
  delete options.responses[200];
  assertEquals(Object.keys(declared.responses), ["200"]);
});

Deno.test("route.get() reads options that are frozen", () => {
  const options = Object.freeze({ responses: Object.freeze({ 200: response.empty() }), docs: Object.freeze({}) });
  assertEquals(Object.keys(route.get("/here", options).responses), ["200"]);
});
