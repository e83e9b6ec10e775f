/** `follow()`: events of a route, over as many connections as it takes. */
import { attempt, ignore, joinSignals, longestTimeout, wait } from "../../awaitable.ts";
import type { AnyOutcome, CallOptions } from "../../client/settings.ts";
import type { CallInput, MarkedRoute } from "../../client/client.ts";
import { type CalledRoute, ClientError } from "../../client/error.ts";
import {
  isSuccessful,
  type ReceivedByStatus,
  type SuccessfulResult,
  toDeclared,
  toUnsuccessful,
} from "../../client/result.ts";
import type { RouteCall } from "../../contract/call.ts";
import type { RouteNode } from "../../contract/node.ts";
import type { ClientSlot } from "../../contract/slots.ts";
import { describeConfidential, routeLabel } from "../../messages.ts";
import { isInstance, isObject, markAs } from "../../mark.ts";
import {
  aBoolean,
  aFunction,
  anObject,
  aSignal,
  checkKeys,
  checkRules,
  readPlainOptions,
  type ValueRule,
} from "../../options.ts";
import type { ItemReader } from "../../representation/stream.ts";
import { isPassing, nextWait, passing, quietTime, type Reconnection, statusOfFailure, usualWait } from "./wait.ts";
import type { EventReader, ReceivedEvent } from "../../representation/sse.ts";
import { closeSource } from "../../wire/producer.ts";

/**
 * The events of a route; `never` if it has none.
 *
 * @internal
 */
type EventOf<Route extends RouteNode> =
  SuccessfulResult<ReceivedByStatus<Route>[keyof Route["responses"] & number]>["body"] extends infer Body
    ? Body extends EventReader<infer Data> ? ReceivedEvent<Data> : never
    : never;

/**
 * The compiler's message for a call that `follow()` does not accept.
 *
 * @internal
 */
type FollowCheck<Call> = [MarkedRoute<Call>] extends [never]
  ? "follow(): the route must be GET or QUERY and declare the header last-event-id"
  : [EventOf<MarkedRoute<Call>>] extends [never] ? "follow(): the route must declare response.sse() for a 2xx status"
  : TakesText<MarkedRoute<Call>> extends true ? unknown
  : "follow(): the header last-event-id must be a string";

/** Whether the header `last-event-id` accepts any text. */
type TakesText<Route extends RouteNode> = ClientSlot<Route>["headers"] extends { readonly "last-event-id"?: infer Id }
  ? string extends Id ? true : false
  : false;

/**
 * The arguments of `follow()` after the call.
 *
 * @internal
 */
type FollowArguments<Route extends RouteNode> = [Route] extends [never] ? unknown[]
  : Record<never, never> extends CallInput<Route> ? [input?: CallInput<Route>, options?: FollowOptions]
  : [input: CallInput<Route>, options?: FollowOptions];

/**
 * Iterates over the events of a route and reconnects, as a browser's `EventSource` does (HTML Standard, section 9.2).
 * When a connection ends, breaks off or is refused temporarily, it opens the next one with the last event's id. Use it
 * in a single `for await`; leaving the loop closes the connection.
 *
 * @example Events over two connections
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { createClient } from "@scope/api/client";
 * import { follow } from "@scope/api/retry";
 * import { assertEquals } from "@std/assert";
 * import { type } from "arktype";
 *
 * const contract = defineContract({
 *   routes: {
 *     ticks: route.get("/ticks", {
 *       headers: type({ "last-event-id?": "string" }),
 *       responses: { 200: response.sse(type("number")) },
 *     }),
 *   },
 * });
 * const client = createClient(contract, {
 *   baseUrl: "https://api.example.com",
 *   fetch: ({ headers }) => {
 *     const next = Number(headers.get("last-event-id") ?? 0) + 1;
 *     return new Response(`retry: 500\nid: ${next}\ndata: ${next}\n\n`, { headers: { "content-type": "text/event-stream" } });
 *   },
 * });
 *
 * const seen: number[] = [];
 * for await (const { data } of follow(client.ticks)) {
 *   seen.push(data);
 *   if (data === 3) break;
 * }
 * assertEquals(seen, [1, 2, 3]);
 * ```
 *
 * @throws {TypeError} If the route's method is neither GET nor QUERY, if it does not have events, if its body is a
 * stream, if the input has an unknown slot, or if an option is invalid.
 */
