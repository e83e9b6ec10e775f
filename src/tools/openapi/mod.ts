/**
 * Generates the OpenAPI document of a contract, and serves it with a page that shows it.
 *
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { openApiDocument } from "@scope/api/openapi";
 *
 * const contract = defineContract({ routes: { health: route.get("/health", { responses: { 200: response.text() } }) } });
 *
 * console.log(JSON.stringify(openApiDocument(contract, { info: { title: "Health", version: "1.0.0" } })));
 * ```
 *
 * @module
 */
export type { Contract } from "../../contract/contract.ts";
export type { JsonSchema, JsonSchemaObject } from "../json_schema/json.ts";
export {
  docsPage,
  type DocsPageBaseOptions,
  type DocsPageDocumentOptions,
  type DocsPageOptions,
  type DocsPageUrlOptions,
} from "./docs_page.ts";
export { openApiDocument } from "./document.ts";
export type { DocsTree, OpenApiOptions } from "./options.ts";
export type { SchemaNotes } from "../../contract/docs.ts";
export {
  type DocsHandler,
  type ScalarFile,
  serveDocs,
  type ServeDocsBaseOptions,
  type ServeDocsOptions,
  type ServeScalarOptions,
  type ServeSwaggerUiOptions,
  type SwaggerUiFile,
  type ViewerFiles,
} from "./serve_docs.ts";
export type { SchemaProvider, SchemaSlot } from "./slot_schemas.ts";
export { type OpenApi30, type OpenApi30Document, type OpenApiLoss, toOpenApi30 } from "./version_30.ts";
export type { Schema } from "../../schema.ts";
export type {
  OpenApiComponents,
  OpenApiContact,
  OpenApiContent,
  OpenApiDocument,
  OpenApiEncoding,
  OpenApiField,
  OpenApiFlow,
  OpenApiInfo,
  OpenApiLicense,
  OpenApiMediaType,
  OpenApiMessages,
  OpenApiMethod,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiPathItem,
  OpenApiReference,
  OpenApiRequestBody,
  OpenApiResponse,
  OpenApiSchemeBase,
  OpenApiSecurityRequirement,
  OpenApiSecurityScheme,
  OpenApiServer,
  OpenApiServerVariable,
  OpenApiSocket,
  OpenApiTag,
} from "./types.ts";
