import { type AnyCall, unwrap } from "../../client/result.ts";
import type { CallOptions } from "../../client/settings.ts";
import {
  type CallBodyOf,
  type CallInputOf,
  checkNoStreams,
  type ErrorOf,
  type IsInputOptional,
  type ReadAgainCheck,
  toDeclared,
  toLooseCall,
  toQueryKey,
} from "./calls.ts";

/** The options of a query, for `useQuery`, `fetchQuery` and other functions that accept them. */
export interface QueryOptions<Data, Failure> {
  /** The parts of the route's key, then the input. */
  readonly queryKey: readonly unknown[];
  /** Calls the route. Rejects with a `ClientError` if the result is not 2xx. */
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>;
  /** Never set. It declares the type of the error to TanStack Query. */
  readonly retryDelay?: (failureCount: number, error: Failure) => number;
}

/**
 * The data of a query. An empty body becomes `null`, because TanStack Query rejects `undefined`.
 *
 * @internal
 */
export type QueryData<Body> = Body extends undefined ? null : Body;

/**
 * The arguments after the call: an input if the route declares slots, then the options of its calls.
 *
 * @internal
 */
export type QueryArguments<Call> = [CallInputOf<Call>] extends [never] ? [options?: Omit<CallOptions, "signal">]
  : IsInputOptional<Call> extends true ? [input?: CallInputOf<Call>, options?: Omit<CallOptions, "signal">]
  : [input: CallInputOf<Call>, options?: Omit<CallOptions, "signal">];

/**
 * Returns the options of a query that calls a route. The data are the body of a 2xx result; any other result becomes a
 * `ClientError`. It takes the arguments of the call. The options exclude `signal`, because TanStack Query aborts the
 * call.
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
 * @throws {TypeError} If a 2xx response of the route is a stream or raw, or for the reasons of {@linkcode queryKey}.
 */
export function queryOptions<Call extends AnyCall>(
  call: Call & ReadAgainCheck<Call>,
  ...args: QueryArguments<Call>
): QueryOptions<QueryData<CallBodyOf<Call>>, ErrorOf<Call>> {
  const declared = toDeclared(call, "queryOptions");
  checkNoStreams(declared, "queryOptions");
  const send = toLooseCall(call, declared);
  const [input, options] = declared.slots.length > 0 ? args : [undefined, ...args];
  return {
    queryKey: toQueryKey(declared, input),
    queryFn: async ({ signal }) => {
      const body = unwrap(await send(input, { ...Object(options), signal }));
      return (body === undefined ? null : body) as QueryData<CallBodyOf<Call>>; // the contract types the body
    },
  };
}
