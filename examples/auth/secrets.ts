/**
 * Secrets that a caller shows to be let in: tokens and session ids. No store keeps them, it keeps their hashes.
 *
 * @module
 */

/** 256 random bits, as text that header fields and cookies can carry. */
export function createSecret(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toHex();
}

/**
 * What a secret is stored and looked up by. Who steals the store can show none of it, and who times the look-up learns of
 * hashes, which he can't choose. Without salt or repetition, for nobody guesses 256 random bits; a password needs both.
 */
export async function hashSecret(secret: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret))).toHex();
}
