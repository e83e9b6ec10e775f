import { markAs, type Marked } from "../mark.ts";
import { type OutputOf, type Schema } from "../schema.ts";
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
import { type CustomRepresentation } from "../representation/custom.ts";
import { type ResponseRepresentation } from "../representation/representation.ts";
import { readContent } from "./read_content.ts";
import { type Problem } from "../wire/problem_document.ts";
import { type MediaRanges, type MediaTypes } from "./request.ts";
import {
  type EventReader,
  type ItemReader,
  type ItemSource,
  type SentComment,
  type SentEvent,
} from "../representation/stream.ts";

/**
 * How a response's body is represented.
 *
 * @internal
 */
export type ResponseKind = "json" | "text" | "bytes" | "empty" | "problem" | StreamKind | "raw" | "as";

/**
 * How a body that arrives piece by piece is represented.
 *
 * @internal
 */
export type StreamKind = "stream" | "ndjson" | "sse";

/**
 * What the two sides make of a response; it exists in types only.
 *
 * @internal
 */
export interface ResponseContent {
  /** The type that the handler passes to its result. */
  readonly sent: unknown;
  /** The type that the client receives. */
  readonly received: unknown;
  /** The schema of the headers, where one is declared; else whether a result must state its content type. */
  readonly headers: Schema | HeadersWithContentType | undefined;
  /** Whether the schema of the body is a codec. */
  readonly isCodec?: boolean;
}

/** The header fields of a result that must state its content type. */
export interface HeadersWithContentType {
  /** A media type that falls within the declared ones. */
  readonly "content-type": string;
  /** Any other header field: a list is sent as several fields, `undefined` is left out. */
  readonly [name: string]: string | readonly string[] | undefined;
}

/** A declared response; made by {@linkcode response}. */
export interface ResponseDeclaration<
  Content extends ResponseContent = ResponseContent,
  Kind extends ResponseKind = ResponseKind,
> extends Marked<"response"> {
  /** The name of the representation. */
  readonly kind: Kind;
  /** How the body is represented, with what a client runs to receive it. */
  readonly representation: ResponseRepresentation<ResponseKind>;
  /**
   * The media type that is sent, and the only one that the client takes for it, or a list of media types and ranges in lower case, one of
   * which the handler must state. `undefined` for an empty or a raw response.
   */
  readonly contentType: string | readonly string[] | undefined;
  /** What the server checks, and a codec on both sides; of NDJSON it describes an item, of events their `data`. */
  readonly schema: Schema | undefined;
  /** The schema of the headers. */
  readonly headers: Schema | undefined;
  /** What documentation says of it. */
  readonly description: string | undefined;
  /** What the two sides make of it, in types only. */
  readonly types?: Content;
}

/**
 * What the two sides make of a declared response.
 *
 * @internal
 */
export type ContentOf<Declared extends ResponseDeclaration> = NonNullable<Declared["types"]>;

/** The responses of a route, by status. */
export interface Responses {
  /** A response declared for a status from 200 to 599; a raw one for 101 too. */
  readonly [status: number]: ResponseDeclaration;
}

/** The options of {@linkcode response}`.raw`. */
export interface RawResponseOptions {
  /** What documentation says of the response. */
  readonly description?: string;
  /** Tells an options object from a schema. */
  readonly "~standard"?: never;
}

/** The options of {@linkcode response}`.empty`. */
export interface EmptyResponseOptions<Headers extends Schema | undefined = Schema | undefined>
  extends RawResponseOptions {
  /** A schema of the headers: names in lower case, output of strings and lists of strings. Its output is what is sent. Default: any may be given. */
  readonly headers?: Headers & (Headers extends Schema ? FitsHeaders<ResponseWireOf<Headers>> : unknown);
}

/** The options of every other {@linkcode response} helper. */
export interface ResponseOptions<
  Headers extends Schema | undefined = Schema | undefined,
  Type extends MediaTypes = string,
> extends EmptyResponseOptions<Headers> {
  /**
   * The media type, where it is not the usual one of the representation. Bytes, streams and text may have a range or a list, such as
   * `"image/*"` or `["image/png", "image/jpeg"]`: a handler then states the type by the header `content-type` of its result.
   */
  readonly contentType?: Type;
}

/** The options of {@linkcode response}`.as`: the representation has the media type. */
export interface ResponseAsOptions<Headers extends Schema | undefined = Schema | undefined>
  extends EmptyResponseOptions<Headers> {}

/**
 * The headers of a response: their schema, else whether a result must state its content type, as far as types can tell.
 *
 * @internal
 */
export type HeadersWith<Headers extends Schema | undefined, Type extends MediaTypes> = Headers extends undefined
  ? Type extends MediaRanges ? HeadersWithContentType : undefined
  : Headers;

/**
 * A response whose client sees what the handler gives.
 *
 * @internal
 */
export type PlainResponse<
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
 * A response whose body a schema describes.
 *
 * @internal
 */
export type CheckedResponse<
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
 * A response whose items, each described by a schema, arrive one by one.
 *
 * @internal
 */
export type NdjsonResponse<Declared extends Schema, Headers extends Schema | undefined> =
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
 * A response of events whose `data` a schema describes.
 *
 * @internal
 */
export type SseResponse<Declared extends Schema, Headers extends Schema | undefined> =
  & ResponseDeclaration<
    {
      readonly sent: ItemSource<SentEvent<SentOf<Declared>> | SentComment>;
      readonly received: EventReader<OutputOf<Declared>>;
      readonly headers: Headers;
      readonly isCodec: IsCodec<Declared>;
    },
    "sse"
  >
  & unknown;

