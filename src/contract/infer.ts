/** Types of schemas: which values each side sends and receives, and whether a schema fits its representation. */
import type { Marked } from "../mark.ts";
import type { InputOf, OutputOf, Schema, SchemaTypes } from "../schema.ts";

/**
 * The type that the sender passes: the schema's input, or a codec's application value.
 *
 * @internal
 */
export type SentOf<Declared extends Schema> = Declared extends CodecParts
  ? InputOf<NonNullable<Declared["parts"]>["application"]>
  : InputOf<Declared>;

/**
 * The type of a request on the wire: the schema's input, or the output of a codec's wire schema.
 *
 * @internal
 */
export type RequestWireOf<Declared extends Schema> = Declared extends CodecParts
  ? OutputOf<NonNullable<Declared["parts"]>["wire"]>
  : InputOf<Declared>;

/**
 * The type of a response on the wire: the schema's output, or the output of a codec's wire schema.
 *
 * @internal
 */
export type ResponseWireOf<Declared extends Schema> = Declared extends CodecParts
  ? OutputOf<NonNullable<Declared["parts"]>["wire"]>
  : OutputOf<Declared>;

/**
 * The types of the two forms of a value: on the wire, and in the application. Codecs and styled schemas have them.
 *
 * @internal
 */
export interface CodecParts<
  Wire extends Schema = Schema,
  Application extends Schema = Schema,
  Kind extends "codec" | "styled" = "codec" | "styled",
> extends Marked<Kind> {
  /** Schemas of both forms. Never present at run time. */
  readonly parts?: { readonly wire: Wire; readonly application: Application } | undefined;
}

/**
 * Whether a schema has two forms.
 *
 * @internal
 */
export type IsCodec<Declared extends Schema> = Declared extends Marked<"codec" | "styled"> ? true : false;

/**
 * A verdict, which is `unknown` or an error message as a type. Inside a helper that is generic over a schema, a verdict
 * can be undecided, and a value is assignable to an undecided conditional type only if both branches accept it. This
 * type accepts the value then.
 *
 * TypeScript evaluates the condition of {@linkcode FitOf} with a wildcard in place of each type parameter. If it is
 * false even so, the index is `any`, and the index signature returns the verdict. If it is undecided, TypeScript
 * replaces the index by its constraint, which leaves out a branch that is `any`: `"fits"`. A wildcard can hide a
 * verdict, so `Value` and `Fitting` compare the members themselves.
 */
export type Open<Verdict, Value = unknown, Fitting = unknown> = Verdicts<Verdict>[FitOf<Verdict, Value, Fitting>];

/**
 * The index of {@linkcode Open}. The types are properties, because a condition about a bare type parameter is never
 * evaluated.
 */
type FitOf<Verdict, Value, Fitting> = { readonly verdict: unknown; readonly value: Value } extends
  { readonly verdict: Verdict; readonly value: Fitting } ? "fits"
  // deno-lint-ignore no-explicit-any -- no other type is left out of a constraint
  : any;

/** What {@linkcode Open} selects from. */
interface Verdicts<Verdict> {
  readonly fits: unknown;
  readonly [misfit: number]: Verdict;
}

/**
 * A schema that is not a codec or styled. A comparison with it costs fewer types than one of the schema's input or
 * output, which has to be looked up first.
 */
interface PlainSchema<Input, Output = unknown> {
  readonly "~standard": { readonly types?: SchemaTypes<Input, Output> | undefined };
  readonly "~scope/api"?: undefined;
}

/**
 * `unknown` if a request can carry what the schema describes as JSON. Otherwise an error message as a type, to which no
 * value is assignable.
 *
 * @internal
 */
export type RequestFitsJson<Declared extends Schema> = [Declared] extends [PlainSchema<JsonValue>] ? unknown
  : FitsJson<RequestWireOf<Declared>>;

/**
 * {@linkcode RequestFitsJson} of a response.
 *
 * @internal
 */
export type ResponseFitsJson<Declared extends Schema> = [Declared] extends [PlainSchema<unknown, JsonValue>] ? unknown
  : FitsJson<ResponseWireOf<Declared>>;

/** `unknown` if `Value` is JSON. Otherwise an error message as a type. */
type FitsJson<Value> = [Value] extends [JsonValue] ? unknown : Open<JsonVerdict<Value>>;

/** {@linkcode FitsJson}, undecided as long as a type parameter is. */
type JsonVerdict<Value> = [Value] extends [JsonOf<Value>] ? unknown : `JSON cannot encode ${JsonMisfit<Value>}`;

