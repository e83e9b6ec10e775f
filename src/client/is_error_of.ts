import { isInstance } from "../is_instance.ts";
import { mark } from "../mark.ts";
import { type RouteNode } from "../contract/node.ts";
import { ClientError } from "./error.ts";
import { type AnyResult, type SuccessfulResult } from "./result.ts";

/**
 * Any call of a client.
 *
 * @internal
 */
export type AnyCall = ((...args: never) => Promise<AnyResult>) & unknown;

/**
 * The results of a call that are not 2xx.
 *
 * @internal
 */
export type UnsuccessfulOf<Call extends AnyCall> = Exclude<
  Awaited<ReturnType<Call>>,
  SuccessfulResult<Awaited<ReturnType<Call>>>
>;

/**
 * Whether an error is a {@linkcode ClientError} of a call. It narrows `result` to the types of that call. Errors are
 * matched by route, so the call may belong to any client of the same contract.
 *
 * @example The declared 404, after `unwrap()` has thrown
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { createClient, isErrorOf, unwrap } from "@scope/api/client";
 * import { assertEquals } from "@std/assert";
 * import { type } from "arktype";
 *
 * const contract = defineContract({
 *   routes: {
 *     byId: route.get("/users/:id", {
 *       responses: { 200: response.text(), 404: response.json(type({ message: "string" })) },
 *     }),
 *   },
 * });
 * const client = createClient(contract, {
 *   baseUrl: "https://api.example.com",
 *   fetch: () => Response.json({ message: "No user 42" }, { status: 404 }),
 * });
 *
 * try {
 *   unwrap(await client.byId({ params: { id: "42" } }));
 * } catch (error) {
 *   if (!isErrorOf(client.byId, error)) throw error;
 *   assertEquals(error.result?.body.message, "No user 42");
 * }
 * ```
 */
export function isErrorOf<Call extends AnyCall>(
  call: Call,
  error: unknown,
): error is ClientError<UnsuccessfulOf<Call> | undefined> {
  const { [mark]: node } = call as { readonly [mark]?: RouteNode };
  if (!node) throw new TypeError("isErrorOf(): the call must be one of a client, like client.users.byId");
  if (!isInstance(error, ClientError)) return false;
  const { route } = error;
  return route?.key === node.key && route.method === node.method && route.path === node.path;
}
