/** The files of a new project: a contract, its server, a client and tests. */

export type ProjectRuntime = "node" | "deno" | "bun";

export const runtimes: readonly ProjectRuntime[] = ["node", "deno", "bun"];

export interface ProjectOptions {
  readonly name: string;
  readonly runtime: ProjectRuntime;
}

export interface ProjectFile {
  readonly path: string;
  readonly text: string;
}

export const versions = {
  "@scope/api": "^0.1.0",
  zod: "^4.0.0",
  "swagger-ui-dist": "^5.0.0",
  typescript: "^5.9.0",
  "@types/node": "^24.0.0",
  "@types/bun": "^1.3.0",
} as const;

export function projectFiles(options: ProjectOptions): readonly ProjectFile[] {
  const { runtime } = options;
  return [
    { path: "contract.ts", text: contract },
    { path: "app.ts", text: app(options) },
    { path: "client.ts", text: client },
    { path: runtime === "deno" ? "app_test.ts" : "app.test.ts", text: test(options) },
    ...platforms[runtime].configuration(options),
    { path: "Dockerfile", text: platforms[runtime].dockerfile },
    { path: ".dockerignore", text: "node_modules\n.git\n" },
    { path: ".gitignore", text: "node_modules\n" },
    { path: "README.md", text: readme(options) },
  ];
}

export interface Commands {
  /** Installs the packages, if that is a step of its own. */
  readonly install: string | undefined;
  /** Serves, and starts again when a file changes. */
  readonly dev: string;
  readonly test: string;
  readonly check: string;
  readonly client: string;
}

interface Platform {
  readonly commands: Commands;
  readonly configuration: (options: ProjectOptions) => readonly ProjectFile[];
  readonly dockerfile: string;
}

export const platforms: Readonly<Record<ProjectRuntime, Platform>> = {
  node: {
    commands: {
      install: "npm install",
      dev: "npm run dev",
      test: "npm test",
      check: "npm run check",
      client: "node client.ts",
    },
    configuration: ({ name }) => [
      ...npmConfiguration(name, "node", { engines: { node: ">=22.18" } }),
      { path: "serve.ts", text: serve },
    ],
    dockerfile: `FROM node:24-slim
WORKDIR /app
COPY package.json package-lock.json* ./
RUN npm install --omit=dev
COPY . .
USER node
ENV HOST=0.0.0.0
EXPOSE 8000
CMD ["npm", "start"]
`,
  },
  deno: {
    commands: {
      install: undefined,
      dev: "deno task dev",
      test: "deno task test",
      check: "deno check",
      client: "deno run -N client.ts",
    },
    configuration: () => [{
      path: "deno.json",
      text: json({
        imports: denoImports,
        tasks: serverScripts.deno(""),
      }),
    }],
    dockerfile: `FROM denoland/deno:2.9.6
WORKDIR /app
COPY . .
RUN deno install --entrypoint app.ts
USER deno
EXPOSE 8000
CMD ["task", "start"]
`,
  },
  bun: {
    commands: {
      install: "bun install",
      dev: "bun dev",
      test: "bun test",
      check: "bun run check",
      client: "bun client.ts",
    },
    configuration: ({ name }) => npmConfiguration(name, "bun", {}),
    dockerfile: `FROM oven/bun:1
WORKDIR /app
COPY package.json bun.lock* ./
RUN bun install --production
COPY . .
USER bun
EXPOSE 8000
CMD ["bun", "start"]
`,
  },
};

