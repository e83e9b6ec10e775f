/** The server under test. */
import { describeConfidential } from "../messages.ts";
import { type Awaitable } from "../awaitable.ts";
import { isResponse } from "../native_response.ts";
import { type Answer, readAnswer, type ReadingOptions, type Silence } from "./answer.ts";
import { isSafe, toRequest, type WireRequest } from "./wire_request.ts";

/** Any function like `fetch`: a mounted handler, or the `fetch` of another framework's application. */
export type TargetHandler = (request: Request) => Awaitable<Response>;

/** A server: a handler, a function that returns a new handler, or the URL of a running server. */
export type Target = TargetHandler | (() => Awaitable<TargetHandler>) | string | URL;

/** A server that can receive requests. */
export interface OpenTarget {
  /** The URL of the server, without a trailing slash. */
  readonly baseUrl: string;
  /** Whether a request may be sent. */
  readonly allows: (request: WireRequest) => boolean;
  /**
   * Opens the server. If the target is a function that returns handlers, each call opens a new one without earlier
   * state.
   */
  readonly open: () => Promise<Send>;
}

/** Sends a request. */
export type Send = (request: WireRequest, reading: ReadingOptions) => Promise<Answer | Silence>;

/**
 * Opens a target. A URL receives only safe methods, unless it `mutates`.
 *
 * @throws {TypeError} If the target is invalid.
 */
export function openTarget(target: unknown, mutates: boolean): OpenTarget {
  if (isHandler(target)) {
    const open = async (): Promise<Send> => {
      const handler = await toHandler(target);
      return createSend((request) => handler(request), localUrl, 5);
    };
    return { baseUrl: localUrl, allows: () => true, open };
  }
  const baseUrl = toBaseUrl(target);
  const send = createSend((request) => fetch(request), baseUrl, 100);
  return { baseUrl, allows: (request) => mutates || isSafe(request), open: () => Promise.resolve(send) };
}

function isHandler(value: unknown): value is TargetHandler {
  return typeof value === "function";
}

const localUrl = "http://localhost";

/**
 * Returns the handler of a target. A function without parameters returns handlers, unless it returns a response: a
 * handler may ignore its request.
 */
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
  const url = URL.parse(String(target));
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  if (isWeb && url.username === "" && url.search === "" && url.hash === "") return url.href.replace(/\/+$/, "");
  throw new TypeError(
    `contractTests(): "target" must be a handler, a function that returns one, or a URL without a query, got ${
      describeConfidential(target)
    }`,
  );
}

/** Returns a function that sends requests. Their signal aborts when the rest of a response will not be read. */
function createSend(handler: TargetHandler, baseUrl: string, patience: number): Send {
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
