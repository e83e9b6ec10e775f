import { type Awaitable, isPromise } from "../awaitable.ts";
import { isCodec, toEncodingCheck } from "../contract/codec.ts";
import { type Check, type Checked, formatIssues, type Schema, toCheck } from "../schema.ts";
import { ResultError } from "../server/stop.ts";

/** Gives what is sent for a value; throws or rejects where it is refused. */
export type Assert = (value: unknown) => Awaitable<unknown>;

/** What gives a schema's output, or a codec's wire value, and throws where it refuses. */
export function toAssert(schema: Schema | undefined, what: string): Assert | undefined {
  if (!schema) return undefined;
  const check: Check = isCodec(schema) ? toEncodingCheck(schema) : toCheck(schema);
  const settle = (checked: Checked): unknown => {
    if (checked.issues) throw new ResultError(`Cannot send ${what}: ${formatIssues(checked.issues)}`);
    return checked.value;
  };
  return (value) => {
    const checked = check(value);
    return isPromise(checked) ? Promise.resolve(checked).then(settle) : settle(checked);
  };
}
