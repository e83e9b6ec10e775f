/** The changes of a contract. */
import type { Difference } from "../json_schema/difference.ts";
import { isJsonList, type Json, textList, typeNames } from "../json_schema/json.ts";

/**
 * What a change does to an old client of the new server:
 *
 * - `breaking`: a call that worked fails, or a response differs from the contract of the client.
 * - `unproven`: it could neither be proven that nothing breaks, nor was a value found that breaks.
 * - `source`: the wire is the same, but code that is compiled against the new contract must change.
 * - `compatible`: nothing breaks. It is listed for changelogs.
 */
export type ChangeVerdict = "breaking" | "unproven" | "source" | "compatible";

/** The kinds of changes. */
export type ChangeRule =
  | "route-added"
  | "route-removed"
  | "route-shadows"
  | "webhook-added"
  | "webhook-removed"
  | "key-renamed"
  | "parameter-renamed"
  | "request-narrowed"
  | "request-widened"
  | "request-changed"
  | "response-narrowed"
  | "response-widened"
  | "response-changed"
  | "default-changed"
  | "deprecated"
  | "deprecation-removed"
  | "sunset-changed"
  | "body-added"
  | "body-removed"
  | "body-required"
  | "body-optional"
  | "body-limit-changed"
  | "content-type-added"
  | "content-type-removed"
  | "representation-changed"
  | "status-added"
  | "status-removed"
  | "success-removed"
  | "close-added"
  | "close-removed"
  | "protocol-changed"
  | "discriminator-changed"
  | "style-changed"
  | "part-changed"
  | "security-narrowed"
  | "security-widened"
  | "schema-unknown";

/** One change of a contract, as {@linkcode diffContracts} lists it. */
export interface Change {
  /** What it does to an old client of the new server. */
  readonly verdict: ChangeVerdict;
  /** The kind of change. */
  readonly rule: ChangeRule;
  /**
   * The dotted key of the route, such as `users.byId`. In documents, the operation id, or method and path. Of a webhook:
   * `webhooks.orderPaid`.
   */
  readonly route: string;
  /** The slot and the place in it: `body /name`, `200 /email`, `query /q`. Empty for the whole route. */
  readonly where: string;
  /** The change in plain English. */
  readonly message: string;
  /** A value on which the old and the new side disagree. For `route-shadows`, the path of a call. */
  readonly witness?: Json;
}

/** A change without its route. */
export type ChangeRow = readonly [verdict: ChangeVerdict, rule: ChangeRule, where: string, message: string];

export function toChanges(route: string, rows: readonly ChangeRow[]): Change[] {
  return rows.map(([verdict, rule, where, message]) => ({ verdict, rule, route, where, message }));
}

export const verdicts: readonly ChangeVerdict[] = ["breaking", "unproven", "source", "compatible"];

/** All kinds of changes. The type of the object lists them. */
export const changeRules: readonly string[] = Object.keys(
  {
    "route-added": true,
    "route-removed": true,
    "route-shadows": true,
    "key-renamed": true,
    "parameter-renamed": true,
    "request-narrowed": true,
    "request-widened": true,
    "request-changed": true,
    "response-narrowed": true,
    "response-widened": true,
    "response-changed": true,
    "default-changed": true,
    "deprecated": true,
    "deprecation-removed": true,
    "sunset-changed": true,
    "body-added": true,
    "body-removed": true,
    "body-required": true,
    "body-optional": true,
    "body-limit-changed": true,
    "content-type-added": true,
    "content-type-removed": true,
    "representation-changed": true,
    "status-added": true,
    "status-removed": true,
    "success-removed": true,
    "discriminator-changed": true,
    "style-changed": true,
    "part-changed": true,
    "webhook-added": true,
    "webhook-removed": true,
    "close-added": true,
    "close-removed": true,
    "protocol-changed": true,
    "security-narrowed": true,
    "security-widened": true,
    "schema-unknown": true,
  } satisfies Record<ChangeRule, true>,
);

/** The direction of a difference: the new schema rejects old values, or accepts further ones. */
export type Way = "narrowed" | "widened";

