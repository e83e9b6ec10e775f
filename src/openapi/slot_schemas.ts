/** Converts the schemas of a contract's slots to JSON Schema, for all entry points that need them. */
import { isCodec } from "../contract/codec.ts";
import type { RouteNode } from "../contract/node.ts";
import { isSchemaObject, type JsonSchemaObject } from "../json_schema/json.ts";
import { unstyled } from "../contract/styled.ts";
import { describeValue, messageOf } from "../messages.ts";
import type { Schema } from "../schema.ts";
import { isOpaque } from "./representations.ts";

/** Returns the JSON Schema of a slot, or `undefined` to convert the declared schema. */
export type SchemaProvider = (route: RouteNode, slot: SchemaSlot) => JsonSchemaObject | undefined;

/** A slot of a route, with its JSON Schema. */
export interface SlotSchema extends DocumentedSlot {
  readonly route: RouteNode;
  /**
   * The schema or supplied object that the JSON Schema comes from. It identifies schemas that are used more than once.
   */
  readonly source: object;
  /** The JSON Schema of the slot's wire side: input for requests, output for responses, the wire schema for a codec. */
  readonly converted: JsonSchemaObject;
}

/**
 * Lists every slot of a route that has a schema, with its JSON Schema.
 *
 * @param action The verb for error messages: `describe`, `mock`, `test`.
 * @throws {TypeError} If a schema does not convert. The message names the route and the slot.
 */
export function listSlotSchemas(route: RouteNode, supply: SchemaProvider | undefined, action: string): SlotSchema[] {
  return listSlots(route).flatMap((declared) => toSlotSchema(route, declared, supply, action) ?? []);
}

/**
 * Returns a slot with its JSON Schema; `undefined` if it does not have a schema.
 *
 * @throws {TypeError} If the schema does not convert. The message names the route and the slot.
 */
export function toSlotSchema(
  route: RouteNode,
  declared: DocumentedSlot,
  supply: SchemaProvider | undefined,
  action: string,
): SlotSchema | undefined {
  const { slot, schema, direction } = declared;
  try {
    const supplied = supply?.(route, slot);
    const source = supplied ?? schema;
    if (source === undefined) return undefined;
    const converted = schema && !supplied ? convertSchema(schema, direction) : copySchema(supplied);
    return { ...declared, route, source, converted };
  } catch (cause) {
    throw new TypeError(schemaProblem(route, slot, action, cause), { cause });
  }
}

function schemaProblem({ key }: RouteNode, slot: SchemaSlot, action: string, cause: unknown): string {
  const reason = messageOf(cause);
  return `Cannot ${action} ${key}: the schema of its ${formatSlot(slot)} does not convert to JSON Schema: ${reason}; ` +
    `return one from the option schema(route, slot)`;
}

/** Formats the name of a slot for messages. */
export function formatSlot(slot: SchemaSlot): string {
  if (typeof slot === "number") return `response ${slot}`;
  const [status] = slot.split(".");
  return slot.endsWith(".headers") ? `headers of response ${status}` : slot;
}

/** The part of [Standard JSON Schema](https://standardschema.dev/json-schema) that documents use. */
interface Convertible {
  readonly vendor: string;
  readonly jsonSchema?: Readonly<Record<"input" | "output", (options: ConvertOptions) => unknown>>;
}

interface ConvertOptions {
  readonly target: "draft-2020-12";
  /** Options that only one library understands. */
  readonly libraryOptions?: Readonly<Record<string, unknown>>;
}

/**
 * Converts one side of a schema to JSON Schema. For a codec it converts the wire schema. Throws if the schema does not
 * convert.
 */
export function convertSchema(schema: Schema, direction: "input" | "output"): JsonSchemaObject {
  const standard: Convertible = (isCodec(schema) ? schema.wire : schema)["~standard"];
  if (standard.jsonSchema === undefined) {
    throw new TypeError(`schemas of ${standard.vendor} do not implement Standard JSON Schema`);
  }
  const options = Object.hasOwn(libraryOptions, standard.vendor) ? libraryOptions[standard.vendor]! : undefined;
  const converted = standard.jsonSchema[direction]({
    target: "draft-2020-12",
    ...(options && { libraryOptions: options }),
  });
  return copySchema(converted);
}

