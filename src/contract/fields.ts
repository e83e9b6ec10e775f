/** What a client gives for fields: of text in a path, a query, headers and forms, and of files in form data. */

import { type Spread } from "../spread.ts";

/** What becomes text in a path, a query, a header or a form. */
export type TextValue = string | number | boolean | bigint;

/** What a field of form data may hold. */
export type FormDataValue = TextValue | Blob;

/**
 * An input whose unknown values, as a coercing schema has them, are anything that becomes a field, and whose optional ones may be
 * `undefined`, which is left out.
 *
 * @internal
 */
export type TextInput<Input, Value = TextValue> = unknown extends Input ? AnyFields<Value>
  : unknown extends Input[keyof Input] ? CoercedInput<Input, Value>
  : Input extends Required<Input> ? Input
  : LeftOut<Input>;

/**
 * An input whose optional values may be `undefined`.
 *
 * @internal
 */
export type LeftOut<Input> = Spread<
  { readonly [Key in keyof Input]: Record<never, never> extends Pick<Input, Key> ? Input[Key] | undefined : Input[Key] }
>;

/**
 * Any fields by name; `undefined` is left out.
 *
 * @internal
 */
export type AnyFields<Value = TextValue> = Readonly<Record<string, Value | readonly Value[] | undefined>> & unknown;

/**
 * An input of which some values are unknown.
 *
 * @internal
 */
export type CoercedInput<Input, Value = TextValue> = Spread<
  { readonly [Key in keyof Input]: unknown extends Input[Key] ? AnyFields<Value>[string] : Input[Key] }
>;
