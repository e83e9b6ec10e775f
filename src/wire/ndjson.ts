import { encodeJson } from "./encode_json.ts";
import { checkBytes, cutLines, type RecordParser, type TextRecord } from "./records.ts";

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
