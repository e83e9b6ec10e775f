import { type Awaitable } from "../awaitable.ts";
import { type Contract } from "../contract/contract.ts";
import { type RouteNode, type RouterNode } from "../contract/node.ts";
import { isMarked } from "../mark.ts";
import { type RouteInfo } from "./call.ts";
import { type ContextFactory } from "./endpoint.ts";
import { type Handlers } from "./handler.ts";
import { findKey, implementNode, type ServerPart } from "./implement.ts";
import {
  type Fragment,
  type HandlerEntry,
  type HandlerTree,
  type Implementation,
  type Inferred,
  type NeedsOf,
} from "./implementation.ts";
import { type AnyMiddleware, type ContextInside, type MiddlewareInput, type MiddlewareResult } from "./middleware.ts";

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

/** A contract with a context and middleware, to be implemented; made by {@linkcode defineServer}. */
export interface Server<in out Boundary extends Contract, in out Context extends object, in out Needs extends object> {
  /** What it was defined with, in types only. */
  readonly types?: { readonly contract: Boundary; readonly context: Context; readonly needs: Needs };

  /**
   * Puts a middleware before every handler: a new server, this one stays as it is. Middleware runs in the order of its
   * declaration, each round everything after it, once the request was validated and its context made. What it adds to the context
   * by `next(added)` the middleware after it and the handlers find there, in types too.
   *
   * @throws {TypeError} Where `middleware` is no function.
   */
  use<Given extends Awaitable<MiddlewareResult<Boundary["responses"]>>>(
    middleware: (input: MiddlewareInput<Context, Boundary["responses"]>) => Given,
  ): Server<Boundary, ContextInside<Context, Awaited<Given>>, Needs>;

  /**
   * Gives one router or route of the contract its handlers: a fragment with this server's context and middleware, that stands in
   * a bigger tree, and mounts alone as well.
   *
   * @param node Where the fragment belongs: `contract.routes.users`.
   * @throws {TypeError} Lists everything that is amiss, as for the whole; and where `node` is none of the contract's.
   */
  implement<Node extends RouteNode | RouterNode, Tree>(
    node: Node,
    handlers: Inferred<Node, Tree> & HandlerEntry<Node, Context>,
  ): Fragment<Node, Needs & NeedsOf<Tree>>;

  /**
   * Gives every route its handler: the tree mirrors the keys of the contract's routes. A {@linkcode Fragment} may stand where its
   * node belongs; what its context needs of the adapter, the whole needs.
   *
   * @throws {TypeError} Lists everything that is missing, unknown, no function or in a wrong place, by its dotted key.
   */
  implement<Tree>(
    handlers: Inferred<Boundary["routes"], Tree> & HandlerTree<Boundary["routes"], Context>,
  ): Implementation<Needs & NeedsOf<Tree>>;
}

/** The handlers of a server, for those that stand in modules of their own: `HandlersOf<typeof server>["users"]["byId"]`. */
export type HandlersOf<Defined> = Defined extends AnyServer
  ? Handlers<NonNullable<Defined["types"]>["contract"]["routes"], NonNullable<Defined["types"]>["context"]>
  : never;

/**
 * A server, as far as {@linkcode HandlersOf} looks at it.
 *
 * @internal
 */
export interface AnyServer {
  /** What it was defined with, in types only. */
  readonly types?: { readonly contract: Contract; readonly context: object };
}

/**
 * Begins the server side of a contract: states the context that its handlers work in, and the middleware before them.
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
 * @example Middleware that refuses, or adds to the context, before one router
 * ```ts
 * import { defineContract, response, route, router } from "@scope/api";
 * import { createFetchHandler } from "@scope/api/fetch";
 * import { defineServer } from "@scope/api/server";
 * import { assertEquals } from "@std/assert";
 *
 * const contract = defineContract({
 *   responses: { 401: response.empty() },
 *   routes: {
 *     health: route.get("/health", { responses: { 200: response.text() } }),
 *     members: router("/members", { routes: { me: route.get("/me", { responses: { 200: response.text() } }) } }),
 *   },
 * });
 * const server = defineServer(contract, { context: ({ request }) => ({ user: request.headers.get("x-user") }) });
 * const members = server.use(({ context, next, response }) =>
 *   context.user === null ? response(401) : next({ user: context.user })
 * );
 * const handler = createFetchHandler(server.implement({
 *   health: ({ response }) => response(200, "ok"),
 *   members: members.implement(contract.routes.members, {
 *     me: ({ context, response }) => response(200, context.user), // a string here
 *   }),
 * }));
 *
 * const asAda = new Request("http://localhost/members/me", { headers: { "x-user": "Ada" } });
 * assertEquals(await (await handler(asAda)).text(), "Ada");
 * assertEquals((await handler(new Request("http://localhost/members/me"))).status, 401);
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
  const createContext = context as ContextFactory | undefined; // what it needs is checked where an adapter mounts it
  // the exact types are stated in Server alone
  return createServer(contract, { createContext, middleware: [], shared: contract.responses }) as Server<
    Boundary,
    Context,
    Needs
  >;
}

function createServer(contract: Contract, part: ServerPart): object {
  return Object.freeze({
    use(middleware: AnyMiddleware): object {
      if (typeof middleware !== "function") throw new TypeError("Cannot use a middleware: it is no function");
      return createServer(contract, { ...part, middleware: [...part.middleware, middleware] });
    },
    implement: (...given: [tree: unknown] | [node: unknown, tree: unknown]): Implementation<never> => {
      if (given.length === 1) return implementNode(contract.routes, "", given[0], part);
      const [node, tree] = given;
      const key = findKey(contract.routes, node);
      if (key !== undefined) return implementNode(node, key, tree, part);
      throw new TypeError("Cannot implement a part of the contract: it is none of its nodes; write contract.routes.…");
    },
  });
}
