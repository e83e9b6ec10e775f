/** The options `owned` and `strangers`: which routes lead to things that belong to the caller who created them. */
import type { CredentialSources } from "../../client/settings.ts";
import { isOptional, requirementsOf } from "../../contract/security_scheme.ts";
import type { RouteNode } from "../../contract/node.ts";
import { describeValue } from "../../messages.ts";
import { type Caller, findHeld } from "./encode_request.ts";
import type { Signers } from "./sign_request.ts";
import { findNearest } from "../../options.ts";

export function readOwned(
  owned: unknown,
  { credentials, strangers, signers }: {
    readonly credentials: CredentialSources;
    readonly strangers: CredentialSources | undefined;
    readonly signers: Signers;
  },
  nodes: readonly RouteNode[],
  fail: (state: string) => never,
): ReadonlySet<string> {
  if (owned === undefined && strangers === undefined) return new Set();
  if (owned === undefined) fail('"strangers" requires "owned", the routes of what belongs to one caller: ["orgs.**"]');
  if (strangers === undefined) fail('"owned" requires "strangers", the credentials of another caller');
  if (!Array.isArray(owned) || owned.length === 0) {
    fail(
      `"owned" must be an array of at least one route key or pattern, like ["orgs.**"], got ${describeValue(owned)}`,
    );
  }
  if (isSameCaller(credentials, strangers)) {
    fail('"strangers" has the credentials of "credentials"; pass those of another caller');
  }
  const keys = new Set(owned.flatMap((pattern) => findKeys(pattern, nodes, fail)));
  for (const node of nodes.filter(({ key }) => keys.has(key))) {
    for (const [option, sources] of Object.entries({ credentials, strangers })) {
      if (holds({ credentials: new Map(Object.entries(sources)), signers }, node)) continue;
      const schemes = requirementsOf(node.security ?? []).map(({ scheme }) => JSON.stringify(scheme.name));
      fail(`"${option}" must have a credential for the owned route ${node.key}, which accepts ${schemes.join(" or ")}`);
    }
  }
  return keys;
}

function isSameCaller(credentials: CredentialSources, strangers: CredentialSources): boolean {
  const shared = Object.keys(strangers).filter((name) => credentials[name] !== undefined);
  return shared.length > 0 &&
    shared.every((name) =>
      typeof strangers[name] !== "function" && JSON.stringify(credentials[name]) === JSON.stringify(strangers[name])
    );
}

/** Returns whether a caller can call a route. One without security lets everyone in, which its test then finds. */
function holds(caller: Pick<Caller, "credentials" | "signers">, { security = [] }: RouteNode): boolean {
  return requirementsOf(security).length === 0 || isOptional(security) || findHeld(security, caller) !== undefined;
}

function findKeys(pattern: unknown, nodes: readonly RouteNode[], fail: (state: string) => never): string[] {
  if (typeof pattern !== "string") fail(`"owned" must contain route keys and patterns, got ${describeValue(pattern)}`);
  const keys = nodes.map(({ key }) => key);
  const parts = pattern.split(".");
  const found = keys.filter((key) => matches(parts, key.split(".")));
  if (found.length > 0) return found;
  const hasEnd = (candidate: string): boolean => candidate.endsWith(`.${parts.at(-1)}`);
  const candidates = keys.flatMap(listPatterns).toSorted((one, other) => Number(hasEnd(other)) - Number(hasEnd(one)));
  const nearest = findNearest(pattern, candidates);
  const suggestion = nearest === undefined ? `the routes are ${keys.join(", ")}` : `did you mean "${nearest}"?`;
  fail(`"owned" has the pattern ${JSON.stringify(pattern)}, which matches no route; ${suggestion}`);
}

/** Returns whether a dotted key matches a pattern: `*` is any one key, and `**` any number of keys. */
function matches([part, ...parts]: readonly string[], keys: readonly string[]): boolean {
  if (part === undefined) return keys.length === 0;
  if (part === "**") return matches(parts, keys) || (keys.length > 0 && matches([part, ...parts], keys.slice(1)));
  return keys.length > 0 && (part === "*" || part === keys[0]) && matches(parts, keys.slice(1));
}

/** Returns a key, and patterns that match it: `orgs.users.list`, `orgs.users.**`, `orgs.**`, `**.list`. */
function listPatterns(key: string): string[] {
  const parts = key.split(".");
  const above = parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join("."));
  return [key, ...above.flatMap((start) => [`${start}.**`, `${start}.*`]), `**.${parts.at(-1)}`];
}
