/** Reads events over several connections (HTML Standard, section 9.2). */
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

/** The options of `follow()`: those of a call without `timeout`, and `reconnectOnEnd`. */
export interface FollowOptions extends Omit<CallOptions, "timeout"> {
  /**
   * The most milliseconds without a byte, also while it waits for a response. After that `follow()` closes the
   * connection and opens a new one. Default: `Infinity`.
   */
  readonly silence?: number | undefined;
  /** Whether `follow()` reconnects when a stream ends. Pass `false` for a finite stream. Default: `true`. */
  readonly reconnectOnEnd?: boolean | undefined;
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
  /** How many connections have failed since the last one was open. */
  failures: number;
}

/** Failures that are usually temporary. */
const passing: readonly unknown[] = ["network", 429, 502, 503, 504];

/** Yields the events of all connections, until a response with status 204 ends them. */
export async function* readEvents(followed: Followed): AsyncGenerator<ReceivedEvent, undefined> {
  const { input, options, left } = followed;
  const { "last-event-id": first = "", ...headers }: { readonly "last-event-id"?: unknown } = input.headers ?? {};
  const place: Place = { lastEventId: String(first), reconnectionTime: 3000, failures: 0 };
  while (!left.aborted) {
    let response: Response | undefined;
    place.failures++; // reset once it is open
    try {
      const resumed = place.lastEventId === "" ? headers : { ...headers, "last-event-id": place.lastEventId };
      const result = await connect(followed, resumed);
      response = result?.response;
      if (result?.status === 204) return;
      const events = result && openEvents(followed, result);
      if (events) {
        yield* readConnection(events, place);
        if (options.reconnectOnEnd === false) return;
      }
    } catch (error) {
      if (left.aborted || statusOf(error) === 204) return;
      if (!isPassing(error)) throw error;
      ({ response } = error);
    }
    await wait(nextWait(place, response), joinSignals(options.signal, left));
  }
}

/** Opens a connection. Returns `undefined` if a response does not arrive within `silence`. */
async function connect(
  { call, input, options, left }: Followed,
  headers: object,
): Promise<AnyOutcome | undefined> {
  const { reconnectOnEnd: _, ...callOptions } = options;
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
  place.failures = 0;
  try {
    yield* events;
  } finally {
    place.lastEventId = events.lastEventId;
    place.reconnectionTime = events.reconnectionTime ?? place.reconnectionTime;
  }
}

function isPassing(error: unknown): error is ClientError {
  return isInstance(error, ClientError) && (error.code === "timeout" || passing.includes(statusOf(error)));
}

/**
 * Returns the milliseconds until the next connection. After a failure it respects `Retry-After`, and backs off further
 * each time.
 */
function nextWait({ failures, reconnectionTime }: Place, response: Response | undefined): number {
  if (failures === 0) return reconnectionTime;
  return Math.max(readRetryAfter(response) ?? reconnectionTime, backOff(failures));
}
