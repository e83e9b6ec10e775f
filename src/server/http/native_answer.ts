/** Native responses: those that answers become, and those of the application, whose headers are made to fit their bodies. */
import { attempt, type Awaitable, isPromise } from "../../awaitable.ts";
import { cancelUnsent, type InMemory, inMemory, isBodiless, isInMemory, isResponse } from "../../native_response.ts";
import { aFunction, checkRule } from "../../options.ts";
import { isBun, listUnfit } from "../../wire/fetched_fields.ts";
import type { ResponseHeaders } from "../define/result.ts";
import {
  appendHeaders,
  countBytes,
  dropBody,
  type Head,
  isItems,
  type Items,
  parseLength,
  type Sent,
  toHead,
} from "./answer.ts";
import { checkChunk, openStream, type Producer, type ProducerStep, pullStream } from "../../wire/producer.ts";

/** Returns the response of an answer: for HEAD, without a body. */
export function toResponse(sent: Sent, isHead: boolean): Response {
  if (isHead) return finishHead(toResponse(toHead(sent), false));
  if (!("head" in sent)) return sent;
  const { head, fields, body } = sent;
  const response: InMemory = typeof body === "string"
    ? toText(head, body)
    : isItems(body)
    ? toStream(body, head.init)
    : new Response(body, head.init);
  if (typeof body === "string" || ArrayBuffer.isView(body) || body instanceof ArrayBuffer) {
    response[inMemory] = true; // defining a hidden property is slow; the content of a blob may be in a file
  }
  if (fields !== head.fields) { // if some of the head's were edited, all are set anew
    let at = 0;
    while (at < head.fields.length && head.fields[at] === fields[at]) at++;
    if (at < head.fields.length) {
      for (at = 0; at < head.fields.length; at += 2) response.headers.delete(head.fields[at]!);
      at = 0;
    }
    for (; at < fields.length; at += 2) response.headers.append(fields[at]!, fields[at + 1]!);
  }
  return response;
}

/**
 * Returns the response of a text. Deno shares the text of a response with its clones: one takes 0.2 µs, and a new
 * response with another status than 200 takes 1.4. Other runtimes copy the body as a stream instead, and Workers bind
 * a response to its request.
 */
function toText({ fields, isOfText, init, kept }: Head, text: string): Response {
  if (kept) return (kept.response ??= new Response(text, init)).clone();
  return new Response(text, isOfText && isAddedToText(fields[1]) ? undefined : init);
}

/**
 * Returns whether the runtime adds this content type to a text by default, which takes half the time of setting it.
 * Bun's in-memory responses have none and it sends another, and those of @hono/node-server, which replaces the class,
 * have another.
 */
function isAddedToText(contentType: string | undefined): boolean {
  if (Response !== asked) {
    asked = Response;
    added = new Response("").headers.get("content-type");
  }
  return contentType === added;
}

let asked: unknown;
let added: string | null;

const encoder = /* @__PURE__ */ new TextEncoder();

function toStream({ producer, encode, explain, client: { signal }, silence }: Items, init: ResponseInit): Response {
  const opening = encoder.encode(isBun ? silence : "");
  const stream = pullStream(openSoon(producer, opening), {
    encode: (item) => item === opening ? opening : encode(item),
    signal,
    explain: (cause) => explain(cause, () => response),
  });
  const response = new Response(stream, init);
  return response;
}

/**
 * Returns the response to HEAD that is sent. Deno and Bun add `content-length: 0` to a response without a body, although
 * that of GET may have content. If its length is not known, they therefore receive an empty stream. `body` is null, as
 * in any response to HEAD.
 */
function finishHead(response: Response): Response {
  const { status, statusText, headers } = response;
  if (isBodiless(status)) return response;
  const bare = dropBody(response);
  if (headers.has("content-length")) return bare;
  const empty = new ReadableStream({ pull: (controller) => controller.close() }, { highWaterMark: 0 });
  return Object.defineProperty(new Response(empty, { status, statusText, headers }), "body", { value: null });
}

