/** Server-sent events (HTML Standard, section 9.2). */
import { isCount, isObject } from "../mark.ts";
import { type Awaitable, ignore, wait, whenReady } from "../awaitable.ts";
import { describeConfidential } from "../messages.ts";
import { aDuration, checkRule, failAt, type ValueRule } from "../options.ts";
import { encodeJson } from "../wire/json.ts";
import { isExactFieldValue } from "../wire/headers.ts";
import { type CheckItem, type ItemReader, itemSchemaNeeded, type ItemSource, receiveItems } from "./stream.ts";
import { type Incoming, type ResponseRepresentation, trackResults } from "./representation.ts";
import { closeProducer, openProducer, type ProducerStep } from "../wire/producer.ts";
import {
  checkBytes,
  checkLength,
  type RecordParser,
  splitLines,
  TextCollector,
  type TextRecord,
} from "../wire/records.ts";

/** Server-sent events whose data is JSON. */
export const sse: ResponseRepresentation<"sse"> = /* @__PURE__ */ Object.freeze({
  kind: "sse",
  contentType: "text/event-stream",
  describes: "item",
  needsSchema: itemSchemaNeeded,
  readLater: trackResults,
  receive: receiveEvents,
});

function receiveEvents(incoming: Incoming): EventReader {
  const { request, call: { maxRecordBytes } } = incoming;
  const records = parseEvents(maxRecordBytes, request.headers.get("last-event-id") ?? "");
  const reader = receiveItems(incoming, { records, toItem: (record, data) => ({ ...record, data }) });
  for (const name of ["lastEventId", "reconnectionTime"] as const) {
    Object.defineProperty(reader, name, { get: () => records[name], enumerable: true });
  }
  return reader as EventReader; // it has both members now
}

/** Formats an item, for a server: an event, an ID alone or a comment. */
export function formatSseItem(item: unknown, check: CheckItem): Awaitable<string> {
  if (!isObject(item)) throw new TypeError(`An event must be an object with data, got ${typeof item}`);
  if ("comment" in item && item.data === undefined) return formatComment(item.comment);
  if (isId(item)) return `${formatFields(item)}\n`;
  return whenReady(check(item.data), (data) => formatEvent(item, encodeJson(data)));
}

/** Returns whether an item is an ID alone. Any other member means that it is an event, whose data may be misspelled. */
function isId(item: SentItem): boolean {
  return item.id !== undefined && Object.keys(item).every((name) => name === "id" || name === "retry");
}

/** An item before its fields are checked. */
type SentItem = { readonly [Name in keyof SentEvent]?: unknown };

/** Formats one event. Its data is JSON text without line ends, so no value can forge a field or an event. */
export function formatEvent(event: SentItem, data: string): string {
  return `${formatFields(event)}data: ${data}\n\n`;
}

function formatFields({ event, id, retry }: SentItem): string {
  return (event === undefined ? "" : `event: ${checkField("event", aLine, event)}\n`) +
    (id === undefined ? "" : `id: ${checkField("id", anId, id)}\n`) +
    (retry === undefined ? "" : `retry: ${checkField("retry", aDelay, retry)}\n`);
}

/** Formats a comment, which readers ignore. */
export function formatComment(comment: unknown): string {
  return `: ${checkField("comment", aLine, comment)}\n\n`;
}

/** Returns the value of a field. Throws a `TypeError` if it is not what its rule says. */
function checkField(name: string, [expected, test]: ValueRule, value: unknown): unknown {
  if (test(value)) return value;
  throw new TypeError(`The ${name} of an event must be ${expected}`);
}

const aLine: ValueRule = [
  "one line of text without NUL",
  (value) => typeof value === "string" && value.isWellFormed() && !/[\r\n\0]/.test(value),
];
/** The rule of an ID, which the client sends back in a header. */
const anId: ValueRule = ["Latin-1 text in one line, without spaces at either end", isExactFieldValue];
const aDelay: ValueRule = ["a non-negative integer of milliseconds", isCount];

const prefix = "data: ";

/** Finds events, and records the state for reconnecting. */
export interface EventParser extends RecordParser {
  /** The last event ID. An `id` counts when the empty line after it arrives, with data or without. */
  readonly lastEventId: string;
  /** The last `retry`, in milliseconds. It counts at once. */
  readonly reconnectionTime: number | undefined;
}

/** The fields of an event before its data. */
type EventFields = { -readonly [Name in Exclude<keyof TextRecord, "data">]?: TextRecord[Name] };

/**
 * Finds the events of {@linkcode formatEvent} or of any other server. An event counts when its empty line arrives, and
 * only if it has data. `lastEventId` is that of the request.
 */
export function parseEvents(maxBytes: number, lastEventId = ""): EventParser {
  const maxLength = maxBytes + prefix.length;
  const { push, isPartial } = splitLines(/\r\n|\n|\r/, maxLength);
  let fields: EventFields = {};
  let data: TextCollector | undefined;
  let afterReturn = false; // a line feed that follows is part of the same line end
  const addLine = (line: string): void => {
    checkLength(line, maxLength);
    const [, name, value = ""] = /^([^:]*):? ?(.*)$/s.exec(line)!; // matches any line
    if (name === "data") {
      if (data) data.add("\n");
      else data = new TextCollector();
      data.add(value);
      checkLength(data, maxBytes);
    } else if (name === "event" || (name === "id" && !value.includes("\0"))) fields[name] = value;
    else if (name === "retry" && /^\d{1,15}$/.test(value)) parser.reconnectionTime = fields.retry = Number(value);
  };
  const parser = {
    lastEventId,
    reconnectionTime: undefined as number | undefined,
    *push(text: string): Generator<TextRecord> {
      if (text === "") return;
      const lines = push(afterReturn && text.startsWith("\n") ? text.slice(1) : text);
      afterReturn = text.endsWith("\r");
      for (const line of lines) {
        if (line !== "") {
          addLine(line);
          continue;
        }
        const { id } = fields;
        if (isExactFieldValue(id)) parser.lastEventId = id; // any other cannot be sent back
        const event = data && { ...fields, data: data.take() };
        fields = {};
        data = undefined;
        if (!event) continue;
        checkBytes(event.data, maxBytes);
        yield event;
      }
    },
    isPartial: () => isPartial() || data !== undefined || Object.keys(fields).length > 0,
  };
  return parser;
}

