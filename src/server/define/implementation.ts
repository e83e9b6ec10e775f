/** Implementations: trees of handlers, how they are matched to the routes of a contract, and how one includes another. */
import type { Awaitable } from "../../awaitable.ts";
import type { Spread } from "../../contract/infer.ts";
import {
  type HandlerResponses,
  handlerResponses,
  isRouteNode,
  type NodeKey,
  type RouteKeyBelow,
  type RouteNode,
  type RouterMark,
  routesOf,
} from "../../contract/node.ts";
import type { Responses } from "../../contract/response.ts";
import { isMarked, isObject, markAs, type Marked } from "../../mark.ts";
import { describeValue } from "../../messages.ts";
import { failAt } from "../../options.ts";
import type { RouteInfo } from "./call.ts";
import type { AnyGuard, Handler, HandlerInput } from "./handler.ts";
import type { MiddlewareWithResponses } from "./middleware.ts";
import type { Refusing } from "./refuse.ts";
import type { ResultOf } from "./result.ts";
import type { Verifier } from "./verifier.ts";

/**
 * A contract with a handler for every route, which an adapter mounts. `Needs` are the properties that its context
 * factories, verifiers and guards need from the adapter's `contextInput`.
 */
export interface Implementation<Needs extends object = Record<never, never>> extends Marked<"implementation"> {
  /** The implemented node: the resolved routes of a contract, or one of them. */
  readonly "~node": unknown;
  /** Every route with its handler. */
  readonly "~endpoints": readonly Endpoint[];
  /** How refusals of requests without a route are answered. `undefined` if all are problem documents. */
  readonly "~refusing": Refusing | undefined;
  /** The dotted keys of the routes without a handler. Empty, unless `partial()` made it or a part of it. */
  readonly missing: readonly string[];
  /** The needs of verifiers, guards and context factories. Never present at run time. */
  readonly "~needs"?: ((needs: Needs) => void) | undefined;
  /** The key of {@linkcode FragmentKey}. Never present at run time. */
  readonly [Symbol.toStringTag]?: unknown;
}

/**
 * One router or route of a contract with its handlers, and with the middleware and context of the server that
 * implemented it. Use it in a bigger tree at the key of its node, or mount it alone, at its full path.
 */
export interface Fragment<Node, Needs extends object = Record<never, never>> extends Implementation<Needs> {
  /** The implemented router or route. */
  readonly "~node": Node;
  /** The same, for {@linkcode RouteFragment}. Never present at run time. */
  readonly [Symbol.toStringTag]: Node;
}

/**
 * The implementation of a router: a handler or a tree for each of its keys, or a fragment. {@linkcode InferTree} says
 * which keys are required, and of which router a fragment must be. Fragments are not a member of a union here, because
 * editors would offer their members among the keys.
 *
 * @internal
 */
export type HandlerTree<Router, Context, Callers> = unknown extends Router ? FragmentKey // `any` has infinitely many keys
  : NodeKey<Router> extends infer Keys extends keyof Router
    ? Spread<FragmentKey & { readonly [Key in Keys]?: HandlerEntry<Router[Key], Context, Callers> }>
  : never;

/**
 * A key that fragments have, too. TypeScript rejects an object that has no key of a type whose keys are all optional.
 * It is a symbol that all copies of this package share, and that editors do not list.
 */
interface FragmentKey {
  /** Never present at run time. */
  readonly [Symbol.toStringTag]?: unknown;
}

/** The fragment of a route, by the key alone, so that editors do not offer its members where a handler is written. */
interface RouteFragment<Node> {
  /** Never present at run time. */
  readonly [Symbol.toStringTag]: Node;
}

/**
 * The implementation of one route or router of a tree. A handler whose arrow is not written yet, `({ params`, is an object
 * to TypeScript: an editor offers the members of the only object among the alternatives. No fragment has them.
 *
 * @internal
 */
export type HandlerEntry<Node, Context, Callers> = Node extends RouteNode
  ? Handler<Node, Context, Callers> | (RouteFragment<Node> & Partial<HandlerInput<Node, Context, Callers>>)
  : HandlerTree<Node, Context, Callers>;

