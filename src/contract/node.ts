import { type Marked } from "../mark.ts";
import { type JoinPath } from "../path.ts";
import { type Deprecated } from "./deprecation.ts";
import { type Docs } from "./docs.ts";
import { type RouteDeclaration, type RouteShape } from "./route.ts";
import { type Responses } from "./response.ts";
import { type Security } from "./security_scheme.ts";
import { type RouterDeclaration } from "./router_declaration.ts";

/**
 * What a route in its place is, as one type.
 *
 * @internal
 */
export interface NodeShape extends RouteShape {
  /** The keys that lead to it, joined by dots. */
  readonly key: string;
}

/** A route in its place in a contract: with everything that it inherits. */
export interface RouteNode<Shape extends NodeShape = NodeShape> extends Marked<"route"> {
  /** The keys that lead to it, joined by dots: `users.byId`. */
  readonly key: Shape["key"];
  /** The method. */
  readonly method: Shape["method"];
  /** The full path, from the base path on. */
  readonly path: Shape["path"];
  /** The schema of the path parameters. */
  readonly params: Shape["params"];
  /** The schema of the query. */
  readonly query: Shape["query"];
  /** The schema of the headers. */
  readonly headers: Shape["headers"];
  /** The request's body. */
  readonly body: Shape["body"];
  /** The responses by status, inherited ones included. */
  readonly responses: Shape["responses"];
  /** The security schemes, own or inherited: any one of them lets a caller in, and none everyone. `undefined` where nothing is declared. */
  readonly security: Shape["security"];
  /** What is declared of its deprecation, by itself or above; `undefined` where nothing is. */
  readonly deprecated: Deprecated | undefined;
  /** What documentation says of it, inherited tags included. */
  readonly docs: Docs;
}

/**
 * The place that a route or router stands in.
 *
 * @internal
 */
export interface Place {
  /** The keys that lead there, joined by dots. */
  readonly key: string;
  /** The path above. */
  readonly path: string;
  /** The responses declared above. */
  readonly responses: Responses;
  /** The security declared above. */
  readonly security: Security | undefined;
}

/**
 * The private key of the responses that the routes of a router share.
 *
 * @internal
 */
export const sharedResponses: unique symbol = /* @__PURE__ */ Symbol.for("@scope/api/shared-responses");

/**
 * What a router has beside its children.
 *
 * @internal
 */
export interface RouterMark<Shared extends Responses = Responses> extends Marked<"router"> {
  /** The responses that every route below shares, inherited ones included. */
  readonly [sharedResponses]: Shared;
}

/** The nodes of a router, by key. Its own properties have private keys, so a child may have any key. */
export type RouterNode<Children = unknown, Shared extends Responses = Responses> = Children & RouterMark<Shared>;

/**
 * The keys of a router.
 *
 * @internal
 */
export type NodeKey<Node> = Exclude<keyof Node, keyof RouterMark>;

/**
 * The resolved tree of a tree of declarations. It is a conditional type so that the declarations of a program that exports a contract
 * spell out the tree, and do not need this type's name.
 *
 * @internal
 */
export type ResolvedRoutes<Routes, Here extends Place> = Routes extends unknown ? RouterNode<
    { readonly [Key in keyof Routes]: Resolved<Routes[Key], Here, `${Key & (string | number)}`> },
    Here["responses"]
  >
  : never;

/**
 * A declaration in its place: a route, or a router with everything below it.
 *
 * @internal
 */
export type Resolved<Declared, Here extends Place, Key extends string> = Declared extends RouteDeclaration<infer Shape>
  ? RouteNode<{
    readonly key: JoinKey<Here["key"], Key>;
    readonly method: Shape["method"];
    readonly path: JoinPath<Here["path"], Shape["path"]>;
    readonly params: Shape["params"];
    readonly query: Shape["query"];
    readonly headers: Shape["headers"];
    readonly body: Shape["body"];
    readonly responses: Inherit<Here["responses"], Shape["responses"]>;
    readonly security: Shape["security"] extends undefined ? Here["security"] : Shape["security"];
  }>
  : Declared extends RouterDeclaration<infer Path, infer Routes, infer Shared, infer Secured>
    ? ResolvedRoutes<Routes, PlaceBelow<Here, Key, Path, Shared, Secured>>
  : never;

/**
 * A place one router further down.
 *
 * @internal
 */
export type PlaceBelow<
  Here extends Place,
  Key extends string,
  Path extends string,
  Shared extends Responses,
  Secured extends Security | undefined,
> = {
  /** The keys that lead there, joined by dots. */
  readonly key: JoinKey<Here["key"], Key>;
  /** The path above. */
  readonly path: JoinPath<Here["path"], Path>;
  /** The responses declared above. */
  readonly responses: Inherit<Here["responses"], Shared>;
  /** The security declared above. */
  readonly security: Secured extends undefined ? Here["security"] : Secured;
};

/**
 * The dotted key of a step below a dotted key.
 *
 * @internal
 */
export type JoinKey<Parent extends string, Key extends string> = Parent extends "" ? Key : `${Parent}.${Key}`;

/**
 * Responses from above and nearer ones, which win.
 *
 * @internal
 */
export type Inherit<Above extends Responses, Nearer extends Responses> = keyof Above extends never ? Nearer
  : {
    readonly [Status in keyof Above | keyof Nearer]: Status extends keyof Nearer ? Nearer[Status]
      : Above[Status & keyof Above];
  };
