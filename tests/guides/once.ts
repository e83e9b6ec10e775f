import { createHash } from "node:crypto";
import { type DatabaseSync } from "node:sqlite";

/** Identifies a request that a client may repeat. */
export interface Attempt {
  readonly caller: string;
  readonly key: string;
  readonly request: unknown; // the input that must be equal
}

/** Runs `effect` once per caller and key, and returns its result every time; `undefined` if the request differs. */
export function once<Result extends { readonly status: number }>(
  database: DatabaseSync,
  { caller, key, request }: Attempt,
  effect: () => Result,
): Result | undefined {
  const hash = createHash("sha256").update(JSON.stringify(request)).digest("hex");
  database.exec("BEGIN IMMEDIATE"); // one writer at a time
  try {
    const find = database.prepare("SELECT request, result FROM answers WHERE caller = ? AND key = ?");
    const stored = find.get(caller, key);
    const result: Result = stored ? JSON.parse(`${stored.result}`) : effect();
    if (!stored) {
      const insert = database.prepare("INSERT INTO answers VALUES (?, ?, ?, ?, unixepoch())");
      insert.run(caller, key, hash, JSON.stringify(result));
    }
    database.exec("COMMIT");
    return stored && stored.request !== hash ? undefined : result;
  } catch (error) {
    database.exec("ROLLBACK"); // undoes the effect and the key, so the client can retry
    throw error;
  }
}
