/**
 * Slim contracts: the routes of a contract without their schemas, for clients. The command `@scope/api/slim/cli`
 * generates them.
 *
 * @module
 */
export type { Contract, SlimContract } from "./src/contract/contract.ts";
export { spreadStatuses as statuses } from "./src/native_response.ts";
export { requestStream, responseStream } from "./src/representation/byte_stream.ts";
export { bytes } from "./src/representation/bytes.ts";
export { toCustomBody as as } from "./src/representation/custom.ts";
export { empty } from "./src/representation/empty.ts";
export { form } from "./src/representation/form.ts";
export { formData } from "./src/representation/form_data.ts";
export { json } from "./src/representation/json.ts";
export { ndjson } from "./src/representation/ndjson.ts";
export { problem } from "./src/representation/problem.ts";
export { raw } from "./src/representation/raw.ts";
export { sse } from "./src/representation/sse.ts";
export { requestText, responseText } from "./src/representation/text.ts";
export { fieldStyles } from "./src/slim/field_styles.ts";
export { slimContract } from "./src/slim/slim_contract.ts";
export {
  type RouteTypes,
  type SlimRoute,
  type SlimRoutes,
  slimRoutes,
  type TypedBody,
  type TypedResponse,
  type WithStatuses,
} from "./src/slim/slim_routes.ts";
export { apiKeyCredential, basicCredential, bearerCredential, cookieCredential } from "./src/wire/credentials.ts";
