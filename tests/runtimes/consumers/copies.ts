/** Two versions of the package in one program, and its source beside the npm copy: their types and how they run. */
import { assertEquals } from "@std/assert";
import config from "../../../deno.json" with { type: "json" };
import { stageJsr } from "../../../scripts/stage_jsr.ts";
import { run } from "../command.ts";
import { compilers, compilersFolder, everyVersion, nodePath, packageName, tarball, tsc } from "../kit.ts";
import { advance, once } from "../once.ts";

/** The entry points that the programs use. */
const doors = [
  ".",
  "./server",
  "./fetch",
  "./client",
  "./retry",
  "./tanstack-query",
  "./mcp",
  "./openapi",
  "./testing",
  "./mock",
  "./diff",
  "./slim",
] as const;

/** A contract that uses each kind of declaration, a verifier, a guard and a middleware, by one copy alone. */
const contractModule = `
import * as z from "zod";
import { codec, defineContract, representation, request, response, route, router, security, styled } from "./all.ts";
import { type GuardInput, type MiddlewareInput, verify } from "./all.ts";

export const Note = z.object({ id: z.string(), text: z.string() });
export const token = security.bearer("token", { scopes: ["read", "write"] });
export const key = security.apiKey("key", { header: "x-key" });
export const date = codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});
export const csv = representation<readonly string[]>({
  contentType: "text/csv",
  encode: (rows) => rows.join(","),
  decode: (bytes) => new TextDecoder().decode(bytes).split(","),
});
export const notes = router("/notes", {
  responses: { 404: response.problem() },
  routes: {
    byId: route.get("/:id", { params: z.object({ id: z.string() }), responses: { 200: response.json(Note) } }),
    add: route.post("/", {
      body: Note,
      security: [security.all(token.scoped("write"), key)],
      responses: { 201: response.json(Note, { headers: z.object({ location: z.string() }) }) },
    }),
    find: route.get("/", {
      query: styled(z.object({ ids: z.array(z.string()) }), { ids: "comma" }),
      responses: response.statuses("2XX", response.json(z.array(Note))),
    }),
  },
});
export const at = route.post("/at", { body: request.json(date), responses: { 200: response.json(date) } });
export const rows = route.post("/rows", { body: request.as(csv), responses: { 200: response.as(csv) } });
export const upload = route.put("/upload", { body: request.stream(), responses: { 200: response.stream() } });
export const form = route.post("/form", {
  body: request.formData(z.object({ name: z.string() })),
  responses: { 200: response.text() },
});
export const items = route.get("/items", { responses: { 200: response.ndjson(z.object({ n: z.number() })) } });
export const events = route.get("/events", {
  headers: z.object({ "last-event-id": z.string().optional() }),
  responses: { 200: response.sse(z.object({ n: z.number() })) },
});
export const native = route.get("/native", { responses: { 200: response.raw() } });
export const contract = defineContract({
  basePath: "/api",
  security: [token, security.none],
  refusals: { 400: 422, 422: response.json(z.object({ message: z.string() })) },
  routes: { notes, at, rows, upload, form, items, events, native },
});
export const verifyKey = verify(key, ({ key }) => ({ key }));
export const guard = ({ request }: Pick<GuardInput, "request">): void => void request.url;
export const turnPage = ({ next }: Pick<MiddlewareInput, "next">) => next({ page: 2 });
`;

/** The copy that each part of a program comes from. */
interface Parts {
  readonly contract: string;
  readonly server: string;
  readonly adapter: string;
  readonly client: string;
}

