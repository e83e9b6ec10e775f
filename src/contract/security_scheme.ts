import { type Marked } from "../mark.ts";
import { type CredentialPlace } from "../wire/credential_place.ts";

/**
 * How a credential is transmitted.
 *
 * @internal
 */
export type SchemeKind = "bearer" | "basic" | "apiKey" | "cookie" | "custom";

/**
 * An entry of a list of security schemes, in types: the name of its scheme, and the credential that a verifier is passed.
 *
 * @internal
 */
export interface SecurityEntry<Name extends string = string, Credential extends object = object> {
  /** The name of the scheme; empty for `security.none`. */
  readonly name: Name;
  /** The credential, in types only. */
  readonly types?: Credential | undefined;
}

/** A security scheme: one way in which a caller authenticates; made by {@linkcode security}. */
export interface SecurityScheme<
  Name extends string = string,
  Credential extends object = object,
  Scope extends string = string,
> extends SecurityEntry<Name, Credential>, Marked<"security scheme"> {
  /** How the credential is transmitted. */
  readonly kind: SchemeKind;
  /** The scopes that exist; empty for a scheme without scopes. */
  readonly scopes: readonly Scope[];
  /** Where requests carry the credential, and how it is written there; `undefined` for a custom scheme. */
  readonly credential: CredentialPlace | undefined;
  /** The realm that challenges name (RFC 9110, section 11.5). */
  readonly realm: string;
  /** Whether browsers attach the credential by themselves, also to requests that a foreign page made. */
  readonly isAmbient: boolean;
  /** The options as they were declared. */
  readonly options: AnySchemeOptions;
  /**
   * The scheme with scopes that the caller must have, all of them.
   *
   * @throws {TypeError} For a scope that the scheme does not have.
   */
  scoped(...scopes: [Scope, ...Scope[]]): ScopedScheme<Name, Credential>;
}

/** A security scheme with the scopes that a route requires; made by {@linkcode SecurityScheme.scoped}. */
export interface ScopedScheme<Name extends string = string, Credential extends object = object>
  extends SecurityEntry<Name, Credential>, Marked<"scoped scheme"> {
  /** The scheme. */
  readonly scheme: SecurityScheme<Name, Credential>;
  /** The scopes that the caller must have, all of them. */
  readonly scopes: readonly string[];
}

/** The entry that lets callers in who show no credential: `security.none`. */
export interface NoSecurity extends SecurityEntry<"", never>, Marked<"no security"> {}

/** The security of a route, router or contract: any one entry lets a caller in; an empty list lets everyone in. */
export type Security = readonly (SecurityScheme | ScopedScheme | NoSecurity)[];

/** The options that every kind of scheme has. */
export interface CommonSchemeOptions<Scope extends string = string> {
  /** The scopes that exist (RFC 6749, section 3.3). A verifier then returns a caller with `scopes`. Default: none. */
  readonly scopes?: readonly Scope[];
  /** The realm that challenges name. Default: `"api"`. */
  readonly realm?: string;
  /** A description for the OpenAPI document, in CommonMark. */
  readonly description?: string;
}

/** The options of `security.bearer`. */
export interface BearerSchemeOptions<Scope extends string = string> extends CommonSchemeOptions<Scope> {
  /** The authentication scheme in the `authorization` header. Default: `"Bearer"`. */
  readonly scheme?: string;
  /** What a token looks like, for the OpenAPI document: `"JWT"`. */
  readonly format?: string;
  /** The OAuth 2 flows that issue tokens, for the OpenAPI document. */
  readonly oauth2?: { readonly flows: Readonly<Record<string, object>> };
  /** The URL of the OpenID Connect discovery document, for the OpenAPI document. */
  readonly openIdConnect?: string;
  /** The URL of the protected resource's metadata (RFC 9728), named by each challenge. */
  readonly metadata?: string;
}

/** The options of `security.basic`. */
export interface BasicSchemeOptions<Scope extends string = string> extends CommonSchemeOptions<Scope> {}

/** The options of `security.apiKey`. */
export interface ApiKeySchemeOptions<Scope extends string = string> extends CommonSchemeOptions<Scope> {
  /** The request header that carries the key, in lower case. */
  readonly header: string;
}

/** The options of `security.cookie`. */
export interface CookieSchemeOptions<Scope extends string = string> extends CommonSchemeOptions<Scope> {
  /** The name of the cookie. */
  readonly cookie: string;
}

/** The options of `security.custom`. */
export interface CustomSchemeOptions<Scope extends string = string> extends CommonSchemeOptions<Scope> {
  /** The challenge of a 401 (RFC 9110, section 11.3), for example `'DPoP algs="ES256"'`. */
  readonly challenge: string;
  /** The Security Scheme Object of the OpenAPI document. */
  readonly openapi: Readonly<Record<string, unknown>>;
  /** Whether browsers attach the credential by themselves, as they do with client certificates. Default: `false`. */
  readonly ambient?: boolean;
}

/**
 * The options of any kind of scheme.
 *
 * @internal
 */
export type AnySchemeOptions = Partial<
  BearerSchemeOptions & ApiKeySchemeOptions & CookieSchemeOptions & CustomSchemeOptions
>;
