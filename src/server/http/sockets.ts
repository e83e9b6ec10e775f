/**
 * The seam between the engine and the code of connections (`src/socket/`), which only programs with the option `sockets`
 * contain.
 */
import type { RouteNode } from "../../contract/node.ts";
import type { Marked } from "../../mark.ts";
import { routeLabel } from "../../messages.ts";
import { failAt } from "../../options.ts";
import { type SocketFacts, socketFactsOf } from "../../representation/socket.ts";
import type { RouteInfo } from "../define/call.ts";
import type { ReportedRequest, Step } from "./exchange.ts";

/** The option `sockets` of an adapter: opens connections, and counts them. */
export interface Sockets extends Marked<"sockets"> {
  /** The number of connections whose function runs. */
  readonly size: number;
  /**
   * Closes all connections with 1001, and answers 503 to further handshakes. Resolves when the functions of all
   * connections have returned.
   */
  shutDown(): Promise<void>;
  /** Plans the connections of a route. */
  readonly "~plan": (place: SocketPlace) => PlannedSocket;
}

/**
 * A route with connections, and what the engine knows of it.
 *
 * @internal
 */
export interface SocketPlace extends SocketSettings {
  readonly node: RouteNode;
  readonly route: RouteInfo;
  readonly facts: SocketFacts;
}

/**
 * What connections need of the engine.
 *
 * @internal
 */
export interface SocketSettings {
  /** Whether the option `cors` allows an origin. If the application's function fails, it is not allowed. */
  readonly allowsOrigin: (origin: string | null, report: (error: unknown) => void) => boolean;
  /** Reports what fails on an open connection, with its 101. */
  readonly report: (error: unknown, exchange: ReportedRequest, toResponse: () => Response) => void;
}

/**
 * The steps of requests for a connection.
 *
 * @internal
 */
export interface PlannedSocket {
  /** The first step: refuses pages of other origins, and reads the token among the subprotocols. */
  readonly admit: Step;
  /**
   * The step after the handler: if it returned a function, it refuses what is not a handshake, and otherwise makes the
   * native 101 the body of the result.
   */
  readonly upgrade: Step;
}

/** Plans the connections of a route. `undefined` if it declares none. */
export function planSocket(
  { node, route }: { readonly node: RouteNode; readonly route: RouteInfo },
  sockets: Sockets,
  settings: SocketSettings,
): PlannedSocket | undefined {
  const declared = node.responses[101];
  const facts = declared && socketFactsOf(declared.representation);
  return facts && sockets["~plan"]({ ...settings, node, route, facts });
}

/**
 * Throws a `TypeError` if a route declares connections that nothing opens without the option `sockets`, or that it has
 * inherited and cannot have.
 */
export function checkSockets(node: RouteNode, sockets: Sockets | undefined): void {
  const { representation } = node.responses[101] ?? {};
  if (!representation || !socketFactsOf(representation)) return;
  const state = representation.checkPlace?.("101", node) ??
    (sockets ? undefined : 'its response 101 is a socket; pass the option "sockets", such as denoSockets()');
  if (state !== undefined) failAt(`Cannot mount ${routeLabel(node)}`, state);
}

/** A request to a Node server that asks for another protocol, with its socket and the first bytes after its head. */
export interface NodeUpgrade {
  readonly req: unknown;
  readonly socket: unknown;
  readonly head: unknown;
}
