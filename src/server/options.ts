/** The options of mounted handlers, and their checks. */
import { isCount } from "../mark.ts";
import { checkOptionNames, describeValue } from "../messages.ts";
import { checkCors, type CorsOptions } from "./answer/cors.ts";
import type { ErrorReport, OnError, OnResponse } from "./answer/answer_stop.ts";
import type { Sent } from "./http/answer.ts";
import type { Exchange } from "./http/exchange.ts";
import type { ToContextInput } from "./steps/callbacks.ts";

/**
 * The options of a mounted handler, whatever the adapter.
 *
 * @internal
 */
export interface EngineOptions {
  /**
   * The maximum size of a request body in bytes: an integer, 0 or more. It applies to bodies without a `maxBytes` of
   * their own. The server answers 413 to a longer one. Default: no limit.
   */
  readonly maxBodyBytes?: number;
  /**
   * The maximum number of levels of arrays and objects in a request body: an integer, 1 or more. It applies to JSON, also
   * in a field that is `styled()`, and to custom representations. The server answers 400 to a deeper one, because schemas
   * that refer to themselves may take seconds for it. `[]` has one level. Default: 100.
   */
  readonly maxDepth?: number;
  /**
   * Which other origins may call, and which headers their pages may send and read. Default: none, and a preflight is an
   * ordinary OPTIONS request.
   */
  readonly cors?: CorsOptions;
  /**
   * Called for every 5xx response that the adapter produces, for every stream that fails, and when `cors.origins` or the
   * server's `refuse` fails, once each. It can return a response to send instead of a 5xx. Errors that it throws are
   * ignored. Default: writes the error to `console.error`.
   */
  readonly onError?: OnError;
  /**
   * Called for every response before it is returned, also for those that the adapter sends itself, with the route and
   * the duration: for logs, metrics and traces. It can return a response to send instead, such as that of
   * {@linkcode watchBody}, which tells when a stream ends. Errors that it throws are ignored, unless it has read the
   * body: the response is then a 500, and `onError` is called. Default: none.
   */
  readonly onResponse?: OnResponse;
}

/** What an adapter passes to the engine: the options, and its own functions. */
export interface EngineSettings<Own extends Exchange, Out = Sent> extends EngineOptions {
  /** Returns the second argument of verifiers, guards and the context factory. */
  readonly contextInput?: ToContextInput<Own> | undefined;
  /** Turns an answer into what `answer()` returns. For HEAD, it has no body any more. Default: the answer itself. */
  readonly finish?: (sent: Sent, isHead: boolean) => Out;
}

/** What an option must be, in words and as a test. */
type OptionRule = readonly [expected: string, isValid: (value: unknown) => boolean];

const rules: Readonly<Record<string, OptionRule>> = {
  maxBodyBytes: ["a non-negative integer or omitted", isCount],
  maxDepth: ["a positive integer or omitted", (value) => isCount(value) && value > 0],
};

const isFunction: OptionRule = ["a function", (value) => typeof value === "function"];

/**
 * Returns the options that are set. Throws a `TypeError` if one is unknown or invalid. `own` are the rules of options
 * that only one adapter has, and `functions` the names of those that are functions.
 */
export function readOptions<Options extends EngineOptions>(
  options: Options,
  where: string,
  own: Readonly<Record<string, OptionRule>>,
  ...functions: readonly string[]
): Options {
  const fail = (state: string): never => {
    throw new TypeError(`${where}: ${state}`);
  };
  const set = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const all: Readonly<Record<string, OptionRule>> = { ...rules, ...own };
  checkOptionNames(set, [...Object.keys(all), "cors", "onError", "onResponse", ...functions], fail);
  for (const [name, value] of Object.entries(set)) {
    const [expected, isValid] = all[name] ?? isFunction;
    if (name === "cors") checkCors(value, fail);
    else if (!isValid(value)) fail(`"${name}" must be ${expected}, got ${describeValue(value)}`);
  }
  return set as Options; // without those that are undefined
}

/** The default of `onError`. */
export function logError({ error, phase, route, request }: ErrorReport): void {
  console.error(`${request.method} ${route?.path ?? ""} (${route?.key ?? ""}) failed in phase ${phase}:`, error);
}
