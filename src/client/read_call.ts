import { checkKeys, checkLimits, type Limits } from "./check_options.ts";
import { type UrlValues } from "./encode_url.ts";
import { type CallOptions } from "./settings.ts";
import { checkMilliseconds, createEnding, type Ending } from "../signals.ts";

/** The arguments of a call: an input if the route declares slots, then options. */
export type AnyArguments = readonly unknown[];

/** The values of the declared slots. */
export interface SlotValues extends UrlValues {
  readonly headers?: unknown;
  readonly body?: unknown;
}

/** The arguments of a call with the defaults applied, and the signals that may end it early. */
export interface ReadCall extends Limits, Ending {
  readonly input: SlotValues;
  readonly options: CallOptions;
  /** The most milliseconds that a stream may stay silent. */
  readonly silence: number;
}

/**
 * Separates the input from the options. Throws a `TypeError` for unknown slots and options.
 *
 * @param isEndSeen Whether the client sees the end of the call. It does not if the caller receives a native response.
 * @param defaults The limits of the client.
 */
export function readCall(slots: readonly string[], args: AnyArguments, isEndSeen: boolean, defaults: Limits): ReadCall {
  const [first, second] = slots.length > 0 ? args : [undefined, ...args];
  const input = readInput(slots, first);
  const options: CallOptions = checkKeys(second, optionNames, "option", refuse);
  checkLimits(options, refuse);
  const { silence = Infinity, maxBodyBytes = defaults.maxBodyBytes, maxRecordBytes = defaults.maxRecordBytes } =
    options;
  checkMilliseconds('"silence"', silence);
  const ending = createEnding(options.signal, options.timeout, isEndSeen);
  return { input, options, silence, maxBodyBytes, maxRecordBytes, ...ending };
}

/** Returns the input of a call. Throws a `TypeError` for a slot that the route does not declare. */
export function readInput(slots: readonly string[], input: unknown): SlotValues {
  return checkKeys(input, slots, "slot", refuse);
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
