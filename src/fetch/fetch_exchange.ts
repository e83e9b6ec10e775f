/** A request of the platform, as the engine reads it. */
import { isInstance } from "../mark.ts";
import { isNode } from "../native_response.ts";
import { type BodyReader, type Content, Exchange } from "../server/http/exchange.ts";
import { originEnd } from "../server/http/url.ts";
import { isDeno } from "../wire/fetched_fields.ts";
import { readBytes } from "../wire/read_bytes.ts";

/** A `Request` on its way to a `Response`. */
export class FetchExchange extends Exchange {
  declare readonly request: Request;
  /** The arguments of the runtime after the request. */
  declare readonly runtime: readonly unknown[];
  declare readonly method: string;
  declare readonly target: string;
  /** The message whose body is read: the request, or a copy of it. */
  declare message: Request;
  declare readonly preservesBody: boolean;

  constructor(request: Request, runtime: readonly unknown[], preservesBody: boolean) {
    super();
    this.request = request;
    this.runtime = runtime;
    this.method = request.method;
    this.target = request.url;
    this.message = request;
    this.preservesBody = preservesBody;
  }

  get headers(): Headers {
    return this.request.headers;
  }

  /** Deno.serve puts the `Host` into the URL as it is. Node's adapters and Bun refuse or replace one like a path. */
  get pathStart(): number | undefined {
    const host = isDeno ? this.headers.get("host") : null;
    return host !== null && /[/?#@\\]/.test(host) ? undefined : originEnd(this.target);
  }

  get host(): string {
    return new URL(this.target).host;
  }

  get isGone(): boolean {
    return this.request.signal.aborted;
  }

  get signal(): AbortSignal {
    return this.request.signal;
  }

  get isBodyless(): boolean {
    return this.message.body === null;
  }

  get isBodyUsed(): boolean {
    return this.message.bodyUsed;
  }

  takeBody(): boolean {
    const { request } = this;
    if (request.bodyUsed || isNode && this.#hasReadMessage()) return false;
    if (!this.preservesBody) return true;
    if (request.body?.locked) return false; // it cannot be copied
    this.message = request.clone();
    return true;
  }

  /**
   * Returns whether other code has read the message of `@hono/node-server`, which passes it as a further argument. Its
   * request has an empty body then, if that was sent in chunks.
   */
  #hasReadMessage(): boolean {
    const { incoming } = Object(this.runtime[0]) as { readonly incoming?: { readonly readableDidRead?: boolean } };
    return incoming?.readableDidRead === true;
  }

  /**
   * Without a maximum the runtime reads the body, which takes Deno half the time. A chunked body is always counted,
   * because Node's bridges keep every chunk, at up to 1,100 bytes for one of a single byte.
   */
  readBody(maxBytes: number, asText: boolean): Promise<Content | undefined> {
    const { message } = this;
    if (maxBytes !== Infinity || this.headers.has("transfer-encoding")) {
      const source = this.isBodyless ? null : { getReader: () => this.openBody()! };
      return readBytes(source, { maxBytes }).then(({ bytes, complete }) => complete ? bytes : undefined);
    }
    return asText ? message.text() : message.arrayBuffer().then((buffer) => new Uint8Array(buffer));
  }

  openBody(): BodyReader | undefined {
    const { body } = this.message;
    if (body === null) return undefined;
    return isNode ? openOnNode(body, this.headers) : body.getReader();
  }

  /**
   * If nothing has read the body, other code holds its lock. Node's adapters create a new body for a message that a body
   * parser has read, which fails with a `TypeError`, as no connection does.
   */
  isTakenError(error: unknown): boolean {
    return isInstance(error, TypeError) && (!this.isBodyUsed || isNode && !("code" in error)); // those of decompression have one
  }
}

/** The stream of a body. */
type BodyStream = NonNullable<Request["body"]>;

/**
 * Opens a body on Node. The reader cancels it in a later task, because srvx ends the process if a body is cancelled in
 * the task in which its buffered bytes arrive. It leaves a form that was created in memory: Node adds to
 * the stream of a `FormData` until it is complete, and ends the process if the stream was cancelled.
 */
function openOnNode(body: BodyStream, headers: Headers): BodyReader {
  const isLeft = /^multipart\//i.test(headers.get("content-type") ?? "") && isByteStream(body);
  const reader = body.getReader();
  return {
    read: () => reader.read(),
    cancel: (reason) => new Promise((resolve) => setTimeout(() => resolve(isLeft ? undefined : reader.cancel(reason)))),
  };
}

/** Returns whether a stream is one of bytes to the platform, as those of memory are, and those of connections are not. */
function isByteStream(body: BodyStream): boolean {
  try {
    body.getReader({ mode: "byob" }).releaseLock();
    return true;
  } catch {
    return false;
  }
}
