/**
 * Serves an API by Node's own servers, and inside Express, Fastify, NestJS and others.
 *
 * @module
 */
export {
  createNodeHandler,
  type NodeExchange,
  type NodeHandler,
  type NodeHandlerOptions,
  type NodeOptions,
  type NodeRequest,
  type NodeResponse,
  toNodeHandler,
} from "./node_handler.ts";
export type { Awaitable } from "../awaitable.ts";
export type { CorsOptions } from "../server/answer/cors.ts";
export type { ErrorReport, OnError, OnResponse, ResponseReport } from "../server/answer/answer_stop.ts";
export type { RouteQuestion } from "../server/http/route_table.ts";
export type { RequestHeaders, RouteInfo } from "../server/define/call.ts";
export { type BodyEnd, watchBody } from "../server/http/native_answer.ts";
export type { Implementation } from "../server/define/implementation.ts";
export type { ErrorPhase } from "../server/define/result.ts";
export type { ContextInput } from "../server/define/call.ts";
