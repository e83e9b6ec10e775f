/** The inputs of a route: which ones it declares, and their types on each side. */
import { type ParameterName, parameterNames } from "../path.ts";
import { declaredKeys, type OutputOf, refusesKey, type Schema } from "../schema.ts";
import { type Spread } from "../spread.ts";
import { isCodec } from "./codec.ts";
import { cannotDeclare } from "./declared.ts";
import { type RequestWireOf, type SentOf, type TextInput, type TextValue } from "./infer.ts";
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
 * Throws a `TypeError` if the schema of a route's `params` refuses a parameter of the path, because no request could
 * then be valid.
 */
export function checkParams(nodes: readonly RouteNode[], where: string): void {
  for (const { key, path, params } of nodes) {
    const refused = params &&
      parameterNames(path).find((name) => refusesKey(isCodec(params) ? params.wire : params, name));
    if (refused === undefined) continue;
    cannotDeclare(
      where,
      `${key}: "params" refuses the parameter ${JSON.stringify(refused)} of ${path}; ` +
        "add it to the schema, or let the schema accept further keys",
    );
  }
}

/** The path parameters that a schema of `params` leaves out, which stay strings. `undefined` if it does not say. */
export function undeclaredParams(schema: Schema, path: string): readonly string[] | undefined {
  const declared = declaredKeys(isCodec(schema) ? schema.wire : schema);
  return declared && parameterNames(path).filter((name) => !declared.includes(name));
}

/**
 * Parameters of the path together with what a schema declares of them. A parameter that it leaves out is a `Value`.
 *
 * @internal
 */
type WithUndeclared<Route extends RouteNode, Params extends Schema, Declared, Value> =
  Undeclared<Route["path"], RequestWireOf<Params>> extends infer Names extends string
    ? [Names] extends [never] ? Declared : Spread<Declared & { readonly [Name in Names]: Value }>
    : never;

/**
 * The parameters of a path that an input leaves out.
 *
 * @internal
 */
type Undeclared<Path extends string, Input> = unknown extends Input ? never
  : Exclude<ParameterName<Path>, Input extends unknown ? keyof Input : never>;

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
  /** The path parameters by name. Those that the schema leaves out are strings. */
  readonly params: Route["params"] extends Schema
    ? WithUndeclared<Route, Route["params"], OutputOf<Route["params"]>, string>
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
  /** The path parameters by name. Those that the schema leaves out are texts. */
  readonly params: Route["params"] extends Schema
    ? WithUndeclared<Route, Route["params"], TextInput<SentOf<Route["params"]>>, TextValue>
    : { readonly [Name in ParameterName<Route["path"]>]: TextValue };
  /** The query parameters by name. */
  readonly query: Route["query"] extends Schema ? TextInput<SentOf<Route["query"]>> : never;
  /** The headers by lowercase name. */
  readonly headers: Route["headers"] extends Schema ? TextInput<SentOf<Route["headers"]>> : never;
  readonly body: NonNullable<NonNullable<Route["body"]>["types"]>["sent"];
}
