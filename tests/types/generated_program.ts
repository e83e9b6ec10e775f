import { checkProgram } from "./program.ts";

/** The parts of a generated program besides its schemas. */
export interface Parts {
  /** The schema library. */
  readonly library: Library;
  /** A contract of all routes, a slim contract of it, and a handler or a client call or both for each. */
  readonly uses: readonly ("contract" | "slim" | "handlers" | "calls")[];
  /** Whether each route has its own list of security, and its handler uses the caller. */
  readonly isSecured?: boolean;
}

/** A schema library that programs are generated for. */
export type Library = keyof typeof libraries;

const libraries = {
  arktype: {
    import: `import { type } from "arktype";`,
    id: `type({ id: "string >= 1" })`,
    message: `type({ message: "string" })`,
    query: (n: number) => `type({ "search${n}?": "string", tag: "string[]" })`,
    body: (n: number) => `type({ name${n}: "string", count: "number" })`,
    item: (n: number) => `type({ id: "string", name${n}: "string", count: "number" })`,
  },
  zod: {
    import: `import { z } from "zod";`,
    id: `z.object({ id: z.string() })`,
    message: `z.object({ message: z.string() })`,
    query: (n: number) => `z.object({ search${n}: z.string().optional(), tag: z.array(z.string()) })`,
    body: (n: number) => `z.object({ name${n}: z.string(), count: z.number() })`,
    item: (n: number) => `z.object({ id: z.string(), name${n}: z.string(), count: z.number() })`,
  },
  valibot: {
    import: `import * as v from "valibot";`,
    id: `v.object({ id: v.string() })`,
    message: `v.object({ message: v.string() })`,
    query: (n: number) => `v.object({ search${n}: v.optional(v.string()), tag: v.array(v.string()) })`,
    body: (n: number) => `v.object({ name${n}: v.string(), count: v.number() })`,
    item: (n: number) => `v.object({ id: v.string(), name${n}: v.string(), count: v.number() })`,
  },
} as const;

/** The four kinds of routes that take turns. */
const kinds = [
  {
    key: (n: number) => `get${n}`,
    status: 200,
    declare: (n: number) =>
      `route.get("/items${n}/:id", { params: Id, responses: { 200: response.json(Item${n}), 404: Refused } })`,
    row: (n: number) => `["GET", "/api/group${startOf(n)}/items${n}/:id", { params: 1 }, { 200: json, 404: json }]`,
    handle: (n: number) =>
      `({ params, response }) => params.id === "" ? response(404, { message: "none" }) : response(200, { id: params.id, name${n}: "a", count: 1 })`,
    input: () => `{ params: { id: "1" } }`,
  },
  {
    key: (n: number) => `list${n}`,
    status: 200,
    declare: (n: number) =>
      `route.get("/items${n}", { query: Query${n}, responses: { 200: response.json(Item${n}), 400: Refused } })`,
    row: (n: number) => `["GET", "/api/group${startOf(n)}/items${n}", { query: 1 }, { 200: json, 400: json }]`,
    handle: (n: number) =>
      `({ query, response }) => query.tag.length === 0 ? response(400, { message: "none" }) : response(200, { id: query.search${n} ?? "a", name${n}: "a", count: 1 })`,
    input: () => `{ query: { tag: ["a"] } }`,
  },
  {
    key: (n: number) => `create${n}`,
    status: 201,
    declare: (n: number) =>
      `route.post("/items${n}", { body: request.json(Body${n}), responses: { 201: response.json(Item${n}), 409: Refused } })`,
    row: (n: number) => `["POST", "/api/group${startOf(n)}/items${n}", { body: json }, { 201: json, 409: json }]`,
    handle: (n: number) =>
      `({ body, response }) => body.count === 0 ? response(409, { message: "none" }) : response(201, { id: "1", name${n}: body.name${n}, count: 1 })`,
    input: (n: number) => `{ body: { name${n}: "a", count: 1 } }`,
  },
  {
    key: (n: number) => `change${n}`,
    status: 200,
    declare: (n: number) =>
      `route.patch("/items${n}/:id", { params: Id, body: Body${n}, responses: { 200: response.json(Item${n}), 404: Refused } })`,
    row: (n: number) =>
      `["PATCH", "/api/group${startOf(n)}/items${n}/:id", { params: 1, body: json }, { 200: json, 404: json }]`,
    handle: (n: number) =>
      `({ params, body, response }) => body.count === 0 ? response(404, { message: "none" }) : response(200, { id: params.id, name${n}: body.name${n}, count: 1 })`,
    input: (n: number) => `{ params: { id: "1" }, body: { name${n}: "a", count: 1 } }`,
  },
] as const;

const routesPerRouter = 10;

/**
 * A program of `count` routes in routers of ten; each route has its own schemas. Every schema is also used by itself,
 * once in each direction. Subtracting the cost of a program of schemas alone leaves the toolkit's cost.
 */
