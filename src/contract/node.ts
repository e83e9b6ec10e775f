/** Resolved routes and routers, which servers, clients and documents read. */
import { isMarked, markAs, type Marked } from "../mark.ts";
import type { JoinPath } from "../path.ts";
import type { InheritRefusals, Refusals, RefusalsOf } from "./refusals.ts";
import type { Responses } from "./response.ts";
import type { DeclaredShape, RouteDeclaration, RouteShape } from "./route.ts";
import type { Security } from "./security_scheme.ts";
import type { Deprecated, Docs } from "./docs.ts";

/**
 * All members of a resolved route, as one type.
 *
 * @internal
 */
export interface NodeShape extends RouteShape {
  readonly key: string;
  readonly ownResponses: Responses | undefined;
}

/** A resolved route of a contract, with everything that it inherits. */
export interface RouteNode<Shape extends NodeShape = NodeShape> extends Marked<"route"> {
  /** The dotted key: `users.byId`. */
  readonly key: Shape["key"];
  /** The HTTP method. */
  readonly method: Shape["method"];
  /** The full path, including the base path. It ends with a slash if the route declares `trailingSlash`. */
  readonly path: Shape["path"];
  /** The schema of the path parameters. */
  readonly params: Shape["params"];
  /** The schema of the query. */
  readonly query: Shape["query"];
  /** The schema of the headers. */
  readonly headers: Shape["headers"];
  /** The declared request body, or `undefined` if requests have none. */
  readonly body: Shape["body"];
  /** The responses by status code, including inherited ones and those of the refusals that can occur. */
  readonly responses: Shape["responses"];
  /** The responses without those that only refusals have. `undefined` if no refusals are declared. */
  readonly ownResponses: Shape["ownResponses"];
  /** The responses of refusals, own and inherited. `undefined` if none are declared. */
  readonly refusals: Shape["refusals"];
  /**
   * The security schemes, own or inherited: a caller needs the credential of one of them. An empty list accepts
   * everyone. `undefined` if none are declared.
   */
  readonly security: Shape["security"];
  /** The deprecation, own or inherited. `undefined` if none is declared. */
  readonly deprecated: Deprecated | undefined;
  /** The route's prose for the OpenAPI document, including inherited tags. */
  readonly docs: Docs;
  /** The route in the contract that declares it, if it is imported from another one. */
  readonly origin: RouteNode | undefined;
}

/**
 * The responses that the handler of a route can return.
 *
 * @internal
 */
export type HandlerResponses<Route extends RouteNode> = Route["ownResponses"] extends Responses ? Route["ownResponses"]
  : Route["responses"];

/** Returns whether a node of a resolved tree is a route. */
export function isRouteNode(node: unknown): node is RouteNode {
  return isMarked(node, "route");
}

/** Returns the responses that the handler of a route can return. */
export function handlerResponses({ ownResponses, responses }: RouteNode): Responses {
  return ownResponses ?? responses;
}

/** The position of a route or router in a contract, with what it inherits there. */
interface NodePlace {
  readonly key: string;
  /** The path of the parent. */
  readonly path: string;
  readonly responses: Responses;
  readonly refusals: Refusals | undefined;
  readonly security: Security | undefined;
}

/** The key of the responses that the routes of a router share. It is a string for the same reason as the mark. */
export const sharedResponses = "~scope/shared-responses";

/**
 * The members of a router besides its children. They are accessors of a class, which TypeScript leaves out of a spread,
 * as the run time leaves out what is not enumerable.
 *
 * @internal
 */
export declare abstract class RouterMark<Shared extends Responses = Responses> implements Marked<"router"> {
  /** The kind of the object. */
  get "~scope/api"(): "router";
  /** The responses that every route below shares, including inherited ones. */
  get "~scope/shared-responses"(): Shared;
}

/**
 * A resolved router: its children by key. The two keys of the router's own properties are reserved.
 */
export type RouterNode<Children = unknown, Shared extends Responses = Responses> = Children & RouterMark<Shared>;

/**
 * The keys of a router's children.
 *
 * @internal
 */
export type NodeKey<Node> = Exclude<keyof Node, keyof RouterMark>;

/**
 * The routes of a resolved tree, as a union.
 *
 * @internal
 */
export type RouteBelow<Node> = Node extends RouteNode ? Node
  : { [Key in NodeKey<Node>]: RouteBelow<Node[Key]> }[NodeKey<Node>];

/**
 * The lists of security schemes of all routes below a node.
 *
 * @internal
 */
export type SecurityBelow<Node> = Node extends Marked<"route"> & { readonly security: infer Secured } ? Secured
  : { [Key in NodeKey<Node>]: SecurityBelow<Node[Key]> }[NodeKey<Node>];

