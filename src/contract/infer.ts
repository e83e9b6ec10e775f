/** Types of schemas: which values each side sends and receives, and whether a schema fits its representation. */
import type { Marked } from "../mark.ts";
import type { InputOf, OutputOf, Schema } from "../schema.ts";

/**
 * The type that the sender passes: the schema's input, or a codec's application value.
 *
 * @internal
 */
export type SentOf<Declared extends Schema> = Declared extends CodecParts ? InputOf<Declared["application"]>
  : InputOf<Declared>;

/**
 * The type of a request on the wire: the schema's input, or the output of a codec's wire schema.
 *
 * @internal
 */
export type RequestWireOf<Declared extends Schema> = Declared extends CodecParts ? OutputOf<Declared["wire"]>
  : InputOf<Declared>;

/**
 * The type of a response on the wire: the schema's output, or the output of a codec's wire schema.
 *
 * @internal
 */
export type ResponseWireOf<Declared extends Schema> = Declared extends CodecParts ? OutputOf<Declared["wire"]>
  : OutputOf<Declared>;

/**
 * The two schemas of a codec, without the members that inference does not need.
 *
 * @internal
 */
export interface CodecParts<Wire extends Schema = Schema, Application extends Schema = Schema> extends Marked<"codec"> {
  /** The schema of the value on the wire. */
  readonly wire: Wire;
  /** The schema of the application's value. */
  readonly application: Application;
}

/**
 * Whether a schema is a codec.
 *
 * @internal
 */
export type IsCodec<Declared extends Schema> = Declared extends Marked<"codec"> ? true : false;

/**
 * `unknown` if `Value` is JSON. Otherwise an error message as a type, to which no value is assignable.
 *
 * @internal
 */
export type FitsJson<Value> = [Value] extends [JsonValue] ? unknown
  : [Value] extends [JsonOf<Value>] ? unknown
  : `JSON cannot encode ${JsonMisfit<Value>}`;

/**
 * The values that JSON can represent. It is a quick check for most types. It does not match interfaces, which
 * {@linkcode JsonOf} checks key by key.
 *
 * @internal
 */
type JsonValue = string | number | boolean | null | readonly JsonValue[] | {
  readonly [key: string]: JsonValue | undefined;
};

/**
 * `Value` with `never` in each place that JSON cannot represent.
 *
 * @internal
 */
type JsonOf<Value> = unknown extends Value ? Value
  : Value extends string | number | boolean | null ? Value
  : Value extends bigint | symbol | undefined | ((...values: never) => unknown) ? never
  : Value extends readonly unknown[] ? { [Index in keyof Value]: JsonOf<Value[Index]> }
  : { [Key in keyof Value]: JsonOf<Exclude<Value[Key], undefined>> | Extract<Value[Key], undefined> };

/**
 * The part of a value that JSON cannot represent, for an error message.
 *
 * @internal
 */
type JsonMisfit<Value> = [MisfitPath<Value>] extends [never] ? "this value; convert it, or declare a codec()"
  : `the property "${MisfitPath<Value>}"; convert it, or declare a codec()`;

/**
 * The key, or the path of two keys, at which JSON cannot represent `Value`. `never` if it is `Value` itself.
 *
 * @internal
 */
type MisfitPath<Value> = Value extends Opaque ? never
  : Value extends object
    ? { [Key in keyof Value & string]-?: MisfitBelow<Exclude<Value[Key], undefined>, Key> }[keyof Value & string]
  : never;

/**
 * {@linkcode MisfitPath} at one key. It looks only one object deeper, because a type can be recursive.
 *
 * @internal
 */
type MisfitBelow<Value, Key extends string> = [Value] extends [JsonOf<Value>] ? never
  : Value extends Opaque ? Key
  : Value extends object ? `${Key}.${MisfitKey<Value, JsonOf<Value>>}`
  : Key;

/**
 * Objects that a message names as a whole, not by their members.
 *
 * @internal
 */
type Opaque =
  | Date
  | readonly unknown[]
  | { readonly [Symbol.toStringTag]: string } // Map, Set, bytes, …
  | { readonly bind: unknown }; // functions

/**
 * The keys at which `Value` is not assignable to `Fitting`.
 *
 * @internal
 */
type MisfitKey<Value, Fitting> =
  & {
    [Key in keyof Value]-?: Key extends keyof Fitting ? Value[Key] extends Fitting[Key] ? never : Key : Key;
  }[keyof Value]
  & string;

/**
 * `unknown` if a text can satisfy every key of the input. Otherwise an error message as a type.
 *
 * @internal
 */
export type FitsText<Input, Text> = unknown extends Input ? unknown
  : Input extends object ? TextMisfit<Input, Text> extends never ? unknown
    : `"${TextMisfit<Input, Text>}" must accept a string; convert it in the schema`
  : "This slot must be an object; declare an object schema";

