import type { Awaitable } from "../../awaitable.ts";
import { type Contract, describeNonContract } from "../../contract/contract.ts";
import {
  type HandlerResponses,
  handlerResponses,
  isRouteNode,
  type RouteNode,
  type RouterNode,
  routesOf,
  sharedResponses,
} from "../../contract/node.ts";
import type { Refusals } from "../../contract/refusals.ts";
import type { Responses } from "../../contract/response.ts";
import { schemesOf } from "../../contract/security_scheme.ts";
import { isMarked } from "../../mark.ts";
import type { ContextInput } from "./call.ts";
import type { AnyGuard, GuardInputAt, Handlers, InferGuard } from "./handler.ts";
import type {
  CallerBelow,
  CallerFits,
  CallersOf,
  EachVerified,
  NoneToVerify,
  NoVerifier,
  ResponsesFit,
  Verifier,
  VerifierNeeds,
  WithoutCaller,
} from "./verifier.ts";
import {
  type ContextFactory,
  findKey,
  type Fragment,
  type HandlerEntry,
  type HandlerTree,
  type Implementation,
  implementNode,
  includeImplementation,
  type InferPartialTree,
  type InferTree,
  type NeedsOf,
  type NodeOr,
  type PartialOptions,
  type ServerPart,
} from "./implementation.ts";
import type {
  AnyMiddleware,
  ContextInside,
  InferMiddleware,
  MiddlewareInputAt,
  MiddlewareResult,
  Returnable,
  ReturnedBy,
} from "./middleware.ts";
import {
  type AnyRefuse,
  type DeclaredRefusals,
  type NoneToRefuse,
  planRefusing,
  type Refuse,
  type RefuseFits,
  serverName,
} from "./refuse.ts";
import type { ResultOf } from "./result.ts";
import { aFunction, checkRule, checkSettings, failAt, type OptionRules, type ValueRule } from "../../options.ts";

/**
 * The properties that verifiers, guards and a context factory need besides those that every adapter passes.
 *
 * @internal
 */
export type AddedInput<Needs extends object> = Omit<Needs, keyof ContextInput | "caller">;

/**
 * The member of a context factory's input besides {@linkcode ContextInput}.
 *
 * @internal
 */
export interface CallerInput<Caller> {
  /** The caller that a verifier returned. `undefined` on a public route, and for a caller without a credential. */
  readonly caller: Caller;
}

/**
 * The options of an adapter for an implementation with these needs. `contextInput` is optional if every request has them.
 *
 * @internal
 */
export type OptionsFor<Needs extends object, Shared, Options extends { readonly contextInput: object }> =
  & Shared
  & { readonly contextInput?: Options["contextInput"] | undefined } // apart, so that TypeScript finds its parameters before it knows the needs
  & ([ContextInput] extends [Needs] ? unknown : Pick<Options, "contextInput">);

/** The options of {@linkcode defineServer}. */
export interface ServerOptions<
  Context extends object,
  Needs extends object,
  Caller = undefined,
  Verifiers extends Verifier = never,
  Declared extends Responses = Record<never, never>,
  Refused extends Refusals = never,
> {
  /** The verifiers of the contract's security schemes, one `verify(scheme, fn)` for each. Default: none. */
  readonly security?: readonly (Verifiers | NoVerifier<Declared>)[];
  /**
   * Creates the context of the handlers, once for every matched request, after validation. If it needs more than
   * {@linkcode ContextInput} and `caller`, annotate its second parameter, or its first. The adapter's `contextInput`
   * must return those properties. Default: the context is an empty object.
   */
  readonly context?: (input: ContextInput & CallerInput<Caller> & Needs, runtime: Needs) => Awaitable<Context>;
  /**
   * Called for each request that the adapter refuses or fails to answer. If the contract declares a response for it by
   * the option `refusals`, it returns a result with the `status` of its input. Otherwise it returns nothing, and the
   * problem document is sent. It may also return nothing for a declared problem document or empty response, which the
   * server then builds itself.
   *
   * The headers `allow` and `www-authenticate` of the refusal are added to the result, and `cache-control: no-store` if
   * it may depend on the caller. If the function throws or returns an invalid result, the error is passed to `onError`
   * and the problem document is sent. Required if a declared refusal has another body, such as JSON.
   */
  readonly refuse?: Refuse<Refused>;
}

