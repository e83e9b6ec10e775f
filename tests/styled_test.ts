/** `styled()`: lists, objects and JSON in the fields of a query, a path, headers and forms. */
import { codec, type Contract, defineContract, request, response, route, styled } from "@scope/api";
import { ClientError, createClient } from "@scope/api/client";
import { diffContracts } from "@scope/api/diff";
import { createFetchHandler, type FetchHandler } from "@scope/api/fetch";
import { mcpTools } from "@scope/api/mcp";
import { mockContract } from "@scope/api/mock";
import { openApiDocument } from "@scope/api/openapi";
import { defineServer } from "@scope/api/server";
import { fieldStyles, json, slimContract } from "@scope/api/slim";
import { contractTests, sample } from "@scope/api/testing";
import { assert, assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { type } from "arktype";
import fc from "fast-check";
import * as v from "valibot";
import * as z from "zod";
import { writeSlimContract } from "../src/tools/slim/write_slim_contract.ts";
import { type FieldStyle, readStyled, writeStyled } from "../src/wire/field_styles.ts";
import { assertRefused } from "./support/assert_refused.ts";
import { findAll } from "./testing/findings.ts";
import { asserting } from "./support/tries.ts";
import { processorTime } from "./support/processor_time.ts";

const always = asserting(500);

const Query = z.object({
  ids: z.array(z.coerce.number<string | number>()).optional(),
  tags: z.array(z.string()).optional(),
  names: z.array(z.string()).optional(),
  filter: z.object({
    name: z.string().optional(),
    age: z.object({ gte: z.coerce.number<string | number>() }).optional(),
    tags: z.array(z.string()).optional(),
  }).optional(),
  options: z.object({ deep: z.array(z.number()) }).optional(),
  plain: z.string().optional(),
});
const styles = { ids: "comma", tags: "pipe", names: "space", filter: "deepObject", options: "json" } as const;
const Form = z.object({ ids: z.array(z.string()), address: z.object({ city: z.string() }) });
const Dates = codec(
  z.object({ days: z.array(z.iso.date()) }),
  z.object({ days: z.array(z.date()) }),
  {
    decode: ({ days }) => ({ days: days.map((day) => new Date(day)) }),
    encode: ({ days }) => ({ days: days.map((day) => day.toISOString().slice(0, 10)) }),
  },
);

const contract = defineContract({
  routes: {
    list: route.get("/items", { query: styled(Query, styles), responses: { 200: response.json(z.looseObject({})) } }),
    some: route.get("/items/:ids", {
      params: styled(z.object({ ids: z.array(z.string()) }), { ids: "comma" }),
      headers: styled(z.object({ "x-fields": z.array(z.string()).optional() }), { "x-fields": "comma" }),
      responses: { 200: response.json(z.looseObject({})) },
    }),
    send: route.post("/form", {
      body: request.form(styled(Form, { ids: "comma", address: "deepObject" })),
      responses: { 200: response.json(z.looseObject({})) },
    }),
    days: route.get("/days", {
      query: styled(Dates, { days: "comma" }),
      responses: { 200: response.json(z.array(z.string())) },
    }),
  },
});

const server = defineServer(contract);
const handler: FetchHandler = createFetchHandler(server.implement({
  list: ({ query, response }) => response(200, query),
  some: ({ params, headers, response }) => response(200, { ...params, ...headers }),
  send: ({ body, response }) => response(200, body),
  days: ({ query, response }) => response(200, query.days.map((day) => day.toISOString())),
}));
const baseUrl = "http://localhost";

async function ask(search: string): Promise<unknown> {
  const answer = await handler(new Request(`${baseUrl}/items?${search}`));
  const { issues, ...body } = await answer.json();
  return answer.ok ? body : issues.map(({ pointer, message }: Record<string, string>) => `${pointer}: ${message}`);
}

Deno.test("servers read lists, objects and JSON in the fields of a query", async () => {
  assertEquals(await ask("ids=1,2&tags=a|b&names=a+b%20c&plain=1,2"), {
    ids: [1, 2],
    tags: ["a", "b"],
    names: ["a", "b", "c"],
    plain: "1,2",
  });
  assertEquals(await ask("ids=1%2C2&ids=3"), { ids: [1, 2, 3] });
  assertEquals(await ask("ids=1"), { ids: [1] });
  assertEquals(await ask("ids="), { ids: [] });
  assertEquals(await ask("ids=,%201%20,,2"), { ids: [1, 2] });
  assertEquals(await ask("filter[name]=a&filter%5Bage%5D[gte]=3&filter[tags][]=x&filter[tags][]=y"), {
    filter: { name: "a", age: { gte: 3 }, tags: ["x", "y"] },
  });
  assertEquals(await ask("filter[tags][]=x"), { filter: { tags: ["x"] } });
  assertEquals(await ask("tags=a%20|%20b"), { tags: ["a", "b"] });
  assertEquals(await ask(`options=${encodeURIComponent('{"deep":[1]}')}`), { options: { deep: [1] } });
});

Deno.test("servers refuse fields that contradict their style, with the place", async () => {
  assertEquals(await ask("options={"), ["/options: must be JSON"]);
  assertEquals(await ask("options={}&options={}"), ["/options: must occur once"]);
  assertEquals(await ask(`options=${"[".repeat(101)}${"]".repeat(101)}`), [
    "/options: must have at most 100 levels of nesting",
  ]);
  assertEquals(await ask("filter[age]=1&filter[age][gte]=1"), ["/filter/age/gte: must be either text or an object"]);
  assertEquals(await ask("filter=1&filter[name]=a"), ["/filter: must be either text or an object"]);
  assertEquals(await ask("filter[age][gte]=1&filter[age]=1"), ["/filter/age: must be either text or an object"]);
  assertEquals(await ask("filter=1&filter[name]=a&filter[name][x]=b"), [
    "/filter: must be either text or an object",
  ]);
  assertEquals((await ask("ids=1,x") as string[]).length, 1);
  assertStringIncludes((await ask("ids=1,x") as string[])[0]!, "/ids/1");
  assertStringIncludes((await ask("filter[age][gte]=x") as string[])[0]!, "/filter/age/gte");
  assertStringIncludes((await ask("filter=x") as string[])[0]!, "/filter: ");
});

Deno.test("hostile fields neither reach prototypes nor take time out of proportion", async () => {
  const open = styled(z.looseObject({ filter: z.unknown().optional() }), {
    filter: "deepObject",
  });
  const read = async (search: string): Promise<Record<string, unknown>> => {
    const fields = Object.fromEntries([...new URLSearchParams(search)].map((pair) => pair));
    const { value } = await open["~standard"].validate(fields) as { readonly value: Record<string, unknown> };
    return value;
  };
  const { filter } = await read("filter[__proto__][polluted]=1&filter[constructor][prototype][polluted]=1");
  assertEquals(({} as Record<string, unknown>).polluted, undefined);
  assertEquals(Object.keys(filter as object), ["__proto__", "constructor"]);
  for (const name of ["filter[a", "filter[]", "filter[a]b", "filter[a][][b]", `filter${"[a]".repeat(11)}`]) {
    assertEquals(Object.keys(await read(`${name}=1`)), [name], name);
  }
  const start = processorTime();
  const many = Array.from({ length: 20_000 }, (_, index) => `filter[a${index}]=1`).join("&");
  assertEquals(Object.keys((await read(many)).filter as object).length, 20_000);
  for (const long of ["[a]".repeat(100_000), `[${"a".repeat(300_000)}`, `[${"a".repeat(300_000)}][`]) {
    await read(`filter${long}=1`);
  }
  assertEquals(await readStyled({ ids: ",".repeat(1_000_000) }, { ids: "comma" }), { value: { ids: [] } });
  assert(processorTime() - start < 2_000);
});

function echo(): FetchHandler {
  return (request) => Response.json({ url: decodeURIComponent(request.url.slice(baseUrl.length)) });
}

Deno.test("clients write lists, objects and JSON into fields", async () => {
  const client = createClient(contract, { baseUrl, fetch: echo() });
  const query = {
    ids: [1, "2"],
    tags: ["a", "b"],
    names: ["a", "b"],
    filter: { name: "a b", age: { gte: 3 }, tags: ["x"], none: undefined },
    options: { deep: [1] },
    plain: "1,2",
  };
  assertEquals((await client.list({ query })).body, {
    url: "/items?ids=1,2&tags=a|b&names=a b&filter[name]=a b&filter[age][gte]=3&filter[tags][]=x" +
      '&options={"deep":[1]}&plain=1,2',
  });
  assertEquals((await client.list({ query: { ids: [] } })).body, { url: "/items?ids=" });
  assertEquals((await client.list({ query: { ids: undefined } })).body, { url: "/items" });
  assertEquals((await client.some({ params: { ids: ["a", "b"] }, headers: {} })).body, { url: "/items/a,b" });
  const wrong: readonly [object, string][] = [
    [{ tags: ["a|b"] }, '"tags" of query must not have an item that is empty, or has outer spaces or "|"'],
    [{ tags: [""] }, "must not have an item"],
    [{ tags: [" a"] }, "must not have an item"],
    [{ tags: [{}] }, '"tags" of query must be an array of strings'],
    [{ filter: "a" }, '"filter" of query must be a plain object'],
    [{ filter: { "a[b]": "1" } }, 'the field "filter[a[b]]" cannot be read'],
    [{ filter: { "": "1" } }, 'the field "filter[]" cannot be read'],
    [{ filter: { a: null } }, 'the field "filter[a]" must be a string, an array of strings or a plain object'],
    [{ options: { deep: [NaN] } }, "JSON cannot encode NaN"],
    [{ filter: { name: "1" }, "filter[name]": "2" }, '"filter[name]" of query would be read as a part of "filter"'],
    [{ "filter[age][gte]": "2" }, '"filter[age][gte]" of query would be read as a part of "filter"; pass it there'],
  ];
  for (const [query, message] of wrong) {
    const error = await assertRejects(() => client.list({ query: query as never }), ClientError);
    assertEquals(error.code, "invalid-input");
    assertStringIncludes(error.message, message);
  }
});

Deno.test("a client refuses a field of a form that would be read as a part of an object", async () => {
  const client = createClient(contract, { baseUrl, fetch: echo() });
  const body = { ids: [], address: { city: "Rome" }, "address[city]": "Oslo" };
  const error = await assertRejects(() => client.send({ body }), ClientError);
  assertEquals(error.code, "invalid-input");
  assertStringIncludes(error.message, '"address[city]" of body would be read as a part of "address"');
});

Deno.test("a server reads what a client writes, with codecs, in paths, headers and forms", async () => {
  const client = createClient(contract, { baseUrl, fetch: handler });
  const query = { ids: [1], filter: { age: { gte: 3 }, tags: ["x"] }, options: { deep: [1] } };
  assertEquals((await client.list({ query })).body, query);
  const some = await client.some({ params: { ids: ["a", "b/c"] }, headers: { "x-fields": ["id", "name"] } });
  assertEquals(some.body, { ids: ["a", "b/c"], "x-fields": ["id", "name"] });
  const body = { ids: ["1", "2"], address: { city: "Rome" } };
  assertEquals((await client.send({ body })).body, body);
  const days = [new Date("2026-01-02"), new Date("2026-01-03")];
  assertEquals((await client.days({ query: { days } })).body, days.map((day) => day.toISOString()));
});

const item = fc.string({ minLength: 1 }).filter((text) =>
  text.isWellFormed() && text === text.trim() && !/[,| ]/.test(text)
);
const key = fc.string({ minLength: 1 }).filter((text) => text.isWellFormed() && !/[[\]]/.test(text));
const leaf = fc.oneof(
  fc.string().filter((text) => text.isWellFormed()),
  fc.array(fc.string(), { minLength: 1, maxLength: 3 }),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.dictionary(key, fc.oneof({ maxDepth: 4 }, leaf, tie("tree")), { minKeys: 1, maxKeys: 3 }),
}));
const values: Readonly<Record<FieldStyle, fc.Arbitrary<unknown>>> = {
  comma: fc.array(item),
  pipe: fc.array(item),
  space: fc.array(item.filter((text) => !/\s/.test(text))),
  deepObject: tree,
  json: fc.jsonValue({ maxDepth: 5 }),
};

