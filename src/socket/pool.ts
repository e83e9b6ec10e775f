/** The connections of one server: their options, their number, and their end. */
import { markAs } from "../mark.ts";
import { describeConfidential, routeLabel } from "../messages.ts";
import { cancelUnsent, isResponse } from "../native_response.ts";
import type { RouteInfo } from "../server/define/call.ts";
import { isResult, type Outcome, ResultError } from "../server/define/result.ts";
import type { Refusal } from "../server/http/answer.ts";
import type { Exchange, ReportedRequest } from "../server/http/exchange.ts";
import type { PlannedSocket, SocketPlace, Sockets } from "../server/http/sockets.ts";
import { crossSite, isForeign } from "../server/steps/authenticate.ts";
import { type AnyConversation, Connection, type ConnectionPlan, type OnClose, type Opening } from "./connection.ts";
import { asksForSocket, checkHandshake, invalidUpgrade, planToken, selectProtocol, shuttingDown } from "./handshake.ts";
import { planMessages } from "./messages.ts";
import {
  aDurationAboveZero,
  aFunction,
  anObject,
  aPositiveCount,
  checkRule,
  checkSettings,
  type OptionRules,
} from "../options.ts";

/** The options of {@linkcode denoSockets} and its like. */
export interface SocketsOptions {
  /**
   * The maximum size of a client's message in bytes: an integer, 1 or more. The server closes with 1009 after a longer one.
   * A contract may declare another for a route. Default: 65,536 (64 KiB).
   */
  readonly maxMessageBytes?: number;
  /**
   * The maximum number of levels of arrays and objects in a message: an integer, 1 or more. A deeper one is invalid.
   * Default: 100.
   */
  readonly maxDepth?: number;
  /**
   * The maximum number of a client's messages that nothing has read. Node then stops reading until half of them are read.
   * Other runtimes cannot, and the server closes with 1008. Default: 256.
   */
  readonly maxBufferedMessages?: number;
  /**
   * The maximum number of bytes that wait in each direction: those of a client that nothing has read, and those of the
   * server that the client has not taken. `send()` waits at half of it. If nothing awaits `send()`, the server closes with
   * 1013. Default: 1,048,576 (1 MiB).
   */
  readonly maxBufferedBytes?: number;
  /**
   * After how many milliseconds without a sign of a client the server asks for one, and after how many more it breaks the
   * connection off. Workers cannot ask. `Infinity` never asks. Default: 30,000.
   */
  readonly idleTimeout?: number;
  /**
   * After how many milliseconds the server sends an empty text message on connections whose messages are JSON. `connect()`
   * ignores it, and can tell by it that the connection is alive. Default: never.
   */
  readonly keepAlive?: number;
  /** Called when a connection has ended and its function has returned. Errors that it throws are ignored. Default: none. */
  readonly onClose?: OnClose;
}

/** What a runtime needs to open connections. */
export interface Runtime {
  /** Whether it shows only some fields of a handshake, which it checks itself. */
  readonly hidesHandshake?: true;
  /** Whether it leaves it to this package to notice clients that are silent. */
  readonly needsPings?: true;
  /** Opens a connection. Returns the native 101, if there is one. Throws if it refuses the handshake. */
  readonly upgrade: (exchange: Exchange, connection: Connection, plan: ConnectionPlan) => Response | void;
}

/** Options that are complete. */
type Settings = Required<Omit<SocketsOptions, "onClose" | "keepAlive">> & Pick<SocketsOptions, "onClose" | "keepAlive">;

const defaults = {
  maxMessageBytes: 65_536,
  maxDepth: 100,
  maxBufferedMessages: 256,
  maxBufferedBytes: 1_048_576,
  idleTimeout: 30_000,
};

const rules: OptionRules = {
  maxMessageBytes: aPositiveCount,
  maxDepth: aPositiveCount,
  maxBufferedMessages: aPositiveCount,
  maxBufferedBytes: aPositiveCount,
  idleTimeout: aDurationAboveZero,
  keepAlive: aDurationAboveZero,
  onClose: aFunction,
};

/** Returns complete options. Throws a `TypeError` if one is unknown or invalid. */
export function readSettings(options: SocketsOptions, where: string): Settings {
  checkRule(options, "the options", anObject, where);
  checkSettings(options, rules, where, describeConfidential);
  const set = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return { ...defaults, ...set };
}

/** The connections of one server. */
interface Pool {
  readonly settings: Settings;
  readonly runtime: Runtime;
  readonly connections: Set<Connection>;
  /** Those who wait for the end of all connections, once the server shuts down. */
  whenEmpty: (() => void)[] | undefined;
  readonly timers: ReturnType<typeof setInterval>[];
}

