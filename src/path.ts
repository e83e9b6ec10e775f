/**
 * The grammar of a declared path: segments between slashes, each literal text or a `:name` parameter. Every function
 * has a type beside it that does the same with literal types.
 */

/**
 * One segment of a declared path: literal text, or the name of a parameter.
 *
 * @internal
 */
export type Segment = { readonly literal: string } | { readonly parameter: string };

/** Joins two paths. Slashes at either end of a part do not matter, and `/` and `""` add nothing. */
export function joinPath(base: string, path: string): string {
  const above = trimSlashes(base);
  const below = trimSlashes(path);
  return above === "" || below === "" ? `/${above}${below}` : `/${above}/${below}`;
}

/**
 * {@linkcode joinPath} for literal types.
 *
 * @internal
 */
export type JoinPath<Base extends string, Path extends string> = JoinTrimmed<TrimSlashes<Base>, TrimSlashes<Path>>;

/**
 * {@linkcode JoinPath} for parts without slashes at their ends.
 *
 * @internal
 */
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

/**
 * {@linkcode trimSlashes} for literal types.
 *
 * @internal
 */
export type TrimSlashes<Path extends string> = Path extends `/${infer Rest}` ? TrimSlashes<Rest>
  : Path extends `${infer Rest}/` ? TrimSlashes<Rest>
  : Path;

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

/**
 * {@linkcode parameterNames} for literal types, as a union.
 *
 * @internal
 */
export type ParameterName<Path extends string> = string extends Path ? string
  : Path extends `${string}/:${infer Rest}` ? FirstSegment<Rest> | ParameterName<Rest>
  : never;

/**
 * The text before the first slash.
 *
 * @internal
 */
export type FirstSegment<Path extends string> = Path extends `${infer Segment}/${string}` ? Segment : Path;
