/** Sequences of calls: created things exist, deleted things are gone, and PUT is idempotent. */
import { type Choices, choose, chooseFrom, createChoices, recordChoices } from "../json_schema/choices.ts";
import { mediaTypeEssence } from "../../wire/media_type.ts";
import { type Breach, type Finding, toFinding } from "./finding.ts";
import { createKnown, type Locator } from "./known.ts";
import { drawValid } from "./phases.ts";
import type { TestedRoute } from "./route_plan.ts";
import { maxShrinking, shrink, toChoices } from "./run_cases.ts";
import { isDisproved } from "./status_rules.ts";
import { sendAndCheck } from "./send_and_check.ts";
import type { ReceivedAnswer } from "./target.ts";
import { type Drawn, learn, type Observation, type TestRun } from "./test_run.ts";
import { pathOf, type WireRequest } from "./wire_request.ts";

/** The most calls of a sequence, not counting the requests that check their effects. */
const maxCalls = 6;

export async function runSequences(run: TestRun): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (let index = 0; index < run.runs && !run.isSpent(); index++) {
    const { finding, ...broken } = await runSequence(createChoices(`${run.seed} sequence ${index}`), run);
    if (!finding || findings.some(({ rule }) => rule === finding.rule)) continue;
    findings.push(await shrinkSequence({ finding, ...broken }, run));
  }
  return findings.filter((finding) => !isDisproved(finding, run));
}

interface Ended {
  readonly finding: Finding | undefined;
  readonly drawn: readonly number[];
  readonly starts: readonly number[];
}

type BrokenSequence = Ended & { readonly finding: Finding };

/** Shrinks a sequence: first removes whole calls, then shrinks the remaining ones. */
async function shrinkSequence(broken: BrokenSequence, run: TestRun): Promise<Finding> {
  let sent = 0;
  const retry = async (choices: Choices, smallest: BrokenSequence): Promise<BrokenSequence | undefined> => {
    if (sent > maxShrinking || run.isSpent()) return undefined;
    const ended = await runSequence(choices, run);
    const { finding } = ended;
    sent += finding?.requests.length ?? maxCalls;
    if (finding?.rule !== broken.finding.rule || finding.route !== broken.finding.route) return undefined;
    return finding.requests.length > smallest.finding.requests.length ? undefined : { ...ended, finding };
  };
  let smallest = broken;
  for (let call = 0; call < smallest.starts.length;) {
    const [start = 0, end] = smallest.starts.slice(call, call + 2);
    const others = end === undefined ? undefined : toChoices(smallest.drawn.toSpliced(start, end - start));
    const smaller = others && await retry(others, smallest);
    if (smaller) smallest = smaller;
    else call++;
  }
  const { finding } = await shrink(smallest, smallest.drawn, run, retry);
  return { ...finding, before: broken.finding.requests };
}

interface Sequence extends TestRun {
  readonly requests: WireRequest[];
}

async function runSequence(source: Choices, run: TestRun): Promise<Ended> {
  const against = await run.openAgainst?.();
  const sequence: Sequence = { ...run, send: await run.open(), against, known: createKnown(), requests: [] };
  const choices = recordChoices(source);
  const starts: number[] = [];
  let finding: Finding | undefined;
  while (!finding && starts.length < maxCalls) {
    starts.push(choices.drawn.length);
    const isLast = choose(choices, 4) === 0 && starts.length > 1;
    finding = await callOnce(choices, sequence);
    if (isLast) break;
  }
  return { finding, drawn: choices.drawn, starts };
}

async function callOnce(choices: Choices, sequence: Sequence): Promise<Finding | undefined> {
  const { requests, plans, reports } = sequence;
  const plan = choosePlan([...plans.values()], choices);
  const { node: { key, method } } = plan;
  const drawn = await drawValid(plan, withoutParams(plan, sequence), choices);
  if (!drawn || !sequence.allows(drawn.request)) return undefined;
  requests.push(drawn.request);
  const { breaches, observed } = await sendAndCheck(drawn, plan, sequence);
  const isDone = observed && isSuccess(observed.answer) && observed.answer.status !== 202;
  const breach = breaches.find(({ rule }) => reports(rule, key)) ??
    (isDone ? await looks[method]?.(observed, sequence) : undefined); // whether it had the effect that it promises
  if (breach && reports(breach.rule, key)) return toFinding(breach, key, [...requests]);
  if (observed) learn(observed, sequence);
}

function choosePlan(plans: readonly TestedRoute[], choices: Choices): TestedRoute {
  const creating = plans.filter(({ node: { method } }) => method === "POST" || method === "PUT");
  return chooseFrom(choices, creating.length > 0 && choose(choices, 4) === 0 ? creating : plans);
}