export function follow<Call extends (...args: never) => unknown>(
  call: Call & FollowCheck<Call>,
  ...[input, options]: FollowArguments<MarkedRoute<Call>>
): ItemReader<EventOf<MarkedRoute<Call>>> {
  const { key, method, path, slots } = checkCall(call);
  const given = checkKeys(input, slots, "slot", where);
  checkRules(given, { headers: anObject }, where, describeConfidential);
  const left = new AbortController();
  const events = readEvents({
    call: call as EventCall, // FollowCheck has checked it
    route: Object.freeze({ key, method, path }),
    input: given,
    options: readPlainOptions(options, rules, where),
    left: left.signal,
  });
  return {
    next: () => events.next(),
    return(): Promise<IteratorReturnResult<undefined>> {
      left.abort();
      events.return(undefined).catch(() => {}); // errors of the closed source are ignored
      return Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator](): typeof this {
      return this;
    },
  } as ItemReader<EventOf<MarkedRoute<Call>>>; // the route types the data
}

/** Returns a call as data. Throws a `TypeError` if it cannot be followed. Only the types check the header. */
function checkCall(call: unknown): RouteCall {
  const declared = toDeclared(call, "follow");
  const { key, method, responses, body } = declared;
  const hasEvents = [...responses].some(([status, { contentType }]) =>
    isSuccessful({ status }) && contentType === "text/event-stream"
  );
  if (hasEvents && ["GET", "QUERY"].includes(method) && !body?.representation.startUpload) return declared;
  throw new TypeError(
    `follow(): ${key} must be a GET or QUERY route with response.sse() for a 2xx status, and must not send a stream`,
  );
}

/** A connection of `follow()` that is open. */
export interface OpenConnection {
  /**
   * Whether the request sent an event id, so that the server can send the events since then. If it is `false`, events
   * before this connection may be missing: read the current state.
   */
  readonly resumed: boolean;
}

/** A connection of `follow()` that has ended, and is followed by another one. */
export interface ClosedConnection {
  /** The milliseconds until the next connection. */
  readonly wait: number;
  /** Why the connection broke off. `undefined` if the server ended the stream. */
  readonly error: ClientError | undefined;
}

/** The options of `follow()`: those of a call without `timeout`, and those of its connections. */
export interface FollowOptions extends Omit<CallOptions, "timeout"> {
  /**
   * The most milliseconds without a byte, also while it waits for a response. After that `follow()` closes the
   * connection and opens a new one. Default: `Infinity`.
   */
  readonly silence?: number | undefined;
  /** Whether `follow()` reconnects when a stream ends. Pass `false` for a finite stream. Default: `true`. */
  readonly reconnectOnEnd?: boolean | undefined;
  /** Called when a connection is open, before its first event. Errors thrown by it are ignored. */
  readonly onConnect?: ((connection: OpenConnection) => unknown) | undefined;
  /** Called when an open connection has ended, before the wait for the next one. Errors thrown by it are ignored. */
  readonly onDisconnect?: ((connection: ClosedConnection) => unknown) | undefined;
}

const where = "follow()";

/** The rules of the options. The call checks those that it receives as they are. */
const rules = {
  signal: aSignal,
  silence: undefined,
  headers: undefined,
  init: undefined,
  maxBodyBytes: undefined,
  maxRecordBytes: undefined,
  reconnectOnEnd: aBoolean,
  onConnect: aFunction,
  onDisconnect: aFunction,
} satisfies Readonly<Record<keyof FollowOptions, ValueRule | undefined>>;

