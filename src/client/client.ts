import type { Contract, SlimContract } from "../contract/contract.ts";
import { type CallSlot, type Coder, coderOf, type RouteCall, toCall } from "../contract/call.ts";
import type { RouteNode, RouterMark } from "../contract/node.ts";
import { alternativesOf } from "../contract/security_scheme.ts";
import { describeConfidential } from "../messages.ts";
import { failAt } from "../options.ts";
import type { Schema } from "../schema.ts";
import type { ClientSlot, DeclaredSlot } from "../contract/slots.ts";
import { isMarked, mapLeaves } from "../mark.ts";
import type { Spread, TextValue } from "../contract/infer.ts";
import { createCall } from "./call.ts";
import { type CallOptions, clientName, type ClientOptions, readClientOptions, toSettings } from "./settings.ts";
import type { ReceivedByStatus } from "./result.ts";

/** The calls of a tree of routes, under the same keys. */
export type Client<Routes> = Routes extends RouteNode ? ClientCall<Routes>
  : Exclude<keyof Routes, keyof RouterMark> extends infer Keys extends keyof Routes
    ? { readonly [Key in Keys]: Client<Routes[Key]> }
  : never;

/**
 * The promise of a call. `Status` names the declared statuses, so that editors show all of them before the results, of
 * which they may leave out some. The results of success are apart, because editors list the members of a union in the
 * order in which the program's types came to be.
 */
export interface CallPromise<Status, Success, Failed> extends Promise<Success | Failed> {}

/**
 * Calls one route. A call resolves to a result for every declared status, and rejects with a {@linkcode ClientError} for
 * everything else.
 */
export type ClientCall<Route extends RouteNode> = {
  // without a doc comment, because editors would show it in place of the route's
  (...args: CallArguments<Route>): CallPromise<
    keyof Route["responses"] & number,
    ReceivedByStatus<Route>[keyof Route["responses"] & SuccessStatus],
    ReceivedByStatus<Route>[Exclude<keyof Route["responses"] & number, SuccessStatus>]
  >;
  /**
   * Returns the URL of a call, without sending it.
   *
   * @throws {ClientError} With code `invalid-input`. This includes a route whose codec for `params` or `query` is
   * asynchronous.
   */
  url(...args: UrlArguments<Route>): string;
  /**
   * Builds the request of a call, without sending it. Rejects with a {@linkcode ClientError} with code `invalid-input`.
   */
  request(...args: CallArguments<Route>): Promise<Request>;
} & EventMark<Route>; // unknown for most routes, so that editors show the signatures instead of this type's name

/**
 * The registered statuses of success. Any other status is listed after them, and is the same in all other respects.
 *
 * @internal
 */
type SuccessStatus = 200 | 201 | 202 | 203 | 204 | 205 | 206 | 207 | 208 | 226;

/**
 * The mark of a call that `follow()` may accept: its method is GET or QUERY and it declares the header
 * `last-event-id`. `follow()` then checks the responses. A call that `connect()` may accept declares the status 101.
 *
 * @internal
 */
export type EventMark<Route extends RouteNode> = Route["method"] extends "GET" | "QUERY"
  ? Route["headers"] extends Schema
    ? "last-event-id" extends keyof ClientSlot<Route>["headers"] ? CallMark<Route> : unknown
  : 101 extends keyof Route["responses"] ? CallMark<Route>
  : unknown
  : unknown;

/** The call as data, which `follow()` and `connect()` read. The types show it only for routes that they may accept. */
export interface CallMark<Route extends RouteNode = RouteNode> {
  readonly "~scope/api": RouteCall<Route>;
}

/**
 * The route of a call that has the mark; `never` for any other.
 *
 * @internal
 */
export type MarkedRoute<Call> = Call extends CallMark<infer Route> ? Route : never;

/**
 * The arguments of a call. It takes an input only if slots are declared; the input is optional if every slot is.
 *
 * @internal
 */
export type CallArguments<Route extends RouteNode> = InputArguments<CallInput<Route>>;

/** The arguments of a call with this input. */
export type InputArguments<Input> = keyof Input extends never ? [options?: CallOptions]
  : Record<never, never> extends Input ? [input?: Input, options?: CallOptions]
  : [input: Input, options?: CallOptions];

/**
 * The arguments of `url()`.
 *
 * @internal
 */
export type UrlArguments<Route extends RouteNode> = UrlSlot<Route> extends never ? []
  : UrlSlot<Route> extends OptionalSlot<Route> ? [input?: UrlInput<Route>]
  : [input: UrlInput<Route>];

/** The declared slots that a URL depends on. */
export type UrlSlot<Route extends RouteNode> = DeclaredSlot<Route> & ("params" | "query");

/** The input of `url()`, by slot. */
export type UrlInput<Route extends RouteNode> = CallInput<Route, UrlSlot<Route>>;

/**
 * The input of a call: the values of all declared slots, or of some of them.
 *
 * @internal
 */
export type CallInput<Route extends RouteNode, Slots extends CallSlot = DeclaredSlot<Route>> =
  OptionalSlot<Route, Slots> extends never ? [Slots] extends ["params" | "body"] ? PlainInput<ClientSlot<Route>, Slots>
    : { readonly [Slot in Slots]: ClientSlot<Route>[Slot] }
    : Spread<
      & { readonly [Slot in Exclude<Slots, OptionalSlot<Route, Slots>>]: ClientSlot<Route>[Slot] }
      & { readonly [Slot in OptionalSlot<Route, Slots>]?: ClientSlot<Route>[Slot] | undefined }
    >;

