/**
 * The problem documents (RFC 9457) that handlers answer with, beside those of the adapter.
 *
 * @module
 */
import { type Problem } from "@scope/api";
import { type CreateResult } from "@scope/api/server";
import { type NotFound, type preconditions } from "./contract.ts";
import { type Task } from "./schemas.ts";
import { type Storage } from "./storage/storage.ts";

const titles = {
  401: "Unauthorized",
  404: "Not Found",
  412: "Precondition Failed",
  422: "Unprocessable Content",
  428: "Precondition Required",
} as const;

export function toProblem(status: keyof typeof titles, detail: string): Problem {
  return { type: "about:blank", title: titles[status], status, detail };
}

/** A task, or a 404, which ends the handler from wherever it is thrown. */
export function findTask(storage: Storage, id: number, response: CreateResult<{ 404: typeof NotFound }>): Task {
  const task = storage.tasks.find(id);
  if (task) return task;
  throw response(404, toProblem(404, `There is no task ${id}`));
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
    throw response(428, toProblem(428, "Send the etag that you have seen as if-match, so that no change gets lost"));
  }
  const tags = ifMatch.split(",").map((tag) => tag.trim());
  if (tags.includes("*") || tags.includes(formatTag(task))) return;
  throw response(412, toProblem(412, `Task ${task.id} was changed meanwhile: it has the version ${task.version}`));
}
