/**
 * The problem documents (RFC 9457) of the handlers.
 *
 * @module
 */
import type { CreateResult } from "@scope/api/server";
import type { NotFound, preconditions } from "./contract.ts";
import type { Task } from "./schemas.ts";
import type { Storage } from "./storage/storage.ts";

/** Returns a task, or throws a 404. */
export function findTask(storage: Storage, id: number, response: CreateResult<{ 404: typeof NotFound }>): Task {
  const task = storage.tasks.find(id);
  if (task) return task;
  throw response(404, { detail: `There is no task ${id}` });
}

/** Returns the ETag of a version. */
export function formatTag({ version }: Task): string {
  return `"${version}"`;
}

/** Throws a 412 or 428 unless `If-Match` (RFC 9110) names the current version of a task. */
export function checkVersion(
  task: Task,
  ifMatch: string | undefined,
  response: CreateResult<typeof preconditions>,
): void {
  if (ifMatch === undefined) {
    throw response(428, { detail: "Send the ETag that you received as if-match, so that no change is lost" });
  }
  const tags = ifMatch.split(",").map((tag) => tag.trim());
  if (tags.includes("*") || tags.includes(formatTag(task))) return;
  throw response(412, { detail: `Task ${task.id} was changed meanwhile: it has the version ${task.version}` });
}
