/** Measures streams of this library, compared with handwritten ones: in memory, and 1 GiB over a socket. */
import { compare, type Comparison, type Lap, type Pace } from "../measure/compare.ts";
import {
  countByHand,
  countWithClient,
  createByHand,
  createOurs,
  type Producers,
  type Row,
  type StreamHandler,
  type StreamName,
  streamNames,
} from "../systems/streams.ts";

export interface StreamsInput {
  readonly pace: Pace;
  /** The bytes to download over a socket. */
  readonly download: number;
}

export interface StreamsOutput {
  /** From the call of the handler to the end of its body. */
  readonly whole: Readonly<Record<StreamName, Comparison>>;
  /** From the call of the handler to the first chunk. */
  readonly first: Readonly<Record<StreamName, Comparison>>;
  /** From the call to the last row in a loop, over the same server. */
  readonly client: Comparison;
  readonly download: Download;
}

/** A download from `Deno.serve`, with both ends in one process. */
export interface Download {
  readonly bytes: number;
  /** The ratio of our bytes per second to those of the handwritten server. */
  readonly ratio: number;
  readonly mebibytesPerSecond: number;
  /** The resident memory of the process after a sixteenth of the download, and its maximum after that, in MiB. */
  readonly early: number;
  readonly most: number;
  /** The maximum during the handwritten download, which runs second. */
  readonly mostByHand: number;
}

const count = 2_000;
const chunk = new Uint8Array(65_536);
const smallChunk = new Uint8Array(1_024);

function* repeat<Item>(times: number, make: (index: number) => Item): Generator<Item> {
  for (let index = 0; index < times; index++) yield make(index);
}

const toRow = (id: number): Row => ({ id, name: `row ${id}`, active: id % 2 === 0 });

const producers: Producers = {
  bytes: () => repeat(count, () => chunk),
  smallBytes: () => repeat(count, () => smallChunk),
  ndjson: () => repeat(count, toRow),
  ndjsonAsync: async function* (): AsyncGenerator<Row> {
    for (let id = 0; id < count; id++) yield await Promise.resolve(toRow(id));
  },
  sse: () => repeat(count, (id) => ({ data: toRow(id), id: String(id) })),
};

async function measure({ pace, download }: StreamsInput): Promise<StreamsOutput> {
  const [ours, byHand] = [createOurs(producers), createByHand(producers)];
  await prove(ours, byHand);
  const downloaded = await measureDownload(download); // first, because memory that the other measurements leave behind would hide its own
  const whole: Partial<Record<StreamName, Comparison>> = {};
  const first: Partial<Record<StreamName, Comparison>> = {};
  for (const name of streamNames) {
    whole[name] = await compare(wholeLap(ours, name), wholeLap(byHand, name), pace);
    first[name] = await compare(firstLap(ours, name), firstLap(byHand, name), pace);
  }
  const client = await compare(clientLap(countWithClient, byHand), clientLap(countByHand, byHand), pace);
  return {
    whole: whole as Record<StreamName, Comparison>,
    first: first as Record<StreamName, Comparison>,
    client,
    download: downloaded,
  };
}

const requestOf = (name: StreamName): Request => new Request(`http://a.example/${name}`);

async function prove(ours: StreamHandler, byHand: StreamHandler): Promise<void> {
  for (const name of streamNames) {
    const [one, other] = await Promise.all([ours, byHand].map(async (handler) => await handler(requestOf(name))));
    const same = one!.headers.get("content-type") === other!.headers.get("content-type") &&
      await one!.text() === await other!.text();
    if (!same) throw new Error(`Cannot measure ${name}: the two give different bodies`);
  }
}

function wholeLap(handler: StreamHandler, name: StreamName): Lap {
  return async () => {
    const start = performance.now();
    const reader = (await handler(requestOf(name))).body!.getReader();
    while (!(await reader.read()).done);
    return (performance.now() - start) * 1e6 / count;
  };
}

const batch = 50;

function firstLap(handler: StreamHandler, name: StreamName): Lap {
  return async () => {
    const requests = Array.from({ length: batch }, () => requestOf(name));
    let spent = 0;
    for (const request of requests) {
      const start = performance.now();
      const reader = (await handler(request)).body!.getReader();
      await reader.read();
      spent += performance.now() - start;
      await reader.cancel();
    }
    return spent * 1e6 / batch;
  };
}

function clientLap(run: (fetch: StreamHandler) => Promise<number>, server: StreamHandler): Lap {
  return async () => {
    const start = performance.now();
    if (await run(server) !== count) throw new Error("Cannot measure the client: rows are missing");
    return (performance.now() - start) * 1e6 / count;
  };
}

async function measureDownload(bytes: number): Promise<Download> {
  const download = { ...producers, bytes: () => repeat(bytes / chunk.length, () => chunk) };
  const ours = await receive(createOurs(download), bytes);
  const direct = await receive(createByHand(download), bytes);
  return {
    bytes,
    ratio: direct.seconds / ours.seconds,
    mebibytesPerSecond: bytes / ours.seconds / 2 ** 20,
    early: ours.early,
    most: ours.most,
    mostByHand: direct.most,
  };
}

async function receive(
  handler: StreamHandler,
  bytes: number,
): Promise<{ seconds: number; early: number; most: number }> {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => handler(request));
  const start = performance.now();
  const answer = await fetch(`http://127.0.0.1:${server.addr.port}/bytes`);
  const samples: number[] = [];
  let received = 0;
  for await (const part of answer.body!) {
    received += part.length;
    if (received >= (samples.length + 1) * bytes / 16) samples.push(Deno.memoryUsage().rss / 2 ** 20);
  }
  const seconds = (performance.now() - start) / 1_000;
  await server.shutdown();
  if (received !== bytes) throw new Error(`Cannot measure the download: ${received} bytes came`);
  return { seconds, early: samples[0]!, most: Math.max(...samples) };
}

if (import.meta.main) console.log(JSON.stringify(await measure(JSON.parse(Deno.args[0] ?? "{}"))));
