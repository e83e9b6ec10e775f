import { isMarked } from "../mark.ts";
import { cannotDeclare } from "./declared.ts";
import { type NoSecurity, type ScopedScheme, type Security, type SecurityScheme } from "./security_scheme.ts";

/** A scheme that a route accepts, and the scopes that it requires. */
export interface Requirement {
  readonly scheme: SecurityScheme;
  readonly scopes: readonly string[];
}

/** The schemes of a list in their order. */
export function requirementsOf(security: Security): Requirement[] {
  return security.flatMap((entry): Requirement[] => {
    if (isMarked(entry, "security scheme")) return [{ scheme: entry as SecurityScheme, scopes: [] }];
    return isMarked(entry, "scoped scheme") ? [entry as ScopedScheme] : [];
  });
}

/** Whether a list has a scheme whose credential browsers attach by themselves. */
export function isAmbient(security: Security): boolean {
  return requirementsOf(security).some(({ scheme }) => scheme.isAmbient);
}

/** Whether a list lets callers in who show no credential. */
export function isOptional(security: Security): boolean {
  return security.some(isNone);
}

function isNone(entry: unknown): entry is NoSecurity {
  return isMarked(entry, "no security");
}

/** A frozen copy of the option `security`, or a `TypeError` where it is invalid. */
export function copySecurity(security: unknown, where: string): Security | undefined {
  if (security === undefined) return undefined;
  if (!Array.isArray(security)) cannotDeclare(where, "security must be a list of schemes; write [] to let everyone in");
  const list: Security = Object.freeze([...security]);
  for (const [index, entry] of list.entries()) {
    const state = refuseEntry(entry);
    if (state !== undefined) cannotDeclare(where, `security[${index}] ${state}`);
  }
  const state = refuseList(list);
  if (state !== undefined) cannotDeclare(where, state);
  return list;
}

function refuseEntry(entry: unknown): string | undefined {
  if (Array.isArray(entry)) return "is a list; a list of schemes that are all required is not supported";
  if (isMarked(entry, "security scheme") || isMarked(entry, "scoped scheme") || isNone(entry)) return undefined;
  return "is not a security scheme; write security.bearer(…) or another of its helpers";
}

function refuseList(list: Security): string | undefined {
  if (list.filter(isNone).length > 1) return "security has security.none twice; write it once";
  if (isOptional(list) && list.length === 1) {
    return "security has nothing beside security.none; write [] to let everyone in";
  }
  const seen = new Map<string, string>();
  for (const { scheme } of requirementsOf(list)) {
    const place = scheme.credential?.place ?? "a custom scheme";
    const earlier = seen.get(place);
    if (earlier !== undefined) {
      return `security has ${JSON.stringify(earlier)} and ${
        JSON.stringify(scheme.name)
      }, which are both read as ${place}; keep one`;
    }
    seen.set(place, scheme.name);
  }
}
