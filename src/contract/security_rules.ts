/** What a server does with the credentials of a kind: it refuses callers by these rules, and documents list the refusals. */
import { type RouteNode } from "./node.ts";
import { type SchemeKind, type SecurityScheme } from "./security_scheme.ts";

/** What follows from the kind of a scheme. */
interface KindRules {
  /** Whether a refused credential counts as none where none is needed: browsers keep sending cookies that have expired. */
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

/** Whether the origin of a request matters: browsers attach the credential, and the request may change something. */
export function isForgeable(scheme: SecurityScheme, route: RouteNode): boolean {
  return scheme.isAmbient && mayChange(route);
}

/** Whether requests may change something: their method is not safe, or they open a connection that can. */
function mayChange({ method, responses }: RouteNode): boolean {
  return !safeMethods.includes(method) || Object.hasOwn(responses, 101);
}

const safeMethods: readonly string[] = ["GET", "HEAD", "OPTIONS", "QUERY"];
