/**
 * The server of all handlers. The tasks are stored in the file that the environment variable TASKS_DB names, or in tasks.db beside
 * this module; the token is TASKS_TOKEN's, or a new one.
 *
 * @module
 */
import { defineServer, verify } from "@scope/api/server";
import { bearer, contract } from "./contract.ts";
import { openStorage } from "./storage/storage.ts";

export const token = Deno.env.get("TASKS_TOKEN") ?? crypto.randomUUID();

const storage = openStorage(Deno.env.get("TASKS_DB") ?? `${import.meta.dirname}/tasks.db`);

const expected = hash(token);

export const server = defineServer(contract, {
  security: [
    verify(bearer, async (given) => await isToken(given.token) ? { name: "member" } : undefined),
  ],
  context: ({ request }) => ({ request, storage }),
});

/** Whether a text is the token. */
export async function isToken(given: string): Promise<boolean> {
  return await hash(given) === await expected;
}

/** The time that a comparison of hashes takes tells nothing about the token. */
async function hash(secret: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret))).toHex();
}
