/** Binary content in one form. Documents and schema libraries describe bytes in several, which mean the same. */
import { acceptsFormat } from "../json_schema/format_language.ts";
import { isSchemaObject, type JsonSchema, type JsonSchemaObject } from "../json_schema/json.ts";
import type { ApiRequestBody, ApiValue } from "./api.ts";

/** Encodings that leave bytes as they are (RFC 2045, section 6.2). */
const identities: readonly unknown[] = ["7bit", "8bit", "binary"];

/** The media types of texts and of structures that schemas describe, and the ranges that contain them. */
const described = /^(?:text|multipart|\*)\/|^application\/(?:\*|x-www-form-urlencoded|javascript)$|json|xml|yaml/;

/** The formats of texts that say the same as an encoding (RFC 4648): `byte` is that of OpenAPI 3.0. */
const encodings: Readonly<Record<string, string>> = { byte: "base64", base64: "base64", base64url: "base64url" };

/**
 * Returns a schema with the encoding of a text instead of the formats that say the same, and without the pattern that
 * accepts every text of the encoding.
 */
export function toEncoding(schema: JsonSchemaObject): JsonSchemaObject {
  const { format, contentEncoding, pattern, ...rest } = schema;
  const named = typeof format === "string" && Object.hasOwn(encodings, format) ? encodings[format] : undefined;
  const isNamed = named !== undefined && (contentEncoding === undefined || contentEncoding === named);
  const encoding = isNamed ? named : contentEncoding;
  if (typeof encoding !== "string" || !Object.values(encodings).includes(encoding)) return schema;
  const isImplied = typeof pattern === "string" && acceptsFormat(pattern, encoding);
  return {
    ...rest,
    ...(format !== undefined && !isNamed && { format }),
    ...(pattern !== undefined && !isImplied && { pattern }),
    contentEncoding: encoding,
  };
}

export function toBinaryFormat({ contentEncoding, ...schema }: JsonSchemaObject): JsonSchemaObject {
  const { format, contentMediaType, contentSchema, ...others } = schema;
  const { type } = schema;
  if (contentEncoding !== undefined && !identities.includes(contentEncoding)) return { ...schema, contentEncoding };
  const isMedia = typeof contentMediaType === "string" && contentSchema === undefined &&
    !described.test(contentMediaType.toLowerCase());
  if (format !== undefined || (contentEncoding !== "binary" && !isMedia)) return schema;
  if (type !== undefined && type !== "string") return schema;
  const isAnyMedia = contentMediaType === undefined || contentMediaType === "application/octet-stream";
  return { ...(isAnyMedia ? others : schema), type: "string", format: "binary" };
}

/** Returns the values of a body, which are bytes if its media type is neither text nor a structure, and else are not. */
export function toBinaryBody(mediaType: string, value: ApiValue): ApiValue {
  const { schema } = value;
  if (value.problem !== undefined) return value;
  if (mediaType.startsWith("text/") && isBinary(schema)) {
    const { format: _, ...text } = schema;
    return { ...value, schema: text };
  }
  const isRaw = mediaType.startsWith("multipart/") && isSchemaObject(schema) && schema.type === "string";
  if (described.test(mediaType) && !isRaw) return value;
  if (schema === true) return { ...value, schema: { type: "string", format: "binary" } };
  if (!isSchemaObject(schema)) return value;
  const { type, format, $defs: _, ...rest } = schema;
  const isAny = type === undefined && Object.keys(rest).every((keyword) => annotations.includes(keyword));
  const isText = type === "string" && format === undefined && schema.pattern === undefined;
  return isAny || (isText && !("enum" in schema || "const" in schema))
    ? { ...value, schema: { ...schema, type: "string", format: "binary" } }
    : value;
}

const annotations: readonly string[] = ["title", "description", "example", "examples", "default", "deprecated"];

/**
 * Takes the limit of a binary body out of its schemas, if all have the same: `maxLength` counts bytes there (OpenAPI
 * 3.1.1, "Working with Binary Data").
 */
export function takeLimit(contents: ApiRequestBody["contents"]): Pick<ApiRequestBody, "contents" | "maxBytes"> {
  const limits = new Set([...contents.values()].map(({ schema }) => isBinary(schema) ? schema.maxLength : undefined));
  const [maxBytes, ...others] = limits;
  if (typeof maxBytes !== "number" || others.length > 0) return { contents, maxBytes: undefined };
  const unlimited = [...contents].map(([type, value]): [string, ApiValue] => {
    const { maxLength: _, ...schema } = value.schema as JsonSchemaObject; // a schema with a limit is an object
    return [type, { ...value, schema }];
  });
  return { contents: new Map(unlimited), maxBytes };
}

function isBinary(schema: JsonSchema): schema is JsonSchemaObject {
  return isSchemaObject(schema) && schema.format === "binary";
}
