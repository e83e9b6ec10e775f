/** TypeScript as a project may have it, which parses a file with the same text once for all programs. */
import ts from "typescript";

const parsed = new Map<string, ts.SourceFile>();

function createSourceFile(...[path, text, ...how]: Parameters<typeof ts.createSourceFile>): ts.SourceFile {
  const known = parsed.get(path);
  if (known?.text === text) return known;
  const file = ts.createSourceFile(path, text, ...how);
  parsed.set(path, file);
  return file;
}

export default { ...ts, createSourceFile };
