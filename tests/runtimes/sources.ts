/** The text of a source, whether it imports its neighbours by `./x.ts` or, as in the sources that dnt copies, by `./x.js`. */
export function normalizeImports(source: string): string {
  return source.replaceAll(/\b((?:from|import)\s*\(?\s*"\.{1,2}\/[^"\n]*)\.js"/g, '$1.ts"');
}
