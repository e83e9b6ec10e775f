/**
 * The formats of content that is encoded and decoded as a whole: JSON (RFC 8259), text in UTF-8, bytes, problem documents
 * (RFC 9457), and those of other libraries. Beside them, no content, and native responses.
 */
import { type Awaitable, whenReady } from "../awaitable.ts";
import { isMarked, markAs, type Marked } from "../mark.ts";
import { describeConfidential } from "../messages.ts";
import { checkOptions, checkRule, checkRules, describeDeclared, failAt, requireFunctions } from "../options.ts";
import { encodeJson, encodeStrictJson, parseJson } from "../wire/json.ts";
import { mediaTypeEssence, problemType } from "../wire/media_type.ts";
import { decodeText, discardBody, isBytes } from "../wire/read_bytes.ts";
import {
  aMediaType,
  type Incoming,
  mediaRanges,
  type Representation,
  type ResponseRepresentation,
  trackResults,
  type WholeBody,
  type WholeContent,
} from "./representation.ts";

/** A JSON value. */
export const json: WholeBody<"json"> = /* @__PURE__ */ Object.freeze<WholeBody<"json">>({
  kind: "json",
  contentType: "application/json",
  encode: (value) => encodeStrictJson(value),
});

/** Decodes JSON content for a server. Throws a `SyntaxError` if it is malformed. */
export function decodeJson(content: Uint8Array): unknown {
  return parseJson(new TextDecoder().decode(content));
}

/** The text of a request. */
export const requestText: WholeBody<"text"> = /* @__PURE__ */ textBody("text/plain");

/** The text of a response, with its charset in Fetch's spelling. */
export const responseText: WholeBody<"text"> = /* @__PURE__ */ textBody("text/plain;charset=UTF-8");

function textBody(contentType: string): WholeBody<"text"> {
  return Object.freeze<WholeBody<"text">>({
    kind: "text",
    contentType,
    ranges: mediaRanges,
    encode: encodeText,
    decode: decodeText,
  });
}

/** Encodes a text. Throws a `TypeError` if UTF-8 cannot represent it. */
export function encodeText(value: unknown): string {
  if (typeof value === "string" && value.isWellFormed()) return value;
  throw new TypeError("A text body must be a string without lone surrogates");
}

/** The bytes of a view, a buffer or a blob. */
export const bytes: WholeBody<"bytes"> = /* @__PURE__ */ Object.freeze<WholeBody<"bytes">>({
  kind: "bytes",
  contentType: "application/octet-stream",
  ranges: mediaRanges,
  encode: encodeBytes,
  decode: (content) => content,
});

/** Encodes bytes. Throws a `TypeError` for anything else. */
export function encodeBytes(value: unknown): Uint8Array<ArrayBuffer> | ArrayBuffer | Blob {
  if (value instanceof Uint8Array || value instanceof ArrayBuffer || value instanceof Blob) {
    return value as Uint8Array<ArrayBuffer>; // a view of shared memory fails when the message is built
  }
  throw new TypeError("A body of bytes must be a Uint8Array");
}

/**
 * A problem document. Without a schema, members of another type than RFC 9457 defines are left out, so that the
 * declared type is correct.
 */
export const problem: ResponseRepresentation<"problem"> = /* @__PURE__ */ Object.freeze<
  ResponseRepresentation<"problem">
>({
  kind: "problem",
  contentType: problemType,
  planUndescribed: (toProblem) => (value) => {
    const document = toProblem(value);
    if (document) return document;
    throw new TypeError("A problem document must be a JSON object");
  },
});

/** Encodes a problem document. Throws a `TypeError` if it is not an object, such as a `Date`, whose JSON is a string. */
export function encodeProblem(value: unknown): string {
  const text = encodeJson(value);
  if (text.startsWith("{")) return text;
  throw new TypeError("A problem must be an object");
}

/** The return value of `encode` of a {@linkcode CustomRepresentation}. A string is sent as UTF-8. */
export type EncodedContent = string | Uint8Array | Blob;

/**
 * A custom format for values of a type: encodes them as bytes and decodes them. {@linkcode representation} returns it.
 */
export interface CustomRepresentation<Value = unknown> extends Marked<"representation"> {
  /** The media type that is sent. Requests and responses must have the same one, compared without parameters. */
  readonly contentType: string;
  /** `"json"` if the encoded values have the structure of JSON, so that documents can show their JSON Schema. */
  readonly structure: "json" | undefined;
  /** Encodes a value. */
  encode(value: Value): Awaitable<EncodedContent>; // a method is bivariant, so every representation is assignable to CustomRepresentation
  /** Decodes the content of a message. Throws if it is malformed. */
  decode(content: Uint8Array<ArrayBuffer>): Awaitable<Value>;
}

/**
 * The representation that a declaration by `as()` carries. Servers run the same functions.
 *
 * @internal
 */
export interface CustomBody extends WholeBody<"as"> {
  readonly isTypeFixed: true;
  readonly structure?: "json";
  readonly custom: CustomRepresentation;
  /** Decodes the content of a request. Throws if it is malformed. */
  readonly decode: (content: Uint8Array<ArrayBuffer>) => Awaitable<unknown>;
}

/** The options of {@linkcode representation}. */
export interface RepresentationOptions<Value> {
  /** The media type, which is sent as written here. It is compared without parameters and case-insensitively. */
  readonly contentType: string;
  /**
   * Encodes a value as text (sent as UTF-8), bytes or a `Blob`, synchronously or not. If it throws, the server answers
   * 500 (phase `encode`), and a client's call rejects with `invalid-input`.
   */
  readonly encode: (value: Value) => Awaitable<EncodedContent>;
  /**
   * Decodes the whole content of a message, synchronously or not. It must throw for malformed content. The server then
   * answers 400 `invalid-body` without the error's message, and a client's call rejects with `invalid-body`.
   */
  readonly decode: (content: Uint8Array<ArrayBuffer>) => Awaitable<Value>;
  /**
   * `"json"` if the content has the structure of JSON, as MessagePack and CBOR do. The OpenAPI document then shows the
   * schema. Default: it shows binary content.
   */
  readonly structure?: "json";
}

