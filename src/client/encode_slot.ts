import { type Awaitable } from "../awaitable.ts";
import { codecClientOf } from "../contract/codec.ts";
import { type Schema } from "../schema.ts";

/** Gives a slot's wire value. */
export type EncodeSlot = (value: unknown) => Awaitable<unknown>;

/** What gives a slot's wire value: what a codec encodes, or what the caller gave. */
export function planSlot(schema: Schema | undefined, name: string): EncodeSlot {
  const codec = codecClientOf(schema);
  return codec ? (value) => codec.encode(value, name) : (value) => value;
}
