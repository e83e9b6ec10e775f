import { onePair } from "../measure/compare.ts";
import { median, spread } from "../measure/median.ts";
import { runWorker } from "../measure/run_worker.ts";
import type { Section } from "../report/section.ts";
import { type StreamName, streamNames } from "../systems/streams.ts";
import type { StreamsInput, StreamsOutput } from "../workers/streams.ts";
import { type Options, runRounds } from "./suite.ts";

const titles: Readonly<Record<StreamName, string>> = {
  bytes: "bytes, 64 KiB chunks",
  smallBytes: "bytes, 1 KiB chunks",
  ndjson: "NDJSON",
  ndjsonAsync: "NDJSON, asynchronous",
  sse: "events",
};

const text =
  `Streams of 2,000 items, compared with a handwritten \`ReadableStream\` that pulls, validates and closes in the same
way: items per second in memory from the call of the handler to the end of the body, and the time from the call to
the first chunk. Then a client's loop over NDJSON, compared with a handwritten loop, and a download through
\`Deno.serve\` with both ends in one process, with the resident memory of that process.`;

/** Measures streams, without other systems: each peer defines streams differently. */
export async function measureStreams({ short }: Options): Promise<Section> {
  const pace = short ? onePair : { warmUp: 250, duration: 450 };
  const input: StreamsInput = { pace, download: (short ? 64 : 1_024) * 2 ** 20 };
  const rounds = await runRounds(short ? 1 : 5, ["ours"], () => runWorker<StreamsOutput>("streams", input));
  const outputs = rounds.get("ours") ?? [];
  const rate = (name: StreamName): number[] => outputs.map(({ whole }) => 1 / whole[name].ratio);
  const firsts = (name: StreamName): number[] => outputs.map(({ first }) => first[name].ratio);
  const clients = outputs.map(({ client }) => 1 / client.ratio);
  const downloads = outputs.map(({ download }) => download);
  const growth = downloads.map(({ early, most }) => most - early);
  return {
    title: "Streams",
    text,
    tables: [
      {
        head: ["ratio to handwritten code", ...streamNames.map((name) => titles[name])],
        rows: [
          [
            "handwritten, ns per item",
            ...streamNames.map((name) => nanoseconds(outputs.map(({ whole }) => whole[name].direct))),
          ],
          ["items per second", ...streamNames.map((name) => median(rate(name)).toFixed(2))],
          [
            "handwritten, ns to the first chunk",
            ...streamNames.map((name) => nanoseconds(outputs.map(({ first }) => first[name].direct))),
          ],
          ["time to the first chunk", ...streamNames.map((name) => median(firsts(name)).toFixed(2))],
        ],
      },
      {
        head: ["over a socket, and in a client", "measured"],
        rows: [
          ["rows per second of a client's loop, ratio", median(clients).toFixed(2)],
          ["download, MiB", (downloads[0]!.bytes / 2 ** 20).toFixed(0)],
          ["download, MiB per second", median(downloads.map((each) => each.mebibytesPerSecond)).toFixed(0)],
          ["download, ratio", median(downloads.map(({ ratio }) => ratio)).toFixed(2)],
          ["resident after a sixteenth, MiB", median(downloads.map(({ early }) => early)).toFixed(0)],
          ["resident at most, MiB", median(downloads.map(({ most }) => most)).toFixed(0)],
          [
            "resident at most, handwritten, MiB",
            median(downloads.map(({ mostByHand }) => mostByHand)).toFixed(0),
          ],
        ],
      },
    ],
    figures: [
      { measure: "streams.bytes", ...spread(rate("bytes")) },
      { measure: "streams.ndjson", ...spread(rate("ndjson")) },
      { measure: "streams.socket", ...spread(downloads.map(({ ratio }) => ratio)) },
      { measure: "streams.growth", ...spread(growth) },
    ],
  };
}

function nanoseconds(values: readonly number[]): string {
  return median(values).toFixed(0);
}
