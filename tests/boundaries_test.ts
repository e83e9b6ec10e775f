import { assert, assertEquals } from "@std/assert";
import { commands, doors as doorPaths } from "../scripts/entry_points.ts";
import { type Dependency, moduleGraph, projectPath } from "./support/module_graph.ts";

const doors = doorPaths.map((file) => file.slice("./".length));
const programs = commands.map(({ file }) => file);

/**
 * The imports that each layer may have besides its own files. The files directly in `src` are the base, which every
 * layer may import; commands are on top of all tools.
 */
const core: Readonly<Record<string, readonly string[]>> = {
  base: [],
  wire: ["base"],
  representation: ["base", "wire"],
  contract: ["base", "wire", "representation"],
  request: ["contract"],
  response: ["contract"],
  "server/define": ["base", "wire", "representation", "contract"],
  "server/http": ["base", "wire", "representation", "contract", "server/define"],
  "server/answer": ["base", "wire", "representation", "contract", "server/define", "server/http"],
  "server/steps": ["base", "wire", "representation", "contract", "server/define", "server/http", "server/answer"],
  server: ["base", "wire", "contract", "server/define", "server/http", "server/answer", "server/steps"],
  fetch: ["base", "wire", "server", "server/define", "server/http"],
  node: ["base", "wire", "contract", "server", "server/define", "server/answer", "server/http"],
  socket: [
    "base",
    "wire",
    "representation",
    "contract",
    "server/define",
    "server/http",
    "server/steps",
  ],
  client: ["base", "wire", "representation", "contract"],
};

const integrations: Readonly<Record<string, readonly string[]>> = {
  "integrations/retry": ["base", "wire", "representation", "contract", "client"],
  "integrations/connect": ["base", "wire", "representation", "contract", "client", "integrations/retry"],
  "integrations/tanstack_query": ["base", "wire", "representation", "contract", "client"],
  "integrations/publisher": ["base"],
  "integrations/webhooks": ["base", "wire", "client", "contract"],
  "integrations/xhr": ["base"],
  "integrations/proxy": ["base", "wire"],
};

const tools: Readonly<Record<string, readonly string[]>> = {
  "tools/json_schema": ["base"],
  "tools/create": [],
  "tools/openapi": ["base", "wire", "representation", "contract", "tools/json_schema"],
  "tools/mcp": ["base", "wire", "contract", "client", "tools/json_schema", "tools/openapi"],
  "tools/testing": [
    "base",
    "wire",
    "representation",
    "contract",
    "server/define",
    "server/http",
    "server/answer",
    "server/steps",
    "fetch",
    "client",
    "tools/json_schema",
    "tools/openapi",
  ],
  "tools/mock": [
    "base",
    "wire",
    "contract",
    "server/define",
    "server/answer",
    "server/steps",
    "fetch",
    "tools/json_schema",
    "tools/openapi",
  ],
  "tools/diff": ["base", "wire", "contract", "tools/json_schema", "tools/openapi", "tools/import"],
  "tools/earlier": ["base", "tools", "tools/import", "tools/diff"],
  "tools/code": ["base", "tools/json_schema"],
  "tools/types": ["base", "wire", "representation", "contract", "tools/code"],
  "tools/slim": ["base", "wire", "representation", "contract", "tools/code", "tools/types"],
  "tools/import": ["base", "wire", "contract", "tools/json_schema", "tools/code", "tools/openapi", "tools/slim"],
  "tools/audit": ["base", "wire", "contract", "tools/json_schema", "tools/openapi", "tools/import", "tools/testing"],
};

const below: Readonly<Record<string, readonly string[]>> = {
  ...core,
  ...integrations,
  ...tools,
  tools: ["base"],
  compiler: ["base", "tools/code"],
  commands: ["base", "tools", "compiler", ...Object.keys(tools)],
};

