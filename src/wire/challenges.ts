/** Challenges: which credentials a 401 asks for, in the header `www-authenticate` (RFC 9110, section 11.6.1). */
import { isFieldValue } from "./headers.ts";

/** The details of a challenge, besides the parameters of its scheme. */
export interface ChallengeDetails {
  /** The name of the protection space. */
  readonly realm?: string | undefined;
  /** The required scopes. Only {@linkcode bearerChallenge} includes them. */
  readonly scopes?: readonly string[] | undefined;
  /** Why a credential was rejected (RFC 6750, section 3.1). Only {@linkcode bearerChallenge} includes it. */
  readonly error?: "invalid_token" | undefined;
  /** The URL of the protected resource's metadata (RFC 9728, section 5.1). */
  readonly metadata?: string | undefined;
}

/** Formats the challenge of a kind of credential. */
export type FormatChallenge = (details: ChallengeDetails) => string;

/** Returns the challenge for a bearer token (RFC 6750, section 3). */
export function bearerChallenge(scheme = "Bearer"): FormatChallenge {
  return ({ realm, scopes, error, metadata }) =>
    formatChallenge(scheme, { realm, scope: joinScopes(scopes), error, resource_metadata: metadata });
}

/** Returns the challenge of a 403: the token is valid but lacks scopes. */
export function scopeChallenge(scheme: string, { scopes, metadata }: ChallengeDetails): string {
  return formatChallenge(scheme, {
    error: "insufficient_scope",
    scope: joinScopes(scopes),
    resource_metadata: metadata,
  });
}

/** Returns the challenge for a username and a password (RFC 7617). */
export function basicChallenge({ realm, metadata }: ChallengeDetails): string {
  return formatChallenge("Basic", { realm, charset: "UTF-8", resource_metadata: metadata });
}

/** Returns the challenge for an API key, which no standard defines. */
export function apiKeyChallenge(header: string): FormatChallenge {
  return ({ realm, metadata }) =>
    formatChallenge("ApiKey", { realm, in: "header", name: header, resource_metadata: metadata });
}

/** Returns the challenge for a cookie, which no standard defines. */
export function cookieChallenge(cookie: string): FormatChallenge {
  return ({ realm, metadata }) => formatChallenge("Cookie", { realm, name: cookie, resource_metadata: metadata });
}

/** Returns a scheme with its parameters, each as a quoted string. Those that are `undefined` are left out. */
function formatChallenge(scheme: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const stated = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const texts = stated.map(([name, value]) => `${name}="${value!.replaceAll(/["\\]/g, "\\$&")}"`);
  return texts.length === 0 ? scheme : `${scheme} ${texts.join(", ")}`;
}

function joinScopes(scopes: readonly string[] = []): string | undefined {
  return scopes.length === 0 ? undefined : scopes.join(" ");
}

/**
 * Returns whether a quoted string of a header can carry `text`: Latin-1 without control characters. `Headers` accepts
 * that. Readers may interpret the characters beyond ASCII differently.
 */
export function isQuotable(text: string): boolean {
  return isFieldValue(text) && !/\p{Cc}/u.test(text);
}

/** Returns whether `text` is a scope (RFC 6749, section 3.3). */
export function isScope(text: string): boolean {
  return /^[!#-[\]-~]+$/.test(text);
}

/** Returns whether `text` is one challenge, with a token or with parameters. */
export function isChallenge(text: string): boolean {
  return isQuotable(text) && challenge.test(text);
}

const challenge = /* @__PURE__ */ planChallenge();

function planChallenge(): RegExp {
  const token = "[\\w!#$%&'*+.^`|~-]+";
  const parameter = `${token} *= *(?:${token}|"(?:[^"\\\\]|\\\\.)*")`;
  return new RegExp(`^${token}(?: +(?:[\\w.~+/-]+=*|${parameter}(?: *, *${parameter})*))?$`);
}