/** The dotted keys of all routes of a resolved tree. */
export type RouteKeyBelow<Node> = Node extends RouteNode ? Node["key"]
  : { [Key in NodeKey<Node>]: RouteKeyBelow<Node[Key]> }[NodeKey<Node>];

/**
 * The resolved tree of a tree of declarations. It is a conditional type so that the `.d.ts` file of a contract contains
 * the tree itself and does not refer to this type.
 *
 * @internal
 */
export type ResolvedRoutes<Routes, Here extends NodePlace> = unknown extends Routes // any, which would have no end
  ? RouterNode<{ readonly [key: string]: RouteNode }, Here["responses"]>
  : Routes extends Marked ? ResolvedRoutes<EntriesOf<Routes>, Here>
  : RouterNode<
    { readonly [Key in keyof Routes]: Resolved<Routes[Key], Here, Key & (string | number)> },
    Here["responses"]
  >;

/** The entries of the option `routes`, if it is a contract or a resolved router. */
type EntriesOf<Imported> = Imported extends Marked<"contract"> & { readonly routes: infer Routes } ? EntriesOf<Routes>
  : { readonly [Key in NodeKey<Imported>]: Imported[Key] };

/**
 * A declaration, resolved in its place: a route, or a router with everything below it. The types of a route are read from
 * it, because TypeScript instantiates all types in an inferred one again. What is `any` can be either.
 */
type Resolved<Declared, Here extends NodePlace, Key extends string | number> = unknown extends Declared
  ? Resolved<RouteDeclaration | RouterDeclaration, Here, Key>
  // deno-lint-ignore no-explicit-any -- a route with type parameters would otherwise be resolved only where they are known
  : Declared extends RouteDeclaration<any>
    ? ResolvedRoute<NonNullable<Declared["types"]>, Here, Key, InheritRefusals<Here["refusals"], Declared["refusals"]>>
  : Declared extends RouterDeclaration<infer Path, infer Routes, infer Shared, infer Secured, infer Refused>
    ? ResolvedRoutes<Routes, PlaceBelow<Here, Key, Path, Shared, Secured, Refused>>
  : Declared extends Marked<"route"> & NodeShape ? Resolved<RouteDeclaration<Redeclared<Declared>>, Here, Key>
  : Declared extends Marked<"router" | "contract"> ? ResolvedRoutes<Declared, ImportPlace<Here, Key>>
  : never;

/**
 * A declared route, resolved in its place, with its refusals and those that it inherits. Declarations of a contract
 * contain the route itself and do not refer to this type, because it is an intersection.
 */
type ResolvedRoute<
  Shape extends DeclaredShape,
  Here extends NodePlace,
  Key extends string | number,
  Refused extends Refusals | undefined,
> =
  & RouteNode<{
    readonly key: JoinKey<Here["key"], Key>;
    readonly method: Shape["method"];
    readonly path: `${JoinPath<Here["path"], Shape["path"]>}${SlashOf<Shape["trailingSlash"]>}`;
    readonly params: Shape["params"];
    readonly query: Shape["query"];
    readonly headers: Shape["headers"];
    readonly body: Shape["body"];
    readonly responses: [Refused] extends [undefined] ? Inherit<Here["responses"], Shape["responses"]>
      : Inherit<RefusalsIn<Here, Shape, Refused>, Inherit<Here["responses"], Shape["responses"]>>;
    readonly ownResponses: [Refused] extends [undefined] ? undefined : Inherit<Here["responses"], Shape["responses"]>;
    readonly security: Shape["security"] extends undefined ? Here["security"] : Shape["security"];
    readonly refusals: Refused;
  }>
  & unknown;

/**
 * A resolved route as a declaration, to have a place in another contract. It reads each member by itself, because a
 * route of another copy of this package is not the same type.
 */
type Redeclared<Node extends NodeShape> =
  & { readonly [Name in Exclude<keyof RouteShape, "responses">]: Node[Name] }
  & {
    readonly responses: Node["ownResponses"] extends Responses ? Node["ownResponses"] : Node["responses"];
    readonly trailingSlash: Node["path"] extends `/${string}/` ? true : false;
  };

/** The place of the routes of an imported contract or router. Their paths are full paths. */
type ImportPlace<Here extends NodePlace, Key extends string | number> = {
  readonly [Name in keyof NodePlace]: Name extends "key" ? JoinKey<Here["key"], Key> : Here[Name];
};

/** The end of the full path of a route. */
type SlashOf<TrailingSlash extends boolean> = TrailingSlash extends true ? "/" : "";

