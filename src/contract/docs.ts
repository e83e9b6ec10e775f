import { checkOptions } from "./declared.ts";

/** What documentation shows and the runtime ignores. */
export interface Docs {
  /** One line of what it does. */
  readonly summary?: string;
  /** More than a line, in CommonMark. */
  readonly description?: string;
  /** The groups it is listed in. Inherited by every route below that names none itself. */
  readonly tags?: readonly string[];
  /** A unique name of the operation. Default: the route's dotted key. */
  readonly operationId?: string;
}

const noDocs: Docs = /* @__PURE__ */ Object.freeze({});

/** A frozen copy of `docs`, or a `TypeError` where it has an unknown option. */
export function copyDocs(docs: Docs | undefined, where: string): Docs {
  if (docs === undefined) return noDocs;
  checkOptions(docs, ["summary", "description", "tags", "operationId"], `docs of ${where}`);
  // whatever shows them writes JSON, and JSON copies them all the way down
  return JSON.parse(JSON.stringify(docs), (_key, value) => Object.freeze(value));
}

/** The docs of a route in its place: its own, and what is inherited from above. */
export function inheritDocs({ tags }: Docs, own: Docs): Docs {
  return tags === undefined ? own : Object.freeze({ tags, ...own });
}
