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
} from "./src/tanstack_query/infinite_query_options.ts";
export { type MutationOptions, mutationOptions } from "./src/tanstack_query/mutation_options.ts";
export { queryKey } from "./src/tanstack_query/calls.ts";
export { type QueryOptions, queryOptions } from "./src/tanstack_query/query_options.ts";
