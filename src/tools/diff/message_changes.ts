/** Compares what messages contain: the bodies of requests, responses, and the connections of sockets. */
import { isWithin, problemType } from "../../wire/media_type.ts";
import type { ApiBody, ApiRequestBody, ApiResponse, ApiRoute, ApiSocket, ApiValue } from "./api.ts";
import { type Change, type ChangeRow, toChanges } from "./change.ts";
import { createMemory } from "./definitions.ts";
import { compareFields } from "./field_changes.ts";
import type { RoutePair } from "./route_pairs.ts";
import { compareSlot, type Effort } from "./slot_changes.ts";

export function compareRequestBody(
  { before: { key: route, body: before }, after: { body: after } }: RoutePair,
  effort: Effort,
  isWebhook = false,
): Change[] {
  const changes = toChanges(route, listPresence(before, after, isWebhook ? sentPresence : requestPresence));
  if (!before || !after) return changes;
  const common = { route, where: "body" };
  return [
    ...changes,
    ...(isWebhook ? [] : compareLimits(before.maxBytes, after.maxBytes, common)),
    ...compareBodies({ ...common, isRequest: !isWebhook, isFixed: true, before, after }, effort),
  ];
}

type Common = Pick<Change, "route" | "where">;

type PresenceRows = Readonly<Record<"added" | "addedAsRequired" | "removed" | "optional" | "required", ChangeRow>>;

const requestPresence: PresenceRows = {
  added: ["compatible", "body-added", "body", "an optional body was added"],
  addedAsRequired: ["breaking", "body-added", "body", "a required body was added"],
  removed: ["compatible", "body-removed", "body", "the body was removed"],
  optional: ["compatible", "body-optional", "body", "the body is optional now"],
  required: ["breaking", "body-required", "body", "the body is required now"],
};

const sentPresence: PresenceRows = {
  added: ["compatible", "body-added", "body", "a body is sent now"],
  addedAsRequired: ["compatible", "body-added", "body", "a body is sent now"],
  removed: ["breaking", "body-removed", "body", "the body is no longer sent"],
  optional: ["breaking", "body-optional", "body", "the body may be missing now"],
  required: ["compatible", "body-required", "body", "the body is always sent now"],
};

function listPresence(
  was: ApiRequestBody | undefined,
  is: ApiRequestBody | undefined,
  rows: PresenceRows,
): readonly ChangeRow[] {
  if (was?.isOptional === is?.isOptional) return []; // also if there is none
  if (!was || !is) return [is ? is.isOptional ? rows.added : rows.addedAsRequired : rows.removed];
  return [is.isOptional ? rows.optional : rows.required];
}

/** Compares the most bytes of a body or a message. Without a limit in the contract, only the server knows it. */
function compareLimits(was: number | undefined, is: number | undefined, common: Common): Change[] {
  if (was === is) return [];
  const isKnown = was !== undefined && is !== undefined;
  const message = is === undefined
    ? `has the limit of the server now, not ${was} bytes`
    : `may have ${is} bytes or fewer now, not ${was ?? "the limit of the server"}`;
  const verdict = isKnown ? is < was ? "breaking" : "compatible" : "unproven";
  return [{ verdict, rule: "body-limit-changed", ...common, message }];
}

interface BodyPair extends Common {
  readonly isRequest: boolean;
  /** Whether it is sent without being asked for by `accept`, as a webhook is. */
  readonly isFixed?: boolean;
  readonly before: ApiBody;
  readonly after: ApiBody;
}

function compareBodies(pair: BodyPair, effort: Effort): Change[] {
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
  const seen = new Map<ApiValue, Set<ApiValue>>();
  const isFirst = ({ before, after }: typeof values[number]) => {
    const others = seen.get(before) ?? new Set();
    seen.set(before, others);
    return !others.has(after) && others.add(after);
  };
  return [
    ...changes,
    ...values.filter(isFirst).flatMap((pair) => compareSlot({ route, slot: where, isRequest, ...pair }, effort)),
  ];
}

