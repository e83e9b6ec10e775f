import { type Contract, type RouteNode, security } from "@scope/api";

/** A rule: what is wrong with a route, or `undefined`. */
export type Rule = (route: RouteNode) => string | undefined;

/** Lists what the routes of a contract break: `users.byId: problems: 404 is not a problem document`. */
export function checkContract(contract: Contract, rules: Readonly<Record<string, Rule>>): string[] {
  return routesBelow(contract.routes).flatMap((route) =>
    Object.entries(rules).flatMap(([name, rule]) => {
      const problem = rule(route);
      return problem === undefined ? [] : [`${route.key}: ${name}: ${problem}`];
    })
  );
}

/** The routes of a contract or of one of its routers, in the order of their declaration. */
export function routesBelow(tree: object): RouteNode[] {
  return Object.values(tree).flatMap((node) => isRoute(node) ? [node] : routesBelow(node));
}

function isRoute(node: RouteNode | object): node is RouteNode {
  return "method" in node && typeof node.method === "string"; // in a router, `method` would be a route
}

/** Paths are lowercase words with hyphens. */
export function paths({ path }: RouteNode): string | undefined {
  const wrong = path.split("/").find((segment) => !/^(?:[a-z0-9-]*|:\w+)$/.test(segment));
  return wrong === undefined ? undefined : `"${wrong}" of ${path} must be lowercase words with hyphens`;
}

/** Only listed routes are public: `security: []` elsewhere is a mistake. */
export function publicRoutes(...keys: string[]): Rule {
  return ({ key, security: required = [] }) => {
    const isPublic = required.length === 0 || required.includes(security.none);
    return isPublic && !keys.includes(key) ? "is public, and not in the list of public routes" : undefined;
  };
}

/** Errors are problem documents, or empty. */
export function problems({ responses }: RouteNode): string | undefined {
  const wrong = Object.entries(responses).find(([status, { contentType }]) =>
    Number(status) >= 400 && contentType !== undefined && contentType !== "application/problem+json"
  );
  return wrong && `${wrong[0]} is not a problem document`;
}
