import { type RequestData, requestMaker } from "../contract/scenarios.ts";
import type { Handler } from "../systems/system.ts";
import type { Lap } from "./compare.ts";

/** The requests of a batch, in turn, and the status that every response must have. */
export interface Batch {
  readonly requests: readonly RequestData[];
  readonly size: number;
  readonly status: number;
}

/**
 * Returns a lap of one handler. It times each request from its creation to its response, because a handler cannot
 * respond without a request. Bodies are not read, and a synchronous response is not awaited.
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