/**
 * Returns the items of a producer, after `opening` if the first one does not come soon. srvx and Bun send the head of a
 * response with its first chunk: an empty one is enough for srvx, and Bun needs a byte.
 */
function openSoon(producer: Producer, opening: Uint8Array): Producer {
  let isOpen = false;
  let late: Promise<ProducerStep> | undefined;
  const openLate = async (first: Promise<ProducerStep>): Promise<ProducerStep> => {
    const step = await Promise.race([first, passTurns()]);
    if (step) return step;
    late = first;
    return { done: false, value: opening };
  };
  return {
    next(): Awaitable<ProducerStep> {
      const isFirst = !isOpen;
      isOpen = true;
      const step = late ?? producer.next();
      late = undefined;
      return isFirst && isPromise(step) ? openLate(Promise.resolve(step)) : step; // a thenable is asked once
    },
    return: (reason) => producer.return?.(reason),
  };
}

/** Waits for promises that wait for nothing outside, such as those of a generator: they settle in so many turns. */
async function passTurns(): Promise<undefined> {
  for (let turn = 0; turn < 20; turn++) await undefined;
}

/** How to send a native response. */
interface NativeSettings {
  /** Headers to add. */
  readonly headers?: ResponseHeaders | undefined;
  /** The name of the response in messages. */
  readonly name: string;
  readonly isHead: boolean;
  /** Reports the failure of its body. */
  readonly report: (cause: unknown, response: Response) => void;
}

/**
 * Returns a native response of the application whose headers fit its body. A stated length is counted, and a response of
 * `fetch` loses the headers of its connection, and those of the coding that the runtime has removed.
 */
export function frameNative(native: Response, { headers: added, name, isHead, report }: NativeSettings): Response {
  const { status, statusText, headers } = native;
  if (status === 101) return native;
  const isFetched = native.url !== "";
  const unfit = (isFetched ? listUnfit(headers) : []).filter((field) => headers.has(field));
  const isFit = isHead || !headers.has("content-length") ||
    (isFetched && native.body !== null && !headers.has("content-encoding"));
  if (isFit && unfit.length === 0 && !added) return native;
  const body = bodyOf(native);
  const copy = body === undefined ? (isFetched ? native.clone() : native) : undefined; // Bun counts it, and sends a copy of a text as bytes
  const fields = copy?.headers ?? new Headers(headers);
  for (const field of unfit) fields.delete(field);
  const own = added && appendHeaders(fields, added, fields.has("content-type"));
  if (own !== undefined) fields.set("content-length", own);
  const isTrusted = isFetched && own === undefined && !fields.has("content-encoding"); // another runtime may have decoded it
  const length = isTrusted ? undefined : parseLength(fields.get("content-length"), name);
  if (!isHead && (!body || length === 0)) fields.delete("content-length"); // with it, nothing would be read
  if (copy) return copy;
  const init = { status, statusText, headers: fields };
  if (!body || isHead || length === undefined) return new Response(body, init);
  const explain = (cause: unknown): unknown => {
    report(cause, response);
    return cause;
  };
  const counted = countBytes(openStream(body), { encode: checkChunk, length, name });
  const response = new Response(pullStream(counted, { encode: checkChunk, signal: undefined, explain }), init);
  return response;
}

/**
 * Returns the body of a response. Bun sends a text as such only if nothing has read `body`: there, it is `undefined` for
 * a response without a content type.
 */
function bodyOf(response: Response): Response["body"] | undefined {
  return isBun && !response.headers.has("content-type") ? undefined : response.body;
}

/** Returns whether a response has this body, which nothing reads: where its own is not to be read, no copy of it can be made. */
export function hasBody(response: Response, body: NonNullable<Response["body"]>): boolean {
  const own = bodyOf(response);
  if (own !== undefined) return own === body;
  const reader = body.getReader();
  try {
    cancelUnsent(response.clone());
    return false;
  } catch {
    return true;
  } finally {
    reader.releaseLock();
  }
}

/**
 * Returns whether nothing has begun to read a response. The getters of some Node adapters throw once it has been sent.
 */
