import { type Awaitable, wait, whenReady } from "../../awaitable.ts";
import { type Contract, describeNonContract } from "../../contract/contract.ts";
import { isRouteNode, mapNodes, type NodeKey, type RouteBelow, type RouteNode, routesOf } from "../../contract/node.ts";
import { declaredRefusals, type Refusals } from "../../contract/refusals.ts";
import type { ResponseDeclaration, Responses } from "../../contract/response.ts";
import { requirementsOf, schemesOf, type SecurityScheme } from "../../contract/security_scheme.ts";
import { describeValue } from "../../messages.ts";
import { createFetchHandler, type FetchHandler, type FetchOptions } from "../../fetch/fetch_handler.ts";
import type { ErrorReport } from "../../server/answer/answer_stop.ts";
import { createChoices } from "../json_schema/choices.ts";
import { isMarked, isObject, markAs } from "../../mark.ts";
import { tryTo } from "../openapi/definitions.ts";
import { createLocatedConversions } from "../openapi/locate_converted.ts";
import type { DocsTree } from "../openapi/options.ts";
import { findHeir, type SchemaProvider } from "../openapi/slot_schemas.ts";
import type { ContextInput, Slots } from "../../server/define/call.ts";
import type { Handler } from "../../server/define/handler.ts";
import { type Implementation, joinKey } from "../../server/define/implementation.ts";
import {
  type AnyRefuse,
  type DeclaredRefusals,
  fillerOf,
  type Refuse,
  type RefuseInput,
} from "../../server/define/refuse.ts";
import type { Verifier } from "../../server/define/verifier.ts";
import { verify } from "../../server/steps/authenticate.ts";
import { defineServer } from "../../server/define/server.ts";
import { socketOf } from "../openapi/sockets.ts";
import { isClosed, withoutSocket } from "../openapi/without_socket.ts";
import { answerNotMocked, type SampleProvider } from "./draw_slot.ts";
import { type AnswerSettings, checkClosed, formatQuestion, planAnswer, planRefusals } from "./plan_answer.ts";
import { aFunction, anObject, checkNames, checkRules, failAt, type OptionRules } from "../../options.ts";

/** The options of {@linkcode mockContract}: the options of a mounted handler, and those of the mock. */
export interface MockOptions<Api extends Contract = Contract> extends FetchOptions {
  /**
   * The seed of all generated values. The same seed generates the same responses on every machine and runtime. It is a
   * number or a string. Default: 0.
   */
  readonly seed?: number | string;
  /** Handlers for some of the routes. The mock generates the responses of all other routes. Default: none. */
  readonly handlers?: MockHandlers<Api["routes"]>;
  /**
   * The declared status that a route responds with, by its dotted key. Default: its lowest 2xx, or its lowest status. A
   * request with `prefer: code=404` overrides this option and the handlers, unless its route does not declare the
   * status.
   */
  readonly status?: MockStatuses<Api["routes"]>;
  /**
   * Verifiers for some of the security schemes. For all other schemes the mock accepts every well-formed credential and
   * grants every scope. Default: none.
   */
  readonly security?: readonly Verifier[];
  /**
   * The caller of every request that shows no credential, for pages that call the mock themselves: browsers remove
   * `cookie` from a `Request`. It counts as signed in on every route, with every scope, and handlers receive it as
   * `caller`. Default: such requests are 401.
   */
  readonly caller?: object;
  /**
   * The server's option `refuse`, so that the mock refuses requests with the same content. Default: the mock generates
   * the declared refusals that the server does not build itself.
   */
  readonly refuse?: Refuse<DeclaredRefusals<Api>>;
  /** The delay before every response and between the items of a generated stream, in milliseconds. Default: 0. */
  readonly delay?: number;
  /**
   * Returns the value for a part of a generated body or of generated headers, or `undefined` to generate it. The path
   * lists the names and indexes that lead to the part. The value must match the part's JSON Schema, which is passed as
   * well. If you call a library for fake data, seed it from the route and the path. Otherwise responses differ from
   * call to call. Default: none.
   */
  readonly sample?: SampleProvider;
  /**
   * Prose by route, as `openApiDocument()` receives it. The examples of responses are sent if they match the schema.
   * Default: the `docs` of the contract.
   */
  readonly docs?: DocsTree<Api["routes"]>;
  /**
   * Returns the JSON Schema for a response whose schema is missing or does not convert, or a replacement for a
   * converted one. Default: none.
   */
  readonly schema?: SchemaProvider;
}

