/** Server-sent events, as the HTML Standard has them (section 9.2). */
import { type SentEvent } from "../contract/stream.ts";
import { checkLength, cutLines, type RecordParser, type TextRecord } from "./records.ts";

/** One event. Its data is JSON text, which has no end of line in it, so that no value can forge a field or an event. */
export function formatEvent({ event, id, retry }: SentEvent, data: string): string {
  const kind = event === undefined ? "" : `event: ${checkLine(event, "event")}\n`;
  const name = id === undefined ? "" : `id: ${checkLine(id, "id")}\n`;
  const delay = retry === undefined ? "" : `retry: ${checkRetry(retry)}\n`;
  return `${kind}${name}${delay}data: ${data}\n\n`;
}

function checkLine(text: unknown, field: string): string {
  if (typeof text === "string" && text.isWellFormed() && !/[\r\n\0]/.test(text)) return text;
  throw new TypeError(`The ${field} of an event is one line of text, without NUL`);
}

function checkRetry(retry: unknown): number {
  if (Number.isSafeInteger(retry) && retry as number >= 0) return retry as number;
  throw new TypeError("The retry of an event is a whole number of milliseconds from 0");
}

/** Finds the events that {@linkcode formatEvent} or any other server wrote. One without data is none; one counts when its empty line is there. */
export function parseEvents(maxBytes: number): RecordParser {
  const lines = cutLines(/\r\n|\n|\r/, maxBytes);
  let afterReturn = false; // a line feed that follows belongs to the same end of line
  let fields: { -readonly [Name in keyof TextRecord]?: TextRecord[Name] } = {};
  let data: string[] = [];
  let length = 0;
  const read = (line: string): void => {
    const colon = line.indexOf(":");
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (name === "data") {
      data.push(value);
      length += value.length + 1;
      if (length > maxBytes + 1) checkLength(data.join("\n"), maxBytes);
    } else if (name === "event" || (name === "id" && !value.includes("\0"))) fields[name] = value;
    else if (name === "retry" && /^\d{1,15}$/.test(value)) fields.retry = Number(value);
  };
  return {
    *push(text) {
      if (text === "") return;
      const begun = afterReturn && text.startsWith("\n") ? text.slice(1) : text;
      afterReturn = text.endsWith("\r");
      for (const line of lines.push(begun)) {
        if (line !== "") {
          read(line);
          continue;
        }
        const event = data.length > 0 ? { ...fields, data: data.join("\n") } : undefined;
        fields = {};
        data = [];
        length = 0;
        if (event) {
          checkLength(event.data, maxBytes);
          yield event;
        }
      }
    },
    isCut: () => lines.rest() !== "" || data.length > 0 || Object.keys(fields).length > 0,
  };
}
