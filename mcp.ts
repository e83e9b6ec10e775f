/**
 * Turns the routes of a contract into tools for language models, to serve with the SDK of the Model Context Protocol.
 *
 * @module
 */
export type { Awaitable } from "./src/awaitable.ts";
export type { HeaderFields } from "./src/client/settings.ts";
export type { Contract } from "./src/contract/contract.ts";
export type { RouteNode } from "./src/contract/node.ts";
export type { McpCallOptions } from "./src/mcp/call_tool.ts";
export { type McpTools, mcpTools, type McpToolsOptions } from "./src/mcp/mcp_tools.ts";
export type {
  McpJson,
  McpJsonObject,
  McpObjectSchema,
  McpTool,
  McpToolAnnotations,
  McpToolResult,
} from "./src/mcp/types.ts";
export type { SchemaProvider, SchemaSlot } from "./src/openapi/slot_schemas.ts";
export type { JsonSchema, JsonSchemaObject } from "./src/json_schema/json.ts";
