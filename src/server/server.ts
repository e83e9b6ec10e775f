import { type Awaitable } from "../awaitable.ts";
import { type Contract } from "../contract/contract.ts";
import { type RouteNode, type RouterNode, sharedResponses } from "../contract/node.ts";
import { type Responses } from "../contract/response.ts";
import { describeNonContract } from "../contract/slim_contract.ts";
import { isMarked } from "../mark.ts";
import { type RouteInfo } from "./call.ts";
import { checkVerifiers } from "./check_verifiers.ts";
import { type ContextFactory } from "./endpoint.ts";
import { type AnyGuard, type GuardInput } from "./guard.ts";
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
import { type AnyRefuse, type PlacedRefuse, type Refuse } from "./refuse.ts";
import { type ResultOf } from "./result.ts";
import {
  type CallerBelow,
  type CallerFits,
  type CallersOf,
  type EachVerified,
  type NoneToVerify,
  type NoVerifier,
  type ResponsesFit,
  type Verifier,
  type VerifierNeeds,
  type WithoutCaller,
} from "./security.ts";

/** What an adapter gives every context factory. */
export interface ContextInput {
  /** The request as it came; its body belongs to the contract. */
  readonly request: Request;
  /** Aborts when the client goes away. Read it only where it is used. */
  readonly signal: AbortSignal;
  /** The route that was matched. */
  readonly route: RouteInfo;
}

/**
 * What a context factory is passed beside {@linkcode ContextInput}.
 *
 * @internal
 */
export interface CallerInput<Caller> {
  /** The caller that a verifier returned; `undefined` where the route lets everyone in. */
  readonly caller: Caller;
}

/** The options of {@linkcode defineServer}. */
export interface ServerOptions<
  Context extends object,
  Needs extends object,
  Caller = undefined,
  Verifiers extends Verifier = never,
  Declared extends Responses = Record<never, never>,
> {
  /** The verifiers of the contract's security schemes, one `verify(scheme, fn)` for each. Default: none. */
  readonly security?: readonly (Verifiers | NoVerifier<Declared>)[];
  /**
   * Makes the context that handlers work in, once for every matched request, after validation. What it needs beside
   * {@linkcode ContextInput} and `caller` it says by annotating its second parameter, or its first, and the adapter's `contextInput`
   * must return it. Default: an empty object.
   */
  readonly context?: (input: ContextInput & CallerInput<Caller> & Needs, runtime: Needs) => Awaitable<Context>;
  /**
   * Called for each request that the adapter refuses or fails to answer: returns the result to send, of a response that the contract
   * declares for all routes, or `undefined` to send the problem document. The result's status must be 4xx where the problem's is, 5xx
   * where it is 5xx, and 401 where it is 401; `allow`, `www-authenticate` and `no-store` are added to it. What it throws, and an
   * invalid result, is passed to `onError`, and the problem document is sent. Default: problem documents.
   */
  readonly refuse?: Refuse<Declared>;
}

/** A contract with verifiers, a context, guards and middleware, to be implemented; made by {@linkcode defineServer}. */
export interface Server<
  in out Boundary extends Contract,
  in out Context extends object,
  in out Needs extends object,
  in out Callers = Record<never, never>,
> {
  /** What it was defined with, in types only. */
  readonly types?: {
    readonly contract: Boundary;
    readonly context: Context;
    readonly needs: Needs;
    readonly callers: Callers;
  };

  /**
   * Puts a middleware before every handler: a new server, this one stays as it is. Middleware runs in the order of its
   * declaration, each round everything after it, once the request was validated and its context made. What it adds to the context
   * by `next(added)` the middleware after it and the handlers find there, in types too.
   *
   * @throws {TypeError} Where `middleware` is no function.
   */
  use<Given extends Awaitable<MiddlewareResult<Boundary["responses"]>>>(
    middleware: (
      input: MiddlewareInput<Context, Boundary["responses"], CallerBelow<Boundary["routes"], Callers>>,
    ) => Given,
  ): Server<Boundary, ContextInside<Context, Awaited<Given>>, Needs, Callers>;

  /**
   * Adds a guard: a new server, this one stays as it is. Guards run in declaration order after the caller was verified, before the body
   * is read and before anything is validated. A guard returns nothing to let the request pass, or a result of a response that the
   * contract declares for all routes; a result may be thrown as well. Its second argument is what the adapter's `contextInput` returned.
   *
   * @throws {TypeError} If `guard` is not a function.
   */
  guard<Asked extends object = Record<never, never>>(
    guard: (
      input: GuardInput<Boundary["responses"], CallerBelow<Boundary["routes"], Callers>>,
      runtime: Asked,
    ) => Awaitable<ResultOf<Boundary["responses"]> | undefined | void>,
  ): Server<Boundary, Context, Needs & Asked, Callers>;

  /**
   * The server of one router or route: its middleware and guards may answer with the responses that the routes below share, and
   * `implement` returns the fragment of that node. Middleware and guards of this server run before those that are added there.
   *
   * @param node One of the contract's: `contract.routes.users`.
   * @throws {TypeError} If `node` is not a router or route of the contract.
   */
  at<Node extends RouteNode | RouterNode>(node: Node): NodeServer<Node, Context, Needs, Callers>;

  /**
   * Gives one router or route of the contract its handlers: a fragment with this server's context and middleware, that stands in
   * a bigger tree, and mounts alone as well.
   *
   * @param node Where the fragment belongs: `contract.routes.users`.
   * @throws {TypeError} Lists everything that is amiss, as for the whole; and where `node` is none of the contract's.
   */
  implement<Node extends RouteNode | RouterNode, Tree>(
    node: Node,
    handlers: Inferred<Node, Tree> & HandlerEntry<Node, Context, Callers>,
  ): Fragment<Node, Needs & NeedsOf<Tree>>;

  /**
   * Gives every route its handler: the tree mirrors the keys of the contract's routes. A {@linkcode Fragment} may stand where its
   * node belongs; what its context needs of the adapter, the whole needs.
   *
   * @throws {TypeError} Lists everything that is missing, unknown, no function or in a wrong place, by its dotted key.
   */
  implement<Tree>(
    handlers: Inferred<Boundary["routes"], Tree> & HandlerTree<Boundary["routes"], Context, Callers>,
  ): Implementation<Needs & NeedsOf<Tree>>;
}

