/** Sends answers to the responses of Node's servers. */
import type { ServerResponse } from "node:http";
import { attempt, ignore, isPromise } from "../awaitable.ts";
import { isInMemory } from "../native_response.ts";
import { type OnError, reportOnly } from "../server/answer/answer_stop.ts";
import { type Answer, type AnswerFields, isItems, type Items, planHead, type Sent } from "../server/http/answer.ts";
import { toResponse } from "../server/http/native_answer.ts";
import type { MessageExchange } from "./node_exchange.ts";
import { checkChunk, closeProducer, closeSource, openStream } from "../wire/producer.ts";

declare const Buffer: {
  byteLength(text: string): number;
  from(text: string): Uint8Array;
  concat(chunks: readonly Uint8Array[], length: number): Uint8Array;
};
declare const process: { nextTick(callback: () => void): void };

/** Sends an answer. It never throws: a response that cannot be sent is destroyed. */
export function send(sent: Sent, exchange: MessageExchange, onError: OnError): void {
  const { res } = exchange;
  if (exchange.isGone || res.headersSent || res.writableEnded) return discard(sent);
  try {
    if ("head" in sent) sendAnswer(sent, exchange, onError);
    else sendNative(sent, exchange, onError);
  } catch (error) {
    reportOnly(onError, { error, phase: "encode" }, exchange, sent);
    destroy(exchange);
  }
}

/** Closes the source of an answer that is not sent. */
function discard(sent: Sent): void {
  if (!("head" in sent)) closeSource(sent);
  else if (isItems(sent.body)) closeProducer(sent.body.producer);
}

function sendAnswer(answer: Answer, exchange: MessageExchange, onError: OnError): void {
  const { head: { status }, body, fields } = answer;
  if (isItems(body)) {
    const { producer, encode, explain } = body;
    const explainSent = (cause: unknown): unknown => explain(cause, () => toResponse(answer, false));
    sendItems(status, fields, { producer, encode, explain: explainSent }, exchange);
  } else if (body instanceof Blob) {
    const explain = (error: unknown): void => reportOnly(onError, { error, phase: "stream" }, exchange, answer);
    const source = { producer: openStream(body.stream()), encode: checkChunk, explain };
    sendItems(status, [...fields, "content-length", String(body.size)], source, exchange);
  } else sendWhole(status, fields, body instanceof ArrayBuffer ? new Uint8Array(body) : body, exchange);
}

/** Sends a native response. That of an answer that a hook has seen is in memory, and has a length. */
function sendNative(response: Response, exchange: MessageExchange, onError: OnError): void {
  const { status, statusText, headers, body } = response;
  const fields = [...headers].flat();
  if (statusText !== "" && !exchange.stream) exchange.res.statusMessage = statusText;
  if (!body) return sendWhole(status, fields, null, exchange);
  if (isInMemory(response)) {
    const head = planHead(status, {});
    const sendContent = (content: ArrayBuffer): void => send({ head, body: content, fields }, exchange, onError);
    return void response.arrayBuffer().then(sendContent, () => destroy(exchange));
  }
  const source = { producer: openStream(body), encode: checkChunk, explain: ignore }; // its body reports by itself
  sendItems(status, fields, source, exchange);
}

/** Returns fields without those of some names. */
function without(fields: AnswerFields, isDropped: (name: string) => boolean): AnswerFields {
  return fields.filter((_, at) => !isDropped(fields[at - at % 2]!)); // pairs
}

/** Sends content that is in memory, in one write with its head. */
function sendWhole(
  status: number,
  fields: AnswerFields,
  body: string | Uint8Array | null,
  exchange: MessageExchange,
): void {
  const hasContent = status >= 200 && status !== 204 && status !== 304 && exchange.method !== "HEAD";
  if (!hasContent) {
    writeHead(exchange, status, fields);
    return end(exchange, "");
  }
  const content = body ?? "";
  const length = typeof content === "string" ? Buffer.byteLength(content) : content.byteLength;
  const others = fields.length > 2 ? without(fields, (name) => name === "content-length") : fields; // that of a handler
  writeHead(exchange, status, [...others, "content-length", String(length)]);
  if (typeof content !== "string" || length === content.length) return end(exchange, content);
  end(exchange, Buffer.from(content)); // with a text, Node would send the head as UTF-8
}

