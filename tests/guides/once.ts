import { createHash } from "node:crypto";
import { type DatabaseSync } from "node:sqlite";

/** What makes two requests the same. */
export interface Attempt {
  readonly caller: string;
  readonly key: string;
  readonly request: unknown; // what the handler reads of it
}

/** Runs `effect` once for each caller and key. Returns its result, now and later; `undefined` if the request differs. */
export function once<Given extends { readonly status: number }>(
  database: DatabaseSync,
  { caller, key, request }: Attempt,
  effect: () => Given,
): Given | undefined {
  const hash = createHash("sha256").update(JSON.stringify(request)).digest("hex");
  database.exec("BEGIN IMMEDIATE"); // one writer at a time, before the key is looked up
  try {
    const find = database.prepare("SELECT request, result FROM answers WHERE caller = ? AND key = ?");
    const stored = find.get(caller, key);
    const result: Given = stored ? JSON.parse(`${stored.result}`) : effect();
    if (!stored) {
      const insert = database.prepare("INSERT INTO answers VALUES (?, ?, ?, ?, unixepoch())");
      insert.run(caller, key, hash, JSON.stringify(result));
    }
    database.exec("COMMIT");
    return stored && stored.request !== hash ? undefined : result;
  } catch (error) {
    database.exec("ROLLBACK"); // neither effect nor key: the client may try again
    throw error;
  }
}
