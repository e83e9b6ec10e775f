/**
 * Mounts an implementation as a function from a Web `Request` to a Web `Response`.
 *
 * @module
 */
export { type Awaitable } from "./src/awaitable.ts";
export { type Docs } from "./src/contract/docs.ts";
export { type NodeShape, type RouteNode } from "./src/contract/node.ts";
export { type RequestBody, type RequestContent, type RequestKind } from "./src/contract/request.ts";
export {
  type ResponseContent,
  type ResponseDeclaration,
  type ResponseKind,
  type Responses,
  type StreamKind,
} from "./src/contract/response.ts";
export { type Method, type RouteShape } from "./src/contract/route.ts";
export {
  type AddedInput,
  createFetchHandler,
  type FetchAdapter,
  fetchAdapter,
  type FetchHandler,
  type FetchHandlerOptions,
  type FetchOptions,
} from "./src/fetch/adapter.ts";
export { type ErrorReport, type OnError } from "./src/fetch/answer_stop.ts";
export { type mark, type Marked } from "./src/mark.ts";
export {
  type Accepted,
  type Checked,
  type Issue,
  type Refused,
  type Schema,
  type SchemaProperties,
  type SchemaTypes,
} from "./src/schema.ts";
export { type ContextFactory, type Endpoint } from "./src/server/endpoint.ts";
export { type RouteInfo } from "./src/server/call.ts";
export { type Implementation } from "./src/server/implementation.ts";
export { type AnyMiddleware } from "./src/server/middleware.ts";
export { type ContextInput } from "./src/server/server.ts";
export { type Phase } from "./src/server/stop.ts";
