import { markAs, type Marked } from "../mark.ts";
import { responseStream } from "../representation/byte_stream.ts";
import { bytes as bytesRepresentation } from "../representation/bytes.ts";
import { type CustomRepresentation, toCustomBody } from "../representation/custom.ts";
import { empty as emptyRepresentation } from "../representation/empty.ts";
import { json as jsonRepresentation } from "../representation/json.ts";
import { ndjson as ndjsonRepresentation } from "../representation/ndjson.ts";
import { problem as problemRepresentation } from "../representation/problem.ts";
import { raw as rawRepresentation } from "../representation/raw.ts";
import { type ResponseRepresentation } from "../representation/representation.ts";
import { sse as sseRepresentation } from "../representation/sse.ts";
import {
  type EventReader,
  type ItemReader,
  type ItemSource,
  type SentComment,
  type SentEvent,
  type SentId,
} from "../representation/item_stream.ts";
import { responseText } from "../representation/text.ts";
import { type OutputOf, type Schema } from "../schema.ts";
import { type Problem } from "../wire/problem.ts";
import { checkSchema } from "./declared.ts";
import {
  type Fits,
  type FitsHeaders,
  type FitsJson,
  type FitsValue,
  type IsCodec,
  type ResponseWireOf,
  type SentOf,
  type ValueOf,
} from "./infer.ts";
import { checkRepresentation, readContent } from "./representation.ts";
import { type MediaRanges, type MediaTypes } from "./request.ts";

/**
 * The representations that a response can have.
 *
 * @internal
 */
export type ResponseKind = "json" | "text" | "bytes" | "empty" | "problem" | StreamKind | "raw" | "as";

/**
 * The representations whose body arrives piece by piece.
 *
 * @internal
 */
type StreamKind = "stream" | "ndjson" | "sse";

/**
 * The types of a response on each side. It exists in types only.
 *
 * @internal
 */
export interface ResponseContent {
  /** The type that the handler passes to its result. */
  readonly sent: unknown;
  /** The type that the client receives. */
  readonly received: unknown;
  /**
   * The schema of the headers. Without one, {@linkcode HeadersWithContentType} if a result must set its content type.
   */
  readonly headers: Schema | HeadersWithContentType | undefined;
  /** Whether the schema of the body is a codec. */
  readonly isCodec?: boolean;
}

/** The headers of a result that must set its content type. */
export interface HeadersWithContentType {
  /** A media type that matches one of the declared types. */
  readonly "content-type": string;
  /** Any other header. A list is sent as several fields, and `undefined` is left out. */
  readonly [name: string]: string | readonly string[] | undefined;
}

/** A declared response. The {@linkcode response} helpers return it. */
export interface ResponseDeclaration<
  Content extends ResponseContent = ResponseContent,
  Kind extends ResponseKind = ResponseKind,
> extends Marked<"response"> {
  /** The name of the representation, such as `json`. */
  readonly kind: Kind;
  /** The representation: how the client decodes the body. */
  readonly representation: ResponseRepresentation<ResponseKind>;
  /**
   * The media type that the server sends, and the only one that the client accepts. If it is a list of media types and
   * ranges, in lowercase, the handler must set a type that matches one of them. `undefined` for an empty or a raw
   * response.
   */
  readonly contentType: string | readonly string[] | undefined;
  /**
   * The schema that validates the body on the server. A codec runs on both sides. For NDJSON it describes one item, and
   * for server-sent events their `data`.
   */
  readonly schema: Schema | undefined;
  /** The schema of the headers. */
  readonly headers: Schema | undefined;
  /** A description for the OpenAPI document. */
  readonly description: string | undefined;
  /** The types of the response on each side. Never present at run time. */
  readonly types?: Content;
}

/**
 * The types of a declared response on each side.
 *
 * @internal
 */
export type ContentOf<Declared extends ResponseDeclaration> = NonNullable<Declared["types"]>;

/** The responses of a route, by status code. */
export interface Responses {
  /** The response with this status code: an integer from 200 to 599, or 101 for `response.raw()`. */
  readonly [status: number]: ResponseDeclaration;
}

/** The options of {@linkcode response}`.raw`. */
export interface RawResponseOptions {
  /** A description of the response for the OpenAPI document. Default: none. */
  readonly description?: string;
  /** Not an option: it makes the types reject a schema in the place of options. */
  readonly "~standard"?: never;
}

/** The options of {@linkcode response}`.empty`. */
export interface EmptyResponseOptions<Headers extends Schema | undefined = Schema | undefined>
  extends RawResponseOptions {
  /**
   * A schema of the headers, by lowercase name. Its output must be strings and lists of strings, and is what the server
   * sends. Default: none, and a result may have any header.
   */
  readonly headers?: Headers & (Headers extends Schema ? FitsHeaders<ResponseWireOf<Headers>> : unknown);
}

