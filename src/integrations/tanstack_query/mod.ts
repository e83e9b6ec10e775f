/**
 * Options for TanStack Query's queries and mutations, built from the calls of a client.
 *
 * @module
 */
export {
  type InfiniteQueryOptions,
  infiniteQueryOptions,
  type InfiniteQueryPages,
  nextLinkQuery,
  type Page,
} from "./infinite_query_options.ts";
export { type MutationOptions, mutationOptions } from "./mutation_options.ts";
export { queryKey, type TypedQueryKey } from "./calls.ts";
export { type QueryOptions, queryOptions, type SkippableQueryOptions } from "./query_options.ts";
