/**
 * Credentials in requests: where each kind is, how a server reads it, and how a client adds the one of its call. And
 * challenges, which say what credentials a 401 asks for, in the header `www-authenticate` (RFC 9110, section 11).
 */
import { type HeaderSources, isExactFieldValue, isFieldValue, namesHeader, tokenPattern } from "./headers.ts";

/** The credential that the verifier of a bearer scheme receives. */
export interface BearerCredential {
  /** The token, as it follows `Bearer` in the header. */
  readonly token: string;
}

/** The credential that the verifier of a basic scheme receives, and that a client is configured with. */
export interface BasicCredential {
  /** The username, which contains no colon. */
  readonly username: string;
  /** The password, which may contain colons. */
  readonly password: string;
}

/** The credential that the verifier of an API key scheme receives. */
export interface ApiKeyCredential {
  /** The value of the scheme's header. */
  readonly key: string;
}

/** The credential that the verifier of a cookie scheme receives. */
export interface CookieCredential {
  /** The value as sent, neither percent-decoded nor without its quotation marks. */
  readonly value: string;
}

/** What the verifier of a signature scheme receives. */
export interface SignedContent {
  /** The content of the request, byte for byte, before it is decoded. Do not change it. */
  readonly content: Uint8Array<ArrayBuffer>;
}

/**
 * Describes a bearer token in the `authorization` header, after the name of an authentication scheme (RFC 6750; RFC
 * 9110, section 11.4).
 */
export function bearerCredential(scheme = "Bearer"): CredentialPlace<BearerCredential, string> {
  return {
    field: "authorization",
    place: placeOfScheme(scheme),
    read(headers): ShownCredential<BearerCredential> {
      const token = readScheme(headers, scheme);
      return token === undefined ? undefined : token68.test(token) ? { token } : "malformed";
    },
    format(token, present): string {
      if (!isText(token, token68)) {
        throw new TypeError("a token must have only letters, digits and -._~+/, and = only at the end");
      }
      return present ?? `${scheme} ${token}`;
    },
    plan: planCredential,
  };
}

const token68 = /^[\w\-.~+/]+=*$/;

/** A username and a password in the `authorization` header (RFC 7617): UTF-8 in Base64, in canonical form only. */
export const basicCredential: CredentialPlace<BasicCredential, BasicCredential> = {
  field: "authorization",
  place: /* @__PURE__ */ placeOfScheme("Basic"),
  read(headers): ShownCredential<BasicCredential> {
    const text = readScheme(headers, "Basic");
    return text === undefined ? undefined : parseBasic(text);
  },
  format(credential, present): string {
    const { username, password } = Object(credential) as Partial<BasicCredential>; // callers without types may pass anything
    if (!isText(username, basicName)) {
      throw new TypeError("a username must not have colons, control characters or lone surrogates");
    }
    if (!isText(password, basicPassword)) {
      throw new TypeError("a password must not have control characters or lone surrogates");
    }
    return present ?? `Basic ${encodeBase64(`${username}:${password}`)}`;
  },
  plan: planCredential,
};

function parseBasic(text: string): BasicCredential | "malformed" {
  const [, username, password] = /^([^:]*):(.*)$/s.exec(decodeBase64(text) ?? "") ?? [];
  const isWhole = isText(username, basicName) && isText(password, basicPassword);
  return isWhole ? { username, password } : "malformed";
}

const basicName = /^[^:\p{Cc}]*$/u;
const basicPassword = /^\P{Cc}*$/u;

export function encodeBase64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""));
}

/**
 * Decodes Base64 to text. `undefined` if it is not UTF-8, or differs from the output of {@linkcode encodeBase64}:
 * `atob` tolerates much.
 */
