import { type AnyCall } from "../client/is_error_of.ts";
import { unwrap } from "../client/result.ts";
import { type CallOptions } from "../client/settings.ts";
import { declaredSlots } from "../contract/slots.ts";
import {
  type BodyOf,
  type ErrorOf,
  type InputOf,
  type IsInputOptional,
  refuseStreams,
  routeOf,
  toLooseCall,
} from "./calls.ts";
import { toQueryKey } from "./query_key.ts";

/** The options of a query, for `useQuery`, `fetchQuery` and everything else that takes them. */
export interface QueryOptions<Data, Failure> {
  /** The parts of the route's key, then the input. */
  readonly queryKey: readonly unknown[];
  /** Calls the route; rejects with a `ClientError` for everything that is not a 2xx. */
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>;
  /** Never set: it tells the types of TanStack Query which error a query has. */
  readonly retryDelay?: (failureCount: number, error: Failure) => number;
}

/**
 * The data of a query: TanStack Query takes `null` for a body that is empty, and not `undefined`.
 *
 * @internal
 */
export type QueryData<Body> = Body extends undefined ? null : Body;

/**
 * What is given beside a call: an input only where its route has inputs, then the options of its calls.
 *
 * @internal
 */
export type QueryArguments<Call> = [InputOf<Call>] extends [never] ? [options?: Omit<CallOptions, "signal">]
  : IsInputOptional<Call> extends true ? [input?: InputOf<Call>, options?: Omit<CallOptions, "signal">]
  : [input: InputOf<Call>, options?: Omit<CallOptions, "signal">];

/**
 * The options of a query that calls a route: its key, and a function that returns the body of a 2xx result and throws a
 * `ClientError` for every other one. Takes what the call takes, except for `signal`: TanStack Query aborts the call.
 *
 * @example A query
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { createClient } from "@scope/api/client";
 * import { queryOptions } from "@scope/api/tanstack-query";
 * import { assertEquals } from "@std/assert";
 * import { QueryClient } from "@tanstack/query-core";
 *
 * const contract = defineContract({
 *   routes: { greet: route.get("/greet/:name", { responses: { 200: response.text() } }) },
 * });
 * const client = createClient(contract, {
 *   baseUrl: "https://api.example.com",
 *   fetch: () => new Response("Hello, Ada!"),
 * });
 *
 * const queries = new QueryClient();
 * assertEquals(await queries.fetchQuery(queryOptions(client.greet, { params: { name: "Ada" } })), "Hello, Ada!");
 * queries.clear();
 * ```
 *
 * @throws {TypeError} For a route with a 2xx response that is a stream or raw, and wherever {@linkcode queryKey} throws.
 */
export function queryOptions<Call extends AnyCall>(
  call: Call,
  ...given: QueryArguments<Call>
): QueryOptions<QueryData<BodyOf<Call>>, ErrorOf<Call>> {
  const node = routeOf(call, "queryOptions");
  refuseStreams(node);
  const hasInput = declaredSlots(node).length > 0;
  const send = toLooseCall(call, hasInput);
  const [input, options] = hasInput ? given : [undefined, ...given];
  return {
    queryKey: toQueryKey(node, input),
    queryFn: async ({ signal }) => {
      const body = unwrap(await send(input, { ...options as object, signal }));
      return (body === undefined ? null : body) as QueryData<BodyOf<Call>>; // which the contract types
    },
  };
}
