/** Streams of JSON values, one per line. */
import { type Awaitable, whenReady } from "../awaitable.ts";
import { encodeJson } from "../wire/json.ts";
import { checkBytes, type RecordParser, splitLines, type TextRecord } from "../wire/records.ts";
import { type CheckItem, itemSchemaNeeded, receiveItems } from "./item_stream.ts";
import { type Incoming, type ResponseRepresentation, trackResults } from "./representation.ts";

/** Lines of JSON. */
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
