/**
 * Finds the changes of an API that break old clients: between two contracts, two OpenAPI documents, or one of each.
 *
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { diffContracts } from "@scope/api/diff";
 *
 * const before = defineContract({ routes: { health: route.get("/health", { responses: { 200: response.text() } }) } });
 * const after = defineContract({ routes: { health: route.get("/healthz", { responses: { 200: response.text() } }) } });
 *
 * for (const { verdict, rule, route, message } of diffContracts(before, after)) console.log(verdict, rule, route, message);
 * ```
 *
 * @module
 */
export type { Contract } from "../../contract/contract.ts";
export type { Change, ChangeRule, ChangeVerdict } from "./change.ts";
export {
  type AnyOpenApiDocument,
  type AnySwaggerDocument,
  type ContractOrDocument,
  diffContracts,
  type DiffOptions,
  type DocumentOfFiles,
} from "./diff_contracts.ts";
export type { Json, JsonObject } from "../json_schema/json.ts";
export type { SchemaProvider, SchemaSlot } from "../openapi/slot_schemas.ts";
