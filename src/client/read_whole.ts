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
 * The bytes of a whole body. They are counted as they arrive, after decompression, for a server may state any length; only a
 * stated length that is too long is believed. Not by the platform's reader: it has no limit, and is slow to release an aborted source.
 */
export async function readWhole(response: Response, reading: WholeReading): Promise<Uint8Array<ArrayBuffer>> {
  const { signal, maxBodyBytes } = reading;
  const { body, bodyUsed, headers } = response;
  if (bodyUsed) throw new TypeError("The body of the response was read before the client read it");
  if (statedLength(headers) > maxBodyBytes) {
    discardBody(response);
    throw tooLong(response, reading);
  }
  const { bytes, complete } = await readBytes(body, { maxBytes: maxBodyBytes, signal });
  if (complete) return bytes;
  throw signal?.aborted ? signal.reason : tooLong(response, reading, decodeBeginning(bytes));
}

function tooLong(response: Response, { fail, maxBodyBytes }: WholeReading, text?: string): ClientError {
  const state = `its body is longer than ${maxBodyBytes} bytes; allow more with the option maxBodyBytes`;
  return fail("invalid-body", state, { response, text });
}
