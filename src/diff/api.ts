/** An API as it is compared: what contracts and OpenAPI documents have in common. */
import { type Schema } from "../schema.ts";
import { type JsonSchema } from "../json_schema/json_schema.ts";

/** An API. */
export interface Api {
  /** Its routes. */
  readonly routes: readonly ApiRoute[];
}

/** A route of an API. */
export interface ApiRoute {
  /** What it is called: a dotted key, an operation's id, or method and path. */
  readonly key: string;
  /** The method in upper case. */
  readonly method: string;
  /** The path, with the parameters in braces. */
  readonly path: string;
  /** The path parameters, as an object. */
  readonly params: ApiValue;
  /** The query, as an object; `undefined` where none is declared. */
  readonly query: ApiValue | undefined;
  /** The request's headers, as an object; `undefined` where none are declared. */
  readonly headers: ApiValue | undefined;
  /** The request's body; `undefined` where there is none. */
  readonly body: ApiRequestBody | undefined;
  /** The responses, by status; documents also have `4XX` and `default`. */
  readonly responses: ReadonlyMap<string, ApiResponse>;
  /** What lets callers in: any one of these. A requirement of nothing lets everyone in. */
  readonly security: readonly ApiRequirement[];
}

/** Values of one slot. */
export interface ApiValue {
  /** What they are on the wire. */
  readonly schema: JsonSchema;
  /** Why the schema is not known. */
  readonly problem?: string | undefined;
  /** What validates them, where the contract itself is there. */
  readonly live?: Schema | undefined;
}

/** A body of any kind. */
export interface ApiBody {
  /** Its values, by media type or range; none for a body that is empty. */
  readonly contents: ReadonlyMap<string, ApiValue>;
  /** The name of its representation, where it is known. */
  readonly representation: string | undefined;
}

/** The body of a request. */
export interface ApiRequestBody extends ApiBody {
  /** Whether it may be absent. */
  readonly isOptional: boolean;
  /** The most bytes that it may have; `undefined` where the contract does not say it. */
  readonly maxBytes: number | undefined;
}

/** A response. */
export interface ApiResponse extends ApiBody {
  /** Its headers, as an object; `undefined` where none are declared. */
  readonly headers: ApiValue | undefined;
}

/** Schemes that a caller must satisfy at once, by name. */
export type ApiRequirement = ReadonlyMap<string, ApiScheme>;

/** A scheme in a requirement. */
export interface ApiScheme {
  /** How a credential is transmitted, as text that is equal for equal schemes. */
  readonly transport: string;
  /** The scopes that a caller must have. */
  readonly scopes: readonly string[];
}
