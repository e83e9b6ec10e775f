import { discardBody } from "../wire/discard_body.ts";
import { statedLength } from "../wire/headers.ts";
import { readBytes } from "../wire/read_bytes.ts";
import { decodeBeginning } from "./excerpt.ts";
import { type ClientError, type Fail } from "./error.ts";

/** How a whole body is read. */
export interface WholeReading {
  /** Ends the reading when it aborts. */
  readonly signal: AbortSignal | undefined;
  readonly fail: Fail;
  /** The most bytes of a body that is read as a whole. */
  readonly maxBodyBytes: number;
}

/**
 * The bytes of a whole body. They are counted as they arrive, after decompression: a declared length allocates nothing. A short
 * body without a signal is the platform's to read, which on Deno takes a call over a socket 60 µs instead of 140.
 */
export async function readWhole(response: Response, reading: WholeReading): Promise<Uint8Array<ArrayBuffer>> {
  const { signal, maxBodyBytes } = reading;
  const { bodyUsed, headers } = response;
  if (bodyUsed) throw new TypeError("The body of the response was read before the client read it");
  const length = statedLength(headers);
  if (length > maxBodyBytes) {
    discardBody(response);
    throw tooLong(response, reading);
  }
  const { bytes, complete } = !signal && isShort(length, response)
    ? { bytes: new Uint8Array(await response.arrayBuffer()), complete: true }
    : await readBytes(response.body, { maxBytes: maxBodyBytes, signal });
  if (complete && bytes.byteLength <= maxBodyBytes) return bytes;
  throw signal?.aborted ? signal.reason : tooLong(response, reading, decodeBeginning(bytes));
}

/** The most bytes of a short body. Node's own reader keeps up to 800 bytes for each piece that arrives by itself. */
const shortLength = 16 * 1024;

/**
 * Whether a body has few bytes. HTTP ends a body at its declared length, unless a transfer coding is declared too, and a content
 * coding may expand it. To a page of another origin a browser hides that.
 */
function isShort(length: number, { headers, type }: Response): boolean {
  const isDeclared = length > 0 && !headers.has("transfer-encoding") && !headers.has("content-encoding");
  return isDeclared && length <= shortLength && type !== "cors";
}

function tooLong(response: Response, { fail, maxBodyBytes }: WholeReading, text?: string): ClientError {
  const state = `its body is longer than ${maxBodyBytes} bytes; allow more with the option maxBodyBytes`;
  return fail("invalid-body", state, { response, text });
}
