import ts from "typescript";
import config from "../../deno.json" with { type: "json" };
import { moduleGraph } from "../support/module_graph.ts";
import { cursor } from "./places.ts";

/** The compiler's results for a program. */
export interface Checked {
  /** The program's own errors. */
  readonly errors: readonly ProgramError[];
  /** The number of types that the compiler instantiated: the cost of inference, the same on every machine. */
  readonly instantiations: number;
}

/** One error of a program. */
export interface ProgramError {
  /** The text of the line that it is reported at, trimmed. */
  readonly line: string;
  /** The compiler's messages, with every detail. */
  readonly message: string;
}

const root = new URL("../../", import.meta.url).pathname;
const programPath = `${root}program.ts`;
const packages = await packageFolders();
const sources = new Map<string, ts.SourceFile>();

const options: ts.CompilerOptions = {
  ...ts.convertCompilerOptionsFromJson(config.compilerOptions, root).options,
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"],
  types: [],
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  paths: Object.fromEntries(
    Object.entries(config.exports).map(([door, file]) => [config.name + door.slice(1), [root + file.slice(2)]]),
  ),
};

/** Checks a program that may import the library by its name, and npm packages. */
export function checkProgram(text: string): Checked {
  const program = createProgram({ [programPath]: text }, options);
  return { errors: errorsOf(program), instantiations: program.getInstantiationCount() };
}

/** The declarations that the compiler writes for a program, and their errors. */
export interface Declarations {
  /** The errors of the program and of its declarations. */
  readonly errors: readonly ProgramError[];
  /** The declarations. */
  readonly text: string;
}

/** Writes the declarations of a program that has the library as a package and can import only its entry points. */
export function emitDeclarations(text: string): Declarations {
  const program = createProgram({ [programPath]: text, ...libraryPackage }, {
    ...packageOptions,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
  });
  const file = program.getSourceFile(programPath);
  let declarations = "";
  program.emit(file, (_path, written) => void (declarations = written));
  return {
    errors: [...errorsOf(program), ...program.getDeclarationDiagnostics(file).map(toError)],
    text: declarations,
  };
}

/** Checks a program that imports the contents of these declarations from `./declared.ts`. */
export function checkAgainst(declarations: string, text: string): readonly ProgramError[] {
  const files = { [programPath]: text, [`${root}declared.d.ts`]: declarations, ...libraryPackage };
  return errorsOf(createProgram(files, packageOptions));
}

const libraryFolder = `${root}node_modules/${config.name}`;

const libraryPackage: Files = {
  [`${libraryFolder}/package.json`]: JSON.stringify({
    name: config.name,
    type: "module",
    exports: Object.fromEntries(Object.entries(config.exports).map(([door, file]) => [door, { types: file }])),
  }),
};

const packageOptions: ts.CompilerOptions = { ...options, paths: {} };

/** The texts of files that are not on the disk, by path. */
type Files = Readonly<Record<string, string>>;

function createProgram(files: Files, options: ts.CompilerOptions): ts.Program {
  return ts.createProgram([programPath], options, createHost(files));
}

function errorsOf(program: ts.Program): ProgramError[] {
  const file = program.getSourceFile(programPath);
  return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(toError);
}

