/** What the programs of streams send and receive. */
import * as z from "zod";

export const Event = z.object({ id: z.number(), name: z.string() });

export const eventCount = 200_000;

export function* makeEvents(): Generator<{ readonly data: z.infer<typeof Event> }> {
  for (let id = 0; id < eventCount; id++) yield { data: { id, name: "Ada" } };
}

const chunk = new Uint8Array(64 * 1024).fill(97);

/** 1 GiB. */
export async function* makeBytes(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let sent = 0; sent < 2 ** 30; sent += chunk.byteLength) yield chunk;
}
