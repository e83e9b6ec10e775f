/** Rules for responses with a declared status: their content type, body and header fields. */
import { messageOf } from "../../messages.ts";
import type { Awaitable } from "../../awaitable.ts";
import { codecClientOf, isCodec } from "../../contract/codec.ts";
import { mapObject } from "../../contract/node.ts";
import type { ResponseDeclaration, ResponseKind } from "../../contract/response.ts";
import { isSchemaObject, type Json, namedSchemas } from "../json_schema/json.ts";
import { createMemo, type LocatedSchema, reachableParts } from "../json_schema/locate.ts";
import { listFailures } from "../json_schema/validate.ts";
import { customBodyOf, decodeJson } from "../../representation/whole_body.ts";
import { parseLines } from "../../representation/stream.ts";
import { parseEvents } from "../../representation/sse.ts";
import { declaredKeys, formatStep, toCheck } from "../../schema.ts";
import { readHeaders } from "../../wire/headers.ts";
import { isProblem, isResponseWithin, mediaTypeEssence, problemType } from "../../wire/media_type.ts";
import { decodeText } from "../../wire/read_bytes.ts";
import type { RecordParser } from "../../wire/records.ts";
import { isPlainObject } from "../../options.ts";
import type { Breach } from "./finding.ts";
import { findUndescribed } from "./foreign.ts";
import type { TestedResponse, TestedResponses, TestedRoute, TestedSchema } from "./route_plan.ts";
import type { ReceivedAnswer } from "./target.ts";
import { isDeclared, type Observation, sourceOf, type TestRun } from "./test_run.ts";

export async function findContentBreach(observed: Observation, run: TestRun): Promise<Breach | undefined> {
  const { answer, plan, verdict, request } = observed;
  if (request.method.toUpperCase() === "HEAD") return undefined; // `fetch` sends it in upper case (Fetch, "normalize")
  const findBreach = async (): Promise<Breach | undefined> =>
    plan && hasFurtherType(answer, plan, run) ? undefined : await findDeclaredBreach(answer, plan?.responses, run);
  if (verdict.route) return isDeclared(observed, answer.status) ? await findBreach() : undefined;
  if (run.isLenient) return undefined; // another implementation
  if (answer.status === verdict.declared) {
    const { refusing } = verdict;
    return await findDeclaredBreach(answer, refusing ? run.plans.get(refusing.key)?.responses : run.outside, run);
  }
  if (isProblem(answer)) return undefined; // sent without a handler
  return isDeclared(observed, answer.status) ? await findBreach() : differentType(answer, problemType, run);
}

/** Tests whether the media type of a response is not the declared one, but another one of the document. */
function hasFurtherType({ status, headers }: ReceivedAnswer, { node, responses }: TestedRoute, run: TestRun): boolean {
  const planned = responses.get(status);
  const essence = mediaTypeEssence(headers.get("content-type") ?? "");
  const isDeclaredType = planned === undefined || [planned.declared.contentType].flat().includes(essence);
  return !isDeclaredType && run.documented?.hasType(node.key, status, essence) === true;
}

async function findDeclaredBreach(
  answer: ReceivedAnswer,
  responses: TestedResponses | undefined,
  run: TestRun,
): Promise<Breach | undefined> {
  const planned = responses?.get(answer.status);
  if (!planned) return undefined;
  const { headers } = planned;
  return findTypeBreach(answer, planned.declared, run) ?? await findBodyBreach(answer, planned, run) ??
    findHeadersBreach(answer, headers, run);
}

function differentType({ status, headers }: ReceivedAnswer, expected: string, run: TestRun): Breach {
  const found = headers.get("content-type") ?? "(none)";
  const state = `was answered ${status} with the content type ${found}; ${sourceOf(run)} declares ${expected}`;
  return { rule: "declared-content-type", state };
}

function findTypeBreach(answer: ReceivedAnswer, declared: ResponseDeclaration, run: TestRun): Breach | undefined {
  const { contentType, representation: { isNative } } = declared;
  if (isNative) return undefined;
  if (contentType === undefined) {
    return answer.body.length > 0
      ? { ...differentType(answer, "no content", run), isHint: run.isForeign } // documents often leave it out
      : undefined;
  }
  const essence = mediaTypeEssence(answer.headers.get("content-type") ?? "");
  const isDeclaredType = typeof contentType === "object"
    ? isResponseWithin(essence, contentType)
    : essence === mediaTypeEssence(contentType);
  return isDeclaredType ? undefined : differentType(answer, [contentType].flat().join(", "), run);
}

/** Returns the values that a schema describes: one, or the first items of a stream. Throws if they are malformed. */
type ReadContent = (body: Uint8Array<ArrayBuffer>, declared: ResponseDeclaration) => Awaitable<readonly unknown[]>;

const maxRecordBytes = 2 ** 20;

const readers: Readonly<Record<ResponseKind, ReadContent>> = {
  json: (body) => [decodeJson(body)],
  problem: (body) => [decodeJson(body)],
  text: (body) => [decodeText(body)],
  bytes: () => [],
  empty: () => [],
  stream: () => [],
  raw: () => [],
  socket: () => [],
  ndjson: (body) => readRecords(body, parseLines(maxRecordBytes)),
  sse: (body) => readRecords(body, parseEvents(maxRecordBytes)),
  as: async (body, { representation }) => [await customBodyOf(representation).decode(body)],
};

