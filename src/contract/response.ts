import { markAs, type Marked } from "../mark.ts";
import { type OutputOf, type Schema } from "../schema.ts";
import { cannotDeclare, checkOptions, checkSchema } from "./declared.ts";
import { type Fits, type FitsHeaders, type FitsJson, type GivenOf, type ResponseWireOf } from "./infer.ts";
import { checkContentType } from "./check_content_type.ts";
import { splitArguments } from "./request.ts";

/** How a response's body is represented. */
export type ResponseKind = "json" | "text" | "bytes" | "empty";

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
  /** The media type that is sent, and the only one that the client takes for it. `undefined` for an empty response. */
  readonly contentType: string | undefined;
  /** What the server checks, and a codec on both sides. */
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
  /** A response declared for a status from 200 to 599. */
  readonly [status: number]: ResponseDeclaration;
}

/** The options of {@linkcode response}`.empty`. */
export interface EmptyResponseOptions<Headers extends Schema | undefined = Schema | undefined> {
  /** A schema of the headers: names in lower case, output of strings and lists of strings. Its output is what is sent. Default: any may be given. */
  readonly headers?: Headers & (Headers extends Schema ? FitsHeaders<ResponseWireOf<Headers>> : unknown);
  /** What documentation says of the response. */
  readonly description?: string;
  /** Tells an options object from a schema. */
  readonly "~standard"?: never;
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
  /** No body. The only representation of 204, 205 and 304. */
  empty<Headers extends Schema | undefined = undefined>(
    options?: EmptyResponseOptions<Headers>,
  ): PlainResponse<undefined, NoInfer<Headers>>;
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
}) as ResponseHelpers; // overloads are stated in ResponseHelpers alone

type Given = readonly [schema?: Schema | ResponseOptions, options?: ResponseOptions];

function declareResponse(kind: ResponseKind, usualType: string | undefined, given: Given): ResponseDeclaration {
  const where = `response.${kind}()`;
  const { schema, options } = splitArguments(given, where);
  if (kind === "empty" && schema) {
    cannotDeclare(where, "it has no body for a schema to describe; leave the schema out");
  }
  checkOptions(options, [...(usualType === undefined ? [] : ["contentType"]), "headers", "description"], where);
  const { contentType = usualType, headers, description } = options as ResponseOptions;
  if (contentType !== undefined) checkContentType(contentType, where);
  if (headers !== undefined) checkSchema(headers, "headers", where);
  return markAs("response", { kind, contentType, schema, headers, description });
}
