import { isBodiless, spreadStatuses, type StatusesIn, type StatusRange } from "../native_response.ts";
import { isMarked, markAs, type Marked } from "../mark.ts";
import {
  type ItemReader,
  type ItemSource,
  ndjson as ndjsonRepresentation,
  responseStream,
} from "../representation/stream.ts";
import {
  bytes as bytesRepresentation,
  checkRepresentation,
  type CustomRepresentation,
  empty as emptyRepresentation,
  json as jsonRepresentation,
  problem as problemRepresentation,
  raw as rawRepresentation,
  responseText,
  toCustomBody,
} from "../representation/whole_body.ts";
import { readContent, type ResponsePlace, type ResponseRepresentation } from "../representation/representation.ts";
import {
  type EventReader,
  type SentComment,
  type SentEvent,
  type SentId,
  sse as sseRepresentation,
} from "../representation/sse.ts";
import { isSchema, type OutputOf, type Schema } from "../schema.ts";
import type { Problem, SentProblem } from "../wire/problem.ts";
import type {
  Fits,
  FitsHeaders,
  FitsValue,
  IsCodec,
  Open,
  ResponseFitsJson,
  ResponseWireOf,
  SentOf,
  ValueOf,
} from "./infer.ts";
import type { MediaRanges, MediaTypes } from "./request.ts";
import { checkObject, checkSchema, describeDeclared, failAt } from "../options.ts";

/**
 * The representations that a response can have.
 *
 * @internal
 */
export type ResponseKind = "json" | "text" | "bytes" | "empty" | "problem" | StreamKind | "raw" | "socket" | "as";

/** The representations whose body arrives piece by piece. */
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
  /** The range of statuses that share the declaration: {@linkcode response}`.statuses`. Absent if there is none. */
  readonly range?: StatusRange;
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
  /** The response with this status code: an integer from 200 to 599, or 101 for `response.raw()` and `response.socket()`. */
  readonly [status: number]: ResponseDeclaration;
}

/**
 * The option `responses`, by status code: declarations, or schemas, which mean `response.json(schema)`.
 * {@linkcode FitsResponses} refuses other values, with a message that says what to write.
 *
 * @internal
 */
export interface DeclaredResponses {
  /** The response with this status code: an integer from 200 to 599, or 101 for `response.raw()` and `response.socket()`. */
  readonly [status: number]: unknown;
}

/**
 * The responses of the option `responses`.
 *
 * @internal
 */
export type ResponsesOf<Declared extends DeclaredResponses> = [keyof Declared] extends [number]
  ? Declared extends Responses ? Declared : { readonly [Status in keyof Declared]: ResponseOf<Declared[Status]> }
  : ByStatus<Declared>;

/** {@linkcode ResponsesOf}, status by status. */
type ByStatus<Declared extends DeclaredResponses> = {
  readonly [Status in keyof Declared as StatusOf<Status>]: ResponseOf<Declared[Status]>;
};

/**
 * The response of a declaration, or of a schema alone.
 *
 * @internal
 */
type ResponseOf<Declared> = Declared extends ResponseDeclaration ? Declared
  : Declared extends Schema ? CheckedResponse<"json", Declared, undefined>
  : never;

/**
 * The status of a key. TypeScript has the key `"200"` for 200 in quotes, and in a spread of a constant or frozen object.
 */
type StatusOf<Key> = Key extends `${infer Status extends number}` ? Status
  : string extends Key ? number
  : Key & number;

/**
 * `unknown` if all keys are statuses, and all values are declarations, or schemas that fit JSON. Otherwise an error
 * message as a type, at its status.
 *
 * @internal
 */
export type FitsResponses<Declared> = [keyof Declared, Declared] extends [DeclaredStatus, Responses] ? unknown
  : VerdictsByKeys<Declared>[keyof Declared extends DeclaredStatus ? "statuses" : "others"];

