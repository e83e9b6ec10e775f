/** Records of text that arrive in pieces: NDJSON lines and server-sent events. */

/** One record before its JSON is parsed. */
export interface TextRecord {
  /** The JSON text. */
  readonly data: string;
  readonly event?: string;
  readonly id?: string;
  readonly retry?: number;
}

/** Finds the records of a text that arrives piece by piece. */
export interface RecordParser {
  /** The records that a further piece completes. */
  readonly push: (text: string) => Iterable<TextRecord>;
  /** Whether a record has begun that has not ended. */
  readonly isCut: () => boolean;
}

/** Refuses a record of more bytes than allowed; they are counted only where the text's length does not tell. */
export function checkBytes(text: string, maxBytes: number): void {
  checkLength(text, maxBytes);
  if (text.length * 3 > maxBytes) checkLength(new TextEncoder().encode(text), maxBytes);
}

/** Refuses what is longer than any record allowed. */
export function checkLength({ length }: { readonly length: number }, max: number): void {
  if (length > max) throw new RangeError(`it is longer than ${max} bytes; allow more by the option maxRecordBytes`);
}

/** Cuts text that arrives piece by piece into lines. */
export interface LineCutter {
  /** The lines that a further piece completes, without their ends. */
  readonly push: (text: string) => readonly string[];
  /** Whether a line has begun that has not ended. */
  readonly isCut: () => boolean;
}

/** Cuts at line feeds, or at every end of line. A line that goes on is appended to, never searched again: the time is linear. */
export function cutLines(end: "\n" | RegExp, maxLength: number): LineCutter {
  const rest = new TextCollector();
  return {
    push(text): readonly string[] {
      checkLength(rest, maxLength);
      const lines = text.split(end);
      const begun = lines.pop()!; // a split has one part at least
      if (lines.length > 0 && rest.length > 0) {
        rest.add(lines[0]!);
        lines[0] = rest.take();
      }
      rest.add(begun);
      return lines;
    },
    isCut: () => rest.length > 0,
  };
}

/** How many pieces of text are joined at once. */
const pieceCount = 1000;

/**
 * Collects pieces of text. A string that is appended to keeps 32 bytes for each piece in V8; joined pieces keep their characters
 * alone.
 */
export class TextCollector {
  length = 0;
  #joined: string[] = [];
  #pieces: string[] = [];

  add(text: string): void {
    if (text === "") return;
    this.length += text.length;
    if (this.#pieces.push(text) < pieceCount) return;
    this.#joined.push(this.#pieces.join(""));
    this.#pieces = [];
  }

  /** The whole text, which is collected no longer. */
  take(): string {
    const text = [...this.#joined, ...this.#pieces].join("");
    this.length = 0;
    this.#joined = [];
    this.#pieces = [];
    return text;
  }
}
