/**
 * Lets whoever shows the token pass, and nobody else.
 *
 * @module
 */
import { type Middleware } from "@scope/api/server";
import { type refusals } from "./contract.ts";

/** A middleware that asks for `Authorization: Bearer …` (RFC 6750) with that token. */
export function requireToken(token: string): Middleware<{ readonly request: Request }, typeof refusals> {
  const expected = hash(token);
  return async ({ context, next, response }) => {
    const given = context.request.headers.get("authorization")?.match(/^Bearer +([\w.~+/-]+=*)$/i)?.[1];
    if (given !== undefined && await hash(given) === await expected) return await next();
    const detail = given === undefined ? "Show the token that the server printed" : "The token is wrong";
    return response(401, { detail }, { "www-authenticate": 'Bearer realm="tasks"' });
  };
}

/** Who times a comparison of hashes learns nothing of the token. */
async function hash(secret: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret))).toHex();
}
