import { markAs, type Marked } from "../mark.ts";
import { type InputOf, type OutputOf, type Schema } from "../schema.ts";
import { cannotDeclare } from "./declared.ts";
import { type AnyFields, type FormDataValue, type TextInput } from "./fields.ts";
import {
  type Fits,
  type FitsFormData,
  type FitsJson,
  type FitsText,
  type FitsValue,
  type IsCodec,
  type RequestWireOf,
  type SentOf,
  type ValueOf,
} from "./infer.ts";
import { type CustomRepresentation } from "../representation/custom.ts";
import { type RequestRepresentation } from "../representation/representation.ts";
import { readContent } from "./read_content.ts";

/**
 * The names of the representations that a request's body may have.
 *
 * @internal
 */
export type RequestKind = "json" | "text" | "bytes" | "form" | "formData" | "stream" | "as";

/**
 * What the two sides make of a request body; it exists in types only.
 *
 * @internal
 */
export interface RequestContent {
  /** The type that the handler receives. */
  readonly received: unknown;
  /** The type that the client passes. */
  readonly sent: unknown;
  /** Which media type the handler is told, where the declared one is a range or a list. */
  readonly contentType?: string | undefined;
  /** Whether the schema is a codec. */
  readonly isCodec?: boolean;
}

/** A declared request body; made by {@linkcode request}. */
export interface RequestBody<
  Content extends RequestContent = RequestContent,
  Kind extends RequestKind = RequestKind,
> extends Marked<"request"> {
  /** The name of the representation. */
  readonly kind: Kind;
  /** How the body is represented, with what a client runs to send it. */
  readonly representation: RequestRepresentation<RequestKind>;
  /**
   * The media type that the client sends and the server requires, or a list of media types and ranges in lower case, one of which
   * the client must state.
   */
  readonly contentType: string | readonly string[];
  /** What the server checks, and a codec on both sides. */
  readonly schema: Schema | undefined;
  /** Whether it may be absent. */
  readonly optional: boolean;
  /** The most bytes that it may have; `undefined` where the adapter's limit applies. */
  readonly maxBytes: number | undefined;
  /** What documentation says of it. */
  readonly description: string | undefined;
  /** What the two sides make of it, in types only. */
  readonly types?: Content;
}

/** The options of {@linkcode request}`.formData`. */
export interface FormDataOptions<Optional extends boolean = boolean> {
  /** What documentation says of the body. */
  readonly description?: string;
  /**
   * Whether the body may be absent: without a `Content-Type` and without a byte the handler sees `undefined`, and no schema is
   * run. To know that there is no byte, the server waits for the first one or the end. Default: false.
   */
  readonly optional?: Optional;
  /**
   * The most bytes that the body may have, from 0; one more is answered with 413. It replaces the `maxBodyBytes` of the adapter, so it may
   * be larger. A client does not send a longer body that it encodes as a whole: the call rejects with `invalid-input`. Default: the limit
   * of the adapter.
   */
  readonly maxBytes?: number;
  /** Tells an options object from a schema. */
  readonly "~standard"?: never;
}

/** The options of every other {@linkcode request} helper. */
export interface RequestOptions<Optional extends boolean = boolean, Type extends MediaTypes = string>
  extends FormDataOptions<Optional> {
  /**
   * The media type, where it is not the usual one of the representation. Compared by essence: without parameters, in any case. Bytes,
   * streams and text may have a range or a list, such as `"image/*"` or `["image/png", "image/jpeg"]`.
   */
  readonly contentType?: Type;
}

/** The options of {@linkcode request}`.as`: the representation has the media type. */
export interface RequestAsOptions<Optional extends boolean = boolean> extends FormDataOptions<Optional> {}

/** A media type, a media range such as `"image/*"`, or a list of them. */
export type MediaTypes = string | readonly string[];

/**
 * The {@linkcode MediaTypes} that more than one media type falls within, as far as types can tell.
 *
 * @internal
 */
export type MediaRanges = `${string}/*` | readonly [`${string}/*`] | readonly [string, string, ...string[]];

/** What a client may give for bytes. */
export type BytesInput = Uint8Array | ArrayBuffer | Blob;

/**
 * What a client may give for a stream. It is asked for the next bytes when those before have been sent. A `Blob` has a length, and browsers
 * send it over HTTP/1.1 too.
 */