/**
 * The node of `implement(node, handlers)`. While an editor looks for the signature of a call inside a handler, TypeScript
 * also reads `implement(handlers)` by this overload. The second type then tells it the handler's input. Nothing is
 * assignable to it.
 *
 * @internal
 */
export type NodeOr<Tree, Node> = Node | (Tree & { readonly [Symbol.iterator]: never });

/**
 * A type from which `Tree` is inferred, because no tree is `unknown`. Once inferred, it requires the entries that the
 * tree lacks. `Allowed` is the type of a tree: only if the inferred one is another are the results of its handlers
 * checked.
 *
 * @internal
 */
export type InferTree<Node, Tree, Allowed> = unknown extends Tree ? Tree
  : Node extends RouteNode ? OnlyHandlers<Node, Tree> & ([Tree] extends [Allowed] ? unknown : WrongResults<Node, Tree>)
  : [Tree] extends [Marked | PlainTree]
    ? [MissingRoute<Node, Tree>] extends [never] ? [Tree] extends [Allowed] ? unknown : WrongResults<Node, Tree>
    : RequireHandlers<Node, Tree> & OnlyHandlers<Node, Tree>
  : AnyHandlers<Node, Tree>;

/**
 * {@linkcode InferTree} of a tree that may lack entries.
 *
 * @internal
 */
export type InferPartialTree<Node, Tree> = unknown extends Tree ? Tree : OnlyHandlers<Node, Tree>;

/** The options of `partial`. */
export interface PartialOptions {
  /**
   * The status of the routes without a handler. 501 sends the problem document `not-implemented`, to callers that
   * verifiers and guards let in. Default: these routes do not exist, so that another application can answer them.
   */
  readonly missing?: 501;
}

/** An error message for each handler that returns anything but a result of its route. `unknown` for all others. */
type WrongResults<Node, Tree> = Tree extends Marked ? unknown
  : Node extends RouteNode ? Tree extends (...args: never) => Awaitable<ResultOf<HandlerResponses<Node>>> ? unknown
    : Tree extends (...args: never) => unknown
      ? `the handler of ${Node["key"]} must return a result that its route declares: response(status, body)`
    : OnlyHandlers<Node, Tree>
  : { readonly [Key in NodeKey<Node>]: WrongResults<Node[Key], Tree[Key & keyof Tree]> };

/**
 * An error message for each value that is not a handler. If it is an object, as a handler is before its arrow is written,
 * an editor offers the input of the handler. `unknown` for functions and fragments, and for nothing.
 */
type OnlyHandlers<Node, Tree> = Tree extends ((...args: never) => unknown) | Marked | null | undefined ? unknown
  : Node extends RouteNode
    ? Tree extends object
      ? NotHandler<NoFunction<Node>> & OfferedInputs<HandlerInput<Node, object>, Tree, NoFunction<Node>>
    : NoFunction<Node>
  : { readonly [Key in NodeKey<Node> as Key & keyof Tree]: OnlyHandlers<Node[Key], Tree[Key & keyof Tree]> };

/** The error message for a value that is not a handler. */
type NoFunction<Node extends RouteNode> =
  `the handler of ${Node["key"]} must be a function that returns response(status, body)`;

/** Has an error message for every property of an object. No handler and no fragment has its symbol. */
interface NotHandler<Message> {
  readonly [name: string]: Message;
  readonly [Symbol.toStringTag]: "handler";
}

/** The members of a handler's input, with an error message as the type of those that an object has. */
type OfferedInputs<Input, Tree, Message> = {
  readonly [Key in keyof Input]: Key extends keyof Tree ? Message : Input[Key];
};

/**
 * A tree without entries that can be `undefined`. It is a quick check, which does not match trees that are interfaces.
 */
interface PlainTree {
  readonly [key: string]: ((...args: never) => unknown) | Marked | PlainTree;
}

/**
 * `unknown` if a tree has every key of a node. Otherwise the missing keys, with an error message as the type of each.
 * An editor then offers those keys.
 */
