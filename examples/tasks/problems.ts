/**
 * The problem documents (RFC 9457) that handlers answer with, beside those of the adapter.
 *
 * @module
 */
import { type CreateResult } from "@scope/api/server";
import { type NotFound, type preconditions } from "./contract.ts";
import { type Task } from "./schemas.ts";
import { type Storage } from "./storage/storage.ts";

/** A task, or a 404, which ends the handler from wherever it is thrown. */
export function findTask(storage: Storage, id: number, response: CreateResult<{ 404: typeof NotFound }>): Task {
  const task = storage.tasks.find(id);
  if (task) return task;
  throw response(404, { detail: `There is no task ${id}` });
}

/** The ETag of a version. */
export function formatTag({ version }: Task): string {
  return `"${version}"`;
}

/** Ends the handler with a 412 or 428 unless `If-Match` (RFC 9110) names the version that a task has. */
export function checkVersion(
  task: Task,
  ifMatch: string | undefined,
  response: CreateResult<typeof preconditions>,
): void {
  if (ifMatch === undefined) {
    throw response(428, { detail: "Send the etag that you have seen as if-match, so that no change gets lost" });
  }
  const tags = ifMatch.split(",").map((tag) => tag.trim());
  if (tags.includes("*") || tags.includes(formatTag(task))) return;
  throw response(412, { detail: `Task ${task.id} was changed meanwhile: it has the version ${task.version}` });
}
