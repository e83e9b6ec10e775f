/** Calls tools. Invalid arguments from a model never make a call throw. */
import type { AnyClientCall } from "../../client/call.ts";
import type { AnyOutcome, HeaderFields } from "../../client/settings.ts";
import { ClientError } from "../../client/error.ts";
import { isSuccessful } from "../../client/result.ts";
import { type Coder, type RouteCall, toCall } from "../../contract/call.ts";
import { isStyled } from "../../contract/codec.ts";
import type { RouteNode } from "../../contract/node.ts";
import { isInstance } from "../../mark.ts";
import { parameterNames } from "../../path.ts";
import { isSchema } from "../../schema.ts";
import { encodeJson } from "../../wire/json.ts";
import { statusPhrase } from "../../wire/problem.ts";
import { isTextValue } from "../../wire/text_fields.ts";
import { type DescribedTool, toolContent } from "./describe_tool.ts";
import type { McpToolResult } from "./types.ts";
import { isSchemaObject } from "../json_schema/json.ts";

/** The options of one call. The host sets them; the model does not see them. */
export interface McpCallOptions {
  /** Header fields of the request, such as the `authorization` of the host's user. Default: none. */
  readonly headers?: HeaderFields | undefined;
  /** Aborts the call, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** The part of a tool's calls that is computed once. */
export interface ToolPlan extends DescribedTool {
  readonly route: RouteNode;
  /** The call of the route, as {@linkcode toWireCall} returns it. */
  readonly declared: RouteCall;
  readonly send: AnyClientCall;
  /** The routes that the server matches instead for some parameters, with the names of their tools if they have one. */
  readonly rivals: readonly (Pick<RouteCall, "segments"> & { readonly tool: string | undefined })[];
  readonly allowsSlashes: boolean;
}

/**
 * Returns the call of a route without codecs, because a model reads and writes wire values, and without headers, which
 * only the host sets.
 */
export function toWireCall(route: RouteNode): RouteCall {
  return toCall({ ...route, headers: undefined }, [], toWireCoder);
}

function toWireCoder(schema: unknown): Coder {
  return isSchema(schema) && isStyled(schema) ? schema.wire : {};
}

/** Calls a tool with checked options. Rejects only if its signal aborts. */
export async function callTool(plan: ToolPlan, args: unknown, options: McpCallOptions): Promise<McpToolResult> {
  const { signal, headers } = options;
  try {
    const input = readArguments(plan, args);
    const result = await plan.send(...(plan.declared.slots.length > 0 ? [input] : []), { signal, headers });
    return toToolResult(plan, result);
  } catch (error) {
    if (isInstance(error, ClientError) && error.code === "aborted") throw signal?.reason;
    return toToolError(explain(error));
  }
}

export function toToolError(text: string): McpToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

/** Returns the arguments by slot. Throws an `ArgumentError` for arguments that the client would ignore or misread. */
function readArguments(plan: ToolPlan, args: unknown = {}): object {
  const { route, tool } = plan;
  const { properties = {}, required = [] } = tool.inputSchema;
  const input = checkMembers(args, Object.keys(properties), "the arguments");
  const missing = required.find((slot) => !Object.hasOwn(input, slot));
  if (missing !== undefined) throw new ArgumentError(`the argument ${missing} is required`);
  if ("params" in properties) checkParams(plan, checkMembers(input.params, parameterNames(route.path), "params"));
  return input;
}

/**
 * Throws an `ArgumentError` for parameters that could lead to another route, without naming a route that is not a tool.
 */
function checkParams({ declared, rivals, allowsSlashes }: ToolPlan, params: Readonly<Record<string, unknown>>): void {
  const surprising = Object.entries(params).find(([, value]) => typeof value === "string" && /[/\\]/.test(value));
  if (surprising && !allowsSlashes) throw new ArgumentError(`the parameter ${surprising[0]} must not contain / or \\`);
  const own = declared.segments.map((segment) => "literal" in segment ? segment.literal : params[segment.parameter]);
  const texts = own.map((value) => isTextValue(value) ? String(value) : undefined);
  const rival = rivals.find(({ segments }) =>
    segments.every((segment, index) => "parameter" in segment || segment.literal === texts[index])
  );
  if (!rival) return;
  const way = rival.tool === undefined ? "another route; pass others" : `the tool ${rival.tool}; call that instead`;
  throw new ArgumentError(`these params match ${way}`);
}

function checkMembers(args: unknown, allowed: readonly string[], what: string): Readonly<Record<string, unknown>> {
  if (typeof args !== "object" || args === null || Array.isArray(args)) {
    throw new ArgumentError(`${what} must be an object`);
  }
  const surplus = Object.keys(args).find((key) => !allowed.includes(key));
  if (surplus === undefined) return { ...args };
  const known = allowed.length > 0 ? allowed.join(", ") : "none";
  throw new ArgumentError(`${what} must not have ${JSON.stringify(surplus)} (allowed: ${known})`);
}

/** An error in the arguments of a call, whose message the model reads. */
class ArgumentError extends TypeError {
  override readonly name: string = "ArgumentError";
}

function toToolResult({ route, isWrapped }: ToolPlan, { status, body }: AnyOutcome): McpToolResult {
  const isError = !isSuccessful({ status });
  if (status >= 500 || body === undefined) { // only the status and its phrase
    const content: McpToolResult["content"] = [{ type: "text", text: `${status} ${statusPhrase(status)}` }];
    return isError ? { content, isError } : { content };
  }
  const declared = route.responses[status];
  const isJson = declared && toolContent(declared).isJson;
  const text = isJson ? encodeJson(body) : String(body);
  const content: McpToolResult["content"] = [{ type: "text", text }];
  if (isError) return { content, isError };
  if (!isJson) return { content };
  const value: unknown = JSON.parse(text); // a custom representation may decode to values that are not JSON
  const structuredContent = isWrapped ? { result: value } : value;
  return isSchemaObject(structuredContent) ? { content, structuredContent } : { content };
}

/** Explains to the model why a call failed, and how to correct the call. It reveals no details of the server. */
function explain(error: unknown): string {
  if (isInstance(error, ArgumentError)) return `Cannot call the tool: ${error.message}`;
  if (!isInstance(error, ClientError)) return "The response cannot be read";
  const { code, status, problem, message } = error;
  if (code === "invalid-input") return message;
  if (status === undefined) return "The server did not respond";
  if (isSuccessful({ status })) return "The response cannot be read";
  return problem && status < 500 ? encodeJson(problem) : `${status} ${statusPhrase(status)}`;
}
