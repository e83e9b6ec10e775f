/** Types and checks of the calls that become options of TanStack Query. */
import type { ClientError } from "../../client/error.ts";
import {
  type AnyCall,
  type AnyResult,
  isSuccessful,
  type SuccessfulResult,
  type UnsuccessfulOf,
} from "../../client/result.ts";
import type { CallOptions } from "../../client/settings.ts";
import type { RouteCall } from "../../contract/call.ts";
import { describeConfidential } from "../../messages.ts";
import { mark } from "../../mark.ts";
import type { CallMark } from "../../client/client.ts";
import { isPlainObject } from "../../wire/text_fields.ts";

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
type LooseCall = (input: unknown, options: CallOptions | undefined) => Promise<AnyResult>;

/**
 * The compiler's message for a call whose data can be read only once.
 *
 * @internal
 */
export type ReadAgainCheck<Call> = [
  Extract<CallBodyOf<Call>, AsyncIterable<unknown> | ReadableStream<unknown> | Response>,
] extends [never] ? unknown : "the response can be read only once; call it without TanStack Query";

/** Returns a call as data. Throws a `TypeError` for anything else. */
export function toDeclared(call: unknown, name: string): RouteCall {
  if (isCall(call)) return call[mark];
  throw new TypeError(
    `${name}(): the first argument must be a call of a client, like client.users.byId, got ${
      describeConfidential(call)
    }`,
  );
}

function isCall(value: unknown): value is CallMark {
  return typeof value === "function" && mark in value;
}

/** Returns a call that always takes an input, and drops it if the route declares no slots. */
export function toLooseCall(call: AnyCall, { slots }: RouteCall): LooseCall {
  const send = call as (...args: readonly unknown[]) => Promise<AnyResult>; // the types of the arguments match
  return slots.length > 0 ? send : (_, options) => send(options);
}

/** Throws a `TypeError` for a route whose data can be read only once: a query keeps its data for several readers. */
export function checkNoStreams({ key, responses }: RouteCall, name: string): void {
  for (const [status, { representation }] of responses) {
    if (!isSuccessful({ status }) || !representation.readLater) continue;
    throw new TypeError(
      `${name}(): the response ${status} of ${key} can be read only once; call it without TanStack Query`,
    );
  }
}

/**
 * Returns the key of a route's queries: the parts of the route's key, then the input. Without an input, the key
 * matches the queries of all inputs. With part of an input, it matches the queries whose input contains that part.
 *
 * @example The key of one query, and of all queries of a route
 * ```ts
 * import { defineContract, response, route, router } from "@scope/api";
 * import { createClient } from "@scope/api/client";
 * import { queryKey } from "@scope/api/tanstack-query";
 * import { assertEquals } from "@std/assert";
 *
 * const contract = defineContract({
 *   routes: { users: router("/users", { routes: { byId: route.get("/:id", { responses: { 200: response.text() } }) } }) },
 * });
 * const client = createClient(contract, { baseUrl: "https://api.example.com" });
 *
 * assertEquals(queryKey(client.users.byId, { params: { id: "1" } }), ["users", "byId", { params: { id: "1" } }]);
 * assertEquals(queryKey(client.users.byId), ["users", "byId"]);
 * ```
 *
 * @throws {TypeError} If the function is not a call of a client. Also if the input contains a value that JSON drops,
 * such as a `Map`.
 */
export function queryKey<Call extends AnyCall>(call: Call, input?: Partial<CallInputOf<Call>>): readonly unknown[] {
  return toQueryKey(toDeclared(call, "queryKey"), input);
}

/** Returns the key of a route's queries, for all inputs or for one. */
export function toQueryKey({ key }: RouteCall, input: unknown): readonly unknown[] {
  const parts = key.split(".");
  return input === undefined ? parts : [...parts, toKeyValue(input, key)];
}

/** Returns a value whose JSON is unique to it, because TanStack Query finds queries by the JSON of their keys. */
function toKeyValue(value: unknown, key: string): unknown {
  if (typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value))) return String(value);
  if (typeof value !== "object" || value === null || hasJson(value)) return value;
  if (Array.isArray(value)) return value.map((item) => toKeyValue(item, key));
  const isPlain: boolean = isPlainObject(value);
  if (isPlain) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toKeyValue(member, key)]));
  }
  throw new TypeError(
    `queryKey(): the input of ${key} must be JSON, got a ${value.constructor.name}; write the options of the query yourself`,
  );
}

function hasJson(value: object): boolean {
  return "toJSON" in value && typeof value.toJSON === "function";
}
