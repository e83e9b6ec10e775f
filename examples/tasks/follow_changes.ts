/**
 * A follower that comes back: in the page as on the command line.
 *
 * @module
 */
import { type Client, ClientError } from "@scope/api/client";
import { type contract } from "./contract.ts";
import { type Change } from "./schemas.ts";

const pause = 1000; // milliseconds between a connection's end and the next

/** What happens, until the signal aborts: after a break it goes on where it was, by the id of the last event. */
export async function* followChanges(
  client: Client<typeof contract.routes>,
  signal: AbortSignal,
  lastId?: string,
): AsyncGenerator<Change, void> {
  while (!signal.aborted) {
    try {
      const result = await client.changes({ headers: { "last-event-id": lastId } }, { signal });
      if (result.status !== 200) throw new Error(result.body.detail ?? result.body.title);
      for await (const { id, data } of result.body) {
        lastId = id ?? lastId;
        yield data;
      }
    } catch (error) {
      if (!(error instanceof ClientError) || !["network", "aborted"].includes(error.code)) throw error;
    }
    await waitUnlessAborted(pause, signal);
  }
}

function waitUnlessAborted(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, milliseconds);
    signal.addEventListener("abort", wake);
  });
}