function decodeBase64(base64: string): string | undefined {
  try {
    const binary = atob(base64);
    if (btoa(binary) !== base64) return undefined;
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Describes an API key as the whole value of a header of its own. */
export function apiKeyCredential(header: string): CredentialPlace<ApiKeyCredential, string> {
  const field = header.toLowerCase();
  return {
    field,
    place: `the header ${field}`,
    read(headers): ShownCredential<ApiKeyCredential> {
      const key = headers.get(field);
      return key === null || key === "" ? undefined : { key };
    },
    format(key, present): string {
      const isCarried = typeof key === "string" && key !== "" && isExactFieldValue(key);
      if (!isCarried) throw new TypeError(`the key is not a valid value of the header ${field}`);
      return present ?? key;
    },
    plan: planCredential,
  };
}

/**
 * Describes a cookie (RFC 6265, section 4.2). Browsers send it automatically. Other clients append it to the cookies in
 * the header.
 */
export function cookieCredential(cookie: string): CredentialPlace<CookieCredential, string> {
  return {
    field: "cookie",
    place: `the cookie ${cookie}`,
    read(headers): ShownCredential<CookieCredential> {
      const [value, ...others] = cookieValues(headers.get("cookie"), cookie);
      if (others.length > 0) return "malformed";
      if (value === undefined || value === "") return undefined;
      return cookieValue.test(value) ? { value } : "malformed";
    },
    format(value, present = null): string {
      const isCarried = isText(value, cookieValue) && value !== "";
      if (!isCarried) throw new TypeError(`the value of the cookie ${cookie} is invalid`);
      if (present === null || present === "") return `${cookie}=${value}`;
      return cookieValues(present, cookie).length > 0 ? present : `${present}; ${cookie}=${value}`;
    },
    plan: planCredential,
  };
}

const cookieValue = /^(?:[!#-+\--:<-[\]-~]*|"[!#-+\--:<-[\]-~]*")$/;

function cookieValues(field: string | null, cookie: string): string[] {
  const start = `${cookie}=`;
  return (field ?? "").split(";").map((pair) => pair.replace(/^[ \t]+/, ""))
    .filter((pair) => pair.startsWith(start)).map((pair) => pair.slice(start.length));
}

function placeOfScheme(scheme: string): string {
  return `the authentication scheme ${scheme.toLowerCase()}`;
}

/**
 * Reads the text after the name of an authentication scheme: `undefined` if the request does not name it, and empty if
 * no single text follows. Repeated headers are joined by commas. If a later one has the scheme, the request has the
 * credential, but malformed.
 */
function readScheme(headers: Pick<Headers, "get">, scheme: string): string | undefined {
  const value = headers.get("authorization");
  for (const part of value?.split(",") ?? []) {
    const [, name = ""] = /^[ \t]*([^ \t]*)/.exec(part) ?? [];
    if (name.toLowerCase() === scheme.toLowerCase()) return /^[^ \t,]+ +([^ ]+)$/.exec(value!)?.[1] ?? "";
  }
  return undefined;
}

function isText(value: unknown, pattern: RegExp): value is string {
  return typeof value === "string" && value.isWellFormed() && pattern.test(value);
}

/** The credential in a request: the verifier's input, `"malformed"`, or `undefined` if the request has none. */
export type ShownCredential<Input extends object = object> = Input | "malformed" | undefined;

/**
 * A header for a credential, and its format.
 *
 * @internal
 */
export interface CredentialPlace<Input extends object = object, Value = never> {
  /** The name of the request header, in lowercase. */
  readonly field: string;
  /** A description of the place. Credentials with the same place cannot be told apart. */
  readonly place: string;
  /** Reads the credential from a request. */
  readonly read: (headers: Pick<Headers, "get">) => ShownCredential<Input>;
  /**
   * Formats the value of the header. If the header can carry only one credential, a present value wins. `null` means
   * none. Throws a `TypeError` that does not contain the credential if the header cannot carry it exactly.
   */
  readonly format: (value: Value, present?: string | null) => string;
  /**
   * Plans which credential the calls of a route send. Every place has the same function, so only clients with security
   * bundle it.
   */
  readonly plan: typeof planCredential;
}

/** Adds the credentials of a call to its own headers, which win. `sources` are the headers that were merged. */
export type ShowCredential = (own: Headers | undefined, sources: HeaderSources) => Promise<Headers | undefined>;

/**
 * A scheme that a route accepts.
 *
 * @internal
 */
export interface AcceptedScheme {
  /** The scheme. */
  readonly scheme: {
    /** Its name. */
    readonly name: string;
    /** How requests carry the credential. `undefined` for one that clients cannot send. */
    readonly credential: CredentialPlace | undefined;
  };
}

/** A scheme that a route accepts and for which a client has a credential. */
interface HeldScheme {
  readonly name: string;
  readonly place: CredentialPlace;
  readonly source: unknown;
}

/**
 * Plans which credential the calls of a route send: that of the first entry in its list whose schemes all have a value
 * in `sources`. If the headers of a call already have the credentials of an entry, no other is sent or evaluated.
 */
function planCredential(
  entries: readonly (readonly AcceptedScheme[])[],
  sources: Readonly<Record<string, unknown>>,
): ShowCredential | undefined {
  const sent = entries.map((schemes) =>
    schemes.flatMap(({ scheme: { name, credential: place } }): HeldScheme[] =>
      place ? [{ name, place, source: Object.hasOwn(sources, name) ? sources[name] : undefined }] : []
    )
  ).filter((schemes) => schemes.length > 0);
  if (!sent.flat().some(({ name }) => Object.hasOwn(sources, name))) return undefined;
  return async (own, ownSources) => {
    const headers = own ?? new Headers();
    const isShown = ({ place }: HeldScheme): boolean => place.read(headers) !== undefined;
    if (sent.some((schemes) => schemes.every(isShown))) return own;
    for (const schemes of sent) {
      const added = new Headers(headers);
      if (await addCredentials(added, schemes.filter((each) => !isShown(each)), ownSources)) return added;
    }
    return own;
  };
}

/**
 * Adds the credentials of schemes to headers. Returns `false` if one has none, or if the call removes its
 * header.
 */
async function addCredentials(
  headers: Headers,
  schemes: readonly HeldScheme[],
  ownSources: HeaderSources,
): Promise<boolean> {
  for (const scheme of schemes) {
    const { field, format } = scheme.place;
    const present = headers.get(field);
    if (present === null && namesHeader(ownSources, field)) return false;
    const value = await readCredential(scheme);
    if (value === undefined) return false;
    headers.set(field, format(value as never, present)); // format() checks it
  }
  return true;
}

/**
 * Returns the credential that a client was configured with. An error from its function may contain the credential, so
 * the message does not quote it.
 */
async function readCredential({ name, source }: HeldScheme): Promise<unknown> {
  if (typeof source !== "function") return source;
  try {
    return await source();
  } catch (cause) {
    throw new TypeError(`the function of the credential ${JSON.stringify(name)} threw`, { cause });
  }
}

/** The details of a challenge, besides the parameters of its scheme. */
export interface ChallengeDetails {
  /** The name of the protection space. */
  readonly realm?: string | undefined;
  /** The required scopes. Only {@linkcode bearerChallenge} and {@linkcode scopeChallenge} include them. */
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

/** Returns the challenge for a signature, which no standard defines. */
export function signatureChallenge(fields: readonly string[]): FormatChallenge {
  return ({ realm }) => formatChallenge("Signature", { realm, headers: fields.join(" ") });
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

const challenge = /* @__PURE__ */ tokenPattern((token) => {
  const parameter = `${token} *= *(?:${token}|"(?:[^"\\\\]|\\\\.)*")`;
  return `^${token}(?: +(?:[\\w.~+/-]+=*|${parameter}(?: *, *${parameter})*))?$`;
});
