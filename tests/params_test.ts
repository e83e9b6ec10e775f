/** Path parameters that a schema of `params` leaves out stay strings, wherever the route is used. */
import { codec, type Contract, defineContract, response, route, router } from "@scope/api";
import { createClient } from "@scope/api/client";
import { diffContracts } from "@scope/api/diff";
import { createFetchHandler } from "@scope/api/fetch";
import { mcpTools } from "@scope/api/mcp";
import { mockContract } from "@scope/api/mock";
import { openApiDocument } from "@scope/api/openapi";
import { defineServer } from "@scope/api/server";
import { responseText, slimContract } from "@scope/api/slim";
import { contractTests, sample } from "@scope/api/testing";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { assertType, type IsExact } from "@std/testing/types";
import { type } from "arktype";
import { runInNewContext } from "node:vm";
import * as v from "valibot";
import { z } from "zod";
import type { Schema } from "../src/schema.ts";
import { findAll } from "./testing/findings.ts";

const responses = { 200: response.json() };
const Whole = codec(type({ id: "string.numeric" }), type({ id: "number" }), {
  decode: ({ id }) => ({ id: Number(id) }),
  encode: ({ id }) => ({ id: String(id) }),
});

/** A contract whose schemas describe one of two parameters. */
const contract = defineContract({
  routes: {
    articles: router("/articles/:slug", {
      routes: {
        zod: route.get("/zod/:id", { params: z.object({ id: z.coerce.number<string>() }), responses }),
        arktype: route.get("/arktype/:id", { params: type({ id: "string.numeric.parse" }), responses }),
        valibot: route.get("/valibot/:id", {
          params: v.object({ id: v.pipe(v.string(), v.transform(Number)) }),
          responses,
        }),
        codec: route.get("/codec/:id", { params: Whole, responses }),
        stripped: route.get("/stripped/:id", {
          params: type({ "+": "delete", id: "string.numeric.parse" }),
          responses,
        }),
        open: route.get("/open/:id", { params: z.record(z.string(), z.string()), responses }),
        renamed: route.get("/renamed/:id", {
          params: z.object({ id: z.string() }).transform(({ id }) => ({ number: Number(id) })),
          responses,
        }),
      },
    }),
  },
});

const handler = createFetchHandler(
  defineServer(contract).implement({
    articles: {
      zod: ({ params, response }) => {
        assertType<IsExact<typeof params, { readonly slug: string; id: number }>>(true);
        return response(200, params);
      },
      arktype: ({ params, response }) => {
        assertType<IsExact<typeof params, { readonly slug: string; id: number }>>(true);
        return response(200, params);
      },
      valibot: ({ params, response }) => {
        assertType<IsExact<typeof params, { readonly slug: string; id: number }>>(true);
        return response(200, params);
      },
      codec: ({ params, response }) => {
        assertType<IsExact<typeof params, { readonly slug: string; id: number }>>(true);
        return response(200, params);
      },
      stripped: ({ params, response }) => response(200, params),
      open: ({ params, response }) => {
        assertType<IsExact<typeof params, Record<string, string>>>(true);
        return response(200, params);
      },
      renamed: ({ params, response }) => {
        assertType<IsExact<typeof params, { readonly slug: string; number: number }>>(true);
        return response(200, params);
      },
    },
  }),
);

const client = createClient(contract, { baseUrl: "http://localhost", fetch: handler });

Deno.test("a server and a client have the parameters that a schema leaves out", async () => {
  const { articles } = client;
  const text = { params: { slug: "a b", id: "7" } };
  const expected = { slug: "a b", id: 7 };
  assertEquals((await articles.zod(text)).body, expected);
  assertEquals((await articles.arktype(text)).body, expected);
  assertEquals((await articles.valibot(text)).body, expected);
  assertEquals((await articles.stripped(text)).body, expected);
  assertEquals((await articles.codec({ params: { slug: "a b", id: 7 } })).body, expected);
  assertEquals((await articles.open(text)).body, { slug: "a b", id: "7" });
  assertEquals((await articles.renamed(text)).body, { slug: "a b", number: 7 });
  assertEquals(articles.codec.url({ params: { slug: "a b", id: 7 } }), "http://localhost/articles/a%20b/codec/7");
  // @ts-expect-error slug is missing
  await assertRejects(() => articles.zod({ params: { id: "7" } }), Error, "the path parameter slug is missing");
  // @ts-expect-error slug must be a text
  await assertRejects(() => articles.zod({ params: { id: "7", slug: {} } }), Error, "slug must be a string");
});

