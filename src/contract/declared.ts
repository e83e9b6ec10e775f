/** How declarations read their arguments, the error that they throw, and the declaration of a representation. */
import type { Awaitable } from "../awaitable.ts";
import { isMarked, isObject, markAs } from "../mark.ts";
import { checkOptionNames, describeValue } from "../messages.ts";
import { trimSlashes } from "../path.ts";
import type { Representation } from "../representation/representation.ts";
import type { CustomRepresentation, EncodedContent } from "../representation/whole_body.ts";
import { isSchema, type Schema } from "../schema.ts";
import { mediaTypeEssence } from "../wire/media_type.ts";

/** Throws the `TypeError` of an invalid declaration: what was declared, what is wrong and the fix. */
export function cannotDeclare(where: string, state: string): never {
  throw new TypeError(`${where}: ${state}`);
}

/** The place of a schema: an input of a request, the fields of a form, any other body, or a part of a response. */
export type SchemaPlace = "params" | "query" | "headers" | "form" | "body" | "response";

/** Throws a `TypeError` unless the value is a schema. `what` names it, and `place` is where its values are. */
export function checkSchema(
  value: unknown,
  what: string,
  where: string,
  place?: SchemaPlace,
): asserts value is Schema {
  if (!isSchema(value)) {
    cannotDeclare(where, `${what} must be a Standard Schema (Zod, Valibot, ArkType, …), got ${describeValue(value)}`);
  }
  // every "styled" schema has the member
  if (place && isMarked(value, "styled")) (value as unknown as PlacedSchema).checkPlace(place, what, where);
}

/** A styled schema, which can be only in some places. */
interface PlacedSchema {
  /** Throws a `TypeError` if it cannot be in a place. `what` names the schema. */
  readonly checkPlace: (place: SchemaPlace, what: string, where: string) => void;
}

/** Returns the value if it is a plain object. Throws a `TypeError` otherwise. */
export function checkObject(
  value: unknown,
  where: string,
  what = "the options",
): Readonly<Record<string, unknown>> {
  const misfit = isObject(value) ? findMisfit(value) : describeDeclared(value);
  if (isObject(value) && misfit === undefined) return value;
  cannotDeclare(where, `${what} must be a plain object like { key: … }, got ${misfit}`);
}

/** Describes an object that is not plain; `undefined` for one that is. */
function findMisfit(value: object): string | undefined {
  if (isSchema(value) || Array.isArray(value)) return describeDeclared(value);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    return 'an instance of a class; write a key __proto__ as ["__proto__"]';
  }
}

/** Describes a value like {@linkcode describeValue}, where a schema may have been passed. */
export function describeDeclared(value: unknown): string {
  return isSchema(value) ? "a schema" : describeValue(value);
}

/** Throws a `TypeError` unless `options` is an object whose keys are all in `allowed`. */
export function checkOptions(options: unknown, allowed: readonly string[], where: string, what?: string): void {
  checkOptionNames(checkObject(options, where, what), allowed, (state) => cannotDeclare(where, state), what);
}

/** Returns an object with the same keys and mapped values. Keys such as `__proto__` remain ordinary keys. */
export function mapObject<Value, Mapped>(
  object: Readonly<Record<string, Value>>,
  map: (value: Value, key: string) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));
}

/** Throws a `TypeError` for an option that is not a function. */
export function requireFunctions(options: Readonly<Record<string, unknown>>, where: string): void {
  for (const [name, value] of Object.entries(options)) {
    if (typeof value !== "function") cannotDeclare(where, `"${name}" must be a function, got ${describeValue(value)}`);
  }
}

/** Returns a frozen deep copy of plain data, such as what documents contain. */
export function freezeCopy<Data extends object>(data: Data): Data {
  return JSON.parse(JSON.stringify(data), (_key, value) => Object.freeze(value));
}

/**
 * What a path must not contain, and the fix for each, in which `$1` is the first group. Slashes at the ends of a path do
 * not matter.
 */
