import { type AnyCall, type AnyResult, type CallError, type SuccessfulResult, unwrap } from "../../client/result.ts";
import type { CallOptions } from "../../client/settings.ts";
import {
  type CallOf,
  checkCallOptions,
  type InputIn,
  type QueryData,
  type ReadAgainCheck,
  readQuery,
  toQueryKey,
  type TypedQueryKey,
} from "./calls.ts";

/** The options of a query, for `useQuery`, `fetchQuery` and other functions that accept them. */
export interface QueryOptions<Data, Failure> {
  /** The parts of the route's key, then the input. TanStack Query's cache is typed by it. */
  readonly queryKey: TypedQueryKey<Data, Failure>;
  /** Calls the route. Rejects with a `ClientError` if the result is not 2xx. */
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>;
  /** Never set. It declares the type of the error to TanStack Query. */
  readonly throwOnError?: (error: Failure) => boolean;
}

/** The options of a query whose input may be TanStack Query's `skipToken`. `useSuspenseQuery` does not accept them. */
export interface SkippableQueryOptions<Data, Failure, Token extends symbol> {
  /** The parts of the route's key, then the input. Without an input if the query is skipped. */
  readonly queryKey: TypedQueryKey<Data, Failure>;
  /** Calls the route, or is `skipToken`, so that TanStack Query does not run the query. */
  readonly queryFn: ((context: { readonly signal: AbortSignal }) => Promise<Data>) | Token;
  /** Never set. It declares the type of the error to TanStack Query. */
  readonly throwOnError?: (error: Failure) => boolean;
}

/**
 * The options of the calls of a query.
 *
 * @internal
 */
export interface QueryCallOptions extends Omit<CallOptions, "signal"> {}

/**
 * The arguments after the call, by those of the call: an input if the route declares slots, then the options of its
 * calls.
 *
 * @internal
 */
export type QueryArguments<Args extends readonly unknown[]> = [InputIn<Args>] extends [never]
  ? [options?: QueryCallOptions]
  : [] extends Args ? [input?: InputIn<Args>, options?: QueryCallOptions]
  : [input: InputIn<Args>, options?: QueryCallOptions];

/**
 * `unknown` if an input may be a symbol, such as `skipToken`. A program of CommonJS sees another type of `skipToken` than
 * the declarations here would.
 *
 * @internal
 */
export type SymbolIn<Input> = [Extract<Input, symbol>] extends [never] ? never : unknown;

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
 * @throws {TypeError} If a 2xx response of the route is a stream or raw, if an option is unknown, or for the reasons of
 * {@linkcode queryKey}.
 */
export function queryOptions<Args extends readonly unknown[], Result extends AnyResult>(
  call: CallOf<Args, Result> & ReadAgainCheck<Result>,
  ...args: QueryArguments<Args>
): QueryOptions<QueryData<Result>, CallError<Exclude<Result, SuccessfulResult<Result>>>>;
/**
 * Returns the options of a query that may be skipped: with TanStack Query's `skipToken` as the input, it does not run.
 */
export function queryOptions<
  Args extends readonly unknown[],
  Result extends AnyResult,
  Input extends InputIn<Args> | symbol,
>(
  call: CallOf<Args, Result> & ReadAgainCheck<Result>,
  input: Input & SymbolIn<Input>,
  options?: QueryCallOptions,
): SkippableQueryOptions<
  QueryData<Result>,
  CallError<Exclude<Result, SuccessfulResult<Result>>>,
  Extract<Input, symbol>
>;
export function queryOptions(call: AnyCall, ...args: readonly unknown[]): object {
  const [declared, send] = readQuery(call, "queryOptions");
  if (typeof args[0] === "symbol") return { queryKey: toQueryKey(declared, undefined), queryFn: args[0] };
  const [input, options] = declared.slots.length > 0 ? args : [undefined, ...args];
  checkCallOptions(options, "queryOptions");
  return {
    queryKey: toQueryKey(declared, input),
    queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<unknown> => {
      const result: AnyResult = await send(input, { ...options as object | undefined, signal });
      return unwrap(result) ?? null;
    },
  };
}
