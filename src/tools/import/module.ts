/** The modules of an import while they are written: their files, and what they import. */
import { print, quote } from "../code/print.ts";
import { Names, toWords } from "../code/names.ts";
import { groupsOf, type ImportPlan, type PlannedSchema } from "./plan.ts";

/** A written module. */
export interface ImportedFile {
  /** The path within the folder, with slashes: `schemas/users.ts`. */
  readonly path: string;
  /** The source code. */
  readonly text: string;
}

/** How modules are written. */
export interface FileOptions {
  /** What the modules import the toolkit from. */
  readonly library: string;
  /** The file extension of imported modules: `.ts`. */
  readonly extension: string;
}

/** A schema with its place among all. */
export interface IndexedSchema extends PlannedSchema {
  readonly index: number;
}

/** What all modules are written with. */
export interface Modules {
  readonly plan: ImportPlan;
  readonly options: FileOptions;
  /** The file of each group, without its extension. */
  readonly files: ReadonlyMap<string, string>;
  readonly schemas: ReadonlyMap<string, IndexedSchema>;
}

export function modulesOf(plan: ImportPlan, options: FileOptions): Modules {
  const schemas = new Map(plan.schemas.map((schema, index) => [schema.key, { ...schema, index }]));
  return { plan, options, files: nameFiles(plan), schemas };
}

export function identifiersOf({ schemas, responses }: ImportPlan): string[] {
  return [...schemas, ...responses].map(({ identifier }) => identifier);
}

/** Returns the names of files, which do not differ in case only. */
export function nameFiles(plan: Pick<ImportPlan, "groups" | "webhooks">): ReadonlyMap<string, string> {
  const names = new Names("contract dates document mod responses schemas security text valibot".split(" "));
  return new Map(
    groupsOf(plan).map(({ key, tag }) => {
      const words = toWords(tag).map((word) => word.toLowerCase().replaceAll(/[^a-z\d]/g, ""));
      return [key, names.take(words.filter((word) => word !== "").join("_").slice(0, 60) || "routes")];
    }),
  );
}

/** A module while it is written: it notes what it has to import. */
export class Module {
  readonly #shared: Modules;
  readonly #folder: string;
  readonly #suffix: string;
  /** The names of each imported module. */
  readonly #imports = new Map<string, Set<string>>();
  /** Further imports: of all names of a module. */
  readonly #lines = new Set<string>();

  /** `suffix` is the end of the names of the import's own modules, before the extension: `.types`. */
  constructor(shared: Modules, folder = "./", suffix = "") {
    this.#shared = shared;
    this.#folder = folder;
    this.#suffix = suffix;
  }

  /** Imports a name from the toolkit, or from another of its entry points. */
  use(name: string, entry = ""): string {
    return this.#import(`${this.#shared.options.library}${entry}`, name);
  }

  /** Imports a type from the toolkit, or from another of its entry points. */
  useType(name: string, entry = ""): string {
    this.use(`type ${name}`, entry);
    return name;
  }

  /** Imports a name from a module of the import. */
  useFile(path: string, name: string): string {
    return this.#import(`${this.#folder}${path}${this.#suffix}${this.#shared.options.extension}`, name);
  }

  /** Adds an import as it is written. */
  addImport(line: string): void {
    this.#lines.add(line);
  }

  /** Imports all names of the module of a group. */
  useGroup(key: string, binding: string, kind: "" | "type " = ""): void {
    const path = `./${this.#shared.files.get(key)}${this.#suffix}${this.#shared.options.extension}`;
    this.addImport(`import ${kind}* as ${binding} from ${quote(path)};`);
  }

  /** Imports a schema of another module, or names one of the same. A `kind` of `type ` imports only its type. */
  schema(key: string, own?: string, kind: "" | "type " = ""): string {
    const { identifier, group } = this.#shared.schemas.get(key)!;
    const file = this.#shared.files.get(group)!;
    if (own === group) return identifier;
    const folder = own === undefined ? "./schemas/" : "./";
    this.#import(`${folder}${file}${this.#suffix}${this.#shared.options.extension}`, kind + identifier);
    return identifier;
  }

  #import(from: string, name: string): string {
    const names = this.#imports.get(from);
    if (names) names.add(name);
    else this.#imports.set(from, new Set([name]));
    return name;
  }

  /** Returns the file of the module. `path` is without its extension. */
  print(path: string, body: readonly string[]): ImportedFile {
    const text = body.join("\n\n");
    const imports = [...this.#imports].toSorted(([one], [other]) => rank(one) - rank(other) || (one < other ? -1 : 1));
    const written = imports.map(([from, names]) => {
      const sorted = [...names].toSorted((one, other) => sortKey(one) < sortKey(other) ? -1 : 1);
      const isOfTypes = sorted.every((name) => name.startsWith("type ")); // such an import loads no module
      const items = sorted.map((name) => ({ code: isOfTypes ? withoutKind(name) : name }));
      const open = isOfTypes ? "import type {" : "import {";
      return `${print([{ open, items, close: "}", isSpaced: true }, ` from ${quote(from)}`])};`;
    });
    const libraries = imports.filter(([from]) => rank(from) === 0).length;
    const all = [...written.slice(0, libraries), ...this.#lines, ...written.slice(libraries)];
    return {
      path: `${path}${this.#suffix}.ts`,
      text: `${all.length === 0 ? "" : `${all.join("\n")}\n\n`}${text}\n`,
    };
  }
}

export function schemasIn(group: string, { schemas }: Modules): IndexedSchema[] {
  return [...schemas.values()].filter((each) => each.group === group);
}

/** Returns the export of bindings under other names, sorted as formatters do. */
export function exportCode(aliases: readonly string[]): string {
  return `export { ${aliases.toSorted((one, other) => sortKey(one) < sortKey(other) ? -1 : 1).join(", ")} };`;
}

function withoutKind(name: string): string {
  return name.replace(/^type /, "");
}

function sortKey(name: string): string {
  return withoutKind(name).toLowerCase();
}

function rank(specifier: string): number {
  return specifier.startsWith(".") ? 1 : 0;
}
