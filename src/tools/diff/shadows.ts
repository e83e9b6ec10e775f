/** Finds calls that a new route takes from an older one. */
import {
  isJsonObject,
  isSchemaObject,
  type JsonObject,
  type JsonSchemaObject,
  schemaList,
} from "../json_schema/json.ts";
import type { LocatedSchema } from "../json_schema/locate.ts";
import { normalize } from "../json_schema/normalize.ts";
import { leastDepth } from "../json_schema/sample_depth.ts";
import { memberSchemas, type ObjectShape } from "../json_schema/shapes.ts";
import type { ApiRoute } from "./api.ts";
import type { Change } from "./change.ts";
import { locateFor } from "./definitions.ts";
import { sendableValues, toLiveCheck } from "./witnesses.ts";
import { namesOf } from "./route_pairs.ts";
import { decodePercent } from "../json_schema/references.ts";
import { encodeSegment } from "../../path.ts";

/** The routes of both sides. A path leads to one of each. */
export interface BothRoutes {
  readonly before: PathIndex;
  readonly after: PathIndex;
}

/** The routes of an API, by method and then segment by segment. */
type PathIndex = ReadonlyMap<string, PathNode>;

interface PathNode {
  readonly routes: ApiRoute[];
  /** What follows a text, decoded. It takes precedence over a parameter. */
  readonly literals: Map<string, PathNode>;
  parameter: PathNode | undefined;
}

export function indexPaths(routes: readonly ApiRoute[]): PathIndex {
  const index = new Map<string, PathNode>();
  for (const route of routes) {
    let node = index.get(route.method) ?? createNode();
    index.set(route.method, node);
    for (const segment of segmentsOf(route)) {
      if (isParameter(segment)) node = node.parameter ??= createNode();
      else {
        const text = decodePercent(segment);
        const next = node.literals.get(text) ?? createNode();
        node.literals.set(text, next);
        node = next;
      }
    }
    node.routes.push(route);
  }
  return index;
}

function createNode(): PathNode {
  return { routes: [], literals: new Map(), parameter: undefined };
}

/** Yields the routes that a path may lead to, the first match first. A segment that is `undefined` is any text. */
function* findRoutes(root: PathNode, segments: readonly (string | undefined)[]): Generator<ApiRoute> {
  const open = [{ node: root, at: 0 }]; // the last one is the next; no recursion, since a path may have any length
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, at } = next;
    if (at === segments.length) {
      yield* node.routes;
      continue;
    }
    const segment = segments[at];
    const literals = segment === undefined ? [...node.literals.values()].reverse() : [node.literals.get(segment)];
    for (const each of [segment === "" ? undefined : node.parameter, ...literals]) {
      if (each) open.push({ node: each, at: at + 1 });
    }
  }
}

const mostCalls = 100;

export function findShadowed(added: ApiRoute, routes: BothRoutes): Change[] {
  const older = routes.before.get(added.method);
  const segments = segmentsOf(added).map((segment) => isParameter(segment) ? undefined : decodePercent(segment));
  return older ? [...findRoutes(older, segments)].flatMap((route) => findShadowedOf(route, added, routes)) : [];
}

function findShadowedOf(route: ApiRoute, added: ApiRoute, routes: BothRoutes): Change[] {
  const literals = literalsFor(route, added);
  if (!literals) return [];
  const sender = locateFor("sender", withLiterals(route, literals));
  const calls = [...listCalls(route, sender)];
  const takes = createParamsTest(route, sender, literals);
  const isTaken = (path: string) =>
    findRoute(routes.before, route.method, path) === route && findRoute(routes.after, route.method, path) === added;
  const taken = calls.find((call) => takes(call.params) && isTaken(call.path));
  const common = { rule: "route-shadows", route: route.key, where: "" } as const;
  if (taken) {
    const message = `${taken.path} goes to ${added.key} now`;
    return [{ verdict: "breaking", ...common, message, witness: taken.path }];
  }
  const isOnlyCall = literals.size === namesOf(route).length;
  const isProven = isOnlyCall && calls.every(({ params }) => takes(params) !== undefined);
  if (isProven || leastDepth([sender]) === undefined) return [];
  return [{ verdict: "unproven", ...common, message: `calls may go to ${added.key} now; none was found that does` }];
}

