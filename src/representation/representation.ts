/**
 * A representation is how a value is written as the content of a message. Each has a file of its own. The value that it exports is
 * what declarations carry, so it holds what a client runs and nothing that only servers or documents run.
 */
import { type Awaitable } from "../awaitable.ts";

/**
 * What the schema of a declaration describes: the whole value, fields by name, one item of a stream, or nothing.
 *
 * @internal
 */
export type Described = "value" | "fields" | "item" | "nothing";

/**
 * What is known of a representation, whichever message it stands in.
 *
 * @internal
 */
export interface Representation<Kind extends string = string> {
  /** Its name: that of the helper which declares it. */
  readonly kind: Kind;
  /** The usual media type; `undefined` where there is no content, or its type is not known before. */
  readonly contentType: string | undefined;
  /** What its schema describes. */
  readonly describes: Described;
  /** What content types that differ from message to message follow; absent where a declaration has one fixed type. */
  readonly ranges?: RangeRules;
  /** What a declaration without a schema is told, if it must have one. */
  readonly needsSchema?: string;
  /** Whether declarations cannot state another media type. */
  readonly isTypeFixed?: boolean;
  /** The representation whose values have the same structure, so that documents describe both alike. Default: none other. */
  readonly structure?: "json";
  /** Whether the value is a native `Response`, so that the end of its reading is not seen. */
  readonly isNative?: boolean;
}

/**
 * What declarations and clients run where a content type is a list of media types and ranges.
 *
 * @internal
 */
export interface RangeRules {
  /** The list of a declaration, in lower case; `undefined` for one media type. What cannot be declared is refused. */
  readonly toRanges: (given: readonly unknown[], refuse: (state: string) => never) => readonly string[] | undefined;
  /** How a request states the content type of its content. */
  readonly planStatement: (content: unknown, ranges: readonly string[]) => TypeStatement;
  /** Whether a response of this essence has the declared content. */
  readonly isResponseWithin: (essence: string, ranges: readonly string[]) => boolean;
}

/**
 * How a request states the content type of its content.
 *
 * @internal
 */
export interface TypeStatement {
  /** The header field of content that has a type of its own, which is sent if the call states no other. */
  readonly defaults: { readonly "content-type": string } | undefined;
  /** Throws a `TypeError` for a stated content type that is missing or falls outside of the ranges. */
  readonly checkType: (stated: string | null) => void;
}

/**
 * Content as a whole, as the platform takes it to build a message.
 *
 * @internal
 */
export type WholeContent = string | Uint8Array<ArrayBuffer> | ArrayBuffer | Blob;

/**
 * How the body of a request is represented, with what a client runs to send it.
 *
 * @internal
 */
export interface RequestRepresentation<Kind extends string = string> extends Representation<Kind> {
  readonly contentType: string;
  /** Whether the platform writes the content type by itself, as it does for form data, whose boundary it makes. */
  readonly isTypedByPlatform?: boolean;
  /** Encodes a value as a whole; throws a `TypeError` for a value that the representation cannot carry. `undefined` for an upload. */
  readonly encode?: (value: unknown) => Awaitable<WholeContent | FormData | undefined>;
  /**
   * Starts an upload, for a body that is sent as it comes; `undefined` for a `Blob`, and without a body that is optional. Throws a
   * `TypeError` for what is not a stream.
   */
  readonly startUpload?: (source: unknown, signal: AbortSignal | undefined, optional: boolean) => Upload | undefined;
  /** Whether a body can be sent only once. */
  readonly isSentOnce?: (source: unknown) => boolean;
  /** Closes a body that nothing is going to read. */
  readonly leave?: (source: unknown) => void;
}

/**
 * A body that is sent as it comes.
 *
 * @internal
 */
export interface Upload {
  /** What the request is built with; `duplex` says that it is sent as it comes, and has no other value. */
  readonly init: {
    readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
    readonly signal: AbortSignal;
    readonly duplex: "half";
  };
  /** Throws a `TypeError` for a request that was built without the body. */
  readonly checkSent: (request: Request) => void;
  /** The response to the upload; rejects if the upload broke off, because a response to a part does not answer the whole. */
  readonly untilAnswered: (sent: Awaitable<Response>) => Promise<Response>;
  /** Ends the upload, unless it has ended: a server that answers early, with 413 perhaps, wants no more. */
  readonly end: () => void;
}

/**
 * How the content of a response is represented, with what a client runs to receive it.
 *
 * @internal
 */
export interface ResponseRepresentation<Kind extends string = string> extends Representation<Kind> {
  /** Tracks the results of which the caller reads the content when the call has given them; absent where a result has its content. */
  readonly readLater?: (release: () => void) => ResultTracker;
  /** The value of a response's content; what the result reads later owns the connection. */
  readonly receive: (incoming: Incoming) => Awaitable<unknown>;
}

/** A result, as far as its tracker looks at it. */
export interface ReceivedResult {
  readonly body: unknown;
  readonly response: Response;
}

/**
 * The results of a call's attempts, of which the caller gets one.
 *
 * @internal
 */
export interface ResultTracker {
  /** Makes an attempt. `start` is given what it calls once nothing of the result is left to read. */
  readonly track: <Result extends ReceivedResult>(start: (release: () => void) => Promise<Result>) => Promise<Result>;
  /** Ends the call with the result that has this response, or with none: closes all others. Whether something of it is left to read. */
  readonly end: (response: Response | undefined) => boolean;
}

/**
 * A response whose content a representation is to receive.
 *
 * @internal
 */
export interface Incoming {
  /** What was asked. */
  readonly request: Request;
  readonly response: Response;
  /** Ends the reading when it aborts. */
  readonly signal: AbortSignal | undefined;
  /** The most milliseconds without a byte of a stream. */
  readonly silence: number;
  /** The error of the call, for a stream that was silent for longer. */
  readonly fail: (code: "timeout", state: string, details: { readonly response: Response }) => Error;
  /** The most bytes of one record of a stream. */
  readonly maxRecordBytes: number;
  /** Whether a schema describes the content. */
  readonly isDescribed: boolean;
  /** Reads the whole body, up to the client's limit. */
  readonly readBytes: () => Promise<Uint8Array<ArrayBuffer>>;
  /** The application's value for what is on the wire, if a codec is declared; else the same. */
  readonly decode: (value: unknown) => Awaitable<unknown>;
  /** The error for a response that broke off, or whose call was aborted. */
  readonly explain: (cause: unknown) => Error;
  /** The error for content that cannot be decoded; `content` is what was read of it, and `what` names it. */
  readonly refuse: (cause: unknown, content: Uint8Array | string | undefined, what?: string) => Error;
  /** Must be called when a value that is read later has been read to its end, has failed or was left. */
  readonly release: () => void;
}
