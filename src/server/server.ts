import { type Awaitable } from "../awaitable.ts";
import { type Contract } from "../contract/contract.ts";
import { isMarked, markAs, type Marked } from "../mark.ts";
import { type ContextFactory, type Endpoint } from "./endpoint.ts";
import { type Handlers, type RouteInfo } from "./handler.ts";
import { toEndpoints } from "./implement.ts";

/** What an adapter gives every context factory. */
export interface ContextInput {
  /** The request as it came; its body belongs to the contract. */
  readonly request: Request;
  /** Aborts when the client goes away. Read it only where it is used. */
  readonly signal: AbortSignal;
  /** The route that was matched. */
  readonly route: RouteInfo;
}

/** The options of {@linkcode defineServer}. */
export interface ServerOptions<Context extends object, Needs extends object> {
  /**
   * Makes the context that handlers work in, once for every matched request, after validation. What it needs beside
   * {@linkcode ContextInput} it says by annotating its parameter, and the adapter's `contextInput` must give it. Default: an empty object.
   */
  readonly context?: (input: ContextInput & Needs) => Awaitable<Context>;
}

/** A contract with a handler for every route: what an adapter mounts. `Needs` is what its context factory asks of the adapter. */
export interface Implementation<Needs extends object = Record<never, never>> extends Marked<"implementation"> {
  /** Every route with its handler. */
  readonly endpoints: readonly Endpoint[];
  /** What the context factory asks of the adapter, in types only. */
  readonly needs?: ((needs: Needs) => void) | undefined;
}

/** A contract with a context, to be implemented; made by {@linkcode defineServer}. */
export interface Server<Boundary extends Contract, Context extends object, Needs extends object> {
  /**
   * Gives every route its handler: the tree mirrors the keys of the contract's routes.
   *
   * @throws {TypeError} Lists every handler that is missing, unknown or no function, by its dotted key.
   */
  implement(handlers: Handlers<Boundary["routes"], Context>): Implementation<Needs>;
}

/** The handlers of a server, for those that stand in modules of their own: `HandlersOf<typeof server>["users"]["byId"]`. */
export type HandlersOf<Defined> = Defined extends Server<infer Boundary, infer Context, infer _Needs>
  ? Handlers<Boundary["routes"], Context>
  : never;

/**
 * Begins the server side of a contract: states the context that its handlers work in.
 *
 * @example Handlers with a context
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { createFetchHandler } from "@scope/api/fetch";
 * import { defineServer } from "@scope/api/server";
 * import { assertEquals } from "@std/assert";
 *
 * const contract = defineContract({
 *   routes: { greet: route.get("/greet/:name", { responses: { 200: response.text() } }) },
 * });
 * const server = defineServer(contract, { context: () => ({ greeting: "Hello" }) });
 * const implementation = server.implement({
 *   greet: ({ params, context, response }) => response(200, `${context.greeting}, ${params.name}!`),
 * });
 *
 * const answer = await createFetchHandler(implementation)(new Request("http://localhost/greet/Ada"));
 * assertEquals(await answer.text(), "Hello, Ada!");
 * ```
 *
 * @throws {TypeError} Where `contract` was not made by `defineContract`, or an option is unknown.
 */
export function defineServer<
  Boundary extends Contract,
  Context extends object = Record<never, never>,
  Needs extends object = Record<never, never>,
>(
  contract: Boundary,
  options: ServerOptions<Context, Needs> = {},
): Server<Boundary, Context, Needs> {
  if (!isMarked(contract, "contract")) {
    throw new TypeError("Cannot define a server: its contract was not made by defineContract()");
  }
  const { context, ...unknown } = options;
  const [surplus] = Object.keys(unknown);
  if (surplus !== undefined) {
    throw new TypeError(`Cannot define a server: unknown option ${JSON.stringify(surplus)} (allowed: context)`);
  }
  if (context !== undefined && typeof context !== "function") {
    throw new TypeError("Cannot define a server: context is no function");
  }
  return Object.freeze({
    implement: (handlers: object) =>
      // what the factory needs is checked where an adapter mounts it
      markAs("implementation", { endpoints: toEndpoints(contract, handlers, context as ContextFactory | undefined) }),
  });
}
