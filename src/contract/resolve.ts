import { isMarked, markAs, type Marked } from "../mark.ts";
import { joinPath, refuseRepetition } from "../path.ts";
import { mapObject } from "./declared.ts";
import { type Docs, inheritDocs } from "./docs.ts";
import { type Place, type RouteNode, type RouterNode } from "./node.ts";
import { type RouteDeclaration } from "./route.ts";
import { type RouterDeclaration } from "./router.ts";

/** Where a declaration stands, and what it inherits there. */
export interface DeclarationPlace extends Place {
  /** The docs from above. */
  readonly docs: Docs;
}

type Entries = Readonly<Record<string, unknown>>;

/** The nodes of declared routes in their place, or a `TypeError` that says why they can't stand there; `where` says what is declared. */
export function resolveRoutes(routes: Entries, here: DeclarationPlace, where: string): RouterNode {
  const nodes: RouteNode[] = [];
  try {
    const tree = resolveTree(routes, here, nodes);
    refuseDuplicates(nodes);
    return tree;
  } catch (error) {
    throw error instanceof Refused ? new TypeError(`Cannot declare ${where}: ${error.message}`) : error;
  }
}

/** Why a tree can't be; becomes a `TypeError` that also says what was declared. */
class Refused extends Error {}

function resolveTree(routes: Entries, here: DeclarationPlace, nodes: RouteNode[]): RouterNode {
  if (Object.keys(routes).length === 0) throw new Refused(`${here.key || "it"} has no routes; declare at least one`);
  return markAs(
    "router",
    mapObject(routes, (declared, key): Marked => {
      const place = { ...here, key: here.key === "" ? key : `${here.key}.${key}` };
      if (isMarked(declared, "router declaration")) {
        const router = declared as RouterDeclaration;
        return resolveTree(router.routes, placeBelow(router, place), nodes);
      }
      if (!isMarked(declared, "route declaration")) throw new Refused(refuseEntry(place.key, declared));
      const node = resolveRoute(declared as RouteDeclaration, place);
      nodes.push(node);
      return node;
    }),
  );
}

function refuseEntry(key: string, entry: unknown): string {
  const found = entry === null ? "null" : Array.isArray(entry) ? "an array" : typeof entry;
  return `${key} is ${found}, neither a route nor a router; write route.get(…) or router(…)`;
}

function placeBelow({ path, responses, docs }: RouterDeclaration, place: DeclarationPlace): DeclarationPlace {
  return {
    key: place.key,
    path: joinPath(place.path, path),
    responses: { ...place.responses, ...responses },
    docs: inheritDocs(place.docs, docs),
  };
}

function resolveRoute(declared: RouteDeclaration, place: DeclarationPlace): RouteNode {
  const path = joinPath(place.path, declared.path);
  const repetition = refuseRepetition(path.split("/"));
  if (repetition !== undefined) throw new Refused(`the path ${JSON.stringify(path)} of ${place.key}: ${repetition}`);
  const { method, params, query, headers, body } = declared;
  const responses = Object.freeze({ ...place.responses, ...declared.responses });
  return markAs("route", {
    key: place.key,
    method,
    path,
    params,
    query,
    headers,
    body,
    responses,
    docs: inheritDocs(place.docs, declared.docs),
  });
}

/** Throws where two routes have one method and paths of one shape: parameter names tell no path from another. */
function refuseDuplicates(nodes: readonly RouteNode[]): void {
  const byShape = new Map<string, RouteNode>();
  for (const node of nodes) {
    const shape = `${node.method} ${node.path.replaceAll(/:[^/]+/g, ":")}`;
    const earlier = byShape.get(shape);
    if (earlier) {
      throw new Refused(
        `${earlier.key} and ${node.key} both answer ${node.method} ${
          JSON.stringify(node.path)
        }; change one's method or path`,
      );
    }
    byShape.set(shape, node);
  }
}
