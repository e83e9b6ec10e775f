import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";

/** Identifies a request that a client may repeat. */
export interface Attempt {
  readonly caller: string;
  readonly key: string;
  readonly request: unknown; // the input that must be equal
}

/**
 * Runs `effect` once per caller and key, and returns its result every time.
 * Returns `undefined` if the key was used for another request.
 */
export function once<Result extends { readonly status: number }>(
  database: DatabaseSync,
  { caller, key, request }: Attempt,
  effect: () => Result,
): Result | undefined {
  const hash = createHash("sha256").update(JSON.stringify(request)).digest("hex");
  database.exec("BEGIN IMMEDIATE"); // one writer at a time
  try {
    const query = "SELECT request, result FROM results WHERE caller = ? AND key = ?";
    const stored = database.prepare(query).get(caller, key);
    const result: Result = stored ? JSON.parse(`${stored.result}`) : effect();
    if (!stored) {
      const insert = database.prepare("INSERT INTO results VALUES (?, ?, ?, ?, unixepoch())");
      insert.run(caller, key, hash, JSON.stringify(result));
    }
    database.exec("COMMIT");
    return stored && stored.request !== hash ? undefined : result;
  } catch (error) {
    database.exec("ROLLBACK"); // undoes the effect and the key, so the client can retry
    throw error;
  }
}
