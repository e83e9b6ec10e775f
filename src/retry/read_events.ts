/** Events, connection after connection (HTML Standard, section 9.2). */
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

/** The options of `follow()`: those of a call, and one more. */
export interface FollowOptions extends Omit<CallOptions, "timeout"> {
  /**
   * The most milliseconds without a byte: then the connection is given up, and a new one is made. It counts while a response is awaited,
   * too. Default: `Infinity`.
   */
  readonly silence?: number | undefined;
  /** Whether a stream that has ended goes on with the next connection; `false` for one that is finite. Default: `true`. */
  readonly reconnectOnEnd?: boolean | undefined;
}

/** The call of a route, in the form that all have. */
export type EventCall = (input: object, options: object) => Promise<AnyOutcome>;

/** What is followed. */
export interface Followed {
  readonly call: EventCall;
  readonly route: CalledRoute;
  readonly input: { readonly headers?: object };
  readonly options: FollowOptions;
  /** Aborts when nobody reads on. */
  readonly left: AbortSignal;
}

/** The place from which the next connection goes on. */
interface Place {
  lastEventId: string;
  /** The wait before it, in milliseconds: 3 seconds until the server says otherwise. */
  reconnectionTime: number;
  /** How many connections have failed since one was open. */
  failures: number;
}

/** What another connection may be refused for no longer. */
const passing: readonly unknown[] = ["network", 429, 502, 503, 504];

/** The events of all connections, until one tells that there are no more. */
export async function* readEvents(followed: Followed): AsyncGenerator<ReceivedEvent, undefined> {
  const { input, options, left } = followed;
  const { "last-event-id": first = "", ...headers }: { readonly "last-event-id"?: unknown } = input.headers ?? {};
  const place: Place = { lastEventId: String(first), reconnectionTime: 3000, failures: 0 };
  while (!left.aborted) {
    let response: Response | undefined;
    place.failures++; // until it is open
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

/** Makes a connection; `undefined` where no response came for as long as the events may be silent. */
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

/** The events of a result; `undefined` where it says that there are none for a while. */
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

/** The events of one connection; however it ends, the place is known from which the next one goes on. */
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

/** The milliseconds until the next connection: where it was refused, as the response asks, and longer with each one. */
function nextWait({ failures, reconnectionTime }: Place, response: Response | undefined): number {
  if (failures === 0) return reconnectionTime;
  return Math.max(readRetryAfter(response) ?? reconnectionTime, backOff(failures));
}
