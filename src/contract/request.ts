import { markAs, type Marked } from "../mark.ts";
import { type InputOf, isSchema, type OutputOf, type Schema } from "../schema.ts";
import { checkOptions, checkSchema } from "./declared.ts";
import { type Fits, type FitsJson, type GivenOf, type RequestWireOf } from "./infer.ts";
import { checkContentType } from "./check_content_type.ts";

/** How a request's body is represented. */
export type RequestKind = "json" | "text" | "bytes";

/** What the two sides make of a request body; it exists in types only. */
export interface RequestContent {
  /** What the handler sees. */
  readonly seen: unknown;
  /** What the client gives. */
  readonly given: unknown;
}

/** A declared request body; made by {@linkcode request}. */
export interface RequestBody<Content extends RequestContent = RequestContent> extends Marked<"request"> {
  /** How the body is represented. */
  readonly kind: RequestKind;
  /** The media type that the client sends and the server asks for. */
  readonly contentType: string;
  /** What the server checks, and a codec on both sides. */
  readonly schema: Schema | undefined;
  /** What documentation says of it. */
  readonly description: string | undefined;
  /** What the two sides make of it, in types only. */
  readonly types?: Content;
}

/** The options of every {@linkcode request} helper. */
export interface RequestOptions {
  /** The media type, where it is not the usual one of the representation. Compared by essence: without parameters, in any case. */
  readonly contentType?: string;
  /** What documentation says of the body. */
  readonly description?: string;
  /** Tells an options object from a schema. */
  readonly "~standard"?: never;
}

/** What a client may give for bytes. */
export type GivenBytes = Uint8Array | ArrayBuffer | Blob;

/** The helper functions behind {@linkcode request}. */
export interface RequestHelpers {
  /** A JSON body (`application/json`, of which a server also admits every `+json` type). The handler sees the schema's output. */
  json<Declared extends Schema>(
    schema: Declared & FitsJson<RequestWireOf<Declared>>,
    options?: RequestOptions,
  ): JsonBody<Declared>;
  /** A JSON body (`application/json`, of which a server also admits every `+json` type) that is typed, not checked. */
  json<Value = unknown>(
    options?: RequestOptions,
  ): RequestBody<{ readonly seen: Value; readonly given: Value }>;
  /** A text body (`text/plain`, UTF-8). The handler sees the schema's output. */
  text<Declared extends Schema>(
    schema: Declared & Fits<RequestWireOf<Declared>, string, "A text body is a string">,
    options?: RequestOptions,
  ): RequestBody<{ readonly seen: OutputOf<Declared>; readonly given: GivenOf<Declared> }>;
  /** A text body (`text/plain`, UTF-8). */
  text(options?: RequestOptions): RequestBody<{ readonly seen: string; readonly given: string }>;
  /** A body of bytes (`application/octet-stream`). The handler sees the schema's output. */
  bytes<Declared extends Schema>(
    schema: Declared & Fits<RequestWireOf<Declared>, GivenBytes, "A body of bytes is a Uint8Array">,
    options?: RequestOptions,
  ): RequestBody<
    {
      readonly seen: OutputOf<Declared>;
      readonly given: InputOf<Declared> extends GivenOf<Declared> ? GivenBytes : GivenOf<Declared>;
    }
  >;
  /** A body of bytes (`application/octet-stream`). The handler sees a `Uint8Array`. */
  bytes(options?: RequestOptions): RequestBody<{ readonly seen: Uint8Array<ArrayBuffer>; readonly given: GivenBytes }>;
}

/** The body that a bare schema declares: JSON. */
export type JsonBody<Declared extends Schema> = RequestBody<
  { readonly seen: OutputOf<Declared>; readonly given: GivenOf<Declared> }
>;

/**
 * Declares the representation of a request's body, for the `body` slot of a route. The last argument is always options;
 * without a schema there is typing at compile time and no check at run time.
 *
 * @example Three representations
 * ```ts
 * import { request } from "@scope/api";
 * import { assertEquals } from "@std/assert";
 * import { type } from "arktype";
 *
 * assertEquals(request.json(type({ name: "string" })).contentType, "application/json");
 * assertEquals(request.text().contentType, "text/plain");
 * assertEquals(request.bytes({ contentType: "image/png" }).contentType, "image/png");
 * ```
 *
 * Each throws a `TypeError` for an unknown option, a malformed media type or something that is no Standard Schema.
 */
export const request: RequestHelpers = /* @__PURE__ */ Object.freeze({
  json: (...given: Given) => declareBody("json", "application/json", given),
  text: (...given: Given) => declareBody("text", "text/plain", given),
  bytes: (...given: Given) => declareBody("bytes", "application/octet-stream", given),
}) as RequestHelpers; // overloads are stated in RequestHelpers alone

type Given = readonly [schema?: Schema | RequestOptions, options?: RequestOptions];

function declareBody(kind: RequestKind, usualType: string, given: Given): RequestBody {
  const where = `request.${kind}()`;
  const { schema, options } = splitArguments(given, where);
  checkOptions(options, ["contentType", "description"], where);
  const { contentType = usualType, description } = options as RequestOptions;
  checkContentType(contentType, where);
  return markAs("request", { kind, contentType, schema, description });
}

/**
 * Tells the two forms `helper(schema, options)` and `helper(options)` apart. An `undefined` that was written out is refused: it
 * is a schema that got lost, in a circle of imports perhaps, and would leave the body unchecked.
 */
export function splitArguments<Options>(
  given: readonly [schema?: Schema | Options, options?: Options],
  where: string,
): { schema: Schema | undefined; options: Options | Record<string, never> } {
  const [first, ...rest] = given;
  const isOptions = given.length === 0 || (given.length === 1 && typeof first === "object" && !isSchema(first));
  if (isOptions) return { schema: undefined, options: given.length === 0 ? {} : first as Options };
  checkSchema(first, "its first argument", where);
  return { schema: first, options: rest.length === 0 || rest[0] === undefined ? {} : rest[0] };
}
