/** Functions of the caller's that run around the attempts of a call. */
import { type RouteNode } from "../contract/node.ts";
import { isInstance } from "../is_instance.ts";
import { untilAborted } from "../signals.ts";
import { discardBody } from "../wire/discard_body.ts";
import { cannotCreate } from "./check_options.ts";
import { type DecodedResponse } from "./decode_response.ts";
import { type CalledRoute, ClientError, type Fail } from "./error.ts";

/** A declared result of any route, as a function around calls sees it. */
export interface AnyOutcome {
  /** The status. */
  readonly status: number;
  /** The decoded body. */
  readonly body: unknown;
  /** The declared headers, or the native `Headers`. */
  readonly headers: unknown;
  /** The native response. */
  readonly response: Response;
}

/** What a function around calls knows of a call. */
export interface AroundCall {
  /** The route that is called. */
  readonly route: CalledRoute;
  /** Aborts when the caller does, or when the time of the whole call is up. */
  readonly signal: AbortSignal | undefined;
  /** Whether to send the request twice has the effect of sending it once: by its method, or by an `idempotency-key` among its `headers`. */
  readonly idempotent: boolean;
  /** Whether a second attempt can be made: a body that is a stream can be sent once. */
  readonly replayable: boolean;
}

/**
 * Runs around the attempts of a call. `attempt()` encodes, sends and decodes; it resolves to a declared result or rejects with a
 * `ClientError`. So must the function: it returns what an attempt came to, the first or another one.
 */
export interface Around<Key extends string = never> {
  /** Runs around one call. */
  <Outcome extends AnyOutcome>(attempt: () => Promise<Outcome>, call: AroundCall): Promise<Outcome>;
  /** The keys of routes that it treats in its own way; `createClient` throws for one that the contract does not have. */
  readonly routes?: readonly Key[] | undefined;
}

/** All functions around the calls of a client as one, each held to what it owes. */
export type AroundCalls = (
  attempt: () => Promise<DecodedResponse>,
  call: AroundCall,
  check: OutcomeCheck,
) => Promise<DecodedResponse>;

/** What a function around a call owes to the one outside of it, and to the caller. */
interface OutcomeCheck {
  /** What it returned, if that is a declared result; else throws. */
  readonly accept: (outcome: DecodedResponse) => DecodedResponse;
  /** The error of the call for what it threw. */
  readonly toError: (cause: unknown) => ClientError;
}

/** Checks the option `around` of a client of `nodes`; throws a `TypeError` where it is invalid. `undefined` where there is none. */
export function foldAround(around: unknown, nodes: readonly RouteNode[]): AroundCalls | undefined {
  const list: readonly unknown[] = around === undefined ? [] : Array.isArray(around) ? around : [around];
  return list.reduceRight<AroundCalls | undefined>((inner, each) => {
    if (typeof each !== "function") cannotCreate("around must be a function, or a list of functions");
    const outer = each as Around<string>;
    const unknown = outer.routes?.find((key) => !nodes.some((node) => node.key === key));
    if (unknown !== undefined) {
      cannotCreate(`around names the route ${JSON.stringify(unknown)}, which the contract does not have`);
    }
    return (attempt, call, check) => runAround(outer, inner ? () => inner(attempt, call, check) : attempt, call, check);
  }, undefined);
}

async function runAround(
  around: Around<string>,
  attempt: () => Promise<DecodedResponse>,
  call: AroundCall,
  { accept, toError }: OutcomeCheck,
): Promise<DecodedResponse> {
  try {
    return accept(await around(attempt, call));
  } catch (cause) {
    throw toError(cause);
  }
}

/** A call whose attempts functions run around. */
export interface AttemptedCall {
  readonly call: AroundCall;
  /** Leaves the body, if it is a stream, which no attempt has sent; else `undefined`. */
  readonly leave: (() => void) | undefined;
  /** Makes an attempt. What it releases is a body that is read later, or nothing. */
  readonly attempt: (release: () => void) => Promise<DecodedResponse>;
  /** Whether a status is declared. */
  readonly isDeclared: (status: number) => boolean;
  /** The error that the caller gets of a failure. */
  readonly explain: (cause: unknown, response: Response | undefined) => ClientError;
  readonly fail: Fail;
  /** Releases what the call holds. */
  readonly release: () => void;
}