/** The server of one router or route of a contract; made by {@linkcode Server.at}. */
export interface NodeServer<
  in out Node extends RouteNode | RouterNode,
  in out Context extends object,
  in out Needs extends object,
  in out Callers = Record<never, never>,
> {
  /** What it was defined with, in types only. */
  readonly types?: {
    readonly node: Node;
    readonly context: Context;
    readonly needs: Needs;
    readonly callers: Callers;
  };

  /** As {@linkcode Server.use}; the middleware may answer with every response that the routes below the node share. */
  use<Given extends Awaitable<MiddlewareResult<SharedBelow<Node>>>>(
    middleware: (input: MiddlewareInput<Context, SharedBelow<Node>, CallerBelow<Node, Callers>>) => Given,
  ): NodeServer<Node, ContextInside<Context, Awaited<Given>>, Needs, Callers>;

  /** As {@linkcode Server.guard}; the guard may answer with every response that the routes below the node share. */
  guard<Asked extends object = Record<never, never>>(
    guard: (
      input: GuardInput<SharedBelow<Node>, CallerBelow<Node, Callers>>,
      runtime: Asked,
    ) => Awaitable<ResultOf<SharedBelow<Node>> | undefined | void>,
  ): NodeServer<Node, Context, Needs & Asked, Callers>;

  /** As {@linkcode Server.at}, for a node below this one. */
  at<Below extends RouteNode | RouterNode>(node: Below): NodeServer<Below, Context, Needs, Callers>;

  /**
   * Gives every route below the node its handler, or the route its own: a fragment that stands in a bigger tree where the node belongs.
   *
   * @throws {TypeError} Lists everything that is missing, unknown, no function or in a wrong place, by its dotted key.
   */
  implement<Tree>(
    handlers: Inferred<Node, Tree> & HandlerEntry<Node, Context, Callers>,
  ): Fragment<Node, Needs & NeedsOf<Tree>>;
}

/**
 * The responses that all routes below a node share, inherited ones included; of a route, its own.
 *
 * @internal
 */
export type SharedBelow<Node> = Node extends RouteNode ? Node["responses"]
  : Node extends RouterNode<unknown, infer Shared> ? Shared
  : never;

/** The handlers of a server, for those that stand in modules of their own: `HandlersOf<typeof server>["users"]["byId"]`. */
export type HandlersOf<Defined> = Defined extends AnyServer ? Handlers<
    NonNullable<Defined["types"]>["contract"]["routes"],
    NonNullable<Defined["types"]>["context"],
    NonNullable<Defined["types"]>["callers"]
  >
  : never;

/**
 * A server, as far as {@linkcode HandlersOf} looks at it.
 *
 * @internal
 */