/** A server-sent event that a handler returns. */
export interface SentEvent<Data = unknown> {
  /** The data of the event. */
  readonly data: Data;
  /** The type of the event, in one line. Default: none, and browsers use `message`. */
  readonly event?: string | undefined;
  /**
   * The ID of the event: text that a header can carry, which is Latin-1 in one line, without spaces at either end.
   * Clients send it as `last-event-id` when they reconnect. Default: none.
   */
  readonly id?: string | undefined;
  /** How long the client should wait before it reconnects, in whole milliseconds. Default: none. */
  readonly retry?: number | undefined;
}

/**
 * An event ID without an event. Send it first, with the ID of the last event so far. A client whose connection breaks
 * before the first event then reconnects with it, and misses none.
 */
export interface SentId {
  /** The ID, as in an event. */
  readonly id: string;
  /** How long the client should wait before it reconnects, in whole milliseconds. Default: none. */
  readonly retry?: number | undefined;
  /** An ID alone has no data. */
  readonly data?: undefined;
  /** An ID alone has no type: an event has data. */
  readonly event?: undefined;
}

/**
 * A comment between events, which clients ignore. It keeps proxies from closing an idle connection. If there are no
 * events, send one about every 15 seconds (HTML Standard, section 9.2.7).
 */
export interface SentComment {
  /** Any text in one line. It can be empty. */
  readonly comment: string;
  /** A comment has no data. */
  readonly data?: undefined;
}

/** A server-sent event that a client receives. Fields that the server did not send are absent. */
export interface ReceivedEvent<Data = unknown> {
  /** The data of the event. */
  readonly data: Data;
  /** The type of the event. */
  readonly event?: string;
  /** The ID of the event. */
  readonly id?: string;
  /** How long to wait before reconnecting, in milliseconds. */
  readonly retry?: number;
}

/**
 * The events of a response as they arrive, with the state for reconnecting. Both members change as events are read.
 * They keep their values when the stream ends, fails or is left.
 */
export interface EventReader<Data = unknown> extends ItemReader<ReceivedEvent<Data>> {
  /**
   * The last `id` that the server sent and a header can carry, with or without data, to send as `last-event-id`. Before the first one, it is
   * the `last-event-id` of the call, or empty. An empty `id` from the server makes it empty.
   */
  readonly lastEventId: string;
  /**
   * The last `retry` that the server sent: how long to wait before reconnecting, in milliseconds. `undefined` before
   * the first one.
   */
  readonly reconnectionTime: number | undefined;
  /** Returns the reader itself. */
  [Symbol.asyncIterator](): EventReader<Data>;
}

/**
 * Adds an empty comment to events whenever none has been sent for `interval` milliseconds. Proxies then keep
 * the connection open, and a client that sets `silence` knows that it is alive.
 *
 * @example Events that are rare
 * ```ts
 * import { keepAlive } from "@scope/api/server";
 * import { assertEquals } from "@std/assert";
 *
 * async function* findEvents() {
 *   await new Promise((resolve) => setTimeout(resolve, 50));
 *   yield { id: "1", data: "rare" };
 * }
 *
 * const sent = await Array.fromAsync(keepAlive(findEvents(), 20));
 * assertEquals(sent[0], { comment: "" });
 * assertEquals(sent.at(-1), { id: "1", data: "rare" });
 * ```
 *
 * @param interval The most milliseconds without an event or a comment. Default: 15,000.
 * @throws {TypeError} If an argument is invalid.
 */
export function keepAlive<Item>(
  events: ItemSource<Item>,
  interval = 15_000,
): AsyncIterableIterator<Item | SentComment, undefined> {
  checkRule(interval, '"interval"', aDuration, "keepAlive()", describeConfidential);
  const producer = openProducer(events) ?? failAt("keepAlive()", "the events must be a stream or an iterable");
  let pending: Promise<ProducerStep> | undefined; // still waits for its event after a comment
  let hasArrived = false;
  let wake: () => void = ignore;
  const start = (): Promise<ProducerStep> => {
    const step = Promise.resolve(producer.next());
    const arrive = (): void => {
      hasArrived = true;
      wake();
    };
    step.then(arrive, arrive); // once for each event: reactions stay until it arrives, so one for each comment is a leak
    return step;
  };
  return {
    async next(): Promise<IteratorResult<Item | SentComment, undefined>> {
      pending ??= start();
      if (!hasArrived) {
        const waiting = new AbortController();
        wake = () => waiting.abort();
        await wait(interval, waiting.signal);
      }
      if (!hasArrived) return { done: false, value: { comment: "" } };
      const step = pending;
      pending = undefined;
      hasArrived = false;
      return await step as IteratorResult<Item, undefined>; // the source types its items
    },
    async return(): Promise<IteratorReturnResult<undefined>> {
      wake(); // a pending next() keeps its timer otherwise
      await closeProducer(producer);
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator](): typeof this {
      return this;
    },
  };
}