export function isSendable(response: Response): boolean {
  try {
    return !response.bodyUsed && !bodyOf(response)?.locked;
  } catch {
    return false;
  }
}

/** A response that another one was made of, to watch its body. */
interface Watched extends Response {
  [watched]?: Response;
}

const watched: unique symbol = /* @__PURE__ */ Symbol("watched");

/** Returns whether a hook that succeeded has left the body of a response alone. Reading `body` would make it slower. */
export function isUntouched(response: Watched): boolean {
  return isInMemory(response) && !response.bodyUsed && !response[watched];
}

/** Returns a response, or the one that watches its body, if it can be sent. The hook may have forgotten to return it. */
export function findSendable(response: Watched | undefined): Response | undefined {
  return response && (isSendable(response) ? response : findSendable(response[watched]));
}

/**
 * Returns a function that restores the framing of a response, which a hook that sets its headers does not decide. Node
 * would send the whole body after any `content-length`.
 */
export function keepFraming({ headers }: Response): () => void {
  const length = headers.get("content-length");
  return () => {
    if (headers.get("content-length") === length && !headers.has("transfer-encoding")) return;
    headers.delete("transfer-encoding");
    if (length === null) headers.delete("content-length");
    else headers.set("content-length", length);
  };
}

/** How the body of a response ended. */
export interface BodyEnd {
  /** The number of bytes that were read from it. */
  readonly bytes: number;
  /** The error that ended it, or the reason for which the reader left. `undefined` if it was read to its end. */
  readonly error: unknown;
  /** Whether it was read to its end. */
  readonly isComplete: boolean;
}

/**
 * Returns a response with the same status, headers and content, and calls `onEnd` once: when its body has been read to
 * the end, has failed, or is left by the client. For a response without a body it is called at once. Errors that it
 * throws are ignored.
 *
 * @example An access log, with the bytes of each response
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { createFetchHandler, watchBody } from "@scope/api/fetch";
 * import { defineServer } from "@scope/api/server";
 * import { assertEquals } from "@std/assert";
 *
 * const contract = defineContract({ routes: { hello: route.get("/hello", { responses: { 200: response.text() } }) } });
 * const implementation = defineServer(contract).implement({ hello: ({ response }) => response(200, "Hello") });
 *
 * const log: string[] = [];
 * const handler = createFetchHandler(implementation, {
 *   onResponse: ({ route, response }) =>
 *     watchBody(response, ({ bytes }) => log.push(`${route?.key ?? "-"} ${response.status} ${bytes}`)),
 * });
 *
 * await (await handler(new Request("http://localhost/hello"))).text();
 * assertEquals(log, ["hello 200 5"]);
 * ```
 *
 * @throws {TypeError} If it is not a response, or `onEnd` is not a function.
 */
export function watchBody(response: Response, onEnd: (end: BodyEnd) => void): Response {
  checkRule(response, "the response", ["a Response", isResponse], "watchBody()");
  checkRule(onEnd, '"onEnd"', aFunction, "watchBody()");
  const { status, statusText, headers, body } = response; // `body` last: it makes Bun forget the content type
  let isOver = false;
  const end = (ended: BodyEnd): void => {
    isOver = true;
    attempt((): Awaitable<unknown> => onEnd(ended), () => {}); // errors of the callback are ignored
  };
  if (body === null) {
    end({ bytes: 0, error: undefined, isComplete: true });
    return response;
  }
  const reader = body.getReader();
  let bytes = 0;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller): Promise<void> {
      try {
        const { done, value } = await reader.read();
        if (isOver) return; // the client left while the read was pending
        if (done) {
          end({ bytes, error: undefined, isComplete: true });
          return controller.close();
        }
        bytes += value.byteLength;
        controller.enqueue(value);
      } catch (error) {
        if (isOver) return;
        end({ bytes, error, isComplete: false });
        controller.error(error);
      }
    },
    cancel(reason): Promise<void> {
      end({ bytes, error: reason, isComplete: false });
      return reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
  const sent = new Response(stream, { status, statusText, headers });
  (response as Watched)[watched] = sent; // only this module reads it
  return sent;
}
