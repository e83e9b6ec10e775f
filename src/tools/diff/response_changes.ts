/** Compares responses: those of a server, what the receivers of webhooks answer, and the connections of sockets. */
import type { ApiResponse, ApiRoute, ApiSocket } from "./api.ts";
import { type BodyPair, compareBodies, compareLimits } from "./body_changes.ts";
import { type Change, type ChangeRow, toChanges } from "./change.ts";
import { compareFields } from "./field_changes.ts";
import type { RoutePair } from "./route_pairs.ts";
import type { Effort } from "./slot_changes.ts";

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
  const place = `${where} closes`;
  return toChanges(route, [
    ...added.map((code) => ["breaking", "close-added", `${place} /${code}`, "may close a connection now"] as const),
    ...removed.map((code) =>
      ["compatible", "close-removed", `${place} /${code}`, "no longer closes a connection"] as const
    ),
    ...(isRefused ? [["breaking", "protocol-changed", `${where} protocols`, wanted] as const] : []),
  ]);
}
