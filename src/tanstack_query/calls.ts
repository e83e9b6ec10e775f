/** Types and checks of the calls that become options of TanStack Query. */
import { type ClientError } from "../client/error.ts";
import { type AnyCall, type UnsuccessfulOf } from "../client/is_error_of.ts";
import { type AnyResult, type SuccessfulResult } from "../client/result.ts";
import { type CallOptions } from "../client/settings.ts";
import { type RouteNode } from "../contract/node.ts";
import { describeConfidential } from "../describe_value.ts";
import { mark } from "../mark.ts";

/**
 * The input of a call; `never` if its route declares no slots.
 *
 * @internal
 */
export type CallInputOf<Call> = Call extends (...args: infer Arguments) => unknown
  ? Required<Arguments> extends readonly [infer Input, unknown] ? Input : never
  : never;

/**
 * Whether a call may be made without an input.
 *
 * @internal
 */
export type IsInputOptional<Call> = Call extends (...args: infer Arguments) => unknown
  ? [] extends Arguments ? true : false
  : false;

/**
 * A 2xx result of a call.
 *
 * @internal
 */
export type SuccessOf<Call> = Call extends (...args: never) => Promise<infer Result extends AnyResult>
  ? SuccessfulResult<Result>
  : never;

/**
 * The body of a 2xx result of a call.
 *
 * @internal
 */
export type CallBodyOf<Call> = Call extends (...args: never) => Promise<infer Result extends AnyResult>
  ? SuccessfulResult<Result>["body"]
  : never;

/**
 * The error of a call whose result is not 2xx.
 *
 * @internal
 */
export type ErrorOf<Call> = Call extends AnyCall ? ClientError<UnsuccessfulOf<Call> | undefined> : never;

/** A call of any route, without the types of that route. */
export type LooseCall = (input: unknown, options: CallOptions | undefined) => Promise<AnyResult>;

/**
 * The compiler's message for a call whose data can be read only once.
 *
 * @internal
 */
export type ReadAgainCheck<Call> = [
  Extract<CallBodyOf<Call>, AsyncIterable<unknown> | ReadableStream<unknown> | Response>,
] extends [never] ? unknown : "queryOptions(): the response can be read only once; call it without TanStack Query";

/** Returns the route of a call. Throws a `TypeError` for anything else. */
export function routeOf(call: unknown, name: string): RouteNode {
  const node = typeof call === "function" ? (call as { readonly [mark]?: RouteNode })[mark] : undefined;
  if (!node) {
    throw new TypeError(
      `${name}(): the first argument must be a call of a client, like client.users.byId, got ${
        describeConfidential(call)
      }`,
    );
  }
  return node;
}

/** Returns a call that always takes an input, and drops it if the route declares no slots. */
export function toLooseCall(call: AnyCall, hasInput: boolean): LooseCall {
  const send = call as unknown as (...args: readonly unknown[]) => Promise<AnyResult>; // the types of the arguments match
  return hasInput ? send : (_, options) => send(options);
}

/** Throws a `TypeError` for a route whose data can be read only once: a query keeps its data for several readers. */
export function refuseStreams({ key, responses }: RouteNode, name: string): void {
  for (const [status, { representation }] of Object.entries(responses)) {
    if (!/^2/.test(status) || !representation.readLater) continue;
    throw new TypeError(
      `${name}(): the response ${status} of ${key} can be read only once; call it without TanStack Query`,
    );
  }
}
