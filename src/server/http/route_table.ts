import type { RouteNode } from "../../contract/node.ts";
import { type AnyParams, decodeSegment, normalizePathname, parsePath } from "../../path.ts";
import { createProblem } from "../../wire/problem.ts";
import { setOwn } from "../../wire/text_fields.ts";
import type { RequestHeaders } from "../define/call.ts";
import { Refusal, refuse } from "./answer.ts";
import { locatePath, pathnameOf } from "./exchange.ts";

/**
 * The part of a request that decides whether a handler has a route for it. A `Request` has these members, and so has a
 * request of Node.
 */
export interface RouteQuestion {
  /** The method, in capitals. */
  readonly method: string;
  /** An absolute URL, or its path and query. */
  readonly url: string;
  /** The header fields, by lowercase name, which tell that an OPTIONS request is a CORS preflight. Default: none. */
  readonly headers?:
    | Pick<RequestHeaders, "get" | "has">
    | { readonly [name: string]: string | readonly string[] | undefined };
}

/** Routes in a tree for matching. */
export interface RouteTable<Target> {
  /** The targets of all routes. */
  readonly targets: readonly Target[];
  /** The branch of the first segment. */
  readonly root: Branch<Target>;
  /**
   * The paths without parameters, at the index of their length. If too many have the same length, none are listed
   * there.
   */
  readonly staticPaths: readonly (readonly StaticPath<Target>[] | undefined)[];
}

/** A path without parameters, and its end in the tree. */
interface StaticPath<Target> {
  readonly path: string;
  readonly branch: Branch<Target>;
}

/** A node of the tree: the end of a path, and the branches of its next segments. */
interface Branch<Target> {
  /** The literal text of its own segment. Empty for a parameter. */
  readonly text: string;
  /** The branches of literal segments, up to the first few. */
  literals: readonly Branch<Target>[];
  /** The branches of all literal segments by text, if there are more. */
  literalsByText: Map<string, Branch<Target>> | undefined;
  /** The branch of a parameter. */
  parameter: Branch<Target> | undefined;
  /** The routes whose path ends here, one per method. A list, because scanning so few is faster than a hash lookup. */
  leaves: readonly Leaf<Target>[];
  /** The refusal if no other branch has the path and no route here has the method. Created on demand. */
  refusal: Refusal | undefined;
}

