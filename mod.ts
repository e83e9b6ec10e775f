/**
 * Contracts: an HTTP boundary declared once as data, shared by a server and its typed clients.
 *
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { type } from "arktype";
 *
 * export const contract = defineContract({
 *   routes: { health: route.get("/health", { responses: { 200: response.text(type("'ok'")) } }) },
 * });
 * ```
 *
 * @module
 */
export { type Awaitable } from "./src/awaitable.ts";
export { type Codec, codec, type CodecFunctions } from "./src/contract/codec.ts";
export {
  type Contract,
  type ContractOptions,
  defineContract,
  type EntryFits,
  type NamesFit,
  type ParamsFit,
} from "./src/contract/contract.ts";
export { type Docs } from "./src/contract/docs.ts";
export {
  type CoercedInput,
  type FormDataValue,
  type LeftOut,
  type TextInput,
  type TextRecord,
  type TextValue,
} from "./src/contract/fields.ts";
export {
  type CodecParts,
  type Fits,
  type FitsFormData,
  type FitsHeaders,
  type FitsJson,
  type FitsText,
  type FormDataPart,
  type GivenOf,
  type Json,
  type JsonMisfit,
  type JsonValue,
  type MisfitBelow,
  type MisfitKey,
  type MisfitPath,
  type Opaque,
  type RequestWireOf,
  type ResponseWireOf,
  type SomeText,
  type TextMisfit,
  type TextPart,
} from "./src/contract/infer.ts";
export {
  type Inherit,
  type JoinKey,
  type NodeShape,
  type Place,
  type PlaceBelow,
  type Resolved,
  type ResolvedRoute,
  type ResolvedRoutes,
  type RouteNode,
  type RouterNode,
} from "./src/contract/node.ts";
export { representation, type RepresentationOptions } from "./src/contract/representation.ts";
export { type CustomRepresentation, type EncodedContent } from "./src/representation/custom.ts";
export { type Problem, type ProblemIssue } from "./src/wire/problem_document.ts";
export {
  type FormDataOptions,
  type GivenBytes,
  type GivenFormData,
  type GivenStream,
  type JsonBody,
  type MediaRanges,
  type MediaTypes,
  type OrAbsent,
  type PlainBody,
  type RangedBody,
  type RequestAsOptions,
  type RequestBody,
  type RequestContent,
  type RequestHelpers,
  type RequestKind,
  type RequestOptions,
  type TypedBody,
} from "./src/contract/request.ts";
export {
  type CheckedResponse,
  type EmptyResponseOptions,
  type HeadersWith,
  type NdjsonResponse,
  type PlainResponse,
  type RawResponseOptions,
  type ResponseAsOptions,
  type ResponseContent,
  type ResponseDeclaration,
  type ResponseHelpers,
  type ResponseKind,
  type ResponseOptions,
  type Responses,
  type SseResponse,
  type StatedType,
  type StreamKind,
} from "./src/contract/response.ts";
export {
  type BodyOf,
  type BodyRouteOptions,
  type DeclareBodyRoute,
  type DeclareRoute,
  type FitsBody,
  type FitsSlot,
  type Method,
  route,
  type RouteDeclaration,
  type RouteHelpers,
  type RouteOptions,
  type RouteShape,
} from "./src/contract/route.ts";
export { request } from "./src/contract/request_helpers.ts";
export { response } from "./src/contract/response_helpers.ts";
export { router, type RouterOptions } from "./src/contract/router.ts";
export { type RouterDeclaration, type RouteTree } from "./src/contract/router_declaration.ts";
export {
  type EventReader,
  type ItemReader,
  type ItemSource,
  type ReceivedEvent,
  type SentComment,
  type SentEvent,
} from "./src/representation/stream.ts";
export { type mark, type Marked } from "./src/mark.ts";
export {
  type FirstSegment,
  type JoinPath,
  type JoinTrimmed,
  type ParameterName,
  type Segment,
  type TrimSlashes,
} from "./src/path.ts";
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