/**
 * A contract with verifiers, a context, guards and middleware, ready to be implemented. {@linkcode defineServer}
 * returns it.
 */
export interface Server<
  in out Api extends Contract,
  in out Context extends object,
  in out Needs extends object,
  in out Callers = Record<never, never>,
> {
  /** The types of its parts. Never present at run time. */
  readonly types?: {
    readonly contract: Api;
    readonly context: Context;
    readonly needs: Needs;
    readonly callers: Callers;
  };

  /**
   * Returns a new server with a middleware. This server does not change. Middleware runs in declaration order, and each
   * one wraps everything after it. It runs after validation, when the context exists. Properties that it passes to
   * `next(added)` are in the context of later middleware and of handlers, with their types.
   *
   * @throws {TypeError} If `middleware` is not a function.
   */
  use<Given>(
    middleware:
      & ((
        input: MiddlewareInputAt<Api["routes"], Context, Api["responses"], CallerBelow<Api["routes"], Callers>>,
      ) => Returnable<MiddlewareResult<Api["responses"]>>)
      & InferMiddleware<Given, Api["responses"]>,
  ): Server<Api, ContextInside<Context, Awaited<ReturnedBy<Given>>>, Needs, Callers>;

  /**
   * Returns a new server with a guard. This server does not change. Guards run in declaration order, after the caller
   * was verified and before the body is read or anything is validated. A guard returns nothing to let the request pass.
   * It can also return or throw a result of a response that the contract declares for all routes. Its second argument
   * is the return value of the adapter's `contextInput`.
   *
   * @throws {TypeError} If `guard` is not a function.
   */
  guard<Asked extends object = Record<never, never>, Given = unknown>(
    guard:
      & ((
        input: GuardInputAt<Api["routes"], Api["responses"], CallerBelow<Api["routes"], Callers>>,
        runtime: Asked,
      ) => Returnable<ResultOf<Api["responses"]>>)
      & InferGuard<Given, Api["responses"]>,
  ): Server<Api, Context, Needs & Asked, Callers>;

  /**
   * Returns the server of one router or route. Its middleware and guards can return the responses that the routes below
   * share, and its `implement` returns the fragment of that node. Middleware and guards of this server run before those
   * added there.
   *
   * @param node A node of the contract: `contract.routes.users`. @throws {TypeError} If `node` is not a router or route
   * of the contract.
   */
  at<Node extends RouteNode | RouterNode>(node: Node): NodeServer<Node, Context, Needs, Callers>;

  /**
   * Implements every route with a handler. The tree has the keys of the contract's routes. A {@linkcode Fragment} can
   * be used at the key of its node, and the whole then also needs what the fragment needs from the adapter.
   *
   * @throws {TypeError} If an entry is missing, unknown, not a function or in the wrong place. The message lists all of
   * them, by dotted key.
   */
  implement<Tree>(
    handlers:
      & InferTree<Api["routes"], Tree, HandlerTree<Api["routes"], Context, Callers>>
      & HandlerTree<Api["routes"], Context, Callers>,
  ): Implementation<Needs & NeedsOf<Tree>>;

  /**
   * Implements one router or route of the contract. Returns a fragment with this server's context and middleware, to
   * use in a bigger tree or to mount alone.
   *
   * @param node The node to implement: `contract.routes.users`. @throws {TypeError} If `node` is not part of the
   * contract, or the tree has mistakes. The message lists all of them.
   */
  implement<Node extends RouteNode | RouterNode, Tree>(
    node: NodeOr<HandlerTree<Api["routes"], Context, Callers>, Node>,
    handlers: InferTree<Node, Tree, HandlerEntry<Node, Context, Callers>> & HandlerEntry<Node, Context, Callers>,
  ): Fragment<Node, Needs & NeedsOf<Tree>>;

  /**
   * Implements some routes, and lists the others in `missing` of its result. A route without a handler does not exist: a
   * handler answers 404 or 405, `handler.has()` is false, and on Node `next()` is called. With `{ missing: 501 }` it
   * answers 501 with the problem document `not-implemented`.
   *
   * @throws {TypeError} If an entry is unknown, not a function or in the wrong place. The message lists all of them, by
   * dotted key.
   *
   * @example One of two routes
   * ```ts
   * import { defineContract, response, route } from "@scope/api";
   * import { createFetchHandler } from "@scope/api/fetch";
   * import { defineServer } from "@scope/api/server";
   * import { assertEquals } from "@std/assert";
   *
   * const responses = { 200: response.text() };
   * const contract = defineContract({
   *   routes: { moved: route.get("/moved", { responses }), old: route.get("/old", { responses }) },
   * });
   * const implementation = defineServer(contract).partial({ moved: ({ response }) => response(200, "moved") });
   * assertEquals(implementation.missing, ["old"]);
   *
   * const api = createFetchHandler(implementation);
   * const oldApplication = (_request: Request) => new Response("old");
   * const handler = (request: Request) => api.has(request) ? api(request) : oldApplication(request);
   * assertEquals(await (await handler(new Request("http://localhost/moved"))).text(), "moved");
   * assertEquals(await (await handler(new Request("http://localhost/old"))).text(), "old");
   * ```
   */
  partial<Tree>(
    handlers: InferPartialTree<Api["routes"], Tree> & HandlerTree<Api["routes"], Context, Callers>,
    options?: PartialOptions,
  ): Implementation<Needs & NeedsOf<Tree>>;

  /**
   * Returns the fragment of a router or route that the contract imports, with an implementation of the contract that it
   * is from. Its context, middleware, guards and verifiers run, and receive the routes of their own contract. The guards
   * of this server run before its guards. The verifiers of this server verify the callers of routes that declare no
   * security in their own contract. `refuse` of this server builds the declared refusals, if there is one.
   *
   * @param node The imported router or route: `contract.routes.billing`. @param implementation The implementation of the
   * same router or route in its own contract, such as that of the whole contract.
   * @throws {TypeError} If the implementation lacks a route of `node`, or has another one at its key, or this server has
   * middleware, whose context the included handlers do not have.
   *
   * @example The server of another contract
   * ```ts
   * import { defineContract, response, route } from "@scope/api";
   * import { createFetchHandler } from "@scope/api/fetch";
   * import { defineServer } from "@scope/api/server";
   * import { assertEquals } from "@std/assert";
   *
   * const responses = { 200: response.text() };
   * const billing = defineContract({ basePath: "/billing", routes: { total: route.get("/total", { responses }) } });
   * const billingImplementation = defineServer(billing, { context: () => ({ total: 7 }) }).implement({
   *   total: ({ context, response }) => response(200, `${context.total} euros`),
   * });
   *
   * const gateway = defineContract({ basePath: "/api", routes: { billing, ping: route.get("/ping", { responses }) } });
   * const server = defineServer(gateway);
   * const handler = createFetchHandler(server.implement({
   *   billing: server.include(gateway.routes.billing, billingImplementation),
   *   ping: ({ response }) => response(200, "pong"),
   * }));
   *
   * const answer = await handler(new Request("http://localhost/api/billing/total"));
   * assertEquals(await answer.text(), "7 euros");
   * ```
   */
  include<Node extends RouteNode | RouterNode, Included extends object>(
    node: Node,
    implementation: Implementation<Included>,
  ): Fragment<Node, Needs & Included>;
}

