/**
 * The tables, in an SQLite file that the first start creates.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";

/** Opens a file, or a database in memory with `:memory:`. */
export function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA foreign_keys = ON;
    CREATE TABLE IF NOT EXISTS projects (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS tasks (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      project INTEGER NOT NULL REFERENCES projects,
      title TEXT NOT NULL,
      notes TEXT NOT NULL,
      tags TEXT NOT NULL, -- a list, as JSON
      done INTEGER NOT NULL DEFAULT 0,
      version INTEGER NOT NULL DEFAULT 1,
      changed TEXT NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS attachments (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      task INTEGER NOT NULL REFERENCES tasks ON DELETE CASCADE,
      name TEXT NOT NULL,
      size INTEGER -- none until all of it has come
    ) STRICT;
    CREATE TABLE IF NOT EXISTS chunks (
      attachment INTEGER NOT NULL REFERENCES attachments ON DELETE CASCADE,
      number INTEGER NOT NULL,
      bytes BLOB NOT NULL,
      PRIMARY KEY (attachment, number)
    ) STRICT;
    CREATE TABLE IF NOT EXISTS changes (id INTEGER PRIMARY KEY AUTOINCREMENT, change TEXT NOT NULL) STRICT;
    CREATE INDEX IF NOT EXISTS attachments_by_task ON attachments (task);
    DELETE FROM attachments WHERE size IS NULL; -- what was on its way when the server stopped
    INSERT OR IGNORE INTO projects VALUES (1, 'Inbox');
  `);
  return database;
}
