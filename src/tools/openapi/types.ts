/**
 * The part of the OpenAPI Specification that generated documents use. All of it is plain, frozen, JSON-serializable
 * data.
 */
import type { JsonSchema } from "../json_schema/json.ts";
import type { Extensions, ExternalDocs } from "../../contract/docs.ts";

/** An OpenAPI document, as `openApiDocument` returns it. */
export interface OpenApiDocument extends Extensions {
  /** The version of the OpenAPI Specification. */
  readonly openapi: "3.1.0" | "3.2.0";
  /** The description of the API. */
  readonly info: OpenApiInfo;
  /** The servers of the API. */
  readonly servers?: readonly OpenApiServer[];
  /** Descriptions of the tags, which group the operations. */
  readonly tags?: readonly OpenApiTag[];
  /** A link to further documentation. */
  readonly externalDocs?: ExternalDocs;
  /** The operations, by path and method. */
  readonly paths: Readonly<Record<string, OpenApiPathItem>>;
  /** The schemas and security schemes that the operations refer to. */
  readonly components?: OpenApiComponents;
  /** Requests that the API sends, by name. */
  readonly webhooks?: Readonly<Record<string, object>>;
}

/** The description of an API. */
export interface OpenApiInfo extends Extensions {
  /** The title of the API. */
  readonly title: string;
  /** The version of the API, not of the OpenAPI Specification. */
  readonly version: string;
  /** A summary in one line. */
  readonly summary?: string;
  /** A longer description, in CommonMark. */
  readonly description?: string;
  /** The URL of the terms of service. */
  readonly termsOfService?: string;
  /** The contact for questions. */
  readonly contact?: OpenApiContact;
  /** The license of the API. */
  readonly license?: OpenApiLicense;
}

/** The contact for questions about an API. */
export interface OpenApiContact extends Extensions {
  /** The name of a person or an organization. */
  readonly name?: string;
  /** The URL of a page. */
  readonly url?: string;
  /** The email address to write to. */
  readonly email?: string;
}

/** The license of an API. */
export interface OpenApiLicense extends Extensions {
  /** The name of the license. */
  readonly name: string;
  /** The SPDX expression of the license. Not allowed together with `url`. */
  readonly identifier?: string;
  /** The URL of its text. */
  readonly url?: string;
}

/** A server of an API. */
export interface OpenApiServer extends Extensions {
  /** The URL that paths are appended to: absolute, or relative to the document. */
  readonly url: string;
  /** What this server is for. */
  readonly description?: string;
  /** The values of the `{names}` in the URL. */
  readonly variables?: Readonly<Record<string, OpenApiServerVariable>>;
}

/** The values of a `{name}` in the URL of a server. */
export interface OpenApiServerVariable extends Extensions {
  /** The value that is used if a client sets none. */
  readonly default: string;
  /** All allowed values. */
  readonly enum?: readonly string[];
  /** What it means. */
  readonly description?: string;
}

/** The description of a tag, which groups operations. */
export interface OpenApiTag extends Extensions {
  /** The name, as operations list it in their `tags`. */
  readonly name: string;
  /** What the group contains, in CommonMark. */
  readonly description?: string;
  /** A link to further documentation. */
  readonly externalDocs?: ExternalDocs;
}

/** Scopes by security scheme name. A caller must satisfy all of them. */
export type OpenApiSecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** A security scheme: how callers authenticate. */
export type OpenApiSecurityScheme =
  | (OpenApiSchemeBase & { readonly type: "http"; readonly scheme: string; readonly bearerFormat?: string })
  | (OpenApiSchemeBase & { readonly type: "apiKey"; readonly name: string; readonly in: "query" | "header" | "cookie" })
  | (OpenApiSchemeBase & { readonly type: "oauth2"; readonly flows: Readonly<Record<string, OpenApiFlow>> })
  | (OpenApiSchemeBase & { readonly type: "openIdConnect"; readonly openIdConnectUrl: string })
  | (OpenApiSchemeBase & { readonly type: "mutualTLS" });

/** The members that all security schemes share. */
export interface OpenApiSchemeBase extends Extensions {
  /** A description, in CommonMark. */
  readonly description?: string;
}

/** One OAuth 2.0 flow. */
export interface OpenApiFlow extends Extensions {
  /** The URL where the user gives consent. */
  readonly authorizationUrl?: string;
  /** The URL that issues tokens. */
  readonly tokenUrl?: string;
  /** The URL that renews tokens. */
  readonly refreshUrl?: string;
  /** What each scope allows. */
  readonly scopes: Readonly<Record<string, string>>;
}

/** The schemas, responses and security schemes that operations refer to. */
export interface OpenApiComponents {
  /** Schemas by name. */
  readonly schemas?: Readonly<Record<string, JsonSchema>>;
  /** The responses that the server sends without a handler, by the code of their problem: `InvalidRequest`. */
  readonly responses?: Readonly<Record<string, OpenApiResponse>>;
  /** Security schemes by name. */
  readonly securitySchemes?: Readonly<Record<string, OpenApiSecurityScheme>>;
}

/** The methods of a path item. `query` exists only in OpenAPI 3.2. */
export type OpenApiMethod = "get" | "head" | "post" | "put" | "patch" | "delete" | "options" | "query";

/** The operations of one path, by method. */
export type OpenApiPathItem = { readonly [Method in OpenApiMethod]?: OpenApiOperation };