/** The server of one router or route of a contract. {@linkcode Server.at} returns it. */
export interface NodeServer<
  in out Node extends RouteNode | RouterNode,
  in out Context extends object,
  in out Needs extends object,
  in out Callers = Record<never, never>,
> {
  /** The types of its parts. Never present at run time. */
  readonly types?: {
    readonly node: Node;
    readonly context: Context;
    readonly needs: Needs;
    readonly callers: Callers;
  };

  /** Like {@linkcode Server.use}. The middleware can return every response that the routes below the node share. */
  use<Given>(
    middleware:
      & ((
        input: MiddlewareInputAt<Node, Context, SharedBelow<Node>, CallerBelow<Node, Callers>>,
      ) => Returnable<MiddlewareResult<SharedBelow<Node>>>)
      & InferMiddleware<Given, SharedBelow<Node>>,
  ): NodeServer<Node, ContextInside<Context, Awaited<ReturnedBy<Given>>>, Needs, Callers>;

  /** Like {@linkcode Server.guard}. The guard can return every response that the routes below the node share. */
  guard<Asked extends object = Record<never, never>, Given = unknown>(
    guard:
      & ((
        input: GuardInputAt<Node, SharedBelow<Node>, CallerBelow<Node, Callers>>,
        runtime: Asked,
      ) => Returnable<ResultOf<SharedBelow<Node>>>)
      & InferGuard<Given, SharedBelow<Node>>,
  ): NodeServer<Node, Context, Needs & Asked, Callers>;

  /** Like {@linkcode Server.at}, for a node below this one. */
  at<Below extends RouteNode | RouterNode>(node: Below): NodeServer<Below, Context, Needs, Callers>;

  /**
   * Implements the route, or every route below the node. Returns a fragment to use in a bigger tree at the key of the
   * node.
   *
   * @throws {TypeError} If an entry is missing, unknown, not a function or in the wrong place. The message lists all of
   * them, by dotted key.
   */
  implement<Tree>(
    handlers: InferTree<Node, Tree, HandlerEntry<Node, Context, Callers>> & HandlerEntry<Node, Context, Callers>,
  ): Fragment<Node, Needs & NeedsOf<Tree>>;

  /** Like {@linkcode Server.partial}, for the routes below the node. */
  partial<Tree>(
    handlers: InferPartialTree<Node, Tree> & HandlerEntry<Node, Context, Callers>,
    options?: PartialOptions,
  ): Fragment<Node, Needs & NeedsOf<Tree>>;
}

