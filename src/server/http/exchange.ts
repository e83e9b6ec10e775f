/**
 * One request on its way to an answer: what an adapter knows of it, the loop that runs the steps of its route, what they
 * find out, and where the parts of its target are.
 */
import { type Awaitable, isPromise } from "../../awaitable.ts";
import type { RequestBody } from "../../contract/request.ts";
import type { RequestHeaders, RouteInfo, ServerCall, Slots } from "../define/call.ts";
import { type ErrorPhase, type Result, Stop, toFailure } from "../define/result.ts";
import { closeSource } from "../../wire/producer.ts";

/**
 * What is known about one request. An adapter extends it with the message. The engine adds the route and the
 * parameters, the steps of the route fill in the rest in their order, and an early result replaces the handler's.
 */
export abstract class Exchange implements ServerCall {
  /** The matched route. */
  declare route: RouteInfo | undefined;
  /** The parameters of the path, percent-decoded. */
  declare params: PathParams;
  /** The return value of `contextInput`. */
  declare added: object;
  /** The credentials of the request, while they are verified. */
  declare shown: readonly unknown[];
  /** The caller that a verifier returned. `undefined` for a request without a credential. */
  declare caller: object | undefined;
  /** Whether the response may depend on the caller, so that caches must not store it. */
  declare isPrivate: boolean;
  /** The content of the body, between reading and validating it: a verifier may have to see it first. */
  declare content: Content | ParsedBody | undefined;
  /** The validated inputs. */
  declare slots: Slots;
  /** The reason why the stream of the body has stopped. Absent for a body that is not read as a stream. */
  declare bodyStop?: () => BodyStop | undefined;
  /** The context that the server's factory created. */
  declare context: object;
  /** What the handler returned, or threw as a result. */
  declare result: unknown;

  /** Assigning takes half the time of fields that are initialized where they are declared. */
  constructor() {
    this.route = undefined;
    this.params = none;
    this.added = none;
    this.shown = nothing;
    this.caller = undefined;
    this.isPrivate = false;
    this.content = undefined;
    this.slots = noSlots;
    this.context = none;
    this.result = undefined;
  }

  /** The method, in capitals. */
  abstract readonly method: string;
  /** An absolute URL, or one that begins with its path, without a fragment: `/users?page=2`. */
  abstract readonly target: string;
  /** Where the path begins in the target. `undefined` if the target or the host is malformed. */
  abstract readonly pathStart: number | undefined;
  /** The header fields. Repeated ones are joined, as `Headers` joins them. */
  abstract readonly headers: RequestHeaders;
  /** The host and port, as in a `URL`: without the default port. */
  abstract readonly host: string;
  /** Whether the client has disconnected. */
  abstract readonly isGone: boolean;
  /** Aborts when the client disconnects. Adapters create it when it is read. */
  abstract readonly signal: AbortSignal;
  /** The request for the application. Adapters create it when it is read. */
  abstract readonly request: Request;

  /** Whether the body has been read, in whole or in part. */
  abstract readonly isBodyUsed: boolean;
  /** Prepares the body for reading it once. Returns whether that is possible: not if other code has read it, or holds it. */
  abstract takeBody(body: RequestBody): boolean;
  /**
   * Reads the whole body, at once if there is none and the maximum is known. `undefined` if it is longer than the
   * maximum. `asText` allows to return it as text, decoded as UTF-8 without a byte order mark. Throws or rejects if the
   * body cannot be read.
   */
  abstract readBody(maxBytes: number, asText: boolean): Awaitable<Content | ParsedBody | undefined>;
  /** Opens the body for reading it as it arrives. `undefined` if there is none. */
  abstract openBody(): BodyReader | undefined;
  /** Whether an error of reading the body means that other code has read it, or holds it. */
  abstract isTakenError(error: unknown): boolean;
}

/** What callbacks of the application see of a request. */
type AskedRequest = Pick<Exchange, "signal" | "request" | "headers">;

/** What hooks see of a request that is answered. */
export type ReportedRequest = AskedRequest & Pick<Exchange, "method" | "route" | "caller">;

/** The argument of functions that read the head of a request. Its members are getters: adapters create them on demand. */
export class RequestArgument {
  readonly #exchange: AskedRequest;
  declare readonly route: RouteInfo | undefined;

  constructor(exchange: AskedRequest, route: RouteInfo | undefined) {
    this.#exchange = exchange;
    this.route = route;
  }

  get signal(): AbortSignal {
    return this.#exchange.signal;
  }

  get request(): Request {
    return this.#exchange.request;
  }

  get headers(): RequestHeaders {
    return this.#exchange.headers;
  }
}

/** The content of a body, before it is decoded. */
export type Content = Uint8Array<ArrayBuffer> | string;