/** A matched route with the parameters of its path. */
interface Match<Target> {
  /** The target of the route. */
  readonly target: Target;
  /** The parameters of the path by name, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
}

/** A route, with the names of its path's parameters in order. Without parameters, it is its own match. */
interface Leaf<Target> extends Match<Target> {
  readonly method: string;
  readonly names: readonly string[];
  /** Tests whether parameters have the text that is declared around them. Absent if none is. */
  readonly fits: NonNullable<AnyParams>["fitsPatterns"];
  /** How long the texts around parameters are. Leaves with more of it come first. */
  readonly patterns: number;
}

/** Creates the tree of routes. The target of an entry is that of its matches. */
export function createRouteTable<Target>(
  entries: readonly { readonly node: RouteNode; readonly target: Target }[],
): RouteTable<Target> {
  const root = createBranch<Target>("");
  const staticPaths: StaticPath<Target>[][] = [];
  for (const { node, target } of entries) {
    let branch = root;
    let names: readonly string[] = none;
    for (const segment of parsePath(node.path)) {
      if ("literal" in segment) {
        branch = toLiteral(branch, segment.literal);
      } else {
        names = [...names, segment.parameter];
        branch = branch.parameter ??= createBranch("");
      }
    }
    const isNewStaticPath = branch.leaves.length === 0 && names.length === 0 && !node.path.endsWith(" "); // a URL would remove the space
    if (isNewStaticPath) (staticPaths[node.path.length] ??= []).push({ path: node.path, branch });
    const { fitsPatterns: fits, pathPatterns = [] } = (node.params ?? {}) as NonNullable<AnyParams>;
    const patterns = [...pathPatterns.values()].join("").length;
    const leaf = { method: node.method, target, names, params: noParams, fits, patterns };
    branch.leaves = [...branch.leaves, leaf].sort((one, other) => other.patterns - one.patterns); // `push` would allocate 17 places
  }
  return {
    targets: entries.map(({ target }) => target),
    root,
    staticPaths: Array.from(staticPaths, (same) => same && same.length <= few ? same : undefined),
  };
}

/** Returns the branch of a literal segment, which it adds if there is none. */
function toLiteral<Target>(branch: Branch<Target>, text: string): Branch<Target> {
  const { literals, literalsByText } = branch;
  const known = literalsByText ? literalsByText.get(text) : literals.find((each) => each.text === text);
  if (known) return known;
  const literal = createBranch<Target>(text);
  if (literalsByText) literalsByText.set(text, literal);
  else {
    branch.literals = [...literals, literal];
    if (literals.length === few) branch.literalsByText = new Map(branch.literals.map((each) => [each.text, each]));
  }
  return literal;
}

function createBranch<Target>(text: string): Branch<Target> {
  return { text, literals: none, literalsByText: undefined, parameter: undefined, leaves: none, refusal: undefined };
}

const notFound = /* @__PURE__ */ refuse("not-found");
const none: readonly never[] = [];
const noParams = Object.freeze({});

/**
 * Finds the route of a method and a URL's pathname, matched together. At each segment, literal text wins over a
 * parameter, with backtracking. `start` is the index of the path, or `undefined` if the URL is malformed.
 */
export function matchRoute<Target>(
  { root, staticPaths }: RouteTable<Target>,
  method: string,
  url: string,
  start: number | undefined,
): Match<Target> | Refusal {
  for (const { path, branch } of staticPaths[url.length - start!] ?? none) {
    const leaf = isTextAt(url, start!, path) ? leafOf(branch, method) : undefined;
    if (leaf) return leaf;
  }
  const search = start === undefined ? undefined : toSearch<Target>(method, url, start);
  if (search === undefined) return refuse("invalid-path");
  return findMatch(root, search.start, undefined, search) ?? refuseSearch(search);
}

/**
 * The state of a search: a path within a text, and a method. Most paths are read in place in the URL, because a slice
 * costs as much as reading it.
 */
interface RouteSearch<Target> {
  readonly method: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether the path's segments must be percent-decoded. */
  readonly isEscaped: boolean;
  /** The branches found so far that have the path, but not the method. */
  refused: Branch<Target>[] | undefined;
}

/** Creates the search for a URL's path, in normalized form. `undefined` if the path is malformed. */
function toSearch<Target>(method: string, url: string, start: number): RouteSearch<Target> | undefined {
  const { end, isEscaped, isNormal } = locatePath(url, start);
  if (isNormal && !isEscaped) {
    const isRoot = end - start === 1; // it has no segments
    return { method, text: url, start: isRoot ? end : start, end, isEscaped, refused: undefined };
  }
  const text = normalizePathname(isNormal ? url.slice(start, end) : pathnameOf(url));
  if (text === undefined) return undefined;
  return { method, text, start: text === "/" ? 1 : 0, end: text.length, isEscaped: true, refused: undefined };
}

/** A path, and its end within a text. */
type PathText = Pick<RouteSearch<unknown>, "text" | "end">;

/** The decoded values of the parameters, the last one first. */
interface DecodedValues {
  readonly text: string;
  readonly before: DecodedValues | undefined;
}

/**
 * Returns the route of a method, or of any. A GET route answers HEAD if the path has no HEAD route (RFC 9110, section
 * 9.3.2).
 */
function leafOf<Target>(branch: Branch<Target>, method?: string, values?: DecodedValues): Leaf<Target> | undefined {
  for (const leaf of branch.leaves) {
    const { fits, names } = leaf;
    if (method !== undefined && leaf.method !== method) continue;
    if (fits === undefined || fits(toRecord(names, values!))) return leaf; // there are parameters
  }
  return method === "HEAD" ? leafOf(branch, "GET", values) : undefined;
}

/**
 * Finds the first match among the branches that have the path from `slash` on. It follows each branch at most once, so
 * the cost is at most the size of the tree. It reads nothing of the path beyond the tree's depth.
 */
function findMatch<Target>(
  branch: Branch<Target>,
  slash: number,
  values: DecodedValues | undefined,
  search: RouteSearch<Target>,
): Match<Target> | undefined {
  if (slash === search.end) {
    const leaf = leafOf(branch, search.method, values);
    if (leaf) return values ? { target: leaf.target, params: toRecord(leaf.names, values) } : leaf;
    if (leafOf(branch, undefined, values)) (search.refused ??= []).push(branch);
    return undefined;
  }
  const start = slash + 1;
  const literal = findLiteral(branch, search, start);
  const match = literal && findMatch(literal, start + literal.text.length, values, search);
  if (match || !branch.parameter) return match;
  const end = segmentEnd(search, start);
  if (end === start) return undefined;
  const segment = search.text.slice(start, end);
  const text = search.isEscaped ? decodeSegment(segment) : segment;
  return findMatch(branch.parameter, end, { text, before: values }, search);
}

/**
 * Up to this many literals are compared in place. More are looked up by text, which costs a slice and its hash.
 */
const few = 8;

function findLiteral<Target>(
  { literals, literalsByText }: Branch<Target>,
  path: PathText,
  start: number,
): Branch<Target> | undefined {
  if (literalsByText) return literalsByText.get(path.text.slice(start, segmentEnd(path, start)));
  for (const literal of literals) {
    const end = start + literal.text.length;
    const isEnd = end === path.end || (end < path.end && path.text.charCodeAt(end) === slashCode);
    if (isEnd && isTextAt(path.text, start, literal.text)) return literal;
  }
  return undefined;
}

function isTextAt(whole: string, start: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (whole.charCodeAt(start + index) !== text.charCodeAt(index)) return false;
  }
  return true;
}