/** The scripts that serve and test what a folder has, which ends with a slash or is empty. */
export const serverScripts: Readonly<Record<ProjectRuntime, (folder: string) => Readonly<Record<string, string>>>> = {
  node: (folder) => ({
    dev: `node --watch ${folder}serve.ts`,
    start: `node ${folder}serve.ts`,
    test: "node --disable-warning=UNDICI-FETCH-patch --test", // contract tests also send `patch`, on purpose
  }),
  deno: (folder) => ({
    dev: `deno serve --unstable-no-legacy-abort --watch --allow-read --host 127.0.0.1 --port 8000 ${folder}app.ts`,
    start: `deno serve --unstable-no-legacy-abort --allow-read --host 0.0.0.0 --port 8000 ${folder}app.ts`,
    test: "deno test --allow-read --allow-env",
  }),
  bun: (folder) => ({ dev: `bun --watch --port=8000 ${folder}app.ts`, start: `bun --port=8000 ${folder}app.ts` }),
};

export const denoImports: Readonly<Record<string, string>> = {
  "@scope/api": `jsr:@scope/api@${versions["@scope/api"]}`,
  zod: `npm:zod@${versions.zod}`,
};

export function pick(...names: readonly (keyof typeof versions)[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, versions[name]]));
}

export function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The options of the compiler for the types of a runtime. */
export function compilerOptions(types: string): object {
  return {
    strict: true,
    noEmit: true,
    module: "nodenext",
    target: "es2023",
    lib: ["es2023"],
    types: [types],
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
    skipLibCheck: true,
  };
}

function npmConfiguration(name: string, runtime: "node" | "bun", others: object): ProjectFile[] {
  const manifest = {
    name,
    private: true,
    type: "module",
    scripts: { ...serverScripts[runtime](""), check: "tsc" },
    dependencies: pick("@scope/api", "swagger-ui-dist", "zod"),
    devDependencies: pick(`@types/${runtime}`, "typescript"),
    ...others,
  };
  return [
    { path: "package.json", text: json(manifest) },
    { path: "tsconfig.json", text: json({ compilerOptions: compilerOptions(runtime) }) },
  ];
}

export const contract = `import { defineContract, response, route, router } from "@scope/api";
import * as z from "zod";

/** A note, as the server stores and sends it. */
export type Note = z.infer<typeof Note>;
const Note = z.object({ id: z.string(), text: z.string(), done: z.boolean() });
const NewNote = z.object({ text: z.string().min(1).max(1000) });
const NotFound = response.json(z.object({ message: z.string() }));
const Flag = z.union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")]); // ?done=true

export const contract = defineContract({
  basePath: "/api",
  routes: {
    notes: router("/notes", {
      routes: {
        list: route.get("/", {
          query: z.object({ done: Flag.optional() }),
          responses: { 200: response.json(z.array(Note)) },
        }),
        create: route.post("/", { body: NewNote, responses: { 201: response.json(Note) } }),
        find: route.get("/:id", { responses: { 200: response.json(Note), 404: NotFound } }),
        change: route.patch("/:id", {
          body: z.object({ done: z.boolean() }),
          responses: { 200: response.json(Note), 404: NotFound },
        }),
      },
    }),
  },
});
`;

export function app({ name, runtime }: ProjectOptions): string {
  const isNode = runtime === "node";
  return `${
    isNode ? "" : 'import { createFetchHandler } from "@scope/api/fetch";\n'
  }import { openApiDocument, serveDocs } from "@scope/api/openapi";
import { defineServer } from "@scope/api/server";
import { contract, type Note } from "./contract.ts";

/** The limits of the server. */
export const options = { maxBodyBytes: 1_000_000 };

/** Creates the API. Tests pass notes of their own. */
export function createApi(notes = new Map<string, Note>()) {
  return defineServer(contract).implement({
    notes: {
      list: ({ query, response }) => {
        const all = [...notes.values()];
        return response(200, query.done === undefined ? all : all.filter(({ done }) => done === query.done));
      },
      create: ({ body, response }) => {
        const note = { id: crypto.randomUUID(), text: body.text, done: false };
        notes.set(note.id, note);
        return response(201, note);
      },
      find: ({ params, response }) => {
        const note = notes.get(params.id);
        return note ? response(200, note) : response(404, { message: \`No note \${params.id}\` });
      },
      change: ({ params, body, response }) => {
        const note = notes.get(params.id);
        if (!note) return response(404, { message: \`No note \${params.id}\` });
        const changed = { ...note, ...body };
        notes.set(note.id, changed);
        return response(200, changed);
      },
    },
  });
}

/** Shows the documentation at /docs and the OpenAPI document at /openapi.json. */
export const docs = serveDocs(openApiDocument(contract, { info: { title: ${
    JSON.stringify(name)
  }, version: "0.1.0" } }));
${isNode ? "" : fetching}`;
}

