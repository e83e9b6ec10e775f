/** The client, and what keeps the cache up to date. */
import { createClient } from "@scope/api/client";
import { openInMemory, type OpenWebSocket } from "@scope/api/connect";
import { follow, retry } from "@scope/api/retry";
import { queryKey } from "@scope/api/tanstack-query";
import { QueryClient } from "@tanstack/react-query";
import { contract } from "../contract.ts";

const mocked = await loadMock();

export const client = createClient(contract, { baseUrl: location.origin, around: retry(), fetch: mocked?.fetch });

/** Opens the page's WebSockets: to the mock, if there is one. */
export const open = mocked?.open;

// retry() repeats only what can be repeated safely, so TanStack Query repeats nothing
export const queries = new QueryClient({
  defaultOptions: { queries: { retry: false }, mutations: { retry: false } },
});

interface Mocked {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly open: OpenWebSocket;
}

/** With `?mock`, in development, the page answers itself. Vite leaves the mock out of the build. */
async function loadMock(): Promise<Mocked | undefined> {
  const isMocked = import.meta.env.DEV &&
    new URLSearchParams(location.search).has("mock");
  if (!isMocked) return undefined;
  const { mock } = await import("./mock.ts");
  return { fetch: async (request) => await mock(request), open: openInMemory(mock) };
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
