/** Compares the bodies of requests and responses. */
import { isWithin } from "../wire/media_ranges.ts";
import { type ApiBody, type ApiRequestBody, type ApiValue } from "./api.ts";
import { type Change } from "./change.ts";
import { type RoutePair } from "./route_pairs.ts";
import { compareSlot, type Effort } from "./slot_changes.ts";

/** What became of the body of a route's requests. */
export function compareRequestBody({ before, after }: RoutePair, effort: Effort): Change[] {
  const [old, young] = [before.body, after.body];
  const common = { route: before.key, where: "body" };
  if (!old && !young) return [];
  if (!young) {
    return [{ verdict: "compatible", rule: "body-removed", ...common, message: "the body was removed" }];
  }
  if (!old) return [describeNewBody(young, common)];
  const presence = comparePresence(old, young, common);
  return [...presence, ...compareBodies({ ...common, isRequest: true, old, young }, effort)];
}

type Common = Pick<Change, "route" | "where">;

function describeNewBody({ isOptional }: ApiRequestBody, common: Common): Change {
  return isOptional
    ? { verdict: "compatible", rule: "body-added", ...common, message: "an optional body was added" }
    : { verdict: "breaking", rule: "body-added", ...common, message: "a required body was added" };
}

function comparePresence(old: ApiRequestBody, young: ApiRequestBody, common: Common): Change[] {
  if (old.isOptional === young.isOptional) return [];
  return young.isOptional
    ? [{ verdict: "compatible", rule: "body-optional", ...common, message: "the body is optional now" }]
    : [{ verdict: "breaking", rule: "body-required", ...common, message: "the body is required now" }];
}

/** A body in two contracts. */
export interface BodyPair extends Common {
  /** Whether clients send it. */
  readonly isRequest: boolean;
  /** What it was. */
  readonly old: ApiBody;
  /** What it is. */
  readonly young: ApiBody;
}

/** What became of a body that both contracts have. */
export function compareBodies(pair: BodyPair, effort: Effort): Change[] {
  const { route, where, isRequest, old, young } = pair;
  const types = compareTypes(pair);
  if (types.some(({ verdict }) => verdict === "breaking")) return types;
  const [was, is] = [old.representation, young.representation];
  if (was !== undefined && is !== undefined && was !== is) {
    const message = `the representation ${was} became ${is}`;
    return [{ verdict: "breaking", rule: "representation-changed", route, where, message }];
  }
  const [sender, reader] = isRequest ? [old, young] : [young, old];
  const values = [...sender.contents].flatMap(([type, sent]) => {
    const read = valueUnder(type, reader);
    return read ? [{ before: isRequest ? sent : read, after: isRequest ? read : sent }] : [];
  });
  const isFirst = ({ before, after }: typeof values[number], index: number) =>
    values.findIndex((each) => each.before === before && each.after === after) === index;
  const changes = values.filter(isFirst)
    .flatMap((pair) => compareSlot({ route, slot: where, isRequest, ...pair }, effort));
  return [...types, ...changes];
}

/** Media types that were added and removed. */
function compareTypes({ route, where, isRequest, old, young }: BodyPair): Change[] {
  const removed = [...old.contents.keys()].filter((type) => !valueUnder(type, young));
  const added = [...young.contents.keys()].filter((type) => !valueUnder(type, old));
  const isEmpty = young.contents.size === 0;
  const changes: Change[] = [];
  if (removed.length > 0) {
    const verdict = isRequest || isEmpty ? "breaking" : "compatible";
    const message = isEmpty ? "the body is empty now" : `${removed.join(" and ")} was removed`;
    changes.push({ verdict, rule: "content-type-removed", route, where, message });
  }
  if (added.length > 0) {
    const verdict = isRequest ? "compatible" : "breaking";
    const message = `${added.join(" and ")} was added${old.contents.size === 0 ? " to an empty body" : ""}`;
    changes.push({ verdict, rule: "content-type-added", route, where, message });
  }
  return changes;
}

/** What a body has under a media type, or under a range that it is within. */
function valueUnder(type: string, { contents }: ApiBody): ApiValue | undefined {
  const range = [...contents.keys()].find((each) => each === type || isWithin(type, [each]));
  return range === undefined ? undefined : contents.get(range);
}
