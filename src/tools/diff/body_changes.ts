/** Compares the bodies of requests and responses. */
import { isWithin, problemType } from "../../wire/media_type.ts";
import type { ApiBody, ApiRequestBody, ApiValue } from "./api.ts";
import type { Change, ChangeVerdict } from "./change.ts";
import type { RoutePair } from "./route_pairs.ts";
import { compareSlot, type Effort } from "./slot_changes.ts";

/** Compares the request bodies of a route, or what a webhook sends. */
export function compareRequestBody(
  { before: { key: route, body: before }, after: { body: after } }: RoutePair,
  effort: Effort,
  isWebhook = false,
): Change[] {
  const common = { route, where: "body" };
  const changes = comparePresence(before, after, isWebhook ? sentPresence : requestPresence, common);
  if (!before || !after) return changes;
  return [
    ...changes,
    ...(isWebhook ? [] : compareLimits(before.maxBytes, after.maxBytes, common)),
    ...compareBodies({ ...common, isRequest: !isWebhook, isFixed: true, before, after }, effort),
  ];
}

type Common = Pick<Change, "route" | "where">;

/** What is said of a body that one side alone has, or that one side alone requires. */
type PresenceRows = Readonly<
  Record<"added" | "added as required" | "removed" | "optional" | "required", readonly [ChangeVerdict, string]>
>;

const requestPresence: PresenceRows = {
  added: ["compatible", "an optional body was added"],
  "added as required": ["breaking", "a required body was added"],
  removed: ["compatible", "the body was removed"],
  optional: ["compatible", "the body is optional now"],
  required: ["breaking", "the body is required now"],
};

const sentPresence: PresenceRows = {
  added: ["compatible", "a body is sent now"],
  "added as required": ["compatible", "a body is sent now"],
  removed: ["breaking", "the body is no longer sent"],
  optional: ["breaking", "the body may be missing now"],
  required: ["compatible", "the body is always sent now"],
};

function comparePresence(
  was: ApiRequestBody | undefined,
  is: ApiRequestBody | undefined,
  rows: PresenceRows,
  common: Common,
): Change[] {
  if (was?.isOptional === is?.isOptional) return []; // also if there is none
  const kind = !is ? "removed" : is.isOptional ? was ? "optional" : "added" : was ? "required" : "added as required";
  const [verdict, message] = rows[kind];
  return [{ verdict, rule: kind === "added as required" ? "body-added" : `body-${kind}`, ...common, message }];
}

/** Compares the most bytes of a body or a message. Without a limit in the contract, only the server knows it. */
export function compareLimits(was: number | undefined, is: number | undefined, common: Common): Change[] {
  if (was === is) return [];
  const isKnown = was !== undefined && is !== undefined;
  const message = is === undefined
    ? `has the limit of the server now, not ${was} bytes`
    : `may have ${is} bytes or fewer now, not ${was ?? "the limit of the server"}`;
  const verdict = isKnown ? is < was ? "breaking" : "compatible" : "unproven";
  return [{ verdict, rule: "body-limit-changed", ...common, message }];
}

/** A body in two contracts. */
export interface BodyPair extends Common {
  /** Whether clients send it. */
  readonly isRequest: boolean;
  /** Whether it is sent without being asked for by `accept`, as a webhook is. */
  readonly isFixed?: boolean;
  readonly before: ApiBody;
  readonly after: ApiBody;
}

/** Compares a body that both contracts have. */
export function compareBodies(pair: BodyPair, effort: Effort): Change[] {
  const { route, where, isRequest } = pair;
  const types = compareTypes(pair);
  if (types.some(isBreaking)) return types;
  const changes = [...types, ...compareRepresentations(pair)];
  if (changes.some(isBreaking)) return changes;
  const [sender, reader] = endsOf(pair);
  const values = [...sender.contents].flatMap(([type, sent]) => {
    const read = valueUnder(type, reader);
    return read ? [{ before: isRequest ? sent : read, after: isRequest ? read : sent }] : [];
  });
  const isFirst = ({ before, after }: typeof values[number], index: number) =>
    values.findIndex((each) => each.before === before && each.after === after) === index;
  return [
    ...changes,
    ...values.filter(isFirst).flatMap((pair) => compareSlot({ route, slot: where, isRequest, ...pair }, effort)),
  ];
}

function isBreaking({ verdict }: Change): boolean {
  return verdict === "breaking";
}

/** Returns the body of the sender and the body of the reader. */
function endsOf({ isRequest, before, after }: BodyPair): readonly [sender: ApiBody, reader: ApiBody] {
  return isRequest ? [before, after] : [after, before];
}

/** Compares the representations of a media type. A reader of bytes accepts every representation. */
function compareRepresentations(pair: BodyPair): Change[] {
  const { route, where, before: { representation: was }, after: { representation: is } } = pair;
  const [sender, reader] = endsOf(pair);
  if (was === undefined || is === undefined || was === is) return [];
  if (sender.contents.size === 0 || reader.contents.size === 0) return []; // the comparison of media types covers it
  const verdict = reader.representation === "bytes" || isRaw(reader) ? "compatible" : "breaking";
  const message = `the representation ${was} became ${is}`;
  return [{ verdict, rule: "representation-changed", route, where, message }];
}

/**
 * Tests whether a body is that of a document. Servers of other tools send the media type that a client asks for by
 * `accept`; the server of a contract chooses.
 */
function isOfDocument({ representation }: ApiBody): boolean {
  return representation === undefined;
}

/** Tests whether a body is a native message, which programs read themselves. */
function isRaw({ representation }: ApiBody): boolean {
  return representation === "raw";
}

/** Lists the media types that were added and removed. */
function compareTypes({ route, where, isRequest, isFixed = isRequest, before, after }: BodyPair): Change[] {
  const isNegotiated = !isFixed && isOfDocument(before) && isOfDocument(after);
  const [removed, added] = [listMissing(before, after), listMissing(after, before)];
  const [wasEmpty, isEmpty] = [before, after].map(({ contents }) => contents.size === 0);
  const changes: Change[] = [];
  if (removed.length > 0) {
    const verdict = isRequest || isNegotiated || (isEmpty && !isRaw(before)) ? "breaking" : "compatible";
    const message = isEmpty ? "the body is empty now" : `${removed.join(" and ")} was removed`;
    changes.push({ verdict, rule: "content-type-removed", route, where, message });
  }
  if (added.length > 0) {
    const isIgnored = wasEmpty && !added.includes(problemType); // an empty response is never a problem document
    const isChosen = isNegotiated && !wasEmpty && removed.length < before.contents.size; // by the client's `accept`
    const verdict = isRequest || isIgnored || isChosen ? "compatible" : "breaking";
    const message = `${added.join(" and ")} was added${wasEmpty ? " to an empty body" : ""}`;
    changes.push({ verdict, rule: "content-type-added", route, where, message });
  }
  return changes;
}

/** Lists the media types of a body that another one lacks. */
function listMissing({ contents }: ApiBody, other: ApiBody): string[] {
  return [...contents.keys()].filter((type) => !valueUnder(type, other));
}

/**
 * Returns the values of a body for a media type, or for a range that contains it. No range contains a problem document.
 */
function valueUnder(type: string, body: ApiBody): ApiValue | undefined {
  const isInRange = (range: string) =>
    type === problemType ? isRaw(body) : isWithin(type, [range]) || (range === "*/*" && type.endsWith("/*"));
  const range = [...body.contents.keys()].find((each) => each === type || isInRange(each));
  return range === undefined ? undefined : body.contents.get(range);
}
