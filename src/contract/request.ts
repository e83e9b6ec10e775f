import { isMarked, isObject, markAs, type Marked } from "../mark.ts";
import { requestNdjson, requestStream } from "../representation/stream.ts";
import {
  bytes as bytesRepresentation,
  checkRepresentation,
  type CustomRepresentation,
  json as jsonRepresentation,
  requestText,
  toCustomBody,
} from "../representation/whole_body.ts";
import { form as formRepresentation, formData as formDataRepresentation } from "../representation/form.ts";
import { readContent, type RequestRepresentation } from "../representation/representation.ts";
import type { InputOf, Issue, OutputOf, Schema } from "../schema.ts";
import type {
  AnyFields,
  Fits,
  FitsFormData,
  FitsText,
  FitsValue,
  FormDataValue,
  IsCodec,
  RequestFitsJson,
  RequestWireOf,
  SentOf,
  TextInput,
  ValueOf,
} from "./infer.ts";
import { aBoolean, aCount, aPositiveCount, checkRules } from "../options.ts";

/**
 * The representations that a request body can have.
 *
 * @internal
 */
export type RequestKind = "json" | "text" | "bytes" | "form" | "formData" | "stream" | "ndjson" | "as";

/**
 * The types of a request body on each side. It exists in types only.
 *
 * @internal
 */
export interface RequestContent {
  /** The type that the handler receives. */
  readonly received: unknown;
  /** The type that the client passes. */
  readonly sent: unknown;
  /** The type of the `contentType` that the handler receives, if the declared media type is a range or a list. */
  readonly contentType?: string | undefined;
  /** Whether the schema is a codec. */
  readonly isCodec?: boolean;
}

/** A declared request body. The {@linkcode request} helpers return it. */
export interface RequestBody<
  Content extends RequestContent = RequestContent,
  Kind extends RequestKind = RequestKind,
> extends Marked<"request"> {
  /** The name of the representation, such as `json`. */
  readonly kind: Kind;
  /** The representation: how the client encodes the body. */
  readonly representation: RequestRepresentation<RequestKind>;
  /**
   * The media type that the client sends and the server requires. If it is a list of media types and ranges, in
   * lowercase, the client must send a type that matches one of them.
   */
  readonly contentType: string | readonly string[];
  /** The schema that validates the body on the server. A codec runs on both sides. */
  readonly schema: Schema | undefined;
  /** Whether the body may be absent. */
  readonly optional: boolean;
  /** The maximum size in bytes. `undefined` if the adapter's limit applies. */
  readonly maxBytes: number | undefined;
  /** The maximum size of one item in bytes, of a body of items. */
  readonly maxItemBytes?: number;
  /** A description for the OpenAPI document. */
  readonly description: string | undefined;
  /** The types of the body on each side. Never present at run time. */
  readonly types?: Content;
}

/** The options of {@linkcode request}`.formData`. */
export interface FormDataOptions<Optional extends boolean = boolean> {
  /** A description of the body for the OpenAPI document. Default: none. */
  readonly description?: string;
  /**
   * Whether the body may be absent. The handler then receives `undefined`, and the schema does not run. A body is
   * absent if the request has no byte, and either no `Content-Type` or a format in which no byte is not a value, such as
   * JSON. The server waits for the first byte or the end to know that. Default: `false`.
   */
  readonly optional?: Optional;
  /**
   * The maximum size of the body in bytes: an integer, 0 or more. The server answers 413 to a longer body. It replaces
   * the adapter's `maxBodyBytes`, and may be larger. A client rejects a call with `invalid-input` if it encodes a
   * longer body as a whole. Default: the adapter's limit.
   */
  readonly maxBytes?: number;
  /**
   * Not an option: it makes the types reject a schema in the place of options. It is not the key `~standard`, because
   * editors would offer that.
   */
  readonly [schema: `~standard${string}`]: never;
}

/** The options of all {@linkcode request} helpers except `formData` and `as`. */
export interface RequestOptions<Optional extends boolean = boolean, Type extends MediaTypes = string>
  extends FormDataOptions<Optional> {
  /**
   * The media type. The server compares it without parameters and case-insensitively. Bytes, streams and text accept a
   * range or a list, such as `"image/*"` or `["image/png", "image/jpeg"]`. Default: the media type of the
   * representation.
   */
  readonly contentType?: Type;
}

