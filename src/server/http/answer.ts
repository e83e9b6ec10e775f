/** Answers as data: a head that many requests share, the fields of one of them, and a body. Adapters send them. */
import { attempt, type Awaitable, isPromise, whenReady } from "../../awaitable.ts";
import { isObject } from "../../mark.ts";
import { describeConfidential } from "../../messages.ts";
import { cancelUnsent } from "../../native_response.ts";
import type { WholeContent } from "../../representation/representation.ts";
import { isBun, isDeno } from "../../wire/fetched_fields.ts";
import { isFieldValue, isToken } from "../../wire/headers.ts";
import { problemType } from "../../wire/media_type.ts";
import {
  type AdapterProblem,
  createProblem,
  type IssueReport,
  reportIssues,
  type RequestProblemCode,
} from "../../wire/problem.ts";
import { byteLength } from "../../wire/read_bytes.ts";
import { type ResponseHeaders, ResultError, Stop } from "../define/result.ts";
import type { Exchange } from "./exchange.ts";
import { closeProducer, type Producer, type ProducerStep } from "../../wire/producer.ts";

/** The names and values of header fields in turn, in the order in which they are sent. Names are in lowercase. */
export type AnswerFields = readonly string[];

/** The part of answers that is known in advance: for each response of a route, and for each refusal. */
export interface Head {
  readonly status: number;
  /** The content type first, if there is one. */
  readonly fields: AnswerFields;
  /** The same for `new Response`, which takes it as it is. */
  readonly init: ResponseInit;
  /** Whether the content is text with the status 200, whose type platforms may add by themselves. */
  readonly isOfText: boolean;
  /** What is kept of answers whose body is the same, too, where cloning a response is faster than creating one. */
  readonly kept: { response: Response | undefined } | undefined;
}

/** Plans the head of answers. */
export function planHead(status: number, fields: Readonly<Record<string, string>>, kept?: Head["kept"]): Head {
  const list = Object.entries(fields).flat();
  const headers = isBun ? new Headers(fields) : fields; // it copies a plain object in twice the time
  const isOfText = status === 200 && list[1]?.startsWith("text/") === true;
  const init = list.length > 0 ? { status, headers } : { status }; // reading none takes a fifth of a response
  return { status, fields: list, isOfText, init, kept };
}

/** What an adapter sends after the head: whole content, items one by one, or nothing. */
export type AnswerBody = WholeContent | Items | null;

/** Items that an adapter pulls from their producer, one by one, when the connection takes more. */
export interface Items {
  readonly producer: Producer;
  /** Encodes an item. Throws or rejects if it cannot be sent. */
  readonly encode: (item: unknown) => Awaitable<Uint8Array<ArrayBuffer>>;
  /** Reports a failure, unless the client has left. Returns the error with which the body ends. */
  readonly explain: (cause: unknown, toResponse: () => Response) => unknown;
  /** The items end when its signal aborts. */
  readonly client: Exchange;
  /** Text that readers of the format ignore, for a connection that needs a byte to begin. */
  readonly silence: string;
}

/** An answer that is data. */
export interface Answer {
  readonly head: Head;
  readonly body: AnswerBody;
  /** Those of the head, unless something was added to them. */
  readonly fields: AnswerFields;
}

/**
 * What the engine returns for a request: an answer, or the native response of a handler or a hook, which is sent as it
 * is. Only the former has a `head`.
 */
export type Sent = Answer | Response;

/** Turns an answer into what the adapter needs. */
export type Finish<Out = unknown> = (sent: Sent, exchange: Exchange) => Out;

/** Returns whether a body is one of items. */
export function isItems(body: AnswerBody): body is Items {
  return typeof body === "object" && body !== null && "producer" in body;
}

/** Returns the status of an answer. */
export function statusOf(sent: Sent): number {
  return ("head" in sent ? sent.head : sent).status;
}

/** Returns an answer with edited fields. It does not change the answer, which other requests may share. */
export function editAnswer(sent: Sent, edit: (fields: EditableFields) => void): Sent {
  if (!("head" in sent)) return editHeaders(sent, edit);
  const list = new FieldList([...sent.fields]);
  edit(list);
  return { ...sent, fields: list.fields };
}