Deno.test("documents and tools list the parameters that a schema leaves out", () => {
  const { paths } = openApiDocument(contract, {
    info: { title: "Articles", version: "1.0.0" },
    schema: () => ({ type: "object", properties: { id: { type: "string" } } }),
  });
  for (const item of Object.values(paths)) {
    const [slug] = item.get!.parameters!;
    assertEquals(slug, { name: "slug", in: "path", required: true, schema: { type: "string" } });
  }
  const { zod } = contract.routes.articles;
  const one = defineContract({
    routes: { one: route.get("/:slug/:id", { params: zod.params, responses: { 200: response.text() } }) },
  });
  const [tool] = mcpTools(one, { fetch: handler, tools: { one: "One." } }).list;
  assertEquals(Object.keys((tool!.inputSchema.properties!["params"] as { properties: object }).properties), [
    "slug",
    "id",
  ]);
});

Deno.test("mocks, samples and contract tests have the parameters that a schema leaves out", async () => {
  const { zod } = contract.routes.articles;
  assertEquals(Object.keys(Object(sample(zod).params)), ["slug", "id"]);
  const one = defineContract({
    routes: {
      one: route.get("/:slug/:id", { params: type({ id: "string.numeric" }), responses: { 200: response.text() } }),
    },
  });
  assertEquals((await mockContract(one)(new Request("http://localhost/a/1"))).status, 200);
  const target = () =>
    createFetchHandler(
      defineServer(one).implement({ one: ({ params, response }) => response(200, params.slug + params.id) }),
    );
  assertEquals(await findAll(contractTests(one, { target, runs: 20 })), []);
});

Deno.test("a comparison knows the parameters that a schema leaves out", () => {
  const one = (params: Schema | undefined): Contract =>
    defineContract({
      routes: { one: route.get("/:slug/:id", { params: params as never, responses: { 200: response.text() } }) },
    });
  const less = one(z.object({ id: z.string() }));
  const document = openApiDocument(less, { info: { title: "One", version: "1.0.0" } });
  for (const other of [one(undefined), one(z.object({ id: z.string(), slug: z.string() })), document]) {
    assertEquals([diffContracts(less, other), diffContracts(other, less)], [[], []]);
  }
  const [change, ...further] = diffContracts(less, one(z.object({ id: z.string(), slug: z.string().min(3) })));
  assertEquals([change?.verdict, change?.where, further], ["breaking", "params /slug", []]);
});

Deno.test("a sample has the parameters that a codec leaves out", async () => {
  const route = contract.routes.articles.codec;
  const { params } = sample(route, 3);
  assertEquals([typeof params.slug, typeof params.id], ["string", "number"]);
  assertEquals((await client.articles.codec({ params })).body, params);
});

Deno.test("a parameter that a part of a schema declares is not left out", async () => {
  const schemas: readonly Schema[] = [
    z.union([z.object({ id: z.literal("a") }), z.object({ slug: z.literal("b") })]),
    z.object({ id: z.string() }).and(z.object({ id: z.literal("a") })).transform(({ id }) => ({ whole: id })),
    z.record(z.string(), z.string()).transform(({ id }) => ({ whole: id })),
    type({ id: "'a'" }).or({ slug: "'b'" }).pipe((value) => "id" in value ? { whole: value.id } : value),
  ];
  const typed = defineContract({
    routes: {
      one: route.get("/:slug/:id", {
        params: z.union([z.object({ id: z.literal("a") }), z.object({ slug: z.literal("b") })]),
        responses,
      }),
    },
  });
  defineServer(typed).implement({
    one: ({ params, response }) => {
      assertType<IsExact<typeof params, { id: "a" } | { slug: "b" }>>(true);
      return response(200, params);
    },
  });
  const declared = (params: Schema) =>
    defineContract({ routes: { one: route.get("/:slug/:id", { params: params as never, responses }) } });
  const outputs = schemas.map(async (params) => {
    const handler = createFetchHandler(
      defineServer(declared(params)).implement({ one: ({ params, response }) => response(200, params) }),
    );
    return await (await handler(new Request("http://localhost/s/a"))).json();
  });
  assertEquals(await Promise.all(outputs), [{ id: "a" }, { slug: "s", whole: "a" }, { whole: "a" }, { whole: "a" }]);
});

