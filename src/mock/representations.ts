/** What a mock makes up for each representation: one row for each. */
import { type Awaitable, isPromise } from "../awaitable.ts";
import { type ResponseKind } from "../contract/response.ts";
import { type Choices, choose } from "../json_schema/choices.ts";
import { statusPhrase } from "../wire/status_phrase.ts";
import { drawSentence } from "./words.ts";

/** How the content of a representation is made up. */
export interface MadeUp {
  /** Whether there is content to draw. Without it the body is `undefined`. */
  readonly isDrawn: boolean;
  /** Whether the content is drawn item by item. */
  readonly isStream?: boolean;
  /** Draws the value on the wire, where a JSON Schema does not describe it, or none is declared. */
  readonly drawWire?: (choices: Choices, status: number) => unknown;
  /** Whether `drawWire` serves for declared schemas too, since JSON Schema does not describe them. */
  readonly isOpaque?: boolean;
  /** What handlers give for an item. */
  readonly toItem?: (item: unknown, index: number) => unknown;
  /** Why nothing can be made up. */
  readonly refused?: string;
}

/** One row for each representation. */
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
  raw: { isDrawn: false, refused: "is a raw one, which only a handler can give" },
  as: { isDrawn: true },
};

function drawBytes(choices: Choices): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${drawSentence(choices)} ${choose(choices, 1000)}\n`);
}

/** How many items a stream has. */
const streamLength = 3;

/** The items of a stream, with a pause before each but the first where answers are delayed. */
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

/** Waits for so many milliseconds, or until a signal aborts. */
export function pause(delay: number, signal?: AbortSignal): Promise<void> {
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
