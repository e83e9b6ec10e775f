/** Streams of JSON values, one per line. */
import { type Awaitable, closeProducer, closeSource, type Producer, type Step, whenReady } from "../awaitable.ts";
import { encodeJson } from "../wire/json.ts";
import { checkBytes, type RecordParser, splitLines, type TextRecord } from "../wire/records.ts";
import { openUpload, uploadFrom } from "./byte_stream.ts";
import { type CheckItem, itemSchemaNeeded, receiveItems } from "./item_stream.ts";
import {
  type EncodeItem,
  type Incoming,
  type RequestRepresentation,
  type ResponseRepresentation,
  trackResults,
  type Upload,
} from "./representation.ts";

/** Lines of JSON in a request. A list is sent as a whole. */
export const requestNdjson: RequestRepresentation<"ndjson"> = /* @__PURE__ */ Object.freeze({
  kind: "ndjson",
  contentType: "application/x-ndjson",
  describes: "item",
  needsSchema: itemSchemaNeeded,
  encode: encodeList,
  startUpload: startItems,
  isSentOnce: (items: unknown) => items !== undefined && !Array.isArray(items),
  leave: closeSource,
});

/** Encodes the items of a list. `undefined` for an upload. */
async function encodeList(items: unknown, encodeItem: EncodeItem | undefined): Promise<string | undefined> {
  if (!Array.isArray(items)) return undefined;
  let text = "";
  for (let at = 0; at < items.length; at++) text += await encodeLine(items[at], at, encodeItem);
  return text;
}

function encodeLine(item: unknown, at: number, encodeItem: EncodeItem | undefined): Awaitable<string> {
  const name = `the item ${at} of the body`;
  return whenReady(encodeItem ? encodeItem(item, name) : item, (value) => {
    try {
      return formatLine(value);
    } catch (error) {
      throw new TypeError(`${name} cannot be sent: ${(error as Error).message}`); // encodeJson() throws errors only
    }
  });
}

/** Starts the upload of items that arrive one by one. `undefined` for a list. */
function startItems(
  source: unknown,
  signal: AbortSignal | undefined,
  encodeItem: EncodeItem | undefined,
): Upload | undefined {
  if (Array.isArray(source)) return undefined;
  return uploadFrom(joinLines(openUpload(source, "an array", "items"), encodeItem), "an array", signal);
}

/** The number of microtasks after which an item counts as not ready. */
const patience = 8;

/** The length of joined lines, in characters, beyond which no more are added. */
const joinedLength = 16_384;

/**
 * Returns the items as chunks of lines. It joins those that are ready, because a chunk takes as long as 20 lines, and
 * sends a line at once if the next item is not ready.
 */
function joinLines(items: Producer, encodeItem: EncodeItem | undefined): Producer {
  const encoder = new TextEncoder();
  let pending: Promise<Step> | undefined; // the item that was not ready
  let count = 0;
  const take = (): Promise<Step> => {
    const next = pending ?? Promise.resolve(items.next());
    pending = undefined;
    return next;
  };
  return {
    async next(): Promise<Step> {
      let text = "";
      for (let step = await take(); !step.done; step = await take()) {
        try {
          text += await encodeLine(step.value, count++, encodeItem);
        } catch (error) {
          closeProducer(items, error); // a stream does not close a producer that failed
          throw error;
        }
        pending = take();
        if (text.length >= joinedLength || !await isSettledSoon(pending)) break;
      }
      return text === "" ? { done: true } : { value: encoder.encode(text) };
    },
    return: (reason) => items.return?.(reason),
  };
}

/** Returns whether a promise is settled after some microtasks. */
async function isSettledSoon(pending: Promise<unknown>): Promise<boolean> {
  let isSettled = false;
  const settle = (): void => void (isSettled = true);
  pending.then(settle, settle); // its error is thrown where it is awaited
  for (let tick = 0; tick < patience && !isSettled; tick++) await undefined;
  return isSettled;
}

/** Lines of JSON in a response. */
export const ndjson: ResponseRepresentation<"ndjson"> = /* @__PURE__ */ Object.freeze({
  kind: "ndjson",
  contentType: "application/x-ndjson",
  describes: "item",
  needsSchema: itemSchemaNeeded,
  readLater: trackResults,
  receive: (incoming: Incoming) =>
    receiveItems(incoming, { records: parseLines(incoming.call.maxRecordBytes), toItem: (_, value) => value }),
});

/** Formats an item, for a server. */
export function formatNdjsonItem(item: unknown, check: CheckItem): Awaitable<string> {
  return whenReady(check(item), formatLine);
}

/** Formats one line of NDJSON. JSON text contains no line feed. */
export function formatLine(value: unknown): string {
  return `${encodeJson(value)}\n`;
}

/**
 * Finds the lines that {@linkcode formatLine} formats. A line is complete when its line feed has arrived. Empty lines
 * are skipped.
 */
export function parseLines(maxBytes: number): RecordParser {
  const { push, isPartial } = splitLines("\n", maxBytes + 1);
  return {
    *push(text): Generator<TextRecord> {
      for (const line of push(text)) {
        const data = line.endsWith("\r") ? line.slice(0, -1) : line;
        checkBytes(data, maxBytes);
        if (data !== "") yield { data };
      }
    },
    isPartial,
  };
}
