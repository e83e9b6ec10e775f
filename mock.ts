/**
 * A mock server for a contract: it answers before the real server exists.
 *
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { mockContract } from "@scope/api/mock";
 *
 * const contract = defineContract({ routes: { health: route.get("/health", { responses: { 200: response.text() } }) } });
 *
 * export default { fetch: mockContract(contract) }; // deno serve
 * ```
 *
 * @module
 */
export type { Contract } from "./src/contract/contract.ts";
export type { CorsOptions } from "./src/server/answer/cors.ts";
export type { FetchHandler, FetchOptions } from "./src/fetch/fetch_handler.ts";
export type { JsonSchemaObject } from "./src/json_schema/json.ts";
export type { SamplePath } from "./src/json_schema/sample_plan.ts";
export { mockContract, type MockHandlers, type MockOptions, type MockStatuses } from "./src/mock/mock_contract.ts";
export type { SampleProvider } from "./src/mock/draw_slot.ts";
export type { Verifier } from "./src/server/define/verifier.ts";
export type { SchemaProvider, SchemaSlot } from "./src/openapi/slot_schemas.ts";
