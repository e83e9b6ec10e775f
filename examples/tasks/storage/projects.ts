/**
 * The projects.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { Project } from "../schemas.ts";
import type { Changes } from "./changes.ts";
import { type Page, toPage } from "./page.ts";

export interface Projects {
  readonly list: (paging: { readonly after?: number | undefined; readonly limit: number }) => Page<Project>;
  readonly create: (name: string) => Project;
  readonly has: (id: number) => boolean;
}

export function createProjects(database: DatabaseSync, changes: Changes): Projects {
  const list = database.prepare("SELECT id, name FROM projects WHERE id > ? ORDER BY id LIMIT ?");
  const insert = database.prepare("INSERT INTO projects (name) VALUES (?) RETURNING id, name");
  const find = database.prepare("SELECT id FROM projects WHERE id = ?");
  return {
    list: ({ after = 0, limit }) => toPage(list.all(after, limit + 1).map(toProject), limit),
    create: (name) => {
      const project = toProject(insert.get(name)!);
      changes.append({ type: "project.created", project });
      return project;
    },
    has: (id) => find.get(id) !== undefined,
  };
}

function toProject(row: Record<string, unknown>): Project {
  return { id: Number(row.id), name: String(row.name) };
}
