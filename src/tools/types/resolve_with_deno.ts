/** Finds the modules of a program of Deno, whose packages are in Deno's cache. */
import type ts from "typescript";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** A module of the graph that `deno info --json` prints. */
interface GraphModule {
  readonly specifier: string;
  readonly local?: string;
  readonly npmPackage?: string;
  readonly dependencies?: readonly {
    readonly specifier: string;
    readonly code?: { readonly specifier?: string };
    readonly type?: { readonly specifier?: string };
  }[];
  readonly typesDependency?: { readonly dependency?: { readonly specifier?: string } };
}

/** The graph of a program. */
interface Graph {
  readonly modules: readonly GraphModule[];
  readonly redirects: Readonly<Record<string, string>>;
  readonly npmPackages?: Readonly<
    Record<string, { readonly name: string; readonly dependencies: readonly string[]; readonly localPath?: string }>
  >;
}

/** How a program of Deno finds its modules. */
export interface DenoResolver {
  readonly host: ts.CompilerHost;
  /** Returns how modules are found with the files of a host. */
  readonly resolveWith: (files: ts.CompilerHost) => NonNullable<ts.CompilerHost["resolveModuleNameLiterals"]>;
}

/** Returns the configuration of the Deno project that a module is in. `undefined` if it is a project for Node. */
export function findDenoConfig(path: string): string | undefined {
  for (let folder = dirname(resolve(path));; folder = dirname(folder)) {
    const found = ["deno.json", "deno.jsonc"].map((name) => join(folder, name)).find((file) => existsSync(file));
    if (found !== undefined) return found;
    if (existsSync(join(folder, "tsconfig.json")) || folder === dirname(folder)) return undefined;
  }
}

/** The folders in which the compiler sees modules of the network, and packages of npm. */
const [remoteFolder, npmFolder] = ["/~deno/remote/", "/~deno/npm/"];

/** Reads the graph of a program from Deno. */
export function resolveWithDeno(
  compiler: typeof ts,
  path: string,
  { options, kit, fail }: {
    readonly options: ts.CompilerOptions;
    /** The module that what is written imports, which the program may not. */
    readonly kit: string;
    readonly fail: (state: string) => never;
  },
): DenoResolver {
  const folder = dirname(resolve(path));
  const kitTarget = runDeno(folder, ["eval", `console.log(import.meta.resolve(${JSON.stringify(kit)}))`], fail).trim();
  const graph = joinGraphs(
    [resolve(path), kitTarget].map((each): Graph =>
      JSON.parse(runDeno(folder, ["info", "--json", "--quiet", each], fail))
    ),
  );
  const known = new Map([...namedTargets(graph), [kit, kitTarget]]); // of modules that are not on the disk
  const specifiers = new Map(graph.modules.map(({ specifier }) => [toPath(specifier), specifier]));
  const modules = new Map(graph.modules.map((module) => [module.specifier, module]));
  const host = createDenoHost(compiler, options, graph);
  const sources = { compiler, options, graph, modules, host };
  return {
    host,
    resolveWith: (files) => (literals, file) =>
      literals.map(({ text }) => {
        const module = modules.get(specifiers.get(file) ?? "");
        const { code, type } = module?.dependencies?.find(({ specifier }) => specifier === text) ?? {};
        const target = type?.specifier ?? code?.specifier ?? known.get(text);
        const found = target === undefined ? locateFrom(file, text, files, sources) : locate(target, sources);
        return {
          resolvedModule: found === undefined ? undefined : {
            resolvedFileName: found,
            extension: extensionOf(found),
            isExternalLibraryImport: found.startsWith("/~deno/"),
          },
        };
      }),
  };
}

/** Where the modules of a program are looked for. */
interface ModuleSources {
  readonly compiler: typeof ts;
  readonly options: ts.CompilerOptions;
  readonly graph: Graph;
  readonly modules: ReadonlyMap<string, GraphModule>;
  readonly host: ts.CompilerHost;
}

/** Returns a host that reads modules of the network and packages from Deno's cache. */
function createDenoHost(compiler: typeof ts, options: ts.CompilerOptions, graph: Graph): ts.CompilerHost {
  const { npmPackages: packages = {} } = graph;
  const locals = new Map(graph.modules.map(({ specifier, local }) => [toPath(specifier), local]));
  const folders = new Map(Object.entries(packages).map(([id, each]) => [encodeURIComponent(id), each]));
  const base = compiler.createCompilerHost(options);
  const toLocal = (file: string): string => {
    if (file.startsWith(remoteFolder)) return locals.get(file) ?? file;
    if (!file.startsWith(npmFolder)) return file;
    const [id = "", , ...rest] = file.slice(npmFolder.length).split("/");
    const { name, localPath } = folders.get(id) ?? {};
    return name === undefined || localPath === undefined
      ? file
      : join(localPath, ...rest.slice(name.split("/").length)); // its name may have two steps
  };
  return {
    ...base,
    fileExists: (file) => base.fileExists(toLocal(file)),
    readFile: (file) => base.readFile(toLocal(file)),
    directoryExists: (folder) => existsSync(toLocal(folder)),
    realpath: (file) => file,
    getDirectories: () => [],
    getSourceFile: (file, language) => {
      const text = base.readFile(toLocal(file));
      return text === undefined ? undefined : compiler.createSourceFile(file, text, language, true);
    },
  };
}