Deno.test("an object in fields has at most ten levels, and a list may be in the last", () => {
  const nest = (levels: number, value: unknown): object =>
    Array.from({ length: levels }).reduce<object>((inner) => ({ a: inner }), value as object);
  for (const value of ["text", ["a", "b"]]) {
    const deepest = { it: nest(10, value) };
    assertEquals(readStyled(writeStyled(deepest, { it: "deepObject" }, ""), { it: "deepObject" }), { value: deepest });
    assertThrows(
      () => writeStyled({ it: nest(11, value) }, { it: "deepObject" }, ""),
      TypeError,
      "has at most 10 levels",
    );
  }
});

Deno.test("what is no text is left to the schema", () => {
  const file = new File(["a,b"], "a.txt");
  assertEquals(readStyled({ it: file }, { it: "comma" }), { value: { it: file } });
  assertEquals(readStyled({ it: ["a,b", file] }, { it: "comma" }), { value: { it: ["a,b", file] } });
  for (const value of ["text", 1, null, undefined, ["a,b"]]) {
    assertEquals(readStyled(value, { it: "comma" }), { value });
    assertEquals(writeStyled(value, { it: "comma" }, ""), value);
  }
});

for (const [style, value] of Object.entries(values) as [FieldStyle, fc.Arbitrary<unknown>][]) {
  Deno.test(`fields in the style ${style} are read as they were written`, () => {
    always(fc.property(value, fc.string(), (it, plain) => {
      const written = writeStyled({ it, plain }, { it: style }, "the query");
      assertEquals(readStyled(written, { it: style }), { value: { plain, it: structuredClone(it) } });
    }));
  });
}

