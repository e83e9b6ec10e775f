/** How documents describe each representation: one row for each, in each direction. */
import type { RequestBody, RequestKind } from "../../contract/request.ts";
import type { ResponseDeclaration, ResponseKind } from "../../contract/response.ts";
import {
  isSchemaObject,
  type JsonSchema,
  type JsonSchemaObject,
  namedSchemas,
  schemaList,
  textList,
} from "../json_schema/json.ts";
import { stylesOf } from "../../contract/codec.ts";
import { type FieldStyle, type FieldStyles, isPattern, type TextPattern } from "../../wire/field_styles.ts";
import { mediaTypeEssence } from "../../wire/media_type.ts";
import type { OpenApiContent, OpenApiEncoding, OpenApiField, OpenApiMediaType, OpenApiStyle } from "./types.ts";

/** The facts of a document that a description depends on. */
export interface DocumentFacts {
  readonly version: "3.1" | "3.2";
  /** Returns the schema of a problem document and adds it to the components. */
  readonly toProblem: () => JsonSchemaObject;
  readonly schemas: { readonly find: FindSchema };
}

/** Returns the schema that a reference leads to. */
type FindSchema = (reference: string) => JsonSchema | undefined;

/** How OpenAPI names the styles of fields. */
export const openApiStyles: Readonly<
  Record<Exclude<FieldStyle, "json" | TextPattern>, { readonly style: OpenApiStyle; readonly explode: boolean }>
> = {
  comma: { style: "form", explode: false },
  pipe: { style: "pipeDelimited", explode: false },
  space: { style: "spaceDelimited", explode: false },
  deepObject: { style: "deepObject", explode: true },
};

interface Description {
  /**
   * Returns the media type object, with the schema of the value or of a stream's items; `undefined` if there is no
   * content.
   */
  readonly describe: (
    schema: JsonSchemaObject | undefined,
    body: { readonly around: DocumentFacts; readonly styles: FieldStyles; readonly maxBytes: number | undefined },
  ) => OpenApiMediaType | undefined;
  /** Whether JSON Schema cannot describe the structure of the content. */
  readonly isOpaque?: boolean;
  /** The sentence that says, in OpenAPI 3.1, that the schema describes an item. 3.1 lacks a keyword for it. */
  readonly prose?: string;
}

/**
 * For binary content, `maxLength` counts bytes (OpenAPI 3.1.1, "Working with Binary Data"). For text it would count
 * characters.
 */
const binary: Description = {
  describe: (_schema, { maxBytes }) => ({
    schema: { type: "string", format: "binary", ...(maxBytes !== undefined && { maxLength: maxBytes }) },
  }),
  isOpaque: true,
};

export const descriptions: Readonly<Record<RequestKind | ResponseKind, Description>> = {
  json: { describe: (schema) => ({ schema: schema ?? {} }) },
  text: { describe: (schema) => ({ schema: schema ?? { type: "string" } }) },
  bytes: binary,
  form: {
    describe: (schema, { around: { schemas }, styles }) => ({
      schema: schema ?? { type: "object" },
      ...describeEncoding(listFields(schema, schemas.find), styles),
    }),
  },
  formData: {
    describe: (schema, { styles }) => ({ schema: schema ?? { type: "object" }, ...toEncoding(Object.entries(styles)) }),
  },
  empty: { describe: () => undefined, isOpaque: true },
  problem: { describe: (schema, { around }) => ({ schema: schema ?? around.toProblem() }) },
  stream: binary,
  ndjson: {
    describe: (schema, { around }) => describeItems(schema ?? {}, around),
    prose: "A stream: the schema is that of each line.",
  },
  sse: {
    describe: (schema, { around }) => describeItems(eventSchema(schema ?? {}), around),
    prose: "A stream: the schema is that of each event.",
  },
  raw: { describe: () => ({}), isOpaque: true },
  socket: { describe: () => undefined, isOpaque: true },
  as: binary,
};

/** Returns the row of a representation, or of the built-in one whose structure it shares. */
function descriptionOf({ kind, representation: { structure } }: RequestBody | ResponseDeclaration): Description {
  return descriptions[structure ?? kind];
}

export function isOpaque(declared: RequestBody | ResponseDeclaration): boolean {
  return descriptionOf(declared).isOpaque === true;
}

/** Describes a body by its media type, or by each of its media types and ranges; `undefined` if the body is empty. */
export function describeContent(
  declared: RequestBody | ResponseDeclaration,
  schema: JsonSchemaObject | undefined,
  around: DocumentFacts,
): OpenApiContent | undefined {
  const { contentType = "*/*" } = declared;
  const maxBytes = "maxBytes" in declared ? declared.maxBytes : undefined;
  const described = descriptionOf(declared).describe(schema, { around, styles: stylesOf(declared.schema), maxBytes });
  const types = typeof contentType === "string" ? [mediaTypeEssence(contentType)] : contentType;
  return described && Object.fromEntries(types.map((type) => [type, described]));
}

/** Appends a sentence to a description, unless it ends with it, as that of an imported document does. */
export function addSentence(description: string | undefined, sentence: string): string {
  if (description === undefined || description.endsWith(sentence)) return description ?? sentence;
  return `${description.replace(/[^.!?]$/, "$&.")} ${sentence}`;
}

export function proseOf(declared: RequestBody | ResponseDeclaration): string | undefined {
  return descriptionOf(declared).prose;
}