/** The helper functions behind {@linkcode response}. */
export interface ResponseHelpers {
  /** A JSON body (`application/json`). What is sent is the schema's output. */
  json<Declared extends Schema, Headers extends Schema | undefined = undefined>(
    schema: Declared & FitsJson<ResponseWireOf<Declared>>,
    options?: ResponseOptions<Headers>,
  ): CheckedResponse<"json", Declared, NoInfer<Headers>>;
  /** A JSON body (`application/json`) that is typed, not checked. */
  json<Value = unknown, Headers extends Schema | undefined = undefined>(
    options?: ResponseOptions<Headers>,
  ): PlainResponse<"json", Value, NoInfer<Headers>>;
  /** A text body (`text/plain;charset=UTF-8`). What is sent is the schema's output. */
  text<
    Declared extends Schema,
    Headers extends Schema | undefined = undefined,
    const Type extends MediaTypes = string,
  >(
    schema: Declared & Fits<ResponseWireOf<Declared>, string, "A text body is a string">,
    options?: ResponseOptions<Headers, Type>,
  ): CheckedResponse<"text", Declared, HeadersWith<NoInfer<Headers>, Type>>;
  /** A text body (`text/plain;charset=UTF-8`). */
  text<Headers extends Schema | undefined = undefined, const Type extends MediaTypes = string>(
    options?: ResponseOptions<Headers, Type>,
  ): PlainResponse<"text", string, HeadersWith<NoInfer<Headers>, Type>>;
  /** A body of bytes (`application/octet-stream`). What is sent is the schema's output. */
  bytes<
    Declared extends Schema,
    Headers extends Schema | undefined = undefined,
    const Type extends MediaTypes = string,
  >(
    schema: Declared & Fits<ResponseWireOf<Declared>, Uint8Array, "A body of bytes is a Uint8Array">,
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
  /** No body. The only representation of 204, 205 and 304, but for a raw one. */
  empty<Headers extends Schema | undefined = undefined>(
    options?: EmptyResponseOptions<Headers>,
  ): PlainResponse<"empty", undefined, NoInfer<Headers>>;
  /** A problem document (RFC 9457, `application/problem+json`). What is sent is the schema's output. */
  problem<Declared extends Schema, Headers extends Schema | undefined = undefined>(
    schema:
      & Declared
      & Fits<ResponseWireOf<Declared>, object, "A problem is an object">
      & FitsJson<ResponseWireOf<Declared>>,
    options?: ResponseOptions<Headers>,
  ): CheckedResponse<"problem", Declared, NoInfer<Headers>>;
  /**
   * A problem document (RFC 9457, `application/problem+json`). Declared for a status that the adapter answers with by itself,
   * such as 400 or 404, it types that answer too. `type` is `about:blank`, and `title` and `status` follow from the status, unless the
   * handler gives others.
   */
  problem<Headers extends Schema | undefined = undefined>(
    options?: ResponseOptions<Headers>,
  ): ResponseDeclaration<
    { readonly sent: Problem | undefined; readonly received: Problem; readonly headers: NoInfer<Headers> },
    "problem"
  >;
  /** Bytes as they come (`application/octet-stream`): the handler gives what yields them, the client sees a `ReadableStream`. */
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
  /** Values as they come, each a line of JSON (`application/x-ndjson`). The schema describes one; what is sent is its output. */
  ndjson<Declared extends Schema, Headers extends Schema | undefined = undefined>(
    schema: Declared & FitsJson<ResponseWireOf<Declared>>,
    options?: ResponseOptions<Headers>,
  ): NdjsonResponse<Declared, NoInfer<Headers>>;
  /** Server-sent events (`text/event-stream`). The schema describes their `data`, which is sent as JSON; what is sent is its output. */
  sse<Declared extends Schema, Headers extends Schema | undefined = undefined>(
    schema: Declared & FitsJson<ResponseWireOf<Declared>>,
    options?: ResponseOptions<Headers>,
  ): SseResponse<Declared, NoInfer<Headers>>;
  /** A native `Response` of the declared status, as the handler made it. The only representation of 101 (WebSocket upgrades). */
  raw(options?: RawResponseOptions): PlainResponse<"raw", Response, undefined>;
  /** A body of a representation of your own, see {@linkcode representation}. What is sent is the schema's output. */
  as<Value, Declared extends Schema, Headers extends Schema | undefined = undefined>(
    representation: CustomRepresentation<Value>,
    schema: Declared & FitsValue<ResponseWireOf<Declared>, Value>,
    options?: ResponseAsOptions<Headers>,
  ): CheckedResponse<"as", Declared, NoInfer<Headers>>;
  /** A body of a representation of your own, see {@linkcode representation}, that is typed, not checked. */
  as<Value, Headers extends Schema | undefined = undefined>(
    representation: CustomRepresentation<Value>,
    options?: ResponseAsOptions<Headers>,
  ): PlainResponse<"as", ValueOf<Value>, NoInfer<Headers>>;
}

/** What a helper is given: a schema, options, or both. */
export type ResponseArguments = readonly [schema?: Schema | AnyResponseOptions, options?: AnyResponseOptions];

type AnyResponseOptions = ResponseOptions<Schema | undefined, MediaTypes>;

/** Declares a response of a representation; `position` says where the schema stands among the arguments. */
export function declareResponse(
  representation: ResponseRepresentation<ResponseKind>,
  given: ResponseArguments,
  position?: string,
): ResponseDeclaration {
  const where = `response.${representation.kind}()`;
  const names = representation.isNative ? ["description"] : ["headers", "description"];
  const [content, { headers }] = readContent(representation, given, { where, position, names });
  if (headers !== undefined) checkSchema(headers, "headers", where);
  const { kind, contentType, schema, description } = content;
  return markAs("response", { kind, representation, contentType, schema, headers, description });
}