/** The options of {@linkcode request}`.ndjson`. */
export interface NdjsonRequestOptions<Optional extends boolean = boolean> extends FormDataOptions<Optional> {
  /** The media type. Default: `"application/x-ndjson"`. */
  readonly contentType?: string;
  /**
   * The maximum size of one item in bytes: an integer, 1 or more. The server answers 413 to a longer one. Default:
   * 1,048,576 (1 MiB).
   */
  readonly maxItemBytes?: number;
}

/** The options of {@linkcode request}`.as`. The representation sets the media type. */
export interface RequestAsOptions<Optional extends boolean = boolean> extends FormDataOptions<Optional> {}

/** A media type, a media range such as `"image/*"`, or a list of them. */
export type MediaTypes = string | readonly string[];

/** The {@linkcode MediaTypes} that match more than one media type, if the type is a literal. */
export type MediaRanges = `${string}/*` | readonly [`${string}/*`] | readonly [string, string, ...string[]];

/** What a client can pass as a body of bytes. */
export type BytesInput = Uint8Array | ArrayBuffer | Blob;

/** What a client can pass as a body of items. Every runtime can send a list, and a list can be sent again. */
export type ItemsInput<Item> = readonly Item[] | ReadableStream<Item> | AsyncIterable<Item>;

/**
 * The items of a request as they arrive, for one `for await`. Leaving the loop stops the upload. If an item is invalid,
 * the loop throws, and the server answers 400 with its position unless the handler returns another result.
 */
export interface ReceivedItems<Item> extends AsyncIterable<Item, undefined, unknown> {
  /** Returns the same items with the invalid ones, for a loop that continues after them. */
  checked(): AsyncIterableIterator<CheckedItem<Item>, undefined, unknown>;
}

/** An item of a request, or the reasons why it is invalid. */
export type CheckedItem<Item> =
  | { readonly value: Item; readonly issues?: undefined }
  | { readonly value?: undefined; readonly issues: readonly Issue[] };

/**
 * What a client can pass as a stream. The client asks an iterable for the next bytes when the previous ones have been
 * sent. A `Blob` has a length, so browsers can send it over HTTP/1.1 too.
 */
export type StreamInput = Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * A JSON body with a schema.
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
 * A request body with its types on each side. They include `undefined` if the body may be absent.
 *
 * @internal
 */
type PlainBody<
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
 * A {@linkcode PlainBody}. If the declared media types match more than one, the client sends the type, and the handler
 * receives it as `contentType`.
 *
 * @internal
 */
type TypedBody<
  Kind extends RequestKind,
  Received,
  Sent,
  Optional extends boolean,
  Type extends MediaTypes,
  Codec extends boolean = false,
> = Type extends MediaRanges ?
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
      /** The media types and ranges, in lowercase. */
      readonly contentType: readonly string[];
    }
  : PlainBody<Kind, Received, Sent, Optional, Codec>;

/** A value, or also `undefined` if it may be absent. */
type OrAbsent<Value, Optional extends boolean> = true extends Optional ? Value | undefined : Value;

/**
 * What a client can pass as form data: an object of fields or, unless the schema is a codec, a `FormData`.
 *
 * @internal
 */
type FormDataInput<Declared extends Schema> =
  & (
    | TextInput<SentOf<Declared>, FormDataValue>
    | (Declared extends Marked<"codec" | "styled"> ? never : FormData)
  )
  & unknown;

/** The arguments of a helper: a schema, options, or both. */
type RequestArguments = readonly [schema?: Schema | AnyRequestOptions, options?: AnyRequestOptions];

type AnyRequestOptions = RequestOptions<boolean, MediaTypes>;

/** Returns whether `value` was made by a helper of `request`. */
export function isRequestBody(value: unknown): value is RequestBody {
  return isMarked(value, "request");
}

/** The options of every helper. */
interface DeclaredOptions {
  readonly maxBytes?: number;
  readonly optional?: boolean;
}

