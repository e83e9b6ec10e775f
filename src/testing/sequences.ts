/** Sequences of calls: what was created is there, what was deleted is gone, and the same PUT twice is one. */
import { type Choices, choose, chooseFrom, createChoices, readChoices, recordChoices } from "../json_schema/choices.ts";
import { mediaTypeEssence } from "../wire/media_type.ts";
import { type Answer } from "./answer.ts";
import { type Exchange } from "./exchange.ts";
import { type Breach, type Finding } from "./finding.ts";
import { Known } from "./known.ts";
import { learn, type Locator } from "./learn.ts";
import { drawValid, type PhaseSettings } from "./phases.ts";
import { type RoutePlan } from "./route_plan.ts";
import { maxShrinking, type PhaseRun } from "./run_cases.ts";
import { check, type Checked, type Session } from "./session.ts";
import { shrink } from "./shrink.ts";
import { type Send } from "./target.ts";
import { pathOf, type WireRequest } from "./wire_request.ts";

/** The most calls of a sequence, without those that look what came of it. */
const maxCalls = 6;

/** What sequences are run with. */
export interface SequenceRun extends PhaseRun {
  /** A server for each sequence. */
  readonly open: () => Promise<Send>;
  /** The other server for each sequence, if answers are compared. */
  readonly openOther: (() => Promise<Send>) | undefined;
}

/** Runs sequences; one finding for each rule that is broken. */
export async function runSequences(run: SequenceRun, settings: PhaseSettings): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (let index = 0; index < settings.runs; index++) {
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

/** What came of a sequence. */
interface Ended {
  readonly finding: Finding | undefined;
  /** The choices that it was drawn from. */
  readonly drawn: readonly number[];
  /** Where the choices of each call begin. */
  readonly starts: readonly number[];
}

interface Broken extends Ended {
  readonly finding: Finding;
}

/** Leaves out whole calls first, and then makes smaller what is left. */
async function shrinkSequence(broken: Broken, run: SequenceRun, settings: PhaseSettings): Promise<Finding> {
  let smallest = broken;
  let exchanges = 0;
  const attempt = async (candidate: readonly number[]): Promise<boolean> => {
    if (exchanges > maxShrinking) return false;
    const ended = await runSequence(readChoices(Uint8Array.from(candidate)), run, settings);
    const { finding } = ended;
    exchanges += finding?.requests.length ?? maxCalls;
    if (finding?.rule !== broken.finding.rule || finding.route !== broken.finding.route) return false;
    if (finding.requests.length > smallest.finding.requests.length) return false;
    smallest = { ...ended, finding };
    return true;
  };
  for (let call = 0; call < smallest.starts.length;) {
    const [start, end] = [smallest.starts[call]!, smallest.starts[call + 1]];
    if (end === undefined || !await attempt(smallest.drawn.toSpliced(start, end - start))) call++;
  }
  await shrink(smallest.drawn, attempt, maxShrinking);
  return { ...smallest.finding, before: broken.finding.requests };
}

/** One sequence and what it has done. */
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

/** One call, and what looks after it. */
async function callOnce(choices: Choices, sequence: Sequence, settings: PhaseSettings): Promise<Finding | undefined> {
  const { run, known, requests } = sequence;
  const plan = choosePlan([...run.settings.plans.values()], choices);
  const drawn = await drawValid(plan, withoutParams(plan, settings, known), choices, known);
  if (!drawn || !run.settings.allows(drawn.request)) return undefined;
  requests.push(drawn.request);
  const checked = await check(drawn, plan, sequence);
  const found = toFinding(checked.breaches, plan, sequence) ??
    toFinding(await lookAfter(checked, plan, sequence), plan, sequence);
  if (!found && checked.exchange) learn(checked.exchange, known, run.locator);
  return found;
}

/** A route; one that may create something is chosen more often. */
function choosePlan(plans: readonly RoutePlan[], choices: Choices): RoutePlan {
  const creating = plans.filter(({ node: { method } }) => method === "POST" || method === "PUT");
  return chooseFrom(choices, creating.length > 0 && choose(choices, 4) === 0 ? creating : plans);
}

/** Values without parameters, once others are known, and for DELETE: what the user says that exists is left alone. */
function withoutParams({ node }: RoutePlan, settings: PhaseSettings, known: Known): PhaseSettings {
  const { params, ...others } = settings.values[node.key] ?? {};
  if (params === undefined || (node.method !== "DELETE" && known.pathsOf(node.key).length === 0)) return settings;
  return { ...settings, values: { ...settings.values, [node.key]: others } };
}

function toFinding(breaches: readonly Breach[], { node }: RoutePlan, { run, requests }: Sequence): Finding | undefined {
  const breach = breaches.find(({ rule }) => run.reports(rule, node.key));
  return breach && { ...breach, route: node.key, requests: [...requests], before: [] };
}

/** Looks whether a call has done what its method and status say. */
async function lookAfter({ exchange }: Checked, plan: RoutePlan, sequence: Sequence): Promise<Breach[]> {
  const { status } = exchange?.answer ?? { status: 0 };
  if (!exchange || status < 200 || status >= 300 || status === 202) return [];
  const look = { POST: lookForCreated, PUT: lookForSame, DELETE: lookForDeleted }[plan.node.method as string];
  const breach = await look?.(exchange, sequence);
  return breach ? [breach] : [];
}

type Look = (exchange: Exchange, sequence: Sequence) => Promise<Breach | undefined>;

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
  const isThing = plan!.node.path.split("/").at(-1)!.startsWith(":"); // a collection that was emptied is still there
  const found = isThing ? await get(pathOf(request.path), request, sequence) : undefined;
  if (!found || !isSuccess(found)) return undefined;
  return { rule: "deleted-is-gone", state: `was answered ${found.status}, though DELETE has removed it` };
};

