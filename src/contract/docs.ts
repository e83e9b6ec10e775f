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
  /** Security requirements: scopes by scheme name, one of them to be met (OpenAPI 3.1). Inherited by every route below that states none itself. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

const noDocs: Docs = /* @__PURE__ */ Object.freeze({});

/** A frozen copy of `docs`, or a `TypeError` where it has an unknown option. */
export function copyDocs(docs: Docs | undefined, where: string): Docs {
  if (docs === undefined) return noDocs;
  checkOptions(docs, ["summary", "description", "tags", "operationId", "security"], `docs of ${where}`);
  // whatever shows them writes JSON, and JSON copies them all the way down
  return JSON.parse(JSON.stringify(docs), (_key, value) => Object.freeze(value));
}

/** The docs of a route in its place: its own, and what is inherited from above. */
export function inheritDocs({ tags, security }: Docs, own: Docs): Docs {
  if (tags === undefined && security === undefined) return own;
  return Object.freeze({
    ...(tags && { tags }),
    ...(security && { security }),
    ...own,
  });
}