/** Creates the option `sockets` of a runtime, perhaps with more members. */
export function createSockets<Own extends object>(
  settings: Settings,
  runtime: Runtime,
  own: Own = {} as Own, // of a runtime that has none
): Sockets & Own {
  const connections = new Set<Connection>();
  const pool: Pool = { settings, runtime, connections, whenEmpty: undefined, timers: [] };
  const sockets = {
    ...own,
    get size(): number {
      return connections.size;
    },
    shutDown: () =>
      new Promise<void>((resolve) => {
        (pool.whenEmpty ??= []).push(resolve);
        for (const connection of connections) connection.shutDown();
        settle(pool);
      }),
    "~plan": (place: SocketPlace) => planRoute(place, pool),
  };
  return markAs("sockets", sockets);
}

/** Plans the connections of a route. */
function planRoute(place: SocketPlace, pool: Pool): PlannedSocket {
  const { allowsOrigin, node } = place;
  const plan = planConnections(place, pool);
  const readToken = planToken(node);
  return {
    admit: {
      phase: "security",
      take: (exchange): Outcome<void> => {
        if (!asksForSocket(exchange)) return undefined;
        if (isForeign(exchange, allowsOrigin)) return crossSite;
        if (pool.whenEmpty) return shuttingDown;
        readToken(exchange);
      },
    },
    upgrade: {
      phase: "encode",
      take: (exchange): Outcome<void> => {
        const { result } = exchange;
        if (isResult(result) && result.status === 101) return upgrade(exchange, result.body, plan, pool);
      },
    },
  };
}

function planConnections(place: SocketPlace, pool: Pool): ConnectionPlan {
  const { facts, route } = place;
  const { maxDepth, maxMessageBytes, onClose } = pool.settings;
  const name = routeLabel(route);
  return {
    ...pool.settings,
    maxMessageBytes: facts.maxMessageBytes ?? maxMessageBytes,
    route,
    name,
    messages: planMessages(facts, name, maxDepth),
    closes: facts.closes,
    protocols: facts.protocols ?? ["json"],
    admit: (connection) => admit(connection, pool),
    release: (connection) => {
      pool.connections.delete(connection);
      settle(pool);
    },
    report: (error, opening) =>
      place.report(error, toReported(opening, route), () => describeUpgrade(opening.protocol)),
    onClose,
  };
}

/**
 * Performs a handshake, whose result then has the native 101, unless the application has made it. Returns why it is
 * refused.
 */
function upgrade(exchange: Exchange, body: unknown, plan: ConnectionPlan, pool: Pool): Refusal | undefined {
  const refusal = checkHandshake(exchange, !pool.runtime.hidesHandshake);
  if (isResponse(body)) {
    if (refusal) cancelUnsent(body);
    return refusal;
  }
  const converse = toConversation(body, plan);
  if (refusal) return refusal;
  if (pool.whenEmpty) return shuttingDown;
  const { target, caller } = exchange;
  const protocol = selectProtocol(exchange.headers, plan.protocols);
  const connection = new Connection(plan, { target, caller, protocol }, converse);
  try {
    const native = pool.runtime.upgrade(exchange, connection, plan);
    exchange.result = { status: 101, body: native ?? describeUpgrade(protocol) };
  } catch (error) {
    if (error instanceof ResultError) throw error; // the wrong runtime
    return invalidUpgrade;
  }
}

function admit(connection: Connection, { connections, runtime, settings, timers, whenEmpty }: Pool): boolean {
  if (whenEmpty) return false;
  connections.add(connection);
  if (timers.length > 0) return true;
  const { idleTimeout, keepAlive = Infinity } = settings;
  const every = (time: number, act: (each: Connection) => void): void => {
    if (time < Infinity) timers.push(setInterval(() => connections.forEach(act), time));
  };
  if (runtime.needsPings) every(idleTimeout, (each) => each.check(idleTimeout));
  every(keepAlive, (each) => each.keepAlive());
  return true;
}

/** Ends the timers and the waits of a pool, once it is empty. */
function settle({ connections, timers, whenEmpty }: Pool): void {
  if (connections.size > 0) return;
  for (const timer of timers.splice(0)) clearInterval(timer);
  for (const resolve of whenEmpty?.splice(0) ?? []) resolve();
}

/** Returns the function of a result. Throws if it is something else. */
function toConversation(body: unknown, { name }: ConnectionPlan): AnyConversation {
  if (typeof body === "function") return body as AnyConversation; // the types declare its parameter
  const found = describeConfidential(body);
  throw new ResultError(
    `Cannot send the body of 101 from ${name}: it must be a function of the socket or a native Response, got ${found}`,
  );
}

/**
 * Returns what a 101 looks like where it was sent without a `Response`, or is no longer kept. No platform but Workers and
 * Bun constructs one.
 */
export function describeUpgrade(protocol: string | undefined): Response {
  const headers = new Headers({ upgrade: "websocket", connection: "Upgrade" });
  if (protocol !== undefined) headers.set("sec-websocket-protocol", protocol);
  return Object.defineProperty(new Response(null, { headers }), "status", { value: 101 });
}

/** Returns what is left of the request of an open connection, for reports of errors. */
function toReported({ target, caller }: Opening, route: RouteInfo): ReportedRequest {
  const request = new Request(new URL(target, "http://localhost"));
  return { request, method: "GET", signal: request.signal, headers: request.headers, route, caller };
}
