import { checkOptions } from "./declared.ts";

/** Prose for the OpenAPI document. The server and the client ignore it. */
export interface Docs {
  /** A short summary, one line. */
  readonly summary?: string;
  /** A description, in CommonMark. */
  readonly description?: string;
  /** The tags of the operation. Every route below inherits them, unless it has tags of its own. */
  readonly tags?: readonly string[];
  /** A unique name of the operation. Default: the route's dotted key. */
  readonly operationId?: string;
}

const noDocs: Docs = /* @__PURE__ */ Object.freeze({});

/** Returns a frozen copy of `docs`. Throws a `TypeError` for an unknown option. */
export function copyDocs(docs: Docs | undefined, where: string): Docs {
  if (docs === undefined) return noDocs;
  checkOptions(docs, ["summary", "description", "tags", "operationId"], where, '"docs"');
  // documents are written as JSON, so a JSON round trip is a deep copy
  return JSON.parse(JSON.stringify(docs), (_key, value) => Object.freeze(value));
}

/** The docs of a route, with the tags that it inherits. */
export function inheritDocs({ tags }: Docs, own: Docs): Docs {
  return tags === undefined ? own : Object.freeze({ tags, ...own });
}
