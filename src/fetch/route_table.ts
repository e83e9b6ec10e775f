import { type RouteNode } from "../contract/node.ts";
import { parsePath } from "../path.ts";
import { decodeSegment, normalizePathname } from "../wire/pathname.ts";
import { createProblem } from "../wire/problem.ts";
import { setOwn } from "../wire/text_fields.ts";
import { Refusal, refuse } from "./refusal.ts";
import { locatePath, originEnd, pathnameOf } from "./url.ts";

/** Routes laid out for matching. */
export interface RouteTable<Target> {
  /** Where the first segment is looked for. */
  readonly root: Branch<Target>;
  /**
   * Where paths without parameters lead, at the length of their text: it saves their requests 0.15 µs. Of a length that too many
   * have there are none.
   */
  readonly staticPaths: readonly (readonly StaticPath<Target>[] | undefined)[];
}

/** A path without parameters, and where it leads. */
interface StaticPath<Target> {
  readonly path: string;
  readonly branch: Branch<Target>;
}

/** Routes laid out segment by segment: a place that a path's segments lead to. */
interface Branch<Target> {
  /** The text of its own segment; of a parameter, nothing. */
  readonly text: string;
  /** Where literal segments lead, the first few of them. */
  literals: readonly Branch<Target>[];
  /** Where all of them lead by their text, for a place with more. */
  literalsByText: Map<string, Branch<Target>> | undefined;
  /** Where any other segment leads. */
  parameter: Branch<Target> | undefined;
  /** The routes whose path ends here, one a method. A list: of these few, a scan finds one in less time than a hash. */
  leaves: readonly Leaf<Target>[];
  /** What is answered where no other place has the path, and none of these the method; made when it is first asked for. */
  refusal: Refusal | undefined;
}

/** A matched route with its raw parameters. */
export interface Match<Target> {
  /** What was put into the table. */
  readonly target: Target;
  /** The decoded parameters by name. */
  readonly params: Readonly<Record<string, string>>;
}

/** A route, and the names of its path's parameters in their order. It is its own match, where it has none. */
interface Leaf<Target> extends Match<Target> {
  readonly method: string;
  readonly names: readonly string[];
}

/** Lays out routes for matching; `target` is what a match of a route gives. */
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
        branch = literalOf(branch, segment.literal) ?? addLiteral(branch, segment.literal);
      } else {
        names = [...names, segment.parameter];
        branch = branch.parameter ??= createBranch("");
      }
    }
    const isStatic = branch.leaves.length === 0 && names.length === 0 && !node.path.endsWith(" "); // which a URL would remove
    if (isStatic) (staticPaths[node.path.length] ??= []).push({ path: node.path, branch });
    branch.leaves = [...branch.leaves, { method: node.method, target, names, params: noParams }]; // `push` would make room for 17
  }
  return { root, staticPaths: Array.from(staticPaths, (same) => same && same.length <= few ? same : undefined) };
}

function literalOf<Target>({ literals, literalsByText }: Branch<Target>, text: string): Branch<Target> | undefined {
  return literalsByText ? literalsByText.get(text) : literals.find((literal) => literal.text === text);
}

