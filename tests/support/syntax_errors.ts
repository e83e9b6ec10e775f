import ts from "typescript";

/** Syntax errors of a module. */
export function syntaxErrors(source: ts.SourceFile): string[] {
  const { parseDiagnostics } = source as ts.SourceFile & { readonly parseDiagnostics: readonly ts.Diagnostic[] };
  return parseDiagnostics.map(({ messageText }) =>
    `${source.fileName}: ${ts.flattenDiagnosticMessageText(messageText, " ")}\n${source.text}`
  );
}
