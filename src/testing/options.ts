/** The options of contract tests. */
import { type NodeKey, type RouteNode } from "../contract/node.ts";
import { type DeclaredSlot, type GivenSlot } from "../contract/slots.ts";
import { type TextValue } from "../contract/fields.ts";
import { type ClientCredentials } from "../client/credentials.ts";
import { type RouteKey } from "../client/settings.ts";
import { type SupplySchema } from "../openapi/slot_schemas.ts";
import { type ParameterName } from "../path.ts";
import { type InputOf, type Schema } from "../schema.ts";
import { type Rule } from "./finding.ts";
import { type FieldSlot } from "./route_plan.ts";
import { type Target } from "./target.ts";

/** The options of `contractTests`; `Routes` are those of the contract. */
export interface ContractTestOptions<Routes = never> {
  /**
   * The server: a handler, a function without parameters that makes a fresh one for each test, or the URL of one that runs, in any
   * language.
   */
  readonly target: Target;
  /** Values that the server accepts, such as the ids of things that exist: by the key of a route, its slots and their names. Default: none. */
  readonly values?: TestValues<Routes> | undefined;
  /** The credentials of a caller who may call every route, by the names of the contract's security schemes. They are never shown. Default: none. */
  readonly credentials?: ClientCredentials<Routes> | undefined;
  /** Header fields of every request. Their values are never shown. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The JSON Schema of a slot whose schema does not convert by itself; `undefined` for all others. */
  readonly schema?: SupplySchema | undefined;
  /** How many random requests each phase of a route's tests has. Default: 100. */
  readonly runs?: number | undefined;
  /** What random requests are made of: a whole number. One seed makes the same requests each time. Default: 0. */
  readonly seed?: number | undefined;
  /** The most milliseconds that an answer may take. Default: 5000. */
  readonly limit?: number | undefined;
  /** Whether a server that is given by its URL may be sent requests that change something. Default: false. */
  readonly mutates?: boolean | undefined;
  /**
   * `"http"` for a server that does not use this package: it may reject invalid requests with any 4xx and any body, redirect unknown
   * paths, and answer undeclared methods with 501. Undeclared members are warnings. Default: as strict as this package's adapter.
   */
  readonly profile?: "http" | undefined;
  /** Another server, which must give the same answers to valid requests. Default: none. */
  readonly against?: Target | undefined;
  /** Rules that do not count: `true` for all routes, or a list of keys. Default: none. */
  readonly ignore?: Readonly<Partial<Record<Rule, true | readonly (RouteKey<Routes> | "*")[]>>> | undefined;
  /** Called with what is not an error: with the profile `"http"`, members that the contract does not declare. Default: `console.warn`. */
  readonly warn?: ((message: string) => void) | undefined;
}

/** Values that a server accepts, by the keys of routes. */
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
 * Values for a route that types do not tell.
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

/** Values that a server accepts for one route: lists of texts by slot and name, and a list of bodies as a client gives them. */
export type RouteValues<Route extends RouteNode> = {
  readonly [Slot in DeclaredSlot<Route>]?: Slot extends FieldSlot
    ? { readonly [Name in FieldName<Route, Slot>]?: readonly TextValue[] }
    : readonly NonNullable<GivenSlot<Route>["body"]>[];
};

/**
 * The names of a slot of text.
 *
 * @internal
 */
export type FieldName<Route extends RouteNode, Slot extends FieldSlot> = Route[Slot] extends Schema
  ? keyof InputOf<Route[Slot]> & string
  : ParameterName<Route["path"]>;
