/** Compares responses: those of a server, what the receivers of webhooks answer, and the connections of sockets. */
import type { ApiResponse, ApiRoute, ApiSocket } from "./api.ts";
import { type BodyPair, compareBodies, compareLimits } from "./body_changes.ts";
import type { Change, ChangeRule } from "./change.ts";
import { compareFields } from "./field_changes.ts";
import type { RoutePair } from "./route_pairs.ts";
import type { Effort } from "./slot_changes.ts";

/** A response with a status in two contracts. */
interface ResponsePair extends BodyPair {
  readonly before: ApiResponse;
  readonly after: ApiResponse;
}

/** Compares the responses of the server. */
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
  return [
    ...kept,
    ...added.map((where): Change => {
      // clients treat an unknown failure as one, cannot read an unknown success, and receive 101 only if they ask for it
      const verdict = /^[45]|^default$|^101$/.test(where) ? "compatible" : "breaking";
      return { verdict, rule: "status-added", route, where, message: "the status may be sent now" };
    }),
    ...removed.map((where): Change => {
      const common = { rule: "status-removed", route, where } as const;
      return before.responses.get(where)?.socket
        ? { verdict: "breaking", ...common, message: "connections are no longer opened" }
        : { verdict: "compatible", ...common, message: "the status is no longer sent" };
    }),
    ...(hasSuccess(before) && !hasSuccess(after)
      ? [{ verdict: "breaking", rule: "success-removed", route, where: "", message: "no 2xx status remains" } as const]
      : []),
  ];
}

function hasSuccess({ responses }: ApiRoute): boolean {
  return [...responses.keys()].some((status) => /^2|^default$/.test(status));
}

function compareResponse(pair: ResponsePair, effort: Effort): Change[] {
  const { route, where, isRequest, before, after } = pair;
  const headers = { route, slot: `${where} headers`, isRequest, before: before.headers, after: after.headers };
  return [...compareBodies(pair, effort), ...compareFields(headers, effort)];
}

/** Compares what the receivers of a webhook answer. */
export function compareAnswers({ before, after }: RoutePair, effort: Effort): Change[] {
  const route = before.key;
  const added = [...after.responses.keys()].filter((status) => !findResponse(status, before.responses));
  return [
    ...[...before.responses].flatMap(([where, response]): Change[] => {
      const read = findResponse(where, after.responses);
      if (read) return compareResponse({ route, where, isRequest: true, before: response, after: read }, effort);
      const message = "the status is no longer accepted";
      return [{ verdict: "breaking", rule: "status-removed", route, where, message }];
    }),
    ...added.map((where): Change => {
      return { verdict: "compatible", rule: "status-added", route, where, message: "the status is accepted now" };
    }),
  ];
}

/** Returns the response of a status, or that of the range that contains it. */
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
  const added = is.closes.filter((code) => !was.closes.includes(code));
  const removed = was.closes.filter((code) => !is.closes.includes(code));
  const isRefused = !was.protocols.some((name) => is.protocols.includes(name)); // browsers then fail the connection
  const wanted = `must be ${is.protocols.join(" or ")} now, not ${was.protocols.join(" or ")}`;
  const rows: readonly (readonly [Change["verdict"], ChangeRule, string, string])[] = [
    ...added.map((code) => ["breaking", "close-added", `closes /${code}`, "may close a connection now"] as const),
    ...removed.map((code) =>
      ["compatible", "close-removed", `closes /${code}`, "no longer closes a connection"] as const
    ),
    ...(isRefused ? [["breaking", "protocol-changed", "protocols", wanted] as const] : []),
  ];
  return rows.map(([verdict, rule, place, message]) => ({ verdict, rule, route, where: `${where} ${place}`, message }));
}
