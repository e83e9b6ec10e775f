/** The client, and what keeps the cache up to date. */
import { createClient } from "@scope/api/client";
import { follow, retry } from "@scope/api/retry";
import { queryKey } from "@scope/api/tanstack-query";
import { QueryClient } from "@tanstack/react-query";
import { contract } from "../contract.ts";

export const client = createClient(contract, { baseUrl: location.origin, around: retry(), fetch: await chooseFetch() });

// retry() repeats only what can be repeated safely, so TanStack Query repeats nothing
export const queries = new QueryClient({
  defaultOptions: { queries: { retry: false }, mutations: { retry: false } },
});

/** With `?mock`, in development, the page answers itself. Vite leaves the mock out of the build. */
async function chooseFetch(): Promise<(request: Request) => Promise<Response>> {
  const isMocked = import.meta.env.DEV &&
    new URLSearchParams(location.search).has("mock");
  if (!isMocked) return (request) => fetch(request);
  const { mock } = await import("./mock.ts");
  return async (request) => await mock(request);
}

/**
 * Reads the list again after each change, until the signal aborts. Each connection begins with an event, so nothing is
 * missed between the first list and the connection, nor while it was lost.
 */
export async function followChanges(signal: AbortSignal): Promise<void> {
  for await (const _ of follow(client.changes, {}, { signal, silence: 45_000 })) {
    await queries.invalidateQueries({ queryKey: queryKey(client.notes.list) });
  }
}
