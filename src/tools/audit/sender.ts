/** Sends the requests of an audit: politely, and with bounds that a hostile server cannot exceed. */
import { wait } from "../../signals.ts";
import type { Answer, ReadingOptions, Send, Silence } from "../testing/target.ts";
import type { WireRequest } from "../testing/wire_request.ts";

/** The bounds of an audit. */
export interface Bounds {
  /** The most requests for each second. `Infinity` for no limit. */
  readonly rate: number;
  /** The most requests. */
  readonly maxRequests: number;
  /** The most milliseconds of the whole audit. */
  readonly maxTime: number;
}

/** Sends requests for one operation after another, each with a budget. */
export interface Sender {
  readonly send: Send;
  /** Begins an operation: its own counts are zero. */
  readonly begin: () => void;
  /** Sets how many requests the next phase may send. */
  readonly allow: (requests: number) => void;
  /** Tests whether no further request of the phase will be sent. */
  readonly isSpent: () => boolean;
  /** What was sent, and why nothing else will be. */
  readonly state: Readonly<SenderState>;
}

/** What a sender has done so far. */
interface SenderState {
  /** How many requests were sent. */
  sent: number;
  /** How many were sent for the current operation. */
  sentForOperation: number;
  /** The statuses of all responses. */
  readonly statuses: Set<number>;
  /** Why no request will be sent any more. */
  stopped: string | undefined;
  /** Why no request will be sent any more for the current operation. */
  operationStopped: string | undefined;
}

/** The most bytes of content: an endless body would fill the memory. */
const maxBytes = 2 ** 23;

/** How often one operation may let the audit wait in vain, and how often it may break a connection. */
const [mostWaits, mostBreaks] = [3, 60];

/** After how many requests without any response an audit ends, at its beginning and later. */
const [mostSilentAtFirst, mostSilent] = [3, 40];

/** How often a request is repeated after a 429, the longest wait before that, and the longest of all, in milliseconds. */
const [mostRepeats, longestWait, longestOfAll] = [3, 30_000, 120_000];

/** The bounds of one operation and of its current phase. */
interface Budget {
  left: number;
  waits: number;
  breaks: number;
}

/** Creates a sender. `send` sends one request, without any bounds but those of its reading options. */
export function createSender(send: Send, { rate, maxRequests, maxTime }: Bounds): Sender {
  const end = performance.now() + maxTime;
  const state: SenderState = {
    sent: 0,
    sentForOperation: 0,
    statuses: new Set(),
    stopped: undefined,
    operationStopped: undefined,
  };
  const budget: Budget = { left: Infinity, waits: 0, breaks: 0 };
  const patience = { left: longestOfAll };
  const pace = createPace(rate);
  let silent = 0;

  const isSpent = (): boolean => {
    if (state.sent >= maxRequests) state.stopped ??= `the limit of ${maxRequests} requests was reached`;
    if (performance.now() > end) state.stopped ??= `the limit of ${maxTime / 1_000} seconds was reached`;
    return state.stopped !== undefined || state.operationStopped !== undefined || budget.left <= 0;
  };
  const sendOnce = async (request: WireRequest, reading: ReadingOptions): Promise<Answer | Silence> => {
    await pace();
    state.sent++;
    state.sentForOperation++;
    budget.left--;
    return await send(request, { ...reading, maxBytes });
  };
  const noteSilence = (silence: Silence): Silence => {
    const described = describeSilence(silence);
    silent = silence.status === undefined ? silent + 1 : 0;
    if (silence.status !== undefined) state.statuses.add(silence.status);
    if (silence.spent > 0 && ++budget.waits >= mostWaits) {
      state.operationStopped = `the server left ${mostWaits} of its requests without a complete answer`;
    } else if (++budget.breaks >= mostBreaks) {
      state.operationStopped = `the server broke off ${mostBreaks} of its requests`;
    }
    const most = state.statuses.size === 0 ? mostSilentAtFirst : mostSilent;
    if (silent >= most) {
      state.stopped ??= `the server left ${silent} requests in a row unanswered; the last one ${described.state}`;
    }
    return described;
  };
  const sendPolitely: Send = async (request, reading) => {
    for (let repeats = 0; !isSpent(); repeats++) {
      const answer = await sendOnce(request, reading);
      if ("state" in answer) return noteSilence(answer);
      silent = 0;
      state.statuses.add(answer.status);
      const pause = readPause(answer);
      if (pause === undefined) return answer;
      if (repeats === mostRepeats || pause > longestWait || pause > patience.left) {
        state.operationStopped =
          `the server answered ${answer.status}: too many requests; pass a lower --rate, or wait`;
        break;
      }
      patience.left -= pause;
      budget.left++; // it is the same request
      await wait(pause);
    }
    return unsent;
  };
  const begin = (): void => {
    state.sentForOperation = 0;
    state.operationStopped = undefined;
    Object.assign(budget, { waits: 0, breaks: 0 });
  };
  return { send: sendPolitely, begin, allow: (requests) => void (budget.left = requests), isSpent, state };
}

/** Stands for the response to a request that was not sent. */
const unsent: Silence = { state: "was not sent", spent: 0, isUnsent: true };

/** Returns a silence whose state says why: the causes of `fetch failed` do. */
function describeSilence(silence: Silence): Silence {
  let reason = "";
  for (let error = silence.cause; error instanceof Error; error = error.cause) {
    const { message, code } = error as Error & { readonly code?: unknown };
    const own = message.startsWith("error sending request") ? message.split(": ").at(-1)! : message; // of Deno, with ports
    reason = own || (typeof code === "string" ? code : reason);
  }
  if (reason === "") return silence;
  const start = silence.status === undefined
    ? "was not answered"
    : `was answered ${silence.status}, but its body failed`;
  return { ...silence, state: `${start}: ${reason}` };
}

/** Returns a function that resolves when the next request may be sent. */
function createPace(rate: number): () => Promise<void> {
  const interval = 1_000 / rate; // 0 without a limit
  let next = 0;
  return async () => {
    const now = performance.now();
    next = Math.max(now, next);
    const pause = next - now;
    next += interval;
    if (pause > 0) await wait(pause);
  };
}

/**
 * Returns the milliseconds after which the server wants a request to be repeated (RFC 9110, section 10.2.3; RFC 6585,
 * section 4); `undefined` if it does not ask for fewer requests.
 */
function readPause({ status, headers }: Answer): number | undefined {
  const field = headers.get("retry-after");
  if (status !== 429 && (status !== 503 || field === null)) return undefined;
  if (field === null) return 1_000;
  if (/^\d+$/.test(field)) return Number(field) * 1_000;
  const date = Date.parse(field);
  return Number.isNaN(date) ? 1_000 : Math.max(0, date - Date.now());
}