/**
 * The responses that all routes below a node share, including inherited ones. For a route, all that its handler can return.
 *
 * @internal
 */
export type SharedBelow<Node> = Node extends RouteNode ? HandlerResponses<Node>
  : Node extends RouterNode<unknown, infer Shared> ? Shared
  : never;

/**
 * The types of a server's handlers, for handlers in modules of their own: `HandlersOf<typeof server>["users"]["byId"]`.
 */
export type HandlersOf<Defined> = Defined extends AnyServer ? Handlers<
    NonNullable<Defined["types"]>["contract"]["routes"],
    NonNullable<Defined["types"]>["context"],
    NonNullable<Defined["types"]>["callers"]
  >
  : { readonly "this is not the type of a server; write HandlersOf<typeof server>": never };

/**
 * The members of a server that {@linkcode HandlersOf} reads.
 *
 * @internal
 */
export interface AnyServer {
  /** The types of its parts. Never present at run time. */
  readonly types?: { readonly contract: Contract; readonly context: object; readonly callers: unknown };
}

/**
 * A contract, or the message about an option that it needs. It is no intersection of both, whose error would quote the
 * contract three times, with the paths of its types.
 *
 * @internal
 */
export type UnlessMissing<Api, Verdict> = [Verdict] extends [string] ? Verdict : Api;

/**
 * Starts the server side of a contract: defines the context of its handlers, its verifiers, and its middleware and
 * guards.
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
 * @throws {TypeError} If `contract` was not created by `defineContract`, or an option is unknown or invalid.
 */
export function defineServer<Api extends Contract>(
  contract: UnlessMissing<Api, NoneToVerify<Api["routes"]> & NoneToRefuse<DeclaredRefusals<Api>>>,
): Server<Api, Record<never, never>, Record<never, never>>;
/** Starts the server side of a contract, with options. */
export function defineServer<
  Api extends Contract,
  Context extends object = Record<never, never>,
  Needs extends object = Record<never, never>,
  Verifiers extends Verifier = never,
