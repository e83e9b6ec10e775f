/**
 * Options for TanStack Query's queries and mutations, built from the calls of a client.
 *
 * @module
 */
export {
  type InfiniteQueryOptions,
  infiniteQueryOptions,
  type InfiniteQueryPages,
  type Page,
} from "./src/tanstack_query/infinite_query_options.ts";
export { type MutationOptions, mutationOptions } from "./src/tanstack_query/mutation_options.ts";
export { nextLinkQuery } from "./src/tanstack_query/next_link_query.ts";
export { queryKey } from "./src/tanstack_query/query_key.ts";
export { type QueryOptions, queryOptions } from "./src/tanstack_query/query_options.ts";