/** The options of all {@linkcode response} helpers except `empty`, `raw` and `as`. */
export interface ResponseOptions<
  Headers extends Schema | undefined = Schema | undefined,
  Type extends MediaTypes = string,
> extends EmptyResponseOptions<Headers> {
  /**
   * The media type. Bytes, streams and text accept a range or a list, such as `"image/*"` or `["image/png",
   * "image/jpeg"]`. The handler must then set the `content-type` header of its result. Default: the media type of the
   * representation.
   */
  readonly contentType?: Type;
}

/** The options of {@linkcode response}`.as`. The representation sets the media type. */
export interface ResponseAsOptions<Headers extends Schema | undefined = Schema | undefined>
  extends EmptyResponseOptions<Headers> {}

/**
 * The schema of the headers. Without one, {@linkcode HeadersWithContentType} if a result must set its content type, as
 * far as the types show it.
 *
 * @internal
 */
type HeadersWith<Headers extends Schema | undefined, Type extends MediaTypes> = Headers extends undefined
  ? Type extends MediaRanges ? HeadersWithContentType : undefined
  : Headers;

/**
 * A response whose client receives the value that the handler returns.
 *
 * @internal
 */
type PlainResponse<
  Kind extends ResponseKind,
  Value,
  Headers extends Schema | HeadersWithContentType | undefined,
> =
  & ResponseDeclaration<
    { readonly sent: Value; readonly received: Value; readonly headers: Headers },
    Kind
  >
  & unknown;

/**
 * A response with a schema for its body.
 *
 * @internal
 */
type CheckedResponse<
  Kind extends ResponseKind,
  Declared extends Schema,
  Headers extends Schema | HeadersWithContentType | undefined,
> =
  & ResponseDeclaration<
    {
      readonly sent: SentOf<Declared>;
      readonly received: OutputOf<Declared>;
      readonly headers: Headers;
      readonly isCodec: IsCodec<Declared>;
    },
    Kind
  >
  & unknown;

/**
 * A response of items that arrive one by one, with a schema for one item.
 *
 * @internal
 */
type NdjsonResponse<Declared extends Schema, Headers extends Schema | undefined> =
  & ResponseDeclaration<
    {
      readonly sent: ItemSource<SentOf<Declared>>;
      readonly received: ItemReader<OutputOf<Declared>>;
      readonly headers: Headers;
      readonly isCodec: IsCodec<Declared>;
    },
    "ndjson"
  >
  & unknown;

/**
 * A response of server-sent events, with a schema for their `data`.
 *
 * @internal
 */
type SseResponse<Declared extends Schema, Headers extends Schema | undefined> =
  & ResponseDeclaration<
    {
      readonly sent: ItemSource<SentEvent<SentOf<Declared>> | SentId | SentComment>;
      readonly received: EventReader<OutputOf<Declared>>;
      readonly headers: Headers;
      readonly isCodec: IsCodec<Declared>;
    },
    "sse"
  >
  & unknown;

