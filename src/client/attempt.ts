/** One attempt of a call: what is known about it, and the loop that runs the steps of its route. */
import { messageOf } from "../messages.ts";
import { type Awaitable, isPromise, type Ready } from "../awaitable.ts";
import type { RouteNode } from "../contract/node.ts";
import type { ResponseDeclaration } from "../contract/response.ts";
import type { RefusedValue } from "../schema.ts";
import { isInstance } from "../mark.ts";
import type { Incoming, PlannedContentType, ResponseRepresentation, Upload } from "../representation/representation.ts";
import { type Ending, untilAborted } from "../signals.ts";
import type { ToUrl, UrlValues } from "./encode_url.ts";
import { type CalledRoute, ClientError, type Fail } from "./error.ts";
import { decodeBeginning, readWhole, readWholeText } from "./read_response.ts";
import type { CallOptions, ClientSettings, HeaderFields, Limits } from "./settings.ts";

/** Everything about the calls of a route that depends only on the route and the client. */
export interface CallPlan {
  readonly node: RouteNode;
  readonly route: CalledRoute;
  readonly settings: ClientSettings;
  readonly slots: readonly string[];
  /** The steps that build a request. */
  readonly encoding: readonly Step[];
  /** All steps of an attempt. */
  readonly steps: readonly Step[];
  readonly toUrl: ToUrl;
  readonly responses: ResponsePlans;
  /** Tracks the results whose content the caller may read later. */
  readonly readLater: ResponseRepresentation["readLater"];
  /** Whether a caller may receive the native response. The client does not see when its body has been read. */
  readonly mayBeNative: boolean;
  readonly fail: Fail;
}

/** How the responses with one status are decoded. */
export interface ResponsePlan {
  readonly representation: ResponseRepresentation;
  /** The declared content type. */
  readonly contentType: ResponseDeclaration["contentType"];
  /**
   * The essence of the required content type, or the accepted ranges. `undefined` for an empty response, or if any type
   * is accepted.
   */
  readonly expected: string | readonly string[] | undefined;
  /** Whether any content type is accepted. */
  readonly isOfAnyType: boolean;
  readonly isDescribed: boolean;
  /** Returns the application's value for a value on the wire. */
  readonly decode: (value: unknown) => Awaitable<unknown>;
  /** Decodes the headers. Absent if none are declared. */
  readonly decodeHeaders: ((headers: Headers) => Awaitable<unknown>) | undefined;
}

/** How the responses of a route are decoded, by status. */
export type ResponsePlans = ReadonlyMap<number, ResponsePlan>;

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

/** The encoded body of a call. */
export interface EncodedBody extends Partial<PlannedContentType> {
  /** The content. `undefined` if there is none, or if an upload streams it. */
  readonly content?: unknown;
  /** The header fields that describe the body. They override all others. */
  readonly fields?: HeaderFields;
  /** The same fields if the contract fixes them. A request without others takes 2 µs less than with `Headers`. */
  readonly fixed?: Readonly<Record<string, string>> | undefined;
}

/** The result of an attempt. */
export interface DecodedResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers: unknown;
  readonly response: Response;
}

/**
 * What is known about one attempt. The steps of its route fill it in their order, and nothing else writes to it. A
 * property declared with `!` is `undefined` until its step has run.
 */
export class Attempt implements Incoming {
  /** The body that is sent as a stream. `undefined` for any other. */
  upload: Upload | undefined;
  /** The URL, once it is built. */
  url!: string;
  body: EncodedBody | undefined;
  /** `undefined` if there are none, because a request spends 1 µs on empty `Headers`. */
  headers: Headers | Readonly<Record<string, string>> | undefined;
  /** The options `init` of client and call, including those that a `Request` drops. `undefined` if there are none. */
  init: RequestInit | undefined;
  /** The request, once it is built. */
  request!: Request;
  /** The response, once it has arrived. */
  response!: Response;
  /** How the response is decoded, once it is known to be declared. */
  declared!: ResponsePlan;
  /** The result, after the last step. */
  result!: DecodedResponse;

  constructor(readonly plan: CallPlan, readonly call: ReadCall, readonly release: () => void) {}

  readBytes(): Promise<Uint8Array<ArrayBuffer>> {
    return readWhole(this);
  }

  readText(): Promise<string> {
    return readWholeText(this);
  }

  toDecodeError(cause: unknown, content: Uint8Array | string | undefined, what = "its body or its headers"): Error {
    return this.plan.fail("invalid-body", `${what} cannot be decoded: ${messageOf(cause)}`, {
      response: this.response,
      text: content && decodeBeginning(content),
      issues: isInstance(cause, TypeError) ? (cause as Partial<RefusedValue>).issues : undefined,
      cause,
    });
  }

  explain(cause: unknown): ClientError {
    return explain(this.plan, this.call, cause, this.response);
  }
}

/** One step of an attempt: it adds to the attempt, or throws or rejects. */
export type Step = (attempt: Attempt) => Awaitable<void>;

/**
 * Runs steps, each as soon as the previous one is done. An abort or the timeout ends them. The first step runs in any
 * case, because it closes the stream of a call that was aborted before. It is synchronous as long as the steps are.
 */
export function runSteps(steps: readonly Step[], attempt: Attempt, from = 0): Ready<void> {
  for (let at = from; at < steps.length; at++) {
    const pending = steps[at]!(attempt); // `at` is below the length
    if (isPromise(pending)) return resumeSteps(steps, attempt, at + 1, pending);
    attempt.call.signal?.throwIfAborted();
  }
}

async function resumeSteps(
  steps: readonly Step[],
  attempt: Attempt,
  from: number,
  pending: PromiseLike<void>,
): Promise<void> {
  const { signal } = attempt.call;
  await untilAborted(signal, pending);
  signal?.throwIfAborted();
  return runSteps(steps, attempt, from);
}

/** Returns the error for a call that failed, or for a stream that could not be read. */
export function explain(
  { fail, route }: CallPlan,
  { signal, timeout }: Ending,
  cause: unknown,
  response: Response | undefined,
): ClientError {
  if (signal?.aborted) {
    return timeout?.aborted
      ? fail("timeout", "it timed out", { response, cause })
      : fail("aborted", "its signal was aborted", { response, cause });
  }
  if (isOwnError(route, cause)) return cause;
  return fail("network", "no response arrived, or it was interrupted", { response, cause });
}

/** Returns whether a thrown value is an error of this route's calls. */
export function isOwnError(route: CalledRoute, cause: unknown): cause is ClientError {
  return isInstance(cause, ClientError) && cause.route === route;
}

/** Returns the error for an input that cannot be sent. */
export function toInvalidInput({ fail }: CallPlan, cause: unknown): ClientError {
  return fail("invalid-input", messageOf(cause), { cause });
}
