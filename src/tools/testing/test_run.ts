/** What the run of one test knows, what it observes, and what it learns from that. */
import type { Contract } from "../../contract/contract.ts";
import { handlerResponses, routesOf } from "../../contract/node.ts";
import { createLocatedConversions } from "../openapi/locate_converted.ts";
import type { SchemaProvider } from "../openapi/slot_schemas.ts";
import type { GivenValues } from "./draw_slots.ts";
import type { Caller } from "./encode_request.ts";
import type { Show } from "./finding.ts";
import { parameterNames } from "../../path.ts";
import { addKnown, createLocator, type Known, type Locator } from "./known.ts";
import { createReference, type Judge, type Verdict } from "./reference.ts";
import { planOutside, planRoute, type TestedResponses, type TestedRoute } from "./route_plan.ts";
import type { TestSettings } from "./settings.ts";
import type { Connect } from "./connect.ts";
import type { ReceivedAnswer, SendToTarget } from "./target.ts";
import { parseBody, pathOf, type WireRequest } from "./wire_request.ts";

export interface ContractFacts {
  readonly contract: Contract;
  readonly plans: ReadonlyMap<string, TestedRoute>;
  readonly outside: TestedResponses;
  readonly judge: Judge;
  readonly locator: Locator;
}

/** Returns the facts about a contract. Throws a `TypeError` if a schema does not convert to JSON Schema. */
export function planContract(contract: Contract, baseUrl: string, supply: SchemaProvider | undefined): ContractFacts {
  const nodes = routesOf(contract.routes);
  const conversions = createLocatedConversions();
  return {
    contract,
    plans: new Map(nodes.map((node) => [node.key, planRoute(node, supply, conversions)])),
    outside: planOutside(contract, nodes, supply, conversions),
    judge: createReference(contract),
    locator: createLocator(nodes, baseUrl),
  };
}

/** What a document describes that contracts do not declare. */
export interface Documented {
  /** Tests whether a response of a route may have a status, also if only the default response has it. */
  readonly hasStatus: (route: string, status: number) => boolean;
  readonly hasType: (route: string, status: number, mediaType: string) => boolean;
}

export interface TestRun
  extends ContractFacts, Pick<TestSettings, "isLenient" | "isForeign" | "limit" | "reports" | "runs" | "seed"> {
  readonly caller: Caller;
  /** Returns another caller, to whom nothing of the first one belongs. */
  readonly openStranger: () => Promise<Caller>;
  readonly values: Readonly<Record<string, GivenValues>>;
  readonly known: Known;
  /** Whether `known` has what other routes reveal. Default: they are visited before a route with parameters. */
  readonly isExplored?: boolean;
  /** Valid requests that the server has accepted, by the keys of their routes: the first and the last of each. */
  readonly accepted: Map<string, readonly WireRequest[]>;
  readonly send: SendToTarget;
  /** Opens the server once more, without earlier state if it is a function that returns handlers. */
  readonly open: () => Promise<SendToTarget>;
  readonly openConnect: () => Promise<Connect>;
  readonly against: SendToTarget | undefined;
  readonly openAgainst: (() => Promise<SendToTarget>) | undefined;
  readonly documented?: Documented;
  readonly allows: (request: WireRequest) => boolean;
  /** Tests whether the server has made the test wait for so long, or read so much, that it must end. */
  readonly isSpent: () => boolean;
  readonly show: Show;
}

export interface Drawn {
  readonly request: WireRequest;
  readonly verdict: Verdict;
}

export interface Observation extends Drawn {
  readonly answer: ReceivedAnswer;
  /** The route that the request reaches. If it reaches none, the route whose request was modified, or `undefined`. */
  readonly plan: TestedRoute | undefined;
}

/** Returns what the rules come from, as messages say it. */
export function sourceOf({ isForeign }: Pick<TestRun, "isForeign">): string {
  return isForeign ? "the document" : "the contract";
}

export function isDeclared({ plan }: Observation, status: number): boolean {
  return plan !== undefined && Object.hasOwn(handlerResponses(plan.node), status);
}

export function learn({ request, answer, plan }: Observation, { known, locator }: TestRun): void {
  const { status, headers, body } = answer;
  if (status < 200 || status >= 300 || !plan) return;
  const isCreated = status === 201 || status === 202;
  const place = (isCreated && locator.resolve(headers, request.path)) || pathOf(request.path);
  if (request.method !== "DELETE") {
    const located = locator.locate(place);
    for (const { node, params } of located) addKnown(known.paths, node.key, params);
    for (const [name, value] of Object.entries(located[0]?.params ?? {})) learnValue(name, value, known);
    const tag = headers.get("etag");
    if (tag !== null) known.tags.set(place, tag);
  }
  const declared = plan.node.responses[status];
  const isValue = declared && !declared.representation.describes;
  if (isValue && body.length <= maxLearned && locator.names.size > 0) {
    learnMembers({ value: parseBody(body), place }, known, locator);
  }
}

/** The most bytes of a body that is read for values. */
const maxLearned = 65_536;

/** Remembers the values of a body: members that have the name of a path parameter, and ids of what is below its path. */
function learnMembers(
  { value, place }: { readonly value: unknown; readonly place: string },
  known: Known,
  { names, locate }: Locator,
): void {
  visit(value, 3);

  function visit(value: unknown, depth: number): void {
    if (typeof value !== "object" || value === null || depth === 0) return;
    for (const [name, member] of Object.entries(value).slice(0, 32)) {
      if (typeof member !== "string" && typeof member !== "number") visit(member, depth - 1);
      else if (names.has(name) || name === "id") learnMember(name, `${member}`);
    }
  }

  function learnMember(name: string, value: string): void {
    if (names.has(name)) learnValue(name, value, known);
    for (const { node, params } of locate(`${place}/${encodeURIComponent(value.toWellFormed())}`)) {
      const own = parameterNames(node.path).at(-1);
      const isLast = own !== undefined && node.path.endsWith(`/:${own}`) && (own === name || name === "id");
      if (isLast) addKnown(known.paths, node.key, params);
    }
  }
}

const mostSeen = 10_000;

function learnValue(name: string, value: string, { values, seen }: Known): void {
  if (seen.size < mostSeen) seen.add(value);
  if (!values.get(name)?.includes(value)) addKnown(values, name, value);
}
