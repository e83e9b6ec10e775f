/**
 * Typed clients for a contract: `createClient()`, its options, its results and its errors.
 *
 * @module
 */
export { type Awaitable } from "./src/awaitable.ts";
export { type AnyOutcome, type Around, type AroundCall } from "./src/client/around.ts";
export { type Client, type ClientCall, createClient } from "./src/client/client.ts";
export { type ClientCredentials } from "./src/client/credentials.ts";
export { type CalledRoute, ClientError, type ClientErrorCode, type ClientErrorDetails } from "./src/client/error.ts";
export {
  type AnyResult,
  type ClientResult,
  type ReceivedResponse,
  type SuccessfulResult,
  unwrap,
  unwrapResult,
} from "./src/client/result.ts";
export { fieldErrors } from "./src/client/field_errors.ts";
export { isErrorOf } from "./src/client/is_error_of.ts";
export { type CallOptions, type ClientInit, type ClientOptions, type HeaderFields } from "./src/client/settings.ts";
export { type Contract } from "./src/contract/contract.ts";
export { type FormDataValue, type TextValue } from "./src/contract/fields.ts";
export { type BasicCredential } from "./src/wire/credentials.ts";
export { type Problem, type ProblemIssue } from "./src/wire/problem_document.ts";
export { type EventReader, type ItemReader, type ReceivedEvent } from "./src/representation/stream.ts";
