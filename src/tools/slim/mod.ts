/**
 * Slim contracts: the routes of a contract without their schemas, for clients. The command `@scope/api/slim/cli`
 * generates them.
 *
 * @module
 */
export type { Contract, SlimContract } from "../../contract/contract.ts";
export { spreadStatuses as statuses } from "../../native_response.ts";
export { requestStream, responseStream } from "../../representation/stream.ts";
export { bytes } from "../../representation/whole_body.ts";
export { toCustomBody as as } from "../../representation/whole_body.ts";
export { empty } from "../../representation/whole_body.ts";
export { form } from "../../representation/form.ts";
export { formData } from "../../representation/form.ts";
export { json } from "../../representation/whole_body.ts";
export { ndjson, requestNdjson } from "../../representation/stream.ts";
export { problem } from "../../representation/whole_body.ts";
export { raw } from "../../representation/whole_body.ts";
export { sse } from "../../representation/sse.ts";
export { requestText, responseText } from "../../representation/whole_body.ts";
export { fieldStyles } from "./field_styles.ts";
export { socket } from "./socket_row.ts";
export { slimContract } from "./slim_contract.ts";
export {
  type RouteTypes,
  type SlimContractOf,
  type SlimRoute,
  type SlimRoutes,
  slimRoutes,
  type TypedBody,
  type TypedResponse,
  type WithStatuses,
} from "./slim_routes.ts";
export { apiKeyCredential, basicCredential, bearerCredential, cookieCredential } from "../../wire/credentials.ts";
