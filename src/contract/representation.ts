import type { Awaitable } from "../awaitable.ts";
import { describeValue } from "../messages.ts";
import { isMarked, markAs } from "../mark.ts";
import type { CustomRepresentation, EncodedContent } from "../representation/whole_body.ts";
import type { Representation } from "../representation/representation.ts";
import { isSchema, type Schema } from "../schema.ts";
import { mediaTypeEssence } from "../wire/media_type.ts";
import {
  cannotDeclare,
  checkContentType,
  checkOptions,
  checkSchema,
  describeDeclared,
  type SchemaPlace,
  toContentType,
} from "./declared.ts";

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
  checkContentType(contentType, where);
  if (notWhole.test(mediaTypeEssence(contentType))) {
    cannotDeclare(
      where,
      `"contentType" must be the type of a single value, got "${contentType}"; ` +
        "use request.formData(), response.sse(), response.ndjson() or a stream()",
    );
  }
  for (const [name, method] of Object.entries({ encode, decode })) {
    if (typeof method !== "function") {
      cannotDeclare(where, `"${name}" must be a function, got ${describeValue(method)}`);
    }
  }
  if (structure !== undefined && structure !== "json") {
    cannotDeclare(where, `"structure" must be "json" or omitted, got ${describeValue(structure)}`);
  }
  return markAs("representation", { contentType, encode, decode, structure });
}

/** Multipart forms, server-sent events, and the media types of JSON sequences. */
const notWhole =
  /^(?:multipart\/.*|text\/event-stream|[^/]+\/(?:.*\+)?(?:x-)?(?:ndjson|jsonl|json-?lines|json-seq|json-stream|stream\+json))$/;

/** Throws a `TypeError` unless {@linkcode representation} created the value. */
export function checkRepresentation(value: unknown, where: string): asserts value is CustomRepresentation {
  if (isMarked(value, "representation")) return;
  cannotDeclare(where, `the first argument must be made by representation(…), got ${describeDeclared(value)}`);
}

/** The arguments of a helper: a schema, options, or both. */
type HelperArguments = readonly [schema?: unknown, options?: unknown];

/** How to read the arguments of a helper. */
interface ContentReading {
  /** The helper's name, for messages. */
  readonly where: string;
  /** The position of the schema among the arguments, for messages. */
  readonly position: string | undefined;
  /** The place of the schema. */
  readonly place: SchemaPlace;
  /** The names of the options, except `contentType`. */
  readonly names: readonly string[];
}

/** The declared content of a request or a response. */
interface DeclaredContent<Represented extends Representation> {
  readonly kind: Represented["kind"];
  readonly representation: Represented;
  readonly contentType: string | readonly string[] | undefined;
  readonly schema: Schema | undefined;
  readonly description: string | undefined;
}

/** The options of all helpers. Other options are not checked yet. */
interface ContentOptions extends Readonly<Record<string, unknown>> {
  readonly contentType?: unknown;
  readonly description?: string;
}

/** Returns the declared content and the options of a helper. Throws a `TypeError` if they are invalid. */
export function readContent<Represented extends Representation>(
  representation: Represented,
  args: HelperArguments,
  { where, position, place, names }: ContentReading,
): readonly [content: DeclaredContent<Represented>, options: ContentOptions] {
  const { kind, contentType: usualType, isTypeFixed, describes, needsSchema } = representation;
  const { schema, options } = splitArguments(args, where, place, position);
  if (needsSchema && !schema) cannotDeclare(where, needsSchema);
  if (describes === "nothing" && schema) {
    cannotDeclare(where, "a schema is not supported here; remove it");
  }
  const isFixed = isTypeFixed || usualType === undefined;
  checkOptions(options, [...(isFixed ? [] : ["contentType"]), ...names], where);
  const { contentType: givenType = usualType, description } = options as ContentOptions;
  const contentType = givenType === undefined ? undefined : toContentType(givenType, representation, where);
  return [{ kind, representation, contentType, schema, description }, options as ContentOptions];
}

/**
 * Distinguishes `helper(schema, options)` from `helper(options)`. An explicit `undefined` throws: it is usually a
 * schema that a circular import left undefined, and the body would not be validated.
 */
function splitArguments(
  args: HelperArguments,
  where: string,
  place: SchemaPlace,
  position = "first",
): { readonly schema: Schema | undefined; readonly options: unknown } {
  const [first, options = {}] = args;
  if (args.length === 0) return { schema: undefined, options };
  if (args.length === 1 && typeof first === "object" && !isSchema(first)) return { schema: undefined, options: first };
  checkSchema(first, `the ${position} argument`, where, place);
  return { schema: first, options };
}
