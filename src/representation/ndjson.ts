/** Values as they come, each a line of JSON. */
import { whenReady } from "../awaitable.ts";
import { encodeJson } from "../wire/encode_json.ts";
import { checkBytes, cutLines, type RecordParser, type TextRecord } from "../wire/records.ts";
import { type FormatItem, itemSchemaNeeded, receiveItems } from "./item_stream.ts";
import { type Incoming, type ResponseRepresentation } from "./representation.ts";
import { trackResults } from "./track_results.ts";

/** Lines of JSON. */
export const ndjson: ResponseRepresentation<"ndjson"> = /* @__PURE__ */ Object.freeze({
  kind: "ndjson",
  contentType: "application/x-ndjson",
  describes: "item",
  needsSchema: itemSchemaNeeded,
  readLater: trackResults,
  receive: (incoming: Incoming) =>
    receiveItems(incoming, { records: parseLines(incoming.maxRecordBytes), toItem: (_, value) => value }),
});

/** How a server writes an item. */
export function formatNdjsonItem(...[item, check]: Parameters<FormatItem>): ReturnType<FormatItem> {
  return whenReady(check(item), formatLine);
}

/** One line of NDJSON: JSON text has no line feed of its own. */
export function formatLine(value: unknown): string {
  return `${encodeJson(value)}\n`;
}

/** Finds the lines that {@linkcode formatLine} wrote. A line counts when its line feed is there; empty ones are skipped. */
export function parseLines(maxBytes: number): RecordParser {
  const { push, isCut } = cutLines("\n", maxBytes + 1);
  return {
    *push(text): Generator<TextRecord> {
      for (const line of push(text)) {
        const data = line.endsWith("\r") ? line.slice(0, -1) : line;
        checkBytes(data, maxBytes);
        if (data !== "") yield { data };
      }
    },
    isCut,
  };
}
