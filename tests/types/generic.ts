/** Helpers that are generic over a schema, as programs of a consumer. */

const imports = `
import { codec, defineContract, representation, request, response, type Responses, route, router, styled } from "@scope/api";
import { createClient, unwrap } from "@scope/api/client";
import { defineServer } from "@scope/api/server";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type Type } from "arktype";
import * as v from "valibot";
import { z } from "zod";

const text = { 200: response.text() };
const csv = representation<readonly string[]>({ contentType: "text/csv", encode: String, decode: (bytes) => [String(bytes)] });
`;

/** Helpers that must compile. The last lines check the types of their results. */
export const genericProgram = `${imports}
// Zod
export const page = <Item extends z.ZodType>(item: Item) =>
  response.json(z.object({ items: z.array(item), next: z.string().optional() }));
export const one = <Item extends z.ZodType>(item: Item) => response.json(item);
export const lines = <Item extends z.ZodType>(item: Item) => response.ndjson(item);
export const events = <Item extends z.ZodType>(item: Item) => response.sse(z.object({ item }));
export const problem = <Item extends z.ZodObject>(item: Item) => response.problem(item);
export const problems = <Item extends z.ZodType>(item: Item) =>
  response.problem(z.object({ type: z.string(), errors: z.array(item) }));
export const problemOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
  response.problem(z.object({ type: z.string(), ...shape }));
export const label = <Item extends z.ZodType<string>>(item: Item) => response.text(item);
export const note = <Item extends z.ZodType<string, string>>(item: Item) => request.text(item);
export const image = <Item extends z.ZodType<Uint8Array>>(item: Item) => response.bytes(item);
export const sentHeaders = <Fields extends z.ZodObject>(headers: Fields) => response.json(z.string(), { headers });
export const moved = <Place extends z.ZodType<string>>(location: Place) =>
  response.empty({ headers: z.object({ location }) });
export const json = <Item extends z.ZodType>(item: Item) => request.json(item);
export const optionalJson = <Item extends z.ZodType>(item: Item) => request.json(item, { optional: true });
export const form = <Fields extends z.ZodObject>(fields: Fields) => request.form(fields);
export const formOf = <Item extends z.ZodType<unknown, string>>(item: Item) => request.form(z.object({ item }));
export const formData = <Fields extends z.ZodObject>(fields: Fields) => request.formData(fields);
export const upload = <Item extends z.ZodType>(item: Item) => request.formData(z.object({ item, file: z.file() }));
export const body = <Item extends z.ZodType>(body: Item) => route.put("/:id", { body, responses: { 200: one(body) } });
export const bodyOf = <Item extends z.ZodType>(item: Item) => route.post("/", { body: z.object({ item }), responses: text });
export const query = <Fields extends z.ZodObject>(query: Fields) => route.get("/", { query, responses: text });
export const queryOf = <Item extends z.ZodType>(filter: Item) =>
  route.get("/", { query: z.object({ page: z.string(), filter }), responses: text });
export const queryWith = <Shape extends z.ZodRawShape>(shape: Shape) =>
  route.get("/", { query: z.object({ page: z.string(), ...shape }), responses: text });
export const headers = <Fields extends z.ZodObject>(headers: Fields) => route.get("/", { headers, responses: text });
export const params = <Id extends z.ZodType<unknown, string>>(id: Id) =>
  route.get("/:id", { params: z.object({ id }), responses: text });
export const styledQuery = <Item extends z.ZodType<unknown, string>>(item: Item) =>
  route.get("/", { query: styled(z.object({ ids: z.array(item) }), { ids: "comma" }), responses: text });
export const custom = <Item extends z.ZodType<string, string>>(item: Item) =>
  route.post("/", { body: request.as(csv, z.array(item)), responses: { 200: response.as(csv, z.array(item)) } });
export const coded = <Item extends z.ZodType>(item: Item) =>
  response.json(codec(item, item, { decode: (value) => value as never, encode: (value) => value as never }));
export const anyError = <Item extends z.ZodType>(item: Item) => response.statuses("4XX", response.json(z.object({ item })));
export const crud = <Item extends z.ZodType, const Path extends \`/\${string}\`>(path: Path, item: Item) =>
  router(path, {
    responses: { 500: response.json(z.object({ errors: z.array(item) })) },
    refusals: { 400: response.problem() },
    routes: {
      list: route.get("/", { query: z.object({ page: z.string() }), responses: { 200: page(item) } }),
      create: route.post("/", { body: item, responses: { 201: response.json(item) } }),
      replace: route.put("/:id", { body: request.json(item), responses: { 200: response.json(item) } }),
    },
  });
export const contractOf = <Item extends z.ZodType>(item: Item) => defineContract({ routes: { items: crud("/items", item) } });
export const bare = <Item extends z.ZodType>(item: Item) =>
  router("/", { responses: { 409: item }, routes: { read: route.get("/:id", { responses: { 200: item, 404: z.array(item) } }) } });
export const responsesOf = <Declared extends Responses>(responses: Declared) => route.get("/", { responses });
export const identified = <Output extends { id: string }>(schema: z.ZodType<Output>) => response.json(schema);
export const wrapped = <Output>(data: z.ZodType<Output>) => response.json(z.object({ data }));
export const union = <One extends z.ZodType, Other extends z.ZodType>(one: One, other: Other) =>
  response.json(z.union([one, z.object({ other })]));
export const record = <Item extends z.ZodType>(item: Item) => response.json(z.record(z.string(), item));
export const tuple = <Item extends z.ZodType>(item: Item) => response.json(z.tuple([item, z.string()]));
export const refined = <Item extends z.ZodType>(item: Item) => response.json(z.object({ item }).refine(() => true));
export const withDefaults = <Item extends z.ZodType = z.ZodString>(item: Item) =>
  response.json(z.object({ a: item.optional(), b: item.nullable(), c: z.array(item).default([]) }));
export const extended = <Fields extends z.ZodObject>(fields: Fields) => response.json(fields.extend({ id: z.string() }));
export const partial = <Fields extends z.ZodObject>(fields: Fields) =>
  route.patch("/:id", { body: fields.partial(), responses: { 200: response.json(fields) } });
export const shaped = <Shape extends z.ZodRawShape>(shape: Shape) => response.json(z.object(shape));
export const nested = <Item extends z.ZodType>(item: Item) => page(z.object({ inner: item }));
export class Resource<Item extends z.ZodType> {
  constructor(readonly item: Item) {}
  list() {
    return route.get("/", { responses: { 200: page(this.item) } });
  }
  add() {
    return route.post("/", { body: this.item, responses: { 201: response.json(this.item) } });
  }
}

// Valibot
export const vPage = <Item extends v.GenericSchema>(item: Item) =>
  response.json(v.object({ items: v.array(item), next: v.optional(v.string()) }));
export const vBody = <Item extends v.GenericSchema>(item: Item) =>
  route.post("/", { body: v.object({ item }), responses: { 200: response.json(item) } });
export const vQuery = <Entries extends v.ObjectEntries>(entries: Entries) =>
  route.get("/", { query: v.object({ page: v.string(), ...entries }), responses: text });
export const vHeaders = <Fields extends v.GenericSchema<Record<string, string>>>(fields: Fields) =>
  route.get("/", { query: fields, headers: fields, responses: text });
export const vProblem = <Item extends v.GenericSchema>(item: Item) => response.problem(v.object({ type: v.string(), item }));
export const vForm = <Item extends v.GenericSchema<string>>(item: Item) => request.form(v.object({ item }));
export const vFormData = <Entries extends v.ObjectEntries>(entries: Entries) =>
  request.formData(v.object({ ...entries, file: v.file() }));
export const vText = <Item extends v.GenericSchema<string, string>>(item: Item) => response.text(item);
export const vMoved = <Place extends v.GenericSchema<string, string>>(location: Place) =>
  response.empty({ headers: v.object({ location }) });
export const vRefined = <Item extends v.GenericSchema>(item: Item) =>
  response.json(v.pipe(v.object({ item }), v.check(() => true)));
export const vUnion = <Item extends v.GenericSchema>(item: Item) => response.sse(v.union([item, v.object({ item })]));
export const vCrud = <Item extends v.GenericSchema>(item: Item) =>
  router("/v", {
    routes: {
      list: route.get("/", { responses: { 200: vPage(item) } }),
      add: route.post("/", { body: request.json(item), responses: { 201: response.json(item) } }),
    },
  });

// ArkType
export const aOne = <Item extends Type>(item: Item) => response.json(item);
export const aOf = <Output>(item: Type<Output>) => response.json(item);
export const aBody = <Item extends Type>(body: Item) => route.post("/", { body, responses: { 200: response.json(body) } });
export const aQuery = <Fields extends Type<{ page: string }>>(fields: Fields) =>
  route.get("/", { query: fields, headers: fields, responses: text });
export const aAny = <Fields extends Type<Record<string, string>>>(fields: Fields) =>
  route.get("/", { query: fields, headers: fields, responses: text });
export const aProblem = <Item extends Type<object>>(item: Item) => response.problem(item);
export const aForm = <Fields extends Type<{ a: string }>>(fields: Fields) => request.form(fields);
export const aFormData = <Fields extends Type<{ a: string }>>(fields: Fields) => request.formData(fields);
export const aText = <Item extends Type<string>>(item: Item) => response.text(item);
export const aMoved = <Fields extends Type<{ location: string }>>(headers: Fields) => response.empty({ headers });

// any library
export const sOne = <Item extends StandardSchemaV1>(item: Item) => response.json(item);
export const sBody = <Item extends StandardSchemaV1>(body: Item) =>
  route.post("/", { body, responses: { 200: response.json(body) } });
export const sQuery = <Fields extends StandardSchemaV1>(fields: Fields) =>
  route.get("/", { query: fields, headers: fields, responses: text });
export const sForms = <Fields extends StandardSchemaV1>(fields: Fields) => [request.form(fields), request.formData(fields)];
export const sProblem = <Item extends StandardSchemaV1<unknown, object>>(item: Item) => response.problem(item);
export const sBoth = <Input, Output>(body: StandardSchemaV1<Input, Output>) =>
  route.post("/", { body, responses: { 200: response.json(body) } });

// in a contract
export const served = <Path extends \`/\${string}\`>(path: Path) => {
  const contract = defineContract({ routes: { health: route.get(path, { responses: text }) } });
  const { health } = createClient(contract, { baseUrl: "https://api.example.com" });
  return { health, server: defineServer(contract).implement({ health: ({ response }) => response(200, "") }) };
};
export const routed = <Fields extends z.ZodObject, Shape extends z.ZodRawShape>(fields: Fields, shape: Shape) => {
  const query = z.object(shape);
  const item = { query, body: query, responses: { 201: response.json(query) } };
  const { routes } = defineContract({ routes: { all: route.get("/", { query: fields, responses: text }), add: route.post("/", item) } });
  const [all, add]: ["GET", "POST"] = [routes.all.method, routes.add.method];
  return { all, add, fields: routes.all.query.shape, created: routes.add.responses[201] };
};
export const servedStatus: 200 = (await served("/health").health()).status;

// their results
const User = z.object({ id: z.string() });
const contract = defineContract({ routes: { users: crud("/users", User), v: vCrud(v.object({ id: v.string() })) } });
const client = createClient(contract, { baseUrl: "https://api.example.com" });
const listed = await client.users.list({ query: { page: "1" } });
export const id: string = listed.status === 200 ? listed.body.items[0]!.id : "";
export const status: 200 | 400 | 500 = listed.status;
export const vId: string = unwrap(await client.v.list()).items[0]!.id;
export const replaced: { id: string } = unwrap(await client.users.replace({ params: { id: "1" }, body: { id: "1" } }));
// @ts-expect-error the path has a parameter
client.users.replace({ body: { id: "1" } });
// @ts-expect-error the body has no id
client.users.create({ body: {} });
defineServer(contract).implement({
  users: {
    list: ({ query, response }) => response(200, { items: [{ id: query.page }] }),
    create: ({ body, response }) => response(201, { id: body.id }),
    // @ts-expect-error the id is a string
    replace: ({ response }) => response(200, { id: 1 }),
  },
  v: { list: ({ response }) => response(200, { items: [] }), add: ({ body, response }) => response(201, body) },
});
`;

