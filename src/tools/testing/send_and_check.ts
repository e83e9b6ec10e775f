/** Sends requests to the target, and checks each response with all rules. */
import { mediaTypeEssence } from "../../wire/media_type.ts";
import { findContentBreach } from "./content_rules.ts";
import type { Breach } from "./finding.ts";
import { isLate, type TestedRoute } from "./route_plan.ts";
import { findStatusBreach } from "./status_rules.ts";
import type { ReceivedAnswer, Silence } from "./target.ts";
import type { Drawn, Observation, TestRun } from "./test_run.ts";
import { parseBody, type WireRequest } from "./wire_request.ts";

export interface CheckedRequest extends Drawn {
  readonly observed: Observation | undefined;
  readonly breaches: readonly Breach[];
}

export async function sendAndCheck(drawn: Drawn, plan: TestedRoute | undefined, run: TestRun): Promise<CheckedRequest> {
  const { request, verdict } = drawn;
  const reached = verdict.route ? run.plans.get(verdict.route.key) : plan;
  const reading = { limit: run.limit, isStream: (response: Response) => isStream(reached, response) };
  const answer = await run.send(request, reading);
  const other = await run.against?.(request, reading);
  if ("state" in answer) {
    if (answer.isUnsent) return { ...drawn, observed: undefined, breaches: [] };
    const isBrokenOff = reached !== undefined && isLate(reached.node, verdict.status); // it had begun
    return {
      ...drawn,
      observed: undefined,
      breaches: isBrokenOff ? [] : [{ rule: "no-failure", state: answer.state }],
    };
  }
  const observed: Observation = { ...drawn, answer, plan: reached };
  if (verdict.route && answer.status < 400) noteAccepted(verdict.route.key, request, run);
  const found = [
    findStatusBreach(observed, run) ?? await findContentBreach(observed, run),
    findLeak(observed, run),
    other && compareAnswers(observed, other, run),
  ];
  return { ...drawn, observed, breaches: found.filter((each) => each !== undefined) };
}

const mostAccepted = 50;

function noteAccepted(key: string, request: WireRequest, { accepted }: TestRun): void {
  const { path, body } = request;
  const earlier = (accepted.get(key) ?? []).filter((each) =>
    each.path !== path || each.body?.length !== body?.length || String(each.body) !== String(body)
  );
  const kept = earlier.length < mostAccepted ? earlier : earlier.filter((_, index) => index !== mostAccepted / 2);
  accepted.set(key, [...kept, request]);
}

function isStream(plan: TestedRoute | undefined, { status }: Response): boolean {
  const { responses = {} } = plan?.node ?? {};
  return Object.hasOwn(responses, status) && responses[status]?.representation.readLater !== undefined;
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

export function searchedText(body: Uint8Array): string {
  return new TextDecoder().decode(body.subarray(0, maxSearched));
}

function findLeak({ answer: { status, body } }: Observation, { show }: TestRun): Breach | undefined {
  if (status < 400 || body.length === 0) return undefined;
  const text = searchedText(body);
  const trace = traces.map((pattern) => pattern.exec(text)?.[0]).find((found) => found !== undefined);
  if (trace === undefined) return undefined;
  return { rule: "no-leak", state: `was answered ${status} with a part of a stack: ${show(trace, 80)}` };
}

/** Returns how another server's response differs: in its status or, if a handler was reached, in its body. */
function compareAnswers(
  { answer, verdict }: Observation,
  other: ReceivedAnswer | Silence,
  { show }: TestRun,
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
function contentOf(answer: ReceivedAnswer): unknown {
  const isJson = /[/+]json$/.test(mediaTypeEssence(answer.headers.get("content-type") ?? ""));
  return (isJson ? parseBody(answer.body) : undefined) ?? textOf(answer);
}

function textOf({ body }: ReceivedAnswer): string {
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
