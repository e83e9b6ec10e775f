import { type NodeKey, type RouteNode, type RouterMark } from "../contract/node.ts";
import { type Marked } from "../mark.ts";
import { type Endpoint } from "./endpoint.ts";
import { type Handler } from "./handler.ts";
import { type PlacedRefuse } from "./refuse.ts";

/** A contract with a handler for every route: what an adapter mounts. `Needs` is what its context factories, verifiers and guards need of the adapter. */
export interface Implementation<Needs extends object = Record<never, never>> extends Marked<"implementation"> {
  /** What is implemented: the resolved routes of a contract, or one node of them. */
  readonly node: unknown;
  /** Every route with its handler. */
  readonly endpoints: readonly Endpoint[];
  /** Shapes what the adapter answers to requests without a route. */
  readonly refuse: PlacedRefuse | undefined;
  /** What the context factories ask of the adapter, in types only. */
  readonly needs?: ((needs: Needs) => void) | undefined;
}

/**
 * One router or route of a contract with its handlers, and with the middleware and the context of the server that implemented
 * it. It stands in a bigger tree where that node belongs, and mounts alone as well, at its full path.
 */
export interface Fragment<Node, Needs extends object = Record<never, never>> extends Implementation<Needs> {
  /** The router or route that is implemented. */
  readonly node: Node;
}

/**
 * What implements a tree of routes, by the same keys: handlers, and fragments in place of any of them or of a whole router. Which may
 * not be left out, {@linkcode Inferred} says.
 *
 * @internal
 */
export type HandlerTree<Routes, Context, Callers> = Routes extends RouteNode ? HandlerEntry<Routes, Context, Callers>
  : NodeKey<Routes> extends infer Keys extends keyof Routes
    ? { readonly [Key in Keys]?: HandlerEntry<Routes[Key], Context, Callers> }
  : never;

/**
 * What implements one route or router of a tree.
 *
 * @internal
 */
export type HandlerEntry<Node, Context, Callers> =
  | Fragment<Node, never>
  | (unknown extends Node ? never // any too, whose tree has no end
    : Node extends RouteNode ? Handler<Node, Context, Callers>
    : HandlerTree<Node, Context, Callers>);

/**
 * A type that `Tree` is inferred from, for no symbol is a tree, and that afterwards asks for what a tree lacks. Mistakes in a handler
 * are told against the contract alone.
 *
 * @internal
 */
export type Inferred<Node, Tree> = symbol extends Tree ? Tree
  : Node extends RouteNode ? unknown
  : [Tree] extends [Marked | PlainTree] ? Complete<Node, Tree>
  : Skeleton<Node>;

/**
 * A tree without anything that may be `undefined`: a quick answer, which says nothing of trees that an interface describes.
 *
 * @internal
 */
export interface PlainTree {
  /** A handler, a fragment, or what implements the nodes of a router. */
  readonly [key: string]: ((...given: never) => unknown) | Marked | PlainTree;
}

/**
 * `unknown` where a tree has every key of a node, else words that no tree is assignable to, at the router that lacks them.
 *
 * @internal
 */
export type Complete<Node, Tree> = [LackedRoute<Node, Tree>] extends [never] ? unknown
  : [LackedKey<Node, Tree>] extends [never] ? {
      readonly [Key in NodeKey<Node> as [LackedRoute<Node[Key], Tree[Key & keyof Tree]>] extends [never] ? never : Key]:
        Complete<Node[Key], Tree[Key & keyof Tree]>;
    }
  : `missing handlers: ${RouteKey<Node[LackedKey<Node, Tree>]>}`;

/**
 * The keys of a router that a tree lacks.
 *
 * @internal
 */
export type LackedKey<Node, Tree> = Exclude<keyof Node, keyof RouterMark | keyof Tree>;

/**
 * The dotted keys of the routes that a tree lacks. A fragment lacks none.
 *
 * @internal
 */
export type LackedRoute<Node, Tree> = Node extends RouteNode ? never
  : Tree extends Marked ? never
  :
    | ([NodeKey<Node>] extends [keyof Tree] ? never : RouteKey<Node[LackedKey<Node, Tree>]>)
    | {
      [Key in NodeKey<Node>]: Node[Key] extends RouteNode ? never : LackedRoute<Node[Key], Tree[Key & keyof Tree]>;
    }[NodeKey<Node>];

/**
 * The dotted keys of the routes below a node.
 *
 * @internal
 */
export type RouteKey<Node> = Node extends RouteNode ? Node["key"]
  : { [Key in NodeKey<Node>]: RouteKey<Node[Key]> }[NodeKey<Node>];

/**
 * Something for every route of a router.
 *
 * @internal
 */
export type Skeleton<Node> = {
  readonly [Key in NodeKey<Node>]: Node[Key] extends RouteNode ? Something
    : Fragment<Node[Key], never> | Skeleton<Node[Key]>;
};

/**
 * What is there: what implements a route is told elsewhere.
 *
 * @internal
 */
// deno-lint-ignore ban-types -- anything but undefined is what this is
export type Something = {};

/**
 * What the context factories of the fragments in a tree ask of the adapter, all together.
 *
 * @internal
 */
export type NeedsOf<Tree> = [Tree] extends [FunctionTree] ? unknown
  : [TakersOf<Tree>] extends [(needs: infer Needs) => void] ? Needs
  : never;

/**
 * A tree without fragments, which most are: a quick answer.
 *
 * @internal
 */
export interface FunctionTree {
  /** A handler, or the handlers of a router. */
  readonly [key: string]: ((...given: never) => unknown) | FunctionTree;
}

/**
 * A function for each fragment of a tree that takes what the fragment needs. Of a choice between two fragments it has both.
 *
 * @internal
 */
export type TakersOf<Tree> = unknown extends Tree ? never // any too, whose tree has no end
  : Tree extends (...given: never) => unknown ? never
  : Tree extends Implementation<infer Needs> ? (needs: Needs) => void
  : { readonly [Key in keyof Tree]: TakersOf<Tree[Key]> }[keyof Tree];