export function describeDifference(difference: Difference, way: Way, isRequest: boolean): string {
  const { keyword } = difference;
  const phrase = Object.hasOwn(phrases, keyword) ? phrases[keyword] : undefined;
  return phrase?.(difference, way, isRequest) ?? describeBound(difference, way);
}

type Phrase = (difference: Difference, way: Way, isRequest: boolean) => string | undefined;

const phrases: Readonly<Record<string, Phrase>> = {
  type: ({ sender }, way) => {
    const types = list(textList(sender).map((type) => typeNames.get(type) ?? type), "or");
    return way === "narrowed" ? `can no longer be ${types}` : `may be ${types} now`;
  },
  enum: ({ sender, reader }, way) => {
    const values = isJsonList(sender) ? list(sender.map(show), "or") : undefined;
    if (values !== undefined) return way === "narrowed" ? `can no longer be ${values}` : `may be ${values} now`;
    const allowed = isJsonList(reader) ? list(reader.map(show), "or") : "";
    return way === "narrowed" ? `must be ${allowed} now` : `may differ from ${allowed} now`;
  },
  required: ({ sender }, way, isRequest) => {
    if (way === "narrowed") return isRequest ? "is required now" : "is always present now";
    if (isRequest) return "is no longer required";
    return sender === "absent" ? "is no longer sent" : "may be missing now";
  },
  additionalProperties: (_difference, way) => way === "narrowed" ? "was removed" : "was added",
  anyOf: ({ sender }, way) => {
    const alternative = sender === undefined ? "an alternative" : `the alternative ${show(sender)}`;
    return `${alternative} was ${way === "narrowed" ? "removed" : "added"}`;
  },
};

/** The requirement of each keyword, after "must" or "need no longer". */
const demands: Readonly<Record<string, (operand: string) => string>> = {
  minimum: (least) => `be ${least} or more`,
  exclusiveMinimum: (bound) => `be more than ${bound}`,
  maximum: (most) => `be ${most} or less`,
  exclusiveMaximum: (bound) => `be less than ${bound}`,
  multipleOf: (factor) => `be a multiple of ${factor}`,
  minLength: (least) => `have a length of ${least} or more`,
  maxLength: (most) => `have a length of ${most} or less`,
  pattern: (pattern) => `match the pattern ${pattern}`,
  format: (format) => `have the format ${format}`,
  contentMediaType: (type) => `have the media type ${type}`,
  contentEncoding: (encoding) => `have the encoding ${encoding}`,
  minItems: (least) => `have ${least} or more items`,
  maxItems: (most) => `have ${most} or fewer items`,
  uniqueItems: () => "have unique items",
  minProperties: (least) => `have ${least} or more members`,
  maxProperties: (most) => `have ${most} or fewer members`,
};

function describeBound({ verdict, keyword, sender, reader }: Difference, way: Way): string {
  const demand = Object.hasOwn(demands, keyword) ? demands[keyword] : undefined;
  const [before, after] = (way === "narrowed" ? [sender, reader] : [reader, sender]).map(showOperand);
  if (verdict === "unknown" && before !== undefined && after !== undefined) {
    return `${keyword} ${before} became ${after}`;
  }
  const operand = showOperand(reader);
  if (demand === undefined || operand === undefined) return `may differ in ${keyword}`;
  const wanted = demand(operand);
  const instead = before === undefined || after === undefined || keyword === "uniqueItems"
    ? ""
    : way === "narrowed"
    ? `, not ${before}`
    : `, but ${after}`;
  return way === "narrowed" ? `must ${wanted} now${instead}` : `need no longer ${wanted}${instead}`;
}

function showOperand(operand: Json | undefined): string | undefined {
  return operand === undefined ? undefined : typeof operand === "string" ? operand : show(operand);
}

export function show(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function list(parts: readonly string[], word: string): string {
  const shown = parts.length > 8 ? [...parts.slice(0, 8), "others"] : parts;
  return shown.length < 2 ? shown.join() : `${shown.slice(0, -1).join(", ")} ${word} ${shown.at(-1)}`;
}