/**
 * The values that JSON can represent. It is a quick check for most types. It does not match interfaces, which
 * {@linkcode JsonOf} checks key by key.
 */
type JsonValue = string | number | boolean | null | readonly JsonValue[] | {
  readonly [key: string]: JsonValue | undefined;
};

/** `Value` with `never` in each place that JSON cannot represent. */
type JsonOf<Value> = unknown extends Value ? Value
  : Value extends string | number | boolean | null ? Value
  : Value extends bigint | symbol | undefined | ((...values: never) => unknown) ? never
  : Value extends readonly unknown[] ? { [Index in keyof Value]: JsonOf<Value[Index]> }
  : { [Key in keyof Value]: JsonOf<Exclude<Value[Key], undefined>> | Extract<Value[Key], undefined> };

/** The part of a value that JSON cannot represent, for an error message. */
type JsonMisfit<Value> = [MisfitPath<Value>] extends [never] ? "this value; convert it, or declare a codec()"
  : `the property "${MisfitPath<Value>}"; convert it, or declare a codec()`;

/** The key, or the path of two keys, at which JSON cannot represent `Value`. `never` if it is `Value` itself. */
type MisfitPath<Value> = Value extends Opaque ? never
  : Value extends object
    ? { [Key in keyof Value & string]-?: MisfitBelow<Exclude<Value[Key], undefined>, Key> }[keyof Value & string]
  : never;

/** {@linkcode MisfitPath} at one key. It looks only one object deeper, because a type can be recursive. */
type MisfitBelow<Value, Key extends string> = [Value] extends [JsonOf<Value>] ? never
  : Value extends Opaque ? Key
  : Value extends object ? `${Key}.${MisfitKey<Value, JsonOf<Value>>}`
  : Key;

/** Objects that a message names as a whole, not by their members. */
type Opaque =
  | Date
  | readonly unknown[]
  | { readonly [Symbol.toStringTag]: string } // Map, Set, bytes, …
  | { readonly bind: unknown }; // functions

/** The keys at which `Value` is not assignable to `Fitting`. */
type MisfitKey<Value, Fitting> =
  & {
    [Key in keyof Value]-?: Key extends keyof Fitting ? Value[Key] extends Fitting[Key] ? never : Key : Key;
  }[keyof Value]
  & string;

/**
 * `unknown` if a text can satisfy every key of a schema's input. Otherwise an error message as a type.
 *
 * @internal
 */
export type FitsText<Declared extends Schema | undefined, Text> = [Declared] extends
  [PlainSchema<Readonly<Record<string, Text | undefined>>> | undefined] ? unknown
  : FitsFields<InputOf<NonNullable<Declared>>, Text>;

/** {@linkcode FitsText} of an input. */
type FitsFields<Input, Text> = Open<TextVerdict<Input, Text>, Input, TextOf<Input, Text>>;

/** `Input` with `never` in each place that no text satisfies. */
type TextOf<Input, Text> = {
  [Key in keyof Input]: SomeText<Exclude<Input[Key], undefined>, Text> extends true ? Input[Key]
    : never;
};

/** {@linkcode FitsText}, undecided as long as a type parameter is. */
type TextVerdict<Input, Text> = unknown extends Input ? unknown
  : Input extends object ? TextMisfit<Input, Text> extends never ? unknown
    : `"${TextMisfit<Input, Text>}" must accept a string; convert it in the schema`
  : "This slot must be an object; declare an object schema";

/**
 * {@linkcode FitsText} for form data: `unknown` if a text, a file or a list of them can satisfy every key.
 *
 * @internal
 */
export type FitsFormData<Input> = Open<FormDataVerdict<Input>, Input, TextOf<Input, FormDataPart>>;

/** {@linkcode FitsFormData}, undecided as long as a type parameter is. */
type FormDataVerdict<Input> = unknown extends Input ? unknown
  : Input extends Blob | FormData | string ? "Form data must be an object; declare an object schema"
  : TextMisfit<Input, FormDataPart> extends never ? unknown
  : `"${TextMisfit<Input, FormDataPart>}" must accept a string or a file; convert it in the schema`;

/** The values that a schema can receive for a field of form data. */
type FormDataPart = string | File | (string | File)[];

/** The keys of an input that no text satisfies. */
type TextMisfit<Input, Text> = {
  [Key in keyof Input & string]-?: SomeText<Exclude<Input[Key], undefined>, Text> extends true ? never : Key;
}[keyof Input & string];

/** Whether some text satisfies a value. */
export type SomeText<Value, Text> = [Value] extends [never] ? true : TextPart<Value, Text> extends never ? false : true;

