/**
 * Checks of lists of security schemes and of the routes that have them. The schemes carry these checks, so bundles
 * without security do not contain this code.
 */
import { declaredKeys, type Schema } from "../schema.ts";
import { cannotDeclare } from "./declared.ts";
import { isNone, isOptional, requirementsOf } from "./security_list.ts";
import { type Security, type SecurityScheme } from "./security_scheme.ts";

/** The members of a resolved route that the checks read. */
export interface SecuredRoute {
  readonly key: string;
  readonly headers: Schema | undefined;
  readonly security: Security | undefined;
}

/** The checks that a scheme carries. */
export interface SecurityChecks {
  /** Returns the reason why a list is invalid, or `undefined`. */
  readonly refuseList: (list: Security) => string | undefined;
  /** Throws a `TypeError` if the security of resolved routes is invalid. */
  readonly refuseNodes: (nodes: readonly SecuredRoute[], where: string) => void;
}

/** The checks that every entry of a list carries. */
export const securityChecks: SecurityChecks = /* @__PURE__ */ Object.freeze({ refuseList, refuseNodes });

function refuseList(list: Security): string | undefined {
  if (list.filter(isNone).length > 1) return '"security" has security.none twice; remove one';
  if (isOptional(list) && list.length === 1) {
    return '"security" must have a scheme besides security.none; write [] for public routes';
  }
  const seen = new Map<string, string>();
  for (const { scheme } of requirementsOf(list)) {
    const place = scheme.credential?.place ?? "a custom scheme";
    const earlier = seen.get(place);
    if (earlier !== undefined) {
      return `"security" has "${earlier}" and "${scheme.name}", which both use ${place}; remove one`;
    }
    seen.set(place, scheme.name);
  }
}

function refuseNodes(nodes: readonly SecuredRoute[], where: string): void {
  for (const node of nodes) refuseKeyField(node, where);
  refuseDuplicateNames(nodes, where);
}

/** Throws a `TypeError` if the headers of a route declare the header of an API key, which would then be read twice. */
function refuseKeyField({ key, headers, security }: SecuredRoute, where: string): void {
  const declared = headers && declaredKeys(headers);
  for (const { scheme: { name, credential } } of requirementsOf(security ?? [])) {
    const field = credential?.field;
    if (field !== undefined && !sharedFields.includes(field) && declared?.includes(field)) {
      cannotDeclare(
        where,
        `"headers" of ${key} must not declare "${field}", which has the credential of the scheme "${name}"; remove it`,
      );
    }
  }
}

/** The headers that can carry more than the credential of one scheme. */
const sharedFields: readonly string[] = ["authorization", "cookie"];

/** Throws a `TypeError` if two schemes have the same name. */
function refuseDuplicateNames(nodes: readonly SecuredRoute[], where: string): void {
  const known = new Map<string, { readonly scheme: SecurityScheme; readonly key: string }>();
  for (const { key, security = [] } of nodes) {
    for (const { scheme } of requirementsOf(security)) {
      const earlier = known.get(scheme.name);
      if (earlier && earlier.scheme !== scheme) {
        cannotDeclare(
          where,
          `${earlier.key} and ${key} have different security schemes named "${scheme.name}"; rename one, or share it`,
        );
      }
      known.set(scheme.name, earlier ?? { scheme, key });
    }
  }
}
