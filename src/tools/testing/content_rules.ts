/** Rules for responses with a declared status: their content type, body and header fields. */
import { messageOf } from "../../messages.ts";
import type { Awaitable } from "../../awaitable.ts";
import { codecClientOf, isCodec } from "../../contract/codec.ts";
import type { ResponseDeclaration, ResponseKind } from "../../contract/response.ts";
import { isSchemaObject, type Json, namedSchemas } from "../json_schema/json.ts";
import { createMemo, type LocatedSchema, reachableParts } from "../json_schema/locate.ts";
import { listFailures } from "../json_schema/validate.ts";
import { customBodyOf } from "../../representation/custom.ts";
import { decodeJson } from "../../representation/json.ts";
import { parseLines } from "../../representation/ndjson.ts";
import { parseEvents } from "../../representation/sse.ts";
import { decodeText } from "../../representation/text.ts";
import { declaredKeys, formatStep, toCheck } from "../../schema.ts";
import { readHeaders } from "../../wire/headers.ts";
import { isProblem, isResponseWithin, mediaTypeEssence, problemType } from "../../wire/media_type.ts";
import type { RecordParser } from "../../wire/records.ts";
import { type AnsweredRequest, isDeclared, type RuleSettings } from "./answered_request.ts";
import type { Breach, Rule } from "./finding.ts";
import type { PlannedSchema, RoutePlan } from "./route_plan.ts";
import { isPlainObject } from "../../wire/text_fields.ts";

/** Returns the content rule that a response breaks. */
export async function findContentBreach(
  exchange: AnsweredRequest,
  settings: RuleSettings,
): Promise<Breach | undefined> {
  const { answer, plan, verdict } = exchange;
  const isRefused = verdict.route === undefined;
  if (isRefused && settings.isLenient) return undefined; // another implementation
  if (isRefused && answer.status === verdict.declared) {
    const { refusing } = verdict;
    return await findDeclaredBreach(exchange, refusing ? settings.plans.get(refusing.key) : settings.outside);
  }
  if (isRefused && isProblem(answer)) return undefined; // sent without a handler
  if (!isDeclared(exchange, answer.status)) return isRefused ? findOwnTypeBreach(exchange) : undefined;
  return await findDeclaredBreach(exchange, plan);
}

/** Checks a response against the declaration of its status. */
async function findDeclaredBreach(exchange: AnsweredRequest, plan: RoutePlan | undefined): Promise<Breach | undefined> {
  const { status } = exchange.answer;
  const declared = plan?.node.responses[status];
  const schemas = plan?.responses.get(status);
  if (!declared || !schemas || isHead(exchange.request)) return undefined;
  const mismatch = findTypeBreach(exchange, declared);
  if (mismatch) return mismatch;
  return await findBodyBreach(exchange, declared, schemas.body) ?? await findHeadersBreach(exchange, schemas.headers);
}

/** Checks that a response which the adapter sends without a handler is a problem document. */
function findOwnTypeBreach({ answer: { headers, status }, request }: AnsweredRequest): Breach | undefined {
  if (isHead(request)) return undefined;
  return differentType(status, headers.get("content-type"), problemType);
}

/** Tests whether a response has no content. `fetch` sends the method in upper case (Fetch, "normalize"). */
function isHead({ method }: AnsweredRequest["request"]): boolean {
  return method.toUpperCase() === "HEAD";
}

function differentType(status: number, found: string | null, expected: string): Breach {
  const state = `was answered ${status} with the content type ${found ?? "(none)"}; the contract declares ${expected}`;
  return { rule: "declared-content-type", state };
}

function findTypeBreach({ answer }: AnsweredRequest, declared: ResponseDeclaration): Breach | undefined {
  const { headers, status, body } = answer;
  const { contentType, representation: { isNative } } = declared;
  if (isNative) return undefined;
  const found = headers.get("content-type");
  const essence = mediaTypeEssence(found ?? "");
  if (typeof contentType === "object") {
    return isResponseWithin(essence, contentType) ? undefined : differentType(status, found, contentType.join(", "));
  }
  if (contentType !== undefined) {
    return essence === mediaTypeEssence(contentType) ? undefined : differentType(status, found, contentType);
  }
  return body.length > 0 ? differentType(status, found, "no content") : undefined;
}

/**
 * Returns the wire values that a schema describes: one value, or the first items of a stream. Throws if the content is
 * malformed.
 */
type ReadContent = (body: Uint8Array<ArrayBuffer>, declared: ResponseDeclaration) => Awaitable<readonly unknown[]>;

const maxRecordBytes = 2 ** 20;

/** One row per representation. */
const readers: Readonly<Record<ResponseKind, ReadContent>> = {
  json: (body) => [decodeJson(body)],
  problem: (body) => [decodeJson(body)],
  text: (body) => [decodeText(body)],
  bytes: () => [],
  empty: () => [],
  stream: () => [],
  raw: () => [],
  ndjson: (body) => readRecords(body, parseLines(maxRecordBytes)),
  sse: (body) => readRecords(body, parseEvents(maxRecordBytes)),
  as: async (body, { representation }) => [await customBodyOf(representation).decode(body)],
};

