/**
 * Compiled declarations: the types of a contract as interfaces, which compilers and editors read at once. The command
 * `@scope/api/types/cli` writes them for a contract, and `@scope/api/import/cli` for the contract of a document.
 *
 * @module
 */
export type { Codec } from "../../contract/codec.ts";
export type { Contract } from "../../contract/contract.ts";
export type { RouterNode } from "../../contract/node.ts";
export type { BytesInput, ItemsInput, ReceivedItems } from "../../contract/request.ts";
export type { HeadersWithContentType } from "../../contract/response.ts";
export type { CombinedSchemes, NoSecurity, ScopedScheme, SecurityScheme } from "../../contract/security_scheme.ts";
export type { Styled } from "../../contract/codec.ts";
export type { Webhooks } from "../../contract/router.ts";
export type { ItemReader, ItemSource } from "../../representation/stream.ts";
export type { EventReader, SentComment, SentEvent, SentId } from "../../representation/sse.ts";
export type { Problem } from "../../wire/problem.ts";
export type { Schema } from "../../schema.ts";
export type { ApiKeyCredential, BasicCredential, BearerCredential, CookieCredential } from "../../wire/credentials.ts";
export type {
  DeclaredBody,
  DeclaredRangedBody,
  DeclaredResponse,
  DeclaredRoute,
  DeclaredSocket,
  DeclaredTypes,
  FormDataFields,
  FormFields,
  SentEvents,
  StyledFormDataFields,
  WithStatuses,
} from "./declared_routes.ts";
