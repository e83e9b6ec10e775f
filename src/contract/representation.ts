import { type Awaitable } from "../awaitable.ts";
import { isMarked, markAs } from "../mark.ts";
import { type CustomRepresentation, type EncodedContent } from "../representation/custom.ts";
import { mediaTypeEssence } from "../wire/media_type.ts";
import { checkContentType } from "./check_content_type.ts";
import { cannotDeclare, checkOptions } from "./declared.ts";

/** The options of {@linkcode representation}. */
export interface RepresentationOptions<Value> {
  /** The media type, which is sent as it is written here. It is compared by essence: without parameters, in any case. */
  readonly contentType: string;
  /**
   * Encodes a value as text (sent as UTF-8), bytes or a `Blob`, synchronously or not. What it throws fails the response in phase
   * `encode`, or rejects the call with `invalid-input`.
   */
  readonly encode: (value: Value) => Awaitable<EncodedContent>;
  /**
   * Decodes the whole content of a message, synchronously or not. It throws for malformed content: a server answers with 400
   * `invalid-body`, without the message, and a call rejects with `invalid-body`.
   */
  readonly decode: (content: Uint8Array<ArrayBuffer>) => Awaitable<Value>;
  /**
   * Write `"json"` if the content has the structure of JSON, as MessagePack and CBOR have: OpenAPI documents then show the schema.
   * Default: they show binary content.
   */
  readonly structure?: "json";
}

/**
 * Makes a representation of your own, such as MessagePack, CBOR, Protobuf or CSV, for `request.as()` and `response.as()`. It
 * converts plain values to the whole content of a message and back; the schema of a declaration checks the values as it does for
 * JSON.
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
 * @typeParam Value What can be encoded, and what decoding gives.
 * @throws {TypeError} For an invalid content type, one of forms, events or NDJSON, a missing function or an unknown option.
 */
export function representation<Value = unknown>(
  options: RepresentationOptions<Value>,
): CustomRepresentation<Value> {
  const where = "representation()";
  checkOptions(options, ["contentType", "encode", "decode", "structure"], where);
  const { contentType, encode, decode, structure } = options;
  checkContentType(contentType, where);
  if (notWhole.test(mediaTypeEssence(contentType))) {
    cannotDeclare(
      where,
      `contentType "${contentType}" is not for a whole body of one value; ` +
        "use request.formData(), response.sse(), response.ndjson() or a stream()",
    );
  }
  for (const [name, given] of Object.entries({ encode, decode })) {
    if (typeof given !== "function") cannotDeclare(where, `${name} must be a function`);
  }
  if (structure !== undefined && structure !== "json") {
    cannotDeclare(where, 'structure must be "json"; leave it out for other content');
  }
  return markAs("representation", { contentType, encode, decode, structure });
}

/** Forms with boundaries, server-sent events, and the names of JSON values one after another. */
const notWhole =
  /^(?:multipart\/.*|text\/event-stream|[^/]+\/(?:.*\+)?(?:x-)?(?:ndjson|jsonl|json-?lines|json-seq|json-stream|stream\+json))$/;

/** Refuses what {@linkcode representation} did not make. */
export function checkRepresentation(value: unknown, where: string): asserts value is CustomRepresentation {
  if (isMarked(value, "representation")) return;
  cannotDeclare(where, "its first argument must be a representation; make one with representation()");
}
