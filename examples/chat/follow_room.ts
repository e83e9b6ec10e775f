/**
 * A listener that comes back: in the page as in the tests.
 *
 * @module
 */
import { type Client, ClientError } from "@scope/api/client";
import { type contract, type RoomEvent } from "./contract.ts";

const pause = 1000; // milliseconds between a connection's end and the next

/** What happens in the room, until the signal aborts: after a break it goes on where it was, by the id of the last event. */
export async function* followRoom(
  client: Client<typeof contract.routes>,
  name: string,
  signal: AbortSignal,
): AsyncGenerator<RoomEvent, void> {
  let lastId: string | undefined;
  while (!signal.aborted) {
    try {
      const events = await client.listen({ query: { name }, headers: { "last-event-id": lastId } }, { signal });
      for await (const { id, data } of events.body) {
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