type RequireHandlers<Node, Tree> = [MissingRoute<Node, Tree>] extends [never] ? unknown
  : [Tree] extends [Marked] ? FragmentOf<Node, Tree>
  : [MissingKey<Node, Tree>] extends [never] ? {
      readonly [
        Key in NodeKey<Node> as [MissingRoute<Node[Key], Tree[Key & keyof Tree]>] extends [never] ? never : Key
      ]: RequireHandlers<Node[Key], Tree[Key & keyof Tree]>;
    }
  : { readonly [Key in MissingKey<Node, Tree>]: MissingHandlers<Node[Key]> };

/** The fragment of a router. An error message in the place of a router or route, whose handlers are missing. */
type FragmentOf<Node, Given> = Given extends Marked<"implementation"> ? Fragment<Node, never>
  : "missing handlers: implement(node, handlers)";

/** The error message for a missing handler or router. */
type MissingHandlers<Node> = `missing handlers: ${RouteKeyBelow<Node>}`;

/** The keys of a router that a tree lacks. */
type MissingKey<Node, Tree> = Exclude<keyof Node, keyof RouterMark | keyof Tree>;

/** The dotted keys of the routes that a tree lacks. A fragment of the same router lacks none. */
type MissingRoute<Node, Tree> = Node extends RouteNode ? never
  : Tree extends Marked ? Tree extends Fragment<Node, never> ? never : RouteKeyBelow<Node>
  :
    | ([NodeKey<Node>] extends [keyof Tree] ? never : RouteKeyBelow<Node[MissingKey<Node, Tree>]>)
    | {
      [Key in NodeKey<Node>]: Node[Key] extends RouteNode ? never : MissingRoute<Node[Key], Tree[Key & keyof Tree]>;
    }[NodeKey<Node>];

/** Any value for every route of a router. Other types check the implementation of a route. */
type AnyHandlers<Node, Tree> = [Tree] extends [never] ? MissingHandlers<Node>
  : Node extends RouteNode ? NotUndefined & OnlyHandlers<Node, Tree>
  : Tree extends Marked ? FragmentOf<Node, Tree>
  : { readonly [Key in NodeKey<Node>]: AnyHandlers<Node[Key], NonNullable<Tree[Key & keyof Tree]>> };

/**
 * Any value except `undefined`.
 *
 * @internal
 */
// deno-lint-ignore ban-types -- it means anything but undefined
type NotUndefined = {};

/**
 * The needs of all fragments in a tree, together.
 *
 * @internal
 */
export type NeedsOf<Tree> = [Tree] extends [FunctionTree] ? unknown
  : [NeedsTakers<Tree>] extends [(needs: infer Needs) => void] ? Needs
  : never;

/** A tree without fragments, which most trees are. It is a quick check. */
interface FunctionTree {
  readonly [key: string]: ((...args: never) => unknown) | FunctionTree;
}

/**
 * A function type for each fragment of a tree, whose parameter is what the fragment needs. A conditional expression of
 * two fragments has both.
 */
type NeedsTakers<Tree> = unknown extends Tree ? never // `any` too, whose tree would be infinite
  : Tree extends (...args: never) => unknown ? never
  : Tree extends Marked ? Tree extends Implementation<infer Needs> ? (needs: Needs) => void : never
  : { readonly [Key in keyof Tree]: NeedsTakers<Tree[Key]> }[keyof Tree];

/** Creates the context of a request from the adapter's input. */
export type ContextFactory = (input: object, runtime: object) => Awaitable<object>;

/** A guard, with the responses that it can return. */
export interface GuardWithResponses {
  readonly run: AnyGuard;
  readonly shared: Responses;
  /** The route as the guard receives it, if it is not that of the implementation: a guard around an included one. */
  readonly route?: RouteInfo;
}

/**
 * One route with its handler, and with everything that runs before and around the handler.
 *
 * @internal
 */
