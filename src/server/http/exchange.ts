/** One request on its way to an answer: what an adapter knows of it, and what the steps of its route find out. */
import type { Awaitable } from "../../awaitable.ts";
import type { RequestBody } from "../../contract/request.ts";
import type { RequestHeaders, RouteInfo, ServerCall, Slots } from "../define/call.ts";
import { type ErrorPhase, type Outcome, type Result, Stop } from "../define/result.ts";

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
  /** The caller that a verifier returned. `undefined` for a request without a credential. */
  declare caller: object | undefined;
  /** Whether the response may depend on the caller, so that caches must not store it. */
  declare isPrivate: boolean;
  /** The content of the body, if a verifier had to see it before it is decoded. */
  declare content: Uint8Array<ArrayBuffer> | undefined;
  /** The validated inputs. */
  declare slots: Slots;
  /** The reason why the stream of the body has stopped. `undefined` for a body that is not read as a stream. */
  declare bodyStop: (() => BodyStop | undefined) | undefined;
  /** The context that the server's factory created. */
  declare context: object;
  /** What the handler returned, or threw as a result. */
  declare result: unknown;

  /** Assigning takes half the time of fields that are initialized where they are declared. */
  constructor() {
    this.route = undefined;
    this.params = none;
    this.added = none;
    this.caller = undefined;
    this.isPrivate = false;
    this.content = undefined;
    this.slots = noSlots;
    this.bodyStop = undefined;
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

  /** Whether the request has no body. An empty body is a body. */
  abstract readonly isBodyless: boolean;
  /** Whether the body has been read, in whole or in part. */
  abstract readonly isBodyUsed: boolean;
  /** Prepares the body for reading it once. Returns whether that is possible: not if other code has read it, or holds it. */
  abstract takeBody(body: RequestBody): boolean;
  /**
   * Reads the whole body. `undefined` if it is longer than the maximum. `asText` allows to return it as text, decoded
   * as UTF-8 without a byte order mark. Rejects if the body cannot be read.
   */
  abstract readBody(maxBytes: number, asText: boolean): Awaitable<Content | ParsedBody | undefined>;
  /** Opens the body for reading it as it arrives. `undefined` if there is none. */
  abstract openBody(): BodyReader | undefined;
  /** Whether an error of reading the body means that other code has read it, or holds it. */
  abstract isTakenError(error: unknown): boolean;
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
  /** Adds to the exchange, or returns why the request ends here. */
  readonly take: (exchange: Exchange) => Outcome<void>;
}
