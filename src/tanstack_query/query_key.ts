import { type AnyCall } from "../client/is_error_of.ts";
import { type RouteNode } from "../contract/node.ts";
import { type CallInputOf, routeOf } from "./calls.ts";

/**
 * Returns the key of a route's queries: the parts of the route's key, then the input. Without an input, the key
 * matches the queries of all inputs. With part of an input, it matches the queries whose input contains that part.
 *
 * @example The key of one query, and of all queries of a route
 * ```ts
 * import { defineContract, response, route, router } from "@scope/api";
 * import { createClient } from "@scope/api/client";
 * import { queryKey } from "@scope/api/tanstack-query";
 * import { assertEquals } from "@std/assert";
 *
 * const contract = defineContract({
 *   routes: { users: router("/users", { routes: { byId: route.get("/:id", { responses: { 200: response.text() } }) } }) },
 * });
 * const client = createClient(contract, { baseUrl: "https://api.example.com" });
 *
 * assertEquals(queryKey(client.users.byId, { params: { id: "1" } }), ["users", "byId", { params: { id: "1" } }]);
 * assertEquals(queryKey(client.users.byId), ["users", "byId"]);
 * ```
 *
 * @throws {TypeError} If the function is not a call of a client. Also if the input contains a value that JSON drops,
 * such as a `Map`.
 */
export function queryKey<Call extends AnyCall>(call: Call, input?: Partial<CallInputOf<Call>>): readonly unknown[] {
  return toQueryKey(routeOf(call, "queryKey"), input);
}

/** Returns the key of a route's queries, for all inputs or for one. */
export function toQueryKey({ key }: RouteNode, input: unknown): readonly unknown[] {
  const parts = key.split(".");
  return input === undefined ? parts : [...parts, toKeyValue(input, key)];
}

/** Returns a value whose JSON is unique to it, because TanStack Query finds queries by the JSON of their keys. */
function toKeyValue(value: unknown, key: string): unknown {
  if (typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value))) return String(value);
  if (typeof value !== "object" || value === null || hasJson(value)) return value;
  if (Array.isArray(value)) return value.map((item) => toKeyValue(item, key));
  if (isPlain(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toKeyValue(member, key)]));
  }
  throw new TypeError(
    `queryKey(): the input of ${key} must be JSON, got a ${value.constructor.name}; write the options of the query yourself`,
  );
}

function hasJson(value: object): boolean {
  return typeof (value as { readonly toJSON?: unknown }).toJSON === "function";
}

/** Whether an object is a plain object, from any realm. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
