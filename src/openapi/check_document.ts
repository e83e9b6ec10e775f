/** Checks of a contract before it is described. */
import { type ListedRoute } from "./operation.ts";

/** Throws the `TypeError` for a contract that cannot be described: what is wrong, and what to do instead. */
export function cannotDescribe(state: string): never {
  throw new TypeError(`openApiDocument(): ${state}`);
}

/** Throws a `TypeError` for QUERY in OpenAPI 3.1, which does not have this method. */
export function refuseMethods(routes: readonly ListedRoute[], version: "3.1" | "3.2"): void {
  const unknown = routes.filter(({ route }) => route.method === "QUERY").map(({ route }) => route.key);
  if (version === "3.1" && unknown.length > 0) {
    cannotDescribe(
      `"version" must be "3.2" for routes of the method QUERY (${unknown.join(", ")}), got "3.1"`,
    );
  }
}

/** Throws a `TypeError` if two routes have the same operation id. */
export function refuseOperationIds(routes: readonly ListedRoute[]): void {
  const keys = new Map<string, string>();
  for (const { route: { key, docs, method, path } } of routes) {
    const id = docs.operationId ?? key;
    const place = `${key} (${method} ${path})`;
    const earlier = keys.get(id);
    if (earlier !== undefined) {
      const name = JSON.stringify(id);
      cannotDescribe(
        `${earlier} and ${place} have the same operationId ${name}; change one by docs: { operationId }`,
      );
    }
    keys.set(id, place);
  }
}