Deno.test("a contract equals its document, and another style is a breaking change", () => {
  const document = openApiDocument(contract, { info: { title: "Items", version: "1" } });
  assertEquals(diffContracts(contract, document).filter(({ verdict }) => verdict === "breaking"), []);
  assertEquals(diffContracts(document, contract).filter(({ verdict }) => verdict === "breaking"), []);
  const declare = (style: "comma" | "pipe" | undefined): Contract =>
    defineContract({
      routes: {
        it: route.get("/", {
          query: style
            ? styled(z.object({ ids: z.array(z.string()) }), { ids: style })
            : z.object({ ids: z.array(z.string()) }),
          responses: { 200: response.text() },
        }),
      },
    }) as unknown as Contract;
  const rules = (before: Contract, after: Contract): string[] =>
    diffContracts(before, after).map(({ verdict, rule, message }) => `${verdict} ${rule}: ${message}`);
  assertEquals(rules(declare("comma"), declare("pipe")), [
    "breaking style-changed: is written as pipeDelimited now, not as one value",
  ]);
  assertEquals(rules(declare(undefined), declare("comma")), [
    "breaking style-changed: is written as one value now, not as usual",
  ]);
});

Deno.test("samples, mocks and contract tests write and read styles", async () => {
  const client = createClient(contract, { baseUrl, fetch: handler });
  for (let seed = 0; seed < 30; seed++) {
    const input = sample(contract.routes.list, seed as never);
    assertEquals((await client.list(input)).status, 200);
  }
  const mock = mockContract(contract);
  assertEquals(await findAll(contractTests(contract, { target: mock, runs: 20 })), []);
  assertEquals(await findAll(contractTests(contract, { target: handler, runs: 20 })), []);
});

