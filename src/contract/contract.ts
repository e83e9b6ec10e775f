/** `defineContract()`, contracts with other schemes, and the message for a value that is not a contract. */
import { formatProblem, isMarked, markAs, type Marked } from "../mark.ts";
import { describeConfidential } from "../messages.ts";
import { checkPath, hasParameters, type JoinPath, joinPath, type ParameterName, parameterNames } from "../path.ts";
import { type InputOf, refusedKey, type Schema } from "../schema.ts";
import type { CallTree } from "./call.ts";
import {
  mapNodes,
  type NodeKey,
  type NodeShape,
  type ResolvedRoutes,
  type RouteNode,
  type RouterNode,
  routesOf,
  type RoutesOption,
  type RouteTree,
} from "./node.ts";
import type { Refusals, RefusalsByStatus, RefusalsFit, RefusalsOption } from "./refusals.ts";
import type { DeclaredResponses, FitsResponses, Responses, ResponsesOf } from "./response.ts";
import { copyEntries, isWebhooks, resolveRoutes, routesIn, type Webhooks } from "./router.ts";
import { renameList } from "./security.ts";
import {
  type RenamedList,
  type RenamedScheme,
  schemesOf,
  type Security,
  type SecurityScheme,
} from "./security_scheme.ts";
import { readByRule, readDeclared, sharedReaders } from "./route.ts";
import type { Deprecated, Docs } from "./docs.ts";
import { checkRule, failAt, type ValueRule } from "../options.ts";

/** An HTTP API as data, for a server and its clients. {@linkcode defineContract} returns it. */
export interface Contract<
  Routes extends RouterNode = RouterNode,
  Shared extends Responses = Responses,
  Refused extends Refusals | undefined = Refusals | undefined,
  Hooks extends Webhooks | undefined = Webhooks | undefined,
> extends Marked<"contract"> {
  /** The resolved tree: each route with its full path and everything that it inherits. */
  readonly routes: Routes;
  /** The path that all routes begin with. */
  readonly basePath: string;
  /** The responses that every route shares. */
  readonly responses: Shared;
  /** The responses of refusals, on all routes and for requests without one. `undefined` if none are declared. */
  readonly refusals: Refused;
  /** The webhooks that the API sends. `undefined` if none are declared. */
  readonly webhooks: Hooks;
  /** Prose for the OpenAPI document. */
  readonly docs: Docs;
}

/** The options of {@linkcode defineContract}. */
export interface ContractOptions<
  Base extends string,
  Routes extends RoutesOption,
  Shared extends DeclaredResponses,
  Secured extends Security | undefined = undefined,
  Refused extends RefusalsOption | undefined = undefined,
  Hooks extends Webhooks | undefined = undefined,
> {
  /** A path that all routes begin with, without parameters. Default: none. */
  readonly basePath?: Base;
  /**
   * The routes and routers, by key. At least one. Any key works, even `then`, but a group of calls that contains `then`
   * cannot be awaited. An entry can also be another contract, or a router or route of its `routes`: their full paths are
   * appended, and what they declare stays. The option itself can be another contract, or its `routes`, too.
   */
  readonly routes: Routes & ParamsFit<Routes, Base>;
  /** Responses that every route inherits. A nearer declaration of the same status wins. Default: none. */
  readonly responses?: Shared & FitsResponses<Shared>;
  /**
   * The responses that the server sends without a handler, by status, as far as they can occur. A number is the status
   * that is sent instead: `{ 400: 422, 422: Errors }`. A response in the place of the object is that of all statuses.
   * 404 and 405 are those of requests that match no route. The server's `refuse` builds their bodies; problem documents
   * and empty responses need none. Default: problem documents.
   */
  readonly refusals?: Refused & RefusalsFit<Refused>;
  /**
   * The security schemes of every route: a caller needs the credential of one of them. A nearer list replaces this one.
   * Default: none.
   */
  readonly security?: Secured;
  /**
   * Whether callers should stop using the routes, and since when. A nearer declaration replaces it. Default: `false`.
   */
  readonly deprecated?: Deprecated;
  /** The webhooks that the API sends, made by `webhooks()`. They inherit nothing. Default: none. */
  readonly webhooks?: Hooks;
  /** Prose for the OpenAPI document. Every route inherits the tags. Default: none. */
  readonly docs?: Docs;
}

