/** The inputs of a route: which ones it declares, and their types on each side. */
import type { ParameterName } from "../path.ts";
import type { InputOf, OutputOf, Schema } from "../schema.ts";
import type { SentOf, Spread, TextInput, TextValue } from "./infer.ts";
import type { NodeKey, RouteNode } from "./node.ts";

/**
 * The inputs that a route declares. `params` is one of them if the path has parameters.
 *
 * @internal
 */
export type DeclaredSlot<Route extends RouteNode> =
  | (Route["params"] extends undefined ? ParameterName<Route["path"]> extends never ? never : "params" : "params")
  | (Route["query"] extends undefined ? never : "query")
  | (Route["headers"] extends undefined ? never : "headers")
  | (Route["body"] extends undefined ? never : "body");

/**
 * What a schema declares of the parameters of a path, together with those that its input leaves out, which are texts. A
 * member of the schema's output wins.
 */
type WithUndeclared<Declared, Input, Name extends string, Text> = [Name] extends [DeclaredName<Input>] ? Declared
  : Spread<Declared & { readonly [Each in Exclude<Name, DeclaredName<Input> | keyof Declared>]: Text }>;

/** The names that an input declares: the keys of all members of a union, and any name if the input is unknown. */
type DeclaredName<Input> = Input extends unknown ? unknown extends Input ? string : keyof Input : never;

/**
 * The declared inputs, as the handler receives them.
 *
 * @internal
 */
export type HandlerSlots<
  Route extends RouteNode,
  Slots extends keyof HandlerSlot<Route> = DeclaredSlot<Route> | ContentTypeSlot<Route["body"]>,
> = {
  readonly [Slot in Slots]: HandlerSlot<Route>[Slot];
};

/** `contentType`, if the body can have one of several media types. */
type ContentTypeSlot<Body> = Body extends { readonly contentType: readonly string[] } ? "contentType" : never;

/** Each input, as the handler receives it. */
export interface HandlerSlot<Route extends RouteNode> {
  /** The path parameters by name. Those that the schema leaves out are strings. */
  readonly params: Route["params"] extends Schema
    ? WithUndeclared<OutputOf<Route["params"]>, InputOf<Route["params"]>, ParameterName<Route["path"]>, string>
    : { readonly [Name in ParameterName<Route["path"]>]: string };
  /** The query parameters by name. */
  readonly query: Route["query"] extends Schema ? OutputOf<Route["query"]> : never;
  /** The headers by lowercase name. */
  readonly headers: Route["headers"] extends Schema ? OutputOf<Route["headers"]> : never;
  readonly body: NonNullable<NonNullable<Route["body"]>["types"]>["received"];
  /**
   * The media type of the body, in lowercase and without parameters. Present if the declared media type is a range or a
   * list.
   */
  readonly contentType: NonNullable<NonNullable<Route["body"]>["types"]>["contentType"];
}

/**
 * The path parameters that all routes below a node have, as their handlers receive them. Where routes validate one
 * differently, its type is the union of theirs.
 */
export type SharedParams<Node> = CommonMembers<ParamsBelow<Node>>;

/** The path parameters of the routes below a node, as a union. */
type ParamsBelow<Node> = Node extends RouteNode ? HandlerSlot<Node>["params"]
  : { readonly [Key in NodeKey<Node>]: ParamsBelow<Node[Key]> }[NodeKey<Node>];

/** The path parameters that the paths of all routes below a node have, before they are validated. */
export type SharedRawParams<Node> = CommonMembers<RawParamsBelow<Node>>;

/** The path parameters of the routes below a node before they are validated, as a union. */
type RawParamsBelow<Node> = Node extends RouteNode ? { readonly [Name in ParameterName<Node["path"]>]: string }
  : { readonly [Key in NodeKey<Node>]: RawParamsBelow<Node[Key]> }[NodeKey<Node>];

/** The members that all types of a union have. None if one is not an object, as a schema may return. */
type CommonMembers<Union> = [Union] extends [never] ? Record<never, never> // a router without routes
  : [Union] extends [object] ? { readonly [Name in keyof Union & string]: Union[Name] }
  : Record<never, never>;

/**
 * Each input, as the client passes it.
 *
 * @internal
 */
export interface ClientSlot<Route extends RouteNode> {
  /** The path parameters by name. Those that the schema leaves out are texts. */
  readonly params: Route["params"] extends Schema ? WithUndeclared<
      TextInput<SentOf<Route["params"]>>,
      InputOf<Route["params"]>,
      ParameterName<Route["path"]>,
      TextValue
    >
    : { readonly [Name in ParameterName<Route["path"]>]: TextValue };
  /** The query parameters by name. */
  readonly query: Route["query"] extends Schema ? TextInput<SentOf<Route["query"]>> : never;
  /** The headers by lowercase name. */
  readonly headers: Route["headers"] extends Schema ? TextInput<SentOf<Route["headers"]>> : never;
  readonly body: NonNullable<NonNullable<Route["body"]>["types"]>["sent"];
}