/** A server, its handler and its client, each by the copy that `parts` names. It throws if a value is another. */
function serviceModule({ contract, server, adapter, client }: Parts): string {
  return `
import { contract, guard, token, turnPage, verifyKey } from "./${contract}/contract.ts";
import { defineServer, verify } from "./${server}/all.ts";
import { createFetchHandler } from "./${adapter}/all.ts";
import { createClient, follow, isErrorOf, queryKey, queryOptions, retry, unwrap } from "./${client}/all.ts";
${support}
const server = defineServer(contract, {
  security: [
    verify(token, ({ token }) => token === "t" ? { name: "Ada", scopes: ["read", "write"] } : undefined),
    verifyKey,
  ],
  context: () => ({ page: 1 }),
  refuse: ({ response }) => response(422, { message: "refused" }),
});
const notes = server.at(contract.routes.notes).guard(guard).use(turnPage).implement({
  byId: ({ params, response }) =>
    params.id === "0" ? response(404, { detail: "none" }) : response(200, { id: params.id, text: "" }),
  add: ({ body, caller, context, response }) =>
    response(201, { id: body.id, text: caller.token.name + caller.key.key + context.page }, { location: "/1" }),
  find: ({ query, response }) => response(206, query.ids.map((id) => ({ id, text: "" }))),
});
const handler = createFetchHandler(server.implement({
  notes,
  at: ({ body, response }) => response(200, new Date(body.getTime() + 1)),
  rows: ({ body, response }) => response(200, [...body, "b"]),
  upload: ({ body, response }) => response(200, body),
  form: ({ body, response }) => response(200, body.name),
  items: ({ response }) => response(200, [{ n: 1 }, { n: 2 }]),
  events: ({ response }) => response(200, [{ data: { n: 3 } }]),
  native: ({ response }) => response(200, new Response("native")),
}));
const client = createClient(contract, {
  baseUrl: "http://localhost",
  fetch: handler,
  credentials: { token: "t", key: "k" },
  around: retry(),
});
const seen: unknown[] = [];
const read = await client.notes.byId({ params: { id: "7" } });
if (read.status === 200) seen.push(sameType<typeof read.body, { id: string; text: string }>(read.body).id);
const added = await client.notes.add({ body: { id: "1", text: "" } });
if (added.status === 201) seen.push(added.body.text, sameType<typeof added.headers.location, string>(added.headers.location));
seen.push(unwrap(await client.notes.find({ query: { ids: ["1", "2"] } })).length);
seen.push(unwrap(await client.at({ body: new Date(0) })).getTime());
seen.push(unwrap(await client.rows({ body: ["a"] })).join());
seen.push(await new Response(unwrap(await client.upload({ body: new Blob(["streamed"]) }))).text());
seen.push(unwrap(await client.form({ body: { name: "field" } })));
for await (const { n } of unwrap(await client.items())) seen.push(n);
for await (const { data } of follow(client.events, {}, { reconnectOnEnd: false })) seen.push(data.n);
seen.push(await unwrap(await client.native()).text());
seen.push(queryKey(client.notes.byId).join("."), queryOptions(client.notes.byId, { params: { id: "7" } }).queryKey.length);
const headers = { "content-type": "application/json" };
seen.push((await handler(new Request("http://localhost/api/at", { method: "POST", headers, body: "1" }))).status);
try {
  unwrap(await client.notes.byId({ params: { id: "0" } }));
} catch (error) {
  seen.push(isErrorOf(client.notes.byId, error) && error.result?.status);
}
export default seen;
`;
}

/** What each service sees. */
const seenByService = [
  "7",
  "Adak2",
  "/1",
  2,
  1,
  "a,b",
  "streamed",
  "field",
  1,
  2,
  3,
  "native",
  "notes.byId",
  3,
  422,
  404,
];

const support = `
type Same<One, Other> = (<Type>() => Type extends One ? 1 : 2) extends <Type>() => Type extends Other ? 1 : 2 ? One : never;
function sameType<One, Other>(value: Same<One, Other>): One {
  return value as One;
}`;

