/** Checks a route's schemas without a server: their JSON Schemas must be accurate, and codecs must round-trip. */
import { codecClientOf, isCodec } from "../../contract/codec.ts";
import { createChoices } from "../json_schema/choices.ts";
import { isJsonObject, type Json } from "../json_schema/json.ts";
import { findSample } from "../json_schema/sample.ts";
import { type Schema, toCheck } from "../../schema.ts";
import { declares, drawSlots } from "./draw_slots.ts";
import { toFlat } from "./encode_request.ts";
import { type Breach, type Finding, toFinding } from "./finding.ts";
import { toParts } from "./form_parts.ts";
import { createKnown } from "./known.ts";
import { listBoundaries, listSeeds, toDrawn } from "./phases.ts";
import type { TestedRoute, TestedSchema } from "./route_plan.ts";
import { isSame } from "./send_and_check.ts";
import type { TestRun } from "./test_run.ts";
import { sizeOf, toWireTexts, wireFields, type WireRequest, type WireSlots } from "./wire_request.ts";

export function hasSchemas(plan: TestedRoute): boolean {
  return Object.keys(plan.slots).length > 0 || listCodecs(plan).length > 0;
}

export async function findSchemaFindings(plan: TestedRoute, run: TestRun): Promise<Finding[]> {
  const { key } = plan.node;
  const breaches = [
    run.reports("document-lies", key) ? await findLie(plan, run) : undefined,
    run.reports("patch-defaults", key) ? await findPatchDefaults(plan) : undefined,
  ];
  for (const [where, planned] of listCodecs(plan)) breaches.push(await findCodecBreach(where, planned, run));
  const found = breaches.filter((breach) => breach !== undefined);
  return found.filter(({ rule }, index) =>
    run.reports(rule, key) && found.findIndex((other) => other.rule === rule) === index
  ).map((breach) => toFinding(breach, key, breach.request && [breach.request]));
}

/** Describes what the schema of a PATCH adds to the smallest body: a handler overwrites what is stored with it. */
async function findPatchDefaults({ node, slots: { body } }: TestedRoute): Promise<Breach | undefined> {
  if (node.method !== "PATCH" || !body) return undefined;
  const sent = findSample(body.located, { next: () => 0 }, { isDeclared: true });
  if (!isJsonObject(sent)) return undefined;
  const checked = await toCheck(body.schema)(sent);
  if (checked.issues) return undefined;
  const added = Object.entries(Object(checked.value)).filter(([name, member]) =>
    member !== undefined && !Object.hasOwn(sent, name) && declares(body.located, name)
  );
  if (added.length === 0) return undefined;
  const names = added.map(([name]) => name).join(", ");
  const state =
    `its schema adds ${names} to the body ${JSON.stringify(sent)}, so that a PATCH that does not name them ` +
    `overwrites them; leave out the defaults of its members`;
  return { rule: "patch-defaults", state };
}

async function findLie(plan: TestedRoute, run: TestRun): Promise<Breach | undefined> {
  let smallest: Breach & { readonly request: WireRequest } | undefined;
  for (const slots of listValid(plan, run)) {
    const drawn = isCarried(slots, plan) ? await toDrawn(plan, slots, run) : undefined;
    if (drawn?.verdict.status !== 400 || drawn.verdict.route) continue;
    const { request, verdict } = drawn;
    const state = `is valid by JSON Schema, as documents have it; the contract refuses it: ${verdict.reason}`;
    if (!smallest || sizeOf(request) < sizeOf(smallest.request)) smallest = { rule: "document-lies", state, request };
  }
  return smallest;
}

function* listValid(plan: TestedRoute, run: TestRun): Iterable<WireSlots> {
  const sources = { given: run.values[plan.node.key] ?? {}, known: createKnown() };
  const base = drawSlots(plan, { next: () => 0 }, sources);
  if (base) { for (const { slot, value } of listBoundaries(plan)) yield { ...base, [slot]: value }; }
  for (const seed of listSeeds(plan, "schemas", run, run.runs)) {
    const slots = drawSlots(plan, createChoices(seed), sources);
    if (slots) yield slots;
  }
}

/** Tests whether all fields can be sent. An empty list cannot, because it would be absent. */
function isCarried({ params, query, headers, body }: WireSlots, { node, slots }: TestedRoute): boolean {
  const isSent = (texts: readonly unknown[] | undefined): boolean => texts !== undefined && texts.length > 0;
  const all = [toFlat(node.params, params), toFlat(node.query, query), toFlat(node.headers, headers)];
  if (!all.every((fields) => fields && Object.values(fields).every((value) => isSent(toWireTexts(value))))) {
    return false;
  }
  if (node.body?.representation.describes !== "fields" || body === undefined) return true;
  const form = toFlat(node.body.schema, wireFields(body));
  return form !== undefined &&
    Object.entries(form).every(([name, value]) => isSent(toParts(value, slots.body?.located, name)));
}

function listCodecs({ slots, responses }: TestedRoute): (readonly [where: string, planned: TestedSchema])[] {
  const ofResponses = [...responses].flatMap(([status, { body, headers }]) =>
    [[`response ${status}`, body], [`the headers of response ${status}`, headers]] as const
  );
  return [...Object.entries(slots), ...ofResponses].flatMap(([where, planned]) =>
    planned && isCodec(planned.schema) ? [[where, planned] as const] : []
  );
}

async function findCodecBreach(
  where: string,
  planned: TestedSchema,
  { seed, runs }: TestRun,
): Promise<Breach | undefined> {
  const { schema, located } = planned;
  for (let index = 0; index < runs; index++) {
    const wire = findSample(located, createChoices(`${seed} codec ${where} ${index}`));
    const breach = wire === undefined ? undefined : await findRoundTripBreach(schema, wire);
    if (breach) return { ...breach, state: `${JSON.stringify(wire)} as ${where} ${breach.state}` };
  }
}

async function findRoundTripBreach(schema: Schema, wire: Json): Promise<Breach | undefined> {
  const client = codecClientOf(schema);
  if (!client || !isCodec(schema)) return undefined;
  const decoded = await toCheck(schema)(wire);
  if (decoded.issues) {
    return {
      rule: "document-lies",
      state: `is valid by JSON Schema; its codec refuses it: ${decoded.issues[0]?.message}`,
    };
  }
  const encoded = await schema.checkSent(decoded.value);
  const rule = "representation-round-trips";
  if (encoded.issues) {
    return { rule, state: `is decoded to a value that the codec does not encode: ${encoded.issues[0]?.message}` };
  }
  const again = await toCheck(schema)(encoded.value);
  if (!again.issues && isSame(decoded.value, again.value)) return undefined;
  return { rule, state: `is encoded again as ${JSON.stringify(encoded.value)}, which is decoded to another value` };
}
