import { type Contract, defineContract, request, response, route, type RouteNode } from "@scope/api";
import { createClient } from "@scope/api/client";
import { sample } from "@scope/api/testing";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { assertType, type IsExact } from "@std/testing/types";
import { type } from "arktype";
import fc from "fast-check";
import * as z from "zod";
import { contract as tasks } from "../../examples/tasks/contract.ts";
import { contract as users } from "../../examples/users/contract.ts";
import { routesOf } from "../../src/contract/node.ts";
import { createReference } from "../../src/tools/testing/reference.ts";
import { tries } from "../support/tries.ts";
import { contract as bodies } from "./bodies.ts";
import { contract as things } from "./things.ts";

const ok = { 204: response.empty() };

for (const [name, contract] of Object.entries<Contract>({ bodies, things, tasks, users })) {
  Deno.test(`sample() is accepted by its route: ${name}`, async () => {
    const judge = createReference(contract);
    const client = createClient(contract as typeof bodies, {
      baseUrl: "http://localhost",
      headers: { authorization: "Bearer t" },
    });
    const calls = new Map(Object.entries(flatten(client)));
    for (const node of routesOf(contract.routes)) {
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 64 }), async (choices) => {
          const input = sample(node, choices);
          const built = await calls.get(node.key)!.request(input as never);
          const { pathname, search } = new URL(built.url);
          const body = new Uint8Array(await built.arrayBuffer());
          const verdict = await judge({
            method: built.method,
            path: pathname + search,
            headers: Object.fromEntries(built.headers),
            body: body.length > 0 || built.headers.has("content-type") ? body : undefined,
            secrets: [],
          });
          assertEquals([verdict.route?.key, verdict.reason], [node.key, ""]);
        }),
        tries(25),
      );
    }
  });
}

/** The calls of a client by their keys. */
function flatten(client: object, above = ""): Record<string, { request(input: never): Promise<Request> }> {
  return Object.assign(
    {},
    ...Object.entries(client).map(([key, below]) =>
      typeof below === "function" ? { [above + key]: below } : flatten(below, `${above}${key}.`)
    ),
  );
}

Deno.test("sample() returns the same input for the same seed, typed as the client's input", () => {
  const { rename } = things.routes.things;
  const input = sample(rename, 7);

  assertType<
    IsExact<
      typeof input,
      { readonly params: { readonly id: string | number | boolean | bigint }; readonly body: { name: string } }
    >
  >(true);
  assertEquals(sample(rename, 7), input);
  assert(new Set([1, 2, 3, 4, 5].map((seed) => JSON.stringify(sample(rename, seed)))).size > 1);
  assert(sample(bodies.routes.codec, 1).body.at instanceof Date);
  assert(sample(bodies.routes.upload, 1).body instanceof Object);
});

Deno.test("sample() without choices is the smallest input", () => {
  assertEquals(sample(things.routes.things.rename, new Uint8Array()), { params: { id: "a" }, body: { name: "a" } });
  assertEquals(sample(things.routes.things.list, new Uint8Array()), { query: {} });
});

Deno.test("sample() explains what it cannot sample", () => {
  const impossible = defineContract({
    routes: {
      none: route.post("/none", { body: type({ a: "string" }).narrow(() => false), responses: ok }),
      late: route.post("/late", {
        body: z.object({ a: z.string() }).refine(() => Promise.resolve(true)),
        responses: ok,
      }),
      date: route.get("/date", { query: type({ at: "Date" }) as never, responses: ok }),
    },
  });
  const cases: readonly (readonly [node: RouteNode, words: string])[] = [
    [impossible.routes.none, "found no valid input of none"],
    [impossible.routes.late, "the schemas of late must be synchronous, got an asynchronous one"],
    [impossible.routes.date, "Cannot test date: the schema of its query does not convert to JSON Schema"],
    [things.routes as never, "must be a route of a contract"],
  ];
  for (const [node, words] of cases) assertThrows(() => sample(node, 1), TypeError, words);
});

Deno.test("sample() accepts the JSON Schema of a schema that does not convert", () => {
  const handwritten = (value: unknown): { value: { a: string } } | { issues: { message: string }[] } =>
    Object(value).a === "x" ? { value: { a: "x" } } : { issues: [{ message: "must have an x" }] };
  const schema = { "~standard": { version: 1, vendor: "test", validate: handwritten } } as const;
  const contract = defineContract({ routes: { a: route.post("/a", { body: request.json(schema), responses: ok }) } });

  const input = sample(contract.routes.a, 1, {
    schema: () => ({ properties: { a: { const: "x" } }, required: ["a"] }),
  });
  assertEquals(input.body, { a: "x" });
});

Deno.test("sample() draws no member that the types of the schema do not have, unless it requires more", () => {
  const Deep = z.object({ a: z.string().optional(), list: z.array(z.object({ b: z.int() })), any: z.object({}) });
  const contract = defineContract({
    routes: {
      one: route.post("/one", { query: z.object({ q: z.string().optional() }), body: Deep, responses: ok }),
      two: route.post("/two", { body: type({ "a?": "string", nested: { b: "number" } }), responses: ok }),
      three: route.post("/three", { body: z.looseObject({ a: z.string() }), responses: ok }),
      four: route.post("/four", { body: z.record(z.string(), z.int()), responses: ok }),
    },
  });
  const { one, two, three, four } = contract.routes;
  const seeds = Array.from({ length: 200 }, (_, index) => index);
  for (const seed of seeds) {
    const { body, query } = sample(one, seed);
    assertEquals(
      [query, body, body.any, ...body.list].flatMap((each) => Object.keys(each ?? {})).filter((name) =>
        !["q", "a", "list", "any", "b"].includes(name)
      ),
      [],
    );
    const { body: other } = sample(two, seed);
    assertEquals([other, other.nested].flatMap(Object.keys).filter((name) => !["a", "nested", "b"].includes(name)), []);
  }
  assert(seeds.some((seed) => Object.keys(sample(three, seed).body).length > 1));
  assert(seeds.some((seed) => Object.keys(sample(four, seed).body).length > 1));
});
