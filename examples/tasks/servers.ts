/**
 * Two servers of one contract: one for everybody, and one for whoever shows the token. The tasks live in the file that the
 * environment variable TASKS_DB names, or in tasks.db beside this module; the token is TASKS_TOKEN's, or a new one.
 *
 * @module
 */
import { defineServer } from "@scope/api/server";
import { requireToken } from "./authenticate.ts";
import { contract } from "./contract.ts";
import { openStorage } from "./storage/storage.ts";

export const token = Deno.env.get("TASKS_TOKEN") ?? crypto.randomUUID();

const storage = openStorage(Deno.env.get("TASKS_DB") ?? `${import.meta.dirname}/tasks.db`);

export const everybody = defineServer(contract, { context: ({ request }) => ({ request, storage }) });

export const membersOnly = everybody.use(requireToken(token));