/** `true` for each member of a union that some text satisfies. */
type TextPart<Value, Text> = unknown extends Value ? true
  : Value extends Text ? true
  : Text extends Value ? true
  : never;

/**
 * `unknown` if every value is a header value: a string or a list of strings. Otherwise an error message as a type.
 *
 * @internal
 */
export type FitsHeaders<Output> = Open<HeadersVerdict<Output>, Output, HeadersLike<Output>>;

/** Header values by the names of `Output`. */
type HeadersLike<Output> = { readonly [Key in keyof Output]: string | readonly string[] | undefined };

/** {@linkcode FitsHeaders}, undecided as long as a type parameter is. */
type HeadersVerdict<Output> = unknown extends Output ? unknown
  : Output extends HeadersLike<Output> ? unknown
  : `The output of the header "${MisfitKey<Output, HeadersLike<Output>>}" must be a string`;

/**
 * `unknown` if a representation of `Value` can encode the type on the wire. Otherwise an error message as a type.
 *
 * @internal
 */
export type FitsValue<Wire, Value> = Open<ValueVerdict<Wire, Value>>;

/** {@linkcode FitsValue}, undecided as long as a type parameter is. */
type ValueVerdict<Wire, Value> = unknown extends Wire ? unknown
  : [Wire] extends [Value] ? unknown
  : [PropertiesOf<Wire>] extends [Value] ? unknown
  : `This representation cannot encode ${ValueMisfit<Wire, Value>}; convert it, or declare a codec()`;

/**
 * The value type of a representation. `unknown` for `any`, which many decoders return.
 *
 * @internal
 */
export type ValueOf<Value> = unknown extends Value ? unknown : Value;

/** The same properties at every depth, but as object types: an interface has no index signature. */
type PropertiesOf<Value> = Value extends Exclude<Opaque, readonly unknown[]> ? Value
  : { [Key in keyof Value]: PropertiesOf<Value[Key]> };

/** The part of a type that another type does not include, for an error message. */
type ValueMisfit<Wire, Value> = [Wire, Value] extends [readonly (infer Item)[], readonly (infer Fitting)[]]
  ? ValueMisfit<Item, Fitting>
  : [ValueMisfitKey<Wire, Value>] extends [never] ? "this value"
  : `the property "${ValueMisfitKey<Wire, Value>}"`;

/** The keys at which an object does not fit another type. `never` if the objects differ as a whole. */
type ValueMisfitKey<Wire, Value> = Value extends readonly unknown[] ? never
  : Wire extends Opaque ? never
  : Wire extends object ? MisfitKey<Wire, Value>
  : never;

/**
 * `unknown` if `Value` is a `Fitting` or unknown. Otherwise `Message`, an error message as a type.
 *
 * @internal
 */
export type Fits<Value, Fitting, Message extends string> = Open<FittingVerdict<Value, Fitting, Message>>;

/** {@linkcode Fits}, undecided as long as a type parameter is. */
type FittingVerdict<Value, Fitting, Message extends string> = unknown extends Value ? unknown
  : [Value] extends [Fitting] ? unknown
  : Message;

/** A value that the client converts to text in a path, a query, a header or a form. */
export type TextValue = string | number | boolean | bigint;

/** A value of a field of form data. */
export type FormDataValue = TextValue | Blob;

/**
 * The input of a schema as a client passes it. Values of type `unknown`, as coercing schemas have them, can be any
 * value of a field. Optional ones can be `undefined`, which is left out.
 *
 * @internal
 */
export type TextInput<Input, Value = TextValue> = unknown extends Input ? AnyFields<Value>
  : unknown extends Input[keyof Input] ? CoercedInput<Input, Value>
  : Input extends Required<Input> ? Input
  : LeftOut<Input>;

/** An input whose optional values can be `undefined`. */
type LeftOut<Input> = Spread<
  { readonly [Key in keyof Input]: Record<never, never> extends Pick<Input, Key> ? Input[Key] | undefined : Input[Key] }
>;

/**
 * Any fields by name. `undefined` is left out.
 *
 * @internal
 */
export type AnyFields<Value = TextValue> = Readonly<Record<string, Value | readonly Value[] | undefined>> & unknown;

/** An input that has values of type `unknown`. */
type CoercedInput<Input, Value = TextValue> = Spread<
  { readonly [Key in keyof Input]: unknown extends Input[Key] ? AnyFields<Value>[string] : Input[Key] }
>;

/**
 * The same properties as one object type, which editors show without the name of the original type.
 *
 * @internal
 */
export type Spread<Joined> = { [Key in keyof Joined]: Joined[Key] } & unknown;
