import { type Awaitable, isPromise } from "../../awaitable.ts";
import type { CallInput } from "../../client/client.ts";
import { codecClientOf, unstyled } from "../../contract/codec.ts";
import type { RouteNode } from "../../contract/node.ts";
import type { RequestKind } from "../../contract/request.ts";
import { describeValue } from "../../messages.ts";
import { checkFields } from "../../server/steps/check_fields.ts";
import { type Choices, createChoices, readChoices } from "../json_schema/choices.ts";
import type { JsonObject } from "../json_schema/json.ts";
import type { LocatedSchema } from "../json_schema/locate.ts";
import { isMarked } from "../../mark.ts";
import { isPlainObject } from "../../options.ts";
import { createLocatedConversions } from "../openapi/locate_converted.ts";
import type { SchemaProvider } from "../openapi/slot_schemas.ts";
import { type Fields, setOwn } from "../../wire/text_fields.ts";
import { type Checked, type Schema, toCheck, undescribedKeys } from "../../schema.ts";
import { drawSlots } from "./draw_slots.ts";
import { isExactFieldValue } from "../../wire/headers.ts";
import { encodeSingle, isSettable, toFlat } from "./encode_request.ts";
import { isFile, toParts } from "./form_parts.ts";
import { createKnown } from "./known.ts";
import { type FieldSlot, planRoute, type TestedRoute } from "./route_plan.ts";
import { toWireTexts, type WireFields, wireFields } from "./wire_request.ts";
import { parameterNames } from "../../path.ts";

/** The options of {@linkcode sample}. */
export interface SampleOptions {
  /** Returns the JSON Schema of a slot whose schema does not convert; `undefined` for all others. Default: none. */
  readonly schema?: SchemaProvider;
}

const tries = 100;

/**
 * Returns a valid input of a route, in the form that its client takes, for your own tests. The same seed always
 * returns the same input. Bytes act as random choices, so that a property testing library can generate and shrink
 * inputs: `fc.uint8Array().map((bytes) => sample(route, bytes))`.
 *
 * @example A valid input
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { sample } from "@scope/api/testing";
 * import { assert } from "@std/assert";
 * import { type } from "arktype";
 *
 * const contract = defineContract({
 *   routes: { rename: route.patch("/users/:id", { body: type({ name: "string >= 1" }), responses: { 204: response.empty() } }) },
 * });
 * const { params, body } = sample(contract.routes.rename, 7);
 * assert(String(params.id) !== "" && body.name.length > 0);
 * ```
 *
 * @param route A route of a contract: `contract.routes.users.rename`.
 * @param choices A seed, or bytes.
 * @throws {TypeError} If a schema is asynchronous or does not convert to JSON Schema, or if it found no valid input.
 */
export function sample<Route extends RouteNode>(
  route: Route,
  choices: number | string | Uint8Array = 0,
  options: SampleOptions = {},
): CallInput<Route> {
  if (!isMarked(route, "route")) {
    throw new TypeError(
      `sample(): the first argument must be a route of a contract, like contract.routes.…, got ${describeValue(route)}`,
    );
  }
  const plan = planSample(route, options.schema);
  const drawn = choices instanceof Uint8Array ? readChoices(choices) : createChoices(choices);
  for (let attempt = 0; attempt < tries; attempt++) {
    const input = drawInput(plan, drawn) ?? drawInput(plan, createChoices(`${attempt} ${drawn.next()}`));
    if (input) return input as CallInput<Route>; // the schemas accept it, and their types describe it
  }
  throw new TypeError(
    `sample(): found no valid input of ${route.key}; return a narrower JSON Schema from the option schema(route, slot)`,
  );
}

/** The plans of routes whose schemas all convert: a property asks for many inputs of one route. */
const plans = new WeakMap<RouteNode, TestedRoute>();

function planSample(route: RouteNode, schema: SchemaProvider | undefined): TestedRoute {
  if (schema) return planRoute(route, schema, createLocatedConversions());
  const plan = plans.get(route) ?? planRoute(route, undefined, createLocatedConversions());
  plans.set(route, plan);
  return plan;
}

type Input = Partial<Record<FieldSlot | "body", unknown>>;

function drawInput(plan: TestedRoute, choices: Choices): Input | undefined {
  const { node, names } = plan;
  const slots = drawSlots(plan, choices, { given: {}, known: createKnown(), isDeclared: true });
  if (!slots) return undefined;
  const input: Input = {};
  for (const slot of ["params", "query", "headers"] as const) {
    if (node[slot] === undefined && (slot !== "params" || names.length === 0)) continue;
    const fields = slots[slot];
    const flat = toFlat(node[slot], fields);
    if (!flat || !isCarried(slot, flat) || !accepts(node[slot], flat, node)) return undefined;
    input[slot] = slot === "params" ? toGivenParams(node, fields) : toGiven(node[slot], fields);
  }
  if (node.body === undefined || slots.body === undefined) return input;
  if (!acceptsBody(plan, slots.body)) return undefined;
  return { ...input, body: givenBodies[node.body.kind](slots.body, plan, slots.contentType) };
}