/**
 * The input of a call that sends nothing but `params` and a body, by short names: editors write an object over several
 * lines.
 */
type PlainInput<Values extends { readonly params: unknown; readonly body: unknown }, Slots> = "params" extends Slots
  ? TextsOf<Values["params"]> extends never ? { readonly [Slot in "params" | Extract<Slots, "body">]: Values[Slot] }
  : "body" extends Slots ? ParamsAndBody<keyof Values["params"] & string, Values["body"], TextsOf<Values["params"]>>
  : ParamsInput<keyof Values["params"] & string, TextsOf<Values["params"]>>
  : "body" extends Slots ? BodyInput<Values["body"]>
  : Record<never, never>;

/** The type of the values of `Params`, if all are required and of one of the two types of text; otherwise `never`. */
type TextsOf<Params> = [Params, Texts<Params, string>] extends [Texts<Params, string>, Params] ? string
  : [Params, Texts<Params, TextValue>] extends [Texts<Params, TextValue>, Params] ? TextValue
  : never;

/** `Params` with texts as all values, which are required. */
type Texts<Params, Text> = { readonly [Name in keyof Params]-?: Text };

/** The input of a call with text parameters of these names. */
export type ParamsInput<Name extends string, Text = TextValue> = {
  /** The path parameters by name. */
  readonly params: { readonly [Each in Name]: Text };
};

/** The input of a call with text parameters of these names, and a body. */
export type ParamsAndBody<Name extends string, Body, Text = TextValue> = {
  /** The path parameters by name. */
  readonly params: { readonly [Each in Name]: Text };
  /** The body. */
  readonly body: Body;
};

/** The input of a call with a body. */
export type BodyInput<Body> = {
  /** The body. */
  readonly body: Body;
};

/** The slots, of all or some, that may be omitted: their schema accepts an empty object or, for a body, `undefined`. */
export type OptionalSlot<Route extends RouteNode, Slots extends CallSlot = DeclaredSlot<Route>> = {
  [Slot in Slots]: IfOptional<Slot, ClientSlot<Route>[Slot]>;
}[Slots];

/** The slot, if it may be omitted. */
export type IfOptional<Slot, Value> = Slot extends "body"
  ? undefined extends Value ? unknown extends Value ? never : Slot : never
  : Record<never, never> extends Value ? unknown extends Value ? never : Slot
  : never;

/**
 * Creates a typed client for a contract: an object of functions under the contract's keys. A call resolves to a result
 * for every declared status, including 4xx and 5xx, and rejects with a {@linkcode ClientError} for everything else.
 *
 * @example A call whose result is discriminated by its status
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { createClient } from "@scope/api/client";
 * import { assertEquals } from "@std/assert";
 * import { type } from "arktype";
 *
 * const contract = defineContract({
 *   routes: {
 *     byId: route.get("/users/:id", {
 *       responses: { 200: response.json(type({ name: "string" })), 404: response.empty() },
 *     }),
 *   },
 * });
 * const client = createClient(contract, {
 *   baseUrl: "https://api.example.com",
 *   fetch: () => Response.json({ name: "Ada" }), // a mounted handler works as well
 * });
 *
 * const result = await client.byId({ params: { id: "42" } });
 * assertEquals(result.status === 200 ? result.body.name : undefined, "Ada");
 * assertEquals(client.byId.url({ params: { id: "a/b" } }), "https://api.example.com/users/a%2Fb");
 * ```
 *
 * @throws {TypeError} If an option is invalid, or if the contract was not created by `defineContract()` or
 * `slimContract()`.
 */
export function createClient<Api extends Contract | SlimContract>(
  contract: Api,
  options: ClientOptions<NonNullable<Api["routes"]>>,
): Client<NonNullable<Api["routes"]>> {
  const isWhole = isMarked(contract, "contract");
  if (!isWhole && !isMarked(contract, "slim contract")) {
    const state = "the contract must be made by defineContract() or slimContract()";
    failAt(clientName, `${state}, got ${describeConfidential(contract)}`);
  }
  const read = readClientOptions(options);
  const { validate } = read;
  if (validate !== undefined && (typeof validate !== "function" || !isWhole)) {
    failAt(
      clientName,
      '"validate" takes validateResponses and needs the whole contract, because a slim one has no schemas',
    );
  }
  // the schemas of a whole contract are Standard Schemas
  const toCoder = (schema: unknown): Coder => ({ ...(schema ? validate?.(schema as Schema) : {}), ...coderOf(schema) });
  const tree = "calls" in contract ? contract.calls : mapLeaves(
    contract.routes,
    "route",
    (node: RouteNode) => toCall(node, alternativesOf(node.security), toCoder),
  );
  const calls: RouteCall[] = [];
  mapLeaves(tree, "call", (call: RouteCall) => calls.push(call));
  const settings = toSettings(read, calls);
  // each call becomes the function that ClientCall describes
  return mapLeaves(tree, "call", (call: RouteCall) => createCall(call, calls, settings)) as Client<
    NonNullable<Api["routes"]>
  >;
}
