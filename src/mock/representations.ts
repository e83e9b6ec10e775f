/** How a mock generates each representation: one row per representation. */
import { type Awaitable, isPromise } from "../awaitable.ts";
import { type ResponseKind } from "../contract/response.ts";
import { type Choices, choose } from "../json_schema/choices.ts";
import { statusPhrase } from "../wire/status_phrase.ts";
import { drawSentence } from "./words.ts";

/** How the content of a representation is generated. */
export interface MadeUp {
  /** Whether there is content to generate. If not, the body is `undefined`. */
  readonly isDrawn: boolean;
  /** Whether the content is generated item by item. */
  readonly isStream?: boolean;
  /** Generates the wire value of content without a JSON Schema. */
  readonly drawWire?: (choices: Choices, status: number) => unknown;
  /** Whether `drawWire` is used for declared schemas too, because JSON Schema cannot describe them. */
  readonly isOpaque?: boolean;
  /** Converts an item to the value that a handler returns for it. */
  readonly toItem?: (item: unknown, index: number) => unknown;
  /** Why the content cannot be generated. */
  readonly refused?: string;
}

/** One row per representation. */
export const madeUp: Readonly<Record<ResponseKind, MadeUp>> = {
  json: { isDrawn: true },
  text: { isDrawn: true, drawWire: drawSentence },
  bytes: { isDrawn: true, drawWire: drawBytes, isOpaque: true },
  empty: { isDrawn: false },
  problem: {
    isDrawn: true,
    drawWire: (_choices, status) => ({ type: "about:blank", title: statusPhrase(status), status }),
  },
  stream: { isDrawn: true, isStream: true, drawWire: drawBytes, isOpaque: true },
  ndjson: { isDrawn: true, isStream: true },
  sse: { isDrawn: true, isStream: true, toItem: (data, index) => ({ id: String(index + 1), data }) },
  raw: { isDrawn: false, refused: "is raw; pass a handler that returns it" },
  as: { isDrawn: true },
};

function drawBytes(choices: Choices): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${drawSentence(choices)} ${choose(choices, 1000)}\n`);
}

/** The number of items in a stream. */
const streamLength = 3;

/** Generates the items of a stream. If responses are delayed, it pauses before each item except the first. */
export function drawItems(draw: (index: number) => Awaitable<unknown>, delay: number): Awaitable<object> {
  if (delay > 0) return drawSlowly(draw, delay);
  const items = Array.from({ length: streamLength }, (_, index) => draw(index));
  return items.some(isPromise) ? Promise.all(items) : items;
}

async function* drawSlowly(draw: (index: number) => Awaitable<unknown>, delay: number): AsyncGenerator<unknown> {
  for (let index = 0; index < streamLength; index++) {
    if (index > 0) await pause(delay);
    yield await draw(index);
  }
}

/** Waits for `delay` milliseconds, or until the signal aborts. */
export function pause(delay: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(finish, delay);
    signal?.addEventListener("abort", finish, { once: true });
    function finish(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", finish);
      resolve();
    }
  });
}
