import { isCodec, toEncodingCheck } from "../contract/codec.ts";
import { formatIssues } from "../issue.ts";
import { type Check, type Checked, type Schema, toCheck } from "../schema.ts";
import { ResultError } from "../server/stop.ts";

/** The check of a value to send. A codec encodes it. */
export function toSendingCheck(schema: Schema): Check {
  return isCodec(schema) ? toEncodingCheck(schema) : toCheck(schema);
}

/** Returns the output of a check. Throws if it failed. */
export function outputOf(checked: Checked, what: string): unknown {
  if (checked.issues) throw new ResultError(`Cannot send ${what}: ${formatIssues(checked.issues)}`);
  return checked.value;
}
