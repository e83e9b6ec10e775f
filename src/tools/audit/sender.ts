/** Sends the requests of an audit: politely, and with bounds that a hostile server cannot exceed. */
import { wait } from "../../awaitable.ts";
import type { ReadingOptions, ReceivedAnswer, SendToTarget, Silence } from "../testing/target.ts";
import type { WireRequest } from "../testing/wire_request.ts";

export interface Bounds {
  readonly rate: number;
  readonly maxRequests: number;
  readonly maxTime: number;
}

interface SenderState {
  sent: number;
  sentForOperation: number;
  readonly statuses: Set<number>;
  stopped: string | undefined;
  operationStopped: string | undefined;
}

/** The most bytes of content: an endless body would fill the memory. */
const maxBytes = 2 ** 23;

/** How often one operation may let the audit wait in vain, and how often it may break a connection. */
const [mostWaits, mostBreaks] = [3, 60];

/** After how many requests without any response an audit ends, at its beginning and later. */
const [mostSilentAtFirst, mostSilent] = [3, 40];

/** The most milliseconds that the responses for one operation may take to be checked. */
const mostChecking = 15_000;

/** How often a request is repeated after a 429, the longest wait before that, and the longest of all, in milliseconds. */
const [mostRepeats, longestWait, longestOfAll] = [3, 30_000, 120_000];

/** Sends requests for one operation after another, each with a budget. */
export class BudgetedSender {
  readonly #send: SendToTarget;
  readonly #maxRequests: number;
  readonly #maxTime: number;
  readonly #end: number;
  readonly #pace: () => Promise<void>;
  #left = Infinity;
  #waits = 0;
  #breaks = 0;
  /** The milliseconds between responses and the next requests. */
  #checking = 0;
  readonly #state: SenderState = {
    sent: 0,
    sentForOperation: 0,
    statuses: new Set(),
    stopped: undefined,
    operationStopped: undefined,
  };
  #answeredAt = performance.now();
  #patience = longestOfAll;
  #silent = 0;

  /** @param send Sends one request, without any bounds but those of its reading options. */
  constructor(send: SendToTarget, { rate, maxRequests, maxTime }: Bounds) {
    this.#send = send;
    this.#maxRequests = maxRequests;
    this.#maxTime = maxTime;
    this.#end = performance.now() + maxTime;
    this.#pace = createPace(rate);
  }

  get state(): Readonly<SenderState> {
    return this.#state;
  }

  begin(): void {
    this.#state.sentForOperation = 0;
    this.#state.operationStopped = undefined;
    this.#answeredAt = performance.now();
    [this.#waits, this.#breaks, this.#checking] = [0, 0, 0];
  }

  allow(requests: number): void {
    this.#left = requests;
  }

  isSpent(): boolean {
    const state = this.#state;
    if (state.sent >= this.#maxRequests) state.stopped ??= `the limit of ${this.#maxRequests} requests was reached`;
    if (performance.now() > this.#end) state.stopped ??= `the limit of ${this.#maxTime / 1_000} seconds was reached`;
    return state.stopped !== undefined || state.operationStopped !== undefined || this.#left <= 0;
  }

  /** Sends a request, unless a bound is reached, and repeats it where the server asks for that. */
  async send(request: WireRequest, reading: ReadingOptions): Promise<ReceivedAnswer | Silence> {
    this.#chargeChecking();
    for (let repeats = 0; !this.isSpent(); repeats++) {
      const answer = await this.#sendOnce(request, reading);
      if ("state" in answer) return this.#noteSilence(answer);
      this.#silent = 0;
      this.#state.statuses.add(answer.status);
      const pause = readPause(answer);
      if (pause === undefined) return answer;
      await this.#waitFor(pause, repeats, answer.status);
    }
    return unsent;
  }

  #chargeChecking(): void {
    this.#checking += performance.now() - this.#answeredAt;
    if (this.#checking <= mostChecking) return;
    this.#state.operationStopped ??= `its responses took more than ${mostChecking / 1_000} seconds to be checked`;
  }

  async #sendOnce(request: WireRequest, reading: ReadingOptions): Promise<ReceivedAnswer | Silence> {
    await this.#pace();
    this.#state.sent++;
    this.#state.sentForOperation++;
    this.#left--;
    const answer = await this.#send(request, { ...reading, maxBytes });
    this.#answeredAt = performance.now();
    return answer;
  }

  /** Waits before a request is repeated. Ends the operation if the server asks for too much. */
  async #waitFor(pause: number, repeats: number, status: number): Promise<void> {
    if (repeats === mostRepeats || pause > longestWait || pause > this.#patience) {
      this.#state.operationStopped = `the server answered ${status}: too many requests; pass a lower --rate, or wait`;
      return;
    }
    this.#patience -= pause;
    this.#left++; // it is the same request
    await wait(pause);
    this.#answeredAt = performance.now();
  }

  #noteSilence(silence: Silence): Silence {
    const described = describeSilence(silence);
    const state = this.#state;
    this.#silent = silence.status === undefined ? this.#silent + 1 : 0;
    if (silence.status !== undefined) state.statuses.add(silence.status);
    if (silence.spent > 0 && ++this.#waits >= mostWaits) {
      state.operationStopped = `the server left ${mostWaits} of its requests without a complete answer`;
    } else if (++this.#breaks >= mostBreaks) {
      state.operationStopped = `the server broke off ${mostBreaks} of its requests`;
    }
    if (this.#silent >= (state.statuses.size === 0 ? mostSilentAtFirst : mostSilent)) {
      const last = `the last one ${described.state}`;
      state.stopped ??= `the server left ${this.#silent} requests in a row unanswered; ${last}`;
    }
    return described;
  }
}

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
function readPause({ status, headers }: ReceivedAnswer): number | undefined {
  const field = headers.get("retry-after");
  if (status !== 429 && (status !== 503 || field === null)) return undefined;
  if (field === null) return 1_000;
  if (/^\d+$/.test(field)) return Number(field) * 1_000;
  const date = Date.parse(field);
  return Number.isNaN(date) ? 1_000 : Math.max(0, date - Date.now());
}