/** Describes how a form encodes its fields: those with a style, and lists, each value of which is a separate field. */
function describeEncoding({ named }: FieldSchemas, styles: FieldStyles): Pick<OpenApiMediaType, "encoding"> {
  const exploded: OpenApiEncoding = { style: "form", explode: true };
  return toEncoding(
    [...named].map(([name, { schema }]) => [name, styles[name] ?? (isList(schema) ? exploded : undefined)] as const),
  );
}

/** Describes the fields that have a style or an encoding. The parts of form data are separate without one. */
function toEncoding(
  fields: readonly (readonly [name: string, style: FieldStyle | OpenApiEncoding | undefined])[],
): Pick<OpenApiMediaType, "encoding"> {
  const encoded = fields.flatMap(([name, style]): [string, OpenApiEncoding][] => {
    if (style === undefined || isPattern(style)) return [];
    if (style === "json") return [[name, { contentType: "application/json" }]];
    return [[name, typeof style === "string" ? openApiStyles[style] : style]];
  });
  return encoded.length === 0 ? {} : { encoding: Object.fromEntries(encoded) };
}

/**
 * Describes the items of a stream. OpenAPI 3.1 lacks a keyword for them, so by convention `schema` describes the item.
 */
function describeItems(item: JsonSchemaObject, { version }: DocumentFacts): OpenApiMediaType {
  return version === "3.1" ? { schema: item } : { itemSchema: item };
}

/** Describes one event of a stream as OpenAPI 3.2 does: `data` is JSON text. */
function eventSchema(data: JsonSchemaObject): JsonSchemaObject {
  return {
    type: "object",
    properties: {
      data: { type: "string", contentMediaType: "application/json", contentSchema: data },
      event: { type: "string" },
      id: { type: "string" },
      retry: { type: "integer", minimum: 0 },
    },
    required: ["data"],
  };
}

export interface FieldSchemas {
  readonly named: ReadonlyMap<string, DescribedField>;
  readonly others: JsonSchemaObject | undefined;
}

interface DescribedField {
  readonly schema: JsonSchema;
  readonly required: boolean;
}

/**
 * Lists the properties of an object's schema, including those of the schemas that it combines. A property of one
 * alternative is optional. A property that several alternatives describe may match any of them.
 */
export function listFields(
  schema: JsonSchema | undefined,
  find: FindSchema,
  seen: readonly unknown[] = [],
): FieldSchemas {
  if (typeof schema !== "object" || seen.includes(schema)) return none;
  const below = (part: JsonSchema | undefined): FieldSchemas => listFields(part, find, [...seen, schema]);
  const { $ref, allOf, anyOf, oneOf } = schema;
  const every = [ownFields(schema), ...schemaList(allOf).map(below)];
  if (typeof $ref === "string") every.push(below(find($ref)));
  for (const alternatives of [schemaList(anyOf), schemaList(oneOf)]) {
    if (alternatives.length > 0) every.push(anyFields(alternatives.map(below)));
  }
  return every.reduce(joinFields);
}

const none: FieldSchemas = { named: new Map(), others: undefined };

function ownFields({ properties, required, additionalProperties }: JsonSchemaObject): FieldSchemas {
  const names = textList(required);
  const named = namedSchemas(properties)
    .map(([name, schema]) => [name, { schema, required: names.includes(name) }] as const);
  return { named: new Map(named), others: isSchemaObject(additionalProperties) ? additionalProperties : undefined };
}

/** Returns the fields of a value that matches both schemas. */
function joinFields(one: FieldSchemas, other: FieldSchemas): FieldSchemas {
  const named = new Map(one.named);
  for (const [name, { schema, required }] of other.named) {
    const before = named.get(name);
    named.set(name, {
      schema: before ? { allOf: [before.schema, schema] } : schema,
      required: required || before?.required === true,
    });
  }
  return { named, others: one.others ?? other.others };
}

/** Returns the fields of a value that matches one of several schemas. */
function anyFields(alternatives: readonly FieldSchemas[]): FieldSchemas {
  const names = new Set(alternatives.flatMap(({ named }) => [...named.keys()]));
  const named = [...names].map((name): [name: string, field: DescribedField] => {
    const found = alternatives.flatMap((each) => each.named.get(name) ?? []);
    const different = [...new Map(found.map(({ schema }) => [JSON.stringify(schema), schema])).values()];
    const [first, ...others] = different;
    const schema = first !== undefined && others.length === 0 ? first : { anyOf: different };
    return [name, { schema, required: found.length === alternatives.length && found.every((each) => each.required) }];
  });
  return {
    named: new Map(named),
    others: alternatives.find(({ others }) => others !== undefined)?.others,
  };
}

/** Returns a field of a document. The description and the deprecation of the schema move to the field itself. */
export function toField(schema: JsonSchema, required: boolean): OpenApiField {
  if (typeof schema !== "object") return { ...(required && { required }), schema };
  const { description, deprecated, ...rest } = schema;
  return {
    ...(typeof description === "string" && { description }),
    ...(required && { required }),
    ...(deprecated === true && { deprecated }),
    schema: rest,
  };
}

export function isList(schema: JsonSchema): boolean {
  if (typeof schema !== "object") return false;
  const { type, anyOf, oneOf } = schema;
  return type === "array" || (Array.isArray(type) && type.includes("array")) ||
    [anyOf, oneOf].some((parts) => Array.isArray(parts) && parts.some(isList));
}
