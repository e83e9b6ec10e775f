/** The phases of contract tests: what is sent, and in which order. */
import { sentStatus } from "../../contract/refusals.ts";
import { alternativesOf, isOptional, requirementsOf, type SecurityScheme } from "../../contract/security_scheme.ts";
import { type Choices, chooseFrom, createChoices, readChoices } from "../json_schema/choices.ts";
import { isJsonObject, type Json } from "../json_schema/json.ts";
import type { LocatedSchema } from "../json_schema/locate.ts";
import { sampleBoundaries, sampleBounds } from "../json_schema/sample_boundaries.ts";
import { declares, drawSlots, type GivenValues } from "./draw_slots.ts";
import { anonymous, type Caller, encodeWireRequest, showCredential } from "./encode_request.ts";
import type { Breach, Finding } from "./finding.ts";
import { type Known, learn } from "./known.ts";
import { type CheckedExchange, type Drawn, searchedText, sendAndCheck } from "./session.ts";
import type { Judge } from "./reference.ts";
import { type ResponseSchemas, type RoutePlan, slotNames } from "./route_plan.ts";
import { type Phase, type PhaseRun, runCases } from "./run_cases.ts";
import type { WireSlots } from "./wire_request.ts";
import { listCorruptions, mutate } from "./invalidate.ts";
import type { Answer } from "./target.ts";

export interface PhaseSettings {
  /** Returns the verdict of the contract on a request. */
  readonly judge: Judge;
  /** The caller who sends the requests. */
  readonly caller: Caller;
  /** The values from the user, by route key. */
  readonly values: Readonly<Record<string, GivenValues>>;
  /** The seed of random choices. */
  readonly seed: number;
  /** The path that all routes begin with. */
  readonly basePath: string;
  /** Whether the server may be another implementation. */
  readonly isLenient: boolean;
  /** The number of random requests in a phase. */
  readonly runs: number;
}

/** The most attempts to generate a request that the contract accepts. */
const tries = 40;

/** Creates the phase of random requests that the contract accepts. */
function validPhase(plan: RoutePlan, settings: PhaseSettings): Phase {
  const draw = (choices: Choices, known: Known): Promise<Drawn | undefined> =>
    drawValid(plan, settings, choices, known);
  return { plan, cases: [[], ...seeds(plan, "valid", settings)], draw, isTelling: true };
}

/** Generates a request that the contract accepts. */
export async function drawValid(
  plan: RoutePlan,
  settings: PhaseSettings,
  choices: Choices,
  known: Known,
): Promise<Drawn & { readonly slots: WireSlots } | undefined> {
  const sources = { given: settings.values[plan.node.key] ?? {}, known };
  for (let attempt = 0; attempt < tries; attempt++) {
    const slots = drawSlots(plan, choices, sources);
    const request = slots && await encodeWireRequest(plan, slots, settings.caller);
    const verdict = request && await settings.judge(request);
    if (!slots || !request || !verdict) continue;
    if (verdict.route === plan.node) return { request, verdict, slots };
    if (verdict.status === 401) return undefined; // no other values can change that
  }
}

/** Creates the phase of requests with one invalid part, which the contract rejects. */
export function invalidPhase(plan: RoutePlan, settings: PhaseSettings): Phase {
  const { judge, caller } = settings;
  const draw = async (choices: Choices, known: Known): Promise<Drawn | undefined> => {
    const valid = await drawValid(plan, settings, choices, known);
    const slots = valid && mutateSlots(plan, valid.slots, choices);
    const request = slots && await encodeWireRequest(plan, slots, caller);
    const verdict = request && await judge(request);
    return verdict && verdict.route === undefined ? { request, verdict } : undefined;
  };
  return { plan, cases: seeds(plan, "invalid", settings), draw };
}

/** Tests whether a route has values that can be invalid. */
export function hasValues({ node }: RoutePlan): boolean {
  const { params, query, headers, body } = node;
  return Boolean(params || query || headers || body?.schema);
}

