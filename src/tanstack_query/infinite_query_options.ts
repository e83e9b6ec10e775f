import { type AnyCall } from "../client/is_error_of.ts";
import { type AnyResult, unwrapResult } from "../client/result.ts";
import { type CallOptions } from "../client/settings.ts";
import { declaredSlots } from "../contract/slots.ts";
import {
  type BodyOf,
  type ErrorOf,
  type InputOf,
  refuseStreams,
  routeOf,
  type SuccessOf,
  toLooseCall,
} from "./calls.ts";
import { toQueryKey } from "./query_key.ts";

/** How the pages of an infinite query follow one another. */
export interface InfiniteQueryPages<Call, Param> {
  /** The parameter of the page after a 2xx result, such as a cursor, from the result and its own parameter; `undefined` or `null` after the last page. */
  readonly next: (result: SuccessOf<Call>, param: Param | undefined) => Param | null | undefined;
  /** The input of the call for a page, from its parameter: that of the first page is `undefined`. */
  readonly input: (param: Param | undefined) => InputOf<Call>;
}

/** A page of an infinite query. */
export interface Page<Body, Param> {
  /** The body of a 2xx result. */
  readonly body: Body;
  /** The parameter of the next page; `undefined` on the last. */
  readonly next: Param | undefined;
}

/** The options of an infinite query, for `useInfiniteQuery`, `fetchInfiniteQuery` and everything else that takes them. */
export interface InfiniteQueryOptions<Data, Param, Failure> {
  /** The parts of the route's key, the input of the first page, and `"infinite"`, because a query of that input has other data. */
  readonly queryKey: readonly unknown[];
  /** Calls the route for a page; rejects with a `ClientError` for everything that is not a 2xx. */
  readonly queryFn: (context: { readonly signal: AbortSignal; readonly pageParam: Param | undefined }) => Promise<Data>;
  /** The parameter of the first page: none. */
  readonly initialPageParam: Param | undefined;
  /** The parameter that a page has for the next. */
  readonly getNextPageParam: (page: Data) => Param | undefined;
  /** Never set: it tells the types of TanStack Query which error a query has. */
  readonly retryDelay?: (failureCount: number, error: Failure) => number;
}

/**
 * The options of an infinite query that calls a route for each page. `next` reads the next page's parameter from a result, its body or its
 * headers, and `input` turns that into the call's input. Each page of the data has the `body` of its 2xx result; every other result is a
 * `ClientError`. The options are those of each call, except for `signal`: TanStack Query aborts the call.
 *
 * @example Pages by a cursor, and by a link
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { createClient } from "@scope/api/client";
 * import { infiniteQueryOptions, nextLinkQuery } from "@scope/api/tanstack-query";
 * import { assertEquals } from "@std/assert";
 * import { QueryClient } from "@tanstack/query-core";
 * import { type } from "arktype";
 *
 * const contract = defineContract({
 *   routes: {
 *     names: route.get("/names", {
 *       query: type({ "after?": "string" }),
 *       responses: { 200: response.json(type({ names: "string[]", "last?": "string" })) },
 *     }),
 *   },
 * });
 * const client = createClient(contract, {
 *   baseUrl: "https://api.example.com",
 *   fetch: ({ url }) => Response.json(url.endsWith("Ada") ? { names: ["Bob"] } : { names: ["Ada"], last: "Ada" }),
 * });
 *
 * const queries = new QueryClient();
 * const byCursor = infiniteQueryOptions(client.names, { next: ({ body }) => body.last, input: (after) => ({ query: { after } }) });
 * const { pages } = await queries.fetchInfiniteQuery({ ...byCursor, pages: 9 });
 * assertEquals(pages.flatMap(({ body }) => body.names), ["Ada", "Bob"]);
 * queries.clear();
 *
 * const byLink = infiniteQueryOptions(client.names, {
 *   next: (result) => nextLinkQuery(result)?.get("after"),
 *   input: (after) => ({ query: { after } }),
 * });
 * assertEquals(byLink.queryKey, ["names", { query: { after: undefined } }, "infinite"]);
 * ```
 *
 * @throws {TypeError} For a route with a 2xx response that is a stream or raw, and wherever {@linkcode queryKey} throws.
 */
export function infiniteQueryOptions<Call extends AnyCall, Param>(
  call: Call,
  { next, input }: InfiniteQueryPages<Call, Param>,
  options?: Omit<CallOptions, "signal">,
): InfiniteQueryOptions<Page<BodyOf<Call>, Param>, Param, ErrorOf<Call>> {
  const node = routeOf(call, "infiniteQueryOptions");
  refuseStreams(node);
  const send = toLooseCall(call, declaredSlots(node).length > 0);
  return {
    queryKey: [...toQueryKey(node, input(undefined)), "infinite"],
    queryFn: async ({ signal, pageParam }) => {
      const result = unwrapResult(await send(input(pageParam), { ...options, signal })) as AnyResult;
      const param = next(result as SuccessOf<Call>, pageParam) ?? undefined;
      return { body: result.body as BodyOf<Call>, next: param }; // which the contract types
    },
    initialPageParam: undefined,
    getNextPageParam: (page) => page.next,
  };
}
