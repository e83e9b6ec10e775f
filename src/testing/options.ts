/** The options of contract tests. */
import { type NodeKey, type RouteNode } from "../contract/node.ts";
import { type ClientSlot, type DeclaredSlot } from "../contract/slots.ts";
import { type TextValue } from "../contract/fields.ts";
import { type ClientCredentials } from "../client/credentials.ts";
import { type RouteKey } from "../client/settings.ts";
import { type SchemaProvider } from "../openapi/slot_schemas.ts";
import { type ParameterName } from "../path.ts";
import { type InputOf, type Schema } from "../schema.ts";
import { type Rule } from "./finding.ts";
import { type FieldSlot } from "./route_plan.ts";
import { type Target } from "./target.ts";

/** The options of `contractTests`. `Routes` is the type of the contract's routes. */
export interface ContractTestOptions<Routes = never> {
  /**
   * The server to test. Pass a handler, or a function without parameters that returns a new handler for each test. Or
   * pass the URL of a running server, in any language.
   */
  readonly target: Target;
  /**
   * Values that the server accepts, such as the ids of things that exist, by route key, slot and name. Default: none.
   */
  readonly values?: TestValues<Routes> | undefined;
  /**
   * The credentials of a caller who may call every route, by the names of the contract's security schemes. Messages
   * never contain them. A function is called for each test, and again after a 401. Default: none.
   */
  readonly credentials?: ClientCredentials<Routes> | undefined;
  /** Header fields for every request. Messages never contain their values. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Returns the JSON Schema of a slot whose schema does not convert; `undefined` for all others. Default: none. */
  readonly schema?: SchemaProvider | undefined;
  /** The number of random requests in each phase of a route's tests, from 0. Default: 100. */
  readonly runs?: number | undefined;
  /** The seed of the random requests: a non-negative integer. The same seed generates the same requests. Default: 0. */
  readonly seed?: number | undefined;
  /** The most milliseconds that a response may take, from 1. Default: 5000. */
  readonly limit?: number | undefined;
  /** Whether a server at a URL may receive requests that change something. Default: false. */
  readonly mutates?: boolean | undefined;
  /**
   * `"http"` for a server that does not use this package. It may refuse invalid requests with any 4xx and any body,
   * redirect unknown paths, and respond to undeclared methods with 501. Undeclared members become warnings. Default:
   * as strict as this package's adapter.
   */
  readonly profile?: "http" | undefined;
  /** Another server, which must respond to valid requests in the same way. Default: none. */
  readonly against?: Target | undefined;
  /** Rules to ignore: `true` for all routes, or a list of route keys. Default: none. */
  readonly ignore?: Readonly<Partial<Record<Rule, true | readonly (RouteKey<Routes> | "*")[]>>> | undefined;
  /**
   * Called with the message of a warning: with the profile `"http"`, a member that the contract does not declare.
   * Default: `console.warn`.
   */
  readonly warn?: ((message: string) => void) | undefined;
}

/** Values that a server accepts, by route key. */
export type TestValues<Routes> = [Routes] extends [never] ? Readonly<Record<string, AnyRouteValues>>
  : NodeBelow<Routes> extends infer Nodes extends RouteNode ? ValuesByKey<Nodes>
  : never;

/**
 * Values for some routes, by their keys.
 *
 * @internal
 */
export type ValuesByKey<Nodes extends RouteNode> = { readonly [Node in Nodes as Node["key"]]?: RouteValues<Node> };

/**
 * Values for a route whose type is not known.
 *
 * @internal
 */
export type AnyRouteValues =
  & Readonly<Partial<Record<FieldSlot, Readonly<Record<string, readonly TextValue[]>>>>>
  & { readonly body?: readonly unknown[] };

/**
 * The routes below a node.
 *
 * @internal
 */
export type NodeBelow<Node> = Node extends RouteNode ? Node
  : { [Key in NodeKey<Node>]: NodeBelow<Node[Key]> }[NodeKey<Node>];

/**
 * Values that a server accepts for one route: lists of texts by slot and name, and a list of bodies in the form that a
 * client takes.
 */
export type RouteValues<Route extends RouteNode> = {
  readonly [Slot in DeclaredSlot<Route>]?: Slot extends FieldSlot
    ? { readonly [Name in FieldName<Route, Slot>]?: readonly TextValue[] }
    : readonly NonNullable<ClientSlot<Route>["body"]>[];
};

/**
 * The names in a slot of text fields.
 *
 * @internal
 */
export type FieldName<Route extends RouteNode, Slot extends FieldSlot> = Route[Slot] extends Schema
  ? keyof InputOf<Route[Slot]> & string
  : ParameterName<Route["path"]>;
