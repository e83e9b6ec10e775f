/**
 * The users, in an SQLite file that the first start creates and fills. Without any HTTP.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";

export interface User {
  readonly id: string;
  readonly name: string;
}

export interface Users {
  readonly find: (id: string) => User | undefined;
  readonly rename: (id: string, name: string) => User | undefined;
}

/** Opens a file of users, or a database in memory with `:memory:`. */
export function openUsers(file: string): Users {
  const database = new DatabaseSync(file);
  database.exec(`
    CREATE TABLE IF NOT EXISTS users (id TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT;
    INSERT OR IGNORE INTO users VALUES ('1', 'Ada Lovelace'), ('2', 'Grace Hopper');
  `);
  const find = database.prepare("SELECT id, name FROM users WHERE id = ?");
  const rename = database.prepare("UPDATE users SET name = ? WHERE id = ? RETURNING id, name");
  return {
    find: (id) => toUser(find.get(id)),
    rename: (id, name) => toUser(rename.get(name, id)),
  };
}

function toUser(row: Record<string, unknown> | undefined): User | undefined {
  return row && { id: String(row.id), name: String(row.name) };
}
