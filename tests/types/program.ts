import ts from "typescript";
import config from "../../deno.json" with { type: "json" };
import { moduleGraph } from "../module_graph.ts";

/** What the compiler makes of a program. */
export interface Checked {
  /** The program's own errors. */
  readonly errors: readonly ProgramError[];
  /** How many types were instantiated to check it: what inference costs, the same on every machine. */
  readonly instantiations: number;
}

/** One error of a program. */
export interface ProgramError {
  /** The text of the line that it is reported at, trimmed. */
  readonly line: string;
  /** The compiler's words, with every detail. */
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
  const program = ts.createProgram([programPath], options, createHost(text));
  const file = program.getSourceFile(programPath);
  const diagnostics = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  return { errors: diagnostics.map(toError), instantiations: program.getInstantiationCount() };
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

/** What an editor shows of the documentation of every property that a program reads, by the text that reads it. */
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

function visitNodes(text: string, see: (node: ts.Node, checker: ts.TypeChecker) => void): void {
  const program = ts.createProgram([programPath], options, createHost(text));
  const checker = program.getTypeChecker();
  const visit = (node: ts.Node): void => {
    see(node, checker);
    ts.forEachChild(node, visit);
  };
  visit(program.getSourceFile(programPath)!);
}

/** Deno's npm cache is no `node_modules`; the compiler is shown one at the root, so its own resolution does the rest. */
function createHost(text: string): ts.CompilerHost {
  const readFile = (path: string): string | undefined => path === programPath ? text : ts.sys.readFile(toDisk(path));
  return {
    ...ts.createCompilerHost(options),
    readFile,
    fileExists: (path) => path === programPath || ts.sys.fileExists(toDisk(path)),
    directoryExists: (path) => path === `${root}node_modules` || ts.sys.directoryExists(toDisk(path)),
    getDirectories: () => [],
    realpath: (path) => path,
    getSourceFile: (path, target) => path === programPath ? parse(path, text, target) : readSource(path, target),
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
  return new Map(Object.values(npmPackages).map(({ name, localPath }) => [name, localPath]));
}