function generateProgram(count: number, { library, uses, isSecured = false }: Parts): string {
  const numbers = Array.from({ length: count }, (_, n) => n);
  return [
    imports(library),
    ...numbers.map((n) => schemasOf(n, library)),
    ...(uses.includes("contract") ? [`const contract = defineContract({ basePath: "/api", routes: {`] : []),
    ...(uses.includes("contract") ? [inRouters(numbers, "router", (n) => declare(n, isSecured)), "} });"] : []),
    ...(uses.includes("slim") ? ["const slim = slimContract<typeof contract>({"] : []),
    ...(uses.includes("slim") ? [inRouters(numbers, "group", (n) => kindOf(n).row(n)), "});"] : []),
    ...(uses.includes("handlers")
      ? [`defineServer(contract, { ${isSecured ? verifiers : ""}context: () => ({ user: "a" }) }).implement({`]
      : []),
    ...(uses.includes("handlers") ? [inRouters(numbers, "group", (n) => handle(n, isSecured)), "});"] : []),
    ...(uses.includes("calls")
      ? [`const client = createClient(contract, { baseUrl: "https://api.example.com" });`]
      : []),
    ...(uses.includes("calls") ? numbers.map(call) : []),
  ].join("\n");
}

function imports(library: Library): string {
  const { import: own, id, message } = libraries[library];
  return `${own}
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { defineContract, request, response, route, router, security } from "@scope/api";
import { createClient } from "@scope/api/client";
import { defineServer, verify } from "@scope/api/server";
import { json, slimContract } from "@scope/api/slim";
declare function check<Declared extends StandardSchemaV1>(
  schema: Declared,
  value: StandardSchemaV1.InferInput<Declared>,
): StandardSchemaV1.InferOutput<Declared>;
const token = security.bearer("token", { scopes: ["read", "write"] });
const session = security.cookie("session", { cookie: "session" });
const Id = ${id};
const Refused = response.json(${message});`;
}

const verifiers =
  "security: [verify(token, ({ token }) => ({ id: token, scopes: [] })), verify(session, ({ value }) => ({ id: value }))], ";

/** A route, with its own list of security if `isSecured`. */
function declare(n: number, isSecured: boolean): string {
  const declared = kindOf(n).declare(n);
  return isSecured ? declared.replace(", { ", ', { security: [token.scoped("read"), session], ') : declared;
}

/** Its handler, which uses the caller if `isSecured`. */
function handle(n: number, isSecured: boolean): string {
  const handler = kindOf(n).handle(n);
  return isSecured ? handler.replace("({ ", "({ caller, ").replace("=> ", "=> (caller.id, ") + ")" : handler;
}

function schemasOf(n: number, library: Library): string {
  const { item, query, body } = libraries[library];
  const kind = kindOf(n).key(n);
  return [
    `const Item${n} = ${item(n)}; check(Item${n}, { id: "a", name${n}: "a", count: 1 }).name${n};`,
    ...(kind === `list${n}` ? [`const Query${n} = ${query(n)}; check(Query${n}, { tag: ["a"] }).search${n};`] : []),
    ...(kind === `create${n}` || kind === `change${n}`
      ? [`const Body${n} = ${body(n)}; check(Body${n}, { name${n}: "a", count: 1 }).name${n};`]
      : []),
  ].join("\n");
}

function inRouters(numbers: readonly number[], form: "router" | "group", entry: (n: number) => string): string {
  const starts = numbers.filter((n) => n % routesPerRouter === 0);
  return starts.map((start) => {
    const entries = numbers.slice(start, start + routesPerRouter).map((n) => `${kindOf(n).key(n)}: ${entry(n)},`);
    const [open, close] = form === "router" ? [`router("/group${start}", { routes: {`, "} })"] : ["{", "}"];
    return `group${start}: ${open}\n${entries.join("\n")}\n${close},`;
  }).join("\n");
}

function call(n: number): string {
  const { key, input, status } = kindOf(n);
  return `const result${n} = await client.group${startOf(n)}.${key(n)}(${input(n)});
export const text${n}: string = result${n}.status === ${status} ? result${n}.body.name${n} : result${n}.body.message;`;
}

/** The number of the first route in a route's router. */
function startOf(n: number): number {
  return n - n % routesPerRouter;
}

function kindOf(n: number): typeof kinds[number] {
  return kinds[n % 4 as 0 | 1 | 2 | 3];
}

/** Counted once for each program. */
const counted = new Map<string, number>();

/** Returns the number of types that the compiler instantiates in a generated program. Throws if it has an error. */
export function instantiations(count: number, parts: Parts): number {
  const program = generateProgram(count, parts);
  const earlier = counted.get(program);
  if (earlier !== undefined) return earlier;
  const { errors, instantiations } = checkProgram(program);
  const [error] = errors; // the benchmark loads this file, and has no library for assertions
  if (error) throw new Error(`${error.line}: ${error.message}`);
  counted.set(program, instantiations);
  return instantiations;
}
