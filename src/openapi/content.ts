/** The representations of a body, as a document lists them. */
import { type RequestKind } from "../contract/request.ts";
import { type ResponseKind } from "../contract/response.ts";
import { mediaTypeEssence } from "../wire/media_type.ts";
import { listFields } from "./fields.ts";
import { isList } from "./parameters.ts";
import { type Schemas } from "./schemas.ts";
import { type JsonSchema, type JsonSchemaObject, type OpenApiContent, type OpenApiMediaType } from "./types.ts";

/** What a document says of a representation by its kind. */
export interface Representation {
  /** How the body is represented. */
  readonly kind: RequestKind | ResponseKind;
  /** Its media type; `undefined` where there is none, or none is declared. */
  readonly contentType: string | undefined;
  /** The schema of the value, or of a stream's items. */
  readonly schema: JsonSchemaObject | undefined;
}

/** What the rest of a document contributes to a representation. */
export interface Surroundings {
  /** The version of the OpenAPI Specification. */
  readonly version: "3.1" | "3.2";
  /** The document's schemas. */
  readonly schemas: Schemas;
  /** The schema of a problem document. */
  readonly problem: JsonSchemaObject;
}

/** The representation under its media type; `undefined` for no content. */
export function describeContent(represented: Representation, around: Surroundings): OpenApiContent | undefined {
  if (represented.kind === "empty") return undefined;
  const mediaType = represented.contentType === undefined ? "*/*" : mediaTypeEssence(represented.contentType);
  return { [mediaType]: describeMediaType(represented, around) };
}

function describeMediaType({ kind, schema }: Representation, around: Surroundings): OpenApiMediaType {
  switch (kind) {
    case "empty":
    case "raw":
      return {};
    case "bytes":
    case "stream":
      return { schema: { type: "string", format: "binary" } };
    case "text":
      return { schema: schema ?? { type: "string" } };
    case "problem":
      return { schema: schema ?? around.problem };
    case "form":
      return { schema: schema ?? { type: "object" }, ...describeLists(schema, around.schemas) };
    case "formData":
      return { schema: schema ?? { type: "object" } };
    case "ndjson":
      return describeItems(schema ?? {}, around);
    case "sse":
      return describeItems(eventSchema(schema ?? {}), around);
    case "json":
      return { schema: schema ?? {} };
  }
}

/** How a form writes the fields that are lists: each value as a field of its own. */
function describeLists(schema: JsonSchema | undefined, { components }: Schemas): Pick<OpenApiMediaType, "encoding"> {
  const { named } = listFields(schema, (reference) => components.get(reference.replace("#/components/schemas/", "")));
  const lists = [...named].filter(([, { schema }]) => isList(schema));
  if (lists.length === 0) return {};
  return { encoding: Object.fromEntries(lists.map(([name]) => [name, { style: "form", explode: true } as const])) };
}

/** OpenAPI 3.1 has no word for the schema of an item; what is customary is to put it in the place of the whole. */
function describeItems(item: JsonSchemaObject, { version }: Surroundings): OpenApiMediaType {
  return version === "3.1" ? { schema: item } : { itemSchema: item };
}

/** One event of a stream, as OpenAPI 3.2 describes it: `data` is JSON text. */
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
