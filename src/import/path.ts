/** Paths of documents in the form of contracts. */
import { Names, toCamelCase, toWords } from "./names.ts";

/** A path of a contract, and the parameters in it. */
export interface ImportedPath {
  /** `/users/:id`. */
  readonly path: string;
  readonly hasTrailingSlash: boolean;
  readonly parameters: readonly PathParameter[];
}

/** A parameter of a path: a whole segment. */
export interface PathParameter {
  /** The name in the contract. */
  readonly name: string;
  /** The segment's parts: names of parameters in the document, and literal text between them. */
  readonly parts: readonly (string | { readonly parameter: string })[];
}

/**
 * Reads a path.
 *
 * @param isBelow Whether another path precedes it, so that `/` is a slash at the end.
 *
 * @throws {TypeError} If a contract cannot declare it.
 */
export function readPath(path: string, isBelow: boolean): ImportedPath {
  if (!path.startsWith("/")) throw new TypeError("its path does not start with /");
  if (path.includes("#")) throw new TypeError("its path has a fragment, which clients do not send");
  if (path.includes("?")) throw new TypeError("its path has a query; declare the parameters in the query");
  if (path.endsWith("//")) throw new TypeError("its path ends with an empty segment");
  const names = new Names();
  const hasTrailingSlash = (isBelow || path.length > 1) && path.endsWith("/");
  const segments = path.slice(1, hasTrailingSlash ? -1 : undefined).split("/").map((segment) =>
    readSegment(segment, names)
  );
  return {
    path: `/${segments.map((segment) => typeof segment === "string" ? segment : `:${segment.name}`).join("/")}`,
    hasTrailingSlash,
    parameters: segments.filter((segment) => typeof segment !== "string"),
  };
}

function readSegment(segment: string, names: Names): string | PathParameter {
  const parts = segment.split(/(\{[^{}]*\})/).filter((part) => part !== "").map((part) =>
    part.startsWith("{") && part.endsWith("}") ? { parameter: part.slice(1, -1) } : decode(part)
  );
  const parameters = parts.flatMap((part) => typeof part === "string" ? [] : [part.parameter]);
  if (parameters.length === 0) {
    const literal = parts.join("");
    if (literal === "" && segment !== "") return literal;
    if (literal.startsWith(":")) {
      throw new TypeError(`its path has the segment ${JSON.stringify(segment)}, which reads as a parameter`);
    }
    return literal;
  }
  const name = parts.length === 1 && /^[A-Za-z_]\w*$/.test(parameters[0]!)
    ? parameters[0]!
    : toCamelCase(parameters.flatMap(toWords)).replaceAll(/\W/g, "") || "value";
  return { name: names.take(/^[A-Za-z_]/.test(name) ? name : `_${name}`), parts };
}

function decode(literal: string): string {
  try {
    return decodeURIComponent(literal);
  } catch {
    return literal;
  }
}
