/** Streams of three numbers as results of a handler, which count how often they are read and closed. */
import { defineContract, response, route } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer, type MiddlewareInput } from "@scope/api/server";
import { assertEquals } from "@std/assert";
import { type } from "arktype";
import { rejectionsOf, settled } from "../support/rejections.ts";

const lines = { 200: response.ndjson(type("number")), 201: response.ndjson(type("number")) };
const contract = defineContract({
  responses: { 202: response.text(), 203: response.json<unknown>() },
  routes: {
    lines: route.get("/lines", { responses: lines }),
    raw: route.get("/raw", { responses: { 200: response.raw(), 201: response.raw() } }),
  },
});

/** A source that has to be closed. */
export interface Source {
  readonly body: unknown;
  readonly count: { begun: number; asked: number; closed: number };
}

/** Every kind of source. */
export const sourceNames = [
  "an asynchronous iterable",
  "a synchronous iterable",
  "a stream",
  "a native response",
] as const;
export type SourceName = (typeof sourceNames)[number];

export function createSource(name: SourceName): Source {
  const count = { begun: 0, asked: 0, closed: 0 };
  const next = () => count.asked++ < 3 ? { done: false, value: count.asked } : { done: true };
  const close = () => (count.closed++, { done: true });
  const stream = (toChunk: (number: number) => unknown): ReadableStream =>
    new ReadableStream({
      pull(controller): void {
        const { done, value } = next();
        if (done) controller.close();
        else controller.enqueue(toChunk(value!));
      },
      cancel: () => void close(),
    }, { highWaterMark: 0 });
  const bodies = {
    "an asynchronous iterable": () => {
      const iterator = { next: () => Promise.resolve(next()), return: () => Promise.resolve(close()) };
      return { [Symbol.asyncIterator]: () => (count.begun++, iterator) };
    },
    "a synchronous iterable": () => ({ [Symbol.iterator]: () => (count.begun++, { next, return: close }) }),
    "a stream": () => stream((number) => number),
    "a native response": () => new Response(stream((number) => new TextEncoder().encode(`${number}\n`))),
  };
  return { body: bodies[name](), count };
}

interface Given {
  readonly next: () => Promise<{ readonly status: number; readonly body?: unknown; readonly headers?: object }>;
}
export type AnyMiddleware = (given: Given) => unknown;

/** How a handler ends. */
export interface Manner {
  readonly isLate?: boolean;
  readonly isThrown?: boolean;
}

export interface Settings extends Manner {
  /** The first is the outermost. */
  readonly middleware: readonly AnyMiddleware[];
  readonly init?: RequestInit;
  /** The headers of the result. */
  readonly headers?: object;
}

/** Requests a source behind middleware. Returns the response and the phases of the errors. */
export async function ask(
  { body }: Pick<Source, "body">,
  settings: Settings,
): Promise<{ answer: Response; heard: string[] }> {
  const { middleware, init, headers, isLate, isThrown } = settings;
  const heard: string[] = [];
  const server = middleware.reduce(
    (server, each) => server.use(each as unknown as (input: MiddlewareInput) => never),
    defineServer(contract),
  );
  const respond = (): unknown => {
    const result = { status: 200, body, headers };
    if (isThrown) throw result;
    return result;
  };
  const it = (isLate ? () => settled().then(respond) : respond) as never;
  const handler = createFetchHandler(server.implement({ lines: it, raw: it }), {
    onError: ({ phase }) => void heard.push(phase),
  });
  const url = `http://localhost/${body instanceof Response ? "raw" : "lines"}`;
  return { answer: await handler(new Request(url, init)), heard };
}

/** Runs a step with each kind of source and each manner of a handler. */
export async function forEachSource(
  test: Deno.TestContext,
  check: (create: () => Source, manner: Manner, name: SourceName) => Promise<void>,
): Promise<void> {
  for (const name of sourceNames) {
    for (const isLate of [false, true]) {
      for (const isThrown of [false, true]) {
        await test.step(`${name}, ${isLate ? "late" : "at once"}${isThrown ? ", thrown" : ""}`, async () => {
          const unhandled = await rejectionsOf(() => check(() => createSource(name), { isLate, isThrown }, name));
          assertEquals(unhandled, []);
        });
      }
    }
  }
}
