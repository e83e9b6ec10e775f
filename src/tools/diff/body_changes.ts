/** Compares the bodies of requests and responses. */
import { isWithin, problemType } from "../../wire/media_type.ts";
import type { ApiBody, ApiRequestBody, ApiValue } from "./api.ts";
import type { Change } from "./change.ts";
import type { RoutePair } from "./route_pairs.ts";
import { compareSlot, type Effort } from "./slot_changes.ts";

/** Compares the request bodies of a route. */
export function compareRequestBody(pair: RoutePair, effort: Effort): Change[] {
  const [before, after] = [pair.before.body, pair.after.body];
  const common = { route: pair.before.key, where: "body" };
  if (!before && !after) return [];
  if (!after) {
    return [{ verdict: "compatible", rule: "body-removed", ...common, message: "the body was removed" }];
  }
  if (!before) return [describeNewBody(after, common)];
  return [
    ...comparePresence(before, after, common),
    ...compareLimits(before, after, common),
    ...compareBodies({ ...common, isRequest: true, before, after }, effort),
  ];
}

type Common = Pick<Change, "route" | "where">;

function describeNewBody({ isOptional }: ApiRequestBody, common: Common): Change {
  return isOptional
    ? { verdict: "compatible", rule: "body-added", ...common, message: "an optional body was added" }
    : { verdict: "breaking", rule: "body-added", ...common, message: "a required body was added" };
}

function comparePresence(before: ApiRequestBody, after: ApiRequestBody, common: Common): Change[] {
  if (before.isOptional === after.isOptional) return [];
  return after.isOptional
    ? [{ verdict: "compatible", rule: "body-optional", ...common, message: "the body is optional now" }]
    : [{ verdict: "breaking", rule: "body-required", ...common, message: "the body is required now" }];
}

/** Compares the most bytes of a body. Without a limit in the contract, only the server knows it. */
function compareLimits({ maxBytes: was }: ApiRequestBody, { maxBytes: is }: ApiRequestBody, common: Common): Change[] {
  if (was === is) return [];
  const change = { rule: "body-limit-changed", ...common } as const;
  if (is === undefined) {
    return [{ verdict: "unproven", ...change, message: `has the limit of the server now, not ${was} bytes` }];
  }
  const before = was === undefined ? "the limit of the server" : `${was}`;
  const message = `may have ${is} bytes or fewer now, not ${before}`;
  return [{ verdict: was === undefined ? "unproven" : is < was ? "breaking" : "compatible", ...change, message }];
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
