/** The program of a contract: the compiler and the settings of the project that the contract is in. */
import type ts from "typescript";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Files, withFiles } from "./virtual_files.ts";
import { findDenoConfig, resolveWithDeno } from "./resolve_with_deno.ts";

/** A compiler with the settings of a project. */
export interface Project {
  readonly ts: typeof ts;
  readonly options: ts.CompilerOptions;
  /** Creates a program of a file, with files that are not on the disk, or differ from those. */
  readonly createProgram: (root: readonly string[], files: Files, old?: ts.Program) => ts.Program;
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
  const install = "install it in the project: npm install --save-dev typescript@5.9";
  const found = await importFrom(path) ?? (isDeno ? await importForDeno() : undefined);
  if (found === undefined) return fail(`TypeScript is not installed; ${install}`);
  const { default: compiler } = found as { readonly default?: Partial<typeof ts> };
  if (typeof compiler?.createProgram === "function") return compiler as typeof ts; // which is a function of every version up to 6
  return fail(
    `TypeScript ${
      compiler?.version ?? "7"
    } has no API that programs can use; ${install}, beside it under another name: ` +
      "npm install --save-dev typescript-5@npm:typescript@5.9",
  );
}

/** The names under which a project can have a compiler with an API. */
const compilers = ["typescript-5", "typescript"];

async function importFrom(path: string): Promise<unknown> {
  const { resolve: locate } = createRequire(resolve(path));
  for (const name of compilers) {
    try {
      return await import(pathToFileURL(locate(name)).href);
    } catch (cause) {
      if ((cause as { readonly code?: unknown }).code !== "MODULE_NOT_FOUND") throw cause;
    }
  }
}

/** Imports the compiler of a project of Deno, which needs none of its own. */
async function importForDeno(): Promise<unknown> {
  const name: string = "Deno" in globalThis ? "npm:typescript@5.9" : ""; // a literal would make it a dependency
  return name === "" ? undefined : await import(name);
}

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
  if (file === undefined) return fail(`there is no tsconfig.json above ${path}`);
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