/** Returns the file of a module. */
function locate(specifier: string, sources: ModuleSources): string | undefined {
  const { graph: { redirects }, modules } = sources;
  let found = specifier;
  for (let next = redirects[found]; next !== undefined; next = redirects[found]) found = next;
  const module = modules.get(found);
  const types = module?.typesDependency?.dependency?.specifier;
  if (types !== undefined) return locate(types, sources);
  if (module?.npmPackage === undefined) return module && toPath(module.specifier);
  return locateInPackage(module.npmPackage, subpathOf(specifier), sources);
}

function locateInPackage(
  id: string,
  subpath: string,
  { compiler, options, graph, host }: ModuleSources,
): string | undefined {
  const { name = id } = graph.npmPackages?.[id] ?? {};
  const from = `${npmFolder}${encodeURIComponent(id)}/node_modules/~.ts`;
  return compiler.resolveModuleName(name + subpath, from, options, host).resolvedModule?.resolvedFileName;
}

/** Returns the file that a file of a package imports, or one that is not in the graph. */
function locateFrom(
  file: string,
  specifier: string,
  files: ts.CompilerHost,
  sources: ModuleSources,
): string | undefined {
  const { compiler, options, graph: { npmPackages: packages = {} } } = sources;
  const own = Object.keys(packages).find((id) => file.startsWith(`${npmFolder}${encodeURIComponent(id)}/`));
  if (own === undefined || specifier.startsWith(".")) {
    return compiler.resolveModuleName(specifier, file, options, files).resolvedModule?.resolvedFileName;
  }
  const [name, subpath] = splitSpecifier(specifier);
  const { name: ownName, dependencies } = packages[own]!;
  const id = name === ownName ? own : dependencies.find((each) => packages[each]?.name === name);
  return id === undefined ? undefined : locateInPackage(id, subpath, sources);
}

/** Runs Deno in a folder, whose configuration it reads. Returns what it prints. */
function runDeno(cwd: string, args: readonly string[], fail: (state: string) => never): string {
  try {
    return execFileSync("deno", args, {
      cwd,
      encoding: "utf8",
      maxBuffer: 1_000_000_000,
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch (error) {
    const { code, stderr = "" } = error as { readonly code?: unknown; readonly stderr?: string };
    return fail(
      code === "ENOENT" ? "the project is one for Deno, which is not installed" : `deno ${args[0]} failed: ${stderr}`,
    );
  }
}

function joinGraphs(graphs: readonly Graph[]): Graph {
  return {
    modules: graphs.flatMap(({ modules }) => modules),
    redirects: Object.assign({}, ...graphs.map(({ redirects }) => redirects)),
    npmPackages: Object.assign({}, ...graphs.map(({ npmPackages }) => npmPackages)),
  };
}

/** What the names of packages mean in the program. */
function namedTargets({ modules }: Graph): [specifier: string, target: string][] {
  return modules.filter(({ specifier }) => specifier.startsWith("file:")).flatMap(({ dependencies = [] }) =>
    dependencies.flatMap(({ specifier, type, code }): [string, string][] => {
      const target = type?.specifier ?? code?.specifier;
      return specifier.startsWith(".") || target === undefined ? [] : [[specifier, target]];
    })
  );
}

/** Returns where the compiler sees a module. */
function toPath(specifier: string): string {
  if (specifier.startsWith("file:")) return fileURLToPath(specifier);
  return remoteFolder + specifier.replace("://", "/");
}

/** Returns what a specifier such as `npm:/zod@4.6.7/v4` has behind the package: `/v4`. */
function subpathOf(specifier: string): string {
  return /^npm:\/?(?:@[^/]+\/)?[^/]+(\/.*)?$/.exec(specifier)?.[1] ?? "";
}

function splitSpecifier(specifier: string): [name: string, subpath: string] {
  const steps = specifier.split("/");
  const count = specifier.startsWith("@") ? 2 : 1;
  const rest = steps.slice(count).join("/");
  return [steps.slice(0, count).join("/"), rest === "" ? "" : `/${rest}`];
}

function extensionOf(file: string): string {
  return /\.d\.[cm]?ts$|\.[cm]?[jt]sx?$|\.json$/.exec(file)?.[0] ?? ".ts";
}
