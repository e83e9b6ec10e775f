import { type AnyResult, type CallError, type SuccessfulResult, unwrap } from "../../client/result.ts";
import type { CallOptions } from "../../client/settings.ts";
import { type CallOf, checkCallOptions, readQueryCall, toQueryKey } from "./calls.ts";

/** The options of a mutation, for `useMutation` and other functions that accept them. */
export interface MutationOptions<Input, Data, Failure> {
  /** The parts of the route's key. */
  readonly mutationKey: readonly unknown[];
  /** Calls the route. Rejects with a `ClientError` if the result is not 2xx. */
  readonly mutationFn: (input: Input) => Promise<Data>;
  /** Never set. It declares the type of the error to TanStack Query. */
  readonly throwOnError?: (error: Failure) => boolean;
}

/**
 * The argument of `mutate`: the input of a call with these arguments, or none if it takes none.
 *
 * @internal
 */
export type MutationInput<Args extends readonly unknown[]> = Required<Args> extends readonly [infer Input, unknown]
  ? [] extends Args ? Input | void : Input
  : void;

/**
 * Returns the options of a mutation that calls a route. `mutate` takes the input of the call, and the data are the
 * body of a 2xx result. Any other result becomes a `ClientError`. The options apply to each call.
 *
 * @example A mutation
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { createClient } from "@scope/api/client";
 * import { mutationOptions } from "@scope/api/tanstack-query";
 * import { assertEquals } from "@std/assert";
 * import { MutationObserver, QueryClient } from "@tanstack/query-core";
 *
 * const contract = defineContract({
 *   routes: { start: route.post("/jobs/:id", { responses: { 201: response.text() } }) },
 * });
 * const client = createClient(contract, {
 *   baseUrl: "https://api.example.com",
 *   fetch: () => new Response("started", { status: 201 }),
 * });
 *
 * const queries = new QueryClient();
 * const start = new MutationObserver(queries, mutationOptions(client.start, { timeout: 10_000 }));
 * assertEquals(await start.mutate({ params: { id: "1" } }), "started");
 * queries.clear();
 * ```
 *
 * @throws {TypeError} If the function is not a call of a client, or an option is unknown.
 */
export function mutationOptions<Args extends readonly unknown[], Result extends AnyResult>(
  call: CallOf<Args, Result>,
  options?: CallOptions,
): MutationOptions<
  MutationInput<Args>,
  SuccessfulResult<Result>["body"],
  CallError<Exclude<Result, SuccessfulResult<Result>>>
> {
  const [declared, send] = readQueryCall(call, "mutationOptions");
  checkCallOptions(options, "mutationOptions", ["signal"]);
  return {
    mutationKey: toQueryKey(declared, undefined),
    mutationFn: async (input) => unwrap(await send(input, options)) as SuccessfulResult<Result>["body"], // the contract types the body
  };
}
