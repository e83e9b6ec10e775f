/** The phases of a route's tests: which requests are generated. */
import { type Choices, choose, chooseFrom } from "../json_schema/choices.ts";
import { isJsonObject, type Json } from "../json_schema/json.ts";
import { sampleBoundaries } from "../json_schema/sample_boundaries.ts";
import { drawSlots, type GivenValues } from "./draw_slots.ts";
import { type Caller, encodeWireRequest } from "./encode_request.ts";
import { type Known } from "./known.ts";
import { listSpoils } from "./malformed.ts";
import { mutate } from "./mutate.ts";
import { type Judge } from "./reference.ts";
import { type RoutePlan } from "./route_plan.ts";
import { type Phase } from "./run_cases.ts";
import { type Drawn } from "./session.ts";
import { type WireSlots } from "./wire_slots.ts";

/** The settings of phases. */
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

/** Random requests that the contract accepts. */
export function validPhase(plan: RoutePlan, settings: PhaseSettings): Phase {
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

/** Requests with one invalid part, which the contract rejects. */
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

/** Returns whether a route has values that can be invalid. */
export function hasValues({ node }: RoutePlan): boolean {
  const { params, query, headers, body } = node;
  return Boolean(params || query || headers || body?.schema);
}

function mutateSlots(plan: RoutePlan, slots: WireSlots, choices: Choices): WireSlots | undefined {
  const { node } = plan;
  const names = (["params", "query", "headers", "body"] as const).filter((slot) =>
    node[slot] !== undefined && (slot !== "body" || isJson(slots.body))
  );
  if (names.length === 0) return undefined;
  const slot = chooseFrom(choices, names);
  const changed = mutate(slots[slot] as Json, plan.slots[slot]?.located, choices);
  if (slot !== "body" && (changed === undefined || !isJsonObject(changed))) return undefined;
  return { ...slots, [slot]: changed };
}

function isJson(value: unknown): boolean {
  return value !== undefined && !(value instanceof Uint8Array);
}

/** Requests with values at the boundaries of their schemas. */
export function boundaryPhase(plan: RoutePlan, settings: PhaseSettings): Phase {
  const values = listBoundaries(plan);
  const draw = async (choices: Choices, known: Known): Promise<Drawn | undefined> => {
    const { slot, value } = values[choose(choices, values.length)]!;
    const valid = await drawValid(plan, settings, choices, known);
    const request = valid && await encodeWireRequest(plan, { ...valid.slots, [slot]: value }, settings.caller);
    const verdict = request && await settings.judge(request);
    return verdict && { request, verdict };
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
  readonly slot: SlotName;
  readonly value: Json;
}

type SlotName = keyof RoutePlan["slots"];

/** Lists the boundary values of all slots. */
export function listBoundaries({ slots }: RoutePlan): Boundary[] {
  return (Object.keys(slots) as SlotName[]).flatMap((slot) => {
    const values: Boundary[] = [];
    for (const value of sampleBoundaries(slots[slot]!.located)) {
      if (slot === "body" || isJsonObject(value)) values.push({ slot, value });
      if (values.length === maxBoundaries) break;
    }
    return values;
  });
}

/** Requests that violate HTTP or the declaration of the route. */
export function malformedPhase(plan: RoutePlan, settings: PhaseSettings): Phase {
  const { node } = plan;
  const spoils = listSpoils(node);
  const draw = async (choices: Choices, known: Known): Promise<Drawn | undefined> => {
    const spoil = chooseFrom(choices, spoils);
    const valid = await drawValid(plan, settings, choices, known);
    if (!valid) return undefined;
    const request = spoil(valid.request, settings.basePath);
    const verdict = await settings.judge(request);
    const isForeign = verdict.route ? verdict.route !== node : request.method !== node.method && verdict.status !== 405;
    const mayDiffer = settings.isLenient && verdict.route !== undefined; // another spelling, which other servers may not accept
    return isForeign || mayDiffer ? undefined : { request, verdict }; // the tests of the other route cover it
  };
  return { plan, cases: spoils.map((_, index) => [index]), draw };
}

function seeds({ node }: RoutePlan, phase: string, { seed, runs }: PhaseSettings): string[] {
  return Array.from({ length: runs }, (_, index) => `${seed} ${node.key} ${phase} ${index}`);
}
