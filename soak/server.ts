/** The soak's server: its handlers count what they have open, so that what is never closed shows. */
import { createFetchHandler, type FetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { contract, maxBodyBytes } from "./contract.ts";

/** What the server has open and has heard. */
export interface Watch {
  /** Requests whose middleware has begun and not ended. */
  calls: number;
  /** Producers of streams that have begun and not ended. */
  producers: number;
  /** Requests that a handler was started for. */
  handled: number;
  /** What handlers and producers have thrown on purpose, by the phase that it belongs to. */
  readonly thrown: Record<"handler" | "stream", number>;
  /** What `onError` has heard, by phase; of what was not thrown on purpose, by its words. */
  readonly heard: Record<string, number>;
}

export const watch: Watch = { calls: 0, producers: 0, handled: 0, thrown: { handler: 0, stream: 0 }, heard: {} };

/** What handlers throw on purpose; whatever else `onError` hears of is a bug. */
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

const implementation = server.implement({
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
  },
  upload: async ({ body, response }) => {
    let bytes = 0;
    for await (const { byteLength } of body) bytes += byteLength;
    return response(200, { bytes });
  },
  rows: ({ params, response }) => response(200, produce(Number(params.count), toRow)),
  events: ({ params, response }) =>
    response(200, produce(Number(params.count), (number) => ({ data: toRow(number), id: String(number) }))),
  bytes: ({ params, response }) => response(200, produce(Number(params.count), () => new Uint8Array(4096).fill(7))),
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

export const handler: FetchHandler = createFetchHandler(implementation, {
  maxBodyBytes,
  onError: ({ phase, error, route }) => {
    const name = error instanceof OnPurpose ? phase : `${phase} ${route?.key}: ${error}`;
    watch.heard[name] = (watch.heard[name] ?? 0) + 1;
  },
});
