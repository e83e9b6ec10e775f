/**
 * Secrets that authenticate a caller: tokens and session ids. Stores keep only their hashes.
 *
 * @module
 */

/** Returns 256 random bits as text that is valid in headers and cookies. */
export function createSecret(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toHex();
}

/**
 * Returns the hash that a secret is stored and looked up by. A stolen store contains no usable secret, and the time of a
 * lookup reveals nothing about a secret. 256 random bits need no salt and no slow hash; passwords need both.
 */
export async function hashSecret(secret: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret))).toHex();
}
