/**
 * The storage, without any HTTP.
 *
 * @module
 */
import { type Attachments, createAttachments } from "./attachments.ts";
import { type Changes, createChanges } from "./changes.ts";
import { openDatabase } from "./database.ts";
import { createProjects, type Projects } from "./projects.ts";
import { createTasks, type Tasks } from "./tasks.ts";

export interface Storage {
  readonly projects: Projects;
  readonly tasks: Tasks;
  readonly attachments: Attachments;
  readonly changes: Changes;
}

/** Opens a file of tasks, or a database in memory with `:memory:`. */
export function openStorage(file: string): Storage {
  const database = openDatabase(file);
  const changes = createChanges(database);
  return {
    projects: createProjects(database, changes),
    tasks: createTasks(database, changes),
    attachments: createAttachments(database, changes),
    changes,
  };
}
