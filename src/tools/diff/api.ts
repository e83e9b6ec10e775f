/** An API in the form that is compared: the common parts of contracts and OpenAPI documents. */
import type { Schema } from "../../schema.ts";
import type { JsonSchema } from "../json_schema/json.ts";

export interface Api {
  readonly routes: readonly ApiRoute[];
  /** The webhooks. Their path is their name, and their request is what the API sends. */
  readonly webhooks: readonly ApiRoute[];
  /** The callbacks as text, which are not compared: a difference is reported as unproven. */
  readonly callbacks: string | undefined;
}

export interface ApiRoute {
  /** The name of the route: a dotted key, an operation id, or method and path. Of a webhook: `webhooks.orderPaid`. */
  readonly key: string;
  /** Whether the key is only method and path, because a document has no operation id. */
  readonly isUnnamed: boolean;
  readonly tags: readonly string[];
  readonly method: string;
  readonly path: string;
  readonly params: ApiValue;
  readonly query: ApiValue | undefined;
  readonly headers: ApiValue | undefined;
  /** The cookies that are parameters, as an object. Only documents have them. */
  readonly cookies?: ApiValue | undefined;
  readonly body: ApiRequestBody | undefined;
  /** How the parameters are written, by place and name, where it is not the usual form. */
  readonly styles: ReadonlyMap<string, string>;
  /** The responses, by status. Documents also have `4XX` and `default`. */
  readonly responses: ReadonlyMap<string, ApiResponse>;
  /** Its deprecation, and when it is expected to stop working, as it is declared. */
  readonly deprecation: { readonly sunset: string | undefined } | undefined;
  /** The alternatives. A caller must satisfy one of them. A requirement without schemes accepts all callers. */
  readonly security: readonly ApiRequirement[];
}

export interface ApiValue {
  readonly schema: JsonSchema;
  readonly problem?: string | undefined;
  /** The schema that validates them, if the contract itself is available. */
  readonly live?: Schema | undefined;
}

export interface ApiBody {
  /** Its values, by media type or range; empty for an empty body. */
  readonly contents: ReadonlyMap<string, ApiValue>;
  readonly representation: string | undefined;
}

export interface ApiRequestBody extends ApiBody {
  readonly isOptional: boolean;
  /** The most bytes that the body may have; `undefined` if the contract does not declare a limit. */
  readonly maxBytes: number | undefined;
}

export interface ApiResponse extends ApiBody {
  readonly headers: ApiValue | undefined;
  readonly socket: ApiSocket | undefined;
}

export interface ApiSocket {
  readonly fromClient: ApiBody;
  readonly fromServer: ApiBody;
  readonly closes: readonly string[];
  readonly protocols: readonly string[];
  /** The most bytes of a client's message; `undefined` if the contract does not declare a limit. */
  readonly maxMessageBytes: number | undefined;
}

/** The schemes that a caller must satisfy together, by name. */
export type ApiRequirement = ReadonlyMap<string, ApiScheme>;

export interface ApiScheme {
  /** How a credential is transmitted, as text that is equal for equal schemes. */
  readonly transport: string;
  /** Whether the credential is in the header `authorization`, where schemes of several kinds may be the same text. */
  readonly isInAuthorization: boolean;
  readonly scopes: readonly string[];
}