function isBreaking({ verdict }: Change): boolean {
  return verdict === "breaking";
}

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

/** Tests whether a body is that of a document: its server sends what `accept` asks for; that of a contract chooses. */
function isOfDocument({ representation }: ApiBody): boolean {
  return representation === undefined;
}

/** Tests whether a body is a native message, which programs read themselves. */
function isRaw({ representation }: ApiBody): boolean {
  return representation === "raw";
}

function compareTypes({ route, where, isRequest, isFixed = isRequest, before, after }: BodyPair): Change[] {
  const isNegotiated = !isFixed && isOfDocument(before) && isOfDocument(after);
  const [removed, added] = [listMissing(before, after), listMissing(after, before)];
  const [wasEmpty, isEmpty] = [before, after].map(({ contents }) => contents.size === 0);
  const rows: ChangeRow[] = [];
  if (removed.length > 0) {
    const verdict = isRequest || isNegotiated || (isEmpty && !isRaw(before)) ? "breaking" : "compatible";
    const message = isEmpty ? "the body is empty now" : `${removed.join(" and ")} was removed`;
    rows.push([verdict, "content-type-removed", where, message]);
  }
  if (added.length > 0) {
    const isIgnored = wasEmpty && !added.includes(problemType); // an empty response is never a problem document
    const isChosen = isNegotiated && !wasEmpty && removed.length < before.contents.size; // by the client's `accept`
    const verdict = isRequest || isIgnored || isChosen ? "compatible" : "breaking";
    rows.push([
      verdict,
      "content-type-added",
      where,
      `${added.join(" and ")} was added${wasEmpty ? " to an empty body" : ""}`,
    ]);
  }
  return toChanges(route, rows);
}

function listMissing({ contents }: ApiBody, other: ApiBody): string[] {
  return [...contents.keys()].filter((type) => !valueUnder(type, other));
}

/** Returns the values for a media type, or for a range that contains it. No range contains a problem document. */
function valueUnder(type: string, body: ApiBody): ApiValue | undefined {
  if (!hasRanges(body)) return body.contents.get(type);
  const isInRange = (range: string) =>
    type === problemType ? isRaw(body) : isWithin(type, [range]) || (range === "*/*" && type.endsWith("/*"));
  const range = [...body.contents.keys()].find((each) => each === type || isInRange(each));
  return range === undefined ? undefined : body.contents.get(range);
}

const hasRanges = createMemory((body: ApiBody): boolean =>
  isRaw(body) || [...body.contents.keys()].some((type) => type.endsWith("/*"))
);

interface ResponsePair extends BodyPair {
  readonly before: ApiResponse;
  readonly after: ApiResponse;
}

export function compareResponses({ before, after }: RoutePair, effort: Effort): Change[] {
  const route = before.key;
  const kept = [...before.responses].flatMap(([where, each]) => {
    const other = after.responses.get(where);
    const pair = other && { route, where, isRequest: false, before: each, after: other };
    if (pair?.before.socket || pair?.after.socket) return compareSockets(pair, effort);
    return pair ? compareResponse(pair, effort) : [];
  });
  const added = [...after.responses.keys()].filter((status) => !before.responses.has(status));
  const removed = [...before.responses.keys()].filter((status) => !after.responses.has(status));
  const rows: readonly ChangeRow[] = [
    ...added.map((status): ChangeRow => {
      // clients treat an unknown failure as one, cannot read an unknown success, and receive 101 only if they ask for it
      const verdict = /^[45]|^default$|^101$/.test(status) ? "compatible" : "breaking";
      return [verdict, "status-added", status, "the status may be sent now"];
    }),
    ...removed.map((status): ChangeRow =>
      before.responses.get(status)?.socket
        ? ["breaking", "status-removed", status, "connections are no longer opened"]
        : ["compatible", "status-removed", status, "the status is no longer sent"]
    ),
    ...(hasSuccess(before) && !hasSuccess(after)
      ? [["breaking", "success-removed", "", "no 2xx status remains"] as const]
      : []),
  ];
  return [...kept, ...toChanges(route, rows)];
}

