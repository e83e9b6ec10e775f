/** Schemas whose values have another form on the wire: codecs, and fields with styles. */
import { type Awaitable, type Ready, whenReady } from "../awaitable.ts";
import { isMarked, markAs } from "../mark.ts";
import type { PatternedParams } from "../path.ts";
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
import {
  type FieldStyle,
  type FieldStyles,
  fitsPattern,
  hasSpaces,
  isPattern,
  ownerOf,
  readStyled,
  type TextPattern,
  writeStyled,
} from "../wire/field_styles.ts";
import { checkReceivedFields } from "../wire/headers.ts";
import type { CodecClient, SlotCoder } from "./call.ts";
import {
  checkObject,
  checkOptions,
  checkRule,
  checkSchema,
  failAt,
  requireFunctions,
  type SchemaPlace,
  type ValueRule,
} from "../options.ts";
import type { CodecParts, Open, SentOf, SomeText } from "./infer.ts";

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
      failAt(where, `"${name}" must not be a codec; write one codec that does both conversions`);
    }
  }
  checkOptions(functions, ["decode", "encode"], where);
  const { decode, encode } = functions;
  requireFunctions({ decode, encode }, where);
  const validate = chain(toCheck(wire), decode, toCheck(application)) as Validate<Wire, Application>;
  const { jsonSchema } = wire["~standard"] as JsonSchemaProperties;
  const standard = Object.freeze(
    { version: 1, vendor: "@scope/api", validate, ...(jsonSchema && { jsonSchema }) } as const,
  );
  const checkSent = chain(toCheck(application), encode, toCheck(wire));
  const carried: CodecChecks = { checkSent, client: createCodecClient(wire, validate as Check, checkSent) };
  return markAs("codec", { wire, application, decode, encode, "~standard": standard, ...carried });
}