function mutateSlots(plan: RoutePlan, slots: WireSlots, choices: Choices): WireSlots | undefined {
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

/** Tests whether a wire value is JSON. All others are bytes. */
function isJson(value: unknown): value is Json {
  return value !== undefined && !(value instanceof Uint8Array);
}

/** Creates the phase of requests with values at the boundaries of their schemas. */
export function boundaryPhase(plan: RoutePlan, settings: PhaseSettings): Phase {
  const bounds = listBounds(plan);
  const values = [...bounds, ...listBoundaries(plan)];
  return valuePhase(plan, settings, values, ({ route }, boundary) => route === plan.node || !bounds.includes(boundary));
}

/** Creates the phase of requests with a value that is one below or above a bound, which the contract rejects. */
export function outOfBoundsPhase(plan: RoutePlan, settings: PhaseSettings): Phase {
  return valuePhase(plan, settings, listBounds(plan), ({ route }) => route === undefined);
}

/** Creates the phase of requests with one of several values, whose verdicts pass a test. */
function valuePhase(
  plan: RoutePlan,
  settings: PhaseSettings,
  values: readonly Boundary[],
  isWanted: (verdict: Drawn["verdict"], boundary: Boundary) => boolean,
): Phase {
  const draw = async (choices: Choices, known: Known): Promise<Drawn | undefined> => {
    const boundary = chooseFrom(choices, values);
    const valid = await drawValid(plan, settings, choices, known);
    const slots = valid && { ...valid.slots, [boundary.slot]: boundary.value };
    const request = slots && await encodeWireRequest(plan, slots, settings.caller);
    const verdict = request && await settings.judge(request);
    return verdict && isWanted(verdict, boundary) ? { request, verdict } : undefined;
  };
  return { plan, cases: values.map((_, index) => toChoices(index, values.length)), draw };
}

/** Returns the choices that lead `choose` to an index. */
function toChoices(index: number, count: number): number[] {
  return count <= 256 ? [index] : [index >> 8, index & 255];
}

/** The most boundary values of a slot. */
const maxBoundaries = 500;

/** A value of a slot at a boundary of its schema. */
interface Boundary {
  readonly slot: (typeof slotNames)[number];
  readonly value: Json;
}

/** The most values around the bounds of a slot. */
const maxBounds = 1_000;

/** Lists values around each bound of all slots: at it, one below and one above. Those out of bounds are invalid. */
function listBounds(plan: RoutePlan): Boundary[] {
  return listValues(plan, sampleBounds, maxBounds);
}

/** Lists the boundary values of all slots. */
export function listBoundaries(plan: RoutePlan): Boundary[] {
  return listValues(plan, sampleBoundaries, maxBoundaries);
}

function listValues({ slots }: RoutePlan, sample: (schema: LocatedSchema) => Iterable<Json>, most: number): Boundary[] {
  return slotNames.flatMap((slot) => {
    const planned = slots[slot];
    const values: Boundary[] = [];
    for (const value of planned ? sample(planned.located) : []) {
      if (slot === "body" || isJsonObject(value)) values.push({ slot, value });
      if (values.length === most) break;
    }
    return values;
  });
}

/** Creates the phase of requests that violate HTTP or the declaration of the route. */
export function malformedPhase(plan: RoutePlan, settings: PhaseSettings): Phase {
  const { node } = plan;
  const corruptions = listCorruptions(node);
  const draw = async (choices: Choices, known: Known): Promise<Drawn | undefined> => {
    const corrupt = chooseFrom(choices, corruptions);
    const valid = await drawValid(plan, settings, choices, known);
    if (!valid) return undefined;
    const request = corrupt(valid.request, settings.basePath);
    const verdict = await settings.judge(request);
    const isForeign = verdict.route ? verdict.route !== node : request.method !== node.method && verdict.status !== 405;
    const mayDiffer = settings.isLenient && verdict.route !== undefined; // another spelling, which other servers may not accept
    return isForeign || mayDiffer ? undefined : { request, verdict }; // the tests of the other route cover it
  };
  return { plan, cases: corruptions.map((_, index) => [index]), draw };
}

function seeds({ node }: RoutePlan, phase: string, { seed, runs }: PhaseSettings): string[] {
  return Array.from({ length: runs }, (_, index) => `${seed} ${node.key} ${phase} ${index}`);
}

/** The number of requests that are sent as GET and as HEAD. */
const count = 5;

/** Creates the phase of GET requests, which are sent as HEAD too. */
export function headPhase(plan: RoutePlan, settings: PhaseSettings): Phase {
  const cases = [[], ...Array.from({ length: count }, (_, index) => `${settings.seed} ${plan.node.key} HEAD ${index}`)];
  return { plan, cases, draw: (choices, known) => drawValid(plan, settings, choices, known), checkMore: compare };

  async function compare(
    { request, exchange }: CheckedExchange,
    { send, settings: { limit } }: PhaseRun,
  ): Promise<Breach | undefined> {
    const options = { limit, isStream: () => true };
    const asked = { ...request, method: "HEAD" };
    const head = await send(asked, options);
    const again = await send(request, options);
    if (!exchange || "state" in head || "state" in again || again.status !== exchange.answer.status) return undefined;
    const state = findDifference(head, exchange.answer, again);
    return state === undefined ? undefined : { rule: "head-as-get", state, request: asked };
  }
}

/** Fields about the connection or the content, which the response to HEAD may omit. */
const ignored: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "date",
  "keep-alive",
  "transfer-encoding",
]);