Deno.test("contract tests write each style into the parts of form data, and objects into paths", async () => {
  const responses = { 200: response.text() };
  const styles = {
    comma: z.array(z.string()),
    pipe: z.array(z.string()).min(1),
    json: z.object({ a: z.number() }),
    deepObject: z.object({ a: z.string() }),
  };
  const uploads = Object.entries(styles).map(([style, schema]) => {
    const fields = z.object({ it: schema, file: z.file().optional() });
    const body = request.formData(styled(fields as never, { it: style } as never) as never);
    return [style, route.post(`/${style}`, { body, responses })] as const;
  });
  const params = styled(z.object({ filter: z.object({ a: z.number() }) }), { filter: "json" });
  const path = route.get("/filters/:filter", { params, responses });
  const all = defineContract({ routes: { path, ...Object.fromEntries(uploads) } });
  const handlers = Object.fromEntries(
    Object.keys(all.routes).map((key) => [key, () => ({ status: 200, body: "" })]),
  );
  const target = createFetchHandler(defineServer(all).implement(handlers as never));

  assertEquals(await findAll(contractTests(all, { target, runs: 100 })), []);
});

Deno.test("a slim contract has the styles without the schemas", async () => {
  const many = defineContract({
    routes: { list: route.get("/items", { query: styled(Query, styles), responses: { 200: response.text() } }) },
  });
  const code = writeSlimContract(many, {
    name: "slim",
    contract: "./contract.ts",
    codecs: undefined,
    library: "@scope/api/slim",
  });
  assertStringIncludes(
    code,
    'slim.fieldStyles({ ids: "comma", tags: "pipe", names: "space", filter: "deepObject", options: "json" })',
  );
  const slim = slimContract<typeof alone>({
    it: ["GET", "/", { query: fieldStyles({ ids: "comma" }) }, { 200: json }],
  });
  const client = createClient(slim, { baseUrl, fetch: echo() });
  assertEquals((await client.it({ query: { ids: ["1", "2"] } })).body as unknown, { url: "/?ids=1,2" });
  const wrong = () => {
    // @ts-expect-error the contract has another style
    slimContract<typeof alone>({ it: ["GET", "/", { query: fieldStyles({ ids: "pipe" }) }, { 200: json }] });
    // @ts-expect-error the row has no style
    slimContract<typeof alone>({ it: ["GET", "/", { query: 1 }, { 200: json }] });
  };
  assert(typeof wrong === "function");
});

