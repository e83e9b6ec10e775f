import { isCodec, toEncodingCheck } from "../contract/codec.ts";
import { formatIssues } from "../issue.ts";
import { type Check, type Checked, type Schema, toCheck } from "../schema.ts";
import { ResultError } from "../server/stop.ts";

/** The check of what is sent: a codec's way out. */
export function toSendingCheck(schema: Schema): Check {
  return isCodec(schema) ? toEncodingCheck(schema) : toCheck(schema);
}

/** What a check gave; throws where it refused. */
export function outputOf(checked: Checked, what: string): unknown {
  if (checked.issues) throw new ResultError(`Cannot send ${what}: ${formatIssues(checked.issues)}`);
  return checked.value;
}
