/** Answers as data: a head that many requests share, the fields of one of them, and a body. Adapters send them. */
import type { Awaitable } from "../../awaitable.ts";
import { closeProducer, type Producer } from "../../producer.ts";
import type { WholeContent } from "../../representation/representation.ts";
import { byteLength } from "../../wire/read_bytes.ts";
import type { Exchange } from "./exchange.ts";
import { type EditableFields, FieldList, type Fields } from "./fields.ts";
import { dropBody, editHeaders } from "./native_answer.ts";

/** The part of answers that is known in advance: for each response of a route, and for each refusal. */
export interface Head {
  readonly status: number;
  /** The content type first, if there is one. */
  readonly fields: Fields;
  /** The same for `new Response`, which takes it as it is. */
  readonly init: ResponseInit;
  /** What an adapter keeps of answers whose body is the same, too. */
  readonly kept?: { wasSent: boolean; response: Response | undefined };
}

/** Plans the head of answers. */
export function planHead(status: number, fields: Readonly<Record<string, string>>): Head {
  const list: string[] = [];
  for (const [name, value] of Object.entries(fields)) list.push(name, value);
  return {
    status,
    fields: list,
    init: { ...(status !== 200 && { status }), ...(list.length > 0 && { headers: fields }) },
  };
}

/** What an adapter sends after the head: whole content, items one by one, or nothing. */
export type AnswerBody = WholeContent | Items | null;

/** Items that an adapter pulls from their producer, one by one, when the connection takes more. */
export class Items {
  /** @param silence Text that readers of the format ignore, for a connection that needs a byte to begin. */
  constructor(
    readonly producer: Producer,
    /** Encodes an item. Throws or rejects if it cannot be sent. */
    readonly encode: (item: unknown) => Awaitable<Uint8Array<ArrayBuffer>>,
    /** Reports a failure, unless the client has left. Returns the error with which the body ends. */
    readonly explain: (cause: unknown, toResponse: () => Response) => unknown,
    /** The items end when its signal aborts. */
    readonly client: Exchange,
    readonly silence: string,
  ) {}
}

/** An answer that is data. */
export class Answer {
  constructor(
    readonly head: Head,
    readonly body: AnswerBody,
    /** Those of the head, unless something was added to them. */
    readonly fields: Fields = head.fields,
  ) {}
}

/** A native response, of a handler or a hook, which is sent as it is. */
export class NativeAnswer {
  constructor(readonly response: Response) {}
}

/** What the engine returns for a request. */
export type Sent = Answer | NativeAnswer;

/** The answer to a request that an adapter passes on to other code, because no route has its path and its method. */
export const passed: Answer = /* @__PURE__ */ new Answer(/* @__PURE__ */ planHead(404, {}), null);

/** Returns the status of an answer. */
export function statusOf(sent: Sent): number {
  return sent instanceof NativeAnswer ? sent.response.status : sent.head.status;
}

/** Returns the fields of an answer, to read them. */
export function fieldsOf(sent: Sent): Pick<EditableFields, "get" | "has" | "forEach"> {
  return sent instanceof NativeAnswer ? sent.response.headers : new FieldList([...sent.fields]);
}

/** Returns an answer with edited fields. It does not change the answer, which other requests may share. */
export function editAnswer(sent: Sent, edit: (fields: EditableFields) => void): Sent {
  if (sent instanceof NativeAnswer) return new NativeAnswer(editHeaders(sent.response, edit));
  const list = new FieldList([...sent.fields]);
  edit(list);
  return new Answer(sent.head, sent.body, list.fields);
}

/**
 * Returns the answer to HEAD: the fields of GET with its length, without the body (RFC 9110, section 9.3.2). A producer,
 * whose length is unknown, is closed before it is opened.
 */
export function toHead(sent: Sent): Sent {
  if (sent instanceof NativeAnswer) return new NativeAnswer(dropBody(sent.response));
  const { head, body, fields } = sent;
  if (body === null) return sent;
  if (body instanceof Items) {
    closeProducer(body.producer);
    return new Answer(head, null, fields);
  }
  const list = new FieldList([...fields]);
  list.set("content-length", String(byteLength(body)));
  return new Answer(head, null, list.fields);
}

/** The answer to a client that has disconnected, with a status that nothing reads. */
export const disconnected: Answer = /* @__PURE__ */ new Answer(/* @__PURE__ */ planHead(499, {}), null);
