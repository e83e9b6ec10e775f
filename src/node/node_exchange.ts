/** A request to a Node server, as the engine reads it. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServerHttp2Stream } from "node:http2";
import type { Awaitable } from "../awaitable.ts";
import type { RequestBody } from "../contract/request.ts";
import type { RequestHeaders } from "../server/define/call.ts";
import { type BodyReader, type Content, Exchange, originEnd, type ParsedBody } from "../server/http/exchange.ts";
import { readContent } from "../wire/read_bytes.ts";
import { type Message, MessageBody } from "./message_body.ts";
import { isTooLong, type TakenBody, takeParsed } from "./parsed_body.ts";
import { checkChunk, type ProducerStep, pullStream } from "../wire/producer.ts";

/** A request and its response. */
export class MessageExchange extends Exchange implements Message {
  readonly stream: ServerHttp2Stream | undefined;
  readonly method: string;
  readonly target: string;
  readonly pathStart: number | undefined;
  /** The host as it was sent. `undefined` if there is none that a URL can have. */
  readonly #authority: string | undefined;
  /** The body. `undefined` if there is none. */
  readonly body: MessageBody | undefined;
  #headers: RequestHeaders | undefined = undefined;
  #controller: AbortController | undefined = undefined;
  #request: Request | undefined = undefined;
  #closesOnReset = false;
  /** Whether the application has copied the request, whose body is then the second copy. */
  #isCopied = false;
  /** What was taken over of a body that a parser has read. */
  #taken: TakenBody | undefined = undefined;

  constructor(readonly req: IncomingMessage, readonly res: ServerResponse) {
    super();
    const { rawHeaders } = req;
    this.stream = (req as { readonly stream?: ServerHttp2Stream }).stream; // of HTTP/2
    let authority: string | undefined;
    let length = "";
    let isChunked = false;
    let isAsked = false;
    for (let at = 0; at < rawHeaders.length; at += 2) { // in one pass: `headers` of Node creates an object of all
      const name = rawHeaders[at]!; // at is below the length
      const field = fieldsByLength[name.length];
      if (field === undefined || !isField(name, field)) continue;
      const value = rawHeaders[at + 1]!;
      if (field === "content-length") length = value;
      else if (field === "transfer-encoding") isChunked = true;
      else if (field === "expect") isAsked = /^100-continue$/i.test(value) && req.httpVersion !== "1.0"; // RFC 9110, section 10.1.1
      else authority = authority === undefined || this.stream && authority === value ? value : invalid; // HTTP/2 may have both
    }
    const hasBody = this.stream ? !this.stream.endAfterHeaders : isChunked || Number(length) > 0;
    this.method = req.method!; // every request has one
    this.target = targetOf(req);
    this.#authority = checkAuthority(authority, req);
    this.pathStart = this.#authority === undefined ? undefined : findPath(this.target);
    this.body = hasBody ? new MessageBody(this, length === "" ? NaN : Number(length), isAsked) : undefined;
  }

