/**
 * The types of tools and results in the Model Context Protocol, and the types that exclude routes that cannot become
 * tools.
 */
import type { RequestBody, RequestContent } from "../../contract/request.ts";
import type { ResponseContent, ResponseDeclaration } from "../../contract/response.ts";
import type { RouteBelow, RouteNode } from "../../contract/node.ts";
import type { JsonSchema } from "../json_schema/json.ts";

/** A tool as JSON, as an MCP server lists it. */
export interface McpTool {
  /** The key of the route, with `_` instead of dots: `users_byId`. */
  readonly name: string;
  /** What the tool does, for the model. */
  readonly description: string;
  /**
   * The JSON Schema of the arguments: an object with a property for each of `params`, `query` and `body` that the route
   * takes.
   */
  readonly inputSchema: McpObjectSchema;
  /** The JSON Schema of `structuredContent`; absent if a successful result may lack it. */
  readonly outputSchema?: McpObjectSchema;
  /** Hints that follow from the method of the route. */
  readonly annotations: McpToolAnnotations;
}

/** The JSON Schema of an object. All its references point to its own `$defs`. */
export interface McpObjectSchema {
  /** Always `object`. */
  readonly type: "object";
  /** The schemas of its properties. */
  readonly properties?: Record<string, McpJsonObject>;
  /** The names of the properties that every value has. Without it, all properties are optional. */
  readonly required?: string[]; // mutable, like the types of the SDK
  /** The schemas that references point to. */
  readonly $defs?: Record<string, JsonSchema>;
  /** Any other keyword. */
  readonly [keyword: string]: unknown;
}

/** A JSON value, mutable like the types of the SDK. */
export type McpJson = string | number | boolean | null | McpJson[] | McpJsonObject;

/** A JSON object, such as a JSON Schema. */
export interface McpJsonObject {
  /** Any JSON value, by the name of the member. */
  [key: string]: McpJson;
}

/** Hints about a tool. A host may display them but must not rely on them. */
export interface McpToolAnnotations {
  /** `true` for GET, HEAD, OPTIONS and QUERY, which change nothing. */
  readonly readOnlyHint: boolean;
  /**
   * `true` for PUT, PATCH and DELETE, which replace, change or remove. Absent for POST, whose effect the method does
   * not define.
   */
  readonly destructiveHint?: boolean;
  /** `true` for PUT and DELETE: two calls have the effect of one. */
  readonly idempotentHint?: boolean;
}

/** The result of a call. It is JSON, and a `CallToolResult` of the official SDK. */
export type McpToolResult = {
  /** The body as text, or the status and its phrase if the body is empty. */
  readonly content: { readonly type: "text"; readonly text: string }[]; // mutable, like the types of the SDK
  /** The body of a successful response if it is a JSON object, or `{ result }` if the output schema says so. */
  readonly structuredContent?: { readonly [key: string]: unknown };
  /** Whether the call failed. `content` then explains how the model can correct it. */
  readonly isError?: boolean;
};

/**
 * A description for each route that can become a tool, by key, and an error message for the others.
 *
 * @internal
 */
export type ToolTexts<Routes> = [RouteBelow<Routes>] extends [never] ? Readonly<Record<string, string>>
  : RouteBelow<Routes> extends infer Below extends RouteNode
    ? { readonly [Route in Below as Route["key"]]?: ToolText<Route> }
  : never;

/**
 * `string` for a route that can become a tool, otherwise an error message that no description is assignable to.
 *
 * @internal
 */
export type ToolText<Route> = Route extends RouteNode ? string extends Route["key"] ? string
  : Route["body"] extends UnsupportedBody ? `A tool cannot send ${UnsupportedTexts[Route["body"]["kind"]]}`
  : [UnsupportedResponse<Route>] extends [never] ? string
  : `A tool cannot receive ${UnsupportedTexts[UnsupportedResponse<Route>]}`
  : never;

/**
 * The kinds of a route's responses that a tool cannot receive.
 *
 * @internal
 */
export type UnsupportedResponse<Route extends RouteNode> =
  & Extract<Route["responses"][keyof Route["responses"] & number], AnyUnsupportedResponse>["kind"]
  & keyof UnsupportedTexts;

/**
 * A request body that a tool cannot send.
 *
 * @internal
 */
export type UnsupportedBody = RequestBody<RequestContent, "bytes" | "formData" | "stream">;

/**
 * A response that a tool cannot receive.
 *
 * @internal
 */
export type AnyUnsupportedResponse = ResponseDeclaration<
  ResponseContent,
  "bytes" | "stream" | "ndjson" | "sse" | "raw" | "socket"
>;

/**
 * The names of the contents that a tool cannot use, for error messages.
 *
 * @internal
 */
export interface UnsupportedTexts {
  readonly bytes: "bytes";
  readonly formData: "form data, which may have files";
  readonly stream: "a stream of bytes";
  readonly ndjson: "a stream of items";
  readonly sse: "a stream of events";
  readonly raw: "a raw response";
  readonly socket: "a connection";
}
