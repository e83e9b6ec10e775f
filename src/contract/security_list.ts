import { isMarked } from "../mark.ts";
import { type NoSecurity, type ScopedScheme, type Security, type SecurityScheme } from "./security_scheme.ts";

/** A scheme that a route accepts, with the scopes that it requires. */
export interface Requirement {
  readonly scheme: SecurityScheme;
  readonly scopes: readonly string[];
}

/** The schemes of a list, in order. */
export function requirementsOf(security: Security): Requirement[] {
  return security.flatMap((entry): Requirement[] => {
    if (isMarked(entry, "security scheme")) return [{ scheme: entry as SecurityScheme, scopes: [] }];
    return isMarked(entry, "scoped scheme") ? [entry as ScopedScheme] : [];
  });
}

/** Whether a list contains a scheme whose credential browsers attach automatically. */
export function isAmbient(security: Security): boolean {
  return requirementsOf(security).some(({ scheme }) => scheme.isAmbient);
}

/** Whether a list accepts callers without a credential. */
export function isOptional(security: Security): boolean {
  return security.some(isNone);
}

/** Whether an entry is `security.none`. */
export function isNone(entry: unknown): entry is NoSecurity {
  return isMarked(entry, "no security");
}
