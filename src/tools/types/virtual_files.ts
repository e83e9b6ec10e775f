/** Files that the compiler reads otherwise than they are on the disk. */
import type ts from "typescript";
import { resolve } from "node:path";

/** The texts of files, by their absolute paths. */
export type Files = ReadonlyMap<string, string>;

/** Returns a host whose files are those of another one and of `files`, which come first. */
export function withFiles(compiler: typeof ts, host: ts.CompilerHost, files: Files): ts.CompilerHost {
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