/** Removes the user's path parameters once others are known, and for DELETE, to keep what the user has. */
function withoutParams({ node: { key, method } }: TestedRoute, run: TestRun): TestRun {
  const { params, ...others } = run.values[key] ?? {};
  if (params === undefined || (method !== "DELETE" && !run.known.paths.has(key))) return run;
  return { ...run, values: { ...run.values, [key]: others } };
}

type Look = (observed: Observation, sequence: Sequence) => Promise<Breach | undefined>;

const lookForCreated: Look = async ({ request, answer }, sequence) => {
  const location = answer.status === 201 ? sequence.locator.resolve(answer.headers, request.path) : undefined;
  const found = location === undefined ? undefined : await get(location, request, sequence);
  if (!found || isSuccess(found)) return undefined;
  return {
    rule: "created-is-there",
    state: `was answered ${found.status}, though a 201 named it as the location of what it created`,
  };
};

const lookForDeleted: Look = async ({ request, plan }, sequence) => {
  const isThing = plan !== undefined && /\/:[^/]+\/?$/.test(plan.node.path); // an emptied collection still exists
  const found = isThing ? await get(pathOf(request.path), request, sequence) : undefined;
  if (!found || !isSuccess(found)) return undefined;
  return { rule: "deleted-is-gone", state: `was answered ${found.status}, though DELETE has removed it` };
};

const lookForSame: Look = async ({ request, verdict, plan }, sequence) => {
  const path = pathOf(request.path);
  const before = await get(path, request, sequence);
  if (!before || !isSuccess(before)) return undefined;
  sequence.requests.push(request);
  const again = await sendAndCheck({ request, verdict }, plan, sequence);
  if (!again.observed || !isSuccess(again.observed.answer)) return undefined;
  const after = await get(path, request, sequence);
  const { show } = sequence;
  if (!after || contentOf(before) === contentOf(after)) return undefined;
  return {
    rule: "put-twice",
    state: `was answered ${show(contentOf(after), 120)} after the same PUT twice, ${
      show(contentOf(before), 120)
    } after one`,
  };
};

const looks: Readonly<Record<string, Look>> = { POST: lookForCreated, PUT: lookForSame, DELETE: lookForDeleted };

/** Reads a path as the caller of another request. `undefined` unless the contract has a route that can read it. */
async function get(path: string, request: WireRequest, sequence: Sequence): Promise<ReceivedAnswer | undefined> {
  const { requests, locator } = sequence;
  const isReadable = locator.locate(path).some(({ node }) => node.method === "GET");
  const drawn = isReadable ? await drawReading(path, request, sequence) : undefined;
  if (!drawn) return undefined;
  requests.push(drawn.request);
  const { observed } = await sendAndCheck(drawn, undefined, sequence);
  if (observed) learn(observed, sequence);
  return observed?.answer;
}

/** Returns the GET of a path by the caller of another request; `undefined` if no route takes it as it is. */
export async function drawReading(
  path: string,
  { headers, secrets }: WireRequest,
  { judge }: TestRun,
): Promise<Drawn | undefined> {
  const shown = Object.fromEntries(Object.entries(headers).filter(([name]) => secrets.includes(name)));
  const request: WireRequest = { method: "GET", path, headers: shown, body: undefined, secrets };
  const verdict = await judge(request);
  return verdict.route && { request, verdict };
}

export function isSuccess({ status }: ReceivedAnswer): boolean {
  return status >= 200 && status < 300;
}

/** Returns the content of a response. Times are masked, because they may differ, also within JSON Web Tokens. */
export function contentOf({ body, headers }: ReceivedAnswer): string {
  const text = new TextDecoder().decode(body).replaceAll(token, (_, payload) => maskTimes(decodePayload(payload)));
  return mediaTypeEssence(headers.get("content-type") ?? "").endsWith("json") ? maskTimes(text) : text;
}

/** A JSON Web Token, whose signature depends on its times. */
const token = /(?<![\w-])eyJ[\w-]+\.(eyJ[\w-]+)\.[\w-]*/g;

function decodePayload(payload: string): string {
  try {
    return atob(payload.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return payload;
  }
}

function maskTimes(text: string): string {
  return text.replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"|\b1[6-9]\d{8,11}\b/g, '"…"');
}

export function hasSequences(plans: Iterable<TestedRoute>, { names }: Locator): boolean {
  const changing: readonly string[] = ["POST", "PUT", "DELETE", "PATCH"];
  return names.size > 0 && [...plans].some(({ node }) => changing.includes(node.method));
}
