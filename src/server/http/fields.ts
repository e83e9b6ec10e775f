/** Header fields as data, and the fields that say how a message is framed. */
import { attempt, type Awaitable, isPromise, whenReady } from "../../awaitable.ts";
import { closeProducer, type Producer, type Step } from "../../producer.ts";
import { isFieldValue, isToken } from "../../wire/headers.ts";
import { type ResponseHeaders, ResultError } from "../define/result.ts";

/** The names and values of header fields in turn, in the order in which they are sent. Names are in lowercase. */
export type Fields = readonly string[];

/** Header fields that can be edited. */
export type EditableFields = Pick<Headers, "get" | "has" | "set" | "append" | "delete"> & {
  readonly forEach: (callback: (value: string, name: string) => void) => void;
};

/** A list of fields with the methods of `Headers`. Names must be in lowercase. */
export class FieldList implements EditableFields {
  constructor(
    /** Names and values in turn. */
    readonly fields: string[],
  ) {}

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

/**
 * Adds a handler's headers to those of the declaration, whose content type wins. How a message is framed is not the
 * handler's decision: it ignores `transfer-encoding`, and returns `content-length` instead of adding it.
 */
export function appendHeaders(target: EditableFields, added: ResponseHeaders, hasContent: boolean): string | undefined {
  checkHeaders(added);
  let length: string | undefined;
  for (const [name, value] of Object.entries(added)) {
    const field = name.toLowerCase();
    if (value === undefined || (hasContent && field === "content-type")) continue;
    for (const text of typeof value === "string" ? [value] : value) {
      if (!isFieldValue(text)) throw new ResultError(`The value of the header ${JSON.stringify(name)} is invalid`);
      if (!isToken(name)) throw new ResultError(`The name of the header ${JSON.stringify(name)} is invalid`);
      if (field === "content-length") length = length === undefined ? text : `${length}, ${text}`;
      else if (field !== "transfer-encoding") target.append(field, text);
    }
  }
  return length;
}

/** Throws if the headers of a result are not plain data. */
export function checkHeaders(headers: ResponseHeaders): void {
  if (!(headers instanceof Headers)) return;
  throw new ResultError("The headers of a result must be a plain object, got a Headers");
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
  const add = (value: Uint8Array<ArrayBuffer>): Step => {
    count += value.byteLength;
    return count > length ? fail("more bytes") : { done: false, value };
  };
  const take = (step: Step): Awaitable<Step> => {
    isOver = step.done === true;
    if (isOver) return count < length ? fail(`${count} bytes`) : step;
    return attempt(() => whenReady(encode(step.value), add), (error) => {
      closeProducer(producer, error);
      throw error;
    });
  };
  const read = (): Awaitable<Step> => whenReady(producer.next(), take);
  const readRest = (last: Step): Awaitable<Step> => { // only empty items may follow
    while (count === length && !isOver) {
      const step = read();
      if (isPromise(step)) return step.then(() => readRest(last));
    }
    return last;
  };
  return {
    next: () => isOver ? { done: true } : whenReady(read(), readRest),
    return: (reason) => producer.return?.(reason),
  };
}
