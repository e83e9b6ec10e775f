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
export type { Contract } from "../../contract/contract.ts";
export type { CorsOptions } from "../../server/answer/cors.ts";
export type { FetchHandler, FetchOptions } from "../../fetch/fetch_handler.ts";
export type { JsonSchemaObject } from "../json_schema/json.ts";
export type { SamplePath } from "../json_schema/draw.ts";
export { mockContract, type MockHandlers, type MockOptions, type MockStatuses } from "./mock_contract.ts";
export type { SampleProvider } from "./draw_slot.ts";
export type { Verifier } from "../../server/define/verifier.ts";
export type { SchemaProvider, SchemaSlot } from "../openapi/slot_schemas.ts";
