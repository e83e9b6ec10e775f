/** The phases of contract tests: what is sent, and in which order. */
import { type CallSlot, slotNames } from "../../contract/call.ts";
import { sentStatus } from "../../contract/refusals.ts";
import {
  alternativesOf,
  isOptional,
  requirementsOf,
  type Security,
  type SecurityScheme,
} from "../../contract/security_scheme.ts";
import { type Choices, chooseFrom } from "../json_schema/choices.ts";
import { isJsonObject, type Json } from "../json_schema/json.ts";
import type { LocatedSchema } from "../json_schema/locate.ts";
import { sampleBoundaries, sampleBounds, sampleViolations } from "../json_schema/sample_boundaries.ts";
import { declares, drawSlots } from "./draw_slots.ts";
import { anonymous, type Caller, encodeWireRequest, findHeld, isShowable } from "./encode_request.ts";
import { type Breach, type Finding, toFinding } from "./finding.ts";
import { listCorruptions, mutate } from "./invalidate.ts";
import type { Verdict } from "./reference.ts";
import type { TestedResponse, TestedRoute } from "./route_plan.ts";
import { type Phase, runCases, toChoices } from "./run_cases.ts";
import { changeContent, isSignature } from "./sign_request.ts";
import { type CheckedRequest, searchedText, sendAndCheck } from "./send_and_check.ts";
import type { ReceivedAnswer } from "./target.ts";
import { type Drawn, learn, type TestRun } from "./test_run.ts";
import type { WireRequest, WireSlots } from "./wire_request.ts";

export async function toDrawn(plan: TestedRoute, slots: WireSlots, run: TestRun): Promise<Drawn | undefined> {
  const request = await encodeWireRequest(plan, slots, run.caller);
  return request && { request, verdict: await run.judge(request) };
}

const tries = 40;

export async function drawValid(
  plan: TestedRoute,
  run: TestRun,
  choices: Choices,
): Promise<Drawn & { readonly slots: WireSlots } | undefined> {
  const sources = { given: run.values[plan.node.key] ?? {}, known: run.known };
  for (let attempt = 0; attempt < tries; attempt++) {
    const slots = drawSlots(plan, choices, sources);
    const drawn = slots && await toDrawn(plan, slots, run);
    if (!drawn) continue;
    if (drawn.verdict.route === plan.node) return { ...drawn, slots };
    if (drawn.verdict.status === 401) return undefined; // no other values can change that
  }
}

/** A part of the tests of a route: some of its cases, if any apply to it. */
interface TestPart {
  readonly applies: (plan: TestedRoute) => boolean;
  readonly run: (plan: TestedRoute, run: TestRun) => Promise<Finding[]>;
}

function toPart(createPhase: (plan: TestedRoute, run: TestRun) => Phase, applies: TestPart["applies"]): TestPart {
  return { applies, run: (plan, run) => runCases(createPhase(plan, run), run) };
}

const hasSchemas: TestPart["applies"] = ({ slots }) => Object.keys(slots).length > 0;

export const parts = {
  valid: { applies: () => true, run: runValid },
  boundaries: toPart(boundaryPhase, hasSchemas),
  invalid: toPart(
    invalidPhase,
    ({ node: { params, query, headers, body } }) => Boolean(params || query || headers || body?.schema),
  ),
  "out of bounds": toPart((plan, run) => valuePhase(plan, run, listBounds(plan), isRefused), hasSchemas),
  violations: toPart(
    (plan, run) => valuePhase(plan, run, listValues(plan, sampleViolations, 250), isRefused),
    hasSchemas,
  ),
  malformed: toPart(malformedPhase, () => true),
  head: toPart(headPhase, ({ node }) => node.method === "GET"),
  credentials: toPart(
    credentialPhase,
    ({ node: { security = [] } }) => requirementsOf(security).length > 0 && !isOptional(security),
  ),
} satisfies Record<string, TestPart>;

