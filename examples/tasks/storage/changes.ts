/**
 * The changes in order, and their followers. A follower reads the table, so there is no queue to overflow, and it can reconnect
 * after a restart of the server.
 *
 * @module
 */
import type { SentEvent, SentId } from "@scope/api";
import type { DatabaseSync } from "node:sqlite";
import type { Change } from "../schemas.ts";

const kept = 10_000; // changes; after a longer absence, a client lists the tasks again

export interface Changes {
  readonly append: (change: Change) => void;
  /** Yields the id that it continues from, and then the changes after it, or from now on, until the signal aborts. */
  readonly follow: (signal: AbortSignal, afterId?: number) => AsyncGenerator<SentEvent<Change> | SentId, void>;
}

export function createChanges(database: DatabaseSync): Changes {
  const insert = database.prepare("INSERT INTO changes (change) VALUES (?) RETURNING id");
  const prune = database.prepare("DELETE FROM changes WHERE id <= ?");
  const last = database.prepare("SELECT coalesce(max(id), 0) AS id FROM changes");
  const read = database.prepare("SELECT id, change FROM changes WHERE id > ? ORDER BY id LIMIT 100");
  const waiting = new Set<() => void>();

  async function* readOn(signal: AbortSignal, afterId: number): AsyncGenerator<SentEvent<Change> | SentId, void> {
    yield { id: String(afterId) }; // a client whose connection breaks before the first change reconnects with it
    for (let id = afterId; !signal.aborted;) {
      const rows = read.all(id);
      for (const row of rows) {
        id = Number(row.id);
        yield { id: String(id), data: JSON.parse(String(row.change)) };
      }
      if (rows.length === 0) await waitForMore(waiting, signal);
    }
  }

  return {
    append: (change) => {
      prune.run(Number(insert.get(JSON.stringify(change))?.id) - kept);
      for (const wake of waiting) wake();
    },
    // find the last change now, not when the first event is read
    follow: (signal, afterId = Number(last.get()?.id)) => readOn(signal, afterId),
  };
}

function waitForMore(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const wake = (): void => {
      waiting.delete(wake);
      signal.removeEventListener("abort", wake);
      resolve();
    };
    waiting.add(wake);
    signal.addEventListener("abort", wake);
  });
}
