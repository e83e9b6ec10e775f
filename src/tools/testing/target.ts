/** The server under test, and its responses as plain data. */
import { isSafeMethod } from "../../contract/security_scheme.ts";
import { describeConfidential } from "../../messages.ts";
import type { Awaitable } from "../../awaitable.ts";
import { isResponse } from "../../native_response.ts";
import { type Connect, connectInMemory, connectToUrl } from "./connect.ts";
import { toRequest, type WireRequest } from "./wire_request.ts";
import { readBody } from "../../wire/read_bytes.ts";

/** Any function like `fetch`: a mounted handler, or the `fetch` of another framework's application. */
export type TargetHandler = (request: Request) => Awaitable<Response>;

/** A server: a handler, a function that returns a new handler, or the URL of a running server. */
export type Target = TargetHandler | (() => Awaitable<TargetHandler>) | string | URL;

export interface OpenTarget {
  readonly baseUrl: string;
  readonly mayCall: (method: string) => boolean;
  readonly allows: (request: WireRequest) => boolean;
  /** Opens the server: a new handler without earlier state, if the target is a function that returns handlers. */
  readonly open: () => Promise<SendToTarget>;
  readonly openConnect: () => Promise<Connect>;
}

export type SendToTarget = (request: WireRequest, reading: ReadingOptions) => Promise<ReceivedAnswer | Silence>;

/** Opens a target, or throws a `TypeError`. A URL receives only safe methods, unless it `mutates`. */
export function openTarget(target: unknown, mutates: boolean): OpenTarget {
  if (isHandler(target)) {
    const open = async (): Promise<SendToTarget> => {
      const handler = await toHandler(target);
      return createSend((request) => handler(request), localUrl, 5);
    };
    const openConnect = async (): Promise<Connect> => connectInMemory(await toHandler(target), localUrl);
    return { baseUrl: localUrl, mayCall: () => true, allows: () => true, open, openConnect };
  }
  const baseUrl = toBaseUrl(target);
  const send = createSend((request) => fetch(request), baseUrl, 100);
  const mayCall = (method: string): boolean => mutates || isSafeMethod(method);
  return {
    baseUrl,
    mayCall,
    allows: ({ method }) => mayCall(method),
    open: () => Promise.resolve(send),
    openConnect: () => Promise.resolve(connectToUrl(baseUrl)),
  };
}

function isHandler(value: unknown): value is TargetHandler {
  return typeof value === "function";
}

const localUrl = "http://localhost";

/** Returns the handler of a target: one without parameters returns handlers, unless it returns a response. */
async function toHandler(target: TargetHandler): Promise<TargetHandler> {
  if (target.length > 0) return target;
  const made: unknown = await Reflect.apply(target, undefined, []);
  if (isHandler(made)) return made;
  if (isResponse(made)) return target;
  throw new TypeError(
    'contractTests(): "target" without a parameter must return a handler; to pass a handler, write (request) => …',
  );
}

function toBaseUrl(target: unknown): string {
  const text = String(target);
  const url = URL.canParse(text) ? new URL(text) : undefined; // Node 20.3 has no URL.parse()
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  if (isWeb && url.username === "" && url.search === "" && url.hash === "") return url.href.replace(/(?<!\/)\/+$/, "");
  throw new TypeError(
    `contractTests(): "target" must be a handler, a function that returns one, or a URL without a query, got ${
      describeConfidential(target)
    }`,
  );
}

/** Returns a function that sends requests. Their signal aborts when the rest of a response will not be read. */
function createSend(handler: TargetHandler, baseUrl: string, patience: number): SendToTarget {
  return async (request, reading) => {
    const controller = new AbortController();
    let answering: Awaitable<Response>;
    try {
      answering = handler(toRequest(request, baseUrl, controller.signal));
    } catch (error) {
      answering = Promise.reject(error);
    }
    const answer = await readAnswer(answering, reading, patience);
    if ("state" in answer || !answer.isWhole) controller.abort();
    return answer;
  };
}

export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly isWhole: boolean;
  /** See {@linkcode Silence}. */
  readonly spent: number;
}

export interface Silence {
  /** What happened instead: `was not answered within 5000 ms`. */
  readonly state: string;
  /** The share of a test's budget that it used: one minute of waiting in vain, or 2 GiB. */
  readonly spent: number;
  readonly status?: number;
  readonly cause?: unknown;
  /** Whether it says nothing about the server, because the request was not sent, or will not be sent again. */
  readonly isUnsent?: true;
}

const [maxWaiting, maxReading] = [60_000, 2 ** 31];

export interface ReadingOptions {
  readonly limit: number;
  /** The most bytes of content. Default: 64 MiB. */
  readonly maxBytes?: number;
  /** Tests whether a response may be endless. Only the first chunks of such a response are read. */
  readonly isStream: (response: Response) => boolean;
}

/** Waits for a response and reads it. `patience` is the longest wait for a chunk of a stream, in milliseconds. */
export async function readAnswer(
  answering: Awaitable<Response>,
  { limit, isStream, maxBytes = maxBodyBytes }: ReadingOptions,
  patience: number,
): Promise<ReceivedAnswer | Silence> {
  const timer = startTimer(limit);
  let begun: number | undefined;
  try {
    const response = await Promise.race([answering, timer.expired]);
    if (response === expired) return { state: `was not answered within ${limit} ms`, spent: limit / maxWaiting };
    if (!isResponse(response)) return { state: "was answered with something that is not a Response", spent: 0 };
    if (response.status === 0) return { state: "was answered with a network error", spent: 0 };
    const { status, headers } = response;
    begun = status;
    if (isStream(response)) return { status, headers, ...await readBeginning(response, patience), spent: 0 };
    if (response.bodyUsed) return { state: `was answered ${status} with a body that was read before`, spent: 0 };
    const { bytes, complete } = await readBody(response, { maxBytes, signal: timer.signal });
    if (complete) return { status, headers, body: bytes, isWhole: true, spent: bytes.length / maxReading };
    const [reason, spent] = timer.signal.aborted
      ? [`did not end within ${limit} ms`, limit / maxWaiting]
      : [`has more than ${maxBytes} bytes`, maxBytes / maxReading];
    return { state: `was answered ${status}, but its body ${reason}`, spent, status };
  } catch (error) {
    const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    if (begun === undefined) return { state: `was not answered: ${said}`, spent: 0, cause: error };
    return { state: `was answered ${begun}, but its body failed: ${said}`, spent: 0, cause: error, status: begun };
  } finally {
    timer.stop();
  }
}

/** The most bytes of a body: an endless one would fill the memory before the limit. */
const maxBodyBytes = 2 ** 26;

export const expired: unique symbol = Symbol("expired");

interface TimeLimit {
  readonly expired: Promise<typeof expired>;
  readonly signal: AbortSignal;
  readonly stop: () => void;
}

export function startTimer(milliseconds: number): TimeLimit {
  const controller = new AbortController();
  const { signal } = controller;
  const timer = setTimeout(() => controller.abort(), milliseconds);
  const isOver = new Promise<typeof expired>((resolve) => signal.addEventListener("abort", () => resolve(expired)));
  return { expired: isOver, signal, stop: () => clearTimeout(timer) };
}

const taken = 4;

async function readBeginning({ body }: Response, patience: number): Promise<Pick<ReceivedAnswer, "body" | "isWhole">> {
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