/** The responses of the refusals that can occur on a route in its place. */
type RefusalsIn<Here extends NodePlace, Shape extends DeclaredShape, Refused extends Refusals | undefined> = RefusalsOf<
  {
    readonly method: Shape["method"];
    readonly path: JoinPath<Here["path"], Shape["path"]>;
    readonly params: Shape["params"];
    readonly query: Shape["query"];
    readonly headers: Shape["headers"];
    readonly body: Shape["body"];
    readonly responses: Inherit<Here["responses"], Shape["responses"]>;
    readonly security: Shape["security"] extends undefined ? Here["security"] : Shape["security"];
    readonly refusals: Refused;
  }
>;

/** The place of a router's children. */
type PlaceBelow<
  Here extends NodePlace,
  Key extends string | number,
  Path extends string,
  Shared extends Responses,
  Secured extends Security | undefined,
  Refused extends Refusals | undefined,
> = {
  readonly key: JoinKey<Here["key"], Key>;
  readonly path: JoinPath<Here["path"], Path>;
  readonly responses: Inherit<Here["responses"], Shared>;
  readonly security: Secured extends undefined ? Here["security"] : Secured;
  readonly refusals: InheritRefusals<Here["refusals"], Refused>;
};

/** Appends a key to a dotted key. */
type JoinKey<Parent extends string, Key extends string | number> = Parent extends "" ? `${Key}` : `${Parent}.${Key}`;

/** Inherited responses together with a route's own, which win. */
type Inherit<Above extends Responses, Nearer extends Responses> = keyof Above extends never ? Nearer
  : {
    readonly [Status in keyof Above | keyof Nearer]: Status extends keyof Nearer ? Nearer[Status]
      : Above[Status & keyof Above];
  };

/** Returns the routes of a resolved tree, in declaration order. */
export function routesOf(tree: object): RouteNode[] {
  return Object.values(tree).flatMap((entry) => isRouteNode(entry) ? [entry] : routesOf(entry));
}

/** Routes and routers by key. Those of another contract, and the contract itself, can be among them. */
export interface RouteTree {
  /** A route or a router. The key is a step of the client's call tree, and adds nothing to the path. */
  readonly [key: string]: RouteOrRouter;
}

/**
 * What `routes` can have at a key: what `route.get()` and `router()` return, and parts of other contracts.
 *
 * @internal
 */
export type RouteOrRouter =
  | Marked<"route declaration">
  | Marked<"router declaration">
  | Marked<"route">
  | Marked<"router">
  | Marked<"contract">;

/**
 * The option `routes`: routes and routers by key, a resolved router, or another contract.
 *
 * @internal
 */
export type RoutesOption = RouteTree | Marked<"router" | "contract">;

/** A declared router, before it has a place in a contract. `router()` returns it. */
export interface RouterDeclaration<
  Path extends string = string,
  Routes extends RoutesOption = RoutesOption,
  Shared extends Responses = Responses,
  Secured extends Security | undefined = Security | undefined,
  Refused extends Refusals | undefined = Refusals | undefined,
> extends Marked<"router declaration"> {
  /** The path that the paths of its routes start with, such as `/users/:id`. */
  readonly path: Path;
  /** The routes and routers below. */
  readonly routes: Routes;
  /** The responses that every route below inherits, by status code. */
  readonly responses: Shared;
  /** The refusals that every route below inherits. */
  readonly refusals: Refused;
  /** The security that every route below inherits. */
  readonly security: Secured;
  /** The deprecation that every route below inherits. */
  readonly deprecated: Deprecated | undefined;
  /** The prose for the OpenAPI document that every route below inherits. */
  readonly docs: Docs;
}

/** Returns an object with the same keys and mapped values. Keys such as `__proto__` remain ordinary keys. */
export function mapObject<Value, Mapped>(
  object: Readonly<Record<string, Value>>,
  map: (value: Value, key: string) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));
}

/** Returns a router whose routes have other values of some members. */
export function mapNodes(router: RouterNode, change: (route: RouteNode) => Partial<RouteNode>): RouterNode {
  const entries = Object.entries(router).map(([key, entry]) => [
    key,
    isRouteNode(entry) ? markAs("route", { ...entry, ...change(entry) }) : mapNodes(entry as RouterNode, change),
  ]);
  return toRouter(Object.fromEntries(entries), router[sharedResponses]);
}

/** Marks a tree as a router, whose routes share responses. */
export function toRouter(tree: object, shared: Responses): RouterNode {
  Object.defineProperty(tree, sharedResponses, { value: shared });
  return markAs("router", tree as RouterNode); // it has both private properties now
}
