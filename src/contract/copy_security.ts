import { describeValue } from "../describe_value.ts";
import { isMarked } from "../mark.ts";
import { cannotDeclare } from "./declared.ts";
import { isNone } from "./security_list.ts";
import { type SecurityChecks } from "./security_checks.ts";
import { type Security } from "./security_scheme.ts";

/** Returns a frozen copy of the option `security`. Throws a `TypeError` if it is invalid. */
export function copySecurity(security: unknown, where: string): Security | undefined {
  if (security === undefined) return undefined;
  if (!Array.isArray(security)) {
    cannotDeclare(where, `"security" must be an array of schemes, got ${describeValue(security)}; write [] for public`);
  }
  const list: Security = Object.freeze([...security]);
  for (const [index, entry] of list.entries()) {
    const state = refuseEntry(entry);
    if (state !== undefined) cannotDeclare(where, `"security[${index}]" must be a scheme, got ${state}`);
  }
  const state = checksOf(list)?.refuseList(list);
  if (state !== undefined) cannotDeclare(where, state);
  return list;
}

function refuseEntry(entry: unknown): string | undefined {
  if (Array.isArray(entry)) return "an array; a route cannot require several schemes at once";
  if (isMarked(entry, "security scheme") || isMarked(entry, "scoped scheme") || isNone(entry)) return undefined;
  return `${describeValue(entry)}; write security.bearer(…) or another of its helpers`;
}

/** The checks that the entries of a list carry. `undefined` for an empty list. */
export function checksOf([entry]: Security): SecurityChecks | undefined {
  return (entry as { readonly checks?: SecurityChecks } | undefined)?.checks;
}
