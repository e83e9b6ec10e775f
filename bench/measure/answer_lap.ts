import { type RequestData, requestMaker } from "../contract/scenarios.ts";
import { type Handler } from "../systems/system.ts";
import { type Lap } from "./compare.ts";

/** What a batch asks, in turn, and the status that every answer must have. */
export interface Batch {
  readonly requests: readonly RequestData[];
  readonly size: number;
  readonly status: number;
}

/**
 * A lap of one handler. Timed is from the making of each request to its response: a handler answers requests, so there is no
 * answer without one. Bodies are not read, and a response that comes at once is not waited for.
 */
export function answerLap(
  handler: Handler,
  { requests, size, status }: Batch,
): Lap {
  const makers = requests.map(requestMaker);
  return async () => {
    const start = performance.now();
    for (let index = 0; index < size; index++) {
      const answer = handler(makers[index % makers.length]!());
      const response = answer instanceof Promise ? await answer : answer;
      if (response.status !== status) {
        throw new Error(`Cannot measure ${requests[index % requests.length]!.path}: status ${response.status}`);
      }
    }
    return (performance.now() - start) * 1e6 / size;
  };
}
