/** Streams of this library, and handwritten ones with the same guarantees: pulled, validated and closed. */
import { defineContract, response, route } from "@scope/api";
import { createClient, unwrap } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { Row } from "../contract/schemas.ts";

export const streamNames = ["bytes", "smallBytes", "ndjson", "ndjsonAsync", "sse"] as const;
export type StreamName = typeof streamNames[number];

/** Producers of a stream's items. */
export interface Producers {
  readonly bytes: () => Iterable<Uint8Array>;
  readonly smallBytes: () => Iterable<Uint8Array>;
  readonly ndjson: () => Iterable<Row>;
  readonly ndjsonAsync: () => AsyncIterable<Row>;
  readonly sse: () => Iterable<{ readonly data: Row; readonly id: string }>;
}

export type Row = typeof Row.infer;

/** Responds to a GET of `/<name>`. */
export type StreamHandler = (request: Request) => Response | Promise<Response>;

const contract = defineContract({
  routes: {
    bytes: route.get("/bytes", { responses: { 200: response.stream() } }),
    smallBytes: route.get("/smallBytes", { responses: { 200: response.stream() } }),
    ndjson: route.get("/ndjson", { responses: { 200: response.ndjson(Row) } }),
    ndjsonAsync: route.get("/ndjsonAsync", { responses: { 200: response.ndjson(Row) } }),
    sse: route.get("/sse", { responses: { 200: response.sse(Row) } }),
  },
});

export function createOurs(producers: Producers): StreamHandler {
  return createFetchHandler(
    defineServer(contract).implement({
      bytes: ({ response }) => response(200, producers.bytes()),
      smallBytes: ({ response }) => response(200, producers.smallBytes()),
      ndjson: ({ response }) => response(200, producers.ndjson()),
      ndjsonAsync: ({ response }) => response(200, producers.ndjsonAsync()),
      sse: ({ response }) => response(200, producers.sse()),
    }),
  );
}

const encoder = new TextEncoder();
const octets = { headers: { "content-type": "application/octet-stream" } };
const lines = { headers: { "content-type": "application/x-ndjson" } };
const events = { headers: { "content-type": "text/event-stream" } };
const { validate } = Row["~standard"];

function check(value: unknown): Row {
  const checked = validate(value);
  if (checked instanceof Promise) throw new TypeError("asynchronous");
  if (checked.issues) throw new TypeError(checked.issues[0]?.message);
  return checked.value;
}

const toLine = (row: unknown): Uint8Array => encoder.encode(JSON.stringify(check(row)) + "\n");
const toBytes = (chunk: unknown): Uint8Array => {
  if (chunk instanceof Uint8Array) return chunk;
  throw new TypeError("no bytes");
};
const toEvent = ({ data, id }: { readonly data: unknown; readonly id: string }): Uint8Array => {
  if (/[\r\n\0]/.test(id)) throw new TypeError("no line");
  return encoder.encode(`id: ${id}\ndata: ${JSON.stringify(check(data))}\n\n`);
};

export function createByHand(producers: Producers): StreamHandler {
  const answers: Readonly<Record<StreamName, () => Response>> = {
    bytes: () => new Response(pull(producers.bytes(), toBytes), octets),
    smallBytes: () => new Response(pull(producers.smallBytes(), toBytes), octets),
    ndjson: () => new Response(pull(producers.ndjson(), toLine), lines),
    ndjsonAsync: () => new Response(pullAsync(producers.ndjsonAsync(), toLine), lines),
    sse: () => new Response(pull(producers.sse(), toEvent), events),
  };
  return ({ url }) => answers[url.slice(url.lastIndexOf("/") + 1) as StreamName]();
}

function pull<Item>(items: Iterable<Item>, encode: (item: Item) => Uint8Array): ReadableStream {
  const iterator = items[Symbol.iterator]();
  return new ReadableStream({
    pull(controller): void {
      const { done, value } = iterator.next();
      if (done) return controller.close();
      try {
        controller.enqueue(encode(value));
      } catch (error) {
        iterator.return?.();
        throw error;
      }
    },
    cancel(): void {
      iterator.return?.();
    },
  }, { highWaterMark: 0 });
}

function pullAsync<Item>(items: AsyncIterable<Item>, encode: (item: Item) => Uint8Array): ReadableStream {
  const iterator = items[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller): Promise<void> {
      const { done, value } = await iterator.next();
      if (done) return controller.close();
      try {
        controller.enqueue(encode(value));
      } catch (error) {
        await iterator.return?.();
        throw error;
      }
    },
    async cancel(): Promise<void> {
      await iterator.return?.();
    },
  }, { highWaterMark: 0 });
}

/** Counts the rows that our client yields. */
export async function countWithClient(fetch: StreamHandler): Promise<number> {
  let count = 0;
  for await (const { id } of unwrap(await createClient(contract, { baseUrl: "http://a.example", fetch }).ndjson())) {
    count += id >= 0 ? 1 : 0;
  }
  return count;
}

/** Counts the rows with a handwritten loop. */
export async function countByHand(fetch: StreamHandler): Promise<number> {
  let count = 0;
  for await (const { id } of readLines(await fetch(new Request("http://a.example/ndjson")))) count += id >= 0 ? 1 : 0;
  return count;
}

async function* readLines(answer: Response): AsyncGenerator<Row> {
  let rest = "";
  for await (const text of answer.body!.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    for (const line of lines) yield JSON.parse(line);
  }
  if (rest !== "") throw new TypeError("cut off");
}