const alone = defineContract({
  routes: {
    it: route.get("/", {
      query: styled(z.object({ ids: z.array(z.string()) }), { ids: "comma" }),
      responses: { 200: response.json<object>() },
    }),
  },
});

Deno.test("MCP tools pass structured arguments to styled fields", async () => {
  const tools = mcpTools(contract, { fetch: handler, tools: { list: "Lists items.", days: "Lists days." } });
  const result = await tools.call("list", { query: { ids: [1, 2], filter: { name: "a" } } });
  assertEquals(result.structuredContent, { ids: [1, 2], filter: { name: "a" } });
  const days = await tools.call("days", { query: { days: ["2026-01-02"] } });
  assertEquals(days.structuredContent, { result: ["2026-01-02T00:00:00.000Z"] });
});

Deno.test("styled() takes any schema library", async () => {
  const schemas = [
    styled(z.object({ ids: z.array(z.string()) }), { ids: "comma" }),
    styled(v.object({ ids: v.array(v.string()) }), { ids: "comma" }),
    styled(type({ ids: "string[]" }), { ids: "comma" }),
  ];
  for (const schema of schemas) {
    const checked = await schema["~standard"].validate({ ids: "1,2" });
    assertEquals(checked.issues ?? checked.value, { ids: ["1", "2"] });
  }
});

Deno.test("styled() refuses styles that nothing can have", () => {
  const schema = z.object({ ids: z.array(z.string()) });
  const make = styled as (schema: unknown, styles: unknown) => never;
  assertRefused(() => make("a", {}), "styled(): the first argument must be a Standard Schema");
  assertRefused(() => make(schema, undefined), "styled(): the styles must be");
  assertRefused(
    () => make(schema, { ids: "csv" }),
    '"ids" must be one of comma, pipe, space, deepObject, json, got "csv"',
  );
  assertRefused(() => make(schema, { id: "comma" }), 'styled(): the schema has no field "id"');
  const filter = z.object({ name: z.string() });
  for (const name of ["filter[name]", "filter[a][b][]"]) {
    const message = `styled(): the field "${name}" would be read as a part of "filter"; declare it there`;
    const clashing = z.object({ filter, [name]: z.string() });
    assertRefused(() => make(clashing, { filter: "deepObject" }), message);
    const unknown = v.object({ filter: v.object({ name: v.string() }), [name]: v.array(v.string()) }); // has no JSON Schema
    assertRefused(() => make(unknown, { [name]: "comma", filter: "deepObject" }), message);
  }
  for (const name of ["filter[]", "filter[a", "filters[a]", `filter${"[a]".repeat(11)}`]) {
    make(z.object({ filter, [name]: z.string() }), { filter: "deepObject" });
  }
  assertRefused(() => make(styled(schema, { ids: "comma" }), { ids: "pipe" }), "the schema is styled already");
  const declare = (slot: "params" | "headers", style: string) => () =>
    route.get("/:ids", { [slot]: make(schema, { ids: style }), responses: { 200: response.text() } } as never);
  assertRefused(declare("headers", "pipe"), '"headers" has the field "ids" in the style pipe; write comma or json');
  assertRefused(declare("params", "deepObject"), '"params" has the field "ids" in the style deepObject');
  assertRefused(
    () => response.json({ headers: styled(schema, { ids: "comma" }) as never }),
    "response.json()",
    "what is sent has no fields with styles; declare lists of strings, and remove styled()",
  );
  assertRefused(
    () => request.json(styled(schema, { ids: "comma" })),
    "request.json()",
    "only forms have fields with styles; remove styled()",
  );
  assertRefused(
    () => route.post("/", { body: styled(schema, { ids: "comma" }), responses: {} } as never),
    "only forms",
  );
});

