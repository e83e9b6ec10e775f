/** Responses as plain data. */
import { type Awaitable } from "../awaitable.ts";
import { isResponse } from "../native_response.ts";
import { readBody } from "../wire/read_bytes.ts";

/** A response, read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The content, or the part that was read. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** Whether the content was read to its end. */
  readonly isWhole: boolean;
  /** See {@linkcode Silence}. */
  readonly spent: number;
}

/** A missing response, and the reason. */
export interface Silence {
  /** What happened instead: `was not answered within 5000 ms`. */
  readonly state: string;
  /** The share of a test's budget that it used: one minute of waiting in vain, or 2 GiB. */
  readonly spent: number;
}

const [maxWaiting, maxReading] = [60_000, 2 ** 31];

/** How a response is read. */
export interface ReadingOptions {
  /** The most milliseconds until it has been read. */
  readonly limit: number;
  /** Whether a response may be endless. Only the first chunks of such a response are read. */
  readonly isStream: (response: Response) => boolean;
}

/**
 * Waits for a response and reads it, within the limit. `patience` is the longest wait for the next chunk of a stream,
 * in milliseconds.
 */
export async function readAnswer(
  answering: Awaitable<Response>,
  { limit, isStream }: ReadingOptions,
  patience: number,
): Promise<Answer | Silence> {
  const timer = startTimer(limit);
  try {
    const response = await Promise.race([answering, timer.expired]);
    if (response === expired) return { state: `was not answered within ${limit} ms`, spent: limit / maxWaiting };
    if (!isResponse(response)) return { state: "was answered with something that is not a Response", spent: 0 };
    if (response.status === 0) return { state: "was answered with a network error", spent: 0 };
    const { status, headers } = response;
    if (isStream(response)) return { status, headers, ...await readBeginning(response, patience), spent: 0 };
    if (response.bodyUsed) return { state: `was answered ${status} with a body that was read before`, spent: 0 };
    const { bytes, complete } = await readBody(response, { maxBytes: maxBodyBytes, signal: timer.signal });
    if (complete) return { status, headers, body: bytes, isWhole: true, spent: bytes.length / maxReading };
    const [reason, spent] = timer.signal.aborted
      ? [`did not end within ${limit} ms`, limit / maxWaiting]
      : [`has more than ${maxBodyBytes} bytes`, maxBodyBytes / maxReading];
    return { state: `was answered ${status}, but its body ${reason}`, spent };
  } catch (error) {
    const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { state: `was not answered: ${said}`, spent: 0 };
  } finally {
    timer.stop();
  }
}

/** The most bytes of a body: an endless one would fill the memory before the limit. */
const maxBodyBytes = 2 ** 26;

/** The result of a timer whose time is over. */
const expired: unique symbol = Symbol("expired");

interface Timer {
  readonly expired: Promise<typeof expired>;
  /** Aborts when the time is over. */
  readonly signal: AbortSignal;
  readonly stop: () => void;
}

function startTimer(milliseconds: number): Timer {
  let stop: () => void = () => {};
  const controller = new AbortController();
  const promise = new Promise<typeof expired>((resolve) => {
    const expire = (): void => {
      resolve(expired);
      controller.abort();
    };
    const timer = setTimeout(expire, milliseconds);
    stop = () => clearTimeout(timer);
  });
  return { expired: promise, signal: controller.signal, stop: () => stop() };
}

/** The most chunks of a stream that are read. */
const taken = 4;

async function readBeginning(
  { body }: Response,
  patience: number,
): Promise<Pick<Answer, "body" | "isWhole">> {
  if (body === null) return { body: new Uint8Array(), isWhole: true };
  const reader = body.getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let isWhole = false;
  try {
    while (pieces.length < taken && !isWhole) {
      const timer = startTimer(patience);
      const read = await Promise.race([reader.read(), timer.expired]).finally(timer.stop);
      if (read === expired) break;
      isWhole = read.done;
      if (!read.done) pieces.push(read.value);
    }
  } finally {
    reader.cancel().catch(() => {}); // the stream may already have failed
  }
  return { body: new Uint8Array(await new Blob(pieces).arrayBuffer()), isWhole };
}
