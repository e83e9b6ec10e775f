/** What a reader follows through the source in one warm call: files, functions and their calls, by V8's coverage. */
import { Session } from "node:inspector/promises";

/** The source that one call runs. */
export interface Walk {
  /** The files, relative to `src`. */
  readonly files: readonly string[];
  readonly functions: number;
  readonly calls: number;
}

const src = new URL("../../src/", import.meta.url).href;

/** Counts what `send` runs in `src`. It must have run before, because plans are made once. */
export async function countWalk(send: () => Promise<unknown>): Promise<Walk> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await session.post("Profiler.takePreciseCoverage"); // forgets what ran before
  await send();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  const walked = result.filter(({ url }) => url.startsWith(src))
    .map(({ url, functions }) => ({
      file: url.slice(src.length),
      // a class with private members has a function that adds them
      counts: functions.filter(({ functionName }) => functionName !== "<instance_members_initializer>")
        .map(({ ranges }) => ranges[0]!.count).filter((count) => count > 0),
    }))
    .filter(({ counts }) => counts.length > 0);
  const counts = walked.flatMap(({ counts }) => counts);
  return {
    files: walked.map(({ file }) => file),
    functions: counts.length,
    calls: counts.reduce((sum, count) => sum + count),
  };
}
