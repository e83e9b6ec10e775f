/**
 * The tasks.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { NewTask, Task, TaskQuery, TaskUpdate } from "../schemas.ts";
import type { Changes } from "./changes.ts";
import { type Page, toPage } from "./page.ts";

export interface Tasks {
  readonly list: (query: TaskQuery) => Page<Task>;
  readonly create: (task: NewTask) => Task;
  readonly find: (id: number) => Task | undefined;
  readonly update: (task: Task, update: TaskUpdate) => Task;
  /** Removes a task and its attachments. */
  readonly remove: (id: number) => void;
}

// SQLite's lower() supports only ASCII, which is enough here
const listText = `
  SELECT * FROM tasks
  WHERE (:project IS NULL OR project = :project)
    AND (:done IS NULL OR done = :done)
    AND (:after IS NULL OR id < :after)
    AND instr(lower(title || char(10) || notes), lower(:search)) > 0
    AND NOT EXISTS (
      SELECT 1 FROM json_each(:tags) AS wanted WHERE wanted.value NOT IN (SELECT value FROM json_each(tasks.tags))
    )
  ORDER BY id DESC LIMIT :limit`;

export function createTasks(database: DatabaseSync, changes: Changes): Tasks {
  const list = database.prepare(listText);
  const insert = database.prepare(
    "INSERT INTO tasks (project, title, notes, tags, changed) VALUES (?, ?, ?, ?, ?) RETURNING *",
  );
  const find = database.prepare("SELECT * FROM tasks WHERE id = ?");
  const update = database.prepare(`
    UPDATE tasks SET title = ?, notes = ?, tags = ?, done = ?, version = version + 1, changed = ?
    WHERE id = ? RETURNING *`);
  const remove = database.prepare("DELETE FROM tasks WHERE id = ?");
  const tell = (type: "task.created" | "task.updated", row: Record<string, unknown>): Task => {
    const task = toTask(row);
    changes.append({ type, task });
    return task;
  };
  return {
    list: ({ project = null, done, after = null, search = "", tag = [], limit }) => {
      const only = done === undefined ? null : Number(done);
      const tags = JSON.stringify(tag);
      return toPage(list.all({ project, done: only, after, search, tags, limit: limit + 1 }).map(toTask), limit);
    },
    create: ({ project, title, notes, tags }) =>
      tell("task.created", insert.get(project, title, notes, JSON.stringify(tags), now())!),
    find: (id) => {
      const row = find.get(id);
      return row && toTask(row);
    },
    update: (task, { title = task.title, notes = task.notes, tags = task.tags, done = task.done }) =>
      tell("task.updated", update.get(title, notes, JSON.stringify(tags), Number(done), now(), task.id)!),
    remove: (id) => {
      remove.run(id);
      changes.append({ type: "task.deleted", id });
    },
  };
}

function toTask(row: Record<string, unknown>): Task {
  return {
    id: Number(row.id),
    project: Number(row.project),
    title: String(row.title),
    notes: String(row.notes),
    tags: JSON.parse(String(row.tags)),
    done: row.done === 1,
    version: Number(row.version),
    changed: String(row.changed),
  };
}

function now(): string {
  return new Date().toISOString();
}