export interface Endpoint {
  readonly node: RouteNode;
  /** The route as hooks receive it. */
  readonly route: RouteInfo;
  /** The route as handlers receive it. In an included implementation, it is the one of their own contract. */
  readonly ownRoute: RouteInfo;
  /** The route as verifiers receive it: of the contract that declares the security. */
  readonly securityRoute: RouteInfo;
  /** Creates the context. `undefined` if the server has no `context` option. */
  readonly createContext: ContextFactory | undefined;
  /** The verifiers of the contract's security schemes. */
  readonly verifiers: readonly Verifier[];
  /** The guards, in the order in which they run. */
  readonly guards: readonly GuardWithResponses[];
  /** The middleware, outermost first. */
  readonly middleware: readonly MiddlewareWithResponses[];
  /** The responses that the contract declares for all routes. A verifier can throw them. */
  readonly shared: Responses;
  /** How refusals are answered. `undefined` if all are problem documents that nothing observes. */
  readonly refusing: Refusing | undefined;
  /** Runs the handler, which returns or throws a result. `undefined` if the route answers 501 instead. */
  readonly handle: ((input: object) => unknown) | undefined;
}

/** What a tree may lack: nothing, or any handlers, whose routes do not exist or answer 501. */
export type Absence = "refused" | "absent" | 501;

/** The members that a server adds to each of its endpoints. */
export type ServerPart = Pick<
  Endpoint,
  "createContext" | "verifiers" | "guards" | "middleware" | "shared" | "refusing"
>;

/**
 * Pairs a node of a contract with its implementation: returns an endpoint for every route below it. Throws one
 * `TypeError` that lists all mistakes.
 *
 * @param key The dotted key of the node. Empty for the whole contract.
 */
export function implementNode(
  { node, key }: { readonly node: unknown; readonly key: string },
  tree: unknown,
  part: ServerPart,
  absence: Absence = "refused",
): Implementation<never> {
  const endpoints: Endpoint[] = [];
  const missing: string[] = [];
  const mistakes: string[] = [];
  const toEndpoint = (node: RouteNode, handle: Endpoint["handle"]): Endpoint => {
    const route = toRouteInfo(node);
    return { node, route, ownRoute: route, securityRoute: route, handle, ...part };
  };
  const lack = (key: string): void => {
    missing.push(key);
    if (absence === "refused") mistakes.push(`${key} is missing`);
  };
  /** Walks a node and its implementation in parallel. `key` is for messages. */
  const pair = (node: unknown, key: string, entry: unknown): void => {
    if (isImplementation(entry)) {
      if (entry["~node"] !== node) {
        mistakes.push(`${key} must be a fragment of ${key} in this contract, got one of another route or router`);
        return;
      }
      endpoints.push(...entry["~endpoints"]);
      entry.missing.forEach(lack);
    } else if (isRouteNode(node)) {
      if (typeof entry === "function") endpoints.push(toEndpoint(node, entry as Endpoint["handle"])); // its types declare the rest
      else if (entry === undefined) lack(key);
      else mistakes.push(`${key} must be a function, got ${describeValue(entry)}`);
    } else if (entry === undefined || isObject(entry)) { // if a router is missing, each of its handlers is
      const nodes: object = Object(node);
      const entries = entry ?? {};
      for (const [child, below] of Object.entries(nodes)) {
        pair(below, joinKey(key, child), Object.hasOwn(entries, child) ? entries[child] : undefined);
      }
      for (const child of Object.keys(entries)) {
        if (!Object.hasOwn(nodes, child)) mistakes.push(`${joinKey(key, child)} is not in the contract; remove it`);
      }
    } else mistakes.push(`${key || "the argument"} must be an object of handlers, got ${describeValue(entry)}`);
  };
  pair(node, key, tree);
  if (mistakes.length > 0) failAt(`server.${absence === "refused" ? "implement" : "partial"}()`, mistakes.join("; "));
  if (absence !== 501) return toImplementation(node, endpoints, missing, part);
  const written = new Map(endpoints.map((each) => [each.node.key, each]));
  const all = routesOf({ node }).map((route) => written.get(route.key) ?? toEndpoint(route, undefined));
  return toImplementation(node, all, missing, part);
}

/** Creates an implementation of a node. */
export function toImplementation(
  node: unknown,
  endpoints: readonly Endpoint[],
  missing: readonly string[],
  { refusing }: ServerPart,
): Implementation<never> {
  return markAs("implementation", {
    "~node": node,
    "~endpoints": Object.freeze(endpoints),
    "~refusing": refusing,
    missing: Object.freeze(missing),
  });
}