export interface AnyServer {
  /** What it was defined with, in types only. */
  readonly types?: { readonly contract: Contract; readonly context: object; readonly callers: unknown };
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
 * @example Middleware that answers, or adds to the context, before one router
 * ```ts
 * import { defineContract, response, route, router } from "@scope/api";
 * import { createFetchHandler } from "@scope/api/fetch";
 * import { defineServer } from "@scope/api/server";
 * import { assertEquals } from "@std/assert";
 *
 * const contract = defineContract({
 *   responses: { 404: response.empty() },
 *   routes: {
 *     health: route.get("/health", { responses: { 200: response.text() } }),
 *     shop: router("/shop", { routes: { name: route.get("/name", { responses: { 200: response.text() } }) } }),
 *   },
 * });
 * const tenants = new Map([["acme.example", "Acme"]]);
 * const server = defineServer(contract, { context: ({ request }) => ({ host: new URL(request.url).hostname }) });
 * const shop = server.use(({ context, next, response }) => {
 *   const tenant = tenants.get(context.host);
 *   return tenant === undefined ? response(404) : next({ tenant });
 * });
 * const handler = createFetchHandler(server.implement({
 *   health: ({ response }) => response(200, "ok"),
 *   shop: shop.implement(contract.routes.shop, {
 *     name: ({ context, response }) => response(200, context.tenant), // a string here
 *   }),
 * }));
 *
 * assertEquals(await (await handler(new Request("http://acme.example/shop/name"))).text(), "Acme");
 * assertEquals((await handler(new Request("http://other.example/shop/name"))).status, 404);
 * ```
 *
 * @throws {TypeError} Where `contract` was not made by `defineContract`, or an option is unknown.
 */
export function defineServer<Boundary extends Contract>(
  contract: Boundary & NoneToVerify<Boundary["routes"]>,
): Server<Boundary, Record<never, never>, Record<never, never>>;
/** Begins the server side of a contract, with options. */
export function defineServer<
  Boundary extends Contract,
  Context extends object = Record<never, never>,
  Needs extends object = Record<never, never>,
  Verifiers extends Verifier = never,
>(
  contract: Boundary,
  options:
    & ServerOptions<
      Context,
      Needs,
      CallerBelow<Boundary["routes"], CallersOf<Verifiers>>,
      Verifiers,
      Boundary["responses"]
    >
    & EachVerified<Boundary["routes"], Verifiers>
    & ResponsesFit<Verifiers, Boundary["responses"]>
    & CallerFits<Needs, CallerBelow<Boundary["routes"], CallersOf<Verifiers>>>,
): Server<Boundary, Context, WithoutCaller<Needs> & VerifierNeeds<Verifiers>, CallersOf<Verifiers>>;
export function defineServer(contract: Contract, options: AnyServerOptions = {}): object {
  if (!isMarked(contract, "contract")) {
    throw new TypeError(`Cannot define a server: ${describeNonContract(contract, "its contract")}`);
  }
  const { context, refuse, security = [], ...unknown } = options;
  const [surplus] = Object.keys(unknown);
  if (surplus !== undefined) {
    throw new TypeError(
      `Cannot define a server: unknown option ${JSON.stringify(surplus)} (allowed: context, refuse, security)`,
    );
  }
  if (context !== undefined && typeof context !== "function") {
    throw new TypeError("Cannot define a server: context is no function");
  }
  const verifiers = checkVerifiers(contract, security);
  const { routes, responses: shared } = contract;
  // what the context needs is checked where an adapter mounts it
  return createServer({ node: routes, key: "" }, {
    createContext: context,
    verifiers,
    guards: [],
    middleware: [],
    shared,
    refuse: toPlaced(refuse, shared),
  });
}

/** The option `refuse` with what it may answer. */
function toPlaced(refuse: unknown, shared: Responses): PlacedRefuse | undefined {
  if (refuse === undefined) return undefined;
  if (typeof refuse === "function") return { run: refuse as AnyRefuse, shared };
  throw new TypeError("Cannot define a server: refuse must be a function");
}

/** Options, whatever their types. */
interface AnyServerOptions {
  readonly security?: unknown;
  readonly context?: ContextFactory;
  readonly refuse?: unknown;
}

/** A part of a contract: a node, and its dotted key. */
interface ContractPart {
  readonly node: RouteNode | RouterNode;
  readonly key: string;
}

/** A server of a whole contract, or of one node of it; the exact types are stated in {@linkcode Server} and {@linkcode NodeServer}. */
function createServer({ node, key }: ContractPart, part: ServerPart): object {
  const { guards, middleware } = part;
  const shared = sharedOf(node);
  return Object.freeze({
    use(run: AnyMiddleware): object {
      if (typeof run !== "function") throw new TypeError("Cannot use a middleware: it is no function");
      return createServer({ node, key }, { ...part, middleware: [...middleware, { run, shared }] });
    },
    guard(run: AnyGuard): object {
      if (typeof run !== "function") throw new TypeError("server.guard(): the guard must be a function");
      return createServer({ node, key }, { ...part, guards: [...guards, { run, shared }] });
    },
    at(below: RouteNode | RouterNode): object {
      const found = findKey(node, below, key);
      if (found !== undefined) return createServer({ node: below, key: found }, part);
      throw new TypeError(
        "server.at(): its argument is not a router or route of the contract; write contract.routes.…",
      );
    },
    implement: (...given: [tree: unknown] | [node: RouteNode | RouterNode, tree: unknown]): Implementation<never> => {
      if (given.length === 1) return implementNode(node, key, given[0], part);
      return implementNode(given[0], locate(node, key, given[0]), given[1], part);
    },
  });
}

/** The dotted key of a node, or a `TypeError` where the server's part of the contract does not have it. */
function locate(top: unknown, key: string, node: unknown): string {
  const found = findKey(top, node, key);
  if (found !== undefined) return found;
  throw new TypeError("Cannot implement a part of the contract: it is none of its nodes; write contract.routes.…");
}

function sharedOf(node: RouteNode | RouterNode): Responses {
  return isMarked(node, "route") ? (node as RouteNode).responses : (node as RouterNode)[sharedResponses];
}
