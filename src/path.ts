/**
 * The grammar of a declared path: segments between slashes, each literal text or a `:name` parameter. Every function
 * has a type beside it that does the same with literal types.
 */

/** One segment of a declared path: literal text, or the name of a parameter. */
export type Segment = { readonly literal: string } | { readonly parameter: string };

/** Joins two paths. Slashes at either end of a part do not matter, and `/` and `""` add nothing. */
export function joinPath(base: string, path: string): string {
  const above = trimSlashes(base);
  const below = trimSlashes(path);
  return above === "" || below === "" ? `/${above}${below}` : `/${above}/${below}`;
}

/** {@linkcode joinPath} for literal types. */
export type JoinPath<Base extends string, Path extends string> = JoinTrimmed<TrimSlashes<Base>, TrimSlashes<Path>>;

/** {@linkcode JoinPath} for parts without slashes at their ends. */
export type JoinTrimmed<Base extends string, Path extends string> = Base extends "" ? `/${Path}`
  : Path extends "" ? `/${Base}`
  : `/${Base}/${Path}`;

/** Returns a path without slashes at its ends. */
export function trimSlashes(path: string): string {
  let start = 0;
  let end = path.length;
  while (start < end && path[start] === "/") start++;
  while (end > start && path[end - 1] === "/") end--;
  return path.slice(start, end);
}

/** {@linkcode trimSlashes} for literal types. */
export type TrimSlashes<Path extends string> = Path extends `/${infer Rest}` ? TrimSlashes<Rest>
  : Path extends `${infer Rest}/` ? TrimSlashes<Rest>
  : Path;

/** What the schema of a path's parameters has if there is text around them. */
export interface PatternedParams {
  /** The texts of the segments by the names of their parameters, with `*` for the values. */
  readonly pathPatterns: ReadonlyMap<string, string>;
  /** Tests whether the segments of a path have these texts. */
  readonly fitsPatterns: (segments: Readonly<Record<string, string>>) => boolean;
}

/** A schema of a path's parameters, which may have text around them, or none. */
export type AnyParams = Partial<PatternedParams> | undefined;

/**
 * Returns a path without the names of its parameters, which do not distinguish paths, but with the text around them,
 * which does: `/users/:`, `/ops/:*:cancel`.
 */
export function pathIdentity(path: string, params?: AnyParams): string {
  return path.replaceAll(/\/:([^/]+)/g, (_, name: string) => `/:${params?.pathPatterns?.get(name) ?? ""}`);
}

/** Returns the segments of a full path. One that ends with a slash has an empty literal as its last segment. */
export function parsePath(path: string): Segment[] {
  if (path === "/") return [];
  return path.slice(1).split("/").map((segment) =>
    segment.startsWith(":") ? { parameter: segment.slice(1) } : { literal: segment }
  );
}

/** Returns the names of a path's parameters, in order. */
export function parameterNames(path: string): string[] {
  return parsePath(path).flatMap((segment) => "parameter" in segment ? [segment.parameter] : []);
}

/** {@linkcode parameterNames} for literal types, as a union. */
export type ParameterName<Path extends string> = string extends Path ? string
  : Path extends `${string}/:${infer Rest}` ? FirstSegment<Rest> | ParameterName<Rest>
  : never;

/** The text before the first slash. */
export type FirstSegment<Path extends string> = Path extends `${infer Segment}/${string}` ? Segment : Path;

/**
 * Encodes a text as one segment of a pathname. `undefined` if no URL can carry it: an empty text, a dot segment (URLs
 * remove it, even percent-encoded) or text with half of a surrogate pair.
 */
export function encodeSegment(text: string): string | undefined {
  if (text === "" || text === "." || text === ".." || !text.isWellFormed()) return undefined;
  return encodeURIComponent(text);
}

/** Decodes one segment of a pathname, once. Throws for a malformed percent escape. */
export function decodeSegment(segment: string): string {
  return segment.includes("%") ? decodeURIComponent(segment) : segment;
}

/**
 * Returns a pathname in normal form: decoded, except for `%` and for `/` inside a segment. {@linkcode decodeSegment}
 * still decodes each segment. `undefined` for a malformed percent escape.
 */
export function normalizePathname(pathname: string): string | undefined {
  if (!pathname.includes("%")) return pathname;
  try {
    const segments = pathname.split("/").map(decodeSegment);
    return segments.map((text) => text.replaceAll("%", "%25").replaceAll("/", "%2F")).join("/");
  } catch {
    return undefined;
  }
}
