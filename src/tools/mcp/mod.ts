/**
 * Turns the routes of a contract into tools for language models, to serve with the SDK of the Model Context Protocol.
 *
 * @module
 */
export type { Awaitable } from "../../awaitable.ts";
export type { HeaderFields } from "../../client/settings.ts";
export type { Contract } from "../../contract/contract.ts";
export type { RouteNode } from "../../contract/node.ts";
export type { McpCallOptions } from "./call_tool.ts";
export { type McpTools, mcpTools, type McpToolsOptions } from "./mcp_tools.ts";
export type { McpJson, McpJsonObject, McpObjectSchema, McpTool, McpToolAnnotations, McpToolResult } from "./types.ts";
export type { SchemaProvider, SchemaSlot } from "../openapi/slot_schemas.ts";
export type { JsonSchema, JsonSchemaObject } from "../json_schema/json.ts";