/**
 * An error message as a type at each route whose `params` schema has a key that the full path does not contain.
 * `unknown` at all others.
 *
 * @internal
 */
type ParamsFit<Routes, Path extends string> = Routes extends RouteTree
  ? { readonly [Key in keyof Routes]: EntryFits<Routes[Key], Path> }
  : unknown;

/** {@linkcode ParamsFit} of one entry: a route, or a router with everything below it. */
type EntryFits<Entry, Path extends string> = Entry extends { readonly path: string; readonly params: Schema }
  ? NamesFit<keyof InputOf<Entry["params"]>, ParameterName<Path> | ParameterName<Entry["path"]>, Path, Entry["path"]>
  : Entry extends { readonly path: infer Own extends string; readonly routes: infer Routes }
    ? { readonly routes: ParamsFit<Routes, JoinPath<Path, Own>> }
  : unknown;

/** An error message as a type if a schema has a key that a path does not contain. */
type NamesFit<Asked, Name, Above extends string, Own extends string> = [Asked] extends [Name] ? unknown
  : string extends Asked ? unknown
  : `"params" has "${Exclude<Asked, Name> & string}", which is not a parameter of ${JoinPath<Above, Own>}`;

/**
 * Declares an HTTP API once, for a server (`@scope/api/server`) and typed clients (`@scope/api/client`). The contract
 * is frozen data without handlers, so a browser can import it too.
 *
 * @example A contract with one route
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { assertEquals } from "@std/assert";
 * import { type } from "arktype";
 *
 * const contract = defineContract({
 *   basePath: "/api",
 *   routes: { health: route.get("/health", { responses: { 200: response.text(type("'ok'")) } }) },
 * });
 *
 * assertEquals(contract.routes.health.path, "/api/health");
 * ```
 *
 * @throws {TypeError} If a path, an option or a route is invalid. The message names it and the fix.
 */
export function defineContract<
  Routes extends RoutesOption,
  const Base extends string = "",
  Shared extends DeclaredResponses = Record<never, never>,
  Secured extends Security | undefined = undefined,
  const Refused extends RefusalsOption | undefined = undefined,
  Hooks extends Webhooks | undefined = undefined,
>(
  options: ContractOptions<Base, Routes, Shared, Secured, Refused, Hooks>,
): Contract<
  ResolvedRoutes<
    Routes,
    {
      readonly key: "";
      readonly path: Base;
      readonly responses: ResponsesOf<Shared>;
      readonly security: Secured;
      readonly refusals: RefusalsByStatus<Refused>;
    }
  >,
  ResponsesOf<Shared>,
  RefusalsByStatus<Refused>,
  Hooks
> {
  const where = "defineContract()";
  const readers = {
    basePath: readBasePath,
    routes: routesIn,
    webhooks: readByRule(["made by webhooks()", isWebhooks]),
    ...sharedReaders,
  };
  const read = readDeclared(options, readers, where);
  const routes = resolveRoutes(copyEntries(read.routes, where), { ...read, key: "", path: read.basePath }, where);
  const nodes = routesOf(routes);
  checkDeclaredSecurity(nodes, where);
  checkParams(nodes, where);
  const root = nodes.find(({ path }) => path === "//"); // only here, because a router may get a path above
  if (root) failAt(where, `${root.key} has "trailingSlash", but its path is "/"; remove the option`);
  const { security: _inherited, deprecated: _too, ...kept } = read;
  // the types compute what was read, and ResolvedRoutes the resolved tree, in the same steps as resolveRoutes
  return markAs("contract", { ...kept, routes }) as never;
}

/** Throws a `TypeError` for routes that are public only because they declare nothing, if another route has security. */
function checkDeclaredSecurity(nodes: readonly RouteNode[], where: string): void {
  const silent = nodes.filter(({ security }) => !security).map(({ key }) => key);
  if (silent.length === 0 || silent.length === nodes.length) return;
  failAt(
    where,
    `"security" is missing for ${silent.join(", ")}, but other routes declare it; ` +
      "declare it, or write [] for public routes",
  );
}

