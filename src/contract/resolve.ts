import { isMarked, markAs, type Marked } from "../mark.ts";
import { joinPath } from "../path.ts";
import { refuseRepetition } from "./check_path.ts";
import { cannotDeclare, mapObject } from "./declared.ts";
import { type Deprecated } from "./deprecation.ts";
import { type Docs, inheritDocs } from "./docs.ts";
import { type Place, type RouteNode, type RouterNode, sharedResponses } from "./node.ts";
import { type Responses } from "./response.ts";
import { mergeResponses } from "./responses.ts";
import { type RouteDeclaration } from "./route.ts";
import { type RouterDeclaration } from "./router_declaration.ts";
import { checkSecurity } from "./check_security.ts";

/** Where a declaration stands, and what it inherits there. */
export interface DeclarationPlace extends Place {
  /** What is declared above of deprecation. */
  readonly deprecated: Deprecated | undefined;
  /** The docs from above. */
  readonly docs: Docs;
}

type RouteEntries = Readonly<Record<string, unknown>>;

/** The nodes of declared routes in their place, or a `TypeError` that says why they can't stand there; `where` says what is declared. */
export function resolveRoutes(routes: RouteEntries, here: DeclarationPlace, where: string): RouterNode {
  const nodes: RouteNode[] = [];
  const tree = resolveTree(routes, here, { nodes, where });
  refuseDuplicates(nodes, where);
  checkSecurity(nodes, where);
  return tree;
}

/** What is being resolved, and the routes that were found so far. */
interface Resolution {
  readonly where: string;
  readonly nodes: RouteNode[];
}

function resolveTree(routes: RouteEntries, here: DeclarationPlace, resolution: Resolution): RouterNode {
  const { nodes, where } = resolution;
  if (Object.keys(routes).length === 0) cannotDeclare(where, `${here.key || "it"} has no routes; declare at least one`);
  const resolve = (declared: unknown, key: string): Marked => {
    const dotted = here.key === "" ? key : `${here.key}.${key}`;
    if (isMarked(declared, "router declaration")) {
      const router = declared as RouterDeclaration;
      return resolveTree(router.routes, placeBelow(router, here, dotted), resolution);
    }
    if (!isMarked(declared, "route declaration")) cannotDeclare(where, refuseEntry(dotted, declared));
    const node = resolveRoute(declared as RouteDeclaration, here, dotted, where);
    nodes.push(node);
    return node;
  };
  const tree: object = mapObject(routes, resolve);
  Object.defineProperty(tree, sharedResponses, { value: here.responses });
  return markAs("router", tree as RouterNode); // which has both private properties now
}

function refuseEntry(key: string, entry: unknown): string {
  const found = entry === null ? "null" : Array.isArray(entry) ? "an array" : typeof entry;
  return `${key} is neither a route nor a router but ${found}; write route.get(…) or router(…)`;
}

function placeBelow(
  { path, responses, security, deprecated, docs }: RouterDeclaration,
  here: DeclarationPlace,
  key: string,
): DeclarationPlace {
  return {
    key,
    path: joinPath(here.path, path),
    responses: inheritResponses(here.responses, responses),
    security: security ?? here.security,
    deprecated: deprecated ?? here.deprecated,
    docs: inheritDocs(here.docs, docs),
  };
}

function resolveRoute(declared: RouteDeclaration, here: DeclarationPlace, key: string, where: string): RouteNode {
  const path = joinPath(here.path, declared.path);
  // its own path was looked through where it was declared
  const repetition = here.path.includes(":") ? refuseRepetition(path.split("/")) : undefined;
  if (repetition !== undefined) cannotDeclare(where, `the path ${JSON.stringify(path)} of ${key}: ${repetition}`);
  const { method, params, query, headers, body } = declared;
  const node: RouteNode = markAs("route", {
    key,
    method,
    path,
    params,
    query,
    headers,
    body,
    responses: inheritResponses(here.responses, declared.responses),
    security: declared.security ?? here.security,
    deprecated: declared.deprecated ?? here.deprecated,
    docs: inheritDocs(here.docs, declared.docs),
  });
  return node;
}

/** Responses from above and nearer ones, which win. */
function inheritResponses(above: Responses, nearer: Responses): Responses {
  return Object.keys(above).length === 0 ? nearer : mergeResponses(nearer, above);
}

/** Refuses two routes with one method and paths of one shape: parameter names tell no path from another. */
function refuseDuplicates(nodes: readonly RouteNode[], where: string): void {
  const byShape = new Map<string, RouteNode>();
  for (const node of nodes) {
    const { key, method, path } = node;
    const shape = `${method} ${path.replaceAll(/\/:[^/]+/g, "/:")}`;
    const earlier = byShape.get(shape);
    if (earlier) {
      const paths = [...new Set([earlier.path, path])].map((each) => JSON.stringify(each)).join(" and ");
      cannotDeclare(where, `${earlier.key} and ${key} both answer ${method} ${paths}; change one's method or path`);
    }
    byShape.set(shape, node);
  }
}
