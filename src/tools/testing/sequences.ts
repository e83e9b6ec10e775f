/**
 * Sequences of calls. They check that created things exist, that deleted things are gone, and that PUT is idempotent.
 */
import { type Choices, choose, chooseFrom, createChoices, readChoices, recordChoices } from "../json_schema/choices.ts";
import { mediaTypeEssence } from "../../wire/media_type.ts";
import type { AnsweredRequest } from "./answered_request.ts";
import type { Breach, Finding } from "./finding.ts";
import { Known, learn, type Locator } from "./known.ts";
import { drawValid, type PhaseSettings } from "./phases.ts";
import type { RoutePlan } from "./route_plan.ts";
import { maxShrinking, type PhaseRun, shrink } from "./run_cases.ts";
import { type CheckedExchange, sendAndCheck, type Session } from "./session.ts";
import type { Answer, Send } from "./target.ts";
import { pathOf, type WireRequest } from "./wire_request.ts";

/** The most calls of a sequence, not counting the requests that check their effects. */
const maxCalls = 6;

/** Opens a server for each sequence. */
export interface SequenceRun extends PhaseRun {
  /** Opens the other server for each sequence, if responses are compared. */
  readonly open: () => Promise<Send>;
  /** The other server for each sequence, if answers are compared. */
  readonly openOther: (() => Promise<Send>) | undefined;
}

/** Runs sequences. Returns one finding per broken rule. */
export async function runSequences(run: SequenceRun, settings: PhaseSettings): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (let index = 0; index < settings.runs && !run.isSpent(); index++) {
    const { finding, ...broken } = await runSequence(
      createChoices(`${settings.seed} sequence ${index}`),
      run,
      settings,
    );
    if (!finding || findings.some(({ rule }) => rule === finding.rule)) continue;
    findings.push(await shrinkSequence({ finding, ...broken }, run, settings));
  }
  return findings;
}

/** The outcome of a sequence. */
interface Ended {
  readonly finding: Finding | undefined;
  /** The choices that generated it. */
  readonly drawn: readonly number[];
  /** The index of each call's first choice. */
  readonly starts: readonly number[];
}

interface Broken extends Ended {
  readonly finding: Finding;
}

/** Shrinks a sequence: first removes whole calls, then shrinks the remaining ones. */
async function shrinkSequence(broken: Broken, run: SequenceRun, settings: PhaseSettings): Promise<Finding> {
  let smallest = broken;
  let exchanges = 0;
  const attempt = async (candidate: readonly number[]): Promise<boolean> => {
    if (exchanges > maxShrinking || run.isSpent()) return false;
    const ended = await runSequence(readChoices(Uint8Array.from(candidate)), run, settings);
    const { finding } = ended;
    exchanges += finding?.requests.length ?? maxCalls;
    if (finding?.rule !== broken.finding.rule || finding.route !== broken.finding.route) return false;
    if (finding.requests.length > smallest.finding.requests.length) return false;
    smallest = { ...ended, finding };
    return true;
  };
  for (let call = 0; call < smallest.starts.length;) {
    const [start = 0, end] = smallest.starts.slice(call, call + 2);
    if (end === undefined || !await attempt(smallest.drawn.toSpliced(start, end - start))) call++;
  }
  await shrink(smallest.drawn, attempt, maxShrinking);
  return { ...smallest.finding, before: broken.finding.requests };
}

/** The state of one sequence. */
interface Sequence extends Session {
  readonly run: SequenceRun;
  readonly known: Known;
  readonly requests: WireRequest[];
}

async function runSequence(source: Choices, all: SequenceRun, settings: PhaseSettings): Promise<Ended> {
  const session = { ...all.settings, against: await all.openOther?.() };
  const sequence: Sequence = { run: all, send: await all.open(), settings: session, known: new Known(), requests: [] };
  const choices = recordChoices(source);
  const starts: number[] = [];
  let finding: Finding | undefined;
  while (!finding && starts.length < maxCalls) {
    starts.push(choices.drawn.length);
    const isLast = choose(choices, 4) === 0 && starts.length > 1;
    finding = await callOnce(choices, sequence, settings);
    if (isLast) break;
  }
  return { finding, drawn: choices.drawn, starts };
}

