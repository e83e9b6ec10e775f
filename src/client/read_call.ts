import { checkKeys, checkLimits, type Limits } from "./check_options.ts";
import { type UrlValues } from "./encode_url.ts";
import { type CallOptions } from "./settings.ts";
import { checkMilliseconds, createEnding, type Ending } from "../signals.ts";

/** What a caller gave: an input where the route declares slots, then options. */
export type Given = readonly unknown[];

/** What a caller gives for the declared slots. */
export interface SlotValues extends UrlValues {
  readonly headers?: unknown;
  readonly body?: unknown;
}

/** A call, how its response is read, and what may end it early. */
export interface ReadCall extends Limits, Ending {
  readonly input: SlotValues;
  readonly options: CallOptions;
  /** The most milliseconds without a byte of a stream. */
  readonly silence: number;
}

/**
 * Tells input and options apart; throws a `TypeError` for what nobody reads.
 *
 * @param isEndSeen Whether the end of the call will be seen, as it is not if the caller gets a native response.
 * @param defaults The limits of the client.
 */
export function readCall(slots: readonly string[], given: Given, isEndSeen: boolean, defaults: Limits): ReadCall {
  const [first, second] = slots.length > 0 ? given : [undefined, ...given];
  const input = readInput(slots, first);
  const options: CallOptions = checkKeys(second, optionNames, "option", refuse);
  checkLimits(options, refuse);
  const { silence = Infinity, maxBodyBytes = defaults.maxBodyBytes, maxRecordBytes = defaults.maxRecordBytes } =
    options;
  checkMilliseconds("silence", silence);
  const ending = createEnding(options.signal, options.timeout, isEndSeen);
  return { input, options, silence, maxBodyBytes, maxRecordBytes, ...ending };
}

/** The input of a call; throws a `TypeError` for a slot that the route does not declare. */
export function readInput(slots: readonly string[], given: unknown): SlotValues {
  return checkKeys(given, slots, "slot", refuse);
}

const optionNames = [
  "signal",
  "timeout",
  "silence",
  "headers",
  "init",
  "maxBodyBytes",
  "maxRecordBytes",
] satisfies (keyof CallOptions)[];

function refuse(state: string): never {
  throw new TypeError(state);
}