function readRecords(body: Uint8Array, { push }: RecordParser): unknown[] {
  return [...push(new TextDecoder().decode(body))].map(({ data }) => JSON.parse(data));
}

async function findBodyBreach(
  answer: ReceivedAnswer,
  { declared, body: planned }: TestedResponse,
  run: TestRun,
): Promise<Breach | undefined> {
  const breach = ({ state, rule = "body-matches", ...others }: Mismatch): Breach => ({
    rule,
    state: `was answered ${answer.status} with a body that ${sourceOf(run)} does not declare: ${state}`,
    ...others,
  });
  let values: readonly unknown[];
  try {
    values = await readers[declared.kind](answer.body, declared);
  } catch (error) {
    return breach({ state: `it is malformed: ${messageOf(error)}` });
  }
  if (!planned) return undefined;
  for (const value of values) {
    const found = await findValueMismatch(planned, value as Json); // decoded content
    if (found) return breach(found);
    const undescribed = run.isForeign ? findUndescribed(planned.located, value as Json) : undefined;
    if (undescribed) return breach(undescribed);
  }
}

/** How a value differs from its schema, and the rule that this breaks if it is a special one. */
type Mismatch = Pick<Breach, "state" | "isHint"> & Partial<Pick<Breach, "rule">>;

/** Returns how a value breaks a rule: its JSON Schema or codec rejects it, or its schema would strip a member. */
export async function findValueMismatch(
  { schema, located }: TestedSchema,
  value: Json,
): Promise<Mismatch | undefined> {
  const mismatch = findMismatch(located, value);
  if (mismatch) return mismatch;
  try {
    await codecClientOf(schema)?.decode(value);
  } catch (error) {
    return { state: `its codec refuses it: ${messageOf(error)}` };
  }
  const checked = await toCheck(isCodec(schema) ? schema.wire : schema)(value);
  const stripped = checked.issues ? undefined : findStripped(value, checked.value, located);
  return stripped === undefined ? undefined : { rule: "undeclared-members", state: `${stripped} is not declared` };
}

function findMismatch(located: LocatedSchema, value: Json): Mismatch | undefined {
  const failures = listFailures(located, value);
  const [first] = failures;
  if (!first) return undefined;
  const isSurplus = failures.every(({ schema }) => schema === false); // undeclared members
  const { path, message } = first;
  const state = `${path.map(formatStep).join("") || "it"} ${message}`;
  return isSurplus ? { rule: "undeclared-members", state } : { state };
}

/** Checks header fields, with each as one text, as a list or as a number or boolean. Undeclared fields are allowed. */
function findHeadersBreach(
  answer: ReceivedAnswer,
  planned: TestedSchema | undefined,
  run: TestRun,
): Breach | undefined {
  if (!planned) return undefined;
  const { schema, located } = planned;
  const names = declaredKeys(isCodec(schema) ? schema.wire : schema);
  const single = readHeaders(answer.headers, names);
  const lists = mapObject(
    single,
    (value, name): string[] => name === "set-cookie" ? answer.headers.getSetCookie() : value.split(", "),
  ); // cookies cannot be joined
  const mixed = { ...single, ..."set-cookie" in lists && { "set-cookie": lists["set-cookie"] } };
  const wrong = new Set(listFailures(located, mixed).map(({ path: [name] }) => name));
  const values = mapObject(
    mixed,
    (text, name): Json => wrong.has(name) && /^(?:true|false|-?\d[\d.eE+-]*)$/.test(String(text)) ? toJson(text) : text,
  );
  const offers = [single, lists, mixed, values];
  const found = offers.flatMap((fields) => findMismatch(located, fields) ?? []);
  const [first] = found;
  if (!first || found.length < offers.length || found.some(({ rule }) => rule !== undefined)) return undefined;
  const state = `was answered ${answer.status} with header fields that ${
    sourceOf(run)
  } does not declare: ${first.state}`;
  return { rule: "headers-match", state };
}

function toJson(text: Json): Json {
  try {
    return JSON.parse(String(text));
  } catch {
    return text;
  }
}

/** Returns the pointer of a member that validation removes, and whose name the JSON Schema does not contain. */
function findStripped(value: Json, checked: unknown, located: LocatedSchema): string | undefined {
  const path = findMissing(value, checked);
  return path && !memberNames(located).has(path.at(-1)!) ? path.map(formatStep).join("") : undefined;
}

function findMissing(value: Json, checked: unknown): string[] | undefined {
  if (typeof value !== "object" || value === null || typeof checked !== "object" || checked === null) return undefined;
  if (Array.isArray(value) !== Array.isArray(checked)) return undefined;
  if (!Array.isArray(checked) && !isPlainObject(checked)) return undefined; // a Date or a Map
  for (const [name, member] of Object.entries(value)) {
    const below = Object.hasOwn(checked, name) ? findMissing(member, Reflect.get(checked, name)) : [];
    if (below) return [name, ...below];
  }
}

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
