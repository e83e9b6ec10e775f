import { assert, assertEquals, assertRejects } from "@std/assert";
import { createAttachments } from "../../examples/tasks/storage/attachments.ts";
import { createChanges } from "../../examples/tasks/storage/changes.ts";
import { openDatabase } from "../../examples/tasks/storage/database.ts";
import { createTasks } from "../../examples/tasks/storage/tasks.ts";
import { createBytes } from "./tasks.ts";

/** The bytes, this many at a time, after an empty chunk. */
async function* crumble(bytes: Uint8Array, at: number): AsyncGenerator<Uint8Array> {
  yield new Uint8Array();
  for (let from = 0; from < bytes.byteLength; from += at) yield bytes.subarray(from, from + at);
}

Deno.test("Attachments.receive() stores chunks of 64 KiB, however few bytes arrive at a time", async () => {
  const database = openDatabase(":memory:");
  const changes = createChanges(database);
  const attachments = createAttachments(database, changes);
  const { id } = createTasks(database, changes).create({ project: 1, title: "Crumbs", notes: "", tags: [] });
  const lengths = database.prepare("SELECT length(bytes) AS length FROM chunks WHERE attachment = ? ORDER BY number");
  const [kib64, whole] = [65_536, createBytes(200_000)];
  const cases: [bytes: Uint8Array<ArrayBuffer>, at: number, stored: number[]][] = [
    [whole, 7, [kib64, kib64, kib64, 200_000 - 3 * kib64]],
    [whole, 200_000, [kib64, kib64, kib64, 200_000 - 3 * kib64]],
    [whole, 100_000, [kib64, kib64, kib64, 200_000 - 3 * kib64]],
    [whole.subarray(0, kib64), 1, [kib64]],
    [whole.subarray(0, 2 * kib64), kib64, [kib64, kib64]],
    [whole.subarray(0, 1), 1, [1]],
    [whole.subarray(0, 0), 1, []],
  ];
  for (const [bytes, at, stored] of cases) {
    const attachment = await attachments.receive(id, "crumbs.bin", crumble(bytes, at));
    assert(attachment);
    assertEquals(attachment.size, bytes.byteLength);
    assertEquals(lengths.all(attachment.id).map(({ length }) => length), stored);
    const read = [...attachments.read(attachment)] as Uint8Array<ArrayBuffer>[];
    assertEquals(await new Blob(read).bytes(), new Uint8Array(bytes));
  }
});

Deno.test("Attachments.receive() keeps nothing of an upload that broke off or whose task was removed", async () => {
  const database = openDatabase(":memory:");
  const changes = createChanges(database);
  const tasks = createTasks(database, changes);
  const attachments = createAttachments(database, changes);
  const { id } = tasks.create({ project: 1, title: "Short-lived", notes: "", tags: [] });
  async function* produce(meanwhile: () => void): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(10);
    meanwhile();
    yield new Uint8Array(10);
  }
  const breakOff = (): never => {
    throw new Error("the line");
  };
  await assertRejects(() => attachments.receive(id, "broken.bin", produce(breakOff)), Error, "the line");
  const kept = database.prepare("SELECT count(*) AS count FROM chunks");
  assertEquals(kept.get()?.count, 0);
  assertEquals(await attachments.receive(id, "late.bin", produce(() => tasks.remove(id))), undefined);
  assertEquals(kept.get()?.count, 0);
});
