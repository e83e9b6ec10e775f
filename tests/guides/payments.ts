/** The tables of docs/idempotency-keys.md. */
import { DatabaseSync } from "node:sqlite";

/** Opens a file; `:memory:` is one that ends with the process. */
export function openPayments(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  database.exec(`
    PRAGMA busy_timeout = 5000;
    CREATE TABLE IF NOT EXISTS payments (id INTEGER PRIMARY KEY, payer TEXT, cents INTEGER) STRICT;
    CREATE TABLE IF NOT EXISTS results (
      caller TEXT, key TEXT, request TEXT, result TEXT, created INTEGER,
      PRIMARY KEY (caller, key)
    ) STRICT;
  `);
  return database;
}

/** How many payments were made. */
export function countPayments(database: DatabaseSync): number {
  return Number(database.prepare("SELECT count(*) AS payments FROM payments").get()?.payments);
}
