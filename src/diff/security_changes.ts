/** Compares the security requirements of routes. */
import { type ApiRequirement, type ApiRoute } from "./api.ts";
import { type Change } from "./change.ts";
import { type RoutePair } from "./route_pairs.ts";

/** Lists callers that are refused now, or that are accepted now. */
export function compareSecurity({ before, after }: RoutePair): Change[] {
  const common = { route: before.key, where: "security" };
  const refused = findRefused(before, after);
  if (refused) {
    const message = `callers with ${formatRequirement(refused)} are no longer accepted`;
    return [{ verdict: "breaking", rule: "security-narrowed", ...common, message }];
  }
  const admitted = findRefused(after, before);
  if (!admitted) return [];
  const message = `callers with ${formatRequirement(admitted)} are accepted now`;
  return [{ verdict: "compatible", rule: "security-widened", ...common, message }];
}

/** Returns an alternative of one route that satisfies no alternative of another one. */
function findRefused(route: ApiRoute, other: ApiRoute): ApiRequirement | undefined {
  return route.security.find((shown) => !other.security.some((wanted) => satisfies(shown, wanted)));
}

function satisfies(shown: ApiRequirement, wanted: ApiRequirement): boolean {
  return [...wanted].every(([name, { transport, scopes }]) => {
    const own = shown.get(name);
    return own?.transport === transport && scopes.every((scope) => own.scopes.includes(scope));
  });
}

function formatRequirement(requirement: ApiRequirement): string {
  if (requirement.size === 0) return "no credential";
  return [...requirement].map(([name, { scopes }]) => scopes.length > 0 ? `${name} (${scopes.join(", ")})` : name)
    .join(" and ");
}
