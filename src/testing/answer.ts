/** What a server answered, as plain data. */
import { type Awaitable } from "../awaitable.ts";
import { isResponse } from "../native_response.ts";

/** An answer. */
export interface Answer {
  /** The status. */
  readonly status: number;
  /** The header fields. */
  readonly headers: Headers;
  /** The content, or as much of it as was read. */
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Why there is no answer. */
export interface Silence {
  /** What happened: `did not answer within 5000 ms`. */
  readonly state: string;
}

/** How an answer is read. */
export interface ReadingOptions {
  /** The most milliseconds until it has been read. */
  readonly limit: number;
  /** Whether an answer of a status may never end: its reading ends after the first pieces. */
  readonly isStream: (response: Response) => boolean;
}

/** Waits for an answer and reads it, within the limit; the next piece of a stream is waited for so many milliseconds. */
export async function readAnswer(
  answering: Awaitable<Response>,
  { limit, isStream }: ReadingOptions,
  patience: number,
): Promise<Answer | Silence> {
  const timer = startTimer(limit);
  try {
    const response = await Promise.race([answering, timer.expired]);
    if (response === expired) return { state: `was not answered within ${limit} ms` };
    if (!isResponse(response)) return { state: "was answered with something that is not a Response" };
    if (response.status === 0) return { state: "was answered with a network error" };
    const body = isStream(response)
      ? await readBeginning(response, patience)
      : await Promise.race([response.arrayBuffer(), timer.expired]);
    if (body === expired) {
      return { state: `was answered ${response.status}, but its body did not end within ${limit} ms` };
    }
    return { status: response.status, headers: response.headers, body: new Uint8Array(body) };
  } catch (error) {
    return { state: `was not answered: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}` };
  } finally {
    timer.stop();
  }
}

/** What stands for an answer that did not come in time. */
const expired: unique symbol = Symbol("expired");

interface Timer {
  readonly expired: Promise<typeof expired>;
  readonly stop: () => void;
}

function startTimer(milliseconds: number): Timer {
  let stop: () => void = () => {};
  const promise = new Promise<typeof expired>((resolve) => {
    const timer = setTimeout(resolve, milliseconds, expired);
    stop = () => clearTimeout(timer);
  });
  return { expired: promise, stop: () => stop() };
}

/** How many pieces of a stream are read. */
const taken = 4;

async function readBeginning({ body }: Response, patience: number): Promise<ArrayBuffer> {
  if (body === null) return new ArrayBuffer(0);
  const reader = body.getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  try {
    while (pieces.length < taken) {
      const timer = startTimer(patience);
      const read = await Promise.race([reader.read(), timer.expired]).finally(timer.stop);
      if (read === expired || read.done) break;
      pieces.push(read.value);
    }
  } finally {
    reader.cancel().catch(() => {}); // the stream may have failed already
  }
  return await new Blob(pieces).arrayBuffer();
}
