/** The output of `deno info --json` for a module and everything that it imports, including types. */
export interface ModuleGraph {
  readonly modules: readonly Module[];
  readonly npmPackages: Readonly<Record<string, { readonly name: string; readonly localPath: string }>>;
}

/** A module of a graph. `dependencies[].code` is imported at run time, `type` only for types. */
export interface Module {
  readonly specifier: string;
  readonly error?: string;
  readonly dependencies?: readonly Dependency[];
}

/** An import of a module: its specifier, and the module that it resolves to. */
export interface Dependency {
  readonly specifier: string;
  readonly code?: { readonly specifier?: string };
  readonly type?: { readonly specifier?: string };
}

const root = new URL("../../", import.meta.url);

/** Returns Deno's graph of a module of this project. */
export async function moduleGraph(path: string): Promise<ModuleGraph> {
  const args = ["info", "--json", path];
  const { stdout, success } = await new Deno.Command(Deno.execPath(), { args, cwd: root, stderr: "inherit" }).output();
  if (!success) throw new Error(`Cannot read the module graph of ${path}`);
  return JSON.parse(new TextDecoder().decode(stdout));
}

/** Returns the path of a module relative to the root of this project, or its specifier if it is outside. */
export function projectPath(specifier: string): string {
  return specifier.startsWith(root.href) ? specifier.slice(root.href.length) : specifier;
}
