import { type RouteNode } from "../contract/node.ts";
import { parsePath } from "../path.ts";
import { decodeSegment, normalizePathname } from "../wire/pathname.ts";
import { createProblem } from "../wire/problem.ts";
import { setOwn } from "../wire/text_fields.ts";
import { Refusal, refuse } from "./refusal.ts";

/** Routes laid out segment by segment: a place that a path's segments lead to. */
export interface Branch<Target> {
  /** The text of its own segment; of a parameter, nothing. */
  readonly text: string;
  /** Where literal segments lead. */
  readonly literals: Branch<Target>[];
  /** The same by their text, for a place with many of them. */
  literalsByText: Map<string, Branch<Target>> | undefined;
  /** Where any other segment leads. */
  parameter: Branch<Target> | undefined;
  /** The routes whose path ends here, one a method. A list: of these few, a scan finds one in less time than a hash. */
  leaves: readonly Leaf<Target>[];
}

/** A route, and the names of its path's parameters in their order. */
interface Leaf<Target> {
  readonly method: string;
  readonly target: Target;
  readonly names: readonly string[];
}

/** A matched route with its raw parameters. */
export interface Match<Target> {
  /** What was put into the table. */
  readonly target: Target;
  /** The decoded parameters by name. */
  readonly params: Readonly<Record<string, string>>;
}

/** Lays out routes for matching; `target` is what a match of a route gives. */
export function createRouteTable<Target>(
  entries: readonly { readonly node: RouteNode; readonly target: Target }[],
): Branch<Target> {
  const root = createBranch<Target>("");
  for (const { node, target } of entries) {
    let branch = root;
    let names: readonly string[] = [];
    for (const segment of parsePath(node.path)) {
      if ("literal" in segment) {
        branch = findLiteral(branch, segment.literal, 0) ?? addLiteral(branch, segment.literal);
      } else {
        names = [...names, segment.parameter];
        branch = branch.parameter ??= createBranch("");
      }
    }
    branch.leaves = [...branch.leaves, { method: node.method, target, names }]; // `push` would make room for 17
  }
  return root;
}

function addLiteral<Target>(branch: Branch<Target>, text: string): Branch<Target> {
  const literal = createBranch<Target>(text);
  branch.literals.push(literal);
  if (branch.literals.length > few) {
    branch.literalsByText ??= new Map(branch.literals.map((each) => [each.text, each]));
    branch.literalsByText.set(text, literal);
  }
  return literal;
}

function createBranch<Target>(text: string): Branch<Target> {
  return { text, literals: [], literalsByText: undefined, parameter: undefined, leaves: [] };
}

/**
 * The route of a method and a pathname, matched together: at each segment literal text wins over a parameter, with
 * backtracking.
 */
export function matchRoute<Target>(root: Branch<Target>, method: string, pathname: string): Match<Target> | Refusal {
  const path = normalizePathname(pathname === "/" ? "" : pathname);
  if (path === undefined) return refuse("invalid-path");
  const values: string[] = [];
  const leaf = findLeaf(root, path, 0, values, (branch) => leafOf(branch, method));
  return leaf ? { target: leaf.target, params: toRecord(leaf.names, values) } : refuseRoute(root, path);
}

/** HEAD is answered by the GET of a path that has no HEAD of its own (RFC 9110, section 9.3.2). */
function leafOf<Target>(branch: Branch<Target>, method: string): Leaf<Target> | undefined {
  for (const leaf of branch.leaves) if (leaf.method === method) return leaf;
  return method === "HEAD" ? leafOf(branch, "GET") : undefined;
}

/**
 * What `choose` makes of the first branch for which it makes anything, among those that have the path from `slash` on. Each
 * branch is followed at most once, so the cost is at most the table's, and nothing is read of the path beyond its depth.
 */
function findLeaf<Target, Chosen>(
  branch: Branch<Target>,
  path: string,
  slash: number,
  values: string[],
  choose: (branch: Branch<Target>) => Chosen | undefined,
): Chosen | undefined {
  if (slash === path.length) return choose(branch);
  const start = slash + 1;
  const literal = findLiteral(branch, path, start);
  const found = literal && findLeaf(literal, path, start + literal.text.length, values, choose);
  if (found !== undefined || !branch.parameter) return found;
  const end = segmentEnd(path, start);
  if (end === start) return undefined;
  values.push(decodeSegment(path.slice(start, end)));
  const below = findLeaf(branch.parameter, path, end, values, choose);
  if (below === undefined) values.pop();
  return below;
}

/** Up to this many literals are compared where they stand (10 ns each); more are looked up (70 ns, for a slice and its hash). */
const few = 8;

function findLiteral<Target>(
  { literals, literalsByText }: Branch<Target>,
  path: string,
  start: number,
): Branch<Target> | undefined {
  if (literalsByText) return literalsByText.get(path.slice(start, segmentEnd(path, start)));
  for (const literal of literals) if (isSegmentAt(path, start, literal.text)) return literal;
  return undefined;
}

function isSegmentAt(path: string, start: number, text: string): boolean {
  const end = start + text.length;
  if (end !== path.length && path.charCodeAt(end) !== slashCode) return false;
  for (let index = 0; index < text.length; index++) {
    if (path.charCodeAt(start + index) !== text.charCodeAt(index)) return false;
  }
  return true;
}

const slashCode = "/".charCodeAt(0);

function segmentEnd(path: string, start: number): number {
  const slash = path.indexOf("/", start);
  return slash === -1 ? path.length : slash;
}

/** 405 where other methods have the path, with all of them in Allow (RFC 9110, section 15.5.6); else 404. */
function refuseRoute<Target>(root: Branch<Target>, path: string): Refusal {
  const methods = new Set<string>();
  findLeaf(root, path, 0, [], (branch) => {
    for (const { method } of branch.leaves) methods.add(method);
    return undefined;
  });
  if (methods.size === 0) return refuse("not-found");
  return new Refusal(createProblem("method-not-allowed"), { allow: [...methods].join(", ") });
}

function toRecord(names: readonly string[], values: readonly string[]): Record<string, string> {
  const record: Record<string, string> = {};
  for (let index = 0; index < names.length; index++) setOwn(record, names[index]!, values[index]!);
  return record;
}