/**
 * Returns the answer to HEAD: the fields of GET with its length, without the body (RFC 9110, section 9.3.2). A producer,
 * whose length is unknown, is closed before it is opened.
 */
export function toHead(sent: Sent): Sent {
  if (!("head" in sent)) return dropBody(sent);
  const { head, body, fields } = sent;
  if (body === null) return sent;
  const list = new FieldList([...fields]);
  if (isItems(body)) closeProducer(body.producer);
  else list.set("content-length", String(byteLength(body)));
  return { head, body: null, fields: list.fields };
}

/** The answer to a client that has disconnected, with a status that nothing reads. */
export const disconnected: Answer = { head: /* @__PURE__ */ planHead(499, {}), body: null, fields: [] };

/** A refusal answers the request with a problem document. All requests that it refuses share its answer. */
export class Refusal extends Stop {
  readonly answer: Answer;

  /**
   * @param fields Headers besides the content type. They stay if the application's `refuse` replaces the document.
   * @param head The head of the answer. By default that of an answer to many requests.
   */
  constructor(
    readonly problem: AdapterProblem,
    readonly fields: Readonly<Record<string, string>> = {},
    head: Head = planHead(
      problem.status,
      { "content-type": problemType, ...fields },
      isDeno ? { response: undefined } : undefined,
    ),
  ) {
    super();
    Object.freeze(problem); // the application receives it, and many requests share it
    this.answer = { head, body: JSON.stringify(problem), fields: head.fields };
  }
}

/** Returns whether a stop is a refusal, in the same way. */
export function isRefusal(stop: Stop): stop is Refusal {
  return "answer" in stop;
}

/** Refuses a request with a problem code. A report is about this request only, so nothing is kept of its answer. */
export function refuse(code: RequestProblemCode, report?: IssueReport): Refusal {
  const made = constants.get(code) ?? new Refusal(createProblem(code));
  constants.set(code, made);
  return report ? new Refusal(createProblem(code, report), {}, { ...made.answer.head, kept: undefined }) : made;
}

/** Refuses a request because of the issues of its inputs. */
export function refuseIssues(inputs: Parameters<typeof reportIssues>[0]): Refusal {
  return refuse("invalid-request", reportIssues(inputs));
}

/** The refusals that contain nothing of the request. */
const constants = new Map<RequestProblemCode, Refusal>();

/** Header fields that can be edited. */
export type EditableFields = Pick<Headers, "get" | "has" | "set" | "append" | "delete"> & {
  readonly forEach: (callback: (value: string, name: string) => void) => void;
};

/** A list of fields with the methods of `Headers`. Names must be in lowercase. */
export class FieldList implements EditableFields {
  /** Names and values in turn. */
  declare readonly fields: string[];

  constructor(fields: string[]) {
    this.fields = fields;
  }

