/**
 * The server that all handlers belong to. The tasks live in the file that the
 * environment variable TASKS_DB names, or in tasks.db beside this module; the token is TASKS_TOKEN's, or a new one.
 *
 * @module
 */
import { defineServer } from "@scope/api/server";
import { verifyToken } from "./authenticate.ts";
import { contract } from "./contract.ts";
import { openStorage } from "./storage/storage.ts";

export const token = Deno.env.get("TASKS_TOKEN") ?? crypto.randomUUID();

const storage = openStorage(Deno.env.get("TASKS_DB") ?? `${import.meta.dirname}/tasks.db`);

export const server = defineServer(contract, {
  security: [verifyToken(token)],
  context: ({ request }) => ({ request, storage }),
});
