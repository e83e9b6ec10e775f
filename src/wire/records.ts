/** Records of text that arrive in pieces: NDJSON lines and server-sent events. */

/** One record, before its JSON is parsed. */
export interface TextRecord {
  /** The JSON text. */
  readonly data: string;
  readonly event?: string;
  readonly id?: string;
  readonly retry?: number;
}

/** Finds the records, or the lines, in a text that arrives in pieces. */
export interface RecordParser<Item = TextRecord> {
  /** Adds a piece, and returns the records that it completes. */
  readonly push: (text: string) => Iterable<Item>;
  /** Whether a record is incomplete. */
  readonly isPartial: () => boolean;
}

/**
 * Throws if a record has more bytes than allowed. The bytes are counted only if the length of the text is not
 * conclusive.
 */
export function checkBytes(text: string, maxBytes: number): void {
  checkLength(text, maxBytes);
  if (text.length * 3 > maxBytes) checkLength(new TextEncoder().encode(text), maxBytes);
}

/** Throws if a text is longer than any allowed record. */
export function checkLength({ length }: { readonly length: number }, max: number): void {
  if (length > max) throw new RangeError(`it is longer than ${max} bytes; raise the option maxRecordBytes`);
}

/**
 * Finds lines, without their ends: at line feeds, or at every line end. An incomplete line is appended to and never
 * searched again, so the time is linear.
 */
export function splitLines(end: "\n" | RegExp, maxLength: number): RecordParser<string> {
  const rest = new TextCollector();
  return {
    push(text): readonly string[] {
      checkLength(rest, maxLength);
      const lines = text.split(end);
      const begun = lines.pop()!; // a split has at least one part
      if (lines.length > 0 && rest.length > 0) {
        rest.add(lines[0]!);
        lines[0] = rest.take();
      }
      rest.add(begun);
      return lines;
    },
    isPartial: () => rest.length > 0,
  };
}

const pieceCount = 1000;

/**
 * Collects pieces of text. A string that is appended to keeps 32 bytes for each piece in V8, and joined pieces keep
 * only their characters.
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

  /** Returns the whole text, and empties the collector. */
  take(): string {
    const text = [...this.#joined, ...this.#pieces].join("");
    this.length = 0;
    this.#joined = [];
    this.#pieces = [];
    return text;
  }
}
