/** Compares the connections of a route: what clients send as a request, and what the server sends as a response. */
import type { ApiResponse, ApiSocket } from "./api.ts";
import { compareBodies } from "./body_changes.ts";
import type { Change } from "./change.ts";
import type { Effort } from "./slot_changes.ts";

/** The response 101 of a route in two contracts. */
interface ConnectionPair {
  readonly route: string;
  /** The status. */
  readonly where: string;
  readonly before: ApiResponse;
  readonly after: ApiResponse;
}

/** Compares the connections of a response. */
export function compareSockets({ route, where, before, after }: ConnectionPair, effort: Effort): Change[] {
  const [was, is] = [before.socket, after.socket];
  if (!was && !is) return [];
  if (!was || !is) return [describeOther({ route, where, before, after })];
  return [
    ...compareBodies(
      { route, where: `${where} fromClient`, isRequest: true, before: was.fromClient, after: is.fromClient },
      effort,
    ),
    ...compareBodies(
      {
        route,
        where: `${where} fromServer`,
        isRequest: false,
        isFixed: true,
        before: was.fromServer,
        after: is.fromServer,
      },
      effort,
    ),
    ...[...compareCloses(was, is), ...compareProtocols(was, is), ...compareLimits(was, is)]
      .map((change): Change => ({ route, ...change, where: `${where} ${change.where}` })),
  ];
}

/** Describes a response that is a connection on one side alone. A document may not describe its messages. */
function describeOther({ route, where, before, after }: ConnectionPair): Change {
  const isKnown = before.representation !== undefined && after.representation !== undefined;
  const message = before.socket ? "is no longer a socket" : "is a socket now";
  return isKnown
    ? { verdict: "breaking", rule: "representation-changed", route, where, message }
    : { verdict: "unproven", rule: "representation-changed", route, where, message: `${message}, as far as is known` };
}

type SocketChange = Pick<Change, "verdict" | "rule" | "where" | "message">;

/** Lists the close codes that clients do not know, and those that the server no longer sends. */
function compareCloses({ closes: was }: ApiSocket, { closes: is }: ApiSocket): SocketChange[] {
  const added = is.filter((code) => !was.includes(code));
  const removed = was.filter((code) => !is.includes(code));
  return [
    ...added.map((code): SocketChange => {
      const message = "may close a connection now";
      return { verdict: "breaking", rule: "close-added", where: `closes /${code}`, message };
    }),
    ...removed.map((code): SocketChange => {
      const message = "no longer closes a connection";
      return { verdict: "compatible", rule: "close-removed", where: `closes /${code}`, message };
    }),
  ];
}

/** Compares subprotocols: browsers fail a connection whose offers are all refused. */
function compareProtocols({ protocols: was }: ApiSocket, { protocols: is }: ApiSocket): SocketChange[] {
  if (was.some((name) => is.includes(name))) return [];
  const message = `must be ${is.join(" or ")} now, not ${was.join(" or ")}`;
  return [{ verdict: "breaking", rule: "protocol-changed", where: "protocols", message }];
}

/** Compares the most bytes of a client's message. Without a limit in the contract, only the server knows it. */
function compareLimits({ maxMessageBytes: was }: ApiSocket, { maxMessageBytes: is }: ApiSocket): SocketChange[] {
  if (was === is) return [];
  const change = { rule: "body-limit-changed", where: "fromClient" } as const;
  const before = was === undefined ? "the limit of the server" : `${was}`;
  const message = is === undefined
    ? `has the limit of the server now, not ${was} bytes`
    : `may have ${is} bytes or fewer now, not ${before}`;
  const isKnown = was !== undefined && is !== undefined;
  return [{ verdict: isKnown ? is < was ? "breaking" : "compatible" : "unproven", ...change, message }];
}