export function listSeeds({ node }: TestedRoute, phase: string, { seed }: TestRun, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${seed} ${node.key} ${phase} ${index}`);
}

function invalidPhase(plan: TestedRoute, run: TestRun): Phase {
  const draw = async (choices: Choices): Promise<Drawn | undefined> => {
    const valid = await drawValid(plan, run, choices);
    const slots = valid && mutateSlots(plan, valid.slots, choices);
    const drawn = slots && await toDrawn(plan, slots, run);
    return drawn?.verdict.route === undefined ? drawn : undefined;
  };
  return { plan, cases: listSeeds(plan, "invalid", run, run.runs), draw };
}

function mutateSlots(plan: TestedRoute, slots: WireSlots, choices: Choices): WireSlots | undefined {
  const { node } = plan;
  const names = slotNames.filter((slot) => node[slot] !== undefined && (slot !== "body" || isJson(slots.body)));
  if (names.length === 0) return undefined;
  const slot = chooseFrom(choices, names);
  const value = slots[slot];
  if (!isJson(value)) return undefined;
  const changed = mutate(value, plan.slots[slot]?.located, choices);
  if (slot !== "body" && (changed === undefined || !isJsonObject(changed))) return undefined;
  return { ...slots, [slot]: changed };
}

function isJson(value: unknown): value is Json {
  return value !== undefined && !(value instanceof Uint8Array);
}

function boundaryPhase(plan: TestedRoute, run: TestRun): Phase {
  const bounds = listBounds(plan);
  const values = [...bounds, ...listBoundaries(plan)];
  return valuePhase(plan, run, values, ({ route }, value) => route === plan.node || !bounds.includes(value));
}

function valuePhase(
  plan: TestedRoute,
  run: TestRun,
  values: readonly SlotValue[],
  isWanted: (verdict: Verdict, value: SlotValue) => boolean,
): Phase {
  const draw = async (choices: Choices): Promise<Drawn | undefined> => {
    const chosen = chooseFrom(choices, values);
    const valid = await drawValid(plan, run, choices);
    const drawn = valid && await toDrawn(plan, { ...valid.slots, [chosen.slot]: chosen.value }, run);
    return drawn && isWanted(drawn.verdict, chosen) ? drawn : undefined;
  };
  const cases = values.map((_, index) => values.length <= 256 ? [index] : [index >> 8, index & 255]); // as `choose` reads
  return { plan, cases, draw };
}

function isRefused({ route }: Verdict): boolean {
  return route === undefined;
}

interface SlotValue {
  readonly slot: CallSlot;
  readonly value: Json;
}

/** Lists values around each bound of all slots: at it, one below and one above. Those out of bounds are invalid. */
function listBounds(plan: TestedRoute): SlotValue[] {
  return listValues(plan, sampleBounds, 1_000);
}

export function listBoundaries(plan: TestedRoute): SlotValue[] {
  return listValues(plan, sampleBoundaries, 500);
}

function listValues(
  { slots }: TestedRoute,
  sample: (schema: LocatedSchema) => Iterable<Json>,
  most: number,
): SlotValue[] {
  return slotNames.flatMap((slot) => {
    const planned = slots[slot];
    const values: SlotValue[] = [];
    for (const value of planned ? sample(planned.located) : []) {
      if (slot === "body" || isJsonObject(value)) values.push({ slot, value });
      if (values.length === most) break;
    }
    return values;
  });
}

function malformedPhase(plan: TestedRoute, run: TestRun): Phase {
  const { node } = plan;
  const corruptions = listCorruptions(node);
  const draw = async (choices: Choices): Promise<Drawn | undefined> => {
    const corrupt = chooseFrom(choices, corruptions);
    const valid = await drawValid(plan, run, choices);
    if (!valid) return undefined;
    const request = corrupt(valid.request, run.contract.basePath);
    const verdict = await run.judge(request);
    const isForeign = verdict.route ? verdict.route !== node : request.method !== node.method && verdict.status !== 405;
    const mayDiffer = run.isLenient && verdict.route !== undefined; // another spelling, which other servers may not accept
    return isForeign || mayDiffer ? undefined : { request, verdict }; // the tests of the other route cover it
  };
  return { plan, cases: corruptions.map((_, index) => [index]), draw, isMalformed: true };
}

/** Creates the phase of five GET requests, which are sent as HEAD too. */
function headPhase(plan: TestedRoute, run: TestRun): Phase {
  const checkMore = async ({ request, observed }: CheckedRequest): Promise<Breach | undefined> => {
    const reading = { limit: run.limit, isStream: () => true };
    const asked = { ...request, method: "HEAD" };
    if ((await run.judge(asked)).route !== plan.node) return undefined; // the contract declares HEAD with another route
    const head = await run.send(asked, reading);
    const again = await run.send(request, reading);
    if (!observed || "state" in head || "state" in again || again.status !== observed.answer.status) return undefined;
    const state = findDifference(head, observed.answer, again);
    return state === undefined ? undefined : { rule: "head-as-get", state, request: asked };
  };
  const cases = [[], ...listSeeds(plan, "HEAD", run, 5)];
  return { plan, cases, draw: (choices) => drawValid(plan, run, choices), checkMore };
}

/** Fields about the connection or the content, which the response to HEAD may omit. */
const ignored: readonly string[] = ["connection", "content-length", "date", "keep-alive", "transfer-encoding"];

function findDifference(head: ReceivedAnswer, get: ReceivedAnswer, again: ReceivedAnswer): string | undefined {
  if (head.status !== get.status) return `was answered ${head.status}, by GET ${get.status}`;
  if (head.body.length > 0) return `was answered with content: ${head.body.length} bytes`;
  for (const [name, value] of get.headers) {
    const isSteady = again.headers.get(name) === value && !ignored.includes(name);
    if (isSteady && head.headers.get(name) !== value) {
      return `was answered with ${name}: ${head.headers.get(name) ?? "(none)"}, by GET with ${name}: ${value}`;
    }
  }
}

/** The unknown credential. No response may contain it. */
const canary = "canary-4b1d7c2e9f";

/**
 * Creates the phase of valid requests without a credential, with an unknown one, with a signature of other content, and
 * with only one of the credentials that a route requires together.
 */
function credentialPhase(plan: TestedRoute, run: TestRun): Phase {
  const strangers = listStrangers(plan, run);
  const draw = async (choices: Choices): Promise<Drawn | undefined> => {
    const stranger = chooseFrom(choices, strangers);
    const request = await drawStranger(stranger, plan, run, choices);
    if (!request) return undefined;
    const { reason } = stranger;
    const declared = sentStatus(plan.node.refusals, 401);
    return { request, verdict: { route: undefined, refusing: plan.node, status: 401, declared, reason, allow: [] } };
  };
  const cases = strangers.map((_, index) => [index]);
  return { plan, cases, draw, checkMore: ({ observed }) => Promise.resolve(observed && findEcho(observed.answer)) };
}

/** A caller whom a route must not accept. */
interface Stranger {
  readonly reason: string;
  readonly caller: Caller;
  /** The security that decides which credentials the caller shows. */
  readonly security: Security;
  readonly forge?: (request: WireRequest) => WireRequest;
}

export function listStrangers({ node: { security = [] } }: TestedRoute, { caller }: TestRun): readonly Stranger[] {
  const others = [
    { security, caller: toStranger(security), reason: "its credential is invalid" },
    ...listPartial(security, caller),
    ...listForged(security, caller),
  ];
  return [
    { security, caller: anonymous, reason: "it has no credential" },
    ...others.filter((each) => findHeld(each.security, each.caller)),
  ];
}

/** Draws the request of a stranger, which is valid otherwise. */
export async function drawStranger(
  { security, caller, forge = (request) => request }: Stranger,
  plan: TestedRoute,
  run: TestRun,
  choices: Choices,
): Promise<WireRequest | undefined> {
  const holder = { ...toStranger(plan.node.security ?? []), signers: run.caller.signers };
  const valid = await drawValid(plan, { ...run, caller: holder }, choices);
  const shown = { ...plan, node: { ...plan.node, security } };
  const encoded = valid && await encodeWireRequest(shown, valid.slots, caller);
  return encoded && forge(encoded);
}

function listForged(security: Security, caller: Caller): Stranger[] {
  const signed = requirementsOf(security).filter(({ scheme }) => caller.signers.has(scheme.name));
  return [...new Set(signed.map(({ scheme }) => scheme))].flatMap((scheme): Stranger[] => {
    const entries = security.filter((entry) => requirementsOf([entry]).some((each) => each.scheme === scheme));
    const [field = ""] = scheme.options.headers ?? [];
    const replaceSignature = ({ signedBy: _, headers, ...request }: WireRequest): WireRequest => ({
      ...request,
      headers: { ...headers, [field]: canary },
    });
    return [
      { security: entries, caller, reason: "its signature is of other content", forge: changeContent },
      { security: entries, caller, reason: "its signature is invalid", forge: replaceSignature },
    ];
  });
}

/** Lists callers with one credential of those that a route requires together, if it does not suffice. */
function listPartial(security: Security, caller: Caller): Stranger[] {
  const entries = alternativesOf(security).map((needed) => needed.map(({ scheme }) => scheme).filter(isShowable));
  const sufficient = entries.filter(({ length }) => length < 2).flat();
  const partial = new Set<SecurityScheme>(entries.flat().filter((scheme) => !sufficient.includes(scheme)));
  return [...partial].map((scheme) => {
    return { security: [scheme], caller, reason: `of the credentials that it needs, it has only "${scheme.name}"` };
  });
}

function toStranger(security: Security): Caller {
  const credentials = requirementsOf(security).map(({ scheme }) => {
    const isNamed = scheme.credential?.place === "the authentication scheme basic";
    return [scheme.name, isNamed ? { username: canary, password: canary } : canary] as const;
  });
  return { ...anonymous, credentials: new Map(credentials) };
}

function findEcho({ status, body, headers }: ReceivedAnswer): Breach | undefined {
  const isEchoed = searchedText(body).includes(canary) || [...headers.values()].some((value) => value.includes(canary));
  return isEchoed ? { rule: "no-leak", state: `was answered ${status} with the credential that it showed` } : undefined;
}

/** Runs the valid requests. Adds a finding if the server refused all callers, or found nothing for any of them. */
async function runValid(plan: TestedRoute, run: TestRun): Promise<Finding[]> {
  const { node: { key }, names } = plan;
  const given = run.values[key]?.params ?? {};
  const isUnknown = names.some((name) => !Object.hasOwn(given, name));
  if (isUnknown && !run.isExplored) await explore(plan, run);
  const statuses = new Map<number, number>();
  const findings = await runCases({
    plan,
    cases: [[], ...listSeeds(plan, "valid", run, run.runs)],
    draw: (choices) => drawValid(plan, run, choices),
    note: ({ observed }) => {
      if (!observed) return;
      const { status } = observed.answer;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      learn(observed, run); // responses to modified requests may only repeat what was sent
    },
  }, run);
  const isCut = statuses.size === 0 && run.isSpent(); // so it says nothing
  const missed = !isCut && findings.every(({ isHint }) => isHint) ? describeMiss(plan, statuses, run) : undefined;
  if (missed === undefined || !run.reports("nothing-reached", key)) return findings;
  return [...findings, toFinding({ rule: "nothing-reached", ...missed }, key)];
}

const missing: readonly number[] = [401, 403, 404];

/** Describes why no request reached the handler. Guards return the responses that all routes share. */
function describeMiss(
  plan: TestedRoute,
  statuses: ReadonlyMap<number, number>,
  { contract, plans, caller, isForeign }: TestRun,
): Pick<Breach, "state" | "remedy"> | undefined {
  const { key, responses, security = [] } = plan.node;
  const schemes = requirementsOf(security).map(({ scheme }) => scheme);
  if (statuses.size === 0) {
    const isUnknown = schemes.length > 0 && !isOptional(security) && !findHeld(security, caller);
    return isUnknown
      ? { state: "no valid request was found, because it requires a credential", remedy: askForCredential(schemes) }
      : {
        state: "no valid request was found",
        remedy: { option: "values", text: `pass valid ones in the option values: { ${JSON.stringify(key)}: { … } }` },
      };
  }
  const isMissing = (status: number): boolean =>
    missing.includes(status) ||
    (status >= 400 && status < 500 && (isForeign || Object.hasOwn(contract.responses, status)));
  const isFailing = (status: number): boolean => isForeign ? status >= 400 : isMissing(status);
  if (![...statuses.keys()].every(isMissing) || Object.keys(responses).map(Number).every(isFailing)) return undefined;
  const counts = [...statuses].map(([status, count]) => `${count} times ${status}`).join(", ");
  const isRefused = [...statuses.keys()].every((status) => status === 401 || status === 403);
  const text = `pass ids that exist in the option values${describeLocations(plan, plans)}`;
  return {
    state: `its valid requests were answered ${counts} and nothing else`,
    remedy: isRefused ? askForCredential(schemes) : { option: "values", text },
  };
}

type Remedy = NonNullable<Breach["remedy"]>;

/** Describes which responses lead to a resource by a header alone, so that its ids are in no body. */
function describeLocations({ node, names }: TestedRoute, plans: Iterable<readonly [string, TestedRoute]>): string {
  const isNamed = ({ body }: TestedResponse) => body && names.some((name) => declares(body.located, name));
  const sources = [...plans].map(([, plan]) => plan).filter(({ node: other, responses }) =>
    other.method !== "GET" && node.path.startsWith(`${other.path.replace(/\/$/, "")}/:`) &&
    [...responses.values()].some((each) => each.headers && declares(each.headers.located, "location") && !isNamed(each))
  );
  const keys = sources.map(({ node }) => node.key).join(" and ");
  return keys === "" ? "" : `; only the header location of ${keys} leads to it, and no call returned one that exists`;
}

function askForCredential(schemes: readonly SecurityScheme[]): Remedy {
  const list = (listed: readonly SecurityScheme[]) => listed.map(({ name }) => `${JSON.stringify(name)}: …`).join(", ");
  const signatures = schemes.filter(isSignature);
  const others = schemes.filter((scheme) => !isSignature(scheme));
  const texts = [
    ...(others.length > 0 ? [`pass one that the server accepts in the option credentials: { ${list(others)} }`] : []),
    ...(signatures.length > 0
      ? [`pass a function that signs requests in the option sign: { ${list(signatures)} }`]
      : []),
  ];
  return { option: "credentials", text: texts.join(", or ") };
}

/** Sends valid requests to other routes twice, to learn what exists: to all but DELETE, or to the nearest ones. */
async function explore(plan: TestedRoute, run: TestRun): Promise<void> {
  const others = [...run.plans.values()].filter((other) => other !== plan && other.node.method !== "DELETE");
  const nearest = others.length <= mostExplored ? others : others
    .map((other) => ({ other, shared: countShared(other.node.path, plan.node.path) }))
    .toSorted((one, other) => other.shared - one.shared)
    .slice(0, mostExplored).map(({ other }) => other);
  for (let round = 0; round < 2; round++) {
    for (const other of nearest) {
      const choices = toChoices(round === 0 ? [] : `${run.seed} explore ${other.node.key}`);
      const drawn = await drawValid(other, run, choices);
      if (!drawn || !run.allows(drawn.request)) continue;
      const { observed } = await sendAndCheck(drawn, other, run);
      if (observed) learn(observed, run);
    }
  }
}

const mostExplored = 100;

function countShared(one: string, other: string): number {
  const [segments, others] = [one.split("/"), other.split("/")];
  const differing = segments.findIndex((segment, index) => segment !== others[index]);
  return differing === -1 ? segments.length : differing;
}
