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
export type {
  ContentDocs,
  Deprecated,
  Deprecation,
  Docs,
  Extensions,
  ExternalDocs,
  FieldDocs,
  ResponseDocs,
  SchemaNotes,
  ServerDocs,
} from "./src/contract/docs.ts";
export type { RouteNode, RouterDeclaration, RouterNode, RouteTree } from "./src/contract/node.ts";
export { representation, type RepresentationOptions } from "./src/representation/whole_body.ts";
export type { CustomRepresentation, EncodedContent } from "./src/representation/whole_body.ts";
export type { RefusalResponse, Refusals } from "./src/contract/refusals.ts";
export type { Problem, ProblemIssue, SentProblem } from "./src/wire/problem.ts";
/**
 * Declares the request body of a route, for its option `body`. The last argument is always options. Without a schema,
 * the body has a type at compile time and no validation at run time.
 *
 * Each function throws a `TypeError` for an unknown option, a malformed media type or a schema that is not a Standard
 * Schema.
 *
 * @example Three representations
 * ```ts
 * import { request } from "@scope/api";
 * import { assertEquals } from "@std/assert";
 * import { type } from "arktype";
 *
 * assertEquals(request.json(type({ name: "string" })).contentType, "application/json");
 * assertEquals(request.text().contentType, "text/plain");
 * assertEquals(request.bytes({ contentType: "image/png", optional: true }).contentType, "image/png");
 * ```
 */
export * as request from "./src/request/mod.ts";
export type {
  BytesInput,
  CheckedItem,
  FormDataOptions,
  ItemsInput,
  MediaTypes,
  NdjsonRequestOptions,
  ReceivedItems,
  RequestAsOptions,
  RequestBody,
  RequestOptions,
  StreamInput,
} from "./src/contract/request.ts";
/**
 * Declares a response, for the option `responses` of a route, router or contract. The last argument is always options.
 * Without a schema, the body has a type at compile time and no validation at run time.
 *
 * Each function throws a `TypeError` for an unknown option, a malformed media type or a schema that is not a Standard
 * Schema.
 *
 * @example Three representations
 * ```ts
 * import { response } from "@scope/api";
 * import { assertEquals } from "@std/assert";
 * import { type } from "arktype";
 *
 * assertEquals(response.json(type({ name: "string" })).contentType, "application/json");
 * assertEquals(response.text().contentType, "text/plain;charset=UTF-8");
 * assertEquals(response.empty({ headers: type({ location: "string" }) }).contentType, undefined);
 * ```
 */
export * as response from "./src/response/mod.ts";
export type {
  EmptyResponseOptions,
  HeadersWithContentType,
  RawResponseOptions,
  ResponseAsOptions,
  ResponseDeclaration,
  ResponseOptions,
  Responses,
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
export type { Conversation, ServerSocket, SocketOptions, SocketResponse } from "./src/contract/socket.ts";
export { router, type RouterOptions } from "./src/contract/router.ts";
export type {
  ApiKeySchemeOptions,
  BasicSchemeOptions,
  BearerSchemeOptions,
  CombinedSchemes,
  CommonSchemeOptions,
  CookieSchemeOptions,
  CustomSchemeOptions,
  NoSecurity,
  RenamedScheme,
  ScopedScheme,
  Security,
  SecurityScheme,
  SignatureSchemeOptions,
} from "./src/contract/security_scheme.ts";
export { type Webhooks, webhooks } from "./src/contract/router.ts";
export { withSchemes } from "./src/contract/contract.ts";
export { renameScheme, security, type SecurityHelpers } from "./src/contract/security.ts";
export { type Styled, styled } from "./src/contract/codec.ts";
export type { FieldStyle } from "./src/wire/field_styles.ts";
export type {
  ApiKeyCredential,
  BasicCredential,
  BearerCredential,
  CookieCredential,
  SignedContent,
} from "./src/wire/credentials.ts";
export type { ItemReader, ItemSource } from "./src/representation/stream.ts";
export type { EventReader, ReceivedEvent, SentComment, SentEvent, SentId } from "./src/representation/sse.ts";
export type { StatusRange } from "./src/native_response.ts";
export type { InputOf, Issue, OutputOf, Schema } from "./src/schema.ts";