/** The methods of {@linkcode response}. */
export interface ResponseHelpers {
  /**
   * A JSON body (`application/json`). The server sends the schema's output. A value that `JSON.stringify` would replace,
   * such as `NaN`, an invalid `Date`, a `Map` or `undefined` in a list, is an error with phase `encode`.
   */
  json<Declared extends Schema, Headers extends Schema | undefined = undefined>(
    schema: Declared & FitsJson<ResponseWireOf<Declared>>,
    options?: ResponseOptions<Headers>,
  ): CheckedResponse<"json", Declared, NoInfer<Headers>>;
  /** A JSON body (`application/json`) with a type but no validation. */
  json<Value = unknown, Headers extends Schema | undefined = undefined>(
    options?: ResponseOptions<Headers>,
  ): PlainResponse<"json", Value, NoInfer<Headers>>;
  /** A text body (`text/plain;charset=UTF-8`). The server sends the schema's output. */
  text<
    Declared extends Schema,
    Headers extends Schema | undefined = undefined,
    const Type extends MediaTypes = string,
  >(
    schema: Declared & Fits<ResponseWireOf<Declared>, string, "A text body must be a string">,
    options?: ResponseOptions<Headers, Type>,
  ): CheckedResponse<"text", Declared, HeadersWith<NoInfer<Headers>, Type>>;
  /** A text body (`text/plain;charset=UTF-8`). */
  text<Headers extends Schema | undefined = undefined, const Type extends MediaTypes = string>(
    options?: ResponseOptions<Headers, Type>,
  ): PlainResponse<"text", string, HeadersWith<NoInfer<Headers>, Type>>;
  /** A body of bytes (`application/octet-stream`). The server sends the schema's output. */
  bytes<
    Declared extends Schema,
    Headers extends Schema | undefined = undefined,
    const Type extends MediaTypes = string,
  >(
    schema: Declared & Fits<ResponseWireOf<Declared>, Uint8Array, "A body of bytes must be a Uint8Array">,
    options?: ResponseOptions<Headers, Type>,
  ): CheckedResponse<"bytes", Declared, HeadersWith<NoInfer<Headers>, Type>>;
  /** A body of bytes (`application/octet-stream`). */
  bytes<Headers extends Schema | undefined = undefined, const Type extends MediaTypes = string>(
    options?: ResponseOptions<Headers, Type>,
  ): ResponseDeclaration<
    {
      readonly sent: Uint8Array;
      readonly received: Uint8Array<ArrayBuffer>;
      readonly headers: HeadersWith<NoInfer<Headers>, Type>;
    },
    "bytes"
  >;
  /** No body. The statuses 204, 205 and 304 accept only this or `raw`. */
  empty<Headers extends Schema | undefined = undefined>(
    options?: EmptyResponseOptions<Headers>,
  ): PlainResponse<"empty", undefined, NoInfer<Headers>>;
  /**
   * A problem document (RFC 9457, `application/problem+json`). The server sends the schema's output. The schema does not
   * validate the documents that the adapter itself answers with.
   */
  problem<Declared extends Schema, Headers extends Schema | undefined = undefined>(
    schema:
      & Declared
      & Fits<ResponseWireOf<Declared>, object, "A problem must be an object">
      & FitsJson<ResponseWireOf<Declared>>,
    options?: ResponseOptions<Headers>,
  ): CheckedResponse<"problem", Declared, NoInfer<Headers>>;
  /**
   * A problem document (RFC 9457, `application/problem+json`). If the adapter itself answers with the status, such as
   * 400 or 404, this declaration also types that answer. The members `type` (`about:blank`), `title` and `status` have
   * defaults that follow from the status. The handler can replace them. A client omits members of another type than RFC
   * 9457 specifies.
   */
  problem<Headers extends Schema | undefined = undefined>(
    options?: ResponseOptions<Headers>,
  ): ResponseDeclaration<
    { readonly sent: Problem | undefined; readonly received: Problem; readonly headers: NoInfer<Headers> },
    "problem"
  >;
  /**
   * A stream of bytes (`application/octet-stream`). The handler returns an iterable or a stream of them, and the client
   * receives a `ReadableStream`.
   */
  stream<Headers extends Schema | undefined = undefined, const Type extends MediaTypes = string>(
    options?: ResponseOptions<Headers, Type>,
  ): ResponseDeclaration<
    {
      readonly sent: ItemSource<Uint8Array>;
      readonly received: ReadableStream<Uint8Array<ArrayBuffer>>;
      readonly headers: HeadersWith<NoInfer<Headers>, Type>;
    },
    "stream"
  >;
  /**
   * A stream of JSON values, one per line (`application/x-ndjson`). The schema describes one value, and the server
   * sends its output.
   */
  ndjson<Declared extends Schema, Headers extends Schema | undefined = undefined>(
    schema: Declared & FitsJson<ResponseWireOf<Declared>>,
    options?: ResponseOptions<Headers>,
  ): NdjsonResponse<Declared, NoInfer<Headers>>;
  /**
   * Server-sent events (`text/event-stream`). The schema describes their `data`, and the server sends its output as
   * JSON.
   */
  sse<Declared extends Schema, Headers extends Schema | undefined = undefined>(
    schema: Declared & FitsJson<ResponseWireOf<Declared>>,
    options?: ResponseOptions<Headers>,
  ): SseResponse<Declared, NoInfer<Headers>>;
  /**
   * A native `Response` that the handler creates with the declared status. The status 101 (WebSocket upgrades) accepts
   * only this.
   */
  raw(options?: RawResponseOptions): PlainResponse<"raw", Response, undefined>;
  /** A body in a custom format: see {@linkcode representation}. The server sends the schema's output. */
  as<Value, Declared extends Schema, Headers extends Schema | undefined = undefined>(
    representation: CustomRepresentation<Value>,
    schema: Declared & FitsValue<ResponseWireOf<Declared>, Value>,
    options?: ResponseAsOptions<Headers>,
  ): CheckedResponse<"as", Declared, NoInfer<Headers>>;
  /** A body in a custom format, with a type but no validation: see {@linkcode representation}. */
  as<Value, Headers extends Schema | undefined = undefined>(
    representation: CustomRepresentation<Value>,
    options?: ResponseAsOptions<Headers>,
  ): PlainResponse<"as", ValueOf<Value>, NoInfer<Headers>>;
}