/** The operation of one route. */
export interface OpenApiOperation extends Extensions {
  /** A unique name: the route's dotted key, unless its docs set another, or only declared ones are written. */
  readonly operationId?: string;
  /** The tags of the operation. */
  readonly tags: readonly string[];
  /** A summary in one line. */
  readonly summary?: string;
  /** A longer description, in CommonMark. */
  readonly description?: string;
  /** Whether new callers should avoid it. */
  readonly deprecated?: boolean;
  /** A link to further documentation. */
  readonly externalDocs?: ExternalDocs;
  /** Servers that have this operation instead of those of the document. */
  readonly servers?: readonly OpenApiServer[];
  /** Requests that the API sends because of this operation, by name. */
  readonly callbacks?: object;
  /** The security requirements. A caller must satisfy one of them. */
  readonly security?: readonly OpenApiSecurityRequirement[];
  /** Path, query and header parameters. */
  readonly parameters?: readonly OpenApiParameter[];
  /** The content that the operation reads. Without it, requests have no body. */
  readonly requestBody?: OpenApiRequestBody;
  /** The responses by status. Those that the server sends without a handler are references to components. */
  readonly responses: Readonly<Record<string, OpenApiResponse | OpenApiReference>>;
}

/** A reference to a response in `components.responses`. */
export interface OpenApiReference {
  /** The place of the response: `#/components/responses/InvalidRequest`. */
  readonly $ref: string;
  /** A reference has no members of a response. */
  readonly description?: undefined;
  /** A reference has no members of a response. */
  readonly headers?: undefined;
  /** A reference has no members of a response. */
  readonly content?: undefined;
}

/** A path, query or header parameter. */
export interface OpenApiParameter extends OpenApiField {
  /** The name of the parameter. */
  readonly name: string;
  /** The part of the request that contains it. */
  readonly in: "path" | "query" | "header";
  /** How a list or an object is serialized. */
  readonly style?: OpenApiStyle;
  /** Whether each item of a list, or each member of an object, becomes a separate parameter. */
  readonly explode?: boolean;
}

/** A text field: a header of a response, or the common part of parameters. */
export interface OpenApiField extends Extensions {
  /** A description, in CommonMark. */
  readonly description?: string;
  /** Whether the field is required. */
  readonly required?: boolean;
  /** Whether the field is deprecated. */
  readonly deprecated?: boolean;
  /** The schema of its value. Absent if the value is JSON. */
  readonly schema?: JsonSchema;
  /** The schema of its value as JSON. */
  readonly content?: { readonly "application/json": OpenApiMediaType };
  /** A typical value. */
  readonly example?: unknown;
  /** Typical values, by name. */
  readonly examples?: Readonly<Record<string, object>>;
}

/**
 * How a list or an object is serialized (OpenAPI 3.1.1, "Style Values").
 *
 * @internal
 */
export type OpenApiStyle = "form" | "pipeDelimited" | "spaceDelimited" | "deepObject";

/** The content types of a request, and whether requests must have a body. */
export interface OpenApiRequestBody extends Extensions {
  /** A description, in CommonMark. */
  readonly description?: string;
  /** Whether the body is required. */
  readonly required: boolean;
  /** Its representations by media type. */
  readonly content: OpenApiContent;
}

/** Representations by media type. */
export type OpenApiContent = Readonly<Record<string, OpenApiMediaType>>;

/** One representation. */
export interface OpenApiMediaType extends Extensions {
  /** The schema of the content. For a stream in OpenAPI 3.1, the schema of an item. */
  readonly schema?: JsonSchema;
  /** The schema of a stream's item, in OpenAPI 3.2. */
  readonly itemSchema?: JsonSchema;
  /** An example of the content. */
  readonly example?: unknown;
  /** Examples of the content, by name. */
  readonly examples?: Readonly<Record<string, object>>;
  /** How the fields of a form are serialized. */
  readonly encoding?: Readonly<Record<string, OpenApiEncoding>>;
}

/** How a field of a form is serialized. */
export interface OpenApiEncoding {
  /** How a list or an object is serialized. */
  readonly style?: OpenApiStyle;
  /** Whether each item of a list, or each member of an object, becomes a separate field. */
  readonly explode?: boolean;
  /** The media type of a field that is JSON. */
  readonly contentType?: "application/json";
}

/** The connections of an operation, as documents of this package describe them. */
export interface OpenApiSocket {
  /** The messages that clients send. */
  readonly fromClient: OpenApiMessages;
  /** The messages that the server sends. */
  readonly fromServer: OpenApiMessages;
  /** What the application's close codes mean, by code. */
  readonly closes?: Readonly<Record<string, string>>;
  /** The subprotocols. Default: `["json"]`. */
  readonly protocols?: readonly string[];
  /** The most bytes of a client's message. */
  readonly maxMessageBytes?: number;
}

/** The messages of one direction of a connection. */
export interface OpenApiMessages {
  /** The form of a message, by its media type. */
  readonly content: OpenApiContent;
}

/** What an operation sends with one status: its headers and content types. */
export interface OpenApiResponse extends Extensions {
  /** The messages of a WebSocket, if the status is 101. */
  readonly "x-websocket"?: OpenApiSocket;
  /** A description, in CommonMark. */
  readonly description: string;
  /** Its header fields. */
  readonly headers?: Readonly<Record<string, OpenApiField>>;
  /** Its representations by media type. */
  readonly content?: OpenApiContent;
  /** Operations that follow, by name. */
  readonly links?: object;
  /** A response is not a reference. */
  readonly $ref?: undefined;
}
