/** What is refused of the security of routes in their places. */
import { declaredKeys } from "../schema.ts";
import { cannotDeclare } from "./declared.ts";
import { type RouteNode } from "./node.ts";
import { requirementsOf } from "./security_list.ts";
import { type SecurityScheme } from "./security_scheme.ts";

/** Refuses a route whose headers declare the field of an API key, which would be read twice. */
export function refuseKeyField({ key, headers, security }: RouteNode, where: string): void {
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
export function refuseHomonyms(nodes: readonly RouteNode[], where: string): void {
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

/** Refuses routes that are public only because nothing is said of them, where another route has security. */
export function refuseSilence(nodes: readonly RouteNode[], where: string): void {
  const silent = nodes.filter(({ security }) => security === undefined);
  if (silent.length === 0 || silent.length === nodes.length) return;
  const keys = silent.map(({ key }) => key).join(", ");
  cannotDeclare(
    where,
    `${keys}: security is missing, but other routes have it; declare it, or write security: [] to let everyone in`,
  );
}
