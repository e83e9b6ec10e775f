/** The values that a client can pass for text fields (path, query, headers, forms) and for form data. */

import { type Spread } from "../spread.ts";

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
export type LeftOut<Input> = Spread<
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
export type CoercedInput<Input, Value = TextValue> = Spread<
  { readonly [Key in keyof Input]: unknown extends Input[Key] ? AnyFields<Value>[string] : Input[Key] }
>;
