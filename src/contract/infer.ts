/** What types say of schemas: what each side gives and sees, and whether a schema fits the place it stands in. */
import { type Marked } from "../mark.ts";
import { type InputOf, type OutputOf, type Schema } from "../schema.ts";

/**
 * What a sender gives for a slot: the schema's input, or a codec's application value.
 *
 * @internal
 */
export type SentOf<Declared extends Schema> = Declared extends CodecParts ? InputOf<Declared["application"]>
  : InputOf<Declared>;

/**
 * What stands on the wire for a request: the schema's input, or what a codec's wire schema gives.
 *
 * @internal
 */
export type RequestWireOf<Declared extends Schema> = Declared extends CodecParts ? OutputOf<Declared["wire"]>
  : InputOf<Declared>;

/**
 * What stands on the wire for a response: the schema's output, or what a codec's wire schema gives.
 *
 * @internal
 */
export type ResponseWireOf<Declared extends Schema> = Declared extends CodecParts ? OutputOf<Declared["wire"]>
  : OutputOf<Declared>;

/**
 * The two schemas of a codec, as far as inference needs them.
 *
 * @internal
 */
export interface CodecParts<Wire extends Schema = Schema, Application extends Schema = Schema> extends Marked<"codec"> {
  /** What stands on the wire. */
  readonly wire: Wire;
  /** What the application works with. */
  readonly application: Application;
}

/**
 * Whether a schema is a codec.
 *
 * @internal
 */
export type IsCodec<Declared extends Schema> = Declared extends Marked<"codec"> ? true : false;

/**
 * `unknown` where `Value` is JSON, else words that no value is assignable to.
 *
 * @internal
 */
export type FitsJson<Value> = [Value] extends [JsonValue] ? unknown
  : [Value] extends [Json<Value>] ? unknown
  : `JSON cannot carry ${JsonMisfit<Value>}`;

/**
 * What JSON carries; a quick answer for most values, but it knows no interface: that {@linkcode Json} looks at key by key.
 *
 * @internal
 */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | {
  readonly [key: string]: JsonValue | undefined;
};

/**
 * `Value` where JSON carries it as it is; `never` in each place where it does not.
 *
 * @internal
 */
export type Json<Value> = unknown extends Value ? Value
  : Value extends string | number | boolean | null ? Value
  : Value extends bigint | symbol | undefined | ((...values: never) => unknown) ? never
  : Value extends readonly unknown[] ? { [Index in keyof Value]: Json<Value[Index]> }
  : { [Key in keyof Value]: Json<Exclude<Value[Key], undefined>> | Extract<Value[Key], undefined> };

/**
 * What of a value JSON cannot carry, in words.
 *
 * @internal
 */
export type JsonMisfit<Value> = [MisfitPath<Value>] extends [never] ? "this value; convert it, or declare a codec()"
  : `the property "${MisfitPath<Value>}"; convert it, or declare a codec()`;

/**
 * The keys, or the keys of one object and below it, at which JSON cannot carry `Value`; `never` where it is `Value` itself.
 *
 * @internal
 */
export type MisfitPath<Value> = Value extends Opaque ? never
  : Value extends object
    ? { [Key in keyof Value & string]-?: MisfitBelow<Exclude<Value[Key], undefined>, Key> }[keyof Value & string]
  : never;

/**
 * {@linkcode MisfitPath} at one key; no deeper than one object further, for a type may hold itself.
 *
 * @internal
 */
export type MisfitBelow<Value, Key extends string> = [Value] extends [Json<Value>] ? never
  : Value extends Opaque ? Key
  : Value extends object ? `${Key}.${MisfitKey<Value, Json<Value>>}`
  : Key;

/**
 * Objects that are named as a whole, not by their members.
 *
 * @internal
 */
export type Opaque =
  | Date
  | readonly unknown[]
  | { readonly [Symbol.toStringTag]: string } // Map, Set, bytes, …
  | { readonly bind: unknown }; // functions

/**
 * The keys at which `Value` is not what `Fitting` is.
 *
 * @internal
 */
export type MisfitKey<Value, Fitting> =
  & {
    [Key in keyof Value]-?: Key extends keyof Fitting ? Value[Key] extends Fitting[Key] ? never : Key : Key;
  }[keyof Value]
  & string;