/** The layers from which each entry point of the root may export names. Those of `src` belong to their folder. */
const behind: Readonly<Record<string, readonly string[]>> = {
  "mod.ts": ["base", "wire", "representation", "contract", "request", "response"],
  "server.ts": ["base", "wire", "representation", "contract", "server/define", "server/steps"],
  "fetch.ts": ["base", "server/define", "server/http", "server/answer", "fetch"],
  "client.ts": ["base", "wire", "representation", "contract", "client"],
};

/** An import of one of the project's files. */
interface Import {
  readonly from: string;
  readonly to: string;
}

const imports = await readImports();
const files = [...new Set(imports.flatMap(({ from, to }) => [from, to]))].filter((file) => !file.includes(":"));

async function readImports(): Promise<Import[]> {
  const graphs = await Promise.all([...doors, ...programs].map(moduleGraph));
  const modules = graphs.flatMap((graph) => graph.modules).filter(({ specifier }) => specifier.startsWith("file:"));
  assertEquals(modules.filter(({ error }) => error !== undefined), []);
  return modules.flatMap(({ specifier, dependencies = [] }) =>
    dependencies.map((dependency) => ({
      from: projectPath(specifier),
      to: target(dependency),
    }))
  );
}

function target({ specifier, code, type }: Dependency): string {
  const resolved = code?.specifier ?? type?.specifier ?? specifier;
  return resolved.startsWith("file:") ? projectPath(resolved) : specifier;
}

/** The layer of a file: its folder in `src` or in a group, or the base. */
function layerOf(file: string): string {
  if (programs.includes(file)) return "commands";
  if (/^src\/tools\/types\/(?!mod\.ts|declared_routes\.ts)/.test(file)) return "compiler";
  const [, layer = "base"] = file.match(/^src\/((?:tools|integrations|server)\/[^/]+|[^/]+)\//) ?? [];
  return layer;
}

/** A cycle among the files that can be reached from one, or nothing. */
function findCycle(file: string, path: readonly string[], cleared: Set<string>): readonly string[] | undefined {
  if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
  if (cleared.has(file)) return undefined;
  for (const { to } of imports.filter(({ from }) => from === file)) {
    const cycle = findCycle(to, [...path, file], cleared);
    if (cycle) return cycle;
  }
  cleared.add(file);
}

Deno.test("the module graph has every file of src", async () => {
  assertEquals(files.filter((file) => file.startsWith("src/")).toSorted(), (await listFiles("src/")).toSorted());
});

async function listFiles(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isFile } of Deno.readDir(new URL(`../${folder}`, import.meta.url))) {
    if (isFile) found.push(folder + name);
    else found.push(...await listFiles(`${folder}${name}/`));
  }
  return found;
}

Deno.test("the root has four modules, and each is an entry point", async () => {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(new URL("../", import.meta.url))) {
    if (name.endsWith(".ts")) names.push(name);
  }
  assertEquals(names.toSorted(), Object.keys(behind).toSorted());
});

Deno.test("the core imports no tool and no integration", () => {
  const beyond = imports.filter(({ from, to }) =>
    Object.hasOwn({ ...core, ...behind }, from.startsWith("src/") ? layerOf(from) : from) &&
    /^src\/(?:tools|integrations)\//.test(to)
  );

  assertEquals(beyond, []);
});

Deno.test("imports have no cycles, including type imports", () => {
  const cleared = new Set<string>();
  const cycle = files.map((file) => findCycle(file, [], cleared)).find((found) => found !== undefined);

  assertEquals(cycle, undefined);
});

Deno.test("imports of src point down the layers", () => {
  const upward = imports.filter(({ from, to }) => from.startsWith("src/") && to.startsWith("src/"))
    .filter(({ from, to }) => layerOf(from) !== layerOf(to) && !below[layerOf(from)]?.includes(layerOf(to)));

  assertEquals(upward, []);
});

/** The namespaces of `mod.ts`, each of which is an entry point too. */
const namespaces = ["src/request/mod.ts", "src/response/mod.ts"].map((to) => ({ from: "mod.ts", to }));

