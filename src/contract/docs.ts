/** What declarations say about routes: prose for documents, and deprecations. */

/** Members whose names begin with `x-`, of any JSON value (OpenAPI 3.1.1, "Specification Extensions"). */
export interface Extensions {
  /** Any JSON value. */
  readonly [name: `x-${string}`]: unknown;
}

/**
 * Prose for the OpenAPI document. The server and the client ignore it. `openApiDocument()` throws for names that do not
 * exist. Every route below inherits `tags` and `audience`, unless it has its own.
 */
export interface Docs extends Extensions {
  /** A short summary, one line. */
  readonly summary?: string;
  /** A description, in CommonMark. */
  readonly description?: string;
  /** The tags of the operation. */
  readonly tags?: readonly string[];
  /** A unique name of the operation. Default: the route's dotted key. */
  readonly operationId?: string;
  /** Who may read about the operation: documents list it only for readers of this name. Default: everyone. */
  readonly audience?: string;
  /** A link to further documentation. */
  readonly externalDocs?: ExternalDocs;
  /** Servers that have this operation instead of those of the document. */
  readonly servers?: readonly ServerDocs[];
  /** Callbacks as OpenAPI describes them, by name. */
  readonly callbacks?: object;
  /** Prose for path parameters, by name. */
  readonly params?: Readonly<Record<string, FieldDocs>>;
  /** Prose for query parameters, by name. */
  readonly query?: Readonly<Record<string, FieldDocs>>;
  /** Prose for headers of the request, by name. */
  readonly headers?: Readonly<Record<string, FieldDocs>>;
  /** Prose for the request body. */
  readonly body?: ContentDocs;
  /** Prose for responses, by status, or by range: `"4XX"`, `"default"`. */
  readonly responses?: Readonly<Record<string, ResponseDocs>>;
}

/** A link to further documentation. */
export interface ExternalDocs extends Extensions {
  /** The URL of a page. */
  readonly url: string;
  /** What it contains, in CommonMark. */
  readonly description?: string;
}

/** A server of an operation. */
export interface ServerDocs extends Extensions {
  /** The URL that paths are appended to. */
  readonly url: string;
  /** What this server is for. */
  readonly description?: string;
  /** The values of the `{names}` in the URL. */
  readonly variables?: Readonly<
    Record<string, { readonly default: string; readonly enum?: readonly string[]; readonly description?: string }>
  >;
}

/** Prose for a body, and with more members for parameters, headers and responses. */
export interface ContentDocs extends Extensions {
  /** A description, in CommonMark. */
  readonly description?: string;
  /** A typical value. */
  readonly example?: unknown;
  /** Typical values as OpenAPI describes them, by name. */
  readonly examples?: Readonly<Record<string, object>>;
  /** Annotations of its schema, as the option `notes` of `openApiDocument()` has them. */
  readonly schema?: SchemaNotes;
}

/** Prose for a parameter or a header. */
export interface FieldDocs extends ContentDocs {
  /** Whether callers should stop using it. */
  readonly deprecated?: boolean;
}

/** Prose for a response. */
export interface ResponseDocs extends ContentDocs {
  /** Prose for header fields, by name. */
  readonly headers?: Readonly<Record<string, FieldDocs>>;
  /** Links to operations as OpenAPI describes them, by name. */
  readonly links?: object;
}

/**
 * Annotations of a schema, and of those inside it. They say nothing about which values are valid: a `default`, for
 * example, is only described, and the contract must apply it.
 */
export interface SchemaNotes extends Extensions {
  /** A short title. */
  readonly title?: string;
  /** A description, in CommonMark. */
  readonly description?: string;
  /** The value of a part that is missing. */
  readonly default?: unknown;
  /** Typical values. */
  readonly examples?: readonly unknown[];
  /** A typical value, as documents of OpenAPI 3.0 have it. */
  readonly example?: unknown;
  /** Whether callers should stop using it. */
  readonly deprecated?: boolean;
  /** Whether only responses have it. */
  readonly readOnly?: boolean;
  /** Whether only requests have it. */
  readonly writeOnly?: boolean;
  /** What the text or the number means, for schemas without a format. */
  readonly format?: string;
  /** A link to further documentation. */
  readonly externalDocs?: ExternalDocs;
  /** How XML represents it. */
  readonly xml?: object;
  /** Which property selects a schema of a union. */
  readonly discriminator?: object;
  /** Annotations of properties, by name. */
  readonly properties?: Readonly<Record<string, SchemaNotes>>;
  /** Annotations of properties whose names match a pattern, by pattern. */
  readonly patternProperties?: Readonly<Record<string, SchemaNotes>>;
  /** Annotations of the items of a list. */
  readonly items?: SchemaNotes;
  /** Annotations of the first items of a list, in order. */
  readonly prefixItems?: readonly SchemaNotes[];
  /** Annotations of all other properties. */
  readonly additionalProperties?: SchemaNotes;
  /**
   * Annotations of the schemas of a union, in order and without null. Other annotations of a nullable schema, such as
   * those of its properties, need no `anyOf`.
   */
  readonly anyOf?: readonly SchemaNotes[];
  /** Annotations of the schemas of a union, as those of `anyOf`. */
  readonly oneOf?: readonly SchemaNotes[];
  /** Annotations of schemas that apply together, in order. */
  readonly allOf?: readonly SchemaNotes[];
}

/** When a route is deprecated, when it stops working, and where callers can read more. */
export interface Deprecation {
  /**
   * The date from which the route is deprecated, which may be in the future: `YYYY-MM-DD` or a UTC time, such as
   * `2026-06-01T12:00:00Z`. Sent as the `deprecation` header (RFC 9745).
   */
  readonly since: string;
  /**
   * The date on which the route is expected to stop working, not before `since`, in the same format. Sent as the
   * `sunset` header (RFC 8594). Default: none.
   */
  readonly sunset?: string;
  /**
   * The URL of a page with more information, such as the replacement. It may be relative to the URL of the request.
   * Sent as a `link` header with `rel="deprecation"`. Default: none.
   */
  readonly link?: string;
}

/**
 * A deprecation. `true` marks the operation as deprecated in the OpenAPI document. A {@linkcode Deprecation} also adds
 * headers to responses. `false` ends an inherited deprecation.
 */
export type Deprecated = boolean | Deprecation;
