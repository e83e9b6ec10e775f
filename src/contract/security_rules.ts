/**
 * The rules of each kind of credential. The server applies them, and the OpenAPI document lists the resulting
 * responses.
 */
import { type RouteNode } from "./node.ts";
import { type SchemeKind, type SecurityScheme } from "./security_scheme.ts";

/** The rules of one kind of scheme. */
interface KindRules {
  /**
   * Whether an invalid credential counts as none if the route does not require one. Browsers keep sending cookies that
   * have expired.
   */
  readonly isLenient: boolean;
  /** Whether a 403 for missing scopes has a challenge (RFC 6750, section 3.1). */
  readonly hasScopeChallenge: boolean;
}

/** The rules of each kind. */
export const kindRules: Readonly<Record<SchemeKind, KindRules>> = {
  bearer: { isLenient: false, hasScopeChallenge: true },
  basic: { isLenient: false, hasScopeChallenge: false },
  apiKey: { isLenient: false, hasScopeChallenge: false },
  cookie: { isLenient: true, hasScopeChallenge: false },
  custom: { isLenient: true, hasScopeChallenge: false },
};

/**
 * Whether the server checks the origin of a request: browsers attach the credential, and the request may change
 * something.
 */
export function isForgeable(scheme: SecurityScheme, route: RouteNode): boolean {
  return scheme.isAmbient && mayChange(route);
}

/** Whether requests may change something: the method is not safe, or the response (101) opens a connection that can. */
function mayChange({ method, responses }: RouteNode): boolean {
  return !safeMethods.includes(method) || Object.hasOwn(responses, 101);
}

const safeMethods: readonly string[] = ["GET", "HEAD", "OPTIONS", "QUERY"];
