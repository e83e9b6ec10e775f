import { isInMemory } from "../native_response.ts";
import { byteLength } from "../wire/byte_length.ts";
import { discardBody } from "../wire/discard_body.ts";
import { contentLengthOf } from "../wire/headers.ts";
import { readBody } from "../wire/read_bytes.ts";
import { decodeBeginning } from "./excerpt.ts";
import { type Fail } from "./error.ts";

/** A response, and how its whole body is read. */
export interface WholeReading {
  readonly response: Response;
  /** Ends the reading when it aborts. */
  readonly signal: AbortSignal | undefined;
  readonly fail: Fail;
  /** The most bytes of a body that is read as a whole. */
  readonly maxBodyBytes: number;
}

/**
 * Reads a whole body. Its bytes are counted as they arrive, after decompression, so a declared length allocates no
 * memory. The platform's own reader is faster where it is safe. In Deno it takes 1 µs instead of 3 for a body that a
 * mounted handler has in memory. It takes 60 µs instead of 140 for a short body from a socket, if the call has no
 * signal.
 */
export async function readWhole(reading: WholeReading): Promise<Uint8Array<ArrayBuffer>> {
  const { response, signal, maxBodyBytes } = reading;
  if (response.bodyUsed) throw new TypeError("The body of the response was read before the client read it");
  if (contentLengthOf(response.headers) > maxBodyBytes) {
    discardBody(response);
    throw toTooLong(reading);
  }
  const isPlatforms = isInMemory(response) || isShort(reading);
  const { bytes, complete } = await readBody(response, { maxBytes: maxBodyBytes, signal }, isPlatforms);
  if (complete) return bytes;
  throw signal?.aborted ? signal.reason : toTooLong(reading, bytes);
}

/**
 * Reads a whole body as text, without a byte order mark. If a mounted handler has it in memory, Deno returns its text
 * in 0.1 µs, and its bytes in 0.7 µs.
 */
export async function readWholeText(reading: WholeReading): Promise<string> {
  const { response, maxBodyBytes } = reading;
  if (!isInMemory(response)) return new TextDecoder().decode(await readWhole(reading));
  const text = await response.text();
  if (byteLength(text) > maxBodyBytes) throw toTooLong(reading, text);
  return text;
}

/** The error for a body that is longer than the client allows; `content` is what was read of it. */
function toTooLong({ response, fail, maxBodyBytes }: WholeReading, content?: Uint8Array | string): Error {
  const state = `its body is longer than ${maxBodyBytes} bytes; raise the option maxBodyBytes`;
  return fail("invalid-body", state, { response, text: content && decodeBeginning(content) });
}

/** The most bytes of a short body. Node's own reader keeps up to 800 bytes for each chunk that arrives separately. */
const shortLength = 16 * 1024;

/**
 * Whether a body is short. HTTP ends a body at its declared length, unless a transfer coding is declared too. A content
 * coding may expand it. Browsers hide both headers from pages of other origins. A response that a program constructed has
 * no URL, and any length may be declared for its body.
 */
function isShort({ response: { headers, type, url }, signal }: WholeReading): boolean {
  if (signal || !url) return false; // the platform's reader cannot be aborted
  const length = contentLengthOf(headers);
  const isDeclared = length > 0 && !headers.has("transfer-encoding") && !headers.has("content-encoding");
  return isDeclared && length <= shortLength && type !== "cors";
}