/** A body that other code has read and decoded. */
export class ParsedBody {
  constructor(readonly value: unknown) {}
}

/** Reads a body as it arrives. */
export type BodyReader = Pick<ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>, "read" | "cancel">;

/** The parameters of a path by name, percent-decoded. No schema has read them. */
export type PathParams = Readonly<Record<string, string>>;

const none: PathParams = Object.freeze({});
const nothing: readonly never[] = [];
const noSlots: Slots = Object.freeze({ params: none, query: undefined, headers: undefined, body: undefined });

/** The reason why a body's stream stopped before its end. */
export interface BodyStop {
  /** The answer to a handler that fails because of it. */
  readonly stop: Stop;
  /**
   * Whether its source failed: the client has disconnected, or the content is malformed. On Deno this happens before
   * the signal aborts. Otherwise the body exceeds the limit, or other code has read it.
   */
  readonly hasSourceFailed: boolean;
}

/** The client has disconnected. Nothing is sent, and no hook is called. */
export class Disconnect extends Stop {}

/** A verifier or guard answered the request with a result. */
export class EarlyResult extends Stop {
  constructor(readonly result: Result) {
    super();
  }
}

/** Returns whether a stop is an early result: not by its class, since a verifier may be of another copy of the package. */
export function isEarlyResult(stop: Stop): stop is EarlyResult {
  return "result" in stop;
}

/** One step of a request. */
export interface Step {
  /** The phase of the error if the step throws or rejects. */
  readonly phase: ErrorPhase;
  /** Returns a value for `accept`, or a promise of it. */
  readonly take: (exchange: Exchange) => unknown;
  /**
   * Adds the value to the exchange, or returns why the request ends here. Default: the value is why the request ends here,
   * if there is one.
   */
  readonly accept?: (value: never, exchange: Exchange) => Stop | void;
  /** Returns why the request ends after an error, if it does. Default: it fails. */
  readonly recover?: (error: unknown, exchange: Exchange) => Stop | void;
  /**
   * Whether the request ends here if its client has disconnected while the value was awaited. If nothing was awaited, that
   * is not asked: Deno serves a request twice as fast if nothing reads its signal. Default: `false`.
   */
  readonly needsClient?: boolean;
}

/** A step with all members. */
type PlannedStep = Required<Omit<Step, "accept">> & { readonly accept: Step["accept"] };

/** Turns a request into its answer when its steps are done, or one has ended it. It never throws or rejects. */
export type Conclude<Out> = (end: Stop | void, exchange: Exchange) => Out | Promise<Out>;

/** The steps of a route, and what follows them. */
export interface Walk<Out> {
  readonly steps: readonly PlannedStep[];
  readonly conclude: Conclude<Out>;
}

/** Completes the steps that there are. V8 is faster if all have the same members. */
export function planSteps(steps: readonly (Step | undefined)[]): PlannedStep[] {
  return steps.filter((step) => step !== undefined).map(({ phase, take, accept, recover, needsClient = false }) => ({
    phase,
    take,
    accept,
    recover: recover ?? ((error) => toFailure(phase, error)),
    needsClient,
  }));
}

/** Accepts a value that is itself why the request ends, if there is one. */
export function toEnd(end: Stop | void): Stop | void {
  return end;
}

/**
 * Runs steps, each as soon as the previous one is done, and concludes the request at the first that ends it, or after
 * the last. It never throws or rejects, and is synchronous if the steps are.
 */
export function runSteps<Out>(walk: Walk<Out>, exchange: Exchange, from = 0): Out | Promise<Out> {
  const { steps, conclude } = walk;
  for (let at = from; at < steps.length; at++) {
    const step = steps[at]!; // `at` is below the length
    let end: Stop | void;
    try {
      const value = step.take(exchange);
      if (isPromise(value)) return resumeSteps(walk, exchange, at, Promise.resolve(value));
      end = step.accept ? step.accept(value as never, exchange) : value as Stop | void; // what it has returned
    } catch (error) {
      end = step.recover(error, exchange);
    }
    if (end) return conclude(end, exchange);
  }
  return conclude(undefined, exchange);
}

/** Goes on when the value of a step is there. */
function resumeSteps<Out>(walk: Walk<Out>, exchange: Exchange, at: number, pending: Promise<unknown>): Promise<Out> {
  const step = walk.steps[at]!;
  return pending.then(
    (value) => {
      let end: Stop | void;
      try {
        end = step.accept ? step.accept(value as never, exchange) : value as Stop | void; // as above
      } catch (error) {
        end = step.recover(error, exchange);
      }
      return goOn(walk, exchange, at, end);
    },
    (error) => goOn(walk, exchange, at, step.recover(error, exchange)),
  );
}