  /**
   * Closes a stream of HTTP/2 that its client resets: after NO_ERROR, Node waits for what nothing takes any more. A
   * stream that is passed on is left alone: this is called where one is answered, or something waits for its end.
   */
  closeOnReset(): void {
    const { stream } = this;
    if (!stream || this.#closesOnReset) return;
    this.#closesOnReset = true;
    const close = (): void => queueMicrotask(() => stream.destroy());
    if (stream.aborted) close();
    else stream.once("aborted", close);
  }

  get headers(): RequestHeaders {
    return this.#headers ??= new MessageHeaders(this.req.rawHeaders);
  }

  get host(): string {
    const host = this.#authority ?? "";
    return this.pathStart === 0 && plainHost.test(host) ? host : new URL(this.#url).host;
  }

  /** The absolute URL. */
  get #url(): string {
    if (this.pathStart) return this.target; // in absolute form
    const { encrypted } = Object(this.req.socket) as { readonly encrypted?: boolean };
    const origin = `${encrypted ? "https" : "http"}://`;
    return this.pathStart === undefined ? `${origin}localhost/` : `${origin}${this.#authority}${this.target}`;
  }

  get isGone(): boolean {
    const { req, res, stream } = this;
    return stream ? stream.destroyed || stream.closed : res.destroyed || req.aborted;
  }

  get signal(): AbortSignal {
    if (this.#controller) return this.#controller.signal;
    const { res, stream } = this;
    const controller = this.#controller = new AbortController();
    if (this.isGone) controller.abort();
    else {
      this.closeOnReset();
      res.once("close", () => {
        if (stream ? stream.aborted || stream.rstCode !== 0 : !res.writableFinished) controller.abort();
      });
    }
    return controller.signal;
  }

  /** A request with the method and the signal of this exchange: a native one refuses some methods, and its signal is slow. */
  get request(): Request {
    if (this.#request) return this.#request;
    const { method, body, headers } = this;
    const hasStream = body && !/^(?:GET|HEAD)$/.test(method);
    const other = hasStream ? "POST" : "GET"; // of what Fetch does not send
    const request = this.#request = new Request(this.#url, {
      method: sendable.test(method) ? method : other,
      headers: [...headers] as [string, string][],
      ...(hasStream && { body: toStream(body), duplex: "half" }), // the types of Deno lack it
    });
    const clone = (): Request => {
      this.#isCopied = true;
      return Request.prototype.clone.call(request);
    };
    return Object.defineProperties(request, {
      method: { value: method },
      signal: { get: () => this.signal },
      clone: { value: clone },
    });
  }

  get isBodyUsed(): boolean {
    const isRead = this.body?.isUsed === true && this.#taken === undefined && !this.#isCopied;
    return isRead || this.#request?.bodyUsed === true;
  }

  takeBody(declared: RequestBody): boolean {
    if (this.#request?.bodyUsed || this.#request?.body?.locked) return false;
    if (!this.body?.isUsed || this.#isCopied) return true;
    const coding = this.headers.get("content-encoding") ?? "identity";
    if (!/^identity$/i.test(coding)) return false; // parsers decode it, but the field stays
    this.#taken = takeParsed(this.body, declared);
    return this.#taken !== undefined;
  }

  readBody(maxBytes: number, asText: boolean): Awaitable<Content | ParsedBody | undefined> {
    const body = this.body;
    const taken = this.#taken;
    if (body === undefined || this.#isCopied) return readContent(this.openBody(), maxBytes, asText);
    if (taken === undefined) return body.read(maxBytes, asText);
    if (taken instanceof SyntaxError) return Promise.reject(taken);
    return isTooLong(taken, body, maxBytes) ? undefined : taken;
  }

  openBody(): BodyReader | undefined {
    if (this.#isCopied) return this.request.body?.getReader();
    if (this.#taken === undefined) return this.body?.open();
    return new Response(this.#taken as Uint8Array<ArrayBuffer>).body?.getReader(); // only bytes are taken over for a stream
  }

  isTakenError(): boolean {
    return false; // the state of a message tells it before
  }
}

declare function setImmediate(callback: () => void): void;

/**
 * Returns a stream of a body, which is opened when something reads it. Before each chunk but the first, the event loop
 * takes a whole turn, in which it reads other connections: `fetch` loses a response, such as a 413, if it sends a chunk
 * after it and fails.
 */
function toStream(body: MessageBody): ReadableStream<Uint8Array<ArrayBuffer>> {
  let reader: BodyReader | undefined;
  const next = async (): Promise<ProducerStep> => {
    if (!reader) {
      if (body.isUsed) throw new TypeError("Cannot read the body of the request: other code has read it");
      return (reader = body.open()).read();
    }
    const step = await reader.read();
    if (!step.done) await new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));
    return step;
  };
  const settings = { encode: checkChunk, signal: undefined, explain: (cause: unknown) => cause };
  return pullStream({ next, return: (reason) => reader?.cancel(reason) }, settings);
}

/** Returns whether the name of a field is one in lowercase. */
function isField(name: string, field: string): boolean {
  return name.length === field.length && (name === field || name.toLowerCase() === field);
}

/** The fields that decide where a request goes and whether it has a body, by their lengths, which all differ. */
const fieldsByLength: Readonly<Record<number, string>> = {
  4: "host",
  6: "expect",
  10: ":authority",
  14: "content-length",
  17: "transfer-encoding",
};

/** Replaces the hosts of a request that has several. A slash makes it invalid. */
const invalid = "/";

/** Matches a host as most requests have it, which is the same in a URL. */
const plainHost = /^(?:[a-z][a-z\d-]*\.)*[a-z][a-z\d-]*(?::(?!80$|443$)[1-9]\d*)?$/;

/** The last host that `URL` accepted: most requests to a server have the same one. */
let lastAuthority = "localhost";

/**
 * Returns a host that a URL can have, and that nothing takes for a part of the path. HTTP/1.0 does not need one. Node
 * rejects requests of HTTP/1.1 without one.
 */
function checkAuthority(authority: string | undefined, { httpVersion }: IncomingMessage): string | undefined {
  if (authority === lastAuthority) return authority;
  if (authority === undefined) return httpVersion === "1.0" ? "localhost" : undefined;
  if (authority.includes("@") || originEnd(`http://${authority}/`) !== "http://".length + authority.length) {
    return undefined;
  }
  return lastAuthority = authority;
}

/** Returns the URL that the client has sent. Frameworks remove the path of a mount from `url`. */
function targetOf(req: IncomingMessage): string {
  return (req as { readonly originalUrl?: string }).originalUrl ?? req.url ?? ""; // CONNECT of HTTP/2 has none
}

/** Returns where the path of a request target begins: `/path`, or `http://host/path`. */
function findPath(target: string): number | undefined {
  if (target.startsWith("/")) return 0;
  const end = originEnd(target);
  return end === undefined || target.slice(0, end).includes("@") ? undefined : end;
}

/** The header fields of a message. `headers` of Node drops all but one of some that are repeated. */
class MessageHeaders implements RequestHeaders {
  /** Names and values in turn. */
  readonly #raw: readonly string[];

  constructor(raw: readonly string[]) {
    this.#raw = raw;
  }

  get(name: string): string | null {
    const field = name.toLowerCase();
    let found: string | null = null;
    for (let at = 0; at < this.#raw.length; at += 2) {
      if (!isField(this.#raw[at]!, field) || field.startsWith(":")) continue;
      const value = this.#raw[at + 1]!;
      found = found === null ? value : `${found}${field === "cookie" ? "; " : ", "}${value}`;
    }
    return found;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  forEach(callback: (value: string, name: string) => void): void {
    for (const [name, value] of this) callback(value, name);
  }

  *[Symbol.iterator](): IterableIterator<[string, string]> {
    const names = new Set(
      this.#raw.flatMap((name, at) => at % 2 === 0 && !name.startsWith(":") ? name.toLowerCase() : []),
    );
    for (const name of names) yield [name, this.get(name)!];
  }
}

/** Matches the methods of which a `Request` can be (Fetch, section 2.2.1). */
const sendable = /^(?!(?:CONNECT|TRACE|TRACK)$)[\w!#$%&'*+.^`|~-]+$/i;
