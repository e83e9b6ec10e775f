import { isMarked, type Marked } from "../mark.ts";
import type { Schema } from "../schema.ts";
import type { CredentialPlace } from "../wire/credentials.ts";

/**
 * How a request carries the credential.
 *
 * @internal
 */
export type SchemeKind = "bearer" | "basic" | "apiKey" | "cookie" | "signature" | "custom";

/**
 * An entry of a list of security schemes: the scheme's name, and the type of the credential that its verifier receives.
 *
 * @internal
 */
export interface SecurityEntry<Name extends string = string, Credential extends object = object> {
  /** The name of the scheme. Empty for `security.none`. */
  readonly name: Name;
  /** The type of the credential. Never present at run time. */
  readonly types?: Credential | undefined;
}

/** A security scheme: one way for callers to authenticate. The {@linkcode security} functions return it. */
export interface SecurityScheme<
  Name extends string = string,
  Credential extends object = object,
  Scope extends string = string,
> extends SecurityEntry<Name, Credential>, Marked<"security scheme"> {
  /** How a request carries the credential. */
  readonly kind: SchemeKind;
  /** The scopes that exist. Empty for a scheme without scopes. */
  readonly scopes: readonly Scope[];
  /**
   * Which header carries the credential, and in which format. `undefined` for what clients cannot send: a signature, and
   * the credential of a custom scheme.
   */
  readonly credential: CredentialPlace | undefined;
  /** The realm in challenges (RFC 9110, section 11.5). */
  readonly realm: string;
  /** Whether browsers attach the credential automatically, including to requests from other sites. */
  readonly isAmbient: boolean;
  /** The options as declared. */
  readonly options: AnySchemeOptions;
  /**
   * Requires scopes of the caller: all of those listed.
   *
   * @throws {TypeError} If the scheme does not have one of the scopes.
   */
  scoped(...scopes: [Scope, ...Scope[]]): ScopedScheme<Name, Credential>;
}

/** A security scheme with the scopes that a route requires. {@linkcode SecurityScheme.scoped} returns it. */
export interface ScopedScheme<Name extends string = string, Credential extends object = object>
  extends SecurityEntry<Name, Credential>, Marked<"scoped scheme"> {
  /** The scheme whose callers must have the scopes. */
  readonly scheme: SecurityScheme<Name, Credential>;
  /** The scopes that the caller must have, all of them. */
  readonly scopes: readonly string[];
}

/**
 * A scheme, with or without required scopes.
 *
 * @internal
 */
export type SchemeEntry = SecurityScheme | ScopedScheme;

/** Schemes that a route requires together. The function `all` of {@linkcode security} returns it. */
export interface CombinedSchemes<Entries extends readonly SchemeEntry[] = readonly SchemeEntry[]>
  extends SecurityEntry<JoinedName<Entries>, never>, Marked<"combined schemes"> {
  /** The schemes, whose credentials a caller needs all. */
  readonly schemes: Entries;
}

/**
 * The names of schemes, joined by `+`.
 *
 * @internal
 */
export type JoinedName<Entries extends readonly SecurityEntry[]> = Entries extends
  readonly [infer First extends SecurityEntry, ...infer Rest extends readonly SecurityEntry[]]
  ? Rest extends readonly [] ? First["name"] : `${First["name"]}+${JoinedName<Rest>}`
  : string;

/** The schemes of an entry. */
export type EachScheme<Entry> = Entry extends CombinedSchemes<infer Entries> ? Entries[number] : Entry;

/** The entry `security.none`, which accepts callers without a credential. */
export interface NoSecurity extends SecurityEntry<"", never>, Marked<"no security"> {}

/**
 * The security of a route, router or contract: a caller needs the credential of one entry. An empty list accepts
 * everyone.
 */
export type Security = readonly (SecurityScheme | ScopedScheme | CombinedSchemes | NoSecurity)[];

/**
 * The entries of lists of security schemes, each of those that are required together by itself.
 *
 * @internal
 */
export type EntryOf<Secured> = Secured extends Security ? EachScheme<Secured[number]> : never;

/** The names of the schemes in a list. */
export type SchemeName<Secured> = Exclude<EntryOf<Secured>["name"], "">;

/** A security scheme under another name. {@linkcode renameScheme} returns it. */
export interface RenamedScheme<
  Name extends string = string,
  Credential extends object = object,
  Scope extends string = string,
  Before extends string = string,
> extends SecurityScheme<Name, Credential, Scope> {
  /** The scheme that it replaces. */
  readonly renamed: SecurityScheme<Before, Credential, Scope>;
}

