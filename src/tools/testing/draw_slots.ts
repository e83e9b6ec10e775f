/** Generates valid wire values for a route from random choices. */
import { type Choices, choose, chooseFrom } from "../json_schema/choices.ts";
import { isJsonObject, type Json, type JsonObject } from "../json_schema/json.ts";
import type { LocatedSchema } from "../json_schema/locate.ts";
import { normalize } from "../json_schema/normalize.ts";
import { memberSchemas } from "../json_schema/shapes.ts";
import { findSample } from "../json_schema/sample.ts";
import { toMediaType } from "./form_parts.ts";
import type { Known } from "./known.ts";
import type { FieldSlot, TestedRoute } from "./route_plan.ts";
import type { WireSlots } from "./wire_request.ts";

/** Values from the user for one route: lists by field name, and a list of wire values for the body. */
export interface GivenValues extends Readonly<Partial<Record<FieldSlot, Readonly<Record<string, readonly Json[]>>>>> {
  readonly body?: readonly unknown[] | undefined;
  readonly members?: Readonly<Record<string, readonly Json[]>>;
}

export interface ValueSources {
  readonly given: GivenValues;
  readonly known: Known;
  /** Whether objects have only members that their schemas describe. Default: `false`. */
  readonly isDeclared?: boolean;
}

export function drawSlots(plan: TestedRoute, choices: Choices, sources: ValueSources): WireSlots | undefined {
  const { node: { body } } = plan;
  const params = drawParams(plan, choices, sources);
  const query = plan.node.query ? drawFields(plan, "query", choices, sources) : {};
  const headers = plan.node.headers ? drawFields(plan, "headers", choices, sources) : {};
  const isAbsent = body === undefined || (body.optional && choose(choices, 4) === 1);
  const value = isAbsent ? undefined : drawBody(plan, choices, sources);
  if (!params || !query || !headers || (!isAbsent && value === undefined)) return undefined;
  const contentType = !isAbsent && typeof body.contentType === "object"
    ? drawType(body.contentType, choices)
    : undefined;
  return { params, query, headers: drawTag(plan, { params, headers }, choices, sources), body: value, contentType };
}

/** Generates path parameters. Seven of eight draws use something that is known to exist. */
function drawParams(plan: TestedRoute, choices: Choices, sources: ValueSources): JsonObject | undefined {
  const { names, slots: { params: planned } } = plan;
  if (names.length === 0) return {};
  const isKnown = choose(choices, 8) < 7;
  const drawn = planned ? drawObject(planned.located, choices, sources) : {};
  if (drawn === undefined) return undefined;
  const own = names.map((name): [string, Json] => {
    const value = Object.hasOwn(drawn, name) ? drawn[name] : undefined;
    return [name, value === undefined ? drawWord(choices) : value];
  });
  return { ...Object.fromEntries(own), ...isKnown && drawKnown(plan, choices, sources) };
}

/** Returns the user's path parameters, or those that were learned from the path or from their names. */
function drawKnown({ node, names }: TestedRoute, choices: Choices, { given, known }: ValueSources): JsonObject {
  const paths = known.paths.get(node.key) ?? [];
  const learned = paths.length > 0 && choose(choices, 4) < 3 ? chooseFrom(choices, paths) : undefined;
  const values = names.flatMap((name) => {
    const own = given.params && Object.hasOwn(given.params, name) ? given.params[name] : undefined;
    const listed = own ?? (learned ? [] : known.values.get(name) ?? []);
    return listed.length > 0 ? [[name, chooseFrom<Json>(choices, listed)] as const] : [];
  });
  return { ...learned, ...Object.fromEntries(values) };
}

function drawWord(choices: Choices): string {
  const length = 1 + choose(choices, 8);
  return Array.from({ length }, () => chooseFrom(choices, [..."abcdefghijklmnopqrstuvwxyz0123456789-_"])).join("");
}

function drawGiven(given: Readonly<Record<string, readonly Json[]>>, choices: Choices): JsonObject {
  const drawn = Object.entries(given).flatMap(([name, values]) =>
    values.length > 0 && choose(choices, 8) < 7 ? [[name, chooseFrom(choices, values)] as const] : []
  );
  return Object.fromEntries(drawn);
}

function drawFields(
  { slots }: TestedRoute,
  slot: "query" | "headers",
  choices: Choices,
  sources: ValueSources,
): JsonObject | undefined {
  const planned = slots[slot];
  const drawn = planned ? drawObject(planned.located, choices, sources) : {};
  return drawn && { ...drawn, ...drawGiven(sources.given[slot] ?? {}, choices) };
}

function drawObject(schema: LocatedSchema, choices: Choices, { isDeclared }: ValueSources): JsonObject | undefined {
  const drawn = findSample(schema, choices, { isDeclared });
  return drawn !== undefined && isJsonObject(drawn) ? drawn : undefined;
}

function drawBody(
  { node, slots: { body: planned } }: TestedRoute,
  choices: Choices,
  { given, isDeclared }: ValueSources,
): unknown {
  const values = given.body ?? [];
  if (values.length > 0 && (!planned || choose(choices, 2) === 0)) return chooseFrom(choices, values);
  const drawn = planned && findSample(planned.located, choices, { isDeclared });
  if (drawn !== undefined && isJsonObject(drawn)) {
    const own = Object.entries(given.members ?? {}).filter(([name]) => Object.hasOwn(drawn, name));
    return { ...drawn, ...drawGiven(Object.fromEntries(own), choices) };
  }
  if (planned) return drawn;
  return node.body && drawUntyped[node.body.kind](choices);
}

const drawUntyped: Readonly<Record<NonNullable<TestedRoute["node"]["body"]>["kind"], (choices: Choices) => unknown>> = {
  json: (choices) => chooseFrom<Json>(choices, [{}, [], null, 0, "", { a: [1, { b: null }] }]),
  text: drawWord,
  bytes: drawBytes,
  stream: drawBytes,
  form: () => ({}),
  formData: () => ({}),
  ndjson: () => undefined, // it has a schema
  as: () => undefined, // the values that it encodes are not known
};

function drawBytes(choices: Choices): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: choose(choices, 32) }, () => choices.next());
}

function drawType(ranges: readonly string[], choices: Choices): string {
  const range = chooseFrom(choices, ranges);
  if (range === "*/*") return chooseFrom(choices, ["application/octet-stream", "text/plain"]);
  return toMediaType(range);
}

/** Adds the entity tag that is known for the path, for most draws of a route that declares `if-match`. */
function drawTag(
  { node: { path }, slots: { headers: planned } }: TestedRoute,
  { params, headers }: Pick<WireSlots, "params" | "headers">,
  choices: Choices,
  { known }: ValueSources,
): JsonObject {
  const tag = known.tags.get(fillPath(path, params));
  if (tag === undefined || !planned || !declares(planned.located, "if-match") || choose(choices, 4) === 3) {
    return headers;
  }
  return { ...headers, "if-match": tag };
}

export function declares(schema: LocatedSchema, name: string): boolean {
  return normalize([schema]).some((shape) => shape.type === "object" && memberSchemas(shape, name).length > 0);
}

/** Fills the parameters into a path, without percent-encoding. The result is used only as a key. */
function fillPath(path: string, params: JsonObject): string {
  const toText = (value: unknown): string => typeof value === "object" ? JSON.stringify(value) : String(value);
  return path.replaceAll(/:([^/]+)/g, (_, name) => toText(params[name]));
}