export type StreamInput = Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** The helper functions behind {@linkcode request}. */
export interface RequestHelpers {
  /** A JSON body (`application/json`, of which a server also admits every `+json` type) that is typed, not checked. */
  json<Value = unknown>(options?: RequestOptions<false>): PlainBody<"json", Value, Value, false>;
  /** A JSON body that is typed, not checked, and may be absent. */
  json<Value = unknown>(options: RequestOptions): PlainBody<"json", Value, Value, true>;
  /** A JSON body (`application/json`, of which a server also admits every `+json` type). The handler sees the schema's output. */
  json<Declared extends Schema>(
    schema: Declared & FitsJson<RequestWireOf<Declared>>,
    options?: RequestOptions<false>,
  ): JsonBody<Declared>;
  /** A JSON body that may be absent. The handler sees the schema's output. */
  json<Declared extends Schema>(
    schema: Declared & FitsJson<RequestWireOf<Declared>>,
    options: RequestOptions,
  ): PlainBody<"json", OutputOf<Declared>, SentOf<Declared>, true, IsCodec<Declared>>;
  /** A text body (`text/plain`, UTF-8). The handler sees the schema's output. */
  text<Declared extends Schema, Optional extends boolean = false, const Type extends MediaTypes = string>(
    schema: Declared & Fits<RequestWireOf<Declared>, string, "A text body is a string">,
    options?: RequestOptions<Optional, Type>,
  ): TypedBody<"text", OutputOf<Declared>, SentOf<Declared>, Optional, Type, IsCodec<Declared>>;
  /** A text body (`text/plain`, UTF-8). */
  text<Optional extends boolean = false, const Type extends MediaTypes = string>(
    options?: RequestOptions<Optional, Type>,
  ): TypedBody<"text", string, string, Optional, Type>;
  /** A body of bytes (`application/octet-stream`). The handler sees the schema's output. */
  bytes<Declared extends Schema, Optional extends boolean = false, const Type extends MediaTypes = string>(
    schema: Declared & Fits<RequestWireOf<Declared>, BytesInput, "A body of bytes is a Uint8Array">,
    options?: RequestOptions<Optional, Type>,
  ): TypedBody<
    "bytes",
    OutputOf<Declared>,
    InputOf<Declared> extends SentOf<Declared> ? BytesInput : SentOf<Declared>,
    Optional,
    Type,
    IsCodec<Declared>
  >;
  /** A body of bytes (`application/octet-stream`). The handler sees a `Uint8Array`. */
  bytes<Optional extends boolean = false, const Type extends MediaTypes = string>(
    options?: RequestOptions<Optional, Type>,
  ): TypedBody<"bytes", Uint8Array<ArrayBuffer>, BytesInput, Optional, Type>;
  /**
   * The fields of a form (`application/x-www-form-urlencoded`), by the rules of a query: strings by name, a list where a name
   * occurs several times, and a list of one where the schema refuses a single string. The handler sees the schema's output.
   */
  form<Declared extends Schema, Optional extends boolean = false>(
    schema: Declared & FitsText<InputOf<Declared>, string | string[]>,
    options?: RequestOptions<Optional>,
  ): PlainBody<"form", OutputOf<Declared>, TextInput<SentOf<Declared>>, Optional, IsCodec<Declared>>;
  /**
   * The fields of a form that may have files (`multipart/form-data`): strings and `File`s by name, lists by the rules of
   * {@linkcode RequestHelpers.form}. The handler sees the schema's output. It is read into memory as a whole; for uploads
   * larger than that see {@linkcode RequestHelpers.stream}. It has no `contentType` option, for the platform makes the boundary.
   */
  formData<Declared extends Schema, Optional extends boolean = false>(
    schema: Declared & FitsFormData<InputOf<Declared>>,
    options?: FormDataOptions<Optional>,
  ): PlainBody<"formData", OutputOf<Declared>, FormDataInput<Declared>, Optional, IsCodec<Declared>>;
  /** The fields of a form that may have files (`multipart/form-data`). The handler sees a `FormData`. */
  formData<Optional extends boolean = false>(
    options?: FormDataOptions<Optional>,
  ): PlainBody<"formData", FormData, FormData | AnyFields<FormDataValue>, Optional>;
  /**
   * A body that the handler reads as its bytes arrive (`application/octet-stream`), of any length. Past its limit
   * its read rejects, and the answer is 413 unless the handler makes another of it.
   */
  stream<Optional extends boolean = false, const Type extends MediaTypes = string>(
    options?: RequestOptions<Optional, Type>,
  ): TypedBody<"stream", ReadableStream<Uint8Array<ArrayBuffer>>, StreamInput, Optional, Type>;
  /** A body of a representation of your own, see {@linkcode representation}. The handler sees the schema's output. */
  as<Value, Declared extends Schema, Optional extends boolean = false>(
    representation: CustomRepresentation<Value>,
    schema: Declared & FitsValue<RequestWireOf<Declared>, Value>,
    options?: RequestAsOptions<Optional>,
  ): PlainBody<"as", OutputOf<Declared>, SentOf<Declared>, Optional, IsCodec<Declared>>;
  /** A body of a representation of your own, see {@linkcode representation}, that is typed, not checked. */
  as<Value, Optional extends boolean = false>(
    representation: CustomRepresentation<Value>,
    options?: RequestAsOptions<Optional>,
  ): PlainBody<"as", ValueOf<Value>, ValueOf<Value>, Optional>;
}