function readRecords(body: Uint8Array, { push }: RecordParser): unknown[] {
  return [...push(new TextDecoder().decode(body))].map(({ data }) => JSON.parse(data));
}

async function findBodyBreach(
  { answer }: AnsweredRequest,
  declared: ResponseDeclaration,
  planned: PlannedSchema | undefined,
): Promise<Breach | undefined> {
  const breach = (state: string, rule: Rule = "body-matches"): Breach => ({
    rule,
    state: `was answered ${answer.status} with a body that the contract does not declare: ${state}`,
  });
  let values: readonly unknown[];
  try {
    values = await readers[declared.kind](answer.body, declared);
  } catch (error) {
    return breach(`it is malformed: ${messageOf(error)}`);
  }
  if (!planned) return undefined;
  for (const value of values) {
    const found = await findValueFailure(planned, value as Json); // decoded content
    if (found) return breach(found.state, found.rule);
  }
}

/**
 * Returns the rule that a wire value breaks: its JSON Schema rejects it, its codec rejects it, or its schema would
 * strip a member.
 */
async function findValueFailure(
  { schema, located }: PlannedSchema,
  value: Json,
): Promise<{ readonly state: string; readonly rule?: Rule } | undefined> {
  const failure = findFailure(located, value);
  if (failure) return failure;
  try {
    await codecClientOf(schema)?.decode(value);
  } catch (error) {
    return { state: `its codec refuses it: ${messageOf(error)}` };
  }
  const checked = await toCheck(isCodec(schema) ? schema.wire : schema)(value);
  const stripped = checked.issues ? undefined : findStripped(value, checked.value, located);
  return stripped === undefined ? undefined : { rule: "undeclared-members", state: `${stripped} is not declared` };
}

function findFailure(
  located: LocatedSchema,
  value: Json,
): { readonly state: string; readonly rule?: Rule } | undefined {
  const failures = listFailures(located, value);
  const [first] = failures;
  if (!first) return undefined;
  const isSurplus = failures.every(({ schema }) => schema === false); // undeclared members
  const { path, message } = first;
  const state = `${path.map(formatStep).join("") || "it"} ${message}`;
  return isSurplus ? { rule: "undeclared-members", state } : { state };
}

async function findHeadersBreach(
  { answer }: AnsweredRequest,
  planned: PlannedSchema | undefined,
): Promise<Breach | undefined> {
  if (!planned) return undefined;
  const { schema, located } = planned;
  const names = declaredKeys(isCodec(schema) ? schema.wire : schema);
  const single = readHeaders(answer.headers, names);
  const lists = Object.fromEntries(
    Object.entries(single).map(([name, value]) => [name, listOf(answer.headers, name, value)]),
  );
  const offers = [single, lists, { ...single, ..."set-cookie" in lists && { "set-cookie": lists["set-cookie"] } }];
  const found = offers.flatMap((fields) => findFailure(located, fields) ?? []);
  const [first] = found;
  if (!first || found.length < offers.length) return undefined;
  if (found.some(({ rule }) => rule !== undefined)) return undefined; // undeclared fields are allowed
  const state = `was answered ${answer.status} with header fields that the contract does not declare: ${first.state}`;
  return await Promise.resolve({ rule: "headers-match", state });
}

/** Returns a field with several values as a list. Cookies cannot be joined. */
function listOf(headers: Headers, name: string, value: string): readonly string[] {
  return name === "set-cookie" ? headers.getSetCookie() : value.split(", ");
}

/**
 * Returns the JSON Pointer of a member that a schema strips: validation removes it, and the JSON Schema does not
 * contain its name. Renamed members do not count.
 */
function findStripped(value: Json, checked: unknown, located: LocatedSchema): string | undefined {
  const pointer = find(value, checked);
  if (pointer === undefined) return undefined;
  return memberNames(located).has(pointer.name) ? undefined : pointer.path;
}

/** The name of a member, and its pointer. */
interface NamedPointer {
  readonly name: string;
  readonly path: string;
}

function find(value: Json, checked: unknown): NamedPointer | undefined {
  if (typeof value !== "object" || value === null || typeof checked !== "object" || checked === null) return undefined;
  if (Array.isArray(value) !== Array.isArray(checked)) return undefined;
  if (!Array.isArray(checked) && !isPlainObject(checked)) return undefined; // a Date or a Map
  for (const [name, member] of Object.entries(value)) {
    const below = Object.hasOwn(checked, name) ? find(member, Reflect.get(checked, name)) : { name, path: "" };
    if (below) return { name: below.name, path: `${formatStep(name)}${below.path}` };
  }
}

/** The results of {@linkcode memberNames}, by schema. */
const knownNames = createMemo(() => new Map<LocatedSchema, ReadonlySet<string>>());

/** Returns all names of members in any part of a schema, and of those that it refers to. */
function memberNames(located: LocatedSchema): ReadonlySet<string> {
  const known = knownNames(located.whole);
  const names = known.get(located) ??
    new Set(
      reachableParts(located).flatMap(({ schema }) =>
        isSchemaObject(schema) ? namedSchemas(schema.properties).map(([name]) => name) : []
      ),
    );
  known.set(located, names);
  return names;
}