function findDifference(head: Answer, get: Answer, again: Answer): string | undefined {
  if (head.status !== get.status) return `was answered ${head.status}, by GET ${get.status}`;
  if (head.body.length > 0) return `was answered with content: ${head.body.length} bytes`;
  for (const [name, value] of get.headers) {
    const isSteady = again.headers.get(name) === value && !ignored.has(name);
    if (isSteady && head.headers.get(name) !== value) {
      return `was answered with ${name}: ${head.headers.get(name) ?? "(none)"}, by GET with ${name}: ${value}`;
    }
  }
}

/** The unknown credential. No response may contain it. */
const canary = "canary-4b1d7c2e9f";

/**
 * Creates the phase of valid requests without a credential, with an unknown one, and with only one of those that a
 * route requires together.
 */
export function credentialPhase(plan: RoutePlan, settings: PhaseSettings): Phase {
  const stranger = toStranger(plan);
  const strangers: readonly Stranger[] = [
    { plan, caller: anonymous, reason: "it has no credential" },
    ...(isShown(plan, stranger) ? [{ plan, caller: stranger, reason: "its credential is invalid" }] : []),
    ...listPartial(plan, settings.caller),
  ];
  const draw = async (choices: Choices, known: Known): Promise<Drawn | undefined> => {
    const { plan: shown, caller, reason } = chooseFrom(choices, strangers);
    const valid = await drawValid(plan, { ...settings, caller: stranger }, choices, known);
    const request = valid && await encodeWireRequest(shown, valid.slots, caller);
    if (!request) return undefined;
    const declared = sentStatus(plan.node.refusals, 401);
    return { request, verdict: { route: undefined, refusing: plan.node, status: 401, declared, reason, allow: [] } };
  };
  const cases = strangers.map((_, index) => [index]);
  return { plan, cases, draw, checkMore: ({ exchange }) => Promise.resolve(findEcho(exchange)) };
}

/** A caller whom a route must not accept. */
interface Stranger {
  /** The route, with the security that decides which credentials the caller shows. */
  readonly plan: RoutePlan;
  readonly caller: PhaseSettings["caller"];
  /** Why the caller is not accepted. */
  readonly reason: string;
}

function isShown(plan: RoutePlan, caller: PhaseSettings["caller"]): boolean {
  return Object.keys(showCredential(plan, caller)).length > 0;
}

/** Lists callers with one valid credential of those that a route requires together, if it does not suffice. */
function listPartial(plan: RoutePlan, caller: PhaseSettings["caller"]): Stranger[] {
  const entries = alternativesOf(plan.node.security ?? []).map((needed) =>
    needed.map(({ scheme }) => scheme).filter(({ credential }) => credential)
  );
  const sufficient = entries.filter(({ length }) => length < 2).flat();
  const partial = new Set<SecurityScheme>(entries.flat().filter((scheme) => !sufficient.includes(scheme)));
  return [...partial].map((scheme) => ({
    plan: { ...plan, node: { ...plan.node, security: [scheme] } },
    caller,
    reason: `of the credentials that it needs, it has only "${scheme.name}"`,
  })).filter(({ plan }) => isShown(plan, caller));
}

/** Returns a caller with an unknown credential for each scheme of a route. */
function toStranger({ node: { security = [] } }: RoutePlan): PhaseSettings["caller"] {
  const credentials = requirementsOf(security).map(({ scheme }) => {
    const isNamed = scheme.credential?.place === "the authentication scheme basic";
    return [scheme.name, isNamed ? { username: canary, password: canary } : canary] as const;
  });
  return { credentials: new Map(credentials), headers: {} };
}

function findEcho(exchange: CheckedExchange["exchange"]): Breach | undefined {
  if (!exchange) return undefined;
  const { status, body, headers } = exchange.answer;
  const isEchoed = searchedText(body).includes(canary) ||
    [...headers].some(([, value]) => value.includes(canary));
  return isEchoed ? { rule: "no-leak", state: `was answered ${status} with the credential that it showed` } : undefined;
}

/**
 * Runs the valid requests of a route. Adds a finding if the server refused all callers or found nothing for any of
 * them.
 */
