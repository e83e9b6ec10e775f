import { type Awaitable, type Ready, whenReady } from "../awaitable.ts";
import { describeValue } from "../messages.ts";
import { isMarked, markAs } from "../mark.ts";
import {
  acceptedValue,
  type Check,
  type Checked,
  declaredKeys,
  type InputOf,
  type JsonSchemaProperties,
  type OutputOf,
  type Schema,
  type SchemaProperties,
  toCheck,
} from "../schema.ts";
import { checkReceivedFields } from "../wire/headers.ts";
import type { CodecClient } from "./call.ts";
import { cannotDeclare, checkOptions, checkSchema } from "./declared.ts";
import type { CodecParts } from "./infer.ts";

/**
 * The two directions of a {@linkcode codec}.
 *
 * @internal
 */
export interface CodecFunctions<Wire extends Schema, Application extends Schema> {
  /** Converts the output of the wire schema to the input of the application schema. */
  readonly decode: (value: OutputOf<Wire>) => Awaitable<InputOf<Application>>;
  /** Converts the output of the application schema to the input of the wire schema. */
  readonly encode: (value: OutputOf<Application>) => Awaitable<InputOf<Wire>>;
}

/**
 * A value with one form on the wire and another in the application. {@linkcode codec} returns it. It is also a Standard
 * Schema, whose validation decodes.
 */
export interface Codec<Wire extends Schema = Schema, Application extends Schema = Schema>
  extends CodecParts<Wire, Application, "codec">, Schema<InputOf<Wire>, OutputOf<Application>> {
  /** The schema of the value on the wire. */
  readonly wire: Wire;
  /** The schema of the application's value. */
  readonly application: Application;
  /** Converts the output of the wire schema to the input of the application schema. */
  decode(value: OutputOf<Wire>): Awaitable<InputOf<Application>>; // a method is bivariant, so every codec is assignable to Codec
  /** Converts the output of the application schema to the input of the wire schema. */
  encode(value: OutputOf<Application>): Awaitable<InputOf<Wire>>;
}

/**
 * Declares a value with one form on the wire and another in the application, such as a `Date` that is sent as text.
 * Handlers and client code both use the output of `application`. The sender encodes it, and the receiver decodes it.
 *
 * A codec can describe a whole body, query, parameters, headers or stream item. Inside an object of a schema library,
 * only its decoding would run.
 *
 * @example A whole object with a date
 * ```ts
 * import { codec } from "@scope/api";
 * import { type } from "arktype";
 *
 * const Event = codec(
 *   type({ name: "string", at: "string.date.iso" }),
 *   type({ name: "string", at: "Date" }),
 *   {
 *     decode: ({ name, at }) => ({ name, at: new Date(at) }),
 *     encode: ({ name, at }) => ({ name, at: at.toISOString() }),
 *   },
 * );
 * Event satisfies { readonly wire: unknown; readonly application: unknown };
 * ```
 *
 * @param wire The schema of the value on the wire. It runs last when encoding, and first when decoding.
 * @param application The schema of the application's value. It runs first when encoding, and last when decoding.
 * @param functions The two conversions, each synchronous or asynchronous.
 * @throws {TypeError} If a schema is not a Standard Schema, a function is missing or a key is unknown.
 */
export function codec<Wire extends Schema, Application extends Schema>(
  wire: Wire,
  application: Application,
  functions: CodecFunctions<Wire, Application>,
): Codec<Wire, Application> {
  const where = "codec()";
  for (const [name, schema] of [["wire", wire], ["application", application]] as const) {
    checkSchema(schema, `"${name}"`, where);
    if (isCodec(schema) || isStyled(schema)) {
      cannotDeclare(where, `"${name}" must not be a codec; write one codec that does both conversions`);
    }
  }
  checkOptions(functions, ["decode", "encode"], where);
  for (const name of ["decode", "encode"] as const) {
    const method: unknown = functions[name];
    if (typeof method !== "function") {
      cannotDeclare(where, `"${name}" must be a function, got ${describeValue(method)}`);
    }
  }
  const { decode, encode } = functions;
  const validate = chain(toCheck(wire), decode, toCheck(application)) as Validate<Wire, Application>;
  const { jsonSchema } = wire["~standard"] as JsonSchemaProperties;
  const standard = Object.freeze(
    { version: 1, vendor: "@scope/api", validate, ...(jsonSchema && { jsonSchema }) } as const,
  );
  const client = createCodecClient(
    wire,
    validate as Check,
    toEncodingCheck({ wire, application, encode: encode as Codec["encode"] }),
  );
  return markAs("codec", { wire, application, decode, encode, "~standard": standard, client });
}

/** Returns the client functions of a schema, if it is a codec. */
export function codecClientOf(schema: Schema | undefined): CodecClient | undefined {
  return schema && isCodec(schema) ? schema.client : undefined;
}

function createCodecClient(wire: Schema, decode: Check, encode: Check): CodecClient {
  const accept = (checked: Checked): unknown => acceptedValue(checked, "");
  return {
    names: () => declaredKeys(wire),
    encode: (value, slot) =>
      whenReady(encode(value), (checked) => {
        const encoded = acceptedValue(checked, `${slot} does not fit its codec: `);
        // the path needs the parameters that the wire schema leaves out too
        return slot === "params" ? { ...Object(value), ...Object(encoded) } : encoded;
      }),
    decode: (value) => whenReady(decode(value), accept),
    decodeFields: (fields) => whenReady(checkReceivedFields(decode, fields), accept),
  };
}

/** The type of the decoding `validate` function. */
type Validate<Wire extends Schema, Application extends Schema> = SchemaProperties<
  InputOf<Wire>,
  OutputOf<Application>
>["validate"];

/** Returns the check that encodes a codec's application value. */
export function toEncodingCheck({ application, encode, wire }: Pick<Codec, "application" | "encode" | "wire">): Check {
  return chain(toCheck(application), encode, toCheck(wire));
}

/**
 * Returns the check of a request's input. The JSON in styled fields has at most that many levels: styled schemas carry
 * the function, so that programs without styles do not contain it.
 */
export function toRequestCheck(schema: Schema, maxDepth: number): Check {
  return isStyled(schema) ? schema.checkWithin(maxDepth) : toCheck(schema);
}

/** Returns whether a schema is styled: all of them have the function. */
function isStyled(schema: Schema): schema is Schema & { readonly checkWithin: (maxDepth: number) => Check } {
  return isMarked(schema, "styled");
}

/** Returns whether a schema is a {@linkcode Codec}. */
export function isCodec(schema: Schema): schema is Codec & { readonly client: CodecClient } {
  return isMarked(schema, "codec");
}

/** Chains two checks, with a conversion between them. */
function chain(first: Check, convert: (value: never) => unknown, second: Check): Check {
  return (value) =>
    whenReady(
      first(value),
      (checked): Ready<Checked> => checked.issues ? checked : whenReady(convert(checked.value as never), second),
    );
}