function addLiteral<Target>(branch: Branch<Target>, text: string): Branch<Target> {
  const literal = createBranch<Target>(text);
  if (branch.literalsByText) branch.literalsByText.set(text, literal);
  else {
    branch.literals = [...branch.literals, literal];
    if (branch.literals.length > few) branch.literalsByText = new Map(branch.literals.map((each) => [each.text, each]));
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
 * The route of a method and a URL's pathname, matched together: at each segment literal text wins over a parameter, with
 * backtracking.
 */
export function matchRoute<Target>(
  { root, staticPaths }: RouteTable<Target>,
  method: string,
  url: string,
): Match<Target> | Refusal {
  const start = originEnd(url);
  if (start === undefined) return refuse("invalid-path");
  const found = findStaticPath(staticPaths[url.length - start], url, start);
  return found && leafOf(found.branch, method) || searchRoute(root, method, url, start);
}

/** The path without parameters that is the rest of a URL. */
function findStaticPath<Target>(
  staticPaths: readonly StaticPath<Target>[] | undefined,
  url: string,
  start: number,
): StaticPath<Target> | undefined {
  if (staticPaths) { for (const each of staticPaths) if (isTextAt(url, start, each.path)) return each; }
  return undefined;
}

/** The route of a path that may have parameters, or a query behind it. */
function searchRoute<Target>(
  root: Branch<Target>,
  method: string,
  url: string,
  start: number,
): Match<Target> | Refusal {
  const search = toSearch<Target>(method, url, start);
  if (search === undefined) return refuse("invalid-path");
  return findMatch(root, search.start, undefined, search) ?? refuseSearch(search);
}

/**
 * What is looked for: a path within a text, and a method. Most paths are read where they stand in the URL: a slice costs 20 ns, and as
 * much again where it is read.
 */
interface Search<Target> {
  readonly method: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether the path's segments are yet to be decoded. */
  readonly isEscaped: boolean;
  /** The places found so far that have the path, but not the method. */
  refused: Branch<Target>[] | undefined;
}

/** The search for a URL's path, in the spelling that all equal ones share; `undefined` for a malformed one. */
function toSearch<Target>(method: string, url: string, start: number): Search<Target> | undefined {
  const { end, isEscaped, isNormal } = locatePath(url, start);
  if (isNormal && !isEscaped) {
    return { method, text: url, start: end - start === 1 ? end : start, end, isEscaped, refused: undefined };
  }
  const text = normalizePathname(isNormal ? url.slice(start, end) : pathnameOf(url));
  if (text === undefined) return undefined;
  return { method, text, start: text === "/" ? 1 : 0, end: text.length, isEscaped: true, refused: undefined };
}

/** A path, and where it ends in its text. */
type PathText = Pick<Search<unknown>, "text" | "end">;

/** The decoded segments that stand for parameters, the last one first. */
interface Values {
  readonly text: string;
  readonly before: Values | undefined;
}

/** The match of a place that has the path, where it has the method. */
function toMatch<Target>(
  branch: Branch<Target>,
  values: Values | undefined,
  search: Search<Target>,
): Match<Target> | undefined {
  const leaf = leafOf(branch, search.method);
  if (leaf) return { target: leaf.target, params: toRecord(leaf.names, values) };
  if (branch.leaves.length > 0) (search.refused ??= []).push(branch);
  return undefined;
}

/** HEAD is answered by the GET of a path that has no HEAD of its own (RFC 9110, section 9.3.2). */
function leafOf<Target>(branch: Branch<Target>, method: string): Leaf<Target> | undefined {
  for (const leaf of branch.leaves) if (leaf.method === method) return leaf;
  return method === "HEAD" ? leafOf(branch, "GET") : undefined;
}

/**
 * The first match among the places that have the path from `slash` on. Each branch is followed at most once, so the cost is at most
 * the table's, and nothing is read of the path beyond its depth.
 */
function findMatch<Target>(
  branch: Branch<Target>,
  slash: number,
  values: Values | undefined,
  search: Search<Target>,
): Match<Target> | undefined {
  if (slash === search.end) return toMatch(branch, values, search);
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

/** Up to this many literals are compared where they stand (10 ns each); more are looked up (70 ns, for a slice and its hash). */
const few = 8;

function findLiteral<Target>(
  { literals, literalsByText }: Branch<Target>,
  path: PathText,
  start: number,
): Branch<Target> | undefined {
  if (literalsByText) return literalsByText.get(path.text.slice(start, segmentEnd(path, start)));
  for (const literal of literals) if (isSegmentAt(path, start, literal.text)) return literal;
  return undefined;
}

function isSegmentAt({ text: path, end: pathEnd }: PathText, start: number, text: string): boolean {
  const end = start + text.length;
  if (end !== pathEnd && (end > pathEnd || path.charCodeAt(end) !== slashCode)) return false;
  return isTextAt(path, start, text);
}

function isTextAt(whole: string, start: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (whole.charCodeAt(start + index) !== text.charCodeAt(index)) return false;
  }
  return true;
}

const slashCode = "/".charCodeAt(0);

/** Where a segment ends. Character by character: a search of the text would go through what follows the path. */
function segmentEnd({ text, end }: PathText, start: number): number {
  let index = start;
  while (index < end && text.charCodeAt(index) !== slashCode) index++;
  return index;
}

/** 405 where other methods have the path, with all of them in Allow (RFC 9110, section 15.5.6); else 404. */
function refuseSearch<Target>({ refused }: Search<Target>): Refusal {
  if (!refused) return notFound;
  return refused.length === 1 ? refused[0]!.refusal ??= refuseMethod(refused) : refuseMethod(refused);
}

/** The methods of a URL's path; none where no route has the path. */
export function listMethods<Target>({ root }: RouteTable<Target>, url: string): readonly string[] {
  const start = originEnd(url);
  const search = start === undefined ? undefined : toSearch<Target>(noMethod, url, start);
  if (search === undefined) return none;
  findMatch(root, search.start, undefined, search);
  return methodsOf(search.refused ?? none);
}

/** What no route has as its method. */
const noMethod = "";

function methodsOf(places: readonly Branch<unknown>[]): string[] {
  return [...new Set(places.flatMap(({ leaves }) => leaves.map(({ method }) => method)))];
}

function refuseMethod(places: readonly Branch<unknown>[]): Refusal {
  const allow = methodsOf(places).join(", ");
  const made = byAllow.get(allow) ?? new Refusal(createProblem("method-not-allowed"), { allow });
  byAllow.set(allow, made);
  return made;
}

/** The refusals of methods: as many as there are combinations of them in a program's routes. */
const byAllow = new Map<string, Refusal>();

function toRecord(names: readonly string[], values: Values | undefined): Record<string, string> {
  const record: Record<string, string> = {};
  addValues(record, names, values);
  return record;
}

/** Adds values by name, the first of the path first, and gives their number. */
function addValues(record: Record<string, string>, names: readonly string[], values: Values | undefined): number {
  if (!values) return 0;
  const index = addValues(record, names, values.before);
  setOwn(record, names[index]!, values.text);
  return index + 1;
}
