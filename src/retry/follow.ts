import { type CallInput, type CallMark } from "../client/client.ts";
import { type ReceivedByStatus, type SuccessfulResult } from "../client/result.ts";
import { type RouteNode } from "../contract/node.ts";
import { type ClientSlot } from "../contract/slots.ts";
import { describeConfidential } from "../describe_value.ts";
import { mark } from "../mark.ts";
import { type EventReader, type ItemReader, type ReceivedEvent } from "../representation/stream.ts";
import { type EventCall, type FollowOptions, readEvents } from "./read_events.ts";

/**
 * The route of a call that {@linkcode follow} may accept; `never` for any other.
 *
 * @internal
 */
export type FollowedRoute<Call> = Call extends CallMark<infer Route> ? Route : never;

/**
 * The events of a route; `never` if it has none.
 *
 * @internal
 */
export type EventOf<Route extends RouteNode> =
  SuccessfulResult<ReceivedByStatus<Route>[keyof Route["responses"] & number]>["body"] extends infer Body
    ? Body extends EventReader<infer Data> ? ReceivedEvent<Data> : never
    : never;

/**
 * The compiler's message for a call that `follow()` does not accept.
 *
 * @internal
 */
export type FollowCheck<Call> = [FollowedRoute<Call>] extends [never]
  ? "follow(): the route must be GET or QUERY and declare the header last-event-id"
  : [EventOf<FollowedRoute<Call>>] extends [never] ? "follow(): the route must declare response.sse() for a 2xx status"
  : TakesText<FollowedRoute<Call>> extends true ? unknown
  : "follow(): the header last-event-id must be a string";

/**
 * Whether the header `last-event-id` accepts any text.
 *
 * @internal
 */
export type TakesText<Route extends RouteNode> = ClientSlot<Route>["headers"] extends
  { readonly "last-event-id"?: infer Id } ? string extends Id ? true : false
  : false;

/**
 * The arguments of `follow()` after the call.
 *
 * @internal
 */
export type FollowArguments<Route extends RouteNode> = [Route] extends [never] ? unknown[]
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
 * @throws {TypeError} If the route's method is neither GET nor QUERY, if it does not have events, or if its body is a
 * stream.
 */
export function follow<Call extends (...args: never) => unknown>(
  call: Call & FollowCheck<Call>,
  ...[input, options]: FollowArguments<FollowedRoute<Call>>
): ItemReader<EventOf<FollowedRoute<Call>>> {
  const node = checkCall(call);
  const left = new AbortController();
  const events = readEvents({
    call: call as unknown as EventCall, // FollowCheck has checked it
    route: Object.freeze({ key: node.key, method: node.method, path: node.path }),
    input: (input ?? {}) as object,
    options: (options ?? {}) as FollowOptions,
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
  } as ItemReader<EventOf<FollowedRoute<Call>>>; // the route types the data
}

/** Returns the route of a call. Throws a `TypeError` if it cannot be followed. Only the types check the header. */
function checkCall(call: unknown): RouteNode {
  const node = typeof call === "function" ? (call as Partial<CallMark>)[mark] : undefined;
  if (!node) {
    throw new TypeError(
      `follow(): the first argument must be a call of a client, like client.messages, got ${
        describeConfidential(call)
      }`,
    );
  }
  const { key, method, responses, body } = node;
  const hasEvents = Object.entries(responses).some(([status, { contentType }]) =>
    /^2/.test(status) && contentType === "text/event-stream"
  );
  if (hasEvents && ["GET", "QUERY"].includes(method) && !body?.representation.startUpload) return node;
  throw new TypeError(
    `follow(): ${key} must be a GET or QUERY route with response.sse() for a 2xx status, and must not send a stream`,
  );
}
