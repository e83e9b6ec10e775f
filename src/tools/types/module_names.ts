/** The names by which a module can import what other modules declare. */
import type ts from "typescript";
import { relative } from "node:path";
import { quote } from "../code/print.ts";
import { Names } from "../code/names.ts";

/** Where names are used, and where they come from. */
export interface ModuleNamesOptions {
  readonly ts: typeof ts;
  readonly program: ts.Program;
  /** The modules of the project, which the names may come from, and whose imports lead to packages. */
  readonly files: readonly ts.SourceFile[];
  /** The module that imports the types of the toolkit as `api`, and what from. */
  readonly kit: { readonly file: ts.SourceFile; readonly specifier: string };
  /** The folder of the module that is written. */
  readonly folder: string;
  /** Returns how a module of the project is imported, without the path. */
  readonly toSpecifier: (file: string) => string;
}

/** How something is imported: the module, and the steps to it from what that exports. */
interface ImportPath {
  readonly specifier: string;
  readonly steps: readonly string[];
}

/** The most namespaces within each other that are looked into: `z.core.util`. */
const mostSteps = 3;

/** The name under which the types of the toolkit are imported. */
const kitName = "api";

/** Names that a module can import, and those that it does. */
export class ModuleNames {
  readonly #options: ModuleNamesOptions;
  readonly #found = new Map<ts.Symbol, ImportPath>();
  readonly #names = new Names([kitName, "Api"]);
  /** The local names of what is imported, by module and name. */
  readonly #imports = new Map<string, Map<string, string>>();

  constructor(options: ModuleNamesOptions) {
    this.#options = options;
    const { kit, files, folder, toSpecifier } = options;
    for (const symbol of this.#exportsOf(this.#importedFrom(kit.file, kit.specifier))) {
      this.#note(symbol, { specifier: kitName, steps: [symbol.name] });
    }
    for (const file of files) {
      const own = this.#checker.getSymbolAtLocation(file);
      for (const symbol of this.#exportsOf(own)) {
        const path = relative(folder, toSpecifier(file.fileName)).replaceAll("\\", "/");
        this.#note(symbol, { specifier: path.startsWith(".") ? path : `./${path}`, steps: [symbol.name] });
      }
    }
    for (const file of files) {
      for (const specifier of specifiersOf(file, options.ts)) {
        if (specifier.startsWith(".")) continue; // a module of the project
        this.#noteAll(this.#importedFrom(file, specifier), { specifier, steps: [] });
      }
    }
  }

  get #checker(): ts.TypeChecker {
    return this.#options.program.getTypeChecker();
  }

  /** Takes a name for a declaration of the module itself. */
  take(name: string): string {
    return this.#names.takeBinding(name);
  }

  /** Returns the name of a symbol, and notes that the module imports it. `undefined` if it has none there. */
  nameOf(symbol: ts.Symbol): string | undefined {
    const { ts } = this.#options;
    const target = symbol.flags & ts.SymbolFlags.EnumMember ? undefined : symbol;
    const found = target && this.#found.get(target);
    if (found !== undefined) return this.#import(found);
    if (symbol.flags & ts.SymbolFlags.EnumMember) {
      const parent = (symbol.declarations?.[0]?.parent as ts.EnumDeclaration | undefined)?.name;
      const owner = parent && this.#checker.getSymbolAtLocation(parent);
      const name = owner && this.nameOf(owner);
      return name && `${name}.${symbol.name}`;
    }
    return this.#isGlobal(symbol) ? this.#checker.getFullyQualifiedName(symbol) : undefined;
  }

  /** Returns whether a symbol is one of a module of the project or of the toolkit. */
  isOwn(symbol: ts.Symbol): boolean {
    const { specifier } = this.#found.get(symbol) ?? {};
    return specifier !== undefined && (specifier === kitName || specifier.startsWith("."));
  }

  /** The imports of what was named. */
  get imports(): readonly string[] {
    const lines = [...this.#imports].map(([specifier, names]) => {
      const list = [...names].map(([name, local]) => name === local ? name : `${name} as ${local}`).toSorted();
      return `import type { ${list.join(", ")} } from ${quote(specifier)};`;
    });
    return [`import type * as ${kitName} from ${quote(this.#options.kit.specifier)};`, ...lines.toSorted()];
  }

  #import({ specifier, steps: [first, ...rest] }: ImportPath): string {
    if (specifier === kitName) return [kitName, first, ...rest].join(".");
    const names = this.#imports.get(specifier) ?? new Map<string, string>();
    this.#imports.set(specifier, names);
    const local = names.get(first!) ?? this.#names.takeBinding(first === "default" ? "imported" : first!);
    names.set(first!, local);
    return [local, ...rest].join(".");
  }

  #isGlobal(symbol: ts.Symbol): boolean {
    const { ts } = this.#options;
    return symbol.declarations?.some((declaration) => {
      if (!ts.isExternalModule(declaration.getSourceFile())) return true;
      for (let node: ts.Node = declaration; node !== undefined; node = node.parent) {
        if (node.flags & ts.NodeFlags.GlobalAugmentation) return true;
      }
      return false;
    }) ?? false;
  }

  #importedFrom(file: ts.SourceFile, specifier: string): ts.Symbol | undefined {
    const { ts } = this.#options;
    const statement = file.statements.find((each) =>
      (ts.isImportDeclaration(each) || ts.isExportDeclaration(each)) && each.moduleSpecifier !== undefined &&
      ts.isStringLiteral(each.moduleSpecifier) && each.moduleSpecifier.text === specifier
    ) as ts.ImportDeclaration | undefined;
    return statement && this.#checker.getSymbolAtLocation(statement.moduleSpecifier);
  }

  #exportsOf(module: ts.Symbol | undefined): readonly ts.Symbol[] {
    return module === undefined ? [] : this.#checker.getExportsOfModule(module);
  }

  /** Notes what a module exports, and what the namespaces among it export. */
  #noteAll(module: ts.Symbol | undefined, { specifier, steps }: ImportPath): void {
    const { ts } = this.#options;
    const symbols = this.#exportsOf(module);
    for (const symbol of symbols) this.#note(symbol, { specifier, steps: [...steps, symbol.name] });
    if (steps.length + 1 >= mostSteps) return;
    for (const symbol of symbols) {
      const target = this.#targetOf(symbol);
      if (
        target.flags & (ts.SymbolFlags.ValueModule | ts.SymbolFlags.NamespaceModule) && !steps.includes(symbol.name)
      ) {
        this.#noteAll(target, { specifier, steps: [...steps, symbol.name] });
      }
    }
  }

  /** Notes the shortest way to a symbol. */
  #note(symbol: ts.Symbol, found: ImportPath): void {
    const target = this.#targetOf(symbol);
    const known = this.#found.get(target);
    if (known === undefined || (known.specifier === found.specifier && known.steps.length > found.steps.length)) {
      this.#found.set(target, found);
    }
  }

  #targetOf(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & this.#options.ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }
}

/** The modules that a module imports. */
function specifiersOf(
  file: ts.SourceFile,
  { isExportDeclaration, isImportDeclaration, isStringLiteral }: typeof ts,
): string[] {
  return file.statements.flatMap((each) =>
    (isImportDeclaration(each) || isExportDeclaration(each)) && each.moduleSpecifier !== undefined &&
      isStringLiteral(each.moduleSpecifier)
      ? [each.moduleSpecifier.text]
      : []
  );
}
