/**
 * What is refused of lists of security schemes and of the routes that have them. The schemes carry these checks, so that a bundle without
 * security has none of them.
 */
import { declaredKeys, type Schema } from "../schema.ts";
import { cannotDeclare } from "./declared.ts";
import { isNone, isOptional, requirementsOf } from "./security_list.ts";
import { type Security, type SecurityScheme } from "./security_scheme.ts";

/** What the checks look at of a route in its place. */
export interface SecuredRoute {
  readonly key: string;
  readonly headers: Schema | undefined;
  readonly security: Security | undefined;
}

/** What is refused where a scheme is used. */
export interface SecurityChecks {
  /** Why a list is refused, if it is. */
  readonly refuseList: (list: Security) => string | undefined;
  /** Throws a `TypeError` for routes whose security is invalid in their places. */
  readonly refuseNodes: (nodes: readonly SecuredRoute[], where: string) => void;
}

/** The checks that every entry of a list carries. */
export const securityChecks: SecurityChecks = /* @__PURE__ */ Object.freeze({ refuseList, refuseNodes });

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

function refuseNodes(nodes: readonly SecuredRoute[], where: string): void {
  for (const node of nodes) refuseKeyField(node, where);
  refuseHomonyms(nodes, where);
}

/** Refuses a route whose headers declare the field of an API key, which would be read twice. */
function refuseKeyField({ key, headers, security }: SecuredRoute, where: string): void {
  const declared = headers && declaredKeys(headers);
  for (const { scheme: { name, credential } } of requirementsOf(security ?? [])) {
    const field = credential?.field;
    if (field !== undefined && !sharedFields.includes(field) && declared?.includes(field)) {
      cannotDeclare(
        where,
        `the headers of ${key} declare ${field}, which carries the credential of ${
          JSON.stringify(name)
        }; remove it there`,
      );
    }
  }
}

/** The fields that carry other things than the credential of one scheme. */
const sharedFields: readonly string[] = ["authorization", "cookie"];

/** Refuses two schemes of one name. */
function refuseHomonyms(nodes: readonly SecuredRoute[], where: string): void {
  const known = new Map<string, { readonly scheme: SecurityScheme; readonly key: string }>();
  for (const { key, security = [] } of nodes) {
    for (const { scheme } of requirementsOf(security)) {
      const earlier = known.get(scheme.name);
      if (earlier && earlier.scheme !== scheme) {
        const name = JSON.stringify(scheme.name);
        cannotDeclare(
          where,
          `${earlier.key} and ${key} have different security schemes named ${name}; rename one, or share it`,
        );
      }
      known.set(scheme.name, earlier ?? { scheme, key });
    }
  }
}
