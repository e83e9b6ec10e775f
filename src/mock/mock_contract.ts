import { type Contract } from "../contract/contract.ts";
import { type RouteNode } from "../contract/node.ts";
import { routesOf } from "../contract/routes_of.ts";
import { requirementsOf } from "../contract/security_list.ts";
import { describeNonContract } from "../contract/slim_contract.ts";
import { createFetchHandler, type FetchHandler, type FetchOptions } from "../fetch/adapter.ts";
import { type ErrorReport, type OnError } from "../fetch/on_error.ts";
import { createChoices } from "../json_schema/choices.ts";
import { isMarked } from "../mark.ts";
import { type SupplySchema } from "../openapi/slot_schemas.ts";
import { type Slots } from "../server/call.ts";
import { type Implementation } from "../server/implementation.ts";
import { type Verifier, verify } from "../server/security.ts";
import { type ContextInput, defineServer } from "../server/server.ts";
import { type SupplyValue } from "./draw_slot.ts";
import { completeHandlers, type MockHandlers, type MockStatuses, type ToHandler } from "./mock_handlers.ts";
import { answerNotMocked } from "./not_mocked.ts";
import { type AnswerSettings, planAnswer } from "./plan_answer.ts";
import { preferredStatus } from "./prefer.ts";
import { formatQuestion } from "./question.ts";
import { pause } from "./representations.ts";

/** The options of {@linkcode mockContract}, beside those of a mounted handler. */
export interface MockOptions<Boundary extends Contract = Contract> extends FetchOptions {
  /** What all made-up values follow from. The same seed makes up the same answers, on every machine and runtime. Default: 0. */
  readonly seed?: number | string;
  /** Handlers for some of the routes. All others are made up. */
  readonly handlers?: MockHandlers<Boundary["routes"]>;
  /**
   * The declared status that a route answers with, by its dotted key. Default: its lowest 2xx, else its lowest. A request's
   * `prefer: code=404` has precedence over this and over handlers; it is ignored for a status that the route does not declare.
   */
  readonly status?: MockStatuses<Boundary["routes"]>;
  /** Verifiers for some of the security schemes. For all others every well-formed credential is accepted, with every scope. */
  readonly security?: readonly Verifier[];
  /** How many milliseconds pass before every answer, and between the items of a made-up stream. Default: 0. */
  readonly delay?: number;
  /**
   * Returns the value of a part of a made-up body or set of headers, or `undefined` to have it made up. The path has the names
   * and indexes that lead to it, and the schema is the part's JSON Schema, which the value must match. If it calls a library of fake
   * data, seed that from the route and the path, or responses will differ from call to call.
   */
  readonly sample?: SupplyValue;
  /** Returns the JSON Schema of a response whose own schema does not convert, or has none, or for which another one is wanted. */
  readonly schema?: SupplySchema;
}

/**
 * Makes a server of a contract, for clients that have none yet. It is the library's own server over made-up handlers, so
 * requests are validated, refused and answered as the real one will. The same request always has the same answer.
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
 * assertEquals(same, first); // things are the same wherever they are found
 * ```
 *
 * @throws {TypeError} For an option value that is invalid, and for a route of which nothing can be made up: the message names the
 * route, the slot and what to do.
 */
export function mockContract<Boundary extends Contract>(
  contract: Boundary,
  options: MockOptions<Boundary> = {},
): FetchHandler {
  if (!isMarked(contract, "contract")) {
    throw new TypeError(`mockContract(): ${describeNonContract(contract, "its contract")}`);
  }
  checkMockOptions(contract, options);
  const { handlers, status, delay = 0, security, cors, maxBodyBytes, preserveRequestBody, onError } = options;
  const settings = planSettings(contract, options);
  const toHandler = planHandlers(settings, status as Statuses);
  const tree = completeHandlers(contract.routes, handlers, toHandler);
  const context = ({ request }: ContextInput): MockInput["context"] => ({
    preferred: preferredStatus(request.headers),
  });
  const server = defineServer(
    contract as Contract,
    { context, security: completeVerifiers(contract, security) } as never,
  );
  const implementation = server.implement(tree as never) as Implementation; // whose types are those of the options
  const mounted = { cors, maxBodyBytes, preserveRequestBody, onError: planOnError(onError) };
  const answer = createFetchHandler(implementation, mounted as FetchOptions); // undefined is as good as absent there
  return delay === 0 ? answer : async (request) => {
    await pause(delay, request.signal);
    return answer(request);
  };
}

