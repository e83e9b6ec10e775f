/** Sends requests and checks their responses. */
import { type RouteNode } from "../contract/node.ts";
import { type Answer, type Silence } from "./answer.ts";
import { checkContent } from "./content_rules.ts";
import { type Exchange, type RuleSettings } from "./exchange.ts";
import { type Breach } from "./finding.ts";
import { compareAnswers } from "./same_answers.ts";
import { checkLeak } from "./leak_rules.ts";
import { type Judge, type Verdict } from "./reference.ts";
import { type RoutePlan, takesStream } from "./route_plan.ts";
import { checkStatus } from "./status_rules.ts";
import { type Send } from "./target.ts";
import { type WireRequest } from "./wire_request.ts";

/** The settings that all runs of a contract's tests share. */
export interface SessionSettings extends RuleSettings {
  /** Returns the verdict of the contract on a request. */
  readonly judge: Judge;
  /** The plans of all routes, by key. */
  readonly plans: ReadonlyMap<string, RoutePlan>;
  /** The most milliseconds that a response may take. */
  readonly limit: number;
  /** Whether a request may be sent. */
  readonly allows: (request: WireRequest) => boolean;
  /** Another server, which receives every request too. */
  readonly against: Send | undefined;
}

export interface CheckedExchange extends Drawn {
  /** The exchange; `undefined` if the server did not respond. */
  readonly exchange: Exchange | undefined;
  /** The rules that it breaks. */
  readonly breaches: readonly Breach[];
}

/** A generated request, with the verdict of the contract. */
export interface Drawn {
  readonly request: WireRequest;
  /** The verdict of the contract. */
  readonly verdict: Verdict;
}

/** The parts that sending a request needs. */
export interface Session {
  /** Sends a request. */
  readonly send: Send;
  /** The settings that all runs share. */
  readonly settings: SessionSettings;
}

/** Sends a request and checks its response. `plan` is the route to blame if the request reaches none. */
export async function check(
  { request, verdict }: Drawn,
  plan: RoutePlan | undefined,
  { send, settings }: Session,
): Promise<CheckedExchange> {
  const reached = verdict.route ? settings.plans.get(verdict.route.key) : plan;
  const reading = { limit: settings.limit, isStream: (response: Response) => isStream(reached?.node, response) };
  const answer = await send(request, reading);
  const other = await settings.against?.(request, reading);
  if (isSilent(answer)) {
    const breaches: Breach[] = mayBreakOff(verdict, reached) ? [] : [{ rule: "no-failure", state: answer.state }];
    return { request, verdict, exchange: undefined, breaches };
  }
  const exchange: Exchange = { request, verdict, answer, plan: reached };
  const breaches = await listBreaches(exchange, settings);
  const difference = other && compareAnswers(exchange, other, settings);
  return { request, verdict, exchange, breaches: difference ? [...breaches, difference] : breaches };
}

/** Whether the response may have begun before the request turned out to be too long. */
function mayBreakOff({ status }: Verdict, plan: RoutePlan | undefined): boolean {
  return status === 413 && plan !== undefined && takesStream(plan.node);
}

function isSilent(answer: Answer | Silence): answer is Silence {
  return "state" in answer;
}

function isStream(node: RouteNode | undefined, { status }: Response): boolean {
  const declared = node && Object.hasOwn(node.responses, status) ? node.responses[status] : undefined;
  return declared?.representation.readLater !== undefined;
}

async function listBreaches(exchange: Exchange, settings: SessionSettings): Promise<Breach[]> {
  const breach = checkStatus(exchange, settings) ?? await checkContent(exchange, settings);
  const leak = checkLeak(exchange, settings);
  return [breach, leak].filter((each) => each !== undefined);
}
