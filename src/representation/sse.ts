/** Server-sent events (HTML Standard, section 9.2). */
import { isCount } from "../mark.ts";
import { type Awaitable, whenReady } from "../awaitable.ts";
import { encodeJson } from "../wire/json.ts";
import { isExactFieldValue } from "../wire/headers.ts";
import {
  type CheckItem,
  type EventReader,
  itemSchemaNeeded,
  receiveItems,
  type SentComment,
  type SentEvent,
  type SentId,
} from "./item_stream.ts";
import { type Incoming, type ResponseRepresentation, trackResults } from "./representation.ts";
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
  return Object.defineProperties(reader as EventReader, {
    lastEventId: { get: () => records.lastEventId, enumerable: true },
    reconnectionTime: { get: () => records.reconnectionTime, enumerable: true },
  });
}

/** Formats an item, for a server: an event, an ID alone or a comment. */
export function formatSseItem(item: unknown, check: CheckItem): Awaitable<string> {
  const event = checkEvent(item);
  if ("comment" in event && event.data === undefined) return formatComment(event.comment);
  if (isId(event)) return formatFields(event) + "\n";
  return whenReady(check(event.data), (data) => formatEvent(event, encodeJson(data)));
}

function checkEvent(item: unknown): SentEvent | SentId | SentComment {
  if (typeof item === "object" && item !== null) return item as SentEvent | SentId | SentComment;
  throw new TypeError(`An event must be an object with data, got ${typeof item}`);
}

/** Returns whether an item is an ID alone. Any other member means that it is an event, whose data may be misspelled. */
function isId(item: SentEvent | SentId | SentComment): item is SentId {
  return "id" in item && item.id !== undefined && Object.keys(item).every((name) => name === "id" || name === "retry");
}

/** Formats one event. Its data is JSON text without line ends, so no value can forge a field or an event. */
export function formatEvent(event: SentEvent, data: string): string {
  return `${formatFields(event)}data: ${data}\n\n`;
}

function formatFields({ event, id, retry }: Omit<SentEvent, "data">): string {
  const kind = event === undefined ? "" : `event: ${checkLine(event, "event")}\n`;
  const name = id === undefined ? "" : `id: ${checkId(id)}\n`;
  const delay = retry === undefined ? "" : `retry: ${checkRetry(retry)}\n`;
  return `${kind}${name}${delay}`;
}

/** Checks an ID, which the client sends back in a header. */
function checkId(id: unknown): string {
  if (typeof id === "string" && isExactFieldValue(id)) return id;
  throw new TypeError("The id of an event must be Latin-1 text in one line, without spaces at either end");
}

/** Formats a comment, which readers ignore. */
export function formatComment(comment: string): string {
  return `: ${checkLine(comment, "comment")}\n\n`;
}

function checkLine(text: unknown, field: string): string {
  if (typeof text === "string" && text.isWellFormed() && !/[\r\n\0]/.test(text)) return text;
  throw new TypeError(`The ${field} of an event must be one line of text without NUL`);
}

function checkRetry(retry: unknown): number {
  if (isCount(retry)) return retry;
  throw new TypeError("The retry of an event must be a non-negative integer of milliseconds");
}

const prefix = "data: ";

/** Finds events, and records the state for reconnecting. */
export interface EventParser extends RecordParser {
  /** The last event ID. An `id` counts when the empty line after it arrives, with data or without. */
  readonly lastEventId: string;
  /** The last `retry`, in milliseconds. It counts at once. */
  readonly reconnectionTime: number | undefined;
}

/**
 * Finds the events of {@linkcode formatEvent} or of any other server. An event counts when its empty line arrives, and
 * only if it has data. `lastEventId` is that of the request.
 */
export function parseEvents(maxBytes: number, lastEventId = ""): EventParser {
  const { push, isPartial } = splitLines(/\r\n|\n|\r/, maxBytes + prefix.length);
  const collector = createCollector(maxBytes, lastEventId);
  let afterReturn = false; // a line feed that follows is part of the same line end
  return {
    *push(text): Generator<TextRecord> {
      if (text === "") return;
      const lines = push(afterReturn && text.startsWith("\n") ? text.slice(1) : text);
      afterReturn = text.endsWith("\r");
      for (const line of lines) {
        const event = line === "" ? collector.take() : collector.add(line);
        if (event) yield event;
      }
    },
    isPartial: () => isPartial() || collector.hasBegun(),
    get lastEventId(): string {
      return collector.lastEventId;
    },
    get reconnectionTime(): number | undefined {
      return collector.reconnectionTime;
    },
  };
}

interface EventCollector {
  lastEventId: string;
  reconnectionTime: number | undefined;
  readonly add: (line: string) => undefined;
  /** Returns the complete event, unless it has no data. */
  readonly take: () => TextRecord | undefined;
  readonly hasBegun: () => boolean;
}

function createCollector(maxBytes: number, lastEventId: string): EventCollector {
  let fields: { -readonly [Name in Exclude<keyof TextRecord, "data">]?: TextRecord[Name] } = {};
  let data: TextCollector | undefined;
  const addData = (value: string): void => {
    const isFirst = data === undefined;
    data ??= new TextCollector();
    data.add(isFirst ? value : `\n${value}`);
    checkLength(data, maxBytes);
  };
  const collector: EventCollector = {
    lastEventId,
    reconnectionTime: undefined,
    add(line): undefined {
      checkLength(line, maxBytes + prefix.length);
      const [, name, value = ""] = /^([^:]*):? ?(.*)$/s.exec(line)!; // matches any line
      if (name === "data") addData(value);
      else if (name === "event" || (name === "id" && !value.includes("\0"))) fields[name] = value;
      else if (name === "retry" && /^\d{1,15}$/.test(value)) collector.reconnectionTime = fields.retry = Number(value);
    },
    take(): TextRecord | undefined {
      const { id } = fields;
      if (id !== undefined && isExactFieldValue(id)) collector.lastEventId = id; // any other cannot be sent back
      const event = data && { ...fields, data: data.take() };
      fields = {};
      data = undefined;
      if (event) checkBytes(event.data, maxBytes);
      return event;
    },
    hasBegun: () => data !== undefined || Object.keys(fields).length > 0,
  };
  return collector;
}
