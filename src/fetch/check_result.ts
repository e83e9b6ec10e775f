import { type Awaitable, isPromise } from "../awaitable.ts";
import { isCodec, toEncodingCheck } from "../contract/codec.ts";
import { formatIssues } from "../issue.ts";
import { type Check, type Checked, type Schema, toCheck } from "../schema.ts";
import { ResultError } from "../server/stop.ts";

/** Gives what is sent for a value; throws or rejects where it is refused. */
export type Assert = (value: unknown) => Awaitable<unknown>;

/** What gives a schema's output, or a codec's wire value, and throws where it refuses. */
export function toAssert(schema: Schema | undefined, what: string): Assert | undefined {
  if (!schema) return undefined;
  const check = toSendingCheck(schema);
  const settle = (checked: Checked): unknown => outputOf(checked, what);
  return (value) => {
    const checked = check(value);
    return isPromise(checked) ? Promise.resolve(checked).then(settle) : settle(checked);
  };
}

/** The check of what is sent: a codec's way out. */
export function toSendingCheck(schema: Schema): Check {
  return isCodec(schema) ? toEncodingCheck(schema) : toCheck(schema);
}

/** What a check gave; throws where it refused. */
export function outputOf(checked: Checked, what: string): unknown {
  if (checked.issues) throw new ResultError(`Cannot send ${what}: ${formatIssues(checked.issues)}`);
  return checked.value;
}
