/** The soak's server: its handlers count what they have open, so that unclosed resources are detected. */
import { createFetchHandler, type FetchHandler, type FetchOptions } from "@scope/api/fetch";
import { defineServer, type Middleware } from "@scope/api/server";
import { contract, maxBodyBytes } from "./contract.ts";

/** The server's open resources and reported errors. */
export interface Watch {
  /** Requests whose middleware has begun and not ended. */
  calls: number;
  /** Producers of streams that have begun and not ended. */
  producers: number;
  /** Requests that a handler was started for. */
  handled: number;
  /** Errors that handlers and producers caused on purpose, by phase. */
  readonly thrown: Record<"handler" | "stream" | "encode", number>;
  /** Errors that `onError` received, by phase; errors that were not thrown on purpose are counted by message. */
  readonly heard: Record<string, number>;
}

export const watch: Watch = {
  calls: 0,
  producers: 0,
  handled: 0,
  thrown: { handler: 0, stream: 0, encode: 0 },
  heard: {},
};

/** Errors that handlers throw on purpose; any other error that `onError` receives is a bug. */
class OnPurpose extends Error {}

const server = defineServer(contract, { context: ({ request }) => ({ request }) })
  .use(async ({ next }) => {
    watch.calls++;
    watch.handled++;
    try {
      return await next({ since: performance.now() });
    } finally {
      watch.calls--;
    }
  });

/** Middleware that replaces a stream instead of passing it on, by the name in the path. */
const instead: Readonly<Record<string, Middleware>> = {
  replaced: async ({ next }) => ({ ...await next(), status: 202, body: "replaced" }),
  raced: async ({ next }) => {
    const result = next();
    const { headers } = await Promise.race([result, wait(1).then(() => ({ headers: undefined }))]);
    return { ...await result, status: 202, body: "raced", headers };
  },
  late: ({ next }) => {
    next();
    return wait(1).then(() => ({ status: 202, body: "late" })) as never;
  },
  copied: async ({ next }) => {
    const result = await next();
    return { ...result, body: copy(result.body as AsyncIterable<unknown>) };
  },
};

const behind = server.use((input) => {
  const how = new URL(input.context.request.url).pathname.split("/").at(-1)!;
  return instead[how]!(input);
}).implement(contract.routes.behind, async ({ params, response }) => {
  if (params.how === "late") await wait(5);
  return response(200, openRows());
});

type Body = ReadableStream<Uint8Array<ArrayBuffer>>;

/** What a handler does before it answers 429, or the result that it returns instead, by the end in the path. */
const ends: Readonly<Record<string, (body: Body) => unknown>> = {
  cancelled: async (body) => {
    await Promise.resolve(); // something cached
    await body.cancel();
  },
  left: async (body) => {
    const reader = body.getReader();
    const reading = reader.read().catch(() => {});
    await Promise.resolve();
    await reader.cancel();
    await reading;
  },
  replaced: (body) => ({ status: 200, body }),
  invalid: (body) => {
    watch.thrown.encode++;
    return { status: 418, body };
  },
};

const unread = server.use(async ({ context, next }) => {
  const result = await next();
  return context.request.url.endsWith("/replaced") ? { ...result, status: 429, body: "later" } : result;
}).implement(
  contract.routes.unread,
  async ({ params, body, response }) => await ends[params.end]?.(body) as never ?? response(429, "later"),
);

const short = server.at(contract.routes.short)
  .guard(() => wait(20)) // in which the whole body arrives
  .implement(({ response }) => response(204));

async function* copy(source: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  for await (const row of source) yield row;
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** What both adapters mount. */
export const implementation = server.implement({
  item: ({ params, query, headers, response }) => {
    if (params.id === "nobody") return response(404, { title: "Not Found", status: 404 });
    return response(200, { id: params.id, tags: query.tag ?? [], word: query.word ?? "", number: headers["x-number"] });
  },
  echo: {
    json: ({ body, response }) => response(200, body),
    text: ({ body, response }) => response(200, body),
    bytes: ({ body, response }) => response(200, body),
    form: ({ body, response }) => response(200, body),
    formData: ({ body: { name, file }, response }) => response(200, { name, file: file.name, bytes: file.size }),
    nothing: ({ response }) => response(204),
    stream: ({ body, response }) => response(200, body),
  },
  short,
  tree: ({ response }) => response(204),
  unread,
  upload: async ({ body, response }) => {
    let bytes = 0;
    for await (const { byteLength } of body) bytes += byteLength;
    return response(200, { bytes });
  },
  rows: ({ params, response }) => response(200, produce(Number(params.count), toRow)),
  events: ({ params, response }) =>
    response(200, produce(Number(params.count), (number) => ({ data: toRow(number), id: String(number) }))),
  changes: ({ params, headers, response }) => {
    const id = headers["last-event-id"];
    if (id === undefined) return response(200, [{ id: "1", retry: 1 }]); // ends before the first event
    return id === params.count ? response(204) : response(200, changesAfter(Number(id), Number(params.count)));
  },
  bytes: ({ params, response }) => response(200, produce(Number(params.count), () => new Uint8Array(4096).fill(7))),
  behind,
  waits: ({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  throws: () => {
    watch.thrown.handler++;
    throw new OnPurpose("canary of a thrown message");
  },
  breaks: ({ params, response }) =>
    response(
      200,
      produce(Number(params.count) + 1, (number) => {
        if (number < Number(params.count)) return toRow(number);
        watch.thrown.stream++;
        throw new OnPurpose("canary of a broken stream");
      }),
    ),
});

function* changesAfter(id: number, count: number): Generator<{ id: string; data: ReturnType<typeof toRow> }> {
  while (id < count) yield { id: String(++id), data: toRow(id) };
}

function toRow(number: number): { number: number; text: string } {
  return { number, text: "a row of some length, as rows are ".repeat(1 + number % 7) };
}

/** So many items, with a turn of the event loop now and then; watched from its first item to its end. */
async function* produce<Item>(count: number, toItem: (number: number) => Item): AsyncGenerator<Item> {
  watch.producers++;
  try {
    for (let number = 0; number < count; number++) {
      if (number % 16 === 15) await new Promise((resolve) => setTimeout(resolve, 0));
      yield toItem(number);
    }
  } finally {
    watch.producers--;
  }
}

/** Rows without end that are open before the first is asked for, as a cursor is, and until they are closed. */
function openRows(): AsyncIterable<ReturnType<typeof toRow>> {
  watch.producers++;
  let number = 0;
  const rows: AsyncIterator<ReturnType<typeof toRow>> = {
    next: async () => {
      await wait(0);
      return { value: toRow(number++) };
    },
    return: () => {
      watch.producers--; // once for each, or there are too few in the end
      return Promise.resolve({ done: true, value: undefined });
    },
  };
  return { [Symbol.asyncIterator]: () => rows };
}

/** The options of both adapters. */
export const options: FetchOptions = {
  maxBodyBytes,
  onError: async ({ phase, error, route }) => {
    const isTooLong = error instanceof RangeError && route?.key === "echo.stream"; // which is on purpose too
    if (isTooLong) watch.thrown.stream++;
    const isInvalid = phase === "encode" && route?.key === "unread";
    const name = error instanceof OnPurpose || isTooLong || isInvalid ? phase : `${phase} ${route?.key}: ${error}`;
    watch.heard[name] = (watch.heard[name] ?? 0) + 1;
    await wait(0);
    throw new Error("canary of a hook, whose rejection must go to nobody");
  },
};

export const handler: FetchHandler = createFetchHandler(implementation, options);
