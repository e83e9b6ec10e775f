import { type Awaitable, whenReady } from "../awaitable.ts";
import { formatIssues } from "../issue.ts";
import { isMarked, markAs } from "../mark.ts";
import {
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
import { cannotDeclare, checkOptions, checkSchema } from "./declared.ts";
import { type CodecParts } from "./infer.ts";

/**
 * The two directions of a {@linkcode codec}.
 *
 * @internal
 */
export interface CodecFunctions<Wire extends Schema, Application extends Schema> {
  /** Turns what the wire schema gives into what the application schema accepts. */
  readonly decode: (value: OutputOf<Wire>) => Awaitable<InputOf<Application>>;
  /** Turns what the application schema gives into what the wire schema accepts. */
  readonly encode: (value: OutputOf<Application>) => Awaitable<InputOf<Wire>>;
}

/**
 * A value that differs on the wire from what both applications work with; made by {@linkcode codec}. It is a Standard Schema
 * as well, that decodes.
 */
export interface Codec<Wire extends Schema = Schema, Application extends Schema = Schema>
  extends CodecParts<Wire, Application>, Schema<InputOf<Wire>, OutputOf<Application>> {
  /** Turns what the wire schema gives into what the application schema accepts. */
  decode(value: OutputOf<Wire>): Awaitable<InputOf<Application>>; // a method, so that every codec is a Codec
  /** Turns what the application schema gives into what the wire schema accepts. */
  encode(value: OutputOf<Application>): Awaitable<InputOf<Wire>>;
}

/**
 * Declares a value that differs on the wire, such as a `Date` that is sent as text. Handler and client both see what
 * `application` gives; the sender encodes it, the receiver decodes it. Usable as a whole slot, body or header set; inside
 * another library's object only its decoding would run.
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
 * @param wire What stands on the wire. Encoding ends with it, decoding begins with it.
 * @param application What handlers and callers work with. Encoding begins with it, decoding ends with it.
 * @param functions The two conversions, each synchronous or asynchronous.
 * @throws {TypeError} Where a schema is no Standard Schema, a function is missing or a key is unknown.
 */
export function codec<Wire extends Schema, Application extends Schema>(
  wire: Wire,
  application: Application,
  functions: CodecFunctions<Wire, Application>,
): Codec<Wire, Application> {
  const where = "a codec";
  for (const [name, schema] of [["wire", wire], ["application", application]] as const) {
    checkSchema(schema, `its ${name} schema`, where);
    if (isCodec(schema)) {
      cannotDeclare(where, `its ${name} schema is a codec; write one codec that does both conversions`);
    }
  }
  checkOptions(functions, ["decode", "encode"], where);
  for (const name of ["decode", "encode"] as const) {
    if (typeof functions[name] !== "function") cannotDeclare(where, `${name} is no function; write one`);
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

/** What a client runs of a codec. The codec carries it, so that a bundle without codecs has none of it. */
export interface CodecClient {
  /** The wire value of an application value; throws a `TypeError` that names the slot if a schema refuses it. */
  readonly encode: (value: unknown, slot: string) => Awaitable<unknown>;
  /** The application value of a wire value; throws a `TypeError` if a schema refuses it. */
  readonly decode: (value: unknown) => Awaitable<unknown>;
  /** The names that its wire schema declares, as far as they are known. */
  readonly names: () => readonly string[] | undefined;
}

/** What a client runs of a schema that is a codec. */
export function codecClientOf(schema: Schema | undefined): CodecClient | undefined {
  return schema && isCodec(schema) ? (schema as Codec & { readonly client: CodecClient }).client : undefined;
}

function createCodecClient(wire: Schema, decode: Check, encode: Check): CodecClient {
  return {
    names: () => declaredKeys(wire),
    encode: (value, slot) =>
      whenReady(encode(value), (checked) => acceptedValue(checked, `${slot} does not fit its codec: `)),
    decode: (value) => whenReady(decode(value), (checked) => acceptedValue(checked, "")),
  };
}

function acceptedValue(checked: Checked, where: string): unknown {
  if (checked.issues) throw new TypeError(`${where}${formatIssues(checked.issues)}`);
  return checked.value;
}

/** How a codec decodes, by the types of its schemas. */
type Validate<Wire extends Schema, Application extends Schema> = SchemaProperties<
  InputOf<Wire>,
  OutputOf<Application>
>["validate"];

/** The check that encodes: a codec's way out. */
export function toEncodingCheck({ application, encode, wire }: Pick<Codec, "application" | "encode" | "wire">): Check {
  return chain(toCheck(application), encode, toCheck(wire));
}

/** Whether a schema is a {@linkcode Codec}. */
export function isCodec(schema: Schema): schema is Codec {
  return isMarked(schema, "codec");
}

/** One check after another, with a conversion between them. */
function chain(first: Check, convert: (value: never) => unknown, second: Check): Check {
  return (value) =>
    whenReady(
      first(value),
      (checked): Awaitable<Checked> => checked.issues ? checked : whenReady(convert(checked.value as never), second),
    );
}
