import { type RequestBody } from "../contract/request.ts";
import { type ResponseDeclaration } from "../contract/response.ts";
import { type JsonSchemaObject } from "../json_schema/json_schema.ts";
import { mediaTypeEssence } from "../wire/media_type.ts";
import { describeMediaType } from "./representations.ts";
import { type Schemas } from "./schemas.ts";
import { type OpenApiContent } from "./types.ts";

/** What the rest of a document contributes to the description of a body. */
export interface Surroundings {
  /** The version of the OpenAPI Specification. */
  readonly version: "3.1" | "3.2";
  /** The document's schemas. */
  readonly schemas: Schemas;
  /** Gives the schema of a problem document, which is a component from then on. */
  readonly toProblem: () => JsonSchemaObject;
  /** Whether the server's own answers are listed. */
  readonly hasRefusals: boolean;
}

/** A body under its media type, or under each of its media types and ranges; `undefined` for no content. */
export function describeContent(
  declared: RequestBody | ResponseDeclaration,
  schema: JsonSchemaObject | undefined,
  { version, toProblem, schemas: { components } }: Surroundings,
): OpenApiContent | undefined {
  const { contentType = "*/*" } = declared;
  const described = describeMediaType(declared, schema, { version, toProblem, components });
  const types = typeof contentType === "string" ? [mediaTypeEssence(contentType)] : contentType;
  return described && Object.fromEntries(types.map((type) => [type, described]));
}
