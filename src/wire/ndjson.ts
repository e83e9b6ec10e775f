import { encodeJson } from "./body.ts";
import { checkLength, cutLines, type RecordParser } from "./records.ts";

/** One line of NDJSON: JSON text has no line feed of its own. */
export function formatLine(value: unknown): string {
  return `${encodeJson(value)}\n`;
}

/** Finds the lines that {@linkcode formatLine} wrote. A line counts when its line feed is there; empty ones are skipped. */
export function parseLines(maxBytes: number): RecordParser {
  const lines = cutLines("\n", maxBytes);
  return {
    *push(text) {
      for (const data of lines.push(text)) {
        checkLength(data, maxBytes);
        if (data !== "" && data !== "\r") yield { data };
      }
    },
    isCut: () => lines.rest() !== "",
  };
}