function isCarried(slot: FieldSlot, fields: WireFields): boolean {
  return Object.entries(fields).every(([name, value]) => {
    const texts = toWireTexts(value);
    if (texts === undefined || !name.isWellFormed()) return false;
    if (slot === "params") return encodeSingle(texts) !== undefined;
    return slot === "query" || (isSettable(name) && isExactFieldValue(texts.join(", ")));
  });
}

/** Tests whether a schema accepts fields as they are sent: as texts, and as the files of a form. */
function accepts(
  schema: Schema | undefined,
  fields: WireFields,
  node: RouteNode,
  toValues: (value: unknown, name: string) => readonly (string | File)[] | undefined = toWireTexts,
): boolean {
  if (!schema) return true;
  const sent: Fields<string | File> = {};
  for (const [name, value] of Object.entries(fields)) {
    const all = toValues(value, name);
    if (all === undefined) return false;
    if (all.length > 0) setOwn(sent, name, all.length === 1 ? all[0] : [...all]);
  }
  return isAccepted(checkFields(toCheck(schema), sent), node);
}

function acceptsBody({ node, slots }: TestedRoute, value: unknown): boolean {
  const { body } = node;
  if (!body?.schema) return true;
  if (body.representation.describes !== "fields") return isAccepted(toCheck(body.schema)(value), node);
  const flat = toFlat(body.schema, wireFields(value));
  if (!flat || !isForm(flat)) return false;
  return accepts(body.schema, flat, node, (member, name) => toParts(member, slots.body?.located, name));
}

/** Tests whether a form can carry all fields. A schema may allow unnamed members with any name and value. */
function isForm(fields: WireFields): boolean {
  return Object.entries(fields).every(([name, value]) =>
    name.isWellFormed() && !/["\r\n\0]/.test(name) && toWireTexts(value) !== undefined
  );
}

function isAccepted(checked: Awaitable<Checked>, { key }: RouteNode): boolean {
  if (isPromise(checked)) {
    throw new TypeError(`sample(): the schemas of ${key} must be synchronous, got an asynchronous one`);
  }
  return checked.issues === undefined;
}

/** Returns the value that a client takes for a wire value: the value itself, or the output of the codec. */
function toGiven(declared: Schema | undefined, value: unknown): unknown {
  const schema = unstyled(declared);
  if (!schema || !codecClientOf(schema)) return value;
  const checked = toCheck(schema)(value);
  if (isPromise(checked)) throw new TypeError("sample(): codecs must be synchronous, got an asynchronous one");
  return checked.issues ? undefined : checked.value;
}

/** Returns the same for the parameters of a path, together with those that their codec leaves out. */
function toGivenParams({ path, params }: RouteNode, fields: JsonObject): unknown {
  const given = toGiven(params, fields);
  if (!params || !codecClientOf(unstyled(params)) || !isPlainObject(given)) return given;
  return {
    ...Object.fromEntries(undescribedKeys(params, parameterNames(path)).map((name) => [name, fields[name]])),
    ...given,
  };
}

type ToBody = (value: unknown, plan: TestedRoute, contentType: string | undefined) => unknown;

const asGiven: ToBody = (value, { node }) => toGiven(node.body?.schema, value);

const givenBodies: Readonly<Record<RequestKind, ToBody>> = {
  json: asGiven,
  text: asGiven,
  bytes: (value, _, type) => type === undefined ? value : toBlob(value, type),
  form: asGiven,
  as: asGiven,
  stream: (value) => toBlob(value).stream(),
  ndjson: (value, { node }) => [toGiven(node.body?.schema, value)],
  formData: (value, { slots }) =>
    Object.fromEntries(
      Object.entries(wireFields(value)).map(([name, member]) => [name, toMember(member, slots.body?.located, name)]),
    ),
};

function toBlob(value: unknown, type = ""): Blob {
  return new Blob([value instanceof Uint8Array ? new Uint8Array(value) : String(value)], { type });
}

function toMember(value: unknown, schema: LocatedSchema | undefined, name: string): unknown {
  if (!isFile(schema, name)) return value;
  const parts = toParts(value, schema, name) ?? [];
  return Array.isArray(value) ? parts : parts[0];
}
