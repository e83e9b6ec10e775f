/**
 * Slim contracts: the routes of a contract without their schemas, for clients. The command `@scope/api/slim/cli`
 * generates them.
 *
 * @module
 */
export type { Contract, SlimContract } from "../../contract/contract.ts";
export { spreadStatuses as statuses } from "../../native_response.ts";
export { form, formData } from "../../representation/form.ts";
export { socketRepresentation as socket } from "../../representation/socket.ts";
export { sse } from "../../representation/sse.ts";
export { ndjson, requestNdjson, requestStream, responseStream } from "../../representation/stream.ts";
export {
  bytes,
  empty,
  json,
  problem,
  raw,
  requestText,
  responseText,
  toCustomBody as as,
} from "../../representation/whole_body.ts";
export { fieldStyles } from "./field_styles.ts";
export {
  type RouteTypes,
  slimContract,
  type SlimContractOf,
  type SlimRoute,
  type SlimRoutes,
  slimRoutes,
  type TypedBody,
  type TypedResponse,
} from "./slim_contract.ts";
export type { WithStatuses } from "../types/declared_routes.ts";
export { apiKeyCredential, basicCredential, bearerCredential, cookieCredential } from "../../wire/credentials.ts";