/** The statuses of declared responses. Other numbers are tested one by one. */
type DeclaredStatus = `${2 | 3 | 4 | 5}${Digit}${Digit}` extends `${infer Status extends number}` ? Status | 101
  : never;

/** A digit of a status. */
type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** {@linkcode FitsResponses}, by the keys of the option. With statuses alone, it costs half as many types. */
interface VerdictsByKeys<Declared> {
  /** All keys are numbers. */
  readonly statuses: { readonly [Status in keyof Declared]: ResponseVerdict<Declared[Status]> };
  /** Some are texts. */
  readonly others: Open<ResponsesVerdict<Declared>>;
}

/** {@linkcode FitsResponses}, status by status. */
type ResponsesVerdict<Declared> = Declared extends readonly unknown[]
  ? Record<"a list has no statuses; write { 200: … }", never>
  : VerdictByKey<Declared>;

/** {@linkcode ResponsesVerdict} of an object. */
type VerdictByKey<Declared> = {
  readonly [Status in keyof Declared]: string extends Status // of Object.fromEntries(), whose keys are checked at run time
    ? ResponseVerdict<Declared[Status]>
    : number extends Status ? ResponseVerdict<Declared[Status]>
    : Status extends DeclaredStatus | `${DeclaredStatus}` ? ResponseVerdict<Declared[Status]>
    : Status extends "headers" ? `"headers" is not a status; declare them in a response: response.json(…, { headers })`
    : `"${Status & (string | number)}" is not a status; write one such as 200`;
};

/**
 * {@linkcode FitsResponses} of one status.
 *
 * @internal
 */
type ResponseVerdict<Declared> = [Declared] extends [Schema] ? ResponseFitsJson<Declared>
  : Open<KindVerdict<Declared>>;

/** {@linkcode ResponseVerdict} of what is not a schema. */
type KindVerdict<Declared> = [Declared] extends [ResponseDeclaration | Schema] ? unknown
  : "this is not a response; write response.json(…), another helper, or a schema";

/** The options of {@linkcode response}`.raw`. */
export interface RawResponseOptions {
  /** A description of the response for the OpenAPI document. Default: none. */
  readonly description?: string;
  /**
   * Not an option: it makes the types reject a schema in the place of options. It is not the key `~standard`, because
   * editors would offer that.
   */
  readonly [schema: `~standard${string}`]: never;
}

/** The options of {@linkcode response}`.empty`. */
export interface EmptyResponseOptions<Headers extends Schema | undefined = Schema | undefined>
  extends RawResponseOptions {
  /**
   * A schema of the headers, by lowercase name. Its output must be strings and lists of strings, and is what the server
   * sends. Default: none, and a result may have any header.
   */
  readonly headers?: Headers & ([Headers] extends [Schema] ? FitsHeaders<ResponseWireOf<Headers>> : unknown);
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
 * A response of items or events that arrive one by one, with a schema for an item or the `data` of an event.
 *
 * @internal
 */
type StreamResponse<
  Kind extends StreamKind,
  Declared extends Schema,
  Headers extends Schema | undefined,
  Sent,
  Received,
> =
  & ResponseDeclaration<
    {
      readonly sent: ItemSource<Sent>;
      readonly received: Received;
      readonly headers: Headers;
      readonly isCodec: IsCodec<Declared>;
    },
    Kind
  >
  & unknown;

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
  const [declared, { headers }] = readContent(representation, args, { where, place: "response", names, position });
  if (headers !== undefined) checkSchema(headers, '"headers"', where, "response");
  return markAs("response", { ...declared, headers });
}

/** Declares a JSON body (`application/json`) with a type but no validation. */
export function json<Value = unknown, Headers extends Schema | undefined = undefined>(
  options?: ResponseOptions<Headers>,
): PlainResponse<"json", Value, NoInfer<Headers>>;
/**
 * Declares a JSON body (`application/json`). The server sends the schema's output. A value that `JSON.stringify` would
 * replace, such as `NaN`, an invalid `Date`, a `Map` or `undefined` in a list, is an error with phase `encode`.
 */
