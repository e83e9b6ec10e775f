/**
 * The files that are attached to tasks, in chunks of 64 KiB. A whole file is never in memory.
 *
 * @module
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Attachment } from "../schemas.ts";
import type { Changes } from "./changes.ts";

export interface Attachments {
  readonly list: (task: number) => Attachment[];
  readonly find: (task: number, id: number) => Attachment | undefined;
  /** Stores a stream. Nothing is kept if the stream fails, or if the task is removed in the meantime. */
  readonly receive: (task: number, name: string, bytes: AsyncIterable<Uint8Array>) => Promise<Attachment | undefined>;
  readonly read: (attachment: Attachment) => Generator<Uint8Array>;
}

export function createAttachments(database: DatabaseSync, changes: Changes): Attachments {
  const begin = database.prepare("INSERT INTO attachments (task, name) VALUES (?, ?) RETURNING id");
  const write = database.prepare(
    "INSERT INTO chunks SELECT id, ?, ? FROM attachments WHERE id = ?", // inserts nothing if the task was removed
  );
  const finish = database.prepare("UPDATE attachments SET size = ? WHERE id = ? RETURNING *");
  const drop = database.prepare("DELETE FROM attachments WHERE id = ?");
  const list = database.prepare("SELECT * FROM attachments WHERE task = ? AND size IS NOT NULL ORDER BY id");
  const find = database.prepare("SELECT * FROM attachments WHERE task = ? AND id = ? AND size IS NOT NULL");
  const read = database.prepare("SELECT bytes FROM chunks WHERE attachment = ? AND number = ?");
  return {
    list: (task) => list.all(task).map(toAttachment),
    find: (task, id) => {
      const row = find.get(task, id);
      return row && toAttachment(row);
    },
    receive: async (task, name, bytes) => {
      const id = Number(begin.get(task, name)!.id);
      let size = 0;
      let number = 0;
      try {
        for await (const chunk of gather(bytes)) {
          write.run(number++, chunk, id);
          size += chunk.byteLength;
        }
      } catch (error) {
        drop.run(id);
        throw error;
      }
      const row = finish.get(size, id);
      if (row === undefined) return undefined;
      changes.append({ type: "attachment.added", attachment: toAttachment(row) });
      return toAttachment(row);
    },
    read: ({ id }) => readChunks(read, id),
  };
}

const chunkBytes = 64 * 1024;

/**
 * Yields the same bytes in chunks of 64 KiB, because a write blocks the server and a client may send one byte at a time. All chunks
 * use one buffer: store each before you request the next.
 */
async function* gather(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const gathered = new Uint8Array(chunkBytes);
  let length = 0;
  for await (const chunk of bytes) {
    for (let from = 0; from < chunk.byteLength;) {
      const part = chunk.subarray(from, from + chunkBytes - length);
      gathered.set(part, length);
      from += part.byteLength;
      length += part.byteLength;
      if (length < chunkBytes) continue;
      yield gathered;
      length = 0;
    }
  }
  if (length > 0) yield gathered.subarray(0, length);
}

function* readChunks(read: StatementSync, attachment: number): Generator<Uint8Array, void> {
  for (let number = 0;; number++) {
    const row = read.get(attachment, number);
    if (row === undefined) return;
    yield row.bytes as Uint8Array; // the type of a BLOB
  }
}

function toAttachment(row: Record<string, unknown>): Attachment {
  return { id: Number(row.id), task: Number(row.task), name: String(row.name), size: Number(row.size) };
}