/**
 * `unknown` where text can satisfy every key of a slot's input, else words that no value is assignable to.
 *
 * @internal
 */
export type FitsText<Input, Text> = unknown extends Input ? unknown
  : Input extends object ? TextMisfit<Input, Text> extends never ? unknown
    : `No text satisfies "${TextMisfit<Input, Text>}"; let the schema convert it from a string`
  : "This slot is an object of text by name; declare an object schema";

/**
 * {@linkcode FitsText} for form data: `unknown` where a text, a file or a list of them can satisfy every key.
 *
 * @internal
 */
export type FitsFormData<Input> = unknown extends Input ? unknown
  : Input extends Blob | FormData | string
    ? "Form data is an object of texts and files by name; declare an object schema"
  : TextMisfit<Input, FormDataPart> extends never ? unknown
  : `No text and no file satisfies "${TextMisfit<Input, FormDataPart>}"; let the schema convert it`;

/**
 * What a schema may see in a field of form data.
 *
 * @internal
 */
export type FormDataPart = string | File | (string | File)[];

/**
 * The keys of an input that no text satisfies.
 *
 * @internal
 */
export type TextMisfit<Input, Text> = {
  [Key in keyof Input & string]-?: SomeText<Exclude<Input[Key], undefined>, Text> extends true ? never : Key;
}[keyof Input & string];

/**
 * Whether some text satisfies a value.
 *
 * @internal
 */
export type SomeText<Value, Text> = [Value] extends [never] ? true : TextPart<Value, Text> extends never ? false : true;

/**
 * `true` for each part of a union that some text satisfies.
 *
 * @internal
 */
export type TextPart<Value, Text> = unknown extends Value ? true
  : Value extends Text ? true
  : Text extends Value ? true
  : never;

/**
 * `unknown` where every value is text for a header, else words that no value is assignable to.
 *
 * @internal
 */
export type FitsHeaders<Output> = unknown extends Output ? unknown
  : Output extends { readonly [Key in keyof Output]: string | readonly string[] | undefined } ? unknown
  : `A header is text; the output at "${MisfitKey<
    Output,
    { [Key in keyof Output]: string | readonly string[] | undefined }
  >}" is not`;

/**
 * `unknown` where a representation of `Value` can encode what stands on the wire, else words that no value is assignable to.
 *
 * @internal
 */
export type FitsValue<Wire, Value> = unknown extends Wire ? unknown
  : [Wire] extends [Value] ? unknown
  : [PropertiesOf<Wire>] extends [Value] ? unknown
  : `This representation cannot encode ${ValueMisfit<Wire, Value>}; convert it, or declare a codec()`;

/**
 * The values of a representation; `unknown` for `any`, which many decoders return.
 *
 * @internal
 */
export type ValueOf<Value> = unknown extends Value ? unknown : Value;

/**
 * A type with the same properties at every depth, but without interfaces, which have no index signature.
 *
 * @internal
 */
export type PropertiesOf<Value> = Value extends Exclude<Opaque, readonly unknown[]> ? Value
  : { [Key in keyof Value]: PropertiesOf<Value[Key]> };

/**
 * What of a type another type does not include, in words.
 *
 * @internal
 */
export type ValueMisfit<Wire, Value> = [Wire, Value] extends [readonly (infer Item)[], readonly (infer Fitting)[]]
  ? ValueMisfit<Item, Fitting>
  : [ValueMisfitKey<Wire, Value>] extends [never] ? "this value"
  : `the property "${ValueMisfitKey<Wire, Value>}"`;

/**
 * The keys at which an object is not what another type asks for; `never` where the objects as a whole differ.
 *
 * @internal
 */
export type ValueMisfitKey<Wire, Value> = Value extends readonly unknown[] ? never
  : Wire extends Opaque ? never
  : Wire extends object ? MisfitKey<Wire, Value>
  : never;

/**
 * `unknown` where `Value` is a `Fitting` or unknown, else `Words`.
 *
 * @internal
 */
export type Fits<Value, Fitting, Words extends string> = unknown extends Value ? unknown
  : [Value] extends [Fitting] ? unknown
  : Words;