function goOn<Out>(walk: Walk<Out>, exchange: Exchange, at: number, end: Stop | void): Out | Promise<Out> {
  const last = walk.steps[at]!.needsClient ? toDisconnect(end, exchange) : end;
  return last ? walk.conclude(last, exchange) : runSteps(walk, exchange, at + 1);
}

/** Returns how a step ends whose client may have disconnected. The stream of a result is then closed. */
export function toDisconnect<Value>(value: Value, exchange: Exchange): Value | Disconnect {
  if (!exchange.isGone) return value;
  if (value instanceof EarlyResult) {
    if (value.result.status === 101) return value; // on Deno, an upgrade aborts the signal
    closeSource(value.result.body);
  }
  return new Disconnect();
}

// The parts of a target are read by position, because a `URL` object costs seven times as much. Most runtimes pass a
// request's URL in normal form. Deno.serve passes it as received, with dot segments and any `Host`, and Bun passes only a
// path if `Host` is missing. The parts are the same as those of a `URL`, to which unusual paths are passed.

/** The end of the pathname in a URL, and its form. */
interface PathLocation {
  readonly end: number;
  /** Whether it contains a percent escape. */
  readonly isEscaped: boolean;
  /** Whether it is in the form of a `URL`, except for characters that must still be escaped. */
  readonly isNormal: boolean;
}

/** Finds the pathname from `start` on in one pass. Searches for single characters would each scan the query too. */
export function locatePath(url: string, start: number): PathLocation {
  let isEscaped = false;
  let isNormal = true;
  let end = start;
  for (; end < url.length; end++) {
    const code = url.charCodeAt(end);
    if (code > backslash) continue; // most are lowercase letters
    if (code === questionMark || code === numberSign) break;
    if (code === percentSign) {
      isEscaped = true;
      if (/^%2e/i.test(url.slice(end, end + 3))) isNormal = false; // it can be part of a dot segment
    } else if (code <= space || code === backslash || (code === fullStop && isDotSegment(url, end))) {
      isNormal = false;
    }
  }
  return { end, isEscaped, isNormal };
}

/** Returns whether a segment begins at this dot that a `URL` would resolve: `/./` or `/../`, but not `/.well-known/`. */
function isDotSegment(url: string, dot: number): boolean {
  return url.charCodeAt(dot - 1) === slash && /^\.\.?(?:[/\\?#]|$)/.test(url.slice(dot, dot + 3));
}

/**
 * Returns the index after the origin: the start of the path, or of the query or fragment if there is no path.
 * `undefined` if `URL` would find it elsewhere, or reject the text.
 */
export function originEnd(url: string): number | undefined {
  const code = url.charCodeAt(lastOrigin.length); // `NaN` at the end of the text
  const isEnd = code === slash || code === questionMark || code === numberSign || Number.isNaN(code);
  if (!isEnd || !url.startsWith(lastOrigin)) {
    const [origin] = originPattern.exec(url) ?? [];
    if (origin === undefined || !URL.canParse(`${origin}/`)) return undefined;
    lastOrigin = origin;
  }
  return lastOrigin.length;
}

/**
 * The last origin that `URL` accepted. A server's requests share a few, and the check with `URL` takes longer than
 * everything else.
 */
let lastOrigin = "http://localhost";

/**
 * A scheme and an authority, followed by a slash, a query or a fragment. A `URL` removes white space and control
 * characters, treats a backslash as a slash, and skips slashes if the authority is empty. It could then read a part of
 * the host as path, or a part of the path as host. A `file:` path may begin with a drive letter.
 */
// deno-lint-ignore no-control-regex -- `\p{Cc}` with the flags `iu` takes 0.4 ms to compile, at every start
const originPattern = /^(?!file:)[a-z][a-z\d+.-]*:\/\/[^/\\?#\s\0-\x1f\x7f-\x9f]+(?=[/?#]|$)/i;

// the codes of characters, which compilers insert where they are used
const space = 32;
const numberSign = 35;
const percentSign = 37;
const fullStop = 46;
const slash = 47;
const questionMark = 63;
const backslash = 92;

/** Returns the pathname as a `URL` has it, for a target whose origin was accepted, or that begins with its path. */
export function pathnameOf(target: string): string {
  return toUrl(target).pathname;
}

function toUrl(target: string): URL {
  return new URL(target.startsWith("/") ? `http://localhost${target}` : target);
}

/** Returns the query as a `URL` has it, without its `?`. */
export function queryOf(url: string): string {
  const question = url.indexOf("?");
  const hash = url.indexOf("#");
  const end = hash === -1 ? url.length : hash;
  if (question === -1 || end < question) return "";
  const query = url.slice(question + 1, end);
  return removable.test(query) ? toUrl(url).search.slice(1) : query;
}

/**
 * White space and control characters. A `URL` removes some of them anywhere, and others only at the end of its text.
 */
const removable = /[\s\p{Cc}]/u;
