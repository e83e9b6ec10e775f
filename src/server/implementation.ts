import { type RouteNode } from "../contract/node.ts";
import { type Marked } from "../mark.ts";
import { type Endpoint } from "./endpoint.ts";
import { type Handler } from "./handler.ts";

/** A contract with a handler for every route: what an adapter mounts. `Needs` is what its context factories ask of the adapter. */
export interface Implementation<Needs extends object = Record<never, never>> extends Marked<"implementation"> {
  /** What is implemented: the resolved routes of a contract, or one node of them. */
  readonly node: unknown;
  /** Every route with its handler. */
  readonly endpoints: readonly Endpoint[];
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

/** What implements a tree of routes, by the same keys: handlers, and fragments in place of any of them or of a whole router. */
export type HandlerTree<Routes, Context> = Routes extends RouteNode ? HandlerEntry<Routes, Context>
  : { readonly [Key in Exclude<keyof Routes, keyof Marked>]: HandlerEntry<Routes[Key], Context> };

/** What implements one route or router of a tree. */
export type HandlerEntry<Node, Context> =
  | Fragment<Node, never>
  | (unknown extends Node ? never // any too, whose tree has no end
    : Node extends RouteNode ? Handler<Node, Context>
    : HandlerTree<Node, Context>);

/** What the context factories of the fragments in a tree ask of the adapter, all together. */
export type NeedsOf<Tree> = [TakersOf<Tree>] extends [(needs: infer Needs) => void] ? Needs : never;

/** A function for each fragment of a tree that takes what the fragment needs. Of a choice between two fragments it has both. */
export type TakersOf<Tree> = unknown extends Tree ? never // any too, whose tree has no end
  : Tree extends (...given: never) => unknown ? never
  : Tree extends Implementation<infer Needs> ? (needs: Needs) => void
  : { readonly [Key in keyof Tree]: TakersOf<Tree[Key]> }[keyof Tree];

/**
 * A type that `Tree` is inferred from, and that afterwards asks nothing, for no symbol is a tree: so a tree is checked, and
 * mistakes in it are told, against its contract alone.
 */
export type Inferred<Tree> = symbol extends Tree ? Tree : unknown;