export function json<Declared extends Schema, Headers extends Schema | undefined = undefined>(
  schema: Declared & ResponseFitsJson<Declared>,
  options?: ResponseOptions<Headers>,
): CheckedResponse<"json", Declared, NoInfer<Headers>>;
export function json(...args: ResponseArguments): ResponseDeclaration {
  return declareResponse(jsonRepresentation, args);
}

/** Declares a text body (`text/plain;charset=UTF-8`). */
export function text<Headers extends Schema | undefined = undefined, const Type extends MediaTypes = string>(
  options?: ResponseOptions<Headers, Type>,
): PlainResponse<"text", string, HeadersWith<NoInfer<Headers>, Type>>;
/** Declares a text body (`text/plain;charset=UTF-8`). The server sends the schema's output. */
export function text<
  Declared extends Schema,
  Headers extends Schema | undefined = undefined,
  const Type extends MediaTypes = string,
>(
  schema: Declared & Fits<ResponseWireOf<Declared>, string, "A text body must be a string">,
  options?: ResponseOptions<Headers, Type>,
): CheckedResponse<"text", Declared, HeadersWith<NoInfer<Headers>, Type>>;
export function text(...args: ResponseArguments): ResponseDeclaration {
  return declareResponse(responseText, args);
}

/** Declares a body of bytes (`application/octet-stream`). */
export function bytes<Headers extends Schema | undefined = undefined, const Type extends MediaTypes = string>(
  options?: ResponseOptions<Headers, Type>,
): ResponseDeclaration<
  {
    readonly sent: Uint8Array;
    readonly received: Uint8Array<ArrayBuffer>;
    readonly headers: HeadersWith<NoInfer<Headers>, Type>;
  },
  "bytes"
>;
/** Declares a body of bytes (`application/octet-stream`). The server sends the schema's output. */
export function bytes<
  Declared extends Schema,
  Headers extends Schema | undefined = undefined,
  const Type extends MediaTypes = string,
>(
  schema: Declared & Fits<ResponseWireOf<Declared>, Uint8Array, "A body of bytes must be a Uint8Array">,
  options?: ResponseOptions<Headers, Type>,
): CheckedResponse<"bytes", Declared, HeadersWith<NoInfer<Headers>, Type>>;
export function bytes(...args: ResponseArguments): ResponseDeclaration {
  return declareResponse(bytesRepresentation, args);
}

/** Declares no body. The statuses 204, 205 and 304 accept only this or `raw`. */
export function empty<Headers extends Schema | undefined = undefined>(
  options?: EmptyResponseOptions<Headers>,
): PlainResponse<"empty", undefined, NoInfer<Headers>>;
export function empty(...args: ResponseArguments): ResponseDeclaration {
  return declareResponse(emptyRepresentation, args);
}

/**
 * Declares a problem document (RFC 9457, `application/problem+json`). If the adapter itself answers with the status,
 * such as 400 or 404, this declaration also types that answer. The members `type` (`about:blank`), `title` and `status`
 * have defaults that follow from the status. The handler can replace them. A client omits members of another type than
 * RFC 9457 specifies.
 */
export function problem<Headers extends Schema | undefined = undefined>(
  options?: ResponseOptions<Headers>,
): ResponseDeclaration<
  { readonly sent: SentProblem | undefined; readonly received: Problem; readonly headers: NoInfer<Headers> },
  "problem"
>;
/**
 * Declares a problem document (RFC 9457, `application/problem+json`). The server sends the schema's output. The schema
 * does not validate the documents that the adapter itself answers with.
 */
export function problem<Declared extends Schema, Headers extends Schema | undefined = undefined>(
  schema:
    & Declared
    & Fits<ResponseWireOf<Declared>, object, "A problem must be an object">
    & ResponseFitsJson<Declared>,
  options?: ResponseOptions<Headers>,
): CheckedResponse<"problem", Declared, NoInfer<Headers>>;
export function problem(...args: ResponseArguments): ResponseDeclaration {
  return declareResponse(problemRepresentation, args);
}

