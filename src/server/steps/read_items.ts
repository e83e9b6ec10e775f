/** Reads the items of a body one by one: lines of JSON. */
import { toRequestCheck } from "../../contract/codec.ts";
import type { CheckedItem, ReceivedItems, RequestBody } from "../../contract/request.ts";
import type { Check, Issue } from "../../schema.ts";
import { isDeeperThan, parseJson } from "../../wire/json.ts";
import { reportIssues } from "../../wire/problem.ts";
import { collectBytes } from "../../wire/read_bytes.ts";
import { type Refusal, refuse } from "../http/answer.ts";

/** Returns the items in a stream of bytes. `stop` receives the answer to a handler that fails because of one. */
export type ReadItems = (
  bytes: ReadableStream<Uint8Array<ArrayBuffer>>,
  stop: (refusal: Refusal) => void,
) => ReceivedItems<unknown>;

/** What is known about the items of a body. */
interface ItemPlan {
  readonly maxBytes: number;
  readonly maxDepth: number;
  readonly check: Check;
}

/** Plans how to read the items of a body. */
export function planItems({ schema, maxItemBytes }: RequestBody, maxDepth: number): ReadItems {
  const check = toRequestCheck(schema!, maxDepth); // a body of items has both
  const plan: ItemPlan = { maxBytes: maxItemBytes!, maxDepth, check };
  return (bytes, stop) => {
    let isOpen = false;
    const open = <Item>(refuseItem: RefuseItem | undefined): AsyncGenerator<Item, undefined> => {
      if (isOpen) throw new TypeError("The items of a body can be read once");
      isOpen = true;
      return readItems({ bytes, plan, stop, refuseItem }) as AsyncGenerator<Item, undefined>; // each of the two kinds
    };
    const refuseItem: RefuseItem = (position, issues) => {
      const located = Array.from(issues, ({ message, path = [] }) => ({ message, path: [position, ...path] })); // `map` of ArkType's lists creates another such list
      stop(refuse("invalid-request", reportIssues([["body", located]])));
      throw new TypeError(`The item ${position} of the body is invalid: ${issues[0]?.message}`);
    };
    return {
      checked: () => open<CheckedItem<unknown>>(undefined),
      [Symbol.asyncIterator]: () => open<unknown>(refuseItem),
    };
  };
}

/** Throws the error for an invalid item. */
type RefuseItem = (position: number, issues: readonly Issue[]) => never;

/** The reading of one body. */
interface Reading {
  readonly bytes: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly plan: ItemPlan;
  readonly stop: (refusal: Refusal) => void;
  /** `undefined` if the invalid items are returned, too. */
  readonly refuseItem: RefuseItem | undefined;
}

/** Returns the items, or each with its issues. The bytes are opened by the first read, and cancelled by the last. */
async function* readItems({ bytes, plan, stop, refuseItem }: Reading): AsyncGenerator<unknown, undefined> {
  const reader = bytes.getReader();
  const lines = splitLines(plan.maxBytes, () => {
    const detail = `An item of the body is longer than ${plan.maxBytes} bytes`;
    stop(refuse("body-too-large", { detail }));
    throw new RangeError(detail);
  });
  let position = 0;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      for (const line of lines.push(read.value)) {
        const item = await checkLine(line, plan);
        if (!refuseItem) yield item;
        else if (item.issues) refuseItem(position, item.issues);
        else yield item.value;
        position++;
      }
    }
    if (!lines.isPartial()) return;
    if (refuseItem) refuseItem(position, cutOff);
    yield { issues: cutOff };
  } finally {
    reader.cancel().catch(() => {}); // errors of the source are ignored
  }
}

const cutOff: readonly Issue[] = [{ message: "The item is incomplete: its line feed is missing" }];

const utf8 = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes and validates one item. */
async function checkLine(line: Uint8Array<ArrayBuffer>, { maxDepth, check }: ItemPlan): Promise<CheckedItem<unknown>> {
  let value: unknown;
  try {
    value = parseJson(utf8.decode(line));
  } catch {
    return { issues: [{ message: "The item is not JSON in UTF-8" }] };
  }
  if (isDeeperThan(maxDepth, value)) {
    return { issues: [{ message: `The item has more than ${maxDepth} levels of nesting` }] };
  }
  const checked = await check(value);
  return checked.issues ? { issues: checked.issues } : { value: checked.value };
}

/** The lines of bytes that arrive in pieces. */
interface Lines {
  /** Adds a piece, and returns the lines that it completes, without empty ones. */
  readonly push: (piece: Uint8Array<ArrayBuffer>) => Iterable<Uint8Array<ArrayBuffer>>;
  /** Whether a line is incomplete. */
  readonly isPartial: () => boolean;
}

const lineFeed = 10;
const carriageReturn = 13;

/** Finds lines in bytes. Calls `failTooLong` as soon as one is longer than the maximum. */
function splitLines(maxBytes: number, failTooLong: () => never): Lines {
  let rest = collectBytes();
  let length = 0; // of the rest
  const add = (piece: Uint8Array<ArrayBuffer>): void => {
    length += piece.byteLength;
    if (length > maxBytes) failTooLong();
    if (piece.byteLength > 0) rest.add(piece);
  };
  return {
    *push(piece): Generator<Uint8Array<ArrayBuffer>> {
      let from = 0;
      for (let end = piece.indexOf(lineFeed); end !== -1; end = piece.indexOf(lineFeed, from)) {
        let line = piece.subarray(from, end);
        from = end + 1;
        if (length > 0 || line.byteLength > maxBytes) {
          add(line);
          line = rest.join();
          rest = collectBytes();
          length = 0;
        }
        if (line.at(-1) === carriageReturn) line = line.subarray(0, -1);
        if (line.byteLength > 0) yield line;
      }
      add(piece.subarray(from));
    },
    isPartial: () => length > 0,
  };
}
