import { assert, assertEquals } from "@std/assert";
import { type Dependency, moduleGraph, projectPath } from "./support/module_graph.ts";

const doors = [
  "mod.ts",
  "request.ts",
  "response.ts",
  "server.ts",
  "fetch.ts",
  "client.ts",
  "retry.ts",
  "tanstack_query.ts",
  "xhr.ts",
  "mcp.ts",
  "openapi.ts",
  "testing.ts",
  "mock.ts",
  "diff.ts",
  "slim.ts",
  "import.ts",
];

/**
 * The programs of the package and their allowed imports. They are not entry points: they may use what Deno, Node and
 * Bun have in common.
 */
const commands: Readonly<Record<string, readonly string[]>> = {
  "create_cli.ts": ["src/create/project.ts"],
  "diff_cli.ts": ["src/diff/report.ts", "src/import/import_contract.ts"],
  "import_cli.ts": [
    "src/diff/report.ts",
    "src/import/folder.ts",
    "src/import/format_report.ts",
    "src/import/import_contract.ts",
    "src/import/module.ts",
    "src/import/report.ts",
    "src/messages.ts",
  ],
  "openapi_cli.ts": ["openapi.ts"],
  "slim_cli.ts": ["src/slim/write_slim_contract.ts"],
};

/**
 * The imports that each layer may have besides its own files. The files directly in `src` are the base, which every
 * layer may import.
 */
const below: Readonly<Record<string, readonly string[]>> = {
  base: [],
  wire: ["base"],
  representation: ["base", "wire"],
  contract: ["base", "wire", "representation"],
  server: ["base", "wire", "representation", "contract"],
  fetch: ["base", "wire", "representation", "contract", "server"],
  client: ["base", "wire", "representation", "contract"],
  retry: ["base", "wire", "representation", "contract", "client"],
  tanstack_query: ["base", "wire", "representation", "contract", "client"],
  json_schema: ["base"],
  xhr: ["base"],
  create: [],
  openapi: ["base", "wire", "contract", "json_schema"],
  mcp: ["base", "wire", "contract", "client", "json_schema", "openapi"],
  testing: [
    "base",
    "wire",
    "representation",
    "contract",
    "server",
    "fetch",
    "client",
    "json_schema",
    "openapi",
  ],
  mock: ["base", "wire", "contract", "server", "fetch", "json_schema", "openapi"],
  diff: ["base", "wire", "contract", "json_schema", "openapi", "import"],
  slim: ["base", "wire", "representation", "contract"],
  import: ["base", "wire", "contract", "json_schema", "openapi", "slim"],
};

/** The layers from which each entry point may export names. */
const behind: Readonly<Record<string, readonly string[]>> = {
  "mod.ts": ["base", "wire", "representation", "contract"],
  "request.ts": ["contract"],
  "response.ts": ["contract"],
  "server.ts": ["base", "wire", "representation", "contract", "server"],
  "fetch.ts": ["base", "contract", "server", "fetch"],
  "client.ts": ["base", "wire", "representation", "contract", "client"],
  "retry.ts": ["representation", "client", "retry"],
  "tanstack_query.ts": ["client", "tanstack_query"],
  "xhr.ts": ["xhr"],
  "openapi.ts": ["base", "contract", "json_schema", "openapi"],
  "mcp.ts": ["base", "contract", "client", "json_schema", "openapi", "mcp"],
  "testing.ts": ["base", "contract", "client", "openapi", "testing"],
  "mock.ts": ["contract", "server", "fetch", "json_schema", "openapi", "mock"],
  "diff.ts": ["contract", "json_schema", "openapi", "diff"],
  "slim.ts": ["base", "wire", "representation", "contract", "slim"],
  "import.ts": ["import"],
};

/** An import of one of the project's files. */
interface Import {
  readonly from: string;
  readonly to: string;
}

const imports = await readImports();
const files = [...new Set(imports.flatMap(({ from, to }) => [from, to]))].filter((file) => !file.includes(":"));

async function readImports(): Promise<Import[]> {
  const graphs = await Promise.all([...doors, ...Object.keys(commands)].map(moduleGraph));
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

/** The layer of a file: its folder in `src`, or the base. */
function layerOf(file: string): string {
  const [, layer = "base"] = file.match(/^src\/([^/]+)\//) ?? [];
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
  const folders = ["src", ...Object.keys(below).filter((layer) => layer !== "base").map((layer) => `src/${layer}`)];
  const present: string[] = [];
  for (const folder of folders) {
    for await (const { name, isFile } of Deno.readDir(new URL(`../${folder}`, import.meta.url))) {
      if (isFile) present.push(`${folder}/${name}`);
    }
  }

  assertEquals(files.filter((file) => file.startsWith("src/")).toSorted(), present.toSorted());
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
const namespaces = imports.filter(({ from, to }) => from === "mod.ts" && ["request.ts", "response.ts"].includes(to));

Deno.test("each entry point imports only its own layers", () => {
  const beyond = imports.filter(({ from }) => doors.includes(from))
    .filter(({ from, to }) => !to.startsWith("src/") || !behind[from]?.includes(layerOf(to)));

  assertEquals(beyond, namespaces);
});

Deno.test("src imports only itself", () => {
  const inside = imports.filter(({ from }) => from.startsWith("src/"));

  assert(inside.length > 0);
  assertEquals(inside.filter(({ to }) => !to.startsWith("src/")), []);
});

Deno.test("entry points are not imported by src or another entry point, except the namespaces of mod.ts", () => {
  assertEquals(imports.filter(({ from, to }) => !Object.hasOwn(commands, from) && doors.includes(to)), namespaces);
  assertEquals(namespaces.length, 2);
});

for (const [command, own] of Object.entries(commands)) {
  Deno.test(`the program ${command} imports only ${own.join(", ")}, import_module.ts and built-in modules`, async () => {
    const { modules } = await moduleGraph(command);
    const [{ dependencies = [] } = {}] = modules.filter(({ specifier }) => projectPath(specifier) === command);
    const beyond = dependencies.map(target).filter((to) =>
      !own.includes(to) && to !== "import_module.ts" && !to.startsWith("node:")
    );

    assert(dependencies.length > 0);
    assertEquals(beyond, []);
  });
}

/** The text of every file of `src` and of every entry point. */
const sources = await Promise.all(
  files.filter((file) => file.startsWith("src/") || doors.includes(file))
    .map(async (file) => ({ file, text: await Deno.readTextFile(new URL(`../${file}`, import.meta.url)) })),
);

Deno.test("globals are read by their own names or as properties of globalThis, since dnt wraps any other use in a Proxy", () => {
  const wrapped = sources.map(({ file, text }) => ({ file, uses: text.match(/.*\bglobalThis\b(?!\??\.\w).*/g) ?? [] }));

  assertEquals(wrapped.filter(({ uses }) => uses.length > 0), []);
});

/** The texts of new projects, which import the package and others. */
const template = "src/create/project.ts";

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
  for (const file of files.filter((file) => file.startsWith("src/") && !file.startsWith("src/import/"))) {
    const source = await Deno.readTextFile(new URL(`../${file}`, import.meta.url));
    if (compared.test(source)) found.push(file);
  }
  assertEquals(found, []);
});