/**
 * Declares a stream of bytes (`application/octet-stream`). The handler returns an iterable or a stream of them, and the
 * client receives a `ReadableStream`.
 */
export function stream<Headers extends Schema | undefined = undefined, const Type extends MediaTypes = string>(
  options?: ResponseOptions<Headers, Type>,
): ResponseDeclaration<
  {
    readonly sent: ItemSource<Uint8Array>;
    readonly received: ReadableStream<Uint8Array<ArrayBuffer>>;
    readonly headers: HeadersWith<NoInfer<Headers>, Type>;
  },
  "stream"
>;
export function stream(...args: ResponseArguments): ResponseDeclaration {
  return declareResponse(responseStream, args);
}

/**
 * Declares a stream of JSON values, one per line (`application/x-ndjson`). The schema describes one value, and the
 * server sends its output.
 */
export function ndjson<Declared extends Schema, Headers extends Schema | undefined = undefined>(
  schema: Declared & ResponseFitsJson<Declared>,
  options?: ResponseOptions<Headers>,
): StreamResponse<"ndjson", Declared, NoInfer<Headers>, SentOf<Declared>, ItemReader<OutputOf<Declared>>>;
export function ndjson(...args: ResponseArguments): ResponseDeclaration {
  return declareResponse(ndjsonRepresentation, args);
}

/**
 * Declares server-sent events (`text/event-stream`). The schema describes their `data`, and the server sends its output
 * as JSON.
 */
export function sse<Declared extends Schema, Headers extends Schema | undefined = undefined>(
  schema: Declared & ResponseFitsJson<Declared>,
  options?: ResponseOptions<Headers>,
): StreamResponse<
  "sse",
  Declared,
  NoInfer<Headers>,
  SentEvent<SentOf<Declared>> | SentId | SentComment,
  EventReader<OutputOf<Declared>>
>;
export function sse(...args: ResponseArguments): ResponseDeclaration {
  return declareResponse(sseRepresentation, args);
}

/**
 * Declares a native `Response` that the handler creates with the declared status. The status 101 accepts only this and
 * `socket`.
 */
export function raw(options?: RawResponseOptions): PlainResponse<"raw", Response, undefined>;
export function raw(...args: ResponseArguments): ResponseDeclaration {
  return declareResponse(rawRepresentation, args);
}

/** Declares a body in a custom format, with a type but no validation: see {@linkcode representation}. */
export function asRepresentation<Value, Headers extends Schema | undefined = undefined>(
  representation: CustomRepresentation<Value>,
  options?: ResponseAsOptions<Headers>,
): PlainResponse<"as", ValueOf<Value>, NoInfer<Headers>>;
/** Declares a body in a custom format: see {@linkcode representation}. The server sends the schema's output. */
export function asRepresentation<Value, Declared extends Schema, Headers extends Schema | undefined = undefined>(
  representation: CustomRepresentation<Value>,
  schema: Declared & FitsValue<ResponseWireOf<Declared>, Value>,
  options?: ResponseAsOptions<Headers>,
): CheckedResponse<"as", Declared, NoInfer<Headers>>;
export function asRepresentation(custom: unknown, ...args: ResponseArguments): ResponseDeclaration {
  checkRepresentation(custom, "response.as()");
  return declareResponse(toCustomBody(custom), args, "second");
}

