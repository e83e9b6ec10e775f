import { markAs, type Marked } from "../mark.ts";
import { type OutputOf, type Schema } from "../schema.ts";
import { cannotDeclare, checkOptions, checkSchema } from "./declared.ts";
import { type Fits, type FitsHeaders, type FitsJson, type GivenOf, type ResponseWireOf } from "./infer.ts";
import { checkContentType } from "./check_content_type.ts";
import { type Problem } from "./problem.ts";
import { splitArguments } from "./request.ts";
import { type EventReader, type ItemReader, type ItemSource, type SentComment, type SentEvent } from "./stream.ts";

/** How a response's body is represented. */
export type ResponseKind = "json" | "text" | "bytes" | "empty" | "problem" | StreamKind | "raw";

/** How a body that arrives piece by piece is represented. */
export type StreamKind = "stream" | "ndjson" | "sse";

/** What the two sides make of a response; it exists in types only. */
export interface ResponseContent {
  /** What the handler gives. */
  readonly given: unknown;
  /** What the client sees. */
  readonly seen: unknown;
  /** The schema of the headers, where one is declared. */
  readonly headers: Schema | undefined;
}

/** A declared response; made by {@linkcode response}. */
export interface ResponseDeclaration<Content extends ResponseContent = ResponseContent> extends Marked<"response"> {
  /** How the body is represented. */
  readonly kind: ResponseKind;
  /** The media type that is sent, and the only one that the client takes for it. `undefined` for an empty or a raw response. */
  readonly contentType: string | undefined;
  /** What the server checks, and a codec on both sides; of NDJSON it describes an item, of events their `data`. */
  readonly schema: Schema | undefined;
  /** The schema of the headers. */
  readonly headers: Schema | undefined;
  /** What documentation says of it. */
  readonly description: string | undefined;
  /** What the two sides make of it, in types only. */
  readonly types?: Content;
}

/** What the two sides make of a declared response. */
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
export interface ResponseOptions<Headers extends Schema | undefined = Schema | undefined>
  extends EmptyResponseOptions<Headers> {
  /** The media type, where it is not the usual one of the representation. */
  readonly contentType?: string;
}

/** A response whose client sees what the handler gives. */
export type PlainResponse<Value, Headers extends Schema | undefined> = ResponseDeclaration<
  { readonly given: Value; readonly seen: Value; readonly headers: Headers }
>;

/** A response whose body a schema describes. */
export type CheckedResponse<Declared extends Schema, Headers extends Schema | undefined> = ResponseDeclaration<
  { readonly given: GivenOf<Declared>; readonly seen: OutputOf<Declared>; readonly headers: Headers }
>;

/** A response whose items, each described by a schema, arrive one by one. */
export type NdjsonResponse<Declared extends Schema, Headers extends Schema | undefined> = ResponseDeclaration<
  {
    readonly given: ItemSource<GivenOf<Declared>>;
    readonly seen: ItemReader<OutputOf<Declared>>;
    readonly headers: Headers;
  }
>;

/** A response of events whose `data` a schema describes. */
export type SseResponse<Declared extends Schema, Headers extends Schema | undefined> = ResponseDeclaration<
  {
    readonly given: ItemSource<SentEvent<GivenOf<Declared>> | SentComment>;
    readonly seen: EventReader<OutputOf<Declared>>;
    readonly headers: Headers;
  }
>;