/**
 * Creates a custom representation, such as MessagePack, CBOR, Protobuf or CSV, for `request.as()` and `response.as()`.
 * It converts plain values to the whole content of a message and back. The schema of a declaration validates the values
 * as it does for JSON.
 *
 * @example Numbers, one a line
 * ```ts
 * import { representation, request, response, route } from "@scope/api";
 * import { assertEquals } from "@std/assert";
 *
 * const lines = representation<readonly number[]>({
 *   contentType: "text/vnd.numbers;charset=utf-8",
 *   encode: (numbers) => numbers.join("\n"),
 *   decode: (bytes) => new TextDecoder().decode(bytes).split("\n").map(Number),
 * });
 * const double = route.post("/double", { body: request.as(lines), responses: { 200: response.as(lines) } });
 *
 * assertEquals(double.body.contentType, "text/vnd.numbers;charset=utf-8");
 * ```
 *
 * @typeParam Value The values that can be encoded, and that decoding returns.
 * @throws {TypeError} If the content type is invalid, or belongs to forms, server-sent events or NDJSON; if a function
 * is missing or an option is unknown.
 */
export function representation<Value = unknown>(
  options: RepresentationOptions<Value>,
): CustomRepresentation<Value> {
  const where = "representation()";
  checkOptions(options, ["contentType", "encode", "decode", "structure"], where);
  const { contentType, encode, decode, structure } = options;
  checkRule(contentType, '"contentType"', aMediaType, where);
  if (notWhole.test(mediaTypeEssence(contentType))) {
    failAt(
      where,
      `"contentType" must be the type of a single value, got "${contentType}"; ` +
        "use request.formData(), response.sse(), response.ndjson() or a stream()",
    );
  }
  requireFunctions({ encode, decode }, where);
  checkRules(options, { structure: ['"json" or omitted', (value) => value === "json"] }, where);
  return markAs("representation", { contentType, encode, decode, structure });
}

/** Multipart forms, server-sent events, and the media types of JSON sequences. */
const notWhole =
  /^(?:multipart\/.*|text\/event-stream|[^/]+\/(?:.*\+)?(?:x-)?(?:ndjson|jsonl|json-?lines|json-seq|json-stream|stream\+json))$/;

/** Throws a `TypeError` unless {@linkcode representation} created the value. */
export function checkRepresentation(value: unknown, where: string): asserts value is CustomRepresentation {
  if (isMarked(value, "representation")) return;
  failAt(where, `the first argument must be made by representation(…), got ${describeDeclared(value)}`);
}

/** Creates the representation that declarations by `as()` carry. */
export function toCustomBody(custom: CustomRepresentation): CustomBody {
  const { contentType, structure, encode, decode } = custom;
  return Object.freeze<CustomBody>({
    kind: "as",
    contentType,
    encode: (value) => whenReady(encode(value), checkContent),
    isTypeFixed: true,
    custom,
    ...(structure && { structure }),
    decode: (content) => decode(content), // without `this`, like every other function
  });
}

/** Returns the representation of a declaration by `text()`, `bytes()` or `as()`, for servers. */
export function wholeBodyOf(representation: Representation): Required<WholeBody> {
  return representation as Required<WholeBody>; // tables select this function by these kinds
}

/** Returns the representation of a declaration by `as()`, for documents and tests. */
export function customBodyOf(representation: Representation): CustomBody {
  return representation as CustomBody; // tables select this function by the kind "as", which no other has
}

/**
 * Returns whether a decoded value has more levels of lists, objects and maps than the maximum. A value that occurs
 * several times is checked once.
 */
export function isCustomDeeperThan(maxDepth: number, value: unknown): boolean {
  const known = new Set<object>();
  let level: Iterable<unknown>[] = [[value]]; // the parts of each value of the level above
  for (let depth = 0; level.length > 0; depth++) {
    const next: Iterable<unknown>[] = [];
    for (const parts of level) {
      for (const part of parts) {
        if (typeof part !== "object" || part === null || ArrayBuffer.isView(part) || known.has(part)) continue;
        if (depth === maxDepth) return true;
        known.add(part);
        next.push(part instanceof Map || part instanceof Set ? part.values() : Object.values(part));
      }
    }
    level = next;
  }
  return false;
}

/** Throws if encoded content has another type, or is text that UTF-8 cannot represent. */
function checkContent(content: unknown): WholeContent {
  if (typeof content === "string" && content.isWellFormed()) return content;
  if (isBytes(content) || content instanceof Blob) {
    return content as Uint8Array<ArrayBuffer> | Blob; // a view of shared memory fails when the message is built
  }
  const found = typeof content === "string" ? "one with a lone surrogate" : describeConfidential(content);
  throw new TypeError(`encode() must return a string, a Uint8Array or a Blob, got ${found}`);
}

/** A response without content. */
export const empty: ResponseRepresentation<"empty"> = /* @__PURE__ */ Object.freeze({
  kind: "empty",
  contentType: undefined,
  describes: "nothing",
  receive: ({ response }: Incoming) => discardBody(response),
});

/** The native `Response`, whose body the caller reads. */
export const raw: ResponseRepresentation<"raw"> = /* @__PURE__ */ Object.freeze({
  kind: "raw",
  contentType: undefined,
  describes: "nothing",
  isNative: true,
  readLater: trackResults,
  receive: ({ response }: Incoming) => response,
});
