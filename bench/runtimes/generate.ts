/** The same API with many routes, and a program that calls each, for several libraries. All use Zod. */

/** The modules of a program. */
export interface Program {
  /** The declaration of the API, and what its client needs. */
  readonly api: string;
  /** A call of each route. */
  readonly client: string;
}

/** How a library declares and calls a group of ten routes. */
interface Writer {
  readonly title: string;
  /** The packages to install. */
  readonly packages: readonly string[];
  readonly apiHead: string;
  readonly group: (group: number, routes: readonly string[]) => string;
  readonly route: (name: string, path: string) => string;
  readonly apiEnd: (groups: readonly number[]) => string;
  readonly clientHead: string;
  readonly call: (name: string, group: number, path: string) => string;
}

const size = 10;

const zod = `import * as z from "zod";\n`;
const params = `z.object({ id: z.string() })`;
const query = `z.object({ page: z.string().optional(), tag: z.string().optional() })`;
const body = (name: string): string => `z.object({ title: z.string().min(1), done: z.boolean(), ${name}: z.number() })`;
const output = (name: string): string =>
  `z.object({ id: z.string(), title: z.string(), ${name}: z.number(), tags: z.array(z.string()) })`;
const failure = `z.object({ message: z.string() })`;
const sent = (name: string): string => `{ title: "a", done: true, ${name}: 1 }`;

export const writers = {
  ours: {
    title: "@scope/api",
    packages: [],
    apiHead: `import { defineContract, response, route, router } from "@scope/api";\n${zod}`,
    route: (name) =>
      `${name}: route.post("/${name}/:id", { query: ${query}, params: ${params}, body: ${body(name)}, ` +
      `responses: { 200: response.json(${output(name)}), 404: response.json(${failure}) } }),`,
    group: (group, routes) => `const group${group} = router("/group${group}", { routes: {\n${routes.join("\n")}\n} });`,
    apiEnd: (groups) => `export const contract = defineContract({ routes: { ${listGroups(groups)} } });`,
    clientHead: `import { createClient } from "@scope/api/client";\nimport { contract } from "./api.ts";\n` +
      `export const client = createClient(contract, { baseUrl: "http://localhost" });`,
    call: (name, group) =>
      `const ${name} = await client.group${group}.${name}` +
      `({ params: { id: "1" }, query: { page: "2" }, body: ${sent(name)} });\n` +
      `if (${name}.status === 200) use(${name}.body.${name});`,
  },
  hono: {
    title: "Hono, hc",
    packages: ["hono", "@hono/zod-validator"],
    apiHead: `import { zValidator } from "@hono/zod-validator";\nimport { Hono } from "hono";\n${zod}`,
    route: (name, path) =>
      `.post("${path}/:id", zValidator("param", ${params}), zValidator("query", ${query}), ` +
      `zValidator("json", ${body(name)}), (c) => c.req.valid("param").id === "" ` +
      `? c.json({ message: "none" }, 404) : c.json({ id: "1", title: "a", ${name}: 1, tags: ["a"] }, 200))`,
    group: (group, routes) => `const group${group} = new Hono()\n${routes.join("\n")};`,
    apiEnd: (groups) =>
      `const app = new Hono()\n${groups.map((group) => `.route("/", group${group})`).join("\n")};\n` +
      `export type App = typeof app;`,
    clientHead: `import { hc } from "hono/client";\nimport type { App } from "./api.ts";\n` +
      `export const client = hc<App>("http://localhost");`,
    call: (name, _group, path) =>
      `const ${name} = await client${path.split("/").slice(1).map((part) => `.${part}`).join("")}[":id"]` +
      `.$post({ param: { id: "1" }, query: { page: "2" }, json: ${sent(name)} });\n` +
      `if (${name}.status === 200) use((await ${name}.json()).${name});`,
  },
  orpc: {
    title: "oRPC",
    packages: ["@orpc/contract", "@orpc/client", "@orpc/openapi-client"],
    apiHead: `import { oc } from "@orpc/contract";\n${zod}`,
    route: (name, path) =>
      `${name}: oc.route({ method: "POST", path: "${path}/{id}", inputStructure: "detailed" })` +
      `.input(z.object({ params: ${params}, query: ${query}, body: ${body(name)} })).output(${output(name)})` +
      `.errors({ NOT_FOUND: { data: ${failure} } }),`,
    group: (group, routes) => `const group${group} = {\n${routes.join("\n")}\n};`,
    apiEnd: (groups) => `export const contract = { ${listGroups(groups)} };`,
    clientHead: `import { createORPCClient, safe } from "@orpc/client";\n` +
      `import type { ContractRouterClient } from "@orpc/contract";\n` +
      `import { OpenAPILink } from "@orpc/openapi-client/fetch";\nimport { contract } from "./api.ts";\n` +
      `export const client: ContractRouterClient<typeof contract> = ` +
      `createORPCClient(new OpenAPILink(contract, { url: "http://localhost" }));`,
    call: (name, group) =>
      `const ${name} = await safe(client.group${group}.${name}` +
      `({ params: { id: "1" }, query: { page: "2" }, body: ${sent(name)} }));\n` +
      `if (${name}.isSuccess) use(${name}.data.${name});`,
  },
} as const satisfies Record<string, Writer>;

export type LibraryName = keyof typeof writers;

/** Writes a program with a number of routes, in groups of ten. */
export function generateProgram(library: LibraryName, count: number): Program {
  const writer: Writer = writers[library];
  const groups = Array.from({ length: count / size }, (_, group) => group);
  const routesOf = (group: number) =>
    Array.from({ length: size }, (_, at) => ({ name: `r${group}x${at}`, path: `/group${group}/r${group}x${at}` }));
  const declareGroup = (group: number): string =>
    writer.group(group, routesOf(group).map(({ name, path }) => writer.route(name, path)));
  const callGroup = (group: number): string[] =>
    routesOf(group).map(({ name, path }) => writer.call(name, group, path));
  return {
    api: [writer.apiHead, ...groups.map(declareGroup), writer.apiEnd(groups), ""].join("\n"),
    client: [writer.clientHead, "declare function use(value: number): void;", ...groups.flatMap(callGroup), ""].join(
      "\n",
    ),
  };
}

function listGroups(groups: readonly number[]): string {
  return groups.map((group) => `group${group}`).join(", ");
}