/** A list of security schemes, with the renamed ones in place of those that they rename. */
export type RenamedList<Secured, Schemes extends RenamedScheme> = Secured extends Security
  ? { readonly [Index in keyof Secured]: RenamedEntry<Secured[Index], Schemes> }
  : Secured;

/** {@linkcode RenamedList} for one entry. */
type RenamedEntry<Entry, Schemes extends RenamedScheme> = Entry extends
  CombinedSchemes<infer Entries extends readonly SchemeEntry[]>
  ? CombinedSchemes<{ readonly [Index in keyof Entries]: Extract<RenamedEntry<Entries[Index], Schemes>, SchemeEntry> }>
  : Entry extends ScopedScheme<infer Before, infer Credential>
    ? [Extract<Schemes, Renaming<Before>>] extends [never] ? Entry
    : ScopedScheme<Extract<Schemes, Renaming<Before>>["name"], Credential>
  : Entry extends SecurityScheme<infer Before>
    ? [Extract<Schemes, Renaming<Before>>] extends [never] ? Entry : Extract<Schemes, Renaming<Before>>
  : Entry;

/** A scheme that renames the one of a name. */
interface Renaming<Before extends string> {
  readonly renamed: { readonly name: Before };
}

/** The options of every kind of scheme. */
export interface CommonSchemeOptions<Scope extends string = string> {
  /**
   * The scopes that exist (RFC 6749, section 3.3). With scopes, a verifier must return a caller with `scopes`. Default:
   * none.
   */
  readonly scopes?: readonly Scope[];
  /** The realm in challenges. Default: `"api"`. */
  readonly realm?: string;
  /** A description for the OpenAPI document, in CommonMark. Default: none. */
  readonly description?: string;
}

/** The options of `security.bearer`. */
export interface BearerSchemeOptions<Scope extends string = string> extends CommonSchemeOptions<Scope> {
  /** The authentication scheme in the `authorization` header. Default: `"Bearer"`. */
  readonly scheme?: string;
  /** The format of the tokens, for the OpenAPI document: `"JWT"`. Only for the scheme `"Bearer"`. Default: none. */
  readonly format?: string;
  /** The OAuth 2 flows that issue tokens, for the OpenAPI document. Default: none. */
  readonly oauth2?: { readonly flows: Readonly<Record<string, object>> };
  /** The URL of the OpenID Connect discovery document, for the OpenAPI document. Default: none. */
  readonly openIdConnect?: string;
  /** The URL of the protected resource's metadata (RFC 9728), which each challenge contains. Default: none. */
  readonly metadata?: string;
}

/** The options of `security.basic`. */
export interface BasicSchemeOptions<Scope extends string = string> extends CommonSchemeOptions<Scope> {}

/** The options of `security.apiKey`. */
export interface ApiKeySchemeOptions<Scope extends string = string> extends CommonSchemeOptions<Scope> {
  /** The request header that carries the key, in lowercase. */
  readonly header: string;
}

/** The options of `security.cookie`. */
export interface CookieSchemeOptions<Scope extends string = string> extends CommonSchemeOptions<Scope> {
  /** The name of the cookie. */
  readonly cookie: string;
}

/** The options of `security.signature`. */
export interface SignatureSchemeOptions<Scope extends string = string> extends CommonSchemeOptions<Scope> {
  /**
   * The request headers that a signed request has, in lowercase, first the one with the signature. Without them all, a
   * request does not have this credential, and its body is not read.
   */
  readonly headers: readonly [string, ...string[]];
  /**
   * The maximum size in bytes of the content that is read to verify it: an integer, 1 or more. The server answers 413 to
   * longer content. A stranger can make the server keep as many bytes.
   */
  readonly maxBytes: number;
  /** The challenge of a 401 response (RFC 9110, section 11.3). Default: `Signature headers="…"`. */
  readonly challenge?: string;
  /** The Security Scheme Object for the OpenAPI document. Default: that of an API key in the first header. */
  readonly openapi?: Readonly<Record<string, unknown>>;
}

/** The options of `security.custom`. */
export interface CustomSchemeOptions<Scope extends string = string> extends CommonSchemeOptions<Scope> {
  /** The challenge of a 401 response (RFC 9110, section 11.3), for example `'DPoP algs="ES256"'`. */
  readonly challenge: string;
  /** The Security Scheme Object for the OpenAPI document. */
  readonly openapi: Readonly<Record<string, unknown>>;
  /** Whether browsers attach the credential automatically, as they do with client certificates. Default: `false`. */
  readonly ambient?: boolean;
}

/**
 * The options of all kinds of schemes.
 *
 * @internal
 */
