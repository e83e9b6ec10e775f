/**
 * Contracts from OpenAPI documents: a typed client, a mock and tests of an API that someone else describes.
 *
 * ```ts
 * import { importContract } from "@scope/api/import";
 *
 * const document = {
 *   openapi: "3.1.0",
 *   info: { title: "Health", version: "1.0.0" },
 *   paths: { "/health": { get: { operationId: "health", responses: { 204: { description: "" } } } } },
 * };
 * export const { contract, report } = importContract(document);
 * ```
 *
 * The command `@scope/api/import/cli` writes the contract as modules.
 *
 * @module
 */
export {
  importContract,
  type ImportedContract,
  type OpenApiSource,
  readOpenApi,
  writeContract,
  type WriteContractOptions,
  type WrittenContract,
} from "./import_contract.ts";
export type { ImportedFile } from "./module.ts";
export type { ImportedDocument, ImportOptions } from "./plan.ts";
export type { ImportReport, ReportedOperation, ReportedPlace } from "./report.ts";
export type { SchemaLibrary } from "./writer.ts";
