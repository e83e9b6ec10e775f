import { type NodeKey, type RouteNode, type RouterMark } from "../contract/node.ts";
import { type Marked } from "../mark.ts";
import { type Endpoint } from "./endpoint.ts";
import { type Handler } from "./handler.ts";
import { type PlacedRefuse } from "./refuse.ts";

/**
 * A contract with a handler for every route, which an adapter mounts. `Needs` are the properties that its context
 * factories, verifiers and guards need from the adapter's `contextInput`.
 */
export interface Implementation<Needs extends object = Record<never, never>> extends Marked<"implementation"> {
  /** The implemented node: the resolved routes of a contract, or one of them. */
  readonly node: unknown;
  /** Every route with its handler. */
  readonly endpoints: readonly Endpoint[];
  /** The option `refuse`, for requests without a route. */
  readonly refuse: PlacedRefuse | undefined;
  /** The needs of the context factories. Never present at run time. */
  readonly needs?: ((needs: Needs) => void) | undefined;
}

/**
 * One router or route of a contract with its handlers, and with the middleware and context of the server that
 * implemented it. Use it in a bigger tree at the key of its node, or mount it alone, at its full path.
 */
export interface Fragment<Node, Needs extends object = Record<never, never>> extends Implementation<Needs> {
  /** The implemented router or route. */
  readonly node: Node;
}

/**
 * The implementation of a tree of routes, by the same keys. Each entry is a handler, or a fragment of a route or
 * router. {@linkcode InferTree} says which entries are required.
 *
 * @internal
 */
export type HandlerTree<Routes, Context, Callers> = Routes extends RouteNode ? HandlerEntry<Routes, Context, Callers>
  : NodeKey<Routes> extends infer Keys extends keyof Routes
    ? { readonly [Key in Keys]?: HandlerEntry<Routes[Key], Context, Callers> }
  : never;

/**
 * The implementation of one route or router of a tree.
 *
 * @internal
 */
export type HandlerEntry<Node, Context, Callers> =
  | Fragment<Node, never>
  | (unknown extends Node ? never // `any` too, whose tree would be infinite
    : Node extends RouteNode ? Handler<Node, Context, Callers>
    : HandlerTree<Node, Context, Callers>);

/**
 * A type from which `Tree` is inferred, because no tree is a symbol. Once inferred, it requires the entries that the
 * tree lacks. Mistakes inside a handler are reported against the contract alone.
 *
 * @internal
 */
export type InferTree<Node, Tree> = symbol extends Tree ? Tree
  : Node extends RouteNode ? unknown
  : [Tree] extends [Marked | PlainTree] ? RequireHandlers<Node, Tree>
  : AnyHandlers<Node>;

/**
 * A tree without entries that can be `undefined`. It is a quick check, which does not match trees that are interfaces.
 *
 * @internal
 */
export interface PlainTree {
  /** A handler, a fragment, or the implementation of a router. */
  readonly [key: string]: ((...args: never) => unknown) | Marked | PlainTree;
}

/**
 * `unknown` if a tree has every key of a node. Otherwise an error message as a type, at the router that lacks a
 * handler.
 *
 * @internal
 */
export type RequireHandlers<Node, Tree> = [MissingRoute<Node, Tree>] extends [never] ? unknown
  : [MissingKey<Node, Tree>] extends [never] ? {
      readonly [
        Key in NodeKey<Node> as [MissingRoute<Node[Key], Tree[Key & keyof Tree]>] extends [never] ? never : Key
      ]: RequireHandlers<Node[Key], Tree[Key & keyof Tree]>;
    }
  : `missing handlers: ${RouteKeyBelow<Node[MissingKey<Node, Tree>]>}`;

/**
 * The keys of a router that a tree lacks.
 *
 * @internal
 */
export type MissingKey<Node, Tree> = Exclude<keyof Node, keyof RouterMark | keyof Tree>;

/**
 * The dotted keys of the routes that a tree lacks. A fragment lacks none.
 *
 * @internal
 */
export type MissingRoute<Node, Tree> = Node extends RouteNode ? never
  : Tree extends Marked ? never
  :
    | ([NodeKey<Node>] extends [keyof Tree] ? never : RouteKeyBelow<Node[MissingKey<Node, Tree>]>)
    | {
      [Key in NodeKey<Node>]: Node[Key] extends RouteNode ? never : MissingRoute<Node[Key], Tree[Key & keyof Tree]>;
    }[NodeKey<Node>];

/**
 * The dotted keys of the routes below a node.
 *
 * @internal
 */
export type RouteKeyBelow<Node> = Node extends RouteNode ? Node["key"]
  : { [Key in NodeKey<Node>]: RouteKeyBelow<Node[Key]> }[NodeKey<Node>];

/**
 * Any value for every route of a router.
 *
 * @internal
 */
export type AnyHandlers<Node> = {
  readonly [Key in NodeKey<Node>]: Node[Key] extends RouteNode ? NotUndefined
    : Fragment<Node[Key], never> | AnyHandlers<Node[Key]>;
};

/**
 * Any value except `undefined`. Other types check the implementation of a route.
 *
 * @internal
 */
// deno-lint-ignore ban-types -- it means anything but undefined
export type NotUndefined = {};

/**
 * The needs of all fragments in a tree, together.
 *
 * @internal
 */
export type NeedsOf<Tree> = [Tree] extends [FunctionTree] ? unknown
  : [NeedsTakers<Tree>] extends [(needs: infer Needs) => void] ? Needs
  : never;

/**
 * A tree without fragments, which most trees are. It is a quick check.
 *
 * @internal
 */
export interface FunctionTree {
  /** A handler, or the handlers of a router. */
  readonly [key: string]: ((...args: never) => unknown) | FunctionTree;
}

/**
 * A function type for each fragment of a tree, whose parameter is what the fragment needs. A conditional expression of
 * two fragments has both.
 *
 * @internal
 */
export type NeedsTakers<Tree> = unknown extends Tree ? never // `any` too, whose tree would be infinite
  : Tree extends (...args: never) => unknown ? never
  : Tree extends Implementation<infer Needs> ? (needs: Needs) => void
  : { readonly [Key in keyof Tree]: NeedsTakers<Tree[Key]> }[keyof Tree];
