/** The option `refuse`: refusals in the application's own format. */
import { type Awaitable } from "../awaitable.ts";
import { type Responses } from "../contract/response.ts";
import { type AdapterProblem } from "../wire/problem.ts";
import { type RouteInfo } from "./call.ts";
import { type CreateResult, type ResultOf } from "./result.ts";

/** The input of `refuse`. `Declared` are the responses that the contract declares for all routes. */
export interface RefuseInput<Declared extends Responses = Record<never, never>> {
  /** The problem document that the adapter is about to send. */
  readonly problem: AdapterProblem;
  /** The request. Its body may have been read. */
  readonly request: Request;
  /** The matched route. `undefined` for 404, 405 and a malformed path. */
  readonly route: RouteInfo | undefined;
  /** Builds a result from a response that the contract declares for all routes: `response(status, body?, headers?)`. */
  readonly response: CreateResult<Declared>;
}

/**
 * The type of a `refuse` option in a module of its own. The server calls it for each request that the adapter refuses
 * or fails to answer. It returns a result to send instead of the problem document, or `undefined` to keep the document.
 * `Declared` are the responses that it can return.
 *
 * @example Problems as a message in plain text, for any contract with this 400
 * ```ts
 * import { defineContract, request, response, route } from "@scope/api";
 * import { createFetchHandler } from "@scope/api/fetch";
 * import { defineServer, type Refuse } from "@scope/api/server";
 * import { assertEquals } from "@std/assert";
 *
 * const responses = { 400: response.text() };
 * const refuse: Refuse<typeof responses> = ({ problem, response }) =>
 *   problem.status === 400 ? response(400, `Bad request: ${problem.code}`) : undefined;
 *
 * const contract = defineContract({
 *   responses,
 *   routes: { save: route.post("/save", { body: request.json(), responses: { 204: response.empty() } }) },
 * });
 * const handler = createFetchHandler(
 *   defineServer(contract, { refuse }).implement({ save: ({ response }) => response(204) }),
 * );
 *
 * const headers = { "content-type": "application/json" };
 * const answer = await handler(new Request("http://localhost/save", { method: "POST", headers, body: "{" }));
 * assertEquals([answer.status, await answer.text()], [400, "Bad request: invalid-body"]);
 * ```
 */
export type Refuse<Declared extends Responses = Record<never, never>> = (
  input: RefuseInput<Declared>,
) => Awaitable<ResultOf<Declared> | undefined | void>;

/**
 * The option `refuse` with any types.
 *
 * @internal
 */
export type AnyRefuse = (input: object) => unknown;

/**
 * The option `refuse` of a server, with the responses that it can return.
 *
 * @internal
 */
export interface RefuseWithResponses {
  readonly run: AnyRefuse;
  readonly shared: Responses;
}
