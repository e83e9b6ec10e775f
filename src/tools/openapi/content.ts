import type { RequestBody } from "../../contract/request.ts";
import type { ResponseDeclaration } from "../../contract/response.ts";
import type { JsonSchemaObject } from "../json_schema/json.ts";
import { mediaTypeEssence } from "../../wire/media_type.ts";
import { describeMediaType } from "./representations.ts";
import type { EmbeddedSchemas } from "./components.ts";
import type { RouteDocs } from "./options.ts";
import type { OpenApiContent, OpenApiResponse } from "./types.ts";

/** The parts of a document that the description of a body depends on. */
export interface Surroundings {
  /** The version of the OpenAPI Specification. */
  readonly version: "3.1" | "3.2";
  /** The schemas of the document. */
  readonly schemas: EmbeddedSchemas;
  /** Returns the schema of a problem document and adds it to the components. */
  readonly toProblem: () => JsonSchemaObject;
  /** Whether the responses that the server sends without a handler are listed. */
  readonly hasRefusals: boolean;
  /** The prose of the routes. */
  readonly docs: RouteDocs;
  /** The responses that routes refer to, by name. The map grows while routes are described. */
  readonly responses: Map<string, OpenApiResponse>;
}

/** Describes a body by its media type, or by each of its media types and ranges; `undefined` if the body is empty. */
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
