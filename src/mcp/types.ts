/** What the Model Context Protocol calls a tool and its results, and what types say of the routes that can be tools. */
import { type RequestBody, type RequestContent } from "../contract/request.ts";
import { type ResponseContent, type ResponseDeclaration } from "../contract/response.ts";
import { type NodeKey, type RouteNode } from "../contract/node.ts";
import { type JsonSchema } from "../json_schema/json_schema.ts";

/** One tool, as the list of an MCP server has it. It is JSON. */
export interface McpTool {
  /** The key of the route, with `_` for each dot: `users_byId`. */
  readonly name: string;
  /** What the tool does, for the model. */
  readonly description: string;
  /** The JSON Schema of the arguments: an object with a property for each of `params`, `query` and `body` that the route takes. */
  readonly inputSchema: McpObjectSchema;
  /** The JSON Schema of `structuredContent`; absent where a success may have none. */
  readonly outputSchema?: McpObjectSchema;
  /** What follows from the method of the route. */
  readonly annotations: McpToolAnnotations;
}

/** The JSON Schema of an object. Its references lead to its own `$defs`. */
export interface McpObjectSchema {
  /** Always `object`. */
  readonly type: "object";
  /** The schemas of its properties. */
  readonly properties?: Record<string, McpJsonObject>;
  /** The properties that are always there. */
  readonly required?: string[]; // writable, as the types of the SDK have it
  /** The schemas that references lead to. */
  readonly $defs?: Record<string, JsonSchema>;
  /** Any other keyword. */
  readonly [keyword: string]: unknown;
}

/** A JSON value; writable, as the types of the SDK have it. */
export type McpJson = string | number | boolean | null | McpJson[] | McpJsonObject;

/** A JSON object, such as a JSON Schema. */
export interface McpJsonObject {
  /** A member. */
  [key: string]: McpJson;
}

/** Hints about a tool. A host may show them, and must not rely on them. */
export interface McpToolAnnotations {
  /** Whether it changes nothing: GET, HEAD, OPTIONS and QUERY. */
  readonly readOnlyHint: boolean;
  /** `true` for PUT, PATCH and DELETE, which replace, change or remove; absent for POST, of which the method tells nothing. */
  readonly destructiveHint?: boolean;
  /** `true` for PUT and DELETE: to call it twice has the effect of one call. */
  readonly idempotentHint?: boolean;
}

/** What a call of a tool came to. It is JSON, and a `CallToolResult` of the official SDK. */
export type McpToolResult = {
  /** The body as text; the status and its phrase where there is none. */
  readonly content: { readonly type: "text"; readonly text: string }[]; // writable, as the types of the SDK have it
  /** The body of a success, if it is a JSON object; `{ result }` where the output schema says so. */
  readonly structuredContent?: { readonly [key: string]: unknown };
  /** Whether the tool has failed. `content` says how the model can mend its call. */
  readonly isError?: boolean;
};

/**
 * What describes each route that can be a tool, by key, and words where one cannot.
 *
 * @internal
 */
export type ToolTexts<Routes> = [RouteBelow<Routes>] extends [never] ? Readonly<Record<string, string>>
  : { readonly [Route in RouteBelow<Routes> as KeyOf<Route>]?: ToolText<Route> };

/**
 * All routes below a node.
 *
 * @internal
 */
export type RouteBelow<Node> = Node extends RouteNode ? Node
  : { [Key in NodeKey<Node>]: RouteBelow<Node[Key]> }[NodeKey<Node>];

/**
 * The key of a route.
 *
 * @internal
 */
export type KeyOf<Route> = Route extends RouteNode ? Route["key"] : never;

/**
 * The description of a route that can be a tool, else words that no description is assignable to.
 *
 * @internal
 */
export type ToolText<Route> = Route extends RouteNode ? string extends Route["key"] ? string
  : Route["body"] extends UnfitBody ? `A tool cannot send ${UnfitWords[Route["body"]["kind"]]}`
  : [UnfitResponse<Route>] extends [never] ? string
  : `A tool cannot receive ${UnfitWords[UnfitResponse<Route>]}`
  : never;

/**
 * The kinds of responses of a route that a tool cannot receive.
 *
 * @internal
 */
export type UnfitResponse<Route extends RouteNode> =
  & Extract<Route["responses"][keyof Route["responses"] & number], AnyUnfitResponse>["kind"]
  & keyof UnfitWords;

/**
 * A request body that a tool cannot send.
 *
 * @internal
 */
export type UnfitBody = RequestBody<RequestContent, "bytes" | "formData" | "stream">;

/**
 * A response that a tool cannot receive.
 *
 * @internal
 */
export type AnyUnfitResponse = ResponseDeclaration<ResponseContent, "bytes" | "stream" | "ndjson" | "sse" | "raw">;

/**
 * What is not for a tool, in words.
 *
 * @internal
 */
export interface UnfitWords {
  readonly bytes: "bytes";
  readonly formData: "form data, which may have files";
  readonly stream: "a stream of bytes";
  readonly ndjson: "a stream of items";
  readonly sse: "a stream of events";
  readonly raw: "a raw response";
}