/** A call of any route, without the types of that route. */
type EventCall = (input: object, options: object) => Promise<AnyOutcome>;

/** A call to follow. */
interface Followed {
  readonly call: EventCall;
  readonly route: CalledRoute;
  readonly input: { readonly headers?: object };
  readonly options: FollowOptions;
  /** Aborts when the reader leaves the loop. */
  readonly left: AbortSignal;
}

/** Where the next connection continues. */
interface Continuation extends Reconnection {
  lastEventId: string;
}

/** Yields the events of all connections, until a response with status 204 ends them. */
async function* readEvents(followed: Followed): AsyncGenerator<ReceivedEvent, undefined> {
  const { input, options, left } = followed;
  const { "last-event-id": first = "", ...headers }: { readonly "last-event-id"?: unknown } = input.headers ?? {};
  const next: Continuation = { lastEventId: String(first), reconnectionTime: usualWait, failures: 0 };
  while (!left.aborted) {
    let response: Response | undefined;
    let error: ClientError | undefined;
    let events: EventReader | undefined;
    next.failures++; // reset by an event
    try {
      const resumed = next.lastEventId !== "";
      const result = await connect(followed, resumed ? { ...headers, "last-event-id": next.lastEventId } : headers);
      response = result?.response;
      if (result?.status === 204) return;
      events = result && openEvents(followed, result);
      if (events) {
        attempt(() => options.onConnect?.({ resumed }), ignore);
        yield* readConnection(events, next);
        if (options.reconnectOnEnd === false) return;
      }
    } catch (cause) {
      if (left.aborted) return;
      if (!isInstance(cause, ClientError)) throw cause;
      if (statusOfFailure(cause) === 204) return;
      if (!isPassing(cause)) throw cause;
      error = cause;
      ({ response } = error);
    }
    const milliseconds = nextWait(next, response);
    if (events) attempt(() => options.onDisconnect?.({ wait: milliseconds, error }), ignore);
    await wait(milliseconds, joinSignals(options.signal, left));
  }
}

/** Opens a connection. Returns `undefined` if a response does not arrive within `silence`. */
async function connect(
  { call, input, options, left }: Followed,
  headers: object,
): Promise<AnyOutcome | undefined> {
  const { reconnectOnEnd: _, onConnect: _open, onDisconnect: _closed, ...callOptions } = options;
  const { signal, silence = Infinity } = options;
  const silent = new AbortController();
  const timer = silence <= longestTimeout ? setTimeout(() => silent.abort(), Math.max(silence, 0)) : undefined;
  const ending = joinSignals(joinSignals(signal, left), silent.signal);
  try {
    return await call({ ...input, headers }, markAs("follow", { ...callOptions, signal: ending }));
  } catch (cause) {
    if (silent.signal.aborted && !signal?.aborted) return undefined;
    throw cause;
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the events of a result; `undefined` if its status is temporary. */
function openEvents({ route }: Followed, result: AnyOutcome): EventReader | undefined {
  const { status, body } = result;
  if (isSuccessful(result) && isEvents(body)) return body;
  closeSource(body);
  if (passing.includes(status)) return undefined;
  throw toUnsuccessful(`follow ${routeLabel(route)}`, result, route);
}

function isEvents(body: unknown): body is EventReader {
  return isObject(body) && Symbol.asyncIterator in body && "lastEventId" in body;
}

/** Yields the events of one connection. However it ends, `next` then tells where the next one continues. */
async function* readConnection(events: EventReader, next: Continuation): AsyncGenerator<ReceivedEvent, void> {
  const opened = performance.now();
  try {
    for await (const event of events) {
      next.failures = 0;
      yield event;
    }
  } finally {
    if (performance.now() - opened > quietTime) next.failures = 0;
    next.lastEventId = events.lastEventId;
    next.reconnectionTime = events.reconnectionTime ?? next.reconnectionTime;
  }
}
