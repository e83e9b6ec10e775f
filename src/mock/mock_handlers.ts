/** The handlers that the user passes to a mock, and the generated ones for all other routes. */
import { type NodeKey, type RouteNode } from "../contract/node.ts";
import { describeValue } from "../describe_value.ts";
import { isMarked } from "../mark.ts";
import { type Handler } from "../server/handler.ts";

/**
 * The callers of a mock, whose type is not known.
 *
 * @internal
 */
export type MockCallers = Readonly<Record<string, unknown>>;

/**
 * Handlers for some of the routes of a contract, under the same keys. The mock generates the responses of all other
 * routes.
 */
export type MockHandlers<Routes> = Routes extends RouteNode ? Handler<Routes, Record<never, never>, MockCallers>
  : NodeKey<Routes> extends infer Keys extends keyof Routes ? { readonly [Key in Keys]?: MockHandlers<Routes[Key]> }
  : never;

/**
 * The routes of a tree.
 *
 * @internal
 */
export type RoutesBelow<Node> = Node extends RouteNode ? Node
  : { [Key in NodeKey<Node>]: RoutesBelow<Node[Key]> }[NodeKey<Node>];

/** A declared status for some of the routes of a contract, by their dotted keys. */
export type MockStatuses<Routes> = {
  readonly [Route in RoutesBelow<Routes> as KeyOf<Route>]?: StatusOf<Route>;
};

/**
 * The dotted key of a route.
 *
 * @internal
 */
export type KeyOf<Route> = Route extends RouteNode ? Route["key"] : never;

/**
 * The statuses that a route declares.
 *
 * @internal
 */
export type StatusOf<Route> = Route extends RouteNode ? keyof Route["responses"] & number : never;

/** Creates the handler of a route from the user's handler, if there is one. */
export type ToHandler = (node: RouteNode, handler: object | undefined) => (input: object) => unknown;

/** Returns a tree of handlers for all routes below a node. */
export function completeHandlers(node: object, tree: unknown, toHandler: ToHandler, key = ""): object {
  if (isMarked(node, "route")) return toHandler(node as RouteNode, checkHandler(tree, key));
  const handlers = checkTree(tree, node, key);
  return Object.fromEntries(
    Object.entries(node).map(([name, below]) => [
      name,
      completeHandlers(below, Object.hasOwn(handlers, name) ? handlers[name] : undefined, toHandler, join(key, name)),
    ]),
  );
}

function join(key: string, name: string): string {
  return key === "" ? name : `${key}.${name}`;
}

function checkHandler(value: unknown, key: string): object | undefined {
  if (value === undefined || typeof value === "function") return value as object | undefined;
  throw new TypeError(`mockContract(): the handler of ${key} must be a function, got ${describeValue(value)}`);
}

function checkTree(value: unknown, node: object, key: string): Readonly<Record<string, unknown>> {
  if (value === undefined) return {};
  const place = key === "" ? '"handlers"' : `"handlers" of ${key}`;
  if (typeof value !== "object" || value === null) {
    throw new TypeError(`mockContract(): ${place} must be an object, got ${describeValue(value)}`);
  }
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(node, name));
  if (unknown === undefined) return value as Record<string, unknown>;
  throw new TypeError(
    `mockContract(): "handlers" has ${join(key, unknown)}, which is not in the contract; remove it`,
  );
}