const refusedText: readonly (readonly [RegExp, string])[] = [
  [/%/, ", a percent sign; write the decoded character instead"],
  [/[?#]/, ', which ends a path; remove it, or declare "query"'],
  [/\\/, ", a backslash; separate segments with / instead"],
  [/\p{Cc}/u, ", a control character; remove it"],
  [/\p{Surrogate}/u, ", a lone surrogate; remove it"],
  [/\/\/+/, ", an empty segment; write one slash between segments"],
  [/(?<=^|\/)\.\.?(?=\/|$)/, ", a dot segment; write the path that it resolves to"],
  [
    /(?<=^|\/):(?![A-Za-z_]\w*(?:\/|$))[^/]*/,
    ", an invalid parameter; its name must have letters, digits and _ only, and not start with a digit",
  ],
  [
    /\{[^\w{}/]?([A-Za-z_]\w*)(?:[^\w{}/][^{}/]*)?\}/,
    ", which is not a parameter; write :$1",
  ],
];

/** Throws a `TypeError` if a path is invalid, declared or joined. `where` names it in the message. */
export function checkPath(path: unknown, where: string, what = "the path"): asserts path is string {
  if (typeof path !== "string") {
    cannotDeclare(where, `${what} must be a string like "/users/:id", got ${describeValue(path)}`);
  }
  const trimmed = trimSlashes(path);
  const refuse = (text: string, fix: string): never =>
    cannotDeclare(where, `${what} ${JSON.stringify(path)} contains ${JSON.stringify(text)}${fix}`);
  for (const [pattern, state] of refusedText) {
    const found = pattern.exec(trimmed);
    if (found) refuse(found[0], state.replace("$1", `${found[1]}`));
  }
  const segments = trimmed.split("/").sort(); // a regular expression would take quadratic time
  const repeated = segments.find((each, index) => each[0] === ":" && each === segments[index + 1]);
  if (repeated) refuse(repeated, " twice; rename one of the parameters");
}

/**
 * `type/subtype` in the characters of registered names (RFC 6838, section 4.2), then parameters that a header can
 * carry.
 */
const contentTypePattern = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:[ \t]*;[\t -~]*)?$/;

/**
 * Returns the content type of a declaration: one media type as written, or a frozen list of media types and ranges in
 * lowercase if the representation accepts ranges.
 */
export function toContentType(
  contentType: unknown,
  { ranges }: Representation,
  where: string,
): string | readonly string[] {
  const list = ranges ? [contentType].flat() : [contentType];
  const several = ranges?.toRanges(list, (state) => cannotDeclare(where, state));
  if (several) return several;
  const [only] = list;
  checkContentType(only, where);
  return only;
}

/** Throws a `TypeError` if the content type is not a media type. */
export function checkContentType(contentType: unknown, where: string): asserts contentType is string {
  if (typeof contentType === "string" && contentTypePattern.test(contentType)) return;
  cannotDeclare(
    where,
    `"contentType" must be a media type like "application/json", got ${describeValue(contentType)}`,
  );
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
  checkContentType(contentType, where);
  if (notWhole.test(mediaTypeEssence(contentType))) {
    cannotDeclare(
      where,
      `"contentType" must be the type of a single value, got "${contentType}"; ` +
        "use request.formData(), response.sse(), response.ndjson() or a stream()",
    );
  }
  requireFunctions({ encode, decode }, where);
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
  readonly where: string;
  /** The position of the schema among the arguments, for messages. */
  readonly position: string | undefined;
  readonly place: SchemaPlace;
  /** The names of the options, except `contentType`. */
  readonly names: readonly string[];
}

/** What the arguments of a helper declare. */
interface DeclaredContent {
  readonly contentType: string | readonly string[] | undefined;
  readonly schema: Schema | undefined;
  /** The options. Those besides `contentType` are not checked yet. */
  readonly options: Readonly<Record<string, unknown>> & { readonly description?: string };
}

/** Reads the arguments of a helper. Throws a `TypeError` if they are invalid. */
export function readContent(
  representation: Representation,
  args: HelperArguments,
  { where, position, place, names }: ContentReading,
): DeclaredContent {
  const { contentType: usualType, isTypeFixed, describes, needsSchema } = representation;
  const { schema, options } = splitArguments(args, where, place, position);
  if (needsSchema && !schema) cannotDeclare(where, needsSchema);
  if (describes === "nothing" && schema) cannotDeclare(where, "a schema is not supported here; remove it");
  const isFixed = isTypeFixed || usualType === undefined;
  checkOptions(options, [...(isFixed ? [] : ["contentType"]), ...names], where);
  const { contentType = usualType } = options;
  return {
    contentType: contentType === undefined ? undefined : toContentType(contentType, representation, where),
    schema,
    options,
  };
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
): { readonly schema: Schema | undefined; readonly options: DeclaredContent["options"] } {
  const [first, options = {}] = args as readonly [unknown, DeclaredContent["options"]?]; // checked next, by readContent()
  if (args.length === 0) return { schema: undefined, options };
  if (args.length === 1 && typeof first === "object" && !isSchema(first)) {
    return { schema: undefined, options: first as typeof options };
  }
  checkSchema(first, `the ${position} argument`, where, place);
  return { schema: first, options };
}