/**
 * Creates a mock server for a contract, for clients that are written before the server. It runs the library's own
 * server with generated handlers, so it validates and refuses requests as the real server will. The same request
 * always receives the same response.
 *
 * @example A client before there is a server
 * ```ts
 * import { defineContract, response, route, router } from "@scope/api";
 * import { createClient, unwrap } from "@scope/api/client";
 * import { mockContract } from "@scope/api/mock";
 * import { assertEquals } from "@std/assert";
 * import { type } from "arktype";
 *
 * const User = type({ id: "string", name: "string" });
 * const contract = defineContract({
 *   routes: {
 *     users: router("/users", {
 *       routes: {
 *         list: route.get("/", { responses: { 200: response.json(User.array()) } }),
 *         byId: route.get("/:id", { responses: { 200: response.json(User), 404: response.empty() } }),
 *       },
 *     }),
 *   },
 * });
 *
 * const client = createClient(contract, { baseUrl: "http://localhost", fetch: mockContract(contract) });
 * const [first] = unwrap(await client.users.list());
 * const same = unwrap(await client.users.byId({ params: { id: first?.id ?? "" } }));
 * assertEquals(same, first); // the same thing has the same values everywhere
 * ```
 *
 * A response without a possible value is a 501, whose `detail` names the route, the slot and the fix.
 *
 * @throws {TypeError} If an option is invalid, or if the schema of a response does not convert to JSON Schema. The
 * message names the route, the slot and the fix.
 */
export function mockContract<Api extends Contract>(
  contract: Api,
  options: MockOptions<Api> = {},
): FetchHandler {
  if (!isMarked(contract, "contract")) {
    throw new TypeError(`mockContract(): ${describeNonContract(contract)}`);
  }
  checkMockOptions(contract, options);
  const { handlers, status, delay = 0, security, caller, refuse, onError = logError, ...others } = options;
  const { seed: _seed, sample: _sample, schema: _schema, docs: _docs, ...mounted } = others;
  const settings = toAnswerSettings(contract, options);
  const toHandler = planHandlers(settings, new Map(Object.entries(status ?? {})));
  const mocked = relax(contract, { isSignedIn: caller !== undefined, hasSockets: options.sockets !== undefined });
  const tree = completeHandlers(mocked.routes, handlers, toHandler);
  const context = ({ request }: ContextInput): MockInput["context"] => ({
    preferred: preferredStatus(request.headers),
    isHandshake: /(?:^|,)\s*websocket\s*(?:,|$)/i.test(request.headers.get("upgrade") ?? ""),
  });
  const server = defineServer(
    mocked,
    {
      context,
      security: completeVerifiers(mocked, security, caller),
      refuse: refuse ?? createRefuse(contract, settings),
    } as never, // the types of the contract's callers and refusals are not known here
  );
  const implementation = server.implement(tree as never) as Implementation; // the types of the options have checked it
  const answer = createFetchHandler(implementation, {
    ...mounted,
    onError: (report) => answerNotMocked(report.error) ?? onError(report),
  });
  return delay === 0 ? answer : async (request) => {
    await wait(delay, request.signal);
    return answer(request);
  };
}

const where = "mockContract()";

const rules: OptionRules = {
  seed: ["a number or a string", (value) => typeof value === "number" || typeof value === "string"],
  handlers: undefined,
  status: anObject,
  security: ["an array like [verify(scheme, …)]", Array.isArray],
  caller: ["an object", (value) => isObject(value) && !Array.isArray(value)],
  refuse: aFunction,
  delay: ["a number of milliseconds", (value) => typeof value === "number" && value >= 0 && value < 2 ** 31],
  sample: aFunction,
  schema: aFunction,
  docs: anObject,
};

const mountNames = ["maxBodyBytes", "maxDepth", "preserveRequestBody", "cors", "sockets", "onError", "onResponse"];

function checkMockOptions(contract: Contract, options: MockOptions): void {
  checkNames(options, [...Object.keys(rules), ...mountNames], where);
  checkRules(options, rules, where);
  const routes = routesOf(contract.routes);
  for (const [key, value] of Object.entries(options.status ?? {})) {
    const route = routes.find((route) => route.key === key);
    if (!route) failAt(where, `"status" has the unknown route ${JSON.stringify(key)}`);
    if (!Object.hasOwn(route.responses, String(value))) {
      const declared = Object.keys(route.responses).join(", ");
      failAt(where, `"status" of ${key} must be declared, got ${describeValue(value)} (declared: ${declared})`);
    }
  }
}

