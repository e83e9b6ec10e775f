/** What `deno info --json` tells of a module and all that it imports, types included. */
export interface ModuleGraph {
  readonly modules: readonly Module[];
  readonly npmPackages: Readonly<Record<string, { readonly name: string; readonly localPath: string }>>;
}

/** One module of a graph; `dependencies[].code` is imported at run time, `type` for types only. */
export interface Module {
  readonly specifier: string;
  readonly error?: string;
  readonly dependencies?: readonly Dependency[];
}

/** One import of a module, by how it is written and by what it leads to. */
export interface Dependency {
  readonly specifier: string;
  readonly code?: { readonly specifier?: string };
  readonly type?: { readonly specifier?: string };
}

const root = new URL("../../", import.meta.url);

/** Asks Deno for the graph of one module of this project. */
export async function moduleGraph(path: string): Promise<ModuleGraph> {
  const args = ["info", "--json", path];
  const { stdout, success } = await new Deno.Command(Deno.execPath(), { args, cwd: root, stderr: "inherit" }).output();
  if (!success) throw new Error(`Cannot read the module graph of ${path}`);
  return JSON.parse(new TextDecoder().decode(stdout));
}

/** A module's path from the root of this project, or its specifier where it is none of the project's. */
export function projectPath(specifier: string): string {
  return specifier.startsWith(root.href) ? specifier.slice(root.href.length) : specifier;
}