/** Runs functions around the attempts of a call. What they leave of results is closed; an abort or the timeout ends all of it. */
export async function callAround(around: AroundCalls, given: AttemptedCall): Promise<DecodedResponse> {
  const { call, isDeclared, explain, fail } = given;
  const attempts = new Attempts(given);
  const isOwn = (cause: unknown): cause is ClientError => isInstance(cause, ClientError) && cause.route === call.route;
  const check: OutcomeCheck = {
    accept(outcome): DecodedResponse {
      if (typeof outcome === "object" && outcome !== null && isDeclared(outcome.status)) return outcome;
      throw fail("invalid-outcome", "a function of around returned no outcome; return what attempt() resolves to", {});
    },
    toError(cause): ClientError {
      if (isOwn(cause)) return cause;
      if (call.signal?.aborted) return explain(cause, undefined);
      const message = isInstance(cause, Error) ? `: ${cause.message}` : "";
      return fail("invalid-outcome", `a function of around threw${message}`, { cause });
    },
  };
  try {
    const outcome = await untilAborted(call.signal, around(() => attempts.start(), call, check));
    attempts.end(outcome.response);
    return outcome;
  } catch (cause) {
    attempts.end(undefined);
    throw isOwn(cause) ? cause : explain(attempts.failure ?? cause, attempts.response);
  }
}

/** A result that an attempt came to. */
interface AttemptedResult {
  /** Absent while it is awaited. */
  result?: DecodedResponse;
  /** Whether something of its body is left to read. */
  isOpen: boolean;
}

/** The attempts of one call, whose results are closed unless the caller gets them. */
class Attempts {
  /** Why the last attempt failed, if it did. */
  failure: unknown;
  /** The last response. */
  response: Response | undefined;
  readonly #given: AttemptedCall;
  readonly #all: AttemptedResult[] = [];
  #kept: AttemptedResult | undefined;
  #isOver = false;

  constructor(given: AttemptedCall) {
    this.#given = given;
  }

  start(): Promise<DecodedResponse> {
    const attempt = this.#try();
    attempt.catch(() => {}); // one that is no longer awaited fails unseen
    return attempt;
  }

  async #try(): Promise<DecodedResponse> {
    const { attempt, call, leave, fail } = this.#given;
    if (this.#isOver) throw fail("invalid-input", "attempt() was called after the call had ended", {});
    if (leave && this.#all.length > 0) {
      throw fail("invalid-input", "its body is a stream, which a second attempt cannot send again", {});
    }
    const own: AttemptedResult = { isOpen: true };
    this.#all.push(own);
    try {
      own.result = await attempt(() => this.#release(own));
    } catch (error) {
      if (!call.signal?.aborted) this.#note(error, (error as ClientError).response);
      throw error;
    }
    this.#note(undefined, own.result.response);
    if (this.#isOver) this.#close(own);
    return own.result;
  }

  #note(failure: unknown, response: Response | undefined): void {
    this.failure = failure;
    this.response = response;
  }

  #release(own: AttemptedResult): void {
    own.isOpen = false;
    if (own === this.#kept) this.#given.release();
  }

  #close({ result, isOpen }: AttemptedResult): void {
    if (isOpen && result) leaveBody(result.body);
  }

  /** Ends the call with the result that has this response, or with none. */
  end(response: Response | undefined): void {
    const { leave, release } = this.#given;
    this.#isOver = true;
    this.#kept = response && this.#all.find(({ result }) => result?.response === response);
    for (const own of this.#all) if (own !== this.#kept) this.#close(own);
    if (!this.#kept?.isOpen) release();
    if (this.#all.length === 0) leave?.();
  }
}

/** Tells that nobody is going to read a body that is read later: items, bytes, or a native response. */
function leaveBody(body: unknown): void {
  const opened = body as Partial<AsyncIterator<unknown>> & Pick<Response, "body"> | ReadableStream;
  if ("return" in opened) opened.return?.();
  else discardBody("body" in opened ? opened : { body: opened });
}
