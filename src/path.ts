/**
 * The grammar of a declared path: segments between slashes, each literal text or a `:name` parameter. Every function
 * has a type beside it that does the same with literal types.
 */

import { checkRule, failAt, type ValueRule } from "./options.ts";

/** One segment of a declared path: literal text, or the name of a parameter. */
export type Segment = { readonly literal: string } | { readonly parameter: string };

/** Joins two paths. Slashes at either end of a part do not matter, and `/` and `""` add nothing. */
export function joinPath(base: string, path: string): string {
  return `/${`${base}/${path}`.split("/").filter(Boolean).join("/")}`; // what is checked has empty segments only at its ends
}

/** {@linkcode joinPath} for literal types. */
export type JoinPath<Base extends string, Path extends string> = JoinTrimmed<TrimSlashes<Base>, TrimSlashes<Path>>;

/** {@linkcode JoinPath} for parts without slashes at their ends. */
export type JoinTrimmed<Base extends string, Path extends string> = Base extends "" ? `/${Path}`
  : Path extends "" ? `/${Base}`
  : `/${Base}/${Path}`;

/** A path without slashes at its ends. Most have one slash, and end in the second line. */
export type TrimSlashes<Path extends string> = Path extends `/${infer Rest}`
  ? Rest extends `/${string}` | `${string}/` ? TrimSlashes<Rest> : Rest
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

/** Returns whether a full path has parameters. */
export function hasParameters(path: string): boolean {
  return path.includes("/:");
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

/**
 * What a path must not contain, and the fix for each, in which `$1` is the first group. Slashes at the ends of a path do
 * not matter.
 */
const refusedText: readonly (readonly [RegExp, string])[] = [
  [/%/, ", a percent sign; write the decoded character instead"],
  [/[?#]/, ', which ends a path; remove it, or declare "query"'],
  [/\\/, ", a backslash; separate segments with / instead"],
  [/\p{Cc}/u, ", a control character; remove it"],
  [/\p{Surrogate}/u, ", a lone surrogate; remove it"],
  [/(?<=[^/])\/\/+(?=[^/])/, ", an empty segment; write one slash between segments"],
  [/(?<=^|\/)\.\.?(?=\/|$)/, ", a dot segment; write the path that it resolves to"],
  [
    /(?<=^|\/):(?![A-Za-z_]\w*(?:\/|$))[^/]*/,
    ", an invalid parameter; its name must have letters, digits and _ only, and not start with a digit",
  ],
  [
    /\{[^\w{}/]?([A-Za-z_]\w*)(?:[^\w{}/][^{}/]*)?\}/,
    ", which is not a parameter; write :$1",
  ],
];

/** Throws a `TypeError` if a path is invalid, declared or joined. `where` names it in the message. */
export function checkPath(path: unknown, where: string, what = "the path"): asserts path is string {
  checkRule(path, what, aPath, where);
  const text = path as string; // it was checked
  const refuse = (found: string, fix: string): never =>
    failAt(where, `${what} ${JSON.stringify(text)} contains ${JSON.stringify(found)}${fix}`);
  for (const [pattern, fix] of refusedText) {
    const found = pattern.exec(text);
    if (found) refuse(found[0], fix.replace("$1", `${found[1]}`));
  }
  const names = parameterNames(joinPath("", text)).sort(); // a regular expression would take quadratic time
  const repeated = names.find((name, index) => name === names[index + 1]);
  if (repeated) refuse(`:${repeated}`, " twice; rename one of the parameters");
}

const aPath: ValueRule = ['a string like "/users/:id"', (value) => typeof value === "string"];