/** The arguments of a helper: a schema, options, or both. */
type ResponseArguments = readonly [schema?: Schema | AnyResponseOptions, options?: AnyResponseOptions];

type AnyResponseOptions = ResponseOptions<Schema | undefined, MediaTypes>;

/** Declares a response. `position` is the position of the schema among the arguments, for error messages. */
export function declareResponse(
  representation: ResponseRepresentation<ResponseKind>,
  args: ResponseArguments,
  position?: string,
): ResponseDeclaration {
  const where = `response.${representation.kind}()`;
  const names = representation.isNative ? ["description"] : ["headers", "description"];
  const [content, { headers }] = readContent(representation, args, { where, position, names });
  if (headers !== undefined) checkSchema(headers, '"headers"', where);
  const { kind, contentType, schema, description } = content;
  return markAs("response", { kind, representation, contentType, schema, headers, description });
}

/** Creates the helper of a representation. {@linkcode ResponseHelpers} declares its overloads. */
function helper(
  representation: ResponseRepresentation<ResponseKind>,
): (...args: ResponseArguments) => ResponseDeclaration {
  return (...args) => declareResponse(representation, args);
}

/** Declares a JSON body. The same function as `response.json` of `@scope/api`. */
export const json: ResponseHelpers["json"] = /* @__PURE__ */ helper(jsonRepresentation) as ResponseHelpers["json"];

/** Declares a text body. The same function as `response.text` of `@scope/api`. */
export const text: ResponseHelpers["text"] = /* @__PURE__ */ helper(responseText) as ResponseHelpers["text"];

/** Declares a body of bytes. The same function as `response.bytes` of `@scope/api`. */
export const bytes: ResponseHelpers["bytes"] = /* @__PURE__ */ helper(bytesRepresentation) as ResponseHelpers["bytes"];

/** Declares a response without content. The same function as `response.empty` of `@scope/api`. */
export const empty: ResponseHelpers["empty"] = /* @__PURE__ */ helper(emptyRepresentation) as ResponseHelpers["empty"];

/** Declares a problem document (RFC 9457). The same function as `response.problem` of `@scope/api`. */
export const problem: ResponseHelpers["problem"] = /* @__PURE__ */ helper(
  problemRepresentation,
) as ResponseHelpers["problem"];

/** Declares a stream of bytes. The same function as `response.stream` of `@scope/api`. */
export const stream: ResponseHelpers["stream"] = /* @__PURE__ */ helper(responseStream) as ResponseHelpers["stream"];

/** Declares a stream of JSON lines. The same function as `response.ndjson` of `@scope/api`. */
export const ndjson: ResponseHelpers["ndjson"] = /* @__PURE__ */ helper(
  ndjsonRepresentation,
) as ResponseHelpers["ndjson"];

/** Declares server-sent events. The same function as `response.sse` of `@scope/api`. */
export const sse: ResponseHelpers["sse"] = /* @__PURE__ */ helper(sseRepresentation) as ResponseHelpers["sse"];

/** Declares a native `Response`. The same function as `response.raw` of `@scope/api`. */
export const raw: ResponseHelpers["raw"] = /* @__PURE__ */ helper(rawRepresentation) as ResponseHelpers["raw"];

/** Declares a response in a custom format. The same function as `response.as` of `@scope/api`. */
export const asRepresentation: ResponseHelpers["as"] = ((custom: unknown, ...args: ResponseArguments) => {
  checkRepresentation(custom, "response.as()");
  return declareResponse(toCustomBody(custom), args, "second");
}) as ResponseHelpers["as"];

/**
 * Declares a response, for the option `responses` of a route, router or contract. The last argument is always options.
 * Without a schema, the body has a type at compile time and no validation at run time.
 *
 * Each helper throws a `TypeError` for an unknown option, a malformed media type or a schema that is not a Standard
 * Schema.
 *
 * @example Three representations
 * ```ts
 * import { response } from "@scope/api";
 * import { assertEquals } from "@std/assert";
 * import { type } from "arktype";
 *
 * assertEquals(response.json(type({ name: "string" })).contentType, "application/json");
 * assertEquals(response.text().contentType, "text/plain;charset=UTF-8");
 * assertEquals(response.empty({ headers: type({ location: "string" }) }).contentType, undefined);
 * ```
 */
export const response: ResponseHelpers = /* @__PURE__ */ Object.freeze({
  json,
  text,
  bytes,
  empty,
  problem,
  stream,
  ndjson,
  sse,
  raw,
  as: asRepresentation,
});