/** Options of libraries whose JSON Schemas would say otherwise what is sent. */
const libraryOptions: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  arktype: { fallback: convertArkType },
  valibot: { ignoreActions: ["readonly"] }, // which would not convert
  zod: { override: forgetReadonly },
};

/** A part of a Zod schema. */
interface ZodPart {
  readonly _zod: { readonly def: { readonly type: string; readonly innerType?: ZodPart } };
}

/** What `meta()` says about schemas, which the copies of Zod share. It may not exist. */
declare const __zod_globalRegistry: {
  readonly get: (part: ZodPart) => { readonly readOnly?: unknown } | undefined;
};

/**
 * Removes the `readOnly` of Zod's `readonly()`, which means that a program does not change the value. In a document it
 * means that requests do not have the property. One of `meta()` stays.
 */
function forgetReadonly(
  { zodSchema, jsonSchema }: { readonly zodSchema: ZodPart; readonly jsonSchema: { readOnly?: unknown } },
): void {
  if (zodSchema._zod.def.type !== "readonly") return;
  for (let part: ZodPart | undefined = zodSchema; part; part = part._zod.def.innerType) {
    if (typeof __zod_globalRegistry === "object" && __zod_globalRegistry.get(part)?.readOnly) return;
  }
  delete jsonSchema.readOnly;
}

/** Returns a copy of a schema as JSON. Throws if it is not an object that JSON can represent. */
export function copySchema(schema: unknown): JsonSchemaObject {
  const copy: unknown = JSON.parse(JSON.stringify(schema));
  if (isSchemaObject(copy)) return copy;
  throw new TypeError(`a JSON Schema must be an object, got ${describeValue(copy)}`);
}

/** A part of an ArkType type that JSON Schema cannot express. */
interface ArkTypePart {
  readonly code: string;
  readonly base: JsonSchemaObject;
  readonly proto?: { readonly name?: string };
  readonly unit?: unknown;
}

/**
 * Returns the JSON Schema of a part of an ArkType type that JSON Schema cannot express. ArkType's default accepts
 * everything, which is right for a narrowing check but wrong for a value that does not exist in JSON.
 */
function convertArkType({ code, base, proto, unit }: ArkTypePart): JsonSchemaObject {
  if (code === "proto" && (proto?.name === "File" || proto?.name === "Blob")) {
    return { ...base, type: "string", format: "binary" };
  }
  if (code === "unit" && unit === undefined) return { not: {} }; // absent: no JSON value is undefined
  if (code === "proto") throw new TypeError(`JSON Schema cannot express ${proto?.name ?? "the object"}`);
  if (code === "domain" || code === "date" || code === "unit") {
    throw new TypeError(`JSON Schema cannot express the ${code}`);
  }
  return base;
}

/** A part of a route that has a schema: a slot of the request, the status of a response, or the headers of one. */
export type SchemaSlot = "params" | "query" | "headers" | "body" | number | `${number}.headers`;

/** A slot with its schema. */
export interface DocumentedSlot {
  /** Which slot it is. */
  readonly slot: SchemaSlot;
  /** The schema, if one is declared. */
  readonly schema: Schema | undefined;
  /** The side of the schema that is on the wire. */
  readonly direction: "input" | "output";
  /** Whether documents list the slot property by property instead of as a whole. */
  readonly isFields: boolean;
}

/** Lists the slots of a route that documents describe by a schema, in order. */
export function listSlots({ params, query, headers, body, responses }: RouteNode): DocumentedSlot[] {
  const fields = { params, query, headers } as const;
  const slots: DocumentedSlot[] = (["params", "query", "headers"] as const)
    .filter((slot) => fields[slot] !== undefined)
    .map((slot) => ({ slot, schema: unstyled(fields[slot]), direction: "input", isFields: true }));
  if (body && !isOpaque(body)) {
    slots.push({ slot: "body", schema: unstyled(body.schema), direction: "input", isFields: false });
  }
  for (const [name, declared] of Object.entries(responses)) {
    const status = Number(name);
    const { schema, headers } = declared;
    if (headers) {
      slots.push({ slot: `${status}.headers`, schema: unstyled(headers), direction: "output", isFields: true });
    }
    if (!isOpaque(declared)) slots.push({ slot: status, schema, direction: "output", isFields: false });
  }
  return slots;
}
