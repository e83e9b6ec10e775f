/**
 * Accepts the token of the server, and no other.
 *
 * @module
 */
import { type BearerInput } from "@scope/api";
import { type Verifier, verify } from "@scope/api/server";
import { bearer } from "./contract.ts";

/** Whoever has the token. */
interface Member {
  readonly name: "member";
}

/** Verifies `Authorization: Bearer …` (RFC 6750) with that token. */
export function verifyToken(token: string): Verifier<"bearer", Member, Record<never, never>> {
  const expected = hash(token);
  return verify(bearer, async (given: BearerInput): Promise<Member | undefined> => {
    return await hash(given.token) === await expected ? { name: "member" } : undefined;
  });
}

/** Who times a comparison of hashes learns nothing of the token. */
async function hash(secret: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret))).toHex();
}