/**
 * Maps the keys of HEAD routes to those of the GET routes of their paths, whose answers have the same header fields.
 */
function listAlike(nodes: readonly RouteNode[]): ReadonlyMap<string, string> {
  const heads = nodes.filter(({ method }) => method === "HEAD");
  return new Map(heads.flatMap(({ key, path }) => {
    const get = nodes.find((node) => node.method === "GET" && node.path === path);
    return get ? [[key, get.key]] : [];
  }));
}

function toAnswerSettings(
  { routes }: Contract,
  { seed = 0, delay = 0, sample, schema, docs }: MockOptions,
): AnswerSettings {
  const nodes = routesOf(routes);
  const last = nodes.flatMap(({ path }) => /\/:([^/]+)$/.exec(path)?.[1] ?? []);
  return {
    seed,
    delay,
    supplyValue: sample,
    supplySchema: schema,
    docs,
    conversions: createLocatedConversions(),
    alike: listAlike(nodes),
    things: {
      names: [...new Set(["id", ...last])],
      toChoices: (identifier, part) => createChoices(`${seed} ${formatQuestion(identifier)} ${part}`),
    },
  };
}

interface MockInput extends Partial<Slots> {
  readonly context: {
    readonly preferred: number | undefined;
    readonly isHandshake: boolean;
  };
}

/** Creates the handlers: the user's handler, unless the request prefers another status, or a generated one. */
function planHandlers(settings: AnswerSettings, statuses: ReadonlyMap<string, number | undefined>): ToHandler {
  return (node, handler) => {
    const declared = Object.keys(node.responses).map(Number);
    const usual = statuses.get(node.key);
    if (handler && usual !== undefined) failAt(where, `${node.key} has a handler and a status; remove one`);
    const status = usual ?? declared.find((each) => each >= 200 && each < 300) ?? Math.min(...declared);
    const isSocket = usual === undefined && socketOf(node.responses[101]) !== undefined;
    const plan = () => planAnswer(node, settings);
    const makeUp = handler ? tryTo(plan) : plan(); // a handler does without, if another status cannot be planned
    return (input) => {
      const { preferred, isHandshake } = input.context;
      const wanted = preferred !== undefined && declared.includes(preferred) ? preferred : undefined;
      if (!handler) return makeUp!(input, wanted ?? (isSocket && isHandshake ? 101 : status)); // it was planned
      if (makeUp && wanted !== undefined) return makeUp(input, wanted);
      const answered = handler(input);
      return isClosed(node.responses[101])
        ? whenReady(answered as Awaitable<unknown>, (result) => checkClosed(node, result))
        : answered;
    };
  };
}

/**
 * Accepts requests without a credential: the verifier of a custom scheme runs for them. It is written out, because the
 * checks of `security.custom()` would add 3 KB to a page.
 */
const signedIn = /* @__PURE__ */ markAs("security scheme", {
  name: "mock",
  kind: "custom",
  credential: undefined,
  scopes: [],
  realm: "mock",
  isAmbient: false,
  options: { challenge: "Mock" },
}) as unknown as SecurityScheme; // without the members that only declarations use

/**
 * Returns a copy of a contract whose handlers can return refusals, for requests that prefer one. If `isSignedIn`, its
 * routes also accept requests without a credential, as those of a known caller. Without sockets it answers 501 for
 * connections.
 */
function relax(
  contract: Contract,
  { isSignedIn, hasSockets }: Readonly<Record<"isSignedIn" | "hasSockets", boolean>>,
): Contract {
  const routes = mapNodes(contract.routes, (node) => {
    const { security = [] } = node;
    const isAdmitted = isSignedIn && requirementsOf(security).length > 0;
    return {
      responses: hasSockets ? node.responses : withoutSocket(node.responses),
      ownResponses: undefined,
      security: isAdmitted ? [...security, signedIn] : node.security,
    };
  });
  return markAs("contract", { ...contract, routes });
}