/** What a codec does for other entry points. It carries it, so that programs without codecs do not contain it. */
interface CodecChecks {
  /** Encodes a value of the application, and checks both. */
  readonly checkSent: Check;
  readonly client: CodecClient;
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

/** Returns the check of what is sent. A codec also encodes it. */
export function toSentCheck(schema: Schema): Check {
  return isCodec(schema) ? schema.checkSent : toCheck(schema);
}

/**
 * Returns the check of a request's input. The JSON in styled fields has at most that many levels: styled schemas carry
 * the function, so that programs without styles do not contain it.
 */
export function toRequestCheck(schema: Schema, maxDepth: number): Check {
  return isStyled(schema) ? schema.checkWithin(maxDepth) : toCheck(schema);
}

/** Returns whether a schema is a {@linkcode Codec}. */
export function isCodec(schema: Schema): schema is Codec & CodecChecks {
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

/**
 * A schema of fields, some of which have a style. {@linkcode styled} returns it. To clients and servers it is a codec
 * between text and the input of the schema.
 */
export interface Styled<Declared extends Schema = Schema, Styles extends FieldStyles = FieldStyles> extends
  CodecParts<
    Schema<StyledFields<InputOf<Declared>, Styles>>,
    Schema<SentOf<Declared>, OutputOf<Declared>>,
    "styled"
  >,
  Schema<StyledFields<InputOf<Declared>, Styles>, OutputOf<Declared>> {
  /** The schema that is declared. */
  readonly schema: Declared;
  /** The styles by the names of fields. */
  readonly styles: Styles;
}

/**
 * The fields on the wire, by their names: text for those with a style, and the others as their schema accepts them.
 *
 * @internal
 */
type StyledFields<Input, Styles> = {
  readonly [Name in keyof Input]: Name extends StyledName<Styles> ? string | string[] : Input[Name];
};

/** The names of the fields that have a style. */
type StyledName<Styles> = keyof { [Name in keyof Styles as string extends Name ? never : Name]: unknown };

/**
 * Styles for some fields of a schema.
 *
 * @internal
 */
export type StylesFor<Declared extends Schema> = {
  readonly [Name in keyof InputOf<Declared> & string]?: FieldStyle;
};

/**
 * `unknown` if each field of a schema can be read in its style. Otherwise an error message as a type.
 *
 * @internal
 */
export type FitsStyles<Declared extends Schema, Styles> = Open<StylesVerdict<Declared, Styles>>;

/** {@linkcode FitsStyles}, undecided as long as a type parameter is. */
type StylesVerdict<Declared extends Schema, Styles> = unknown extends InputOf<Declared> ? unknown
  : StyleMisfit<InputOf<Declared>, Styles> extends never ? unknown
  : `"${StyleMisfit<
    InputOf<Declared>,
    Styles
  >}" must accept what its style reads, a list of strings or an object of strings; convert them in the schema`;

/** The fields that do not accept what their style reads. */
type StyleMisfit<Input, Styles> = {
  [Name in keyof Input & keyof Styles & string]-?: Accepts<Exclude<Input[Name], undefined>, Styles[Name]> extends true
    ? never
    : Name;
}[keyof Input & keyof Styles & string];

/** Whether a field accepts what a style reads. */
type Accepts<Value, Style> = unknown extends Value ? true
  : Style extends "json" ? true
  : Style extends "deepObject" ? AcceptsTree<Extract<Value, object>>
  : Style extends TextPattern ? SomeText<Value, string>
  : [Extract<Value, readonly unknown[]>] extends [never] ? false
  : SomeText<Extract<Value, readonly unknown[]>[number], string>;

/**
 * Whether an object accepts strings and lists of strings as its leaves. `Depth` limits the levels of recursive types.
 */
type AcceptsTree<Tree, Depth extends readonly unknown[] = []> = [Tree] extends [never] ? false
  : Depth["length"] extends 5 ? true
  : Tree extends readonly unknown[] ? SomeText<Tree[number], string>
  : LeafMisfit<Tree, Depth> extends never ? true
  : false;

/** The members of an object that do not accept what is read. */
type LeafMisfit<Tree, Depth extends readonly unknown[]> = {
  [Name in keyof Tree]-?: SomeText<Exclude<Tree[Name], undefined>, string> extends true ? never
    : true extends AcceptsTree<Extract<Tree[Name], object>, [...Depth, unknown]> ? never
    : Name;
}[keyof Tree];

/**
 * Declares how the fields of a query, path parameters, headers or a form are written, where that is not one text for each
 * value: lists in one field, objects, and JSON. {@linkcode FieldStyle} says what each style reads and writes. The schema
 * describes the values themselves.
 *
 * @example A list in one field, and an object
 * ```ts
 * import { defineContract, response, route, styled } from "@scope/api";
 * import { createClient } from "@scope/api/client";
 * import { createFetchHandler } from "@scope/api/fetch";
 * import { defineServer } from "@scope/api/server";
 * import { assertEquals } from "@std/assert";
 * import * as z from "zod";
 *
 * const Query = z.object({
 *   ids: z.array(z.coerce.number<string | number>()),
 *   filter: z.object({ name: z.string() }).optional(),
 * });
 * const contract = defineContract({
 *   routes: {
 *     list: route.get("/items", {
 *       query: styled(Query, { ids: "comma", filter: "deepObject" }),
 *       responses: { 200: response.json<object>() },
 *     }),
 *   },
 * });
 * const server = defineServer(contract);
 * const handler = createFetchHandler(server.implement({ list: ({ query, response }) => response(200, query) }));
 *
 * const answer = await handler(new Request("http://localhost/items?ids=1,2&filter[name]=a"));
 * assertEquals(await answer.json(), { ids: [1, 2], filter: { name: "a" } });
 *
 * const client = createClient(contract, {
 *   baseUrl: "http://localhost",
 *   fetch: (request) => Response.json(new URL(request.url).search),
 * });
 * const { body } = await client.list({ query: { ids: [1, 2], filter: { name: "a" } } });
 * assertEquals(body as unknown, "?ids=1%2C2&filter%5Bname%5D=a");
 * ```
 *
 * @param schema The schema of the fields, or a codec.
 * @param styles The styles of its fields, by name. Others are written as one text for each value.
 * @throws {TypeError} If the schema is not a Standard Schema, if a style or the name of a field is unknown, or if a field
 * such as `filter[name]` would be read as a part of a `deepObject`.
 */
export function styled<Declared extends Schema, const Styles extends StylesFor<Declared>>(
  schema: Declared & FitsStyles<Declared, Styles>,
  styles: Styles,
): Styled<Declared, Styles & FieldStyles> {
  const where = "styled()";
  checkSchema(schema, "the first argument", where);
  if (isStyled(schema)) failAt(where, "the schema is styled already; pass all styles at once");
  const kept = copyStyles(styles, declaredKeys(schema), where);
  const check = toCheck(schema);
  const checkWithin = (maxDepth?: number): Check => (value) => {
    const read = readStyled(value, kept, maxDepth);
    return read.issues ? read : check(read.value);
  };
  const wire: Required<SlotCoder> = {
    encode: (value, slot) => writeStyled(value, kept, slot),
    isSpaced: hasSpaces(kept),
  };
  const inner = codecClientOf(schema);
  const functions: StyledFunctions = { // carried, so that programs without styles do not contain them
    wire,
    client: inner
      ? {
        ...wire,
        encode: (value, slot) => whenReady(inner.encode(value, slot), (fields) => wire.encode(fields, slot)),
      }
      : wire,
    checkWithin,
    checkPlace: (place, what, where) => checkPlace(kept, place, what, where),
    ...planPatterns(kept),
  };
  const standard = Object.freeze({ ...schema["~standard"], validate: checkWithin() });
  return markAs("styled", {
    schema,
    styles: kept as Styles & FieldStyles,
    "~standard": standard as Styled<Declared, Styles & FieldStyles>["~standard"], // the schema checks what the styles read
    ...functions,
  });
}

/** Returns the styles of a schema's fields. Throws a `TypeError` if a style, or the name of a field, is invalid. */
function copyStyles(styles: unknown, names: readonly string[] | undefined, where: string): FieldStyles {
  const kept = Object.freeze({ ...checkObject(styles, where, "the styles") }) as FieldStyles; // each is checked below
  for (const [name, style] of Object.entries(kept)) {
    checkRule(style, JSON.stringify(name), aStyle, where);
    if (names && !names.includes(name)) failAt(where, `the schema has no field ${JSON.stringify(name)}`);
  }
  for (const name of names ?? Object.keys(kept)) {
    const owner = ownerOf(name, kept);
    if (owner === undefined) continue;
    failAt(
      where,
      `the field ${JSON.stringify(name)} would be read as a part of ${JSON.stringify(owner)}; declare it there`,
    );
  }
  return kept;
}

const fieldStyles: readonly unknown[] = ["comma", "pipe", "space", "deepObject", "json"];

const aStyle: ValueRule = [
  "one of comma, pipe, space, deepObject, json",
  (value) => fieldStyles.includes(value) || isPattern(value),
];

/** Throws a `TypeError` if a place has no fields, or none with one of the styles. */
function checkPlace(styles: FieldStyles, place: SchemaPlace, what: string, where: string): void {
  if (place === "response") {
    failAt(where, "what is sent has no fields with styles; declare lists of strings, and remove styled()");
  }
  if (place === "body") failAt(where, "only forms have fields with styles; remove styled()");
  const allowed = place === "params" || place === "headers" ? ["comma", "json"] : fieldStyles;
  const [name, style] =
    Object.entries(styles).find(([, style]) => !(isPattern(style) ? place === "params" : allowed.includes(style))) ??
      [];
  if (style === undefined) return;
  failAt(
    where,
    `${what} has the field ${JSON.stringify(name)} in the style ${style}; write ${allowed.join(" or ")}`,
  );
}

/** What a styled schema does for other entry points. */
interface StyledFunctions extends Partial<PatternedParams> {
  /** Writes the values of fields as texts. */
  readonly wire: Required<SlotCoder>;
  /** Does the same for the application's values: those of its codec, if it is over one. */
  readonly client: Required<SlotCoder>;
  /** Returns the check of texts, whose JSON has at most that many levels. */
  readonly checkWithin: (maxDepth: number) => Check;
  /** Throws a `TypeError` if it cannot be in a place. */
  readonly checkPlace: (place: SchemaPlace, what: string, where: string) => void;
}

/** Returns what a path needs of the texts around its parameters, if there are any. */
function planPatterns(styles: FieldStyles): PatternedParams | undefined {
  const entries = Object.entries(styles).filter((entry): entry is [string, TextPattern] => isPattern(entry[1]));
  if (entries.length === 0) return undefined;
  return {
    pathPatterns: new Map(entries),
    fitsPatterns: (params) => entries.every(([name, pattern]) => fitsPattern(params[name] ?? "", pattern)),
  };
}

/** Returns whether a schema is {@linkcode Styled}. */
export function isStyled(schema: Schema): schema is Styled & StyledFunctions {
  return isMarked(schema, "styled");
}

/** Returns the schema of the values of fields: that which is styled, or the schema itself. */
export function unstyled<Declared extends Schema | undefined>(schema: Declared): Declared | Schema {
  return schema && isStyled(schema) ? schema.schema : schema;
}

/** Returns the styles of a schema's fields, without inherited members. None for a schema that is not styled. */
export function stylesOf(schema: Schema | undefined): FieldStyles {
  return Object.assign(Object.create(null), schema && isStyled(schema) ? schema.styles : undefined);
}
