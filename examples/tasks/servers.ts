/**
 * The server that all handlers share. The tasks are stored in the file that the environment variable TASKS_DB names, or in tasks.db
 * in this folder. The token is that of TASKS_TOKEN, or a new one.
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
    verify(bearer, async (sent) => await isToken(sent.token) ? { name: "member" } : undefined),
  ],
  context: ({ request }) => ({ request, storage }),
});

/** Returns whether a text is the token. */
export async function isToken(sent: string): Promise<boolean> {
  return await hash(sent) === await expected;
}

/** Hashes a token. The time to compare two hashes reveals nothing about the token. */
async function hash(secret: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret))).toHex();
}
