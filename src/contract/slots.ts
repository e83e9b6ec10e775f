/** What each side makes of a route's inputs, in types, and which inputs it has. */
import { type ParameterName, parameterNames } from "../path.ts";
import { type OutputOf, type Schema } from "../schema.ts";
import { type TextInput, type TextValue } from "./fields.ts";
import { type SentOf } from "./infer.ts";
import { type RouteNode } from "./node.ts";

/**
 * The slots that a route declares; `params` also where its path has parameters.
 *
 * @internal
 */
export type DeclaredSlot<Route extends RouteNode> =
  | (Route["params"] extends undefined ? ParameterName<Route["path"]> extends never ? never : "params" : "params")
  | (Route["query"] extends undefined ? never : "query")
  | (Route["headers"] extends undefined ? never : "headers")
  | (Route["body"] extends undefined ? never : "body");

/** The slots that a route declares; `params` also where its path has parameters. */
export function declaredSlots(node: RouteNode): string[] {
  return [
    ...(node.params || parameterNames(node.path).length > 0 ? ["params"] : []),
    ...(["query", "headers", "body"] as const).filter((slot) => node[slot] !== undefined),
  ];
}

/**
 * What a handler sees of the declared slots.
 *
 * @internal
 */
export type HandlerSlots<Route extends RouteNode> = {
  readonly [Slot in DeclaredSlot<Route> | ContentTypeSlot<Route["body"]>]: HandlerSlot<Route>[Slot];
};

/**
 * `contentType`, for a body of which each request states which of several media types it has.
 *
 * @internal
 */
export type ContentTypeSlot<Body> = Body extends BodyOfSeveralTypes ? "contentType" : never;

/**
 * A request body that may have one of several media types.
 *
 * @internal
 */
export interface BodyOfSeveralTypes {
  /** The media types and ranges. */
  readonly contentType: readonly string[];
}

/**
 * What a handler sees of one slot.
 *
 * @internal
 */
export interface HandlerSlot<Route extends RouteNode> {
  /** The path parameters by name. */
  readonly params: Route["params"] extends Schema ? OutputOf<Route["params"]>
    : { readonly [Name in ParameterName<Route["path"]>]: string };
  /** The query. */
  readonly query: Route["query"] extends Schema ? OutputOf<Route["query"]> : never;
  /** The header fields. */
  readonly headers: Route["headers"] extends Schema ? OutputOf<Route["headers"]> : never;
  /** The body. */
  readonly body: NonNullable<NonNullable<Route["body"]>["types"]>["received"];
  /** Which media type the body came as, where a range or a list is declared: in lower case, without parameters. */
  readonly contentType: NonNullable<NonNullable<Route["body"]>["types"]>["contentType"];
}

/**
 * What a client gives for one slot.
 *
 * @internal
 */
export interface ClientSlot<Route extends RouteNode> {
  /** The path parameters by name. */
  readonly params: Route["params"] extends Schema ? TextInput<SentOf<Route["params"]>>
    : { readonly [Name in ParameterName<Route["path"]>]: TextValue };
  /** The query. */
  readonly query: Route["query"] extends Schema ? TextInput<SentOf<Route["query"]>> : never;
  /** The header fields. */
  readonly headers: Route["headers"] extends Schema ? TextInput<SentOf<Route["headers"]>> : never;
  /** The body. */
  readonly body: NonNullable<NonNullable<Route["body"]>["types"]>["sent"];
}