/** The end of `app.ts` on runtimes that serve its default export. */
const fetching = `
const api = createFetchHandler(createApi(), options);

/** Serves the API at /api, and its documentation. */
export default {
  fetch: async (request: Request): Promise<Response> => await docs(request) ?? await api(request),
};
`;

export const serve = `import { createServer } from "node:http";
import { createNodeHandler, toNodeHandler } from "@scope/api/node";
import { createApi, docs, options } from "./app.ts";

const api = createNodeHandler(createApi(), options);
const pages = toNodeHandler(docs);

/** Serves the API at /api, and its documentation. */
createServer((req, res) => pages(req, res, () => api(req, res)))
  .listen(Number(process.env.PORT ?? 8000), process.env.HOST ?? "127.0.0.1");
`;

export const client = `import { createClient, unwrap } from "@scope/api/client";
import { contract } from "./contract.ts";

const client = createClient(contract, { baseUrl: "http://127.0.0.1:8000" });

const note = unwrap(await client.notes.create({ body: { text: "Read the guides" } }));
const result = await client.notes.find({ params: { id: note.id } });
if (result.status === 404) throw new Error(result.body.message);
console.log(result.body.text);
`;

export function test({ runtime }: ProjectOptions): string {
  return `import assert from "node:assert/strict";
import { test } from "${runtime === "bun" ? "bun:test" : "node:test"}";
import { createClient, unwrap } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { contractTests } from "@scope/api/testing";
import { createApi, options } from "./app.ts";
import { contract } from "./contract.ts";

const serveApi = () => createFetchHandler(createApi(), options);

test("a note can be created, found and changed", async () => {
  const client = createClient(contract, { baseUrl: "http://localhost", fetch: serveApi() });
  const note = unwrap(await client.notes.create({ body: { text: "Buy milk" } }));
  assert.deepEqual(unwrap(await client.notes.find({ params: { id: note.id } })), note);
  await client.notes.change({ params: { id: note.id }, body: { done: true } });
  assert.deepEqual(unwrap(await client.notes.list({ query: { done: true } })), [{ ...note, done: true }]);
});

// Valid, invalid and malformed requests, drawn from the contract
for (const { name, run } of contractTests(contract, { target: serveApi })) test(name, run);
`;
}

function readme({ name, runtime }: ProjectOptions): string {
  const { install, dev, test, check, client } = platforms[runtime].commands;
  const serving = runtime === "node" ? "implements it, `serve.ts` serves it" : "serves it";
  return formatReadme(name, `\`contract.ts\` declares the API, \`app.ts\` ${serving}, and \`client.ts\` calls it.`, [
    [install, "installs the packages"],
    [dev, "serves http://127.0.0.1:8000/docs, and starts again when a file changes"],
    [test, "runs the tests"],
    [check, "checks the types"],
    [client, "calls the server"],
    [`docker build -t ${name} . && docker run -p 8000:8000 ${name}`, "serves in a container"],
  ]);
}

/** Formats a readme: what the files are, and what each command does. */
export function formatReadme(
  name: string,
  files: string,
  commands: readonly (readonly [command: string | undefined, what: string])[],
): string {
  const shown = commands.flatMap(([command, what]) => command === undefined ? [] : [`${command} # ${what}`]);
  return `# ${name}\n\n${files}\n\n\`\`\`sh\n${shown.join("\n")}\n\`\`\`\n`;
}