/** Declares a request body. `position` is the position of the schema among the arguments, for error messages. */
export function declareBody(
  representation: RequestRepresentation<RequestKind>,
  args: RequestArguments,
  position?: string,
): RequestBody {
  const where = `request.${representation.kind}()`;
  const names = ["description", "maxBytes", "optional"];
  const place = representation.describes === "fields" ? "form" : "body";
  const [declared, options] = readContent(representation, args, { where, place, names, position });
  checkRules(options, { optional: aBoolean, maxBytes: aCount }, where);
  const { optional = false, maxBytes } = options as DeclaredOptions; // they were checked
  return markAs("request", { ...declared, optional, maxBytes }) as RequestBody; // every body has a content type
}

/**
 * Declares a JSON body (`application/json`) with a type but no validation. A server also accepts every `+json` media
 * type.
 */
export function json<Value = unknown>(options?: RequestOptions<false>): PlainBody<"json", Value, Value, false>;
/** Declares a JSON body with a type but no validation. It may be absent. */
export function json<Value = unknown>(options: RequestOptions): PlainBody<"json", Value, Value, true>;
/**
 * Declares a JSON body (`application/json`). A server also accepts every `+json` media type. The handler receives the
 * schema's output.
 */
export function json<Declared extends Schema>(
  schema: Declared & RequestFitsJson<Declared>,
  options?: RequestOptions<false>,
): JsonBody<Declared>;
/** Declares a JSON body that may be absent. The handler receives the schema's output. */
export function json<Declared extends Schema>(
  schema: Declared & RequestFitsJson<Declared>,
  options: RequestOptions,
): PlainBody<"json", OutputOf<Declared>, SentOf<Declared>, true, IsCodec<Declared>>;
export function json(...args: RequestArguments): RequestBody {
  return declareBody(jsonRepresentation, args);
}

/** Declares a text body (`text/plain`, UTF-8). The handler receives a string. */
export function text<Optional extends boolean = false, const Type extends MediaTypes = string>(
  options?: RequestOptions<Optional, Type>,
): TypedBody<"text", string, string, Optional, Type>;
/** Declares a text body (`text/plain`, UTF-8). The handler receives the schema's output. */
export function text<Declared extends Schema, Optional extends boolean = false, const Type extends MediaTypes = string>(
  schema: Declared & Fits<RequestWireOf<Declared>, string, "A text body must be a string">,
  options?: RequestOptions<Optional, Type>,
): TypedBody<"text", OutputOf<Declared>, SentOf<Declared>, Optional, Type, IsCodec<Declared>>;
export function text(...args: RequestArguments): RequestBody {
  return declareBody(requestText, args);
}

/** Declares a body of bytes (`application/octet-stream`). The handler receives a `Uint8Array`. */
export function bytes<Optional extends boolean = false, const Type extends MediaTypes = string>(
  options?: RequestOptions<Optional, Type>,
): TypedBody<"bytes", Uint8Array<ArrayBuffer>, BytesInput, Optional, Type>;
/** Declares a body of bytes (`application/octet-stream`). The handler receives the schema's output. */
export function bytes<
  Declared extends Schema,
  Optional extends boolean = false,
  const Type extends MediaTypes = string,
>(
  schema: Declared & Fits<RequestWireOf<Declared>, BytesInput, "A body of bytes must be a Uint8Array">,
  options?: RequestOptions<Optional, Type>,
): TypedBody<
  "bytes",
  OutputOf<Declared>,
  InputOf<Declared> extends SentOf<Declared> ? BytesInput : SentOf<Declared>,
  Optional,
  Type,
  IsCodec<Declared>
>;
export function bytes(...args: RequestArguments): RequestBody {
  return declareBody(bytesRepresentation, args);
}

/**
 * Declares the fields of a form (`application/x-www-form-urlencoded`), by name. A field that occurs once is a string,
 * and one that occurs several times is a list. If the schema rejects a single string, it is passed as a list of one.
 * The handler receives the schema's output.
 */
