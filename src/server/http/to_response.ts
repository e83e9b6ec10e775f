/** From an answer to a native response. */
import { type Awaitable, isPromise } from "../../awaitable.ts";
import { type InMemory, inMemory, isBodiless } from "../../native_response.ts";
import type { Producer, Step } from "../../producer.ts";
import { pullStream } from "../../wire/pull_stream.ts";
import { dropBody, type Fields, type Head, isItems, type Items, type Sent } from "./answer.ts";
import { isBun, isDeno } from "../../wire/fetched_fields.ts";

/** Returns the response of an answer: for HEAD, of one that has no body any more. */
export function toResponse(sent: Sent, isHead: boolean): Response {
  if ("response" in sent) return isHead ? finishHead(sent.response) : sent.response;
  const { head, fields, body } = sent;
  const response: InMemory = typeof body === "string"
    ? toText(head, body)
    : isItems(body)
    ? toStream(body, head.init)
    : new Response(body, head.init);
  if (typeof body === "string" || ArrayBuffer.isView(body) || body instanceof ArrayBuffer) {
    response[inMemory] = true; // defining a hidden property is slow; the content of a blob may be in a file
  }
  if (fields !== head.fields) addFields(response, head.fields, fields);
  return isHead ? finishHead(response) : response;
}

/**
 * Returns the response of a text. Deno shares the text of a response with its clones: one takes 0.4 µs, and a new
 * response with another status than 200 takes 2.3. Other runtimes copy the body as a stream instead, and Workers bind
 * a response to its request.
 */
function toText({ status, fields, isOfText, init, kept }: Head, text: string): Response {
  if (kept?.response) return kept.response.clone();
  const response = new Response(text, isOfText && status === 200 && isAddedToText(fields[1]) ? undefined : init);
  if (kept?.wasSent && isDeno) kept.response = response.clone();
  if (kept) kept.wasSent = true;
  return response;
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

/** Adds the fields of an answer that its head does not have. If some of the head's were edited, all are set anew. */
function addFields({ headers }: Response, planned: Fields, fields: Fields): void {
  let at = 0;
  while (at < planned.length && planned[at] === fields[at]) at++;
  if (at < planned.length) {
    for (at = 0; at < planned.length; at += 2) headers.delete(planned[at]!);
    at = 0;
  }
  for (; at < fields.length; at += 2) headers.append(fields[at]!, fields[at + 1]!);
}

const encoder = /* @__PURE__ */ new TextEncoder();

function toStream({ producer, encode, explain, client: { signal }, silence }: Items, init: ResponseInit): Response {
  const opening = encoder.encode(isBun ? silence : "");
  const stream = pullStream(openSoon(producer, opening), {
    encode: (item) => item === opening ? opening.slice() : encode(item), // its reader owns it
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
  const next = (): Awaitable<Step> => producer.next();
  const toOpening = async (first: Promise<Step>): Promise<Step> => {
    let isSettled = false;
    const settle = (): void => void (isSettled = true);
    first.then(settle, settle);
    for (let turn = 0; turn < soon; turn++) {
      if (isSettled) return first;
      await undefined;
    }
    opened.next = () => {
      opened.next = next;
      return first;
    };
    return { done: false, value: opening };
  };
  const opened = {
    next(): Awaitable<Step> {
      opened.next = next;
      const first = producer.next();
      return isPromise(first) ? toOpening(Promise.resolve(first)) : first; // a thenable is asked once
    },
    return: (reason?: unknown): unknown => producer.return?.(reason),
  };
  return opened;
}

/** The number of turns in which promises settle that wait for nothing outside, such as those of a generator. */
const soon = 20;