/** The types of a program's variables and parameters, destructured ones too, by name, as an editor shows them. */
export function showTypes(text: string): Map<string, string> {
  const types = new Map<string, string>();
  visitNodes(text, (node, checker) => {
    const isNamed = ts.isVariableDeclaration(node) || ts.isBindingElement(node) || ts.isParameter(node);
    if (!isNamed || !ts.isIdentifier(node.name)) return;
    const shown = checker.typeToString(checker.getTypeAtLocation(node.name), node, ts.TypeFormatFlags.None);
    types.set(node.name.text, shown.replaceAll(/import\("[^"]*"\)\./g, ""));
  });
  return types;
}

/** The documentation that an editor shows for every property that a program reads, by the text that reads it. */
export function showDocs(text: string): Map<string, string> {
  const docs = new Map<string, string>();
  visitNodes(text, (node, checker) => {
    const symbol = ts.isPropertyAccessExpression(node) ? checker.getSymbolAtLocation(node.name) : undefined;
    if (symbol === undefined) return;
    const tags = symbol.getJsDocTags(checker).map(({ name }) => `@${name}`);
    docs.set(node.getText(), [ts.displayPartsToString(symbol.getDocumentationComment(checker)), ...tags].join(" "));
  });
  return docs;
}

/** The texts that an editor strikes through in a program, and the line that each of some names leads to. */
export interface Edited {
  /** The texts that are struck through, because they name something deprecated. */
  readonly struck: readonly string[];
  /** The line of the program that the last occurrence of a name leads to ("go to definition"), trimmed. */
  readonly definitionOf: (name: string) => string | undefined;
  /** The type that the editor shows when the pointer is over the last occurrence of a name. */
  readonly hoverOf: (name: string) => string;
  /** The documentation that it shows there. */
  readonly docsOf: (name: string) => string;
}

/** The editor that shows one program after another, started when the first is opened. */
let opened: Editor | undefined;

/** Opens a program in the compiler's language service, as an editor does, in place of the one before. */
export function openInEditor(text: string): Edited {
  opened ??= startEditor("");
  const { service, replace } = opened;
  replace(text);
  return {
    get struck(): readonly string[] {
      return service.getSuggestionDiagnostics(programPath)
        .filter(({ reportsDeprecated }) => reportsDeprecated)
        .map(({ start, length }) => text.slice(start, start + length));
    },
    hoverOf(name): string {
      const hover = service.getQuickInfoAtPosition(programPath, text.lastIndexOf(name));
      return ts.displayPartsToString(hover?.displayParts);
    },
    docsOf(name): string {
      const hover = service.getQuickInfoAtPosition(programPath, text.lastIndexOf(name));
      return ts.displayPartsToString(hover?.documentation);
    },
    definitionOf(name): string | undefined {
      const [found] = service.getDefinitionAtPosition(programPath, text.lastIndexOf(name)) ?? [];
      if (found?.fileName !== programPath) return undefined;
      const lineStart = text.lastIndexOf("\n", found.textSpan.start) + 1;
      return text.slice(lineStart, text.indexOf("\n", found.textSpan.start)).trim();
    },
  };
}

/** An editor in which a program is being written. {@linkcode cursor} is the place in its text. */
export interface Writing {
  /** The names that the editor offers, without keywords and globals. */
  readonly complete: (text: string) => readonly string[];
  /** The parameters of the call at the cursor, as the editor shows them. */
  readonly parameters: (text: string) => readonly string[];
}

/** Opens an editor whose text can be replaced, which is faster than opening one for each text. */
export function startWriting(): Writing {
  const { service, replace } = startEditor("");
  const place = (text: string): number => {
    replace(text.replace(cursor, ""));
    return text.indexOf(cursor);
  };
  return {
    complete(text): readonly string[] {
      const { entries = [] } = service.getCompletionsAtPosition(programPath, place(text), insertText) ?? {};
      return entries.filter(({ sortText }) => sortText < globals).map(({ name }) => name.replaceAll('"', ""));
    },
    parameters(text): readonly string[] {
      const { items, selectedItemIndex } = service.getSignatureHelpItems(programPath, place(text), {}) ??
        { items: [], selectedItemIndex: 0 };
      return items[selectedItemIndex]?.parameters.map(({ displayParts }) => ts.displayPartsToString(displayParts)) ??
        [];
    },
  };
}

/** Also names that are no identifiers, which an editor inserts in brackets. */
const insertText: ts.GetCompletionsAtPositionOptions = { includeCompletionsWithInsertText: true };

/** The language service sorts globals and keywords after all other entries. */
const globals = "15";

interface Editor {
  readonly service: ts.LanguageService;
  /** Replaces the text of the program. */
  readonly replace: (text: string) => void;
}

function startEditor(text: string): Editor {
  const files = { [programPath]: text };
  const host = createHost(files);
  const { writeFile: _, ...readers } = host;
  let version = 1;
  const service = ts.createLanguageService({
    ...readers,
    getCompilationSettings: () => options,
    getScriptFileNames: () => [programPath],
    getScriptVersion: (path) => path === programPath ? String(version) : "1",
    getScriptSnapshot(path): ts.IScriptSnapshot | undefined {
      const content = host.readFile(path);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
  });
  return {
    service,
    replace(next): void {
      files[programPath] = next;
      version++;
    },
  };
}

function visitNodes(text: string, see: (node: ts.Node, checker: ts.TypeChecker) => void): void {
  const program = createProgram({ [programPath]: text }, options);
  const checker = program.getTypeChecker();
  const visit = (node: ts.Node): void => {
    see(node, checker);
    ts.forEachChild(node, visit);
  };
  visit(program.getSourceFile(programPath)!);
}

/** Deno's npm cache is not a `node_modules` folder; the compiler sees one at the root and resolves the rest itself. */
function createHost(files: Files): ts.CompilerHost {
  return {
    ...ts.createCompilerHost(options),
    readFile: (path) => files[path] ?? ts.sys.readFile(toDisk(path)),
    fileExists: (path) => Object.hasOwn(files, path) || ts.sys.fileExists(toDisk(path)),
    directoryExists: (path) => path === `${root}node_modules` || ts.sys.directoryExists(toDisk(path)),
    getDirectories: () => [],
    realpath: (path) => path,
    getSourceFile: (path, target) => {
      const text = files[path];
      return text === undefined ? readSource(path, target) : parse(path, text, target);
    },
  };
}

/** Parsed once for all programs. */
function readSource(path: string, target: ts.ScriptTarget | ts.CreateSourceFileOptions): ts.SourceFile | undefined {
  const content = sources.has(path) ? undefined : ts.sys.readFile(toDisk(path));
  if (content !== undefined) sources.set(path, parse(path, content, target));
  return sources.get(path);
}

function parse(path: string, text: string, target: ts.ScriptTarget | ts.CreateSourceFileOptions): ts.SourceFile {
  return ts.createSourceFile(path, text, target, true);
}

function toDisk(path: string): string {
  const [, name, rest] = path.match(/\/node_modules\/((?:@[^/]+\/)?[^/]+)(.*)$/) ?? [];
  const folder = name === undefined ? undefined : packages.get(name);
  return folder === undefined || rest === undefined ? path : folder + rest;
}

function toError({ file, start = 0, messageText }: ts.Diagnostic): ProgramError {
  const line = file ? file.getLineAndCharacterOfPosition(start).line : 0;
  return {
    line: file?.text.split("\n")[line]?.trim() ?? "",
    message: ts.flattenDiagnosticMessageText(messageText, "\n"),
  };
}

async function packageFolders(): Promise<Map<string, string>> {
  const { npmPackages } = await moduleGraph("tests/types/packages.ts");
  const folders = Object.values(npmPackages).map(({ name, localPath }) => [name, localPath] as const);
  return new Map([...folders, [config.name, root.slice(0, -1)]]);
}