const misfits: Readonly<Record<string, string>> = {
  "Date in a JSON response": "response.json(z.object({ item, at: z.date() }))",
  "Date in a schema as a response": 'route.get("/", { responses: { 200: z.object({ item, at: z.date() }) } })',
  "Date in a list": "response.json(z.array(z.object({ item, at: z.date() })))",
  "Date in a deeper object": "response.json(z.object({ deep: z.object({ item, at: z.date() }) }))",
  "set in a JSON response": "response.json(z.object({ item, set: z.set(z.string()) }))",
  "Date in a JSON request": "request.json(z.object({ item, at: z.date() }))",
  "bigint in a schema as body": 'route.post("/", { body: z.object({ item, big: z.bigint() }), responses: text })',
  "Date in a stream of lines": "response.ndjson(z.object({ item, at: z.date() }))",
  "Date in events": "response.sse(z.object({ item, at: z.date() }))",
  "Date in a problem": "response.problem(z.object({ item, at: z.date() }))",
  "number in a query": 'route.get("/", { query: z.object({ item, n: z.number() }), responses: text })',
  "number in headers": 'route.get("/", { headers: z.object({ item, n: z.number() }), responses: text })',
  "number in params": 'route.get("/:n", { params: z.object({ item, n: z.number() }), responses: text })',
  "number in a form": "request.form(z.object({ item, n: z.number() }))",
  "number in form data": "request.formData(z.object({ item, n: z.number() }))",
  "number in response headers": "response.empty({ headers: z.object({ item, n: z.number() }) })",
  "object as text": "response.text(z.object({ item }))",
  "object as bytes": "response.bytes(z.object({ item }))",
  "object in a custom format of lists": "response.as(csv, z.object({ item }))",
};

/** What no argument of a helper can mend, each in a helper of its own: the lines of errors by their names. */
export const misfitLines: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(misfits).map(([name, made], index) => [
    name,
    `export const misfit${index} = <Item extends z.ZodType>(item: Item) => ${made};`,
  ]),
);

/** The helpers of {@linkcode misfitLines}. */
export const misfitProgram = `${imports}\n${Object.values(misfitLines).join("\n")}`;