/** Returns a route as hooks and handlers receive it. */
export function toRouteInfo({ key, method, path }: RouteNode): RouteInfo {
  return Object.freeze({ key, method, path });
}

/**
 * Returns the dotted key of a node in a tree, empty for the tree itself. `undefined` if the tree does not contain it.
 */
export function findKey(tree: unknown, node: unknown, key = ""): string | undefined {
  if (tree === node) return key;
  if (!isMarked(tree, "router")) return undefined;
  for (const [child, below] of Object.entries(tree)) {
    const found = findKey(below, node, joinKey(key, child));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the dotted key of a child. */
export function joinKey(key: string, child: string): string {
  return key === "" ? child : `${key}.${child}`;
}

/** Returns whether a value was made by `implement()`, `partial()` or `include()`. */
export function isImplementation(value: unknown): value is Implementation<never> {
  return isMarked(value, "implementation");
}

/**
 * Returns the fragment of an imported node, which an implementation of its own contract serves. Throws a `TypeError` that
 * lists the routes without one.
 */
export function includeImplementation(node: unknown, included: unknown, part: ServerPart): Implementation<never> {
  const where = "server.include()";
  if (part.middleware.length > 0) {
    failAt(where, "this server has middleware, which needs its context; include before use()");
  }
  if (!isImplementation(included)) {
    failAt(where, `the second argument must be made by implement() or partial(), got ${describeValue(included)}`);
  }
  const endpoints: Endpoint[] = [];
  const missing: string[] = [];
  for (const route of routesOf({ node })) {
    const endpoint = findEndpoint(included["~endpoints"], route);
    if (endpoint) endpoints.push(placeEndpoint(endpoint, route, part));
    if (!endpoint?.handle) missing.push(route.key);
  }
  const isPartial = included.missing.length > 0 && endpoints.length > 0;
  if (missing.length > 0 && !isPartial) failAt(where, `the implementation has no route for ${missing.join(", ")}`);
  return toImplementation(node, endpoints, missing, part);
}

/** Returns the endpoint of a route in its own contract. If it is imported there twice, the key decides. */
function findEndpoint(endpoints: readonly Endpoint[], route: RouteNode): Endpoint | undefined {
  const imports = endpoints.filter(({ node }) => isImport(route, node));
  return imports.length > 1 ? imports.find(({ node }) => route.key.endsWith(node.key)) : imports[0];
}

/**
 * Returns whether a route is another one or an import of it: it has the same origin, the parameters and the responses of
 * the other, and requires the same credentials if the other decides about them.
 */
function isImport(route: RouteNode, its: RouteNode): boolean {
  const own = handlerResponses(route);
  return (route === its || route.origin === (its.origin ?? its)) &&
    (its.path === "/" || route.path.endsWith(its.path)) &&
    Object.entries(handlerResponses(its)).every(([status, response]) => own[Number(status)] === response) &&
    (!its.security || formatSecurity(route) === formatSecurity(its));
}

/** Formats the security of a route, with the schemes that `renameScheme()` has renamed under their first names. */
function formatSecurity({ security }: RouteNode): string {
  return JSON.stringify(security, (_key, entry) => {
    let scheme = entry;
    while (scheme?.renamed) scheme = scheme.renamed;
    return scheme;
  });
}

/** Returns the endpoint of an imported route. Its functions receive the route of their own contract. */
function placeEndpoint(endpoint: Endpoint, node: RouteNode, part: ServerPart): Endpoint {
  const route = toRouteInfo(node);
  const { security } = endpoint.node; // its verifiers know the schemes by the names of their contract
  return {
    ...endpoint,
    ...(security ? { node: markAs("route", { ...node, security }) } : {
      node,
      securityRoute: route,
      verifiers: part.verifiers,
      shared: part.shared,
    }),
    route,
    guards: [...part.guards.map((guard) => ({ route, ...guard })), ...endpoint.guards],
    refusing: part.refusing ?? endpoint.refusing,
  };
}
