/**
 * Contracts: an HTTP API declared once as data, shared by a server and its typed clients.
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
export { type Codec, codec } from "./src/contract/codec.ts";
export { type Contract, type ContractOptions, defineContract } from "./src/contract/contract.ts";
export { type Deprecated, type Deprecation, type Docs } from "./src/contract/shared_options.ts";
export { type RouteNode, type RouterDeclaration, type RouterNode, type RouteTree } from "./src/contract/node.ts";
export { representation, type RepresentationOptions } from "./src/contract/representation.ts";
export { type CustomRepresentation, type EncodedContent } from "./src/representation/custom.ts";
export { type RefusalResponse, type Refusals } from "./src/contract/refusals.ts";
export { type Problem, type ProblemIssue } from "./src/wire/problem.ts";
export {
  type BytesInput,
  type FormDataOptions,
  type MediaTypes,
  request,
  type RequestAsOptions,
  type RequestBody,
  type RequestHelpers,
  type RequestOptions,
  type StreamInput,
} from "./src/contract/request.ts";
export {
  type EmptyResponseOptions,
  type HeadersWithContentType,
  type RawResponseOptions,
  response,
  type ResponseAsOptions,
  type ResponseDeclaration,
  type ResponseHelpers,
  type ResponseOptions,
  type Responses,
} from "./src/contract/response.ts";
export {
  type BodyRouteOptions,
  type DeclareBodyRoute,
  type DeclareRoute,
  type Method,
  route,
  type RouteDeclaration,
  type RouteHelpers,
  type RouteOptions,
} from "./src/contract/route.ts";
export { router, type RouterOptions } from "./src/contract/router.ts";
export {
  type ApiKeySchemeOptions,
  type BasicSchemeOptions,
  type BearerSchemeOptions,
  type CommonSchemeOptions,
  type CookieSchemeOptions,
  type CustomSchemeOptions,
  type NoSecurity,
  type ScopedScheme,
  type Security,
  type SecurityScheme,
} from "./src/contract/security_scheme.ts";
export { security, type SecurityHelpers } from "./src/contract/security.ts";
export {
  type ApiKeyCredential,
  type BasicCredential,
  type BearerCredential,
  type CookieCredential,
} from "./src/wire/credentials.ts";
export {
  type EventReader,
  type ItemReader,
  type ItemSource,
  type ReceivedEvent,
  type SentComment,
  type SentEvent,
  type SentId,
} from "./src/representation/item_stream.ts";
export { type InputOf, type Issue, type OutputOf, type Schema } from "./src/schema.ts";
