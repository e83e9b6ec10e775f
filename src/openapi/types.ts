/** The part of the OpenAPI Specification that documents here are made of. Everything is plain, frozen, JSON-serialisable data. */
import { type JsonSchema } from "../json_schema/json_schema.ts";

/** An OpenAPI document; made by `openApiDocument`. */
export interface OpenApiDocument {
  /** The version of the OpenAPI Specification. */
  readonly openapi: "3.1.0" | "3.2.0";
  /** What the API is. */
  readonly info: OpenApiInfo;
  /** Where it is served. */
  readonly servers?: readonly OpenApiServer[];
  /** What is said of the groups of operations. */
  readonly tags?: readonly OpenApiTag[];
  /** The operations, by path and method. */
  readonly paths: Readonly<Record<string, OpenApiPathItem>>;
  /** What the operations refer to. */
  readonly components?: OpenApiComponents;
}

/** What an API is. */
export interface OpenApiInfo {
  /** Its name. */
  readonly title: string;
  /** The version of the API; not of the OpenAPI Specification. */
  readonly version: string;
  /** One line of what it is. */
  readonly summary?: string;
  /** More than a line, in CommonMark. */
  readonly description?: string;
  /** A URL of the terms of service. */
  readonly termsOfService?: string;
  /** Whom to ask. */
  readonly contact?: OpenApiContact;
  /** The licence of the API. */
  readonly license?: OpenApiLicense;
}

/** Whom to ask about an API. */
export interface OpenApiContact {
  /** A person or an organisation. */
  readonly name?: string;
  /** A page to turn to. */
  readonly url?: string;
  /** A mail address. */
  readonly email?: string;
}

/** The licence of an API. */
export interface OpenApiLicense {
  /** Its name. */
  readonly name: string;
  /** Its SPDX expression; not together with `url`. */
  readonly identifier?: string;
  /** A URL of its text. */
  readonly url?: string;
}

/** Where an API is served. */
export interface OpenApiServer {
  /** A URL that paths are appended to: absolute, or relative to the document's own. */
  readonly url: string;
  /** What this server is for. */
  readonly description?: string;
  /** What stands for the `{names}` in the URL. */
  readonly variables?: Readonly<Record<string, OpenApiServerVariable>>;
}

/** What stands for a `{name}` in the URL of a server. */
export interface OpenApiServerVariable {
  /** The value where none is chosen. */
  readonly default: string;
  /** The values there are. */
  readonly enum?: readonly string[];
  /** What it means. */
  readonly description?: string;
}

/** What is said of a group of operations. */
export interface OpenApiTag {
  /** Its name, as the operations have it in their `tags`. */
  readonly name: string;
  /** What the group is, in CommonMark. */
  readonly description?: string;
  /** Where more is to be read. */
  readonly externalDocs?: { readonly url: string; readonly description?: string };
}

/** Scopes by the name of a security scheme: all of them are to be met. */
export type OpenApiSecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** How callers show who they are. */
export type OpenApiSecurityScheme =
  | (OpenApiSchemeBase & { readonly type: "http"; readonly scheme: string; readonly bearerFormat?: string })
  | (OpenApiSchemeBase & { readonly type: "apiKey"; readonly name: string; readonly in: "query" | "header" | "cookie" })
  | (OpenApiSchemeBase & { readonly type: "oauth2"; readonly flows: Readonly<Record<string, OpenApiFlow>> })
  | (OpenApiSchemeBase & { readonly type: "openIdConnect"; readonly openIdConnectUrl: string })
  | (OpenApiSchemeBase & { readonly type: "mutualTLS" });

/** What every security scheme may say. */
export interface OpenApiSchemeBase {
  /** What the scheme is, in CommonMark. */
  readonly description?: string;
}

/** One flow of OAuth 2. */
export interface OpenApiFlow {
  /** Where the user consents. */
  readonly authorizationUrl?: string;
  /** Where the token is got. */
  readonly tokenUrl?: string;
  /** Where the token is renewed. */
  readonly refreshUrl?: string;
  /** What each scope allows. */
  readonly scopes: Readonly<Record<string, string>>;
}

/** What the operations refer to. */
export interface OpenApiComponents {
  /** Schemas by name. */
  readonly schemas?: Readonly<Record<string, JsonSchema>>;
  /** Security schemes by name. */
  readonly securitySchemes?: Readonly<Record<string, OpenApiSecurityScheme>>;
}

/** The methods that a path item has operations of; `query` in OpenAPI 3.2 alone. */
export type OpenApiMethod = "get" | "head" | "post" | "put" | "patch" | "delete" | "options" | "query";

/** The operations of one path, by method. */
export type OpenApiPathItem = { readonly [Method in OpenApiMethod]?: OpenApiOperation };

/** One route. */
export interface OpenApiOperation {
  /** A unique name: the route's dotted key, unless its docs say otherwise. */
  readonly operationId: string;
  /** The groups it is listed in. */
  readonly tags: readonly string[];
  /** One line of what it does. */
  readonly summary?: string;
  /** More than a line, in CommonMark. */
  readonly description?: string;
  /** Whether new callers should avoid it. */
  readonly deprecated?: boolean;
  /** Security requirements, one of them to be met. */
  readonly security?: readonly OpenApiSecurityRequirement[];
  /** Path, query and header parameters. */
  readonly parameters?: readonly OpenApiParameter[];
  /** The request's body. */
  readonly requestBody?: OpenApiRequestBody;
  /** The responses by status. */
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
}

/** A path, query or header parameter. */
export interface OpenApiParameter extends OpenApiField {
  /** Its name. */
  readonly name: string;
  /** Where it stands. */
  readonly in: "path" | "query" | "header";
  /** How a list or an object is written. */
  readonly style?: "form";
  /** Whether each value of a list, or member of an object, is a parameter of its own. */
  readonly explode?: boolean;
}

/** A field of text: a header of a response, or the common part of parameters. */
export interface OpenApiField {
  /** What it is, in CommonMark. */
  readonly description?: string;
  /** Whether it is always there. */
  readonly required?: boolean;
  /** Whether it should be avoided. */
  readonly deprecated?: boolean;
  /** The schema of its value. */
  readonly schema: JsonSchema;
}

/** The body of a request. */
export interface OpenApiRequestBody {
  /** What it is, in CommonMark. */
  readonly description?: string;
  /** Whether a request must have it. */
  readonly required: boolean;
  /** Its representations by media type. */
  readonly content: OpenApiContent;
}

/** Representations by media type. */
export type OpenApiContent = Readonly<Record<string, OpenApiMediaType>>;

/** One representation. */
export interface OpenApiMediaType {
  /** The schema of the content; in OpenAPI 3.1, of a stream's item. */
  readonly schema?: JsonSchema;
  /** The schema of a stream's item, in OpenAPI 3.2. */
  readonly itemSchema?: JsonSchema;
  /** What such content looks like. */
  readonly example?: unknown;
  /** How the fields of a form are written. */
  readonly encoding?: Readonly<Record<string, OpenApiEncoding>>;
}

/** How a field of a form is written. */
export interface OpenApiEncoding {
  /** How a list is written. */
  readonly style: "form";
  /** Whether each value of a list is a field of its own. */
  readonly explode: boolean;
}

/** One response. */
export interface OpenApiResponse {
  /** What it is, in CommonMark. */
  readonly description: string;
  /** Its header fields. */
  readonly headers?: Readonly<Record<string, OpenApiField>>;
  /** Its representations by media type. */
  readonly content?: OpenApiContent;
}
