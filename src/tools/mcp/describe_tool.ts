/** Describes the tools of routes as data. */
import { isSafeMethod } from "../../contract/security_scheme.ts";
import { isSuccessful } from "../../client/result.ts";
import type { RouteNode } from "../../contract/node.ts";
import type { RequestBody, RequestKind } from "../../contract/request.ts";
import type { ResponseDeclaration, ResponseKind } from "../../contract/response.ts";
import type { Method } from "../../contract/route.ts";
import { type JsonSchema, schemaList } from "../json_schema/json.ts";
import { type Components, createComponents } from "../openapi/components.ts";
import { listFields } from "../openapi/representations.ts";
import { type Definitions, findDefinition, listReferences, reachable } from "../json_schema/references.ts";
import { listSlots, type SchemaSlot, type SlotOptions, toSlotSchema } from "../openapi/slot_schemas.ts";
import { parameterNames } from "../../path.ts";
import type {
  McpJson,
  McpJsonObject,
  McpObjectSchema,
  McpTool,
  McpToolAnnotations,
  UnsupportedTexts,
} from "./types.ts";

export interface DescribedTool {
  readonly tool: McpTool;
  /** Whether `structuredContent` is an object that wraps the body. */
  readonly isWrapped: boolean;
}

export function describeTool(
  route: RouteNode,
  { name, description }: Pick<McpTool, "name" | "description">,
  options: SlotOptions,
): DescribedTool {
  const output = describeOutput(route, options);
  const tool = {
    name,
    description,
    inputSchema: describeInput(route, options),
    ...(output && { outputSchema: output.schema }),
    annotations: describeMethod(route.method),
  };
  return { tool, isWrapped: output?.isWrapped === true };
}

/**
 * Returns the hints that follow from a method (RFC 9110, section 9.2; RFC 10008 for QUERY). POST may have any effect.
 */
function describeMethod(method: Method): McpToolAnnotations {
  if (isSafeMethod(method)) return { readOnlyHint: true };
  return {
    readOnlyHint: false,
    ...(method !== "POST" && { destructiveHint: true }),
    ...((method === "PUT" || method === "DELETE") && { idempotentHint: true }),
  };
}

/** The schemas of a tool's input or output, with shared definitions. */
interface ToolSchemas {
  /** Returns the schema of a slot, inlined rather than as a reference; `undefined` if the slot has none. */
  readonly of: (slot: SchemaSlot) => McpJsonObject | undefined;
  readonly find: Components["find"];
  /** Adds to the schema of an object the definitions that it refers to. */
  readonly close: (schema: McpObjectSchema) => McpObjectSchema;
}

function createToolSchemas(route: RouteNode, options: SlotOptions): ToolSchemas {
  const { embed, find, schemas } = createComponents(new Set(), "#/$defs/");
  const slots = new Map(listSlots(route).map((declared) => [declared.slot, declared]));
  return {
    of(slot): McpJsonObject | undefined {
      const declared = slots.get(slot);
      const found = declared && toSlotSchema(route, declared, options);
      if (!found) return undefined;
      const name = typeof slot === "number" ? "result" : slot;
      const schema = embed({ schema: found.converted, name, direction: declared.direction, isShared: false });
      checkReferences(route, name, { schema, $defs: Object.fromEntries(schemas) });
      const { $ref, ...others } = schema;
      const target = typeof $ref === "string" && Object.keys(others).length === 0 ? find($ref) : undefined;
      return (typeof target === "object" ? target : schema) as McpJsonObject; // converted schemas are JSON
    },
    find,
    close(schema): McpObjectSchema {
      const definitions = Object.fromEntries(schemas);
      const used: Record<string, JsonSchema> = {};
      for (const name of reachable(schema, definitions)) used[name] = definitions[name] ?? true;
      return Object.keys(used).length === 0 ? schema : { ...schema, $defs: used };
    },
  };
}

/** Throws a `TypeError` if a schema refers to what a tool cannot contain. */
function checkReferences(
  { key }: RouteNode,
  name: string,
  whole: { readonly schema: JsonSchema; readonly $defs: Definitions },
): void {
  const missing = [...listReferences(whole)].find((reference) => !findDefinition(reference, whole.$defs));
  if (missing === undefined) return;
  cannotMakeTool(key, `the schema of its ${name} refers to ${missing}, which it does not define; add it to $defs`);
}

/** Describes the arguments of a tool by slot. It omits headers, which only the host sets. */
function describeInput(route: RouteNode, options: SlotOptions): McpObjectSchema {
  const schemas = createToolSchemas(route, options);
  const properties: Record<string, McpJsonObject> = {};
  const required: string[] = [];
  const add = (slot: string, schema: McpJsonObject, isRequired: boolean): void => {
    properties[slot] = schema;
    if (isRequired) required.push(slot);
  };
  if (parameterNames(route.path).length > 0) add("params", describeParams(route, schemas), true);
  const query = route.query && schemas.of("query");
  if (query) {
    add("query", query, [...listFields(query, schemas.find).named.values()].some((field) => field.required));
  }
  if (route.body) add("body", describeBody(route.body, schemas), !route.body.optional);
  const members = { properties, ...(required.length > 0 && { required }) };
  return schemas.close({ type: "object", ...members, additionalProperties: false });
}