/** Makes one call, and checks its effect. */
async function callOnce(choices: Choices, sequence: Sequence, settings: PhaseSettings): Promise<Finding | undefined> {
  const { run, known, requests } = sequence;
  const plan = choosePlan([...run.settings.plans.values()], choices);
  const drawn = await drawValid(plan, withoutParams(plan, settings, known), choices, known);
  if (!drawn || !run.settings.allows(drawn.request)) return undefined;
  requests.push(drawn.request);
  const checked = await sendAndCheck(drawn, plan, sequence);
  const found = toFinding(checked.breaches, plan, sequence) ??
    toFinding(await lookAfter(checked, plan, sequence), plan, sequence);
  if (!found && checked.exchange) learn(checked.exchange, known, run.locator);
  return found;
}

/** Chooses a route. Routes that may create something are chosen more often. */
function choosePlan(plans: readonly RoutePlan[], choices: Choices): RoutePlan {
  const creating = plans.filter(({ node: { method } }) => method === "POST" || method === "PUT");
  return chooseFrom(choices, creating.length > 0 && choose(choices, 4) === 0 ? creating : plans);
}

/**
 * Removes the user's path parameters for DELETE, so that the user's things are not deleted, and once others are known.
 */
function withoutParams({ node }: RoutePlan, settings: PhaseSettings, known: Known): PhaseSettings {
  const { params, ...others } = settings.values[node.key] ?? {};
  if (params === undefined || (node.method !== "DELETE" && known.pathsOf(node.key).length === 0)) return settings;
  return { ...settings, values: { ...settings.values, [node.key]: others } };
}

function toFinding(breaches: readonly Breach[], { node }: RoutePlan, { run, requests }: Sequence): Finding | undefined {
  const breach = breaches.find(({ rule }) => run.reports(rule, node.key));
  return breach && { ...breach, route: node.key, requests: [...requests], before: [] };
}

/** Checks that a call had the effect that its method and status promise. */
async function lookAfter({ exchange }: CheckedExchange, plan: RoutePlan, sequence: Sequence): Promise<Breach[]> {
  const { status } = exchange?.answer ?? { status: 0 };
  if (!exchange || status < 200 || status >= 300 || status === 202) return [];
  const breach = await looks[plan.node.method]?.(exchange, sequence);
  return breach ? [breach] : [];
}

type Look = (exchange: AnsweredRequest, sequence: Sequence) => Promise<Breach | undefined>;

const lookForCreated: Look = async ({ request, answer }, sequence) => {
  const location = answer.status === 201 ? sequence.run.locator.resolve(answer.headers, request.path) : undefined;
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
  if (!again.exchange || !isSuccess(again.exchange.answer)) return undefined;
  const after = await get(path, request, sequence);
  const { show } = sequence.settings;
  if (!after || contentOf(before) === contentOf(after)) return undefined;
  return {
    rule: "put-twice",
    state: `was answered ${show(contentOf(after), 120)} after the same PUT twice, ${
      show(contentOf(before), 120)
    } after one`,
  };
};

/** The effect of each method. */
const looks: Readonly<Record<string, Look>> = { POST: lookForCreated, PUT: lookForSame, DELETE: lookForDeleted };

/**
 * Reads a path as the caller of another request. Returns `undefined` unless the contract has a route that can read it.
 */
async function get(path: string, { headers, secrets }: WireRequest, sequence: Sequence): Promise<Answer | undefined> {
  const { run, requests } = sequence;
  const isReadable = run.locator.locate(path).some(({ node }) => node.method === "GET");
  const shown = Object.fromEntries(Object.entries(headers).filter(([name]) => secrets.includes(name)));
  const request: WireRequest = { method: "GET", path, headers: shown, body: undefined, secrets };
  if (!isReadable) return undefined;
  const verdict = await run.settings.judge(request);
  if (!verdict.route) return undefined; // the route requires a query or a header field
  requests.push(request);
  const { exchange } = await sendAndCheck({ request, verdict }, undefined, sequence);
  if (exchange) learn(exchange, sequence.known, run.locator);
  return exchange?.answer;
}

function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

/** Returns the content of a response. Times are masked, because they may differ, also within JSON Web Tokens. */
function contentOf({ body, headers }: Answer): string {
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

/** Tests whether any route can create, change or delete something that can be read. */
export function hasSequences(plans: Iterable<RoutePlan>, { names }: Locator): boolean {
  const methods = new Set<string>([...plans].map(({ node }) => node.method));
  return names.size > 0 && ["POST", "PUT", "DELETE", "PATCH"].some((method) => methods.has(method));
}
