import type { Awaitable } from "../../awaitable.ts";
import { createCall } from "../../client/call.ts";
import { findRivals } from "../../client/encode_request.ts";
import { type ClientSettings, toSettings } from "../../client/settings.ts";
import { type Contract, describeNonContract } from "../../contract/contract.ts";
import {
  aBoolean,
  aFunction,
  anObject,
  aSignal,
  checkObject,
  checkOptions,
  checkRule,
  checkRules,
  failAt,
  readPlainOptions,
  type ValueRule,
} from "../../options.ts";
import { routesOf } from "../../contract/node.ts";
import { isMarked } from "../../mark.ts";
import { describeValue } from "../../messages.ts";
import { createConversions } from "../openapi/conversions.ts";
import type { SchemaProvider, SlotOptions } from "../openapi/slot_schemas.ts";
import { callTool, type McpCallOptions, type ToolPlan, toToolError, toWireCall } from "./call_tool.ts";
import { cannotMakeTool, checkContents, describeTool, toToolName } from "./describe_tool.ts";
import type { McpTool, McpToolResult, ToolTexts } from "./types.ts";

/**
 * The options of {@linkcode mcpTools}. `Routes` is the type of the contract's routes:
 * `McpToolsOptions<typeof contract.routes>`.
 */
export interface McpToolsOptions<Routes> {
  /** Sends the requests of the tools: a mounted handler, or the global `fetch` for a remote server. */
  readonly fetch: (request: Request) => Awaitable<Response>;
  /**
   * The routes that become tools, by dotted key, each with a description for the model. Other routes are not exposed.
   */
  readonly tools: ToolTexts<Routes>;
  /** The URL that requests are sent to. Default: `http://localhost`, for a handler. */
  readonly baseUrl?: string | URL | undefined;
  /**
   * Whether path parameters may contain `/` and `\`. The client percent-encodes them, but some proxies and servers
   * decode them before they match the path, and then a text like `../admin` reaches another route. Default: false.
   */
  readonly allowSlashes?: boolean | undefined;
  /**
   * Returns the JSON Schema of a slot whose schema does not convert, or a replacement for a converted one. Default:
   * none.
   */
  readonly schema?: SchemaProvider | undefined;
}

/** The tools of a contract. */
export interface McpTools {
  /**
   * The tools in the order of the option `tools`, as JSON. You may change or extend the list; `call` does not read it.
   */
  readonly list: McpTool[];
  /**
   * Calls a tool by name. Invalid arguments from the model return a result with `isError` instead of rejecting. It
   * rejects with the reason of the signal if that aborts, and with a `TypeError` if an option is invalid.
   */
  readonly call: (name: string, args?: unknown, options?: McpCallOptions) => Promise<McpToolResult>;
}

/**
 * Creates tools for language models from the routes that you choose: a list of tools for the Model Context Protocol,
 * and a function that calls them. Serve both with the official SDK.
 *
 * The name of a tool is the key of its route, with `_` instead of dots. Its arguments are `params`, `query` and
 * `body`, as wire values. Each call sends a request through `fetch`, so security, middleware and validation apply. The
 * request carries only the credentials in the call's option `headers`.
 *
 * @example A tool that finds a user
 * ```ts
 * import { defineContract, response, route, router } from "@scope/api";
 * import { createFetchHandler } from "@scope/api/fetch";
 * import { mcpTools } from "@scope/api/mcp";
 * import { defineServer } from "@scope/api/server";
 * import { assertEquals } from "@std/assert";
 * import { type } from "arktype";
 *
 * const contract = defineContract({
 *   routes: {
 *     users: router("/users", {
 *       routes: { byId: route.get("/:id", { responses: { 200: response.json(type({ name: "string" })) } }) },
 *     }),
 *   },
 * });
 * const handler = createFetchHandler(
 *   defineServer(contract).implement({ users: { byId: ({ response }) => response(200, { name: "Ada" }) } }),
 * );
 *
 * const tools = mcpTools(contract, { fetch: handler, tools: { "users.byId": "Find a user by id." } });
 *
 * assertEquals(tools.list.map(({ name, annotations }) => [name, annotations.readOnlyHint]), [["users_byId", true]]);
 * const { structuredContent } = await tools.call("users_byId", { params: { id: "42" } });
 * assertEquals(structuredContent, { name: "Ada" });
 * ```
 *
 * @throws {TypeError} If a key or an option is unknown, a description is missing, or a key cannot be the name of a
 * tool. Also if a body or a response is not JSON, text or a form, or if a schema does not convert to JSON Schema.
 */
export function mcpTools<Api extends Contract>(
  contract: Api,
  options: McpToolsOptions<Api["routes"]>,
): McpTools {
  const { tools, schema, settings, allowsSlashes } = checkToolsOptions(contract, options);
  const nodes = routesOf(contract.routes);
  const calls = nodes.map(toWireCall);
  const slots: SlotOptions = { supply: schema, action: "describe", conversions: createConversions() };
  const plans = new Map<string, ToolPlan>();
  for (const [key, description] of Object.entries(tools)) {
    const at = nodes.findIndex((node) => node.key === key);
    const route = nodes[at] ??
      cannotMakeTool(JSON.stringify(key), `it is not the key of a route; use a key such as ${nodes[0]?.key}`);
    const name = toToolName(key);
    const other = plans.get(name);
    if (other) cannotMakeTool(key, `${other.route.key} has the same tool name ${name}; rename one of the keys`);
    checkContents(route);
    if (typeof description !== "string" || description.trim() === "") {
      cannotMakeTool(key, "its description is required; describe what it does and when to use it");
    }
    const declared = calls[at]!; // of the same route
    const described = describeTool(route, { name, description }, slots);
    const rivals = findRivals(declared, calls).map(({ key, segments }) => ({
      segments,
      tool: Object.hasOwn(tools, key) ? toToolName(key) : undefined,
    }));
    plans.set(name, {
      ...described,
      route,
      declared,
      send: createCall(declared, calls, settings),
      rivals,
      allowsSlashes,
    });
  }
  return {
    list: [...plans.values()].map(({ tool }) => structuredClone(tool)),
    call: async (name, args, options) => {
      const read: McpCallOptions = readPlainOptions(options, callRules, "tools.call()");
      const plan = plans.get(name);
      return plan ? await callTool(plan, args, read) : toToolError(`The tool ${describeValue(name)} does not exist`);
    },
  };
}

function checkToolsOptions(contract: Contract, given: McpToolsOptions<never>): {
  readonly tools: Readonly<Record<string, unknown>>;
  readonly schema: SchemaProvider | undefined;
  readonly settings: ClientSettings;
  readonly allowsSlashes: boolean;
} {
  if (!isMarked(contract, "contract")) failAt(where, describeNonContract(contract));
  checkOptions(given, ["fetch", "tools", "baseUrl", "schema", "allowSlashes"], where);
  const { fetch, tools, baseUrl = "http://localhost", schema, allowSlashes = false } = given;
  checkRules({ schema, allowSlashes }, { schema: aFunction, allowSlashes: aBoolean }, where);
  checkRule(fetch, '"fetch"', ["a function, such as a mounted handler", aFunction[1]], where);
  checkObject(tools, where, '"tools"');
  return { tools, schema, settings: toSettings({ baseUrl, fetch }, []), allowsSlashes: allowSlashes };
}

const where = "mcpTools()";

const callRules = { headers: anObject, signal: aSignal } satisfies Readonly<Record<keyof McpCallOptions, ValueRule>>;
