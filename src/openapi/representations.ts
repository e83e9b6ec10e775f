/** What a document says of each representation. */
import { type RequestBody, type RequestKind } from "../contract/request.ts";
import { type ResponseDeclaration, type ResponseKind } from "../contract/response.ts";
import { type JsonSchema, type JsonSchemaObject } from "../json_schema/json_schema.ts";
import { isList, listFields } from "./fields.ts";
import { type OpenApiMediaType } from "./types.ts";

/** What a document contributes to a description. */
export interface DocumentFacts {
  /** The version of the OpenAPI Specification. */
  readonly version: "3.1" | "3.2";
  /** Gives the schema of a problem document. */
  readonly toProblem: () => JsonSchemaObject;
  /** What schemas refer to, by name. */
  readonly components: ReadonlyMap<string, JsonSchema>;
}

/** What a document says of one representation. */
interface Description {
  /** The media type object, with the schema of the value or of a stream's items; `undefined` for no content. */
  readonly describe: (
    schema: JsonSchemaObject | undefined,
    document: DocumentFacts,
    maxBytes: number | undefined,
  ) => OpenApiMediaType | undefined;
  /** Whether its content has no structure that JSON Schema describes. */
  readonly isOpaque?: boolean;
  /** How a document of OpenAPI 3.1 says that the schema is of an item: only its prose can. */
  readonly prose?: string;
}

/** `maxLength` of binary content counts bytes (OpenAPI 3.1.1, "Working with Binary Data"); of text it would count characters. */
const binary: Description = {
  describe: (_schema, _document, maxBytes) => ({
    schema: { type: "string", format: "binary", ...(maxBytes !== undefined && { maxLength: maxBytes }) },
  }),
  isOpaque: true,
};

/** One row for each representation. */
export const descriptions: Readonly<Record<RequestKind | ResponseKind, Description>> = {
  json: { describe: (schema) => ({ schema: schema ?? {} }) },
  text: { describe: (schema) => ({ schema: schema ?? { type: "string" } }) },
  bytes: binary,
  form: {
    describe: (schema, { components }) => ({
      schema: schema ?? { type: "object" },
      ...describeLists(schema, components),
    }),
  },
  formData: { describe: (schema) => ({ schema: schema ?? { type: "object" } }) },
  empty: { describe: () => undefined, isOpaque: true },
  problem: { describe: (schema, { toProblem }) => ({ schema: schema ?? toProblem() }) },
  stream: binary,
  ndjson: {
    describe: (schema, document) => describeItems(schema ?? {}, document),
    prose: "A stream: the schema is that of each line.",
  },
  sse: {
    describe: (schema, document) => describeItems(eventSchema(schema ?? {}), document),
    prose: "A stream: the schema is that of each event.",
  },
  raw: { describe: () => ({}), isOpaque: true },
  as: binary,
};

/** The row of a representation, or of the one whose structure it has. */
function descriptionOf({ kind, representation: { structure } }: RequestBody | ResponseDeclaration): Description {
  return descriptions[structure ?? kind];
}

/** Whether the content of a representation has no structure that JSON Schema describes. */
export function isOpaque(declared: RequestBody | ResponseDeclaration): boolean {
  return descriptionOf(declared).isOpaque === true;
}

/** The media type object of a body; `undefined` for no content. */
export function describeMediaType(
  declared: RequestBody | ResponseDeclaration,
  schema: JsonSchemaObject | undefined,
  document: DocumentFacts,
): OpenApiMediaType | undefined {
  return descriptionOf(declared).describe(schema, document, "maxBytes" in declared ? declared.maxBytes : undefined);
}

/** A description with a sentence after it. */
export function addSentence(description: string | undefined, sentence: string): string {
  return description === undefined ? sentence : `${description.replace(/[^.!?]$/, "$&.")} ${sentence}`;
}

/** The sentence by which a document of OpenAPI 3.1 says that a schema is of an item. */
export function proseOf(declared: ResponseDeclaration): string | undefined {
  return descriptionOf(declared).prose;
}

/** How a form writes the fields that are lists: each value as a field of its own. */
function describeLists(
  schema: JsonSchema | undefined,
  components: ReadonlyMap<string, JsonSchema>,
): Pick<OpenApiMediaType, "encoding"> {
  const { named } = listFields(schema, (reference) => components.get(reference.replace("#/components/schemas/", "")));
  const lists = [...named].filter(([, { schema }]) => isList(schema));
  if (lists.length === 0) return {};
  return { encoding: Object.fromEntries(lists.map(([name]) => [name, { style: "form", explode: true } as const])) };
}

/** OpenAPI 3.1 has no word for the schema of an item; what is customary is to put it in the place of the whole. */
function describeItems(item: JsonSchemaObject, { version }: DocumentFacts): OpenApiMediaType {
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