function hasSuccess({ responses }: ApiRoute): boolean {
  return [...responses.keys()].some((status) => /^2|^default$/.test(status));
}

function compareResponse(pair: ResponsePair, effort: Effort): Change[] {
  const { route, where, isRequest, before, after } = pair;
  const headers = { route, slot: `${where} headers`, isRequest, before: before.headers, after: after.headers };
  return [...compareBodies(pair, effort), ...compareFields(headers, effort)];
}

export function compareAnswers({ before, after }: RoutePair, effort: Effort): Change[] {
  const route = before.key;
  const added = [...after.responses.keys()].filter((status) => !findResponse(status, before.responses));
  const answered = [...before.responses].flatMap(([where, response]): Change[] => {
    const read = findResponse(where, after.responses);
    return read
      ? compareResponse({ route, where, isRequest: true, before: response, after: read }, effort)
      : toChanges(route, [["breaking", "status-removed", where, "the status is no longer accepted"]]);
  });
  const message = "the status is accepted now";
  return [...answered, ...toChanges(route, added.map((where) => ["compatible", "status-added", where, message]))];
}

function findResponse(status: string, responses: ApiRoute["responses"]): ApiResponse | undefined {
  return responses.get(status) ?? responses.get(`${status[0]}XX`) ?? responses.get("default");
}

/** Compares connections: what clients send as a request, and what the server sends as a response without negotiation. */
function compareSockets({ route, where, before, after }: ResponsePair, effort: Effort): Change[] {
  const [was, is] = [before.socket, after.socket];
  if (!was || !is) return [describeOther({ route, where, isRequest: false, before, after })];
  const fromClient = { route, where: `${where} fromClient` };
  const fromServer = { route, where: `${where} fromServer`, isFixed: true };
  return [
    ...compareBodies({ ...fromClient, isRequest: true, before: was.fromClient, after: is.fromClient }, effort),
    ...compareBodies({ ...fromServer, isRequest: false, before: was.fromServer, after: is.fromServer }, effort),
    ...compareEnds(was, is, { route, where }),
    ...compareLimits(was.maxMessageBytes, is.maxMessageBytes, fromClient),
  ];
}

/** Describes a response that is a connection on one side alone. A document may not describe its messages. */
function describeOther({ route, where, before, after }: ResponsePair): Change {
  const isKnown = before.representation !== undefined && after.representation !== undefined;
  const message = before.socket ? "is no longer a socket" : "is a socket now";
  return isKnown
    ? { verdict: "breaking", rule: "representation-changed", route, where, message }
    : { verdict: "unproven", rule: "representation-changed", route, where, message: `${message}, as far as is known` };
}

/** Lists the close codes that clients do not know, those that are no longer sent, and protocols that no client offers. */
function compareEnds(was: ApiSocket, is: ApiSocket, { route, where }: Pick<Change, "route" | "where">): Change[] {
  const [old, current] = [new Set(was.closes), new Set(is.closes)];
  const added = is.closes.filter((code) => !old.has(code));
  const removed = was.closes.filter((code) => !current.has(code));
  const isRefused = !was.protocols.some((name) => is.protocols.includes(name)); // browsers then fail the connection
  const wanted = `must be ${is.protocols.join(" or ")} now, not ${was.protocols.join(" or ")}`;
  const place = `${where} closes`;
  return toChanges(route, [
    ...added.map((code) => ["breaking", "close-added", `${place} /${code}`, "may close a connection now"] as const),
    ...removed.map((code) =>
      ["compatible", "close-removed", `${place} /${code}`, "no longer closes a connection"] as const
    ),
    ...(isRefused ? [["breaking", "protocol-changed", `${where} protocols`, wanted] as const] : []),
  ]);
}
