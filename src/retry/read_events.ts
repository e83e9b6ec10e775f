/** Reads events over several connections (HTML Standard, section 9.2). */
import { attempt } from "../awaitable.ts";
import { type AnyOutcome } from "../client/around.ts";
import { type CalledRoute, ClientError } from "../client/error.ts";
import { isSuccessful } from "../client/result.ts";
import { type CallOptions } from "../client/settings.ts";
import { isInstance } from "../is_instance.ts";
import { markAs } from "../mark.ts";
import { closeSource } from "../producer.ts";
import { type EventReader, type ReceivedEvent } from "../representation/stream.ts";
import { routeLabel } from "../route_label.ts";
import { joinSignals, longestTimeout } from "../signals.ts";
import { statusOf } from "./status_of.ts";
import { backOff, readRetryAfter, wait } from "./wait.ts";

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

/** A call of any route, without the types of that route. */
export type EventCall = (input: object, options: object) => Promise<AnyOutcome>;

/** A call to follow. */
export interface Followed {
  readonly call: EventCall;
  readonly route: CalledRoute;
  readonly input: { readonly headers?: object };
  readonly options: FollowOptions;
  /** Aborts when the reader leaves the loop. */
  readonly left: AbortSignal;
}

/** Where the next connection continues. */
interface Place {
  lastEventId: string;
  /** The wait before the next connection, in milliseconds: 3 seconds until the server sends another value. */
  reconnectionTime: number;
  /** How many connections in a row have failed, or have ended within 30 seconds without an event. */
  failures: number;
}

/** The least milliseconds between two connections. */
const leastWait = 500;

/** A connection that was open for longer than this, in milliseconds, has not failed, even without an event. */
const quietTime = 30_000;

/** Failures that are usually temporary. */
const passing: readonly unknown[] = ["network", 429, 502, 503, 504];

/** Yields the events of all connections, until a response with status 204 ends them. */
export async function* readEvents(followed: Followed): AsyncGenerator<ReceivedEvent, undefined> {
  const { input, options, left } = followed;
  const { "last-event-id": first = "", ...headers }: { readonly "last-event-id"?: unknown } = input.headers ?? {};
  const place: Place = { lastEventId: String(first), reconnectionTime: 3000, failures: 0 };
  while (!left.aborted) {
    let response: Response | undefined;
    let error: ClientError | undefined;
    let events: EventReader | undefined;
    place.failures++; // reset by an event
    try {
      const resumed = place.lastEventId !== "";
      const result = await connect(followed, resumed ? { ...headers, "last-event-id": place.lastEventId } : headers);
      response = result?.response;
      if (result?.status === 204) return;
      events = result && openEvents(followed, result);
      if (events) {
        attempt(() => options.onConnect?.({ resumed }), ignore, ignore);
        yield* readConnection(events, place);
        if (options.reconnectOnEnd === false) return;
      }
    } catch (cause) {
      if (left.aborted || statusOf(cause) === 204) return;
      if (!isPassing(cause)) throw cause;
      error = cause;
      ({ response } = error);
    }
    const milliseconds = nextWait(place, response);
    if (events) attempt(() => options.onDisconnect?.({ wait: milliseconds, error }), ignore, ignore);
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
  const { status, body, response } = result;
  if (isSuccessful(result) && isEvents(body)) return body;
  closeSource(body);
  if (passing.includes(status)) return undefined;
  const message = `Cannot follow ${routeLabel(route)}: its status is ${status}`;
  throw new ClientError("unsuccessful", message, { route, status, response, result });
}

function isEvents(body: unknown): body is EventReader {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body && "lastEventId" in body;
}

/** Yields the events of one connection. However it ends, `place` then tells where the next one continues. */
async function* readConnection(events: EventReader, place: Place): AsyncGenerator<ReceivedEvent, void> {
  const opened = performance.now();
  try {
    for await (const event of events) {
      place.failures = 0;
      yield event;
    }
  } finally {
    if (performance.now() - opened > quietTime) place.failures = 0;
    place.lastEventId = events.lastEventId;
    place.reconnectionTime = events.reconnectionTime ?? place.reconnectionTime;
  }
}

function isPassing(error: unknown): error is ClientError {
  return isInstance(error, ClientError) && (error.code === "timeout" || passing.includes(statusOf(error)));
}

/**
 * Returns the milliseconds until the next connection, at least 500. After a failure it respects `Retry-After`, and backs
 * off further each time.
 */
function nextWait({ failures, reconnectionTime }: Place, response: Response | undefined): number {
  const asked = failures === 0 ? reconnectionTime : readRetryAfter(response) ?? reconnectionTime;
  return Math.max(asked, failures === 0 ? 0 : backOff(failures), leastWait);
}

function ignore(): void {}