const slashCode = 47;

/**
 * Returns the end of a segment. It scans character by character, because a text search would also scan what follows the
 * path.
 */
function segmentEnd({ text, end }: PathText, start: number): number {
  let index = start;
  while (index < end && text.charCodeAt(index) !== slashCode) index++;
  return index;
}

/**
 * Returns 405 if routes with other methods have the path, with all of them in `allow` (RFC 9110, section 15.5.6).
 * Otherwise 404.
 */
function refuseSearch<Target>({ refused }: RouteSearch<Target>): Refusal {
  if (!refused) return notFound;
  const kept: Pick<Branch<Target>, "refusal"> = refused.length === 1 ? refused[0]! : { refusal: undefined };
  return kept.refusal ??= new Refusal(createProblem("method-not-allowed"), {
    allow: [...methodsOf(refused)].join(", "),
  });
}

/** Returns the methods of a URL's path. Empty if no route has the path. */
export function listMethods<Target>(
  table: RouteTable<Target>,
  url: string,
  start: number | undefined,
): readonly string[] {
  const { fields } = matchRoute(table, noMethod, url, start) as Refusal; // no route has the method
  return fields.allow?.split(", ") ?? none;
}

/**
 * Returns whether the path of a URL is spelled as its route declares it: it is in the form of a `URL`, and its literal
 * segments and the texts around its parameters have no needless escape. Other code in front of the routes sees the path
 * as it was sent.
 */
export function isSpelledAs({ path, params }: RouteNode, url: string, start: number | undefined): boolean {
  const { end, isEscaped, isNormal } = locatePath(url, start!);
  if (!isNormal || !isEscaped) return isNormal;
  const [, ...sent] = url.slice(start, end).split("/");
  const around: Record<string, string> = {};
  const needed = parsePath(pathnameOf(path)); // with the escapes that it cannot do without
  const areLiteralsAlike = needed.every((segment, at) => {
    if ("literal" in segment) return sent[at] === segment.literal;
    setOwn(around, segment.parameter, decodeNeeded(sent[at]!)); // the path has matched
    return true;
  });
  const { fitsPatterns } = (params ?? {}) as NonNullable<AnyParams>;
  return areLiteralsAlike && (fitsPatterns?.(around) ?? true);
}

/** Decodes the escapes that a segment needs, and leaves the others. */
function decodeNeeded(segment: string): string {
  return decodeURIComponent(segment.replaceAll(/%[\da-f]{2}/gi, (escape) => {
    const hex = escape.slice(1);
    return /[\w.~!$&'()*+,;=:@-]/.test(String.fromCharCode(parseInt(hex, 16))) ? `%25${hex}` : escape;
  }));
}

/** A method that no route has. */
const noMethod = "";

function methodsOf(places: readonly Branch<unknown>[]): Set<string> {
  return new Set(places.flatMap(({ leaves }) => leaves.map(({ method }) => method)));
}

/** Returns values by name, the first of the path first. */
function toRecord(names: readonly string[], { text, before }: DecodedValues, last = names.length - 1): Params {
  const record = before ? toRecord(names, before, last - 1) : {};
  const name = names[last]!; // a leaf has a name for each value
  if (name === "__proto__") setOwn(record, name, text);
  else record[name] = text;
  return record;
}

/** Values by name. */
type Params = Record<string, string>;
