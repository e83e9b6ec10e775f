import { type Contract } from "../contract/contract.ts";
import { type RouteNode, type RouterMark } from "../contract/node.ts";
import { routesOf } from "../contract/routes_of.ts";
import { type SlimContract } from "../contract/slim_contract.ts";
import { type Schema } from "../schema.ts";
import { type DeclaredSlot, type GivenSlot } from "../contract/slots.ts";
import { isMarked, type mark } from "../mark.ts";
import { type Spread } from "../spread.ts";
import { createCall } from "./call.ts";
import { cannotCreate } from "./check_options.ts";
import { type ReceivedByStatus } from "./result.ts";
import { type CallOptions, checkSettings, type ClientOptions, type ClientSettings } from "./settings.ts";

/** The calls of a tree of routes, by the same keys. */
export type Client<Routes> = Routes extends RouteNode ? ClientCall<Routes>
  : Exclude<keyof Routes, keyof RouterMark> extends infer Keys extends keyof Routes
    ? { readonly [Key in Keys]: Client<Routes[Key]> }
  : never;

/** Calls one route. */
export type ClientCall<Route extends RouteNode> = {
  /** Calls the route; rejects with a {@linkcode ClientError} where there is no declared result. */
  (...given: CallArguments<Route>): Promise<ReceivedByStatus<Route>[keyof Route["responses"] & number]>; // a ClientResult, of which editors show each member
  /**
   * The URL that a call would go to.
   *
   * @throws {ClientError} With code `invalid-input`; also where a codec of the params or the query is asynchronous.
   */
  url(...given: UrlArguments<Route>): string;
  /** The request that a call would send; rejects with a {@linkcode ClientError} `invalid-input`. */
  request(...given: CallArguments<Route>): Promise<Request>;
} & EventMark<Route>; // which is mostly unknown, so that editors show the functions, and not this type's name

/**
 * The mark of a call that may be one of `follow()`, which looks at its responses: of a method that reads, with a header `last-event-id`.
 *
 * @internal
 */
export type EventMark<Route extends RouteNode> = Route["method"] extends "GET" | "QUERY"
  ? Route["headers"] extends Schema
    ? "last-event-id" extends keyof GivenSlot<Route>["headers"] ? CallMark<Route> : unknown
  : unknown
  : unknown;

/** What a call has beside its functions: its route, which `follow()` looks at. Types show it of routes that it may follow. */
export interface CallMark<Route extends RouteNode = RouteNode> {
  /** The route. */
  readonly [mark]: Route;
}

/**
 * What a call takes: an input only where slots are declared, which may be left out where each of them may.
 *
 * @internal
 */
export type CallArguments<Route extends RouteNode> = InputArguments<CallInput<Route>>;

/**
 * What a call of one input takes.
 *
 * @internal
 */
export type InputArguments<Input> = keyof Input extends never ? [options?: CallOptions]
  : Record<never, never> extends Input ? [input?: Input, options?: CallOptions]
  : [input: Input, options?: CallOptions];

/**
 * What the URL of a call depends on.
 *
 * @internal
 */
export type UrlArguments<Route extends RouteNode> = UrlSlot<Route> extends never ? []
  : UrlSlot<Route> extends OptionalSlot<Route> ? [input?: UrlInput<Route>]
  : [input: UrlInput<Route>];

/**
 * The declared slots that a URL depends on.
 *
 * @internal
 */
export type UrlSlot<Route extends RouteNode> = DeclaredSlot<Route> & ("params" | "query");

/**
 * What the URL of a call depends on, by slot.
 *
 * @internal
 */
export type UrlInput<Route extends RouteNode> = CallInput<Route, UrlSlot<Route>>;

/**
 * What a caller gives for the declared slots, or for some of them.
 *
 * @internal
 */
export type CallInput<Route extends RouteNode, Slots extends DeclaredSlot<Route> = DeclaredSlot<Route>> =
  OptionalSlot<Route> extends never ? { readonly [Slot in Slots]: GivenSlot<Route>[Slot] }
    : Spread<
      & { readonly [Slot in Exclude<Slots, OptionalSlot<Route>>]: GivenSlot<Route>[Slot] }
      & { readonly [Slot in Slots & OptionalSlot<Route>]?: GivenSlot<Route>[Slot] | undefined }
    >;

/**
 * The declared slots that may be left out: an empty object, or for a body nothing, satisfies them.
 *
 * @internal
 */
export type OptionalSlot<Route extends RouteNode> = {
  [Slot in DeclaredSlot<Route>]: IfOptional<Slot, GivenSlot<Route>[Slot]>;
}[DeclaredSlot<Route>];

/**
 * A slot that may be left out.
 *
 * @internal
 */
export type IfOptional<Slot, Given> = Slot extends "body"
  ? undefined extends Given ? unknown extends Given ? never : Slot : never
  : Record<never, never> extends Given ? unknown extends Given ? never : Slot
  : never;

/**
 * Creates a typed client of a contract: an object of functions by the contract's keys. A call gives a result for every declared
 * status, 4xx and 5xx included, and rejects with a {@linkcode ClientError} for everything else.
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
 * assertEquals(result.status === 200 ? result.body.name : "nobody", "Ada");
 * assertEquals(client.byId.url({ params: { id: "a/b" } }), "https://api.example.com/users/a%2Fb");
 * ```
 *
 * @throws {TypeError} For an option that can't be, or something that is no contract.
 */
export function createClient<Boundary extends Contract | SlimContract>(
  contract: Boundary,
  options: ClientOptions<Boundary["routes"]>,
): Client<Boundary["routes"]> {
  if (!isMarked(contract, "contract") && !isMarked(contract, "slim contract")) {
    cannotCreate("its contract was not made by defineContract() or slimContract()");
  }
  const { routes } = contract;
  const nodes = routesOf(routes);
  const settings = checkSettings(options, nodes);
  // each node becomes the call that ClientCall states for it
  return createGroup(routes, nodes, settings) as Client<Boundary["routes"]>;
}

function createGroup(tree: object, nodes: readonly RouteNode[], settings: ClientSettings): object {
  return Object.fromEntries(
    Object.entries(tree).map(([key, entry]) => [
      key,
      isMarked(entry, "route") ? createCall(entry as RouteNode, nodes, settings) : createGroup(entry, nodes, settings),
    ]),
  );
}