function describeParams({ path }: RouteNode, { of, find }: ToolSchemas): McpJsonObject {
  const { named, others = { type: "string" } } = listFields(of("params"), find);
  const names = parameterNames(path);
  const properties = Object.fromEntries(
    names.map((name) => [name, (named.get(name)?.schema ?? others) as McpJson]), // converted schemas are JSON
  );
  return { type: "object", properties, required: names, additionalProperties: false };
}

function describeBody(body: NonNullable<RouteNode["body"]>, { of }: ToolSchemas): McpJsonObject {
  const schema = of("body") ?? (toolContent(body).isJson ? {} : { type: "string" });
  return body.description === undefined ? schema : { description: body.description, ...schema };
}

/** Returns one schema for all successful responses; `undefined` if one of them is not JSON with a schema. */
function describeOutput(
  route: RouteNode,
  options: SlotOptions,
): { readonly schema: McpObjectSchema; readonly isWrapped: boolean } | undefined {
  const { of, find, close } = createToolSchemas(route, options);
  const successes = Object.entries(route.responses).filter(([status]) => isSuccessful({ status: Number(status) }));
  const described = successes.map(([status, declared]) =>
    toolContent(declared).isJson ? of(Number(status)) : undefined
  );
  const [first, ...others] = described;
  if (!first || !described.every((schema) => schema !== undefined) || route.method === "HEAD") return undefined;
  const isWrapped = !described.every((schema) => isObjectSchema(schema, find));
  const result: McpJsonObject = others.length === 0 ? first : { anyOf: described };
  if (!isWrapped) return { schema: close({ ...result, type: "object" }), isWrapped };
  return { schema: close({ type: "object", properties: { result }, required: ["result"] }), isWrapped };
}

/** Tests whether a schema accepts only objects, judging by its keywords. */
function isObjectSchema(
  schema: JsonSchema | undefined,
  find: ToolSchemas["find"],
  seen: readonly unknown[] = [],
): boolean {
  if (typeof schema !== "object" || seen.includes(schema)) return false;
  const below = (part: JsonSchema | undefined): boolean => isObjectSchema(part, find, [...seen, schema]);
  const { type, $ref, allOf, anyOf, oneOf } = schema;
  return type === "object" || (typeof $ref === "string" && below(find($ref))) ||
    schemaList(allOf).some(below) ||
    [anyOf, oneOf].map(schemaList).some((parts) => parts.length > 0 && parts.every(below));
}

/** Throws the `TypeError` for a route that cannot become a tool: which route, why, and what to do instead. */
export function cannotMakeTool(key: string, state: string): never {
  throw new TypeError(`mcpTools(): cannot make a tool of ${key}: ${state}`);
}

/** Returns the name of a route's tool: its key, in characters that MCP and the APIs of models allow. */
export function toToolName(key: string): string {
  const name = key.replaceAll(".", "_");
  if (/^[\w-]{1,128}$/.test(name)) return name;
  cannotMakeTool(
    JSON.stringify(key),
    "its key must have at most 128 characters, of ASCII letters, digits, _, - and dots; rename it",
  );
}

/** Throws a `TypeError` for a route whose body or response a model cannot use. */
export function checkContents({ key, body, responses }: RouteNode): void {
  const unsupportedBody = body && toolContent(body).unsupported;
  if (unsupportedBody !== undefined) {
    cannotMakeTool(key, `its body must be JSON, text or a form, got ${unsupportedBody}`);
  }
  if (typeof body?.contentType === "object") {
    cannotMakeTool(key, "its body must have one media type, got several or a range");
  }
  for (const [status, declared] of Object.entries(responses)) {
    const { unsupported } = toolContent(declared);
    if (unsupported !== undefined) {
      cannotMakeTool(key, `its response ${status} must be JSON or text, got ${unsupported}`);
    }
  }
}

interface ModelContent {
  /** Whether the content is a JSON value. Otherwise it is text, or empty. */
  readonly isJson?: boolean;
  /** The name of the content for messages, if a model cannot use it. */
  readonly unsupported?: string;
}

/** One row per representation. The texts are the same as in the types, as far as types know them. */
const contents:
  & Readonly<Record<RequestKind | ResponseKind, ModelContent>>
  & { readonly [Kind in keyof UnsupportedTexts]: { readonly unsupported: UnsupportedTexts[Kind] } } = {
    json: { isJson: true },
    problem: { isJson: true },
    text: {},
    form: {},
    empty: {},
    bytes: { unsupported: "bytes" },
    formData: { unsupported: "form data, which may have files" },
    stream: { unsupported: "a stream of bytes" },
    ndjson: { unsupported: "a stream of items" },
    sse: { unsupported: "a stream of events" },
    raw: { unsupported: "a raw response" },
    socket: { unsupported: "a connection" },
    as: { unsupported: "a representation without the structure of JSON" },
  };

/** Returns the row of a representation, or of the built-in one whose structure it shares. */
export function toolContent({ kind, representation: { structure } }: RequestBody | ResponseDeclaration): ModelContent {
  return contents[structure ?? kind];
}
