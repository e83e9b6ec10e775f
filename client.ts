/**
 * Typed clients of a contract.
 *
 * @module
 */
export { type Awaitable } from "./src/awaitable.ts";
export {
  type CallArguments,
  type CallInput,
  type Client,
  type ClientCall,
  createClient,
  type IfOptional,
  type InputArguments,
  type OptionalSlot,
  type UrlArguments,
  type UrlInput,
  type UrlSlot,
} from "./src/client/client.ts";
export { type CalledRoute, ClientError, type ClientErrorCode, type ClientErrorDetails } from "./src/client/error.ts";
export {
  type AnyResult,
  type ClientResult,
  type Received,
  type ReceivedByStatus,
  type ReceivedHeaders,
  type SeenHeader,
  type SeenHeaders,
  type Successful,
  unwrap,
} from "./src/client/result.ts";
export { type CallOptions, type ClientInit, type ClientOptions, type HeaderFields } from "./src/client/settings.ts";
export { type Contract } from "./src/contract/contract.ts";
export { type Docs } from "./src/contract/docs.ts";
export {
  type CoercedInput,
  type LeftOut,
  type TextInput,
  type TextRecord,
  type TextValue,
} from "./src/contract/fields.ts";
export { type CodecParts, type GivenOf } from "./src/contract/infer.ts";
export { type NodeShape, type RouteNode, type RouterNode } from "./src/contract/node.ts";
export { type Problem, type ProblemIssue } from "./src/wire/problem_document.ts";
export { type RequestBody, type RequestContent, type RequestKind } from "./src/contract/request.ts";
export {
  type ContentOf,
  type ResponseContent,
  type ResponseDeclaration,
  type ResponseKind,
  type Responses,
  type StreamKind,
} from "./src/contract/response.ts";
export { type Method, type RouteShape } from "./src/contract/route.ts";
export { type DeclaredSlot, type GivenSlot } from "./src/contract/slots.ts";
export { type EventReader, type ItemReader, type ReceivedEvent } from "./src/representation/stream.ts";
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