/**
 * A JSON body that a schema describes.
 *
 * @internal
 */
export type JsonBody<Declared extends Schema> =
  & RequestBody<
    { readonly received: OutputOf<Declared>; readonly sent: SentOf<Declared>; readonly isCodec: IsCodec<Declared> },
    "json"
  >
  & unknown;

/**
 * A request body with what the two sides make of it; `undefined` too where it may be absent.
 *
 * @internal
 */
export type PlainBody<
  Kind extends RequestKind,
  Received,
  Sent,
  Optional extends boolean,
  Codec extends boolean = false,
> =
  & RequestBody<
    {
      readonly received: OrAbsent<Received, Optional>;
      readonly sent: OrAbsent<Sent, Optional>;
      readonly isCodec: Codec;
    },
    Kind
  >
  & unknown;

/**
 * A {@linkcode PlainBody}, or a {@linkcode RangedBody} where more than one media type falls within the declared ones.
 *
 * @internal
 */
export type TypedBody<
  Kind extends RequestKind,
  Received,
  Sent,
  Optional extends boolean,
  Type extends MediaTypes,
  Codec extends boolean = false,
> = Type extends MediaRanges ? RangedBody<Kind, Received, Sent, Optional, Codec>
  : PlainBody<Kind, Received, Sent, Optional, Codec>;

/**
 * A request body that may have one of several media types, which the client states and the handler is told.
 *
 * @internal
 */
export type RangedBody<Kind extends RequestKind, Received, Sent, Optional extends boolean, Codec extends boolean> =
  & RequestBody<
    {
      readonly received: OrAbsent<Received, Optional>;
      readonly sent: OrAbsent<Sent, Optional>;
      readonly contentType: OrAbsent<string, Optional>;
      readonly isCodec: Codec;
    },
    Kind
  >
  & {
    /** The media types and ranges, in lower case. */
    readonly contentType: readonly string[];
  };

/**
 * A value, or `undefined` too where it may be absent.
 *
 * @internal
 */
export type OrAbsent<Value, Optional extends boolean> = true extends Optional ? Value | undefined : Value;

/**
 * What a client gives for form data: its fields, or where no codec makes them, a `FormData` that has them.
 *
 * @internal
 */
export type FormDataInput<Declared extends Schema> =
  & (
    | TextInput<SentOf<Declared>, FormDataValue>
    | (Declared extends Marked<"codec"> ? never : FormData)
  )
  & unknown;

/** What a helper is given: a schema, options, or both. */
export type RequestArguments = readonly [schema?: Schema | AnyRequestOptions, options?: AnyRequestOptions];

type AnyRequestOptions = RequestOptions<boolean, MediaTypes>;

/** Declares a body of a representation; `position` says where the schema stands among the arguments. */
export function declareBody(
  representation: RequestRepresentation<RequestKind>,
  given: RequestArguments,
  position?: string,
): RequestBody {
  const where = `request.${representation.kind}()`;
  const names = ["description", "maxBytes", "optional"];
  const [content, options] = readContent(representation, given, { where, position, names });
  const { optional = false, maxBytes } = options as AnyRequestOptions;
  if (typeof optional !== "boolean") cannotDeclare(where, "optional must be a boolean");
  if (maxBytes !== undefined && !(Number.isSafeInteger(maxBytes) && maxBytes >= 0)) {
    cannotDeclare(where, "maxBytes must be a whole number from 0; leave it out for the adapter's limit");
  }
  const { kind, contentType, schema, description } = content;
  return markAs("request", {
    kind,
    representation,
    contentType: contentType!,
    schema,
    optional,
    maxBytes,
    description,
  });
}