const optionNames = ["seed", "handlers", "status", "security", "delay", "sample", "schema"];
const mountNames = ["maxBodyBytes", "preserveRequestBody", "cors", "onError"];

function checkMockOptions(contract: Contract, options: MockOptions): void {
  refuseUnknown(options);
  if (!Array.isArray(options.security ?? [])) refuse("security must be a list of verifiers");
  const { seed = 0, delay = 0, sample, schema, status = {} } = options;
  if (typeof seed !== "number" && typeof seed !== "string") refuse("seed must be a number or a string");
  if (typeof delay !== "number" || !(delay >= 0 && delay < 2 ** 31)) refuse("delay must be a number of milliseconds");
  for (const [name, value] of Object.entries({ sample, schema })) {
    if (value !== undefined && typeof value !== "function") refuse(`${name} must be a function`);
  }
  const routes = routesOf(contract.routes);
  for (const [key, value] of Object.entries(status)) {
    const route = routes.find((route) => route.key === key);
    if (!route) refuse(`status has ${key}, which is not a route of the contract`);
    if (!Object.hasOwn(route.responses, value as number)) {
      refuse(`status ${value} is not declared by ${key}; it declares ${Object.keys(route.responses).join(", ")}`);
    }
  }
}

function refuseUnknown(options: object): void {
  const allowed = [...optionNames, ...mountNames];
  const unknown = Object.keys(options).find((name) => !allowed.includes(name));
  if (unknown !== undefined) refuse(`unknown option ${JSON.stringify(unknown)} (allowed: ${allowed.join(", ")})`);
}

function refuse(state: string): never {
  throw new TypeError(`mockContract(): ${state}`);
}

function planSettings({ routes }: Contract, { seed = 0, delay = 0, sample, schema }: MockOptions): AnswerSettings {
  const last = routesOf(routes).flatMap(({ path }) => /:([^/]+)$/.exec(path)?.[1] ?? []);
  return {
    seed,
    delay,
    supplyValue: sample,
    supplySchema: schema,
    converted: new Map(),
    things: {
      names: [...new Set(["id", ...last])],
      toChoices: (identifier, part) => createChoices(`${seed} ${formatQuestion(identifier)} ${part}`),
    },
  };
}

type Statuses = Readonly<Record<string, number | undefined>> | undefined;

/** What a handler of a mock is called with. */
interface MockInput extends Partial<Slots> {
  readonly context: { readonly preferred: number | undefined };
}

/** Makes the handlers: the given one, unless the request prefers another status, or a made-up one. */
function planHandlers(settings: AnswerSettings, statuses: Statuses): ToHandler {
  return (node, given) => {
    const declared = Object.keys(node.responses).map(Number);
    const usual = statuses?.[node.key];
    if (given && usual !== undefined) refuse(`${node.key} has a handler and a status; keep one`);
    const status = usual ?? declared.find((each) => each >= 200 && each < 300) ?? declared[0]!;
    const makeUp = given ? tryPlan(node, settings) : planAnswer(node, settings);
    return (input) => {
      const { context: { preferred } } = input as MockInput;
      const isPreferred = preferred !== undefined && declared.includes(preferred);
      if (given && !(isPreferred && makeUp)) return (given as (input: object) => unknown)(input);
      return makeUp!(input as MockInput, isPreferred ? preferred : status);
    };
  };
}

/** The made-up answers of a route that has a handler, for requests that prefer another status; `undefined` where they cannot be planned. */
function tryPlan(node: RouteNode, settings: AnswerSettings): ReturnType<typeof planAnswer> | undefined {
  try {
    return planAnswer(node, settings);
  } catch {
    return undefined;
  }
}

/** The given verifiers, and for all other schemes some that accept every well-formed credential, and grant every scope. */
function completeVerifiers({ routes }: Contract, given: readonly Verifier[] = []): readonly Verifier[] {
  const all = routesOf(routes).flatMap(({ security = [] }) => requirementsOf(security));
  const verified = given.map(({ scheme }) => scheme);
  const others = [...new Set(all.map(({ scheme }) => scheme))].filter((scheme) => !verified.includes(scheme));
  const accepting = others.map((scheme) => verify(scheme, () => ({ scopes: scheme.scopes })) as unknown as Verifier);
  return [...given, ...accepting];
}

/** Tells of what could not be made up by 501; everything else is the given hook's. */
function planOnError(onError: OnError = logError): OnError {
  return (report) => answerNotMocked(report.error) ?? onError(report);
}

function logError({ error, route, request }: ErrorReport): void {
  console.error(`mockContract(): ${request.method} ${route?.path ?? ""} failed:`, error);
}