Deno.test("a member of an output wins over the parameter that the schema leaves out", async () => {
  const params = z.object({ id: z.string() }).transform(({ id }) => ({ id, slug: id.length }));
  const one = defineContract({ routes: { one: route.get("/:slug/:id", { params, responses }) } });
  const handler = createFetchHandler(
    defineServer(one).implement({
      one: ({ params, response }) => {
        assertType<IsExact<typeof params, { id: string; slug: number }>>(true);
        return response(200, params);
      },
    }),
  );
  const response = await handler(new Request("http://localhost/a/one"));
  assertEquals(await response.json(), { id: "one", slug: 3 });
});

Deno.test("defineContract() converts no schema of a path with one parameter, and each other schema once", () => {
  let conversions = 0;
  const counted = (schema: Schema): Schema => {
    const standard = schema["~standard"] as Schema["~standard"] & { jsonSchema: { input: (options: never) => object } };
    const input = (options: never): object => (conversions++, standard.jsonSchema.input(options));
    return { "~standard": { ...standard, jsonSchema: { input } } } as Schema;
  };
  const params = counted(z.object({ id: z.string() })) as Schema<{ id: string }>;
  defineContract({ routes: { one: route.get("/:id", { params, responses }) } });
  assertEquals(conversions, 0);
  defineContract({ routes: { one: route.get("/:slug/:part/:id", { params, responses }) } });
  assertEquals(conversions, 1);
});

Deno.test("a slim contract has the parameters that a schema leaves out", async () => {
  const whole = defineContract({
    routes: {
      one: route.get("/:slug/:id", { params: z.object({ id: z.string() }), responses: { 200: response.text() } }),
    },
  });
  const slim = slimContract<typeof whole>({ one: ["GET", "/:slug/:id", { params: 1 }, { 200: responseText }] });
  const calls = createClient(slim, {
    baseUrl: "http://localhost",
    fetch: (request) => new Response(new URL((request as Request).url).pathname),
  });
  assertEquals((await calls.one({ params: { slug: "a", id: "1" } })).body, "/a/1");
});

Deno.test("a schema that refuses a parameter of the path is an error at its declaration, which names the parameter", () => {
  const strict: readonly Schema[] = [z.strictObject({ id: z.string() }), type({ "+": "reject", id: "string" })];
  for (const params of strict) {
    const routes = { remove: route.delete("/comments/:id", { params: params as never, responses }) };
    const declare = () => defineContract({ routes: { articles: router("/articles/:slug", { routes }) } });
    assertThrows(
      declare,
      TypeError,
      'defineContract(): articles.remove: "params" refuses the parameter "slug" of /articles/:slug/comments/:id; ' +
        "add it to the schema, or let the schema accept further keys",
    );
    assert(defineContract({ routes })); // the schema declares the only parameter
  }
});

Deno.test("a plain object of another realm has the parameters that a schema leaves out", async () => {
  const validate = () => ({ value: runInNewContext("({ id: 1 })") as { id: number } });
  const params: Schema<{ id: string }, { id: number }> = { "~standard": { version: 1, vendor: "test", validate } };
  const one = defineContract({ routes: { one: route.get("/:slug/:id", { params, responses }) } });
  const handler = createFetchHandler(
    defineServer(one).implement({ one: ({ params, response }) => response(200, params) }),
  );
  const response = await handler(new Request("http://localhost/a/1"));
  assertEquals(await response.json(), { id: 1, slug: "a" });
});

Deno.test("an output that is no plain object is passed as it is", async () => {
  class Id {
    constructor(readonly id: string) {}
  }
  const params = v.pipe(v.object({ id: v.string() }), v.transform(({ id }) => new Id(id)));
  const one = defineContract({
    routes: { one: route.get("/:slug/:id", { params, responses: { 200: response.text() } }) },
  });
  const implementation = defineServer(one).implement({
    one: ({ params, response }) => response(200, `${(params as unknown) instanceof Id}`),
  });
  assertEquals(await (await createFetchHandler(implementation)(new Request("http://localhost/a/1"))).text(), "true");
});