/** Sends the items of a producer, as the connection takes them. */
function sendItems(status: number, fields: AnswerFields, source: Produced, exchange: MessageExchange): void {
  if (exchange.bodyStop) exchange.body?.ask(); // the handler may read it later, and nothing can be told inside of a body
  writeHead(exchange, status, fields, true);
  void new Sending(source, exchange).run();
}

/** A producer, and how its items are encoded. */
interface Produced extends Pick<Items, "producer" | "encode"> {
  /** Reports a failure. */
  readonly explain: (cause: unknown) => unknown;
}

/** Small items that are ready in the same turn of the event loop are sent together, in about this many bytes. */
const batchSize = 16 * 1024;

/** The items of one response on their way. */
class Sending {
  readonly #source: Produced;
  readonly #exchange: MessageExchange;
  #chunks: Uint8Array[] = [];
  #size = 0;
  #isFlushPlanned = false;
  #hasWritten = false;
  /** Whether the connection takes no more for now. */
  #isFull = false;
  #isOver = false;
  /** Continues when the connection takes more. */
  #proceed: () => void = ignore;

  constructor(source: Produced, exchange: MessageExchange) {
    this.#source = source;
    this.#exchange = exchange;
    exchange.res.on("drain", () => {
      this.#isFull = false;
      this.#proceed();
    });
    exchange.closeOnReset();
    exchange.res.once("close", () => {
      if (this.#isOver) return;
      this.#isOver = true;
      closeProducer(source.producer, exchange.signal.reason);
      this.#proceed();
    });
  }

  /** Asks for items one by one, without waiting for those that are ready. */
  async run(): Promise<void> {
    let hasItem = false; // who caused a failure
    try {
      for (;;) {
        hasItem = false;
        if (this.#isFull) await new Promise<void>((resolve) => this.#proceed = resolve);
        if (this.#isOver) return;
        const next = this.#source.producer.next();
        const step = isPromise(next) ? await this.#soon(next) : next;
        if (this.#isOver) return;
        if (step.done) return this.#finish();
        hasItem = true;
        const encoded = this.#source.encode(step.value);
        const bytes = isPromise(encoded) ? await this.#soon(encoded) : encoded;
        if (this.#isOver) return;
        this.#add(bytes === step.value && bytes.byteLength < batchSize ? new Uint8Array(bytes) : bytes); // its producer may use it again
        if (this.#size >= batchSize) this.#flush();
      }
    } catch (cause) {
      this.#fail(cause, hasItem);
    }
  }

  #add(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#size += chunk.byteLength;
  }

  /** Sends what there is at the end of this turn, if the next item comes later. */
  #soon<Value>(value: PromiseLike<Value>): PromiseLike<Value> {
    if (this.#isFlushPlanned) return value;
    this.#isFlushPlanned = true;
    process.nextTick(() => {
      this.#isFlushPlanned = false;
      if (this.#isOver) return;
      if (this.#size > 0) this.#flushAll();
      else if (!this.#hasWritten) this.#exchange.res.flushHeaders();
    });
    return value;
  }

  /** Writes the collected chunks as one. */
  #flush(): void {
    this.#hasWritten = true;
    this.#isFull = !this.#exchange.res.write(this.#takeChunk());
  }

  /** Does so, and lets middleware that compresses, such as `compression` of Express, pass on what it holds back. */
  #flushAll(): void {
    this.#flush();
    const res = this.#exchange.res as { readonly flush?: () => void };
    attempt(() => res.flush?.(), ignore); // nothing would catch what it throws here
  }

  #takeChunk(): Uint8Array {
    const chunk = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.#size);
    this.#chunks = [];
    this.#size = 0;
    return chunk;
  }

  #finish(): void {
    this.#isOver = true;
    end(this.#exchange, this.#takeChunk());
  }

  /** Breaks off, after what was sent has left. It must not look complete. */
  #fail(cause: unknown, hasItem: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#source.explain(cause);
    if (hasItem) closeProducer(this.#source.producer, cause);
    this.#exchange.res.write(this.#takeChunk(), () => destroy(this.#exchange));
  }
}

/**
 * Writes the head. Fields that other code has set before stay: those of the answer replace them, except for
 * `set-cookie` and `vary`, which are added. Some middleware replaces `writeHead()`, and expects fields to be set.
 */
function writeHead(exchange: MessageExchange, status: number, fields: AnswerFields, mayRead = false): void {
  const { body, res, stream } = exchange;
  const isClosing = body !== undefined && body.unread > maxDiscarded && !(mayRead && body.isOpen) && !stream;
  const ours = stream && status === 426 ? without(fields, (name) => name === "upgrade") : fields; // HTTP/2 has no such field
  const all = isClosing ? [...ours, "connection", "close"] : ours;
  if (!stream && !Object.hasOwn(res, "writeHead") && res.getHeaderNames().length === 0) {
    return void res.writeHead(status, all as string[]); // Node does not change it
  }
  const values = new Map<string, string[]>();
  all.forEach((name, at) => {
    if (at % 2 === 0) values.set(name, [...values.get(name) ?? [], all[at + 1]!]); // a list of pairs
  });
  for (const [name, added] of values) {
    const value = [...name === "set-cookie" || name === "vary" ? fieldsOf(res, name) : [], ...added];
    res.setHeader(name, name === "vary" ? listNames(value) : value.length === 1 ? value[0]! : value); // there is one
  }
  res.writeHead(status);
}

/** Returns the values of a field that other code has set. */
function fieldsOf(res: ServerResponse, name: string): string[] {
  return [res.getHeader(name) ?? []].flat().map(String);
}

/** Returns the names of several lists, each once. */
function listNames(lists: readonly string[]): string {
  const names = lists.join(",").toLowerCase().split(",").map((name) => name.trim());
  return [...new Set(names)].join(", ");
}

/** Up to this many bytes of a body that nothing reads are discarded to keep the connection. */
const maxDiscarded = 256 * 1024;

/** How long more of it is discarded, in milliseconds. Closed at once, a connection may lose the answer to the client. */
const longestDiscard = 1_000;

/** Sends the last chunk, if it has bytes, and discards what nothing has read of the request. A text must be ASCII. */
function end(exchange: MessageExchange, chunk: string | Uint8Array): void {
  const { body, res, stream } = exchange;
  const unread = body?.unread ?? 0;
  if (stream) {
    if (unread > 0) stream.once("finish", () => endStream(exchange));
    return void (chunk.length > 0 ? res.end(chunk) : res.end());
  }
  if (unread > maxDiscarded) return endLater(exchange, chunk);
  if (chunk.length > 0) res.end(chunk, "latin1"); // also that of the head, which Node joins with a text
  else res.end();
  if (unread > 0 && body!.isOpen) body!.discard(); // there is one, if bytes of it are unread
}

/** Sends the last chunk at once, and ends the response when the rest of the request has arrived or takes too long. */
function endLater({ body, req, res }: MessageExchange, chunk: string | Uint8Array): void {
  if (chunk.length > 0) res.write(chunk, "latin1");
  else res.flushHeaders();
  const finish = (): void => {
    clearTimeout(timer);
    if (!res.writableEnded) res.end(() => req.complete || req.socket.destroySoon());
  };
  const timer = setTimeout(finish, longestDiscard);
  req.once("end", finish);
  req.once("close", finish);
  body?.discard();
}

/**
 * Ends a stream of HTTP/2 whose request has not arrived as a whole: when it has, or takes too long. A client of Node
 * keeps what it could not send of a stream that is closed, and then its session.
 */
function endStream({ body, stream }: MessageExchange): void {
  const timer = setTimeout(() => stream!.close(noError), longestDiscard); // there is one
  stream!.once("close", () => clearTimeout(timer));
  body!.discard(); // Node keeps a stream until its body has been read
}

const noError = 0; // NGHTTP2_NO_ERROR
const internalError = 2; // NGHTTP2_INTERNAL_ERROR

/** Ends a response in a way that does not look complete. In HTTP/1.0, the end of a connection can end a body. */
function destroy({ req, res, stream }: MessageExchange): void {
  if (stream) stream.close(internalError);
  else if (req.httpVersion === "1.0") req.socket.resetAndDestroy();
  else res.destroy();
}