>(
  contract: Api,
  options:
    & ServerOptions<
      Context,
      Needs,
      CallerBelow<Api["routes"], CallersOf<Verifiers>>,
      Verifiers,
      Api["responses"],
      DeclaredRefusals<Api>
    >
    & RefuseFits<DeclaredRefusals<Api>>
    & EachVerified<Api["routes"], Verifiers>
    & ResponsesFit<Verifiers, Api["responses"]>
    & CallerFits<Needs, CallerBelow<Api["routes"], CallersOf<Verifiers>>>,
): Server<Api, Context, WithoutCaller<Needs> & VerifierNeeds<Verifiers>, CallersOf<Verifiers>>;
export function defineServer(contract: Contract, options: AnyServerOptions = {}): object {
  if (!isMarked(contract, "contract")) failAt(serverName, describeNonContract(contract));
  checkSettings(options, optionRules, serverName);
  const { context, refuse, security = [] } = options;
  const verifiers = checkVerifiers(contract, security);
  const { routes, responses: shared } = contract;
  // the types of mount() and createFetchHandler() check the needs of the context
  return createServer({ node: routes, key: "" }, {
    createContext: context,
    verifiers,
    guards: [],
    middleware: [],
    shared,
    refusing: planRefusing(contract, refuse as AnyRefuse | undefined), // it was checked
  });
}

/**
 * Returns the verifiers of a contract's security schemes. Throws a `TypeError` that lists the missing and unknown ones.
 */
function checkVerifiers(contract: Contract, list: readonly Verifier[]): readonly Verifier[] {
  const verifiers = Object.freeze([...list]);
  verifiers.forEach((each, index) => checkRule(each, `"security[${index}]"`, aVerifier, serverName));
  const schemes = schemesOf(routesOf(contract.routes));
  const verified = verifiers.map(({ scheme }) => scheme);
  const problems = [
    ...schemes.filter((scheme) => !verified.includes(scheme)).map(({ name }) =>
      `"security" must verify the scheme "${name}"; add verify(${name}, …)`
    ),
    ...(verifiers[0]?.listMisuses?.(verified, schemes) ?? []), // every verifier of this version has the same
  ];
  if (problems.length > 0) failAt(serverName, problems.join("; "));
  return verifiers;
}

const optionRules: OptionRules = {
  context: aFunction,
  refuse: aFunction,
  security: ["an array like [verify(scheme, …)]", Array.isArray],
};

const aVerifier: ValueRule = ["made by verify(scheme, …)", (value) => isMarked(value, "verifier")];

/** The options, with any types. */
interface AnyServerOptions {
  readonly security?: readonly Verifier[];
  readonly context?: ContextFactory;
  readonly refuse?: unknown;
}

/** A part of a contract: a node and its dotted key. */
interface ContractPart {
  readonly node: RouteNode | RouterNode;
  readonly key: string;
}

/**
 * Creates the server of a whole contract or of one node. {@linkcode Server} and {@linkcode NodeServer} declare its
 * exact types.
 */
function createServer(place: ContractPart, part: ServerPart): object {
  const { node, key } = place;
  const shared = isRouteNode(node) ? handlerResponses(node) : node[sharedResponses];
  const planAdding = (name: string, member: "middleware" | "guards") => (run: AnyMiddleware & AnyGuard): object => {
    checkRule(run, "the argument", aFunction, `server.${name}()`);
    return createServer(place, { ...part, [member]: [...part[member], { run, shared }] });
  };
  /** Finds a node. Throws a `TypeError` if this part of the contract does not contain it. */
  const locate = (below: RouteNode | RouterNode, argument: string): ContractPart => ({
    node: below,
    key: findKey(node, below, key) ??
      failAt("", `server.${argument} must be a router or route of the contract, like contract.routes.…`),
  });
  return Object.freeze({
    use: planAdding("use", "middleware"),
    guard: planAdding("guard", "guards"),
    at: (below: RouteNode | RouterNode): object => createServer(locate(below, "at(): the argument"), part),
    implement: (...args: [tree: unknown] | [node: RouteNode | RouterNode, tree: unknown]): Implementation<never> =>
      args.length === 1
        ? implementNode(place, args[0], part)
        : implementNode(locate(args[0], "implement(): the first argument"), args[1], part),
    partial(tree: unknown, options: PartialOptions = {}): Implementation<never> {
      checkSettings(options, { missing: ["501 or omitted", (value) => value === 501] }, "server.partial()");
      return implementNode(place, tree, part, options.missing ?? "absent");
    },
    include: (below: RouteNode | RouterNode, included: unknown): Implementation<never> =>
      includeImplementation(locate(below, "include(): the first argument").node, included, part),
  });
}