/**
 * Declares one response for all registered statuses of a class, to be spread into `responses`: `"4XX"` for client
 * errors, `"5XX"` for server errors, `"default"` for both, also `"2XX"` and `"3XX"`. A schema means
 * `response.json(schema)`. It leaves out 204, 205 and 304, which have no content. Write it before the statuses with
 * responses of their own, which then replace it. Handlers can return each status, clients narrow by it, and the OpenAPI
 * document has the range.
 *
 * @example An error of any status
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { openApiDocument } from "@scope/api/openapi";
 * import { assertEquals } from "@std/assert";
 * import { type } from "arktype";
 *
 * const Failure = response.json(type({ message: "string" }));
 * const contract = defineContract({
 *   routes: {
 *     read: route.get("/", {
 *       responses: { ...response.statuses("default", Failure), 200: response.text(), 404: response.empty() },
 *     }),
 *   },
 * });
 *
 * const { paths } = openApiDocument(contract, { info: { title: "", version: "" }, refusals: false });
 * assertEquals(Object.keys(paths["/"]!.get!.responses), ["200", "404", "default"]);
 * ```
 *
 * @throws {TypeError} If the range is not one of these, or the response is not a declaration.
 */
export function statuses<Range extends StatusRange, Declared extends ResponseDeclaration | Schema>(
  range: Range,
  declared: Declared & ResponseVerdict<Declared>,
): { readonly [Status in StatusesIn[Range]]: ResponseOf<Declared> } {
  const response = toDeclaration(declared);
  if (!isMarked(response, "response")) {
    failAt(
      "response.statuses()",
      `the second argument must be a schema or a declaration, got ${
        describeDeclared(declared)
      }; write response.json(…)`,
    );
  }
  const ranged: unknown = markAs("response", { ...response, range });
  return spreadStatuses(range, ranged as ResponseOf<Declared>); // it lacks no member of it
}

/**
 * Returns a frozen copy of the option `responses`. Throws a `TypeError` if one of them is invalid. `place` are the options
 * that have it, with the method of a route.
 */
export function copyResponses(responses: unknown, where: string, place: ResponsePlace): Responses {
  const copy = mergeResponses(checkObject(responses, where, '"responses"') as Responses);
  for (const status of Object.keys(copy)) {
    const state = responseProblem(status, copy[+status], place);
    if (state !== undefined) failAt(where, state);
  }
  return copy;
}

/**
 * Merges the frozen responses of several sources. The first source with a status wins. A schema becomes a declaration.
 *
 * Each property is defined as frozen, one by one. If a spread or an assignment adds the key 200, V8 allocates 317
 * element slots: 2.8 KB instead of 0.2, in twice the time. `Object.entries` with such keys would also take twice the
 * time.
 */
export function mergeResponses(...sources: readonly Responses[]): Responses {
  const merged: Responses = {};
  for (const source of sources) {
    for (const status of Object.keys(source)) {
      if (Object.hasOwn(merged, status)) continue;
      Object.defineProperty(merged, status, { value: toDeclaration(source[+status]), enumerable: true });
    }
  }
  return Object.freeze(merged);
}

/** Returns the declaration that a schema alone means, and every other value as it is. */
function toDeclaration(declared: unknown): unknown {
  return isSchema(declared) ? declareResponse(jsonRepresentation, [declared]) : declared;
}

/** Returns whether `value` was made by a helper of `response`. */
export function isResponseDeclaration(value: unknown): value is ResponseDeclaration {
  return isMarked(value, "response");
}

function responseProblem(status: string, declared: unknown, place: ResponsePlace): string | undefined {
  const representation = isResponseDeclaration(declared) ? declared.representation : undefined;
  const isUpgrade = status === "101" && representation?.isNative;
  if (!isUpgrade && !/^[2-5]\d\d$/.test(status)) {
    return `"responses" must have statuses from 200 to 599 (101 is allowed for response.raw()), got ${
      JSON.stringify(status)
    }`;
  }
  if (!representation) {
    return `response ${status} must be a schema or a declaration, got ${
      describeDeclared(declared)
    }; write response.json(…) or another helper`;
  }
  if (isBodiless(+status) && representation.contentType !== undefined) {
    return `response ${status} must not have a body; use response.empty() or response.raw()`;
  }
  return representation.checkPlace?.(status, place);
}