/** Generates the declared refusals that the server does not build itself. */
function createRefuse(contract: Contract, settings: AnswerSettings): AnyRefuse | undefined {
  const nodes = routesOf(contract.routes).filter(({ refusals }) => refusals !== undefined);
  if (nodes.length === 0) return undefined; // all routes inherit those of the contract
  const ofRoutes = new Map(
    nodes.map((node) => [node.key, planRefusals(node.key, drawnRefusals(node), () => node, settings)]),
  );
  const findRoute = (...declared: [number, ResponseDeclaration]) => findHeir(nodes, ...declared);
  const ofOthers = planRefusals("no route", drawnRefusals(contract), findRoute, settings);
  return (input) => {
    const { status = 0, route } = input as RefuseInput<Refusals>; // the server passes it
    const plan = route ? ofRoutes.get(route.key) : ofOthers;
    return plan?.(status);
  };
}

/** Returns the declared refusals that the server does not build itself. */
function drawnRefusals({ refusals }: Pick<RouteNode, "refusals">): Responses {
  return Object.fromEntries(Object.entries(declaredRefusals(refusals)).filter(([, each]) => !fillerOf(each)));
}

/**
 * Returns the user's verifiers, and verifiers for all other schemes that accept every well-formed credential and grant
 * every scope.
 */
function completeVerifiers(
  { routes }: Contract,
  verifiers: readonly Verifier[] | undefined,
  caller: object | undefined,
): readonly Verifier[] {
  const all = schemesOf(routesOf(routes));
  const given = verifiers ?? [];
  const verified = given.map(({ scheme }) => scheme);
  const scopes = [...new Set(all.flatMap((scheme) => scheme.scopes))];
  const accepting = all.filter((scheme) => !verified.includes(scheme))
    .map((scheme) => verify(scheme, () => ({ scopes, ...caller })) as Verifier); // of a scheme whose type is not known
  return [...given, ...accepting];
}

function logError({ error, route, request }: ErrorReport): void {
  console.error(`mockContract(): ${request.method} ${route?.path ?? ""} failed:`, error);
}

/** Returns the status that the header field `prefer` of a request asks for: `prefer: code=404` (RFC 7240). */
function preferredStatus(headers: Headers): number | undefined {
  const field = headers.get("prefer");
  const [, code] = /(?:^|[,;])\s*code\s*=\s*"?(\d{3})"?\s*(?:[,;]|$)/i.exec(field ?? "") ?? [];
  return code === undefined ? undefined : Number(code);
}

/**
 * Handlers for some of the routes of a contract, under the same keys. The mock generates the responses of all other
 * routes.
 */
export type MockHandlers<Routes> = Routes extends RouteNode
  ? Handler<Routes, Record<never, never>, Readonly<Record<string, unknown>>>
  : NodeKey<Routes> extends infer Keys extends keyof Routes ? { readonly [Key in Keys]?: MockHandlers<Routes[Key]> }
  : never;

/** A declared status for some of the routes of a contract, by their dotted keys. */
export type MockStatuses<Routes> = RouteBelow<Routes> extends infer Below extends RouteNode
  ? { readonly [Route in Below as Route["key"]]?: keyof Route["responses"] & number }
  : never;

type MockHandler = (input: MockInput) => unknown;

type ToHandler = (node: RouteNode, handler: MockHandler | undefined) => MockHandler;

function completeHandlers(node: object, tree: unknown, toHandler: ToHandler, key = ""): object {
  if (isRouteNode(node)) return toHandler(node, checkHandler(tree, key));
  const handlers = checkTree(tree, node, key);
  return Object.fromEntries(
    Object.entries(node).map(([name, below]) => [
      name,
      completeHandlers(
        below,
        Object.hasOwn(handlers, name) ? handlers[name] : undefined,
        toHandler,
        joinKey(key, name),
      ),
    ]),
  );
}

function checkHandler(value: unknown, key: string): MockHandler | undefined {
  if (value === undefined || typeof value === "function") return value as MockHandler | undefined; // what it takes is not known here
  failAt(where, `the handler of ${key} must be a function, got ${describeValue(value)}`);
}

function checkTree(value: unknown, node: object, key: string): Readonly<Record<string, unknown>> {
  if (value === undefined) return {};
  const place = key === "" ? '"handlers"' : `"handlers" of ${key}`;
  if (typeof value !== "object" || value === null) {
    failAt(where, `${place} must be an object, got ${describeValue(value)}`);
  }
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(node, name));
  if (unknown !== undefined) {
    failAt(where, `"handlers" has ${joinKey(key, unknown)}, which is not in the contract; remove it`);
  }
  return { ...value };
}
