/** Sends requests to the target, and checks each response with all rules. */
import type { RouteNode } from "../../contract/node.ts";
import { mediaTypeEssence } from "../../wire/media_type.ts";
import { findContentBreach } from "./content_rules.ts";
import type { AnsweredRequest, RuleSettings } from "./answered_request.ts";
import type { Breach } from "./finding.ts";
import type { Judge, Verdict } from "./reference.ts";
import { type RoutePlan, takesStream } from "./route_plan.ts";
import { findStatusBreach } from "./status_rules.ts";
import type { Answer, Send, Silence } from "./target.ts";
import type { WireRequest } from "./wire_request.ts";

/** The settings that all runs of a contract's tests share. */
interface SessionSettings extends RuleSettings {
  /** Returns the verdict of the contract on a request. */
  readonly judge: Judge;
  /** The most milliseconds that a response may take. */
  readonly limit: number;
  /** Tests whether a request may be sent. */
  readonly allows: (request: WireRequest) => boolean;
  /** Another server, which receives every request too. */
  readonly against: Send | undefined;
}

export interface CheckedExchange extends Drawn {
  /** The exchange; `undefined` if the server did not respond. */
  readonly exchange: AnsweredRequest | undefined;
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
export async function sendAndCheck(
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
  const exchange: AnsweredRequest = { request, verdict, answer, plan: reached };
  const breaches = await listBreaches(exchange, settings);
  const difference = other && compareAnswers(exchange, other, settings);
  return { request, verdict, exchange, breaches: difference ? [...breaches, difference] : breaches };
}

/** Tests whether the response may have begun before the request turned out to be too long. */
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

async function listBreaches(exchange: AnsweredRequest, settings: SessionSettings): Promise<Breach[]> {
  const breach = findStatusBreach(exchange, settings) ?? await findContentBreach(exchange, settings);
  const leak = findLeak(exchange, settings);
  return [breach, leak].filter((each) => each !== undefined);
}

/** Stack traces of JavaScript, Python, Java, Go and PHP. */
const traces: readonly RegExp[] = [
  /\bat [^\n"]{1,300}:\d+:\d+\b/,
  /Traceback \(most recent call last\)/,
  /\bFile \\?"[^"\n]+", line \d+/,
  /\bat [\w.$]+\([\w$]+\.(?:java|kt|scala):\d+\)/,
  /\bgoroutine \d+ \[/,
  /#\d+ [^\n]{1,300}\.php\(\d+\)/,
];

/** The most bytes of content that are searched: pages of errors begin with what went wrong. */
const maxSearched = 65_536;

/** Returns the beginning of the content of a response, as text. */
export function searchedText(body: Uint8Array): string {
  return new TextDecoder().decode(body.subarray(0, maxSearched));
}

/** Checks that an error response does not contain a stack trace. */
function findLeak({ answer: { status, body } }: AnsweredRequest, { show }: RuleSettings): Breach | undefined {
  if (status < 400 || body.length === 0) return undefined;
  const text = searchedText(body);
  const trace = traces.map((pattern) => pattern.exec(text)?.[0]).find((found) => found !== undefined);
  if (trace === undefined) return undefined;
  return { rule: "no-leak", state: `was answered ${status} with a part of a stack: ${show(trace, 80)}` };
}

/**
 * Returns how the response of another server differs: in its status or, if a handler received the request, in its body.
 */
function compareAnswers(
  { answer, verdict }: AnsweredRequest,
  other: Answer | Silence,
  { show }: RuleSettings,
): Breach | undefined {
  const breach = (state: string): Breach => ({
    rule: "same-answers",
    state: `was answered ${answer.status}; the other server ${state}`,
  });
  if ("state" in other) return breach(other.state);
  if (other.status !== answer.status) return breach(`answered ${other.status}`);
  if (verdict.route === undefined || isSame(contentOf(answer), contentOf(other))) return undefined;
  return breach(`answered with another body: ${show(textOf(answer), 200)} became ${show(textOf(other), 200)}`);
}

/** Returns the content of a response. JSON is parsed, because the order of members is irrelevant. */
function contentOf(answer: Answer): unknown {
  const text = textOf(answer);
  const { headers } = answer;
  if (!/[/+]json$/.test(mediaTypeEssence(headers.get("content-type") ?? ""))) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function textOf({ body }: Answer): string {
  return new TextDecoder().decode(body);
}

/** Tests whether two values are deeply equal. Supports dates, maps, sets, URLs, regular expressions and bytes. */
export function isSame(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (Object.getPrototypeOf(left) !== Object.getPrototypeOf(right)) return false;
  if (left instanceof Date && right instanceof Date) return Object.is(left.getTime(), right.getTime());
  if (left instanceof URL || left instanceof RegExp) return String(left) === String(right);
  const [own, other] = [partsOf(left), partsOf(right)];
  return own.length === other.length && own.every(([key, value], index) => {
    const [otherKey, otherValue] = other[index] ?? [];
    return isSame(key, otherKey) && isSame(value, otherValue);
  });
}

/** Returns the contents of an object, in an order that does not depend on how it was created. */
function partsOf(value: object): (readonly [key: unknown, value: unknown])[] {
  if (value instanceof Map) return [...value];
  if (value instanceof Set) return [...value].map((item, index) => [index, item]);
  return Object.entries(value).toSorted(([left], [right]) => left < right ? -1 : 1);
}
