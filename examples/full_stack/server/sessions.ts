/** Sessions, in memory. docs/authentication.md#session-cookies explains each decision. */
import { verify } from "@scope/api/server";
import { createHash, randomBytes } from "node:crypto";
import { session } from "../contract.ts";

const maxAge = 8 * 60 * 60; // seconds
const sessions = new Map<
  string,
  { readonly name: string; readonly expires: number }
>();
const hash = (id: string): string => createHash("sha256").update(id).digest("hex");

/** Starts a session; returns its cookie. */
export function startSession(name: string): string {
  const id = randomBytes(32).toString("base64url");
  sessions.set(hash(id), { name, expires: Date.now() + maxAge * 1_000 });
  return formatCookie(id, maxAge);
}

/** Ends a session; returns the cookie that removes its own. */
export function endSession(id: string): string {
  sessions.delete(id);
  return formatCookie("", 0);
}

export const verifySession = verify(session, ({ value }) => {
  const id = hash(value);
  const found = sessions.get(id);
  return found && found.expires > Date.now() ? { name: found.name, id } : undefined;
});

/** Browsers accept `Secure` from http://localhost, except Safari. */
function formatCookie(value: string, maxAge: number): string {
  return `session=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; Secure; SameSite=Lax`;
}
