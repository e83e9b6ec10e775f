/**
 * The server side of a contract: a context and a handler for every route.
 *
 * @module
 */
export { type Awaitable } from "./src/awaitable.ts";
export { type Contract } from "./src/contract/contract.ts";
export { type Docs } from "./src/contract/docs.ts";
export { type CodecParts, type GivenOf } from "./src/contract/infer.ts";
export { type NodeShape, type RouteNode, type RouterNode } from "./src/contract/node.ts";
export { type RequestBody, type RequestContent, type RequestKind } from "./src/contract/request.ts";
export {
  type ContentOf,
  type ResponseContent,
  type ResponseDeclaration,
  type ResponseKind,
  type Responses,
  type StatedType,
  type StreamKind,
} from "./src/contract/response.ts";
export { type Method, type RouteShape } from "./src/contract/route.ts";
export {
  type DeclaredSlot,
  type SeenSlot,
  type SeenSlots,
  type StatedBody,
  type StatedSlot,
} from "./src/contract/slots.ts";
export { type ItemSource, type SentComment, type SentEvent } from "./src/representation/stream.ts";
export { type mark, type Marked } from "./src/mark.ts";
export { type FirstSegment, type ParameterName, type Segment } from "./src/path.ts";
export {
  type Accepted,
  type Checked,
  type InputOf,
  type Issue,
  type OutputOf,
  type Refused,
  type Schema,
  type SchemaProperties,
  type SchemaTypes,
} from "./src/schema.ts";
export { type ContextFactory, type Endpoint } from "./src/server/endpoint.ts";
export { type RouteInfo } from "./src/server/call.ts";
export { type Handler, type HandlerInput, type Handlers, type HandlerTools } from "./src/server/handler.ts";
export {
  type ArgumentsOf,
  type CreateResult,
  type declared,
  type HeadersOf,
  type HeadersRequired,
  type ResponseHeaders,
  type Result,
  type ResultArguments,
  type ResultOf,
  type ResultOfHeaders,
  type ResultsByStatus,
  type ResultWith,
  type ResultWithBody,
  type ResultWithHeaders,
  type ResultWithoutBody,
  type TakesByStatus,
} from "./src/server/result.ts";
export {
  type Fragment,
  type HandlerEntry,
  type HandlerTree,
  type Implementation,
  type Inferred,
  type NeedsOf,
  type TakersOf,
} from "./src/server/implementation.ts";
export {
  type AnyMiddleware,
  type ContextInside,
  type Derived,
  type givenByNext,
  type Middleware,
  type MiddlewareInput,
  type MiddlewareResult,
  type NextResult,
} from "./src/server/middleware.ts";
export {
  type AnyServer,
  type ContextInput,
  defineServer,
  type HandlersOf,
  type Server,
  type ServerOptions,
} from "./src/server/server.ts";