export type AnySchemeOptions = Partial<
  BearerSchemeOptions & ApiKeySchemeOptions & CookieSchemeOptions & SignatureSchemeOptions & CustomSchemeOptions
>;

/** A scheme that a route accepts, with the scopes that it requires. */
export interface Requirement {
  readonly scheme: SecurityScheme;
  readonly scopes: readonly string[];
}

/** Returns the schemes of a list that a caller needs together, for each entry in order. `security.none` is left out. */
export function alternativesOf(security?: Security): readonly (readonly Requirement[])[] {
  return checksOf(security)?.alternativesOf(security!) ?? []; // what has checks is a list
}

/** Returns the schemes of a list, in order. A scheme of several entries is repeated. */
export function requirementsOf(security?: Security): Requirement[] {
  return alternativesOf(security).flat();
}

/** Returns the schemes of routes, each once. */
export function schemesOf(routes: readonly { readonly security: Security | undefined }[]): SecurityScheme[] {
  return [...new Set(routes.flatMap(({ security }) => requirementsOf(security).map(({ scheme }) => scheme)))];
}

/** Returns whether a list accepts callers without a credential. */
export function isOptional(security: Security): boolean {
  return security.some(isNone);
}

/** Returns whether an entry is `security.none`. */
export function isNone(entry: unknown): entry is NoSecurity {
  return isMarked(entry, "no security");
}

/** The rules of one kind of scheme. */
interface KindRules {
  /**
   * Whether an invalid credential counts as none if the route does not require one. Browsers keep sending cookies that
   * have expired.
   */
  readonly isLenient: boolean;
  /** Whether a 403 for missing scopes has a challenge (RFC 6750, section 3.1). */
  readonly hasScopeChallenge: boolean;
  /** Whether the server can tell that a request has such a credential. */
  readonly isTold: boolean;
}

/** The rules of each kind. */
export const kindRules: Readonly<Record<SchemeKind, KindRules>> = {
  bearer: { isLenient: false, hasScopeChallenge: true, isTold: true },
  basic: { isLenient: false, hasScopeChallenge: false, isTold: true },
  apiKey: { isLenient: false, hasScopeChallenge: false, isTold: true },
  cookie: { isLenient: true, hasScopeChallenge: false, isTold: true },
  signature: { isLenient: false, hasScopeChallenge: false, isTold: true },
  custom: { isLenient: true, hasScopeChallenge: false, isTold: false },
};

/** The members of a route that decide whether its requests may change something. */
interface MutatingFacts {
  readonly method: string;
  readonly responses: object;
}

/**
 * Returns whether the server checks the origin of a request: browsers attach all credentials that it needs, and the
 * request may change something: the method is not safe, or the response (101) opens a connection that can.
 */
export function isForgeable(needed: readonly Requirement[], { method, responses }: MutatingFacts): boolean {
  return needed.every(({ scheme }) => scheme.isAmbient) && (!isSafeMethod(method) || Object.hasOwn(responses, 101));
}

const safeMethods: readonly string[] = ["GET", "HEAD", "OPTIONS", "QUERY"];

/** Returns whether a method is safe: its requests change nothing (RFC 9110, section 9.2.1; RFC 10008 for QUERY). */
export function isSafeMethod(method: string): boolean {
  return safeMethods.includes(method);
}

/** The members of a resolved route that the checks of its security read. */
export interface SecuredRoute {
  readonly key: string;
  readonly method: string;
  readonly headers: Schema | undefined;
  readonly body:
    | { readonly representation: { readonly startUpload?: unknown }; readonly maxBytes: number | undefined }
    | undefined;
  readonly security: Security | undefined;
}

/** The checks that a scheme carries, so that contracts without security do not contain them. */
export interface SecurityChecks {
  /** Throws a `TypeError` if the entries of a list do not fit together. */
  readonly checkList: (list: Security, where: string) => void;
  /** Throws a `TypeError` if the security of resolved routes is invalid. */
  readonly checkNodes: (nodes: readonly SecuredRoute[], where: string) => void;
  /** The statuses with which the security of a route can refuse its requests. */
  readonly listStatuses: (list: Security, route: MutatingFacts) => readonly number[];
  /** What {@linkcode alternativesOf} returns. */
  readonly alternativesOf: (list: Security) => readonly (readonly Requirement[])[];
}

/** Returns the checks that the entries of a list carry. `undefined` for an empty list. */
export function checksOf([entry]: Security = []): SecurityChecks | undefined {
  return (entry as { readonly checks?: SecurityChecks } | undefined)?.checks; // types of entries do not show them
}
