import { isMarked, markAs, type Marked } from "../mark.ts";
import { joinPath } from "../path.ts";
import { checkPath } from "./check_path.ts";
import { cannotDeclare, describeDeclared, mapObject } from "./declared.ts";
import { type RouteNode, type RouterNode, sharedResponses } from "./node.ts";
import { mergeResponses } from "./responses.ts";
import { type RouteDeclaration } from "./route.ts";
import { type RouterDeclaration } from "./router_declaration.ts";
import { checkSecurity } from "./check_security.ts";
import { type Inherited } from "./shared_options.ts";
import { inheritDocs } from "./docs.ts";

/** The place of a declaration, with what it inherits there. */
export interface DeclarationPlace extends Inherited {
  readonly key: string;
  /** The path of the parent. */
  readonly path: string;
}

type RouteEntries = Readonly<Record<string, unknown>>;

/**
 * Resolves declared routes to nodes. Throws a `TypeError` if they do not fit together. `where` names the declaration.
 */
export function resolveRoutes(routes: RouteEntries, here: DeclarationPlace, where: string): RouterNode {
  const nodes: RouteNode[] = [];
  const tree = resolveTree(routes, here, { nodes, where });
  refuseDuplicates(nodes, where);
  checkSecurity(nodes, where);
  return tree;
}

/** The declaration that is being resolved, and the routes found so far. */
interface Resolution {
  readonly where: string;
  readonly nodes: RouteNode[];
}

function resolveTree(routes: RouteEntries, here: DeclarationPlace, resolution: Resolution): RouterNode {
  const { nodes, where } = resolution;
  if (Object.keys(routes).length === 0) {
    cannotDeclare(where, `"routes"${here.key && ` of ${here.key}`} must have at least one route`);
  }
  const resolve = (declared: unknown, key: string): Marked => {
    const dotted = here.key === "" ? key : `${here.key}.${key}`;
    if (isMarked(declared, "router declaration")) {
      const router = declared as RouterDeclaration;
      return resolveTree(router.routes, placeBelow(router, here, dotted), resolution);
    }
    if (!isMarked(declared, "route declaration")) cannotDeclare(where, refuseEntry(dotted, declared));
    const route = declared as RouteDeclaration;
    const node = resolveRoute(route, placeBelow(route, here, dotted), where);
    nodes.push(node);
    return node;
  };
  const tree: object = mapObject(routes, resolve);
  Object.defineProperty(tree, sharedResponses, { value: here.responses });
  return markAs("router", tree as RouterNode); // it has both private properties now
}

function refuseEntry(key: string, entry: unknown): string {
  return `${key} must be a route or a router, got ${describeDeclared(entry)}; write route.get(…) or router(…)`;
}

/** The place of the declaration at a key, with what it inherits. */
function placeBelow(
  { path, responses, security, deprecated, docs }: RouteDeclaration | RouterDeclaration,
  here: DeclarationPlace,
  key: string,
): DeclarationPlace {
  const inheritsNone = Object.keys(here.responses).length === 0;
  return {
    key,
    path: joinPath(here.path, path),
    responses: inheritsNone ? responses : mergeResponses(responses, here.responses),
    security: security ?? here.security,
    deprecated: deprecated ?? here.deprecated,
    docs: inheritDocs(here.docs, docs),
  };
}

function resolveRoute(declared: RouteDeclaration, place: DeclarationPlace, where: string): RouteNode {
  const { method, params, query, headers, body } = declared;
  const { key, path, responses, security, deprecated, docs } = place; // a spread would take twice the time
  if (path !== declared.path) checkPath(path, where, `the path of ${key}`); // a joined path can contain the same parameter name twice
  return markAs("route", { key, method, path, params, query, headers, body, responses, security, deprecated, docs });
}

/**
 * Throws a `TypeError` if two routes have the same method and paths of the same shape. Parameter names do not
 * distinguish paths.
 */
function refuseDuplicates(nodes: readonly RouteNode[], where: string): void {
  const byShape = new Map<string, RouteNode>();
  for (const node of nodes) {
    const { key, method, path } = node;
    const shape = `${method} ${path.replaceAll(/\/:[^/]+/g, "/:")}`;
    const earlier = byShape.get(shape);
    if (earlier) {
      cannotDeclare(where, `${earlier.key} and ${key} both match ${method} ${path}; change the method or path of one`);
    }
    byShape.set(shape, node);
  }
}