Deno.test("the types of styled() are those of its schema, and refuse fields that cannot have a style", () => {
  const types = () => {
    const schema = z.object({ ids: z.array(z.string()), name: z.string() });
    // @ts-expect-error a text is no list
    styled(schema, { name: "comma" });
    // @ts-expect-error a text is no object
    styled(schema, { name: "deepObject" });
    // @ts-expect-error there is no such field
    styled(schema, { other: "json" });
    // @ts-expect-error the items of a list in one field are strings
    styled(z.object({ ids: z.array(z.number()) }), { ids: "comma" });
    // @ts-expect-error the items of a list in one field are no objects
    styled(z.object({ ids: z.array(z.object({ id: z.string() })) }), { ids: "pipe" });
    // @ts-expect-error the values of an object in one field are strings
    styled(z.object({ filter: z.object({ size: z.object({ min: z.number() }) }) }), { filter: "deepObject" });
    const unconverted = styled(z.object({ ids: z.array(z.string()), page: z.number() }), { ids: "comma" });
    const responses = { 204: response.empty() };
    // @ts-expect-error a field without a style is checked as in any query
    route.get("/", { query: unconverted, responses });
    // @ts-expect-error the same in a form
    request.form(unconverted);
    const listed = styled(z.object({ ids: z.array(z.string()), names: z.array(z.string()) }), { ids: "comma" });
    route.get("/", { query: listed, responses });
    // @ts-expect-error a path has no lists without a style
    route.get("/:ids/:names", { params: listed, responses });
    type Tree = { readonly [name: string]: string | Tree };
    const tree: z.ZodType<Tree, Tree> = z.lazy(() => z.record(z.string(), z.union([z.string(), tree])));
    const count = z.coerce.number<string>();
    const fields = {
      size: z.object({ min: count, of: z.array(z.enum(["a"])) }),
      tree,
      ids: z.array(count),
      page: count,
    };
    const converted = styled(z.object(fields).partial(), { size: "deepObject", tree: "deepObject", ids: "comma" });
    route.get("/", { query: converted, responses });
    // @ts-expect-error there is no such style
    styled(schema, { ids: "csv" });
    const client = createClient(contract, { baseUrl });
    // @ts-expect-error the value of a list is no text
    client.list({ query: { tags: "a" } });
    // @ts-expect-error a codec takes the application's values
    client.days({ query: { days: ["2026-01-02"] } });
    server.implement({} as never as { list: (input: { query: z.output<typeof Query> }) => never } as never);
  };
  assert(typeof types === "function");
});

Deno.test("a strict schema of headers gets only the headers that it declares", async () => {
  for (
    const schema of [
      z.strictObject({ "x-ids": z.array(z.string()) }),
      type({ "+": "reject", "x-ids": "string[]" }),
      codec(z.strictObject({ "x-ids": z.array(z.string()) }), z.object({ "x-ids": z.array(z.string()) }), {
        decode: (value) => value,
        encode: (value) => value,
      }),
    ] as const
  ) {
    const strict = defineContract({
      routes: {
        it: route.get("/it", {
          headers: styled(schema as z.ZodObject<{ "x-ids": z.ZodArray<z.ZodString> }>, { "x-ids": "comma" }),
          responses: { 200: response.json(z.array(z.string())) },
        }),
      },
    });
    const handler = createFetchHandler(
      defineServer(strict).implement({ it: ({ headers, response }) => response(200, headers["x-ids"]) }),
    );
    const headers = { "x-ids": "a, b", "x-other": "c" };
    assertEquals(await (await handler(new Request(`${baseUrl}/it`, { headers }))).json(), ["a", "b"]);
    const client = createClient(strict, { baseUrl, fetch: handler });
    assertEquals((await client.it({ headers: { "x-ids": ["c"] } })).body, ["c"]);
  }
});
