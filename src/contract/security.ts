import { markAs } from "../mark.ts";
import { type CredentialPlace } from "../wire/credential_place.ts";
import {
  type ApiKeyCredential,
  apiKeyCredential,
  type BasicCredential,
  basicCredential,
  type BearerCredential,
  bearerCredential,
  type CookieCredential,
  cookieCredential,
} from "../wire/credentials.ts";
import { checkScheme } from "./check_scheme.ts";
import { cannotDeclare } from "./declared.ts";
import { securityChecks } from "./security_checks.ts";
import {
  type AnySchemeOptions,
  type ApiKeySchemeOptions,
  type BasicSchemeOptions,
  type BearerSchemeOptions,
  type CookieSchemeOptions,
  type CustomSchemeOptions,
  type NoSecurity,
  type SchemeKind,
  type ScopedScheme,
  type SecurityScheme,
} from "./security_scheme.ts";

/** The functions of {@linkcode security}, one for each kind of scheme. */
export interface SecurityHelpers {
  /** A bearer token in the `authorization` header (RFC 6750): `Bearer …`. */
  bearer<const Name extends string, const Scope extends string = never>(
    name: Name,
    options?: BearerSchemeOptions<Scope>,
  ): SecurityScheme<Name, BearerCredential, Scope>;
  /** A username and a password in the `authorization` header (RFC 7617). Browsers attach them automatically. */
  basic<const Name extends string, const Scope extends string = never>(
    name: Name,
    options?: BasicSchemeOptions<Scope>,
  ): SecurityScheme<Name, BasicCredential, Scope>;
  /** An API key in a request header of its own. */
  apiKey<const Name extends string, const Scope extends string = never>(
    name: Name,
    options: ApiKeySchemeOptions<Scope>,
  ): SecurityScheme<Name, ApiKeyCredential, Scope>;
  /** A cookie (RFC 6265). Browsers attach it automatically. */
  cookie<const Name extends string, const Scope extends string = never>(
    name: Name,
    options: CookieSchemeOptions<Scope>,
  ): SecurityScheme<Name, CookieCredential, Scope>;
  /**
   * A credential that its verifier reads from the request itself: a client certificate, a signature, a key in the
   * query. The verifier runs if the request has no credential of another scheme in the list.
   */
  custom<const Name extends string, const Scope extends string = never>(
    name: Name,
    options: CustomSchemeOptions<Scope>,
  ): SecurityScheme<Name, Record<never, never>, Scope>;
  /** The entry that also accepts callers without a credential, in a list with schemes. */
  readonly none: NoSecurity;
}

/**
 * Declares security schemes, for the option `security` of a route, router or contract. The server verifies the
 * credentials (`verify` of `@scope/api/server`), a client sends them (the option `credentials`), and the OpenAPI
 * document describes them.
 *
 * Each function throws a `TypeError` for an invalid name, an unknown option, or an option value that a request or a
 * challenge cannot carry.
 *
 * @example A router for callers with a token, and a public route
 * ```ts
 * import { defineContract, response, route, router, security } from "@scope/api";
 * import { assertEquals } from "@std/assert";
 *
 * const token = security.bearer("token", { scopes: ["notes:read"] });
 * const contract = defineContract({
 *   routes: {
 *     health: route.get("/health", { security: [], responses: { 200: response.text() } }),
 *     notes: router("/notes", {
 *       security: [token.scoped("notes:read")],
 *       routes: { list: route.get("/", { responses: { 200: response.json<string[]>() } }) },
 *     }),
 *   },
 * });
 *
 * assertEquals(contract.routes.notes.list.security.map(({ name }) => name), ["token"]);
 * ```
 */
export const security: SecurityHelpers = /* @__PURE__ */ Object.freeze({
  bearer: /* @__PURE__ */ helper("bearer", ({ scheme }) => bearerCredential(scheme)),
  basic: /* @__PURE__ */ helper("basic", () => basicCredential, true),
  apiKey: /* @__PURE__ */ helper("apiKey", ({ header }) => apiKeyCredential(header!)), // checkScheme requires it
  cookie: /* @__PURE__ */ helper("cookie", ({ cookie }) => cookieCredential(cookie!), true), // checkScheme requires it
  custom: /* @__PURE__ */ helper("custom", () => undefined),
  none: /* @__PURE__ */ markAs("no security", { name: "", checks: securityChecks }),
}) as SecurityHelpers; // SecurityHelpers declares the exact types

/** Creates the helper of a kind. {@linkcode SecurityHelpers} declares its types. */
function helper(
  kind: SchemeKind,
  toCredential: (options: AnySchemeOptions) => CredentialPlace | undefined,
  isAmbient = false,
): (name: string, options?: AnySchemeOptions) => SecurityScheme {
  return (name, options = {}) => {
    checkScheme(kind, name, options);
    const kept = copyOptions(options);
    const { scopes = [], realm = "api", ambient = isAmbient } = kept;
    const scheme: SecurityScheme = markAs("security scheme", {
      name,
      kind,
      credential: Object.freeze(toCredential(kept)),
      scopes: Object.freeze(scopes),
      realm,
      isAmbient: ambient,
      options: kept,
      scoped: (...required: string[]) => scopeScheme(scheme, required),
      checks: securityChecks,
    });
    return scheme;
  };
}

/** A frozen deep copy of the options, which are all plain data. */
function copyOptions(options: AnySchemeOptions): AnySchemeOptions {
  return JSON.parse(JSON.stringify(options), (_key, value) => Object.freeze(value));
}

function scopeScheme(scheme: SecurityScheme, required: readonly string[]): ScopedScheme {
  const { name, kind, scopes } = scheme;
  const where = `security.${kind}(${JSON.stringify(name)}).scoped()`;
  if (required.length === 0) cannotDeclare(where, "pass at least one scope, or use the scheme itself");
  const unknown = required.find((scope) => !scopes.includes(scope));
  if (unknown !== undefined) {
    const known = scopes.length === 0 ? 'none; declare it by the option "scopes"' : scopes.join(", ");
    cannotDeclare(where, `unknown scope ${JSON.stringify(unknown)} (declared: ${known})`);
  }
  return markAs("scoped scheme", {
    name,
    scheme,
    scopes: Object.freeze([...new Set(required)]),
    checks: securityChecks,
  });
}