/** Everything that reads a contract besides servers and clients, of the copy `tools`. */
function toolsModule(contract: string, tools: string): string {
  return `
import * as z from "zod";
import { Note } from "./${contract}/contract.ts";
import { defineContract, defineServer as defineTheirs, response, route, router } from "./${contract}/all.ts";
import { notes as notesOfTools } from "./${tools}/contract.ts";
import {
  contractTests, createClient, createFetchHandler, defineContract as defineAgain, defineServer, diffContracts, mcpTools,
  mockContract, openApiDocument, sample, slim, unwrap,
} from "./${tools}/all.ts";
const seen: unknown[] = [];
const routes = {
  byId: route.get("/:id", { params: z.object({ id: z.string() }), responses: { 200: response.json(Note), 404: response.problem() } }),
  add: route.post("/", { body: Note, responses: { 201: response.json(Note) } }),
};
const contract = defineContract({ routes: { notes: router("/notes", { routes }) } });
const again = defineAgain({ routes: { notes: router("/notes", { routes }) } });
const document = openApiDocument(contract, { info: { title: "", version: "" } });
seen.push(Object.keys(document.paths).join());
seen.push(diffContracts(contract, again).length, diffContracts(contract, document).length);
seen.push((await mockContract(contract)(new Request("http://localhost/notes/7"))).status < 500);
seen.push(typeof sample(contract.routes.notes.add).body.text);
const target = createFetchHandler(defineServer(contract).implement({
  notes: {
    byId: ({ params, response }) => response(200, { id: params.id, text: "" }),
    add: ({ body, response }) => response(201, body),
  },
}));
for (const { run } of contractTests(contract, { target })) await run();
seen.push(mcpTools(contract, { fetch: target, tools: { "notes.byId": "Reads a note." } }).list.length);
const small = slim.slimContract<typeof contract>({
  notes: {
    byId: ["GET", "/notes/:id", { params: 1 }, { 200: slim.json, 404: slim.problem }],
    add: ["POST", "/notes", { body: slim.json }, { 201: slim.json }],
  },
});
const client = createClient(small, { baseUrl: "http://localhost", fetch: target });
seen.push(unwrap(await client.notes.byId({ params: { id: "7" } })).id);
const mixed = defineContract({ security: [], routes: { notes: notesOfTools, more: router("/more", { routes }) } });
const path: "/notes/:id" = mixed.routes.notes.byId.path;
const key: "more.byId" = mixed.routes.more.byId.key;
const status: 200 | 404 = 404 as keyof typeof mixed.routes.notes.byId.responses;
seen.push(path, key, status);
const composed = defineAgain({ basePath: "/v1", security: [], routes: { imported: contract, spread: router("/s", { routes: { ...contract.routes } }) } });
const composedPath: "/v1/notes/:id" = composed.routes.imported.notes.byId.path;
const composedKey: "spread.notes.add" = composed.routes.spread.notes.add.key;
const composedStatus: 200 | 404 = 404 as keyof typeof composed.routes.imported.notes.byId.responses;
seen.push(composedPath, composedKey, composedStatus);
const fragment = defineTheirs(contract).implement(contract.routes.notes, {
  byId: ({ params, response }) => response(200, { id: params.id, text: "theirs" }),
  add: ({ body, response }) => response(201, body),
});
const theirs = defineServer(contract).implement({ notes: fragment });
const gateway = defineServer(composed);
const included = createFetchHandler(gateway.partial({ imported: gateway.include(composed.routes.imported, theirs) }));
const answer = await included(new Request("http://localhost/v1/notes/7"));
seen.push((await answer.json()).text, included.has({ method: "POST", url: "/v1/notes" }), included.has({ method: "POST", url: "/v1/s/notes" }));
export default seen;
`;
}

const seenByTools = [
  "/notes/{id},/notes",
  0,
  0,
  true,
  "string",
  1,
  "7",
  "/notes/:id",
  "more.byId",
  404,
  "/v1/notes/:id",
  "spread.notes.add",
  404,
  "theirs",
  true,
  false,
];

/**
 * Writes the programs of two copies; each program exports what it has seen. Returns their names. If the two are alike,
 * contracts of the first suffice: the other programs would be the same with the names of the copies swapped.
 */
async function writePrograms(
  folder: string,
  copies: readonly string[],
  areAlike: boolean,
): Promise<Readonly<Record<string, unknown>>> {
  const programs: Record<string, unknown> = {};
  for (const copy of copies) await Deno.writeTextFile(`${folder}/${copy}/contract.ts`, contractModule);
  for (const contract of areAlike ? copies.slice(0, 1) : copies) {
    for (const server of copies) {
      const tools = `tools_${contract}_${server}`;
      await Deno.writeTextFile(`${folder}/${tools}.ts`, toolsModule(contract, server));
      programs[tools] = seenByTools;
      for (const adapter of copies) {
        for (const client of copies) {
          const service = `service_${contract}_${server}_${adapter}_${client}`;
          await Deno.writeTextFile(`${folder}/${service}.ts`, serviceModule({ contract, server, adapter, client }));
          programs[service] = seenByService;
        }
      }
    }
  }
  const names = Object.keys(programs);
  const imports = names.map((name) => `import ${name} from "./${name}.ts";`);
  await Deno.writeTextFile(
    `${folder}/main.ts`,
    `${imports.join("\n")}\nconsole.log(JSON.stringify({ ${names.join(", ")} }));`,
  );
  await Deno.writeTextFile(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions, files: ["main.ts"] }));
  return programs;
}