Deno.test("each entry point of the root imports only its own layers", () => {
  const beyond = imports.filter(({ from }) => Object.hasOwn(behind, from))
    .filter(({ from, to }) => !to.startsWith("src/") || !behind[from]?.includes(layerOf(to)));

  assertEquals(beyond, []);
});

Deno.test("src imports only itself; commands and what they share, built-in modules too, and three folders types of others", () => {
  const inside = imports.filter(({ from }) => from.startsWith("src/"));
  const isForNode = (file: string): boolean => [...forCommands, "compiler", "node"].includes(layerOf(file));
  const isForTanStack = (file: string): boolean => file.startsWith("src/integrations/tanstack_query/");

  assert(inside.length > 0);
  assertEquals(
    inside.filter(({ from, to }) =>
      !to.startsWith("src/") && !(isForNode(from) && to.startsWith("node:")) &&
      !(layerOf(from) === "compiler" && to === "typescript") &&
      !(isForTanStack(from) && to === "@tanstack/query-core") // its types: bundles contain no other package
    ),
    [],
  );
});

Deno.test("entry points are imported by commands alone, except the namespaces of mod.ts", () => {
  assertEquals(imports.filter(({ from, to }) => !programs.includes(from) && doors.includes(to)), namespaces);
});

/** The layers of commands and of what they share. */
const forCommands: readonly string[] = ["commands", "tools", "tools/earlier"];

Deno.test("what commands share is imported by commands alone", () => {
  const others = imports.filter(({ from, to }) =>
    to.startsWith("src/") && layerOf(to) !== "commands" && forCommands.includes(layerOf(to)) &&
    !forCommands.includes(layerOf(from))
  );

  assertEquals(others, []);
});

/** The text of every file of `src` and of every entry point. */
const sources = await Promise.all(
  files.filter((file) =>
    (file.startsWith("src/") || doors.includes(file)) && ![...forCommands, "compiler"].includes(layerOf(file))
  )
    .map(async (file) => ({ file, text: await Deno.readTextFile(new URL(`../${file}`, import.meta.url)) })),
);

Deno.test("globals are read by their own names or as properties of globalThis, since dnt wraps any other use in a Proxy", () => {
  const wrapped = sources.map(({ file, text }) => ({ file, uses: text.match(/.*\bglobalThis\b(?!\??\.\w).*/g) ?? [] }));

  assertEquals(wrapped.filter(({ uses }) => uses.length > 0), []);
});

/** The texts of new projects, which import the package and others. */
const template = "src/tools/create/project.ts";

Deno.test("nothing outside the project is imported at run time", () => {
  const outside = sources.filter(({ file }) => file !== template).flatMap(({ file, text }) =>
    [...text.matchAll(/^(?:import|export)\s*(\{[^}]*\}|[^{;]*?)\s*from "(?!\.)([^"]+)"/gm)]
      .filter(([, names = ""]) => !onlyTypes(names))
      .map(([statement]) => ({ file, statement }))
  ).filter(({ statement }) => !statement.includes('* from "./'));

  assertEquals(outside, []);
});

/** Whether each of `{ type A, type B }` is a type. */
function onlyTypes(names: string): boolean {
  const list = names.match(/^\{([^}]*)\}$/)?.[1];
  return list !== undefined && list.split(",").every((name) => /^\s*(?:type\s|$)/.test(name));
}

Deno.test("files of src do not compare the name of a representation; they use the representation or a table", async () => {
  const compared = /\.kind\s*[!=]==|\bkind\s*[!=]==\s*"|switch \((?:\w+\.)*kind\)|\.includes\((?:\w+\.)*kind\)/;
  const found: string[] = [];
  // the types of an import have kinds of their own
  for (const file of files.filter((file) => file.startsWith("src/") && !file.startsWith("src/tools/import/"))) {
    const source = await Deno.readTextFile(new URL(`../${file}`, import.meta.url));
    if (compared.test(source)) found.push(file);
  }
  assertEquals(found, []);
});
