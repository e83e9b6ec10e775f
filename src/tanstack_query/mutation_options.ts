import { type AnyCall } from "../client/is_error_of.ts";
import { unwrap } from "../client/result.ts";
import { type CallOptions } from "../client/settings.ts";
import { declaredSlots } from "../contract/slots.ts";
import { type BodyOf, type ErrorOf, type InputOf, type IsInputOptional, routeOf, toLooseCall } from "./calls.ts";
import { toQueryKey } from "./query_key.ts";

/** The options of a mutation, for `useMutation` and everything else that takes them. */
export interface MutationOptions<Input, Data, Failure> {
  /** The parts of the route's key. */
  readonly mutationKey: readonly unknown[];
  /** Calls the route; rejects with a `ClientError` for everything that is not a 2xx. */
  readonly mutationFn: (input: Input) => Promise<Data>;
  /** Never set: it tells the types of TanStack Query which error a mutation has. */
  readonly retryDelay?: (failureCount: number, error: Failure) => number;
}

/**
 * What `mutate` takes: the input of a call, and nothing where the call needs none.
 *
 * @internal
 */
export type MutationInput<Call> = [InputOf<Call>] extends [never] ? void
  : IsInputOptional<Call> extends true ? InputOf<Call> | void
  : InputOf<Call>;

/**
 * The options of a mutation that calls a route: `mutate` takes the call's input, and the data is the body of a 2xx result. Every other
 * result is a `ClientError`. The options are those of each call.
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
 * @throws {TypeError} For a function that is not a call of a client.
 */
export function mutationOptions<Call extends AnyCall>(
  call: Call,
  options?: CallOptions,
): MutationOptions<MutationInput<Call>, BodyOf<Call>, ErrorOf<Call>> {
  const node = routeOf(call, "mutationOptions");
  const send = toLooseCall(call, declaredSlots(node).length > 0);
  return {
    mutationKey: toQueryKey(node, undefined),
    mutationFn: async (input) => unwrap(await send(input, options)) as BodyOf<Call>,
  };
}
