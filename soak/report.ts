import type { Figures } from "./control.ts";
import type { Tally } from "./drive.ts";
import type { Growth } from "./memory.ts";

/** All that a soak has found out. */
export interface Findings {
  readonly runtime: string;
  readonly minutes: number;
  readonly seed: number;
  readonly tally: Tally;
  readonly growth: readonly Growth[];
  /** The server's figures after the load had ended and all its calls had time to end. */
  readonly last: Figures;
  readonly endedByItself: boolean;
}

/** Tables of the findings of a soak, as Markdown. */
export function formatFindings({ runtime, minutes, seed, tally, growth, last, endedByItself }: Findings): string {
  const mebi = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);
  return [
    `\n${runtime}, ${minutes} min, seed ${seed}\n`,
    "| scenario | kind | runs | failures |\n| --- | --- | --- | --- |",
    ...[...tally.scenarios].toSorted(([one, { kind: first }], [other, { kind: second }]) =>
      second.localeCompare(first) || one.localeCompare(other)
    ).map(([name, { kind, runs, failures }]) => `| ${name} | ${kind} | ${runs} | ${failures} |`),
    `| all | | ${sum(tally, "runs")} | ${sum(tally, "failures")} |`,
    "\n| memory, MiB | after warm-up | at the end | flat |\n| --- | --- | --- | --- |",
    ...growth.map(({ what, before, after, isFlat }) =>
      `| ${what} | ${mebi(before)} | ${mebi(after)} | ${isFlat ? "yes" : "NO"} |`
    ),
    "\n| left over | |\n| --- | --- |",
    `| the server's open calls | ${last.calls} |`,
    `| the server's open producers | ${last.producers} |`,
    `| listeners at the client's signal | ${tally.listeners} |`,
    `| what the server did not catch | ${last.uncaught.length} |`,
    `| server ended by itself | ${endedByItself ? "yes" : "NO"} |`,
    `\nThe server handled ${last.handled} requests; on purpose it threw ${
      JSON.stringify(last.thrown)
    }, of which onError heard ${JSON.stringify(last.heard)}.`,
    ...tally.failures.map((failure) => `\nFAILED ${failure}`),
  ].join("\n");
}

function sum({ scenarios }: Tally, what: "runs" | "failures"): number {
  return [...scenarios.values()].reduce((total, row) => total + row[what], 0);
}

/** The findings that are failures, as sentences. */
export function listFaults({ tally, growth, last, endedByItself }: Findings): string[] {
  const unexpected = Object.keys(last.heard).filter((name) => !(name in last.thrown));
  return [
    ...(sum(tally, "failures") > 0 ? [`${sum(tally, "failures")} exchanges went otherwise than promised`] : []),
    ...growth.filter(({ isFlat }) => !isFlat).map(({ what }) => `${what} grows`),
    ...(last.calls > 0 ? [`${last.calls} calls never ended`] : []),
    ...(last.producers > 0 ? [`${last.producers} producers were never closed`] : []),
    ...(last.producers < 0 ? [`${-last.producers} producers were closed more than once`] : []),
    ...(tally.listeners > 0 ? [`${tally.listeners} listeners were left behind`] : []),
    ...(endedByItself ? [] : ["something kept the server alive"]),
    ...last.uncaught.map((what) => `the server had an uncaught ${what}`),
    ...unexpected.map((name) => `onError heard ${name}`),
    ...(["handler", "stream", "encode"] as const).filter((phase) => (last.heard[phase] ?? 0) !== last.thrown[phase])
      .map((phase) => `onError heard ${last.heard[phase]} of ${last.thrown[phase]} failures of phase ${phase}`),
  ];
}
