/**
 * Typed clients for a contract: `createClient()`, its options, its results and its errors.
 *
 * @module
 */
export type { Awaitable } from "./src/awaitable.ts";
export type {
  AnyOutcome,
  Around,
  AroundCall,
  CallOptions,
  ClientCredentials,
  ClientInit,
  ClientOptions,
  HeaderFields,
} from "./src/client/settings.ts";
export {
  type BodyInput,
  type CallPromise,
  type Client,
  type ClientCall,
  createClient,
  type ParamsAndBody,
  type ParamsInput,
} from "./src/client/client.ts";
export { type CalledRoute, ClientError, type ClientErrorCode, type ClientErrorDetails } from "./src/client/error.ts";
export {
  type AnyResult,
  type CallError,
  type ClientResult,
  type ErrorOf,
  isErrorOf,
  type ReceivedResponse,
  type SuccessfulResult,
  unwrap,
  unwrapResult,
} from "./src/client/result.ts";
export type { IssueSummary } from "./src/schema.ts";
export { validateResponses } from "./src/client/validate_responses.ts";
export type { Contract } from "./src/contract/contract.ts";
export type { FormDataValue, TextValue } from "./src/contract/infer.ts";
export type { BasicCredential } from "./src/wire/credentials.ts";
export { fieldErrors, type FieldErrorsOptions, type Problem, type ProblemIssue } from "./src/wire/problem.ts";
export type { ItemReader } from "./src/representation/stream.ts";
export type { EventReader, ReceivedEvent } from "./src/representation/sse.ts";