/** The helper functions behind {@linkcode response}. */
export interface ResponseHelpers {
  /** A JSON body (`application/json`). What is sent is the schema's output. */
  json<Declared extends Schema, Headers extends Schema | undefined = undefined>(
    schema: Declared & FitsJson<ResponseWireOf<Declared>>,
    options?: ResponseOptions<Headers>,
  ): CheckedResponse<Declared, NoInfer<Headers>>;
  /** A JSON body (`application/json`) that is typed, not checked. */
  json<Value = unknown, Headers extends Schema | undefined = undefined>(
    options?: ResponseOptions<Headers>,
  ): PlainResponse<Value, NoInfer<Headers>>;
  /** A text body (`text/plain;charset=UTF-8`). What is sent is the schema's output. */
  text<Declared extends Schema, Headers extends Schema | undefined = undefined>(
    schema: Declared & Fits<ResponseWireOf<Declared>, string, "A text body is a string">,
    options?: ResponseOptions<Headers>,
  ): CheckedResponse<Declared, NoInfer<Headers>>;
  /** A text body (`text/plain;charset=UTF-8`). */
  text<Headers extends Schema | undefined = undefined>(
    options?: ResponseOptions<Headers>,
  ): PlainResponse<string, NoInfer<Headers>>;
  /** A body of bytes (`application/octet-stream`). What is sent is the schema's output. */
  bytes<Declared extends Schema, Headers extends Schema | undefined = undefined>(
    schema: Declared & Fits<ResponseWireOf<Declared>, Uint8Array, "A body of bytes is a Uint8Array">,
    options?: ResponseOptions<Headers>,
  ): CheckedResponse<Declared, NoInfer<Headers>>;
  /** A body of bytes (`application/octet-stream`). */
  bytes<Headers extends Schema | undefined = undefined>(
    options?: ResponseOptions<Headers>,
  ): ResponseDeclaration<
    { readonly given: Uint8Array; readonly seen: Uint8Array<ArrayBuffer>; readonly headers: NoInfer<Headers> }
  >;
  /** No body. The only representation of 204, 205 and 304, but for a raw one. */
  empty<Headers extends Schema | undefined = undefined>(
    options?: EmptyResponseOptions<Headers>,
  ): PlainResponse<undefined, NoInfer<Headers>>;
  /** A problem document (RFC 9457, `application/problem+json`). What is sent is the schema's output. */
  problem<Declared extends Schema, Headers extends Schema | undefined = undefined>(
    schema:
      & Declared
      & Fits<ResponseWireOf<Declared>, object, "A problem is an object">
      & FitsJson<ResponseWireOf<Declared>>,
    options?: ResponseOptions<Headers>,
  ): CheckedResponse<Declared, NoInfer<Headers>>;
  /**
   * A problem document (RFC 9457, `application/problem+json`). Declared for a status that the adapter answers with by itself,
   * such as 400 or 404, it types that answer too.
   */
  problem<Headers extends Schema | undefined = undefined>(
    options?: ResponseOptions<Headers>,
  ): PlainResponse<Problem, NoInfer<Headers>>;
  /** Bytes as they come (`application/octet-stream`): the handler gives what yields them, the client sees a `ReadableStream`. */
  stream<Headers extends Schema | undefined = undefined>(
    options?: ResponseOptions<Headers>,
  ): ResponseDeclaration<
    {
      readonly given: ItemSource<Uint8Array>;
      readonly seen: ReadableStream<Uint8Array<ArrayBuffer>>;
      readonly headers: NoInfer<Headers>;
    }
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
  raw(options?: RawResponseOptions): PlainResponse<Response, undefined>;
}

/**
 * Declares the representation of a response, for the `responses` of a route, router or contract. The last argument is always
 * options; without a schema there is typing at compile time and no check at run time.
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
 *
 * Each throws a `TypeError` for an unknown option, a malformed media type or something that is no Standard Schema.
 */
export const response: ResponseHelpers = /* @__PURE__ */ Object.freeze({
  json: (...given: Given) => declareResponse("json", "application/json", given),
  text: (...given: Given) => declareResponse("text", "text/plain;charset=UTF-8", given),
  bytes: (...given: Given) => declareResponse("bytes", "application/octet-stream", given),
  empty: (...given: Given) => declareResponse("empty", undefined, given),
  problem: (...given: Given) => declareResponse("problem", "application/problem+json", given),
  stream: (...given: Given) => declareResponse("stream", "application/octet-stream", given),
  ndjson: (...given: Given) => declareResponse("ndjson", "application/x-ndjson", given),
  sse: (...given: Given) => declareResponse("sse", "text/event-stream", given),
  raw: (...given: Given) => declareResponse("raw", undefined, given),
}) as ResponseHelpers; // overloads are stated in ResponseHelpers alone

type Given = readonly [schema?: Schema | ResponseOptions, options?: ResponseOptions];

function declareResponse(kind: ResponseKind, usualType: string | undefined, given: Given): ResponseDeclaration {
  const where = `response.${kind}()`;
  const { schema, options } = splitArguments(given, where);
  const state = refuseSchema(kind, schema);
  if (state !== undefined) cannotDeclare(where, state);
  const allowed = ["contentType", "headers", "description"].slice(kind === "raw" ? 2 : usualType === undefined ? 1 : 0);
  checkOptions(options, allowed, where);
  const { contentType = usualType, headers, description } = options as ResponseOptions;
  if (contentType !== undefined) checkContentType(contentType, where);
  if (headers !== undefined) checkSchema(headers, "headers", where);
  return markAs("response", { kind, contentType, schema, headers, description });
}

function refuseSchema(kind: ResponseKind, schema: Schema | undefined): string | undefined {
  if (kind === "ndjson" || kind === "sse") return schema ? undefined : "its schema is missing; write one of an item";
  if (!schema || (kind !== "empty" && kind !== "raw" && kind !== "stream")) return undefined;
  return `it has no ${kind === "empty" ? "body" : "value"} for a schema to describe; leave the schema out`;
}