  get(name: string): string | null {
    let found: string | null = null;
    for (let at = 0; at < this.fields.length; at += 2) {
      if (this.fields[at] === name) found = found === null ? this.fields[at + 1]! : `${found}, ${this.fields[at + 1]}`;
    }
    return found;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  set(name: string, value: string): void {
    this.delete(name);
    this.append(name, value);
  }

  append(name: string, value: string): void {
    this.fields.push(name, /^[\t ]|[\t ]$/.test(value) ? value.replace(/^[\t ]+|[\t ]+$/g, "") : value); // trim() would remove more
  }

  delete(name: string): void {
    for (let at = this.fields.length - 2; at >= 0; at -= 2) if (this.fields[at] === name) this.fields.splice(at, 2);
  }

  forEach(callback: (value: string, name: string) => void): void {
    for (let at = 0; at < this.fields.length; at += 2) callback(this.fields[at + 1]!, this.fields[at]!);
  }
}

/** Removes the fields that allow pages to read a response. Returns the names of all others. */
export function removeAllowances(headers: EditableFields): string[] {
  const names: string[] = [];
  headers.forEach((_, name) => names.push(name));
  return names.filter((name) => {
    const isAllowance = name.startsWith("access-control-");
    if (isAllowance) headers.delete(name);
    return !isAllowance;
  });
}

/**
 * Edits the headers of a response. It returns a copy if the headers are immutable, as those of a fetched response are.
 * It does not change a response that switches protocols, or one that cannot be sent: its body is being read, or it is
 * `Response.error()`.
 */
export function editHeaders(response: Response, edit: (headers: EditableFields) => void): Response {
  if (response.status === 101) return response; // the runtime created it
  const { status, statusText, headers } = response;
  try {
    edit(headers);
    return response;
  } catch { // they are immutable
    try {
      const fields = new Headers(headers);
      edit(fields);
      return new Response(response.body, { status, statusText, headers: fields });
    } catch {
      return response;
    }
  }
}

/** Returns a response without its body, which is cancelled. */
export function dropBody(response: Response): Response {
  const { status, statusText, headers } = response; // before `body`, without which Bun forgets the content type
  if (response.body === null) return response;
  cancelUnsent(response);
  return new Response(null, { status, statusText, headers });
}

/**
 * Adds a handler's headers to those of the declaration, whose content type wins. How a message is framed is not the
 * handler's decision: it returns `content-length` instead of adding it.
 */
export function appendHeaders(target: EditableFields, added: ResponseHeaders, hasContent: boolean): string | undefined {
  checkHeaders(added);
  let length: string | undefined;
  for (const [name, value] of Object.entries(added)) {
    const field = name.toLowerCase();
    if (value === undefined || (hasContent && field === "content-type")) continue;
    for (const text of typeof value === "string" ? [value] : value) {
      if (!isFieldValue(text) || !isToken(name)) {
        const part = isFieldValue(text) ? "name" : "value";
        throw new ResultError(`The ${part} of the header ${JSON.stringify(name)} is invalid`);
      }
      if (field === "content-length") length = length === undefined ? text : `${length}, ${text}`;
      else target.append(field, text);
    }
  }
  return length;
}

/** Throws if the headers of a result are not plain data: a `Headers` of any implementation, or another list. */
export function checkHeaders(headers: ResponseHeaders): void {
  if (isObject(headers) && !(Symbol.iterator in headers)) return;
  const found = headers instanceof Headers ? "a Headers" : describeConfidential(headers);
  throw new ResultError(`The headers of a result must be a plain object, got ${found}`);
}

/** Returns the length that a `content-length` states. Throws if it is not a number of bytes. */
export function parseLength(stated: string | null | undefined, name: string): number | undefined {
  if (stated === undefined || stated === null) return undefined;
  const length = /^\d+$/.test(stated) ? Number(stated) : NaN;
  if (Number.isSafeInteger(length)) return length;
  throw new ResultError(
    `Cannot send ${name}: its header "content-length" must be a number of bytes, got ${JSON.stringify(stated)}`,
  );
}

/** A stream of a stated length. */
interface CountedBytes {
  readonly encode: (item: unknown) => Awaitable<Uint8Array<ArrayBuffer>>;
  readonly length: number;
  /** The name of the response in messages. */
  readonly name: string;
}

/**
 * Returns the encoded items of a producer, which fail if they have more or fewer bytes than the length. No runtime reads
 * beyond the length, so the last item is sent when the producer has ended.
 */
export function countBytes(producer: Producer, { encode, length, name }: CountedBytes): Producer {
  let count = 0;
  let isOver = false;
  const fail = (found: string): never => {
    throw new ResultError(`Cannot send ${name}: its header "content-length" is ${length}, but its body has ${found}`);
  };
  const add = (value: Uint8Array<ArrayBuffer>): ProducerStep => {
    count += value.byteLength;
    return count > length ? fail("more bytes") : { done: false, value };
  };
  const take = (step: ProducerStep): Awaitable<ProducerStep> => {
    isOver = step.done === true;
    if (isOver) return count < length ? fail(`${count} bytes`) : step;
    return attempt(() => whenReady(encode(step.value), add), (error) => {
      closeProducer(producer, error);
      throw error;
    });
  };
  const read = (): Awaitable<ProducerStep> => whenReady(producer.next(), take);
  const readRest = (last: ProducerStep): Awaitable<ProducerStep> => { // only empty items may follow
    while (count === length && !isOver) {
      const step = read();
      if (isPromise(step)) return whenReady(step, () => readRest(last));
    }
    return last;
  };
  return {
    next: () => isOver ? { done: true } : whenReady(read(), readRest),
    return: (reason) => producer.return?.(reason),
  };
}
