/**
 * The server side of a contract: a context, verifiers, guards, middleware, and a handler for every route.
 *
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { defineServer } from "@scope/api/server";
 *
 * const contract = defineContract({ routes: { health: route.get("/health", { responses: { 200: response.text() } }) } });
 *
 * export const implementation = defineServer(contract).implement({
 * health: ({ response }) => response(200, "ok"),
 * });
 * ```
 *
 * @module
 */
export type { Awaitable } from "./src/awaitable.ts";
export type { Contract } from "./src/contract/contract.ts";
export type { RouteNode, RouterNode } from "./src/contract/node.ts";
export type { Responses } from "./src/contract/response.ts";
export type { ItemSource } from "./src/representation/stream.ts";
export type { SentComment, SentEvent, SentId } from "./src/representation/sse.ts";
export type { RequestHeaders, RouteInfo } from "./src/server/define/call.ts";
export type { Guard, GuardInput, Handler, HandlerInput } from "./src/server/define/handler.ts";
export type { Refuse, RefuseInput } from "./src/server/define/refuse.ts";
export type { CreateResult, ResponseHeaders, Result, ResultOf } from "./src/server/define/result.ts";
export type { Fragment, Implementation, PartialOptions } from "./src/server/define/implementation.ts";
export type { Middleware, MiddlewareInput, MiddlewareResult, NextResult } from "./src/server/define/middleware.ts";
export {
  defineServer,
  type HandlersOf,
  type NodeServer,
  type Server,
  type ServerOptions,
} from "./src/server/define/server.ts";
export type { ContextInput } from "./src/server/define/call.ts";
export { keepAlive } from "./src/representation/sse.ts";
export type { Verifier, VerifierInput } from "./src/server/define/verifier.ts";
export { verify } from "./src/server/steps/authenticate.ts";
export { type AdapterProblem, fieldErrors, type FieldErrorsOptions, type ProblemCode } from "./src/wire/problem.ts";
