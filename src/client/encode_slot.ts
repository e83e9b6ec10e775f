import { type Awaitable, whenReady } from "../awaitable.ts";
import { isCodec, toEncodingCheck } from "../contract/codec.ts";
import { formatIssues } from "../issue.ts";
import { type Schema } from "../schema.ts";

/** Gives a slot's wire value. */
export type EncodeSlot = (value: unknown) => Awaitable<unknown>;

/** What gives a slot's wire value: what a codec encodes, or what the caller gave. */
export function planSlot(schema: Schema | undefined, name: string): EncodeSlot {
  if (!schema || !isCodec(schema)) return (value) => value;
  const check = toEncodingCheck(schema);
  return (value) =>
    whenReady(check(value), (checked) => {
      if (checked.issues) throw new TypeError(`${name} does not fit its codec: ${formatIssues(checked.issues)}`);
      return checked.value;
    });
}