export function form<Declared extends Schema, Optional extends boolean = false>(
  schema: Declared & FitsText<Declared, string | string[]>,
  options?: RequestOptions<Optional>,
): PlainBody<"form", OutputOf<Declared>, TextInput<SentOf<Declared>>, Optional, IsCodec<Declared>>;
export function form(...args: RequestArguments): RequestBody {
  return declareBody(formRepresentation, args);
}

/** Declares the fields of a form that can contain files (`multipart/form-data`). The handler receives a `FormData`. */
export function formData<Optional extends boolean = false>(
  options?: FormDataOptions<Optional>,
): PlainBody<"formData", FormData, FormData | AnyFields<FormDataValue>, Optional>;
/**
 * Declares the fields of a form that can contain files (`multipart/form-data`): strings and `File`s by name. Repeated
 * fields become lists, as in {@linkcode form}. The handler receives the schema's output.
 *
 * The whole form is read into memory, with at most 1,000 files. For larger uploads use {@linkcode stream}. There is no
 * `contentType` option, because the platform generates the boundary.
 */
export function formData<Declared extends Schema, Optional extends boolean = false>(
  schema: Declared & FitsFormData<InputOf<Declared>>,
  options?: FormDataOptions<Optional>,
): PlainBody<"formData", OutputOf<Declared>, FormDataInput<Declared>, Optional, IsCodec<Declared>>;
export function formData(...args: RequestArguments): RequestBody {
  return declareBody(formDataRepresentation, args);
}

/**
 * Declares a body of any length that the handler reads as its bytes arrive (`application/octet-stream`). Beyond the
 * limit, the handler's read rejects. The server then answers 413 unless the handler returns another result. It answers
 * 415 to a body with a content coding, such as gzip, unless the route's `headers` declare `content-encoding`.
 */
export function stream<Optional extends boolean = false, const Type extends MediaTypes = string>(
  options?: RequestOptions<Optional, Type>,
): TypedBody<"stream", ReadableStream<Uint8Array<ArrayBuffer>>, StreamInput, Optional, Type>;
export function stream(...args: RequestArguments): RequestBody {
  return declareBody(requestStream, args);
}

/**
 * Declares a body of JSON values, one per line (`application/x-ndjson`), that the handler reads one by one as they
 * arrive. The schema describes one item, and the handler receives its output. Each line ends with a line feed, so that
 * an upload that was cut off never looks complete; empty lines are skipped.
 */
export function ndjson<Declared extends Schema, Optional extends boolean = false>(
  schema: Declared & RequestFitsJson<Declared>,
  options?: NdjsonRequestOptions<Optional>,
): PlainBody<
  "ndjson",
  ReceivedItems<OutputOf<Declared>>,
  ItemsInput<SentOf<Declared>>,
  Optional,
  IsCodec<Declared>
>;
export function ndjson(...args: RequestArguments): RequestBody {
  const { maxItemBytes = 2 ** 20, ...options }: NdjsonRequestOptions = Object(args[1]);
  checkRules({ maxItemBytes }, { maxItemBytes: aPositiveCount }, "request.ndjson()");
  const declared = declareBody(requestNdjson, isObject(args[1]) ? [args[0]!, options] : args);
  return markAs("request", { ...declared, maxItemBytes });
}

/** Declares a body in a custom format, with a type but no validation: see {@linkcode representation}. */
export function asRepresentation<Value, Optional extends boolean = false>(
  representation: CustomRepresentation<Value>,
  options?: RequestAsOptions<Optional>,
): PlainBody<"as", ValueOf<Value>, ValueOf<Value>, Optional>;
/** Declares a body in a custom format: see {@linkcode representation}. The handler receives the schema's output. */
export function asRepresentation<Value, Declared extends Schema, Optional extends boolean = false>(
  representation: CustomRepresentation<Value>,
  schema: Declared & FitsValue<RequestWireOf<Declared>, Value>,
  options?: RequestAsOptions<Optional>,
): PlainBody<"as", OutputOf<Declared>, SentOf<Declared>, Optional, IsCodec<Declared>>;
export function asRepresentation(custom: unknown, ...args: RequestArguments): RequestBody {
  checkRepresentation(custom, "request.as()");
  return declareBody(toCustomBody(custom), args, "second");
}
