/** The program of a contract: the compiler and the settings of the project that the contract is in. */
import type ts from "typescript";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { findDenoConfig, resolveWithDeno } from "./resolve_with_deno.ts";

/** The texts of files, by their absolute paths. */
type SourceTexts = ReadonlyMap<string, string>;

/** A compiler with the settings of a project. */
export interface Project {
  readonly ts: typeof ts;
  readonly options: ts.CompilerOptions;
  /** Creates a program of a file, with files that are not on the disk, or differ from those. */
  readonly createProgram: (root: readonly string[], files: SourceTexts, old?: ts.Program) => ts.Program;
  /** Whether modules are imported with the extension `.ts`. */
  readonly hasTsExtensions: boolean;
}

/**
 * Finds the compiler and the settings of the project that a module is in. `kit` is what written modules import besides
 * those of the program.
 */
export async function loadProject(
  path: string,
  { kit, fail }: { readonly kit: string; readonly fail: (state: string) => never },
): Promise<Project> {
  const deno = findDenoConfig(path);
  const compiler = await importCompiler(path, deno !== undefined, fail);
  const options = { ...readOptions(compiler, path, deno, fail), ...ownOptions };
  const resolver = deno === undefined ? undefined : resolveWithDeno(compiler, path, { options, kit, fail });
  return {
    ts: compiler,
    options,
    hasTsExtensions: deno !== undefined || options.allowImportingTsExtensions === true ||
      options.rewriteRelativeImportExtensions === true,
    createProgram: (root, files, old) => {
      const host = withFiles(compiler, resolver?.host ?? compiler.createCompilerHost(options), files);
      if (resolver) host.resolveModuleNameLiterals = resolver.resolveWith(host);
      return compiler.createProgram(root, options, host, old);
    },
  };
}

/** Returns a host whose files are those of another one and of `files`, which come first. */
function withFiles(compiler: typeof ts, host: ts.CompilerHost, files: SourceTexts): ts.CompilerHost {
  return {
    ...host,
    fileExists: (path) => files.has(resolve(path)) || host.fileExists(path),
    readFile: (path) => files.get(resolve(path)) ?? host.readFile(path),
    getSourceFile: (path, options, onError) => {
      const text = files.get(resolve(path));
      return text === undefined
        ? host.getSourceFile(path, options, onError)
        : compiler.createSourceFile(path, text, options, true);
    },
  };
}

/** What a program needs to be read. */
const ownOptions = {
  noEmit: true,
  declaration: false,
  composite: false,
  incremental: false,
  isolatedDeclarations: false,
  skipLibCheck: true,
} as const satisfies ts.CompilerOptions;

/** Imports TypeScript as the project has it. */
async function importCompiler(path: string, isDeno: boolean, fail: (state: string) => never): Promise<typeof ts> {
  const found = await importFrom(path) ?? (isDeno ? await importForDeno() : undefined);
  if (found === undefined) {
    return fail("TypeScript is not installed; install it in the project: npm install --save-dev typescript@5.9");
  }
  const { compiler, version } = found;
  if (typeof compiler?.createProgram === "function") return compiler as typeof ts; // as all versions up to 6 export it
  return fail(
    `TypeScript ${version} has no API that programs can use; install another one beside it: ` +
      "npm install --save-dev typescript-5@npm:typescript@5.9",
  );
}

/** A compiler that was found. */
interface FoundCompiler {
  readonly version: string;
  readonly compiler: Partial<typeof ts> | undefined;
}

/** The names under which a project can have a compiler, those with an API first. */
const compilers = ["typescript-5", "typescript"];

async function importFrom(path: string): Promise<FoundCompiler | undefined> {
  for (const name of compilers) {
    const folder = findUpward(path, `node_modules/${name}`);
    if (folder === undefined) continue;
    const { version, main } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const module = main === undefined ? undefined : await import(pathToFileURL(join(folder, main)).href);
    return { version, compiler: module?.default };
  }
}

/** Returns the nearest file or folder of a name, from the folder of a path upward. */
function findUpward(path: string, name: string): string | undefined {
  for (let folder = dirname(resolve(path));; folder = dirname(folder)) {
    if (existsSync(join(folder, name))) return join(folder, name);
    if (folder === dirname(folder)) return undefined;
  }
}

/** Imports the compiler of a project of Deno, which needs none of its own. */
async function importForDeno(): Promise<FoundCompiler | undefined> {
  const name: string = "Deno" in globalThis ? "npm:typescript@5.9" : ""; // a literal would make it a dependency
  if (name === "") return undefined;
  const { default: compiler } = await import(name);
  return { version: compiler.version, compiler };
}

const newConfig =
  '{ "compilerOptions": { "strict": true, "module": "nodenext", "noEmit": true, "allowImportingTsExtensions": true } }';

/** Reads the compiler's options of a project. */
function readOptions(
  compiler: typeof ts,
  path: string,
  deno: string | undefined,
  fail: (state: string) => never,
): ts.CompilerOptions {
  if (deno !== undefined) {
    const { config } = compiler.readConfigFile(deno, compiler.sys.readFile);
    const { compilerOptions = {} } = (config ?? {}) as { readonly compilerOptions?: object };
    const read = compiler.convertCompilerOptionsFromJson(
      { strict: true, ...compilerOptions, lib: undefined },
      dirname(deno),
    );
    return { ...read.options, ...denoOptions(compiler) };
  }
  const file = compiler.findConfigFile(dirname(resolve(path)), existsSync);
  if (file === undefined) return fail(`there is no tsconfig.json above ${path}; create one: ${newConfig}`);
  const read = compiler.getParsedCommandLineOfConfigFile(file, {}, {
    ...compiler.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) =>
      fail(`${file}: ${compiler.flattenDiagnosticMessageText(messageText, "\n")}`),
  });
  return read?.options ?? {};
}

function denoOptions({ ModuleKind, ModuleResolutionKind, ScriptTarget }: typeof ts): ts.CompilerOptions {
  return {
    target: ScriptTarget.ESNext,
    module: ModuleKind.ESNext,
    moduleResolution: ModuleResolutionKind.Bundler,
    lib: ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"],
    types: [],
    allowImportingTsExtensions: true,
  };
}