/**
 * Throws a `TypeError` if the schema of a route's `params` refuses a parameter of the path, because no request could
 * then be valid. The schema of a path with one parameter is not converted: it declares that one, and ArkType takes 0.2
 * ms.
 */
function checkParams(nodes: readonly RouteNode[], where: string): void {
  for (const { key, path, params } of nodes) {
    const names = params ? parameterNames(path) : [];
    const refused = names.length > 1 ? refusedKey(params!, names) : undefined;
    if (refused === undefined) continue;
    failAt(
      where,
      `${key}: "params" refuses the parameter "${refused}" of ${path}; ` +
        "add it to the schema, or let the schema accept further keys",
    );
  }
}

function readBasePath(basePath: unknown, where: string): string {
  checkPath(basePath, where, "the basePath");
  const path = joinPath("", basePath);
  if (!hasParameters(path)) return path;
  failAt(where, `the basePath must not have a parameter, got "${basePath}"; declare it in the path of a router`);
}

/** The calls of a contract without its schemas, for a client. `slimContract` of `@scope/api/slim` returns it. */
export interface SlimContract<Whole extends Contract = Contract> extends Marked<"slim contract"> {
  /** The calls of all routes, by key. */
  readonly calls: CallTree;
  /** The types of the routes. Never present at run time. */
  readonly routes?: Whole["routes"] | undefined;
}

/** Returns the reason why `value` is not a contract, for an error message. `other` names what else is accepted. */
export function describeNonContract(value: unknown, other?: string): string {
  const found = isMarked(value, "slim contract")
    ? "a slim contract, which has no schemas; import the whole contract instead"
    : describeConfidential(value); // a document may be any file
  return formatProblem(value) ??
    `the contract must be made by defineContract()${other ? ` or be ${other}` : ""}, got ${found}`;
}

/**
 * A resolved tree with other schemes.
 *
 * @internal
 */
type RenamedTree<Node, Schemes extends RenamedScheme> = Node extends RouteNode ? RouteNode<
    { readonly [Name in keyof NodeShape]: Name extends "security" ? RenamedList<Node[Name], Schemes> : Node[Name] }
  >
  : Node extends RouterNode<unknown, infer Shared>
    ? RouterNode<{ readonly [Key in NodeKey<Node>]: RenamedTree<Node[Key], Schemes> }, Shared>
  : never;

/**
 * Returns a contract whose security schemes have other names. The contract that is passed does not change. Use it where
 * contracts are composed whose schemes share a name, because callers pass credentials by these names.
 *
 * An implementation of the contract that is passed can still be included: its verifiers are those of the old names.
 *
 * @param contract The imported contract. @param schemes The new schemes, each from {@linkcode renameScheme}.
 * @throws {TypeError} If `contract` is not a contract, or does not have a scheme that is renamed.
 */
export function withSchemes<Api extends Contract, Schemes extends readonly RenamedScheme[]>(
  contract: Api,
  ...schemes: Schemes
): Contract<Extract<RenamedTree<Api["routes"], Schemes[number]>, RouterNode>, Api["responses"], Api["refusals"]> {
  const where = "withSchemes()";
  if (!isMarked(contract, "contract")) failAt(where, describeNonContract(contract));
  const known = schemesOf(routesOf(contract.routes));
  const renamed = new Map<unknown, SecurityScheme>();
  for (const [index, scheme] of schemes.entries()) {
    checkRule(scheme, `argument ${index + 2}`, aRenamedScheme, where);
    const { name, renamed: before } = scheme;
    if (!known.includes(before)) {
      const names = known.map((each) => each.name).join(", ");
      failAt(
        where,
        `no route has the scheme "${before.name}" that "${name}" renames; its schemes are: ${names}`,
      );
    }
    if (renamed.has(before)) failAt(where, `"${before.name}" is renamed twice; remove one`);
    renamed.set(before, scheme);
  }
  const routes = mapNodes(contract.routes, (node) => {
    const { security, origin = node } = node;
    return { security: security && renameList(security, renamed), origin };
  });
  return markAs("contract", { ...contract, routes: routes as never }); // RenamedTree computes the type of the tree
}

const aRenamedScheme: ValueRule = [
  "made by renameScheme(…)",
  (value) => isMarked(value, "security scheme") && "renamed" in value,
];