export async function runValid(
  plan: RoutePlan,
  run: PhaseRun,
  settings: PhaseSettings,
): Promise<Finding[]> {
  const { node, names } = plan;
  const given = settings.values[node.key]?.params ?? {};
  if (names.some((name) => !Object.hasOwn(given, name))) await explore(plan, run, settings);
  const statuses = new Map<number, number>();
  const findings = await runCases(validPhase(plan, settings), {
    ...run,
    note: ({ exchange }) => {
      if (exchange) statuses.set(exchange.answer.status, (statuses.get(exchange.answer.status) ?? 0) + 1);
    },
  });
  const missed = findings.length === 0
    ? describeMiss(plan, statuses, { ...run.settings, caller: settings.caller })
    : undefined;
  if (missed === undefined || !run.reports("nothing-reached", node.key)) return findings;
  return [{ rule: "nothing-reached", route: node.key, state: missed, requests: [], before: [] }];
}

/** The statuses of requests that found nothing, or whose caller was refused. */
const missing: readonly number[] = [401, 403, 404];

/** Describes why no request reached the handler. `shared` are the responses of all routes, which guards return. */
function describeMiss(
  plan: RoutePlan,
  statuses: ReadonlyMap<number, number>,
  { shared, plans, caller }: Pick<PhaseRun["settings"], "shared" | "plans"> & Pick<PhaseSettings, "caller">,
): string | undefined {
  const { key, responses, security = [] } = plan.node;
  const schemes = requirementsOf(security).map(({ scheme }) => scheme.name);
  if (statuses.size === 0) {
    const isUnknown = schemes.length > 0 && !isOptional(security) && !isShown(plan, caller);
    return isUnknown
      ? `no valid request was found, because it requires a credential; ${hintFor(schemes)}`
      : `no valid request was found; pass valid ones in the option values: { ${JSON.stringify(key)}: { … } }`;
  }
  const isMissing = (status: number): boolean =>
    missing.includes(status) || (status >= 400 && status < 500 && Object.hasOwn(shared, status));
  if (![...statuses.keys()].every(isMissing) || Object.keys(responses).map(Number).every(isMissing)) return undefined;
  const counts = [...statuses].map(([status, count]) => `${count} times ${status}`).join(", ");
  const isRefused = [...statuses.keys()].every((status) => status === 401 || status === 403);
  const hint = isRefused
    ? hintFor(schemes)
    : `pass ids that exist in the option values${describeLocations(plan, plans)}`;
  return `its valid requests were answered ${counts} and nothing else; ${hint}`;
}

/** Describes which responses lead to a resource by a header alone, so that its ids are in no body. */
function describeLocations({ node, names }: RoutePlan, plans: Iterable<readonly [string, RoutePlan]>): string {
  const isNamed = ({ body }: ResponseSchemas) => body && names.some((name) => declares(body.located, name));
  const sources = [...plans].map(([, plan]) => plan).filter(({ node: other, responses }) =>
    other.method !== "GET" && node.path.startsWith(`${other.path.replace(/\/$/, "")}/:`) &&
    [...responses.values()].some((each) => each.headers && declares(each.headers.located, "location") && !isNamed(each))
  );
  const keys = sources.map(({ node }) => node.key).join(" and ");
  return keys === "" ? "" : `; only the header location of ${keys} leads to it, and no call returned one that exists`;
}

function hintFor(schemes: readonly string[]): string {
  const entries = schemes.map((name) => `${JSON.stringify(name)}: …`).join(", ");
  return `pass one that the server accepts in the option credentials: { ${entries} }`;
}

/**
 * Sends valid requests to other routes twice, to learn what exists: to all of them, or to the nearest of a large
 * contract. Skips DELETE routes.
 */
async function explore(plan: RoutePlan, run: PhaseRun, settings: PhaseSettings): Promise<void> {
  const { known, locator } = run;
  const others = [...run.settings.plans.values()].filter((other) => other !== plan && other.node.method !== "DELETE");
  const nearest = others.length <= mostExplored ? others : others
    .map((other) => ({ other, shared: countShared(other.node.path, plan.node.path) }))
    .toSorted((one, other) => other.shared - one.shared)
    .slice(0, mostExplored).map(({ other }) => other);
  for (let round = 0; round < 2; round++) {
    for (const other of nearest) {
      const choices = round === 0
        ? readChoices(new Uint8Array())
        : createChoices(`${settings.seed} explore ${other.node.key}`);
      const drawn = await drawValid(other, settings, choices, known);
      if (!drawn || !run.settings.allows(drawn.request)) continue;
      const { exchange } = await sendAndCheck(drawn, other, run);
      if (exchange) learn(exchange, known, locator);
    }
  }
}

/** The most routes that are explored for another one. */
const mostExplored = 100;

/** Counts the leading segments that two paths share. */
function countShared(one: string, other: string): number {
  const [segments, others] = [one.split("/"), other.split("/")];
  const differing = segments.findIndex((segment, index) => segment !== others[index]);
  return differing === -1 ? segments.length : differing;
}