/**
 * {@linkcode FitsText} for form data: `unknown` if a text, a file or a list of them can satisfy every key.
 *
 * @internal
 */
export type FitsFormData<Input> = unknown extends Input ? unknown
  : Input extends Blob | FormData | string ? "Form data must be an object; declare an object schema"
  : TextMisfit<Input, FormDataPart> extends never ? unknown
  : `"${TextMisfit<Input, FormDataPart>}" must accept a string or a file; convert it in the schema`;

/**
 * The values that a schema can receive for a field of form data.
 *
 * @internal
 */
type FormDataPart = string | File | (string | File)[];

/**
 * The keys of an input that no text satisfies.
 *
 * @internal
 */
type TextMisfit<Input, Text> = {
  [Key in keyof Input & string]-?: SomeText<Exclude<Input[Key], undefined>, Text> extends true ? never : Key;
}[keyof Input & string];

/**
 * Whether some text satisfies a value.
 *
 * @internal
 */
export type SomeText<Value, Text> = [Value] extends [never] ? true : TextPart<Value, Text> extends never ? false : true;

/**
 * `true` for each member of a union that some text satisfies.
 *
 * @internal
 */
type TextPart<Value, Text> = unknown extends Value ? true
  : Value extends Text ? true
  : Text extends Value ? true
  : never;

/**
 * `unknown` if every value is a header value: a string or a list of strings. Otherwise an error message as a type.
 *
 * @internal
 */
export type FitsHeaders<Output> = unknown extends Output ? unknown
  : Output extends { readonly [Key in keyof Output]: string | readonly string[] | undefined } ? unknown
  : `The output of the header "${MisfitKey<
    Output,
    { [Key in keyof Output]: string | readonly string[] | undefined }
  >}" must be a string`;

/**
 * `unknown` if a representation of `Value` can encode the type on the wire. Otherwise an error message as a type.
 *
 * @internal
 */
export type FitsValue<Wire, Value> = unknown extends Wire ? unknown
  : [Wire] extends [Value] ? unknown
  : [PropertiesOf<Wire>] extends [Value] ? unknown
  : `This representation cannot encode ${ValueMisfit<Wire, Value>}; convert it, or declare a codec()`;

/**
 * The value type of a representation. `unknown` for `any`, which many decoders return.
 *
 * @internal
 */
export type ValueOf<Value> = unknown extends Value ? unknown : Value;

/**
 * The same properties at every depth, but as object types: an interface has no index signature.
 *
 * @internal
 */
type PropertiesOf<Value> = Value extends Exclude<Opaque, readonly unknown[]> ? Value
  : { [Key in keyof Value]: PropertiesOf<Value[Key]> };

/**
 * The part of a type that another type does not include, for an error message.
 *
 * @internal
 */
type ValueMisfit<Wire, Value> = [Wire, Value] extends [readonly (infer Item)[], readonly (infer Fitting)[]]
  ? ValueMisfit<Item, Fitting>
  : [ValueMisfitKey<Wire, Value>] extends [never] ? "this value"
  : `the property "${ValueMisfitKey<Wire, Value>}"`;

/**
 * The keys at which an object does not fit another type. `never` if the objects differ as a whole.
 *
 * @internal
 */
type ValueMisfitKey<Wire, Value> = Value extends readonly unknown[] ? never
  : Wire extends Opaque ? never
  : Wire extends object ? MisfitKey<Wire, Value>
  : never;

/**
 * `unknown` if `Value` is a `Fitting` or unknown. Otherwise `Message`, an error message as a type.
 *
 * @internal
 */
export type Fits<Value, Fitting, Message extends string> = unknown extends Value ? unknown
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

/**
 * An input whose optional values can be `undefined`.
 *
 * @internal
 */
type LeftOut<Input> = Spread<
  { readonly [Key in keyof Input]: Record<never, never> extends Pick<Input, Key> ? Input[Key] | undefined : Input[Key] }
>;

/**
 * Any fields by name. `undefined` is left out.
 *
 * @internal
 */
export type AnyFields<Value = TextValue> = Readonly<Record<string, Value | readonly Value[] | undefined>> & unknown;

/**
 * An input that has values of type `unknown`.
 *
 * @internal
 */
type CoercedInput<Input, Value = TextValue> = Spread<
  { readonly [Key in keyof Input]: unknown extends Input[Key] ? AnyFields<Value>[string] : Input[Key] }
>;

/**
 * The same properties as one object type, which editors show without the name of the original type.
 *
 * @internal
 */
export type Spread<Joined> = { [Key in keyof Joined]: Joined[Key] } & unknown;
