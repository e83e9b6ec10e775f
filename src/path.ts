/**
 * The grammar of a declared path: segments between slashes, each literal text or a `:name` parameter. Every function here
 * has a type beside it that does the same to literal types.
 */

/** One segment of a declared path: text to be matched as it stands, or the name of a parameter. */
export type Segment = { readonly literal: string } | { readonly parameter: string };

/** Joins two paths: slashes at either end of a part do not matter, `/` and `""` add nothing. */
export function joinPath(base: string, path: string): string {
  return `/${[trimSlashes(base), trimSlashes(path)].filter((part) => part !== "").join("/")}`;
}

/** {@linkcode joinPath} on literal types. */
export type JoinPath<Base extends string, Path extends string> = JoinTrimmed<TrimSlashes<Base>, TrimSlashes<Path>>;

/** {@linkcode JoinPath} of parts without slashes at their ends. */
export type JoinTrimmed<Base extends string, Path extends string> = Base extends "" ? `/${Path}`
  : Path extends "" ? `/${Base}`
  : `/${Base}/${Path}`;

function trimSlashes(path: string): string {
  let start = 0;
  let end = path.length;
  while (start < end && path[start] === "/") start++;
  while (end > start && path[end - 1] === "/") end--;
  return path.slice(start, end);
}

/** A path without slashes at its ends. */
export type TrimSlashes<Path extends string> = Path extends `/${infer Rest}` ? TrimSlashes<Rest>
  : Path extends `${infer Rest}/` ? TrimSlashes<Rest>
  : Path;

/** The segments of a path that {@linkcode joinPath} gave. */
export function parsePath(path: string): Segment[] {
  if (path === "/") return [];
  return path.slice(1).split("/").map((segment) =>
    segment.startsWith(":") ? { parameter: segment.slice(1) } : { literal: segment }
  );
}

/** The names of the parameters of a path, in their order. */
export function parameterNames(path: string): string[] {
  return parsePath(path).flatMap((segment) => "parameter" in segment ? [segment.parameter] : []);
}

/** {@linkcode parameterNames} on literal types, as a union. */
export type ParameterName<Path extends string> = string extends Path ? string
  : Path extends `${infer Segment}/${infer Rest}` ? SegmentParameter<Segment> | ParameterName<Rest>
  : SegmentParameter<Path>;

/** The parameter that one segment is, if it is one. */
export type SegmentParameter<Segment extends string> = Segment extends `:${infer Name}` ? Name : never;

/** What no path may contain, and what to do instead. */
const refusedText: readonly (readonly [RegExp, string])[] = [
  [/%/, "it contains a percent sign; write the decoded character instead"],
  [/[?#]/, "it contains ? or #; declare what follows in the query slot instead"],
  [/\\/, "it contains a backslash; separate segments with / instead"],
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  [/[\u0000-\u001f\u007f-\u009f]/, "it contains a control character; leave it out"],
  [/\p{Surrogate}/u, "it contains half of a surrogate pair, which no URL can carry; leave it out"],
];

/** Throws a `TypeError` that says what is wrong with a path as a user wrote it; `where` says what the path is of. */
export function checkPath(path: unknown, where: string): asserts path is string {
  if (typeof path !== "string") {
    throw new TypeError(`Cannot declare ${where}: its path is no string; write one like "/users/:id"`);
  }
  const trimmed = trimSlashes(path);
  const segments = trimmed === "" ? [] : trimmed.split("/");
  const state = refusedText.find(([pattern]) => pattern.test(path))?.[1] ??
    segments.map(refuseSegment).find((refused) => refused !== undefined) ?? refuseRepetition(segments);
  if (state !== undefined) throw new TypeError(`Cannot declare ${where} ${JSON.stringify(path)}: ${state}`);
}

function refuseSegment(segment: string): string | undefined {
  if (segment === "") return "it has an empty segment; write one slash between segments";
  if (segment === "." || segment === "..") {
    return `it has the dot segment ${JSON.stringify(segment)}, which URLs resolve away; write the path it leads to`;
  }
  if (segment.startsWith(":") && !/^:[A-Za-z_][A-Za-z0-9_]*$/.test(segment)) {
    return `${
      JSON.stringify(segment)
    } is no parameter; write : and a name of letters, digits and _ that begins with no digit`;
  }
}

/** What is wrong with segments that name one parameter twice. */
export function refuseRepetition(segments: readonly string[]): string | undefined {
  const repeated = segments.find((segment, index) => segment.startsWith(":") && segments.indexOf(segment) !== index);
  return repeated && `it names the parameter ${repeated} twice; give each a name of its own`;
}
