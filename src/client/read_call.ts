import { type Call, type SlotValues } from "./encode_request.ts";
import { type CallOptions, refuseLimits } from "./settings.ts";
import { checkMilliseconds, createEnding, type Ending } from "../signals.ts";

/** What a caller gave: an input where the route declares slots, then options. */
export type Given = readonly unknown[];

/** A call, and what may end it early. */
export interface ReadCall extends Omit<Call, "upload"> {
  readonly ending: Ending;
}

/**
 * Tells input and options apart; throws a `TypeError` for what nobody reads.
 *
 * @param isEndSeen Whether the end of the call will be seen, as it is not if the caller gets a native response.
 */
export function readCall(slots: readonly string[], given: Given, isEndSeen: boolean): ReadCall {
  const input = slots.length > 0 ? readInput(slots, given[0]) : nothing;
  const options: CallOptions = checkKeys(given[slots.length > 0 ? 1 : 0], optionNames, "option");
  const limit = refuseLimits(options);
  if (limit !== undefined) throw new TypeError(limit);
  if (options.silence !== undefined) checkMilliseconds("silence", options.silence);
  const ending = createEnding(options.signal, options.timeout, isEndSeen);
  return { input, options, ending, signal: ending.signal };
}

/** The input of a call; throws a `TypeError` for a slot that the route does not declare. */
export function readInput(slots: readonly string[], given: unknown): SlotValues {
  return checkKeys(given, slots, "slot");
}

const nothing = Object.freeze({});

const optionNames = [
  "signal",
  "timeout",
  "silence",
  "headers",
  "init",
  "maxBodyBytes",
  "maxRecordBytes",
] satisfies (keyof CallOptions)[];

/** The object that was given, or none; throws a `TypeError` for anything else, and for a key that nobody reads. */
function checkKeys(given: unknown, allowed: readonly string[], what: string): object {
  if (given === undefined) return nothing;
  if (typeof given !== "object" || given === null) throw new TypeError(`the ${what}s are no object`);
  for (const key of Object.keys(given)) {
    if (allowed.includes(key)) continue;
    const known = allowed.length > 0 ? ` (${what}s: ${allowed.join(", ")})` : "";
    throw new TypeError(`${JSON.stringify(key)} is no ${what} of it${known}`);
  }
  return given;
}
