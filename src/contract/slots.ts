/** What each side makes of a route's inputs, in types. */
import { type ParameterName } from "../path.ts";
import { type OutputOf, type Schema } from "../schema.ts";
import { type GivenOf } from "./infer.ts";
import { type RouteNode } from "./node.ts";
import { type RequestBody } from "./request.ts";

/** The slots that a route declares; `params` also where its path has parameters. */
export type DeclaredSlot<Route extends RouteNode> =
  | (Route["params"] extends undefined ? ParameterName<Route["path"]> extends never ? never : "params" : "params")
  | (Route["query"] extends undefined ? never : "query")
  | (Route["headers"] extends undefined ? never : "headers")
  | (Route["body"] extends undefined ? never : "body");

/** What a handler sees of the declared slots. */
export type SeenSlots<Route extends RouteNode> = { readonly [Slot in DeclaredSlot<Route>]: SeenSlot<Route>[Slot] };

/** What a handler sees of one slot. */
export interface SeenSlot<Route extends RouteNode> {
  /** The path parameters by name. */
  readonly params: Route["params"] extends Schema ? OutputOf<Route["params"]>
    : { readonly [Name in ParameterName<Route["path"]>]: string };
  /** The query. */
  readonly query: Route["query"] extends Schema ? OutputOf<Route["query"]> : never;
  /** The header fields. */
  readonly headers: Route["headers"] extends Schema ? OutputOf<Route["headers"]> : never;
  /** The body. */
  readonly body: Route["body"] extends RequestBody ? NonNullable<Route["body"]["types"]>["seen"] : never;
}

/** What a client gives for one slot. */
export interface GivenSlot<Route extends RouteNode> {
  /** The path parameters by name. */
  readonly params: Route["params"] extends Schema ? TextInput<GivenOf<Route["params"]>>
    : { readonly [Name in ParameterName<Route["path"]>]: TextValue };
  /** The query. */
  readonly query: Route["query"] extends Schema ? TextInput<GivenOf<Route["query"]>> : never;
  /** The header fields. */
  readonly headers: Route["headers"] extends Schema ? TextInput<GivenOf<Route["headers"]>> : never;
  /** The body. */
  readonly body: Route["body"] extends RequestBody ? NonNullable<Route["body"]["types"]>["given"] : never;
}

/** What becomes text in a path, a query or a header. */
export type TextValue = string | number | boolean | bigint;

/**
 * An input whose unknown values, as a coercing schema has them, are anything that becomes text, and whose optional ones may be
 * `undefined`, which is left out.
 */
export type TextInput<Input> = unknown extends Input ? TextRecord
  : unknown extends Input[keyof Input] ? CoercedInput<Input>
  : Input extends Required<Input> ? Input
  : LeftOut<Input>;

/** An input whose optional values may be `undefined`. */
export type LeftOut<Input> = {
  readonly [Key in keyof Input]: Record<never, never> extends Pick<Input, Key> ? Input[Key] | undefined : Input[Key];
};

/** Any text by name; `undefined` is left out. */
export type TextRecord = Readonly<Record<string, TextValue | readonly TextValue[] | undefined>>;

/** An input of which some values are unknown. */
export type CoercedInput<Input> = {
  readonly [Key in keyof Input]: unknown extends Input[Key] ? TextRecord[string] : Input[Key];
};
