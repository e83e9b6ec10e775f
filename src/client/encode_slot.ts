import { type Awaitable } from "../awaitable.ts";
import { codecClientOf } from "../contract/codec.ts";
import { type Schema } from "../schema.ts";

/** Returns the wire value of a slot. */
export type EncodeSlot = (value: unknown) => Awaitable<unknown>;

/** Plans how a slot is encoded: by its codec, or not at all. */
export function planSlot(schema: Schema | undefined, name: string): EncodeSlot {
  const codec = codecClientOf(schema);
  return codec ? (value) => codec.encode(value, name) : (value) => value;
}
