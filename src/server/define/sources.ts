/** The streams of results that middleware receives: at most one is sent, and the others are closed. */
import { attempt, type Ready } from "../../awaitable.ts";
import type { Responses } from "../../contract/response.ts";
import { isObject } from "../../mark.ts";
import { isResponse } from "../../native_response.ts";
import type { Result } from "./result.ts";
import {
  checkChunk,
  closeSource,
  openProducer,
  type Producer,
  type PullSettings,
  pullStream,
} from "../../wire/producer.ts";

/** Returns whether the body of one of these responses is a stream or a native response. */
export function haveSources(responses: Responses): boolean {
  return Object.values(responses).some(({ representation }) => representation.readLater);
}

/** A source that was passed to middleware. */
interface PassedSource {
  readonly source: object;
  /** The object that the middleware receives. */
  readonly view: object;
  /** Middleware closes a source that it has begun to read, and the response closes the one that it sends. */
  state: "unread" | "read" | "sent" | "closed";
}

/**
 * The sources of one call. It closes those that are neither sent nor read by middleware, each once. It does so when the
 * sent stream has ended, because that may read from them later. If no stream is sent, it closes them at once.
 */
export class Sources {
  readonly #responses: Responses;
  readonly #passed: PassedSource[] = [];
  #pending = 0; // results of `next()` that have not arrived
  #isOver = false;

  /** @param responses Those of the route. A result of any other status may have a source, too. */
  constructor(responses: Responses) {
    this.#responses = responses;
  }

  /** Returns the result that `next()` resolves to. One that arrives too late is closed. */
  pass(result: Ready<Result>): Ready<Result> {
    this.#pending++;
    return attempt(() => result, (error) => {
      this.#pending--;
      throw error;
    }, (result) => {
      this.#pending--;
      if (!this.#hasSource(result) || this.#find(result.body)) return result;
      const passed = toPassedSource(result.body);
      this.#passed.push(passed);
      if (this.#isOver) close(passed);
      return passed.view === result.body ? result : withBody(result, passed.view);
    });
  }

  /** Returns the result to send, from the return value of the outermost middleware. */
  send(result: Result): Result {
    if (!this.#hasSource(result)) {
      this.end();
      return result;
    }
    const passed = this.#find(result.body);
    if (passed) passed.state = "sent";
    const source = passed?.view === result.body ? passed.source : result.body;
    const isLast = this.#pending === 0 && !this.#passed.some(isUnread);
    return withBody(result, isLast ? source : withEnd(source, () => this.end()));
  }

  /** Closes the sources that were not sent, and those that arrive from now on. */
  end(): void {
    this.#isOver = true;
    for (const passed of this.#passed) close(passed);
  }

  #hasSource(result: Result): result is Result & { readonly body: object } {
    const declared = this.#responses[result.status];
    return (!declared || declared.representation.readLater !== undefined) && isSource(result.body);
  }

  /** Returns the passed source of a body, or of a native response whose content has been moved to another one. */
  #find(body: unknown): PassedSource | undefined {
    return this.#passed.find(({ view }) => view === body) ??
      this.#passed.find(({ view }) => contentOf(view) === contentOf(body));
  }
}

/** Returns a copy of a result with another body. */
export function withBody(result: Result, body: unknown): Result {
  const { status, headers } = result; // they may be inherited
  return { ...result, status, body, headers };
}

/** Returns whether a body may have to be closed. An array never does. */
function isSource(body: unknown): boolean {
  if (!isObject(body) || Array.isArray(body) || ArrayBuffer.isView(body)) return false;
  return isResponse(body) || Symbol.asyncIterator in body || Symbol.iterator in body;
}

function contentOf(body: unknown): unknown {
  return isResponse(body) ? body.body : body;
}

/** Passes a source. A stream shows by its lock that it is being read, and any other iterable is wrapped to record it. */
function toPassedSource(source: object): PassedSource {
  if (source instanceof ReadableStream || isResponse(source)) return { source, view: source, state: "unread" };
  const view: { [method: symbol]: () => unknown } = {};
  const passed: PassedSource = { source, view, state: "unread" };
  for (const [method, iterateNothing] of iterators) {
    const iterate: unknown = Reflect.get(source, method);
    if (typeof iterate !== "function") continue;
    view[method] = () => {
      if (passed.state === "closed") return iterateNothing();
      passed.state = "read";
      return iterate.call(source);
    };
  }
  return passed;
}

/** The two iteration methods, and what they return for a closed source. */
const iterators = [
  [Symbol.asyncIterator, async function* (): AsyncGenerator {}],
  [Symbol.iterator, function* (): Generator {}],
] as const;

function isUnread({ state }: PassedSource): boolean {
  return state === "unread";
}

function close(passed: PassedSource): void {
  if (!isUnread(passed)) return;
  passed.state = "closed";
  closeSource(passed.source);
}

/** Returns the same source, which calls `end` when it has ended, failed or been closed. */
function withEnd(source: unknown, end: () => void): unknown {
  const isRead = isResponse(source) && source.bodyUsed;
  const producer = isRead ? undefined : openProducer(contentOf(source));
  if (!producer) {
    end();
    return source;
  }
  const watched: Producer = {
    next: () =>
      attempt(() => producer.next(), (error) => {
        end();
        throw error;
      }, (step) => {
        if (step.done) end();
        return step;
      }),
    return(reason): unknown {
      end();
      return producer.return?.(reason);
    },
  };
  return isResponse(source)
    ? new Response(pullStream(watched, plain), source)
    : { [Symbol.asyncIterator]: () => watched };
}

/** The settings of a stream of bytes. */
const plain: PullSettings = { encode: checkChunk, signal: undefined, explain: (cause) => cause };