const lookForSame: Look = async ({ request, verdict, plan }, sequence) => {
  const path = pathOf(request.path);
  const before = await get(path, request, sequence);
  if (!before || !isSuccess(before)) return undefined;
  sequence.requests.push(request);
  const again = await check({ request, verdict }, plan, sequence);
  if (!again.exchange || !isSuccess(again.exchange.answer)) return undefined;
  const after = await get(path, request, sequence);
  if (!after || contentOf(before) === contentOf(after)) return undefined;
  return {
    rule: "put-twice",
    state: `was answered ${describeContent(after)} after the same PUT twice, ${describeContent(before)} after one`,
  };
};

/** Reads what is at a path, as the caller of another request; `undefined` where no route reads it. */
async function get(path: string, { headers, secrets }: WireRequest, sequence: Sequence): Promise<Answer | undefined> {
  const { run, requests } = sequence;
  const isReadable = run.locator.locate(path).some(({ node }) => node.method === "GET");
  const shown = Object.fromEntries(Object.entries(headers).filter(([name]) => secrets.includes(name)));
  const request: WireRequest = { method: "GET", path, headers: shown, body: undefined, secrets };
  if (!isReadable) return undefined;
  const verdict = await run.settings.judge(request);
  if (!verdict.route) return undefined; // it needs a query or a header field
  requests.push(request);
  const { exchange } = await check({ request, verdict }, undefined, sequence);
  if (exchange) learn(exchange, sequence.known, run.locator);
  return exchange?.answer;
}

function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

/** The content of an answer without times, which may differ. */
function contentOf({ body, headers }: Answer): string {
  const text = new TextDecoder().decode(body);
  const isJson = mediaTypeEssence(headers.get("content-type") ?? "").endsWith("json");
  return isJson ? text.replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"|\b1[67]\d{8,11}\b/g, '"…"') : text;
}

function describeContent(answer: Answer): string {
  return contentOf(answer).slice(0, 120);
}

/** Whether anything can be created and looked at. */
export function hasSequences(plans: Iterable<RoutePlan>, { names }: Locator): boolean {
  const methods = new Set([...plans].map(({ node }) => node.method));
  return names.size > 0 && ["POST", "PUT", "DELETE", "PATCH"].some((method) => methods.has(method as "POST"));
}
