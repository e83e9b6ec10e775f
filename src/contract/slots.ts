/** The inputs of a route: which ones it declares, and their types on each side. */
import { type ParameterName, parameterNames } from "../path.ts";
import { type OutputOf, type Schema } from "../schema.ts";
import { type SentOf, type TextInput, type TextValue } from "./infer.ts";
import { type RouteNode } from "./node.ts";

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

/** The inputs that a route declares. `params` is one of them if the path has parameters. */
export function declaredSlots(node: RouteNode): string[] {
  return [
    ...(node.params || parameterNames(node.path).length > 0 ? ["params"] : []),
    ...(["query", "headers", "body"] as const).filter((slot) => node[slot] !== undefined),
  ];
}

/**
 * The declared inputs, as the handler receives them.
 *
 * @internal
 */
export type HandlerSlots<Route extends RouteNode> = {
  readonly [Slot in DeclaredSlot<Route> | ContentTypeSlot<Route["body"]>]: HandlerSlot<Route>[Slot];
};

/**
 * `contentType`, if the body can have one of several media types.
 *
 * @internal
 */
export type ContentTypeSlot<Body> = Body extends BodyOfSeveralTypes ? "contentType" : never;

/**
 * A request body with one of several media types.
 *
 * @internal
 */
export interface BodyOfSeveralTypes {
  /** The media types and ranges. */
  readonly contentType: readonly string[];
}

/**
 * Each input, as the handler receives it.
 *
 * @internal
 */
export interface HandlerSlot<Route extends RouteNode> {
  /** The path parameters by name. */
  readonly params: Route["params"] extends Schema ? OutputOf<Route["params"]>
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
 * Each input, as the client passes it.
 *
 * @internal
 */
export interface ClientSlot<Route extends RouteNode> {
  /** The path parameters by name. */
  readonly params: Route["params"] extends Schema ? TextInput<SentOf<Route["params"]>>
    : { readonly [Name in ParameterName<Route["path"]>]: TextValue };
  /** The query parameters by name. */
  readonly query: Route["query"] extends Schema ? TextInput<SentOf<Route["query"]>> : never;
  /** The headers by lowercase name. */
  readonly headers: Route["headers"] extends Schema ? TextInput<SentOf<Route["headers"]>> : never;
  readonly body: NonNullable<NonNullable<Route["body"]>["types"]>["sent"];
}