/** Returns a test of whether a route accepts parameters. It returns `undefined` if that cannot be decided. */
function createParamsTest(
  { params: { problem, live } }: ApiRoute,
  sender: LocatedSchema,
  literals: Literals,
): (params: JsonObject) => boolean | undefined {
  if (live) {
    const check = toLiveCheck(live);
    return (params) => {
      const issues = check(params);
      return issues && issues.length === 0;
    };
  }
  const isKnown = problem === undefined && !hasFormats(sender, literals);
  return () => isKnown || undefined;
}

type Literals = ReadonlyMap<string, string>;

/**
 * Returns the texts of an older route's parameters where a newer route has literals, by name; `undefined` if a path
 * cannot lead from one to the other. Literals take precedence over parameters, from left to right.
 */
function literalsFor(route: ApiRoute, added: ApiRoute): Literals | undefined {
  const [own, other] = [segmentsOf(route), segmentsOf(added)];
  const pairs = own.map((segment, index) => [segment, other[index] ?? ""] as const);
  const differing = pairs.filter(([segment, beside]) => !(isParameter(segment) && isParameter(beside)))
    .filter(([segment, beside]) => segment !== beside);
  const [first] = differing;
  if (!first || !isParameter(first[0])) return undefined;
  if (differing.some(([segment, beside]) => !isParameter(segment) && !isParameter(beside))) return undefined;
  if (differing.some(([, beside]) => beside === "")) return undefined; // a trailing slash is not the value of a parameter
  return new Map(
    differing.filter(([segment]) => isParameter(segment))
      .map(([segment, beside]) => [segment.slice(1, -1), decodePercent(beside)]),
  );
}

function segmentsOf({ path }: ApiRoute): string[] {
  return path.split("/").slice(1);
}

function isParameter(segment: string): boolean {
  return segment.startsWith("{") && segment.endsWith("}");
}

/** Returns the schema of a route's parameters with fixed values for some: a text, or the number that it represents. */
function withLiterals(route: ApiRoute, literals: Literals): JsonSchemaObject {
  const { schema } = route.params;
  const own = isSchemaObject(schema) ? schema : {};
  const properties = Object.fromEntries(
    [...literals].map((
      [name, text],
    ) => [name, { enum: String(Number(text)) === text ? [text, Number(text)] : [text] }]),
  );
  return { ...own, allOf: [...schemaList(own.allOf), { type: "object", properties, required: namesOf(route) }] };
}

/** Tests whether the schemas of some members have a format, which JSON Schema does not validate. */
function hasFormats(sender: LocatedSchema, members: Literals): boolean {
  const shapes = normalize([sender]).filter((shape): shape is ObjectShape => shape.type === "object");
  const parts = shapes.flatMap((shape) => [...members.keys()].map((name) => memberSchemas(shape, name)));
  return parts.flatMap(normalize).some((part) => part.type === "string" && part.formats.length > 0);
}

function* listCalls(
  route: ApiRoute,
  sender: LocatedSchema,
): Iterable<{ readonly path: string; readonly params: JsonObject }> {
  for (const value of sendableValues(sender, mostCalls)) {
    if (!isJsonObject(value)) continue;
    const path = segmentsOf(route).map((segment) => {
      if (!isParameter(segment)) return segment;
      const { [segment.slice(1, -1)]: own = "" } = value;
      return encodeSegment(typeof own === "object" ? "" : String(own)); // undefined if a path cannot contain it
    });
    if (!path.includes(undefined)) yield { path: `/${path.join("/")}`, params: value };
  }
}

function findRoute(routes: PathIndex, method: string, path: string): ApiRoute | undefined {
  const node = routes.get(method);
  return node && findRoutes(node, path.split("/").slice(1).map(decodePercent)).next().value;
}