/** Writes a module that exports everything of a copy, from its entry points. */
async function writeDoors(folder: string, toDoor: (door: typeof doors[number]) => string): Promise<void> {
  const lines = doors.map((door) => `export * ${door === "./slim" ? "as slim " : ""}from "${toDoor(door)}";`);
  await Deno.writeTextFile(`${folder}/all.ts`, lines.join("\n"));
}

/** Unpacks the npm copy as a version of its own into the `node_modules` of a folder. */
async function unpack(folder: string, version: string): Promise<void> {
  const modules = `${folder}/node_modules/${packageName}`;
  await Deno.mkdir(modules, { recursive: true });
  await run({ command: "tar", args: ["-xzf", await tarball(), "--strip-components=1"], cwd: modules });
  const manifest = JSON.parse(await Deno.readTextFile(`${modules}/package.json`));
  await Deno.writeTextFile(`${modules}/package.json`, JSON.stringify({ ...manifest, version }));
  await writeDoors(folder, (door) => packageName + door.slice(1));
}

const compilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: "es2023",
  module: "nodenext",
  lib: ["ESNext", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
  types: [],
  allowImportingTsExtensions: true,
};

/** The newest compiler, which is quick. In every version, Deno's compiles the source, too, which takes four times as long. */
const newest = compilers[2];

/** Compiles and runs programs whose contract, server, adapter and client are of two copies, in every combination. */
export function testCopies(): void {
  const twoVersions = once(async () => {
    const folder = await compilersFolder("versions");
    await unpack(`${folder}/first`, config.version);
    await unpack(`${folder}/second`, "0.99.0");
    return { folder, programs: await writePrograms(folder, ["first", "second"], true) };
  });

  const sourceAndCopy = once(async () => {
    const folder = await compilersFolder("source and npm");
    await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify({ nodeModulesDir: "manual" }));
    await unpack(`${folder}/npm`, config.version);
    await Deno.mkdir(`${folder}/source`);
    await stageJsr(`${folder}/source`);
    await Deno.remove(`${folder}/source/deno.json`);
    await writeDoors(`${folder}/source`, (door) => config.exports[door]);
    return { folder, programs: await writePrograms(folder, ["source", "npm"], false) };
  });

  for (const version of [compilers[0], newest]) {
    Deno.test(
      `two versions of the package in one program compile with TypeScript ${version}`,
      advance(async () => assertEquals(await run(tsc(version, (await twoVersions()).folder, ["-p", "."])), "")),
    );
  }

  Deno.test(
    "two versions of the package in one program run on Node",
    advance(async () => {
      const { folder, programs } = await twoVersions();
      const printed = await run({ command: await nodePath("24"), args: ["main.ts"], cwd: folder });
      assertEquals(JSON.parse(printed), programs);
    }),
  );

  Deno.test(
    `the source beside the npm copy in one program compiles with TypeScript ${newest}${
      everyVersion ? " and on Deno" : ""
    }`,
    advance(async () => {
      const { folder } = await sourceAndCopy();
      assertEquals(await run(tsc(newest, folder, ["-p", "."])), "");
      if (everyVersion) await run({ command: Deno.execPath(), args: ["check", "--quiet", "main.ts"], cwd: folder });
    }),
  );

  Deno.test(
    "the source beside the npm copy in one program runs on Deno",
    advance(async () => {
      const { folder, programs } = await sourceAndCopy();
      const args = ["run", "--quiet", "--no-check", "main.ts"];
      assertEquals(JSON.parse(await run({ command: Deno.execPath(), args, cwd: folder })), programs);
    }),
  );
}
